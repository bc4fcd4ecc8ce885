/* SPDX-License-Identifier: MIT */
/* slice and slice_update, flip, as_strided, view. */
#include <string.h>

#include <mlxc/expr.h>

#include "core/scope.h"
#include "core/shape.h"
#include "ops/infer.h"
#include "ops/slice.h"

/* ---- normalised ranges: start[n], step[n], size[n] ---- */

mlxc_status mx_slice_params(struct mx_block *b, struct mx_p_slice **out,
    const char *op, mlxc_array *a, const int64_t *start, const int64_t *stop,
    const int64_t *step, int ndim)
{
    if (ndim != a->ndim || (ndim > 0 && (!start || !stop)))
        return mx_error(MLXC_ERR_ARGUMENT,
            "%s: %d positions for %d dimensions", op, ndim, a->ndim);
    struct mx_p_slice *p = mx_block_init(b, op, sizeof *p, 3 * ndim);
    if (!p)
        return MLXC_ERR_NOMEM;
    p->n = ndim;
    for (int d = 0; d < ndim; d++) {
        int64_t n = a->shape[d], by = step ? step[d] : 1, size;
        int64_t from = start[d] < 0 ? start[d] + n : start[d];
        int64_t to = stop[d] < 0 ? stop[d] + n : stop[d];
        if (by == 0 || by == INT64_MIN) {
            mx_block_free(b);
            return mx_error(MLXC_ERR_ARGUMENT, "%s: step %lld", op,
                (long long)by);
        }
        if (by > 0) {
            from = from < 0 ? 0 : from > n ? n : from;
            to = to > n ? n : to;
            size = to > from ? (to - from - 1) / by + 1 : 0;
        } else {
            from = from > n - 1 ? n - 1 : from;
            to = to < -1 ? -1 : to;
            size = from > to ? (from - to - 1) / -by + 1 : 0;
        }
        p->v[d] = size ? from : 0;
        p->v[ndim + d] = size > 1 ? by : 1;
        p->v[2 * ndim + d] = size;
    }
    *out = p;
    return MLXC_OK;
}

static int covers(const struct mx_p_slice *p, mlxc_array *a)
{
    for (int d = 0; d < p->n; d++) {
        if (p->v[d] || p->v[p->n + d] != 1 ||
            p->v[2 * p->n + d] != a->shape[d])
            return 0;
    }
    return 1;
}

/* Parameters with the batch as a whole range in front. */
static void *batched(struct mx_block *b, struct mx_vmap *m, size_t *size)
{
    const struct mx_p_slice *p = m->params;
    struct mx_p_slice *q =
        mx_block_init(b, m->op->name, sizeof *q, 3 * (p->n + 1));
    if (!q) {
        mx_scope_fail(m->scope, MLXC_ERR_NOMEM);
        return NULL;
    }
    q->n = p->n + 1;
    for (int k = 0; k < 3; k++) {
        q->v[k * q->n] = k == 0 ? 0 : k == 1 ? 1 : m->size;
        memcpy(q->v + k * q->n + 1, p->v + k * p->n,
            (size_t)p->n * sizeof *p->v);
    }
    *size = b->size;
    return q;
}

static mlxc_status infer_slice(struct mx_infer *c)
{
    const struct mx_p_slice *p = c->params;
    c->spec[0] = (struct mx_spec){ p->v + 2 * p->n, (int)p->n,
        (mlxc_dtype)c->input[0]->dtype };
    return MLXC_OK;
}

static int view_slice(struct mx_layout *l, const struct mx_node *node)
{
    const struct mx_p_slice *p = node->params;
    mlxc_array *a = node->input[0];
    int64_t offset = 0;
    for (int d = 0; d < p->n; d++) {
        offset += p->v[d] * a->strides[d];
        l->strides[d] = a->strides[d] * p->v[p->n + d];
    }
    l->offset = offset * (int64_t)mx_itemsize(a);
    return 1;
}

static void vjp_slice(struct mx_vjp *v)
{
    mlxc_array *in[2] = { mlxe_zeros_like(v->scope, v->input[0]),
        v->cotangent[0] };
    v->grad[0] = mx_slice_update_in(v->scope, MX_UPDATE_SET, v->params, in);
}

static void jvp_slice(struct mx_jvp *j)
{
    mlxc_array *t = j->tangent[0];
    j->tangent_out[0] =
        mx_apply_in(j->scope, j->op, j->params, j->nparams, &t, 1);
}

static void vmap_slice(struct mx_vmap *m)
{
    struct mx_block b;
    size_t size;
    mlxc_array *in;
    mx_vmap_front(m, &in);
    void *p = batched(&b, m, &size);
    if (!p)
        return;
    m->output[0] = mx_apply_in(m->scope, m->op, p, size, &in, 1);
    m->axis_out[0] = 0;
    mx_block_free(&b);
}

const struct mx_op mx_op_slice = {
    .name = "slice",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_SLICE,
    .flags = MX_OP_SHARES | MX_OP_SMOOTH,
    .infer = infer_slice,
    .view = view_slice,
    .vjp = vjp_slice,
    .jvp = jvp_slice,
    .vmap = vmap_slice,
};

mlxc_status mlxc_slice(mlxc_array **out, mlxc_array *a, const int64_t *start,
    const int64_t *stop, const int64_t *step, int ndim, mlxc_stream *s)
{
    struct mx_block b;
    struct mx_p_slice *p;
    MX_TRY(mx_check("slice", out, &a, 1));
    MX_TRY(mx_slice_params(&b, &p, "slice", a, start, stop, step, ndim));
    mlxc_status status = MLXC_OK;
    if (covers(p, a))
        *out = mlxc_array_ref(a);
    else
        status = mx_apply1(out, &mx_op_slice, p, b.size, a, s);
    mx_block_free(&b);
    return status;
}

mlxc_status mlxc_flip(mlxc_array **out, mlxc_array *a, const int *axes,
    int naxes, mlxc_stream *s)
{
    struct mx_block b;
    MX_TRY(mx_check("flip", out, &a, 1));
    int64_t n = a->ndim;
    struct mx_p_slice *p = mx_block_init(&b, "flip", sizeof *p, 3 * n);
    if (!p)
        return MLXC_ERR_NOMEM;
    mlxc_status status = MLXC_OK;
    p->n = n;
    for (int d = 0; d < n; d++) {
        p->v[n + d] = axes ? 1 : -1;
        p->v[2 * n + d] = a->shape[d];
    }
    for (int i = 0; axes && i < naxes && !status; i++) {
        int axis;
        status = mx_axis(&axis, "flip", axes[i], a->ndim);
        if (!status && p->v[n + axis] < 0)
            status = mx_error(MLXC_ERR_ARGUMENT,
                "flip: axis %d is repeated", axes[i]);
        if (!status)
            p->v[n + axis] = -1;
    }
    for (int d = 0; d < n; d++) {
        if (a->shape[d] < 2)
            p->v[n + d] = 1;
        p->v[d] = p->v[n + d] < 0 ? a->shape[d] - 1 : 0;
    }
    if (!status)
        status = mx_apply1(out, &mx_op_slice, p, b.size, a, s);
    mx_block_free(&b);
    return status;
}

/* ---- slice_update: inputs are the array and the update, which has the shape
   of the range and the dtype of the array ---- */

/* The tail of an update's parameters is laid out as those of a slice. */
static const struct mx_p_slice *range_of(const struct mx_p_update *p)
{
    return (const struct mx_p_slice *)(const void *)&p->n;
}

static mlxc_array *window(struct mx_vjp *v, mlxc_array *a)
{
    return mx_apply_in(v->scope, &mx_op_slice, range_of(v->params),
        v->nparams - offsetof(struct mx_p_update, n), &a, 1);
}

mlxc_array *mx_slice_update_in(mlxc_scope *c, enum mx_update mode,
    const struct mx_p_slice *range, mlxc_array *const in[2])
{
    struct mx_block b;
    struct mx_p_update *p =
        mx_block_init(&b, "slice_update", sizeof *p, 3 * range->n);
    if (!p) {
        mx_scope_fail(c, MLXC_ERR_NOMEM);
        return NULL;
    }
    p->mode = mode;
    p->n = range->n;
    memcpy(p->v, range->v, 3 * (size_t)range->n * sizeof *range->v);
    mlxc_array *out =
        mx_apply_in(c, &mx_op_slice_update, p, b.size, in, 2);
    mx_block_free(&b);
    return out;
}

static mlxc_array *put(struct mx_vjp *v, mlxc_array *a, mlxc_array *update)
{
    mlxc_array *in[2] = { a, update };
    return a && update ? mx_slice_update_in(v->scope, MX_UPDATE_SET,
        range_of(v->params), in) : NULL;
}

static void vjp_slice_update(struct mx_vjp *v)
{
    const struct mx_p_update *p = v->params;
    mlxc_scope *c = v->scope;
    mlxc_array *g = v->cotangent[0], *gw = window(v, g);
    mlxc_array *a = v->input[0], *u = v->input[1];
    mlxc_array *zero = mlxe_constant(c, 0, g);
    mlxc_array *aw, *ow;
    switch ((enum mx_update)p->mode) {
    case MX_UPDATE_SET:
        v->grad[0] = put(v, g, gw ? mlxe_zeros_like(c, gw) : NULL);
        v->grad[1] = gw;
        break;
    case MX_UPDATE_ADD:
        v->grad[0] = g;
        v->grad[1] = gw;
        break;
    case MX_UPDATE_PROD:
        aw = window(v, a);
        v->grad[0] = put(v, g, mlxe_multiply(c, gw, mlxe_conjugate(c, u)));
        v->grad[1] = mlxe_multiply(c, gw, mlxe_conjugate(c, aw));
        break;
    case MX_UPDATE_MAX:
    case MX_UPDATE_MIN:
        /* ties go to the update, as the second operand of maximum */
        aw = window(v, a);
        ow = mlxe_equal(c, window(v, v->output[0]), u);
        v->grad[0] = put(v, g, mlxe_where(c, ow, zero, gw));
        v->grad[1] = mlxe_where(c, ow, gw, zero);
        break;
    case MX_UPDATE_COUNT:
        break;
    }
}

static void jvp_slice_update(struct mx_jvp *j)
{
    const struct mx_p_update *p = j->params;
    mlxc_scope *c = j->scope;
    mlxc_array *t[2];
    struct mx_vjp v = { .scope = c, .op = j->op, .params = j->params,
        .nparams = j->nparams };
    for (int i = 0; i < 2; i++)
        t[i] = j->tangent[i] ? j->tangent[i]
                             : mlxe_zeros_like(c, j->input[i]);
    mlxc_array *tw, *aw, *u = j->input[1], *wins;
    switch ((enum mx_update)p->mode) {
    case MX_UPDATE_SET:
    case MX_UPDATE_ADD:
        j->tangent_out[0] = mx_apply_in(c, j->op, j->params, j->nparams, t,
            2);
        break;
    case MX_UPDATE_PROD:
        tw = window(&v, t[0]);
        aw = window(&v, j->input[0]);
        j->tangent_out[0] = put(&v, t[0], mlxe_add(c,
            mlxe_multiply(c, tw, u), mlxe_multiply(c, aw, t[1])));
        break;
    case MX_UPDATE_MAX:
    case MX_UPDATE_MIN:
        tw = window(&v, t[0]);
        wins = mlxe_equal(c, window(&v, j->output[0]), u);
        j->tangent_out[0] = put(&v, t[0], mlxe_where(c, wins, t[1], tw));
        break;
    case MX_UPDATE_COUNT:
        break;
    }
}

static void vmap_slice_update(struct mx_vmap *m)
{
    const struct mx_p_update *p = m->params;
    struct mx_block b;
    size_t size;
    mlxc_array *in[2] = { mx_vmap_batched(m, 0), mx_vmap_batched(m, 1) };
    struct mx_vmap r = *m;
    r.params = range_of(p);
    struct mx_p_slice *range = batched(&b, &r, &size);
    if (!range)
        return;
    if (in[0] && in[1])
        m->output[0] = mx_slice_update_in(m->scope,
            (enum mx_update)p->mode, range, in);
    m->axis_out[0] = 0;
    mx_block_free(&b);
}

const struct mx_op mx_op_slice_update = {
    .name = "slice_update",
    .inputs = 2,
    .outputs = 1,
    .id = MX_OP_SLICE_UPDATE,
    .flags = MX_OP_SMOOTH,
    .infer = mx_infer_same,
    .vjp = vjp_slice_update,
    .jvp = jvp_slice_update,
    .vmap = vmap_slice_update,
};

static mlxc_status update(mlxc_array **out, const char *op,
    enum mx_update mode, mlxc_array *a, mlxc_array *u, const int64_t *start,
    const int64_t *stop, const int64_t *step, int ndim, mlxc_stream *s)
{
    struct mx_block b;
    struct mx_p_slice *p;
    mlxc_scope *c;
    char ta[MX_SHAPE_TEXT], tb[MX_SHAPE_TEXT];
    mlxc_array *in[2] = { a, u };
    MX_TRY(mx_check(op, out, in, 2));
    MX_TRY(mx_slice_params(&b, &p, op, a, start, stop, step, ndim));
    const int64_t *shape = p->v + 2 * p->n;
    int fits = u->ndim <= ndim;
    for (int d = 0; d < u->ndim && fits; d++)
        fits = u->shape[d] == 1 || u->shape[d] == shape[d + ndim - u->ndim];
    mlxc_status status = fits ? mlxc_scope_new(&c, s)
        : mx_error(MLXC_ERR_SHAPE, "%s: %s does not broadcast to the range "
            "%s", op, mx_shape_text(ta, u->shape, u->ndim),
            mx_shape_text(tb, shape, ndim));
    if (!status) {
        in[1] = mlxe_broadcast_to(c, mlxe_astype(c, u,
            (mlxc_dtype)a->dtype), shape, ndim);
        mlxc_array *r = NULL;
        if (in[1])
            r = mx_slice_update_in(c, mode, p, in);
        status = mlxc_scope_export(out, c, r);
        mlxc_scope_free(c);
    }
    mx_block_free(&b);
    return status;
}

#define UPDATE(name, mode) \
    mlxc_status mlxc_##name(mlxc_array **out, mlxc_array *a, mlxc_array *u, \
        const int64_t *start, const int64_t *stop, const int64_t *step, \
        int ndim, mlxc_stream *s) \
    { return update(out, #name, mode, a, u, start, stop, step, ndim, s); }
UPDATE(slice_update, MX_UPDATE_SET)
UPDATE(slice_update_add, MX_UPDATE_ADD)
UPDATE(slice_update_prod, MX_UPDATE_PROD)
UPDATE(slice_update_max, MX_UPDATE_MAX)
UPDATE(slice_update_min, MX_UPDATE_MIN)

/* ---- as_strided over a row-major input ---- */

static mlxc_status infer_strided(struct mx_infer *c)
{
    const struct mx_p_strided *p = c->params;
    c->spec[0] = (struct mx_spec){ p->v, (int)p->n,
        (mlxc_dtype)c->input[0]->dtype };
    return MLXC_OK;
}

static int view_strided(struct mx_layout *l, const struct mx_node *node)
{
    const struct mx_p_strided *p = node->params;
    mlxc_array *a = node->input[0];
    if (!(a->flags & MX_ROW_MAJOR))
        return 0;
    memcpy(l->strides, p->v + p->n, (size_t)p->n * sizeof *p->v);
    l->offset = p->offset * (int64_t)mx_itemsize(a);
    return 1;
}

/* The gradient of an element is the sum over the windows that show it. */
static void vjp_strided(struct mx_vjp *v)
{
    const struct mx_p_strided *p = v->params;
    mlxc_scope *c = v->scope;
    mlxc_array *a = v->input[0];
    int64_t n = a->size;
    mlxc_array *position = mlxe_as_strided(c, mlxe_arange(c, 0, (double)n, 1,
        MLXC_INT64), p->v, p->v + p->n, (int)p->n, p->offset);
    const int64_t flat = -1;
    mlxc_array *sum = mlxe_put_add(c, mlxe_zeros(c, &n, 1,
        (mlxc_dtype)a->dtype), mlxe_reshape(c, position, &flat, 1),
        mlxe_reshape(c, v->cotangent[0], &flat, 1), 0);
    v->grad[0] = mlxe_reshape(c, sum, a->shape, a->ndim);
}

/* The public function again: a tangent need not be row-major. */
static void jvp_strided(struct mx_jvp *j)
{
    const struct mx_p_strided *p = j->params;
    j->tangent_out[0] = mlxe_as_strided(j->scope, j->tangent[0], p->v,
        p->v + p->n, (int)p->n, p->offset);
}

/* Batched arrays follow one another. */
static void vmap_strided(struct mx_vmap *m)
{
    const struct mx_p_strided *p = m->params;
    struct mx_ints l;
    mlxc_array *in;
    int n = (int)p->n + 1;
    mx_vmap_front(m, &in);
    int64_t *shape = in ? mx_ints_init(&l, "as_strided", 2 * n) : NULL;
    if (!shape) {
        mx_scope_fail(m->scope, MLXC_ERR_NOMEM);
        return;
    }
    int64_t *strides = shape + n;
    shape[0] = in->shape[0];
    strides[0] = mx_shape_product(in->shape + 1, in->ndim - 1);
    memcpy(shape + 1, p->v, (size_t)p->n * sizeof *shape);
    memcpy(strides + 1, p->v + p->n, (size_t)p->n * sizeof *shape);
    m->output[0] = mlxe_as_strided(m->scope, in, shape, strides, n,
        p->offset);
    m->axis_out[0] = 0;
    mx_ints_free(&l);
}

const struct mx_op mx_op_as_strided = {
    .name = "as_strided",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_AS_STRIDED,
    .flags = MX_OP_SHARES | MX_OP_SMOOTH,
    .infer = infer_strided,
    .view = view_strided,
    .vjp = vjp_strided,
    .jvp = jvp_strided,
    .vmap = vmap_strided,
};

mlxc_status mlxc_as_strided(mlxc_array **out, mlxc_array *a,
    const int64_t *shape, const int64_t *strides, int ndim, int64_t offset,
    mlxc_stream *s)
{
    struct mx_block b;
    int64_t size, low = offset, high = offset;
    mlxc_array *flat;
    MX_TRY(mx_check("as_strided", out, &a, 1));
    if (ndim < 0 || (ndim > 0 && (!shape || !strides)))
        return mx_error(MLXC_ERR_ARGUMENT,
            "as_strided: no shape of rank %d", ndim);
    MX_TRY(mx_shape_size(&size, "as_strided", shape, ndim,
        (int64_t)mx_itemsize(a)));
    for (int d = 0; d < ndim && size; d++) {
        int64_t reach, *end = strides[d] < 0 ? &low : &high;
        if (__builtin_mul_overflow(shape[d] - 1, strides[d], &reach) ||
            __builtin_add_overflow(*end, reach, end))
            high = INT64_MAX;
    }
    if (size && (low < 0 || high >= a->size))
        return mx_error(MLXC_ERR_INDEX,
            "as_strided: elements %lld to %lld of %lld", (long long)low,
            (long long)high, (long long)a->size);
    struct mx_p_strided *p =
        mx_block_init(&b, "as_strided", sizeof *p, 2 * (int64_t)ndim);
    if (!p)
        return MLXC_ERR_NOMEM;
    p->n = ndim;
    p->offset = size ? offset : 0;
    mx_shape_copy(p->v, shape, ndim);
    mx_shape_copy(p->v + ndim, strides, ndim);
    mlxc_status status = mlxc_contiguous(&flat, a, false, s);
    if (!status) {
        status = mx_apply1(out, &mx_op_as_strided, p, b.size, flat, s);
        mlxc_array_unref(flat);
    }
    mx_block_free(&b);
    return status;
}

/* ---- view: the bytes under another dtype ---- */

static mlxc_status infer_view(struct mx_infer *c)
{
    const struct mx_p_dtype *p = c->params;
    mlxc_array *a = c->input[0];
    int64_t from = (int64_t)mx_itemsize(a), to = mx_dtypes[p->dtype].size;
    c->spec[0] = (struct mx_spec){ a->shape, a->ndim,
        (mlxc_dtype)p->dtype };
    if (from == to)
        return MLXC_OK;
    int64_t *shape = mx_infer_dims(c, a->ndim);
    if (!shape)
        return MLXC_ERR_NOMEM;
    memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
    shape[a->ndim - 1] = shape[a->ndim - 1] * from / to;
    c->spec[0].shape = shape;
    return MLXC_OK;
}

static int view_view(struct mx_layout *l, const struct mx_node *node)
{
    mlxc_array *a = node->input[0], *out = node->output[0];
    int64_t from = (int64_t)mx_itemsize(a), to = (int64_t)mx_itemsize(out);
    if (from == to)
        return mx_view_same(l, node);
    if ((a->shape[a->ndim - 1] > 1 && a->strides[a->ndim - 1] != 1) ||
        a->offset % to)
        return 0;
    for (int d = 0; d < a->ndim - 1; d++) {
        if (a->strides[d] * from % to)
            return 0;
        l->strides[d] = a->strides[d] * from / to;
    }
    l->strides[a->ndim - 1] = 1;
    return 1;
}

static void vmap_view(struct mx_vmap *m)
{
    mlxc_array *in;
    mx_vmap_front(m, &in);
    m->output[0] = mx_vmap_again(m, m->params, m->nparams, &in);
    m->axis_out[0] = 0;
}

const struct mx_op mx_op_view = {
    .name = "view",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_VIEW,
    .flags = MX_OP_SHARES,
    .infer = infer_view,
    .view = view_view,
    .vmap = vmap_view,
    .exempt = "bits of another type are no continuous function",
};

mlxc_status mlxc_view(mlxc_array **out, mlxc_array *a, mlxc_dtype dtype,
    mlxc_stream *s)
{
    MX_TRY(mx_check("view", out, &a, 1));
    if (!mx_dtype_valid(dtype))
        return mx_error(MLXC_ERR_DTYPE, "view: %d is no dtype", (int)dtype);
    if (a->dtype == dtype) {
        *out = mlxc_array_ref(a);
        return MLXC_OK;
    }
    size_t from = mx_itemsize(a), to = mx_dtypes[dtype].size;
    if (from != to && (a->ndim == 0 ||
        (size_t)a->shape[a->ndim - 1] * from % to))
        return mx_error(MLXC_ERR_SHAPE,
            "view: the last dimension does not divide into %s",
            mx_dtypes[dtype].name);
    struct mx_p_dtype p = { dtype };
    return mx_apply1(out, &mx_op_view, &p, sizeof p, a, s);
}
