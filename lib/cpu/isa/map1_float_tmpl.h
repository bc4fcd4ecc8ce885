/* SPDX-License-Identifier: MIT */
/* Unary kernels of a float type that computes in itself. */

MX_INLINE A TN(op_abs)(A x) { return x < 0 ? -x : x == 0 ? 0 : x; }
MX_INLINE A TN(op_negative)(A x) { return -x; }
MX_INLINE A TN(op_sign)(A x)
{
    return (A)(x > 0 ? 1 : x < 0 ? -1 : x != x ? x : 0);
}
MX_INLINE A TN(op_square)(A x) { return x * x; }
MX_INLINE A TN(op_sqrt)(A x) { return (A)TN(root)(x); }
MX_INLINE A TN(op_rsqrt)(A x) { return 1 / (A)TN(root)(x); }
MX_INLINE A TN(op_reciprocal)(A x) { return 1 / x; }
MX_INLINE A TN(op_exp)(A x) { return FN(exp)(x); }
MX_INLINE A TN(op_expm1)(A x) { return FN(expm1)(x); }
MX_INLINE A TN(op_log)(A x) { return FN(log)(x); }
MX_INLINE A TN(op_log2)(A x) { return FN(log2)(x); }
MX_INLINE A TN(op_log10)(A x) { return FN(log10)(x); }
MX_INLINE A TN(op_log1p)(A x) { return FN(log1p)(x); }
MX_INLINE A TN(op_sin)(A x) { return FN(sin)(x); }
MX_INLINE A TN(op_cos)(A x) { return FN(cos)(x); }
MX_INLINE A TN(op_tan)(A x) { return FN(tan)(x); }
MX_INLINE A TN(op_arcsin)(A x) { return FN(asin)(x); }
MX_INLINE A TN(op_arccos)(A x) { return FN(acos)(x); }
MX_INLINE A TN(op_arctan)(A x) { return FN(atan)(x); }
MX_INLINE A TN(op_sinh)(A x) { return FN(sinh)(x); }
MX_INLINE A TN(op_cosh)(A x) { return FN(cosh)(x); }
MX_INLINE A TN(op_tanh)(A x) { return FN(tanh)(x); }
MX_INLINE A TN(op_arcsinh)(A x) { return FN(asinh)(x); }
MX_INLINE A TN(op_arccosh)(A x) { return FN(acosh)(x); }
MX_INLINE A TN(op_arctanh)(A x) { return FN(atanh)(x); }
MX_INLINE A TN(op_sigmoid)(A x) { return FN(sigmoid)(x); }
MX_INLINE A TN(op_erf)(A x) { return FN(erf)(x); }
MX_INLINE A TN(op_erfinv)(A x) { return FN(erfinv)(x); }
MX_INLINE A TN(op_floor)(A x) { return TN(down)(x); }
MX_INLINE A TN(op_ceil)(A x) { return -TN(down)(-x); }
MX_INLINE A TN(op_trunc)(A x) { return x < 0 ? -TN(down)(-x) : TN(down)(x); }
MX_INLINE A TN(op_rint)(A x) { return TN(nearest)(x); }

MX_INLINE void TN(map)(T *restrict dst, const T *a, size_t n, A (*op)(A))
{
    for (size_t i = 0; i < n; i++)
        dst[i] = op(a[i]);
}

/* in place is allowed, so restrict is only promised for distinct arrays */
MX_INLINE void TN(map_any)(T *dst, const T *a, size_t n, A (*op)(A))
{
    if (dst == a) {
        T *p = dst;
        for (size_t i = 0; i < n; i++)
            p[i] = op(p[i]);
    } else {
        TN(map)(dst, a, n, op);
    }
}

#define MAP1(sym) \
    static void TN(sym)(void *dst, const void *a, size_t n) \
    { TN(map_any)(dst, a, n, TN(op_##sym)); }
MAP1(abs)
MAP1(negative)
MAP1(sign)
MAP1(square)
MAP1(sqrt)
MAP1(rsqrt)
MAP1(reciprocal)
MAP1(exp)
MAP1(expm1)
MAP1(log)
MAP1(log2)
MAP1(log10)
MAP1(log1p)
MAP1(arcsin)
MAP1(arccos)
MAP1(arctan)
MAP1(sinh)
MAP1(cosh)
MAP1(tanh)
MAP1(arcsinh)
MAP1(arccosh)
MAP1(arctanh)
MAP1(sigmoid)
MAP1(erf)
MAP1(erfinv)
MAP1(floor)
MAP1(ceil)
MAP1(trunc)
MAP1(rint)
#undef MAP1

/* Circular functions: far arguments are done over, huge ones one by one.  What
   is done depends on the element alone, not on its neighbours. */
MX_INLINE int TN(within)(A x, A bound)
{
    return (x < bound) & (x > -bound);
}

MX_INLINE void TN(circular)(T *dst, const T *a, size_t n, A (*near)(A),
    A (*far)(A), double (*exact)(double))
{
    T copy[256], over[256];
    for (size_t at = 0; at < n; at += 256) {
        size_t m = n - at < 256 ? n - at : 256;
        int away = 0;
        for (size_t i = 0; i < m; i++) {
            copy[i] = a[at + i];
            away |= !TN(within)(copy[i], (A)MX_TRIG_NEAR);
        }
        TN(map)(dst + at, copy, m, near);
        if (!away)
            continue;
        TN(map)(over, copy, m, far);
        for (size_t i = 0; i < m; i++) {
            if (!TN(within)(copy[i], (A)MX_TRIG_LIMIT))
                dst[at + i] = (T)exact((double)copy[i]);
            else if (!TN(within)(copy[i], (A)MX_TRIG_NEAR))
                dst[at + i] = over[i];
        }
    }
}

#define CIRCULAR(sym) \
    static void TN(sym)(void *dst, const void *a, size_t n) \
    { TN(circular)(dst, a, n, TN(op_##sym), FN(sym##_far), sym); }
CIRCULAR(sin)
CIRCULAR(cos)
CIRCULAR(tan)
#undef CIRCULAR

#define TEST(sym, condition) \
    static void TN(sym)(void *dst, const void *a, size_t n) \
    { const T *x = a; uint8_t *d = dst; \
      for (size_t i = 0; i < n; i++) d[i] = condition; }
TEST(isnan, x[i] != x[i])
TEST(isinf, x[i] == (T)INFINITY || x[i] == (T)-INFINITY)
TEST(isposinf, x[i] == (T)INFINITY)
TEST(isneginf, x[i] == (T)-INFINITY)
TEST(isfinite, x[i] - x[i] == 0)
#undef TEST
