/* SPDX-License-Identifier: MIT */
/* Reductions and positions of extremes: values by definition over layouts and
   sizes that take every walk, dtypes, NaN, nothing at all, errors. */
#include <math.h>
#include <string.h>

#include <mlxc/expr.h>

#include "support.h"

#define N_KINDS 8
enum kind { SUM, PROD, MAX, MIN, ALL, ANY, MEAN, VAR };

typedef mlxc_status reduce_fn(mlxc_array **out, mlxc_array *a,
    const int *axes, int naxes, bool keepdims, mlxc_stream *s);

static mlxc_status var0(mlxc_array **out, mlxc_array *a, const int *axes,
    int naxes, bool keepdims, mlxc_stream *s)
{
    return mlxc_var(out, a, axes, naxes, keepdims, 0, s);
}

static reduce_fn *const functions[N_KINDS] = { mlxc_sum, mlxc_prod, mlxc_max,
    mlxc_min, mlxc_all, mlxc_any, mlxc_mean, var0 };

/* By definition, in double: `v` of `shape`, axes with a bit in `mask`. */
static double *by_definition(enum kind kind, const double *v,
    const int64_t *shape, int ndim, unsigned mask, int *n_out)
{
    int64_t n = 1, kept = 1, folded;
    for (int d = 0; d < ndim; d++) {
        n *= shape[d];
        kept *= mask >> d & 1 ? 1 : shape[d];
    }
    folded = kept ? n / kept : 0;
    double *r = malloc((size_t)kept * sizeof *r + 1);
    double *mean = calloc((size_t)kept + 1, sizeof *mean);
    for (int64_t i = 0; i < kept; i++)
        r[i] = kind == PROD || kind == ALL ? 1 : kind == MAX ? -INFINITY
            : kind == MIN ? INFINITY : 0;
    for (int pass = kind == VAR ? 0 : 1; pass < 2; pass++) {
        for (int64_t i = 0; i < n; i++) {
            int64_t at = 0, rest = i, step = 1;
            for (int d = ndim - 1; d >= 0; d--) {
                if (!(mask >> d & 1)) {
                    at += rest % shape[d] * step;
                    step *= shape[d];
                }
                rest /= shape[d];
            }
            double x = v[i], *y = &r[at];
            if (pass == 0) {
                mean[at] += x / (double)folded;
                continue;
            }
            switch (kind) {
            case SUM: *y += x; break;
            case PROD: *y *= x; break;
            case MAX: *y = x > *y || x != x ? x : *y; break;
            case MIN: *y = x < *y || x != x ? x : *y; break;
            case ALL: *y = *y != 0 && x != 0; break;
            case ANY: *y = *y != 0 || x != 0; break;
            case MEAN: *y += x / (double)folded; break;
            case VAR: *y += (x - mean[at]) * (x - mean[at]) /
                (double)folded; break;
            }
        }
    }
    free(mean);
    *n_out = (int)kept;
    return r;
}

static void check_all_kinds(mlxc_array *a, unsigned mask, double bound)
{
    int axes[8], naxes = 0, n, ndim = mlxc_array_ndim(a);
    double *v = values_of(a);
    for (int d = 0; d < ndim; d++) {
        if (mask >> d & 1) /* from the end, in falling order */
            axes[naxes++] = d % 2 ? d : d - ndim;
    }
    for (int k = 0; k < N_KINDS; k++) {
        mlxc_array *r;
        double *want = by_definition((enum kind)k, v, mlxc_array_shape(a),
            ndim, mask, &n);
        ok(functions[k](&r, a, axes, naxes, k % 2, NULL));
        ck_assert_int_eq(mlxc_array_ndim(r), k % 2 ? ndim : ndim - naxes);
        assert_values(r, n, want, bound);
        free(want);
        mlxc_array_unref(r);
    }
    free(v);
}

/* The same elements behind other strides. */
static mlxc_array *layout(mlxc_array *a, int which)
{
    const int swap[] = { 2, 0, 1 };
    const int64_t start[] = { 4, 1, 0 }, stop[] = { -6, 7, 9 };
    const int64_t step[] = { -2, 2, 3 }, wide[] = { 4, 5, 7, 9 };
    mlxc_array *out = NULL;
    switch (which) {
    case 0: return mlxc_array_ref(a);
    case 1: ok(mlxc_transpose(&out, a, swap, 3, NULL)); break;
    case 2: ok(mlxc_transpose(&out, a, NULL, 0, NULL)); break;
    case 3: ok(mlxc_slice(&out, a, start, stop, step, 3, NULL)); break;
    case 4: ok(mlxc_flip(&out, a, NULL, 0, NULL)); break;
    case 5: ok(mlxc_broadcast_to(&out, a, wide, 4, NULL)); break;
    }
    return out;
}

START_TEST(test_reductions_over_layouts)
{
    const int64_t shape[] = { 5, 7, 9 };
    mlxc_array *a = spread(MLXC_FLOAT64, shape, 3, -1.5, 1.5, 3);
    mlxc_array *b = layout(a, _i);
    ok(mlxc_eval(&b, 1));
    for (unsigned mask = 0; mask < 1u << mlxc_array_ndim(b); mask++)
        check_all_kinds(b, mask, 1e-12);
    mlxc_array_unref(a);
    mlxc_array_unref(b);
}
END_TEST

/* Sizes that are cut into chunks of runs, of rows and of columns. */
START_TEST(test_reductions_of_large_arrays)
{
    static const int64_t shapes[][3] = { { 1, 3, 70001 }, { 1, 1500, 17 },
        { 1, 600, 2100 }, { 3, 530, 40 }, { 2, 90000, 1 } };
    mlxc_array *a =
        spread(MLXC_FLOAT32, shapes[_i], 3, 0.9999, 1.0001, 5);
    check_all_kinds(a, 1 << 1, 1e-6);
    check_all_kinds(a, 1 << 2, 1e-6);
    check_all_kinds(a, 3 << 1, 1e-6);
    check_all_kinds(a, 7, 1e-6);
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_sum_dtypes)
{
    static const struct { mlxc_dtype in, out; } cases[] = {
        { MLXC_BOOL, MLXC_INT32 }, { MLXC_INT8, MLXC_INT32 },
        { MLXC_INT16, MLXC_INT32 }, { MLXC_INT32, MLXC_INT32 },
        { MLXC_INT64, MLXC_INT64 }, { MLXC_UINT8, MLXC_UINT32 },
        { MLXC_UINT16, MLXC_UINT32 }, { MLXC_UINT32, MLXC_UINT32 },
        { MLXC_UINT64, MLXC_UINT64 }, { MLXC_FLOAT16, MLXC_FLOAT16 },
        { MLXC_BFLOAT16, MLXC_BFLOAT16 }, { MLXC_FLOAT32, MLXC_FLOAT32 },
        { MLXC_FLOAT64, MLXC_FLOAT64 }, { MLXC_COMPLEX64, MLXC_COMPLEX64 },
    };
    const double v[] = { 1, 0, 1, 1 }, three[] = { 3 }, zero[] = { 0 };
    const double one[] = { 1 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mlxc_array *a = vec(cases[i].in, 4, v), *r;
        ok(mlxc_sum(&r, a, NULL, 0, false, NULL));
        ck_assert_int_eq(mlxc_array_dtype(r), cases[i].out);
        assert_values(r, 1, three, 0);
        mlxc_array_unref(r);
        ok(mlxc_prod(&r, a, NULL, 0, false, NULL));
        ck_assert_int_eq(mlxc_array_dtype(r), cases[i].out);
        assert_values(r, 1, zero, 0);
        mlxc_array_unref(r);
        ok(mlxc_max(&r, a, NULL, 0, false, NULL));
        ck_assert_int_eq(mlxc_array_dtype(r), cases[i].in);
        assert_values(r, 1, one, 0);
        mlxc_array_unref(r);
        ok(mlxc_any(&r, a, NULL, 0, false, NULL));
        ck_assert_int_eq(mlxc_array_dtype(r), MLXC_BOOL);
        assert_values(r, 1, one, 0);
        mlxc_array_unref(r);
        mlxc_array_unref(a);
    }
}
END_TEST

START_TEST(test_sum_wraps_and_widens)
{
    const double v[] = { 200, 100, 255 }, sum[] = { 555 };
    const double big[] = { 2147483647, 1 }, wrapped[] = { -2147483648.0 };
    mlxc_array *a = vec(MLXC_UINT8, 3, v), *r;
    ok(mlxc_sum(&r, a, NULL, 0, false, NULL));
    assert_values(r, 1, sum, 0);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
    a = vec(MLXC_INT32, 2, big);
    ok(mlxc_sum(&r, a, NULL, 0, false, NULL));
    assert_values(r, 1, wrapped, 0);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_axes_none_all_and_scalar)
{
    const double v[] = { 1, 2, 3, 4 }, ten[] = { 10 };
    const int64_t shape[] = { 2, 2 }, ones[] = { 1, 1 };
    const int none[1] = { 0 };
    mlxc_array *a = make(MLXC_FLOAT32, shape, 2, v), *r, *s;
    ok(mlxc_sum(&r, a, none, 0, false, NULL));
    assert_shape(r, 2, shape);
    assert_values(r, 4, v, 0);
    mlxc_array_unref(r);
    ok(mlxc_sum(&r, a, NULL, 0, true, NULL));
    assert_shape(r, 2, ones);
    assert_values(r, 1, ten, 0);
    mlxc_array_unref(r);
    ok(mlxc_array_from_double(&s, 10, MLXC_FLOAT32));
    ok(mlxc_sum(&r, s, NULL, 0, true, NULL));
    assert_shape(r, 0, NULL);
    assert_values(r, 1, ten, 0);
    mlxc_array_unref(r);
    mlxc_array_unref(s);
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_reduction_errors)
{
    const double v[] = { 1, 2, 3, 4 };
    const int64_t shape[] = { 2, 2 };
    const int twice[] = { 0, -2 }, far[] = { 2 }, back[] = { -3 };
    mlxc_array *a = make(MLXC_FLOAT32, shape, 2, v), *r;
    fails(mlxc_sum(&r, a, twice, 2, false, NULL), MLXC_ERR_ARGUMENT,
        "sum");
    ck_assert_ptr_null(r);
    fails(mlxc_max(&r, a, far, 1, false, NULL), MLXC_ERR_INDEX, "max");
    fails(mlxc_var(&r, a, back, 1, false, 0, NULL), MLXC_ERR_INDEX, "var");
    fails(mlxc_argmax(&r, a, -3, false, NULL), MLXC_ERR_INDEX, "argmax");
    fails(mlxc_sum(&r, NULL, NULL, 0, false, NULL), MLXC_ERR_ARGUMENT,
        "sum");
    mlxc_array_unref(a);
}
END_TEST

/* What no element gives; pitfall 14. */
START_TEST(test_reductions_of_nothing)
{
    const int64_t shape[] = { 0, 2 }, zero = 0, two = 2;
    const int first[] = { 0 }, second[] = { -1 };
    const double zeros[] = { 0, 0 }, ones[] = { 1, 1 };
    const double nans[] = { NAN, NAN };
    mlxc_array *a = make(MLXC_FLOAT32, shape, 2, NULL), *r;
    for (int k = 0; k < N_KINDS; k++) {
        ok(functions[k](&r, a, second, 1, false, NULL));
        assert_shape(r, 1, &zero);
        mlxc_array_unref(r);
        if (k == MAX || k == MIN) {
            fails(functions[k](&r, a, first, 1, false, NULL),
                MLXC_ERR_SHAPE, "(0,2)");
            continue;
        }
        ok(functions[k](&r, a, first, 1, false, NULL));
        assert_shape(r, 1, &two);
        assert_values(r, 2, k == PROD || k == ALL ? ones
            : k == MEAN || k == VAR ? nans : zeros, 0);
        mlxc_array_unref(r);
    }
    fails(mlxc_argmin(&r, a, 0, false, NULL), MLXC_ERR_SHAPE, "argmin");
    ok(mlxc_argmin(&r, a, 1, false, NULL));
    assert_shape(r, 1, &zero);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
}
END_TEST

/* NaN anywhere, at every length around the kernels' lanes. */
START_TEST(test_nan_wins)
{
    static const mlxc_dtype dtypes[] = { MLXC_FLOAT16, MLXC_BFLOAT16,
        MLXC_FLOAT32, MLXC_FLOAT64 };
    double v[200], nan[] = { NAN };
    for (int n = 1; n < 200; n += n < 70 ? 1 : 37) {
        for (int at = 0; at < n; at += 1 + n / 7) {
            for (int i = 0; i < n; i++)
                v[i] = i == at || i == at + 3 ? (double)NAN : i % 5;
            mlxc_array *a = vec(dtypes[n % 4], n, v), *r;
            double where[] = { at };
            ok(mlxc_max(&r, a, NULL, 0, false, NULL));
            assert_values(r, 1, nan, 0);
            mlxc_array_unref(r);
            ok(mlxc_min(&r, a, NULL, 0, false, NULL));
            assert_values(r, 1, nan, 0);
            mlxc_array_unref(r);
            ok(mlxc_argmax(&r, a, 0, false, NULL));
            assert_values(r, 1, where, 0);
            mlxc_array_unref(r);
            ok(mlxc_argmin(&r, a, 0, false, NULL));
            assert_values(r, 1, where, 0);
            mlxc_array_unref(r);
            mlxc_array_unref(a);
        }
    }
}
END_TEST

/* Pitfall 5: -0.0 is not true. */
START_TEST(test_negative_zero_is_false)
{
    double v[70], no[] = { 0 };
    for (int i = 0; i < 70; i++)
        v[i] = -0.0;
    mlxc_array *a = vec(MLXC_FLOAT32, 70, v), *r;
    ok(mlxc_any(&r, a, NULL, 0, false, NULL));
    assert_values(r, 1, no, 0);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
    v[0] = 1;
    a = vec(MLXC_FLOAT32, 2, v);
    ok(mlxc_all(&r, a, NULL, 0, false, NULL));
    assert_values(r, 1, no, 0);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
}
END_TEST

/* First of equals; rows, columns, and rows long enough for chunks. */
START_TEST(test_positions)
{
    static const int64_t shapes[][2] = { { 3, 1100 }, { 70, 13 },
        { 2, 140000 }, { 140000, 2 }, { 1200, 9 } };
    const int64_t *shape = shapes[_i];
    for (int axis = 0; axis < 2; axis++) {
        for (int max = 0; max < 2; max++) {
            mlxc_array *a = spread(MLXC_FLOAT32, shape, 2, -5, 5, 9), *r;
            mlxc_array *b;
            ok(mlxc_rint(&b, a, NULL));
            double *v = values_of(b);
            int64_t n = shape[axis], step = axis ? 1 : shape[1];
            int64_t count = shape[1 - axis];
            double *want = malloc((size_t)count * sizeof *want);
            for (int64_t i = 0; i < count; i++) {
                const double *row = v + i * (axis ? shape[1] : 1);
                want[i] = 0;
                for (int64_t k = 1; k < n; k++) {
                    double x = row[k * step];
                    double y = row[(int64_t)want[i] * step];
                    if (max ? x > y : x < y)
                        want[i] = (double)k;
                }
            }
            ok((max ? mlxc_argmax : mlxc_argmin)(&r, b, axis, true, NULL));
            ck_assert_int_eq(mlxc_array_dtype(r), MLXC_UINT32);
            ck_assert_int_eq(mlxc_array_ndim(r), 2);
            assert_values(r, (int)count, want, 0);
            free(v);
            free(want);
            mlxc_array_unref(a);
            mlxc_array_unref(b);
            mlxc_array_unref(r);
        }
    }
}
END_TEST

START_TEST(test_positions_of_other_dtypes)
{
    static const mlxc_dtype dtypes[] = { MLXC_BOOL, MLXC_UINT8, MLXC_INT8,
        MLXC_UINT16, MLXC_INT16, MLXC_UINT32, MLXC_INT32, MLXC_UINT64,
        MLXC_INT64, MLXC_FLOAT16, MLXC_BFLOAT16, MLXC_COMPLEX64 };
    const double v[] = { 0, 1, 1, 0 }, one[] = { 1 }, zero[] = { 0 };
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        mlxc_array *a = vec(dtypes[i], 4, v), *r;
        ok(mlxc_argmax(&r, a, 0, false, NULL));
        assert_values(r, 1, one, 0);
        mlxc_array_unref(r);
        ok(mlxc_argmin(&r, a, 0, false, NULL));
        assert_values(r, 1, zero, 0);
        mlxc_array_unref(r);
        mlxc_array_unref(a);
    }
}
END_TEST

/* Pitfall 12, and what divisors are left. */
START_TEST(test_variance)
{
    const mlxc_complex64 z[] = { { 1, 1 }, { 1, -1 } };
    const int64_t two = 2;
    const double one[] = { 1 }, half[] = { 0.25 }, inf[] = { INFINITY };
    const double nan[] = { NAN }, third[] = { 1.0 / 3 };
    mlxc_array *a, *r;
    ok(mlxc_array_from_data(&a, z, &two, 1, MLXC_COMPLEX64));
    ok(mlxc_var(&r, a, NULL, 0, false, 0, NULL));
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_FLOAT32);
    assert_values(r, 1, one, 0);
    mlxc_array_unref(r);
    ok(mlxc_std(&r, a, NULL, 0, false, 0, NULL));
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_FLOAT32);
    assert_values(r, 1, one, 0);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
    /* a mean that dwarfs the spread */
    double far[1000];
    for (int i = 0; i < 1000; i++)
        far[i] = 1e7 + i % 2;
    a = vec(MLXC_FLOAT32, 1000, far);
    ok(mlxc_var(&r, a, NULL, 0, false, 0, NULL));
    assert_values(r, 1, half, 1e-7);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
    const double v[] = { 0, 1, 1, 0 };
    a = vec(MLXC_INT32, 4, v);
    ok(mlxc_var(&r, a, NULL, 0, false, 1, NULL));
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_FLOAT32);
    assert_values(r, 1, third, 1e-7);
    mlxc_array_unref(r);
    ok(mlxc_var(&r, a, NULL, 0, false, 4, NULL));
    assert_values(r, 1, inf, 0);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
    a = vec(MLXC_FLOAT16, 1, v);
    ok(mlxc_var(&r, a, NULL, 0, false, 1, NULL));
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_FLOAT16);
    assert_values(r, 1, nan, 0);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
}
END_TEST

/* Integers are averaged in double; halves do not overflow on the way. */
START_TEST(test_mean_has_room)
{
    const double big[] = { 2147483647, 2147483645 };
    const double half[] = { 60000, 60000, 60000 };
    const double want_big[] = { 2147483646 }, want_half[] = { 60000 };
    mlxc_array *a = vec(MLXC_INT32, 2, big), *r;
    ok(mlxc_mean(&r, a, NULL, 0, false, NULL));
    assert_values(r, 1, want_big, 1e-7);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
    a = vec(MLXC_FLOAT16, 3, half);
    ok(mlxc_mean(&r, a, NULL, 0, false, NULL));
    assert_values(r, 1, want_half, 1e-3);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
}
END_TEST

/* Numbers far apart: what plain f32 sums would lose. */
START_TEST(test_sum_is_accurate)
{
    const int64_t n = 1 << 20;
    const double want[] = { (double)(1 << 20) * (double)0.1f };
    mlxc_array *x, *a, *r;
    ok(mlxc_array_from_double(&x, 0.1, MLXC_FLOAT32));
    ok(mlxc_full(&a, &n, 1, x, MLXC_FLOAT32, NULL));
    ok(mlxc_sum(&r, a, NULL, 0, false, NULL));
    assert_values(r, 1, want, 1e-7);
    mlxc_array_unref(x);
    mlxc_array_unref(a);
    mlxc_array_unref(r);
}
END_TEST

START_TEST(test_count_nonzero)
{
    const double v[] = { 0, 2, -3, 0, NAN, 1 }, want[] = { 1, 1, 2 };
    const int64_t shape[] = { 3, 2 };
    const int last[] = { 1 };
    mlxc_array *a = make(MLXC_FLOAT32, shape, 2, v), *r;
    ok(mlxc_count_nonzero(&r, a, last, 1, false, NULL));
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_INT32);
    assert_values(r, 3, want, 0);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
}
END_TEST

/* Complex extremes are lexicographic. */
START_TEST(test_complex_extremes)
{
    const mlxc_complex64 z[] = { { 1, 5 }, { 2, -1 }, { 2, 3 }, { -1, 9 } };
    const int64_t four = 4;
    mlxc_array *a, *r;
    mlxc_complex64 x;
    ok(mlxc_array_from_data(&a, z, &four, 1, MLXC_COMPLEX64));
    ok(mlxc_max(&r, a, NULL, 0, false, NULL));
    ok(mlxc_array_item_complex64(&x, r));
    ck_assert(x.re == 2 && x.im == 3);
    mlxc_array_unref(r);
    ok(mlxc_min(&r, a, NULL, 0, false, NULL));
    ok(mlxc_array_item_complex64(&x, r));
    ck_assert(x.re == -1 && x.im == 9);
    mlxc_array_unref(r);
    ok(mlxc_argmax(&r, a, 0, false, NULL));
    const double two[] = { 2 };
    assert_values(r, 1, two, 0);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
}
END_TEST

/* Pitfall 9: NaN counts. */
START_TEST(test_median)
{
    const double v[] = { 1, NAN, 0 }, rows[] = { 1, NAN, 3, 4, 5, 6 };
    const double nan[] = { NAN }, want[] = { NAN, 5 };
    const double even[] = { 4, 1, 3, 2 }, half[] = { 2.5 };
    const int64_t shape[] = { 2, 3 }, ones[] = { 1, 1 }, empty = 0;
    const int last[] = { 1 };
    mlxc_array *a = vec(MLXC_FLOAT32, 3, v), *r;
    ok(mlxc_median(&r, a, NULL, 0, false, NULL));
    assert_values(r, 1, nan, 0);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
    a = make(MLXC_FLOAT32, shape, 2, rows);
    ok(mlxc_median(&r, a, last, 1, false, NULL));
    assert_values(r, 2, want, 0);
    mlxc_array_unref(r);
    ok(mlxc_median(&r, a, NULL, 0, true, NULL));
    assert_shape(r, 2, ones);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
    a = vec(MLXC_INT32, 4, even);
    ok(mlxc_median(&r, a, NULL, 0, false, NULL));
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_FLOAT32);
    assert_values(r, 1, half, 0);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
    a = make(MLXC_FLOAT32, &empty, 1, NULL);
    fails(mlxc_median(&r, a, NULL, 0, false, NULL), MLXC_ERR_SHAPE,
        "median");
    mlxc_array_unref(a);
}
END_TEST

/* Pitfall 31: more elements than 31 bits count. */
START_TEST(test_more_than_two_to_the_31)
{
    const int64_t n = ((int64_t)1 << 31) + 1;
    if (test_level() < 2)
        return;
    uint8_t *v = calloc((size_t)n, 1);
    const double one[] = { 1 }, at[] = { 2147483648.0 };
    mlxc_array *a, *r;
    if (!v)
        return;
    v[n - 1] = 1;
    ok(mlxc_array_adopt(&a, v, &n, 1, MLXC_UINT8, free, v));
    ok(mlxc_sum(&r, a, NULL, 0, false, NULL));
    assert_values(r, 1, one, 0);
    mlxc_array_unref(r);
    ok(mlxc_argmax(&r, a, 0, false, NULL));
    assert_values(r, 1, at, 0);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("reduce");
    TCase *t = tcase_create("reduce");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, test_reductions_over_layouts, 0, 6);
    tcase_add_loop_test(t, test_reductions_of_large_arrays, 0, 5);
    tcase_add_test(t, test_sum_dtypes);
    tcase_add_test(t, test_sum_wraps_and_widens);
    tcase_add_test(t, test_axes_none_all_and_scalar);
    tcase_add_test(t, test_reduction_errors);
    tcase_add_test(t, test_reductions_of_nothing);
    tcase_add_test(t, test_nan_wins);
    tcase_add_test(t, test_negative_zero_is_false);
    tcase_add_loop_test(t, test_positions, 0, 5);
    tcase_add_test(t, test_positions_of_other_dtypes);
    tcase_add_test(t, test_variance);
    tcase_add_test(t, test_mean_has_room);
    tcase_add_test(t, test_sum_is_accurate);
    tcase_add_test(t, test_count_nonzero);
    tcase_add_test(t, test_complex_extremes);
    tcase_add_test(t, test_median);
    tcase_add_test(t, test_more_than_two_to_the_31);
    suite_add_tcase(s, t);
    return run_suite(s);
}
