/* SPDX-License-Identifier: MIT */
/* Products of chosen matrices, ranges and blocks; small functions that make
   arrays of lengths. */
#include <math.h>
#include <string.h>

#include <mlxc/expr.h>

#include "support.h"

#define L(...) (const int64_t[]){ __VA_ARGS__ }
#define D(...) (const double[]){ __VA_ARGS__ }
#define A(...) (const int[]){ __VA_ARGS__ }

static mlxc_scope *c;

static void setup(void)
{
    ok(mlxc_scope_new(&c, NULL));
}

static void teardown(void)
{
    mlxc_scope_free(c);
}

static mlxc_array *nd(mlxc_dtype d, const int64_t *shape, int ndim,
    const double *x)
{
    return mlxc_scope_take(c, MLXC_OK, make(d, shape, ndim, x));
}

static mlxc_array *v(mlxc_dtype d, int n, const double *x)
{
    return nd(d, L(n), 1, x);
}

static mlxc_array *count(const int64_t *shape, int ndim)
{
    int64_t n = 1;
    for (int i = 0; i < ndim; i++)
        n *= shape[i];
    return mlxe_reshape(c, mlxe_arange(c, 0, (double)n, 1, MLXC_FLOAT32),
        shape, ndim);
}

static void is(mlxc_array *a, int n, const double *want)
{
    ok(mlxc_scope_status(c));
    assert_values(a, n, want, 0);
}

static void same(mlxc_array *a, mlxc_array *b, double bound)
{
    ok(mlxc_scope_status(c));
    assert_close(a, b, bound);
}

START_TEST(test_gather_mm)
{
    mlxc_array *a = count(L(2, 2, 3), 3), *b = count(L(3, 3, 2), 3), *r;
    mlxc_array *l = v(MLXC_UINT32, 3, D(1, 0, 1));
    mlxc_array *k = v(MLXC_INT8, 3, D(2, 0, -2));
    is(mlxe_gather_mm(c, a, b, l, k, false), 12, D(298, 319, 424, 454, 10,
        13, 28, 40, 172, 193, 244, 274));
    is(mlxe_gather_mm(c, a, b, NULL, v(MLXC_UINT32, 2, D(2, 0)), false), 8,
        D(46, 49, 172, 184, 46, 67, 64, 94));
    r = mlxe_gather_mm(c, a, b, mlxe_zeros(c, L(4, 1), 2, MLXC_INT32), k,
        false);
    ok(mlxc_scope_status(c));
    assert_shape(r, 4, L(4, 3, 2, 2));
    r = mlxe_slice(c, r, L(3, 1, 0, 0), L(4, 2, 2, 2), NULL, 4);
    is(r, 4, D(10, 13, 28, 40));
    same(mlxe_gather_mm(c, a, mlxe_transpose(c, a, A(0, 2, 1), 3), NULL,
        NULL, true), mlxe_matmul(c, a, mlxe_transpose(c, a, A(0, 2, 1),
        3)), 0);
    /* vectors stand for the only row or column */
    mlxc_array *row = v(MLXC_FLOAT32, 3, D(1, 0, 2));
    r = mlxe_gather_mm(c, row, b, NULL, v(MLXC_INT32, 1, D(1)), false);
    ok(mlxc_scope_status(c));
    assert_shape(r, 2, L(1, 2));
    is(r, 2, D(26, 29));
    is(mlxe_gather_mm(c, a, row, v(MLXC_INT32, 1, D(1)), NULL, false), 2,
        D(22, 31));
    fails(mlxc_gather_mm(&r, a, a, l, l, false, NULL), MLXC_ERR_SHAPE,
        "gather_mm: shapes (2,2,3)");
    fails(mlxc_gather_mm(&r, a, b, row, NULL, false, NULL), MLXC_ERR_DTYPE,
        "gather_mm");
    ok(mlxc_gather_mm(&r, a, b, v(MLXC_INT32, 1, D(2)), k, false, NULL));
    r = mlxc_scope_take(c, MLXC_OK, r);
    fails(mlxc_eval(&r, 1), MLXC_ERR_INDEX, "2");
}
END_TEST

START_TEST(test_segmented_mm)
{
    static const mlxc_dtype types[] = { MLXC_UINT32, MLXC_INT8,
        MLXC_INT64, MLXC_UINT64 };
    mlxc_array *a = count(L(2, 6), 2), *b = count(L(6, 2), 2), *r;
    for (int i = 0; i < 4; i++) {
        mlxc_array *at = nd(types[i], L(3, 2), 2, D(0, 2, 2, 6, 3, 3));
        r = mlxe_segmented_mm(c, a, b, at);
        ok(mlxc_scope_status(c));
        assert_shape(r, 3, L(3, 2, 2));
        is(r, 12, D(2, 3, 14, 27, 108, 122, 276, 314, 0, 0, 0, 0));
    }
    /* ends are cut off */
    same(mlxe_segmented_mm(c, a, b, v(MLXC_INT32, 2, D(-5, 100))),
        mlxe_matmul(c, a, b), 0);
    is(mlxe_segmented_mm(c, a, b, v(MLXC_UINT64, 2, D(5, 1.8e19))), 4,
        D(50, 55, 110, 121));
    /* what lies outside does not show */
    mlxc_array *bad = mlxe_slice_update(c, b, mlxe_scalar(c, NAN,
        MLXC_FLOAT32), L(2, 0), L(4, 2), NULL, 2);
    is(mlxe_segmented_mm(c, a, bad, v(MLXC_INT32, 2, D(0, 2))), 4, D(2, 3,
        14, 27));
    fails(mlxc_segmented_mm(&r, a, b, v(MLXC_INT32, 3, D(0, 1, 2)), NULL),
        MLXC_ERR_SHAPE, "pairs");
    fails(mlxc_segmented_mm(&r, a, b, v(MLXC_FLOAT32, 2, D(0, 1)), NULL),
        MLXC_ERR_DTYPE, "segmented_mm");
    fails(mlxc_segmented_mm(&r, count(L(1, 2, 6), 3), b, v(MLXC_INT32, 2,
        D(0, 1)), NULL), MLXC_ERR_SHAPE, "3 and 2");
    fails(mlxc_segmented_mm(&r, a, a, v(MLXC_INT32, 2, D(0, 1)), NULL),
        MLXC_ERR_SHAPE, "fit");
}
END_TEST

/* The mask, one entry for each element. */
static mlxc_array *large(mlxc_array *mask, int size, int64_t rows,
    int64_t columns)
{
    mask = mlxe_repeat(c, mlxe_repeat(c, mask, size, 0), size, 1);
    return mlxe_slice(c, mask, L(0, 0), L(rows, columns), NULL, 2);
}

START_TEST(test_block_masked_mm)
{
    static const int sizes[] = { 1, 3, 32, 64 };
    for (int i = 0; i < 4; i++) {
        int k = sizes[i];
        const int64_t m = 70, n = 50, inner = 33;
        const int64_t tm = (m + k - 1) / k, tn = (n + k - 1) / k;
        const int64_t tk = (inner + k - 1) / k;
        mlxc_array *a = mlxc_scope_take(c, MLXC_OK, spread(MLXC_FLOAT32,
            L(m, inner), 2, -1, 1, 1));
        mlxc_array *b = mlxc_scope_take(c, MLXC_OK, spread(MLXC_FLOAT32,
            L(inner, n), 2, -1, 1, 2));
        mlxc_array *zero = mlxe_scalar(c, 0, MLXC_FLOAT32);
        for (int way = 0; way < 8; way++) {
            mlxc_dtype d = i % 2 ? MLXC_FLOAT32 : MLXC_BOOL;
            mlxc_array *mo = mlxc_scope_take(c, MLXC_OK, spread(
                MLXC_FLOAT32, L(tm, tn), 2, -1, 1, 3));
            mlxc_array *ml = mlxc_scope_take(c, MLXC_OK, spread(
                MLXC_FLOAT32, L(tm, tk), 2, -1, 1, 4));
            mlxc_array *mr = mlxc_scope_take(c, MLXC_OK, spread(
                MLXC_FLOAT32, L(tk, tn), 2, -1, 1, 5));
            if (d == MLXC_BOOL) {
                mo = mlxe_greater(c, mo, zero);
                ml = mlxe_greater(c, ml, zero);
                mr = mlxe_greater(c, mr, zero);
            }
            mlxc_array *want = mlxe_matmul(c, way & 1 ? mlxe_multiply(c, a,
                large(ml, k, m, inner)) : a, way & 2 ? mlxe_multiply(c, b,
                large(mr, k, inner, n)) : b);
            if (way & 4)
                want = mlxe_multiply(c, want, large(mo, k, m, n));
            same(mlxe_block_masked_mm(c, a, b, k, way & 4 ? mo : NULL,
                way & 1 ? ml : NULL, way & 2 ? mr : NULL), want, 1e-5);
        }
    }
}
END_TEST

START_TEST(test_block_masks)
{
    mlxc_array *a = count(L(2, 3), 2), *b = count(L(3, 2), 2), *r;
    mlxc_array *nan = mlxe_full_like(c, b, mlxe_scalar(c, NAN,
        MLXC_FLOAT32), MLXC_FLOAT32);
    mlxc_array *no = nd(MLXC_BOOL, L(1, 1), 2, D(0));
    mlxc_array *yes = nd(MLXC_BOOL, L(1, 1), 2, D(1));
    /* dropped, not multiplied by zero */
    is(mlxe_block_masked_mm(c, a, nan, 32, NULL, NULL, no), 4, D(0, 0, 0,
        0));
    is(mlxe_block_masked_mm(c, a, nan, 32, no, yes, NULL), 4, D(0, 0, 0,
        0));
    /* over a batch */
    r = mlxe_block_masked_mm(c, mlxe_broadcast_to(c, a, L(2, 2, 3), 3), b,
        32, nd(MLXC_BOOL, L(2, 1, 1), 3, D(0, 1)), NULL, NULL);
    is(r, 8, D(0, 0, 0, 0, 10, 13, 28, 40));
    is(mlxe_block_masked_mm(c, a, b, 2, no, NULL, NULL), 4, D(0, 0, 0, 0));
    fails(mlxc_block_masked_mm(&r, a, b, 2, NULL, no, NULL, NULL),
        MLXC_ERR_SHAPE, "1 by 2 blocks");
    fails(mlxc_block_masked_mm(&r, a, b, 0, NULL, NULL, NULL, NULL),
        MLXC_ERR_ARGUMENT, "blocks of 0");
    fails(mlxc_block_masked_mm(&r, a, a, 32, NULL, NULL, NULL, NULL),
        MLXC_ERR_SHAPE, "block_masked_mm");
}
END_TEST

START_TEST(test_identity)
{
    mlxc_array *r;
    is(mlxe_identity(c, 2, MLXC_INT8), 4, D(1, 0, 0, 1));
    is(mlxe_identity(c, 0, MLXC_INT8), 0, NULL);
    fails(mlxc_identity(&r, -1, MLXC_INT8, NULL), MLXC_ERR_SHAPE,
        "identity");
}
END_TEST

START_TEST(test_number_of_elements)
{
    mlxc_array *a = count(L(2, 3, 4), 3), *r;
    r = mlxe_number_of_elements(c, a, A(0, -1), 2, false, MLXC_INT32);
    is(r, 1, D(8));
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_INT32);
    is(mlxe_number_of_elements(c, a, NULL, 0, true, MLXC_FLOAT64), 1,
        D(1.0 / 24));
    is(mlxe_number_of_elements(c, a, A(0), 0, false, MLXC_INT64), 1, D(1));
    is(mlxe_number_of_elements(c, mlxe_zeros(c, L(0, 2), 2, MLXC_INT8),
        NULL, 0, true, MLXC_FLOAT32), 1, D(INFINITY));
    fails(mlxc_number_of_elements(&r, a, A(3), 1, false, MLXC_INT32, NULL),
        MLXC_ERR_INDEX, "number_of_elements");
    fails(mlxc_number_of_elements(&r, a, A(1, -2), 2, false, MLXC_INT32,
        NULL), MLXC_ERR_ARGUMENT, "repeated");
}
END_TEST

START_TEST(test_categorical_shaped)
{
    mlxc_array *key, *r, *l = count(L(2, 3), 2);
    ok(mlxc_random_key(&key, 0));
    key = mlxc_scope_take(c, MLXC_OK, key);
    r = mlxe_random_categorical_shaped(c, l, 1, L(4, 2), 2, key);
    is(r, 8, D(0, 1, 2, 2, 2, 0, 0, 2));
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_UINT32);
    is(mlxe_random_categorical_shaped(c, l, 0, L(2, 3), 2, key), 6, D(1, 1,
        1, 1, 1, 1));
    r = mlxe_random_categorical_shaped(c, mlxe_zeros(c, L(2, 1, 5), 3,
        MLXC_FLOAT32), 2, L(2, 3), 2, key);
    assert_shape(r, 2, L(2, 3));
    is(r, 6, D(3, 2, 2, 2, 2, 2));
    /* the shape of one sample gives what the plain function gives */
    same(mlxe_random_categorical_shaped(c, l, 0, L(3), 1, key),
        mlxe_random_categorical(c, l, 0, 0, key), 0);
    r = mlxe_random_categorical_shaped(c, v(MLXC_FLOAT32, 2, D(0, 1)), 0,
        NULL, 0, key);
    ok(mlxc_scope_status(c));
    assert_shape(r, 0, NULL);
    fails(mlxc_random_categorical_shaped(&r, l, 1, L(3), 1, key, NULL),
        MLXC_ERR_SHAPE, "broadcast");
    fails(mlxc_random_categorical_shaped(&r, l, 1, NULL, 0, key, NULL),
        MLXC_ERR_SHAPE, "broadcast");
    fails(mlxc_random_categorical_shaped(&r, l, 2, L(2), 1, key, NULL),
        MLXC_ERR_INDEX, "axis 2");
    fails(mlxc_random_categorical_shaped(&r, l, 1, NULL, 2, key, NULL),
        MLXC_ERR_ARGUMENT, "shape");
    fails(mlxc_random_categorical_shaped(&r, l, 1, L(-1, 2), 2, key, NULL),
        MLXC_ERR_SHAPE, "categorical");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("parts");
    TCase *t = tcase_create("parts");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_gather_mm);
    tcase_add_test(t, test_segmented_mm);
    tcase_add_test(t, test_block_masked_mm);
    tcase_add_test(t, test_block_masks);
    tcase_add_test(t, test_identity);
    tcase_add_test(t, test_number_of_elements);
    tcase_add_test(t, test_categorical_shaped);
    suite_add_tcase(s, t);
    return run_suite(s);
}
