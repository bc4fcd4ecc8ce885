/* SPDX-License-Identifier: MIT */
/* Lists of axes, for the families that reduce. */
#ifndef MX_OPS_REDUCE_H
#define MX_OPS_REDUCE_H

#include "ops/infer.h"

/* Sorted axes (NULL: all); the caller frees `b` on success. */
mlxc_status mx_reduce_params(struct mx_block *b, struct mx_p_reduce **out,
    const char *op, mlxc_array *a, const int *axes, int naxes);
/* The listed axes moved to the end and merged into one. */
mlxc_array *mx_merge_axes(mlxc_scope *c, const struct mx_p_reduce *p,
    mlxc_array *a);
/* Back to the shape and order of `like`. */
mlxc_array *mx_unmerge_axes(mlxc_scope *c, const struct mx_p_reduce *p,
    mlxc_array *a, mlxc_array *like);
/* A reduced array with length 1 where axes were dropped. */
mlxc_array *mx_keep_axes(mlxc_scope *c, const struct mx_p_reduce *p,
    mlxc_array *a, mlxc_array *like);

#endif
