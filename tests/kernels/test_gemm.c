/* SPDX-License-Identifier: MIT */
/* Matrix products of every dtype at every level against the definition: sizes
   around those of the tiles, factors of all kinds of strides, guard bytes
   around output and scratch, an output that must not be read.  The result is
   the same bits for any number of threads, and, where both levels round each
   step alike, at any level: integers always, floats where the level has a
   fused multiply-add. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

#include "cpu/gemm.h"

static const char *const levels[] = { "base", "avx2", "avx512" };
#define LEVELS 3

static struct mx_cpu_kernels table[LEVELS];
static int have[LEVELS];

static void setup(void)
{
    for (int i = 0; i < LEVELS; i++)
        have[i] = mx_cpu_kernels_for(&table[i], levels[i]);
}

#define GUARD 128
#define MARK 0xff /* NaN in every float type */

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* One factor: lines of k elements in a buffer of their own. */
struct factor {
    unsigned char *bytes;
    size_t size; /* in elements */
    ptrdiff_t start, line, along;
};

enum { ALONG, BESIDE, ALONG_2, BESIDE_2, BACK, BACK_BESIDE, SAME, LAYOUTS };

static struct factor factor(int dtype, int layout, int64_t lines, int64_t k,
    uint64_t *seed)
{
    struct factor f = { NULL, 0, 0, k, 1 };
    size_t size = mlxc_dtype_size((mlxc_dtype)dtype);
    switch (layout) {
    case BESIDE:
        f.line = 1;
        f.along = lines + 3;
        break;
    case ALONG_2:
        f.line = 2 * k + 1;
        f.along = 2;
        break;
    case BESIDE_2:
        f.line = 3;
        f.along = 3 * lines + 2;
        break;
    case BACK:
        f.line = -(k + 2);
        break;
    case BACK_BESIDE:
        f.line = 1;
        f.along = -lines;
        break;
    case SAME:
        f.line = 0;
        break;
    default:
        f.line = k + 5;
        break;
    }
    ptrdiff_t low = 0, high = 0;
    const ptrdiff_t reach[2] = { f.line * (lines - 1), f.along * (k - 1) };
    for (int i = 0; i < 2; i++)
        *(reach[i] < 0 ? &low : &high) += reach[i];
    f.start = -low;
    f.size = (size_t)(high - low + 1);
    f.bytes = malloc(f.size * size);
    for (size_t i = 0; i < f.size; i++) {
        double v = (double)(next(seed) % 4001) / 1000 - 2;
        unsigned char *at = f.bytes + i * size;
        uint64_t bits = next(seed) << 40 ^ next(seed) << 16 ^ next(seed);
        if (dtype == MLXC_BOOL)
            *at = next(seed) % 8 == 0;
        else if (dtype < MLXC_FLOAT16)
            memcpy(at, &bits, size);
        else if (dtype == MLXC_COMPLEX64)
            memcpy(at, (float[2]){ (float)v, (float)(next(seed) % 9) - 4 },
                size);
        else
            mx_dtype_store_double((mlxc_dtype)dtype, at, v);
    }
    return f;
}

/* A number of any dtype: an integer modulo 2^64, or a complex double. */
struct number {
    uint64_t whole;
    double re, im;
};

static struct number load(int dtype, const unsigned char *p)
{
    struct number x = { 0, 0, 0 };
    size_t size = mlxc_dtype_size((mlxc_dtype)dtype);
    if (dtype < MLXC_FLOAT16) {
        memcpy(&x.whole, p, size);
        /* little-endian; upper bytes are of no account, see equal() */
    } else if (dtype == MLXC_COMPLEX64) {
        float part[2];
        memcpy(part, p, sizeof part);
        x.re = (double)part[0];
        x.im = (double)part[1];
    } else {
        x.re = mx_dtype_load_double((mlxc_dtype)dtype, p);
    }
    return x;
}

static const unsigned char *element(const struct factor *f, int dtype,
    int64_t line, int64_t p)
{
    return f->bytes + (f->start + line * f->line + p * f->along) *
        (ptrdiff_t)mlxc_dtype_size((mlxc_dtype)dtype);
}

/* One element by definition, and the sum of the sizes of what was added. */
static struct number define(int dtype, const struct factor *a,
    const struct factor *b, int64_t i, int64_t j, int64_t k, double *total)
{
    struct number sum = { 0, 0, 0 };
    *total = 0;
    for (int64_t p = 0; p < k; p++) {
        struct number x = load(dtype, element(a, dtype, i, p));
        struct number y = load(dtype, element(b, dtype, j, p));
        if (dtype == MLXC_BOOL)
            sum.whole |= x.whole & y.whole;
        else
            sum.whole += x.whole * y.whole;
        sum.re += x.re * y.re - x.im * y.im;
        sum.im += x.re * y.im + x.im * y.re;
        *total += (fabs(x.re) + fabs(x.im)) * (fabs(y.re) + fabs(y.im));
    }
    return sum;
}

struct product {
    int dtype;
    int64_t m, n, k;
    struct factor a, b;
    double alpha, beta;
    size_t size;         /* of an element */
    size_t bytes;        /* of the output */
    unsigned char *old;  /* its contents before */
};

/* Output with guards, in a block of its own. */
static unsigned char *compute(const struct product *x, int level, int threads)
{
    struct mx_gemm g = { .size = (int)x->size, .m = x->m, .n = x->n,
        .k = x->k, .batch = 1, .alpha = x->alpha, .beta = x->beta };
    unsigned char *block = malloc(x->bytes + 2 * GUARD);
    memset(block, MARK, x->bytes + 2 * GUARD);
    if (x->beta != 0)
        memcpy(block + GUARD, x->old, x->bytes);
    g.out = (char *)block + GUARD;
    g.a = (struct mx_gemm_side){ (const char *)element(&x->a, x->dtype, 0,
        0), x->a.line, x->a.along, NULL };
    g.b = (struct mx_gemm_side){ (const char *)element(&x->b, x->dtype, 0,
        0), x->b.line, x->b.along, NULL };
    mx_gemm_init(&g, &table[level], (mlxc_dtype)x->dtype);
    size_t bytes = mx_gemm_plan(&g, threads);
    unsigned char *scratch = malloc(bytes + GUARD);
    memset(scratch, MARK, bytes + GUARD);
    g.scratch = (char *)scratch;
    mx_gemm_run(&g);
    /* an assertion that holds still writes a file: only where one fails */
    for (size_t i = 0; i < GUARD; i++)
        if (scratch[bytes + i] != MARK || block[i] != MARK ||
            block[GUARD + x->bytes + i] != MARK)
            ck_abort_msg("%d x %d x %d of %s at %s writes beyond an end",
                (int)x->m, (int)x->n, (int)x->k,
                mlxc_dtype_name((mlxc_dtype)x->dtype), levels[level]);
    free(scratch);
    return block;
}

static double epsilon(int dtype)
{
    return dtype == MLXC_FLOAT16 ? 0x1p-11 : dtype == MLXC_BFLOAT16 ? 0x1p-8
        : dtype == MLXC_FLOAT64 ? 0x1p-53 : 0x1p-24;
}

static int right(const struct product *x, const unsigned char *got,
    struct number want, double total, const unsigned char *old)
{
    const size_t size = x->size;
    struct number was = x->beta != 0 ? load(x->dtype, old)
        : (struct number){ 0, 0, 0 };
    if (x->dtype < MLXC_FLOAT16) {
        uint64_t w = x->dtype == MLXC_BOOL ? want.whole | was.whole
            : want.whole + was.whole;
        return memcmp(got, &w, size) == 0;
    }
    struct number is = load(x->dtype, got);
    double re = x->alpha * want.re + x->beta * was.re;
    double im = x->alpha * want.im + x->beta * was.im;
    total = fabs(x->alpha) * total + fabs(x->beta * was.re) +
        fabs(x->beta * was.im);
    double steps = x->dtype == MLXC_FLOAT64 ? 0x1p-53 : 0x1p-24;
    double bound = 2 * epsilon(x->dtype) * (fabs(re) + fabs(im)) +
        sqrt((double)x->k + 4) * 3 * steps * total + 1e-30;
    return fabs(is.re - re) <= bound && fabs(is.im - im) <= bound;
}

/* Do these levels round alike? */
static int alike(int dtype, int one, int other)
{
    if (dtype < MLXC_FLOAT16)
        return 1;
    return one > 0 && other > 0 && table[one].gemm[dtype].depth ==
        table[other].gemm[dtype].depth;
}

static void check(struct product *x, int la, int lb, uint64_t *seed)
{
    x->size = mlxc_dtype_size((mlxc_dtype)x->dtype);
    x->bytes = (size_t)(x->m * x->n) * x->size;
    x->a = factor(x->dtype, la, x->m, x->k, seed);
    x->b = factor(x->dtype, lb, x->n, x->k, seed);
    struct factor old = factor(x->dtype, ALONG, 1, x->m * x->n, seed);
    x->old = old.bytes;
    unsigned char *first[LEVELS] = { NULL };
    char text[160];
    for (int level = 0; level < LEVELS; level++) {
        static const int threads[] = { 1, 2, 5 };
        for (int t = 0; t < 3 && have[level]; t++) {
            unsigned char *got = compute(x, level, threads[t]);
            snprintf(text, sizeof text, "%s at %s: %d x %d x %d, layouts "
                "%d %d, alpha %g beta %g, %d threads",
                mlxc_dtype_name((mlxc_dtype)x->dtype), levels[level],
                (int)x->m, (int)x->n, (int)x->k, la, lb, x->alpha, x->beta,
                threads[t]);
            if (!first[level]) {
                first[level] = got;
                continue;
            }
            if (memcmp(got, first[level], x->bytes + GUARD))
                ck_abort_msg("%s: not as with one", text);
            free(got);
        }
        for (int less = 0; less < level && have[level]; less++)
            if (have[less] && alike(x->dtype, less, level))
                if (memcmp(first[less], first[level], x->bytes + GUARD))
                    ck_abort_msg("%s: not as at %s", text, levels[less]);
    }
    for (int64_t i = 0; i < x->m; i++)
        for (int64_t j = 0; j < x->n; j++) {
            double total;
            struct number want = define(x->dtype, &x->a, &x->b, i, j, x->k,
                &total);
            size_t at = (size_t)(i * x->n + j) * x->size;
            for (int level = 0; level < LEVELS; level++)
                if (have[level] && !right(x, first[level] + GUARD + at, want,
                    total, x->old + at))
                    ck_abort_msg("%s of %d x %d x %d, layouts %d %d, "
                        "alpha %g beta %g: element (%d,%d) is wrong at %s",
                        mlxc_dtype_name((mlxc_dtype)x->dtype), (int)x->m,
                        (int)x->n, (int)x->k, la, lb, x->alpha, x->beta,
                        (int)i, (int)j, levels[level]);
        }
    for (int level = 0; level < LEVELS; level++)
        free(first[level]);
    free(x->a.bytes);
    free(x->b.bytes);
    free(x->old);
}

/* alpha and beta: what matmul and addmm of integers use, and others. */
static const double scales[][2] = { { 1, 0 }, { 1, 1 }, { 0.5, 0 },
    { -2, 0.25 } };

static void check_sizes(int dtype, int64_t m, int64_t n, int64_t k,
    uint64_t *seed)
{
    int kinds = dtype >= MLXC_FLOAT16 ? 4 : 2;
    const double *scale = scales[next(seed) % (uint64_t)kinds];
    struct product x = { .dtype = dtype, .m = m, .n = n, .k = k,
        .alpha = scale[0], .beta = scale[1] };
    check(&x, (int)(next(seed) % LAYOUTS), (int)(next(seed) % LAYOUTS), seed);
}

/* Each of m, n and k takes each value from 1 to 67 at least. */
START_TEST(test_small_products)
{
    uint64_t seed = 7 + (uint64_t)_i;
    int rounds = test_level() >= 2 ? 20 : test_level() == 1 ? 2 : 1;
    for (int r = 0; r < rounds; r++)
        for (int64_t s = 1; s <= 67; s++) {
            int64_t t = 1 + (int64_t)(next(&seed) % 67);
            int64_t u = 1 + (int64_t)(next(&seed) % 67);
            check_sizes(_i, s, t, u, &seed);
            check_sizes(_i, t, s, u, &seed);
            check_sizes(_i, t, u, s, &seed);
        }
}
END_TEST

/* Few lines by many, all ways to lie in memory; k beyond one slice. */
START_TEST(test_skinny_products)
{
    static const int64_t depths[] = { 1, 7, 16, 31, 258, 300, 530 };
    uint64_t seed = 70 + (uint64_t)_i;
    for (int64_t t = 1; t <= 9; t++)
        for (int z = 0; z < 7; z++)
            for (int layout = 0; layout < LAYOUTS; layout++) {
                int64_t lines = 1 + (int64_t)(next(&seed) % 60);
                struct product x = { .dtype = _i, .k = depths[z],
                    .alpha = 1, .beta = (double)(next(&seed) % 2) };
                int other = (int)(next(&seed) % LAYOUTS);
                if (z > 4 && t % 4 != 1)
                    continue;
                x.m = t;
                x.n = lines;
                check(&x, other, layout, &seed);
                x.m = lines;
                x.n = t;
                check(&x, layout, other, &seed);
            }
}
END_TEST

START_TEST(test_deep_products)
{
    static const int64_t sizes[][3] = { { 9, 50, 1030 }, { 50, 9, 2061 },
        { 1, 3, 8200 }, { 2, 1, 16500 }, { 1, 40, 17000 }, { 10, 10, 4099 } };
    uint64_t seed = 700 + (uint64_t)_i;
    for (int z = 0; z < 6; z++) {
        struct product x = { .dtype = _i, .m = sizes[z][0],
            .n = sizes[z][1], .k = sizes[z][2], .alpha = 1, .beta = z % 2 };
        check(&x, z % 2 ? BESIDE : ALONG, z % 3 ? BESIDE : ALONG, &seed);
    }
}
END_TEST

/* More lines than one block has: u v^T times w z^T, in exact numbers. */
static void check_blocks(int dtype, int level, int64_t m, int64_t n,
    int64_t k, int threads)
{
    const size_t size = mlxc_dtype_size((mlxc_dtype)dtype);
    unsigned char *a = malloc((size_t)(m * k) * size);
    unsigned char *b = malloc((size_t)(k * n) * size);
    unsigned char *c = malloc((size_t)(m * n) * size);
    double sum = 0;
    for (int64_t p = 0; p < k; p++)
        sum += (double)((p % 3 - 1) * (p % 5 - 1));
    for (int64_t i = 0; i < m; i++)
        for (int64_t p = 0; p < k; p++)
            mx_dtype_store_double((mlxc_dtype)dtype, a + (size_t)(i * k + p) *
                size, (double)((i % 7 - 3) * (p % 3 - 1)));
    for (int64_t p = 0; p < k; p++)
        for (int64_t j = 0; j < n; j++)
            mx_dtype_store_double((mlxc_dtype)dtype, b + (size_t)(p * n + j) *
                size, (double)((j % 3 - 1) * (p % 5 - 1)));
    struct mx_gemm g = { .size = (int)size, .m = m, .n = n, .k = k,
        .batch = 1, .alpha = 1, .out = (char *)c };
    g.a = (struct mx_gemm_side){ (const char *)a, k, 1, NULL };
    g.b = (struct mx_gemm_side){ (const char *)b, 1, n, NULL };
    mx_gemm_init(&g, &table[level], (mlxc_dtype)dtype);
    g.scratch = malloc(mx_gemm_plan(&g, threads));
    memset(c, MARK, (size_t)(m * n) * size);
    mx_gemm_run(&g);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            double want = (double)((i % 7 - 3) * (j % 3 - 1)) * sum;
            double got = mx_dtype_load_double((mlxc_dtype)dtype,
                c + (size_t)(i * n + j) * size);
            if (got != want)
                ck_abort_msg("%s at %s: (%d,%d) is %g, not %g",
                    mlxc_dtype_name((mlxc_dtype)dtype), levels[level],
                    (int)i, (int)j, got, want);
        }
    free(g.scratch);
    free(a);
    free(b);
    free(c);
}

START_TEST(test_blocks)
{
    /* base is too slow to be worth it: the cutting is the same code */
    static const int types[] = { MLXC_FLOAT32, MLXC_FLOAT16, MLXC_BFLOAT16,
        MLXC_COMPLEX64 };
    int level = have[2] ? 2 : have[1] ? 1 : 0, d = types[_i];
    int64_t k = d == MLXC_BFLOAT16 ? 1032 : 515;
    check_blocks(d, level, 3100, 130, k, 2);
    check_blocks(d, level, 130, 3200, k, 5);
    if (test_level() >= 2)
        check_blocks(d, level, 3300, 3200, k, 2);
}
END_TEST

/* Batches, whose matrices one thread or all threads work on. */
START_TEST(test_batches)
{
    static const int64_t sizes[][4] = { { 7, 5, 6, 8 }, { 40, 3, 2, 9 },
        { 12, 70, 65, 64 }, { 3, 70, 65, 64 }, { 5, 1, 20, 300 } };
    for (int z = 0; z < 5; z++) {
        const int64_t *s = sizes[z], all = s[0] * s[1] * s[2];
        uint64_t seed = 1;
        struct factor a = factor(_i, ALONG, 1, s[0] * s[1] * s[3], &seed);
        struct factor b = factor(_i, ALONG, 1, 2 * s[2] * s[3], &seed);
        size_t size = mlxc_dtype_size((mlxc_dtype)_i);
        /* every other matrix of A has the first B, the others the second */
        struct mx_walk wa = { 1, s[0], { s[0] }, { s[1] * s[3] } };
        struct mx_walk wb = { 2, 2 * s[0], { s[0], 2 }, { 0, s[2] * s[3] } };
        for (int level = 0; level < LEVELS; level++)
            for (int threads = 1; threads < 4 && have[level]; threads++) {
                char *out = malloc((size_t)all * size);
                struct mx_gemm g = { .size = (int)size, .m = s[1], .n = s[2],
                    .k = s[3], .batch = s[0], .alpha = 1, .out = out };
                g.a = (struct mx_gemm_side){ (char *)a.bytes, s[3], 1, &wa };
                g.b = (struct mx_gemm_side){ (char *)b.bytes, 1, s[2], &wb };
                mx_gemm_init(&g, &table[level], (mlxc_dtype)_i);
                g.scratch = malloc(mx_gemm_plan(&g, threads));
                memset(out, MARK, (size_t)all * size);
                mx_gemm_run(&g);
                free(g.scratch);
                for (int64_t q = 0; q < s[0]; q++) {
                    struct product x = { .dtype = _i, .m = s[1], .n = s[2],
                        .k = s[3], .alpha = 1, .size = size };
                    x.a = (struct factor){ a.bytes, 0, q * s[1] * s[3],
                        s[3], 1 };
                    x.b = (struct factor){ b.bytes, 0,
                        q % 2 * s[2] * s[3], 1, s[2] };
                    x.bytes = (size_t)(s[1] * s[2]) * size;
                    unsigned char *one = compute(&x, level, 1);
                    ck_assert_msg(!memcmp(one + GUARD, out + (size_t)q *
                        x.bytes, x.bytes), "%s at %s: matrix %d of batch %d "
                        "differs from it alone",
                        mlxc_dtype_name((mlxc_dtype)_i), levels[level],
                        (int)q, z);
                    free(one);
                }
                free(out);
            }
        free(a.bytes);
        free(b.bytes);
    }
}
END_TEST

int main(void)
{
    setup();
    for (int i = 0; i < LEVELS; i++)
        printf("level %s: %s\n", levels[i], have[i] ? "tested" : "absent");
    Suite *s = suite_create("gemm");
    TCase *t = tcase_create("products");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, test_small_products, 0, MX_DTYPE_COUNT);
    tcase_add_loop_test(t, test_skinny_products, 0, MX_DTYPE_COUNT);
    tcase_add_loop_test(t, test_deep_products, 0, MX_DTYPE_COUNT);
    tcase_add_loop_test(t, test_blocks, 0, 4);
    tcase_add_loop_test(t, test_batches, 0, MX_DTYPE_COUNT);
    suite_add_tcase(s, t);
    return run_suite(s);
}
