/* SPDX-License-Identifier: MIT */
/* Choosing elements by index: gather, take, take_along_axis. */
#include <string.h>

#include <mlxc/expr.h>

#include "core/arrays.h"
#include "core/scope.h"
#include "core/shape.h"
#include "ops/index.h"
#include "util/alloc.h"

/* ---- gather: inputs the array, then index arrays of one shape ---- */

static mlxc_status infer_gather(struct mx_infer *c)
{
    const struct mx_p_gather *p = c->params;
    mlxc_array *index = c->input[1];
    int n = (int)(p->n - p->naxes);
    int64_t *shape = mx_infer_dims(c, index->ndim + n);
    if (!shape)
        return MLXC_ERR_NOMEM;
    memcpy(shape, index->shape, (size_t)index->ndim * sizeof *shape);
    memcpy(shape + index->ndim, p->v + p->naxes, (size_t)n * sizeof *shape);
    c->spec[0] = (struct mx_spec){ shape, index->ndim + n,
        (mlxc_dtype)c->input[0]->dtype };
    return MLXC_OK;
}

static void vjp_gather(struct mx_vjp *v)
{
    const struct mx_p_gather *p = v->params;
    struct mx_block b;
    if (!v->wanted[0])
        return;
    struct mx_p_scatter *q =
        mx_block_init(&b, "gather", sizeof *q, p->naxes);
    mlxc_array **in =
        mx_alloc_array((size_t)v->ninputs + 1, sizeof *in);
    if (q && in) {
        q->mode = MX_UPDATE_ADD;
        q->n = p->naxes;
        memcpy(q->v, p->v, (size_t)p->naxes * sizeof *q->v);
        in[0] = mlxe_zeros_like(v->scope, v->input[0]);
        for (int i = 1; i < v->ninputs; i++)
            in[i] = v->input[i];
        in[v->ninputs] = v->cotangent[0];
        v->grad[0] = mx_apply_in(v->scope, &mx_op_scatter, q, b.size, in,
            v->ninputs + 1);
    } else {
        mx_scope_fail(v->scope, mx_error_nomem("gather"));
    }
    mx_free(in);
    if (q)
        mx_block_free(&b);
}

static void jvp_gather(struct mx_jvp *j)
{
    mlxc_array **in = mx_alloc_array((size_t)j->ninputs, sizeof *in);
    if (!in) {
        mx_scope_fail(j->scope, mx_error_nomem("gather"));
        return;
    }
    in[0] = j->tangent[0];
    for (int i = 1; i < j->ninputs; i++)
        in[i] = j->input[i];
    if (in[0])
        j->tangent_out[0] = mx_apply_in(j->scope, j->op, j->params,
            j->nparams, in, j->ninputs);
    mx_free(in);
}

/* The batch becomes one more axis of the array, chosen by 0, 1, 2, ... */
mlxc_array *mx_batch_index(mlxc_scope *c, int64_t size, mlxc_array *like)
{
    struct mx_ints l;
    if (!like)
        return NULL;
    int n = like->ndim;
    int64_t *shape = mx_ints_init(&l, "vmap", 2 * n);
    if (!shape) {
        mx_scope_fail(c, MLXC_ERR_NOMEM);
        return NULL;
    }
    for (int d = 0; d < n; d++) {
        shape[d] = d ? 1 : size;
        shape[n + d] = like->shape[d];
    }
    mlxc_array *a = mlxe_arange(c, 0, (double)size, 1, MLXC_INT64);
    a = mlxe_broadcast_to(c, mlxe_reshape(c, a, shape, n), shape + n, n);
    a = mlxe_astype(c, a, (mlxc_dtype)like->dtype);
    mx_ints_free(&l);
    return a;
}

static void vmap_gather(struct mx_vmap *m)
{
    const struct mx_p_gather *p = m->params;
    int64_t na = p->naxes + 1, nd = p->n - p->naxes + 1;
    struct mx_block b;
    struct mx_p_gather *q = mx_block_init(&b, "gather", sizeof *q, na + nd);
    mlxc_array **in = mx_alloc_array((size_t)m->ninputs + 1, sizeof *in);
    if (!q || !in) {
        mx_scope_fail(m->scope, mx_error_nomem("gather"));
    } else {
        q->naxes = na;
        q->n = na + nd;
        q->v[na] = 1;
        for (int64_t i = 0; i < p->naxes; i++)
            q->v[i + 1] = p->v[i] + 1;
        for (int64_t i = 1; i < nd; i++)
            q->v[na + i] = p->v[p->naxes + i - 1];
        in[0] = mx_vmap_batched(m, 0);
        for (int i = 1; i < m->ninputs; i++)
            in[i + 1] = mlxe_astype(m->scope, mx_vmap_batched(m, i),
                MLXC_INT64);
        in[1] = mx_batch_index(m->scope, m->size, in[2]);
        mlxc_array *out = mx_apply_in(m->scope, m->op, q, b.size, in,
            m->ninputs + 1);
        /* drop the window's length of 1 along the batch */
        int axis = in[2] ? in[2]->ndim : 0;
        m->output[0] = out ? mlxe_squeeze(m->scope, out, &axis, 1) : NULL;
        m->axis_out[0] = 0;
    }
    mx_free(in);
    if (q)
        mx_block_free(&b);
}

const struct mx_op mx_op_gather = {
    .name = "gather",
    .inputs = -1,
    .outputs = 1,
    .id = MX_OP_GATHER,
    .flags = MX_OP_SMOOTH,
    .infer = infer_gather,
    .vjp = vjp_gather,
    .jvp = jvp_gather,
    .vmap = vmap_gather,
};

/* Index arrays broadcast to one shape; all of an integer dtype. */
mlxc_status mx_prepare_indices(mlxc_arrays **out, const char *op,
    mlxc_arrays *indices, int naxes, mlxc_stream *s)
{
    *out = NULL;
    if (mlxc_arrays_size(indices) != naxes || naxes < 1)
        return mx_error(MLXC_ERR_ARGUMENT,
            "%s: %d index arrays for %d axes", op,
            mlxc_arrays_size(indices), naxes);
    for (int i = 0; i < naxes; i++)
        MX_TRY(mx_check_kinds(op, indices->item[i],
            MX_KIND_INT | MX_KIND_UINT));
    return mlxc_broadcast_arrays(out, indices, s);
}

/* Axes in range and different. */
mlxc_status mx_check_axes(int64_t *out, const char *op, const int *axes,
    int n, int ndim)
{
    if (n > ndim || (n > 0 && !axes))
        return mx_error(MLXC_ERR_ARGUMENT, "%s: %d axes for %d dimensions",
            op, n, ndim);
    for (int i = 0; i < n; i++) {
        int axis;
        MX_TRY(mx_axis(&axis, op, axes[i], ndim));
        out[i] = axis;
        for (int k = 0; k < i; k++) {
            if (out[k] == axis)
                return mx_error(MLXC_ERR_ARGUMENT,
                    "%s: axis %d is repeated", op, axes[i]);
        }
    }
    return MLXC_OK;
}

mlxc_status mlxc_gather(mlxc_array **out, mlxc_array *a, mlxc_arrays *indices,
    const int *axes, int naxes, const int64_t *sizes, int nsizes,
    mlxc_stream *s)
{
    struct mx_block b;
    mlxc_arrays *list, *all = NULL;
    MX_TRY(mx_check("gather", out, &a, 1));
    if (nsizes != a->ndim || (nsizes > 0 && !sizes))
        return mx_error(MLXC_ERR_ARGUMENT,
            "gather: %d lengths for %d dimensions", nsizes, a->ndim);
    for (int d = 0; d < nsizes; d++) {
        if (sizes[d] < 0 || sizes[d] > a->shape[d])
            return mx_error(MLXC_ERR_SHAPE,
                "gather: a window of %lld in dimension %d of %lld",
                (long long)sizes[d], d, (long long)a->shape[d]);
    }
    MX_TRY(mx_prepare_indices(&list, "gather", indices, naxes, s));
    struct mx_p_gather *p =
        mx_block_init(&b, "gather", sizeof *p, naxes + nsizes);
    mlxc_status status = p ? MLXC_OK : MLXC_ERR_NOMEM;
    if (!status)
        status = mx_check_axes(p->v, "gather", axes, naxes, a->ndim);
    if (!status)
        status = mlxc_arrays_from(&all, &a, 1);
    for (int i = 0; i < naxes && !status; i++)
        status = mlxc_arrays_push(all, list->item[i]);
    if (!status) {
        p->naxes = naxes;
        p->n = naxes + nsizes;
        mx_shape_copy(p->v + naxes, sizes, nsizes);
        status = mx_apply(out, &mx_op_gather, p, b.size, all->item,
            all->size, s);
    }
    if (p)
        mx_block_free(&b);
    mlxc_arrays_unref(list);
    mlxc_arrays_unref(all);
    return status;
}

/* Gather single positions of one axis, then bring the index dimensions to its
   place. */
mlxc_status mlxc_take(mlxc_array **out, mlxc_array *a, mlxc_array *indices,
    int axis, mlxc_stream *s)
{
    int at;
    mlxc_scope *c;
    mlxc_array *in[2] = { a, indices };
    MX_TRY(mx_check("take", out, in, 2));
    MX_TRY(mx_axis(&at, "take", axis, a->ndim));
    MX_TRY(mx_check_kinds("take", indices, MX_KIND_INT | MX_KIND_UINT));
    if (a->shape[at] == 0 && indices->size > 0)
        return mx_error(MLXC_ERR_INDEX, "take: axis %d is empty", axis);
    struct mx_block b;
    struct mx_p_gather *p = mx_block_init(&b, "take", sizeof *p,
        a->ndim + 1);
    if (!p)
        return MLXC_ERR_NOMEM;
    mlxc_status status = mlxc_scope_new(&c, s);
    if (status) {
        mx_block_free(&b);
        return status;
    }
    p->naxes = 1;
    p->n = a->ndim + 1;
    p->v[0] = at;
    for (int d = 0; d < a->ndim; d++)
        p->v[d + 1] = d == at ? (a->shape[d] ? 1 : 0) : a->shape[d];
    mlxc_array *r = mx_apply_in(c, &mx_op_gather, p, b.size, in, 2);
    mx_block_free(&b);
    int ni = indices->ndim, drop = ni + at;
    if (r && a->shape[at])
        r = mlxe_squeeze(c, r, &drop, 1);
    if (r && !a->shape[at]) { /* nothing was asked of nothing */
        struct mx_ints l;
        int64_t *shape = mx_ints_init(&l, "take", ni + a->ndim - 1);
        if (shape) {
            memcpy(shape, indices->shape, (size_t)ni * sizeof *shape);
            for (int d = 0, k = ni; d < a->ndim; d++) {
                if (d != at)
                    shape[k++] = a->shape[d];
            }
            r = mlxe_zeros(c, shape, ni + a->ndim - 1,
                (mlxc_dtype)a->dtype);
            mx_ints_free(&l);
        }
    }
    /* (indices, before, after) to (before, indices, after) */
    if (r && at > 0 && ni > 0) {
        int *order = mx_alloc_array((size_t)r->ndim, sizeof *order);
        if (!order)
            mx_scope_fail(c, mx_error_nomem("take"));
        for (int d = 0; order && d < r->ndim; d++)
            order[d] = d < at ? ni + d : d < at + ni ? d - at : d;
        r = order ? mlxe_transpose(c, r, order, r->ndim) : NULL;
        mx_free(order);
    }
    status = mlxc_scope_export(out, c, r);
    mlxc_scope_free(c);
    return status;
}

/* ---- along an axis: both inputs have one shape but for the axis ---- */

static mlxc_status infer_gather_axis(struct mx_infer *c)
{
    c->spec[0] = (struct mx_spec){ c->input[1]->shape, c->input[1]->ndim,
        (mlxc_dtype)c->input[0]->dtype };
    return MLXC_OK;
}

static void vjp_gather_axis(struct mx_vjp *v)
{
    const struct mx_p_axis *p = v->params;
    if (v->wanted[0])
        v->grad[0] = mlxe_put_add(v->scope,
            mlxe_zeros_like(v->scope, v->input[0]), v->input[1],
            v->cotangent[0], (int)p->axis);
}

static void jvp_gather_axis(struct mx_jvp *j)
{
    const struct mx_p_axis *p = j->params;
    if (j->tangent[0])
        j->tangent_out[0] = mlxe_take_along_axis(j->scope, j->tangent[0],
            j->input[1], (int)p->axis);
}

static void vmap_gather_axis(struct mx_vmap *m)
{
    struct mx_p_axis p = *(const struct mx_p_axis *)m->params;
    mlxc_array *in[2] = { mx_vmap_batched(m, 0), mx_vmap_batched(m, 1) };
    p.axis++;
    m->output[0] = mx_vmap_again(m, &p, sizeof p, in);
    m->axis_out[0] = 0;
}

const struct mx_op mx_op_gather_axis = {
    .name = "take_along_axis",
    .inputs = 2,
    .outputs = 1,
    .id = MX_OP_GATHER_AXIS,
    .flags = MX_OP_SMOOTH,
    .infer = infer_gather_axis,
    .vjp = vjp_gather_axis,
    .jvp = jvp_gather_axis,
    .vmap = vmap_gather_axis,
};

/* Broadcast arrays of one rank against each other, except along the axis. */
mlxc_status mx_broadcast_except(mlxc_array **out, const char *op,
    mlxc_array *const *in, int n, int axis, mlxc_stream *s)
{
    char ta[MX_SHAPE_TEXT], tb[MX_SHAPE_TEXT];
    struct mx_ints l;
    int ndim = in[0]->ndim;
    int64_t *shape = mx_ints_init(&l, op, ndim);
    mlxc_status status = shape ? MLXC_OK : MLXC_ERR_NOMEM;
    for (int i = 0; i < n; i++)
        out[i] = NULL;
    for (int d = 0; d < ndim && !status; d++) {
        shape[d] = 1;
        for (int i = 0; i < n && d != axis && !status; i++) {
            int64_t k = in[i]->shape[d];
            if (shape[d] == 1)
                shape[d] = k;
            else if (k != 1 && k != shape[d])
                status = mx_error(MLXC_ERR_SHAPE,
                    "%s: shapes %s and %s do not broadcast", op,
                    mx_shape_text(ta, in[0]->shape, ndim),
                    mx_shape_text(tb, in[i]->shape, ndim));
        }
    }
    for (int i = 0; i < n && !status; i++) {
        shape[axis] = in[i]->shape[axis];
        status = mx_broadcast(&out[i], op, in[i], shape, ndim, s);
    }
    for (int i = 0; i < n && status; i++) {
        mlxc_array_unref(out[i]);
        out[i] = NULL;
    }
    if (shape)
        mx_ints_free(&l);
    return status;
}

mlxc_status mlxc_take_along_axis(mlxc_array **out, mlxc_array *a,
    mlxc_array *indices, int axis, mlxc_stream *s)
{
    mlxc_array *in[2] = { a, indices }, *ready[2];
    struct mx_p_axis p;
    int at;
    MX_TRY(mx_check("take_along_axis", out, in, 2));
    MX_TRY(mx_axis(&at, "take_along_axis", axis, a->ndim));
    MX_TRY(mx_check_kinds("take_along_axis", indices,
        MX_KIND_INT | MX_KIND_UINT));
    if (a->ndim != indices->ndim)
        return mx_error(MLXC_ERR_SHAPE,
            "take_along_axis: %d and %d dimensions", a->ndim,
            indices->ndim);
    MX_TRY(mx_broadcast_except(ready, "take_along_axis", in, 2, at, s));
    p.axis = at;
    mlxc_status status =
        mx_apply(out, &mx_op_gather_axis, &p, sizeof p, ready, 2, s);
    mlxc_array_unref(ready[0]);
    mlxc_array_unref(ready[1]);
    return status;
}
