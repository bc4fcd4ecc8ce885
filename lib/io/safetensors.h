/* SPDX-License-Identifier: MIT */
/* Shared by reading and writing .safetensors. */
#ifndef MX_SAFETENSORS_H
#define MX_SAFETENSORS_H

#include <stddef.h>
#include <stdint.h>

#include <mlxc/dtype.h>

struct mx_safetensors_type {
    const char *name;
    mlxc_dtype dtype;
};

/* NULL if not known.  8-bit floats are uint8. */
const struct mx_safetensors_type *mx_safetensors_type(const char *name);
const char *mx_safetensors_name(mlxc_dtype dtype);

struct mx_span {
    uint64_t begin, end;
};

/* Sorts them. */
int mx_spans_overlap(struct mx_span *span, size_t n);

#endif
