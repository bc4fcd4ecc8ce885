/* SPDX-License-Identifier: MIT */
/* See recurrence.h.  The derivatives of a recurrence are recurrences, so
   running products have exact derivatives of any order in linear time, zeros
   among the factors included. */
#include "ops/recurrence.h"

#include <mlxc/expr.h>

#include "core/scope.h"
#include "core/shape.h"

mlxc_array *mx_recurrence(mlxc_scope *c, int axis, int reverse,
    mlxc_array *a, mlxc_array *b)
{
    struct mx_p_recurrence p = { axis, reverse };
    mlxc_array *in[] = { a, b };
    return mx_apply_in(c, &mx_op_recurrence, &p, sizeof p, in, 2);
}

mlxc_array *mx_shift(mlxc_scope *c, int axis, int reverse, mlxc_array *a,
    double fill)
{
    struct mx_ints l;
    if (!a || a->shape[axis] == 0)
        return a;
    int n = a->ndim;
    int64_t *v = mx_ints_init(&l, "scan", 4 * n);
    if (!v) {
        mx_scope_fail(c, MLXC_ERR_NOMEM);
        return NULL;
    }
    for (int d = 0; d < n; d++) {
        int here = d == axis;
        v[d] = here && reverse;                     /* source */
        v[n + d] = a->shape[d] - (here && !reverse);
        v[2 * n + d] = here && !reverse;            /* target */
        v[3 * n + d] = a->shape[d] - (here && reverse);
    }
    mlxc_array *base = mlxe_full_like(c, a, mlxe_constant(c, fill, a),
        (mlxc_dtype)a->dtype);
    a = mlxe_slice_update(c, base, mlxe_slice(c, a, v, v + n, NULL, n),
        v + 2 * n, v + 3 * n, NULL, n);
    mx_ints_free(&l);
    return a;
}

/* y = A y' + b with y' the entries before: the adjoint runs the other way. */
static void vjp_recurrence(struct mx_vjp *v)
{
    const struct mx_p_recurrence *p = v->params;
    mlxc_scope *c = v->scope;
    int axis = (int)p->axis, reverse = (int)p->reverse;
    mlxc_array *next = mx_shift(c, axis, !reverse,
        mlxe_conjugate(c, v->input[0]), 0);
    mlxc_array *h = mx_recurrence(c, axis, !reverse, next, v->cotangent[0]);
    v->grad[1] = h;
    if (v->wanted[0])
        v->grad[0] = mlxe_multiply(c, h, mlxe_conjugate(c,
            mx_shift(c, axis, reverse, v->output[0], 0)));
}

static void jvp_recurrence(struct mx_jvp *j)
{
    const struct mx_p_recurrence *p = j->params;
    mlxc_scope *c = j->scope;
    int axis = (int)p->axis, reverse = (int)p->reverse;
    mlxc_array *t = j->tangent[1];
    if (j->tangent[0]) {
        mlxc_array *u = mlxe_multiply(c, j->tangent[0],
            mx_shift(c, axis, reverse, j->output[0], 0));
        t = t ? mlxe_add(c, t, u) : u;
    }
    j->tangent_out[0] = mx_recurrence(c, axis, reverse, j->input[0], t);
}

static void vmap_recurrence(struct mx_vmap *m)
{
    struct mx_p_recurrence p = *(const struct mx_p_recurrence *)m->params;
    mlxc_array *in[] = { mx_vmap_batched(m, 0), mx_vmap_batched(m, 1) };
    p.axis++;
    m->output[0] = mx_vmap_again(m, &p, sizeof p, in);
    m->axis_out[0] = 0;
}

const struct mx_op mx_op_recurrence = {
    .name = "recurrence",
    .inputs = 2,
    .outputs = 1,
    .id = MX_OP_RECURRENCE,
    .flags = MX_OP_SMOOTH,
    .infer = mx_infer_same,
    .vjp = vjp_recurrence,
    .jvp = jvp_recurrence,
    .vmap = vmap_recurrence,
};
