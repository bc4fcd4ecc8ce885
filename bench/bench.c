/* SPDX-License-Identifier: MIT */
/* mlxc-bench: times the library's operations beside what the machine can do
   at best, measured in the same run.  README.md says what each name means. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <mlxc/mlxc.h>

#include "ceilings.h"

/* The inputs of a case, evaluated, and how to run it once. */
struct inputs {
    mlxc_array *a[3];
    int64_t shape[4];
    int ndim;
    mlxc_dtype dtype;
};

typedef mlxc_status run_fn(mlxc_array **out, const struct inputs *in);

enum floor { COPY, TRIAD, READ, FMA, NONE };

struct bench_case {
    const char *name;
    run_fn *run;
    mlxc_dtype dtype;
    int64_t shape[4];
    int inputs;          /* arrays of `shape` that it reads */
    double bytes, flops; /* per element of `shape`, or in all for products */
    enum floor floor;
    int special;         /* see prepare() */
};

enum { PLAIN, POSITIVE, PRODUCT, PRODUCT_T, BATCHED, MATVEC, ROWS, SCATTER,
    TINY, CHAIN, BUILD, COND };

static const int last = -1, first = 0;

#define UNARY(name) \
    static mlxc_status run_##name(mlxc_array **o, const struct inputs *in) \
    { return mlxc_##name(o, in->a[0], NULL); }
UNARY(exp) UNARY(tanh) UNARY(sigmoid) UNARY(log) UNARY(sin) UNARY(erf)
UNARY(sqrt) UNARY(abs) UNARY(negative)
#define BINARY(name) \
    static mlxc_status run_##name(mlxc_array **o, const struct inputs *in) \
    { return mlxc_##name(o, in->a[0], in->a[1], NULL); }
BINARY(add) BINARY(multiply) BINARY(maximum) BINARY(divide) BINARY(matmul)

#define REDUCE(name) \
    static mlxc_status run_##name##_all(mlxc_array **o, \
        const struct inputs *in) \
    { return mlxc_##name(o, in->a[0], NULL, 0, false, NULL); } \
    static mlxc_status run_##name##_rows(mlxc_array **o, \
        const struct inputs *in) \
    { return mlxc_##name(o, in->a[0], &last, 1, false, NULL); } \
    static mlxc_status run_##name##_cols(mlxc_array **o, \
        const struct inputs *in) \
    { return mlxc_##name(o, in->a[0], &first, 1, false, NULL); }
REDUCE(sum) REDUCE(max) REDUCE(mean)

static mlxc_status run_logsumexp_rows(mlxc_array **o,
    const struct inputs *in)
{
    return mlxc_logsumexp(o, in->a[0], &last, 1, false, NULL);
}

static mlxc_status run_var_rows(mlxc_array **o, const struct inputs *in)
{
    return mlxc_var(o, in->a[0], &last, 1, false, 0, NULL);
}

static mlxc_status run_argmax_rows(mlxc_array **o, const struct inputs *in)
{
    return mlxc_argmax(o, in->a[0], -1, false, NULL);
}

static mlxc_status run_argmax_cols(mlxc_array **o, const struct inputs *in)
{
    return mlxc_argmax(o, in->a[0], 0, false, NULL);
}

static mlxc_status run_softmax(mlxc_array **o, const struct inputs *in)
{
    return mlxc_softmax(o, in->a[0], &last, 1, NULL);
}

static mlxc_status run_cumsum(mlxc_array **o, const struct inputs *in)
{
    return mlxc_cumsum(o, in->a[0], -1, false, true, NULL);
}

static mlxc_status run_where(mlxc_array **o, const struct inputs *in)
{
    return mlxc_where(o, in->a[2], in->a[0], in->a[1], NULL);
}

static mlxc_status cast(mlxc_array **o, const struct inputs *in,
    mlxc_dtype d)
{
    return mlxc_astype(o, in->a[0], d, NULL);
}

static mlxc_status run_cast_f32_bf16(mlxc_array **o, const struct inputs *in)
{
    return cast(o, in, MLXC_BFLOAT16);
}

static mlxc_status run_cast_f32_f16(mlxc_array **o, const struct inputs *in)
{
    return cast(o, in, MLXC_FLOAT16);
}

static mlxc_status run_cast_f32_i32(mlxc_array **o, const struct inputs *in)
{
    return cast(o, in, MLXC_INT32);
}

static mlxc_status run_transpose_copy(mlxc_array **o,
    const struct inputs *in)
{
    mlxc_array *t;
    mlxc_status status = mlxc_transpose(&t, in->a[0], NULL, 0, NULL);
    if (status)
        return status;
    status = mlxc_contiguous(o, t, false, NULL);
    mlxc_array_unref(t);
    return status;
}

static mlxc_status run_matmul_transposed(mlxc_array **o,
    const struct inputs *in)
{
    mlxc_array *t;
    mlxc_status status = mlxc_transpose(&t, in->a[1], NULL, 0, NULL);
    if (status)
        return status;
    status = mlxc_matmul(o, in->a[0], t, NULL);
    mlxc_array_unref(t);
    return status;
}

static mlxc_status run_take_rows(mlxc_array **o, const struct inputs *in)
{
    return mlxc_take(o, in->a[0], in->a[1], 0, NULL);
}

static mlxc_status run_random_normal(mlxc_array **o, const struct inputs *in)
{
    return mlxc_random_normal(o, NULL, NULL, in->shape, in->ndim, in->dtype,
        in->a[0], NULL);
}

static mlxc_status run_random_uniform(mlxc_array **o,
    const struct inputs *in)
{
    return mlxc_random_uniform(o, in->a[1], in->a[2], in->shape, in->ndim,
        in->dtype, in->a[0], NULL);
}

/* One add of 4 elements, evaluated and read. */
static mlxc_status run_tiny(mlxc_array **o, const struct inputs *in)
{
    float four[4];
    mlxc_status status = mlxc_add(o, in->a[0], in->a[1], NULL);
    return status ? status : mlxc_array_copy_out(*o, four, sizeof four);
}

static mlxc_status run_chain(mlxc_array **o, const struct inputs *in)
{
    mlxc_array *a = mlxc_array_ref(in->a[0]), *b;
    for (int64_t i = 0; i < 1000; i++) {
        mlxc_status status = mlxc_add(&b, a, in->a[1], NULL);
        mlxc_array_unref(a);
        if (status)
            return status;
        a = b;
    }
    *o = a;
    return MLXC_OK;
}

#define N7 { 10000000 }
#define N5 { 100000 }
#define M { 4096, 4096 }
#define F32 MLXC_FLOAT32
#define MAP(name, dtype, n, size, special) \
    { #name, run_##name, dtype, n, 1, 2 * size, 1, COPY, special }
#define MAP_2(name, dtype, n, size) \
    { #name, run_##name, dtype, n, 2, 3 * size, 1, TRIAD, PLAIN }

static const struct bench_case cases[] = {
    { "tiny_add_eval_read", run_tiny, F32, { 4 }, 2, 0, 0, NONE, TINY },
    { "chain_1000", run_chain, F32, { 4 }, 2, 0, 0, NONE, CHAIN },
    { "build_1000", run_chain, F32, { 4 }, 2, 0, 0, NONE, BUILD },
    MAP_2(add, F32, N7, 4), MAP_2(multiply, F32, N7, 4),
    MAP_2(maximum, F32, N7, 4), MAP_2(divide, F32, N7, 4),
    MAP_2(add, F32, N5, 4), MAP_2(add, MLXC_FLOAT16, N7, 2),
    MAP_2(add, MLXC_BFLOAT16, N7, 2), MAP_2(add, MLXC_INT32, N7, 4),
    { "where", run_where, F32, N7, 2, 13, 1, TRIAD, COND },
    MAP(sqrt, F32, N7, 4, POSITIVE), MAP(abs, F32, N7, 4, PLAIN),
    MAP(negative, F32, N7, 4, PLAIN), MAP(exp, F32, N7, 4, PLAIN),
    MAP(tanh, F32, N7, 4, PLAIN), MAP(sigmoid, F32, N7, 4, PLAIN),
    MAP(log, F32, N7, 4, POSITIVE), MAP(sin, F32, N7, 4, PLAIN),
    MAP(erf, F32, N7, 4, PLAIN), MAP(exp, F32, N5, 4, PLAIN),
    MAP(exp, MLXC_FLOAT16, N7, 2, PLAIN),
    MAP(exp, MLXC_BFLOAT16, N7, 2, PLAIN),
    { "cast_f32_bf16", run_cast_f32_bf16, F32, N7, 1, 6, 0, COPY, PLAIN },
    { "cast_f32_f16", run_cast_f32_f16, F32, N7, 1, 6, 0, COPY, PLAIN },
    { "cast_f32_i32", run_cast_f32_i32, F32, N7, 1, 8, 0, COPY, PLAIN },
    { "transpose_copy", run_transpose_copy, F32, M, 1, 8, 0, COPY, PLAIN },
    { "sum_all", run_sum_all, F32, M, 1, 4, 1, READ, PLAIN },
    { "sum_rows", run_sum_rows, F32, M, 1, 4, 1, READ, PLAIN },
    { "sum_cols", run_sum_cols, F32, M, 1, 4, 1, READ, PLAIN },
    { "max_all", run_max_all, F32, M, 1, 4, 1, READ, PLAIN },
    { "max_rows", run_max_rows, F32, M, 1, 4, 1, READ, PLAIN },
    { "max_cols", run_max_cols, F32, M, 1, 4, 1, READ, PLAIN },
    { "mean_all", run_mean_all, F32, M, 1, 4, 1, READ, PLAIN },
    { "mean_rows", run_mean_rows, F32, M, 1, 4, 1, READ, PLAIN },
    { "mean_cols", run_mean_cols, F32, M, 1, 4, 1, READ, PLAIN },
    { "var_rows", run_var_rows, F32, M, 1, 4, 3, READ, PLAIN },
    { "argmax_rows", run_argmax_rows, F32, M, 1, 4, 1, READ, PLAIN },
    { "argmax_cols", run_argmax_cols, F32, M, 1, 4, 1, READ, PLAIN },
    { "softmax", run_softmax, F32, { 1024, 4096 }, 1, 8, 4, COPY, PLAIN },
    { "logsumexp_rows", run_logsumexp_rows, F32, { 1024, 4096 }, 1, 4, 4,
        READ, PLAIN },
    { "cumsum", run_cumsum, F32, { 1024, 4096 }, 1, 8, 1, COPY, PLAIN },
    { "matmul", run_matmul, F32, { 1024, 1024, 1024 }, 2, 0, 0, FMA,
        PRODUCT },
    { "matmul", run_matmul, MLXC_BFLOAT16, { 1024, 1024, 1024 }, 2, 0, 0,
        FMA, PRODUCT },
    { "matmul_transposed", run_matmul_transposed, F32,
        { 1024, 1024, 1024 }, 2, 0, 0, FMA, PRODUCT_T },
    { "matmul_batched", run_matmul, F32, { 16, 256, 256, 256 }, 2, 0, 0, FMA,
        BATCHED },
    { "matvec", run_matmul, F32, { 4096, 4096 }, 2, 0, 0, READ, MATVEC },
    { "take_rows", run_take_rows, F32, { 100000, 256, 512 }, 2, 0, 0, COPY,
        ROWS },
    { "random_normal", run_random_normal, F32, N7, 0, 4, 0, COPY, SCATTER },
    { "random_uniform", run_random_uniform, F32, N7, 0, 4, 0, COPY,
        SCATTER },
};
#define NCASES (int)(sizeof cases / sizeof *cases)

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void check(mlxc_status status)
{
    if (status) {
        fprintf(stderr, "mlxc-bench: %s\n", mlxc_error_message());
        exit(1);
    }
}

static mlxc_array *numbers(const int64_t *shape, int ndim, mlxc_dtype dtype,
    double low, double high)
{
    mlxc_array *l, *h, *u, *a, *key;
    check(mlxc_random_key(&key, 1));
    check(mlxc_array_from_double(&l, low, MLXC_FLOAT32));
    check(mlxc_array_from_double(&h, high, MLXC_FLOAT32));
    check(mlxc_random_uniform(&u, l, h, shape, ndim, MLXC_FLOAT32, key,
        NULL));
    check(mlxc_astype(&a, u, dtype, NULL));
    check(mlxc_eval(&a, 1));
    mlxc_array_unref(l);
    mlxc_array_unref(h);
    mlxc_array_unref(u);
    mlxc_array_unref(key);
    return a;
}

static int rank(const struct bench_case *k)
{
    int n = 0;
    while (n < 4 && k->shape[n])
        n++;
    return n;
}

/* Inputs, and what the case must move and compute at least. */
static void prepare(struct inputs *in, const struct bench_case *k,
    double *bytes, double *flops)
{
    const int64_t *s = k->shape;
    double size = 1, item = (double)mlxc_dtype_size(k->dtype);
    *in = (struct inputs){ .ndim = rank(k), .dtype = k->dtype };
    memcpy(in->shape, s, sizeof in->shape);
    for (int i = 0; i < in->ndim; i++)
        size *= (double)s[i];
    *bytes = k->bytes * size;
    *flops = k->flops * size;
    double low = k->special == POSITIVE ? 0.1 : -3;
    const int64_t turned[2] = { s[2], s[1] }, batch[3] = { s[0], s[2], s[3] };
    switch (k->special) {
    case PRODUCT:
    case PRODUCT_T:
        in->a[0] = numbers(s, 2, k->dtype, -1, 1);
        in->a[1] = numbers(k->special == PRODUCT ? s + 1 : turned, 2,
            k->dtype, -1, 1);
        *flops = 2 * size;
        break;
    case BATCHED:
        in->a[0] = numbers(s, 3, k->dtype, -1, 1);
        in->a[1] = numbers(batch, 3, k->dtype, -1, 1);
        *flops = 2 * size;
        break;
    case MATVEC:
        in->a[0] = numbers(s, 2, k->dtype, -1, 1);
        in->a[1] = numbers(s + 1, 1, k->dtype, -1, 1);
        *bytes = item * size;
        *flops = 2 * size;
        break;
    case ROWS:
        in->a[0] = numbers(s, 2, k->dtype, -1, 1);
        in->a[1] = numbers(s + 2, 1, MLXC_INT32, 0, (double)s[0] - 1);
        *bytes = 2 * item * (double)s[2] * (double)s[1];
        break;
    case SCATTER: /* random numbers: a key and bounds */
        check(mlxc_random_key(&in->a[0], 2));
        check(mlxc_array_from_double(&in->a[1], 0, k->dtype));
        check(mlxc_array_from_double(&in->a[2], 1, k->dtype));
        break;
    default:
        for (int i = 0; i < k->inputs; i++)
            in->a[i] = numbers(s, in->ndim, k->dtype, low, 3);
        if (k->special == COND)
            in->a[2] = numbers(s, in->ndim, MLXC_BOOL, 0, 1);
    }
}

/* One run: make, evaluate, free. */
static void once(const struct bench_case *k, const struct inputs *in)
{
    mlxc_array *out = NULL;
    check(k->run(&out, in));
    if (k->special != BUILD)
        check(mlxc_eval(&out, 1));
    mlxc_array_unref(out);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median time of a run in seconds. */
static double measure(const struct bench_case *k, const struct inputs *in,
    double budget)
{
    enum { MOST = 200 };
    double t[MOST];
    int n = 0, inner = 1;
    once(k, in);
    once(k, in);
    double start = now();
    once(k, in);
    double one = now() - start;
    if (one < 1e-4)
        inner = (int)(1e-4 / (one > 1e-8 ? one : 1e-8)) + 1;
    for (start = now(); n < MOST && (n < 5 || now() - start < budget); n++) {
        double u = now();
        for (int i = 0; i < inner; i++)
            once(k, in);
        t[n] = (now() - u) / inner;
    }
    qsort(t, (size_t)n, sizeof *t, compare);
    return t[n / 2];
}

/* The least time that the ceilings allow. */
static double floor_time(const struct bench_case *k, double bytes,
    double flops, const struct ceilings *c)
{
    switch (k->floor) {
    case COPY:
        return bytes / (c->copy_gbs * 1e9);
    case TRIAD:
        return bytes / (c->triad_gbs * 1e9);
    case READ:
        return bytes / (c->read_gbs * 1e9);
    case FMA:
        return flops / (c->fma_gflops * 1e9);
    case NONE:
        break;
    }
    return 0;
}

static void shape_text(char *text, size_t size, const struct bench_case *k,
    const char *between)
{
    size_t n = 0;
    for (int i = 0; i < rank(k); i++)
        n += (size_t)snprintf(text + n, size - n, "%s%lld",
            i ? between : "", (long long)k->shape[i]);
}

static int usage(void)
{
    fprintf(stderr, "usage: mlxc-bench [--json] [--list] [--only NAME]... "
        "[--seconds S]\n");
    return 2;
}

int main(int argc, char **argv)
{
    int json = 0, list = 0, nonly = 0, printed = 0;
    const char *only[64];
    double seconds = 0.3;
    struct ceilings c = { 0 };
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--json"))
            json = 1;
        else if (!strcmp(argv[i], "--list"))
            list = 1;
        else if (!strcmp(argv[i], "--only") && i + 1 < argc && nonly < 64)
            only[nonly++] = argv[++i];
        else if (!strcmp(argv[i], "--seconds") && i + 1 < argc)
            seconds = atof(argv[++i]);
        else
            return usage();
    }
    long threads = sysconf(_SC_NPROCESSORS_ONLN);
    if (!list && ceilings_measure(&c, (int)threads, (size_t)256 << 20, 9)) {
        fprintf(stderr, "mlxc-bench: cannot measure the ceilings\n");
        return 1;
    }
    if (json)
        printf("{\"ceilings\": {\"copy_gbs\": %.2f, \"triad_gbs\": %.2f, "
            "\"read_gbs\": %.2f, \"fma_gflops\": %.1f},\n \"cases\": [",
            c.copy_gbs, c.triad_gbs, c.read_gbs, c.fma_gflops);
    else if (!list)
        printf("copy %.1f  triad %.1f  read %.1f GB/s  fma %.0f GFLOP/s  "
            "(%d threads, %s)\n%-20s %-9s %-18s %12s %8s\n", c.copy_gbs,
            c.triad_gbs, c.read_gbs, c.fma_gflops, c.threads, c.level,
            "case", "dtype", "shape", "median", "floor");
    for (int i = 0; i < NCASES; i++) {
        const struct bench_case *k = &cases[i];
        char text[64];
        int wanted = nonly == 0;
        for (int j = 0; j < nonly; j++)
            wanted |= !strcmp(only[j], k->name);
        if (!wanted)
            continue;
        shape_text(text, sizeof text, k, json ? ", " : "x");
        if (list) {
            printf("%s %s %s\n", k->name, mlxc_dtype_name(k->dtype), text);
            continue;
        }
        struct inputs in;
        double bytes, flops;
        prepare(&in, k, &bytes, &flops);
        double t = measure(k, &in, seconds);
        double f = floor_time(k, bytes, flops, &c) / t;
        for (int j = 0; j < 3; j++)
            mlxc_array_unref(in.a[j]);
        mlxc_memory_clear_cache();
        if (json)
            printf("%s\n  {\"name\": \"%s\", \"dtype\": \"%s\", \"shape\": "
                "[%s], \"median_s\": %.9g, \"bytes\": %.0f, \"flops\": %.0f, "
                "\"floor_fraction\": %.4f}", printed++ ? "," : "", k->name,
                mlxc_dtype_name(k->dtype), text, t, bytes, flops, f);
        else
            printf("%-20s %-9s %-18s %9.3f us %6.0f %%\n", k->name,
                mlxc_dtype_name(k->dtype), text, t * 1e6, 100 * f);
        fflush(stdout);
    }
    if (json)
        printf("\n ]}\n");
    return 0;
}
