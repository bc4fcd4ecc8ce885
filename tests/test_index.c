/* SPDX-License-Identifier: MIT */
/* Indexing, updates of parts, joining, repeating. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <mlxc/expr.h>

#include "support.h"

#define V(...) (const int64_t[]){ __VA_ARGS__ }
#define D(...) (const double[]){ __VA_ARGS__ }

static mlxc_scope *c;

static void setup(void)
{
    ok(mlxc_scope_new(&c, NULL));
}

static void teardown(void)
{
    mlxc_scope_free(c);
}

/* Arrays that the scope owns. */
static mlxc_array *m(mlxc_dtype d, const int64_t *shape, int ndim,
    const double *v)
{
    return mlxc_scope_take(c, MLXC_OK, make(d, shape, ndim, v));
}

static mlxc_array *f(int n, const double *v)
{
    return mlxc_scope_take(c, MLXC_OK, vec(MLXC_FLOAT32, n, v));
}

static mlxc_array *ints(int n, const double *v)
{
    return mlxc_scope_take(c, MLXC_OK, vec(MLXC_INT32, n, v));
}

static mlxc_array *count(const int64_t *shape, int ndim)
{
    int64_t n = 1;
    for (int i = 0; i < ndim; i++)
        n *= shape[i];
    return mlxe_reshape(c, mlxe_arange(c, 0, (double)n, 1, MLXC_FLOAT32),
        shape, ndim);
}

static void expect(mlxc_array *a, int n, const double *v)
{
    ok(mlxc_scope_status(c));
    assert_values(a, n, v, 0);
}

static void same(mlxc_array *a, mlxc_array *b)
{
    ok(mlxc_scope_status(c));
    assert_shape(a, mlxc_array_ndim(b), mlxc_array_shape(b));
    assert_close(a, b, 0);
}

/* ---- joining and cutting ---- */

START_TEST(test_concatenate)
{
    mlxc_array *a = count(V(2, 2), 2), *b = count(V(2, 1), 2);
    mlxc_array *list[3] = { a, mlxe_astype(c, b, MLXC_INT8), a };
    mlxc_array *r = mlxe_concatenate(c, list, 3, -1), *bad;
    expect(r, 10, D(0, 1, 0, 0, 1, 2, 3, 1, 2, 3));
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_FLOAT32);
    r = mlxe_concatenate(c, (mlxc_array *const[]){
        mlxe_transpose(c, a, NULL, 0), a }, 2, 0);
    expect(r, 8, D(0, 2, 1, 3, 0, 1, 2, 3));
    r = mlxe_concatenate(c, (mlxc_array *const[]){ a,
        mlxe_zeros(c, V(0, 2), 2, MLXC_FLOAT32) }, 2, 0);
    same(r, a);
    fails(mlxc_concatenate(&bad, list, 3, 0, NULL), MLXC_ERR_SHAPE,
        "concatenate");
    fails(mlxc_concatenate(&bad, list, 3, 2, NULL), MLXC_ERR_INDEX,
        "concatenate");
    fails(mlxc_concatenate(&bad, list, 0, 0, NULL), MLXC_ERR_ARGUMENT,
        "no arrays");
    fails(mlxc_stack(&bad, list, 2, 0, NULL), MLXC_ERR_SHAPE, "stack");
    r = mlxe_stack(c, (mlxc_array *const[]){ a, a }, 2, -1);
    expect(r, 8, D(0, 0, 1, 1, 2, 2, 3, 3));
}
END_TEST

START_TEST(test_split_and_unstack)
{
    mlxc_array *a = count(V(2, 6), 2);
    mlxc_arrays *l;
    ok(mlxc_split(&l, a, V(1, 1, 4), 3, 1, NULL));
    ck_assert_int_eq(mlxc_arrays_size(l), 4);
    assert_values(mlxc_arrays_get(l, 0), 2, D(0, 6), 0);
    assert_shape(mlxc_arrays_get(l, 1), 2, V(2, 0));
    assert_values(mlxc_arrays_get(l, 2), 6, D(1, 2, 3, 7, 8, 9), 0);
    assert_values(mlxc_arrays_get(l, 3), 4, D(4, 5, 10, 11), 0);
    mlxc_arrays_unref(l);
    ok(mlxc_split_equal(&l, a, 3, -1, NULL));
    assert_values(mlxc_arrays_get(l, 2), 4, D(4, 5, 10, 11), 0);
    mlxc_arrays_unref(l);
    fails(mlxc_split_equal(&l, a, 4, 1, NULL), MLXC_ERR_SHAPE, "4 parts");
    fails(mlxc_split(&l, a, V(3, 2), 2, 1, NULL), MLXC_ERR_INDEX, "rise");
    ck_assert_ptr_null(l);
    ok(mlxc_unstack(&l, a, 0, NULL));
    ck_assert_int_eq(mlxc_arrays_size(l), 2);
    assert_values(mlxc_arrays_get(l, 1), 6, D(6, 7, 8, 9, 10, 11), 0);
    mlxc_arrays_unref(l);
    ok(mlxc_unstack(&l, mlxe_zeros(c, V(3, 0), 2, MLXC_INT8), 1, NULL));
    ck_assert_int_eq(mlxc_arrays_size(l), 0);
    mlxc_arrays_unref(l);
    fails(mlxc_unstack(&l, mlxe_scalar(c, 1, MLXC_INT8), 0, NULL),
        MLXC_ERR_INDEX, "unstack");
}
END_TEST

START_TEST(test_repeat_and_tile)
{
    mlxc_array *a = count(V(2, 2), 2), *bad;
    expect(mlxe_repeat(c, a, 2, 0), 8, D(0, 1, 0, 1, 2, 3, 2, 3));
    expect(mlxe_repeat(c, mlxe_transpose(c, a, NULL, 0), 2, -1), 8,
        D(0, 0, 2, 2, 1, 1, 3, 3));
    mlxc_array *b = mlxe_zeros(c, V(3, 4), 2, MLXC_FLOAT32);
    assert_shape(mlxe_repeat(c, b, 0, 0), 2, V(0, 4));
    assert_shape(mlxe_repeat(c, b, 0, 1), 2, V(3, 0));
    fails(mlxc_repeat(&bad, a, -1, 0, NULL), MLXC_ERR_ARGUMENT, "repeat");
    fails(mlxc_repeat(&bad, a, INT64_MAX, 0, NULL), MLXC_ERR_SHAPE,
        "repeat");
    expect(mlxe_tile(c, a, V(2), 1), 8, D(0, 1, 0, 1, 2, 3, 2, 3));
    mlxc_array *t = mlxe_tile(c, a, V(2, 1, 2), 3);
    assert_shape(t, 3, V(2, 2, 4));
    expect(t, 16, D(0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3));
    assert_shape(mlxe_tile(c, a, V(0, 3), 2), 2, V(0, 6));
    same(mlxe_tile(c, a, NULL, 0), a);
    fails(mlxc_tile(&bad, a, V(-1), 1, NULL), MLXC_ERR_ARGUMENT, "tile");
    /* never a wrapped length */
    t = mlxe_tile(c, mlxe_zeros(c, V(2), 1, MLXC_INT8), V(INT32_MAX), 1);
    assert_shape(t, 1, V(INT64_C(2) * INT32_MAX));
    fails(mlxc_tile(&bad, a, V(INT64_MAX), 1, NULL), MLXC_ERR_SHAPE, "tile");
}
END_TEST

START_TEST(test_roll)
{
    mlxc_array *a = f(4, D(1, 2, 3, 4)), *b = count(V(2, 3), 2), *bad;
    const int one = 1, both[2] = { 0, -1 };
    expect(mlxe_roll(c, a, V(1), NULL, 1), 4, D(4, 1, 2, 3));
    expect(mlxe_roll(c, a, V(INT32_MIN), NULL, 1), 4, D(1, 2, 3, 4));
    expect(mlxe_roll(c, a, V(INT64_MIN, 3), NULL, 2), 4, D(2, 3, 4, 1));
    expect(mlxe_roll(c, a, V(INT64_MAX, INT64_MAX), NULL, 2), 4,
        D(3, 4, 1, 2));
    expect(mlxe_roll(c, b, V(1), NULL, 1), 6, D(5, 0, 1, 2, 3, 4));
    expect(mlxe_roll(c, b, V(-1), &one, 1), 6, D(1, 2, 0, 4, 5, 3));
    expect(mlxe_roll(c, b, V(1, 1), both, 2), 6, D(5, 3, 4, 2, 0, 1));
    same(mlxe_roll(c, b, NULL, both, 0), b);
    same(mlxe_roll(c, b, NULL, NULL, 0), b);
    mlxc_array *none = mlxe_zeros(c, V(0, 3), 2, MLXC_INT8);
    same(mlxe_roll(c, none, V(5), NULL, 1), none);
    expect(mlxe_roll(c, mlxe_scalar(c, 7, MLXC_INT8), V(5), NULL, 1), 1,
        D(7));
    fails(mlxc_roll(&bad, b, V(1), (const int[]){ 2 }, 1, NULL),
        MLXC_ERR_INDEX, "roll");
}
END_TEST

START_TEST(test_pad_modes)
{
    mlxc_array *a = f(3, D(0, 1, 2)), *b = count(V(2, 2), 2), *bad;
    const int64_t *lo = V(2), *hi = V(7);
    expect(mlxe_pad(c, a, lo, hi, 1, MLXC_PAD_REFLECT, NULL), 12,
        D(2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1));
    expect(mlxe_pad(c, a, lo, hi, 1, MLXC_PAD_SYMMETRIC, NULL), 12,
        D(1, 0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2));
    expect(mlxe_pad(c, a, lo, V(1), 1, MLXC_PAD_EDGE, NULL), 6,
        D(0, 0, 0, 1, 2, 2));
    expect(mlxe_pad(c, a, V(1), V(2), 1, MLXC_PAD_CONSTANT,
        mlxe_scalar(c, 9, MLXC_INT32)), 6, D(9, 0, 1, 2, 9, 9));
    expect(mlxe_pad(c, b, V(1, 0), V(0, 1), 2, MLXC_PAD_CONSTANT, NULL), 9,
        D(0, 0, 0, 0, 1, 0, 2, 3, 0));
    expect(mlxe_pad(c, b, V(1, 1), V(0, 0), 2, MLXC_PAD_REFLECT, NULL), 9,
        D(3, 2, 3, 1, 0, 1, 3, 2, 3));
    expect(mlxe_pad(c, f(1, D(5)), V(1), V(2), 1, MLXC_PAD_REFLECT, NULL), 4,
        D(5, 5, 5, 5));
    fails(mlxc_pad(&bad, a, V(-1), V(0), 1, MLXC_PAD_EDGE, NULL, NULL),
        MLXC_ERR_ARGUMENT, "pad");
    mlxc_array *none = mlxe_zeros(c, V(0), 1, MLXC_FLOAT32);
    fails(mlxc_pad(&bad, none, V(1), V(0), 1, MLXC_PAD_EDGE, NULL, NULL),
        MLXC_ERR_SHAPE, "empty");
    expect(mlxe_pad(c, none, V(1), V(1), 1, MLXC_PAD_CONSTANT, NULL), 2,
        D(0, 0));
}
END_TEST

/* ---- slice updates and run-time positions ---- */

START_TEST(test_slice_update_modes)
{
    mlxc_array *a = f(6, D(1, 2, 3, 4, 5, 6)), *u = f(2, D(10, -3));
    const int64_t *b = V(1), *e = V(4), *s = V(2);
    expect(mlxe_slice_update(c, a, u, b, e, s, 1), 6,
        D(1, 10, 3, -3, 5, 6));
    expect(mlxe_slice_update_add(c, a, u, b, e, s, 1), 6,
        D(1, 12, 3, 1, 5, 6));
    expect(mlxe_slice_update_prod(c, a, u, b, e, s, 1), 6,
        D(1, 20, 3, -12, 5, 6));
    expect(mlxe_slice_update_max(c, a, u, b, e, s, 1), 6,
        D(1, 10, 3, 4, 5, 6));
    expect(mlxe_slice_update_min(c, a, u, b, e, s, 1), 6,
        D(1, 2, 3, -3, 5, 6));
    /* backwards, broadcast and converted; the source stays */
    expect(mlxe_slice_update(c, a, ints(1, D(7)), V(-1), V(-4), V(-1), 1), 6,
        D(1, 2, 3, 7, 7, 7));
    expect(mlxe_slice_update(c, a, u, V(4), V(1), V(-2), 1), 6,
        D(1, 2, -3, 4, 10, 6));
    expect(a, 6, D(1, 2, 3, 4, 5, 6));
    mlxc_array *bad;
    fails(mlxc_slice_update(&bad, a, u, V(0), V(3), NULL, 1, NULL),
        MLXC_ERR_SHAPE, "slice_update");
}
END_TEST

/* The source's buffer is taken over when nobody else holds it. */
START_TEST(test_updates_donate)
{
    mlxc_array *a, *b;
    const void *before, *after;
    ok(mlxc_ones(&a, V(1000), 1, MLXC_FLOAT32, NULL));
    ok(mlxc_eval(&a, 1));
    ok(mlxc_array_data(&before, a));
    ok(mlxc_slice_update(&b, a, mlxe_scalar(c, 3, MLXC_FLOAT32), V(1), V(3),
        NULL, 1, NULL));
    mlxc_array_unref(a);
    ok(mlxc_array_data(&after, b));
    ck_assert_ptr_eq(before, after);
    ok(mlxc_put_add(&a, b, ints(1, D(5)), f(1, D(1)), 0, NULL));
    mlxc_array_unref(b);
    ok(mlxc_array_data(&after, a));
    ck_assert_ptr_eq(before, after);
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_dynamic_slice)
{
    const int64_t shape[4] = { 5, 6, 7, 8 };
    const int axes[4] = { 0, 1, 2, 3 };
    mlxc_array *a = count(shape, 4), *bad;
    mlxc_array *r = mlxe_dynamic_slice(c, a, ints(4, D(1, 2, 3, 4)), axes, 4,
        V(2, 2, 2, 2), 4);
    same(r, mlxe_slice(c, a, V(1, 2, 3, 4), V(3, 4, 5, 6), NULL, 4));
    expect(mlxe_slice(c, r, V(0, 0, 0, 0), V(1, 1, 1, 1), NULL, 4), 1,
        D(476));
    /* some axes; a view; a negative start counts from the end */
    mlxc_array *t = mlxe_transpose(c, a, NULL, 0);
    same(mlxe_dynamic_slice(c, t, ints(2, D(-3, 2)), (const int[]){ 0, 2 },
        2, V(2, 7, 3, 5), 4),
        mlxe_slice(c, t, V(5, 0, 2, 0), V(7, 7, 5, 5), NULL, 4));
    same(mlxe_dynamic_slice(c, a, mlxe_scalar(c, 2, MLXC_UINT8), axes + 1, 1,
        V(5, 1, 7, 8), 4),
        mlxe_slice(c, a, V(0, 2, 0, 0), V(5, 3, 7, 8), NULL, 4));
    ok(mlxc_dynamic_slice(&bad, a, ints(1, D(4)), axes, 1, V(2, 6, 7, 8), 4,
        NULL));
    fails(mlxc_eval(&bad, 1), MLXC_ERR_INDEX, "index 4");
    mlxc_array_unref(bad);
    fails(mlxc_dynamic_slice(&bad, a, ints(2, D(0, 0)), axes, 1,
        V(2, 6, 7, 8), 4, NULL), MLXC_ERR_SHAPE, "2 positions");
    fails(mlxc_dynamic_slice(&bad, a, f(1, D(0)), axes, 1, V(2, 6, 7, 8), 4,
        NULL), MLXC_ERR_DTYPE, "dynamic_slice");
    fails(mlxc_dynamic_slice(&bad, a, ints(1, D(0)), axes, 1, V(6, 6, 7, 8),
        4, NULL), MLXC_ERR_SHAPE, "window");
}
END_TEST

START_TEST(test_dynamic_update)
{
    mlxc_array *a = mlxe_zeros(c, V(3, 4), 2, MLXC_FLOAT32), *bad;
    const int axes[2] = { 0, 1 };
    expect(mlxe_dynamic_update(c, a, f(2, D(1, 2)), ints(2, D(1, 2)), axes,
        2), 12, D(0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0));
    /* a leading dimension that is missing is whole, or 1 if positioned */
    expect(mlxe_dynamic_update(c, a, f(2, D(1, 2)), ints(1, D(2)), axes + 1,
        1), 12, D(0, 0, 1, 2, 0, 0, 1, 2, 0, 0, 1, 2));
    expect(mlxe_dynamic_update(c, a, f(4, D(1, 2, 3, 4)), ints(1, D(2)),
        axes, 1), 12, D(0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4));
    ok(mlxc_dynamic_update(&bad, a, f(2, D(1, 2)), ints(2, D(0, 3)), axes, 2,
        NULL));
    fails(mlxc_eval(&bad, 1), MLXC_ERR_INDEX, "index 3");
    mlxc_array_unref(bad);
}
END_TEST

/* ---- reading by index ---- */

START_TEST(test_take)
{
    mlxc_array *a = count(V(3, 2), 2), *bad;
    mlxc_array *at = m(MLXC_INT64, V(2, 2), 2, D(2, 0, -1, -3));
    expect(mlxe_take(c, a, at, 0), 8, D(4, 5, 0, 1, 4, 5, 0, 1));
    mlxc_array *r = mlxe_take(c, a, mlxe_astype(c, ints(3, D(1, 1, 0)),
        MLXC_UINT8), 1);
    assert_shape(r, 2, V(3, 3));
    expect(r, 9, D(1, 1, 0, 3, 3, 2, 5, 5, 4));
    assert_shape(mlxe_take(c, a, mlxe_scalar(c, 1, MLXC_INT32), 0), 1, V(2));
    assert_shape(mlxe_take(c, a, mlxe_zeros(c, V(0, 5), 2, MLXC_INT32), 0),
        3, V(0, 5, 2));
    mlxc_array *none = mlxe_zeros(c, V(0, 2), 2, MLXC_FLOAT32);
    assert_shape(mlxe_take(c, none, mlxe_zeros(c, V(0), 1, MLXC_INT32), 0),
        2, V(0, 2));
    fails(mlxc_take(&bad, none, ints(1, D(0)), 0, NULL), MLXC_ERR_INDEX,
        "empty");
    fails(mlxc_take(&bad, a, f(1, D(0)), 0, NULL), MLXC_ERR_DTYPE, "take");
    fails(mlxc_take(&bad, a, at, 2, NULL), MLXC_ERR_INDEX, "take");
}
END_TEST

START_TEST(test_indices_are_checked)
{
    mlxc_array *a = count(V(5, 2), 2), *bad;
    const double wrong[4] = { 5, -6, 100, -100 };
    for (int i = 0; i < 4; i++) {
        mlxc_array *at = ints(2, D(0, wrong[i]));
        char text[40];
        snprintf(text, sizeof text, "index %d is out of range",
            (int)wrong[i]);
        ok(mlxc_take(&bad, a, at, 0, NULL));
        fails(mlxc_eval(&bad, 1), MLXC_ERR_INDEX, text);
        mlxc_array_unref(bad);
        mlxc_array *wide = mlxe_reshape(c, at, V(2, 1), 2);
        ok(mlxc_take_along_axis(&bad, a, wide, 0, NULL));
        fails(mlxc_eval(&bad, 1), MLXC_ERR_INDEX, text);
        mlxc_array_unref(bad);
        ok(mlxc_put_add(&bad, a, wide, mlxe_scalar(c, 1, MLXC_FLOAT32), 0,
            NULL));
        fails(mlxc_eval(&bad, 1), MLXC_ERR_INDEX, "axis 0 of length 5");
        mlxc_array_unref(bad);
    }
    /* what an unsigned index reads as negative is not wrapped */
    mlxc_array *u = mlxe_astype(c, ints(1, D(-1)), MLXC_UINT64);
    ok(mlxc_take(&bad, a, u, 0, NULL));
    fails(mlxc_eval(&bad, 1), MLXC_ERR_INDEX, "out of range");
    mlxc_array_unref(bad);
    expect(a, 10, D(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
}
END_TEST

/* A column-major slice and broadcasts are read by their strides. */
START_TEST(test_take_layouts)
{
    mlxc_array *a = m(MLXC_FLOAT32, V(2, 1, 1), 3, D(1, 2));
    mlxc_array *zero = ints(3, D(0, 0, 0));
    mlxc_array *r = mlxe_take(c, mlxe_take(c, a, zero, 1), zero, 2);
    assert_shape(r, 3, V(2, 3, 3));
    expect(r, 18, D(1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2));
    mlxc_array *b = count(V(4, 6), 2), *at = ints(2, D(1, 0));
    mlxc_array *s = mlxe_slice(c, mlxe_transpose(c, b, NULL, 0), V(5, 0),
        V(-7, 4), V(-2, 3), 2);
    mlxc_array *dense = mlxe_contiguous(c, s, false);
    for (int axis = 0; axis < 2; axis++)
        same(mlxe_take(c, s, at, axis), mlxe_take(c, dense, at, axis));
    same(mlxe_take(c, mlxe_broadcast_to(c, f(2, D(3, 4)), V(3, 2), 2), at,
        1), m(MLXC_FLOAT32, V(3, 2), 2, D(4, 3, 4, 3, 4, 3)));
}
END_TEST

START_TEST(test_take_along_axis)
{
    mlxc_array *a = count(V(2, 3), 2), *bad;
    mlxc_array *at = m(MLXC_INT32, V(2, 2), 2, D(2, 0, -1, -2));
    expect(mlxe_take_along_axis(c, a, at, 1), 4, D(2, 0, 5, 4));
    /* other axes broadcast both ways */
    expect(mlxe_take_along_axis(c, a, m(MLXC_UINT8, V(1, 2), 2, D(2, 0)), 1),
        4, D(2, 0, 5, 3));
    expect(mlxe_take_along_axis(c, m(MLXC_FLOAT32, V(1, 3), 2, D(7, 8, 9)),
        at, -1), 4, D(9, 7, 9, 8));
    fails(mlxc_take_along_axis(&bad, count(V(2, 3, 4), 3),
        mlxe_zeros(c, V(2, 3, 4), 3, MLXC_INT32), -4, NULL), MLXC_ERR_INDEX,
        "take_along_axis");
    fails(mlxc_take_along_axis(&bad, a, ints(2, D(0, 0)), 0, NULL),
        MLXC_ERR_SHAPE, "take_along_axis");
}
END_TEST

static mlxc_array *gather(mlxc_array *a, mlxc_array *const *list, int n,
    const int *axes, const int64_t *sizes)
{
    mlxc_arrays *l;
    mlxc_array *r;
    ok(mlxc_arrays_from(&l, list, n));
    mlxc_status status = mlxc_gather(&r, a, l, axes, n, sizes,
        mlxc_array_ndim(a), NULL);
    mlxc_arrays_unref(l);
    return mlxc_scope_take(c, status, r);
}

START_TEST(test_gather_windows)
{
    mlxc_array *a = count(V(4, 5), 2), *bad;
    mlxc_array *list[2] = { m(MLXC_INT32, V(2, 1), 2, D(0, 2)),
        m(MLXC_UINT16, V(2), 1, D(3, 1)) };
    const int axes[2] = { 0, 1 };
    mlxc_array *r = gather(a, list, 2, axes, V(2, 2));
    assert_shape(r, 4, V(2, 2, 2, 2));
    expect(r, 16, D(3, 4, 8, 9, 1, 2, 6, 7, 13, 14, 18, 19, 11, 12, 16, 17));
    /* a window must fit as a whole */
    bad = gather(a, list, 2, axes, V(3, 2));
    ck_assert_ptr_nonnull(bad);
    fails(mlxc_eval(&bad, 1), MLXC_ERR_INDEX, "axis 0 of length 4");
    ck_assert_ptr_null(gather(a, list, 2, axes, V(5, 1)));
    teardown();
    setup();
    a = count(V(4, 5), 2);
    ck_assert_ptr_null(gather(a, (mlxc_array *const[]){ ints(1, D(0)),
        ints(1, D(0)) }, 2, (const int[]){ 1, 1 }, V(1, 1)));
    fails(mlxc_scope_status(c), MLXC_ERR_ARGUMENT, "repeated");
    teardown();
    setup();
    a = count(V(4, 5), 2);
    ck_assert_ptr_null(gather(a, (mlxc_array *const[]){
        mlxe_ones(c, V(1), 1, MLXC_BOOL) }, 1, axes, V(1, 1)));
    fails(mlxc_scope_status(c), MLXC_ERR_DTYPE, "gather");
}
END_TEST

/* ---- writing by index ---- */

static mlxc_array *scatter(mlxc_array *a, mlxc_array *at, mlxc_array *u,
    mlxc_scatter_mode mode)
{
    const int axis = 0;
    mlxc_arrays *l;
    mlxc_array *r;
    ok(mlxc_arrays_from(&l, &at, 1));
    mlxc_status status = mlxc_scatter(&r, a, l, u, &axis, 1, mode, NULL);
    mlxc_arrays_unref(l);
    return mlxc_scope_take(c, status, r);
}

/* Duplicates: the last wins, or all are combined. */
START_TEST(test_scatter_modes)
{
    static const double want[5][4] = { { 1, 7, 3, -2 }, { 1, 14, 3, 2 },
        { 1, 70, 3, -8 }, { 1, 7, 3, 4 }, { 1, 2, 3, -2 } };
    for (int d = 0; d < 4; d++) {
        const mlxc_dtype dtype[4] = { MLXC_FLOAT32, MLXC_INT8, MLXC_BFLOAT16,
            MLXC_INT64 };
        mlxc_array *a = mlxe_astype(c, f(4, D(1, 2, 3, 4)), dtype[d]);
        mlxc_array *at = ints(3, D(1, -1, -3));
        mlxc_array *u = m(MLXC_FLOAT32, V(3, 1), 2, D(5, -2, 7));
        for (int mode = 0; mode < 5; mode++)
            expect(scatter(a, at, u, (mlxc_scatter_mode)mode), 4,
                want[mode]);
        expect(a, 4, D(1, 2, 3, 4));
    }
}
END_TEST

START_TEST(test_scatter_windows)
{
    mlxc_array *a = mlxe_zeros(c, V(3, 4), 2, MLXC_FLOAT32);
    mlxc_array *at = ints(2, D(0, 1));
    mlxc_array *u = m(MLXC_FLOAT32, V(2, 2, 3), 3,
        D(1, 2, 3, 4, 5, 6, 1, 1, 1, 2, 2, 2));
    expect(scatter(a, at, u, MLXC_SCATTER_ADD), 12,
        D(1, 2, 3, 0, 5, 6, 7, 0, 2, 2, 2, 0));
    /* into a view, which is not changed itself */
    mlxc_array *b = count(V(4, 3), 2), *t = mlxe_transpose(c, b, NULL, 0);
    expect(scatter(t, at, u, MLXC_SCATTER_SET), 12,
        D(1, 2, 3, 9, 1, 1, 1, 10, 2, 2, 2, 11));
    expect(b, 12, D(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    /* a failed one writes nothing */
    mlxc_array *bad = scatter(a, ints(2, D(0, 2)), u, MLXC_SCATTER_SET);
    fails(mlxc_eval(&bad, 1), MLXC_ERR_INDEX, "index 2");
    expect(a, 12, D(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    ck_assert_ptr_null(scatter(a, at, mlxe_ones(c, V(2, 4, 3), 3,
        MLXC_FLOAT32), MLXC_SCATTER_SET));
    fails(mlxc_scope_status(c), MLXC_ERR_SHAPE, "scatter");
}
END_TEST

START_TEST(test_scatter_prod_of_nan)
{
    mlxc_array *a = mlxe_ones(c, V(1), 1, MLXC_FLOAT32);
    mlxc_array *u = m(MLXC_FLOAT32, V(2, 1), 2, D(NAN, 2));
    expect(scatter(a, ints(2, D(0, 0)), u, MLXC_SCATTER_PROD), 1, D(NAN));
}
END_TEST

/* Many updates of few places: the same whatever the number of threads, and
   equal to a sum in index order. */
START_TEST(test_scatter_add_in_index_order)
{
    const int64_t n = 100000;
    float *v = malloc((size_t)n * sizeof *v), want[7] = { 0 };
    int32_t *at = malloc((size_t)n * sizeof *at);
    for (int64_t i = 0; i < n; i++) {
        v[i] = 1.0f / (float)(i % 977 + 1);
        at[i] = (int32_t)(i * 31 % 7);
        want[at[i]] += v[i];
    }
    mlxc_array *u, *x;
    ok(mlxc_array_from_data(&u, v, &n, 1, MLXC_FLOAT32));
    ok(mlxc_array_from_data(&x, at, &n, 1, MLXC_INT32));
    mlxc_array *zero = mlxe_zeros(c, V(7), 1, MLXC_FLOAT32);
    double w[7];
    for (int i = 0; i < 7; i++)
        w[i] = want[i];
    expect(mlxe_put_add(c, zero, x, u, 0), 7, w);
    expect(scatter(zero, x, mlxe_reshape(c, u, V(n, 1), 2),
        MLXC_SCATTER_ADD), 7, w);
    mlxc_array_unref(u);
    mlxc_array_unref(x);
    free(v);
    free(at);
}
END_TEST

START_TEST(test_put_along_axis)
{
    mlxc_array *a = mlxe_zeros(c, V(2, 3), 2, MLXC_FLOAT32);
    mlxc_array *at = m(MLXC_INT32, V(2, 2), 2, D(0, 0, -1, 1));
    mlxc_array *v = m(MLXC_FLOAT32, V(2, 2), 2, D(1, 2, 3, 4));
    expect(mlxe_put_along_axis(c, a, at, v, 1), 6, D(2, 0, 0, 0, 4, 3));
    expect(mlxe_put_add(c, a, at, v, -1), 6, D(3, 0, 0, 0, 4, 3));
    expect(mlxe_put_along_axis(c, a, at, mlxe_scalar(c, 9, MLXC_INT64), 1),
        6, D(9, 0, 0, 0, 9, 9));
    /* every row of the array by one row of indices */
    expect(mlxe_put_add(c, a, m(MLXC_INT8, V(1, 2), 2, D(0, 2)),
        m(MLXC_FLOAT32, V(1, 2), 2, D(5, 6)), 1), 6, D(5, 0, 6, 5, 0, 6));
    mlxc_array *none = mlxe_zeros(c, V(2, 0), 2, MLXC_INT32);
    same(mlxe_put_add(c, a, none, mlxe_scalar(c, 1, MLXC_FLOAT32), 1), a);
}
END_TEST

START_TEST(test_masked_scatter)
{
    mlxc_array *a = count(V(2, 3), 2), *bad;
    mlxc_array *mask = m(MLXC_BOOL, V(2, 3), 2, D(0, 1, 1, 0, 0, 1));
    expect(mlxe_masked_scatter(c, a, mask, ints(4, D(10, 20, 30, 40))), 6,
        D(0, 10, 20, 3, 4, 30));
    expect(mlxe_masked_scatter(c, a, mask, mlxe_scalar(c, -1, MLXC_FLOAT32)),
        6, D(0, -1, -1, 3, 4, -1));
    mlxc_array *row = m(MLXC_BOOL, V(2), 1, D(0, 1));
    expect(mlxe_masked_scatter(c, a, row, m(MLXC_FLOAT32, V(1, 3), 2,
        D(7, 8, 9))), 6, D(0, 1, 2, 7, 8, 9));
    expect(mlxe_masked_scatter(c, a, row, f(1, D(7))), 6,
        D(0, 1, 2, 7, 7, 7));
    mlxc_array *no = mlxe_zeros(c, V(2, 3), 2, MLXC_BOOL);
    mlxc_array *none = mlxe_zeros(c, V(0), 1, MLXC_FLOAT32);
    same(mlxe_masked_scatter(c, a, no, none), a);
    ok(mlxc_masked_scatter(&bad, a, mask, none, NULL));
    fails(mlxc_eval(&bad, 1), MLXC_ERR_INDEX, "out of range");
    mlxc_array_unref(bad);
    ok(mlxc_masked_scatter(&bad, a, mask, f(2, D(1, 2)), NULL));
    fails(mlxc_eval(&bad, 1), MLXC_ERR_INDEX, "out of range");
    mlxc_array_unref(bad);
    fails(mlxc_masked_scatter(&bad, a, a, none, NULL), MLXC_ERR_DTYPE,
        "masked_scatter");
    fails(mlxc_masked_scatter(&bad, a, mlxe_transpose(c, mask, NULL, 0),
        none, NULL), MLXC_ERR_SHAPE, "masked_scatter");
}
END_TEST

/* ---- through transformations ---- */

static mlxc_status update_middle(mlxc_arrays *out, mlxc_arrays *in,
    void *payload)
{
    mlxc_array *r;
    ok(mlxc_slice_update(&r, payload, mlxc_arrays_get(in, 0), V(1), V(3),
        NULL, 1, NULL));
    return mlxc_arrays_push_take(out, r);
}

/* Only the update has a tangent. */
START_TEST(test_slice_update_jvp_of_update_alone)
{
    mlxc_array *a = f(4, D(1, 2, 3, 4)), *u = f(2, D(5, 6));
    mlxc_array *tangent = f(2, D(7, 8));
    mlxc_function *fn;
    mlxc_arrays *x, *t, *y, *ty;
    ok(mlxc_function_new(&fn, update_middle, a, NULL));
    ok(mlxc_arrays_from(&x, &u, 1));
    ok(mlxc_arrays_from(&t, &tangent, 1));
    ok(mlxc_jvp(&y, &ty, fn, x, t));
    assert_values(mlxc_arrays_get(ty, 0), 4, D(0, 7, 8, 0), 0);
    mlxc_function_unref(fn);
    mlxc_arrays_unref(x);
    mlxc_arrays_unref(t);
    mlxc_arrays_unref(y);
    mlxc_arrays_unref(ty);
}
END_TEST

static mlxc_status take_of(mlxc_arrays *out, mlxc_arrays *in, void *payload)
{
    mlxc_array *r;
    ok(mlxc_take_along_axis(&r, payload, mlxc_arrays_get(in, 0), 0, NULL));
    return mlxc_arrays_push_take(out, r);
}

/* The array is not mapped, the indices are. */
START_TEST(test_take_along_axis_mapped_indices)
{
    const int axis = 0;
    mlxc_array *a = count(V(4, 5, 3), 3);
    mlxc_array *at = mlxe_zeros(c, V(2, 2, 1, 3), 4, MLXC_INT32);
    mlxc_function *fn, *v;
    mlxc_arrays *x, *y;
    ok(mlxc_function_new(&fn, take_of, a, NULL));
    ok(mlxc_vmap(&v, fn, &axis, 1, &axis, 1));
    ok(mlxc_arrays_from(&x, &at, 1));
    ok(mlxc_function_call(&y, v, x));
    mlxc_array *first = mlxe_slice(c, a, V(0, 0, 0), V(1, 5, 3), NULL, 3);
    same(mlxc_arrays_get(y, 0), mlxe_broadcast_to(c, first, V(2, 2, 5, 3),
        4));
    mlxc_function_unref(fn);
    mlxc_function_unref(v);
    mlxc_arrays_unref(x);
    mlxc_arrays_unref(y);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("index");
    TCase *t = tcase_create("index");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_concatenate);
    tcase_add_test(t, test_split_and_unstack);
    tcase_add_test(t, test_repeat_and_tile);
    tcase_add_test(t, test_roll);
    tcase_add_test(t, test_pad_modes);
    tcase_add_test(t, test_slice_update_modes);
    tcase_add_test(t, test_updates_donate);
    tcase_add_test(t, test_dynamic_slice);
    tcase_add_test(t, test_dynamic_update);
    tcase_add_test(t, test_take);
    tcase_add_test(t, test_indices_are_checked);
    tcase_add_test(t, test_take_layouts);
    tcase_add_test(t, test_take_along_axis);
    tcase_add_test(t, test_gather_windows);
    tcase_add_test(t, test_scatter_modes);
    tcase_add_test(t, test_scatter_windows);
    tcase_add_test(t, test_scatter_prod_of_nan);
    tcase_add_test(t, test_scatter_add_in_index_order);
    tcase_add_test(t, test_put_along_axis);
    tcase_add_test(t, test_masked_scatter);
    tcase_add_test(t, test_slice_update_jvp_of_update_alone);
    tcase_add_test(t, test_take_along_axis_mapped_indices);
    suite_add_tcase(s, t);
    return run_suite(s);
}
