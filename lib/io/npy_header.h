/* SPDX-License-Identifier: MIT */
/* The text in a .npy file: a Python dictionary with the type, the order and
   the shape. */
#ifndef MX_NPY_HEADER_H
#define MX_NPY_HEADER_H

#include <stddef.h>

#include "core/array.h"
#include "util/buf.h"

struct mx_npy {
    mlxc_dtype dtype;
    int is_big;      /* the bytes of an element are in big-endian order */
    int is_fortran;  /* column-major */
    int ndim;
    int64_t *shape;  /* mx_free() */
};

/* Read `n` characters; `label` names the file in messages.  On failure there
   is nothing to free. */
mlxc_status mx_npy_parse(struct mx_npy *out, const char *text, size_t n,
    const char *label);

/* Write magic, length and text for an array, as NumPy does. */
void mx_npy_print(struct mx_buf *b, const mlxc_array *a, int is_fortran);

#endif
