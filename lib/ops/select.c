/* SPDX-License-Identifier: MIT */
/* where, and what is composed of comparisons and it. */
#include <math.h>

#include <mlxc/expr.h>

#include "core/shape.h"
#include "ops/infer.h"

static mlxc_status infer_select(struct mx_infer *c)
{
    c->spec[0].shape = c->input[0]->shape;
    c->spec[0].ndim = c->input[0]->ndim;
    c->spec[0].dtype = (mlxc_dtype)c->input[1]->dtype;
    return MLXC_OK;
}

/* Selection, not multiplication by a mask: an infinite cotangent must not
   turn into NaN on the side that was not taken. */
static void vjp_select(struct mx_vjp *v)
{
    mlxc_array *zero = mlxe_constant(v->scope, 0, v->cotangent[0]);
    v->grad[1] = mlxe_where(v->scope, v->input[0], v->cotangent[0], zero);
    v->grad[2] = mlxe_where(v->scope, v->input[0], zero, v->cotangent[0]);
}

static void jvp_select(struct mx_jvp *j)
{
    mlxc_array *zero = mlxe_constant(j->scope, 0, j->input[1]);
    mlxc_array *t = j->tangent[1] ? j->tangent[1] : zero;
    mlxc_array *u = j->tangent[2] ? j->tangent[2] : zero;
    j->tangent_out[0] = mlxe_where(j->scope, j->input[0], t, u);
}

const struct mx_op mx_op_select = {
    .name = "where",
    .inputs = 3,
    .outputs = 1,
    .id = MX_OP_SELECT,
    .flags = MX_OP_ELEMENTWISE | MX_OP_SMOOTH,
    .infer = infer_select,
    .vjp = vjp_select,
    .jvp = jvp_select,
    .vmap = mx_vmap_elementwise,
};

mlxc_status mlxc_where(mlxc_array **out, mlxc_array *condition, mlxc_array *x,
    mlxc_array *y, mlxc_stream *s)
{
    mlxc_array *in[3] = { condition, x, y };
    mlxc_array *cast[3] = { 0 }, *ready[3] = { 0 };
    struct mx_ints l;
    MX_TRY(mx_check("where", out, in, 3));
    mlxc_dtype d = mx_dtype_promote((mlxc_dtype)x->dtype,
        (mlxc_dtype)y->dtype);
    int ndim = 0;
    for (int i = 0; i < 3; i++)
        ndim = in[i]->ndim > ndim ? in[i]->ndim : ndim;
    int64_t *shape = mx_ints_init(&l, "where", ndim);
    if (!shape)
        return MLXC_ERR_NOMEM;
    mlxc_status status = mx_broadcast_shape(shape, &ndim, "where", in, 3);
    for (int i = 0; i < 3 && !status; i++) {
        status = mx_cast(&cast[i], in[i], i ? d : MLXC_BOOL, s);
        if (!status)
            status = mx_broadcast(&ready[i], "where", cast[i], shape, ndim,
                s);
    }
    if (!status)
        status = mx_apply(out, &mx_op_select, NULL, 0, ready, 3, s);
    for (int i = 0; i < 3; i++) {
        mlxc_array_unref(cast[i]);
        mlxc_array_unref(ready[i]);
    }
    mx_ints_free(&l);
    return status;
}

static mlxc_status finish(mlxc_array **out, mlxc_scope *c, mlxc_array *a)
{
    mlxc_status status = mlxc_scope_export(out, c, a);
    mlxc_scope_free(c);
    return status;
}

mlxc_status mlxc_clip(mlxc_array **out, mlxc_array *a, mlxc_array *low,
    mlxc_array *high, mlxc_stream *s)
{
    mlxc_scope *c;
    MX_TRY(mx_check("clip", out, &a, 1));
    if (!low && !high)
        return mx_error(MLXC_ERR_ARGUMENT, "clip: both bounds are NULL");
    MX_TRY(mlxc_scope_new(&c, s));
    if (low)
        a = mlxe_maximum(c, a, low);
    if (high)
        a = mlxe_minimum(c, a, high);
    return finish(out, c, a);
}

/* The largest finite number of each floating dtype. */
static double largest(mlxc_dtype d)
{
    return d == MLXC_FLOAT16 ? 65504
        : d == MLXC_BFLOAT16 ? 3.38953138925153547590e38
        : d == MLXC_FLOAT64 ? 1.7976931348623157e308
        : 3.40282346638528859812e38;
}

static mlxc_array *replace(mlxc_scope *c, mlxc_array *a, double nan,
    double posinf, double neginf)
{
    mlxc_array *x = mlxe_where(c, mlxe_isnan(c, a),
        mlxe_constant(c, nan, a), a);
    x = mlxe_where(c, mlxe_isposinf(c, x), mlxe_constant(c, posinf, a), x);
    return mlxe_where(c, mlxe_isneginf(c, x), mlxe_constant(c, neginf, a),
        x);
}

mlxc_status mlxc_nan_to_num(mlxc_array **out, mlxc_array *a, double nan,
    double posinf, double neginf, mlxc_stream *s)
{
    mlxc_scope *c;
    MX_TRY(mx_check("nan_to_num", out, &a, 1));
    mlxc_dtype d = (mlxc_dtype)a->dtype;
    if (!mx_dtype_is(d, MX_KINDS_INEXACT)) {
        *out = mlxc_array_ref(a);
        return MLXC_OK;
    }
    if (isnan(posinf))
        posinf = largest(d);
    if (isnan(neginf))
        neginf = -largest(d);
    MX_TRY(mlxc_scope_new(&c, s));
    if (d == MLXC_COMPLEX64) {
        mlxc_array *i = NULL;
        mlxc_complex64 unit = { 0, 1 };
        mlxc_status status = mlxc_array_from_complex64(&i, unit);
        i = mlxc_scope_take(c, status, i);
        mlxc_array *re = replace(c, mlxe_real(c, a), nan, posinf, neginf);
        mlxc_array *im = replace(c, mlxe_imag(c, a), nan, posinf, neginf);
        return finish(out, c, mlxe_add(c, re, mlxe_multiply(c, i, im)));
    }
    return finish(out, c, replace(c, a, nan, posinf, neginf));
}

static mlxc_array *close_to(mlxc_scope *c, mlxc_array *a, mlxc_array *b,
    double rtol, double atol, bool equal_nan)
{
    /* In the promoted type, so that unsigned differences do not wrap; exact
       equality covers infinities of one sign. */
    mlxc_dtype d = mx_dtype_at_least_float(mx_dtype_promote(
        (mlxc_dtype)a->dtype, (mlxc_dtype)b->dtype));
    a = mlxe_astype(c, a, d);
    b = mlxe_astype(c, b, d);
    mlxc_array *bound = mlxe_abs(c, b);
    bound = mlxe_add(c, mlxe_constant(c, atol, bound),
        mlxe_multiply(c, mlxe_constant(c, rtol, bound), bound));
    mlxc_array *near = mlxe_less_equal(c,
        mlxe_abs(c, mlxe_subtract(c, a, b)), bound);
    near = mlxe_logical_and(c, near, mlxe_logical_and(c,
        mlxe_isfinite(c, a), mlxe_isfinite(c, b)));
    mlxc_array *same = equal_nan ? mlxe_equal_nan(c, a, b)
                                 : mlxe_equal(c, a, b);
    return mlxe_logical_or(c, near, same);
}

mlxc_status mlxc_isclose(mlxc_array **out, mlxc_array *a, mlxc_array *b,
    double rtol, double atol, bool equal_nan, mlxc_stream *s)
{
    mlxc_scope *c;
    mlxc_array *in[2] = { a, b };
    MX_TRY(mx_check("isclose", out, in, 2));
    MX_TRY(mlxc_scope_new(&c, s));
    return finish(out, c, close_to(c, a, b, rtol, atol, equal_nan));
}

mlxc_status mlxc_allclose(mlxc_array **out, mlxc_array *a, mlxc_array *b,
    double rtol, double atol, bool equal_nan, mlxc_stream *s)
{
    mlxc_scope *c;
    mlxc_array *in[2] = { a, b };
    MX_TRY(mx_check("allclose", out, in, 2));
    MX_TRY(mlxc_scope_new(&c, s));
    return finish(out, c, mlxe_all(c, close_to(c, a, b, rtol, atol,
        equal_nan), NULL, 0, false));
}

mlxc_status mlxc_array_equal(mlxc_array **out, mlxc_array *a, mlxc_array *b,
    bool equal_nan, mlxc_stream *s)
{
    mlxc_scope *c;
    mlxc_array *in[2] = { a, b };
    MX_TRY(mx_check("array_equal", out, in, 2));
    if (!mx_shape_equal(a->shape, a->ndim, b->shape, b->ndim))
        return mlxc_array_from_bool(out, false);
    MX_TRY(mlxc_scope_new(&c, s));
    mlxc_array *same = equal_nan ? mlxe_equal_nan(c, a, b)
                                 : mlxe_equal(c, a, b);
    return finish(out, c, mlxe_all(c, same, NULL, 0, false));
}
