/* SPDX-License-Identifier: MIT */
/* Ranges, for the rules of other families. */
#ifndef MX_OPS_SLICE_H
#define MX_OPS_SLICE_H

#include "core/op.h"
#include "core/params.h"
#include "ops/infer.h"

/* Normalise a range of `a`; `b` holds the block and is freed by the caller
   on success. */
mlxc_status mx_slice_params(struct mx_block *b, struct mx_p_slice **out,
    const char *op, mlxc_array *a, const int64_t *start, const int64_t *stop,
    const int64_t *step, int ndim);

/* in[0] with the range combined with in[1]. */
mlxc_array *mx_slice_update_in(mlxc_scope *c, enum mx_update mode,
    const struct mx_p_slice *range, mlxc_array *const in[2]);

#endif
