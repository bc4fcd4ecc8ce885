/* SPDX-License-Identifier: MIT */
/* Functions of arrays, and calling them under a trace. */
#ifndef MX_FUNCTION_H
#define MX_FUNCTION_H

#include <mlxc/transform.h>

#include "core/trace.h"

/* A status as callers may see it: numbers that are no status become
   MLXC_ERR_CALLBACK. */
mlxc_status mx_callback_status(int status);

/* A new list of arrays equal to `list` that carry the bit of `t`; entries for
   which wanted is 0 (NULL: all wanted) are passed as they are. */
mlxc_status mx_trace_inputs(mlxc_arrays **out, struct mx_trace *t,
    mlxc_arrays *list, const unsigned char *wanted);

/* Open a trace, call `f` on marked copies of the inputs, close it again.
   On success the caller frees the trace and both lists. */
mlxc_status mx_call_traced(struct mx_trace *t, enum mx_trace_kind kind,
    mlxc_arrays **outputs, mlxc_arrays **marked, mlxc_function *f,
    mlxc_arrays *inputs, const unsigned char *wanted);

/* vjp with respect to some inputs only: grads get entries for those. */
mlxc_status mx_vjp_of(mlxc_arrays **outputs, mlxc_arrays **grads,
    mlxc_function *f, mlxc_arrays *primals, mlxc_arrays *cotangents,
    const unsigned char *wanted);

#endif
