/* SPDX-License-Identifier: MIT */
/* Element-wise functions of two arrays: promote, broadcast, apply. */
#include <mlxc/expr.h>

#include "core/shape.h"
#include "ops/infer.h"

#define RULE(name) static void vjp_##name(struct mx_vjp *v)
#define A (v->input[0])
#define B (v->input[1])
#define O (v->output[0])
#define G (v->cotangent[0])
#define C (v->scope)

/* A cotangent of 0 stays 0, even where the derivative is infinite or NaN: a
   branch that where() did not take must not spoil the gradient. */
static mlxc_array *conjugated_product(struct mx_vjp *v, mlxc_array *factor)
{
    return mlxe_multiply_no_nan(C, mlxe_conjugate(C, factor), G);
}

/* g where the condition holds, else 0: selection, so that an infinite or NaN
   cotangent does not leak to the other side. */
static mlxc_array *masked(struct mx_vjp *v, mlxc_array *condition)
{
    return mlxe_where(C, condition, G, mlxe_constant(C, 0, G));
}

RULE(add)
{
    v->grad[0] = v->grad[1] = G;
}

RULE(subtract)
{
    v->grad[0] = G;
    v->grad[1] = mlxe_negative(C, G);
}

RULE(multiply)
{
    v->grad[0] = mlxe_multiply(C, mlxe_conjugate(C, B), G);
    v->grad[1] = mlxe_multiply(C, mlxe_conjugate(C, A), G);
}

RULE(multiply_no_nan)
{
    v->grad[0] = mlxe_multiply_no_nan(C, G, mlxe_conjugate(C, B));
    v->grad[1] = mlxe_multiply_no_nan(C, mlxe_conjugate(C, A), G);
}

RULE(divide)
{
    mlxc_array *g = mlxe_divide(C, G, mlxe_conjugate(C, B));
    v->grad[0] = g;
    if (v->wanted[1])
        v->grad[1] = mlxe_negative(C, mlxe_multiply(C, g,
            mlxe_conjugate(C, O)));
}

RULE(remainder)
{
    v->grad[0] = G;
    if (v->wanted[1])
        v->grad[1] = mlxe_negative(C, mlxe_multiply(C, G,
            mlxe_floor_divide(C, A, B)));
}

/* b a^(b-1) and a^b log a, the latter 0 where a^b is 0 for a positive b */
RULE(power)
{
    if (v->wanted[0]) {
        mlxc_array *less = mlxe_subtract(C, B, mlxe_constant(C, 1, B));
        v->grad[0] = conjugated_product(v, mlxe_multiply(C, B,
            mlxe_power(C, A, less)));
    }
    if (v->wanted[1]) {
        mlxc_array *zero = mlxe_constant(C, 0, A);
        mlxc_array *flat = mlxe_logical_and(C, mlxe_equal(C, A, zero),
            mlxe_greater(C, B, zero));
        mlxc_array *log = mlxe_log(C, mlxe_where(C, flat,
            mlxe_constant(C, 1, A), A));
        v->grad[1] = conjugated_product(v, mlxe_multiply(C, O, log));
    }
}

/* Ties go to the second operand. */
RULE(maximum)
{
    mlxc_array *first = mlxe_greater(C, A, B);
    v->grad[0] = masked(v, first);
    v->grad[1] = masked(v, mlxe_logical_not(C, first));
}

RULE(minimum)
{
    mlxc_array *first = mlxe_less(C, A, B);
    v->grad[0] = masked(v, first);
    v->grad[1] = masked(v, mlxe_logical_not(C, first));
}

/* exp(a - out) is the share of a; infinities of one sign share evenly */
static mlxc_array *share(struct mx_vjp *v, mlxc_array *x)
{
    mlxc_array *zero = mlxe_constant(C, 0, x);
    mlxc_array *gap = mlxe_subtract(C, x, O);
    return mlxe_exp(C, mlxe_where(C, mlxe_isnan(C, gap), zero, gap));
}

RULE(logaddexp)
{
    v->grad[0] = conjugated_product(v, share(v, A));
    v->grad[1] = conjugated_product(v, share(v, B));
}

RULE(arctan2)
{
    mlxc_array *g = mlxe_divide(C, G, mlxe_add(C, mlxe_square(C, A),
        mlxe_square(C, B)));
    v->grad[0] = mlxe_multiply(C, B, g);
    v->grad[1] = mlxe_negative(C, mlxe_multiply(C, A, g));
}

#undef RULE
#undef A
#undef B
#undef O
#undef G
#undef C

/* J t is the sum of both partial products; each from the vjp of a conjugated
   tangent, as in mx_jvp_from_vjp(). */
static void jvp_binary(struct mx_jvp *j)
{
    mlxc_array *sum = NULL;
    for (int i = 0; i < 2; i++) {
        if (!j->tangent[i])
            continue;
        mlxc_array *grad[2] = { NULL, NULL };
        unsigned char wanted[2] = { i == 0, i == 1 };
        mlxc_array *g = mlxe_conjugate(j->scope, j->tangent[i]);
        struct mx_vjp v = { .scope = j->scope, .op = j->op,
            .params = j->params, .nparams = j->nparams, .ninputs = 2,
            .noutputs = 1, .input = j->input, .output = j->output,
            .cotangent = &g, .wanted = wanted, .grad = grad };
        if (!g)
            return;
        j->op->vjp(&v);
        if (!grad[i])
            return;
        mlxc_array *part = mlxe_conjugate(j->scope, grad[i]);
        sum = sum ? mlxe_add(j->scope, sum, part) : part;
    }
    j->tangent_out[0] = sum;
}

#define SMOOTH(sym) vjp_##sym, MX_OP_SMOOTH, NULL
#define KINKED(sym) vjp_##sym, 0, NULL
#define STEP NULL, 0, "the derivative is zero wherever it exists"
#define LOGIC NULL, 0, "the result is no continuous number"

#define RULES_ADD vjp_add, MX_OP_SMOOTH | MX_OP_COMMUTES, NULL
#define RULES_SUBTRACT SMOOTH(subtract)
#define RULES_MULTIPLY vjp_multiply, MX_OP_SMOOTH | MX_OP_COMMUTES, NULL
#define RULES_MULTIPLY_NO_NAN SMOOTH(multiply_no_nan)
#define RULES_DIVIDE SMOOTH(divide)
#define RULES_FLOOR_DIVIDE STEP
#define RULES_REMAINDER KINKED(remainder)
#define RULES_POWER SMOOTH(power)
#define RULES_MAXIMUM KINKED(maximum)
#define RULES_MINIMUM KINKED(minimum)
#define RULES_LOGADDEXP SMOOTH(logaddexp)
#define RULES_ARCTAN2 SMOOTH(arctan2)
#define RULES_EQUAL LOGIC
#define RULES_NOT_EQUAL LOGIC
#define RULES_GREATER LOGIC
#define RULES_GREATER_EQUAL LOGIC
#define RULES_LESS LOGIC
#define RULES_LESS_EQUAL LOGIC
#define RULES_EQUAL_NAN LOGIC
#define RULES_LOGICAL_AND LOGIC
#define RULES_LOGICAL_OR LOGIC
#define RULES_LOGICAL_XOR LOGIC
#define RULES_BITWISE_AND LOGIC
#define RULES_BITWISE_OR LOGIC
#define RULES_BITWISE_XOR LOGIC
#define RULES_LEFT_SHIFT LOGIC
#define RULES_RIGHT_SHIFT LOGIC

#define VJP(vjp, flags, why) vjp
#define FLAGS(vjp, flags, why) (flags)
#define WHY(vjp, flags, why) why
#define EXPAND(what, ...) what(__VA_ARGS__)
#define INFER_SAME mx_infer_same
#define INFER_BOOL mx_infer_bool

#define MAP2(ID, sym, rule, out, kinds) \
    const struct mx_op mx_op_##sym = { .name = #sym, .inputs = 2, \
        .outputs = 1, .id = MX_OP_##ID, .infer = INFER_##out, \
        .flags = MX_OP_ELEMENTWISE | EXPAND(FLAGS, RULES_##ID), \
        .vjp = EXPAND(VJP, RULES_##ID), .jvp = JVP_##out, \
        .exempt = EXPAND(WHY, RULES_##ID), .vmap = mx_vmap_elementwise };
#define JVP_SAME jvp_maybe
#define JVP_BOOL NULL

static void jvp_maybe(struct mx_jvp *j)
{
    if (j->op->vjp)
        jvp_binary(j);
}

#include "core/elementwise.def"

enum rule { RULE_PROMOTE, RULE_FLOAT, RULE_BOOL, RULE_INTEGER };

/* Bring both to `d` and a common shape, then apply. */
static mlxc_status prepare_and_apply(mlxc_array **out,
    const struct mx_op *op, mlxc_dtype d, mlxc_array *const in[2],
    mlxc_stream *s)
{
    mlxc_array *cast[2] = { NULL, NULL }, *ready[2] = { NULL, NULL };
    struct mx_ints l;
    int ndim = in[0]->ndim > in[1]->ndim ? in[0]->ndim : in[1]->ndim;
    int64_t *shape = mx_ints_init(&l, op->name, ndim);
    if (!shape)
        return MLXC_ERR_NOMEM;
    mlxc_status status = mx_broadcast_shape(shape, &ndim, op->name, in, 2);
    for (int i = 0; i < 2 && !status; i++) {
        status = mx_cast(&cast[i], in[i], d, s);
        if (!status)
            status = mx_broadcast(&ready[i], op->name, cast[i], shape, ndim,
                s);
    }
    if (!status)
        status = mx_apply(out, op, NULL, 0, ready, 2, s);
    for (int i = 0; i < 2; i++) {
        mlxc_array_unref(cast[i]);
        mlxc_array_unref(ready[i]);
    }
    mx_ints_free(&l);
    return status;
}

static mlxc_status apply(mlxc_array **out, const struct mx_op *op,
    enum rule rule, unsigned kinds, mlxc_array *a, mlxc_array *b,
    mlxc_stream *s)
{
    mlxc_array *in[2] = { a, b };
    MX_TRY(mx_check(op->name, out, in, 2));
    mlxc_dtype d = mx_dtype_promote((mlxc_dtype)a->dtype,
        (mlxc_dtype)b->dtype);
    if (rule == RULE_FLOAT)
        d = mx_dtype_at_least_float(d);
    else if (rule == RULE_BOOL)
        d = MLXC_BOOL;
    if (!mx_dtype_is(d, kinds))
        return mx_error(MLXC_ERR_DTYPE, "%s: %s and %s are not accepted",
            op->name, mx_dtypes[a->dtype].name, mx_dtypes[b->dtype].name);
    if (a->dtype == d && b->dtype == d &&
        mx_shape_equal(a->shape, a->ndim, b->shape, b->ndim))
        return mx_apply(out, op, NULL, 0, in, 2, s);
    return prepare_and_apply(out, op, d, in, s);
}

#define MAP2(ID, sym, rule, out_rule, kinds) \
    mlxc_status mlxc_##sym(mlxc_array **out, mlxc_array *a, mlxc_array *b, \
        mlxc_stream *s) \
    { return apply(out, &mx_op_##sym, RULE_##rule, MX_KINDS_##kinds, a, b, \
        s); }
#include "core/elementwise.def"

mlxc_status mlxc_divmod(mlxc_array **quotient_out,
    mlxc_array **remainder_out, mlxc_array *a, mlxc_array *b, mlxc_stream *s)
{
    mlxc_array *in[2] = { a, b };
    MX_TRY(mx_check("divmod", quotient_out, in, 2));
    MX_TRY(mx_check("divmod", remainder_out, in, 2));
    MX_TRY(mlxc_floor_divide(quotient_out, a, b, s));
    mlxc_status status = mlxc_remainder(remainder_out, a, b, s);
    if (status) {
        mlxc_array_unref(*quotient_out);
        *quotient_out = NULL;
    }
    return status;
}
