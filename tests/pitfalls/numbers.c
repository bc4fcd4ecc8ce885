/* SPDX-License-Identifier: MIT */
/* Element-wise maps, reductions and creation at the inputs that broke others:
   signs, NaN, zeros, limits, nothing at all. */
#include "pitfalls.h"

static const mlxc_dtype floats[] = { MLXC_FLOAT16, MLXC_BFLOAT16,
    MLXC_FLOAT32, MLXC_FLOAT64 };
static const mlxc_dtype integers[] = { MLXC_INT8, MLXC_INT16, MLXC_INT32,
    MLXC_INT64 };

/* Quotient and remainder of a by b, and that q * b + r gives a again. */
static void divides(mlxc_dtype d, int layout, int n, const double *a,
    const double *b, const double *q, const double *r)
{
    mlxc_array *x = laid(v(d, n, a), layout), *y = laid(v(d, n, b), layout);
    mlxc_array *quotient, *rest;
    ok(mlxc_divmod(&quotient, &rest, x, y, NULL));
    own(quotient);
    own(rest);
    near(quotient, n, q, 0);
    near(rest, n, r, 0);
    typed(quotient, d);
    typed(rest, d);
    near(mlxe_floor_divide(c, x, y), n, q, 0);
    near(mlxe_remainder(c, x, y), n, r, 0);
    near(mlxe_add(c, mlxe_multiply(c, quotient, y), rest), n, a, 0);
}

START_TEST(test_division_floors)
{
    for (int i = 0; i < COUNT(floats); i++)
        divides(floats[i], _i, 8, D(-7.5, 7.5, -7.5, 7.5, -3, 3, -7, 6),
            D(2, -2, -2, 2, 8, -8, 3, 3), D(-4, -4, 3, 3, -1, -1, -3, 2),
            D(0.5, -0.5, -1.5, 1.5, 5, -5, 2, 0));
    for (int i = 0; i < COUNT(integers); i++)
        divides(integers[i], _i, 8, D(7, -7, -7, 7, -3, 3, -6, -128),
            D(-2, 2, -2, 2, 8, -8, 3, 3), D(-4, -4, 3, 3, -1, -1, -2, -43),
            D(-1, 1, -1, 1, 5, -5, 0, 1));
    divides(MLXC_UINT8, _i, 3, D(7, 255, 0), D(2, 16, 3), D(3, 15, 0),
        D(1, 15, 0));
}
END_TEST

START_TEST(test_remainder_takes_the_sign_of_the_divisor)
{
    for (int i = 0; i < COUNT(floats); i++) {
        mlxc_array *a = laid(v(floats[i], 6, D(-3, 3, -3, 3, -7.5, 7.5)),
            _i);
        mlxc_array *b = laid(v(floats[i], 6, D(8, -8, INFINITY, -INFINITY,
            2, -2)), _i);
        is(mlxe_remainder(c, a, b), 6, D(5, -5, INFINITY, -INFINITY, 0.5,
            -0.5));
        is(mlxe_remainder(c, a, mlxe_scalar(c, 0, floats[i])), 6, D(NAN,
            NAN, NAN, NAN, NAN, NAN));
    }
}
END_TEST

START_TEST(test_zero_of_either_sign_is_false)
{
    static const int lengths[] = { 1, 7, 64, 70, 129, 1000 };
    static const mlxc_dtype types[] = { MLXC_FLOAT16, MLXC_BFLOAT16,
        MLXC_FLOAT32, MLXC_FLOAT64, MLXC_COMPLEX64 };
    double x[1000];
    for (int i = 0; i < 1000; i++)
        x[i] = -0.0;
    for (int i = 0; i < COUNT(types); i++) {
        for (int k = 0; k < COUNT(lengths); k++) {
            int n = lengths[k];
            mlxc_array *a = laid(v(types[i], n, x), _i);
            if (types[i] == MLXC_COMPLEX64)
                a = mlxe_conjugate(c, a);
            is(mlxe_any(c, a, NULL, 0, false), 1, D(0));
            is(mlxe_all(c, a, NULL, 0, false), 1, D(0));
            is(mlxe_count_nonzero(c, a, NULL, 0, false), 1, D(0));
            x[n - 1] = 1;
            a = laid(v(types[i], n, x), _i);
            is(mlxe_any(c, a, NULL, 0, false), 1, D(1));
            is(mlxe_all(c, a, NULL, 0, false), 1, D(n == 1));
            x[n - 1] = -0.0;
        }
        is(mlxe_all(c, laid(v(types[i], 2, D(1, -0.0)), _i), NULL, 0,
            false), 1, D(0));
        is(mlxe_astype(c, v(types[i], 2, D(-0.0, NAN)), MLXC_BOOL), 2,
            D(0, 1));
        is(mlxe_any(c, v(types[i], 1, D(NAN)), NULL, 0, false), 1, D(1));
    }
    is(mlxe_any(c, laid(z(2, D(0, 1, 0, 1)), _i), NULL, 0, false), 1, D(1));
    is(mlxe_all(c, laid(z(2, D(0, 1, 0, 1)), _i), NULL, 0, false), 1, D(1));
    is(mlxe_any(c, v(MLXC_FLOAT32, 1, D(1e-45)), NULL, 0, false), 1, D(1));
    is(mlxe_any(c, v(MLXC_FLOAT64, 1, D(5e-324)), NULL, 0, false), 1, D(1));
}
END_TEST

START_TEST(test_complex_infinity_in_either_part)
{
    mlxc_array *a = laid(z(5, D(0, INFINITY, INFINITY, 0, 3, 4, NAN, 1, 1,
        -INFINITY)), _i);
    is(mlxe_isinf(c, a), 5, D(1, 1, 0, 0, 1));
    is(mlxe_isfinite(c, a), 5, D(0, 0, 1, 0, 0));
    is(mlxe_isnan(c, a), 5, D(0, 0, 0, 1, 0));
}
END_TEST

START_TEST(test_running_extremes_keep_nan)
{
    const double up = INFINITY;
    for (int i = 0; i < COUNT(floats); i++) {
        mlxc_array *a = laid(v(floats[i], 4, D(1, 3, NAN, 5)), _i);
        is(mlxe_cummax(c, a, 0, false, true), 4, D(1, 3, NAN, NAN));
        is(mlxe_cummax(c, a, 0, true, true), 4, D(NAN, NAN, NAN, 5));
        is(mlxe_cummax(c, a, 0, false, false), 4, D(-up, 1, 3, NAN));
        is(mlxe_cummax(c, a, 0, true, false), 4, D(NAN, NAN, 5, -up));
        is(mlxe_cummin(c, a, 0, false, true), 4, D(1, 1, NAN, NAN));
        is(mlxe_cummin(c, a, 0, true, true), 4, D(NAN, NAN, NAN, 5));
        is(mlxe_cummin(c, a, 0, false, false), 4, D(up, 1, 1, NAN));
        is(mlxe_cummin(c, a, 0, true, false), 4, D(NAN, NAN, 5, up));
        is(mlxe_logcumsumexp(c, laid(v(floats[i], 3, D(-up, NAN, 0)), _i),
            0, false, true), 3, D(-up, NAN, NAN));
    }
    is(mlxe_isnan(c, mlxe_cummax(c, laid(z(3, D(1, 1, 0, NAN, 9, 9)), _i),
        0, false, true)), 3, D(0, 1, 1));
}
END_TEST

START_TEST(test_median_of_nan)
{
    for (int i = 0; i < COUNT(floats); i++) {
        is(mlxe_median(c, laid(v(floats[i], 3, D(1, NAN, 0)), _i), NULL, 0,
            false), 1, D(NAN));
        mlxc_array *a = laid(m(floats[i], 2, 3, D(1, NAN, 3, 4, 5, 6)), _i);
        is(mlxe_median(c, a, A(1), 1, false), 2, D(NAN, 5));
        is(mlxe_median(c, a, A(0), 1, false), 3, D(2.5, NAN, 4.5));
        is(mlxe_median(c, laid(v(floats[i], 2, D(INFINITY, 1)), _i), NULL,
            0, false), 1, D(INFINITY));
    }
}
END_TEST

START_TEST(test_limits_in_place_of_infinity)
{
    static const struct { mlxc_dtype d; double big; } types[] = {
        { MLXC_FLOAT16, 65504 }, { MLXC_BFLOAT16, 0x1.FEp127 },
        { MLXC_FLOAT32, 0x1.FFFFFEp127 },
        { MLXC_FLOAT64, 0x1.FFFFFFFFFFFFFp1023 },
    };
    for (int i = 0; i < COUNT(types); i++) {
        mlxc_array *a = laid(v(types[i].d, 4, D(INFINITY, NAN, -INFINITY,
            1.5)), _i);
        double big = types[i].big;
        is(mlxe_nan_to_num(c, a, 0, NAN, NAN), 4, D(big, 0, -big, 1.5));
        is(mlxe_nan_to_num(c, a, -1, 7, -8), 4, D(7, -1, -8, 1.5));
        typed(mlxe_nan_to_num(c, a, 0, NAN, NAN), types[i].d);
    }
}
END_TEST

START_TEST(test_variance_of_complex_is_real)
{
    mlxc_array *a = laid(z(2, D(1, 1, 1, -1)), _i);
    mlxc_array *var = mlxe_var(c, a, NULL, 0, false, 0);
    is(var, 1, D(1));
    typed(var, MLXC_FLOAT32);
    mlxc_array *std = mlxe_std(c, a, NULL, 0, false, 0);
    is(std, 1, D(1));
    typed(std, MLXC_FLOAT32);
    is(mlxe_var(c, a, NULL, 0, false, 1), 1, D(2));
    is(mlxe_var(c, a, NULL, 0, false, 2), 1, D(INFINITY));
}
END_TEST

START_TEST(test_extremes_of_nothing)
{
    mlxc_array *e = mlxe_zeros(c, L(0, 2), 2, MLXC_FLOAT32), *out;
    shaped(mlxe_max(c, e, A(-1), 1, false), 1, L(0));
    shaped(mlxe_min(c, e, A(1), 1, true), 2, L(0, 1));
    fails(mlxc_max(&out, e, A(0), 1, false, NULL), MLXC_ERR_SHAPE, "max");
    fails(mlxc_min(&out, e, A(0, 1), 2, false, NULL), MLXC_ERR_SHAPE,
        "min");
    fails(mlxc_max(&out, e, NULL, 0, false, NULL), MLXC_ERR_SHAPE, "max");
    fails(mlxc_argmin(&out, e, 0, false, NULL), MLXC_ERR_SHAPE, "argmin");
    shaped(mlxe_argmax(c, e, 1, false), 1, L(0));
    is(mlxe_any(c, e, NULL, 0, false), 1, D(0));
    is(mlxe_all(c, e, A(0), 1, false), 2, D(1, 1));
    is(mlxe_mean(c, e, A(0), 1, false), 2, D(NAN, NAN));
}
END_TEST

START_TEST(test_diagonal_of_nothing)
{
    mlxc_array *e = mlxe_zeros(c, L(0), 1, MLXC_FLOAT32);
    for (int k = -2; k <= 2; k++) {
        mlxc_array *a = mlxe_diag(c, e, k);
        int64_t n = k < 0 ? -k : k;
        shaped(a, 2, L(n, n));
        is(a, (int)(n * n), D(0, 0, 0, 0));
        /* and back: the diagonal of nothing */
        shaped(mlxe_diag(c, mlxe_zeros(c, L(0, 3), 2, MLXC_INT8), k), 1,
            L(0));
    }
}
END_TEST

START_TEST(test_repeating_no_times)
{
    mlxc_array *a = laid(count(MLXC_INT16, L(3, 4), 2), _i);
    shaped(mlxe_repeat(c, a, 0, 0), 2, L(0, 4));
    shaped(mlxe_repeat(c, a, 0, 1), 2, L(3, 0));
    shaped(mlxe_tile(c, a, L(0), 1), 2, L(3, 0));
    shaped(mlxe_tile(c, a, L(0, 1, 2), 3), 3, L(0, 3, 8));
    typed(mlxe_repeat(c, a, 0, 1), MLXC_INT16);
    near(mlxe_repeat(c, a, 0, 0), 0, NULL, 0);
}
END_TEST

START_TEST(test_extreme_shifts_and_lengths)
{
    mlxc_array *a = laid(v(MLXC_INT32, 4, D(1, 2, 3, 4)), _i), *out;
    is(mlxe_roll(c, a, L(INT32_MIN), NULL, 1), 4, D(1, 2, 3, 4));
    is(mlxe_roll(c, a, L(INT32_MIN), A(0), 1), 4, D(1, 2, 3, 4));
    is(mlxe_roll(c, a, L(INT64_MIN), A(0), 1), 4, D(1, 2, 3, 4));
    is(mlxe_roll(c, a, L(INT64_MIN + 1), NULL, 1), 4, D(4, 1, 2, 3));
    is(mlxe_roll(c, a, L(INT64_MAX), NULL, 1), 4, D(2, 3, 4, 1));
    is(mlxe_roll(c, a, L(INT64_MAX, INT64_MAX), A(0, 0), 2), 4,
        D(3, 4, 1, 2));
    is(mlxe_roll(c, a, L(INT64_MAX, INT64_MAX), NULL, 2), 4,
        D(3, 4, 1, 2));
    mlxc_array *two = mlxe_zeros(c, L(2), 1, MLXC_FLOAT32);
    shaped(mlxe_tile(c, two, L(INT32_MAX), 1), 1, L(2LL * INT32_MAX));
    shaped(mlxe_repeat(c, two, INT32_MAX, 0), 1, L(2LL * INT32_MAX));
    fails(mlxc_tile(&out, two, L(INT64_MAX), 1, NULL), MLXC_ERR_SHAPE, "");
    fails(mlxc_repeat(&out, two, INT64_MAX, 0, NULL), MLXC_ERR_SHAPE, "");
    fails(mlxc_pad(&out, two, L(INT64_MAX), L(INT64_MAX), 1,
        MLXC_PAD_CONSTANT, NULL, NULL), MLXC_ERR_SHAPE, "");
    fails(mlxc_diag(&out, two, INT64_MAX, NULL), MLXC_ERR_SHAPE, "");
    fails(mlxc_diag(&out, two, INT64_MIN, NULL), MLXC_ERR_SHAPE, "");
    is(mlxe_diff(c, a, INT64_MAX, 0), 0, NULL);
    is(mlxe_eye(c, 2, 2, INT64_MIN, MLXC_INT8), 4, D(0, 0, 0, 0));
    is(mlxe_tri(c, 2, 2, INT64_MAX, MLXC_INT8), 4, D(1, 1, 1, 1));
    is(mlxe_tril(c, m(MLXC_INT8, 2, 2, D(1, 2, 3, 4)), INT64_MIN), 4,
        D(0, 0, 0, 0));
    is(mlxe_triu(c, m(MLXC_INT8, 2, 2, D(1, 2, 3, 4)), INT64_MIN), 4,
        D(1, 2, 3, 4));
    shaped(mlxe_diagonal(c, m(MLXC_INT8, 2, 2, D(1, 2, 3, 4)), INT64_MIN,
        0, 1), 1, L(0));
    shaped(mlxe_diagonal(c, m(MLXC_INT8, 2, 2, D(1, 2, 3, 4)), INT64_MAX,
        0, 1), 1, L(0));
}
END_TEST

START_TEST(test_sizes_past_32_bits)
{
    mlxc_array *a = mlxe_zeros(c, L(1 << 30, 2), 2, MLXC_UINT8), *out;
    shaped(mlxe_flatten(c, a, 0, -1), 1, L(1LL << 31));
    shaped(mlxe_reshape(c, a, L(-1, 1), 2), 2, L(1LL << 31, 1));
    shaped(mlxe_concatenate(c, (mlxc_array *const[]){ a, a, a, a }, 4, 0),
        2, L(1LL << 32, 2));
    fails(mlxc_zeros(&out, L(1LL << 62, 4), 2, MLXC_UINT8, NULL),
        MLXC_ERR_SHAPE, "");
    fails(mlxc_zeros(&out, L(1LL << 61), 1, MLXC_FLOAT64, NULL),
        MLXC_ERR_SHAPE, "");
    fails(mlxc_broadcast_to(&out, a, L(1LL << 40, 1 << 30, 2), 3, NULL),
        MLXC_ERR_SHAPE, "");
    fails(mlxc_arange(&out, 0, 1e19, 1, MLXC_UINT8, NULL), MLXC_ERR_SHAPE,
        "");
    fails(mlxc_outer(&out, a, mlxe_zeros(c, L(1LL << 33), 1, MLXC_UINT8),
        NULL), MLXC_ERR_SHAPE, "");
}
END_TEST

START_TEST(test_axes_below_the_first)
{
    mlxc_array *s = mlxe_scalar(c, 1, MLXC_FLOAT32), *out;
    mlxc_array *a = count(MLXC_FLOAT32, L(2, 3, 4), 3);
    mlxc_array *at = mlxe_zeros(c, L(2, 3, 4), 3, MLXC_INT32);
    fails(mlxc_expand_dims(&out, s, A(-3, -2), 2, NULL), MLXC_ERR_INDEX,
        "expand_dims");
    shaped(mlxe_expand_dims(c, s, A(-2, -1), 2), 2, L(1, 1));
    for (int k = 0; k < 2; k++) {
        int axis = k ? 3 : -4;
        mlxc_arrays *many;
        fails(mlxc_take_along_axis(&out, a, at, axis, NULL),
            MLXC_ERR_INDEX, "take_along_axis");
        fails(mlxc_put_along_axis(&out, a, at, s, axis, NULL),
            MLXC_ERR_INDEX, "put_along_axis");
        fails(mlxc_sum(&out, a, &axis, 1, false, NULL), MLXC_ERR_INDEX,
            "sum");
        fails(mlxc_median(&out, a, &axis, 1, false, NULL), MLXC_ERR_INDEX,
            "median");
        fails(mlxc_argmax(&out, a, axis, false, NULL), MLXC_ERR_INDEX,
            "argmax");
        fails(mlxc_cumsum(&out, a, axis, false, true, NULL),
            MLXC_ERR_INDEX, "cumsum");
        fails(mlxc_sort(&out, a, axis, NULL), MLXC_ERR_INDEX, "sort");
        fails(mlxc_partition(&out, a, 0, axis, NULL), MLXC_ERR_INDEX,
            "partition");
        fails(mlxc_topk(&out, a, 0, axis, NULL), MLXC_ERR_INDEX, "topk");
        fails(mlxc_diff(&out, a, 1, axis, NULL), MLXC_ERR_INDEX, "diff");
        fails(mlxc_take(&out, a, at, axis, NULL), MLXC_ERR_INDEX, "take");
        fails(mlxc_repeat(&out, a, 2, axis, NULL), MLXC_ERR_INDEX,
            "repeat");
        fails(mlxc_roll(&out, a, L(1), &axis, 1, NULL), MLXC_ERR_INDEX,
            "roll");
        fails(mlxc_flip(&out, a, &axis, 1, NULL), MLXC_ERR_INDEX, "flip");
        fails(mlxc_squeeze(&out, a, &axis, 1, NULL), MLXC_ERR_INDEX,
            "squeeze");
        fails(mlxc_moveaxis(&out, a, 0, axis, NULL), MLXC_ERR_INDEX,
            "moveaxis");
        fails(mlxc_swapaxes(&out, a, axis, 0, NULL), MLXC_ERR_INDEX,
            "swapaxes");
        fails(mlxc_transpose(&out, a, A(0, 1, axis), 3, NULL),
            MLXC_ERR_INDEX, "transpose");
        fails(mlxc_diagonal(&out, a, 0, 0, axis, NULL), MLXC_ERR_INDEX,
            "diagonal");
        fails(mlxc_trace(&out, a, 0, axis, 0, NULL), MLXC_ERR_INDEX,
            "trace");
        fails(mlxc_concatenate(&out, &a, 1, axis, NULL), MLXC_ERR_INDEX,
            "concatenate");
        fails(mlxc_vecdot(&out, a, a, axis, NULL), MLXC_ERR_INDEX,
            "vecdot");
        fails(mlxc_unflatten(&out, a, axis, L(-1), 1, NULL),
            MLXC_ERR_INDEX, "unflatten");
        fails(mlxc_unstack(&many, a, axis, NULL), MLXC_ERR_INDEX,
            "unstack");
        fails(mlxc_split_equal(&many, a, 1, axis, NULL), MLXC_ERR_INDEX,
            "split");
        fails(mlxc_softmax(&out, a, &axis, 1, NULL), MLXC_ERR_INDEX,
            "softmax");
        fails(mlxc_random_shuffle(&out, a, axis, NULL, NULL),
            MLXC_ERR_INDEX, "shuffle");
        fails(mlxc_random_categorical(&out, a, axis, 0, NULL, NULL),
            MLXC_ERR_INDEX, "categorical");
        fails(mlxc_stack(&out, &a, 1, k ? 4 : -5, NULL), MLXC_ERR_INDEX,
            "stack");
        fails(mlxc_tensordot(&out, a, a, &axis, A(0), 1, NULL),
            MLXC_ERR_INDEX, "tensordot");
    }
}
END_TEST

START_TEST(test_halves_round_to_even)
{
    for (int i = 0; i < COUNT(floats); i++) {
        mlxc_array *a = laid(v(floats[i], 6, D(0.5, 1.5, 2.5, -0.5, -1.5,
            -0.25)), _i);
        is(mlxe_round(c, a, 0), 6, D(0, 2, 2, -0.0, -2, -0.0));
        is(mlxe_rint(c, a), 6, D(0, 2, 2, -0.0, -2, -0.0));
    }
    parts(mlxe_round(c, laid(z(2, D(0.5, 1.5, -2.5, 3.5)), _i), 0), 2,
        D(0, 2, -2, 4), 0);
}
END_TEST

TCase *pitfalls_numbers(void)
{
    TCase *t = scoped("numbers");
    tcase_add_loop_test(t, test_division_floors, 0, LAYOUTS);
    tcase_add_loop_test(t, test_remainder_takes_the_sign_of_the_divisor, 0,
        LAYOUTS);
    tcase_add_loop_test(t, test_zero_of_either_sign_is_false, 0, LAYOUTS);
    tcase_add_loop_test(t, test_complex_infinity_in_either_part, 0,
        LAYOUTS);
    tcase_add_loop_test(t, test_running_extremes_keep_nan, 0, LAYOUTS);
    tcase_add_loop_test(t, test_median_of_nan, 0, LAYOUTS);
    tcase_add_loop_test(t, test_limits_in_place_of_infinity, 0, LAYOUTS);
    tcase_add_loop_test(t, test_variance_of_complex_is_real, 0, LAYOUTS);
    tcase_add_test(t, test_extremes_of_nothing);
    tcase_add_test(t, test_diagonal_of_nothing);
    tcase_add_loop_test(t, test_repeating_no_times, 0, LAYOUTS);
    tcase_add_loop_test(t, test_extreme_shifts_and_lengths, 0, LAYOUTS);
    tcase_add_test(t, test_sizes_past_32_bits);
    tcase_add_test(t, test_axes_below_the_first);
    tcase_add_loop_test(t, test_halves_round_to_even, 0, LAYOUTS);
    return t;
}
