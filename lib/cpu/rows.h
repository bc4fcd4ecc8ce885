/* SPDX-License-Identifier: MIT */
/* Walking rows: all positions of some dimensions of an array, and along each
   a run over the others.  For reductions, scans, softmax, sorting. */
#ifndef MX_CPU_ROWS_H
#define MX_CPU_ROWS_H

#include <stdint.h>

#include "core/array.h"

#define MX_WALK_RANK 64

/* A collapsed list of dimensions. */
struct mx_walk {
    int ndim;
    int64_t size;
    int64_t shape[MX_WALK_RANK];
    int64_t stride[MX_WALK_RANK]; /* in elements */
};

/* The dimensions d of `a` with chosen[d] == `which`, collapsed.
   MLXC_ERR_UNSUPPORTED beyond MX_WALK_RANK after collapsing. */
mlxc_status mx_walk_init(struct mx_walk *w, const char *op, mlxc_array *a,
    const unsigned char *chosen, int which);
/* Offset in elements of position i. */
int64_t mx_walk_offset(const struct mx_walk *w, int64_t i);

#endif
