/* SPDX-License-Identifier: MIT */
/* reshape, transpose, broadcast, squeeze, expand_dims, and what follows from
   them.  All are views; only reshape may need a copy. */
#include <string.h>

#include <mlxc/expr.h>

#include "core/arrays.h"
#include "core/scope.h"
#include "core/shape.h"
#include "ops/infer.h"

/* The shape in the parameters. */
static mlxc_status infer_list_shape(struct mx_infer *c)
{
    const struct mx_p_list *p = c->params;
    c->spec[0].ndim = (int)p->n;
    c->spec[0].dtype = (mlxc_dtype)c->input[0]->dtype;
    c->spec[0].shape = p->v;
    return MLXC_OK;
}

/* Apply `op` with one list as its parameters. */
static mlxc_status apply_list(mlxc_array **out, const struct mx_op *op,
    mlxc_array *a, const int64_t *list, int n, mlxc_stream *s)
{
    struct mx_block b;
    struct mx_p_list *p = mx_block_init(&b, op->name, sizeof *p, n);
    if (!p)
        return MLXC_ERR_NOMEM;
    p->n = n;
    memcpy(p->v, list, (size_t)n * sizeof *list);
    mlxc_status status = mx_apply1(out, op, p, b.size, a, s);
    mx_block_free(&b);
    return status;
}

/* The same inside a rule. */
static mlxc_array *apply_list_in(mlxc_scope *c, const struct mx_op *op,
    mlxc_array *a, const int64_t *list, int n)
{
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    mlxc_status status = apply_list(&out, op, a, list, n,
        mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, out);
}

/* Tangents go through the same op. */
static void jvp_same(struct mx_jvp *j)
{
    mlxc_array *t = j->tangent[0];
    j->tangent_out[0] =
        mx_apply_in(j->scope, j->op, j->params, j->nparams, &t, 1);
}

/* ---- reshape ---- */

static int view_reshape(struct mx_layout *l, const struct mx_node *node)
{
    const struct mx_p_list *p = node->params;
    mlxc_array *a = node->input[0];
    return mx_reshape_strides(l->strides, p->v, (int)p->n, a->shape,
        a->strides, a->ndim);
}

static void vjp_reshape(struct mx_vjp *v)
{
    v->grad[0] = mlxe_reshape(v->scope, v->cotangent[0], v->input[0]->shape,
        v->input[0]->ndim);
}

/* A list with the batch length in front. */
static void vmap_shape(struct mx_vmap *m, mlxc_array *in)
{
    const struct mx_p_list *p = m->params;
    struct mx_ints l;
    int64_t *shape = mx_ints_init(&l, m->op->name, (int)p->n + 1);
    if (!shape) {
        mx_scope_fail(m->scope, MLXC_ERR_NOMEM);
        return;
    }
    shape[0] = m->size;
    memcpy(shape + 1, p->v, (size_t)p->n * sizeof *shape);
    m->output[0] = apply_list_in(m->scope, m->op, in, shape, (int)p->n + 1);
    m->axis_out[0] = 0;
    mx_ints_free(&l);
}

static void vmap_reshape(struct mx_vmap *m)
{
    mlxc_array *in;
    mx_vmap_front(m, &in);
    vmap_shape(m, in);
}

const struct mx_op mx_op_reshape = {
    .name = "reshape",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_RESHAPE,
    .flags = MX_OP_SHARES | MX_OP_SMOOTH,
    .infer = infer_list_shape,
    .view = view_reshape,
    .vjp = vjp_reshape,
    .jvp = jvp_same,
    .vmap = vmap_reshape,
};

/* Replace a length of -1 and check the size. */
static mlxc_status resolve(int64_t *out, const char *op, const int64_t *shape,
    int ndim, int64_t size)
{
    char text[MX_SHAPE_TEXT];
    int unknown = -1;
    int64_t known = 1;
    for (int i = 0; i < ndim; i++) {
        out[i] = shape[i];
        if (shape[i] == -1 && unknown < 0)
            unknown = i;
        else if (shape[i] < 0)
            return mx_error(MLXC_ERR_SHAPE, "%s: %s is no shape", op,
                mx_shape_text(text, shape, ndim));
        else if (__builtin_mul_overflow(known, shape[i], &known))
            return mx_error(MLXC_ERR_SHAPE, "%s: %s is too large", op,
                mx_shape_text(text, shape, ndim));
    }
    if (unknown >= 0) {
        if (known == 0 || size % known)
            return mx_error(MLXC_ERR_SHAPE,
                "%s: cannot work out -1 in %s for %lld elements", op,
                mx_shape_text(text, shape, ndim), (long long)size);
        out[unknown] = size / known;
    } else if (known != size) {
        return mx_error(MLXC_ERR_SHAPE, "%s: %lld elements do not fill %s",
            op, (long long)size, mx_shape_text(text, shape, ndim));
    }
    return MLXC_OK;
}

static mlxc_status reshape(mlxc_array **out, const char *op, mlxc_array *a,
    const int64_t *shape, int ndim, mlxc_stream *s)
{
    struct mx_ints l;
    if (ndim < 0 || (ndim > 0 && !shape))
        return mx_error(MLXC_ERR_ARGUMENT, "%s: no shape of rank %d", op,
            ndim);
    int64_t *full = mx_ints_init(&l, op, ndim);
    if (!full)
        return MLXC_ERR_NOMEM;
    mlxc_status status = resolve(full, op, shape, ndim, a->size);
    if (!status && mx_shape_equal(a->shape, a->ndim, full, ndim))
        *out = mlxc_array_ref(a);
    else if (!status)
        status = apply_list(out, &mx_op_reshape, a, full, ndim, s);
    mx_ints_free(&l);
    return status;
}

mlxc_status mlxc_reshape(mlxc_array **out, mlxc_array *a,
    const int64_t *shape, int ndim, mlxc_stream *s)
{
    MX_TRY(mx_check("reshape", out, &a, 1));
    return reshape(out, "reshape", a, shape, ndim, s);
}

/* The shape of `a` with dimensions [from, to) replaced by `middle`. */
static mlxc_status replace_dims(mlxc_array **out, const char *op,
    mlxc_array *a, int from, int to, const int64_t *middle, int n,
    mlxc_stream *s)
{
    struct mx_ints l;
    int ndim = a->ndim - (to - from) + n;
    int64_t *shape = mx_ints_init(&l, op, ndim);
    if (!shape)
        return MLXC_ERR_NOMEM;
    memcpy(shape, a->shape, (size_t)from * sizeof *shape);
    memcpy(shape + from, middle, (size_t)n * sizeof *shape);
    memcpy(shape + from + n, a->shape + to,
        (size_t)(a->ndim - to) * sizeof *shape);
    mlxc_status status = reshape(out, op, a, shape, ndim, s);
    mx_ints_free(&l);
    return status;
}

mlxc_status mlxc_flatten(mlxc_array **out, mlxc_array *a, int start_axis,
    int end_axis, mlxc_stream *s)
{
    const int64_t one = 1;
    MX_TRY(mx_check("flatten", out, &a, 1));
    if (a->ndim == 0)
        return reshape(out, "flatten", a, &one, 1, s);
    int start = start_axis < 0 ? start_axis + a->ndim : start_axis;
    int end = end_axis < 0 ? end_axis + a->ndim : end_axis;
    start = start < 0 ? 0 : start;
    end = end >= a->ndim ? a->ndim - 1 : end;
    if (end < start)
        return mx_error(MLXC_ERR_ARGUMENT,
            "flatten: axes %d to %d are no range of %d dimensions",
            start_axis, end_axis, a->ndim);
    int64_t n = mx_shape_product(a->shape + start, end + 1 - start);
    return replace_dims(out, "flatten", a, start, end + 1, &n, 1, s);
}

mlxc_status mlxc_unflatten(mlxc_array **out, mlxc_array *a, int axis,
    const int64_t *shape, int ndim, mlxc_stream *s)
{
    int at;
    struct mx_ints l;
    MX_TRY(mx_check("unflatten", out, &a, 1));
    MX_TRY(mx_axis(&at, "unflatten", axis, a->ndim));
    if (ndim < 1 || !shape)
        return mx_error(MLXC_ERR_ARGUMENT, "unflatten: the shape is empty");
    int64_t *full = mx_ints_init(&l, "unflatten", ndim);
    if (!full)
        return MLXC_ERR_NOMEM;
    mlxc_status status =
        resolve(full, "unflatten", shape, ndim, a->shape[at]);
    if (!status)
        status = replace_dims(out, "unflatten", a, at, at + 1, full, ndim,
            s);
    mx_ints_free(&l);
    return status;
}

static mlxc_status atleast(mlxc_array **out, const char *op, mlxc_array *a,
    int ndim, mlxc_stream *s)
{
    int64_t shape[3] = { 1, 1, 1 };
    MX_TRY(mx_check(op, out, &a, 1));
    if (a->ndim >= ndim) {
        *out = mlxc_array_ref(a);
        return MLXC_OK;
    }
    /* a vector is the second dimension of two and of three */
    int at = a->ndim == 1 && ndim > 1 ? 1 : 0;
    memcpy(shape + at, a->shape, (size_t)a->ndim * sizeof *shape);
    return reshape(out, op, a, shape, ndim, s);
}

mlxc_status mlxc_atleast_1d(mlxc_array **out, mlxc_array *a, mlxc_stream *s)
{
    return atleast(out, "atleast_1d", a, 1, s);
}

mlxc_status mlxc_atleast_2d(mlxc_array **out, mlxc_array *a, mlxc_stream *s)
{
    return atleast(out, "atleast_2d", a, 2, s);
}

mlxc_status mlxc_atleast_3d(mlxc_array **out, mlxc_array *a, mlxc_stream *s)
{
    return atleast(out, "atleast_3d", a, 3, s);
}

/* ---- transpose ---- */

static mlxc_status infer_transpose(struct mx_infer *c)
{
    const struct mx_p_list *p = c->params;
    int64_t *shape = mx_infer_dims(c, (int)p->n);
    if (!shape)
        return MLXC_ERR_NOMEM;
    for (int i = 0; i < p->n; i++)
        shape[i] = c->input[0]->shape[p->v[i]];
    c->spec[0] = (struct mx_spec){ shape, (int)p->n,
        (mlxc_dtype)c->input[0]->dtype };
    return MLXC_OK;
}

static int view_transpose(struct mx_layout *l, const struct mx_node *node)
{
    const struct mx_p_list *p = node->params;
    for (int i = 0; i < p->n; i++)
        l->strides[i] = node->input[0]->strides[p->v[i]];
    return 1;
}

static void vjp_transpose(struct mx_vjp *v)
{
    const struct mx_p_list *p = v->params;
    struct mx_ints l;
    int64_t *back = mx_ints_init(&l, "transpose", (int)p->n);
    if (!back) {
        mx_scope_fail(v->scope, MLXC_ERR_NOMEM);
        return;
    }
    for (int i = 0; i < p->n; i++)
        back[p->v[i]] = i;
    v->grad[0] = apply_list_in(v->scope, v->op, v->cotangent[0], back,
        (int)p->n);
    mx_ints_free(&l);
}

static void vmap_transpose(struct mx_vmap *m)
{
    const struct mx_p_list *p = m->params;
    struct mx_ints l;
    mlxc_array *in;
    int64_t *axes = mx_ints_init(&l, "transpose", (int)p->n + 1);
    if (!axes) {
        mx_scope_fail(m->scope, MLXC_ERR_NOMEM);
        return;
    }
    mx_vmap_front(m, &in);
    axes[0] = 0;
    for (int i = 0; i < p->n; i++)
        axes[i + 1] = p->v[i] + 1;
    m->output[0] = apply_list_in(m->scope, m->op, in, axes, (int)p->n + 1);
    m->axis_out[0] = 0;
    mx_ints_free(&l);
}

const struct mx_op mx_op_transpose = {
    .name = "transpose",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_TRANSPOSE,
    .flags = MX_OP_SHARES | MX_OP_SMOOTH,
    .infer = infer_transpose,
    .view = view_transpose,
    .vjp = vjp_transpose,
    .jvp = jvp_same,
    .vmap = vmap_transpose,
};

/* `axes` is a permutation. */
static mlxc_status permute(mlxc_array **out, mlxc_array *a,
    const int64_t *axes, mlxc_stream *s)
{
    int same = 1;
    for (int i = 0; i < a->ndim; i++)
        same &= axes[i] == i;
    if (!same)
        return apply_list(out, &mx_op_transpose, a, axes, a->ndim, s);
    *out = mlxc_array_ref(a);
    return MLXC_OK;
}

mlxc_status mlxc_transpose(mlxc_array **out, mlxc_array *a, const int *axes,
    int naxes, mlxc_stream *s)
{
    struct mx_ints l, seen;
    MX_TRY(mx_check("transpose", out, &a, 1));
    int n = a->ndim;
    if (axes && naxes != n)
        return mx_error(MLXC_ERR_ARGUMENT,
            "transpose: %d axes for %d dimensions", naxes, n);
    int64_t *order = mx_ints_init(&l, "transpose", n);
    if (!order)
        return MLXC_ERR_NOMEM;
    int64_t *used = mx_ints_init(&seen, "transpose", n);
    mlxc_status status = used ? MLXC_OK : MLXC_ERR_NOMEM;
    for (int i = 0; i < n && used; i++)
        used[i] = 0;
    for (int i = 0; i < n && !status; i++) {
        int axis = n - 1 - i;
        if (axes)
            status = mx_axis(&axis, "transpose", axes[i], n);
        if (status)
            break;
        if (used[axis]++)
            status = mx_error(MLXC_ERR_ARGUMENT,
                "transpose: axis %d is repeated", axis);
        order[i] = axis;
    }
    if (!status)
        status = permute(out, a, order, s);
    if (used)
        mx_ints_free(&seen);
    mx_ints_free(&l);
    return status;
}

mlxc_status mlxc_swapaxes(mlxc_array **out, mlxc_array *a, int axis1,
    int axis2, mlxc_stream *s)
{
    int i, j;
    struct mx_ints l;
    MX_TRY(mx_check("swapaxes", out, &a, 1));
    MX_TRY(mx_axis(&i, "swapaxes", axis1, a->ndim));
    MX_TRY(mx_axis(&j, "swapaxes", axis2, a->ndim));
    int64_t *order = mx_ints_init(&l, "swapaxes", a->ndim);
    if (!order)
        return MLXC_ERR_NOMEM;
    for (int d = 0; d < a->ndim; d++)
        order[d] = d == i ? j : d == j ? i : d;
    mlxc_status status = permute(out, a, order, s);
    mx_ints_free(&l);
    return status;
}

mlxc_status mlxc_moveaxis(mlxc_array **out, mlxc_array *a, int source,
    int destination, mlxc_stream *s)
{
    int from, to;
    struct mx_ints l;
    MX_TRY(mx_check("moveaxis", out, &a, 1));
    MX_TRY(mx_axis(&from, "moveaxis", source, a->ndim));
    MX_TRY(mx_axis(&to, "moveaxis", destination, a->ndim));
    int64_t *order = mx_ints_init(&l, "moveaxis", a->ndim);
    if (!order)
        return MLXC_ERR_NOMEM;
    for (int d = 0, k = 0; d < a->ndim; d++) {
        if (k == from)
            k++;
        order[d] = d == to ? from : k++;
    }
    mlxc_status status = permute(out, a, order, s);
    mx_ints_free(&l);
    return status;
}

/* ---- broadcast ---- */

static int view_broadcast(struct mx_layout *l, const struct mx_node *node)
{
    const struct mx_p_list *p = node->params;
    mlxc_array *a = node->input[0];
    int extra = (int)p->n - a->ndim;
    for (int i = 0; i < p->n; i++) {
        int d = i - extra;
        l->strides[i] = d < 0 || a->shape[d] != p->v[i] ? 0 : a->strides[d];
    }
    return 1;
}

static void vjp_broadcast(struct mx_vjp *v)
{
    v->grad[0] = mx_sum_to(v->scope, v->cotangent[0], v->input[0]);
}

static void vmap_broadcast(struct mx_vmap *m)
{
    /* lengths of 1 between the batch and the rest keep axes aligned */
    const struct mx_p_list *p = m->params;
    struct mx_ints l;
    mlxc_array *in;
    mx_vmap_front(m, &in);
    int64_t *shape = in ? mx_ints_init(&l, "broadcast", (int)p->n + 1)
                        : NULL;
    if (!shape) {
        mx_scope_fail(m->scope, MLXC_ERR_NOMEM);
        return;
    }
    int missing = (int)p->n - (in->ndim - 1);
    shape[0] = m->size;
    for (int d = 0; d < p->n; d++)
        shape[d + 1] = d < missing ? 1 : in->shape[d - missing + 1];
    in = mlxe_reshape(m->scope, in, shape, (int)p->n + 1);
    mx_ints_free(&l);
    vmap_shape(m, in);
}

const struct mx_op mx_op_broadcast = {
    .name = "broadcast",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_BROADCAST,
    .flags = MX_OP_SHARES | MX_OP_SMOOTH,
    .infer = infer_list_shape,
    .view = view_broadcast,
    .vjp = vjp_broadcast,
    .jvp = jvp_same,
    .vmap = vmap_broadcast,
};

static mlxc_status broadcast_to(mlxc_array **out, const char *op,
    mlxc_array *a, const int64_t *shape, int ndim, mlxc_stream *s)
{
    char ta[MX_SHAPE_TEXT], tb[MX_SHAPE_TEXT];
    int64_t size;
    if (ndim < 0 || (ndim > 0 && !shape))
        return mx_error(MLXC_ERR_ARGUMENT, "%s: no shape of rank %d", op,
            ndim);
    MX_TRY(mx_shape_size(&size, op, shape, ndim, (int64_t)mx_itemsize(a)));
    int fits = a->ndim <= ndim;
    for (int d = 0; d < a->ndim && fits; d++)
        fits = a->shape[d] == 1 ||
            a->shape[d] == shape[d + ndim - a->ndim];
    if (!fits)
        return mx_error(MLXC_ERR_SHAPE, "%s: %s does not broadcast to %s",
            op, mx_shape_text(ta, a->shape, a->ndim),
            mx_shape_text(tb, shape, ndim));
    return mx_broadcast(out, op, a, shape, ndim, s);
}

mlxc_status mlxc_broadcast_to(mlxc_array **out, mlxc_array *a,
    const int64_t *shape, int ndim, mlxc_stream *s)
{
    MX_TRY(mx_check("broadcast_to", out, &a, 1));
    return broadcast_to(out, "broadcast_to", a, shape, ndim, s);
}

mlxc_status mlxc_broadcast_arrays(mlxc_arrays **out, mlxc_arrays *list,
    mlxc_stream *s)
{
    struct mx_ints l;
    int ndim = 0, n = mlxc_arrays_size(list);
    MX_TRY(mlxc_arrays_new(out));
    if (n == 0)
        return MLXC_OK;
    for (int i = 0; i < n; i++)
        ndim = list->item[i]->ndim > ndim ? list->item[i]->ndim : ndim;
    int64_t *shape = mx_ints_init(&l, "broadcast_arrays", ndim);
    mlxc_status status = shape ? MLXC_OK : MLXC_ERR_NOMEM;
    if (!status)
        status = mx_broadcast_shape(shape, &ndim, "broadcast_arrays",
            list->item, n);
    for (int i = 0; i < n && !status; i++) {
        mlxc_array *one;
        status = broadcast_to(&one, "broadcast_arrays", list->item[i], shape,
            ndim, s);
        if (!status)
            status = mlxc_arrays_push_take(*out, one);
    }
    if (shape)
        mx_ints_free(&l);
    if (status) {
        mlxc_arrays_unref(*out);
        *out = NULL;
    }
    return status;
}

/* ---- squeeze and expand_dims: the list holds sorted axes ---- */

static int listed(const struct mx_p_list *p, int64_t axis)
{
    for (int i = 0; i < p->n; i++) {
        if (p->v[i] == axis)
            return 1;
    }
    return 0;
}

static mlxc_status infer_squeeze(struct mx_infer *c)
{
    const struct mx_p_list *p = c->params;
    mlxc_array *a = c->input[0];
    int64_t *shape = mx_infer_dims(c, a->ndim);
    int n = 0;
    if (!shape)
        return MLXC_ERR_NOMEM;
    for (int d = 0; d < a->ndim; d++) {
        if (!listed(p, d))
            shape[n++] = a->shape[d];
    }
    c->spec[0] = (struct mx_spec){ shape, n, (mlxc_dtype)a->dtype };
    return MLXC_OK;
}

static int view_squeeze(struct mx_layout *l, const struct mx_node *node)
{
    mlxc_array *a = node->input[0];
    for (int d = 0, n = 0; d < a->ndim; d++) {
        if (!listed(node->params, d))
            l->strides[n++] = a->strides[d];
    }
    return 1;
}

static void vjp_squeeze(struct mx_vjp *v)
{
    vjp_reshape(v);
}

static void vmap_axes(struct mx_vmap *m)
{
    const struct mx_p_list *p = m->params;
    struct mx_ints l;
    mlxc_array *in;
    int64_t *axes = mx_ints_init(&l, m->op->name, (int)p->n);
    if (!axes) {
        mx_scope_fail(m->scope, MLXC_ERR_NOMEM);
        return;
    }
    mx_vmap_front(m, &in);
    for (int i = 0; i < p->n; i++)
        axes[i] = p->v[i] + 1;
    m->output[0] = apply_list_in(m->scope, m->op, in, axes, (int)p->n);
    m->axis_out[0] = 0;
    mx_ints_free(&l);
}

const struct mx_op mx_op_squeeze = {
    .name = "squeeze",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_SQUEEZE,
    .flags = MX_OP_SHARES | MX_OP_SMOOTH,
    .infer = infer_squeeze,
    .view = view_squeeze,
    .vjp = vjp_squeeze,
    .jvp = jvp_same,
    .vmap = vmap_axes,
};

static mlxc_status infer_expand(struct mx_infer *c)
{
    const struct mx_p_list *p = c->params;
    mlxc_array *a = c->input[0];
    int n = a->ndim + (int)p->n;
    int64_t *shape = mx_infer_dims(c, n);
    if (!shape)
        return MLXC_ERR_NOMEM;
    for (int d = 0, k = 0; d < n; d++)
        shape[d] = listed(p, d) ? 1 : a->shape[k++];
    c->spec[0] = (struct mx_spec){ shape, n, (mlxc_dtype)a->dtype };
    return MLXC_OK;
}

static int view_expand(struct mx_layout *l, const struct mx_node *node)
{
    mlxc_array *a = node->input[0], *out = node->output[0];
    for (int d = out->ndim - 1, k = a->ndim - 1; d >= 0; d--) {
        if (!listed(node->params, d))
            l->strides[d] = a->strides[k--];
        else
            l->strides[d] = d + 1 < out->ndim
                ? l->strides[d + 1] * out->shape[d + 1] : 1;
    }
    return 1;
}

const struct mx_op mx_op_expand_dims = {
    .name = "expand_dims",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_EXPAND_DIMS,
    .flags = MX_OP_SHARES | MX_OP_SMOOTH,
    .infer = infer_expand,
    .view = view_expand,
    .vjp = vjp_squeeze,
    .jvp = jvp_same,
    .vmap = vmap_axes,
};

/* Sorted, checked axes for a rank; *n may be reached by NULL: those of length
   1. */
static mlxc_status apply_axes(mlxc_array **out, const struct mx_op *op,
    mlxc_array *a, const int *axes, int naxes, int ndim, int must_be_one,
    mlxc_stream *s)
{
    struct mx_ints l;
    if (naxes < 0)
        return mx_error(MLXC_ERR_ARGUMENT, "%s: %d axes", op->name, naxes);
    int room = axes ? naxes : a->ndim, n = 0;
    int64_t *list = mx_ints_init(&l, op->name, room);
    if (!list)
        return MLXC_ERR_NOMEM;
    mlxc_status status = MLXC_OK;
    for (int d = 0; d < a->ndim && !axes; d++) {
        if (a->shape[d] == 1)
            list[n++] = d;
    }
    for (int i = 0; axes && i < naxes && !status; i++) {
        int axis, k = n;
        status = mx_axis(&axis, op->name, axes[i], ndim);
        if (status)
            break;
        for (; k > 0 && list[k - 1] > axis; k--)
            list[k] = list[k - 1];
        if (k > 0 && list[k - 1] == axis)
            status = mx_error(MLXC_ERR_ARGUMENT, "%s: axis %d is repeated",
                op->name, axes[i]);
        else if (must_be_one && a->shape[axis] != 1)
            status = mx_error(MLXC_ERR_SHAPE,
                "%s: axis %d has length %lld, not 1", op->name, axes[i],
                (long long)a->shape[axis]);
        list[k] = axis;
        n++;
    }
    if (!status && n == 0)
        *out = mlxc_array_ref(a);
    else if (!status)
        status = apply_list(out, op, a, list, n, s);
    mx_ints_free(&l);
    return status;
}

mlxc_status mlxc_squeeze(mlxc_array **out, mlxc_array *a, const int *axes,
    int naxes, mlxc_stream *s)
{
    MX_TRY(mx_check("squeeze", out, &a, 1));
    return apply_axes(out, &mx_op_squeeze, a, axes, naxes, a->ndim, 1, s);
}

mlxc_status mlxc_expand_dims(mlxc_array **out, mlxc_array *a, const int *axes,
    int naxes, mlxc_stream *s)
{
    MX_TRY(mx_check("expand_dims", out, &a, 1));
    if (naxes > 0 && !axes)
        return mx_error(MLXC_ERR_ARGUMENT, "expand_dims: axes is NULL");
    static const int none;
    return apply_axes(out, &mx_op_expand_dims, a, axes ? axes : &none, naxes,
        a->ndim + naxes, 0, s);
}
