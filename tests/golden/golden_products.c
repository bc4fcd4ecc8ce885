/* SPDX-License-Identifier: MIT */
/* Golden cases of matrix products and what is built of them. */
#include <string.h>

#include "golden_ops.h"
#include "support.h"

ONE(matmul, mlxe_matmul(c, X, Y))
ONE(outer, mlxe_outer(c, X, Y))
ONE(inner, mlxe_inner(c, X, Y))
ONE(addmm, mlxe_addmm(c, X, Y, Z, golden_real(g, "alpha", 1),
    golden_real(g, "beta", 1)))
ONE(kron, mlxe_kron(c, X, Y))
ONE(trace, mlxe_trace(c, X, I("offset", 0), (int)I("axis1", 0),
    (int)I("axis2", 1)))
ONE(vecdot, mlxe_vecdot(c, X, Y, (int)I("axis", -1)))
ONE(einsum, mlxe_einsum(c, golden_get(g, "subscripts"), g->in, g->nin))

/* Pairs of axes, or how many last axes of a meet the first ones of b. */
RUN(tensordot)
{
    int a[MAX_LIST], b[MAX_LIST], n = golden_axes(g, "axes_a", a);
    if (n >= 0) {
        ck_assert_int_eq(golden_axes(g, "axes_b", b), n);
    } else {
        n = (int)I("axes", 2);
        for (int i = 0; i < n; i++) {
            a[i] = i - n;
            b[i] = i;
        }
    }
    *out = mlxe_tensordot(c, X, Y, a, b, n);
    return 1;
}

const struct golden_op golden_products[] = {
    ENTRY(matmul) ENTRY(outer) ENTRY(inner) ENTRY(addmm) ENTRY(kron)
    ENTRY(trace) ENTRY(vecdot) ENTRY(einsum) ENTRY(tensordot)
    { NULL, NULL },
};
