/* SPDX-License-Identifier: MIT */
/* Rules that families share: inference and preparing operands. */
#include "ops/infer.h"

#include <string.h>

#include <mlxc/expr.h>

#include "core/shape.h"
#include "core/scope.h"
#include "util/alloc.h"

static mlxc_status infer_like(struct mx_infer *c, mlxc_dtype dtype)
{
    c->spec[0].shape = c->input[0]->shape;
    c->spec[0].ndim = c->input[0]->ndim;
    c->spec[0].dtype = dtype;
    return MLXC_OK;
}

mlxc_status mx_infer_same(struct mx_infer *c)
{
    return infer_like(c, (mlxc_dtype)c->input[0]->dtype);
}

mlxc_status mx_infer_bool(struct mx_infer *c)
{
    return infer_like(c, MLXC_BOOL);
}

mlxc_status mx_infer_real(struct mx_infer *c)
{
    mlxc_dtype d = (mlxc_dtype)c->input[0]->dtype;
    return infer_like(c, d == MLXC_COMPLEX64 ? MLXC_FLOAT32 : d);
}

mlxc_status mx_infer_dtype_param(struct mx_infer *c)
{
    const struct mx_p_dtype *p = c->params;
    return infer_like(c, (mlxc_dtype)p->dtype);
}

mlxc_status mx_check(const char *op, mlxc_array **out,
    mlxc_array *const *input, int n)
{
    if (!out)
        return mx_error(MLXC_ERR_ARGUMENT, "%s: out is NULL", op);
    *out = NULL;
    for (int i = 0; i < n; i++) {
        if (!input[i])
            return mx_error(MLXC_ERR_ARGUMENT, "%s: input %d is NULL", op,
                i);
    }
    return MLXC_OK;
}

mlxc_status mx_check_kinds(const char *op, mlxc_array *a, unsigned kinds)
{
    if (mx_dtype_is((mlxc_dtype)a->dtype, kinds))
        return MLXC_OK;
    return mx_error(MLXC_ERR_DTYPE, "%s: %s is not accepted", op,
        mx_dtypes[a->dtype].name);
}

mlxc_status mx_cast(mlxc_array **out, mlxc_array *a, mlxc_dtype dtype,
    mlxc_stream *s)
{
    if (a->dtype == dtype) {
        *out = mlxc_array_ref(a);
        return MLXC_OK;
    }
    struct mx_p_dtype p = { dtype };
    return mx_apply1(out, &mx_op_astype, &p, sizeof p, a, s);
}

mlxc_status mx_broadcast(mlxc_array **out, const char *op, mlxc_array *a,
    const int64_t *shape, int ndim, mlxc_stream *s)
{
    *out = NULL;
    if (mx_shape_equal(a->shape, a->ndim, shape, ndim)) {
        *out = mlxc_array_ref(a);
        return MLXC_OK;
    }
    struct mx_block b;
    struct mx_p_list *p = mx_block_init(&b, op, sizeof *p, ndim);
    if (!p)
        return MLXC_ERR_NOMEM;
    p->n = ndim;
    mx_shape_copy(p->v, shape, ndim);
    mlxc_status status = mx_apply1(out, &mx_op_broadcast, p, b.size, a, s);
    mx_block_free(&b);
    return status;
}

mlxc_status mx_broadcast_shape(int64_t *shape, int *ndim, const char *op,
    mlxc_array *const *a, int n)
{
    char ta[MX_SHAPE_TEXT], tb[MX_SHAPE_TEXT];
    *ndim = a[0]->ndim;
    memcpy(shape, a[0]->shape, (size_t)*ndim * sizeof *shape);
    for (int i = 1; i < n; i++) {
        if (mx_shape_broadcast(shape, ndim, a[i]->shape, a[i]->ndim))
            continue;
        /* name the first operand that disagrees */
        return mx_error(MLXC_ERR_SHAPE,
            "%s: shapes %s and %s do not broadcast", op,
            mx_shape_text(ta, a[i - 1]->shape, a[i - 1]->ndim),
            mx_shape_text(tb, a[i]->shape, a[i]->ndim));
    }
    return MLXC_OK;
}

int64_t *mx_ints_init(struct mx_ints *l, const char *op, int n)
{
    l->v = l->small;
    if (n > MX_SMALL) {
        l->v = mx_alloc_array((size_t)n, sizeof *l->v);
        if (!l->v)
            mx_error_nomem(op);
    }
    return l->v;
}

void mx_ints_free(struct mx_ints *l)
{
    if (l->v != l->small)
        mx_free(l->v);
}

void *mx_block_init(struct mx_block *b, const char *op, size_t head,
    int64_t count)
{
    b->size = head + (size_t)count * sizeof(int64_t);
    b->p = b->small;
    if (b->size > sizeof b->small) {
        b->p = mx_alloc_zero(b->size);
        if (!b->p)
            mx_error_nomem(op);
    } else {
        memset(b->small, 0, b->size);
    }
    return b->p;
}

void mx_block_free(struct mx_block *b)
{
    if (b->p != b->small)
        mx_free(b->p);
}

void mx_jvp_from_vjp(struct mx_jvp *j)
{
    mlxc_array *t = j->tangent[0];
    unsigned char wanted = 1;
    mlxc_array *grad = NULL;
    if (!t)
        return;
    /* J^H g for a holomorphic f is conj(f') g, so J t = conj(J^H conj(t)) */
    mlxc_array *g = mlxe_conjugate(j->scope, t);
    struct mx_vjp v = { .scope = j->scope, .op = j->op, .params = j->params,
        .nparams = j->nparams, .ninputs = 1, .noutputs = 1,
        .input = j->input, .output = j->output, .cotangent = &g,
        .wanted = &wanted, .grad = &grad };
    if (g)
        j->op->vjp(&v);
    j->tangent_out[0] = grad ? mlxe_conjugate(j->scope, grad) : NULL;
}

mlxc_array *mx_sum_to(mlxc_scope *scope, mlxc_array *g, mlxc_array *like)
{
    if (!g || mx_shape_equal(g->shape, g->ndim, like->shape, like->ndim))
        return g;
    int axes[64], n = 0, extra = g->ndim - like->ndim;
    if (g->ndim > 64) {
        mx_scope_fail(scope, mx_error(MLXC_ERR_UNSUPPORTED,
            "broadcast: the gradient is limited to 64 dimensions"));
        return NULL;
    }
    for (int d = 0; d < g->ndim; d++) {
        if (d < extra || (like->shape[d - extra] == 1 && g->shape[d] != 1))
            axes[n++] = d;
    }
    if (n)
        g = mlxe_sum(scope, g, axes, n, true);
    return mlxe_reshape(scope, g, like->shape, like->ndim);
}

mlxc_array *mx_swap_last(mlxc_scope *scope, mlxc_array *a)
{
    return a ? mlxe_swapaxes(scope, a, -1, -2) : NULL;
}
