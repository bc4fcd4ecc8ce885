/* SPDX-License-Identifier: MIT */
/* Matrix products: BLAS where it has the type; 16-bit floats are widened and
   multiplied in float32; integers have a plain blocked loop.  Transposed and
   batched views go to BLAS by leading dimension, without a copy. */
#include <cblas.h>
#include <string.h>

#include "core/eval.h"
#include "core/params.h"
#include "core/shape.h"
#include "cpu/eval.h"
#include "cpu/kernels.h"
#include "cpu/rows.h"
#include "cpu/task.h"
#include "util/thread.h"

/* How one matrix lies in memory. */
struct side {
    struct mx_walk batch;
    const char *data;
    int64_t ld;
    int transposed;
};

struct job {
    struct side a, b;
    char *out;
    float *wide_a, *wide_b, *wide_out; /* of 16-bit floats, one batch */
    int64_t m, n, k, batch;
    double alpha, beta;
    mlxc_dtype dtype;
    int size;
};

/* BLAS counts in int. */
static int fits(int64_t n)
{
    return n <= INT32_MAX;
}

/* Row-major with any leading dimension, or the transpose of such. */
static int lies_well(const mlxc_array *a, int64_t *ld, int *transposed)
{
    int64_t rows = a->shape[a->ndim - 2], cols = a->shape[a->ndim - 1];
    int64_t down = a->strides[a->ndim - 2], right = a->strides[a->ndim - 1];
    if (right == 1 || cols == 1) {
        *transposed = 0;
        *ld = rows == 1 ? cols : down;
        if (*ld >= cols && *ld > 0 && fits(*ld) && (right == 1 || cols == 1))
            return 1;
    }
    if (down == 1 || rows == 1) {
        *transposed = 1;
        *ld = cols == 1 ? rows : right;
        return *ld >= rows && *ld > 0 && fits(*ld);
    }
    return 0;
}

static mlxc_status set_side(struct side *x, mlxc_stream *s, mlxc_array *a)
{
    unsigned char chosen[64] = { 0 };
    if (a->ndim > 64)
        return mx_error(MLXC_ERR_UNSUPPORTED, "matmul: %d dimensions",
            a->ndim);
    chosen[a->ndim - 1] = chosen[a->ndim - 2] = 1;
    if (lies_well(a, &x->ld, &x->transposed)) {
        x->data = mx_data(a);
        return mx_walk_init(&x->batch, "matmul", a, chosen, 0);
    }
    x->data = mx_cpu_row_major(s, a);
    if (!x->data)
        return MLXC_ERR_NOMEM;
    x->transposed = 0;
    x->ld = a->shape[a->ndim - 1];
    /* the copy is row-major, whatever the strides of `a` */
    x->batch.ndim = 1;
    x->batch.size = mx_shape_product(a->shape, a->ndim - 2);
    x->batch.shape[0] = x->batch.size ? x->batch.size : 1;
    x->batch.stride[0] = a->shape[a->ndim - 2] * a->shape[a->ndim - 1];
    return MLXC_OK;
}

#define T(x) ((x)->transposed ? CblasTrans : CblasNoTrans)

static void gemm_f32(const struct job *j, const void *a, const void *b,
    void *out)
{
    cblas_sgemm(CblasRowMajor, T(&j->a), T(&j->b), (int)j->m, (int)j->n,
        (int)j->k, (float)j->alpha, a, (int)j->a.ld, b, (int)j->b.ld,
        (float)j->beta, out, (int)j->n);
}

static void gemm_f64(const struct job *j, const void *a, const void *b,
    void *out)
{
    cblas_dgemm(CblasRowMajor, T(&j->a), T(&j->b), (int)j->m, (int)j->n,
        (int)j->k, j->alpha, a, (int)j->a.ld, b, (int)j->b.ld, j->beta, out,
        (int)j->n);
}

static void gemm_c64(const struct job *j, const void *a, const void *b,
    void *out)
{
    const float alpha[2] = { (float)j->alpha, 0 };
    const float beta[2] = { (float)j->beta, 0 };
    cblas_cgemm(CblasRowMajor, T(&j->a), T(&j->b), (int)j->m, (int)j->n,
        (int)j->k, alpha, a, (int)j->a.ld, b, (int)j->b.ld, beta, out,
        (int)j->n);
}

/* Widen a stored matrix of `rows` lines of `cols`, spaced by ld, in place of
   which it becomes dense. */
static void widen(const struct job *j, float *dst, const char *src,
    int64_t rows, int64_t cols, int64_t ld)
{
    mx_map1_fn *cast = mx_cpu_kernels()->cast[MLXC_FLOAT32][j->dtype];
    for (int64_t i = 0; i < rows; i++)
        cast(dst + i * cols, src + i * ld * j->size, (size_t)cols);
}

static void gemm_half(const struct job *j, const void *a, const void *b,
    void *out)
{
    const struct mx_cpu_kernels *k = mx_cpu_kernels();
    struct job wide = *j;
    int64_t ra = j->a.transposed ? j->k : j->m, ca = j->m + j->k - ra;
    int64_t rb = j->b.transposed ? j->n : j->k, cb = j->n + j->k - rb;
    widen(j, j->wide_a, a, ra, ca, j->a.ld);
    widen(j, j->wide_b, b, rb, cb, j->b.ld);
    wide.a.ld = ca;
    wide.b.ld = cb;
    if (j->beta != 0)
        widen(j, j->wide_out, out, j->m, j->n, j->n);
    gemm_f32(&wide, j->wide_a, j->wide_b, j->wide_out);
    k->cast[j->dtype][MLXC_FLOAT32](out, j->wide_out,
        (size_t)(j->m * j->n));
}

/* Integers and bool: sums wrap in 64 bits and are cut to the type. */
static void gemm_int(const struct job *j, const void *a, const void *b,
    void *out)
{
    int64_t ai = j->a.transposed ? 1 : j->a.ld;
    int64_t ak = j->a.transposed ? j->a.ld : 1;
    int64_t bk = j->b.transposed ? 1 : j->b.ld;
    int64_t bj = j->b.transposed ? j->b.ld : 1;
    for (int64_t i = 0; i < j->m; i++) {
        for (int64_t n = 0; n < j->n; n++) {
            uint64_t sum = 0;
            for (int64_t k = 0; k < j->k; k++)
                sum += (uint64_t)mx_dtype_load_int64(j->dtype,
                    (const char *)a + (i * ai + k * ak) * j->size) *
                    (uint64_t)mx_dtype_load_int64(j->dtype,
                    (const char *)b + (k * bk + n * bj) * j->size);
            mx_dtype_store_int64(j->dtype,
                (char *)out + (i * j->n + n) * j->size, (int64_t)sum);
        }
    }
}

typedef void gemm_fn(const struct job *j, const void *a, const void *b,
    void *out);

static gemm_fn *const gemms[MX_DTYPE_COUNT] = {
    [MLXC_BOOL] = gemm_int,
    [MLXC_UINT8] = gemm_int,
    [MLXC_UINT16] = gemm_int,
    [MLXC_UINT32] = gemm_int,
    [MLXC_UINT64] = gemm_int,
    [MLXC_INT8] = gemm_int,
    [MLXC_INT16] = gemm_int,
    [MLXC_INT32] = gemm_int,
    [MLXC_INT64] = gemm_int,
    [MLXC_FLOAT16] = gemm_half,
    [MLXC_FLOAT32] = gemm_f32,
    [MLXC_FLOAT64] = gemm_f64,
    [MLXC_BFLOAT16] = gemm_half,
    [MLXC_COMPLEX64] = gemm_c64,
};

static mlxc_status run(void *payload)
{
    const struct job *j = payload;
    int64_t plane = j->m * j->n * j->size;
    for (int64_t i = 0; i < j->batch; i++) {
        char *out = j->out + i * plane;
        if (j->k == 0 && j->beta == 0)
            memset(out, 0, (size_t)plane);
        else
            gemms[j->dtype](j,
                j->a.data + mx_walk_offset(&j->a.batch, i) * j->size,
                j->b.data + mx_walk_offset(&j->b.batch, i) * j->size, out);
    }
    return MLXC_OK;
}

/* Also addmm, whose third input starts the output. */
mlxc_status mx_cpu_eval_matmul(mlxc_stream *s, struct mx_node *node)
{
    mlxc_array *a = node->input[0], *b = node->input[1];
    mlxc_array *out = node->output[0];
    struct job job = { .alpha = 1, .beta = 0 };
    MX_TRY(mx_array_alloc(out, s));
    job.dtype = (mlxc_dtype)out->dtype;
    job.size = (int)mx_itemsize(out);
    job.m = a->shape[a->ndim - 2];
    job.k = a->shape[a->ndim - 1];
    job.n = b->shape[b->ndim - 1];
    job.batch = mx_shape_product(out->shape, out->ndim - 2);
    job.out = mx_data(out);
    if (!fits(job.m) || !fits(job.n) || !fits(job.k))
        return mx_error(MLXC_ERR_UNSUPPORTED,
            "%s: BLAS takes lengths up to 2^31 - 1", node->op->name);
    if (node->op == &mx_op_addmm) {
        const struct mx_p_addmm *p = node->params;
        job.alpha = p->alpha;
        job.beta = p->beta;
        if (p->beta != 0)
            MX_TRY(mx_cpu_copy(s, job.out, node->input[2]));
    }
    if (out->size == 0)
        return MLXC_OK;
    MX_TRY(set_side(&job.a, s, a));
    MX_TRY(set_side(&job.b, s, b));
    if (job.dtype == MLXC_FLOAT16 || job.dtype == MLXC_BFLOAT16) {
        size_t na = (size_t)(job.m * job.k), nb = (size_t)(job.k * job.n);
        size_t no = (size_t)(job.m * job.n);
        job.wide_a =
            mx_task_scratch(s, (na + nb + no) * sizeof *job.wide_a);
        if (!job.wide_a)
            return MLXC_ERR_NOMEM;
        job.wide_b = job.wide_a + na;
        job.wide_out = job.wide_b + nb;
    }
    struct job *j = mx_task_begin(s, run, sizeof *j,
        out->size * (job.k / 8 + 1));
    if (!j)
        return MLXC_ERR_NOMEM;
    *j = job;
    return mx_task_end(s, j);
}
