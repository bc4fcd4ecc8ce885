/* SPDX-License-Identifier: MIT */
/* Writing by index: scatter, put_along_axis.  Modes are those of enum
   mx_update, which mlxc_scatter_mode repeats in public. */
#include <string.h>

#include <mlxc/expr.h>

#include "core/arrays.h"
#include "core/scope.h"
#include "core/shape.h"
#include "ops/index.h"
#include "util/alloc.h"

/* ---- scatter: inputs the array, index arrays, updates ---- */

/* Gather at the same places, with the window of the updates. */
static mlxc_array *look(mlxc_scope *c, const struct mx_p_scatter *p,
    mlxc_array *const *input, int n, mlxc_array *a)
{
    struct mx_block b;
    mlxc_array *updates = input[n - 1], *out = NULL;
    if (!a)
        return NULL;
    struct mx_p_gather *q =
        mx_block_init(&b, "scatter", sizeof *q, p->n + a->ndim);
    mlxc_array **in = mx_alloc_array((size_t)n, sizeof *in);
    if (q && in) {
        q->naxes = p->n;
        q->n = p->n + a->ndim;
        memcpy(q->v, p->v, (size_t)p->n * sizeof *q->v);
        memcpy(q->v + p->n, updates->shape + updates->ndim - a->ndim,
            (size_t)a->ndim * sizeof *q->v);
        in[0] = a;
        for (int i = 1; i < n - 1; i++)
            in[i] = input[i];
        out = mx_apply_in(c, &mx_op_gather, q, b.size, in, n - 1);
    } else {
        mx_scope_fail(c, mx_error_nomem("scatter"));
    }
    mx_free(in);
    if (q)
        mx_block_free(&b);
    return out;
}

/* Scatter `updates` into `a` at the same places in another mode. */
static mlxc_array *again(mlxc_scope *c, const struct mx_p_scatter *p,
    enum mx_update mode, mlxc_array *const *input, int n, mlxc_array *a,
    mlxc_array *updates)
{
    struct mx_block b;
    mlxc_array *out = NULL;
    if (!a || !updates)
        return NULL;
    struct mx_p_scatter *q = mx_block_init(&b, "scatter", sizeof *q, p->n);
    mlxc_array **in = mx_alloc_array((size_t)n, sizeof *in);
    if (q && in) {
        memcpy(q, p, b.size);
        q->mode = mode;
        in[0] = a;
        for (int i = 1; i < n - 1; i++)
            in[i] = input[i];
        in[n - 1] = updates;
        out = mx_apply_in(c, &mx_op_scatter, q, b.size, in, n);
    } else {
        mx_scope_fail(c, mx_error_nomem("scatter"));
    }
    mx_free(in);
    if (q)
        mx_block_free(&b);
    return out;
}

/* Which update stays at its place, for duplicates: each update writes its
   number, and those that read their own number back have won. */
static mlxc_array *winners(mlxc_scope *c, const struct mx_p_scatter *p,
    mlxc_array *const *input, int n)
{
    mlxc_array *u = input[n - 1], *a = input[0];
    mlxc_array *number = mlxe_reshape(c, mlxe_arange(c, 0, (double)u->size,
        1, MLXC_INT64), u->shape, u->ndim);
    mlxc_array *board = mlxe_zeros(c, a->shape, a->ndim, MLXC_INT64);
    board = again(c, p, MX_UPDATE_SET, input, n, board, number);
    return mlxe_equal(c, look(c, p, input, n, board), number);
}

/* Products without one factor need all others; done in the log-free way by
   dividing, except at zeros, which are counted. */
static mlxc_array *other_factors(mlxc_scope *c, mlxc_array *own,
    mlxc_array *zeros, mlxc_array *product)
{
    mlxc_array *zero = mlxe_constant(c, 0, own);
    mlxc_array *one = mlxe_constant(c, 1, own);
    mlxc_array *is_zero = mlxe_equal(c, own, zero);
    /* product: of the factors that are not 0; zeros: how many are 0 */
    mlxc_array *rest = mlxe_divide(c, product, mlxe_where(c, is_zero, one,
        own));
    mlxc_array *left = mlxe_subtract(c, zeros,
        mlxe_astype(c, is_zero, (mlxc_dtype)own->dtype));
    return mlxe_where(c, mlxe_equal(c, left, zero), rest, zero);
}

struct factors {
    mlxc_array *zeros, *product; /* of all factors, by place */
};

static struct factors count_factors(mlxc_scope *c,
    const struct mx_p_scatter *p, mlxc_array *const *input, int n)
{
    struct factors f;
    mlxc_array *a = input[0], *u = input[n - 1];
    mlxc_dtype d = (mlxc_dtype)a->dtype;
    mlxc_array *zero = mlxe_constant(c, 0, a), *one = mlxe_constant(c, 1, a);
    mlxc_array *za = mlxe_equal(c, a, zero), *zu = mlxe_equal(c, u, zero);
    f.zeros = again(c, p, MX_UPDATE_ADD, input, n, mlxe_astype(c, za, d),
        mlxe_astype(c, zu, d));
    f.product = again(c, p, MX_UPDATE_PROD, input, n,
        mlxe_where(c, za, one, a), mlxe_where(c, zu, one, u));
    return f;
}

static void vjp_scatter(struct mx_vjp *v)
{
    const struct mx_p_scatter *p = v->params;
    mlxc_scope *c = v->scope;
    int n = v->ninputs;
    mlxc_array *const *in = v->input;
    mlxc_array *g = v->cotangent[0], *u = in[n - 1], *a = in[0];
    mlxc_array *gu = look(c, p, in, n, g), *zero = mlxe_constant(c, 0, g);
    mlxc_array *mask, *number, *share;
    struct factors f;
    switch ((enum mx_update)p->mode) {
    case MX_UPDATE_SET:
        v->grad[0] = again(c, p, MX_UPDATE_SET, in, n, g,
            mlxe_zeros_like(c, u));
        v->grad[n - 1] = mlxe_where(c, winners(c, p, in, n), gu, zero);
        break;
    case MX_UPDATE_ADD:
        v->grad[0] = g;
        v->grad[n - 1] = gu;
        break;
    case MX_UPDATE_PROD:
        f = count_factors(c, p, in, n);
        v->grad[0] = mlxe_multiply(c, g, mlxe_conjugate(c,
            other_factors(c, a, f.zeros, f.product)));
        v->grad[n - 1] = mlxe_multiply(c, gu, mlxe_conjugate(c,
            other_factors(c, u, look(c, p, in, n, f.zeros),
                look(c, p, in, n, f.product))));
        break;
    case MX_UPDATE_MAX:
    case MX_UPDATE_MIN:
        /* all that equal the result share evenly */
        mask = mlxe_equal(c, u, look(c, p, in, n, v->output[0]));
        number = mlxe_astype(c, mlxe_equal(c, a, v->output[0]),
            (mlxc_dtype)g->dtype);
        share = again(c, p, MX_UPDATE_ADD, in, n, number,
            mlxe_astype(c, mask, (mlxc_dtype)g->dtype));
        g = mlxe_divide(c, g, mlxe_maximum(c, share,
            mlxe_constant(c, 1, g)));
        v->grad[0] = mlxe_multiply(c, g, number);
        v->grad[n - 1] = mlxe_where(c, mask, look(c, p, in, n, g), zero);
        break;
    case MX_UPDATE_COUNT:
        break;
    }
}

static void jvp_scatter(struct mx_jvp *j)
{
    const struct mx_p_scatter *p = j->params;
    mlxc_scope *c = j->scope;
    int n = j->ninputs;
    mlxc_array *const *in = j->input;
    mlxc_array *u = in[n - 1], *a = in[0];
    mlxc_array *ta = j->tangent[0] ? j->tangent[0] : mlxe_zeros_like(c, a);
    mlxc_array *tu = j->tangent[n - 1] ? j->tangent[n - 1]
                                       : mlxe_zeros_like(c, u);
    mlxc_array *mask, *number, *share, *zero = mlxe_constant(c, 0, a);
    struct factors f;
    switch ((enum mx_update)p->mode) {
    case MX_UPDATE_SET:
    case MX_UPDATE_ADD:
        j->tangent_out[0] = again(c, p, (enum mx_update)p->mode, in, n, ta,
            tu);
        break;
    case MX_UPDATE_PROD:
        f = count_factors(c, p, in, n);
        ta = mlxe_multiply(c, ta, other_factors(c, a, f.zeros,
            f.product));
        tu = mlxe_multiply(c, tu, other_factors(c, u,
            look(c, p, in, n, f.zeros), look(c, p, in, n, f.product)));
        j->tangent_out[0] = again(c, p, MX_UPDATE_ADD, in, n, ta, tu);
        break;
    case MX_UPDATE_MAX:
    case MX_UPDATE_MIN:
        mask = mlxe_equal(c, u, look(c, p, in, n, j->output[0]));
        number = mlxe_astype(c, mlxe_equal(c, a, j->output[0]),
            (mlxc_dtype)a->dtype);
        share = again(c, p, MX_UPDATE_ADD, in, n, number,
            mlxe_astype(c, mask, (mlxc_dtype)a->dtype));
        ta = again(c, p, MX_UPDATE_ADD, in, n,
            mlxe_multiply(c, ta, number), mlxe_where(c, mask, tu, zero));
        j->tangent_out[0] = mlxe_divide(c, ta, mlxe_maximum(c, share,
            mlxe_constant(c, 1, share)));
        break;
    case MX_UPDATE_COUNT:
        break;
    }
}

static void vmap_scatter(struct mx_vmap *m)
{
    const struct mx_p_scatter *p = m->params;
    struct mx_block b;
    int n = m->ninputs;
    struct mx_p_scatter *q =
        mx_block_init(&b, "scatter", sizeof *q, p->n + 1);
    mlxc_array **in = mx_alloc_array((size_t)n + 1, sizeof *in);
    if (!q || !in) {
        mx_scope_fail(m->scope, mx_error_nomem("scatter"));
    } else {
        q->mode = p->mode;
        q->n = p->n + 1;
        for (int64_t i = 0; i < p->n; i++)
            q->v[i + 1] = p->v[i] + 1;
        in[0] = mx_vmap_batched(m, 0);
        for (int i = 1; i < n - 1; i++)
            in[i + 1] = mlxe_astype(m->scope, mx_vmap_batched(m, i),
                MLXC_INT64);
        in[1] = mx_batch_index(m->scope, m->size, in[2]);
        int axis = in[2] ? in[2]->ndim : 0;
        in[n] = mlxe_expand_dims(m->scope, mx_vmap_batched(m, n - 1), &axis,
            1);
        m->output[0] =
            mx_apply_in(m->scope, m->op, q, b.size, in, n + 1);
        m->axis_out[0] = 0;
    }
    mx_free(in);
    if (q)
        mx_block_free(&b);
}

const struct mx_op mx_op_scatter = {
    .name = "scatter",
    .inputs = -1,
    .outputs = 1,
    .id = MX_OP_SCATTER,
    .infer = mx_infer_same,
    .vjp = vjp_scatter,
    .jvp = jvp_scatter,
    .vmap = vmap_scatter,
};

mlxc_status mlxc_scatter(mlxc_array **out, mlxc_array *a,
    mlxc_arrays *indices, mlxc_array *updates, const int *axes, int naxes,
    mlxc_scatter_mode mode, mlxc_stream *s)
{
    struct mx_block b;
    mlxc_arrays *list, *all = NULL;
    char ta[MX_SHAPE_TEXT], tb[MX_SHAPE_TEXT];
    mlxc_array *in[2] = { a, updates }, *cast = NULL;
    MX_TRY(mx_check("scatter", out, in, 2));
    if ((unsigned)mode > MLXC_SCATTER_MIN)
        return mx_error(MLXC_ERR_ARGUMENT, "scatter: %d is no mode",
            (int)mode);
    MX_TRY(mx_prepare_indices(&list, "scatter", indices, naxes, s));
    mlxc_array *index = list->item[0];
    int fits = updates->ndim == index->ndim + a->ndim;
    for (int d = 0; d < updates->ndim && fits; d++)
        fits = d < index->ndim ? updates->shape[d] == index->shape[d]
            : updates->shape[d] <= a->shape[d - index->ndim];
    struct mx_p_scatter *p = mx_block_init(&b, "scatter", sizeof *p, naxes);
    mlxc_status status = p ? MLXC_OK : MLXC_ERR_NOMEM;
    if (!status && !fits)
        status = mx_error(MLXC_ERR_SHAPE,
            "scatter: updates of shape %s do not fit indices of shape %s "
            "and the array", mx_shape_text(ta, updates->shape,
                updates->ndim), mx_shape_text(tb, index->shape,
                index->ndim));
    if (!status)
        status = mx_check_axes(p->v, "scatter", axes, naxes, a->ndim);
    if (!status)
        status = mx_cast(&cast, updates, (mlxc_dtype)a->dtype, s);
    if (!status)
        status = mlxc_arrays_from(&all, &a, 1);
    for (int i = 0; i < naxes && !status; i++)
        status = mlxc_arrays_push(all, list->item[i]);
    if (!status)
        status = mlxc_arrays_push(all, cast);
    if (!status) {
        p->mode = mode;
        p->n = naxes;
        status = mx_apply(out, &mx_op_scatter, p, b.size, all->item,
            all->size, s);
    }
    if (p)
        mx_block_free(&b);
    mlxc_array_unref(cast);
    mlxc_arrays_unref(list);
    mlxc_arrays_unref(all);
    return status;
}

/* ---- along an axis: inputs the array, indices, values; the last two have
   one shape, which is that of the array but for the axis ---- */

static mlxc_array *put(mlxc_scope *c, const struct mx_p_scatter *p,
    enum mx_update mode, mlxc_array *a, mlxc_array *index, mlxc_array *value)
{
    const int64_t q[3] = { mode, 1, p->v[0] }; /* mx_p_scatter */
    mlxc_array *in[3] = { a, index, value };
    return mx_apply_in(c, &mx_op_scatter_axis, q, sizeof q, in, 3);
}

static void vjp_scatter_axis(struct mx_vjp *v)
{
    const struct mx_p_scatter *p = v->params;
    mlxc_scope *c = v->scope;
    mlxc_array *g = v->cotangent[0], *index = v->input[1], *u = v->input[2];
    int axis = (int)p->v[0];
    mlxc_array *gu = mlxe_take_along_axis(c, g, index, axis);
    if (p->mode == MX_UPDATE_SET) {
        mlxc_array *number = mlxe_reshape(c, mlxe_arange(c, 0,
            (double)u->size, 1, MLXC_INT64), u->shape, u->ndim);
        mlxc_array *board = mlxe_zeros(c, g->shape, g->ndim, MLXC_INT64);
        board = put(c, p, MX_UPDATE_SET, board, index, number);
        mlxc_array *won = mlxe_equal(c, number, mlxe_take_along_axis(c,
            board, index, axis));
        v->grad[0] = put(c, p, MX_UPDATE_SET, g, index,
            mlxe_zeros_like(c, u));
        v->grad[2] = mlxe_where(c, won, gu, mlxe_constant(c, 0, g));
    } else {
        v->grad[0] = g;
        v->grad[2] = gu;
    }
}

static void jvp_scatter_axis(struct mx_jvp *j)
{
    const struct mx_p_scatter *p = j->params;
    mlxc_array *t = j->tangent[0], *u = j->tangent[2];
    t = t ? t : mlxe_zeros_like(j->scope, j->input[0]);
    u = u ? u : mlxe_zeros_like(j->scope, j->input[2]);
    j->tangent_out[0] = put(j->scope, p, (enum mx_update)p->mode, t,
        j->input[1], u);
}

static void vmap_scatter_axis(struct mx_vmap *m)
{
    const struct mx_p_scatter *p = m->params;
    const int64_t q[3] = { p->mode, 1, p->v[0] + 1 }; /* mx_p_scatter */
    mlxc_array *in[3];
    for (int i = 0; i < 3; i++)
        in[i] = mx_vmap_batched(m, i);
    m->output[0] = mx_vmap_again(m, q, sizeof q, in);
    m->axis_out[0] = 0;
}

const struct mx_op mx_op_scatter_axis = {
    .name = "put_along_axis",
    .inputs = 3,
    .outputs = 1,
    .id = MX_OP_SCATTER_AXIS,
    .flags = MX_OP_SMOOTH,
    .infer = mx_infer_same,
    .vjp = vjp_scatter_axis,
    .jvp = jvp_scatter_axis,
    .vmap = vmap_scatter_axis,
};

static mlxc_status put_axis(mlxc_array **out, const char *op,
    enum mx_update mode, mlxc_array *a, mlxc_array *indices,
    mlxc_array *values, int axis, mlxc_stream *s)
{
    mlxc_array *in[3] = { a, indices, values };
    mlxc_scope *c;
    int at;
    MX_TRY(mx_check(op, out, in, 3));
    MX_TRY(mx_axis(&at, op, axis, a->ndim));
    MX_TRY(mx_check_kinds(op, indices, MX_KIND_INT | MX_KIND_UINT));
    if (a->ndim != indices->ndim)
        return mx_error(MLXC_ERR_SHAPE, "%s: %d and %d dimensions", op,
            a->ndim, indices->ndim);
    MX_TRY(mlxc_scope_new(&c, s));
    mlxc_array *v = mlxe_broadcast_to(c, mlxe_astype(c, values,
        (mlxc_dtype)a->dtype), indices->shape, indices->ndim);
    mlxc_array *list[3] = { a, indices, v }, *ready[3] = { 0 }, *r = NULL;
    mlxc_status status = mlxc_scope_status(c);
    if (!status)
        status = mx_broadcast_except(ready, op, list, 3, at, s);
    const int64_t q[3] = { mode, 1, at }; /* mx_p_scatter */
    if (!status)
        status = mx_apply(&r, &mx_op_scatter_axis, q, sizeof q, ready, 3,
            s);
    for (int i = 0; i < 3; i++)
        mlxc_array_unref(ready[i]);
    mlxc_scope_free(c);
    *out = r;
    return status;
}

mlxc_status mlxc_put_along_axis(mlxc_array **out, mlxc_array *a,
    mlxc_array *indices, mlxc_array *values, int axis, mlxc_stream *s)
{
    return put_axis(out, "put_along_axis", MX_UPDATE_SET, a, indices, values,
        axis, s);
}

mlxc_status mlxc_put_add(mlxc_array **out, mlxc_array *a, mlxc_array *indices,
    mlxc_array *values, int axis, mlxc_stream *s)
{
    return put_axis(out, "put_add", MX_UPDATE_ADD, a, indices, values, axis,
        s);
}
