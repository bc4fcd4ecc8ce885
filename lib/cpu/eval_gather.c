/* SPDX-License-Identifier: MIT */
/* Reading and writing by index.  Every index is checked before it is used; a
   bad one stops the task with its value, and nothing outside is touched. */
#include <string.h>

#include "core/eval.h"
#include "core/params.h"
#include "core/shape.h"
#include "cpu/eval.h"
#include "cpu/kernels.h"
#include "cpu/rows.h"
#include "cpu/task.h"
#include "util/atomic.h"
#include "util/thread.h"

#define MAX_INDICES 32

struct index {
    const char *data; /* row-major */
    mlxc_dtype dtype;
    int64_t limit;    /* positions are in [0, limit] */
    int64_t axis, length;
    int64_t stride;   /* of the axis, in elements */
};

/* Element i as a position; -1 if it is out of range. */
static int64_t position(const struct index *x, int64_t i)
{
    int64_t k = mx_dtype_load_int64(x->dtype,
        x->data + i * mx_dtypes[x->dtype].size);
    if (k < 0 && mx_dtype_is(x->dtype, MX_KIND_INT))
        k += x->length;
    return k < 0 || k > x->limit ? -1 : k;
}

struct window_job {
    const char *op;
    struct index index[MAX_INDICES];
    int nindices;
    int64_t n;           /* positions */
    int64_t window;      /* elements of one window */
    struct mx_walk walk; /* the window within the array */
    int64_t run;         /* elements that are contiguous there */
    char *array;         /* read by gather, written by scatter */
    char *list;          /* windows one after another */
    mx_map2_fn *update;  /* NULL: copy */
    int size_index;
    int64_t bad;         /* first position with a bad index, or INT64_MAX */
};

/* Offset of window i in the array, in elements; NOWHERE: out of range.  A
   negative offset is ordinary where strides are negative. */
#define NOWHERE INT64_MIN

static int64_t window_offset(struct window_job *j, int64_t i)
{
    int64_t offset = 0;
    for (int k = 0; k < j->nindices; k++) {
        int64_t p = position(&j->index[k], i);
        if (p >= 0) {
            offset += p * j->index[k].stride;
            continue;
        }
        int64_t seen = mx_load(&j->bad);
        while (i < seen && !mx_cas(&j->bad, &seen, i))
            ;
        return NOWHERE;
    }
    return offset;
}

static mlxc_status report(struct window_job *j)
{
    if (j->bad == INT64_MAX)
        return MLXC_OK;
    for (int k = 0; k < j->nindices; k++) {
        const struct index *x = &j->index[k];
        if (position(x, j->bad) < 0)
            return mx_error(MLXC_ERR_INDEX,
                "%s: index %lld is out of range for axis %lld of length "
                "%lld", j->op, (long long)mx_dtype_load_int64(x->dtype,
                    x->data + j->bad * mx_dtypes[x->dtype].size),
                (long long)x->axis, (long long)x->length);
    }
    return mx_error(MLXC_ERR_INDEX, "%s: an index is out of range", j->op);
}

static void gather_range(void *context, int64_t begin, int64_t end)
{
    struct window_job *j = context;
    const struct mx_cpu_kernels *k = mx_cpu_kernels();
    int s = j->size_index;
    const struct mx_walk *w = &j->walk;
    int64_t step = w->ndim ? w->stride[w->ndim - 1] : 1;
    for (int64_t i = begin; i < end; i++) {
        int64_t at = window_offset(j, i);
        char *dst = j->list + ((i * j->window) << s);
        for (int64_t e = 0; e < j->window && at != NOWHERE; e += j->run) {
            const char *src =
                j->array + (at + mx_walk_offset(w, e)) * (1 << s);
            if (step == 1)
                memcpy(dst + (e << s), src, (size_t)j->run << s);
            else
                k->copy_strided[s](dst + (e << s), 1, src, step,
                    (size_t)j->run);
        }
    }
}

static mlxc_status run_gather(void *payload)
{
    struct window_job *j = payload;
    int64_t grain = j->window ? 32768 / j->window : 32768;
    mx_parallel_for(j->n, grain > 1 ? grain : 1, gather_range, j);
    return report(j);
}

/* In index order, so that the last of equal places wins and sums do not
   depend on threads.  All indices are checked first: a failed scatter writes
   nothing. */
static mlxc_status run_scatter(void *payload)
{
    struct window_job *j = payload;
    int s = j->size_index;
    for (int64_t i = 0; i < j->n; i++) {
        if (window_offset(j, i) == NOWHERE)
            return report(j);
    }
    for (int64_t i = 0; i < j->n; i++) {
        int64_t at = window_offset(j, i);
        const char *src = j->list + ((i * j->window) << s);
        for (int64_t e = 0; e < j->window; e += j->run) {
            char *dst =
                j->array + (at + mx_walk_offset(&j->walk, e)) * (1 << s);
            if (j->update)
                j->update(dst, dst, src + (e << s), (size_t)j->run);
            else
                memcpy(dst, src + (e << s), (size_t)j->run << s);
        }
    }
    return MLXC_OK;
}

/* Index arrays and the window of lengths `sizes` of `a` (its strides). */
static mlxc_status fill(struct window_job *j, mlxc_stream *s,
    struct mx_node *node, mlxc_array *a, const int64_t *axes, int naxes,
    const int64_t *sizes)
{
    if (naxes > MAX_INDICES)
        return mx_error(MLXC_ERR_UNSUPPORTED, "%s: %d index arrays",
            node->op->name, naxes);
    j->op = node->op->name;
    j->nindices = naxes;
    j->n = node->input[1]->size;
    j->bad = INT64_MAX;
    j->size_index = mx_dtypes[a->dtype].size_index;
    for (int k = 0; k < naxes; k++) {
        mlxc_array *x = node->input[k + 1];
        int64_t d = axes[k];
        j->index[k] = (struct index){ mx_cpu_row_major(s, x),
            (mlxc_dtype)x->dtype, a->shape[d] - sizes[d], d, a->shape[d],
            a->strides[d] };
        if (!j->index[k].data)
            return MLXC_ERR_NOMEM;
    }
    /* the window as an array of its own, to collapse it */
    struct mx_walk *w = &j->walk;
    w->ndim = 0;
    w->size = 1;
    for (int d = 0; d < a->ndim; d++) {
        w->size *= sizes[d];
        if (sizes[d] == 1)
            continue;
        int n = w->ndim;
        if (n && w->stride[n - 1] == a->strides[d] * sizes[d]) {
            w->shape[n - 1] *= sizes[d];
            w->stride[n - 1] = a->strides[d];
            continue;
        }
        if (n == MX_WALK_RANK)
            return mx_error(MLXC_ERR_UNSUPPORTED, "%s: too many dimensions",
                node->op->name);
        w->shape[n] = sizes[d];
        w->stride[n] = a->strides[d];
        w->ndim = n + 1;
    }
    j->window = w->size;
    j->run = w->ndim ? w->shape[w->ndim - 1] : 1;
    return MLXC_OK;
}

static struct window_job *begin(mlxc_stream *s, struct mx_node *node,
    mlxc_array *a, const int64_t *axes, int naxes, const int64_t *sizes,
    int64_t cost, mx_task_fn *run)
{
    /* temporaries are queued before the task that reads them */
    struct window_job job;
    if (fill(&job, s, node, a, axes, naxes, sizes))
        return NULL;
    struct window_job *j = mx_task_begin(s, run, sizeof *j, cost);
    if (j)
        *j = job;
    return j;
}

/* The status whose message is set: only the few that these can meet. */
static mlxc_status failed(void)
{
    return MLXC_ERR_NOMEM;
}

mlxc_status mx_cpu_eval_gather(mlxc_stream *s, struct mx_node *node)
{
    const struct mx_p_gather *p = node->params;
    mlxc_array *a = node->input[0], *out = node->output[0];
    MX_TRY(mx_array_alloc(out, s));
    struct window_job *j = begin(s, node, a, p->v, (int)p->naxes,
        p->v + p->naxes, 2 * out->size + node->input[1]->size, run_gather);
    if (!j)
        return failed();
    j->array = mx_data(a);
    j->list = mx_data(out);
    return mx_task_end(s, j);
}

/* The output starts as the array: its own bytes if they may be taken over. */
static mlxc_status start(mlxc_stream *s, struct mx_node *node)
{
    mlxc_array *a = node->input[0], *out = node->output[0];
    MX_TRY(mx_cpu_output(s, node, 0));
    return out->buffer == a->buffer ? MLXC_OK
                                    : mx_cpu_copy(s, mx_data(out), a);
}

mlxc_status mx_cpu_eval_scatter(mlxc_stream *s, struct mx_node *node)
{
    const struct mx_p_scatter *p = node->params;
    mlxc_array *out = node->output[0];
    mlxc_array *updates = node->input[node->ninputs - 1];
    MX_TRY(start(s, node));
    const void *list = mx_cpu_row_major(s, updates);
    if (!list)
        return failed();
    struct window_job *j = begin(s, node, out, p->v, (int)p->n,
        updates->shape + updates->ndim - out->ndim, 4 * updates->size,
        run_scatter);
    if (!j)
        return failed();
    /* kernels update neighbours only */
    if (j->walk.ndim && j->walk.stride[j->walk.ndim - 1] != 1)
        j->run = 1;
    j->array = mx_data(out);
    j->list = (char *)(uintptr_t)list;
    j->update = mx_cpu_kernels()->update[p->mode][out->dtype];
    return mx_task_end(s, j);
}

/* ---- along an axis ---- */

struct axis_job {
    const char *op;
    struct mx_walk array, index, list; /* all dimensions but the axis */
    char *array_data, *list_data;
    const char *index_data;
    mlxc_dtype index_dtype;
    int64_t n;           /* of the indices along the axis */
    int64_t axis;
    int64_t length;      /* of the array */
    int64_t array_step, index_step, list_step;
    mx_map2_fn *update;  /* NULL: copy */
    int size_index;
    int write;           /* list to array; else array to list */
    int64_t bad, bad_value;
};

static void along_range(void *context, int64_t begin, int64_t end)
{
    struct axis_job *j = context;
    int s = j->size_index, is = mx_dtypes[j->index_dtype].size_index;
    int is_signed = mx_dtype_is(j->index_dtype, MX_KIND_INT);
    for (int64_t r = begin; r < end; r++) {
        char *a = j->array_data + mx_walk_offset(&j->array, r) * (1 << s);
        char *l = j->list_data + mx_walk_offset(&j->list, r) * (1 << s);
        const char *x =
            j->index_data + mx_walk_offset(&j->index, r) * (1 << is);
        for (int64_t i = 0; i < j->n; i++) {
            int64_t value = mx_dtype_load_int64(j->index_dtype,
                x + i * j->index_step * (1 << is)), k = value;
            if (k < 0 && is_signed)
                k += j->length;
            if (k < 0 || k >= j->length) {
                int64_t none = 0;
                if (mx_cas(&j->bad, &none, 1))
                    mx_store(&j->bad_value, value);
                return;
            }
            char *at = a + k * j->array_step * (1 << s);
            char *one = l + i * j->list_step * (1 << s);
            if (!j->write)
                memcpy(one, at, (size_t)1 << s);
            else if (j->update)
                j->update(at, at, one, 1);
            else
                memcpy(at, one, (size_t)1 << s);
        }
    }
}

static mlxc_status run_along(void *payload)
{
    struct axis_job *j = payload;
    int64_t grain = j->n ? 16384 / j->n : 16384;
    mx_parallel_for(j->index.size, grain > 1 ? grain : 1, along_range, j);
    return j->bad ? mx_error(MLXC_ERR_INDEX,
        "%s: index %lld is out of range for axis %lld of length %lld", j->op,
        (long long)j->bad_value, (long long)j->axis, (long long)j->length)
        : MLXC_OK;
}

static mlxc_status along(mlxc_stream *s, struct mx_node *node,
    mlxc_array *array, mlxc_array *list, int axis, mx_map2_fn *update,
    int write)
{
    mlxc_array *index = node->input[1];
    unsigned char chosen[64] = { 0 };
    if (array->ndim > 64)
        return mx_error(MLXC_ERR_UNSUPPORTED, "%s: %d dimensions",
            node->op->name, array->ndim);
    chosen[axis] = 1;
    struct axis_job *j =
        mx_task_begin(s, run_along, sizeof *j, 4 * index->size);
    if (!j)
        return MLXC_ERR_NOMEM;
    *j = (struct axis_job){ .op = node->op->name,
        .array_data = mx_data(array), .list_data = mx_data(list),
        .index_data = mx_data(index),
        .index_dtype = (mlxc_dtype)index->dtype, .n = index->shape[axis],
        .axis = axis, .length = array->shape[axis],
        .array_step = array->strides[axis],
        .index_step = index->strides[axis],
        .list_step = list->strides[axis], .update = update, .write = write,
        .size_index = mx_dtypes[array->dtype].size_index };
    mlxc_status status =
        mx_walk_init(&j->array, node->op->name, array, chosen, 0);
    if (!status)
        status = mx_walk_init(&j->index, node->op->name, index, chosen, 0);
    if (!status)
        status = mx_walk_init(&j->list, node->op->name, list, chosen, 0);
    if (status) {
        mx_task_drop(s, j);
        return status;
    }
    return mx_task_end(s, j);
}

mlxc_status mx_cpu_eval_gather_axis(mlxc_stream *s, struct mx_node *node)
{
    const struct mx_p_axis *p = node->params;
    MX_TRY(mx_array_alloc(node->output[0], s));
    return along(s, node, node->input[0], node->output[0], (int)p->axis,
        NULL, 0);
}

mlxc_status mx_cpu_eval_scatter_axis(mlxc_stream *s, struct mx_node *node)
{
    const struct mx_p_scatter *p = node->params;
    MX_TRY(start(s, node));
    return along(s, node, node->output[0], node->input[2], (int)p->v[0],
        mx_cpu_kernels()->update[p->mode][node->output[0]->dtype], 1);
}
