/* SPDX-License-Identifier: MIT */
/* Unary kernels of an integer type; A is unsigned, so that all wraps. */

MX_INLINE T TN(op_abs)(T x) { return (T)(x < 0 ? (A)0 - (A)x : (A)x); }
MX_INLINE T TN(op_negative)(T x) { return (T)((A)0 - (A)x); }
MX_INLINE T TN(op_sign)(T x) { return (T)((x > 0) - (x < 0)); }
MX_INLINE T TN(op_square)(T x) { return (T)((A)x * (A)x); }
MX_INLINE T TN(op_bitwise_invert)(T x) { return (T)~x; }

MX_INLINE void TN(map)(T *dst, const T *a, size_t n, T (*op)(T))
{
    for (size_t i = 0; i < n; i++)
        dst[i] = op(a[i]);
}

#define MAP1(ID, sym) \
    static void TN(sym)(void *dst, const void *a, size_t n) \
    { TN(map)(dst, a, n, TN(op_##sym)); }
MAP1(ABS, abs)
MAP1(NEGATIVE, negative)
MAP1(SIGN, sign)
MAP1(SQUARE, square)
MAP1(BITWISE_INVERT, bitwise_invert)
#undef MAP1

static void TN(fill)(struct mx_cpu_kernels *k)
{
    k->map1[MX_MAP1_ABS][DTYPE] = TN(abs);
    k->map1[MX_MAP1_NEGATIVE][DTYPE] = TN(negative);
    k->map1[MX_MAP1_SIGN][DTYPE] = TN(sign);
    k->map1[MX_MAP1_SQUARE][DTYPE] = TN(square);
    k->map1[MX_MAP1_BITWISE_INVERT][DTYPE] = TN(bitwise_invert);
}
