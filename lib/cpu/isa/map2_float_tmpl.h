/* SPDX-License-Identifier: MIT */
/* Binary kernels of a float type that computes in itself. */

MX_INLINE A TN(op_add)(A a, A b) { return a + b; }
MX_INLINE A TN(op_subtract)(A a, A b) { return a - b; }
MX_INLINE A TN(op_multiply)(A a, A b) { return a * b; }
MX_INLINE A TN(op_multiply_no_nan)(A a, A b) { return b == 0 ? b : a * b; }
MX_INLINE A TN(op_divide)(A a, A b) { return a / b; }
/* fmod is exact; the result takes the sign of the divisor */
MX_INLINE A TN(op_remainder)(A a, A b)
{
    A r = (A)TN(mod)(a, b);
    A moved = (r < 0) != (b < 0) ? r + b : r;
    return r != 0 ? moved : (A)TN(sign_of)(r, b);
}
MX_INLINE A TN(op_floor_divide)(A a, A b)
{
    A r = TN(op_remainder)(a, b), q = (a - r) / b;
    /* (a - r) / b is an integer but for rounding */
    A n = TN(nearest)(q);
    n = n == 0 ? a / b * 0 : n; /* the sign of the quotient */
    return b == 0 ? a / b : a - a != 0 ? a - a : b - b != 0
        ? (b != b ? b : (A)(a == 0 || (a < 0) == (b < 0) ? 0 : -1)) : n;
}
MX_INLINE A TN(op_power)(A a, A b) { return FN(pow)(a, b); }
/* the second of equals; NaN wins */
MX_INLINE A TN(op_maximum)(A a, A b)
{
    return a != a ? a : a > b ? a : b;
}
MX_INLINE A TN(op_minimum)(A a, A b)
{
    return a != a ? a : a < b ? a : b;
}
MX_INLINE A TN(op_logaddexp)(A a, A b) { return FN(logaddexp)(a, b); }
MX_INLINE A TN(op_arctan2)(A a, A b) { return FN(atan2)(a, b); }

MX_INLINE void TN(map)(T *dst, const T *a, const T *b, size_t n,
    A (*op)(A, A))
{
    for (size_t i = 0; i < n; i++)
        dst[i] = op(a[i], b[i]);
}

#define MAP2(ID, sym) \
    static void TN(sym)(void *dst, const void *a, const void *b, size_t n) \
    { TN(map)(dst, a, b, n, TN(op_##sym)); }
MAP2(ADD, add)
MAP2(SUBTRACT, subtract)
MAP2(MULTIPLY, multiply)
MAP2(MULTIPLY_NO_NAN, multiply_no_nan)
MAP2(DIVIDE, divide)
MAP2(FLOOR_DIVIDE, floor_divide)
MAP2(REMAINDER, remainder)
MAP2(POWER, power)
MAP2(MAXIMUM, maximum)
MAP2(MINIMUM, minimum)
MAP2(LOGADDEXP, logaddexp)
MAP2(ARCTAN2, arctan2)
#undef MAP2
