/* SPDX-License-Identifier: MIT */
/* Matrix products.  Views of any strides are multiplied as they lie. */
#include "core/eval.h"
#include "core/params.h"
#include "core/shape.h"
#include "cpu/eval.h"
#include "cpu/gemm.h"
#include "cpu/task.h"
#include "util/thread.h"

struct job {
    struct mx_gemm gemm;
    struct mx_walk walk[]; /* of both factors, for a batch */
};

static mlxc_status run(void *payload)
{
    struct job *j = payload;
    mx_gemm_run(&j->gemm);
    return MLXC_OK;
}

/* The matrices of a batch: all dimensions but the last two. */
static mlxc_status walk_batch(struct mx_walk *w, const char *op,
    mlxc_array *a)
{
    unsigned char chosen[MX_WALK_RANK] = { 0 };
    if (a->ndim > MX_WALK_RANK)
        return mx_error(MLXC_ERR_UNSUPPORTED, "%s: %d dimensions", op,
            a->ndim);
    chosen[a->ndim - 1] = chosen[a->ndim - 2] = 1;
    return mx_walk_init(w, op, a, chosen, 0);
}

/* Also addmm, whose third input starts the output. */
mlxc_status mx_cpu_eval_matmul(mlxc_stream *s, struct mx_node *node)
{
    mlxc_array *a = node->input[0], *b = node->input[1];
    mlxc_array *out = node->output[0];
    struct mx_gemm g = { .alpha = 1, .beta = 0 };
    MX_TRY(mx_array_alloc(out, s));
    mx_gemm_init(&g, mx_cpu_kernels(), (mlxc_dtype)out->dtype);
    g.size = (int)mx_itemsize(out);
    g.m = a->shape[a->ndim - 2];
    g.k = a->shape[a->ndim - 1];
    g.n = b->shape[b->ndim - 1];
    g.batch = mx_shape_product(out->shape, out->ndim - 2);
    g.a = (struct mx_gemm_side){ mx_data(a), a->strides[a->ndim - 2],
        a->strides[a->ndim - 1], NULL };
    g.b = (struct mx_gemm_side){ mx_data(b), b->strides[b->ndim - 1],
        b->strides[b->ndim - 2], NULL };
    g.out = mx_data(out);
    if (node->op == &mx_op_addmm) {
        const struct mx_p_addmm *p = node->params;
        g.alpha = p->alpha;
        g.beta = p->beta;
        if (p->beta != 0)
            MX_TRY(mx_cpu_copy(s, g.out, node->input[2]));
    }
    if (out->size == 0)
        return MLXC_OK;
    g.scratch = mx_task_scratch(s, mx_gemm_plan(&g, mx_pool_size()));
    if (!g.scratch)
        return MLXC_ERR_NOMEM;
    int walks = g.batch > 1 ? 2 : 0;
    struct job *j = mx_task_begin(s, run,
        sizeof *j + (size_t)walks * sizeof *j->walk,
        out->size * (g.k / 8 + 1));
    if (!j)
        return MLXC_ERR_NOMEM;
    if (walks) {
        g.a.walk = &j->walk[0];
        g.b.walk = &j->walk[1];
        mlxc_status status = walk_batch(&j->walk[0], node->op->name, a);
        if (!status)
            status = walk_batch(&j->walk[1], node->op->name, b);
        if (status) {
            mx_task_drop(s, j);
            return status;
        }
    }
    j->gemm = g;
    return mx_task_end(s, j);
}
