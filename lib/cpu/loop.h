/* SPDX-License-Identifier: MIT */
/* The one place that knows strides.  A loop walks up to four operands over a
   collapsed shape and hands contiguous runs to an inner function; where a run
   is not contiguous it is gathered into scratch that stays in L1, and an
   output is scattered back.  Runs over large outputs go through scratch and
   non-temporal stores. */
#ifndef MX_CPU_LOOP_H
#define MX_CPU_LOOP_H

#include <stddef.h>
#include <stdint.h>

#include "core/array.h"

#define MX_LOOP_OPERANDS 4
/* Most elements of one run that goes through scratch. */
#define MX_LOOP_BLOCK 1024

/* Process n elements; p[0] is the output, p[1..] the inputs. */
typedef void mx_inner_fn(void *context, char *const *p, size_t n);

struct mx_loop {
    int noperands;
    int ndim;
    int64_t size;
    int stream_output;   /* use non-temporal stores */
    int64_t *shape;      /* [ndim] */
    int64_t *stride[MX_LOOP_OPERANDS]; /* [ndim], in elements */
    char *data[MX_LOOP_OPERANDS];
    uint8_t size_index[MX_LOOP_OPERANDS]; /* log2 of the element's bytes */
    mx_inner_fn *inner;
    void *context;
    int64_t dims[];      /* shape and strides live here */
};

/* Bytes of a loop over `ndim` dimensions. */
size_t mx_loop_bytes(int ndim, int noperands);

/* Set up a loop over the shape of operand 0; all have that shape. */
void mx_loop_init(struct mx_loop *l, mlxc_array *const *operand,
    int noperands);
/* The same from parts: strides[k] in elements, item sizes as log2. */
void mx_loop_init_raw(struct mx_loop *l, const int64_t *shape, int ndim,
    int noperands, char *const *data, const int64_t *const *strides,
    const uint8_t *size_index);

/* Run it, split over the pool. */
void mx_loop_run(const struct mx_loop *l);

#endif
