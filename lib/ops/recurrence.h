/* SPDX-License-Identifier: MIT */
/* First-order linear recurrences, which derivatives of scans are. */
#ifndef MX_OPS_RECURRENCE_H
#define MX_OPS_RECURRENCE_H

#include "ops/infer.h"

/* y_i = a_i y_(i-1) + b_i along an axis, from the end if `reverse`; a and b
   have one shape and dtype. */
mlxc_array *mx_recurrence(mlxc_scope *c, int axis, int reverse,
    mlxc_array *a, mlxc_array *b);

/* Entry i is the one before it along the axis (the one after it if
   `reverse`); the first (last) is `fill`. */
mlxc_array *mx_shift(mlxc_scope *c, int axis, int reverse, mlxc_array *a,
    double fill);

#endif
