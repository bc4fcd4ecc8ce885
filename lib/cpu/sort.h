/* SPDX-License-Identifier: MIT */
/* Stable sorting of one row.  Every dtype has unsigned keys whose order is
   that of its values: -0 and +0 share a key, and NaN has the largest. */
#ifndef MX_CPU_SORT_H
#define MX_CPU_SORT_H

#include <stddef.h>
#include <stdint.h>

#include <mlxc/dtype.h>

/* Bytes of scratch that a row of n needs. */
size_t mx_sort_scratch(mlxc_dtype d, int64_t n, int positions);

/* Sort n values; `split` lets the pool share the row.  dst is not src. */
void mx_sort_values(mlxc_dtype d, void *dst, const void *src, int64_t n,
    void *scratch, int split);

/* Where each value of the sorted row stood, as uint32 or uint64 (`wide`). */
void mx_sort_positions(mlxc_dtype d, void *dst, int wide, const void *src,
    int64_t n, void *scratch, int split);

/* The keys of n values. */
void mx_sort_keys(mlxc_dtype d, uint64_t *dst, const void *src, int64_t n);

#endif
