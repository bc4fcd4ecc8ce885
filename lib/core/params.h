/* SPDX-License-Identifier: MIT */
/* The parameter block of each op, seen by ops/ and the back ends.  Blocks are
   compared as bytes, so padding must be zero: build them with MX_PARAMS() or
   in zeroed memory.  Lists stand at the end. */
#ifndef MX_PARAMS_H
#define MX_PARAMS_H

#include <stdint.h>

#include <mlxc/dtype.h>

/* A plain list: transpose (axes), reshape (shape), broadcast (shape),
   squeeze and expand_dims (axes, sorted; of the output for expand_dims). */
struct mx_p_list {
    int64_t n;
    int64_t v[];
};

/* astype, view */
struct mx_p_dtype {
    int64_t dtype;
};

/* full: shape; the value is the input, a scalar of the output's dtype. */

struct mx_p_arange {
    double start, step;
    int64_t size;
    int64_t dtype;
};

/* slice: start[n], stride[n], size[n], normalised */
struct mx_p_slice {
    int64_t n;
    int64_t v[];
};

enum mx_reduce_kind {
    MX_REDUCE_SUM = 0,
    MX_REDUCE_PROD,
    MX_REDUCE_MAX,
    MX_REDUCE_MIN,
    MX_REDUCE_ALL,
    MX_REDUCE_ANY,
    MX_REDUCE_COUNT
};

/* reduce, var: axes, sorted; the output drops them. */
struct mx_p_reduce {
    int64_t kind; /* enum mx_reduce_kind */
    int64_t ddof; /* var: results are divided by the count less this */
    int64_t n;
    int64_t v[];
};

/* argreduce: `max` or else min along one axis, which the output drops. */
struct mx_p_argreduce {
    int64_t max;
    int64_t axis;
};

enum mx_scan_kind {
    MX_SCAN_SUM = 0,
    MX_SCAN_PROD,
    MX_SCAN_MAX,
    MX_SCAN_MIN,
    MX_SCAN_LOGADDEXP,
    MX_SCAN_COUNT
};

struct mx_p_scan {
    int64_t kind; /* enum mx_scan_kind */
    int64_t axis;
    int64_t reverse, inclusive;
};

/* concatenate, gather_axis: the axis. */
struct mx_p_axis {
    int64_t axis;
};

/* gather: axes[naxes], then window sizes[n - naxes]. */
struct mx_p_gather {
    int64_t naxes;
    int64_t n;
    int64_t v[];
};

/* scatter: axes[n]; scatter_axis: the one axis. */
struct mx_p_scatter {
    int64_t mode; /* enum mx_update */
    int64_t n;
    int64_t v[];
};

/* searchsorted: how many are `<=`, else `<`. */
struct mx_p_search {
    int64_t right;
};

struct mx_p_addmm {
    double alpha, beta;
};

/* random_bits: bytes per element, then the shape. */
struct mx_p_bits {
    int64_t width;
    int64_t n;
    int64_t v[];
};

/* recurrence */
struct mx_p_recurrence {
    int64_t axis, reverse;
};

/* How an update meets what is there. */
enum mx_update {
    MX_UPDATE_SET = 0,
    MX_UPDATE_ADD,
    MX_UPDATE_PROD,
    MX_UPDATE_MAX,
    MX_UPDATE_MIN,
    MX_UPDATE_COUNT
};

/* slice_update */
struct mx_p_update {
    int64_t mode; /* enum mx_update */
    int64_t n;
    int64_t v[];
};

/* as_strided: shape[n], strides[n] in elements */
struct mx_p_strided {
    int64_t n;
    int64_t offset; /* in elements */
    int64_t v[];
};

/* load: shape[n].  The reader is counted. */
struct mx_p_load {
    struct mlxc_reader *reader;
    int64_t offset; /* of the first byte; the range is inside the reader */
    int64_t dtype;
    int64_t swap;   /* bytes of a unit to reverse; 1: none */
    int64_t n;
    int64_t v[];
};

/* Bytes of a block with `count` list entries. */
#define MX_PARAM_BYTES(type, count) \
    (sizeof(type) + (size_t)(count) * sizeof(int64_t))

/* Blocks of up to this many list entries fit a stack buffer. */
#define MX_PARAM_STACK 64

#endif
