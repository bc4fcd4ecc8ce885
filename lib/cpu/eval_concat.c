/* SPDX-License-Identifier: MIT */
/* Concatenation, and updates of ranges: copies into part of an output. */
#include <string.h>

#include "core/eval.h"
#include "core/params.h"
#include "cpu/eval.h"
#include "cpu/kernels.h"
#include "cpu/loop.h"
#include "cpu/task.h"

struct job {
    mx_map2_fn *update; /* NULL: copy */
    int size_index;
    struct mx_loop loop;
};

static void inner_copy(void *context, char *const *p, size_t n)
{
    memcpy(p[0], p[1], n << ((struct job *)context)->size_index);
}

static void inner_update(void *context, char *const *p, size_t n)
{
    ((struct job *)context)->update(p[0], p[2], p[1], n);
}

static mlxc_status run(void *payload)
{
    struct job *j = payload;
    mx_loop_run(&j->loop);
    return MLXC_OK;
}

/* Combine `from` into the part of `out` at `offset` (elements) with the given
   strides; the part has the shape of `from`. */
static mlxc_status into(mlxc_stream *s, mlxc_array *out, int64_t offset,
    const int64_t *strides, mlxc_array *from, mx_map2_fn *update)
{
    size_t head = sizeof(struct job) - sizeof(struct mx_loop);
    struct job *j = mx_task_begin(s, run,
        head + mx_loop_bytes(from->ndim, 3), from->size);
    if (!j)
        return MLXC_ERR_NOMEM;
    uint8_t size = mx_dtypes[out->dtype].size_index;
    uint8_t sizes[3] = { size, size, size };
    char *at = (char *)mx_data(out) + offset * (1 << size);
    char *data[3] = { at, mx_data(from), at };
    const int64_t *lists[3] = { strides, from->strides, strides };
    mx_loop_init_raw(&j->loop, from->shape, from->ndim, update ? 3 : 2,
        data, lists, sizes);
    if (update)
        j->loop.stream_output = 0; /* it was just read */
    j->update = update;
    j->size_index = size;
    j->loop.inner = update ? inner_update : inner_copy;
    j->loop.context = j;
    return mx_task_end(s, j);
}

mlxc_status mx_cpu_eval_concatenate(mlxc_stream *s, struct mx_node *node)
{
    const struct mx_p_axis *p = node->params;
    mlxc_array *out = node->output[0];
    int64_t at = 0;
    MX_TRY(mx_array_alloc(out, s));
    for (int i = 0; i < node->ninputs; i++) {
        mlxc_array *a = node->input[i];
        MX_TRY(into(s, out, at * out->strides[p->axis], out->strides, a,
            NULL));
        at += a->shape[p->axis];
    }
    return MLXC_OK;
}

mlxc_status mx_cpu_eval_slice_update(mlxc_stream *s, struct mx_node *node)
{
    const struct mx_p_update *p = node->params;
    mlxc_array *a = node->input[0], *out = node->output[0];
    int64_t small[64], *strides = small, offset = 0;
    if (p->n > 64) {
        strides = mx_task_scratch(s, (size_t)p->n * sizeof *strides);
        if (!strides)
            return MLXC_ERR_NOMEM;
    }
    MX_TRY(mx_cpu_output(s, node, 0));
    if (out->buffer != a->buffer)
        MX_TRY(mx_cpu_copy(s, mx_data(out), a));
    for (int d = 0; d < p->n; d++) {
        offset += p->v[d] * out->strides[d];
        strides[d] = out->strides[d] * p->v[p->n + d];
    }
    return into(s, out, offset, strides, node->input[1],
        mx_cpu_kernels()->update[p->mode][out->dtype]);
}
