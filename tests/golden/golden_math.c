/* SPDX-License-Identifier: MIT */
/* Golden cases of element-wise operations. */
#include <math.h>
#include <string.h>

#include "golden_ops.h"

#define MAP1(ID, sym, rule, o, kinds) ONE(sym, mlxe_##sym(c, X))
#define MAP2(ID, sym, rule, o, kinds) ONE(sym, mlxe_##sym(c, X, Y))
#include "core/elementwise.def"
ONE(positive, mlxe_positive(c, X))
ONE(stop_gradient, mlxe_stop_gradient(c, X))
ONE(degrees, mlxe_degrees(c, X))
ONE(radians, mlxe_radians(c, X))
ONE(round, mlxe_round(c, X, (int)I("decimals", 0)))
ONE(where, mlxe_where(c, X, Y, Z))
ONE(astype, mlxe_astype(c, X, DTYPE_OF("dtype")))
ONE(nan_to_num, mlxe_nan_to_num(c, X, golden_real(g, "nan", 0),
    golden_real(g, "posinf", NAN), golden_real(g, "neginf", NAN)))
ONE(isclose, mlxe_isclose(c, X, Y, golden_real(g, "rtol", 1e-5),
    golden_real(g, "atol", 1e-8), I("equal_nan", 0)))
ONE(allclose, mlxe_allclose(c, X, Y, golden_real(g, "rtol", 1e-5),
    golden_real(g, "atol", 1e-8), I("equal_nan", 0)))
ONE(array_equal, mlxe_array_equal(c, X, Y, I("equal_nan", 0)))

RUN(divmod)
{
    mlxc_array *quotient = NULL, *remainder = NULL;
    mlxc_status status = mlxc_divmod(&quotient, &remainder, X, Y, NULL);
    out[0] = mlxc_scope_take(c, status, quotient);
    out[1] = mlxc_scope_take(c, status, remainder);
    return 2;
}

RUN(clip)
{
    int both = golden_is(g, "bounds", "low,high");
    int low = both || golden_is(g, "bounds", "low");
    int high = both || golden_is(g, "bounds", "high");
    *out = mlxe_clip(c, X, low ? Y : NULL, both ? Z : high ? Y : NULL);
    return 1;
}

const struct golden_op golden_math[] = {
#define MAP1(ID, sym, rule, o, kinds) ENTRY(sym)
#define MAP2(ID, sym, rule, o, kinds) ENTRY(sym)
#include "core/elementwise.def"
    ENTRY(positive) ENTRY(stop_gradient) ENTRY(degrees) ENTRY(radians)
    ENTRY(round) ENTRY(where) ENTRY(astype) ENTRY(nan_to_num) ENTRY(isclose)
    ENTRY(allclose) ENTRY(array_equal) ENTRY(divmod) ENTRY(clip)
    { NULL, NULL },
};
