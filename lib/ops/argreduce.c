/* SPDX-License-Identifier: MIT */
/* Positions of extremes. */
#include <string.h>

#include <mlxc/expr.h>

#include "core/scope.h"
#include "core/shape.h"
#include "ops/infer.h"

static mlxc_status infer_argreduce(struct mx_infer *c)
{
    const struct mx_p_argreduce *p = c->params;
    mlxc_array *a = c->input[0];
    int64_t *shape = mx_infer_dims(c, a->ndim);
    if (!shape)
        return MLXC_ERR_NOMEM;
    for (int d = 0, n = 0; d < a->ndim; d++) {
        if (d != p->axis)
            shape[n++] = a->shape[d];
    }
    c->spec[0] = (struct mx_spec){ shape, a->ndim - 1,
        a->shape[p->axis] > UINT32_MAX ? MLXC_UINT64 : MLXC_UINT32 };
    return MLXC_OK;
}

static void vmap_argreduce(struct mx_vmap *m)
{
    struct mx_p_argreduce p = *(const struct mx_p_argreduce *)m->params;
    mlxc_array *in;
    mx_vmap_front(m, &in);
    p.axis++;
    m->output[0] = mx_vmap_again(m, &p, sizeof p, &in);
    m->axis_out[0] = 0;
}

const struct mx_op mx_op_argreduce = {
    .name = "argreduce",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_ARGREDUCE,
    .infer = infer_argreduce,
    .vmap = vmap_argreduce,
    .exempt = "positions are no continuous function",
};

static mlxc_status argreduce(mlxc_array **out, const char *op, int max,
    mlxc_array *a, int axis, bool keepdims, mlxc_stream *s)
{
    int at;
    char text[MX_SHAPE_TEXT];
    MX_TRY(mx_check(op, out, &a, 1));
    MX_TRY(mx_axis(&at, op, axis, a->ndim));
    if (a->shape[at] == 0)
        return mx_error(MLXC_ERR_SHAPE, "%s: axis %d of %s is empty", op,
            axis, mx_shape_text(text, a->shape, a->ndim));
    struct mx_p_argreduce p = { max, at };
    mlxc_array *r;
    MX_TRY(mx_apply1(&r, &mx_op_argreduce, &p, sizeof p, a, s));
    if (!keepdims) {
        *out = r;
        return MLXC_OK;
    }
    mlxc_status status = mlxc_expand_dims(out, r, &at, 1, s);
    mlxc_array_unref(r);
    return status;
}

mlxc_status mlxc_argmax(mlxc_array **out, mlxc_array *a, int axis,
    bool keepdims, mlxc_stream *s)
{
    return argreduce(out, "argmax", 1, a, axis, keepdims, s);
}

mlxc_status mlxc_argmin(mlxc_array **out, mlxc_array *a, int axis,
    bool keepdims, mlxc_stream *s)
{
    return argreduce(out, "argmin", 0, a, axis, keepdims, s);
}
