/* SPDX-License-Identifier: MIT */
/* Every kernel of every level against the base level, bit by bit: lengths
   around the vector widths, odd starts, guard bytes, special values.  And the
   functions of one float against the C library in double: at most 2 ulp, over
   all floats at MLXC_TEST_LEVEL=2, over every 1,021st otherwise. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

#include "cpu/kernels.h"
#include "core/op.h"

static const char *const levels[] = { "base", "avx2", "avx512" };
#define LEVELS 3

static struct mx_cpu_kernels table[LEVELS];
static int have[LEVELS];

static void setup(void)
{
    for (int i = 0; i < LEVELS; i++)
        have[i] = mx_cpu_kernels_for(&table[i], levels[i]);
}

static const struct {
    const char *name;
    char out; /* s: same, b: bool, r: real */
} map1_info[] = {
#define SAME 's'
#define BOOL 'b'
#define REAL 'r'
#define MAP1(ID, sym, rule, out, kinds) { #sym, out },
#include "core/elementwise.def"
}, map2_info[] = {
#define MAP2(ID, sym, rule, out, kinds) { #sym, out },
#include "core/elementwise.def"
};

#define MOST 4200
#define GUARD 64
#define MARK 0xa5

static const size_t lengths[] = { 0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 32,
    33, 63, 64, 65, 67, 255, 256, 257, 511, 512, 513, 4096, 4099 };
#define NLENGTHS (sizeof lengths / sizeof *lengths)

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 16 ^ *state << 40;
}

/* Random bits, mixed with special values of the type. */
static void fill(unsigned char *p, size_t n, int dtype, uint64_t seed)
{
    static const double special[] = { 0, -0.0, 1, -1, 0.5, 2, 3, -3,
        INFINITY, -INFINITY, NAN, 1e-40, 1e30, 127, 255, 32767, 65504, 7 };
    size_t size = mlxc_dtype_size((mlxc_dtype)dtype);
    for (size_t i = 0; i < n; i++) {
        uint64_t r = next(&seed), bits = next(&seed);
        unsigned char *at = p + i * size;
        if (dtype == MLXC_BOOL)
            *at = (unsigned char)(r & 1);
        else if (dtype >= MLXC_FLOAT16 && r % 3 == 0)
            mx_dtype_store_double((mlxc_dtype)dtype, at, special[bits %
                (sizeof special / sizeof *special)]);
        else if (dtype >= MLXC_FLOAT16 && r % 3 == 1)
            mx_dtype_store_double((mlxc_dtype)dtype, at,
                (double)(int64_t)(bits % 20001) / 1000 - 10);
        else
            memcpy(at, &bits, size);
    }
}

static size_t out_size(char out, int dtype)
{
    if (out == 'b')
        return 1;
    if (out == 'r' && dtype == MLXC_COMPLEX64)
        return 4;
    return mlxc_dtype_size((mlxc_dtype)dtype);
}

/* NaN is NaN, whatever its bits: which operand's survives is the compiler's
   choice. */
static int same_value(const unsigned char *a, const unsigned char *b,
    size_t size, int dtype, char out)
{
    if (memcmp(a, b, size) == 0)
        return 1;
    if (out == 'b' || dtype < MLXC_FLOAT16)
        return 0;
    if (dtype == MLXC_COMPLEX64 && size == 8)
        return same_value(a, b, 4, MLXC_FLOAT32, 's') &&
            same_value(a + 4, b + 4, 4, MLXC_FLOAT32, 's');
    int d = dtype == MLXC_COMPLEX64 ? MLXC_FLOAT32 : dtype;
    double x = mx_dtype_load_double((mlxc_dtype)d, a);
    double y = mx_dtype_load_double((mlxc_dtype)d, b);
    return x != x && y != y;
}

struct buffers {
    unsigned char a[MOST * 8 + 64], b[MOST * 8 + 64];
    unsigned char want[MOST * 8 + 2 * GUARD + 64];
    unsigned char got[MOST * 8 + 2 * GUARD + 64];
};
static struct buffers buf;

static void compare(const char *name, int dtype, int level, size_t n,
    size_t size, char out, size_t shift)
{
    unsigned char *want = buf.want + GUARD + shift;
    unsigned char *got = buf.got + GUARD + shift;
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(same_value(want + i * size, got + i * size, size,
            dtype, out), "%s of %s at %s: element %zu of %zu differs", name,
            mlxc_dtype_name((mlxc_dtype)dtype), levels[level], i, n);
    for (size_t i = 0; i < GUARD; i++) {
        ck_assert_msg(got[-(ptrdiff_t)i - 1] == MARK, "%s writes before",
            name);
        ck_assert_msg(got[n * size + i] == MARK, "%s writes behind", name);
    }
}

/* Runs both levels on the same input; `level` is compared with base. */
#define BOTH(CALL) \
    do { \
        memset(buf.want, MARK, sizeof buf.want); \
        memset(buf.got, MARK, sizeof buf.got); \
        { const struct mx_cpu_kernels *k = &table[0]; \
          void *dst = buf.want + GUARD + shift; CALL; } \
        { const struct mx_cpu_kernels *k = &table[level]; \
          void *dst = buf.got + GUARD + shift; CALL; } \
    } while (0)

START_TEST(test_map1)
{
    for (int level = 1; level < LEVELS; level++) {
        for (int d = 0; d < MX_DTYPE_COUNT && have[level]; d++) {
            ck_assert_msg(!table[0].map1[_i][d] == !table[level].map1[_i][d],
                "%s", map1_info[_i].name);
            if (!table[0].map1[_i][d])
                continue;
            for (size_t l = 0; l < NLENGTHS; l++) {
                size_t n = lengths[l], item = mlxc_dtype_size((mlxc_dtype)d);
                size_t shift = l % 3 * item;
                fill(buf.a, n + 2, d, l * 31 + (uint64_t)d);
                BOTH(k->map1[_i][d](dst, buf.a + shift, n));
                compare(map1_info[_i].name, d, level, n,
                    out_size(map1_info[_i].out, d), map1_info[_i].out,
                    shift);
            }
        }
    }
}
END_TEST

START_TEST(test_map2)
{
    for (int level = 1; level < LEVELS; level++) {
        for (int d = 0; d < MX_DTYPE_COUNT && have[level]; d++) {
            if (!table[0].map2[_i][d])
                continue;
            for (size_t l = 0; l < NLENGTHS; l++) {
                size_t n = lengths[l], item = mlxc_dtype_size((mlxc_dtype)d);
                size_t shift = l % 3 * item;
                fill(buf.a, n + 2, d, l * 37 + (uint64_t)d);
                fill(buf.b, n + 2, d, l * 41 + (uint64_t)d + 1);
                BOTH(k->map2[_i][d](dst, buf.a + shift, buf.b, n));
                compare(map2_info[_i].name, d, level, n,
                    out_size(map2_info[_i].out, d), map2_info[_i].out,
                    shift);
            }
        }
    }
}
END_TEST

START_TEST(test_cast)
{
    for (int level = 1; level < LEVELS; level++) {
        for (int d = 0; d < MX_DTYPE_COUNT && have[level]; d++) {
            ck_assert_ptr_nonnull(table[0].cast[_i][d]);
            for (size_t l = 0; l < NLENGTHS; l++) {
                size_t n = lengths[l], shift = 0;
                fill(buf.a, n, d, l * 43 + (uint64_t)d);
                BOTH(k->cast[_i][d](dst, buf.a, n));
                compare("cast", _i, level, n,
                    mlxc_dtype_size((mlxc_dtype)_i),
                    _i == MLXC_BOOL ? 'b' : 's', shift);
            }
        }
    }
}
END_TEST

/* Sums and the like do not depend on the level. */
START_TEST(test_reduce)
{
    for (int level = 1; level < LEVELS; level++) {
        for (int d = 0; d < MX_DTYPE_COUNT && have[level]; d++) {
            const struct mx_reduce_kernel *x = &table[0].reduce[_i][d];
            ck_assert_ptr_nonnull(x->row);
            for (size_t l = 0; l < NLENGTHS; l++) {
                size_t n = lengths[l], shift = 0;
                fill(buf.a, n, d, l * 47 + (uint64_t)d);
                BOTH({ const struct mx_reduce_kernel *r = &k->reduce[_i][d];
                    double acc[2]; r->init(acc, 1); r->row(acc, buf.a, n);
                    r->finish(dst, acc, 1); });
                size_t size = _i >= MX_REDUCE_ALL ? 1
                    : _i <= MX_REDUCE_PROD && d < MLXC_FLOAT16 &&
                        mlxc_dtype_size((mlxc_dtype)d) < 4 ? 4
                    : mlxc_dtype_size((mlxc_dtype)d);
                compare("reduce", d, level, 1, size,
                    _i >= MX_REDUCE_ALL ? 'b' : 's', shift);
            }
        }
    }
}
END_TEST

START_TEST(test_moves)
{
    for (int level = 0; level < LEVELS; level++) {
        if (!have[level])
            continue;
        for (int s = 0; s < MX_SIZE_COUNT; s++) {
            size_t size = (size_t)1 << s, rows = 67, cols = 45, shift = 0;
            fill(buf.a, rows * cols, MLXC_UINT8 + s, 5);
            for (int stream = 0; stream < 2; stream++) {
                memset(buf.got, MARK, sizeof buf.got);
                table[level].transpose[s](buf.got + GUARD, (ptrdiff_t)rows,
                    buf.a, (ptrdiff_t)cols, rows, cols, stream);
                for (size_t i = 0; i < rows; i++) {
                    for (size_t j = 0; j < cols; j++)
                        ck_assert(!memcmp(buf.got + GUARD + (j * rows + i) *
                            size, buf.a + (i * cols + j) * size, size));
                }
                ck_assert_int_eq(buf.got[GUARD - 1], MARK);
                ck_assert_int_eq(buf.got[GUARD + rows * cols * size], MARK);
            }
            for (size_t l = 0; l < NLENGTHS; l++) {
                size_t n = lengths[l] / 4;
                memset(buf.got, MARK, sizeof buf.got);
                table[level].copy_strided[s](buf.got + GUARD, 1,
                    buf.a + 3 * n * size, -3, n);
                for (size_t i = 0; i < n; i++)
                    ck_assert(!memcmp(buf.got + GUARD + i * size,
                        buf.a + 3 * (n - i) * size, size));
                table[level].fill[s](buf.got + GUARD, buf.a, n);
                for (size_t i = 0; i < n; i++)
                    ck_assert(!memcmp(buf.got + GUARD + i * size, buf.a,
                        size));
                ck_assert_int_eq(buf.got[GUARD + n * size], MARK);
                for (shift = 0; shift < 9; shift += 3) {
                    memset(buf.got, MARK, sizeof buf.got);
                    table[level].copy_stream(buf.got + GUARD + shift, buf.a,
                        n);
                    ck_assert(!memcmp(buf.got + GUARD + shift, buf.a, n));
                    ck_assert_int_eq(buf.got[GUARD + shift + n], MARK);
                    ck_assert_int_eq(buf.got[GUARD + shift - 1], MARK);
                }
            }
        }
    }
}
END_TEST

/* ---- accuracy ---- */

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }
static double rsqrt(double x) { return 1 / sqrt(x); }
static double reciprocal(double x) { return 1 / x; }
static double square(double x) { return x * x; }

static const struct {
    int id;
    double (*exact)(double);
    double bound; /* ulp */
} functions[] = {
    { MX_MAP1_EXP, exp, 2 }, { MX_MAP1_EXPM1, expm1, 2 },
    { MX_MAP1_LOG, log, 2 }, { MX_MAP1_LOG2, log2, 2 },
    { MX_MAP1_LOG10, log10, 2 }, { MX_MAP1_LOG1P, log1p, 2 },
    { MX_MAP1_SIN, sin, 2 }, { MX_MAP1_COS, cos, 2 },
    { MX_MAP1_TAN, tan, 2 }, { MX_MAP1_ARCSIN, asin, 2 },
    { MX_MAP1_ARCCOS, acos, 2 }, { MX_MAP1_ARCTAN, atan, 2 },
    { MX_MAP1_SINH, sinh, 2 }, { MX_MAP1_COSH, cosh, 2 },
    { MX_MAP1_TANH, tanh, 2 }, { MX_MAP1_ARCSINH, asinh, 2 },
    { MX_MAP1_ARCCOSH, acosh, 2 }, { MX_MAP1_ARCTANH, atanh, 2 },
    { MX_MAP1_SIGMOID, sigmoid, 2 }, { MX_MAP1_ERF, erf, 2 },
    { MX_MAP1_SQRT, sqrt, 0.5 }, { MX_MAP1_RSQRT, rsqrt, 2 },
    { MX_MAP1_RECIPROCAL, reciprocal, 0.5 }, { MX_MAP1_FLOOR, floor, 0 },
    { MX_MAP1_CEIL, ceil, 0 }, { MX_MAP1_TRUNC, trunc, 0 },
    { MX_MAP1_RINT, rint, 0 }, { MX_MAP1_SQUARE, square, 0.5 },
};

/* Distance in units of the last place of the float nearest to `want`. */
static double ulps(float got, double want)
{
    float near = (float)want;
    if (got == near || (got != got && want != want))
        return 0;
    if (!(fabs(want) < 3.5e38) || got - got != 0)
        return fabsf(near) == INFINITY && fabsf(got) >= 3.4028234e38f &&
            (near > 0) == (got > 0) ? 1 : INFINITY;
    int e;
    frexp(fabs(want), &e);
    double ulp = ldexp(1, e - 24 < -149 ? -149 : e - 24);
    return fabs((double)got - want) / ulp;
}

#define BLOCK 4096

START_TEST(test_accuracy)
{
    static float x[BLOCK], y[BLOCK];
    uint64_t step = test_level() >= 2 ? 1 : test_level() == 1 ? 1021 : 16381;
    double (*exact)(double) = functions[_i].exact;
    const char *name = map1_info[functions[_i].id].name;
    double worst = 0;
    float at = 0;
    /* all levels give the same bits, so the best one speaks for all; base is
       slow where fma() is a call */
    int level = have[2] ? 2 : have[1] ? 1 : 0;
    for (uint64_t u = 0; u < (uint64_t)1 << 32; u += step * BLOCK) {
        size_t n = 0;
        for (; n < BLOCK && u + n * step < (uint64_t)1 << 32; n++) {
            uint32_t bits = (uint32_t)(u + n * step);
            memcpy(&x[n], &bits, sizeof bits);
        }
        table[level].map1[functions[_i].id][MLXC_FLOAT32](y, x, n);
        for (size_t i = 0; i < n; i++) {
            double e = ulps(y[i], exact((double)x[i]));
            if (e > worst) {
                worst = e;
                at = x[i];
            }
        }
    }
    printf("%-11s %.3f ulp at %.9g\n", name, worst, (double)at);
    ck_assert_msg(worst <= functions[_i].bound, "%s: %.3f ulp at %.9g (%a)",
        name, worst, (double)at, (double)at);
}
END_TEST

int main(void)
{
    setup();
    for (int i = 0; i < LEVELS; i++)
        printf("level %s: %s\n", levels[i], have[i] ? "tested" : "absent");
    Suite *s = suite_create("kernels");
    TCase *t = tcase_create("levels");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, test_map1, 0, MX_MAP1_COUNT);
    tcase_add_loop_test(t, test_map2, 0, MX_MAP2_COUNT);
    tcase_add_loop_test(t, test_cast, 0, MX_DTYPE_COUNT);
    tcase_add_loop_test(t, test_reduce, 0, MX_REDUCE_COUNT);
    tcase_add_test(t, test_moves);
    suite_add_tcase(s, t);
    t = tcase_create("accuracy");
    tcase_set_timeout(t, 3600);
    tcase_add_loop_test(t, test_accuracy, 0,
        sizeof functions / sizeof *functions);
    suite_add_tcase(s, t);
    return run_suite(s);
}
