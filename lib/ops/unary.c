/* SPDX-License-Identifier: MIT */
/* Element-wise functions of one array.  The list is elementwise.def; here are
   the derivatives, by name, and what the public functions do beyond it. */
#include <float.h>
#include <math.h>

#include <mlxc/expr.h>

#include "ops/infer.h"

/* g * f'(x) for real f; for complex holomorphic f the factor is conjugated.
   A cotangent of 0 stays 0 where the derivative is infinite or NaN: a branch
   that where() did not take must not spoil the gradient. */
static void scale(struct mx_vjp *v, mlxc_array *derivative)
{
    v->grad[0] = mlxe_multiply_no_nan(v->scope, derivative
        ? mlxe_conjugate(v->scope, derivative) : NULL, v->cotangent[0]);
}

static mlxc_array *constant(struct mx_vjp *v, double value)
{
    return mlxe_constant(v->scope, value, v->input[0]);
}

/* The same for all rules: x is the input, o the output, c the scope. */
#define RULE(name) static void vjp_##name(struct mx_vjp *v)
#define X (v->input[0])
#define O (v->output[0])
#define C (v->scope)

RULE(abs)
{
    v->grad[0] = mlxe_multiply(C, mlxe_astype(C, v->cotangent[0],
        (mlxc_dtype)X->dtype), mlxe_sign(C, X));
}

RULE(negative)
{
    v->grad[0] = mlxe_negative(C, v->cotangent[0]);
}

RULE(square)
{
    scale(v, mlxe_multiply(C, constant(v, 2), X));
}

RULE(sqrt)
{
    scale(v, mlxe_divide(C, constant(v, 0.5), O));
}

RULE(rsqrt)
{
    scale(v, mlxe_multiply(C, constant(v, -0.5), mlxe_divide(C, O, X)));
}

RULE(reciprocal)
{
    scale(v, mlxe_negative(C, mlxe_square(C, O)));
}

RULE(exp)
{
    scale(v, O);
}

RULE(expm1)
{
    scale(v, mlxe_add(C, O, constant(v, 1)));
}

RULE(log)
{
    scale(v, mlxe_reciprocal(C, X));
}

RULE(log2)
{
    scale(v, mlxe_divide(C, constant(v, 1.4426950408889634), X));
}

RULE(log10)
{
    scale(v, mlxe_divide(C, constant(v, 0.43429448190325182), X));
}

RULE(log1p)
{
    scale(v, mlxe_reciprocal(C, mlxe_add(C, constant(v, 1), X)));
}

RULE(sin)
{
    scale(v, mlxe_cos(C, X));
}

RULE(cos)
{
    scale(v, mlxe_negative(C, mlxe_sin(C, X)));
}

RULE(tan)
{
    scale(v, mlxe_add(C, constant(v, 1), mlxe_square(C, O)));
}

RULE(arcsin)
{
    scale(v, mlxe_rsqrt(C, mlxe_subtract(C, constant(v, 1),
        mlxe_square(C, X))));
}

RULE(arccos)
{
    scale(v, mlxe_negative(C, mlxe_rsqrt(C, mlxe_subtract(C, constant(v, 1),
        mlxe_square(C, X)))));
}

RULE(arctan)
{
    scale(v, mlxe_reciprocal(C, mlxe_add(C, constant(v, 1),
        mlxe_square(C, X))));
}

RULE(sinh)
{
    scale(v, mlxe_cosh(C, X));
}

RULE(cosh)
{
    scale(v, mlxe_sinh(C, X));
}

RULE(tanh)
{
    scale(v, mlxe_subtract(C, constant(v, 1), mlxe_square(C, O)));
}

RULE(arcsinh)
{
    scale(v, mlxe_rsqrt(C, mlxe_add(C, mlxe_square(C, X), constant(v, 1))));
}

/* sqrt(x - 1) sqrt(x + 1), not sqrt(x^2 - 1): the branch of arccosh */
RULE(arccosh)
{
    scale(v, mlxe_multiply(C,
        mlxe_rsqrt(C, mlxe_subtract(C, X, constant(v, 1))),
        mlxe_rsqrt(C, mlxe_add(C, X, constant(v, 1)))));
}

RULE(arctanh)
{
    scale(v, mlxe_reciprocal(C, mlxe_subtract(C, constant(v, 1),
        mlxe_square(C, X))));
}

RULE(sigmoid)
{
    scale(v, mlxe_multiply(C, O, mlxe_subtract(C, constant(v, 1), O)));
}

/* 2 / sqrt(pi) */
RULE(erf)
{
    scale(v, mlxe_multiply(C, constant(v, 1.1283791670955126),
        mlxe_exp(C, mlxe_negative(C, mlxe_square(C, X)))));
}

/* sqrt(pi) / 2 */
RULE(erfinv)
{
    scale(v, mlxe_multiply(C, constant(v, 0.88622692545275801),
        mlxe_exp(C, mlxe_square(C, O))));
}

RULE(conjugate)
{
    v->grad[0] = mlxe_conjugate(C, v->cotangent[0]);
}

RULE(real)
{
    v->grad[0] = mlxe_astype(C, v->cotangent[0], MLXC_COMPLEX64);
}

RULE(imag)
{
    mlxc_array *i = NULL;
    mlxc_complex64 unit = { 0, 1 };
    mlxc_status status = mlxc_array_from_complex64(&i, unit);
    i = mlxc_scope_take(C, status, i);
    v->grad[0] = mlxe_multiply(C, i, v->cotangent[0]);
}

/* What is not holomorphic has a rule of its own for tangents. */

static void jvp_abs(struct mx_jvp *j)
{
    mlxc_array *t = mlxe_multiply(j->scope, j->tangent[0],
        mlxe_conjugate(j->scope, mlxe_sign(j->scope, j->input[0])));
    j->tangent_out[0] = mlxe_real(j->scope, t);
}

static void jvp_conjugate(struct mx_jvp *j)
{
    j->tangent_out[0] = mlxe_conjugate(j->scope, j->tangent[0]);
}

static void jvp_real(struct mx_jvp *j)
{
    j->tangent_out[0] = mlxe_real(j->scope, j->tangent[0]);
}

static void jvp_imag(struct mx_jvp *j)
{
    j->tangent_out[0] = mlxe_imag(j->scope, j->tangent[0]);
}

/* z / |z| turns with z: d sign = (t - s Re(conj(s) t)) / |z|, zero at 0 and
   for real numbers. */
static mlxc_array *sign_rule(mlxc_scope *c, mlxc_array *x, mlxc_array *o,
    mlxc_array *t)
{
    if (!t || x->dtype != MLXC_COMPLEX64)
        return NULL;
    mlxc_array *along = mlxe_real(c, mlxe_multiply(c, mlxe_conjugate(c, o),
        t));
    mlxc_array *across = mlxe_subtract(c, t, mlxe_multiply(c, o, along));
    mlxc_array *length = mlxe_abs(c, x);
    mlxc_array *zero = mlxe_scalar(c, 0, MLXC_FLOAT32);
    mlxc_array *one = mlxe_scalar(c, 1, MLXC_FLOAT32);
    mlxc_array *at_zero = mlxe_equal(c, length, zero);
    return mlxe_where(c, at_zero, zero, mlxe_divide(c, across,
        mlxe_where(c, at_zero, one, length)));
}

RULE(sign)
{
    v->grad[0] = sign_rule(C, X, O, v->cotangent[0]);
}

static void jvp_sign(struct mx_jvp *j)
{
    j->tangent_out[0] = sign_rule(j->scope, j->input[0], j->output[0],
        j->tangent[0]);
}

#undef RULE
#undef X
#undef O
#undef C

/* Per op: vjp, jvp, flags beyond element-wise, and why there is no rule. */
#define SMOOTH(sym) vjp_##sym, mx_jvp_from_vjp, MX_OP_SMOOTH, NULL
#define STEP NULL, NULL, 0, "the derivative is zero wherever it exists"
#define LOGIC NULL, NULL, 0, "the result is no continuous number"

#define RULES_ABS vjp_abs, jvp_abs, 0, NULL
#define RULES_NEGATIVE SMOOTH(negative)
#define RULES_SIGN vjp_sign, jvp_sign, 0, NULL
#define RULES_SQUARE SMOOTH(square)
#define RULES_SQRT SMOOTH(sqrt)
#define RULES_RSQRT SMOOTH(rsqrt)
#define RULES_RECIPROCAL SMOOTH(reciprocal)
#define RULES_EXP SMOOTH(exp)
#define RULES_EXPM1 SMOOTH(expm1)
#define RULES_LOG SMOOTH(log)
#define RULES_LOG2 SMOOTH(log2)
#define RULES_LOG10 SMOOTH(log10)
#define RULES_LOG1P SMOOTH(log1p)
#define RULES_SIN SMOOTH(sin)
#define RULES_COS SMOOTH(cos)
#define RULES_TAN SMOOTH(tan)
#define RULES_ARCSIN SMOOTH(arcsin)
#define RULES_ARCCOS SMOOTH(arccos)
#define RULES_ARCTAN SMOOTH(arctan)
#define RULES_SINH SMOOTH(sinh)
#define RULES_COSH SMOOTH(cosh)
#define RULES_TANH SMOOTH(tanh)
#define RULES_ARCSINH SMOOTH(arcsinh)
#define RULES_ARCCOSH SMOOTH(arccosh)
#define RULES_ARCTANH SMOOTH(arctanh)
#define RULES_SIGMOID SMOOTH(sigmoid)
#define RULES_ERF SMOOTH(erf)
#define RULES_ERFINV SMOOTH(erfinv)
#define RULES_FLOOR STEP
#define RULES_CEIL STEP
#define RULES_TRUNC STEP
#define RULES_RINT STEP
#define RULES_LOGICAL_NOT LOGIC
#define RULES_BITWISE_INVERT LOGIC
#define RULES_CONJUGATE vjp_conjugate, jvp_conjugate, MX_OP_SMOOTH, NULL
#define RULES_REAL vjp_real, jvp_real, MX_OP_SMOOTH, NULL
#define RULES_IMAG vjp_imag, jvp_imag, MX_OP_SMOOTH, NULL
#define RULES_ISNAN LOGIC
#define RULES_ISINF LOGIC
#define RULES_ISPOSINF LOGIC
#define RULES_ISNEGINF LOGIC
#define RULES_ISFINITE LOGIC

#define VJP(vjp, jvp, flags, why) vjp
#define JVP(vjp, jvp, flags, why) jvp
#define FLAGS(vjp, jvp, flags, why) (flags)
#define WHY(vjp, jvp, flags, why) why
#define EXPAND(what, ...) what(__VA_ARGS__)

#define INFER_SAME mx_infer_same
#define INFER_BOOL mx_infer_bool
#define INFER_REAL mx_infer_real

#define MAP1(ID, sym, rule, out, kinds) \
    const struct mx_op mx_op_##sym = { .name = #sym, .inputs = 1, \
        .outputs = 1, .id = MX_OP_##ID, .infer = INFER_##out, \
        .flags = MX_OP_ELEMENTWISE | EXPAND(FLAGS, RULES_##ID), \
        .vjp = EXPAND(VJP, RULES_##ID), .jvp = EXPAND(JVP, RULES_##ID), \
        .exempt = EXPAND(WHY, RULES_##ID), .vmap = mx_vmap_elementwise };
#include "core/elementwise.def"

enum rule { RULE_SAME, RULE_FLOAT, RULE_BOOL, RULE_INTEGER };

/* Cast by the rule of the list, then apply. */
static mlxc_status apply(mlxc_array **out, const struct mx_op *op,
    enum rule rule, unsigned kinds, mlxc_array *a, mlxc_stream *s)
{
    MX_TRY(mx_check(op->name, out, &a, 1));
    mlxc_dtype d = (mlxc_dtype)a->dtype;
    if (rule == RULE_FLOAT)
        d = mx_dtype_at_least_float(d);
    else if (rule == RULE_BOOL)
        d = MLXC_BOOL;
    if (!mx_dtype_is(d, kinds))
        return mx_error(MLXC_ERR_DTYPE, "%s: %s is not accepted", op->name,
            mx_dtypes[a->dtype].name);
    if (d == a->dtype)
        return mx_apply1(out, op, NULL, 0, a, s);
    mlxc_array *cast;
    MX_TRY(mx_cast(&cast, a, d, s));
    mlxc_status status = mx_apply1(out, op, NULL, 0, cast, s);
    mlxc_array_unref(cast);
    return status;
}

/* The plain public function of a list entry. */
#define MAP1(ID, sym, rule, out_rule, kinds) \
    static mlxc_status plain_##sym(mlxc_array **out, mlxc_array *a, \
        mlxc_stream *s) \
    { return apply(out, &mx_op_##sym, RULE_##rule, MX_KINDS_##kinds, a, s); }
#include "core/elementwise.def"

#define PUBLIC(sym) \
    mlxc_status mlxc_##sym(mlxc_array **out, mlxc_array *a, mlxc_stream *s) \
    { return plain_##sym(out, a, s); }

/* Those that return real or whole numbers as they are. */
static mlxc_status unless(unsigned kinds, mlxc_array **out, const char *op,
    mlxc_array *a, mlxc_stream *s,
    mlxc_status (*f)(mlxc_array **, mlxc_array *, mlxc_stream *))
{
    MX_TRY(mx_check(op, out, &a, 1));
    if (!mx_dtype_is((mlxc_dtype)a->dtype, kinds))
        return f(out, a, s);
    *out = mlxc_array_ref(a);
    return MLXC_OK;
}

#define UNLESS(kinds, sym) \
    mlxc_status mlxc_##sym(mlxc_array **out, mlxc_array *a, mlxc_stream *s) \
    { return unless(kinds, out, #sym, a, s, plain_##sym); }

/* A constant bool for dtypes that have neither NaN nor infinity. */
static mlxc_status or_constant(bool value, mlxc_array **out, const char *op,
    mlxc_array *a, mlxc_stream *s,
    mlxc_status (*f)(mlxc_array **, mlxc_array *, mlxc_stream *))
{
    MX_TRY(mx_check(op, out, &a, 1));
    if (mx_dtype_is((mlxc_dtype)a->dtype, MX_KINDS_INEXACT))
        return f(out, a, s);
    return (value ? mlxc_ones : mlxc_zeros)(out, a->shape, a->ndim,
        MLXC_BOOL, s);
}

#define OR_CONSTANT(value, sym) \
    mlxc_status mlxc_##sym(mlxc_array **out, mlxc_array *a, mlxc_stream *s) \
    { return or_constant(value, out, #sym, a, s, plain_##sym); }

PUBLIC(abs)
PUBLIC(negative)
PUBLIC(sign)
PUBLIC(square)
PUBLIC(sqrt)
PUBLIC(rsqrt)
PUBLIC(reciprocal)
PUBLIC(exp)
PUBLIC(expm1)
PUBLIC(log)
PUBLIC(log2)
PUBLIC(log10)
PUBLIC(log1p)
PUBLIC(sin)
PUBLIC(cos)
PUBLIC(tan)
PUBLIC(arcsin)
PUBLIC(arccos)
PUBLIC(arctan)
PUBLIC(sinh)
PUBLIC(cosh)
PUBLIC(tanh)
PUBLIC(arcsinh)
PUBLIC(arccosh)
PUBLIC(arctanh)
PUBLIC(sigmoid)
PUBLIC(erf)
PUBLIC(erfinv)
UNLESS(MX_KINDS_BUI, floor)
UNLESS(MX_KINDS_BUI, ceil)
UNLESS(MX_KINDS_BUI, trunc)
UNLESS(MX_KINDS_BUI, rint)
PUBLIC(logical_not)
UNLESS(MX_KINDS_BUIF, conjugate)
UNLESS(MX_KINDS_BUIF, real)
OR_CONSTANT(false, isnan)
OR_CONSTANT(false, isinf)
OR_CONSTANT(false, isposinf)
OR_CONSTANT(false, isneginf)
OR_CONSTANT(true, isfinite)

mlxc_status mlxc_bitwise_invert(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s)
{
    MX_TRY(mx_check("bitwise_invert", out, &a, 1));
    return a->dtype == MLXC_BOOL ? mlxc_logical_not(out, a, s)
                                 : plain_bitwise_invert(out, a, s);
}

mlxc_status mlxc_imag(mlxc_array **out, mlxc_array *a, mlxc_stream *s)
{
    MX_TRY(mx_check("imag", out, &a, 1));
    return a->dtype == MLXC_COMPLEX64 ? plain_imag(out, a, s)
                                      : mlxc_zeros_like(out, a, s);
}

mlxc_status mlxc_positive(mlxc_array **out, mlxc_array *a, mlxc_stream *s)
{
    (void)s;
    MX_TRY(mx_check("positive", out, &a, 1));
    *out = mlxc_array_ref(a);
    return MLXC_OK;
}

/* The common end of functions composed in a scope. */
static mlxc_status finish(mlxc_array **out, mlxc_scope *c, mlxc_array *a)
{
    mlxc_status status = mlxc_scope_export(out, c, a);
    mlxc_scope_free(c);
    return status;
}

static mlxc_status times(mlxc_array **out, const char *op, mlxc_array *a,
    double factor, mlxc_stream *s)
{
    mlxc_scope *c;
    MX_TRY(mx_check(op, out, &a, 1));
    MX_TRY(mlxc_scope_new(&c, s));
    mlxc_dtype d = mx_dtype_at_least_float((mlxc_dtype)a->dtype);
    return finish(out, c, mlxe_multiply(c, a, mlxe_scalar(c, factor, d)));
}

mlxc_status mlxc_degrees(mlxc_array **out, mlxc_array *a, mlxc_stream *s)
{
    return times(out, "degrees", a, 57.295779513082323, s);
}

mlxc_status mlxc_radians(mlxc_array **out, mlxc_array *a, mlxc_stream *s)
{
    return times(out, "radians", a, 0.017453292519943295, s);
}

mlxc_status mlxc_round(mlxc_array **out, mlxc_array *a, int decimals,
    mlxc_stream *s)
{
    mlxc_scope *c;
    MX_TRY(mx_check("round", out, &a, 1));
    if (decimals == 0)
        return mlxc_rint(out, a, s);
    if (decimals > 0 && mx_dtype_is((mlxc_dtype)a->dtype, MX_KINDS_BUI)) {
        *out = mlxc_array_ref(a);
        return MLXC_OK;
    }
    MX_TRY(mlxc_scope_new(&c, s));
    /* Whole numbers are rounded in double, since float32 would lose digits,
       and 16-bit floats in float32, since powers of 10 overflow them. */
    mlxc_dtype d = mx_dtype_is((mlxc_dtype)a->dtype, MX_KINDS_BUI)
        ? MLXC_FLOAT64 : mx_dtypes[a->dtype].size == 2 ? MLXC_FLOAT32
        : (mlxc_dtype)a->dtype;
    double power = pow(10, fabs((double)decimals));
    mlxc_array *x = mlxe_astype(c, a, d);
    mlxc_array *scale = mlxe_scalar(c, power, d), *rounded;
    if (decimals > 0) {
        /* what is too large to be scaled has no decimals */
        mlxc_array *scaled = mlxe_multiply(c, x, scale);
        rounded = mlxe_where(c, mlxe_isfinite(c, scaled),
            mlxe_divide(c, mlxe_rint(c, scaled), scale), x);
    } else {
        rounded = power > (d == MLXC_FLOAT64 ? DBL_MAX : FLT_MAX)
            ? mlxe_zeros_like(c, x)
            : mlxe_multiply(c, mlxe_rint(c, mlxe_divide(c, x, scale)), scale);
    }
    x = mlxe_where(c, mlxe_isfinite(c, x), rounded, x);
    return finish(out, c, mlxe_astype(c, x, (mlxc_dtype)a->dtype));
}
