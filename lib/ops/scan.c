/* SPDX-License-Identifier: MIT */
/* Running sums, products and extremes. */
#include <mlxc/expr.h>

#include "core/scope.h"
#include "core/shape.h"
#include "ops/infer.h"

static mlxc_array *scan_in(mlxc_scope *c, struct mx_p_scan p, mlxc_array *a)
{
    return a ? mx_apply_in(c, &mx_op_scan, &p, sizeof p, &a, 1) : NULL;
}

/* Tangents of a running product: out_i = sum_j t_j prod_{k != j} x_k.  As a
   pair (p, d) with (p, d) x (x, t) = (p x, d x + p t) it is no plain scan, so
   it is built as a matrix over (i, j): exact where elements are 0. */
static mlxc_array *product_matrix(mlxc_scope *c, const struct mx_p_scan *p,
    mlxc_array *a)
{
    int64_t n = a->shape[p->axis];
    mlxc_array *x = mlxe_moveaxis(c, a, (int)p->axis, -1);
    int minus_two = -2;
    struct mx_ints l;
    int64_t *shape = x ? mx_ints_init(&l, "cumprod", x->ndim + 1) : NULL;
    if (!shape) {
        if (x)
            mx_scope_fail(c, MLXC_ERR_NOMEM);
        return NULL;
    }
    for (int d = 0; d < x->ndim - 1; d++)
        shape[d] = x->shape[d];
    shape[x->ndim - 1] = shape[x->ndim] = n;
    /* row j: x with element j replaced by 1; its running products */
    mlxc_array *rows = mlxe_broadcast_to(c, mlxe_expand_dims(c, x,
        &minus_two, 1), shape, x->ndim + 1);
    mlxc_array *diagonal = mlxe_eye(c, n, n, 0, MLXC_BOOL);
    rows = mlxe_where(c, diagonal, mlxe_constant(c, 1, a), rows);
    struct mx_p_scan q = *p;
    q.axis = x->ndim;
    rows = scan_in(c, q, rows);
    mx_ints_free(&l);
    /* keep only products that element j belongs to: i >= j, or i <= j */
    bool strict = !p->inclusive;
    return rows ? (p->reverse ? mlxe_tril(c, rows, strict ? -1 : 0)
                              : mlxe_triu(c, rows, strict ? 1 : 0)) : NULL;
}

static const int last = -1, row = -2;

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

/* Shift by one along the axis for an exclusive scan: entry i is that before
   it; the first one is `fill`. */
static mlxc_array *shifted(mlxc_scope *c, const struct mx_p_scan *p,
    mlxc_array *a, double fill)
{
    if (!a || p->inclusive)
        return a;
    struct mx_ints l;
    int n = a->ndim, axis = (int)p->axis;
    int64_t *v = mx_ints_init(&l, "scan", 5 * n);
    if (!v) {
        mx_scope_fail(c, MLXC_ERR_NOMEM);
        return NULL;
    }
    for (int d = 0; d < n; d++) {
        int here = d == axis && a->shape[d] > 0;
        v[d] = here && p->reverse;                    /* source */
        v[n + d] = a->shape[d] - (here && !p->reverse);
        v[2 * n + d] = here && !p->reverse;           /* target */
        v[3 * n + d] = a->shape[d] - (here && p->reverse);
    }
    mlxc_array *base = mlxe_full_like(c, a, mlxe_constant(c, fill, a),
        (mlxc_dtype)a->dtype);
    a = mlxe_slice_update(c, base, mlxe_slice(c, a, v, v + n, NULL, n),
        v + 2 * n, v + 3 * n, NULL, n);
    mx_ints_free(&l);
    return a;
}

static void jvp_scan(struct mx_jvp *j)
{
    const struct mx_p_scan *p = j->params;
    mlxc_scope *c = j->scope;
    mlxc_array *a = j->input[0], *t = j->tangent[0], *m;
    struct mx_p_scan q = *p;
    switch ((enum mx_scan_kind)p->kind) {
    case MX_SCAN_SUM:
        j->tangent_out[0] = scan_in(c, *p, t);
        break;
    case MX_SCAN_PROD:
        m = product_matrix(c, p, a); /* (..., j, i) */
        t = mlxe_expand_dims(c, mlxe_moveaxis(c, t, (int)p->axis, -1),
            &last, 1);
        m = mlxe_sum(c, mlxe_multiply(c, m, t), &row, 1, false);
        j->tangent_out[0] = mlxe_moveaxis(c, m, -1, (int)p->axis);
        break;
    case MX_SCAN_MAX:
    case MX_SCAN_MIN:
        q.inclusive = 1;
        m = owners(c, p, a, scan_in(c, q, a));
        t = mlxe_take_along_axis(c, t, m, (int)p->axis);
        j->tangent_out[0] = shifted(c, p, t, 0);
        break;
    case MX_SCAN_LOGADDEXP:
        /* d out_i = sum_j t_j exp(x_j - out_i): in the log domain with the
           sign carried apart */
        q.inclusive = 1;
        m = scan_in(c, q, a);
        {
            mlxc_array *zero = mlxe_constant(c, 0, a);
            mlxc_array *size = mlxe_log(c, mlxe_abs(c, t));
            mlxc_array *none = mlxe_constant(c, -1.0 / 0.0, a);
            mlxc_array *up = scan_in(c, q, mlxe_add(c, a, mlxe_where(c,
                mlxe_greater(c, t, zero), size, none)));
            mlxc_array *down = scan_in(c, q, mlxe_add(c, a, mlxe_where(c,
                mlxe_less(c, t, zero), size, none)));
            mlxc_array *level = mlxe_where(c, mlxe_isneginf(c, m), zero, m);
            t = mlxe_subtract(c,
                mlxe_exp(c, mlxe_subtract(c, up, level)),
                mlxe_exp(c, mlxe_subtract(c, down, level)));
            j->tangent_out[0] = shifted(c, p, t, 0);
        }
        break;
    case MX_SCAN_COUNT:
        break;
    }
}

static void vjp_scan(struct mx_vjp *v)
{
    const struct mx_p_scan *p = v->params;
    mlxc_scope *c = v->scope;
    mlxc_array *a = v->input[0], *g = v->cotangent[0], *m;
    struct mx_p_scan q = *p, back = { MX_SCAN_SUM, p->axis, !p->reverse,
        p->inclusive };
    switch ((enum mx_scan_kind)p->kind) {
    case MX_SCAN_SUM:
        v->grad[0] = scan_in(c, back, g);
        break;
    case MX_SCAN_PROD:
        m = product_matrix(c, p, a); /* (..., j, i) */
        g = mlxe_expand_dims(c, mlxe_moveaxis(c, g, (int)p->axis, -1),
            &row, 1);
        m = mlxe_sum(c, mlxe_multiply(c, mlxe_conjugate(c, m), g), &last, 1,
            false);
        v->grad[0] = mlxe_moveaxis(c, m, -1, (int)p->axis);
        break;
    case MX_SCAN_MAX:
    case MX_SCAN_MIN:
        q.inclusive = 1;
        m = owners(c, p, a, scan_in(c, q, a));
        q.reverse = !p->reverse; /* undo the shift */
        q.inclusive = p->inclusive;
        g = shifted(c, &q, g, 0);
        v->grad[0] = mlxe_put_add(c, mlxe_zeros_like(c, a), m, g,
            (int)p->axis);
        break;
    case MX_SCAN_LOGADDEXP:
        /* grad_j = exp(x_j) sum_{i >= j} g_i exp(-out_i), signs apart */
        {
            mlxc_array *zero = mlxe_constant(c, 0, a);
            mlxc_array *none = mlxe_constant(c, -1.0 / 0.0, a);
            mlxc_array *o = v->output[0];
            mlxc_array *level = mlxe_where(c, mlxe_isneginf(c, o), zero, o);
            mlxc_array *size = mlxe_subtract(c, mlxe_log(c,
                mlxe_abs(c, g)), level);
            q.reverse = !p->reverse;
            mlxc_array *up = scan_in(c, q, mlxe_where(c,
                mlxe_greater(c, g, zero), size, none));
            mlxc_array *down = scan_in(c, q, mlxe_where(c,
                mlxe_less(c, g, zero), size, none));
            v->grad[0] = mlxe_subtract(c,
                mlxe_exp(c, mlxe_add(c, a, up)),
                mlxe_exp(c, mlxe_add(c, a, down)));
        }
        break;
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
