/* SPDX-License-Identifier: MIT */
/* Sorting along the last axis, and searching sorted vectors.  Many rows are
   shared out among the pool; of few long ones each is shared. */
#include "core/eval.h"
#include "core/params.h"
#include "cpu/eval.h"
#include "cpu/kernels.h"
#include "cpu/task.h"
#include "util/thread.h"

struct job {
    const char *src;
    char *dst;
    char *scratch;
    size_t scratch_size; /* of one group */
    int64_t n, rows;
    int64_t groups;      /* rows are dealt into groups with scratch each */
    mlxc_dtype dtype;
    int positions, wide;
    int split;
};

static void sort_rows(void *context, int64_t begin, int64_t end)
{
    const struct job *j = context;
    const struct mx_cpu_kernels *k = mx_cpu_kernels();
    int64_t size = mx_dtypes[j->dtype].size;
    int64_t out = j->positions ? (j->wide ? 8 : 4) : size;
    for (int64_t g = begin; g < end; g++) {
        void *scratch = j->scratch + (size_t)g * j->scratch_size;
        for (int64_t r = g; r < j->rows; r += j->groups) {
            const char *src = j->src + r * j->n * size;
            char *dst = j->dst + r * j->n * out;
            if (j->positions)
                k->sort_positions(j->dtype, dst, j->wide, src, j->n, scratch,
                    j->split);
            else
                k->sort_values(j->dtype, dst, src, j->n, scratch, j->split);
        }
    }
}

static mlxc_status run_sort(void *payload)
{
    struct job *j = payload;
    if (j->groups > 1)
        mx_parallel_for(j->groups, 1, sort_rows, j);
    else
        sort_rows(j, 0, 1);
    return MLXC_OK;
}

static mlxc_status sort(mlxc_stream *s, struct mx_node *node, int positions)
{
    mlxc_array *a = node->input[0], *out = node->output[0];
    struct job job = { .n = a->shape[a->ndim - 1],
        .dtype = (mlxc_dtype)a->dtype, .positions = positions,
        .wide = out->dtype == MLXC_UINT64 };
    MX_TRY(mx_array_alloc(out, s));
    if (out->size == 0)
        return MLXC_OK;
    job.rows = a->size / job.n;
    job.groups = 4 * (int64_t)mx_pool_size();
    job.groups = job.groups < job.rows ? job.groups : job.rows;
    if (job.rows < mx_pool_size() || out->size < 4096)
        job.groups = 1;
    job.split = job.groups == 1;
    job.scratch_size =
        mx_cpu_kernels()->sort_scratch(job.dtype, job.n, positions);
    job.src = mx_cpu_row_major(s, a);
    if (!job.src)
        return MLXC_ERR_NOMEM;
    job.scratch =
        mx_task_scratch(s, (size_t)job.groups * job.scratch_size);
    if (!job.scratch)
        return MLXC_ERR_NOMEM;
    struct job *j = mx_task_begin(s, run_sort, sizeof *j, 16 * out->size);
    if (!j)
        return MLXC_ERR_NOMEM;
    job.dst = mx_data(out);
    *j = job;
    return mx_task_end(s, j);
}

mlxc_status mx_cpu_eval_sort(mlxc_stream *s, struct mx_node *node)
{
    return sort(s, node, 0);
}

mlxc_status mx_cpu_eval_argsort(mlxc_stream *s, struct mx_node *node)
{
    return sort(s, node, 1);
}

/* ---- searching ---- */

struct search {
    const char *sequence, *values;
    char *dst;
    uint64_t *keys; /* of the sequence; NULL: worked out where needed */
    int64_t n, count;
    mlxc_dtype dtype;
    int right, wide;
};

#define BLOCK 128

static void search_range(void *context, int64_t begin, int64_t end)
{
    const struct search *j = context;
    const struct mx_cpu_kernels *kernels = mx_cpu_kernels();
    int64_t size = mx_dtypes[j->dtype].size;
    uint64_t key[BLOCK];
    for (int64_t at = begin; at < end; at += BLOCK) {
        int64_t m = end - at < BLOCK ? end - at : BLOCK;
        kernels->sort_keys(j->dtype, key, j->values + at * size, m);
        for (int64_t i = 0; i < m; i++) {
            /* how many keys are below, or not above */
            int64_t low = 0, left = j->n;
            while (left > 0) {
                int64_t half = left / 2;
                uint64_t k;
                if (j->keys)
                    k = j->keys[low + half];
                else
                    kernels->sort_keys(j->dtype, &k,
                        j->sequence + (low + half) * size, 1);
                int before = j->right ? k <= key[i] : k < key[i];
                low = before ? low + half + 1 : low;
                left = before ? left - half - 1 : half;
            }
            if (j->wide)
                ((uint64_t *)(void *)j->dst)[at + i] = (uint64_t)low;
            else
                ((uint32_t *)(void *)j->dst)[at + i] = (uint32_t)low;
        }
    }
}

static void key_range(void *context, int64_t begin, int64_t end)
{
    const struct search *j = context;
    mx_cpu_kernels()->sort_keys(j->dtype, j->keys + begin,
        j->sequence + begin * mx_dtypes[j->dtype].size, end - begin);
}

static mlxc_status run_search(void *payload)
{
    struct search *j = payload;
    if (j->keys)
        mx_parallel_for(j->n, 32768, key_range, j);
    mx_parallel_for(j->count, 2048, search_range, j);
    return MLXC_OK;
}

mlxc_status mx_cpu_eval_searchsorted(mlxc_stream *s, struct mx_node *node)
{
    const struct mx_p_search *p = node->params;
    mlxc_array *a = node->input[0], *v = node->input[1];
    mlxc_array *out = node->output[0];
    struct search job = { .n = a->size, .count = v->size,
        .dtype = (mlxc_dtype)a->dtype, .right = p->right != 0,
        .wide = out->dtype == MLXC_UINT64 };
    MX_TRY(mx_array_alloc(out, s));
    job.sequence = mx_cpu_row_major(s, a);
    if (!job.sequence)
        return MLXC_ERR_NOMEM;
    job.values = mx_cpu_row_major(s, v);
    if (!job.values)
        return MLXC_ERR_NOMEM;
    if (job.n < 16 * job.count) {
        job.keys = mx_task_scratch(s, (size_t)job.n * sizeof *job.keys);
        if (!job.keys)
            return MLXC_ERR_NOMEM;
    }
    struct search *j =
        mx_task_begin(s, run_search, sizeof *j, job.n + 16 * job.count);
    if (!j)
        return MLXC_ERR_NOMEM;
    job.dst = mx_data(out);
    *j = job;
    return mx_task_end(s, j);
}
