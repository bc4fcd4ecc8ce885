/* SPDX-License-Identifier: MIT */
/* What gather and scatter share. */
#ifndef MX_OPS_INDEX_H
#define MX_OPS_INDEX_H

#include "ops/infer.h"

/* 0, 1, 2, ... along the first axis, in the shape and dtype of `like`. */
mlxc_array *mx_batch_index(mlxc_scope *c, int64_t size, mlxc_array *like);
mlxc_status mx_prepare_indices(mlxc_arrays **out, const char *op,
    mlxc_arrays *indices, int naxes, mlxc_stream *s);
mlxc_status mx_check_axes(int64_t *out, const char *op, const int *axes,
    int n, int ndim);
mlxc_status mx_broadcast_except(mlxc_array **out, const char *op,
    mlxc_array *const *in, int n, int axis, mlxc_stream *s);

#endif
