/* SPDX-License-Identifier: MIT */
/* The eval functions, and what they share. */
#ifndef MX_CPU_EVAL_H
#define MX_CPU_EVAL_H

#include "core/backend.h"

mx_eval_fn mx_cpu_eval_map1;
mx_eval_fn mx_cpu_eval_map2;
#define EVAL(ID, fn) mx_eval_fn mx_cpu_eval_##fn;
#include "cpu/eval.def"

/* A row-major image of input `a` for the node being encoded: its own bytes if
   they are that already, else a temporary that a queued copy fills.  NULL:
   failure (message set). */
const void *mx_cpu_row_major(mlxc_stream *s, mlxc_array *a);

/* Queue a copy of `a` (any strides) to `dst`, row-major. */
mlxc_status mx_cpu_copy(mlxc_stream *s, void *dst, mlxc_array *a);

/* Output 0 of the node: the buffer of input `i` if it may be donated, is
   row-major and has the same item size, else a new one.  Row-major. */
mlxc_status mx_cpu_output(mlxc_stream *s, struct mx_node *node, int i);

#endif
