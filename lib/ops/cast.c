/* SPDX-License-Identifier: MIT */
/* astype, stop_gradient, copy, contiguous, depends. */
#include <mlxc/expr.h>

#include "ops/infer.h"

static void vjp_astype(struct mx_vjp *v)
{
    v->grad[0] = mlxe_astype(v->scope, v->cotangent[0],
        (mlxc_dtype)v->input[0]->dtype);
}

static void jvp_astype(struct mx_jvp *j)
{
    j->tangent_out[0] = mlxe_astype(j->scope, j->tangent[0],
        (mlxc_dtype)j->output[0]->dtype);
}

const struct mx_op mx_op_astype = {
    .name = "astype",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_ASTYPE,
    .flags = MX_OP_ELEMENTWISE | MX_OP_SMOOTH,
    .infer = mx_infer_dtype_param,
    .vjp = vjp_astype,
    .jvp = jvp_astype,
    .vmap = mx_vmap_elementwise,
};

mlxc_status mlxc_astype(mlxc_array **out, mlxc_array *a, mlxc_dtype dtype,
    mlxc_stream *s)
{
    MX_TRY(mx_check("astype", out, &a, 1));
    if (!mx_dtype_valid(dtype))
        return mx_error(MLXC_ERR_DTYPE, "astype: %d is no dtype",
            (int)dtype);
    return mx_cast(out, a, dtype, s);
}

static void vjp_identity(struct mx_vjp *v)
{
    v->grad[0] = v->cotangent[0];
}

static void jvp_identity(struct mx_jvp *j)
{
    j->tangent_out[0] = j->tangent[0];
}

const struct mx_op mx_op_copy = {
    .name = "copy",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_COPY,
    .flags = MX_OP_SHARES | MX_OP_SMOOTH,
    .infer = mx_infer_same,
    .view = mx_view_same,
    .vjp = vjp_identity,
    .jvp = jvp_identity,
    .vmap = mx_vmap_elementwise,
};

mlxc_status mlxc_copy(mlxc_array **out, mlxc_array *a, mlxc_stream *s)
{
    MX_TRY(mx_check("copy", out, &a, 1));
    return mx_apply1(out, &mx_op_copy, NULL, 0, a, s);
}

/* A view that keeps a much larger buffer alive is copied too. */
#define SLACK 16384

static int view_contiguous(struct mx_layout *l, const struct mx_node *node)
{
    mlxc_array *a = node->input[0];
    const struct mx_p_dtype *p = node->params; /* 1: column-major will do */
    size_t bytes = (size_t)a->size * mx_itemsize(a);
    unsigned good = p->dtype ? MX_ROW_MAJOR | MX_COL_MAJOR : MX_ROW_MAJOR;
    return (a->flags & good) && a->buffer->size <= bytes + SLACK &&
        mx_view_same(l, node);
}

/* Row-major in value is the same whatever axis is mapped, but the layout
   wanted is that of the batched array with the axis in front. */
static void vmap_contiguous(struct mx_vmap *m)
{
    mlxc_array *in;
    mx_vmap_front(m, &in);
    m->output[0] = mx_vmap_again(m, m->params, m->nparams, &in);
    m->axis_out[0] = 0;
}

const struct mx_op mx_op_contiguous = {
    .name = "contiguous",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_CONTIGUOUS,
    .flags = MX_OP_SHARES | MX_OP_SMOOTH,
    .infer = mx_infer_same,
    .view = view_contiguous,
    .vjp = vjp_identity,
    .jvp = jvp_identity,
    .vmap = vmap_contiguous,
};

mlxc_status mlxc_contiguous(mlxc_array **out, mlxc_array *a,
    bool allow_col_major, mlxc_stream *s)
{
    struct mx_p_dtype p = { allow_col_major };
    MX_TRY(mx_check("contiguous", out, &a, 1));
    return mx_apply1(out, &mx_op_contiguous, &p, sizeof p, a, s);
}

const struct mx_op mx_op_stop_gradient = {
    .name = "stop_gradient",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_STOP_GRADIENT,
    .flags = MX_OP_SHARES,
    .infer = mx_infer_same,
    .view = mx_view_same,
    .vmap = mx_vmap_elementwise,
    .exempt = "it is there to have no derivative",
};

mlxc_status mlxc_stop_gradient(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s)
{
    MX_TRY(mx_check("stop_gradient", out, &a, 1));
    return mx_apply1(out, &mx_op_stop_gradient, NULL, 0, a, s);
}

/* Values first, then as many dependencies as remain; params: the number of
   values. */
static mlxc_status infer_depends(struct mx_infer *c)
{
    const struct mx_p_dtype *p = c->params;
    MX_TRY(mx_infer_outputs(c, (int)p->dtype));
    for (int i = 0; i < c->noutputs; i++) {
        c->spec[i].shape = c->input[i]->shape;
        c->spec[i].ndim = c->input[i]->ndim;
        c->spec[i].dtype = (mlxc_dtype)c->input[i]->dtype;
    }
    return MLXC_OK;
}

static void vjp_depends(struct mx_vjp *v)
{
    for (int i = 0; i < v->noutputs; i++)
        v->grad[i] = v->cotangent[i];
}

static void jvp_depends(struct mx_jvp *j)
{
    for (int i = 0; i < j->noutputs; i++)
        j->tangent_out[i] = j->tangent[i];
}

static void vmap_depends(struct mx_vmap *m)
{
    mlxc_status status = mx_apply_n(m->output, m->noutputs, m->op, m->params,
        m->nparams, m->input, m->ninputs, mlxc_scope_stream(m->scope));
    for (int i = 0; i < m->noutputs; i++) {
        m->output[i] = mlxc_scope_take(m->scope, status, m->output[i]);
        m->axis_out[i] = m->axis[i];
    }
}

const struct mx_op mx_op_depends = {
    .name = "depends",
    .inputs = -1,
    .outputs = -1,
    .id = MX_OP_DEPENDS,
    .flags = MX_OP_SHARES | MX_OP_SMOOTH,
    .infer = infer_depends,
    .view = mx_view_same,
    .vjp = vjp_depends,
    .jvp = jvp_depends,
    .vmap = vmap_depends,
};

mlxc_status mlxc_depends(mlxc_arrays **out, mlxc_arrays *values,
    mlxc_arrays *dependencies, mlxc_stream *s)
{
    int n = mlxc_arrays_size(values), k = mlxc_arrays_size(dependencies);
    *out = NULL;
    if (n == 0)
        return mx_error(MLXC_ERR_ARGUMENT, "depends: no values");
    mlxc_arrays *all, *result = NULL;
    struct mx_p_dtype p = { n };
    MX_TRY(mlxc_arrays_new(&all));
    mlxc_status status = MLXC_OK;
    for (int i = 0; i < n + k && !status; i++)
        status = mlxc_arrays_push(all, i < n ? mlxc_arrays_get(values, i)
                                       : mlxc_arrays_get(dependencies,
                                             i - n));
    if (!status)
        status = mx_apply_list(&result, n, &mx_op_depends, &p, sizeof p, all,
            s);
    mlxc_arrays_unref(all);
    *out = result;
    return status;
}
