/* SPDX-License-Identifier: MIT */
/* What back ends and readers use of the evaluator. */
#ifndef MX_EVAL_H
#define MX_EVAL_H

#include "core/node.h"

/* Evaluate and wait; afterwards `a` is ready or the call has failed. */
mlxc_status mx_array_eval(mlxc_array *a);

/* Whether the buffer of input i may become an output: nothing else can see
   it any more.  Only while the node is being encoded. */
int mx_can_donate(const struct mx_node *node, int i);

#endif
