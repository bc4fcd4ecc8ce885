/* SPDX-License-Identifier: MIT */
/* Running sums, products and extremes. */
#include <math.h>

#include <mlxc/expr.h>

#include "core/scope.h"
#include "core/shape.h"
#include "ops/infer.h"
#include "ops/recurrence.h"

static mlxc_array *scan_in(mlxc_scope *c, struct mx_p_scan p, mlxc_array *a)
{
    return a ? mx_apply_in(c, &mx_op_scan, &p, sizeof p, &a, 1) : NULL;
}

/* Position whose element each running extreme is; the latest of equals. */
static mlxc_array *owners(mlxc_scope *c, const struct mx_p_scan *p,
    mlxc_array *a, mlxc_array *inclusive)
{
    int64_t n = a->shape[p->axis];
    mlxc_array *index = mlxe_arange(c, 0, (double)n, 1, MLXC_INT64);
    struct mx_ints l;
    int64_t *shape = mx_ints_init(&l, "cummax", a->ndim);
    if (!shape) {
        mx_scope_fail(c, MLXC_ERR_NOMEM);
        return NULL;
    }
    for (int d = 0; d < a->ndim; d++)
        shape[d] = d == p->axis ? n : 1;
    index = mlxe_reshape(c, index, shape, a->ndim);
    mx_ints_free(&l);
    mlxc_array *here = mlxe_equal_nan(c, a, inclusive);
    mlxc_array *none = mlxe_scalar(c, p->reverse ? (double)n : -1.0,
        MLXC_INT64);
    mlxc_array *at = mlxe_where(c, here, index, none);
    struct mx_p_scan q = { p->reverse ? MX_SCAN_MIN : MX_SCAN_MAX, p->axis,
        p->reverse, 1 };
    return scan_in(c, q, at);
}

/* out is log(sum of exp(x)) so far: how much of it is the sum before (ratio)
   and how much is x itself (weight); both are 0 where there is nothing. */
static void shares(mlxc_scope *c, const struct mx_p_scan *p, mlxc_array *a,
    mlxc_array **ratio, mlxc_array **weight)
{
    struct mx_p_scan q = *p;
    q.inclusive = 1;
    mlxc_array *o = scan_in(c, q, a);
    mlxc_array *before = mx_shift(c, (int)p->axis, (int)p->reverse, o,
        -(double)INFINITY);
    mlxc_array *level = mlxe_where(c, mlxe_isneginf(c, o),
        mlxe_constant(c, 0, a), o);
    *ratio = mlxe_exp(c, mlxe_subtract(c, before, level));
    *weight = mlxe_exp(c, mlxe_subtract(c, a, level));
}

static void jvp_scan(struct mx_jvp *j)
{
    const struct mx_p_scan *p = j->params;
    mlxc_scope *c = j->scope;
    mlxc_array *a = j->input[0], *t = j->tangent[0], *m, *n;
    int axis = (int)p->axis, reverse = (int)p->reverse;
    struct mx_p_scan q = *p;
    switch ((enum mx_scan_kind)p->kind) {
    case MX_SCAN_SUM:
        j->tangent_out[0] = scan_in(c, *p, t);
        return;
    case MX_SCAN_PROD:
        /* out_i = out_(i-1) x_i */
        q.inclusive = 0;
        t = mx_recurrence(c, axis, reverse, a, mlxe_multiply(c, t,
            scan_in(c, q, a)));
        break;
    case MX_SCAN_MAX:
    case MX_SCAN_MIN:
        q.inclusive = 1;
        m = owners(c, p, a, scan_in(c, q, a));
        t = mlxe_take_along_axis(c, t, m, axis);
        break;
    case MX_SCAN_LOGADDEXP:
        shares(c, p, a, &m, &n);
        t = mx_recurrence(c, axis, reverse, m, mlxe_multiply(c, t, n));
        break;
    case MX_SCAN_COUNT:
        return;
    }
    j->tangent_out[0] = p->inclusive ? t : mx_shift(c, axis, reverse, t, 0);
}

static void vjp_scan(struct mx_vjp *v)
{
    const struct mx_p_scan *p = v->params;
    mlxc_scope *c = v->scope;
    mlxc_array *a = v->input[0], *g = v->cotangent[0], *m, *n;
    int axis = (int)p->axis, reverse = (int)p->reverse;
    struct mx_p_scan q = *p;
    if (p->kind == MX_SCAN_SUM) {
        q.reverse = !reverse;
        v->grad[0] = scan_in(c, q, g);
        return;
    }
    /* of the inclusive result, whichever was asked for */
    if (!p->inclusive)
        g = mx_shift(c, axis, !reverse, g, 0);
    switch ((enum mx_scan_kind)p->kind) {
    case MX_SCAN_PROD:
        q.inclusive = 0;
        m = mx_shift(c, axis, !reverse, mlxe_conjugate(c, a), 0);
        m = mx_recurrence(c, axis, !reverse, m, g);
        v->grad[0] = mlxe_multiply(c, m, mlxe_conjugate(c, scan_in(c, q, a)));
        break;
    case MX_SCAN_MAX:
    case MX_SCAN_MIN:
        q.inclusive = 1;
        m = owners(c, p, a, scan_in(c, q, a));
        v->grad[0] = mlxe_put_add(c, mlxe_zeros_like(c, a), m, g, axis);
        break;
    case MX_SCAN_LOGADDEXP:
        shares(c, p, a, &m, &n);
        m = mx_shift(c, axis, !reverse, m, 0);
        m = mx_recurrence(c, axis, !reverse, m, g);
        v->grad[0] = mlxe_multiply(c, m, n);
        break;
    case MX_SCAN_SUM:
    case MX_SCAN_COUNT:
        break;
    }
}

static void vmap_scan(struct mx_vmap *m)
{
    struct mx_p_scan p = *(const struct mx_p_scan *)m->params;
    mlxc_array *in;
    mx_vmap_front(m, &in);
    p.axis++;
    m->output[0] = mx_vmap_again(m, &p, sizeof p, &in);
    m->axis_out[0] = 0;
}

const struct mx_op mx_op_scan = {
    .name = "scan",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_SCAN,
    .infer = mx_infer_same,
    .vjp = vjp_scan,
    .jvp = jvp_scan,
    .vmap = vmap_scan,
};

static mlxc_status scan(mlxc_array **out, const char *op,
    enum mx_scan_kind kind, mlxc_array *a, int axis, bool reverse,
    bool inclusive, mlxc_stream *s)
{
    int at;
    mlxc_array *x;
    MX_TRY(mx_check(op, out, &a, 1));
    MX_TRY(mx_axis(&at, op, axis, a->ndim));
    mlxc_dtype d = (mlxc_dtype)a->dtype;
    if (kind == MX_SCAN_SUM && d == MLXC_BOOL)
        d = MLXC_INT32;
    if (kind == MX_SCAN_LOGADDEXP) {
        d = mx_dtype_at_least_float(d);
        MX_TRY(mx_check_kinds(op, a, MX_KINDS_BUIF));
    }
    MX_TRY(mx_cast(&x, a, d, s));
    struct mx_p_scan p = { kind, at, reverse, inclusive };
    mlxc_status status = mx_apply1(out, &mx_op_scan, &p, sizeof p, x, s);
    mlxc_array_unref(x);
    return status;
}

#define SCAN(name, kind) \
    mlxc_status mlxc_##name(mlxc_array **out, mlxc_array *a, int axis, \
        bool reverse, bool inclusive, mlxc_stream *s) \
    { return scan(out, #name, kind, a, axis, reverse, inclusive, s); }
SCAN(cumsum, MX_SCAN_SUM)
SCAN(cumprod, MX_SCAN_PROD)
SCAN(cummax, MX_SCAN_MAX)
SCAN(cummin, MX_SCAN_MIN)
SCAN(logcumsumexp, MX_SCAN_LOGADDEXP)

/* a[1:] - a[:-1] along the axis */
static mlxc_array *neighbours(mlxc_scope *c, mlxc_array *a, int axis)
{
    struct mx_ints l;
    int64_t *v = mx_ints_init(&l, "diff", 3 * a->ndim);
    if (!v) {
        mx_scope_fail(c, MLXC_ERR_NOMEM);
        return NULL;
    }
    int64_t *after = v + a->ndim, *stop = after + a->ndim;
    for (int d = 0; d < a->ndim; d++) {
        v[d] = 0;
        after[d] = d == axis && a->shape[d] > 0;
        stop[d] = a->shape[d];
    }
    mlxc_array *right = mlxe_slice(c, a, after, stop, NULL, a->ndim);
    stop[axis] -= after[axis];
    mlxc_array *left = mlxe_slice(c, a, v, stop, NULL, a->ndim);
    mx_ints_free(&l);
    return mlxe_subtract(c, right, left);
}

mlxc_status mlxc_diff(mlxc_array **out, mlxc_array *a, int64_t n, int axis,
    mlxc_stream *s)
{
    int at;
    mlxc_scope *c;
    MX_TRY(mx_check("diff", out, &a, 1));
    MX_TRY(mx_axis(&at, "diff", axis, a->ndim));
    if (n < 0)
        return mx_error(MLXC_ERR_ARGUMENT, "diff: %lld times", (long long)n);
    MX_TRY(mlxc_scope_new(&c, s));
    /* once nothing is left, nothing changes */
    for (mlxc_array *x = a; n > 0 && x && x->shape[at] > 0; n--)
        a = x = neighbours(c, x, at);
    mlxc_status status = mlxc_scope_export(out, c, a);
    mlxc_scope_free(c);
    return status;
}
