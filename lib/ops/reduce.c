/* SPDX-License-Identifier: MIT */
/* Reductions over lists of axes.  The primitive drops the axes; keepdims is a
   reshape.  mean, var and others are composed. */
#include <string.h>

#include <mlxc/expr.h>

#include "core/backend.h"
#include "core/scope.h"
#include "core/shape.h"
#include "ops/infer.h"
#include "ops/reduce.h"

static int reduced(const struct mx_p_reduce *p, int axis)
{
    for (int i = 0; i < p->n; i++) {
        if (p->v[i] == axis)
            return 1;
    }
    return 0;
}

/* Sums and products of small integers are 32 bits wide, as the kernels
   write them. */
static mlxc_dtype result_dtype(enum mx_reduce_kind kind, mlxc_dtype d)
{
    if (kind == MX_REDUCE_ALL || kind == MX_REDUCE_ANY)
        return MLXC_BOOL;
    if (kind == MX_REDUCE_MAX || kind == MX_REDUCE_MIN ||
        mx_dtypes[d].size >= 4 || mx_dtype_is(d, MX_KINDS_INEXACT))
        return d;
    return mx_dtype_is(d, MX_KIND_UINT) ? MLXC_UINT32 : MLXC_INT32;
}

static mlxc_status infer_reduce(struct mx_infer *c)
{
    const struct mx_p_reduce *p = c->params;
    mlxc_array *a = c->input[0];
    int64_t *shape = mx_infer_dims(c, a->ndim);
    int n = 0;
    if (!shape)
        return MLXC_ERR_NOMEM;
    for (int d = 0; d < a->ndim; d++) {
        if (!reduced(p, d))
            shape[n++] = a->shape[d];
    }
    c->spec[0] = (struct mx_spec){ shape, n,
        result_dtype((enum mx_reduce_kind)p->kind, (mlxc_dtype)a->dtype) };
    return MLXC_OK;
}

/* `a` with dimensions of length 1 where axes were reduced. */
mlxc_array *mx_keep_axes(mlxc_scope *c, const struct mx_p_reduce *p,
    mlxc_array *a, mlxc_array *like)
{
    struct mx_ints l;
    if (!a)
        return NULL;
    int64_t *shape = mx_ints_init(&l, "reduce", like->ndim);
    if (!shape) {
        mx_scope_fail(c, MLXC_ERR_NOMEM);
        return NULL;
    }
    for (int d = 0; d < like->ndim; d++)
        shape[d] = reduced(p, d) ? 1 : like->shape[d];
    a = mlxe_reshape(c, a, shape, like->ndim);
    mx_ints_free(&l);
    return a;
}

/* The reduced axes moved to the end and merged: (..., n). */
mlxc_array *mx_merge_axes(mlxc_scope *c, const struct mx_p_reduce *p,
    mlxc_array *a)
{
    struct mx_ints l, order;
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    int64_t *shape = mx_ints_init(&l, "reduce", a->ndim + 1);
    if (!shape) {
        mx_scope_fail(c, MLXC_ERR_NOMEM);
        return NULL;
    }
    int *axes = (int *)mx_ints_init(&order, "reduce", a->ndim);
    if (axes) {
        int n = 0, k = 0;
        for (int d = 0; d < a->ndim; d++) {
            if (!reduced(p, d)) {
                shape[n] = a->shape[d];
                axes[n++] = d;
            }
        }
        int64_t size = 1;
        for (int d = 0; d < a->ndim; d++) {
            if (reduced(p, d)) {
                axes[n + k++] = d;
                size *= a->shape[d];
            }
        }
        shape[n] = size;
        out = mlxe_reshape(c, mlxe_transpose(c, a, axes, a->ndim), shape,
            n + 1);
        mx_ints_free(&order);
    } else {
        mx_scope_fail(c, MLXC_ERR_NOMEM);
    }
    mx_ints_free(&l);
    return out;
}

/* Back from (..., n) to the shape and order of `like`. */
mlxc_array *mx_unmerge_axes(mlxc_scope *c, const struct mx_p_reduce *p,
    mlxc_array *a, mlxc_array *like)
{
    struct mx_ints l, order;
    mlxc_array *out = NULL;
    if (!a)
        return NULL;
    int64_t *shape = mx_ints_init(&l, "reduce", like->ndim);
    if (!shape) {
        mx_scope_fail(c, MLXC_ERR_NOMEM);
        return NULL;
    }
    int *axes = (int *)mx_ints_init(&order, "reduce", like->ndim);
    if (axes) {
        int n = 0;
        for (int pass = 0; pass < 2; pass++) {
            for (int d = 0; d < like->ndim; d++) {
                if (reduced(p, d) == pass) {
                    axes[d] = n;
                    shape[n++] = like->shape[d];
                }
            }
        }
        out = mlxe_transpose(c, mlxe_reshape(c, a, shape, like->ndim), axes,
            like->ndim);
        mx_ints_free(&order);
    } else {
        mx_scope_fail(c, MLXC_ERR_NOMEM);
    }
    mx_ints_free(&l);
    return out;
}

/* d prod / d x_i: the product of the others, exact where elements are 0: the
   exclusive running products from both ends. */
static mlxc_array *others(mlxc_scope *c, const struct mx_p_reduce *p,
    mlxc_array *a, mlxc_dtype dtype)
{
    mlxc_array *flat = mx_merge_axes(c, p, mlxe_astype(c, a, dtype));
    mlxc_array *before = flat ? mlxe_cumprod(c, flat, -1, false, false)
                              : NULL;
    mlxc_array *after = flat ? mlxe_cumprod(c, flat, -1, true, false) : NULL;
    return mx_unmerge_axes(c, p, mlxe_multiply(c, before, after), a);
}

/* Sum over the same axes, in the dtype of `a`. */
static mlxc_array *sum_over(mlxc_scope *c, const struct mx_p_reduce *p,
    mlxc_array *a)
{
    struct mx_block b;
    if (!a)
        return NULL;
    struct mx_p_reduce *q = mx_block_init(&b, "reduce", sizeof *q, p->n);
    if (!q) {
        mx_scope_fail(c, MLXC_ERR_NOMEM);
        return NULL;
    }
    memcpy(q, p, b.size);
    q->kind = MX_REDUCE_SUM;
    q->ddof = 0;
    mlxc_array *sum = mx_apply_in(c, &mx_op_reduce, q, b.size, &a, 1);
    mx_block_free(&b);
    return mlxe_astype(c, sum, (mlxc_dtype)a->dtype);
}

static void vjp_reduce(struct mx_vjp *v)
{
    const struct mx_p_reduce *p = v->params;
    mlxc_scope *c = v->scope;
    mlxc_array *a = v->input[0];
    mlxc_array *g = mx_keep_axes(c, p, v->cotangent[0], a);
    if (p->kind == MX_REDUCE_SUM) {
        g = mlxe_broadcast_to(c, g, a->shape, a->ndim);
    } else if (p->kind == MX_REDUCE_PROD) {
        g = mlxe_multiply(c, g, mlxe_conjugate(c, others(c, p, a,
            (mlxc_dtype)v->output[0]->dtype)));
    } else if (p->kind == MX_REDUCE_MAX || p->kind == MX_REDUCE_MIN) {
        /* those that tie share evenly */
        mlxc_array *mask = mlxe_astype(c, mlxe_equal(c, a,
            mx_keep_axes(c, p, v->output[0], a)), (mlxc_dtype)a->dtype);
        mlxc_array *number = mx_keep_axes(c, p, sum_over(c, p, mask), a);
        g = mlxe_multiply(c, mlxe_divide(c, g, number), mask);
    } else {
        return;
    }
    v->grad[0] = mlxe_astype(c, g, (mlxc_dtype)a->dtype);
}

static void jvp_reduce(struct mx_jvp *j)
{
    const struct mx_p_reduce *p = j->params;
    mlxc_scope *c = j->scope;
    mlxc_array *a = j->input[0], *t = j->tangent[0];
    if (p->kind == MX_REDUCE_ALL || p->kind == MX_REDUCE_ANY)
        return;
    if (p->kind == MX_REDUCE_PROD) {
        t = mlxe_multiply(c, t, others(c, p, a,
            (mlxc_dtype)j->output[0]->dtype));
    } else if (p->kind != MX_REDUCE_SUM) {
        /* the transpose of the vjp: the mean of those that tie */
        mlxc_array *one = mlxe_ones_like(c, j->output[0]), *weight = NULL;
        unsigned char wanted = 1;
        struct mx_vjp v = { .scope = c, .op = j->op, .params = j->params,
            .nparams = j->nparams, .ninputs = 1, .noutputs = 1,
            .input = j->input, .output = j->output, .cotangent = &one,
            .wanted = &wanted, .grad = &weight };
        if (one)
            vjp_reduce(&v);
        t = mlxe_multiply(c, t, weight);
    }
    t = sum_over(c, p, t);
    j->tangent_out[0] =
        mlxe_astype(c, t, (mlxc_dtype)j->output[0]->dtype);
}

static void vmap_reduce(struct mx_vmap *m)
{
    const struct mx_p_reduce *p = m->params;
    struct mx_block b;
    mlxc_array *in;
    mx_vmap_front(m, &in);
    struct mx_p_reduce *q = mx_block_init(&b, "reduce", sizeof *q, p->n);
    if (!q) {
        mx_scope_fail(m->scope, MLXC_ERR_NOMEM);
        return;
    }
    memcpy(q, p, b.size);
    for (int i = 0; i < q->n; i++)
        q->v[i]++;
    m->output[0] = mx_vmap_again(m, q, b.size, &in);
    m->axis_out[0] = 0;
    mx_block_free(&b);
}

const struct mx_op mx_op_reduce = {
    .name = "reduce",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_REDUCE,
    .infer = infer_reduce,
    .vjp = vjp_reduce,
    .jvp = jvp_reduce,
    .vmap = vmap_reduce,
};

/* ---- var: of floats, in one pass ---- */

/* 2 (x - mean) / (n - ddof) */
static mlxc_array *slope(mlxc_scope *c, const struct mx_p_reduce *p,
    mlxc_array *a, mlxc_array *sum)
{
    double n = 1;
    for (int i = 0; i < p->n; i++)
        n *= (double)a->shape[p->v[i]];
    double rest = n > (double)p->ddof ? n - (double)p->ddof : 0;
    mlxc_array *mean = mlxe_multiply(c, mx_keep_axes(c, p, sum, a),
        mlxe_constant(c, 1 / n, a));
    return mlxe_multiply(c, mlxe_subtract(c, a, mean),
        mlxe_constant(c, 2 / rest, a));
}

static void vjp_var(struct mx_vjp *v)
{
    const struct mx_p_reduce *p = v->params;
    mlxc_array *a = v->input[0];
    v->grad[0] = mlxe_multiply(v->scope, slope(v->scope, p, a,
        sum_over(v->scope, p, a)),
        mx_keep_axes(v->scope, p, v->cotangent[0], a));
}

static void jvp_var(struct mx_jvp *j)
{
    const struct mx_p_reduce *p = j->params;
    mlxc_array *a = j->input[0];
    j->tangent_out[0] = sum_over(j->scope, p, mlxe_multiply(j->scope,
        j->tangent[0], slope(j->scope, p, a, sum_over(j->scope, p, a))));
}

const struct mx_op mx_op_var = {
    .name = "var",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_VAR,
    .flags = MX_OP_SMOOTH,
    .infer = infer_reduce,
    .vjp = vjp_var,
    .jvp = jvp_var,
    .vmap = vmap_reduce,
};

/* Sorted axes into the block; NULL: all. */
mlxc_status mx_reduce_params(struct mx_block *b, struct mx_p_reduce **out,
    const char *op, mlxc_array *a, const int *axes, int naxes)
{
    int n = axes ? naxes : a->ndim;
    if (n < 0 || (axes && n > a->ndim))
        return mx_error(MLXC_ERR_ARGUMENT, "%s: %d axes for %d dimensions",
            op, naxes, a->ndim);
    struct mx_p_reduce *p = mx_block_init(b, op, sizeof *p, n);
    if (!p)
        return MLXC_ERR_NOMEM;
    mlxc_status status = MLXC_OK;
    for (int i = 0; i < n && !status; i++) {
        int axis = i, k = i;
        if (axes)
            status = mx_axis(&axis, op, axes[i], a->ndim);
        if (status)
            break;
        for (; k > 0 && p->v[k - 1] > axis; k--)
            p->v[k] = p->v[k - 1];
        if (k > 0 && p->v[k - 1] == axis)
            status = mx_error(MLXC_ERR_ARGUMENT, "%s: axis %d is repeated",
                op, axes[i]);
        p->v[k] = axis;
    }
    p->n = n;
    if (status)
        mx_block_free(b);
    *out = p;
    return status;
}

/* Give the reduced dimensions back with length 1; takes over `a`. */
static mlxc_status keep(mlxc_array **out, mlxc_array *a,
    const struct mx_p_reduce *p, mlxc_array *like, mlxc_stream *s)
{
    struct mx_ints l;
    int64_t *shape = mx_ints_init(&l, "reduce", like->ndim);
    mlxc_status status = shape ? MLXC_OK : MLXC_ERR_NOMEM;
    for (int d = 0; d < like->ndim && shape; d++)
        shape[d] = reduced(p, d) ? 1 : like->shape[d];
    if (shape) {
        status = mlxc_reshape(out, a, shape, like->ndim, s);
        mx_ints_free(&l);
    }
    mlxc_array_unref(a);
    return status;
}

static mlxc_status reduce(mlxc_array **out, const char *op,
    enum mx_reduce_kind kind, mlxc_array *a, const int *axes, int naxes,
    bool keepdims, mlxc_stream *s)
{
    struct mx_block b;
    struct mx_p_reduce *p;
    char text[MX_SHAPE_TEXT];
    MX_TRY(mx_check(op, out, &a, 1));
    MX_TRY(mx_reduce_params(&b, &p, op, a, axes, naxes));
    p->kind = kind;
    int64_t n = 1;
    for (int i = 0; i < p->n; i++)
        n *= a->shape[p->v[i]];
    mlxc_status status = MLXC_OK;
    if (n == 0 && (kind == MX_REDUCE_MAX || kind == MX_REDUCE_MIN))
        status = mx_error(MLXC_ERR_SHAPE,
            "%s: nothing to reduce in shape %s", op,
            mx_shape_text(text, a->shape, a->ndim));
    mlxc_array *r = NULL;
    if (!status)
        status = mx_apply1(&r, &mx_op_reduce, p, b.size, a, s);
    if (!status && keepdims)
        status = keep(out, r, p, a, s);
    else
        *out = r;
    mx_block_free(&b);
    return status;
}

#define REDUCE(name, kind) \
    mlxc_status mlxc_##name(mlxc_array **out, mlxc_array *a, \
        const int *axes, int naxes, bool keepdims, mlxc_stream *s) \
    { return reduce(out, #name, kind, a, axes, naxes, keepdims, s); }
REDUCE(sum, MX_REDUCE_SUM)
REDUCE(prod, MX_REDUCE_PROD)
REDUCE(max, MX_REDUCE_MAX)
REDUCE(min, MX_REDUCE_MIN)
REDUCE(all, MX_REDUCE_ALL)
REDUCE(any, MX_REDUCE_ANY)

static mlxc_status finish(mlxc_array **out, mlxc_scope *c, mlxc_array *a)
{
    mlxc_status status = mlxc_scope_export(out, c, a);
    mlxc_scope_free(c);
    return status;
}

mlxc_status mlxc_count_nonzero(mlxc_array **out, mlxc_array *a,
    const int *axes, int naxes, bool keepdims, mlxc_stream *s)
{
    mlxc_scope *c;
    MX_TRY(mx_check("count_nonzero", out, &a, 1));
    MX_TRY(mlxc_scope_new(&c, s));
    return finish(out, c, mlxe_sum(c, mlxe_astype(c, a, MLXC_BOOL), axes,
        naxes, keepdims));
}

/* How many elements each result comes from. */
static mlxc_status counted(double *out, const char *op, mlxc_array *a,
    const int *axes, int naxes)
{
    struct mx_block b;
    struct mx_p_reduce *p;
    MX_TRY(mx_reduce_params(&b, &p, op, a, axes, naxes));
    *out = 1;
    for (int i = 0; i < p->n; i++)
        *out *= (double)a->shape[p->v[i]];
    mx_block_free(&b);
    return MLXC_OK;
}

/* In float64 for integers, whose sum need not fit the integer, and in float32
   for 16-bit floats, whose sum may overflow where the mean does not. */
static mlxc_dtype work_dtype(mlxc_dtype d)
{
    if (!mx_dtype_is(d, MX_KINDS_INEXACT))
        return MLXC_FLOAT64;
    return mx_dtypes[d].size == 2 ? MLXC_FLOAT32 : d;
}

static mlxc_array *mean(mlxc_scope *c, mlxc_array *a, const int *axes,
    int naxes, bool keepdims, double n)
{
    mlxc_dtype d = (mlxc_dtype)a->dtype;
    mlxc_dtype work = work_dtype(d);
    mlxc_array *sum = mlxe_sum(c, mlxe_astype(c, a, work), axes, naxes,
        keepdims);
    return mlxe_astype(c, mlxe_divide(c, sum, mlxe_scalar(c, n, work)),
        mx_dtype_at_least_float(d));
}

mlxc_status mlxc_mean(mlxc_array **out, mlxc_array *a, const int *axes,
    int naxes, bool keepdims, mlxc_stream *s)
{
    mlxc_scope *c;
    double n;
    MX_TRY(mx_check("mean", out, &a, 1));
    MX_TRY(counted(&n, "mean", a, axes, naxes));
    MX_TRY(mlxc_scope_new(&c, s));
    return finish(out, c, mean(c, a, axes, naxes, keepdims, n));
}

/* Whether the scope's device has the op as such; else it is composed. */
static int has_var(mlxc_scope *c)
{
    mlxc_stream *s = mx_stream_or_default(mlxc_scope_stream(c));
    return s && s->device->backend->eval[MX_OP_VAR] != NULL;
}

/* In two passes. */
static mlxc_array *var_of_parts(mlxc_scope *c, mlxc_array *a,
    const struct mx_p_reduce *p)
{
    double n = 1;
    for (int i = 0; i < p->n; i++)
        n *= (double)a->shape[p->v[i]];
    double rest = n > (double)p->ddof ? n - (double)p->ddof : 0;
    mlxc_array *mean = mlxe_multiply(c, mx_keep_axes(c, p, sum_over(c, p, a),
        a), mlxe_constant(c, 1 / n, a));
    mlxc_array *squares = mlxe_square(c, mlxe_subtract(c, a, mean));
    return mlxe_divide(c, sum_over(c, p, squares),
        mlxe_constant(c, rest, a));
}

/* `n` numbers are in each variance. */
static mlxc_array *var(mlxc_scope *c, mlxc_array *a, const int *axes,
    int naxes, bool keepdims, int ddof, double n)
{
    mlxc_dtype d = (mlxc_dtype)a->dtype;
    struct mx_block b;
    struct mx_p_reduce *p;
    if (d == MLXC_COMPLEX64) {
        /* the variances of both parts add up; divided by 0 only then, as one
           of them may be 0 */
        int none = n <= (double)ddof;
        mlxc_array *re = mlxe_real(c, a), *im = mlxe_imag(c, a);
        if (!re || !im)
            return NULL;
        re = var(c, re, axes, naxes, keepdims, none ? 0 : ddof, n);
        im = var(c, im, axes, naxes, keepdims, none ? 0 : ddof, n);
        re = mlxe_add(c, re, im);
        return none ? mlxe_divide(c, re, mlxe_constant(c, 0, re)) : re;
    }
    int one_pass = has_var(c);
    mlxc_dtype work = one_pass && mx_dtype_is(d, MX_KIND_FLOAT) ? d
        : work_dtype(d);
    mlxc_status status = mx_reduce_params(&b, &p, "var", a, axes, naxes);
    if (status) {
        mx_scope_fail(c, status);
        return NULL;
    }
    p->ddof = ddof;
    a = mlxe_astype(c, a, work);
    mlxc_array *x = !a ? NULL : one_pass
        ? mx_apply_in(c, &mx_op_var, p, b.size, &a, 1)
        : var_of_parts(c, a, p);
    if (keepdims)
        x = mx_keep_axes(c, p, x, a);
    mx_block_free(&b);
    return mlxe_astype(c, x, mx_dtype_at_least_float(d));
}

mlxc_status mlxc_var(mlxc_array **out, mlxc_array *a, const int *axes,
    int naxes, bool keepdims, int ddof, mlxc_stream *s)
{
    mlxc_scope *c;
    double n;
    MX_TRY(mx_check("var", out, &a, 1));
    MX_TRY(counted(&n, "var", a, axes, naxes));
    MX_TRY(mlxc_scope_new(&c, s));
    return finish(out, c, var(c, a, axes, naxes, keepdims, ddof, n));
}

mlxc_status mlxc_std(mlxc_array **out, mlxc_array *a, const int *axes,
    int naxes, bool keepdims, int ddof, mlxc_stream *s)
{
    mlxc_scope *c;
    double n;
    MX_TRY(mx_check("std", out, &a, 1));
    MX_TRY(counted(&n, "std", a, axes, naxes));
    MX_TRY(mlxc_scope_new(&c, s));
    return finish(out, c, mlxe_sqrt(c, var(c, a, axes, naxes, keepdims,
        ddof, n)));
}
