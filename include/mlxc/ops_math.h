/* SPDX-License-Identifier: MIT */
#ifndef MLXC_OPS_MATH_H
#define MLXC_OPS_MATH_H

#include <mlxc/array.h>
#include <mlxc/error.h>
#include <mlxc/export.h>
#include <mlxc/stream.h>

MLXC_BEGIN_DECLS

/*
 * Element-wise operations.  All of them:
 *   - give a new reference in `out`, NULL on failure;
 *   - run on stream `s`; NULL means the default stream;
 *   - bring operands to a common dtype (mlxc_dtype_promote()) and broadcast
 *     them against each other; functions that need a fraction turn integers
 *     and bool into float32 first;
 *   - return MLXC_ERR_ARGUMENT for a NULL operand, MLXC_ERR_DTYPE,
 *     MLXC_ERR_SHAPE if shapes do not broadcast, or MLXC_ERR_NOMEM.
 */

/**
 * Absolute value; the magnitude of a complex number, as float32.
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_abs(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Negation; unsigned integers wrap.  Bool is an error. @since 0.1 */
MLXC_API mlxc_status mlxc_negative(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** -1, 0 or 1; z / |z| for a complex number; NaN stays NaN. @since 0.1 */
MLXC_API mlxc_status mlxc_sign(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** x * x. @since 0.1 */
MLXC_API mlxc_status mlxc_square(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Square root; principal for complex numbers, NaN below zero. @since 0.1 */
MLXC_API mlxc_status mlxc_sqrt(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** 1 / sqrt(x). @since 0.1 */
MLXC_API mlxc_status mlxc_rsqrt(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** 1 / x. @since 0.1 */
MLXC_API mlxc_status mlxc_reciprocal(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** e to the power x. @since 0.1 */
MLXC_API mlxc_status mlxc_exp(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** exp(x) - 1, accurate near 0.  Complex numbers are an error. @since 0.1 */
MLXC_API mlxc_status mlxc_expm1(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Natural logarithm; principal for complex numbers. @since 0.1 */
MLXC_API mlxc_status mlxc_log(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Logarithm to base 2. @since 0.1 */
MLXC_API mlxc_status mlxc_log2(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Logarithm to base 10. @since 0.1 */
MLXC_API mlxc_status mlxc_log10(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** log(1 + x), accurate near 0. @since 0.1 */
MLXC_API mlxc_status mlxc_log1p(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Sine; x in radians. @since 0.1 */
MLXC_API mlxc_status mlxc_sin(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Cosine; x in radians. @since 0.1 */
MLXC_API mlxc_status mlxc_cos(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Tangent; x in radians. @since 0.1 */
MLXC_API mlxc_status mlxc_tan(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Inverse sine, in radians. @since 0.1 */
MLXC_API mlxc_status mlxc_arcsin(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Inverse cosine, in radians. @since 0.1 */
MLXC_API mlxc_status mlxc_arccos(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Inverse tangent, in radians. @since 0.1 */
MLXC_API mlxc_status mlxc_arctan(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Hyperbolic sine. @since 0.1 */
MLXC_API mlxc_status mlxc_sinh(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Hyperbolic cosine. @since 0.1 */
MLXC_API mlxc_status mlxc_cosh(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Hyperbolic tangent. @since 0.1 */
MLXC_API mlxc_status mlxc_tanh(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Inverse hyperbolic sine. @since 0.1 */
MLXC_API mlxc_status mlxc_arcsinh(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Inverse hyperbolic cosine. @since 0.1 */
MLXC_API mlxc_status mlxc_arccosh(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Inverse hyperbolic tangent. @since 0.1 */
MLXC_API mlxc_status mlxc_arctanh(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** 1 / (1 + exp(-x)).  Complex numbers are an error. @since 0.1 */
MLXC_API mlxc_status mlxc_sigmoid(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Error function.  Complex numbers are an error. @since 0.1 */
MLXC_API mlxc_status mlxc_erf(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Inverse error function; infinite at -1 and 1, NaN beyond. @since 0.1 */
MLXC_API mlxc_status mlxc_erfinv(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Largest integer not above x; integers and bool stay. @since 0.1 */
MLXC_API mlxc_status mlxc_floor(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Smallest integer not below x; integers and bool stay. @since 0.1 */
MLXC_API mlxc_status mlxc_ceil(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** x without its fraction; integers and bool stay. @since 0.1 */
MLXC_API mlxc_status mlxc_trunc(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/**
 * Nearest integer, halves to even; each part of a complex number.
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_rint(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Whether x is zero; the result is bool. @since 0.1 */
MLXC_API mlxc_status mlxc_logical_not(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** All bits flipped; logical_not() for bool. @since 0.1 */
MLXC_API mlxc_status mlxc_bitwise_invert(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Complex conjugate; real numbers stay. @since 0.1 */
MLXC_API mlxc_status mlxc_conjugate(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Real part, as float32 for complex numbers; others stay. @since 0.1 */
MLXC_API mlxc_status mlxc_real(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/**
 * Imaginary part, as float32 for complex numbers; zeros for others.
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_imag(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Whether x is NaN, in either part; the result is bool. @since 0.1 */
MLXC_API mlxc_status mlxc_isnan(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Whether x is infinite, in either part; the result is bool. @since 0.1 */
MLXC_API mlxc_status mlxc_isinf(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Whether x is +infinity; the result is bool. @since 0.1 */
MLXC_API mlxc_status mlxc_isposinf(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Whether x is -infinity; the result is bool. @since 0.1 */
MLXC_API mlxc_status mlxc_isneginf(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Whether x is neither infinite nor NaN; the result is bool. @since 0.1 */
MLXC_API mlxc_status mlxc_isfinite(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Radians to degrees. @since 0.1 */
MLXC_API mlxc_status mlxc_degrees(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Degrees to radians. @since 0.1 */
MLXC_API mlxc_status mlxc_radians(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** x itself. @since 0.1 */
MLXC_API mlxc_status mlxc_positive(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** a + b; integers wrap, bool is or. @since 0.1 */
MLXC_API mlxc_status mlxc_add(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** a - b; integers wrap, bool is exclusive or. @since 0.1 */
MLXC_API mlxc_status mlxc_subtract(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** a * b; integers wrap, bool is and. @since 0.1 */
MLXC_API mlxc_status mlxc_multiply(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** a * b, but 0 where b is 0, even if a is infinite or NaN. @since 0.1 */
MLXC_API mlxc_status mlxc_multiply_no_nan(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** a / b in floating point. @since 0.1 */
MLXC_API mlxc_status mlxc_divide(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/**
 * Floor of a / b, for integers too; an integer divided by 0 is 0.
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_floor_divide(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** a - floor_divide(a, b) * b: takes the sign of b. @since 0.1 */
MLXC_API mlxc_status mlxc_remainder(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** a to the power b; a negative integer exponent gives 0. @since 0.1 */
MLXC_API mlxc_status mlxc_power(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/**
 * The larger; NaN if either is.  Complex numbers compare by real part, then
 * imaginary part.
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_maximum(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** The smaller; NaN if either is. @since 0.1 */
MLXC_API mlxc_status mlxc_minimum(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** log(exp(a) + exp(b)) without overflow. @since 0.1 */
MLXC_API mlxc_status mlxc_logaddexp(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** Angle of the point (b, a) in radians, in all quadrants. @since 0.1 */
MLXC_API mlxc_status mlxc_arctan2(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** a == b; the result is bool. @since 0.1 */
MLXC_API mlxc_status mlxc_equal(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** a != b; the result is bool. @since 0.1 */
MLXC_API mlxc_status mlxc_not_equal(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** a > b; the result is bool. @since 0.1 */
MLXC_API mlxc_status mlxc_greater(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** a >= b; the result is bool. @since 0.1 */
MLXC_API mlxc_status mlxc_greater_equal(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** a < b; the result is bool. @since 0.1 */
MLXC_API mlxc_status mlxc_less(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** a <= b; the result is bool. @since 0.1 */
MLXC_API mlxc_status mlxc_less_equal(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** Both are not zero; the result is bool. @since 0.1 */
MLXC_API mlxc_status mlxc_logical_and(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** Either is not zero; the result is bool. @since 0.1 */
MLXC_API mlxc_status mlxc_logical_or(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** Exactly one is not zero; the result is bool. @since 0.1 */
MLXC_API mlxc_status mlxc_logical_xor(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** Bits that both have; integers and bool only. @since 0.1 */
MLXC_API mlxc_status mlxc_bitwise_and(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** Bits that either has; integers and bool only. @since 0.1 */
MLXC_API mlxc_status mlxc_bitwise_or(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** Bits that one of them has; integers and bool only. @since 0.1 */
MLXC_API mlxc_status mlxc_bitwise_xor(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/**
 * a * 2^b in the bits of a; 0 when b is not below their number.
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_left_shift(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** Floor of a / 2^b; arithmetic for signed integers. @since 0.1 */
MLXC_API mlxc_status mlxc_right_shift(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/**
 * Round to `decimals` places, halves to even; negative places round to tens,
 * hundreds and so on.
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_round(mlxc_array **out, mlxc_array *a, int decimals,
    mlxc_stream *s);

/**
 * Floored quotient and remainder: quotient * b + remainder = a.
 *
 * @param quotient_out   a new reference; NULL on failure
 * @param remainder_out  a new reference; NULL on failure
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_divmod(mlxc_array **quotient_out,
    mlxc_array **remainder_out, mlxc_array *a, mlxc_array *b,
    mlxc_stream *s);

/** a == b, where NaN equals NaN; the result is bool. @since 0.1 */
MLXC_API mlxc_status mlxc_equal_nan(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/**
 * x where `condition` is not zero, y elsewhere.  The gradient of the branch
 * that was not taken is zero, whatever its value.
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_where(mlxc_array **out, mlxc_array *condition,
    mlxc_array *x, mlxc_array *y, mlxc_stream *s);

/**
 * The nearest value within [low, high]; NaN stays.  If low > high the result
 * is high.
 *
 * @param low   NULL: no bound
 * @param high  NULL: no bound
 * @return MLXC_ERR_ARGUMENT if both are NULL
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_clip(mlxc_array **out, mlxc_array *a,
    mlxc_array *low, mlxc_array *high, mlxc_stream *s);

/**
 * Finite numbers in place of NaN and the infinities.  Integers and bool stay.
 *
 * @param nan     in place of NaN
 * @param posinf  in place of +infinity; NaN means the largest finite number
 * @param neginf  in place of -infinity; NaN means the smallest one
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_nan_to_num(mlxc_array **out, mlxc_array *a,
    double nan, double posinf, double neginf, mlxc_stream *s);

/**
 * Whether |a - b| <= atol + rtol * |b|, element by element.  Infinities are
 * close to themselves only; NaN is close to NaN if `equal_nan`.
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_isclose(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, double rtol, double atol, bool equal_nan, mlxc_stream *s);

/** Whether all elements are close: see mlxc_isclose(). @since 0.1 */
MLXC_API mlxc_status mlxc_allclose(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, double rtol, double atol, bool equal_nan, mlxc_stream *s);

/** Whether shapes and all elements are equal, as a bool scalar. @since 0.1 */
MLXC_API mlxc_status mlxc_array_equal(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, bool equal_nan, mlxc_stream *s);

/**
 * Convert to another dtype; `a` itself if it has it.  Fractions are cut off;
 * integers wrap; a complex number gives its real part, and true if either
 * part is not zero.
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_astype(mlxc_array **out, mlxc_array *a,
    mlxc_dtype dtype, mlxc_stream *s);

/** The value, of which gradients take no notice. @since 0.1 */
MLXC_API mlxc_status mlxc_stop_gradient(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

MLXC_END_DECLS

#endif /* MLXC_OPS_MATH_H */
