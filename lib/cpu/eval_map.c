/* SPDX-License-Identifier: MIT */
/* Element-wise maps, casts and select: pick a kernel, lay out the output,
   loop. */
#include "core/error.h"
#include "core/eval.h"
#include "cpu/eval.h"
#include "cpu/kernels.h"
#include "cpu/loop.h"
#include "cpu/task.h"

/* Kernel of a map op; -1 if the op is no such map. */
static const int16_t map1_of[MX_OP_COUNT] = {
#define MAP1(ID, sym, rule, out, kinds) [MX_OP_##ID] = MX_MAP1_##ID,
#include "core/elementwise.def"
};
static const int16_t map2_of[MX_OP_COUNT] = {
#define MAP2(ID, sym, rule, out, kinds) [MX_OP_##ID] = MX_MAP2_##ID,
#include "core/elementwise.def"
};

union kernel {
    mx_map1_fn *map1;
    mx_map2_fn *map2;
    mx_select_fn *select;
};

struct job {
    union kernel kernel;
    struct mx_loop loop;
};

static void inner1(void *context, char *const *p, size_t n)
{
    ((struct job *)context)->kernel.map1(p[0], p[1], n);
}

static void inner2(void *context, char *const *p, size_t n)
{
    ((struct job *)context)->kernel.map2(p[0], p[1], p[2], n);
}

static void inner_select(void *context, char *const *p, size_t n)
{
    ((struct job *)context)->kernel.select(p[0], (const uint8_t *)p[1], p[2],
        p[3], n);
}

static mlxc_status run_job(void *payload)
{
    struct job *j = payload;
    mx_loop_run(&j->loop);
    return MLXC_OK;
}

/* Whether all inputs of the output's shape lie in one common order without
   gaps, so that the output can lie so too and the walk is flat. */
static int common_layout(const struct mx_node *node)
{
    mlxc_array *first = node->input[0];
    if (!(first->flags & MX_DENSE))
        return 0;
    for (int i = 1; i < node->ninputs; i++) {
        mlxc_array *a = node->input[i];
        for (int d = 0; d < a->ndim; d++) {
            if (a->shape[d] != 1 && a->strides[d] != first->strides[d])
                return 0;
        }
    }
    return 1;
}

/* The output takes over a dying input, or gets a buffer of its own. */
static mlxc_status lay_out(mlxc_stream *s, struct mx_node *node)
{
    mlxc_array *out = node->output[0];
    int flat = common_layout(node);
    const int64_t *strides = flat ? node->input[0]->strides : NULL;
    for (int i = 0; i < node->ninputs; i++) {
        mlxc_array *a = node->input[i];
        if (mx_itemsize(a) == mx_itemsize(out) &&
            (a->flags & (flat ? MX_DENSE : MX_ROW_MAJOR)) &&
            mx_can_donate(node, i)) {
            mx_array_set_buffer(out, a->buffer, strides, a->offset);
            return MLXC_OK;
        }
    }
    MX_TRY(mx_array_alloc(out, s));
    if (strides && !(node->input[0]->flags & MX_ROW_MAJOR)) {
        for (int d = 0; d < out->ndim; d++)
            out->strides[d] = strides[d];
        mx_array_update_flags(out);
    }
    return MLXC_OK;
}

static mlxc_status run(mlxc_stream *s, struct mx_node *node,
    union kernel kernel, mx_inner_fn *inner)
{
    mlxc_array *operand[MX_LOOP_OPERANDS];
    MX_TRY(lay_out(s, node));
    operand[0] = node->output[0];
    for (int i = 0; i < node->ninputs; i++)
        operand[i + 1] = node->input[i];
    size_t head = sizeof(struct job) - sizeof(struct mx_loop);
    struct job *j = mx_task_begin(s, run_job,
        head + mx_loop_bytes(operand[0]->ndim, node->ninputs + 1),
        operand[0]->size);
    if (!j)
        return MLXC_ERR_NOMEM;
    j->kernel = kernel;
    mx_loop_init(&j->loop, operand, node->ninputs + 1);
    j->loop.inner = inner;
    j->loop.context = j;
    return mx_task_end(s, j);
}

static mlxc_status no_kernel(const struct mx_node *node)
{
    return mx_error(MLXC_ERR_DTYPE, "%s: no CPU kernel for %s",
        node->op->name, mx_dtypes[node->input[0]->dtype].name);
}

mlxc_status mx_cpu_eval_map1(mlxc_stream *s, struct mx_node *node)
{
    union kernel k = { .map1 = mx_cpu_kernels()
        ->map1[map1_of[node->op->id]][node->input[0]->dtype] };
    return k.map1 ? run(s, node, k, inner1) : no_kernel(node);
}

mlxc_status mx_cpu_eval_map2(mlxc_stream *s, struct mx_node *node)
{
    union kernel k = { .map2 = mx_cpu_kernels()
        ->map2[map2_of[node->op->id]][node->input[0]->dtype] };
    return k.map2 ? run(s, node, k, inner2) : no_kernel(node);
}

mlxc_status mx_cpu_eval_astype(mlxc_stream *s, struct mx_node *node)
{
    union kernel k = { .map1 = mx_cpu_kernels()
        ->cast[node->output[0]->dtype][node->input[0]->dtype] };
    return k.map1 ? run(s, node, k, inner1) : no_kernel(node);
}

mlxc_status mx_cpu_eval_select(mlxc_stream *s, struct mx_node *node)
{
    union kernel k = { .select = mx_cpu_kernels()
        ->select[mx_dtypes[node->output[0]->dtype].size_index] };
    return run(s, node, k, inner_select);
}
