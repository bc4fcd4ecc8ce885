/* SPDX-License-Identifier: MIT */
/* Reductions.  Three walks: long runs into few results (cut into chunks of
   fixed size whose partial results are combined in order), runs along rows,
   and columns side by side where the kept dimension is the contiguous one. */
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
#define COLUMNS 512
#define GATHER 512
#define ACC_BYTES 16

struct job {
    const struct mx_reduce_kernel *kernel;
    struct mx_walk kept, reduced;
    const char *src;
    char *dst;
    char *partial; /* with chunks */
    int64_t chunks;
    int size_index, out_size;
};

/* Fold elements [begin, end) of the run at `src` into acc. */
static void fold_run(const struct job *j, void *acc, const char *src,
    int64_t begin, int64_t end)
{
    const struct mx_walk *r = &j->reduced;
    const struct mx_cpu_kernels *k = mx_cpu_kernels();
    int64_t row = r->ndim ? r->shape[r->ndim - 1] : 1;
    int64_t step = r->ndim ? r->stride[r->ndim - 1] : 1;
    char scratch[GATHER * 8];
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
    double acc[ACC_BYTES / sizeof(double)];
    for (int64_t i = begin; i < end; i++) {
        j->kernel->init(acc, 1);
        fold_run(j, acc, j->src + mx_walk_offset(&j->kept, i) *
            (1 << j->size_index), 0, j->reduced.size);
        j->kernel->finish(j->dst + i * j->out_size, acc, 1);
    }
}

static void reduce_chunks(void *context, int64_t begin, int64_t end)
{
    const struct job *j = context;
    for (int64_t i = begin; i < end; i++) {
        int64_t from = i % j->chunks * CHUNK, to = from + CHUNK;
        char *acc = j->partial + (size_t)i * j->kernel->size;
        j->kernel->init(acc, 1);
        fold_run(j, acc, j->src + mx_walk_offset(&j->kept, i / j->chunks) *
            (1 << j->size_index), from,
            to < j->reduced.size ? to : j->reduced.size);
    }
}

/* Block i of COLUMNS neighbours along the innermost kept dimension. */
static void reduce_columns(void *context, int64_t begin, int64_t end)
{
    const struct job *j = context;
    const struct mx_walk *w = &j->kept;
    int64_t row = w->shape[w->ndim - 1];
    int64_t blocks = (row + COLUMNS - 1) / COLUMNS;
    double acc[COLUMNS * ACC_BYTES / sizeof(double)];
    for (int64_t i = begin; i < end; i++) {
        int64_t at = i / blocks * row + i % blocks * COLUMNS;
        int64_t left = row - i % blocks * COLUMNS;
        size_t n = (size_t)(left < COLUMNS ? left : COLUMNS);
        const char *src =
            j->src + mx_walk_offset(w, at) * (1 << j->size_index);
        j->kernel->init(acc, n);
        for (int64_t r = 0; r < j->reduced.size; r++)
            j->kernel->column(acc, src + mx_walk_offset(&j->reduced, r) *
                (1 << j->size_index), n);
        j->kernel->finish(j->dst + at * j->out_size, acc, n);
    }
}

static mlxc_status run(void *payload)
{
    struct job *j = payload;
    const struct mx_walk *w = &j->kept;
    if (j->partial) {
        mx_parallel_for(w->size * j->chunks, 1, reduce_chunks, j);
        for (int64_t i = 0; i < w->size; i++) {
            char *acc = j->partial + (size_t)(i * j->chunks) *
                j->kernel->size;
            for (int64_t c = 1; c < j->chunks; c++)
                j->kernel->combine(acc, acc + (size_t)c * j->kernel->size,
                    1);
            j->kernel->finish(j->dst + i * j->out_size, acc, 1);
        }
    } else if (w->ndim && w->stride[w->ndim - 1] == 1 &&
        w->shape[w->ndim - 1] >= 8 && j->reduced.ndim &&
        j->reduced.stride[j->reduced.ndim - 1] != 1) {
        int64_t row = w->shape[w->ndim - 1];
        mx_parallel_for(w->size / row * ((row + COLUMNS - 1) / COLUMNS), 1,
            reduce_columns, j);
    } else {
        int64_t grain = j->reduced.size ? CHUNK / j->reduced.size : CHUNK;
        mx_parallel_for(w->size, grain > 1 ? grain : 1, reduce_rows, j);
    }
    return MLXC_OK;
}

mlxc_status mx_cpu_eval_reduce(mlxc_stream *s, struct mx_node *node)
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
    j->kernel = &mx_cpu_kernels()->reduce[p->kind][a->dtype];
    j->src = mx_data(a);
    j->dst = mx_data(out);
    j->size_index = mx_dtypes[a->dtype].size_index;
    j->out_size = (int)mx_itemsize(out);
    j->partial = NULL;
    j->chunks = (j->reduced.size + CHUNK - 1) / CHUNK;
    if (!status && j->chunks > 1 && out->size < 64) {
        j->partial = mx_task_scratch(s,
            (size_t)(out->size * j->chunks) * j->kernel->size);
        if (!j->partial)
            status = MLXC_ERR_NOMEM;
    }
    if (status) {
        mx_task_drop(s, j);
        return status;
    }
    return mx_task_end(s, j);
}
