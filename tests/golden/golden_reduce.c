/* SPDX-License-Identifier: MIT */
/* Golden cases of reductions, arg reductions and scans. */
#include <string.h>

#include "golden_ops.h"

#define REDUCTION(name) \
    WITH_AXES(name, mlxe_##name(c, X, list, n, I("keepdims", 0)))
REDUCTION(sum) REDUCTION(prod) REDUCTION(max) REDUCTION(min)
REDUCTION(all) REDUCTION(any) REDUCTION(mean) REDUCTION(median)
REDUCTION(logsumexp) REDUCTION(count_nonzero)
WITH_AXES(var, mlxe_var(c, X, list, n, I("keepdims", 0),
    (int)I("ddof", 0)))
WITH_AXES(std, mlxe_std(c, X, list, n, I("keepdims", 0),
    (int)I("ddof", 0)))
WITH_AXES(softmax, mlxe_softmax(c, X, list, n))

/* The position in the flattened array where the case has no axis. */
static mlxc_array *position(mlxc_scope *c, struct golden *g,
    mlxc_array *(*arg)(mlxc_scope *, mlxc_array *, int, bool))
{
    int64_t ones[MAX_LIST];
    bool keep = I("keepdims", 0);
    if (golden_get(g, "axis"))
        return arg(c, X, AXIS, keep);
    for (int d = 0; d < mlxc_array_ndim(X); d++)
        ones[d] = 1;
    mlxc_array *a = arg(c, golden_flat(c, g), 0, false);
    return keep ? mlxe_reshape(c, a, ones, mlxc_array_ndim(X)) : a;
}

ONE(argmax, position(c, g, mlxe_argmax))
ONE(argmin, position(c, g, mlxe_argmin))

#define SCAN(name) \
    ONE(name, mlxe_##name(c, golden_flat(c, g), AXIS, I("reverse", 0), \
        !I("exclusive", 0)))
SCAN(cumsum) SCAN(cumprod) SCAN(cummax) SCAN(cummin) SCAN(logcumsumexp)
ONE(diff, mlxe_diff(c, X, I("n", 1), (int)I("axis", -1)))

const struct golden_op golden_reduce[] = {
    ENTRY(sum) ENTRY(prod) ENTRY(max) ENTRY(min) ENTRY(all) ENTRY(any)
    ENTRY(mean) ENTRY(median) ENTRY(logsumexp) ENTRY(count_nonzero)
    ENTRY(var) ENTRY(std) ENTRY(softmax) ENTRY(argmax) ENTRY(argmin)
    ENTRY(cumsum) ENTRY(cumprod) ENTRY(cummax) ENTRY(cummin)
    ENTRY(logcumsumexp) ENTRY(diff)
    { NULL, NULL },
};
