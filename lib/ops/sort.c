/* SPDX-License-Identifier: MIT */
/* Sorting.  The primitives work along the last axis; other axes are moved
   there and back.  A partition is a sort, whose radix passes cost no more than
   a selection does. */
#include <mlxc/expr.h>

#include "core/scope.h"
#include "core/shape.h"
#include "ops/infer.h"

static mlxc_status infer_argsort(struct mx_infer *c)
{
    mlxc_array *a = c->input[0];
    c->spec[0] = (struct mx_spec){ a->shape, a->ndim,
        a->shape[a->ndim - 1] > UINT32_MAX ? MLXC_UINT64 : MLXC_UINT32 };
    return MLXC_OK;
}

static mlxc_array *positions(mlxc_scope *c, mlxc_array *a)
{
    return a ? mx_apply_in(c, &mx_op_argsort, NULL, 0, &a, 1) : NULL;
}

static void vjp_sort(struct mx_vjp *v)
{
    mlxc_array *at = positions(v->scope, v->input[0]);
    v->grad[0] = mlxe_put_along_axis(v->scope,
        mlxe_zeros_like(v->scope, v->input[0]), at, v->cotangent[0], -1);
}

static void jvp_sort(struct mx_jvp *j)
{
    if (j->tangent[0])
        j->tangent_out[0] = mlxe_take_along_axis(j->scope, j->tangent[0],
            positions(j->scope, j->input[0]), -1);
}

static void vmap_sort(struct mx_vmap *m)
{
    mlxc_array *in;
    mx_vmap_front(m, &in);
    m->output[0] = mx_vmap_again(m, m->params, m->nparams, &in);
    m->axis_out[0] = 0;
}

const struct mx_op mx_op_sort = {
    .name = "sort",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_SORT,
    .flags = MX_OP_SMOOTH,
    .infer = mx_infer_same,
    .vjp = vjp_sort,
    .jvp = jvp_sort,
    .vmap = vmap_sort,
};

const struct mx_op mx_op_argsort = {
    .name = "argsort",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_ARGSORT,
    .infer = infer_argsort,
    .vmap = vmap_sort,
    .exempt = "positions are no continuous function",
};

static mlxc_status sort(mlxc_array **out, const char *name,
    const struct mx_op *op, mlxc_array *a, int axis, mlxc_stream *s)
{
    mlxc_scope *c;
    int at;
    MX_TRY(mx_check(name, out, &a, 1));
    MX_TRY(mx_axis(&at, name, axis, a->ndim));
    if (at == a->ndim - 1)
        return mx_apply1(out, op, NULL, 0, a, s);
    MX_TRY(mlxc_scope_new(&c, s));
    mlxc_array *r = mlxe_swapaxes(c, a, at, -1);
    r = r ? mx_apply_in(c, op, NULL, 0, &r, 1) : NULL;
    mlxc_status status = mlxc_scope_export(out, c,
        mlxe_swapaxes(c, r, at, -1));
    mlxc_scope_free(c);
    return status;
}

mlxc_status mlxc_sort(mlxc_array **out, mlxc_array *a, int axis,
    mlxc_stream *s)
{
    return sort(out, "sort", &mx_op_sort, a, axis, s);
}

mlxc_status mlxc_argsort(mlxc_array **out, mlxc_array *a, int axis,
    mlxc_stream *s)
{
    return sort(out, "argsort", &mx_op_argsort, a, axis, s);
}

static mlxc_status check_kth(mlxc_array **out, const char *op, mlxc_array *a,
    int64_t kth, int axis)
{
    int at;
    MX_TRY(mx_check(op, out, &a, 1));
    MX_TRY(mx_axis(&at, op, axis, a->ndim));
    int64_t n = a->shape[at];
    if (kth < -n || kth >= n)
        return mx_error(MLXC_ERR_INDEX,
            "%s: position %lld is out of range for axis %d of length %lld",
            op, (long long)kth, axis, (long long)n);
    return MLXC_OK;
}

mlxc_status mlxc_partition(mlxc_array **out, mlxc_array *a, int64_t kth,
    int axis, mlxc_stream *s)
{
    MX_TRY(check_kth(out, "partition", a, kth, axis));
    return sort(out, "partition", &mx_op_sort, a, axis, s);
}

mlxc_status mlxc_argpartition(mlxc_array **out, mlxc_array *a, int64_t kth,
    int axis, mlxc_stream *s)
{
    MX_TRY(check_kth(out, "argpartition", a, kth, axis));
    return sort(out, "argpartition", &mx_op_argsort, a, axis, s);
}

mlxc_status mlxc_topk(mlxc_array **out, mlxc_array *a, int64_t k, int axis,
    mlxc_stream *s)
{
    struct mx_ints l;
    mlxc_array *r;
    int at;
    MX_TRY(mx_check("topk", out, &a, 1));
    MX_TRY(mx_axis(&at, "topk", axis, a->ndim));
    int64_t n = a->shape[at];
    if (k < 0 || k > n)
        return mx_error(MLXC_ERR_ARGUMENT,
            "topk: %lld of axis %d of length %lld", (long long)k, axis,
            (long long)n);
    int64_t *v = mx_ints_init(&l, "topk", 2 * a->ndim);
    if (!v)
        return MLXC_ERR_NOMEM;
    for (int d = 0; d < a->ndim; d++) {
        v[d] = d == at ? n - k : 0;
        v[a->ndim + d] = a->shape[d];
    }
    mlxc_status status = sort(&r, "topk", &mx_op_sort, a, at, s);
    if (!status) {
        status = mlxc_slice(out, r, v, v + a->ndim, NULL, a->ndim, s);
        mlxc_array_unref(r);
    }
    mx_ints_free(&l);
    return status;
}

/* ---- searchsorted: inputs the sequence and the values, of one dtype ---- */

static mlxc_status infer_searchsorted(struct mx_infer *c)
{
    c->spec[0] = (struct mx_spec){ c->input[1]->shape, c->input[1]->ndim,
        c->input[0]->size > UINT32_MAX ? MLXC_UINT64 : MLXC_UINT32 };
    return MLXC_OK;
}

static void vmap_searchsorted(struct mx_vmap *m)
{
    if (m->axis[0] >= 0) {
        mx_vmap_loop(m);
        return;
    }
    m->output[0] = mx_vmap_again(m, m->params, m->nparams, m->input);
    m->axis_out[0] = m->axis[1];
}

const struct mx_op mx_op_searchsorted = {
    .name = "searchsorted",
    .inputs = 2,
    .outputs = 1,
    .id = MX_OP_SEARCHSORTED,
    .infer = infer_searchsorted,
    .vmap = vmap_searchsorted,
    .exempt = "positions are no continuous function",
};

mlxc_status mlxc_searchsorted(mlxc_array **out, mlxc_array *sequence,
    mlxc_array *values, bool right, mlxc_stream *s)
{
    mlxc_array *in[2] = { sequence, values }, *cast[2] = { NULL, NULL };
    MX_TRY(mx_check("searchsorted", out, in, 2));
    if (sequence->ndim != 1)
        return mx_error(MLXC_ERR_SHAPE,
            "searchsorted: a sequence of %d dimensions", sequence->ndim);
    mlxc_dtype d = mx_dtype_promote((mlxc_dtype)sequence->dtype,
        (mlxc_dtype)values->dtype);
    const struct mx_p_search p = { right };
    mlxc_status status = mx_cast(&cast[0], sequence, d, s);
    if (!status)
        status = mx_cast(&cast[1], values, d, s);
    if (!status)
        status = mx_apply(out, &mx_op_searchsorted, &p, sizeof p, cast, 2, s);
    mlxc_array_unref(cast[0]);
    mlxc_array_unref(cast[1]);
    return status;
}
