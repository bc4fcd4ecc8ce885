/* SPDX-License-Identifier: MIT */
/* The table of all primitives. */
#include "core/op.h"

const struct mx_op *const mx_ops[MX_OP_COUNT] = {
#define OP(ID, sym) [MX_OP_##ID] = &mx_op_##sym,
#include "core/op.def"
};
