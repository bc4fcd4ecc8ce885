/* SPDX-License-Identifier: MIT */
/* Reductions.  Three walks: long runs into few results (cut into chunks of
   fixed size whose partial results are combined in order), runs along rows,
   and columns side by side where the kept dimension is the contiguous one.
   How work is cut depends on shapes alone, never on the number of threads. */
#include <string.h>

#include "core/params.h"
#include "cpu/eval.h"
#include "cpu/kernels.h"
#include "cpu/rows.h"
#include "cpu/task.h"
#include "util/alloc.h"
#include "util/thread.h"

/* Elements of one chunk of a long run. */
#define CHUNK 65536
/* Columns that are accumulated side by side: their sums stay in L1. */
#define COLUMNS 2048
/* Rows of one chunk of columns, and the most chunks. */
#define ROWS 256
#define CHUNKS 16
#define GATHER 512
#define ACC_BYTES 16
/* Accumulators of n results; a variance has one number for all of them. */
#define ACC_SIZE(j, n) ((j)->kernel->size * (size_t)(n) + ACC_BYTES)

struct job {
    const struct mx_reduce_kernel *kernel;
    struct mx_walk kept, reduced;
    const char *src;
    char *dst;
    char *partial;   /* with chunks */
    int64_t chunks;  /* of each run or block of columns */
    int64_t blocks;  /* of columns, in all; 0: rows */
    int64_t run;     /* elements (rows of columns) of one chunk */
    double ddof;
    int size_index, out_size;
};

/* The order of what is reduced is free: the smallest stride innermost,
   forwards, and dimensions merged. */
static void order(struct job *j)
{
    struct mx_walk *w = &j->reduced;
    int n = 0;
    for (int d = 0; d < w->ndim; d++) {
        int64_t shape = w->shape[d], stride = w->stride[d];
        if (stride < 0) {
            j->src += (shape - 1) * stride * (1 << j->size_index);
            stride = -stride;
        }
        int k = d;
        for (; k > 0 && stride && (w->stride[k - 1] < stride); k--) {
            if (w->stride[k - 1] == 0)
                break;
            w->shape[k] = w->shape[k - 1];
            w->stride[k] = w->stride[k - 1];
        }
        w->shape[k] = shape;
        w->stride[k] = stride;
    }
    for (int d = 0; d < w->ndim; d++) {
        if (n > 0 && w->stride[n - 1] == w->stride[d] * w->shape[d]) {
            w->shape[n - 1] *= w->shape[d];
            w->stride[n - 1] = w->stride[d];
            continue;
        }
        w->shape[n] = w->shape[d];
        w->stride[n++] = w->stride[d];
    }
    w->ndim = n;
}

static void finish(const struct job *j, int64_t at, void *acc, int64_t n)
{
    if (j->ddof != 0)
        ((double *)acc)[2 * n] -= j->ddof;
    j->kernel->finish(j->dst + at * j->out_size, acc, (size_t)n);
}

/* Fold elements [begin, end) of the run at `src` into acc. */
static void fold_run(const struct job *j, void *acc, const char *src,
    int64_t begin, int64_t end)
{
    const struct mx_walk *r = &j->reduced;
    const struct mx_cpu_kernels *k = mx_cpu_kernels();
    int64_t row = r->ndim ? r->shape[r->ndim - 1] : 1;
    int64_t step = r->ndim ? r->stride[r->ndim - 1] : 1;
    double scratch[GATHER];
    while (begin < end) {
        const char *at = src + mx_walk_offset(r, begin) *
            (1 << j->size_index);
        int64_t n = row - begin % row;
        n = n < end - begin ? n : end - begin;
        begin += n;
        if (step == 1 || n == 1) {
            j->kernel->row(acc, at, (size_t)n);
            continue;
        }
        for (int64_t i = 0; i < n; i += GATHER) {
            size_t m = (size_t)(n - i < GATHER ? n - i : GATHER);
            k->copy_strided[j->size_index](scratch, 1,
                at + i * step * (1 << j->size_index), step, m);
            j->kernel->row(acc, scratch, m);
        }
    }
}

static void reduce_rows(void *context, int64_t begin, int64_t end)
{
    const struct job *j = context;
    double acc[2 * ACC_BYTES / sizeof(double)];
    for (int64_t i = begin; i < end; i++) {
        j->kernel->init(acc, 1);
        fold_run(j, acc, j->src + mx_walk_offset(&j->kept, i) *
            (1 << j->size_index), 0, j->reduced.size);
        finish(j, i, acc, 1);
    }
}

static void reduce_chunks(void *context, int64_t begin, int64_t end)
{
    const struct job *j = context;
    for (int64_t i = begin; i < end; i++) {
        int64_t from = i % j->chunks * CHUNK, to = from + CHUNK;
        char *acc = j->partial + (size_t)i * ACC_SIZE(j, 1);
        j->kernel->init(acc, 1);
        fold_run(j, acc, j->src + mx_walk_offset(&j->kept, i / j->chunks) *
            (1 << j->size_index), from,
            to < j->reduced.size ? to : j->reduced.size);
    }
}

/* Block b of neighbours along the innermost kept dimension: its first
   result, and how many. */
static int64_t block(const struct job *j, int64_t b, int64_t *n)
{
    const struct mx_walk *w = &j->kept;
    int64_t row = w->shape[w->ndim - 1];
    int64_t per_row = (row + COLUMNS - 1) / COLUMNS;
    int64_t left = row - b % per_row * COLUMNS;
    *n = left < COLUMNS ? left : COLUMNS;
    return b / per_row * row + b % per_row * COLUMNS;
}

/* Chunk i % chunks of block i / chunks. */
static void reduce_columns(void *context, int64_t begin, int64_t end)
{
    const struct job *j = context;
    const struct mx_walk *r = &j->reduced;
    int64_t row = r->shape[r->ndim - 1], step = r->stride[r->ndim - 1], n;
    double own[(COLUMNS + 1) * ACC_BYTES / sizeof(double)];
    for (int64_t i = begin; i < end; i++) {
        int64_t at = block(j, i / j->chunks, &n);
        int64_t from = i % j->chunks * j->run, to = from + j->run;
        const char *src =
            j->src + mx_walk_offset(&j->kept, at) * (1 << j->size_index);
        void *acc = j->partial
            ? j->partial + (size_t)i * ACC_SIZE(j, COLUMNS) : (void *)own;
        j->kernel->init(acc, (size_t)n);
        to = to < r->size ? to : r->size;
        while (from < to) {
            int64_t m = row - from % row;
            m = m < to - from ? m : to - from;
            j->kernel->column(acc, src + mx_walk_offset(r, from) *
                (1 << j->size_index), step, (size_t)m, (size_t)n);
            from += m;
        }
        if (!j->partial)
            finish(j, at, acc, n);
    }
}

static mlxc_status run(void *payload)
{
    struct job *j = payload;
    int64_t n = 1;
    if (j->blocks)
        mx_parallel_for(j->blocks * j->chunks, 1, reduce_columns, j);
    else if (j->partial)
        mx_parallel_for(j->kept.size * j->chunks, 1, reduce_chunks, j);
    else {
        int64_t grain = j->reduced.size ? CHUNK / j->reduced.size : CHUNK;
        mx_parallel_for(j->kept.size, grain > 1 ? grain : 1, reduce_rows, j);
    }
    if (!j->partial)
        return MLXC_OK;
    size_t size = ACC_SIZE(j, j->blocks ? COLUMNS : 1);
    int64_t units = j->blocks ? j->blocks : j->kept.size;
    for (int64_t i = 0; i < units; i++) {
        int64_t at = j->blocks ? block(j, i, &n) : i;
        char *acc = j->partial + (size_t)(i * j->chunks) * size;
        for (int64_t c = 1; c < j->chunks; c++)
            j->kernel->combine(acc, acc + (size_t)c * size, (size_t)n);
        finish(j, at, acc, n);
    }
    return MLXC_OK;
}

/* Choose the walk; the bytes of partial results that it needs. */
static size_t plan(struct job *j, int64_t results)
{
    const struct mx_walk *w = &j->kept, *r = &j->reduced;
    j->blocks = 0;
    j->chunks = 1;
    if (w->ndim && w->size && w->stride[w->ndim - 1] == 1 &&
        w->shape[w->ndim - 1] >= 8 && r->ndim &&
        r->stride[r->ndim - 1] != 1) {
        int64_t row = w->shape[w->ndim - 1];
        j->blocks = w->size / row * ((row + COLUMNS - 1) / COLUMNS);
        if (j->blocks < CHUNKS && r->size >= 2 * ROWS) {
            j->chunks = (r->size + ROWS - 1) / ROWS;
            j->chunks = j->chunks < CHUNKS ? j->chunks : CHUNKS;
        }
        j->run = (r->size + j->chunks - 1) / j->chunks;
        return j->chunks > 1 ? (size_t)(j->blocks * j->chunks) *
            ACC_SIZE(j, COLUMNS) : 0;
    }
    if (r->size > CHUNK && results < 64) {
        j->chunks = (r->size + CHUNK - 1) / CHUNK;
        return (size_t)(results * j->chunks) * ACC_SIZE(j, 1);
    }
    return 0;
}

static mlxc_status reduce(mlxc_stream *s, struct mx_node *node,
    const struct mx_reduce_kernel *kernel, double ddof)
{
    const struct mx_p_reduce *p = node->params;
    mlxc_array *a = node->input[0], *out = node->output[0];
    unsigned char small[64] = { 0 }, *chosen = small;
    MX_TRY(mx_array_alloc(out, s));
    struct job *j = mx_task_begin(s, run, sizeof *j, a->size + out->size);
    if (!j)
        return MLXC_ERR_NOMEM;
    if (a->ndim > 64 && !(chosen = mx_alloc_zero((size_t)a->ndim))) {
        mx_task_drop(s, j);
        return mx_error_nomem("reduce");
    }
    for (int i = 0; i < p->n; i++)
        chosen[p->v[i]] = 1;
    mlxc_status status = mx_walk_init(&j->kept, "reduce", a, chosen, 0);
    if (!status)
        status = mx_walk_init(&j->reduced, "reduce", a, chosen, 1);
    if (chosen != small)
        mx_free(chosen);
    if (!status) {
        j->kernel = kernel;
        j->src = mx_data(a);
        j->dst = mx_data(out);
        j->size_index = mx_dtypes[a->dtype].size_index;
        j->out_size = (int)mx_itemsize(out);
        j->ddof = ddof;
        j->partial = NULL;
        if (a->size)
            order(j);
        size_t bytes = plan(j, out->size);
        if (bytes && !(j->partial = mx_task_scratch(s, bytes)))
            status = MLXC_ERR_NOMEM;
    }
    if (status) {
        mx_task_drop(s, j);
        return status;
    }
    return mx_task_end(s, j);
}

mlxc_status mx_cpu_eval_reduce(mlxc_stream *s, struct mx_node *node)
{
    const struct mx_p_reduce *p = node->params;
    return reduce(s, node,
        &mx_cpu_kernels()->reduce[p->kind][node->input[0]->dtype], 0);
}

mlxc_status mx_cpu_eval_var(mlxc_stream *s, struct mx_node *node)
{
    const struct mx_p_reduce *p = node->params;
    return reduce(s, node, &mx_cpu_kernels()->var[node->input[0]->dtype],
        (double)p->ddof);
}
