/* SPDX-License-Identifier: MIT */
/*
 * The expression layer: formulas as nested calls.  Each function calls the
 * operation of the same name on the scope's stream and hands the result to
 * the scope.  NULL in gives NULL out, so a formula is checked once, with
 * mlxc_scope_status().  Results are borrowed from the scope.
 */
#ifndef MLXC_EXPR_H
#define MLXC_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mlxc/mlxc.h>

/* C++98 has no `inline` in C's sense to warn about: static serves both. */
#if defined(__GNUC__)
#define MLXE_FN static __inline__ __attribute__((unused))
#else
#define MLXE_FN static
#endif

/* Constants. */

MLXE_FN mlxc_array *mlxe_scalar(mlxc_scope *c, double value, mlxc_dtype dtype)
{
    mlxc_array *out = NULL;
    mlxc_status status = mlxc_array_from_double(&out, value, dtype);
    return mlxc_scope_take(c, status, out);
}

/* A scalar of the dtype of `like`. */
MLXE_FN mlxc_array *mlxe_constant(mlxc_scope *c, double value,
    mlxc_array *like)
{
    if (!like)
        return NULL;
    return mlxe_scalar(c, value, mlxc_array_dtype(like));
}

/* Element-wise operations. */

MLXE_FN mlxc_array *mlxe_abs(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_abs(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_negative(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_negative(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_sign(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_sign(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_square(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_square(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_sqrt(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_sqrt(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_rsqrt(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_rsqrt(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_reciprocal(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_reciprocal(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_exp(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_exp(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_expm1(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_expm1(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_log(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_log(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_log2(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_log2(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_log10(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_log10(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_log1p(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_log1p(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_sin(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_sin(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_cos(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_cos(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_tan(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_tan(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_arcsin(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_arcsin(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_arccos(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_arccos(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_arctan(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_arctan(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_sinh(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_sinh(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_cosh(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_cosh(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_tanh(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_tanh(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_arcsinh(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_arcsinh(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_arccosh(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_arccosh(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_arctanh(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_arctanh(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_sigmoid(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_sigmoid(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_erf(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_erf(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_erfinv(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_erfinv(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_floor(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_floor(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_ceil(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_ceil(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_trunc(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_trunc(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_rint(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_rint(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_logical_not(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_logical_not(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_bitwise_invert(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_bitwise_invert(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_conjugate(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_conjugate(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_real(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_real(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_imag(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_imag(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_isnan(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_isnan(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_isinf(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_isinf(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_isposinf(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_isposinf(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_isneginf(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_isneginf(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_isfinite(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_isfinite(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_degrees(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_degrees(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_radians(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_radians(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_positive(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_positive(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_add(mlxc_scope *c, mlxc_array *a, mlxc_array *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_add(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_subtract(mlxc_scope *c, mlxc_array *a, mlxc_array
    *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_subtract(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_multiply(mlxc_scope *c, mlxc_array *a, mlxc_array
    *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_multiply(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_multiply_no_nan(mlxc_scope *c, mlxc_array *a,
    mlxc_array *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status =
        mlxc_multiply_no_nan(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_divide(mlxc_scope *c, mlxc_array *a, mlxc_array *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_divide(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_floor_divide(mlxc_scope *c, mlxc_array *a,
    mlxc_array *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_floor_divide(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_remainder(mlxc_scope *c, mlxc_array *a, mlxc_array
    *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_remainder(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_power(mlxc_scope *c, mlxc_array *a, mlxc_array *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_power(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_maximum(mlxc_scope *c, mlxc_array *a, mlxc_array
    *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_maximum(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_minimum(mlxc_scope *c, mlxc_array *a, mlxc_array
    *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_minimum(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_logaddexp(mlxc_scope *c, mlxc_array *a, mlxc_array
    *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_logaddexp(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_arctan2(mlxc_scope *c, mlxc_array *a, mlxc_array
    *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_arctan2(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_equal(mlxc_scope *c, mlxc_array *a, mlxc_array *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_equal(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_not_equal(mlxc_scope *c, mlxc_array *a, mlxc_array
    *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_not_equal(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_greater(mlxc_scope *c, mlxc_array *a, mlxc_array
    *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_greater(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_greater_equal(mlxc_scope *c, mlxc_array *a,
    mlxc_array *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_greater_equal(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_less(mlxc_scope *c, mlxc_array *a, mlxc_array *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_less(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_less_equal(mlxc_scope *c, mlxc_array *a, mlxc_array
    *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_less_equal(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_logical_and(mlxc_scope *c, mlxc_array *a,
    mlxc_array *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_logical_and(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_logical_or(mlxc_scope *c, mlxc_array *a, mlxc_array
    *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_logical_or(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_logical_xor(mlxc_scope *c, mlxc_array *a,
    mlxc_array *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_logical_xor(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_bitwise_and(mlxc_scope *c, mlxc_array *a,
    mlxc_array *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_bitwise_and(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_bitwise_or(mlxc_scope *c, mlxc_array *a, mlxc_array
    *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_bitwise_or(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_bitwise_xor(mlxc_scope *c, mlxc_array *a,
    mlxc_array *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_bitwise_xor(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_left_shift(mlxc_scope *c, mlxc_array *a, mlxc_array
    *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_left_shift(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_right_shift(mlxc_scope *c, mlxc_array *a,
    mlxc_array *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_right_shift(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_equal_nan(mlxc_scope *c, mlxc_array *a, mlxc_array
    *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_equal_nan(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_round(mlxc_scope *c, mlxc_array *a, int decimals)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_round(&out, a, decimals, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_where(mlxc_scope *c, mlxc_array *condition,
    mlxc_array *x, mlxc_array *y)
{
    mlxc_array *out = NULL;
    if (!condition || !x || !y)
        return NULL;
    mlxc_status status = mlxc_where(&out, condition, x, y,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

/* A bound that is NULL is absent here. */
MLXE_FN mlxc_array *mlxe_clip(mlxc_scope *c, mlxc_array *a, mlxc_array *low,
    mlxc_array *high)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_clip(&out, a, low, high, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_nan_to_num(mlxc_scope *c, mlxc_array *a, double
    nan, double posinf, double neginf)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_nan_to_num(&out, a, nan, posinf, neginf,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_isclose(mlxc_scope *c, mlxc_array *a, mlxc_array
    *b, double rtol, double atol, bool equal_nan)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_isclose(&out, a, b, rtol, atol, equal_nan,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_allclose(mlxc_scope *c, mlxc_array *a, mlxc_array
    *b, double rtol, double atol, bool equal_nan)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_allclose(&out, a, b, rtol, atol,
        equal_nan, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_array_equal(mlxc_scope *c, mlxc_array *a,
    mlxc_array *b, bool equal_nan)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_array_equal(&out, a, b, equal_nan,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_astype(mlxc_scope *c, mlxc_array *a, mlxc_dtype
    dtype)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_astype(&out, a, dtype, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_stop_gradient(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_stop_gradient(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

/* Reductions and scans. */

MLXE_FN mlxc_array *mlxe_sum(mlxc_scope *c, mlxc_array *a, const int *axes,
    int naxes, bool keepdims)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_sum(&out, a, axes, naxes, keepdims,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_prod(mlxc_scope *c, mlxc_array *a, const int *axes,
    int naxes, bool keepdims)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_prod(&out, a, axes, naxes, keepdims,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_max(mlxc_scope *c, mlxc_array *a, const int *axes,
    int naxes, bool keepdims)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_max(&out, a, axes, naxes, keepdims,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_min(mlxc_scope *c, mlxc_array *a, const int *axes,
    int naxes, bool keepdims)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_min(&out, a, axes, naxes, keepdims,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_all(mlxc_scope *c, mlxc_array *a, const int *axes,
    int naxes, bool keepdims)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_all(&out, a, axes, naxes, keepdims,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_any(mlxc_scope *c, mlxc_array *a, const int *axes,
    int naxes, bool keepdims)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_any(&out, a, axes, naxes, keepdims,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_count_nonzero(mlxc_scope *c, mlxc_array *a,
    const int *axes, int naxes, bool keepdims)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_count_nonzero(&out, a, axes, naxes, keepdims,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_mean(mlxc_scope *c, mlxc_array *a, const int *axes,
    int naxes, bool keepdims)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_mean(&out, a, axes, naxes, keepdims,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_var(mlxc_scope *c, mlxc_array *a, const int *axes,
    int naxes, bool keepdims, int ddof)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_var(&out, a, axes, naxes, keepdims, ddof,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_std(mlxc_scope *c, mlxc_array *a, const int *axes,
    int naxes, bool keepdims, int ddof)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_std(&out, a, axes, naxes, keepdims, ddof,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_median(mlxc_scope *c, mlxc_array *a, const int *axes,
    int naxes, bool keepdims)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_median(&out, a, axes, naxes, keepdims,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}


MLXE_FN mlxc_array *mlxe_logsumexp(mlxc_scope *c, mlxc_array *a,
    const int *axes, int naxes, bool keepdims)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_logsumexp(&out, a, axes, naxes, keepdims,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_softmax(mlxc_scope *c, mlxc_array *a, const int *axes,
    int naxes)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_softmax(&out, a, axes, naxes,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_argmax(mlxc_scope *c, mlxc_array *a, int axis,
    bool keepdims)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_argmax(&out, a, axis, keepdims,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_argmin(mlxc_scope *c, mlxc_array *a, int axis,
    bool keepdims)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_argmin(&out, a, axis, keepdims,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_cumsum(mlxc_scope *c, mlxc_array *a, int axis,
    bool reverse, bool inclusive)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_cumsum(&out, a, axis, reverse, inclusive,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_cumprod(mlxc_scope *c, mlxc_array *a, int axis,
    bool reverse, bool inclusive)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_cumprod(&out, a, axis, reverse, inclusive,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_cummax(mlxc_scope *c, mlxc_array *a, int axis,
    bool reverse, bool inclusive)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_cummax(&out, a, axis, reverse, inclusive,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_cummin(mlxc_scope *c, mlxc_array *a, int axis,
    bool reverse, bool inclusive)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_cummin(&out, a, axis, reverse, inclusive,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_diff(mlxc_scope *c, mlxc_array *a, int64_t n,
    int axis)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_diff(&out, a, n, axis, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}


MLXE_FN mlxc_array *mlxe_logcumsumexp(mlxc_scope *c, mlxc_array *a, int axis,
    bool reverse, bool inclusive)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_logcumsumexp(&out, a, axis, reverse, inclusive,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

/* Shapes. */

MLXE_FN mlxc_array *mlxe_reshape(mlxc_scope *c, mlxc_array *a, const int64_t
    *shape, int ndim)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_reshape(&out, a, shape, ndim,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_flatten(mlxc_scope *c, mlxc_array *a, int
    start_axis, int end_axis)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_flatten(&out, a, start_axis, end_axis,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_unflatten(mlxc_scope *c, mlxc_array *a, int axis,
    const int64_t *shape, int ndim)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_unflatten(&out, a, axis, shape, ndim,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_squeeze(mlxc_scope *c, mlxc_array *a, const int
    *axes, int naxes)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_squeeze(&out, a, axes, naxes,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_expand_dims(mlxc_scope *c, mlxc_array *a, const int
    *axes, int naxes)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_expand_dims(&out, a, axes, naxes,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_transpose(mlxc_scope *c, mlxc_array *a, const int
    *axes, int naxes)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_transpose(&out, a, axes, naxes,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_swapaxes(mlxc_scope *c, mlxc_array *a, int axis1,
    int axis2)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_swapaxes(&out, a, axis1, axis2,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_moveaxis(mlxc_scope *c, mlxc_array *a, int source,
    int destination)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_moveaxis(&out, a, source, destination,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_flip(mlxc_scope *c, mlxc_array *a, const int *axes,
    int naxes)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_flip(&out, a, axes, naxes,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_broadcast_to(mlxc_scope *c, mlxc_array *a, const
    int64_t *shape, int ndim)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_broadcast_to(&out, a, shape, ndim,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_atleast_1d(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_atleast_1d(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_atleast_2d(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_atleast_2d(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_atleast_3d(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_atleast_3d(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_view(mlxc_scope *c, mlxc_array *a, mlxc_dtype
    dtype)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_view(&out, a, dtype, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_copy(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_copy(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_contiguous(mlxc_scope *c, mlxc_array *a, bool
    allow_col_major)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_contiguous(&out, a, allow_col_major,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_as_strided(mlxc_scope *c, mlxc_array *a, const
    int64_t *shape, const int64_t *strides, int ndim, int64_t offset)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_as_strided(&out, a, shape, strides, ndim,
        offset, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_slice(mlxc_scope *c, mlxc_array *a, const int64_t
    *start, const int64_t *stop, const int64_t *step, int ndim)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_slice(&out, a, start, stop, step, ndim,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

/* Creation. */

MLXE_FN mlxc_array *mlxe_full(mlxc_scope *c, const int64_t *shape, int ndim,
    mlxc_array *value, mlxc_dtype dtype)
{
    mlxc_array *out = NULL;
    if (!value)
        return NULL;
    mlxc_status status = mlxc_full(&out, shape, ndim, value, dtype,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_zeros(mlxc_scope *c, const int64_t *shape, int
    ndim, mlxc_dtype dtype)
{
    mlxc_array *out = NULL;
    mlxc_status status = mlxc_zeros(&out, shape, ndim, dtype,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_ones(mlxc_scope *c, const int64_t *shape, int ndim,
    mlxc_dtype dtype)
{
    mlxc_array *out = NULL;
    mlxc_status status = mlxc_ones(&out, shape, ndim, dtype,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_full_like(mlxc_scope *c, mlxc_array *a, mlxc_array
    *value, mlxc_dtype dtype)
{
    mlxc_array *out = NULL;
    if (!a || !value)
        return NULL;
    mlxc_status status = mlxc_full_like(&out, a, value, dtype,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_zeros_like(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_zeros_like(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_ones_like(mlxc_scope *c, mlxc_array *a)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_ones_like(&out, a, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_arange(mlxc_scope *c, double start, double stop,
    double step, mlxc_dtype dtype)
{
    mlxc_array *out = NULL;
    mlxc_status status = mlxc_arange(&out, start, stop, step, dtype,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_linspace(mlxc_scope *c, double start, double stop,
    int64_t num, bool endpoint, mlxc_dtype dtype)
{
    mlxc_array *out = NULL;
    mlxc_status status = mlxc_linspace(&out, start, stop, num, endpoint,
        dtype, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_eye(mlxc_scope *c, int64_t n, int64_t m, int64_t k,
    mlxc_dtype dtype)
{
    mlxc_array *out = NULL;
    mlxc_status status = mlxc_eye(&out, n, m, k, dtype, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_identity(mlxc_scope *c, int64_t n, mlxc_dtype dtype)
{
    mlxc_array *out = NULL;
    mlxc_status status = mlxc_identity(&out, n, dtype, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_number_of_elements(mlxc_scope *c, mlxc_array *a,
    const int *axes, int naxes, bool inverted, mlxc_dtype dtype)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_number_of_elements(&out, a, axes, naxes,
        inverted, dtype, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_tri(mlxc_scope *c, int64_t n, int64_t m, int64_t k,
    mlxc_dtype dtype)
{
    mlxc_array *out = NULL;
    mlxc_status status = mlxc_tri(&out, n, m, k, dtype, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_tril(mlxc_scope *c, mlxc_array *a, int64_t k)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_tril(&out, a, k, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_triu(mlxc_scope *c, mlxc_array *a, int64_t k)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_triu(&out, a, k, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_diag(mlxc_scope *c, mlxc_array *a, int64_t k)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_diag(&out, a, k, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_diagonal(mlxc_scope *c, mlxc_array *a, int64_t
    offset, int axis1, int axis2)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_diagonal(&out, a, offset, axis1, axis2,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_bartlett(mlxc_scope *c, int64_t m)
{
    mlxc_array *out = NULL;
    mlxc_status status = mlxc_bartlett(&out, m, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_hanning(mlxc_scope *c, int64_t m)
{
    mlxc_array *out = NULL;
    mlxc_status status = mlxc_hanning(&out, m, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_hamming(mlxc_scope *c, int64_t m)
{
    mlxc_array *out = NULL;
    mlxc_status status = mlxc_hamming(&out, m, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_blackman(mlxc_scope *c, int64_t m)
{
    mlxc_array *out = NULL;
    mlxc_status status = mlxc_blackman(&out, m, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

/* Indexing and joining. */

MLXE_FN mlxc_array *mlxe_slice_update(mlxc_scope *c, mlxc_array *a,
    mlxc_array *update, const int64_t *start, const int64_t *stop, const int64_t
    *step, int ndim)
{
    mlxc_array *out = NULL;
    if (!a || !update)
        return NULL;
    mlxc_status status = mlxc_slice_update(&out, a, update, start,
        stop, step, ndim, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_slice_update_add(mlxc_scope *c, mlxc_array *a,
    mlxc_array *update, const int64_t *start, const int64_t *stop, const int64_t
    *step, int ndim)
{
    mlxc_array *out = NULL;
    if (!a || !update)
        return NULL;
    mlxc_status status = mlxc_slice_update_add(&out, a, update,
        start, stop, step, ndim, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_slice_update_prod(mlxc_scope *c, mlxc_array *a,
    mlxc_array *update, const int64_t *start, const int64_t *stop, const int64_t
    *step, int ndim)
{
    mlxc_array *out = NULL;
    if (!a || !update)
        return NULL;
    mlxc_status status = mlxc_slice_update_prod(&out, a, update,
        start, stop, step, ndim, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_slice_update_max(mlxc_scope *c, mlxc_array *a,
    mlxc_array *update, const int64_t *start, const int64_t *stop, const int64_t
    *step, int ndim)
{
    mlxc_array *out = NULL;
    if (!a || !update)
        return NULL;
    mlxc_status status = mlxc_slice_update_max(&out, a, update,
        start, stop, step, ndim, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_slice_update_min(mlxc_scope *c, mlxc_array *a,
    mlxc_array *update, const int64_t *start, const int64_t *stop, const int64_t
    *step, int ndim)
{
    mlxc_array *out = NULL;
    if (!a || !update)
        return NULL;
    mlxc_status status = mlxc_slice_update_min(&out, a, update,
        start, stop, step, ndim, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_concatenate(mlxc_scope *c, mlxc_array *const *list,
    int n, int axis)
{
    mlxc_array *out = NULL;
    for (int i = 0; i < n; i++) {
        if (!list[i])
            return NULL;
    }
    mlxc_status status = mlxc_concatenate(&out, list, n, axis,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_stack(mlxc_scope *c, mlxc_array *const *list, int
    n, int axis)
{
    mlxc_array *out = NULL;
    for (int i = 0; i < n; i++) {
        if (!list[i])
            return NULL;
    }
    mlxc_status status = mlxc_stack(&out, list, n, axis,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_pad(mlxc_scope *c, mlxc_array *a, const int64_t
    *low, const int64_t *high, int ndim, mlxc_pad_mode mode, mlxc_array *value)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_pad(&out, a, low, high, ndim, mode,
        value, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_take(mlxc_scope *c, mlxc_array *a, mlxc_array
    *indices, int axis)
{
    mlxc_array *out = NULL;
    if (!a || !indices)
        return NULL;
    mlxc_status status = mlxc_take(&out, a, indices, axis,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_take_along_axis(mlxc_scope *c, mlxc_array *a,
    mlxc_array *indices, int axis)
{
    mlxc_array *out = NULL;
    if (!a || !indices)
        return NULL;
    mlxc_status status = mlxc_take_along_axis(&out, a, indices,
        axis, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_put_along_axis(mlxc_scope *c, mlxc_array *a,
    mlxc_array *indices, mlxc_array *values, int axis)
{
    mlxc_array *out = NULL;
    if (!a || !indices || !values)
        return NULL;
    mlxc_status status = mlxc_put_along_axis(&out, a, indices,
        values, axis, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_put_add(mlxc_scope *c, mlxc_array *a, mlxc_array
    *indices, mlxc_array *values, int axis)
{
    mlxc_array *out = NULL;
    if (!a || !indices || !values)
        return NULL;
    mlxc_status status = mlxc_put_add(&out, a, indices, values,
        axis, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

/* Sorting, repeating, run-time positions. */

MLXE_FN mlxc_array *mlxe_sort(mlxc_scope *c, mlxc_array *a, int axis)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_sort(&out, a, axis, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_argsort(mlxc_scope *c, mlxc_array *a, int axis)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_argsort(&out, a, axis, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_partition(mlxc_scope *c, mlxc_array *a, int64_t kth,
    int axis)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_partition(&out, a, kth, axis,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_argpartition(mlxc_scope *c, mlxc_array *a, int64_t
    kth, int axis)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_argpartition(&out, a, kth, axis,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_topk(mlxc_scope *c, mlxc_array *a, int64_t k, int
    axis)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_topk(&out, a, k, axis, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_searchsorted(mlxc_scope *c, mlxc_array *sequence,
    mlxc_array *values, bool right)
{
    mlxc_array *out = NULL;
    if (!sequence || !values)
        return NULL;
    mlxc_status status = mlxc_searchsorted(&out, sequence, values, right,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_repeat(mlxc_scope *c, mlxc_array *a, int64_t repeats,
    int axis)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_repeat(&out, a, repeats, axis,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_tile(mlxc_scope *c, mlxc_array *a, const int64_t
    *reps, int nreps)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_tile(&out, a, reps, nreps,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_roll(mlxc_scope *c, mlxc_array *a, const int64_t
    *shifts, const int *axes, int n)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_roll(&out, a, shifts, axes, n,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_dynamic_slice(mlxc_scope *c, mlxc_array *a, mlxc_array
    *start, const int *axes, int naxes, const int64_t *sizes, int nsizes)
{
    mlxc_array *out = NULL;
    if (!a || !start)
        return NULL;
    mlxc_status status = mlxc_dynamic_slice(&out, a, start, axes, naxes,
        sizes, nsizes, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_dynamic_update(mlxc_scope *c, mlxc_array *a,
    mlxc_array *update, mlxc_array *start, const int *axes, int naxes)
{
    mlxc_array *out = NULL;
    if (!a || !update || !start)
        return NULL;
    mlxc_status status = mlxc_dynamic_update(&out, a, update, start, axes,
        naxes, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_masked_scatter(mlxc_scope *c, mlxc_array *a,
    mlxc_array *mask, mlxc_array *value)
{
    mlxc_array *out = NULL;
    if (!a || !mask || !value)
        return NULL;
    mlxc_status status = mlxc_masked_scatter(&out, a, mask, value,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

/* Products. */

MLXE_FN mlxc_array *mlxe_matmul(mlxc_scope *c, mlxc_array *a, mlxc_array *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_matmul(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_outer(mlxc_scope *c, mlxc_array *a, mlxc_array *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_outer(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_inner(mlxc_scope *c, mlxc_array *a, mlxc_array *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_inner(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_addmm(mlxc_scope *c, mlxc_array *add, mlxc_array
    *a, mlxc_array *b, double alpha, double beta)
{
    mlxc_array *out = NULL;
    if (!add || !a || !b)
        return NULL;
    mlxc_status status = mlxc_addmm(&out, add, a, b, alpha, beta,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_vecdot(mlxc_scope *c, mlxc_array *a, mlxc_array
    *b, int axis)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_vecdot(&out, a, b, axis, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_tensordot(mlxc_scope *c, mlxc_array *a, mlxc_array
    *b, const int *axes_a, const int *axes_b, int naxes)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_tensordot(&out, a, b, axes_a, axes_b, naxes,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_kron(mlxc_scope *c, mlxc_array *a, mlxc_array *b)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_kron(&out, a, b, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_trace(mlxc_scope *c, mlxc_array *a, int64_t offset,
    int axis1, int axis2)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = mlxc_trace(&out, a, offset, axis1, axis2,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

/* Without indices, lhs or rhs is NULL. */
MLXE_FN mlxc_array *mlxe_gather_mm(mlxc_scope *c, mlxc_array *a,
    mlxc_array *b, mlxc_array *lhs, mlxc_array *rhs, bool sorted)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_gather_mm(&out, a, b, lhs, rhs, sorted,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_segmented_mm(mlxc_scope *c, mlxc_array *a,
    mlxc_array *b, mlxc_array *segments)
{
    mlxc_array *out = NULL;
    if (!a || !b || !segments)
        return NULL;
    mlxc_status status = mlxc_segmented_mm(&out, a, b, segments,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

/* A mask that is not there is NULL. */
MLXE_FN mlxc_array *mlxe_block_masked_mm(mlxc_scope *c, mlxc_array *a,
    mlxc_array *b, int block_size, mlxc_array *mask_out,
    mlxc_array *mask_lhs, mlxc_array *mask_rhs)
{
    mlxc_array *out = NULL;
    if (!a || !b)
        return NULL;
    mlxc_status status = mlxc_block_masked_mm(&out, a, b, block_size,
        mask_out, mask_lhs, mask_rhs, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_einsum(mlxc_scope *c, const char *subscripts,
    mlxc_array *const *list, int n)
{
    mlxc_array *out = NULL;
    for (int i = 0; i < n; i++)
        if (!list[i])
            return NULL;
    mlxc_status status = mlxc_einsum(&out, subscripts, list, n,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

/* Random numbers; a NULL key is the next of the thread's sequence, and in a
   scope that has failed the key that could not be made: nothing is drawn. */

MLXE_FN mlxc_array *mlxe_random_uniform(mlxc_scope *c, mlxc_array *low,
    mlxc_array *high, const int64_t *shape, int ndim, mlxc_dtype dtype,
    mlxc_array *key)
{
    mlxc_array *out = NULL;
    if (!low || !high || mlxc_scope_status(c))
        return NULL;
    mlxc_status status = mlxc_random_uniform(&out, low, high, shape,
        ndim, dtype, key, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_random_normal(mlxc_scope *c, const int64_t *shape,
    int ndim, mlxc_dtype dtype, mlxc_array *key)
{
    mlxc_array *out = NULL;
    if (mlxc_scope_status(c))
        return NULL;
    mlxc_status status = mlxc_random_normal(&out, NULL, NULL, shape,
        ndim, dtype, key, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_random_split(mlxc_scope *c, mlxc_array *key, int num)
{
    mlxc_array *out = NULL;
    if (mlxc_scope_status(c))
        return NULL;
    mlxc_status status = mlxc_random_split(&out, key, num,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_random_bits(mlxc_scope *c, const int64_t *shape, int
    ndim, int width, mlxc_array *key)
{
    mlxc_array *out = NULL;
    if (mlxc_scope_status(c))
        return NULL;
    mlxc_status status = mlxc_random_bits(&out, shape, ndim, width, key,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_random_truncated_normal(mlxc_scope *c, mlxc_array
    *low, mlxc_array *high, const int64_t *shape, int ndim, mlxc_dtype dtype,
    mlxc_array *key)
{
    mlxc_array *out = NULL;
    if (!low || !high || mlxc_scope_status(c))
        return NULL;
    mlxc_status status = mlxc_random_truncated_normal(&out, low, high,
        shape, ndim, dtype, key, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_random_bernoulli(mlxc_scope *c, mlxc_array *p, const
    int64_t *shape, int ndim, mlxc_array *key)
{
    mlxc_array *out = NULL;
    if (!p || mlxc_scope_status(c))
        return NULL;
    mlxc_status status = mlxc_random_bernoulli(&out, p, shape, ndim, key,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_random_randint(mlxc_scope *c, mlxc_array *low,
    mlxc_array *high, const int64_t *shape, int ndim, mlxc_dtype dtype,
    mlxc_array *key)
{
    mlxc_array *out = NULL;
    if (!low || !high || mlxc_scope_status(c))
        return NULL;
    mlxc_status status = mlxc_random_randint(&out, low, high, shape, ndim,
        dtype, key, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_random_gumbel(mlxc_scope *c, const int64_t *shape,
    int ndim, mlxc_dtype dtype, mlxc_array *key)
{
    mlxc_array *out = NULL;
    if (mlxc_scope_status(c))
        return NULL;
    mlxc_status status = mlxc_random_gumbel(&out, shape, ndim, dtype, key,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_random_categorical(mlxc_scope *c, mlxc_array *logits,
    int axis, int num, mlxc_array *key)
{
    mlxc_array *out = NULL;
    if (!logits || mlxc_scope_status(c))
        return NULL;
    mlxc_status status = mlxc_random_categorical(&out, logits, axis, num,
        key, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_random_categorical_shaped(mlxc_scope *c,
    mlxc_array *logits, int axis, const int64_t *shape, int ndim,
    mlxc_array *key)
{
    mlxc_array *out = NULL;
    if (!logits || mlxc_scope_status(c))
        return NULL;
    mlxc_status status = mlxc_random_categorical_shaped(&out, logits, axis,
        shape, ndim, key, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_random_permutation(mlxc_scope *c, int64_t n,
    mlxc_array *key)
{
    mlxc_array *out = NULL;
    if (mlxc_scope_status(c))
        return NULL;
    mlxc_status status = mlxc_random_permutation(&out, n, key,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

MLXE_FN mlxc_array *mlxe_random_shuffle(mlxc_scope *c, mlxc_array *a, int
    axis, mlxc_array *key)
{
    mlxc_array *out = NULL;
    if (!a || mlxc_scope_status(c))
        return NULL;
    mlxc_status status = mlxc_random_shuffle(&out, a, axis, key,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

#endif /* MLXC_EXPR_H */
