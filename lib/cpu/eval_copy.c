/* SPDX-License-Identifier: MIT */
/* Copies of any layout, and the view ops that turn out to need one. */
#include <string.h>

#include "core/error.h"
#include "core/eval.h"
#include "core/params.h"
#include "core/shape.h"
#include "cpu/eval.h"
#include "cpu/kernels.h"
#include "cpu/loop.h"
#include "cpu/task.h"
#include "util/thread.h"

struct job {
    int size_index;
    struct mx_loop loop;
};

static void inner_copy(void *context, char *const *p, size_t n)
{
    memcpy(p[0], p[1], n << ((struct job *)context)->size_index);
}

/* Rows and columns of one transposed plane are split over the pool by bands
   of rows of the output. */
struct plane {
    const struct mx_loop *loop;
    char *dst;
    const char *src;
};

#define BAND 64

static void copy_band(void *context, int64_t begin, int64_t end)
{
    const struct plane *p = context;
    const struct mx_loop *l = p->loop;
    int d = l->ndim - 2, size_index = l->size_index[0];
    int64_t i = begin * BAND;
    int64_t rows = end * BAND < l->shape[d] ? end * BAND - i
                                            : l->shape[d] - i;
    /* the source runs along d, the output along d + 1 */
    mx_cpu_kernels()->transpose[size_index](
        p->dst + i * l->stride[0][d] * (1 << size_index), l->stride[0][d],
        p->src + i * (1 << size_index), l->stride[1][d + 1],
        (size_t)l->shape[d + 1], (size_t)rows, l->stream_output);
}

/* Whether the two innermost dimensions are a plain transposition. */
static int is_transposed(const struct mx_loop *l)
{
    int d = l->ndim - 2;
    return d >= 0 && l->stride[0][d + 1] == 1 && l->stride[1][d] == 1 &&
        l->shape[d] >= 8 && l->shape[d + 1] >= 8;
}

static void run_planes(const struct mx_loop *l)
{
    int64_t n = mx_shape_product(l->shape, l->ndim - 2);
    int64_t bands = (l->shape[l->ndim - 2] + BAND - 1) / BAND;
    for (int64_t k = 0; k < n; k++) {
        int64_t rest = k, to = 0, from = 0;
        for (int d = l->ndim - 3; d >= 0; d--) {
            int64_t i = rest % l->shape[d];
            rest /= l->shape[d];
            to += i * l->stride[0][d];
            from += i * l->stride[1][d];
        }
        struct plane p = { l, l->data[0] + to * (1 << l->size_index[0]),
            l->data[1] + from * (1 << l->size_index[0]) };
        mx_parallel_for(bands, 1, copy_band, &p);
    }
}

static mlxc_status run_copy(void *payload)
{
    struct job *j = payload;
    if (is_transposed(&j->loop))
        run_planes(&j->loop);
    else
        mx_loop_run(&j->loop);
    return MLXC_OK;
}

mlxc_status mx_cpu_copy(mlxc_stream *s, void *dst, mlxc_array *a)
{
    char *data[2] = { dst, mx_data(a) };
    uint8_t size_index[2] = { mx_dtypes[a->dtype].size_index,
        mx_dtypes[a->dtype].size_index };
    size_t head = sizeof(struct job) - sizeof(struct mx_loop);
    struct job *j = mx_task_begin(s, run_copy,
        head + mx_loop_bytes(a->ndim, 3), a->size);
    if (!j)
        return MLXC_ERR_NOMEM;
    j->size_index = size_index[0];
    /* row-major strides go into the spare column of the loop */
    int64_t *row = j->loop.dims + 3 * (size_t)a->ndim;
    const int64_t *strides[2] = { row, a->strides };
    mx_shape_row_strides(row, a->shape, a->ndim);
    mx_loop_init_raw(&j->loop, a->shape, a->ndim, 2, data, strides,
        size_index);
    j->loop.inner = inner_copy;
    j->loop.context = j;
    return mx_task_end(s, j);
}

const void *mx_cpu_row_major(mlxc_stream *s, mlxc_array *a)
{
    if (a->flags & MX_ROW_MAJOR)
        return mx_data(a);
    void *p = mx_task_scratch(s, (size_t)a->size * mx_itemsize(a));
    return p && !mx_cpu_copy(s, p, a) ? p : NULL;
}

mlxc_status mx_cpu_output(mlxc_stream *s, struct mx_node *node, int i)
{
    mlxc_array *a = node->input[i], *out = node->output[0];
    if (a->size == out->size && mx_itemsize(a) == mx_itemsize(out) &&
        (a->flags & MX_ROW_MAJOR) && mx_can_donate(node, i)) {
        mx_array_set_buffer(out, a->buffer, NULL, a->offset);
        return MLXC_OK;
    }
    return mx_array_alloc(out, s);
}

mlxc_status mx_cpu_eval_copy(mlxc_stream *s, struct mx_node *node)
{
    MX_TRY(mx_array_alloc(node->output[0], s));
    return mx_cpu_copy(s, mx_data(node->output[0]), node->input[0]);
}

/* Reached when no strides express the new shape. */
mlxc_status mx_cpu_eval_reshape(mlxc_stream *s, struct mx_node *node)
{
    return mx_cpu_eval_copy(s, node);
}

mlxc_status mx_cpu_eval_view(mlxc_stream *s, struct mx_node *node)
{
    return mx_cpu_eval_copy(s, node);
}
