/* SPDX-License-Identifier: MIT */
/* Sorting, partitions, searching. */
#include <math.h>
#include <string.h>

#include <mlxc/expr.h>

#include "support.h"

static const mlxc_dtype dtypes[] = { MLXC_BOOL, MLXC_UINT8, MLXC_UINT16,
    MLXC_UINT32, MLXC_UINT64, MLXC_INT8, MLXC_INT16, MLXC_INT32, MLXC_INT64,
    MLXC_FLOAT16, MLXC_BFLOAT16, MLXC_FLOAT32, MLXC_FLOAT64,
    MLXC_COMPLEX64 };
#define NDTYPES ((int)(sizeof dtypes / sizeof *dtypes))

/* Merged, narrow and wide digits, shared by the pool. */
static const int64_t lengths[] = { 0, 1, 2, 16, 17, 33, 255, 256, 257, 5000,
    8192, 66000, 200001 };
#define NLENGTHS ((int)(sizeof lengths / sizeof *lengths))

/* Numbers with many equals, NaN, infinities and zeros of both signs. */
static mlxc_array *numbers(mlxc_dtype d, const int64_t *shape, int ndim,
    int few)
{
    int64_t n = 1;
    for (int i = 0; i < ndim; i++)
        n *= shape[i];
    double *v = malloc((size_t)n * sizeof *v + 1);
    uint64_t s = 42;
    int whole = !mlxc_dtype_is_float(d) && !mlxc_dtype_is_complex(d);
    for (int64_t i = 0; i < n; i++) {
        s = s * 6364136223846793005u + 1442695040888963407u;
        double x = (double)(s >> 33);
        v[i] = few ? fmod(x, 7) - 3 : x / 1024 - 4e5;
        if (whole)
            v[i] = few ? fmod(x, 7) : fmod(x, 120);
        else if ((s >> 40) % 11 == 0)
            v[i] = (s >> 50) % 4 == 0 ? NAN : (s >> 50) % 4 == 1 ? -INFINITY
                : (s >> 50) % 4 == 2 ? -0.0 : 0.0;
    }
    mlxc_array *a = make(d, shape, ndim, v);
    free(v);
    return a;
}

static int after(double x, double y)
{
    return isnan(y) ? 0 : isnan(x) ? 1 : x > y;
}

/* `at` is the stable order of the n values v. */
static void check_order(const double *v, const double *at, int64_t n)
{
    unsigned char *seen = calloc((size_t)n + 1, 1);
    for (int64_t i = 0; i < n; i++) {
        int64_t p = (int64_t)at[i];
        if (p < 0 || p >= n || seen[p])
            ck_abort_msg("position %lld", (long long)p);
        seen[p] = 1;
        if (i == 0)
            continue;
        int64_t q = (int64_t)at[i - 1];
        if (after(v[q], v[p]))
            ck_abort_msg("%g before %g", v[q], v[p]);
        if (!after(v[p], v[q]) && q >= p)
            ck_abort_msg("equal elements changed places");
    }
    free(seen);
}

/* The bits of two arrays. */
static void same_bits(mlxc_array *a, mlxc_array *b)
{
    size_t n = mlxc_array_nbytes(a);
    char *p = malloc(n + 1), *q = malloc(n + 1);
    ck_assert(n == mlxc_array_nbytes(b));
    ok(mlxc_array_copy_out(a, p, n));
    ok(mlxc_array_copy_out(b, q, n));
    ck_assert(memcmp(p, q, n) == 0);
    free(p);
    free(q);
}

static void check(mlxc_dtype d, int64_t n, int few)
{
    mlxc_array *a = numbers(d, &n, 1, few), *sorted, *at, *taken;
    ok(mlxc_sort(&sorted, a, 0, NULL));
    ok(mlxc_argsort(&at, a, -1, NULL));
    ck_assert_int_eq(mlxc_array_dtype(at), MLXC_UINT32);
    ck_assert_int_eq(mlxc_array_dtype(sorted), d);
    double *v = values_of(a), *p = values_of(at);
    check_order(v, p, n);
    free(v);
    free(p);
    ok(mlxc_take(&taken, a, at, 0, NULL));
    same_bits(sorted, taken);
    mlxc_array_unref(a);
    mlxc_array_unref(at);
    mlxc_array_unref(sorted);
    mlxc_array_unref(taken);
}

START_TEST(test_sort_all_dtypes_and_lengths)
{
    for (int k = 0; k < NLENGTHS; k++) {
        check(dtypes[_i], lengths[k], 0);
        check(dtypes[_i], lengths[k], 1);
    }
}
END_TEST

/* Every axis of a batch, and of a view, equals row after row. */
START_TEST(test_sort_axes_and_layouts)
{
    const int64_t shape[3] = { 6, 40, 300 };
    mlxc_scope *c;
    ok(mlxc_scope_new(&c, NULL));
    mlxc_array *a = mlxc_scope_take(c, MLXC_OK,
        numbers(MLXC_FLOAT32, shape, 3, 0));
    const int64_t from[3] = { 5, 1, 299 }, to[3] = { -7, 40, -301 };
    const int64_t step[3] = { -1, 3, -2 };
    mlxc_array *in[3] = { a, mlxe_transpose(c, a, NULL, 0),
        mlxe_slice(c, a, from, to, step, 3) };
    for (int k = 0; k < 3; k++) {
        for (int axis = 0; axis < 3; axis++) {
            mlxc_array *s = mlxe_sort(c, in[k], axis);
            mlxc_array *at = mlxe_argsort(c, in[k], axis - 3);
            mlxc_array *t = mlxe_take_along_axis(c, in[k], at, axis);
            ok(mlxc_scope_status(c));
            same_bits(s, t);
            /* rows by themselves */
            mlxc_array *row = mlxe_moveaxis(c, in[k], axis, 2);
            mlxc_array *srow = mlxe_moveaxis(c, s, axis, 2);
            int64_t n = mlxc_array_dim(row, 2);
            const int64_t b[3] = { 2, 5, 0 }, e[3] = { 3, 6, n };
            const int64_t flat = -1;
            row = mlxe_reshape(c, mlxe_slice(c, row, b, e, NULL, 3), &flat,
                1);
            srow = mlxe_reshape(c, mlxe_slice(c, srow, b, e, NULL, 3), &flat,
                1);
            row = mlxe_sort(c, row, 0);
            ok(mlxc_scope_status(c));
            same_bits(row, srow);
        }
    }
    mlxc_scope_free(c);
}
END_TEST

START_TEST(test_sort_extreme_integers)
{
    const int64_t n = 4;
    const int64_t v[4] = { 0, INT64_MAX, INT64_MIN, -1 };
    const int64_t sorted[4] = { INT64_MIN, -1, 0, INT64_MAX };
    const uint64_t u[4] = { UINT64_MAX, 1, UINT64_C(1) << 63, 0 };
    const uint64_t usorted[4] = { 0, 1, UINT64_C(1) << 63, UINT64_MAX };
    int64_t got[4];
    mlxc_array *a, *b;
    ok(mlxc_array_from_data(&a, v, &n, 1, MLXC_INT64));
    ok(mlxc_sort(&b, a, 0, NULL));
    ok(mlxc_array_copy_out(b, got, sizeof got));
    ck_assert(memcmp(got, sorted, sizeof got) == 0);
    mlxc_array_unref(a);
    mlxc_array_unref(b);
    ok(mlxc_array_from_data(&a, u, &n, 1, MLXC_UINT64));
    ok(mlxc_sort(&b, a, 0, NULL));
    ok(mlxc_array_copy_out(b, got, sizeof got));
    ck_assert(memcmp(got, usorted, sizeof got) == 0);
    mlxc_array_unref(a);
    mlxc_array_unref(b);
}
END_TEST

START_TEST(test_sort_zeros_and_nan_keep_their_bits)
{
    const int64_t n = 7;
    const uint32_t v[7] = { 0xffc00001, 0x80000000, 0x7fc00002, 0,
        0x80000000, 0xbf800000, 0x3f800000 };
    const uint32_t sorted[7] = { 0xbf800000, 0x80000000, 0, 0x80000000,
        0x3f800000, 0xffc00001, 0x7fc00002 };
    uint32_t got[7];
    mlxc_array *a, *b;
    ok(mlxc_array_from_data(&a, v, &n, 1, MLXC_FLOAT32));
    ok(mlxc_sort(&b, a, 0, NULL));
    ok(mlxc_array_copy_out(b, got, sizeof got));
    ck_assert(memcmp(got, sorted, sizeof got) == 0);
    mlxc_array_unref(a);
    mlxc_array_unref(b);
}
END_TEST

START_TEST(test_sort_complex_by_parts)
{
    const int64_t n = 6;
    const mlxc_complex64 v[6] = { { 1, 2 }, { 1, -2 }, { NAN, 0 }, { -3, 9 },
        { 0, NAN }, { 1, -2 } };
    const double order[6] = { 3, 1, 5, 0, 2, 4 };
    mlxc_array *a, *b;
    ok(mlxc_array_from_data(&a, v, &n, 1, MLXC_COMPLEX64));
    ok(mlxc_argsort(&b, a, 0, NULL));
    assert_values(b, 6, order, 0);
    mlxc_array_unref(a);
    mlxc_array_unref(b);
}
END_TEST

/* The guarantee of a partition and no more. */
START_TEST(test_partition_puts_kth_in_place)
{
    const int64_t shape[2] = { 5, 1000 };
    mlxc_array *a = numbers(MLXC_FLOAT32, shape, 2, 1), *p, *at, *sorted, *t;
    const int64_t kths[4] = { 0, 123, -1, -400 };
    ok(mlxc_sort(&sorted, a, 1, NULL));
    double *s = values_of(sorted);
    for (int k = 0; k < 4; k++) {
        ok(mlxc_partition(&p, a, kths[k], 1, NULL));
        ok(mlxc_argpartition(&at, a, kths[k], 1, NULL));
        ok(mlxc_take_along_axis(&t, a, at, 1, NULL));
        double *v = values_of(p), *w = values_of(t);
        int64_t kth = kths[k] < 0 ? kths[k] + 1000 : kths[k];
        for (int r = 0; r < 5; r++) {
            double x = v[r * 1000 + kth];
            ck_assert(x == s[r * 1000 + kth] || isnan(x));
            ck_assert(x == w[r * 1000 + kth] || isnan(x));
            for (int64_t i = 0; i < 1000; i++) {
                double y = v[r * 1000 + i];
                if (i < kth ? after(y, x) : after(x, y))
                    ck_abort_msg("%g is on the wrong side of %g", y, x);
            }
        }
        free(v);
        free(w);
        mlxc_array_unref(p);
        mlxc_array_unref(at);
        mlxc_array_unref(t);
    }
    free(s);
    mlxc_array_unref(a);
    mlxc_array_unref(sorted);
}
END_TEST

START_TEST(test_topk)
{
    const double v[6] = { 3, 9, 1, 7, 8, 2 };
    const int64_t shape[2] = { 3, 2 }, two[2] = { 2, 2 }, none[2] = { 3, 0 };
    mlxc_array *a = make(MLXC_INT32, shape, 2, v), *b, *c;
    /* columns (3, 1, 8) and (9, 7, 2) */
    ok(mlxc_topk(&b, a, 2, 0, NULL));
    assert_shape(b, 2, two);
    ok(mlxc_sort(&c, b, 0, NULL));
    const double columns[4] = { 3, 7, 8, 9 };
    assert_values(c, 4, columns, 0);
    mlxc_array_unref(b);
    mlxc_array_unref(c);
    ok(mlxc_topk(&b, a, 0, 1, NULL));
    assert_shape(b, 2, none);
    mlxc_array_unref(b);
    ok(mlxc_topk(&b, a, 2, 1, NULL));
    assert_shape(b, 2, shape);
    mlxc_array_unref(b);
    fails(mlxc_topk(&b, a, 3, 1, NULL), MLXC_ERR_ARGUMENT, "topk");
    fails(mlxc_topk(&b, a, -1, 1, NULL), MLXC_ERR_ARGUMENT, "topk");
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_searchsorted_sides)
{
    const double seq[6] = { 1, 2, 2, 4, NAN, NAN };
    const double at[6] = { 0, 2, 3, 9, NAN, -0.0 };
    const double left[6] = { 0, 1, 3, 4, 4, 0 };
    const double right[6] = { 0, 3, 3, 4, 6, 0 };
    const int64_t shape[2] = { 3, 2 };
    mlxc_array *s = vec(MLXC_FLOAT32, 6, seq);
    mlxc_array *v = make(MLXC_FLOAT64, shape, 2, at), *r;
    ok(mlxc_searchsorted(&r, s, v, false, NULL));
    assert_shape(r, 2, shape);
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_UINT32);
    assert_values(r, 6, left, 0);
    mlxc_array_unref(r);
    ok(mlxc_searchsorted(&r, s, v, true, NULL));
    assert_values(r, 6, right, 0);
    mlxc_array_unref(r);
    fails(mlxc_searchsorted(&r, v, s, true, NULL), MLXC_ERR_SHAPE,
        "searchsorted");
    mlxc_array_unref(s);
    mlxc_array_unref(v);
}
END_TEST

/* A long sequence with few values is searched as it is; -1 < 1 across
   signed and unsigned. */
START_TEST(test_searchsorted_long_and_mixed)
{
    const double at[3] = { -5, 70000, 1e9 };
    const double want[3] = { 0, 35000, 100000 };
    const double u[2] = { 1, 3 }, i[2] = { -1, 2 }, mixed[2] = { 0, 1 };
    mlxc_array *s, *v = vec(MLXC_INT32, 3, at), *r;
    ok(mlxc_arange(&s, 0, 200000, 2, MLXC_INT32, NULL));
    ok(mlxc_searchsorted(&r, s, v, false, NULL));
    assert_values(r, 3, want, 0);
    mlxc_array_unref(r);
    mlxc_array_unref(s);
    mlxc_array_unref(v);
    s = vec(MLXC_UINT8, 2, u);
    v = vec(MLXC_INT8, 2, i);
    ok(mlxc_searchsorted(&r, s, v, false, NULL));
    assert_values(r, 2, mixed, 0);
    mlxc_array_unref(r);
    mlxc_array_unref(s);
    mlxc_array_unref(v);
}
END_TEST

static mlxc_status sort_of(mlxc_arrays *out, mlxc_arrays *in, void *payload)
{
    mlxc_array *r;
    (void)payload;
    ok(mlxc_sort(&r, mlxc_arrays_get(in, 0), -1, NULL));
    return mlxc_arrays_push_take(out, r);
}

static mlxc_status partition_of(mlxc_arrays *out, mlxc_arrays *in,
    void *payload)
{
    mlxc_array *r;
    (void)payload;
    ok(mlxc_partition(&r, mlxc_arrays_get(in, 0), 0, -1, NULL));
    return mlxc_arrays_push_take(out, r);
}

/* The cotangent goes back to where each element came from. */
START_TEST(test_sort_gradient_scatters)
{
    const double v[5] = { 3, 1, 2, 5, 4 }, g[5] = { 10, 20, 30, 40, 50 };
    const double want[5] = { 30, 10, 20, 50, 40 };
    mlxc_array *a = vec(MLXC_FLOAT32, 5, v), *b = vec(MLXC_FLOAT32, 5, g);
    mlxc_arrays *x, *t, *y, *gx;
    mlxc_function *f;
    ok(mlxc_arrays_from(&x, &a, 1));
    ok(mlxc_arrays_from(&t, &b, 1));
    ok(mlxc_function_new(&f, sort_of, NULL, NULL));
    ok(mlxc_vjp(&y, &gx, f, x, t));
    assert_values(mlxc_arrays_get(gx, 0), 5, want, 0);
    mlxc_function_unref(f);
    mlxc_arrays_unref(x);
    mlxc_arrays_unref(t);
    mlxc_arrays_unref(y);
    mlxc_arrays_unref(gx);
    mlxc_array_unref(a);
    mlxc_array_unref(b);
}
END_TEST

START_TEST(test_partition_under_vmap_keeps_kth)
{
    const double v[6] = { 3, 1, 2, 9, 8, 7 };
    const int64_t shape[2] = { 2, 3 };
    const int axis = 0;
    mlxc_array *a = make(MLXC_FLOAT32, shape, 2, v);
    mlxc_arrays *x, *y;
    mlxc_function *f, *m;
    ok(mlxc_arrays_from(&x, &a, 1));
    ok(mlxc_function_new(&f, partition_of, NULL, NULL));
    ok(mlxc_vmap(&m, f, &axis, 1, &axis, 1));
    ok(mlxc_function_call(&y, m, x));
    double *got = values_of(mlxc_arrays_get(y, 0));
    ck_assert(got[0] == 1 && got[3] == 7);
    free(got);
    mlxc_function_unref(f);
    mlxc_function_unref(m);
    mlxc_arrays_unref(x);
    mlxc_arrays_unref(y);
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_sort_errors)
{
    const int64_t shape[2] = { 0, 3 };
    mlxc_array *a, *b, *s;
    ok(mlxc_zeros(&a, shape, 2, MLXC_FLOAT32, NULL));
    ok(mlxc_array_from_double(&s, 1, MLXC_FLOAT32));
    fails(mlxc_sort(&b, a, 2, NULL), MLXC_ERR_INDEX, "sort");
    ck_assert_ptr_null(b);
    fails(mlxc_sort(&b, s, 0, NULL), MLXC_ERR_INDEX, "sort");
    fails(mlxc_argsort(&b, NULL, 0, NULL), MLXC_ERR_ARGUMENT, "argsort");
    fails(mlxc_partition(&b, a, 3, 1, NULL), MLXC_ERR_INDEX, "3");
    fails(mlxc_argpartition(&b, a, -4, 1, NULL), MLXC_ERR_INDEX, "-4");
    fails(mlxc_partition(&b, a, 0, 0, NULL), MLXC_ERR_INDEX, "partition");
    for (int axis = 0; axis < 2; axis++) {
        ok(mlxc_sort(&b, a, axis, NULL));
        ok(mlxc_eval(&b, 1));
        assert_shape(b, 2, shape);
        mlxc_array_unref(b);
    }
    mlxc_array_unref(a);
    mlxc_array_unref(s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sort");
    TCase *t = tcase_create("sort");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, test_sort_all_dtypes_and_lengths, 0, NDTYPES);
    tcase_add_test(t, test_sort_axes_and_layouts);
    tcase_add_test(t, test_sort_extreme_integers);
    tcase_add_test(t, test_sort_zeros_and_nan_keep_their_bits);
    tcase_add_test(t, test_sort_complex_by_parts);
    tcase_add_test(t, test_partition_puts_kth_in_place);
    tcase_add_test(t, test_topk);
    tcase_add_test(t, test_searchsorted_sides);
    tcase_add_test(t, test_searchsorted_long_and_mixed);
    tcase_add_test(t, test_sort_gradient_scatters);
    tcase_add_test(t, test_partition_under_vmap_keeps_kth);
    tcase_add_test(t, test_sort_errors);
    suite_add_tcase(s, t);
    return run_suite(s);
}
