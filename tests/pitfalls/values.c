/* SPDX-License-Identifier: MIT */
/* Values by definition where kernels tend to cut corners: NaN wherever it
   stands, integers at their limits, ends that must be exact, random words. */
#include "pitfalls.h"

static const mlxc_dtype floats[] = { MLXC_FLOAT16, MLXC_BFLOAT16,
    MLXC_FLOAT32, MLXC_FLOAT64, MLXC_COMPLEX64 };

START_TEST(test_larger_of_nan)
{
    const double x[8] = { 0, 1, NAN, 3, 4, 5, 6, 7 };
    const double y[8] = { NAN, 1, NAN, 3, 4, 5, 6, 7 };
    for (int i = 0; i < COUNT(floats); i++) {
        mlxc_array *a = laid(v(floats[i], 8, x), _i);
        mlxc_array *b = laid(v(floats[i], 8, y), _i);
        near(mlxe_maximum(c, a, b), 8, y, 0);
        near(mlxe_maximum(c, b, a), 8, y, 0);
        near(mlxe_minimum(c, a, b), 8, y, 0);
        near(mlxe_minimum(c, b, a), 8, y, 0);
        mlxc_array *bad = mlxe_full_like(c, a, mlxe_scalar(c, NAN,
            MLXC_FLOAT32), floats[i]);
        is(mlxe_isnan(c, mlxe_maximum(c, a, bad)), 8, D(1, 1, 1, 1, 1, 1, 1,
            1));
        is(mlxe_isnan(c, mlxe_minimum(c, bad, a)), 8, D(1, 1, 1, 1, 1, 1, 1,
            1));
    }
    is(mlxe_maximum(c, v(MLXC_UINT8, 2, D(200, 3)), v(MLXC_UINT8, 2, D(100,
        255))), 2, D(200, 255));
}
END_TEST

/* A NaN at every place of a row or column of every length. */
START_TEST(test_extremes_meet_nan_anywhere)
{
    static const int lengths[] = { 1, 2, 31, 33, 64, 67, 130 };
    for (int t = 0; t < COUNT(floats); t++) {
        for (int k = 0; k < COUNT(lengths); k++) {
            int n = lengths[k];
            for (int at = 0; at < n; at += n / 3 ? n / 3 : 1) {
                double x[260];
                for (int i = 0; i < 2 * n; i++)
                    x[i] = i % 7 - 3;
                x[at] = NAN;
                mlxc_array *a = laid(m(floats[t], 2, n, x), _i);
                is(mlxe_isnan(c, mlxe_max(c, a, A(1), 1, false)), 2,
                    D(1, 0));
                is(mlxe_isnan(c, mlxe_min(c, a, NULL, 0, false)), 1, D(1));
                a = mlxe_transpose(c, a, NULL, 0);
                is(mlxe_isnan(c, mlxe_min(c, a, A(0), 1, false)), 2,
                    D(1, 0));
                is(mlxe_isnan(c, mlxe_max(c, a, A(0), 1, false)), 2,
                    D(1, 0));
                if (floats[t] == MLXC_COMPLEX64)
                    continue;
                is(mlxe_argmax(c, a, 0, false), 2, D(at, n > 6
                    ? (6 - n % 7 + 7) % 7 : n == 1 ? 0 : n - 1));
            }
        }
        mlxc_scope_clear(c);
    }
    mlxc_array *a = laid(m(MLXC_FLOAT32, 2, 3, D(1, NAN, 3, 4, 5, 6)), _i);
    is(mlxe_max(c, a, A(0), 1, false), 3, D(4, NAN, 6));
    is(mlxe_max(c, a, A(1), 1, false), 2, D(NAN, 6));
    is(mlxe_min(c, a, A(0), 1, false), 3, D(1, NAN, 3));
    a = laid(m(MLXC_BOOL, 2, 3, D(1, 1, 1, 0, 1, 0)), _i);
    is(mlxe_min(c, a, A(1), 1, false), 2, D(1, 0));
    is(mlxe_min(c, a, A(0), 1, false), 3, D(0, 1, 0));
    is(mlxe_max(c, a, A(0), 1, false), 3, D(1, 1, 1));
}
END_TEST

/* A complex number is NaN if either part is; else order is by parts. */
START_TEST(test_complex_extremes)
{
    static const double with[4][8] = {
        { 1, 1, 2, 2, 3, 3, NAN, 4 }, { 1, 1, 2, 2, 3, NAN, 4, 4 },
        { 1, 1, 2, NAN, 3, 3, 4, 4 }, { NAN, 1, 2, 2, 3, 3, 4, 4 } };
    static const double rows[4][2] = { { 0, 1 }, { 0, 1 }, { 1, 0 },
        { 1, 0 } };
    static const double columns[4][2] = { { 0, 1 }, { 1, 0 }, { 0, 1 },
        { 1, 0 } };
    for (int i = 0; i < 4; i++) {
        mlxc_array *a = laid(mlxe_reshape(c, z(4, with[i]), L(2, 2), 2),
            _i);
        is(mlxe_isnan(c, mlxe_max(c, a, A(1), 1, false)), 2, rows[i]);
        is(mlxe_isnan(c, mlxe_max(c, a, A(0), 1, false)), 2, columns[i]);
        is(mlxe_isnan(c, mlxe_min(c, a, A(1), 1, false)), 2, rows[i]);
        is(mlxe_isnan(c, mlxe_min(c, a, A(0), 1, false)), 2, columns[i]);
    }
    mlxc_array *a = laid(z(4, D(1, 9, 3, -1, 3, 2, 2, 50)), _i);
    parts(mlxe_max(c, a, NULL, 0, false), 1, D(3, 2), 0);
    parts(mlxe_min(c, a, NULL, 0, false), 1, D(1, 9), 0);
    parts(mlxe_sort(c, a, 0), 4, D(1, 9, 2, 50, 3, -1, 3, 2), 0);
    is(mlxe_argmax(c, a, 0, false), 1, D(2));
    is(mlxe_greater(c, a, mlxe_flip(c, a, NULL, 0)), 4, D(0, 0, 1, 1));
}
END_TEST

START_TEST(test_equal_nan_of_parts)
{
    mlxc_array *a = laid(z(5, D(NAN, 1, 1, NAN, NAN, NAN, 1, 2, NAN, 1)),
        _i);
    mlxc_array *b = laid(z(5, D(NAN, 1, 1, NAN, NAN, NAN, 1, 2, 1, 1)), _i);
    is(mlxe_equal_nan(c, a, b), 5, D(1, 1, 1, 1, 0));
    is(mlxe_equal(c, a, b), 5, D(0, 0, 0, 1, 0));
    is(mlxe_not_equal(c, a, b), 5, D(1, 1, 1, 0, 1));
    is(mlxe_array_equal(c, a, a, true), 1, D(1));
    is(mlxe_array_equal(c, a, a, false), 1, D(0));
    is(mlxe_array_equal(c, a, b, true), 1, D(0));
    is(mlxe_allclose(c, a, a, 0, 0, true), 1, D(1));
    mlxc_array *x = laid(v(MLXC_FLOAT32, 3, D(NAN, INFINITY, 1)), _i);
    mlxc_array *y = laid(v(MLXC_FLOAT32, 3, D(NAN, -INFINITY, 1)), _i);
    is(mlxe_isclose(c, x, x, 1e-5, 1e-8, true), 3, D(1, 1, 1));
    is(mlxe_isclose(c, x, y, 1e-5, INFINITY, false), 3, D(0, 0, 1));
}
END_TEST

START_TEST(test_sums_of_narrow_integers)
{
    mlxc_array *a = laid(v(MLXC_UINT8, 3, D(200, 200, 200)), _i);
    mlxc_array *s = mlxe_sum(c, a, NULL, 0, false);
    is(s, 1, D(600));
    typed(s, MLXC_UINT32);
    is(mlxe_prod(c, a, NULL, 0, false), 1, D(8000000));
    a = laid(v(MLXC_UINT16, 3, D(40000, 40000, 2)), _i);
    is(mlxe_sum(c, a, NULL, 0, false), 1, D(80002));
    is(mlxe_prod(c, a, NULL, 0, false), 1, D(3200000000.0));
    is(mlxe_cumsum(c, laid(v(MLXC_UINT8, 3, D(200, 200, 200)), _i), 0,
        false, true), 3, D(200, 144, 88));
    for (int t = 0; t < 2; t++) {
        a = laid(v(t ? MLXC_INT16 : MLXC_INT8, 4, D(-3, 100, -128, 7)),
            _i);
        is(mlxe_max(c, a, NULL, 0, false), 1, D(100));
        is(mlxe_min(c, a, NULL, 0, false), 1, D(-128));
        is(mlxe_sum(c, a, NULL, 0, false), 1, D(-24));
        is(mlxe_argmin(c, a, 0, false), 1, D(2));
        is(mlxe_cummax(c, a, 0, false, true), 4, D(-3, 100, 100, 100));
        is(mlxe_cummin(c, a, 0, true, true), 4, D(-128, -128, -128, 7));
    }
}
END_TEST

/* What an exclusive scan begins with, by dtype. */
START_TEST(test_identities_of_scans)
{
    static const struct { mlxc_dtype d; double low, high; } limits[] = {
        { MLXC_BOOL, 0, 1 }, { MLXC_UINT8, 0, 255 },
        { MLXC_UINT16, 0, 65535 }, { MLXC_UINT32, 0, 4294967295.0 },
        { MLXC_UINT64, 0, 18446744073709551615.0 },
        { MLXC_INT8, -128, 127 }, { MLXC_INT16, -32768, 32767 },
        { MLXC_INT32, -2147483648.0, 2147483647.0 },
        { MLXC_INT64, -9223372036854775808.0, 9223372036854775807.0 },
        { MLXC_FLOAT16, -INFINITY, INFINITY },
        { MLXC_BFLOAT16, -INFINITY, INFINITY },
        { MLXC_FLOAT32, -INFINITY, INFINITY },
        { MLXC_FLOAT64, -INFINITY, INFINITY },
    };
    for (int i = 0; i < COUNT(limits); i++) {
        mlxc_array *a = laid(v(limits[i].d, 2, D(1, 1)), _i);
        is(mlxe_cummax(c, a, 0, false, false), 2, D(limits[i].low, 1));
        is(mlxe_cummin(c, a, 0, true, false), 2, D(1, limits[i].high));
        is(mlxe_cumsum(c, a, 0, false, false), 2, D(0, 1));
        is(mlxe_cumprod(c, a, 0, true, false), 2, D(1, 1));
    }
}
END_TEST

START_TEST(test_integer_powers_end)
{
    static const mlxc_dtype types[] = { MLXC_INT8, MLXC_INT16, MLXC_INT32,
        MLXC_INT64 };
    for (int i = 0; i < COUNT(types); i++)
        is(mlxe_power(c, laid(v(types[i], 6, D(2, -2, 0, 3, -3, 1)), _i),
            laid(v(types[i], 6, D(-1, -128, -1, 4, 3, 0)), _i)), 6, D(0, 0,
            0, 81, -27, 1));
    is(mlxe_power(c, v(MLXC_FLOAT64, 2, D(2, 3)), v(MLXC_FLOAT64, 2,
        D(0.5, 40))), 2, D(1.4142135623730951, 12157665459056928801.0));
}
END_TEST

START_TEST(test_complex_logarithms)
{
    const double pi = 3.14159265358979;
    mlxc_array *a = laid(z(7, D(1e-8, 1e-8, -0.5, 0, 0.3, -0.4, 1, 2, -2,
        0, -1e-20, 0, 0, 0)), _i);
    parts(mlxe_log1p(c, a), 7, D(1e-8, 1e-8, -0.693147, 0, 0.307593,
        -0.298499, 1.039721, 0.785398, 0, pi, -1e-20, 0, 0, 0), 1e-6);
    near(mlxe_real(c, mlxe_multiply(c, mlxe_log1p(c, a), mlxe_scalar(c,
        1e8, MLXC_FLOAT32))), 7, D(1, -6.93147e7, 3.07593e7, 1.039721e8, 0,
        -1e-12, 0), 1e-6);
    /* log(e^a + e^b), also where one of them is nothing */
    parts(mlxe_logaddexp(c, z(2, D(0, 0, 1, 1)), z(2, D(0, 0, -INFINITY,
        0))), 2, D(0.693147, 0, 1, 1), 1e-6);
    parts(mlxe_cumsum(c, laid(z(3, D(1, 2, 3, 4, 5, 6)), _i), 0, false,
        true), 3, D(1, 2, 4, 6, 9, 12), 0);
    parts(mlxe_cumprod(c, laid(z(3, D(1, 2, 3, 4, 0, 1)), _i), 0, false,
        true), 3, D(1, 2, -5, 10, -10, -5), 0);
    parts(mlxe_exp(c, z(1, D(1, 2))), 1, D(-1.131204, 2.471727), 1e-6);
    parts(mlxe_sign(c, z(2, D(3, -4, 0, 0))), 2, D(0.6, -0.8, 0, 0), 1e-6);
}
END_TEST

START_TEST(test_ends_of_ranges_are_exact)
{
    mlxc_array *x = own(spread(MLXC_FLOAT32, L(16, 2), 2, -10, 10, 3));
    double *p = values_of(x);
    for (int i = 0; i < 16; i++) {
        for (int n = 2; n < 12; n++) {
            mlxc_array *a = mlxe_linspace(c, p[2 * i], p[2 * i + 1], n,
                true, MLXC_FLOAT32);
            is(mlxe_slice(c, a, L(0), L(1), NULL, 1), 1, &p[2 * i]);
            is(mlxe_slice(c, a, L(n - 1), L(n), NULL, 1), 1,
                &p[2 * i + 1]);
        }
    }
    free(p);
    /* far along, a range has not drifted */
    mlxc_array *a = mlxe_arange(c, 0, 1e5, 0.1, MLXC_FLOAT32);
    shaped(a, 1, L(1000000));
    is(mlxe_slice(c, a, L(7), L(1000000), L(999992 / 2), 1), 3,
        D((double)0.7f, (double)50000.3f, (double)99999.9f));
    a = mlxe_arange(c, 0, 1000, 1, MLXC_BFLOAT16);
    is(mlxe_slice(c, a, L(256), L(1000), L(743), 1), 2, D(256, 1000));
    is(mlxe_arange(c, 0, 3, 0.5, MLXC_INT32), 6, D(0, 0, 1, 1, 2, 2));
}
END_TEST

START_TEST(test_erfinv_near_one)
{
    for (int n = 1; n <= 40; n += 13) {
        mlxc_array *a = mlxe_full(c, L(n), 1, mlxe_scalar(c,
            0.9999999403953552, MLXC_FLOAT32), MLXC_FLOAT32);
        for (int side = 0; side < 2; side++) {
            double *got = values_of(mlxe_erfinv(c, laid(a, _i)));
            for (int i = 0; i < n; i++)
                ck_assert(fabs(fabs(got[i]) - 3.8325066566467285) < 1e-6);
            free(got);
            a = mlxe_negative(c, a);
        }
    }
}
END_TEST

START_TEST(test_promotion_to_double)
{
    mlxc_array *a = laid(v(MLXC_FLOAT64, 2, D(4, 8)), _i);
    mlxc_array *s = mlxe_add(c, a, laid(v(MLXC_INT32, 2, D(4, 8)), _i));
    typed(s, MLXC_FLOAT64);
    is(s, 2, D(8, 16));
    typed(mlxe_add(c, a, v(MLXC_FLOAT16, 2, D(0, 0))), MLXC_FLOAT64);
    typed(mlxe_add(c, a, z(2, D(0, 0, 0, 0))), MLXC_COMPLEX64);
}
END_TEST

START_TEST(test_filled_alike)
{
    mlxc_array *a = laid(v(MLXC_INT16, 3, D(1, 2, 3)), _i), *out, *y;
    y = mlxe_full_like(c, a, mlxe_scalar(c, 7.5, MLXC_FLOAT32),
        MLXC_FLOAT16);
    is(y, 3, D(7.5, 7.5, 7.5));
    typed(y, MLXC_FLOAT16);
    y = mlxe_full_like(c, a, mlxe_scalar(c, 4, MLXC_FLOAT32), MLXC_INT16);
    is(y, 3, D(4, 4, 4));
    typed(y, MLXC_INT16);
    is(mlxe_full_like(c, a, mlxe_scalar(c, 3.25, MLXC_FLOAT32),
        MLXC_FLOAT32), 3, D(3.25, 3.25, 3.25));
    is(mlxe_full_like(c, a, v(MLXC_INT8, 3, D(3, 2, 1)), MLXC_FLOAT32), 3,
        D(3, 2, 1));
    is(mlxe_full_like(c, v(MLXC_FLOAT32, 2, D(1, 2)), mlxe_scalar(c, 2,
        MLXC_INT32), MLXC_FLOAT32), 2, D(2, 2));
    /* the result has the shape of the array, never that of the value */
    fails(mlxc_full_like(&out, a, mlxe_zeros(c, L(2, 3), 2, MLXC_INT8),
        MLXC_INT8, NULL), MLXC_ERR_SHAPE, "");
    typed(mlxe_zeros_like(c, a), MLXC_INT16);
    typed(mlxe_ones_like(c, a), MLXC_INT16);
    fails(mlxc_full(&out, L(2, -1), 2, a, MLXC_INT8, NULL), MLXC_ERR_SHAPE,
        "full");
    fails(mlxc_zeros(&out, L(-1), 1, MLXC_INT8, NULL), MLXC_ERR_SHAPE,
        "zeros");
    fails(mlxc_ones(&out, L(-1), 1, MLXC_INT8, NULL), MLXC_ERR_SHAPE,
        "ones");
}
END_TEST

START_TEST(test_rows_of_infinities)
{
    const double up = INFINITY;
    for (int t = 0; t < 4; t++) {
        mlxc_array *a = laid(m(floats[t], 3, 2, D(-up, -up, up, 0, up,
            up)), _i);
        is(mlxe_logsumexp(c, a, A(1), 1, false), 3, D(-up, up, up));
        near(mlxe_softmax(c, a, A(1), 1), 6, D(NAN, NAN, NAN, NAN, NAN,
            NAN), 0);
        a = laid(m(floats[t], 2, 2, D(-up, 0, NAN, 0)), _i);
        near(mlxe_softmax(c, a, A(1), 1), 4, D(0, 1, NAN, NAN), 0);
        is(mlxe_logsumexp(c, a, A(1), 1, false), 2, D(0, NAN));
        is(mlxe_argmin(c, a, 1, false), 2, D(0, 0));
    }
}
END_TEST

/* A shape of no dimensions may be NULL everywhere; so may lists of nothing. */
START_TEST(test_no_dimensions)
{
    mlxc_array *x = laid(v(MLXC_FLOAT32, 1, D(3)), _i), *out;
    mlxc_array *s = mlxe_reshape(c, x, NULL, 0);
    mlxc_arrays *none;
    shaped(s, 0, NULL);
    is(s, 1, D(3));
    is(mlxe_broadcast_to(c, s, NULL, 0), 1, D(3));
    is(mlxe_as_strided(c, x, NULL, NULL, 0, 0), 1, D(3));
    is(mlxe_slice(c, s, NULL, NULL, NULL, 0), 1, D(3));
    is(mlxe_slice_update(c, s, s, NULL, NULL, NULL, 0), 1, D(3));
    is(mlxe_transpose(c, s, NULL, 0), 1, D(3));
    is(mlxe_flip(c, s, NULL, 0), 1, D(3));
    is(mlxe_squeeze(c, s, NULL, 0), 1, D(3));
    is(mlxe_expand_dims(c, s, NULL, 0), 1, D(3));
    is(mlxe_pad(c, s, NULL, NULL, 0, MLXC_PAD_CONSTANT, NULL), 1, D(3));
    is(mlxe_tile(c, s, NULL, 0), 1, D(3));
    is(mlxe_roll(c, s, NULL, NULL, 0), 1, D(3));
    is(mlxe_dynamic_slice(c, s, mlxe_zeros(c, L(0), 1, MLXC_INT32), NULL, 0,
        NULL, 0), 1, D(3));
    is(mlxe_full(c, NULL, 0, s, MLXC_INT8), 1, D(3));
    is(mlxe_zeros(c, NULL, 0, MLXC_INT8), 1, D(0));
    is(mlxe_ones(c, NULL, 0, MLXC_INT8), 1, D(1));
    is(mlxe_sum(c, s, NULL, 0, true), 1, D(3));
    ok(mlxc_array_from_data(&out, D(3), NULL, 0, MLXC_FLOAT64));
    is(own(out), 1, D(3));
    ok(mlxc_arrays_from(&none, NULL, 0));
    ck_assert_int_eq(mlxc_arrays_size(none), 0);
    fails(mlxc_gather(&out, s, none, NULL, 0, NULL, 0, NULL),
        MLXC_ERR_ARGUMENT, "gather");
    mlxc_arrays_unref(none);
    fails(mlxc_concatenate(&out, NULL, 0, 0, NULL), MLXC_ERR_ARGUMENT, "");
    /* draws of one number */
    mlxc_array *key, *one = mlxe_scalar(c, 1, MLXC_FLOAT32);
    mlxc_array *zero = mlxe_scalar(c, 0, MLXC_FLOAT32);
    ok(mlxc_random_key(&key, 3));
    own(key);
    shaped(mlxe_random_bits(c, NULL, 0, 4, key), 0, NULL);
    shaped(mlxe_random_uniform(c, zero, one, NULL, 0, MLXC_FLOAT32, key), 0,
        NULL);
    shaped(mlxe_random_normal(c, NULL, 0, MLXC_FLOAT16, key), 0, NULL);
    shaped(mlxe_random_normal(c, NULL, 0, MLXC_COMPLEX64, key), 0, NULL);
    shaped(mlxe_random_truncated_normal(c, zero, one, NULL, 0, MLXC_FLOAT32,
        key), 0, NULL);
    shaped(mlxe_random_gumbel(c, NULL, 0, MLXC_FLOAT32, key), 0, NULL);
    shaped(mlxe_random_bernoulli(c, one, NULL, 0, key), 0, NULL);
    shaped(mlxe_random_randint(c, zero, one, NULL, 0, MLXC_INT8, key), 0,
        NULL);
    ok(mlxc_random_laplace(&out, NULL, NULL, NULL, 0, MLXC_FLOAT32, key,
        NULL));
    shaped(own(out), 0, NULL);
    ok(mlxc_random_multivariate_normal(&out, x, mlxe_reshape(c, x, L(1, 1),
        2), NULL, 0, MLXC_FLOAT32, key, NULL));
    shaped(own(out), 1, L(1));
}
END_TEST

/* Words of the generator by key, and bytes where there are many keys. */
static mlxc_array *draw(mlxc_array *const *x)
{
    return mlxe_random_bits(c, L(5), 1, 1, x[0]);
}

static mlxc_array *draw_wide(mlxc_array *const *x)
{
    return mlxe_random_bits(c, L(3), 1, 2, x[0]);
}

static mlxc_array *draw_one(mlxc_array *const *x)
{
    return mlxe_random_bits(c, NULL, 0, 1, x[0]);
}

START_TEST(test_random_words)
{
    static formula *const draws[] = { draw_one, draw, draw_wide };
    mlxc_array *key;
    ok(mlxc_random_key(&key, 7));
    is(mlxe_random_bits(c, L(4), 1, 4, own(key)), 4, D(0x399897a9,
        0x3af75d5d, 0x741fbe03, 0x3f1826cb));
    ok(mlxc_random_key(&key, 0));
    is(mlxe_random_bits(c, NULL, 0, 4, own(key)), 1, D(0x6b200159));
    is(mlxe_random_bits(c, L(2), 1, 4, key), 2, D(0x375f238f, 0xcddb151d));
    is(mlxe_random_bits(c, L(3), 1, 4, key), 3, D(0xf71f4ea9, 0x508efb2c,
        0xa20e4081));
    mlxc_array *keys = laid(mlxe_random_split(c, key, 33), _i);
    for (int i = 0; i < COUNT(draws); i++) {
        mlxc_array *all = mapped(draws[i], 1, &keys, A(0));
        for (int64_t k = 0; k < 33; k++) {
            mlxc_array *at = mlxe_scalar(c, (double)k, MLXC_INT32);
            mlxc_array *one = mlxe_take(c, keys, at, 0);
            same(mlxe_take(c, all, at, 0), draws[i](&one), 0);
        }
    }
    keys = mlxe_slice(c, keys, L(0, 0), L(0, 2), NULL, 2);
    shaped(mapped(draw, 1, &keys, A(0)), 2, L(0, 5));
    near(mapped(draw, 1, &keys, A(0)), 0, NULL, 0);
}
END_TEST

/* A small part of a large array may not keep all of it alive. */
START_TEST(test_small_part_of_a_large_array)
{
    mlxc_array *a, *part, *y;
    const int64_t n = 1 << 20;
    size_t before = mlxc_memory_active();
    ok(mlxc_ones(&a, &n, 1, MLXC_FLOAT32, NULL));
    ok(mlxc_slice(&part, a, L(5), L(15), NULL, 1, NULL));
    ok(mlxc_contiguous(&y, part, false, NULL));
    mlxc_array_unref(part);
    mlxc_array_unref(a);
    ok(mlxc_eval(&y, 1));
    near(own(y), 10, D(1, 1, 1, 1, 1, 1, 1, 1, 1, 1), 0);
    ck_assert_uint_lt(mlxc_memory_active() - before, 65536);
}
END_TEST

TCase *pitfalls_values(void)
{
    TCase *t = scoped("values");
    tcase_add_loop_test(t, test_larger_of_nan, 0, LAYOUTS);
    tcase_add_loop_test(t, test_extremes_meet_nan_anywhere, 0, LAYOUTS);
    tcase_add_loop_test(t, test_complex_extremes, 0, LAYOUTS);
    tcase_add_loop_test(t, test_equal_nan_of_parts, 0, LAYOUTS);
    tcase_add_loop_test(t, test_sums_of_narrow_integers, 0, LAYOUTS);
    tcase_add_loop_test(t, test_identities_of_scans, 0, LAYOUTS);
    tcase_add_loop_test(t, test_integer_powers_end, 0, LAYOUTS);
    tcase_add_loop_test(t, test_complex_logarithms, 0, LAYOUTS);
    tcase_add_test(t, test_ends_of_ranges_are_exact);
    tcase_add_loop_test(t, test_erfinv_near_one, 0, LAYOUTS);
    tcase_add_loop_test(t, test_promotion_to_double, 0, LAYOUTS);
    tcase_add_loop_test(t, test_filled_alike, 0, LAYOUTS);
    tcase_add_loop_test(t, test_rows_of_infinities, 0, LAYOUTS);
    tcase_add_loop_test(t, test_no_dimensions, 0, LAYOUTS);
    tcase_add_loop_test(t, test_random_words, 0, LAYOUTS);
    tcase_add_test(t, test_small_part_of_a_large_array);
    return t;
}
