/* SPDX-License-Identifier: MIT */
/* Views, indices, products at the layouts and lengths that broke others. */
#include "pitfalls.h"

START_TEST(test_softmax_of_columns)
{
    mlxc_array *a = laid(count(MLXC_FLOAT32, L(4, 4), 2), _i);
    mlxc_array *x = mlxe_slice(c, a, L(0, 0), L(4, 2), NULL, 2);
    mlxc_array *y = mlxe_softmax(c, x, A(-1), 1);
    near(mlxe_sum(c, y, NULL, 0, false), 1, D(4), 1e-6);
    same(y, mlxe_softmax(c, mlxe_contiguous(c, x, false), A(-1), 1), 0);
    same(mlxe_exp(c, mlxe_subtract(c, x, mlxe_logsumexp(c, x, A(-1), 1,
        true))), y, 1e-6);
}
END_TEST

/* Rows that are one row, by strides. */
START_TEST(test_softmax_of_repeated_rows)
{
    mlxc_array *row = laid(v(MLXC_FLOAT32, 3, D(0, 1, 2)), _i);
    for (int middle = 0; middle < 2; middle++) {
        mlxc_array *x = mlxe_broadcast_to(c, middle
            ? mlxe_expand_dims(c, row, A(0, 1), 2) : row, L(2, 5, 3), 3);
        for (int axis = 0; axis < 3; axis++)
            same(mlxe_softmax(c, x, &axis, 1), mlxe_softmax(c,
                mlxe_contiguous(c, x, false), &axis, 1), 0);
        near(mlxe_slice(c, mlxe_softmax(c, x, A(2), 1), L(1, 4, 0),
            L(2, 5, 3), NULL, 3), 3, D(0.09003057, 0.24472848,
            0.66524094), 1e-6);
    }
}
END_TEST

START_TEST(test_scan_over_one_row)
{
    mlxc_array *a = mlxe_add(c, count(MLXC_INT32, L(1, 10), 2),
        mlxe_scalar(c, 1, MLXC_INT32));
    a = mlxe_slice(c, laid(a, _i), L(0, 3), L(1, 10), NULL, 2);
    is(mlxe_cumsum(c, a, 0, false, true), 7, D(4, 5, 6, 7, 8, 9, 10));
    is(mlxe_cumprod(c, a, 0, true, true), 7, D(4, 5, 6, 7, 8, 9, 10));
    is(mlxe_cumsum(c, a, 0, false, false), 7, D(0, 0, 0, 0, 0, 0, 0));
    is(mlxe_cumsum(c, a, 1, false, true), 7, D(4, 9, 15, 22, 30, 39, 49));
}
END_TEST

START_TEST(test_take_twice_of_columns)
{
    mlxc_array *a = laid(nd(MLXC_FLOAT32, L(2, 1, 1), 3, D(1, 2)), _i);
    mlxc_array *at = v(MLXC_INT32, 3, D(0, 0, 0));
    mlxc_array *y = mlxe_take(c, mlxe_take(c, a, at, 1), at, 2);
    shaped(y, 3, L(2, 3, 3));
    is(y, 18, D(1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2));
}
END_TEST

/* Starts that only evaluation knows, of any integer dtype. */
START_TEST(test_dynamic_slice_of_high_rank)
{
    static const mlxc_dtype types[] = { MLXC_INT8, MLXC_INT16, MLXC_INT32,
        MLXC_INT64, MLXC_UINT8, MLXC_UINT64 };
    mlxc_array *a = laid(count(MLXC_FLOAT32, L(5, 6, 7, 8), 4), _i), *out;
    const int64_t last[4] = { 3, 4, 5, 6 };
    mlxc_array *want = mlxe_slice(c, a, L(1, 2, 3, 4), last, NULL, 4);
    for (int i = 0; i < COUNT(types); i++) {
        mlxc_array *start = v(types[i], 4, D(1, 2, 3, 4));
        mlxc_array *got = mlxe_dynamic_slice(c, a, start, A(0, 1, 2, 3), 4,
            L(2, 2, 2, 2), 4);
        same(got, want, 0);
        is(mlxe_slice(c, got, L(0, 0, 0, 0), L(1, 1, 1, 1), NULL, 4), 1,
            D(476));
        same(mlxe_slice(c, mlxe_dynamic_update(c, a, mlxe_negative(c,
            want), start, A(0, 1, 2, 3), 4), L(1, 2, 3, 4), last, NULL, 4),
            mlxe_negative(c, want), 0);
        if (i >= 4)
            continue;
        start = v(types[i], 4, D(-4, -4, -4, -4));
        same(mlxe_dynamic_slice(c, a, start, A(0, 1, 2, 3), 4,
            L(2, 2, 2, 2), 4), want, 0);
    }
    /* a view that no fewer dimensions describe */
    mlxc_array *x = mlxe_transpose(c, a, A(2, 0, 3, 1), 4);
    same(mlxe_dynamic_slice(c, x, v(MLXC_INT8, 2, D(3, -4)), A(0, 3), 2,
        L(2, 5, 8, 2), 4), mlxe_slice(c, x, L(3, 0, 0, 2), L(5, 5, 8, 4),
        NULL, 4), 0);
    ok(mlxc_dynamic_slice(&out, a, v(MLXC_INT8, 1, D(4)), A(0), 1,
        L(2, 6, 7, 8), 4, NULL));
    own(out);
    fails(mlxc_eval(&out, 1), MLXC_ERR_INDEX, "4");
}
END_TEST

START_TEST(test_einsum_of_one_batch_and_many)
{
    mlxc_array *a = laid(mlxe_ones(c, L(1, 3, 4), 3, MLXC_FLOAT32), _i);
    mlxc_array *b = laid(mlxe_ones(c, L(2, 4, 5), 3, MLXC_FLOAT32), _i);
    mlxc_array *four = mlxe_full(c, L(2, 3, 5), 3, mlxe_scalar(c, 4,
        MLXC_FLOAT32), MLXC_FLOAT32);
    same(mlxe_einsum(c, "bij,bjk->bik", (mlxc_array *const[]){ a, b }, 2),
        four, 0);
    same(mlxe_einsum(c, "bjk,bij->bik", (mlxc_array *const[]){ b, a }, 2),
        four, 0);
    same(mlxe_einsum(c, "...ij,...jk", (mlxc_array *const[]){ a, b }, 2),
        four, 0);
    same(mlxe_matmul(c, a, b), four, 0);
}
END_TEST

START_TEST(test_addmm_of_nothing)
{
    static const struct { int64_t m, n; } sizes[] = { { 2, 2 }, { 3, 3 },
        { 5, 5 }, { 1, 10 }, { 10, 1 } };
    static const struct { double alpha, beta; } factors[] = { { 0, 1 },
        { 0, 2 }, { 0, 0.5 }, { 0, 0 }, { 1, 2 }, { 0.5, 2 } };
    static const mlxc_dtype types[] = { MLXC_FLOAT16, MLXC_BFLOAT16,
        MLXC_FLOAT32, MLXC_FLOAT64, MLXC_COMPLEX64 };
    for (int t = 0; t < COUNT(types); t++) {
        for (int i = 0; i < COUNT(sizes); i++) {
            int64_t rows = sizes[i].m, cols = sizes[i].n;
            mlxc_array *a = laid(mlxe_ones(c, L(rows, 0), 2, types[t]), _i);
            mlxc_array *b = laid(mlxe_ones(c, L(0, cols), 2, types[t]), _i);
            mlxc_array *x = laid(mlxe_ones(c, L(rows, cols), 2, types[t]),
                _i);
            for (int k = 0; k < COUNT(factors); k++)
                same(mlxe_addmm(c, x, a, b, factors[k].alpha,
                    factors[k].beta), mlxe_full_like(c, x, mlxe_scalar(c,
                    factors[k].beta, MLXC_FLOAT64), types[t]), 0);
        }
        mlxc_array *x = mlxe_ones(c, L(2, 5, 5), 3, types[t]);
        same(mlxe_addmm(c, x, mlxe_ones(c, L(2, 5, 0), 3, types[t]),
            mlxe_ones(c, L(2, 0, 5), 3, types[t]), 0, 3), mlxe_multiply(c,
            x, mlxe_scalar(c, 3, types[t])), 0);
        mlxc_array *none = mlxe_zeros(c, L(0), 1, types[t]);
        shaped(mlxe_addmm(c, mlxe_scalar(c, 1, types[t]), none, none, 1, 1),
            0, NULL);
        near(mlxe_addmm(c, mlxe_scalar(c, 1, types[t]), none, none, 1, 1),
            1, D(1), 0);
        /* c of every shape that broadcasts */
        mlxc_array *a = mlxe_ones(c, L(2, 0), 2, types[t]);
        mlxc_array *b = mlxe_ones(c, L(0, 3), 2, types[t]);
        near(mlxe_addmm(c, v(types[t], 3, D(1, 2, 3)), a, b, 1, 2), 6,
            D(2, 4, 6, 2, 4, 6), 0);
        near(mlxe_addmm(c, m(types[t], 2, 1, D(1, 2)), a, b, 1, 2), 6,
            D(2, 2, 2, 4, 4, 4), 0);
        near(mlxe_addmm(c, v(types[t], 1, D(NAN)), a, b, 1, 0), 6,
            D(0, 0, 0, 0, 0, 0), 0);
    }
}
END_TEST

START_TEST(test_products_of_nothing)
{
    for (int t = 0; t < 2; t++) {
        mlxc_dtype d = t ? MLXC_INT32 : MLXC_FLOAT32;
        mlxc_array *a = laid(mlxe_ones(c, L(2, 0), 2, d), _i);
        mlxc_array *b = laid(mlxe_ones(c, L(0, 3), 2, d), _i);
        is(mlxe_matmul(c, a, b), 6, D(0, 0, 0, 0, 0, 0));
        shaped(mlxe_matmul(c, b, mlxe_ones(c, L(3, 4), 2, d)), 2, L(0, 4));
        shaped(mlxe_matmul(c, mlxe_ones(c, L(4, 2), 2, d), a), 2, L(4, 0));
        shaped(mlxe_matmul(c, b, mlxe_ones(c, L(3, 0), 2, d)), 2, L(0, 0));
        is(mlxe_inner(c, a, a), 4, D(0, 0, 0, 0));
        is(mlxe_tensordot(c, a, b, NULL, NULL, 1), 6,
            D(0, 0, 0, 0, 0, 0));
        is(mlxe_einsum(c, "ij,jk->ik", (mlxc_array *const[]){ a, b }, 2), 6,
            D(0, 0, 0, 0, 0, 0));
        is(mlxe_vecdot(c, a, a, -1), 2, D(0, 0));
        is(mlxe_gather_mm(c, a, b, NULL, mlxe_scalar(c, 0, MLXC_INT32),
            false), 6, D(0, 0, 0, 0, 0, 0));
        is(mlxe_block_masked_mm(c, a, b, 32, mlxe_ones(c, L(1, 1), 2,
            MLXC_BOOL), NULL, mlxe_ones(c, L(0, 1), 2, MLXC_BOOL)), 6,
            D(0, 0, 0, 0, 0, 0));
        is(mlxe_segmented_mm(c, a, b, v(MLXC_INT32, 2, D(0, 0))), 6,
            D(0, 0, 0, 0, 0, 0));
    }
}
END_TEST

/* Everything that may come out empty, and what is done with it then. */
START_TEST(test_empty_results)
{
    mlxc_array *a = laid(count(MLXC_FLOAT32, L(3, 4), 2), _i);
    mlxc_array *none = mlxe_slice(c, a, L(1, 2), L(1, 4), NULL, 2);
    shaped(none, 2, L(0, 2));
    mlxc_arrays *at, *many;
    mlxc_array *zero = mlxe_scalar(c, 0, MLXC_INT32), *got, *start;
    ok(mlxc_arrays_from(&at, &zero, 1));
    ok(mlxc_gather(&got, a, at, A(0), 1, L(1, 0), 2, NULL));
    shaped(own(got), 2, L(1, 0));
    mlxc_arrays_unref(at);
    start = v(MLXC_INT32, 1, D(1));
    shaped(mlxe_dynamic_slice(c, a, start, A(0), 1, L(0, 4), 2), 2,
        L(0, 4));
    same(mlxe_dynamic_update(c, a, mlxe_zeros(c, L(0, 4), 2, MLXC_FLOAT32),
        start, A(0), 1), a, 0);
    same(mlxe_slice_update(c, a, none, L(2, 0), L(2, 2), NULL, 2), a, 0);
    same(mlxe_slice_update_add(c, a, none, L(2, 0), L(2, 2), NULL, 2), a,
        0);
    mlxc_array *wide = mlxe_broadcast_to(c, mlxe_zeros(c, L(1, 2), 2,
        MLXC_FLOAT32), L(0, 2), 2);
    shaped(mlxe_add(c, none, wide), 2, L(0, 2));
    mlxc_array *columns = mlxe_slice(c, a, L(0, 2), L(3, 4), NULL, 2);
    same(mlxe_concatenate(c, (mlxc_array *const[]){ none, columns, wide },
        3, 0), columns, 0);
    shaped(mlxe_reshape(c, none, L(4, 0, 7), 3), 3, L(4, 0, 7));
    near(mlxe_sort(c, none, 0), 0, NULL, 0);
    near(mlxe_cumsum(c, none, 0, false, false), 0, NULL, 0);
    near(mlxe_softmax(c, none, A(0), 1), 0, NULL, 0);
    near(mlxe_flip(c, none, NULL, 0), 0, NULL, 0);
    near(mlxe_contiguous(c, mlxe_transpose(c, none, NULL, 0), false), 0,
        NULL, 0);
    near(mlxe_view(c, none, MLXC_UINT8), 0, NULL, 0);
    near(mlxe_arange(c, 1, 1, 1, MLXC_FLOAT32), 0, NULL, 0);
    near(mlxe_random_uniform(c, mlxe_scalar(c, 0, MLXC_FLOAT32),
        mlxe_scalar(c, 1, MLXC_FLOAT32), L(2, 0), 2, MLXC_FLOAT32, NULL),
        0, NULL, 0);
    ok(mlxc_split_equal(&many, none, 2, 1, NULL));
    shaped(mlxc_arrays_get(many, 1), 2, L(0, 1));
    mlxc_arrays_unref(many);
    is(mlxe_logsumexp(c, none, A(0), 1, false), 2, D(-INFINITY,
        -INFINITY));
}
END_TEST

/* A view of a view of a view: the offsets add up, whichever way they go. */
START_TEST(test_steps_of_views)
{
    mlxc_array *a = laid(count(MLXC_INT32, L(9), 1), _i);
    mlxc_array *x = mlxe_slice(c, a, L(0), L(9), L(2), 1);
    is(x, 5, D(0, 2, 4, 6, 8));
    is(mlxe_slice(c, x, L(4), L(-6), L(-2), 1), 3, D(8, 4, 0));
    is(mlxe_slice(c, a, L(5), L(2), L(-1), 1), 3, D(5, 4, 3));
    for (int i = 0; i < 4; i++)
        a = mlxe_flip(c, a, NULL, 0);
    is(mlxe_slice(c, a, L(7), L(9), NULL, 1), 2, D(7, 8));
    x = laid(count(MLXC_FLOAT32, L(128, 4), 2), _i);
    mlxc_array *back = mlxe_flip(c, x, A(0), 1);
    is(mlxe_slice(c, back, L(-1, 0), L(128, 4), NULL, 2), 4,
        D(0, 1, 2, 3));
    is(mlxe_slice(c, back, L(0, 0), L(1, 4), NULL, 2), 4,
        D(508, 509, 510, 511));
    back = mlxe_slice(c, back, L(100, 3), L(-1000, -1000), L(-9, -2), 2);
    shaped(back, 2, L(12, 2));
    is(mlxe_slice(c, back, L(11, 0), L(12, 2), NULL, 2), 2, D(507, 505));
    is(mlxe_sum(c, back, A(0), 1, false), 2, D(3708, 3684));
}
END_TEST

/* Bytes of another dtype: only the last dimension counts. */
START_TEST(test_bits_of_views)
{
    mlxc_array *a = laid(m(MLXC_UINT8, 2, 4, D(0, 0, 128, 63, 0, 0, 0,
        64)), _i), *out;
    is(mlxe_view(c, a, MLXC_FLOAT32), 2, D(1, 2));
    shaped(mlxe_view(c, a, MLXC_FLOAT32), 2, L(2, 1));
    mlxc_array *f = laid(m(MLXC_FLOAT32, 2, 2, D(1, 2, -1, -2)), _i);
    same(mlxe_view(c, mlxe_view(c, f, MLXC_UINT8), MLXC_FLOAT32), f, 0);
    is(mlxe_view(c, mlxe_slice(c, f, L(0, 1), L(2, 2), NULL, 2),
        MLXC_UINT16), 4, D(0, 0x4000, 0, 0xC000));
    is(mlxe_slice(c, mlxe_view(c, f, MLXC_UINT16), L(1, 3), L(2, 4), NULL,
        2), 1, D(0xC000));
    fails(mlxc_view(&out, mlxe_slice(c, a, L(0, 1), L(2, 4), NULL, 2),
        MLXC_UINT16, NULL), MLXC_ERR_SHAPE, "view");
    fails(mlxc_view(&out, mlxe_scalar(c, 1, MLXC_FLOAT32), MLXC_UINT8,
        NULL), MLXC_ERR_SHAPE, "view");
    is(mlxe_view(c, mlxe_scalar(c, 1, MLXC_FLOAT32), MLXC_INT32), 1,
        D(0x3F800000));
}
END_TEST

/* A sort whose axis is the one that memory runs along, and others. */
START_TEST(test_sort_of_columns)
{
    mlxc_array *a = laid(m(MLXC_FLOAT32, 3, 2, D(3, 1, 1, 3, 2, 2)), _i);
    is(mlxe_sort(c, a, 0), 6, D(1, 1, 2, 2, 3, 3));
    is(mlxe_sort(c, a, 1), 6, D(1, 3, 1, 3, 2, 2));
    is(mlxe_argsort(c, a, 0), 6, D(1, 0, 2, 2, 0, 1));
    is(mlxe_argsort(c, a, 1), 6, D(1, 0, 0, 1, 0, 1));
    is(mlxe_sort(c, mlxe_broadcast_to(c, a, L(2, 3, 2), 3), 1), 12,
        D(1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3));
    is(mlxe_argsort(c, mlxe_broadcast_to(c, mlxe_scalar(c, 1,
        MLXC_FLOAT16), L(2, 3), 2), 1), 6, D(0, 1, 2, 0, 1, 2));
    mlxc_array *one = laid(m(MLXC_FLOAT32, 1, 2, D(NAN, 1)), _i);
    is(mlxe_argsort(c, one, 0), 2, D(0, 0));
    is(mlxe_sort(c, one, 1), 2, D(1, NAN));
    is(mlxe_argsort(c, laid(v(MLXC_FLOAT32, 5, D(NAN, 1, -INFINITY, NAN,
        INFINITY)), _i), 0), 5, D(2, 1, 4, 0, 3));
}
END_TEST

/* What is repeated by strides of 0 has few elements in memory and many in
   the result. */
START_TEST(test_repeated_operands)
{
    mlxc_array *s = mlxe_broadcast_to(c, mlxe_scalar(c, 2, MLXC_FLOAT32),
        L(2, 3), 2);
    is(mlxe_add(c, s, s), 6, D(4, 4, 4, 4, 4, 4));
    mlxc_array *a = laid(v(MLXC_FLOAT32, 3, D(1, 2, 3)), _i);
    mlxc_array *wide = mlxe_broadcast_to(c, a, L(2, 3), 2);
    is(mlxe_exp(c, mlxe_subtract(c, wide, wide)), 6, D(1, 1, 1, 1, 1, 1));
    is(mlxe_cumsum(c, wide, 0, false, true), 6, D(1, 2, 3, 2, 4, 6));
    is(mlxe_slice_update(c, wide, mlxe_scalar(c, 9, MLXC_FLOAT32), L(0, 1),
        L(1, 2), NULL, 2), 6, D(1, 9, 3, 1, 2, 3));
    is(mlxe_negative(c, wide), 6, D(-1, -2, -3, -1, -2, -3));
    is(mlxe_sum(c, wide, A(1), 1, false), 2, D(6, 6));
    is(a, 3, D(1, 2, 3));
    is(mlxe_where(c, mlxe_greater(c, wide, s), wide, mlxe_negative(c, s)),
        6, D(-2, -2, 3, -2, -2, 3));
}
END_TEST

TCase *pitfalls_views(void)
{
    TCase *t = scoped("views");
    tcase_add_loop_test(t, test_softmax_of_columns, 0, LAYOUTS);
    tcase_add_loop_test(t, test_softmax_of_repeated_rows, 0, LAYOUTS);
    tcase_add_loop_test(t, test_scan_over_one_row, 0, LAYOUTS);
    tcase_add_loop_test(t, test_take_twice_of_columns, 0, LAYOUTS);
    tcase_add_loop_test(t, test_dynamic_slice_of_high_rank, 0, LAYOUTS);
    tcase_add_loop_test(t, test_einsum_of_one_batch_and_many, 0, LAYOUTS);
    tcase_add_loop_test(t, test_addmm_of_nothing, 0, LAYOUTS);
    tcase_add_loop_test(t, test_products_of_nothing, 0, LAYOUTS);
    tcase_add_loop_test(t, test_empty_results, 0, LAYOUTS);
    tcase_add_loop_test(t, test_steps_of_views, 0, LAYOUTS);
    tcase_add_loop_test(t, test_bits_of_views, 0, LAYOUTS);
    tcase_add_loop_test(t, test_sort_of_columns, 0, LAYOUTS);
    tcase_add_loop_test(t, test_repeated_operands, 0, LAYOUTS);
    return t;
}
