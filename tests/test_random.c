/* SPDX-License-Identifier: MIT */
/* Random numbers: the reference's own draws, and what holds for any key. */
#include <math.h>
#include <string.h>

#include <mlxc/expr.h>

#include "support.h"

static mlxc_array *key_of(uint64_t seed)
{
    mlxc_array *key;
    ok(mlxc_random_key(&key, seed));
    return key;
}

/* Take over `a` and compare. */
static void expect(mlxc_array *a, int n, const double *want, double bound)
{
    assert_values(a, n, want, bound);
    mlxc_array_unref(a);
}

struct bits_case {
    unsigned seed;
    int ndim;
    int64_t shape[2];
    int width;
    int n;
    double want[8];
};

static const struct bits_case bits_cases[] = {
    { 0, 0, { 0 }, 4, 1, { 1797259609 } },
    { 0, 0, { 0 }, 2, 1, { 345 } },
    { 0, 0, { 0 }, 1, 1, { 89 } },
    { 1, 0, { 0 }, 4, 1, { 507451445 } },
    { 1, 0, { 0 }, 2, 1, { 6197 } },
    { 1, 0, { 0 }, 1, 1, { 53 } },
    { 0, 2, { 3, 1 }, 4, 3, { 4146024105, 1351547692, 2718843009 } },
    { 0, 1, { 4 }, 4, 4, { 4146024105, 967050713, 2718843009,
        1272950319 } },
    { 0, 2, { 2, 3 }, 4, 6, { 2467461003, 428148500, 3186719485, 3840466878,
        2562233961, 1946702221 } },
    { 0, 1, { 3 }, 2, 3, { 9103, 14175, 5405 } },
    { 0, 1, { 4 }, 2, 4, { 9103, 14175, 5405, 52699 } },
    { 0, 1, { 5 }, 2, 5, { 20137, 63263, 64300, 20622, 16513 } },
    { 0, 1, { 6 }, 2, 6, { 20137, 63263, 64300, 20622, 16513, 41486 } },
    { 0, 1, { 7 }, 2, 7, { 20137, 63263, 1497, 14756, 16513, 41486,
        44591 } },
    { 0, 1, { 8 }, 2, 8, { 20137, 63263, 1497, 14756, 16513, 41486, 44591,
        19423 } },
    { 0, 1, { 3 }, 1, 3, { 89, 1, 32 } },
    { 0, 1, { 5 }, 1, 5, { 143, 35, 95, 55, 29 } },
    { 0, 1, { 7 }, 1, 7, { 143, 35, 95, 55, 29, 21, 219 } },
    { 0, 1, { 0 }, 4, 0, { 0 } },
};

START_TEST(test_bits)
{
    const struct bits_case *t = &bits_cases[_i];
    mlxc_array *key = key_of(t->seed), *r;
    ok(mlxc_random_bits(&r, t->shape, t->ndim, t->width, key, NULL));
    ck_assert_int_eq(mlxc_array_itemsize(r), t->width);
    expect(r, t->n, t->want, 0);
    mlxc_array_unref(key);
}
END_TEST

START_TEST(test_key_and_split)
{
    mlxc_array *key = key_of(0x123456789abcdef0), *r, *first, *second;
    const double words[2] = { 305419896, 2596069104 };
    assert_values(key, 2, words, 0);
    mlxc_array_unref(key);
    static const double pair[2][4] = {
        { 4146024105, 967050713, 2718843009, 1272950319 },
        { 2441914641, 1384938218, 3819641963, 2025898573 } };
    static const double three[3][6] = {
        { 2467461003, 428148500, 3186719485, 3840466878, 2562233961,
            1946702221 },
        { 3568232559, 713140391, 3620866055, 2761185182, 2442350529,
            2639019713 },
        { 3134548294, 3733159049, 3746501087, 894150801, 801545058,
            2363201431 } };
    static const unsigned seed[3] = { 0, 1, 42 };
    for (int i = 0; i < 3; i++) {
        key = key_of(seed[i]);
        ok(mlxc_random_split(&r, key, 3, NULL));
        assert_shape(r, 2, (const int64_t[2]){ 3, 2 });
        expect(r, 6, three[i], 0);
        if (i < 2) {
            ok(mlxc_random_split_pair(&first, &second, key, NULL));
            expect(first, 2, pair[i], 0);
            expect(second, 2, pair[i] + 2, 0);
        }
        mlxc_array_unref(key);
    }
}
END_TEST

static mlxc_array *number(double x, mlxc_dtype d)
{
    mlxc_array *a;
    ok(mlxc_array_from_double(&a, x, d));
    return a;
}

static mlxc_array *uniform(double low, double high, int n, mlxc_dtype d,
    mlxc_array *key)
{
    const int64_t shape = n;
    mlxc_array *l = number(low, d), *h = number(high, d), *r;
    ok(mlxc_random_uniform(&r, l, h, &shape, 1, d, key, NULL));
    mlxc_array_unref(l);
    mlxc_array_unref(h);
    return r;
}

static mlxc_array *normal(double loc, double scale, int n, mlxc_dtype d,
    mlxc_array *key)
{
    const int64_t shape = n;
    mlxc_array *l = loc != 0 ? number(loc, MLXC_FLOAT32) : NULL;
    mlxc_array *s = scale != 1 ? number(scale, MLXC_FLOAT32) : NULL, *r;
    ok(mlxc_random_normal(&r, l, s, &shape, 1, d, key, NULL));
    ck_assert_int_eq(mlxc_array_dtype(r), d);
    mlxc_array_unref(l);
    mlxc_array_unref(s);
    return r;
}

START_TEST(test_uniform)
{
    mlxc_array *key = key_of(0), *r;
    /* nine digits name a float */
    expect(uniform(0, 1, 6, MLXC_FLOAT32, key), 6, (const double[6]){
        0.574500561f, 0.0996860936f, 0.74196595f, 0.894178391f,
        0.596566558f, 0.453251928f }, 0);
    expect(uniform(0, 1, 6, MLXC_FLOAT16, key), 6, (const double[6]){
        0.574707031, 0.0996704102, 0.7421875, 0.894042969, 0.596679688,
        0.453369141 }, 1e-8);
    expect(uniform(0, 1, 6, MLXC_BFLOAT16, key), 6, (const double[6]){
        0.57421875, 0.099609375, 0.7421875, 0.89453125, 0.59765625,
        0.453125 }, 0);
    expect(uniform(-1, 3, 4, MLXC_FLOAT32, key), 4, (const double[4]){
        2.86128592f, -0.0993638635f, 1.53211999f, 0.185527325f }, 0);
    const int64_t s[2] = { 3, 2 };
    mlxc_array *low = number(0, MLXC_FLOAT32);
    mlxc_array *high = vec(MLXC_FLOAT32, 2, (const double[2]){ 1, 2 });
    ok(mlxc_random_uniform(&r, low, high, s, 2, MLXC_FLOAT32, key, NULL));
    expect(r, 6, (const double[6]){ 0.574500561f, 0.199372187f, 0.74196595f,
        1.78835678f, 0.596566558f, 0.906503856f }, 0);
    const int64_t one = 3;
    fails(mlxc_random_uniform(&r, low, high, &one, 1, MLXC_FLOAT32, key,
        NULL), MLXC_ERR_SHAPE, "");
    fails(mlxc_random_uniform(&r, low, high, s, 2, MLXC_INT32, key, NULL),
        MLXC_ERR_DTYPE, "random_uniform");
    fails(mlxc_random_uniform(&r, low, high, s, 2, MLXC_FLOAT32, high, NULL),
        MLXC_ERR_ARGUMENT, "key");
    const int64_t minus = -1;
    fails(mlxc_random_bits(&r, &minus, 1, 4, key, NULL), MLXC_ERR_SHAPE,
        "random_bits");
    fails(mlxc_random_bits(&r, s, 2, 3, key, NULL), MLXC_ERR_ARGUMENT,
        "width");
    mlxc_array_unref(low);
    mlxc_array_unref(high);
    mlxc_array_unref(key);
}
END_TEST

/* float64 has its own 53 bits: a mean, a spread, and no float32 grid. */
START_TEST(test_uniform_f64)
{
    mlxc_array *key = key_of(3), *r = uniform(0, 1, 100000, MLXC_FLOAT64,
        key);
    double *v = values_of(r), sum = 0, squares = 0;
    int fine = 0;
    for (int i = 0; i < 100000; i++) {
        ck_assert(v[i] >= 0 && v[i] < 1);
        sum += v[i];
        squares += v[i] * v[i];
        fine += v[i] != (double)(float)v[i];
    }
    ck_assert(fabs(sum / 1e5 - 0.5) < 0.004);
    ck_assert(fabs(squares / 1e5 - 1. / 3) < 0.004);
    ck_assert(fine > 99000);
    free(v);
    mlxc_array_unref(r);
    mlxc_array_unref(key);
}
END_TEST

START_TEST(test_normal)
{
    mlxc_array *key = key_of(0), *r;
    const double ulps = 4e-7; /* erfinv is accurate, not the same */
    expect(normal(0, 1, 6, MLXC_FLOAT32, key), 6, (const double[6]){
        0.187844157, -1.28334212, 0.649418294, 1.24905992, 0.244470015,
        -0.117449418 }, ulps);
    expect(normal(0, 1, 4, MLXC_FLOAT32, key), 4, (const double[4]){
        1.81608713, -0.754884779, 0.339889258, -0.534835339 }, ulps);
    expect(normal(0, 1, 4, MLXC_FLOAT16, key), 4, (const double[4]){
        1.81542969, -0.754882812, 0.33984375, -0.534667969 }, 1e-8);
    expect(normal(0, 1, 4, MLXC_BFLOAT16, key), 4, (const double[4]){ 1.8125,
        -0.7578125, 0.33984375, -0.53515625 }, 0);
    expect(normal(1, 2, 4, MLXC_FLOAT32, key), 4, (const double[4]){
        4.63217449, -0.509769559, 1.67977858, -0.0696706772 }, ulps * 2);
    expect(normal(1, 2, 2, MLXC_BFLOAT16, key), 2, (const double[2]){
        -0.5703125, 2.71875 }, 0);
    static const double z[6] = { 0.132825881, -0.907459915, 0.459208101,
        0.883218765, 0.172866404, -0.0830492824 };
    mlxc_complex64 got[3];
    r = normal(0, 1, 3, MLXC_COMPLEX64, key);
    ok(mlxc_array_copy_out(r, got, sizeof got));
    for (int i = 0; i < 3; i++) {
        ck_assert(fabs(got[i].re - z[2 * i]) < 1e-6);
        ck_assert(fabs(got[i].im - z[2 * i + 1]) < 1e-6);
    }
    mlxc_array_unref(r);
    mlxc_array_unref(key);
}
END_TEST

START_TEST(test_truncated_normal)
{
    mlxc_array *key = key_of(0), *low = number(-1, MLXC_FLOAT32);
    mlxc_array *high = number(2, MLXC_FLOAT32), *r;
    const int64_t four = 4, three = 3;
    ok(mlxc_random_truncated_normal(&r, low, high, &four, 1, MLXC_FLOAT32,
        key, NULL));
    expect(r, 4, (const double[4]){ 1.63392067, -0.404372931, 0.458909094,
        -0.250056416 }, 1e-6);
    mlxc_array_unref(low);
    low = number(-2, MLXC_FLOAT32);
    ok(mlxc_random_truncated_normal(&r, low, high, &three, 1, MLXC_FLOAT16,
        key, NULL));
    expect(r, 3, (const double[3]){ 1.58984375, -0.459228516, 0.323242188 },
        2e-3);
    mlxc_array_unref(low);
    mlxc_array_unref(high);
    mlxc_array_unref(key);
}
END_TEST

START_TEST(test_bernoulli)
{
    mlxc_array *key = key_of(0), *p = number(0.5, MLXC_FLOAT32), *r;
    const int64_t eight = 8, three = 3;
    ok(mlxc_random_bernoulli(&r, p, &eight, 1, key, NULL));
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_BOOL);
    expect(r, 8, (const double[8]){ 0, 1, 1, 0, 1, 0, 1, 0 }, 0);
    mlxc_array_unref(p);
    p = vec(MLXC_FLOAT32, 3, (const double[3]){ 0, 1, .5 });
    ok(mlxc_random_bernoulli(&r, p, &three, 1, key, NULL));
    expect(r, 3, (const double[3]){ 0, 1, 0 }, 0);
    mlxc_array_unref(p);
    p = number(1, MLXC_INT32);
    fails(mlxc_random_bernoulli(&r, p, &three, 1, key, NULL), MLXC_ERR_DTYPE,
        "random_bernoulli");
    mlxc_array_unref(p);
    mlxc_array_unref(key);
}
END_TEST

static mlxc_array *randint(int low, int high, int n, mlxc_dtype d,
    mlxc_array *key)
{
    const int64_t shape = n;
    mlxc_array *l = number(low, MLXC_INT32), *h = number(high, MLXC_INT32);
    mlxc_array *r;
    ok(mlxc_random_randint(&r, l, h, &shape, 1, d, key, NULL));
    ck_assert_int_eq(mlxc_array_dtype(r), d);
    mlxc_array_unref(l);
    mlxc_array_unref(h);
    return r;
}

START_TEST(test_randint)
{
    mlxc_array *key = key_of(0);
    expect(randint(0, 10, 8, MLXC_INT32, key), 8, (const double[8]){ 5, 3, 3,
        9, 1, 9, 1, 8 }, 0);
    expect(randint(-5, 5, 8, MLXC_INT64, key), 8, (const double[8]){ 0, -2,
        -2, 4, -4, 4, -4, 3 }, 0);
    expect(randint(0, 255, 8, MLXC_UINT8, key), 8, (const double[8]){ 135,
        89, 90, 242, 25, 250, 49, 222 }, 0);
    expect(randint(5, 5, 4, MLXC_INT32, key), 4, (const double[4]){ 5, 5, 5,
        5 }, 0);
    mlxc_array_unref(key);
}
END_TEST

START_TEST(test_gumbel_laplace)
{
    mlxc_array *key = key_of(0), *r;
    const int64_t four = 4, three = 3;
    ok(mlxc_random_gumbel(&r, &four, 1, MLXC_FLOAT32, key, NULL));
    expect(r, 4, (const double[4]){ 3.34403968, -0.399412364, 0.782552361,
        -0.195654482 }, 1e-6);
    ok(mlxc_random_gumbel(&r, &three, 1, MLXC_FLOAT16, key, NULL));
    expect(r, 3, (const double[3]){ 3.34375, -0.145141602, 0.781738281 },
        2e-3);
    ok(mlxc_random_laplace(&r, NULL, NULL, &four, 1, MLXC_FLOAT32, key,
        NULL));
    expect(r, 4, (const double[4]){ -2.6684885, 0.797801077, -0.309328079,
        0.522959411 }, 1e-6);
    mlxc_array *loc = number(1, MLXC_FLOAT32), *scale = number(2,
        MLXC_FLOAT32);
    ok(mlxc_random_laplace(&r, loc, scale, &three, 1, MLXC_FLOAT32, key,
        NULL));
    expect(r, 3, (const double[3]){ -4.33697701, 1.92609262, 0.381343842 },
        2e-6);
    mlxc_array_unref(loc);
    mlxc_array_unref(scale);
    mlxc_array_unref(key);
}
END_TEST

START_TEST(test_categorical)
{
    mlxc_array *key = key_of(0), *r;
    const int64_t s25[2] = { 2, 5 }, s23[2] = { 2, 3 };
    mlxc_array *a;
    ok(mlxc_zeros(&a, s25, 2, MLXC_FLOAT32, NULL));
    ok(mlxc_random_categorical(&r, a, -1, 4, key, NULL));
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_UINT32);
    assert_shape(r, 2, (const int64_t[2]){ 2, 4 });
    expect(r, 8, (const double[8]){ 2, 3, 0, 3, 3, 3, 3, 2 }, 0);
    ok(mlxc_random_categorical(&r, a, -1, 0, key, NULL));
    expect(r, 2, (const double[2]){ 1, 3 }, 0);
    mlxc_array_unref(a);
    a = vec(MLXC_FLOAT32, 3, (const double[3]){ 0, 1, 2 });
    ok(mlxc_random_categorical(&r, a, -1, 0, key, NULL));
    assert_shape(r, 0, NULL);
    expect(r, 1, (const double[1]){ 0 }, 0);
    mlxc_array_unref(a);
    a = make(MLXC_FLOAT32, s23, 2, (const double[6]){ 0, 1, 2, 3, 4, 5 });
    ok(mlxc_random_categorical(&r, a, 1, 4, key, NULL));
    expect(r, 8, (const double[8]){ 1, 2, 2, 2, 2, 2, 1, 2 }, 0);
    ok(mlxc_random_categorical(&r, a, 0, 0, key, NULL));
    expect(r, 3, (const double[3]){ 1, 1, 1 }, 0);
    fails(mlxc_random_categorical(&r, a, 2, 0, key, NULL), MLXC_ERR_INDEX,
        "axis 2");
    mlxc_array_unref(a);
    /* probabilities, and infinite logits */
    a = vec(MLXC_FLOAT32, 3, (const double[3]){ log(1), log(2), log(5) });
    ok(mlxc_random_categorical(&r, a, 0, 80000, key, NULL));
    double *v = values_of(r), n[3] = { 0, 0, 0 };
    for (int i = 0; i < 80000; i++)
        n[(int)v[i]]++;
    free(v);
    ck_assert(fabs(n[0] - 10000) < 500 && fabs(n[1] - 20000) < 700);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
    a = vec(MLXC_FLOAT32, 3, (const double[3]){ INFINITY, 0, -INFINITY });
    ok(mlxc_random_categorical(&r, a, 0, 6, key, NULL));
    expect(r, 6, (const double[6]){ 0, 0, 0, 0, 0, 0 }, 0);
    mlxc_array_unref(a);
    mlxc_array_unref(key);
}
END_TEST

START_TEST(test_permutation)
{
    mlxc_array *key = key_of(0), *r;
    ok(mlxc_random_permutation(&r, 10, key, NULL));
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_UINT32);
    expect(r, 10, (const double[10]){ 3, 6, 7, 4, 0, 2, 5, 1, 9, 8 }, 0);
    ok(mlxc_random_permutation(&r, 0, key, NULL));
    expect(r, 0, NULL, 0);
    fails(mlxc_random_permutation(&r, -1, key, NULL), MLXC_ERR_SHAPE, "");
    const double v[6] = { 0, 1, 2, 3, 4, 5 };
    const int64_t s32[2] = { 3, 2 }, s23[2] = { 2, 3 };
    mlxc_array *a = make(MLXC_INT32, s32, 2, v);
    ok(mlxc_random_shuffle(&r, a, 0, key, NULL));
    expect(r, 6, (const double[6]){ 2, 3, 4, 5, 0, 1 }, 0);
    mlxc_array_unref(a);
    a = make(MLXC_INT32, s23, 2, v);
    ok(mlxc_random_shuffle(&r, a, -1, key, NULL));
    expect(r, 6, (const double[6]){ 1, 2, 0, 4, 5, 3 }, 0);
    mlxc_array_unref(a);
    mlxc_array_unref(key);
    key = key_of(42);
    ok(mlxc_random_permutation(&r, 5, key, NULL));
    expect(r, 5, (const double[5]){ 4, 2, 3, 0, 1 }, 0);
    mlxc_array_unref(key);
}
END_TEST

START_TEST(test_multivariate_normal)
{
    mlxc_array *key = key_of(0), *r;
    const int64_t three = 3, s22[2] = { 2, 2 };
    mlxc_array *mean = vec(MLXC_FLOAT32, 2, (const double[2]){ 1, 2 });
    mlxc_array *cov = make(MLXC_FLOAT32, s22, 2, (const double[4]){ 2, .5,
        .5, 1 });
    ok(mlxc_random_multivariate_normal(&r, mean, cov, &three, 1,
        MLXC_FLOAT32, key, NULL));
    assert_shape(r, 2, (const int64_t[2]){ 3, 2 });
    expect(r, 6, (const double[6]){ 0.99263972, 0.784921765, 2.17103291,
        3.35774946, 1.31716907, 1.93662441 }, 2e-6);
    fails(mlxc_random_multivariate_normal(&r, cov, mean, &three, 1,
        MLXC_FLOAT32, key, NULL), MLXC_ERR_SHAPE, "covariance");
    mlxc_array_unref(cov);
    /* singular: both parts are the same number, times 1 and 2 */
    cov = make(MLXC_FLOAT32, s22, 2, (const double[4]){ 1, 2, 2, 4 });
    ok(mlxc_random_multivariate_normal(&r, mean, cov, &three, 1,
        MLXC_FLOAT64, key, NULL));
    double *v = values_of(r);
    for (int i = 0; i < 3; i++)
        ck_assert(fabs((v[2 * i] - 1) * 2 - (v[2 * i + 1] - 2)) < 1e-7);
    free(v);
    mlxc_array_unref(r);
    mlxc_array_unref(cov);
    cov = make(MLXC_FLOAT32, s22, 2, (const double[4]){ 0, 0, 0, 0 });
    ok(mlxc_random_multivariate_normal(&r, mean, cov, NULL, 0, MLXC_FLOAT32,
        key, NULL));
    expect(r, 2, (const double[2]){ 1, 2 }, 0);
    mlxc_array_unref(mean);
    mlxc_array_unref(cov);
    mlxc_array_unref(key);
}
END_TEST

START_TEST(test_sequence)
{
    mlxc_array *r;
    const int64_t two = 2;
    ok(mlxc_random_seed(42));
    expect(uniform(0, 1, 2, MLXC_FLOAT32, NULL), 2, (const double[2]){
        0.955981255f, 0.403272569f }, 0);
    expect(normal(0, 1, 2, MLXC_FLOAT32, NULL), 2, (const double[2]){
        0.0931403711, -1.25853765 }, 4e-7);
    ok(mlxc_random_seed(7));
    ok(mlxc_random_bits(&r, &two, 1, 4, NULL, NULL));
    expect(r, 2, (const double[2]){ 2210907715, 337117171 }, 0);
    ok(mlxc_random_bits(&r, &two, 1, 4, NULL, NULL));
    expect(r, 2, (const double[2]){ 3441530488, 792119293 }, 0);
}
END_TEST

/* A function of a key, for vmap. */
static mlxc_status draw(mlxc_arrays *out, mlxc_arrays *in,
    void *context)
{
    (void)context;
    const int64_t three = 3;
    mlxc_array *low = number(0, MLXC_FLOAT32), *high = number(1,
        MLXC_FLOAT32), *r;
    mlxc_status status = mlxc_random_uniform(&r, low, high, &three, 1,
        MLXC_FLOAT32, mlxc_arrays_get(in, 0), NULL);
    mlxc_array_unref(low);
    mlxc_array_unref(high);
    return status ? status : mlxc_arrays_push_take(out, r);
}

START_TEST(test_vmap_over_keys)
{
    mlxc_array *key = key_of(0), *keys;
    ok(mlxc_random_split(&keys, key, 2, NULL));
    mlxc_function *f, *g;
    mlxc_arrays *in, *out;
    ok(mlxc_function_new(&f, draw, NULL, NULL));
    const int zero = 0;
    ok(mlxc_vmap(&g, f, &zero, 1, &zero, 1));
    ok(mlxc_arrays_from(&in, &keys, 1));
    ok(mlxc_function_call(&out, g, in));
    assert_values(mlxc_arrays_get(out, 0), 6, (const double[6]){
        0.555248022f, 0.694741249f, 0.297653586f, 0.872414351f,
        0.111051559f, 0.277080536f }, 0);
    mlxc_arrays_unref(in);
    mlxc_arrays_unref(out);
    mlxc_function_unref(f);
    mlxc_function_unref(g);
    mlxc_array_unref(key);
    mlxc_array_unref(keys);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("random");
    TCase *t = tcase_create("draws");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, test_bits, 0,
        (int)(sizeof bits_cases / sizeof *bits_cases));
    tcase_add_test(t, test_key_and_split);
    tcase_add_test(t, test_uniform);
    tcase_add_test(t, test_uniform_f64);
    tcase_add_test(t, test_normal);
    tcase_add_test(t, test_truncated_normal);
    tcase_add_test(t, test_bernoulli);
    tcase_add_test(t, test_randint);
    tcase_add_test(t, test_gumbel_laplace);
    tcase_add_test(t, test_categorical);
    tcase_add_test(t, test_permutation);
    tcase_add_test(t, test_multivariate_normal);
    tcase_add_test(t, test_sequence);
    tcase_add_test(t, test_vmap_over_keys);
    suite_add_tcase(s, t);
    return run_suite(s);
}
