/* SPDX-License-Identifier: MIT */
/* Batching rules that families share. */
#include <mlxc/expr.h>

#include "core/scope.h"
#include "ops/infer.h"
#include "util/alloc.h"

/* `a` with its mapped axis moved to the front, and lengths of 1 put behind it
   until the rest has rank `rank`. */
static mlxc_array *to_front(struct mx_vmap *m, int i, int rank)
{
    mlxc_array *a = mlxe_moveaxis(m->scope, m->input[i], m->axis[i], 0);
    if (!a || a->ndim - 1 >= rank)
        return a;
    struct mx_ints l;
    int64_t *shape = mx_ints_init(&l, m->op->name, rank + 1);
    if (!shape) {
        mx_scope_fail(m->scope, MLXC_ERR_NOMEM);
        return NULL;
    }
    int missing = rank - (a->ndim - 1);
    shape[0] = a->shape[0];
    for (int d = 0; d < rank; d++)
        shape[d + 1] = d < missing ? 1 : a->shape[d - missing + 1];
    a = mlxe_reshape(m->scope, a, shape, rank + 1);
    mx_ints_free(&l);
    return a;
}

void mx_vmap_front(struct mx_vmap *m, mlxc_array **in)
{
    for (int i = 0; i < m->ninputs; i++)
        in[i] = m->axis[i] < 0 ? m->input[i] : to_front(m, i, 0);
}

mlxc_array *mx_vmap_batched(struct mx_vmap *m, int i)
{
    if (m->axis[i] >= 0)
        return to_front(m, i, 0);
    mlxc_array *a = m->input[i];
    struct mx_ints l;
    int64_t *shape = mx_ints_init(&l, m->op->name, a->ndim + 1);
    if (!shape) {
        mx_scope_fail(m->scope, MLXC_ERR_NOMEM);
        return NULL;
    }
    shape[0] = m->size;
    for (int d = 0; d < a->ndim; d++)
        shape[d + 1] = a->shape[d];
    a = mlxe_broadcast_to(m->scope, a, shape, a->ndim + 1);
    mx_ints_free(&l);
    return a;
}

mlxc_array *mx_vmap_again(struct mx_vmap *m, const void *params,
    size_t nparams, mlxc_array *const *in)
{
    return mx_apply_in(m->scope, m->op, params, nparams, in, m->ninputs);
}

/* Element-wise ops want operands of one shape. */
void mx_vmap_elementwise(struct mx_vmap *m)
{
    mlxc_array *in[4];
    if (m->ninputs == 1) {
        in[0] = m->input[0];
        m->output[0] = mx_vmap_again(m, m->params, m->nparams, in);
        m->axis_out[0] = m->axis[0];
        return;
    }
    for (int i = 0; i < m->ninputs; i++)
        in[i] = mx_vmap_batched(m, i);
    m->output[0] = mx_vmap_again(m, m->params, m->nparams, in);
    m->axis_out[0] = 0;
}

/* Entry k of the mapped axis, without the axis. */
static mlxc_array *entry(struct mx_vmap *m, int i, int64_t k)
{
    mlxc_array *a = m->input[i];
    if (m->axis[i] < 0)
        return a;
    struct mx_ints l;
    int64_t *v = mx_ints_init(&l, m->op->name, 2 * a->ndim);
    if (!v) {
        mx_scope_fail(m->scope, MLXC_ERR_NOMEM);
        return NULL;
    }
    for (int d = 0; d < a->ndim; d++) {
        v[d] = d == m->axis[i] ? k : 0;
        v[a->ndim + d] = d == m->axis[i] ? k + 1 : a->shape[d];
    }
    mlxc_array *row = mlxe_slice(m->scope, a, v, v + a->ndim, NULL, a->ndim);
    mx_ints_free(&l);
    return mlxe_squeeze(m->scope, row, &m->axis[i], 1);
}

/* Input i of an entry of nothing: zeros. */
static mlxc_array *no_entry(struct mx_vmap *m, int i)
{
    const int axis = m->axis[i];
    mlxc_array *a = m->input[i];
    struct mx_ints l;
    if (axis < 0)
        return a;
    int64_t *v = mx_ints_init(&l, m->op->name, a->ndim);
    if (!v) {
        mx_scope_fail(m->scope, MLXC_ERR_NOMEM);
        return NULL;
    }
    for (int d = 0, k = 0; d < a->ndim; d++) {
        if (d != axis)
            v[k++] = a->shape[d];
    }
    a = mlxe_zeros(m->scope, v, a->ndim - 1, (mlxc_dtype)a->dtype);
    mx_ints_free(&l);
    return a;
}

/* Without entries, one of zeros tells the shapes, and is cut away. */
void mx_vmap_loop(struct mx_vmap *m)
{
    size_t n = m->size ? (size_t)m->size : 1, no = (size_t)m->noutputs;
    mlxc_array **in = mx_alloc_array((size_t)m->ninputs, sizeof *in);
    mlxc_array **rows = mx_alloc_array(n * no + 1, sizeof *rows);
    mlxc_array **one = mx_alloc_array(no, sizeof *one);
    if (!in || !rows || !one) {
        mx_scope_fail(m->scope, mx_error_nomem("vmap"));
        goto out;
    }
    for (size_t k = 0; k < n; k++) {
        int ok = 1;
        for (int i = 0; i < m->ninputs; i++)
            ok &= (in[i] = m->size ? entry(m, i, (int64_t)k)
                : no_entry(m, i)) != NULL;
        if (!ok)
            goto out;
        mlxc_status status = mx_apply_n(one, m->noutputs, m->op, m->params,
            m->nparams, in, m->ninputs, mlxc_scope_stream(m->scope));
        for (size_t o = 0; o < no; o++)
            rows[o * n + k] = mlxc_scope_take(m->scope, status, one[o]);
    }
    for (size_t o = 0; o < no; o++) {
        mlxc_array *all = mlxe_stack(m->scope, rows + o * n, (int)n, 0);
        m->output[o] = m->size || !all ? all
            : mlxe_repeat(m->scope, all, 0, 0);
        m->axis_out[o] = 0;
    }
out:
    mx_free(in);
    mx_free(rows);
    mx_free(one);
}
