/* SPDX-License-Identifier: MIT */
/* Inputs that broke others, and values by definition.  Breadth is the golden
   files' business, derivatives are tests/grad's. */
#include <math.h>
#include <string.h>

#include "support.h"

#include <mlxc/expr.h>

static mlxc_scope *c;

static void open_scope(void)
{
    ok(mlxc_scope_new(&c, NULL));
}

static void close_scope(void)
{
    mlxc_scope_free(c);
}

/* A vector in the scope. */
static mlxc_array *v(mlxc_dtype d, int n, const double *x)
{
    return mlxc_scope_take(c, MLXC_OK, vec(d, n, x));
}

static mlxc_array *m(mlxc_dtype d, int64_t rows, int64_t cols,
    const double *x)
{
    const int64_t shape[2] = { rows, cols };
    return mlxc_scope_take(c, MLXC_OK, make(d, shape, 2, x));
}

#define D(...) (const double[]){ __VA_ARGS__ }
#define L(...) (const int64_t[]){ __VA_ARGS__ }
#define A(...) (const int[]){ __VA_ARGS__ }

/* What the scope computed has these values. */
static void is(mlxc_array *a, int n, const double *want)
{
    ok(mlxc_scope_status(c));
    assert_values(a, n, want, 1e-6);
}

START_TEST(test_floored_division)
{
    static const mlxc_dtype types[] = { MLXC_FLOAT32, MLXC_FLOAT16,
        MLXC_BFLOAT16, MLXC_FLOAT64, MLXC_INT32, MLXC_INT8, MLXC_INT64 };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        mlxc_array *a = v(types[i], 4, D(-3, 3, 7, -7));
        mlxc_array *b = v(types[i], 4, D(8, -8, -2, 2));
        is(mlxe_remainder(c, a, b), 4, D(5, -5, -1, 1));
        is(mlxe_floor_divide(c, a, b), 4, D(-1, -1, -4, -4));
    }
    is(mlxe_floor_divide(c, v(MLXC_FLOAT32, 1, D(-7.5)),
        v(MLXC_FLOAT32, 1, D(2))), 1, D(-4));
    is(mlxe_remainder(c, v(MLXC_FLOAT32, 1, D(-7.5)),
        v(MLXC_FLOAT32, 1, D(2))), 1, D(0.5));
    is(mlxe_remainder(c, v(MLXC_FLOAT32, 1, D(-3)),
        v(MLXC_FLOAT32, 1, D(INFINITY))), 1, D(INFINITY));
}
END_TEST

START_TEST(test_negative_zero_is_false)
{
    double x[70];
    for (int i = 0; i < 70; i++)
        x[i] = -0.0;
    is(mlxe_any(c, v(MLXC_FLOAT32, 70, x), NULL, 0, false), 1, D(0));
    is(mlxe_all(c, v(MLXC_FLOAT16, 2, D(1, -0.0)), NULL, 0, false), 1, D(0));
}
END_TEST

START_TEST(test_complex_predicates)
{
    const mlxc_complex64 z[3] = { { 0, INFINITY }, { INFINITY, 0 },
        { 3, 4 } };
    const int64_t n = 3;
    mlxc_array *a = NULL;
    ok(mlxc_array_from_data(&a, z, &n, 1, MLXC_COMPLEX64));
    a = mlxc_scope_take(c, MLXC_OK, a);
    is(mlxe_isinf(c, a), 3, D(1, 1, 0));
    is(mlxe_isfinite(c, a), 3, D(0, 0, 1));
    is(mlxe_abs(c, a), 3, D(INFINITY, INFINITY, 5));
    const mlxc_complex64 w[2] = { { 1, 1 }, { 1, -1 } };
    const int64_t two = 2;
    ok(mlxc_array_from_data(&a, w, &two, 1, MLXC_COMPLEX64));
    a = mlxc_scope_take(c, MLXC_OK, a);
    mlxc_array *var = mlxe_var(c, a, NULL, 0, false, 0);
    is(var, 1, D(1));
    ck_assert_int_eq(mlxc_array_dtype(var), MLXC_FLOAT32);
    is(mlxe_std(c, a, NULL, 0, false, 0), 1, D(1));
}
END_TEST

START_TEST(test_nan_sticks)
{
    mlxc_array *a = v(MLXC_FLOAT32, 4, D(1, 3, NAN, 5));
    is(mlxe_cummax(c, a, 0, false, true), 4, D(1, 3, NAN, NAN));
    is(mlxe_cummax(c, a, 0, true, true), 4, D(NAN, NAN, NAN, 5));
    is(mlxe_cummax(c, a, 0, false, false), 4, D(-INFINITY, 1, 3, NAN));
    is(mlxe_max(c, a, NULL, 0, false), 1, D(NAN));
    is(mlxe_argmax(c, a, 0, false), 1, D(2));
    is(mlxe_maximum(c, a, v(MLXC_FLOAT32, 4, D(NAN, 0, 0, 0))), 4,
        D(NAN, 3, NAN, 5));
}
END_TEST

START_TEST(test_nan_to_num)
{
    const double x[3] = { INFINITY, NAN, -INFINITY };
    is(mlxe_nan_to_num(c, v(MLXC_FLOAT16, 3, x), 0, NAN, NAN), 3,
        D(65504, 0, -65504));
    const double b = 3.3895313892515355e38;
    is(mlxe_nan_to_num(c, v(MLXC_BFLOAT16, 3, x), 0, NAN, NAN), 3,
        D(b, 0, -b));
}
END_TEST

START_TEST(test_empty)
{
    mlxc_array *e = mlxe_zeros(c, L(0, 2), 2, MLXC_FLOAT32);
    mlxc_array *a = mlxe_max(c, e, A(-1), 1, false), *r;
    ok(mlxc_scope_status(c));
    assert_shape(a, 1, L(0));
    fails(mlxc_max(&r, e, A(0), 1, false, NULL), MLXC_ERR_SHAPE, "max");
    fails(mlxc_argmax(&r, e, 0, false, NULL), MLXC_ERR_SHAPE, "argmax");
    is(mlxe_sum(c, e, A(0), 1, false), 2, D(0, 0));
    is(mlxe_prod(c, e, NULL, 0, false), 1, D(1));
    for (int k = -2; k <= 2; k += 2) {
        a = mlxe_diag(c, mlxe_zeros(c, L(0), 1, MLXC_FLOAT32), k);
        ok(mlxc_scope_status(c));
        int64_t n = k < 0 ? -k : k;
        assert_shape(a, 2, L(n, n));
    }
    /* the inner length 0: beta * c alone */
    a = mlxe_addmm(c, mlxe_ones(c, L(2, 2), 2, MLXC_FLOAT32),
        mlxe_zeros(c, L(2, 0), 2, MLXC_FLOAT32), mlxe_zeros(c, L(0, 2), 2,
            MLXC_FLOAT32), 0.5, 2);
    is(a, 4, D(2, 2, 2, 2));
    is(mlxe_matmul(c, mlxe_zeros(c, L(2, 0), 2, MLXC_FLOAT32),
        mlxe_zeros(c, L(0, 1), 2, MLXC_FLOAT32)), 2, D(0, 0));
}
END_TEST

START_TEST(test_axes)
{
    mlxc_array *s, *r, *x = mlxe_zeros(c, L(2, 3, 4), 3, MLXC_FLOAT32);
    s = mlxe_scalar(c, 1, MLXC_FLOAT32);
    fails(mlxc_expand_dims(&r, s, A(-3, -2), 2, NULL), MLXC_ERR_INDEX,
        "expand_dims");
    ok(mlxc_expand_dims(&r, s, A(-2, -1), 2, NULL));
    assert_shape(r, 2, L(1, 1));
    mlxc_array_unref(r);
    fails(mlxc_take_along_axis(&r, x, mlxe_zeros(c, L(1, 1, 1), 3,
        MLXC_INT32), -4, NULL), MLXC_ERR_INDEX, "take_along_axis");
    fails(mlxc_sum(&r, x, A(1, -2), 2, false, NULL), MLXC_ERR_ARGUMENT,
        "repeated");
    fails(mlxc_transpose(&r, x, A(0, 1, 1), 3, NULL), MLXC_ERR_ARGUMENT,
        "repeated");
    fails(mlxc_add(&r, x, mlxe_zeros(c, L(2, 3, 5), 3, MLXC_FLOAT32), NULL),
        MLXC_ERR_SHAPE, "add: shapes (2,3,4) and (2,3,5) do not broadcast");
    fails(mlxc_reshape(&r, x, L(5, -1), 2, NULL), MLXC_ERR_SHAPE, "24");
    fails(mlxc_exp(&r, NULL, NULL), MLXC_ERR_ARGUMENT, "exp");
    fails(mlxc_bitwise_and(&r, x, x, NULL), MLXC_ERR_DTYPE, "float32");
    fails(mlxc_matmul(&r, x, mlxe_zeros(c, L(3, 3), 2, MLXC_FLOAT32), NULL),
        MLXC_ERR_SHAPE, "matmul");
    /* a size past 2^31, never evaluated */
    mlxc_array *big = mlxe_zeros(c, L(1 << 30, 2), 2, MLXC_FLOAT32);
    big = mlxe_flatten(c, big, 0, -1);
    ok(mlxc_scope_status(c));
    assert_shape(big, 1, L(2147483648));
}
END_TEST

START_TEST(test_round_half_to_even)
{
    mlxc_array *a = mlxe_round(c, v(MLXC_FLOAT32, 4, D(0.5, 1.5, 2.5, -0.5)),
        0);
    is(a, 4, D(0, 2, 2, -0.0));
    double *x = values_of(a);
    ck_assert(signbit(x[3]));
    free(x);
    is(mlxe_round(c, v(MLXC_INT32, 3, D(1234, 1250, 1350)), -2), 3,
        D(1200, 1200, 1400));
}
END_TEST

/* Views: the parent's strides must not leak. */
START_TEST(test_views)
{
    mlxc_array *x = mlxe_reshape(c, mlxe_arange(c, 0, 16, 1, MLXC_FLOAT32),
        L(4, 4), 2);
    mlxc_array *left = mlxe_slice(c, x, L(0, 0), L(4, 2), NULL, 2);
    is(mlxe_sum(c, mlxe_softmax(c, left, A(-1), 1), NULL, 0, false), 1,
        D(4));
    mlxc_array *row = mlxe_reshape(c, mlxe_arange(c, 1, 11, 1,
        MLXC_FLOAT32), L(1, 10), 2);
    row = mlxe_slice(c, row, L(0, 3), L(1, 10), NULL, 2);
    is(mlxe_cumsum(c, row, 0, false, true), 7, D(4, 5, 6, 7, 8, 9, 10));
    /* a column-major slice gathered */
    mlxc_array *two = m(MLXC_FLOAT32, 2, 1, D(1, 2));
    two = mlxe_expand_dims(c, two, A(2), 1);
    mlxc_array *zeros = v(MLXC_INT32, 3, D(0, 0, 0));
    mlxc_array *wide = mlxe_take(c, mlxe_take(c, two, zeros, 1), zeros, 2);
    ok(mlxc_scope_status(c));
    assert_shape(wide, 3, L(2, 3, 3));
    is(wide, 18, D(1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2));
    /* reversed, then a row of it */
    mlxc_array *back = mlxe_flip(c, x, NULL, 0);
    is(mlxe_slice(c, back, L(3, 0), L(4, 4), NULL, 2), 4, D(3, 2, 1, 0));
    is(mlxe_take(c, mlxe_flip(c, v(MLXC_FLOAT32, 3, D(1, 2, 3)), NULL, 0),
        v(MLXC_INT32, 4, D(0, 1, 2, -1)), 0), 4, D(3, 2, 1, 1));
    is(mlxe_slice(c, v(MLXC_INT32, 10, D(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)),
        L(5), L(-11), L(-2), 1), 3, D(5, 3, 1));
}
END_TEST

START_TEST(test_indexing)
{
    mlxc_array *r, *x = m(MLXC_FLOAT32, 3, 2, D(1, 2, 3, 4, 5, 6));
    is(mlxe_take(c, x, v(MLXC_INT64, 2, D(-1, 0)), 0), 4, D(5, 6, 1, 2));
    is(mlxe_take_along_axis(c, x, m(MLXC_UINT8, 3, 1, D(1, 0, 1)), 1), 3,
        D(2, 3, 6));
    is(mlxe_put_add(c, v(MLXC_FLOAT32, 3, D(0, 0, 0)), v(MLXC_INT32, 4,
        D(1, 1, 2, 1)), v(MLXC_FLOAT32, 4, D(1, 2, 3, 4)), 0), 3,
        D(0, 7, 3));
    is(mlxe_put_along_axis(c, v(MLXC_FLOAT32, 3, D(0, 0, 0)), v(MLXC_INT32,
        3, D(1, 1, 2)), v(MLXC_FLOAT32, 3, D(1, 2, 3)), 0), 3, D(0, 2, 3));
    ok(mlxc_take(&r, x, v(MLXC_INT32, 1, D(3)), 0, NULL));
    fails(mlxc_eval(&r, 1), MLXC_ERR_INDEX, "index 3 is out of range");
    mlxc_array_unref(r);
    ok(mlxc_put_add(&r, x, m(MLXC_INT32, 1, 2, D(-4, 0)), m(MLXC_FLOAT32, 1,
        2, D(1, 1)), 0, NULL));
    fails(mlxc_eval(&r, 1), MLXC_ERR_INDEX, "-4");
    mlxc_array_unref(r);
    is(x, 6, D(1, 2, 3, 4, 5, 6)); /* a failed update wrote nothing here */
    is(mlxe_pad(c, v(MLXC_INT32, 3, D(0, 1, 2)), L(2), L(7), 1,
        MLXC_PAD_REFLECT, NULL), 12, D(2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1));
    is(mlxe_pad(c, v(MLXC_INT32, 3, D(0, 1, 2)), L(2), L(7), 1,
        MLXC_PAD_SYMMETRIC, NULL), 12,
        D(1, 0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2));
    is(mlxe_slice_update(c, v(MLXC_FLOAT32, 4, D(1, 2, 3, 4)),
        mlxe_scalar(c, 9, MLXC_FLOAT32), L(3), L(-5), L(-2), 1), 4,
        D(1, 9, 3, 9));
}
END_TEST

START_TEST(test_random_vectors)
{
    mlxc_array *k = NULL, *r = NULL;
    ok(mlxc_random_key(&k, 0x123456789abcdef0));
    k = mlxc_scope_take(c, MLXC_OK, k);
    is(k, 2, D(305419896, 2596069104));
    ok(mlxc_random_key(&k, 0));
    k = mlxc_scope_take(c, MLXC_OK, k);
    ok(mlxc_random_bits(&r, L(4), 1, 4, k, NULL));
    is(mlxc_scope_take(c, MLXC_OK, r), 4,
        D(4146024105, 967050713, 2718843009, 1272950319));
    ok(mlxc_random_bits(&r, L(7), 1, 2, k, NULL));
    is(mlxc_scope_take(c, MLXC_OK, r), 7,
        D(20137, 63263, 1497, 14756, 16513, 41486, 44591));
    ok(mlxc_random_bits(&r, L(5), 1, 1, k, NULL));
    is(mlxc_scope_take(c, MLXC_OK, r), 5, D(143, 35, 95, 55, 29));
    ok(mlxc_random_split(&r, k, 3, NULL));
    is(mlxc_scope_take(c, MLXC_OK, r), 6, D(2467461003, 428148500,
        3186719485, 3840466878, 2562233961, 1946702221));
    ok(mlxc_random_seed(42));
    mlxc_array *zero = mlxe_scalar(c, 0, MLXC_FLOAT32);
    mlxc_array *one = mlxe_scalar(c, 1, MLXC_FLOAT32);
    is(mlxe_random_uniform(c, zero, one, L(2), 1, MLXC_FLOAT32, NULL), 2,
        D(0.955981255, 0.403272569));
    is(mlxe_random_normal(c, L(2), 1, MLXC_FLOAT32, NULL), 2,
        D(0.0931403711, -1.25853765));
    mlxc_array *u = mlxe_random_uniform(c, zero, one, L(1000), 1,
        MLXC_FLOAT64, k);
    is(mlxe_all(c, mlxe_logical_and(c, mlxe_less(c, u, one),
        mlxe_greater_equal(c, u, zero)), NULL, 0, false), 1, D(1));
    fails(mlxc_random_bits(&r, L(2), 1, 3, k, NULL), MLXC_ERR_ARGUMENT, "3");
    fails(mlxc_random_split(&r, one, 2, NULL), MLXC_ERR_ARGUMENT, "key");
}
END_TEST

/* Products by definition, over layouts and dtypes. */
START_TEST(test_matmul)
{
    static const mlxc_dtype types[] = { MLXC_FLOAT32, MLXC_FLOAT64,
        MLXC_FLOAT16, MLXC_BFLOAT16, MLXC_INT32, MLXC_UINT8,
        MLXC_COMPLEX64 };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        mlxc_array *a = m(types[i], 2, 3, D(1, 2, 3, 4, 5, 6));
        mlxc_array *b = m(types[i], 3, 2, D(1, 0, 2, 1, 0, 3));
        is(mlxe_matmul(c, a, b), 4, D(5, 11, 14, 23));
        mlxc_array *at = mlxe_transpose(c, a, NULL, 0);
        mlxc_array *bt = mlxe_transpose(c, b, NULL, 0);
        is(mlxe_matmul(c, bt, at), 4, D(5, 14, 11, 23));
        mlxc_array *flipped = mlxe_flip(c, a, A(1), 1);
        is(mlxe_matmul(c, flipped, b), 4, D(7, 5, 16, 17));
    }
    mlxc_array *x = mlxe_ones(c, L(2, 1, 3, 4), 4, MLXC_FLOAT32);
    mlxc_array *y = mlxe_ones(c, L(5, 4, 2), 3, MLXC_FLOAT32);
    mlxc_array *z = mlxe_matmul(c, x, y);
    ok(mlxc_scope_status(c));
    assert_shape(z, 4, L(2, 5, 3, 2));
    is(mlxe_min(c, z, NULL, 0, false), 1, D(4));
    is(mlxe_matmul(c, v(MLXC_FLOAT32, 2, D(1, 2)), m(MLXC_FLOAT32, 2, 2,
        D(1, 2, 3, 4))), 2, D(7, 10));
    /* with beta 0 the third operand is not read */
    is(mlxe_addmm(c, v(MLXC_FLOAT32, 1, D(NAN)), m(MLXC_FLOAT32, 1, 1,
        D(2)), m(MLXC_FLOAT32, 1, 1, D(3)), 1, 0), 1, D(6));
}
END_TEST

START_TEST(test_bool_arithmetic)
{
    mlxc_array *a = v(MLXC_BOOL, 4, D(0, 0, 1, 1));
    mlxc_array *b = v(MLXC_BOOL, 4, D(0, 1, 0, 1));
    is(mlxe_add(c, a, b), 4, D(0, 1, 1, 1));
    is(mlxe_subtract(c, a, b), 4, D(0, 1, 1, 0));
    is(mlxe_multiply(c, a, b), 4, D(0, 0, 0, 1));
    is(mlxe_power(c, a, b), 4, D(1, 0, 1, 1));
    is(mlxe_sum(c, a, NULL, 0, false), 1, D(2));
    is(mlxe_power(c, v(MLXC_INT32, 3, D(2, -3, 2)), v(MLXC_INT32, 3,
        D(10, 3, -1))), 3, D(1024, -27, 0));
    is(mlxe_left_shift(c, v(MLXC_INT8, 2, D(1, 1)), v(MLXC_INT8, 2,
        D(3, 8))), 2, D(8, 0));
    is(mlxe_right_shift(c, v(MLXC_INT8, 2, D(-8, -8)), v(MLXC_INT8, 2,
        D(1, 9))), 2, D(-4, -1));
}
END_TEST

START_TEST(test_windows_and_grids)
{
    is(mlxe_hanning(c, 5), 5, D(0, 0.5, 1, 0.5, 0));
    is(mlxe_bartlett(c, 5), 5, D(0, 0.5, 1, 0.5, 0));
    is(mlxe_hamming(c, 3), 3, D(0.08, 1, 0.08));
    is(mlxe_blackman(c, 3), 3, D(0, 1, 0));
    is(mlxe_linspace(c, 0, 10, 5, true, MLXC_INT32), 5, D(0, 2, 5, 7, 10));
    is(mlxe_eye(c, 2, 3, 1, MLXC_INT32), 6, D(0, 1, 0, 0, 0, 1));
    is(mlxe_arange(c, 0, 1, 0.25, MLXC_FLOAT32), 4, D(0, 0.25, 0.5, 0.75));
    is(mlxe_diagonal(c, m(MLXC_INT32, 2, 3, D(1, 2, 3, 4, 5, 6)), 1, 0, 1),
        2, D(2, 6));
    mlxc_array *bad;
    fails(mlxc_arange(&bad, 0, 1, 0, MLXC_FLOAT32, NULL), MLXC_ERR_ARGUMENT,
        "arange");
    fails(mlxc_as_strided(&bad, v(MLXC_INT32, 3, D(1, 2, 3)), L(2, 2),
        L(2, 1), 2, 0, NULL), MLXC_ERR_INDEX, "as_strided");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ops");
    TCase *t = tcase_create("ops");
    tcase_set_timeout(t, 60);
    tcase_add_checked_fixture(t, open_scope, close_scope);
    tcase_add_test(t, test_floored_division);
    tcase_add_test(t, test_negative_zero_is_false);
    tcase_add_test(t, test_complex_predicates);
    tcase_add_test(t, test_nan_sticks);
    tcase_add_test(t, test_nan_to_num);
    tcase_add_test(t, test_empty);
    tcase_add_test(t, test_axes);
    tcase_add_test(t, test_round_half_to_even);
    tcase_add_test(t, test_views);
    tcase_add_test(t, test_indexing);
    tcase_add_test(t, test_random_vectors);
    tcase_add_test(t, test_matmul);
    tcase_add_test(t, test_bool_arithmetic);
    tcase_add_test(t, test_windows_and_grids);
    suite_add_tcase(s, t);
    return run_suite(s);
}
