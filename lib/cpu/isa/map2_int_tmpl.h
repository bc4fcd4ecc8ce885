/* SPDX-License-Identifier: MIT */
/* Binary kernels of an integer type.  A is unsigned: everything wraps, and
   nothing is undefined. */

#define IS_SIGNED ((T)-1 < 0)

MX_INLINE T TN(op_add)(T a, T b) { return (T)((A)a + (A)b); }
MX_INLINE T TN(op_subtract)(T a, T b) { return (T)((A)a - (A)b); }
MX_INLINE T TN(op_multiply)(T a, T b) { return (T)((A)a * (A)b); }

/* By 0: 0.  The smallest by -1 wraps to itself. */
MX_INLINE T TN(op_floor_divide)(T a, T b)
{
    if (b == 0)
        return 0;
    if (IS_SIGNED && b == (T)-1)
        return (T)((A)0 - (A)a);
    T q = (T)(a / b);
    return (T)(a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q);
}

MX_INLINE T TN(op_remainder)(T a, T b)
{
    if (b == 0 || (IS_SIGNED && b == (T)-1))
        return 0;
    T r = (T)(a % b);
    return (T)(r != 0 && (r < 0) != (b < 0) ? r + b : r);
}

MX_INLINE T TN(op_power)(T a, T b)
{
    if (b < 0)
        return 0;
    A base = (A)a, r = 1;
    for (A e = (A)b; e; e >>= 1) {
        if (e & 1)
            r *= base;
        base *= base;
    }
    return (T)r;
}

MX_INLINE T TN(op_maximum)(T a, T b) { return a > b ? a : b; }
MX_INLINE T TN(op_minimum)(T a, T b) { return a < b ? a : b; }
MX_INLINE T TN(op_bitwise_and)(T a, T b) { return (T)(a & b); }
MX_INLINE T TN(op_bitwise_or)(T a, T b) { return (T)(a | b); }
MX_INLINE T TN(op_bitwise_xor)(T a, T b) { return (T)(a ^ b); }

#define BITS ((T)(8 * sizeof(T)))

MX_INLINE T TN(op_left_shift)(T a, T b)
{
    A s = (A)(b & (BITS - 1));
    return (T)(b < 0 || b >= BITS ? 0 : (T)((A)a << s));
}

MX_INLINE T TN(op_right_shift)(T a, T b)
{
    T s = (T)(b < 0 || b >= BITS ? BITS - 1 : b);
    T r = (T)(a >> s);
    return (T)(!IS_SIGNED && (b < 0 || b >= BITS) ? 0 : r);
}

MX_INLINE void TN(map)(T *dst, const T *a, const T *b, size_t n,
    T (*op)(T, T))
{
    for (size_t i = 0; i < n; i++)
        dst[i] = op(a[i], b[i]);
}

#define INT_MAPS(M) \
    M(ADD, add) M(SUBTRACT, subtract) M(MULTIPLY, multiply) \
    M(FLOOR_DIVIDE, floor_divide) M(REMAINDER, remainder) \
    M(POWER, power) M(MAXIMUM, maximum) M(MINIMUM, minimum) \
    M(BITWISE_AND, bitwise_and) M(BITWISE_OR, bitwise_or) \
    M(BITWISE_XOR, bitwise_xor) M(LEFT_SHIFT, left_shift) \
    M(RIGHT_SHIFT, right_shift)
#define DEFINE(ID, sym) \
    static void TN(sym)(void *dst, const void *a, const void *b, size_t n) \
    { TN(map)(dst, a, b, n, TN(op_##sym)); }
INT_MAPS(DEFINE)
#undef DEFINE

static void TN(fill)(struct mx_cpu_kernels *k)
{
#define SET(ID, sym) k->map2[MX_MAP2_##ID][DTYPE] = TN(sym);
    INT_MAPS(SET)
    SET(MULTIPLY_NO_NAN, multiply)
#undef SET
}
#undef INT_MAPS
#undef BITS
#undef IS_SIGNED
