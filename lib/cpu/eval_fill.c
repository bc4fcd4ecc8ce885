/* SPDX-License-Identifier: MIT */
/* Arrays made from parameters: full, arange. */
#include <string.h>

#include "core/error.h"
#include "core/params.h"
#include "cpu/eval.h"
#include "cpu/kernels.h"
#include "cpu/task.h"
#include "util/thread.h"

struct fill_job {
    char *dst;
    const char *value;
    int64_t size;
    int size_index;
};

#define GRAIN 32768

static void fill_range(void *context, int64_t begin, int64_t end)
{
    const struct fill_job *j = context;
    mx_cpu_kernels()->fill[j->size_index](
        j->dst + (begin << j->size_index), j->value, (size_t)(end - begin));
}

static mlxc_status run_fill(void *payload)
{
    struct fill_job *j = payload;
    mx_parallel_for(j->size, GRAIN, fill_range, j);
    return MLXC_OK;
}

mlxc_status mx_cpu_eval_full(mlxc_stream *s, struct mx_node *node)
{
    mlxc_array *out = node->output[0];
    MX_TRY(mx_array_alloc(out, s));
    struct fill_job *j = mx_task_begin(s, run_fill, sizeof *j, out->size);
    if (!j)
        return MLXC_ERR_NOMEM;
    j->dst = mx_data(out);
    j->value = mx_data(node->input[0]);
    j->size = out->size;
    j->size_index = mx_dtypes[out->dtype].size_index;
    return mx_task_end(s, j);
}

struct arange_job {
    struct mx_p_arange p;
    char *dst;
};

/* Element i is start + i * step in double, converted once. */
static void arange_range(void *context, int64_t begin, int64_t end)
{
    const struct arange_job *j = context;
    mlxc_dtype d = (mlxc_dtype)j->p.dtype;
    size_t size = mx_dtypes[d].size;
    int whole = j->p.step == (double)(int64_t)j->p.step &&
        j->p.start == (double)(int64_t)j->p.start &&
        mx_dtype_is(d, MX_KIND_INT | MX_KIND_UINT);
    for (int64_t i = begin; i < end; i++) {
        void *at = j->dst + (size_t)i * size;
        if (whole)
            mx_dtype_store_int64(d, at,
                (int64_t)j->p.start + i * (int64_t)j->p.step);
        else
            mx_dtype_store_double(d, at,
                j->p.start + (double)i * j->p.step);
    }
}

static mlxc_status run_arange(void *payload)
{
    struct arange_job *j = payload;
    mx_parallel_for(j->p.size, GRAIN, arange_range, j);
    return MLXC_OK;
}

mlxc_status mx_cpu_eval_arange(mlxc_stream *s, struct mx_node *node)
{
    mlxc_array *out = node->output[0];
    MX_TRY(mx_array_alloc(out, s));
    struct arange_job *j =
        mx_task_begin(s, run_arange, sizeof *j, out->size);
    if (!j)
        return MLXC_ERR_NOMEM;
    memcpy(&j->p, node->params, sizeof j->p);
    j->dst = mx_data(out);
    return mx_task_end(s, j);
}
