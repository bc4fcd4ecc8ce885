/* SPDX-License-Identifier: MIT */
/* softmax and logsumexp.  The primitives work along the last axis; other axes
   are merged and moved there. */
#include <mlxc/expr.h>

#include "core/scope.h"
#include "ops/infer.h"
#include "ops/reduce.h"

static const int last = -1;

static void vjp_softmax(struct mx_vjp *v)
{
    mlxc_scope *c = v->scope;
    mlxc_array *p = mlxe_multiply(c, v->cotangent[0], v->output[0]);
    mlxc_array *sum = mlxe_sum(c, p, &last, 1, true);
    v->grad[0] = mlxe_subtract(c, p, mlxe_multiply(c, v->output[0], sum));
}

static void jvp_softmax(struct mx_jvp *j)
{
    mlxc_scope *c = j->scope;
    mlxc_array *p = mlxe_multiply(c, j->tangent[0], j->output[0]);
    mlxc_array *sum = mlxe_sum(c, p, &last, 1, true);
    j->tangent_out[0] =
        mlxe_subtract(c, p, mlxe_multiply(c, j->output[0], sum));
}

static void vmap_last(struct mx_vmap *m)
{
    mlxc_array *in;
    mx_vmap_front(m, &in);
    m->output[0] = mx_vmap_again(m, m->params, m->nparams, &in);
    m->axis_out[0] = 0;
}

const struct mx_op mx_op_softmax = {
    .name = "softmax",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_SOFTMAX,
    .flags = MX_OP_SMOOTH,
    .infer = mx_infer_same,
    .vjp = vjp_softmax,
    .jvp = jvp_softmax,
    .vmap = vmap_last,
};

/* The last axis is dropped. */
static mlxc_status infer_logsumexp(struct mx_infer *c)
{
    mlxc_array *a = c->input[0];
    c->spec[0] = (struct mx_spec){ a->shape, a->ndim - 1,
        (mlxc_dtype)a->dtype };
    return MLXC_OK;
}

/* softmax, but zero in a row of -infinity: there is nothing to share */
static mlxc_array *weights(mlxc_scope *c, mlxc_array *a, mlxc_array *o)
{
    mlxc_array *zero = mlxe_constant(c, 0, o);
    mlxc_array *level = mlxe_expand_dims(c, mlxe_where(c,
        mlxe_isneginf(c, o), zero, o), &last, 1);
    return mlxe_exp(c, mlxe_subtract(c, a, level));
}

static void vjp_logsumexp(struct mx_vjp *v)
{
    mlxc_scope *c = v->scope;
    v->grad[0] = mlxe_multiply(c, mlxe_expand_dims(c, v->cotangent[0], &last,
        1), weights(c, v->input[0], v->output[0]));
}

static void jvp_logsumexp(struct mx_jvp *j)
{
    mlxc_scope *c = j->scope;
    j->tangent_out[0] = mlxe_sum(c, mlxe_multiply(c, j->tangent[0],
        weights(c, j->input[0], j->output[0])), &last, 1, false);
}

const struct mx_op mx_op_logsumexp = {
    .name = "logsumexp",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_LOGSUMEXP,
    .flags = MX_OP_SMOOTH,
    .infer = infer_logsumexp,
    .vjp = vjp_logsumexp,
    .jvp = jvp_logsumexp,
    .vmap = vmap_last,
};

/* Check, cast to a real float, and list the axes. */
static mlxc_status prepare(mlxc_scope **c, struct mx_block *b,
    struct mx_p_reduce **p, mlxc_array **x, const char *op,
    mlxc_array **out, mlxc_array *a, const int *axes, int naxes,
    mlxc_stream *s)
{
    MX_TRY(mx_check(op, out, &a, 1));
    MX_TRY(mx_check_kinds(op, a, MX_KINDS_BUIF));
    MX_TRY(mx_reduce_params(b, p, op, a, axes, naxes));
    mlxc_status status = mlxc_scope_new(c, s);
    if (status) {
        mx_block_free(b);
        return status;
    }
    *x = mlxe_astype(*c, a, mx_dtype_at_least_float((mlxc_dtype)a->dtype));
    return MLXC_OK;
}

static int is_last(const struct mx_p_reduce *p, mlxc_array *a)
{
    return p->n == 1 && p->v[0] == a->ndim - 1;
}

mlxc_status mlxc_softmax(mlxc_array **out, mlxc_array *a, const int *axes,
    int naxes, mlxc_stream *s)
{
    mlxc_scope *c;
    struct mx_block b;
    struct mx_p_reduce *p;
    mlxc_array *x;
    MX_TRY(prepare(&c, &b, &p, &x, "softmax", out, a, axes, naxes, s));
    mlxc_array *flat = x && !is_last(p, x) ? mx_merge_axes(c, p, x) : x;
    mlxc_array *y =
        flat ? mx_apply_in(c, &mx_op_softmax, NULL, 0, &flat, 1) : NULL;
    if (y && flat != x)
        y = mx_unmerge_axes(c, p, y, x);
    mx_block_free(&b);
    mlxc_status status = mlxc_scope_export(out, c, y);
    mlxc_scope_free(c);
    return status;
}

mlxc_status mlxc_logsumexp(mlxc_array **out, mlxc_array *a, const int *axes,
    int naxes, bool keepdims, mlxc_stream *s)
{
    mlxc_scope *c;
    struct mx_block b;
    struct mx_p_reduce *p;
    mlxc_array *x;
    MX_TRY(prepare(&c, &b, &p, &x, "logsumexp", out, a, axes, naxes, s));
    mlxc_array *flat = x && !is_last(p, x) ? mx_merge_axes(c, p, x) : x;
    mlxc_array *y =
        flat ? mx_apply_in(c, &mx_op_logsumexp, NULL, 0, &flat, 1) : NULL;
    if (y && keepdims)
        y = mx_keep_axes(c, p, y, x);
    mx_block_free(&b);
    mlxc_status status = mlxc_scope_export(out, c, y);
    mlxc_scope_free(c);
    return status;
}
