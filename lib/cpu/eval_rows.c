/* SPDX-License-Identifier: MIT */
/* What works along one axis: positions of extremes, scans, softmax and
   log-sum-exp. */
#include <string.h>

#include "core/eval.h"
#include "core/params.h"
#include "cpu/eval.h"
#include "cpu/kernels.h"
#include "cpu/rows.h"
#include "cpu/task.h"
#include "util/alloc.h"
#include "util/thread.h"

struct job {
    struct mx_walk from, to; /* the other dimensions of input and output */
    const char *src;
    char *dst;
    int64_t n, step, out_step; /* along the axis */
    int size, out_size;        /* bytes of an element */
    int size_index;
    int flag;                  /* reverse; max */
    int inclusive;
    union {
        mx_argreduce_fn *argreduce;
        mx_scan_fn *scan;
        mx_row_fn *row;
    } kernel;
    mx_argcolumn_fn *column;
    mx_scan_column_fn *scan_column;
    const struct mx_reduce_kernel *start; /* of scans by columns */
    int64_t chunks;      /* of each row, for positions */
    int64_t *position;   /* best of each chunk */
    char *best;          /* and its element */
};

static int64_t grain(const struct job *j)
{
    int64_t g = j->n ? 16384 / j->n : 16384;
    return g > 1 ? g : 1;
}

/* Split the dimensions of `a` into the axis and the others. */
static mlxc_status others(struct mx_walk *w, const char *op, mlxc_array *a,
    int64_t axis)
{
    unsigned char small[64] = { 0 }, *chosen = small;
    if (a->ndim > 64 && !(chosen = mx_alloc_zero((size_t)a->ndim)))
        return mx_error_nomem(op);
    if (axis >= 0)
        chosen[axis] = 1;
    mlxc_status status = mx_walk_init(w, op, a, chosen, 0);
    if (chosen != small)
        mx_free(chosen);
    return status;
}

static struct job *begin(mlxc_stream *s, struct mx_node *node, int64_t axis,
    int64_t out_axis, mx_task_fn *run)
{
    mlxc_array *a = node->input[0], *out = node->output[0];
    struct job *j = mx_task_begin(s, run, sizeof *j, 4 * a->size);
    if (!j)
        return NULL;
    if (others(&j->from, node->op->name, a, axis) ||
        others(&j->to, node->op->name, out, out_axis)) {
        mx_task_drop(s, j);
        return NULL;
    }
    j->src = mx_data(a);
    j->dst = mx_data(out);
    j->n = a->shape[axis];
    j->step = a->strides[axis];
    j->out_step = out_axis >= 0 ? out->strides[out_axis] : 1;
    j->size = (int)mx_itemsize(a);
    j->out_size = (int)mx_itemsize(out);
    j->size_index = mx_dtypes[a->dtype].size_index;
    return j;
}

/* ---- positions ---- */

static void store(const struct job *j, int64_t i, int64_t at)
{
    if (j->out_size == 4)
        ((uint32_t *)(void *)j->dst)[i] = (uint32_t)at;
    else
        ((uint64_t *)(void *)j->dst)[i] = (uint64_t)at;
}

#define COLUMNS 1024
/* Elements of one chunk of a long row. */
#define CHUNK 65536
/* Rows of columns that one 32-bit number counts. */
#define ROWS 0x40000000

static void arg_rows(void *context, int64_t first, int64_t end)
{
    const struct job *j = context;
    for (int64_t i = first; i < end; i++)
        store(j, i, (int64_t)j->kernel.argreduce(j->src +
            mx_walk_offset(&j->from, i) * j->size, (size_t)j->n));
}

/* Chunk i % chunks of row i / chunks: its best position, and the element. */
static void arg_chunks(void *context, int64_t first, int64_t end)
{
    const struct job *j = context;
    for (int64_t i = first; i < end; i++) {
        int64_t from = i % j->chunks * CHUNK, n = j->n - from;
        const char *row =
            j->src + mx_walk_offset(&j->from, i / j->chunks) * j->size;
        int64_t at = from + (int64_t)j->kernel.argreduce(row +
            from * j->size, (size_t)(n < CHUNK ? n : CHUNK));
        j->position[i] = at;
        memcpy(j->best + i * j->size, row + at * j->size, (size_t)j->size);
    }
}

/* Neighbours along the innermost other dimension, or single ones. */
static void arg_columns(void *context, int64_t first, int64_t end)
{
    const struct job *j = context;
    const struct mx_walk *w = &j->from;
    int wide = w->ndim && w->stride[w->ndim - 1] == 1;
    int64_t row = wide ? w->shape[w->ndim - 1] : 1;
    double best[COLUMNS];
    uint32_t at[COLUMNS];
    for (int64_t i = first; i < end;) {
        int64_t n = row - i % row;
        n = n < end - i ? n : end - i;
        n = n < COLUMNS ? n : COLUMNS;
        const char *src = j->src + mx_walk_offset(w, i) * j->size;
        for (int64_t from = 0; from < j->n; from += ROWS) {
            int64_t m = j->n - from < ROWS ? j->n - from : ROWS;
            memset(at, from ? 0xff : 0, sizeof at);
            if (from == 0)
                memcpy(best, src, (size_t)(n * j->size));
            for (int64_t k = from == 0; k < m; k++)
                j->column(best, at, src + (from + k) * j->step * j->size,
                    (uint32_t)k, (size_t)n);
            for (int64_t k = 0; k < n; k++) {
                if (at[k] != UINT32_MAX)
                    store(j, i + k, from + at[k]);
            }
        }
        i += n;
    }
}

static mlxc_status run_arg(void *payload)
{
    struct job *j = payload;
    if (j->chunks > 1) {
        mx_parallel_for(j->from.size * j->chunks, 1, arg_chunks, j);
        for (int64_t i = 0; i < j->from.size; i++) {
            int64_t at = i * j->chunks;
            at += (int64_t)j->kernel.argreduce(j->best + at * j->size,
                (size_t)j->chunks);
            store(j, i, j->position[at]);
        }
    } else if (j->step == 1 || j->n == 1) {
        mx_parallel_for(j->from.size, grain(j), arg_rows, j);
    } else {
        mx_parallel_for(j->from.size, COLUMNS, arg_columns, j);
    }
    return MLXC_OK;
}

mlxc_status mx_cpu_eval_argreduce(mlxc_stream *s, struct mx_node *node)
{
    const struct mx_p_argreduce *p = node->params;
    const struct mx_cpu_kernels *k = mx_cpu_kernels();
    int dtype = node->input[0]->dtype;
    MX_TRY(mx_array_alloc(node->output[0], s));
    struct job *j = begin(s, node, p->axis, -1, run_arg);
    if (!j)
        return MLXC_ERR_NOMEM;
    j->kernel.argreduce = k->argreduce[p->max][dtype];
    j->column = k->argcolumn[p->max][dtype];
    j->chunks = 1;
    if (j->step == 1 && j->n > CHUNK && j->from.size < 16) {
        j->chunks = (j->n + CHUNK - 1) / CHUNK;
        size_t n = (size_t)(j->from.size * j->chunks);
        j->position = mx_task_scratch(s, n * sizeof *j->position);
        j->best = mx_task_scratch(s, n * (size_t)j->size);
        if (!j->position || !j->best) {
            mx_task_drop(s, j);
            return MLXC_ERR_NOMEM;
        }
    }
    return mx_task_end(s, j);
}

/* ---- scans ---- */

static void scan_rows(void *context, int64_t first, int64_t end)
{
    const struct job *j = context;
    for (int64_t i = first; i < end; i++) {
        const char *src = j->src + mx_walk_offset(&j->from, i) * j->size;
        char *dst = j->dst + mx_walk_offset(&j->to, i) * j->out_size;
        int64_t step = j->step, out_step = j->out_step;
        if (j->flag) {
            src += (j->n - 1) * step * j->size;
            dst += (j->n - 1) * out_step * j->out_size;
            step = -step;
            out_step = -out_step;
        }
        j->kernel.scan(dst, out_step, src, step, (size_t)j->n,
            j->inclusive);
    }
}

/* Accumulators of that many columns are 16 bytes at most each. */
#define SCAN_COLUMNS 1024

/* Block i of neighbours along the innermost other dimension. */
static void scan_blocks(void *context, int64_t first, int64_t end)
{
    const struct job *j = context;
    const struct mx_walk *w = &j->from;
    int64_t row = w->shape[w->ndim - 1];
    int64_t blocks = (row + SCAN_COLUMNS - 1) / SCAN_COLUMNS;
    double acc[SCAN_COLUMNS * 2];
    for (int64_t i = first; i < end; i++) {
        int64_t at = i / blocks * row + i % blocks * SCAN_COLUMNS;
        int64_t left = row - i % blocks * SCAN_COLUMNS;
        size_t n = (size_t)(left < SCAN_COLUMNS ? left : SCAN_COLUMNS);
        const char *src = j->src + mx_walk_offset(w, at) * j->size;
        char *dst = j->dst + mx_walk_offset(&j->to, at) * j->out_size;
        j->start->init(acc, n);
        for (int64_t k = 0; k < j->n; k++) {
            int64_t r = j->flag ? j->n - 1 - k : k;
            j->scan_column(acc, dst + r * j->out_step * j->out_size,
                src + r * j->step * j->size, n, j->inclusive);
        }
    }
}

static int side_by_side(const struct mx_walk *w, const struct mx_walk *other)
{
    return w->ndim && w->stride[w->ndim - 1] == 1 && other->ndim &&
        other->stride[other->ndim - 1] == 1 &&
        other->shape[other->ndim - 1] == w->shape[w->ndim - 1] &&
        w->shape[w->ndim - 1] >= 8;
}

static mlxc_status run_scan(void *payload)
{
    struct job *j = payload;
    if (!j->n || !j->from.size)
        return MLXC_OK;
    if (j->scan_column && j->step != 1 && side_by_side(&j->from, &j->to)) {
        int64_t row = j->from.shape[j->from.ndim - 1];
        mx_parallel_for(j->from.size / row *
            ((row + SCAN_COLUMNS - 1) / SCAN_COLUMNS), 1, scan_blocks, j);
    } else {
        mx_parallel_for(j->from.size, grain(j), scan_rows, j);
    }
    return MLXC_OK;
}

/* The reduction whose start a scan shares. */
static const uint8_t starts[MX_SCAN_COUNT] = {
    [MX_SCAN_SUM] = MX_REDUCE_SUM,
    [MX_SCAN_PROD] = MX_REDUCE_PROD,
    [MX_SCAN_MAX] = MX_REDUCE_MAX,
    [MX_SCAN_MIN] = MX_REDUCE_MIN,
};

mlxc_status mx_cpu_eval_scan(mlxc_stream *s, struct mx_node *node)
{
    const struct mx_p_scan *p = node->params;
    MX_TRY(mx_cpu_output(s, node, 0));
    struct job *j = begin(s, node, p->axis, p->axis, run_scan);
    if (!j)
        return MLXC_ERR_NOMEM;
    j->kernel.scan =
        mx_cpu_kernels()->scan[p->kind][node->input[0]->dtype];
    j->scan_column =
        mx_cpu_kernels()->scan_column[p->kind][node->input[0]->dtype];
    j->start = &mx_cpu_kernels()->reduce[starts[p->kind]]
        [node->input[0]->dtype];
    j->flag = (int)p->reverse;
    j->inclusive = (int)p->inclusive;
    return mx_task_end(s, j);
}

/* ---- recurrences ---- */

struct recurrence {
    struct mx_walk a, b, to;
    const char *src, *add;
    char *dst;
    int64_t n, step, add_step, out_step;
    int size;
    mx_recurrence_fn *kernel;
};

static void recurrence_rows(void *context, int64_t first, int64_t end)
{
    const struct recurrence *j = context;
    for (int64_t i = first; i < end; i++)
        j->kernel(j->dst + mx_walk_offset(&j->to, i) * j->size, j->out_step,
            j->src + mx_walk_offset(&j->a, i) * j->size, j->step,
            j->add + mx_walk_offset(&j->b, i) * j->size, j->add_step,
            (size_t)j->n);
}

static mlxc_status run_recurrence(void *payload)
{
    struct recurrence *j = payload;
    int64_t g = j->n ? 16384 / j->n : 0;
    if (j->n)
        mx_parallel_for(j->to.size, g > 1 ? g : 1, recurrence_rows, j);
    return MLXC_OK;
}

mlxc_status mx_cpu_eval_recurrence(mlxc_stream *s, struct mx_node *node)
{
    const struct mx_p_recurrence *p = node->params;
    mlxc_array *a = node->input[0], *b = node->input[1];
    mlxc_array *out = node->output[0];
    MX_TRY(mx_array_alloc(out, s));
    struct recurrence *j =
        mx_task_begin(s, run_recurrence, sizeof *j, 4 * a->size);
    if (!j)
        return MLXC_ERR_NOMEM;
    mlxc_status status = others(&j->a, "recurrence", a, p->axis);
    if (!status)
        status = others(&j->b, "recurrence", b, p->axis);
    if (!status)
        status = others(&j->to, "recurrence", out, p->axis);
    if (status) {
        mx_task_drop(s, j);
        return status;
    }
    int64_t from = p->reverse && a->shape[p->axis] ?
        a->shape[p->axis] - 1 : 0, sign = p->reverse ? -1 : 1;
    j->n = a->shape[p->axis];
    j->size = (int)mx_itemsize(a);
    j->step = a->strides[p->axis];
    j->add_step = b->strides[p->axis];
    j->out_step = out->strides[p->axis];
    j->src = (const char *)mx_data(a) + from * j->step * j->size;
    j->add = (const char *)mx_data(b) + from * j->add_step * j->size;
    j->dst = (char *)mx_data(out) + from * j->out_step * j->size;
    j->step *= sign;
    j->add_step *= sign;
    j->out_step *= sign;
    j->kernel = mx_cpu_kernels()->recurrence[a->dtype];
    return mx_task_end(s, j);
}

/* ---- softmax and log-sum-exp: the last axis, contiguous ---- */

static void plain_rows(void *context, int64_t first, int64_t end)
{
    const struct job *j = context;
    int64_t row = j->out_step * j->out_size;
    for (int64_t i = first; i < end; i++)
        j->kernel.row(j->dst + i * row, j->src + i * j->n * j->size,
            (size_t)j->n);
}

static mlxc_status run_rows(void *payload)
{
    struct job *j = payload;
    mx_parallel_for(j->from.size, grain(j), plain_rows, j);
    return MLXC_OK;
}

static mlxc_status rows(mlxc_stream *s, struct mx_node *node,
    mx_row_fn *kernel, int64_t out_row)
{
    mlxc_array *a = node->input[0];
    const char *src = mx_cpu_row_major(s, a);
    if (!src)
        return MLXC_ERR_NOMEM;
    int64_t n = a->shape[a->ndim - 1];
    struct job *j = mx_task_begin(s, run_rows, sizeof *j, 8 * a->size);
    if (!j)
        return MLXC_ERR_NOMEM;
    j->src = src;
    j->dst = mx_data(node->output[0]);
    j->n = n;
    j->out_step = out_row;
    j->size = j->out_size = (int)mx_itemsize(a);
    j->from.size = 1;
    for (int d = 0; d < a->ndim - 1; d++)
        j->from.size *= a->shape[d];
    j->kernel.row = kernel;
    return mx_task_end(s, j);
}

mlxc_status mx_cpu_eval_softmax(mlxc_stream *s, struct mx_node *node)
{
    mlxc_array *a = node->input[0];
    /* the kernel has read an element for the last time when it writes it */
    MX_TRY(mx_cpu_output(s, node, 0));
    return rows(s, node, mx_cpu_kernels()->softmax[a->dtype],
        a->shape[a->ndim - 1]);
}

mlxc_status mx_cpu_eval_logsumexp(mlxc_stream *s, struct mx_node *node)
{
    MX_TRY(mx_array_alloc(node->output[0], s));
    return rows(s, node, mx_cpu_kernels()->logsumexp[node->input[0]->dtype],
        1);
}
