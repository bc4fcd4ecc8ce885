/* SPDX-License-Identifier: MIT */
/* Scans, softmax and log-sum-exp, and the gradients of these and of
   reductions where they are easy to get wrong. */
#include <math.h>
#include <string.h>

#include <mlxc/expr.h>

#include "support.h"

typedef mlxc_status scan_fn(mlxc_array **out, mlxc_array *a, int axis,
    bool reverse, bool inclusive, mlxc_stream *s);

#define N_SCANS 5
static scan_fn *const scans[N_SCANS] = { mlxc_cumsum, mlxc_cumprod,
    mlxc_cummax, mlxc_cummin, mlxc_logcumsumexp };
static const double identity[N_SCANS] = { 0, 1, -INFINITY, INFINITY,
    -INFINITY };

static double step(int kind, double x, double y)
{
    switch (kind) {
    case 0: return x + y;
    case 1: return x * y;
    case 2: return y > x || y != y ? y : x;
    case 3: return y < x || y != y ? y : x;
    default: return x == -INFINITY ? y : x > y ? x + log1p(exp(y - x))
        : y + log1p(exp(x - y));
    }
}

static void check_scans(mlxc_array *a, int axis, double bound)
{
    const int64_t *shape = mlxc_array_shape(a);
    int64_t size = mlxc_array_size(a), n = shape[axis], inner = 1;
    double *v = values_of(a), *want = malloc((size_t)size * sizeof *want);
    for (int d = axis + 1; d < mlxc_array_ndim(a); d++)
        inner *= shape[d];
    for (int k = 0; k < N_SCANS * 4; k++) {
        int kind = k / 4, reverse = k & 1, inclusive = k >> 1 & 1;
        mlxc_array *r;
        for (int64_t o = 0; o < size / n; o++) {
            int64_t base = o / inner * inner * n + o % inner;
            double x = identity[kind];
            for (int64_t i = 0; i < n; i++) {
                int64_t at = base + (reverse ? n - 1 - i : i) * inner;
                double y = step(kind, x, v[at]);
                want[at] = inclusive ? y : x;
                x = y;
            }
        }
        ok(scans[kind](&r, a, axis, reverse, inclusive, NULL));
        assert_shape(r, mlxc_array_ndim(a), shape);
        assert_values(r, (int)size, want, bound);
        mlxc_array_unref(r);
    }
    free(v);
    free(want);
}

START_TEST(test_scans_over_layouts)
{
    const int64_t shape[] = { 6, 11, 5 };
    const int order[] = { 2, 0, 1 };
    mlxc_array *a = spread(MLXC_FLOAT64, shape, 3, -1.2, 1.2, 4), *b;
    for (int which = 0; which < 3; which++) {
        if (which == 0)
            ok(mlxc_copy(&b, a, NULL));
        else if (which == 1)
            ok(mlxc_transpose(&b, a, order, 3, NULL));
        else
            ok(mlxc_flip(&b, a, NULL, 0, NULL));
        for (int axis = 0; axis < 3; axis++)
            check_scans(b, axis, 1e-13);
        mlxc_array_unref(b);
    }
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_scans_of_large_arrays)
{
    static const int64_t shapes[][2] = { { 40, 1500 }, { 1500, 40 },
        { 9, 3000 } };
    mlxc_array *a =
        spread(MLXC_FLOAT32, shapes[_i], 2, 0.999, 1.001, 6);
    check_scans(a, 0, 1e-6);
    check_scans(a, 1, 1e-6);
    mlxc_array_unref(a);
}
END_TEST

/* Pitfall 7: NaN stays for the rest. */
START_TEST(test_running_extremes_keep_nan)
{
    const double v[] = { 1, 3, NAN, 5 };
    const double max[] = { 1, 3, NAN, NAN }, back[] = { NAN, NAN, NAN, 5 };
    const double before[] = { -INFINITY, 1, 3, NAN };
    mlxc_array *a = vec(MLXC_FLOAT32, 4, v), *r;
    ok(mlxc_cummax(&r, a, 0, false, true, NULL));
    assert_values(r, 4, max, 0);
    mlxc_array_unref(r);
    ok(mlxc_cummax(&r, a, 0, true, true, NULL));
    assert_values(r, 4, back, 0);
    mlxc_array_unref(r);
    ok(mlxc_cummax(&r, a, 0, false, false, NULL));
    assert_values(r, 4, before, 0);
    mlxc_array_unref(r);
    ok(mlxc_cummin(&r, a, 0, false, true, NULL));
    const double min[] = { 1, 1, NAN, NAN };
    assert_values(r, 4, min, 0);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
    /* far down a row, and side by side */
    double row[300], want[300];
    for (int at = 60; at < 300; at += 61) {
        for (int i = 0; i < 300; i++) {
            row[i] = i == at ? (double)NAN : i;
            want[i] = i < at ? i : (double)NAN;
        }
        const int64_t tall[] = { 300, 1 }, wide[] = { 300, 16 };
        mlxc_array *b;
        a = make(MLXC_FLOAT32, tall, 2, row);
        ok(mlxc_cummax(&r, a, 0, false, true, NULL));
        assert_values(r, 300, want, 0);
        mlxc_array_unref(r);
        ok(mlxc_broadcast_to(&b, a, wide, 2, NULL));
        ok(mlxc_contiguous(&r, b, false, NULL));
        mlxc_array_unref(b);
        ok(mlxc_cummax(&b, r, 0, false, true, NULL));
        double *got = values_of(b);
        for (int i = 0; i < 300 * 16; i++)
            ck_assert(got[i] == want[i / 16] ||
                (got[i] != got[i] && want[i / 16] != want[i / 16]));
        free(got);
        mlxc_array_unref(a);
        mlxc_array_unref(b);
        mlxc_array_unref(r);
    }
}
END_TEST

/* Pitfall 26: the row count is not the stride of an axis of length 1. */
START_TEST(test_scan_of_sliced_row)
{
    const double v[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
    const int64_t shape[] = { 1, 10 }, start[] = { 0, 3 }, stop[] = { 1, 10 };
    mlxc_array *a = make(MLXC_FLOAT32, shape, 2, v), *b, *r;
    ok(mlxc_slice(&b, a, start, stop, NULL, 2, NULL));
    ok(mlxc_cumsum(&r, b, 0, false, true, NULL));
    assert_values(r, 7, v + 3, 0);
    mlxc_array_unref(a);
    mlxc_array_unref(b);
    mlxc_array_unref(r);
}
END_TEST

START_TEST(test_scan_dtypes_and_identities)
{
    const double v[] = { 1, 0, 1 }, sum[] = { 1, 1, 2 };
    const double big[] = { 200, 100 }, wraps[] = { 200, 44 };
    mlxc_array *a = vec(MLXC_BOOL, 3, v), *r;
    ok(mlxc_cumsum(&r, a, 0, false, true, NULL));
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_INT32);
    assert_values(r, 3, sum, 0);
    mlxc_array_unref(r);
    ok(mlxc_cumprod(&r, a, 0, false, true, NULL));
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_BOOL);
    mlxc_array_unref(r);
    ok(mlxc_logcumsumexp(&r, a, 0, false, true, NULL));
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_FLOAT32);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
    a = vec(MLXC_UINT8, 2, big);
    ok(mlxc_cumsum(&r, a, 0, false, true, NULL));
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_UINT8);
    assert_values(r, 2, wraps, 0);
    mlxc_array_unref(r);
    ok(mlxc_cummin(&r, a, 0, false, false, NULL));
    const double highest[] = { 255, 200 };
    assert_values(r, 2, highest, 0);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
    static const struct { mlxc_dtype d; double low; } lows[] = {
        { MLXC_INT8, -128 }, { MLXC_INT16, -32768 },
        { MLXC_INT32, -2147483648.0 }, { MLXC_UINT16, 0 },
        { MLXC_BOOL, 0 } };
    for (size_t i = 0; i < sizeof lows / sizeof *lows; i++) {
        double first[] = { lows[i].low, 1, 1 };
        a = vec(lows[i].d, 3, v);
        ok(mlxc_cummax(&r, a, 0, false, false, NULL));
        assert_values(r, 3, first, 0);
        mlxc_array_unref(r);
        mlxc_array_unref(a);
    }
    ok(mlxc_array_from_double(&a, 1, MLXC_FLOAT32));
    fails(mlxc_cumsum(&r, a, 0, false, true, NULL), MLXC_ERR_INDEX,
        "cumsum");
    mlxc_array_unref(a);
}
END_TEST

/* Pitfall 24: softmax of a slice of columns. */
START_TEST(test_softmax_of_slice)
{
    const int64_t shape[] = { 4, 4 }, start[] = { 0, 0 }, stop[] = { 4, 2 };
    const int last[] = { -1 };
    const double four[] = { 4 };
    mlxc_array *a = spread(MLXC_FLOAT32, shape, 2, -3, 3, 2), *b, *r;
    ok(mlxc_slice(&b, a, start, stop, NULL, 2, NULL));
    ok(mlxc_softmax(&r, b, last, 1, NULL));
    mlxc_array_unref(b);
    ok(mlxc_sum(&b, r, NULL, 0, false, NULL));
    assert_values(b, 1, four, 1e-6);
    mlxc_array_unref(a);
    mlxc_array_unref(b);
    mlxc_array_unref(r);
}
END_TEST

/* Against the definition: every length about the lanes, all dtypes. */
START_TEST(test_softmax_by_definition)
{
    static const mlxc_dtype dtypes[] = { MLXC_FLOAT32, MLXC_FLOAT64,
        MLXC_FLOAT16, MLXC_BFLOAT16 };
    static const double bounds[] = { 1e-6, 1e-14, 1e-3, 8e-3 };
    const double bound = bounds[_i];
    for (int n = 1; n < 3000; n += n < 130 ? 1 : 997) {
        const int64_t shape[] = { 3, n };
        const int last[] = { 1 }, first[] = { 0 };
        mlxc_array *a = spread(dtypes[_i], shape, 2, -20, 20, 8), *r, *t;
        double *v = values_of(a), sums[3];
        double *want = malloc((size_t)(3 * n) * sizeof *want);
        for (int i = 0; i < 3; i++) {
            double sum = 0, top = -INFINITY;
            for (int k = 0; k < n; k++)
                top = fmax(top, v[i * n + k]);
            for (int k = 0; k < n; k++)
                sum += exp(v[i * n + k] - top);
            for (int k = 0; k < n; k++)
                want[i * n + k] = exp(v[i * n + k] - top) / sum;
            sums[i] = top + log(sum);
        }
        ok(mlxc_softmax(&r, a, last, 1, NULL));
        ck_assert_int_eq(mlxc_array_dtype(r), dtypes[_i]);
        assert_values(r, 3 * n, want, bound);
        mlxc_array_unref(r);
        ok(mlxc_logsumexp(&r, a, last, 1, false, NULL));
        assert_values(r, 3, sums, bound);
        mlxc_array_unref(r);
        /* the same along the first axis of the transpose */
        ok(mlxc_transpose(&t, a, NULL, 0, NULL));
        ok(mlxc_softmax(&r, t, first, 1, NULL));
        mlxc_array_unref(t);
        ok(mlxc_transpose(&t, r, NULL, 0, NULL));
        assert_values(t, 3 * n, want, bound);
        free(v);
        free(want);
        mlxc_array_unref(r);
        mlxc_array_unref(t);
        mlxc_array_unref(a);
    }
}
END_TEST

START_TEST(test_softmax_special_values)
{
    const double none[] = { -INFINITY, -INFINITY }, nans[] = { NAN, NAN };
    const double some[] = { -INFINITY, 0 }, one[] = { 0, 1 };
    const double big[] = { 1000, 1000 }, halves[] = { 0.5, 0.5 };
    const double bad[] = { NAN, 1 }, minus[] = { -INFINITY };
    const double plus[] = { INFINITY }, nan[] = { NAN };
    const double up[] = { INFINITY, 1 }, mixed[] = { INFINITY, NAN };
    const int last[] = { 0 };
    const double *in[] = { none, some, big, bad, up, mixed };
    const double *soft[] = { nans, one, halves, nans, NULL, nans };
    const double zero[] = { 0 }, thousand[] = { 1000 + 0.69314718 };
    const double *sums[] = { minus, zero, thousand, nan, plus, nan };
    for (int i = 0; i < 6; i++) {
        mlxc_array *a = vec(MLXC_FLOAT32, 2, in[i]), *r;
        if (soft[i]) {
            ok(mlxc_softmax(&r, a, last, 1, NULL));
            assert_values(r, 2, soft[i], 1e-7);
            mlxc_array_unref(r);
        }
        ok(mlxc_logsumexp(&r, a, last, 1, false, NULL));
        assert_values(r, 1, sums[i], 1e-7);
        mlxc_array_unref(r);
        mlxc_array_unref(a);
    }
}
END_TEST

/* Integers give float32 whatever the axis; nothing gives nothing. */
START_TEST(test_softmax_of_integers_and_nothing)
{
    const double v[] = { 1, 1, 1, 1 }, half[] = { 0.5, 0.5, 0.5, 0.5 };
    const int64_t shape[] = { 2, 2 }, empty[] = { 2, 0 }, two = 2;
    const double minus[] = { -INFINITY, -INFINITY };
    const int last[] = { 1 };
    mlxc_array *a = make(MLXC_INT32, shape, 2, v), *r;
    for (int axis = 0; axis < 2; axis++) {
        ok(mlxc_softmax(&r, a, &axis, 1, NULL));
        ck_assert_int_eq(mlxc_array_dtype(r), MLXC_FLOAT32);
        assert_values(r, 4, half, 0);
        mlxc_array_unref(r);
    }
    mlxc_array_unref(a);
    a = make(MLXC_FLOAT32, empty, 2, NULL);
    ok(mlxc_softmax(&r, a, last, 1, NULL));
    assert_shape(r, 2, empty);
    mlxc_array_unref(r);
    ok(mlxc_logsumexp(&r, a, last, 1, false, NULL));
    assert_shape(r, 1, &two);
    assert_values(r, 2, minus, 0);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_diff)
{
    const double v[] = { 1, 4, 9, 16 }, once[] = { 3, 5, 7 };
    const double twice[] = { 2, 2 }, bits[] = { 1, 1, 0, 1 };
    const double changes[] = { 0, 1, 1 };
    const int64_t zero = 0;
    mlxc_array *a = vec(MLXC_INT32, 4, v), *r;
    ok(mlxc_diff(&r, a, 1, 0, NULL));
    assert_values(r, 3, once, 0);
    mlxc_array_unref(r);
    ok(mlxc_diff(&r, a, 2, -1, NULL));
    assert_values(r, 2, twice, 0);
    mlxc_array_unref(r);
    ok(mlxc_diff(&r, a, 0, -1, NULL));
    assert_values(r, 4, v, 0);
    mlxc_array_unref(r);
    ok(mlxc_diff(&r, a, 9, -1, NULL));
    assert_shape(r, 1, &zero);
    mlxc_array_unref(r);
    fails(mlxc_diff(&r, a, -1, 0, NULL), MLXC_ERR_ARGUMENT, "diff");
    fails(mlxc_diff(&r, a, 1, 1, NULL), MLXC_ERR_INDEX, "diff");
    mlxc_array_unref(a);
    a = vec(MLXC_BOOL, 4, bits);
    ok(mlxc_diff(&r, a, 1, 0, NULL));
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_BOOL);
    assert_values(r, 3, changes, 0);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
}
END_TEST

/* ---- gradients that are easy to get wrong ---- */

typedef mlxc_array *formula(mlxc_scope *c, mlxc_array *x);
static const int axis0[] = { 0 }, axis1[] = { 1 };

static mlxc_array *f_max(mlxc_scope *c, mlxc_array *x)
{
    return mlxe_max(c, x, NULL, 0, false);
}
static mlxc_array *f_prod(mlxc_scope *c, mlxc_array *x)
{
    return mlxe_prod(c, x, NULL, 0, false);
}
static mlxc_array *f_cummax(mlxc_scope *c, mlxc_array *x)
{
    return mlxe_cummax(c, x, 0, false, true);
}
static mlxc_array *f_cumprod(mlxc_scope *c, mlxc_array *x)
{
    return mlxe_cumprod(c, x, 0, false, true);
}
static mlxc_array *f_cumprod_before(mlxc_scope *c, mlxc_array *x)
{
    return mlxe_cumprod(c, x, 0, false, false);
}
static mlxc_array *f_logsumexp(mlxc_scope *c, mlxc_array *x)
{
    return mlxe_logsumexp(c, x, axis0, 1, true);
}
static mlxc_array *f_logcumsumexp(mlxc_scope *c, mlxc_array *x)
{
    return mlxe_logcumsumexp(c, x, 0, false, true);
}
static mlxc_array *f_sum(mlxc_scope *c, mlxc_array *x)
{
    return mlxe_sum(c, x, NULL, 0, false);
}

struct total {
    formula *f;
};

static mlxc_status call_total(mlxc_arrays *outputs, mlxc_arrays *inputs,
    void *payload)
{
    const struct total *t = payload;
    mlxc_scope *c;
    mlxc_array *out;
    mlxc_status status = mlxc_scope_new(&c, NULL);
    if (status)
        return status;
    status = mlxc_scope_export(&out, c, mlxe_sum(c, t->f(c,
        mlxc_arrays_get(inputs, 0)), NULL, 0, false));
    if (!status)
        status = mlxc_arrays_push_take(outputs, out);
    mlxc_scope_free(c);
    return status;
}

#define I INFINITY
static const struct {
    formula *f;
    int n;
    double x[4], grad[4];
} gradients[] = {
    { f_max, 3, { 1, 3, 3 }, { 0, 0.5, 0.5 } },
    { f_prod, 3, { 2, 0, 3 }, { 0, 6, 0 } },
    { f_prod, 3, { 2, 0, 0 }, { 0, 0, 0 } },
    { f_cummax, 4, { 1, 3, 3, 2 }, { 1, 1, 2, 0 } },
    { f_cumprod, 4, { 1, 0, 3, 0 }, { 1, 4, 0, 0 } },
    { f_cumprod_before, 4, { 1, 0, 3, 7 }, { 1, 4, 0, 0 } },
    { f_logsumexp, 2, { -I, -I }, { 0, 0 } },
    { f_logsumexp, 2, { -I, 0 }, { 0, 1 } },
    { f_logcumsumexp, 3, { -I, -I, 0 }, { 0, 0, 1 } },
    { f_sum, 2, { 1, 2 }, { 1, 1 } },
};
#undef I
#define N_GRADIENTS ((int)(sizeof gradients / sizeof *gradients))

START_TEST(test_gradients)
{
    struct total t = { gradients[_i].f };
    mlxc_function *f, *g;
    mlxc_arrays *in, *out;
    mlxc_array *x = vec(MLXC_FLOAT32, gradients[_i].n, gradients[_i].x);
    ok(mlxc_function_new(&f, call_total, &t, NULL));
    ok(mlxc_grad(&g, f, NULL, 0));
    ok(mlxc_arrays_from(&in, &x, 1));
    ok(mlxc_function_call(&out, g, in));
    assert_values(mlxc_arrays_get(out, 0), gradients[_i].n,
        gradients[_i].grad, 1e-6);
    mlxc_arrays_unref(in);
    mlxc_arrays_unref(out);
    mlxc_array_unref(x);
    mlxc_function_unref(f);
    mlxc_function_unref(g);
}
END_TEST

static mlxc_status call_kept(mlxc_arrays *outputs, mlxc_arrays *inputs,
    void *payload)
{
    mlxc_array *out;
    (void)payload;
    mlxc_status status = mlxc_logsumexp(&out, mlxc_arrays_get(inputs, 0),
        axis1, 1, true, NULL);
    return status ? status : mlxc_arrays_push_take(outputs, out);
}

/* Pitfall 44: the tangent has the shape of the result. */
START_TEST(test_logsumexp_tangent)
{
    const int64_t shape[] = { 1, 3 }, ones[] = { 1, 1 };
    const double x[] = { 1, 2, 3 }, v[] = { 1, 0, -1 };
    const double want[] = { -0.5752104 };
    mlxc_array *a = make(MLXC_FLOAT32, shape, 2, x);
    mlxc_array *t = make(MLXC_FLOAT32, shape, 2, v);
    mlxc_arrays *in, *tangents, *out, *tangents_out;
    mlxc_function *f;
    ok(mlxc_arrays_from(&in, &a, 1));
    ok(mlxc_arrays_from(&tangents, &t, 1));
    ok(mlxc_function_new(&f, call_kept, NULL, NULL));
    ok(mlxc_jvp(&out, &tangents_out, f, in, tangents));
    assert_shape(mlxc_arrays_get(tangents_out, 0), 2, ones);
    assert_values(mlxc_arrays_get(tangents_out, 0), 1, want, 1e-6);
    mlxc_arrays_unref(in);
    mlxc_arrays_unref(tangents);
    mlxc_arrays_unref(out);
    mlxc_arrays_unref(tangents_out);
    mlxc_function_unref(f);
    mlxc_array_unref(a);
    mlxc_array_unref(t);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("scan");
    TCase *t = tcase_create("scan");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, test_scans_over_layouts);
    tcase_add_loop_test(t, test_scans_of_large_arrays, 0, 3);
    tcase_add_test(t, test_running_extremes_keep_nan);
    tcase_add_test(t, test_scan_of_sliced_row);
    tcase_add_test(t, test_scan_dtypes_and_identities);
    tcase_add_test(t, test_softmax_of_slice);
    tcase_add_loop_test(t, test_softmax_by_definition, 0, 4);
    tcase_add_test(t, test_softmax_special_values);
    tcase_add_test(t, test_softmax_of_integers_and_nothing);
    tcase_add_test(t, test_diff);
    tcase_add_loop_test(t, test_gradients, 0, N_GRADIENTS);
    tcase_add_test(t, test_logsumexp_tangent);
    suite_add_tcase(s, t);
    return run_suite(s);
}
