/* SPDX-License-Identifier: MIT */
/* Matrix products.  The primitive takes two arrays of one dtype, of rank two
   or more, with equal leading dimensions. */
#include <string.h>

#include <mlxc/expr.h>

#include "core/scope.h"
#include "core/shape.h"
#include "ops/infer.h"

static mlxc_status infer_matmul(struct mx_infer *c)
{
    mlxc_array *a = c->input[0], *b = c->input[1];
    int64_t *shape = mx_infer_dims(c, a->ndim);
    if (!shape)
        return MLXC_ERR_NOMEM;
    memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
    shape[a->ndim - 1] = b->shape[b->ndim - 1];
    c->spec[0] =
        (struct mx_spec){ shape, a->ndim, (mlxc_dtype)a->dtype };
    return MLXC_OK;
}

static mlxc_array *adjoint(mlxc_scope *c, mlxc_array *a)
{
    return mlxe_conjugate(c, mx_swap_last(c, a));
}

static void vjp_matmul(struct mx_vjp *v)
{
    mlxc_array *g = v->cotangent[0];
    if (v->wanted[0])
        v->grad[0] = mlxe_matmul(v->scope, g, adjoint(v->scope,
            v->input[1]));
    if (v->wanted[1])
        v->grad[1] = mlxe_matmul(v->scope, adjoint(v->scope, v->input[0]),
            g);
}

static void jvp_matmul(struct mx_jvp *j)
{
    mlxc_array *l = mlxe_matmul(j->scope, j->tangent[0], j->input[1]);
    mlxc_array *r = mlxe_matmul(j->scope, j->input[0], j->tangent[1]);
    j->tangent_out[0] = l && r ? mlxe_add(j->scope, l, r) : l ? l : r;
}

static void vmap_matmul(struct mx_vmap *m)
{
    mlxc_array *in[2] = { mx_vmap_batched(m, 0), mx_vmap_batched(m, 1) };
    m->output[0] = mx_vmap_again(m, NULL, 0, in);
    m->axis_out[0] = 0;
}

const struct mx_op mx_op_matmul = {
    .name = "matmul",
    .inputs = 2,
    .outputs = 1,
    .id = MX_OP_MATMUL,
    .flags = MX_OP_SMOOTH,
    .infer = infer_matmul,
    .vjp = vjp_matmul,
    .jvp = jvp_matmul,
    .vmap = vmap_matmul,
};

/* A vector as a matrix: a row on the left, a column on the right. */
static mlxc_array *as_matrix(mlxc_scope *c, mlxc_array *a, int left)
{
    const int axis = left ? 0 : 1;
    return a && a->ndim == 1 ? mlxe_expand_dims(c, a, &axis, 1) : a;
}

/* Leading dimensions broadcast to one shape. */
static void spread(mlxc_scope *c, const char *op, mlxc_array **a,
    mlxc_array **b)
{
    struct mx_ints l;
    char ta[MX_SHAPE_TEXT], tb[MX_SHAPE_TEXT];
    int n = ((*a)->ndim > (*b)->ndim ? (*a)->ndim : (*b)->ndim);
    int64_t *shape = mx_ints_init(&l, op, n);
    if (!shape) {
        mx_scope_fail(c, MLXC_ERR_NOMEM);
        return;
    }
    int ndim = (*a)->ndim - 2;
    memcpy(shape, (*a)->shape, (size_t)ndim * sizeof *shape);
    if (!mx_shape_broadcast(shape, &ndim, (*b)->shape, (*b)->ndim - 2)) {
        mx_scope_fail(c, mx_error(MLXC_ERR_SHAPE,
            "%s: leading dimensions of %s and %s do not broadcast", op,
            mx_shape_text(ta, (*a)->shape, (*a)->ndim),
            mx_shape_text(tb, (*b)->shape, (*b)->ndim)));
    } else {
        mlxc_array **each[2] = { a, b };
        for (int i = 0; i < 2; i++) {
            mlxc_array *x = *each[i];
            shape[ndim] = x->shape[x->ndim - 2];
            shape[ndim + 1] = x->shape[x->ndim - 1];
            *each[i] = mlxe_broadcast_to(c, x, shape, ndim + 2);
        }
    }
    mx_ints_free(&l);
}

static mlxc_array *matmul(mlxc_scope *c, const char *op, mlxc_array *a,
    mlxc_array *b)
{
    char ta[MX_SHAPE_TEXT], tb[MX_SHAPE_TEXT];
    int na = a->ndim, nb = b->ndim;
    if (na == 0 || nb == 0 ||
        a->shape[na - 1] != b->shape[nb > 1 ? nb - 2 : 0]) {
        mx_scope_fail(c, mx_error(MLXC_ERR_SHAPE,
            "%s: shapes %s and %s do not fit", op,
            mx_shape_text(ta, a->shape, na),
            mx_shape_text(tb, b->shape, nb)));
        return NULL;
    }
    mlxc_dtype d = mx_dtype_promote((mlxc_dtype)a->dtype,
        (mlxc_dtype)b->dtype);
    a = as_matrix(c, mlxe_astype(c, a, d), 1);
    b = as_matrix(c, mlxe_astype(c, b, d), 0);
    if (!a || !b)
        return NULL;
    mlxc_array *r;
    /* many matrices by one: one product of all their rows */
    if (a->ndim > 2 && b->ndim == 2) {
        int64_t k = a->shape[a->ndim - 1];
        const int64_t flat[2] = { mx_shape_product(a->shape, a->ndim - 1),
            k };
        mlxc_array *in[2] = { mlxe_reshape(c, a, flat, 2), b };
        r = in[0] ? mx_apply_in(c, &mx_op_matmul, NULL, 0, in, 2) : NULL;
        struct mx_ints l;
        int64_t *shape = mx_ints_init(&l, op, a->ndim);
        if (!shape) {
            mx_scope_fail(c, MLXC_ERR_NOMEM);
            return NULL;
        }
        memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
        shape[a->ndim - 1] = b->shape[1];
        r = r ? mlxe_reshape(c, r, shape, a->ndim) : NULL;
        mx_ints_free(&l);
    } else {
        spread(c, op, &a, &b);
        mlxc_array *in[2] = { a, b };
        r = a && b ? mx_apply_in(c, &mx_op_matmul, NULL, 0, in, 2) : NULL;
    }
    const int row = -2, column = -1;
    if (r && na == 1)
        r = mlxe_squeeze(c, r, &row, 1);
    if (r && nb == 1)
        r = mlxe_squeeze(c, r, &column, 1);
    return r;
}

static mlxc_status finish(mlxc_array **out, mlxc_scope *c, mlxc_array *a)
{
    mlxc_status status = mlxc_scope_export(out, c, a);
    mlxc_scope_free(c);
    return status;
}

mlxc_status mlxc_matmul(mlxc_array **out, mlxc_array *a, mlxc_array *b,
    mlxc_stream *s)
{
    mlxc_scope *c;
    mlxc_array *in[2] = { a, b };
    MX_TRY(mx_check("matmul", out, in, 2));
    MX_TRY(mlxc_scope_new(&c, s));
    return finish(out, c, matmul(c, "matmul", a, b));
}

/* ---- addmm: inputs a, b (as matmul) and c of the product's shape ---- */

static void vjp_addmm(struct mx_vjp *v)
{
    const struct mx_p_addmm *p = v->params;
    mlxc_scope *c = v->scope;
    mlxc_array *g = v->cotangent[0];
    mlxc_array *ga = mlxe_multiply(c, g, mlxe_constant(c, p->alpha, g));
    if (v->wanted[0])
        v->grad[0] = mlxe_matmul(c, ga, adjoint(c, v->input[1]));
    if (v->wanted[1])
        v->grad[1] = mlxe_matmul(c, adjoint(c, v->input[0]), ga);
    if (v->wanted[2])
        v->grad[2] = mlxe_multiply(c, g, mlxe_constant(c, p->beta, g));
}

static void jvp_addmm(struct mx_jvp *j)
{
    const struct mx_p_addmm *p = j->params;
    mlxc_scope *c = j->scope;
    mlxc_array *l = mlxe_matmul(c, j->tangent[0], j->input[1]);
    mlxc_array *r = mlxe_matmul(c, j->input[0], j->tangent[1]);
    mlxc_array *t = l && r ? mlxe_add(c, l, r) : l ? l : r;
    if (t)
        t = mlxe_multiply(c, t, mlxe_constant(c, p->alpha, t));
    mlxc_array *u = j->tangent[2];
    if (u)
        u = mlxe_multiply(c, u, mlxe_constant(c, p->beta, u));
    j->tangent_out[0] = t && u ? mlxe_add(c, t, u) : t ? t : u;
}

static void vmap_addmm(struct mx_vmap *m)
{
    mlxc_array *in[3];
    for (int i = 0; i < 3; i++)
        in[i] = mx_vmap_batched(m, i);
    m->output[0] = mx_vmap_again(m, m->params, m->nparams, in);
    m->axis_out[0] = 0;
}

const struct mx_op mx_op_addmm = {
    .name = "addmm",
    .inputs = 3,
    .outputs = 1,
    .id = MX_OP_ADDMM,
    .flags = MX_OP_SMOOTH,
    .infer = infer_matmul,
    .vjp = vjp_addmm,
    .jvp = jvp_addmm,
    .vmap = vmap_addmm,
};

mlxc_status mlxc_addmm(mlxc_array **out, mlxc_array *c, mlxc_array *a,
    mlxc_array *b, double alpha, double beta, mlxc_stream *s)
{
    mlxc_scope *e;
    mlxc_array *in[3] = { a, b, c };
    char ta[MX_SHAPE_TEXT], tb[MX_SHAPE_TEXT];
    MX_TRY(mx_check("addmm", out, in, 3));
    MX_TRY(mlxc_scope_new(&e, s));
    mlxc_dtype d = mx_dtype_promote(mx_dtype_promote((mlxc_dtype)a->dtype,
        (mlxc_dtype)b->dtype), (mlxc_dtype)c->dtype);
    a = mlxe_astype(e, a, d);
    b = mlxe_astype(e, b, d);
    c = mlxe_astype(e, c, d);
    mlxc_array *r = NULL;
    if (a && b && c && a->ndim == 2 && b->ndim == 2 &&
        a->shape[1] == b->shape[0] && mx_dtype_is(d, MX_KINDS_INEXACT)) {
        const int64_t shape[2] = { a->shape[0], b->shape[1] };
        in[0] = a;
        in[1] = b;
        in[2] = mlxe_broadcast_to(e, c, shape, 2);
        const struct mx_p_addmm p = { alpha, beta };
        if (in[2])
            r = mx_apply_in(e, &mx_op_addmm, &p, sizeof p, in, 3);
    } else if (a && b && c) {
        r = matmul(e, "addmm", a, b);
        if (r && c->ndim > r->ndim)
            mx_scope_fail(e, mx_error(MLXC_ERR_SHAPE,
                "addmm: %s does not broadcast to %s",
                mx_shape_text(ta, c->shape, c->ndim),
                mx_shape_text(tb, r->shape, r->ndim)));
        else if (r)
            c = mlxe_broadcast_to(e, c, r->shape, r->ndim);
        if (r)
            r = mlxe_multiply(e, r, mlxe_constant(e, alpha, r));
        if (r && beta != 0)
            r = mlxe_add(e, r, mlxe_multiply(e, c, mlxe_constant(e, beta,
                c)));
    }
    return finish(out, e, r);
}
