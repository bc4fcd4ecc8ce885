/* SPDX-License-Identifier: MIT */
/* Who keeps what alive, work in place, streams that wait for each other,
   failures in the middle, counters that come back to where they were. */
#include "pitfalls.h"

#define BIG (1 << 18)

/* ---- work in place ---- */

static mlxc_array *chain_map(mlxc_array *x)
{
    return mlxe_negative(c, x);
}

static mlxc_array *chain_left(mlxc_array *x)
{
    return mlxe_multiply(c, x, mlxe_scalar(c, 0.5, MLXC_FLOAT32));
}

static mlxc_array *chain_right(mlxc_array *x)
{
    return mlxe_subtract(c, mlxe_scalar(c, 0.5, MLXC_FLOAT32), x);
}

static mlxc_array *chain_select(mlxc_array *x)
{
    return mlxe_where(c, mlxe_scalar(c, 1, MLXC_BOOL), x,
        mlxe_scalar(c, 0, MLXC_FLOAT32));
}

static mlxc_array *chain_scan(mlxc_array *x)
{
    return mlxe_cumsum(c, x, 0, false, true);
}

static mlxc_array *chain_exclusive_scan(mlxc_array *x)
{
    return mlxe_cummax(c, x, 0, true, false);
}

static mlxc_array *chain_softmax(mlxc_array *x)
{
    return mlxe_softmax(c, x, A(0), 1);
}

static mlxc_array *chain_width(mlxc_array *x)
{
    return mlxe_astype(c, mlxe_astype(c, x, MLXC_INT32), MLXC_FLOAT32);
}

static mlxc_array *chain_contiguous(mlxc_array *x)
{
    return mlxe_contiguous(c, x, false);
}

static mlxc_array *chain_shape(mlxc_array *x)
{
    return mlxe_reshape(c, mlxe_transpose(c, mlxe_reshape(c, x,
        L(1, BIG), 2), NULL, 0), L(BIG), 1);
}

static mlxc_array *chain_update(mlxc_array *x)
{
    return mlxe_slice_update(c, x, mlxe_scalar(c, 5, MLXC_FLOAT32), L(3),
        L(9), NULL, 1);
}

static mlxc_array *chain_put(mlxc_array *x)
{
    return mlxe_put_add(c, x, v(MLXC_INT32, 1, D(5)), v(MLXC_FLOAT32, 1,
        D(1)), 0);
}

typedef mlxc_array *chain_fn(mlxc_array *x);
static chain_fn *const chains[] = { chain_map, chain_left, chain_right,
    chain_select, chain_scan, chain_exclusive_scan, chain_softmax,
    chain_width, chain_contiguous, chain_shape, chain_update };

/* What `steps` of a chain need at most, beyond its input. */
static size_t peak_of(chain_fn *f, int steps)
{
    mlxc_array *x;
    const int64_t n = BIG;
    ok(mlxc_ones(&x, &n, 1, MLXC_FLOAT32, NULL));
    ok(mlxc_eval(&x, 1));
    ok(mlxc_synchronize(NULL));
    mlxc_memory_reset_peak();
    size_t start = mlxc_memory_peak();
    for (int i = 0; i < steps; i++) {
        mlxc_array *y = mlxc_array_ref(f(x));
        ok(mlxc_scope_status(c));
        mlxc_array_unref(x);
        mlxc_scope_clear(c);
        x = y;
    }
    ok(mlxc_eval(&x, 1));
    ok(mlxc_synchronize(NULL));
    size_t peak = mlxc_memory_peak() - start;
    mlxc_array_unref(x);
    return peak;
}

START_TEST(test_chains_work_in_place)
{
    size_t two = peak_of(chains[_i], 2), twenty = peak_of(chains[_i], 20);
    ck_assert_uint_lt(two, 65536);
    ck_assert_uint_lt(twenty, 65536);
}
END_TEST

/* A scatter adds into its input where it may. */
START_TEST(test_scatter_works_in_place)
{
    ck_assert_uint_lt(peak_of(chain_put, 20), 65536);
}
END_TEST

/* Both inputs of both outputs die with the operation. */
START_TEST(test_two_outputs_in_place)
{
    const int64_t n = 1000;
    mlxc_array *a, *b, *q, *r;
    ok(mlxc_arange(&a, -500, 500, 1, MLXC_FLOAT32, NULL));
    ok(mlxc_full(&b, &n, 1, mlxe_scalar(c, 7, MLXC_FLOAT32), MLXC_FLOAT32,
        NULL));
    ok(mlxc_eval((mlxc_array *const[]){ a, b }, 2));
    ok(mlxc_divmod(&q, &r, a, b, NULL));
    mlxc_array_unref(a);
    mlxc_array_unref(b);
    ok(mlxc_eval((mlxc_array *const[]){ own(q), own(r) }, 2));
    double *x = values_of(q), *y = values_of(r);
    for (int i = 0; i < 1000; i++) {
        double want = floor((i - 500) / 7.0);
        ck_assert(x[i] == want && y[i] == i - 500 - 7 * want);
    }
    free(x);
    free(y);
}
END_TEST

/* Logic on bools, where the left, then the right one may be overwritten. */
START_TEST(test_bools_in_place)
{
    const double p[4] = { 0, 0, 1, 1 }, q[4] = { 0, 1, 0, 1 };
    for (int side = 0; side < 2; side++) {
        mlxc_array *a = v(MLXC_BOOL, 4, p), *b = v(MLXC_BOOL, 4, q);
        for (int k = 0; k < 3; k++) {
            mlxc_array *out, *x, *y;
            ok(mlxc_logical_not(&x, a, NULL));
            ok(mlxc_copy(&y, b, NULL));
            ok(mlxc_eval((mlxc_array *const[]){ x, y }, 2));
            mlxc_array *l = side ? y : x, *r = side ? x : y;
            ok(k == 0 ? mlxc_bitwise_xor(&out, l, r, NULL)
                : k == 1 ? mlxc_bitwise_and(&out, l, r, NULL)
                : mlxc_bitwise_or(&out, l, r, NULL));
            mlxc_array_unref(x);
            mlxc_array_unref(y);
            is(own(out), 4, k == 0 ? D(1, 0, 0, 1) : k == 1
                ? D(0, 1, 0, 0) : D(1, 1, 0, 1));
        }
    }
}
END_TEST

/* Scans whose output is wider than the input, or shifted in place. */
START_TEST(test_scans_in_place)
{
    static const int lengths[] = { 1, 2, 31, 32, 33, 100, 4095, 4096, 4097,
        10000 };
    for (int i = 0; i < COUNT(lengths); i++) {
        int64_t n = lengths[i];
        for (int way = 0; way < 8; way++) {
            bool reverse = way & 1, inclusive = way & 2, columns = way & 4;
            mlxc_array *x, *y;
            const int64_t shape[2] = { columns ? n : 3, columns ? 3 : n };
            ok(mlxc_ones(&x, shape, 2, way % 3 ? MLXC_INT32 : MLXC_BOOL,
                NULL));
            ok(mlxc_eval(&x, 1));
            ok(mlxc_cumsum(&y, x, columns ? 0 : 1, reverse, inclusive,
                NULL));
            mlxc_array_unref(x);
            typed(own(y), MLXC_INT32);
            double *got = values_of(y);
            for (int64_t k = 0; k < 3 * n; k++) {
                int64_t at = columns ? k / 3 : k % n;
                at = reverse ? n - 1 - at : at;
                ck_assert(got[k] == (double)(at + inclusive));
            }
            free(got);
        }
    }
}
END_TEST

/* A softmax that writes over its input gives what another gives. */
START_TEST(test_softmax_in_place)
{
    static const mlxc_dtype types[] = { MLXC_FLOAT16, MLXC_BFLOAT16,
        MLXC_FLOAT32, MLXC_FLOAT64 };
    static const int64_t lengths[] = { 1, 63, 64, 65, 2048, 2049, 5000 };
    for (int i = 0; i < COUNT(types) * COUNT(lengths); i++) {
        const int64_t shape[2] = { 3, lengths[i % COUNT(lengths)] };
        mlxc_array *x = own(spread(types[i / COUNT(lengths)], shape, 2, -4,
            4, 7)), *y, *out;
        mlxc_array *want = mlxe_softmax(c, x, A(1), 1);
        ok(mlxc_negative(&y, mlxe_negative(c, x), NULL));
        ok(mlxc_eval((mlxc_array *const[]){ want, y }, 2));
        ok(mlxc_softmax(&out, y, A(1), 1, NULL));
        mlxc_array_unref(y);
        same(own(out), want, 0);
    }
}
END_TEST

/* One of several outputs is used, the others are dropped before. */
START_TEST(test_outputs_that_nobody_wants)
{
    size_t before = mlxc_memory_active();
    for (int i = 0; i < 4; i++) {
        mlxc_array *x, *one;
        mlxc_arrays *all;
        ok(mlxc_arange(&x, 0, 40000, 1, MLXC_FLOAT32, NULL));
        ok(mlxc_split_equal(&all, x, 4, 0, NULL));
        one = mlxc_array_ref(mlxc_arrays_get(all, i));
        if (i % 2)
            ok(mlxc_eval(&one, 1));
        mlxc_arrays_unref(all);
        mlxc_array_unref(x);
        near(mlxe_slice(c, one, L(0), L(1), NULL, 1), 1, D(10000 * i), 0);
        mlxc_array_unref(one);
        mlxc_scope_clear(c);
    }
    ok(mlxc_synchronize(NULL));
    ck_assert_uint_eq(mlxc_memory_active(), before);
}
END_TEST

static mlxc_array *evaluates_inside(mlxc_array *const *x)
{
    mlxc_array *y = mlxe_exp(c, mlxe_negative(c, x[0]));
    ok(mlxc_eval(&y, 1));
    return mlxe_sum(c, mlxe_multiply(c, y, y), NULL, 0, false);
}

/* What a gradient will need again is not overwritten by evaluation. */
START_TEST(test_traced_values_stay)
{
    mlxc_array *x = v(MLXC_FLOAT64, 3, D(0, 1, 2));
    mlxc_array *g = cotangent(evaluates_inside, 1, &x, mlxe_scalar(c, 1,
        MLXC_FLOAT64), 0);
    near(g, 3, D(-2, -2 * exp(-2), -2 * exp(-4)), 1e-15);
    is(x, 3, D(0, 1, 2));
}
END_TEST

/* ---- streams ---- */

/* 10,000 maps one after the other, two roots, nothing kept in between. */
START_TEST(test_two_roots_of_a_long_chain)
{
    mlxc_array *x, *y;
    const int64_t n = 16;
    ok(mlxc_zeros(&x, &n, 1, MLXC_FLOAT32, NULL));
    for (int i = 0; i < 10000; i++) {
        ok(mlxc_exp(&y, x, NULL));
        mlxc_array_unref(x);
        ok(mlxc_log(&x, y, NULL));
        mlxc_array_unref(y);
    }
    ok(mlxc_exp(&y, x, NULL));
    ok(mlxc_eval((mlxc_array *const[]){ own(x), own(y) }, 2));
    near(mlxe_slice(c, x, L(3), L(4), NULL, 1), 1, D(0), 0);
    near(mlxe_slice(c, y, L(3), L(4), NULL, 1), 1, D(1), 0);
}
END_TEST

/* Started on one stream, used on another; the handles are gone at once. */
START_TEST(test_started_and_dropped)
{
    mlxc_stream *s[3];
    size_t before = mlxc_memory_active();
    for (int i = 0; i < 3; i++)
        ok(mlxc_stream_new(&s[i], MLXC_CPU, 0));
    for (int round = 0; round < 50; round++) {
        mlxc_array *a, *b, *d, *sum;
        const int64_t n = 100000;
        ok(mlxc_ones(&a, &n, 1, MLXC_FLOAT32, s[0]));
        ok(mlxc_add(&b, a, a, s[0]));
        mlxc_array_unref(a);
        ok(mlxc_async_eval(&b, 1));
        /* two consumers on two streams, each waits */
        ok(mlxc_negative(&a, b, s[1]));
        ok(mlxc_square(&d, b, s[2]));
        mlxc_array_unref(b);
        ok(mlxc_async_eval((mlxc_array *const[]){ a, d }, 2));
        ok(mlxc_add(&b, a, d, s[0])); /* -2 + 4 */
        mlxc_array_unref(a);
        mlxc_array_unref(d);
        ok(mlxc_sum(&sum, b, NULL, 0, false, s[round % 3]));
        mlxc_array_unref(b);
        if (round % 2)
            ok(mlxc_async_eval(&sum, 1));
        if (round % 4 != 3) /* now and then nobody looks */
            near(sum, 1, D(200000), 0);
        ck_assert(round % 4 == 3 || mlxc_array_is_ready(sum));
        mlxc_array_unref(sum);
    }
    for (int i = 0; i < 3; i++) {
        ok(mlxc_synchronize(s[i]));
        mlxc_stream_unref(s[i]);
    }
    ck_assert_uint_eq(mlxc_memory_active(), before);
}
END_TEST

START_TEST(test_becomes_ready)
{
    mlxc_array *x, *y;
    const int64_t n = 1 << 20;
    ok(mlxc_ones(&x, &n, 1, MLXC_FLOAT32, NULL));
    ok(mlxc_exp(&y, x, NULL));
    mlxc_array_unref(x);
    ck_assert(!mlxc_array_is_ready(y));
    ok(mlxc_async_eval(&y, 1));
    while (!mlxc_array_is_ready(y))
        continue;
    near(mlxe_slice(c, own(y), L(5), L(6), NULL, 1), 1, D(2.718281828),
        1e-6);
}
END_TEST

/* A failure on one stream, met on another; what was queued before it, beside
   it and after it is right. */
START_TEST(test_failure_in_the_middle)
{
    mlxc_stream *s[2];
    for (int i = 0; i < 2; i++)
        ok(mlxc_stream_new(&s[i], MLXC_CPU, 0));
    for (int async = 0; async < 2; async++) {
        const int64_t n = 50000;
        mlxc_array *a, *good, *bad, *after, *both;
        mlxc_array *at = v(MLXC_INT32, 1, D(50000));
        ok(mlxc_ones(&a, &n, 1, MLXC_FLOAT32, s[0]));
        ok(mlxc_add(&good, own(a), a, s[0]));
        ok(mlxc_take(&bad, own(good), at, 0, s[0]));
        ok(mlxc_exp(&after, own(bad), s[1]));
        ok(mlxc_add(&both, own(after), good, s[1]));
        own(both);
        mlxc_status status = async ? mlxc_async_eval(&both, 1) : MLXC_OK;
        if (!status)
            status = mlxc_eval(&both, 1);
        ck_assert_int_eq(status, MLXC_ERR_INDEX);
        fails(mlxc_eval(&both, 1), MLXC_ERR_INDEX, "50000");
        fails(mlxc_eval(&bad, 1), MLXC_ERR_INDEX, "50000");
        near(mlxe_sum(c, good, NULL, 0, false), 1, D(100000), 0);
        mlxc_array *next;
        ok(mlxc_negative(&next, good, s[1]));
        near(mlxe_sum(c, own(next), NULL, 0, false), 1, D(-100000), 0);
        mlxc_synchronize(s[0]);
        mlxc_synchronize(s[1]);
        ok(mlxc_synchronize(s[0]));
        ok(mlxc_synchronize(s[1]));
    }
    for (int i = 0; i < 2; i++)
        mlxc_stream_unref(s[i]);
}
END_TEST

/* ---- memory ---- */

START_TEST(test_memory_runs_out_and_comes_back)
{
    mlxc_array *kept[64];
    int n = 0;
    const int64_t mega = 1 << 20;
    mlxc_memory_clear_cache();
    size_t before = mlxc_memory_active();
    mlxc_memory_set_limit(before + (10u << 20));
    mlxc_status status = MLXC_OK;
    while (!status) {
        ok(mlxc_ones(&kept[n], &mega, 1, MLXC_UINT8, NULL));
        status = mlxc_eval(&kept[n++], 1);
        ck_assert_int_lt(n, 64);
    }
    ck_assert_int_eq(status, MLXC_ERR_NOMEM);
    ck_assert_int_ge(n, 9);
    mlxc_array_unref(kept[0]);
    ok(mlxc_eval(&kept[n - 1], 1)); /* the one that failed, now */
    near(mlxe_sum(c, kept[n - 1], NULL, 0, false), 1, D(1048576), 0);
    for (int i = 1; i < n; i++)
        mlxc_array_unref(kept[i]);
    mlxc_scope_clear(c);
    mlxc_memory_set_limit(0);
    ck_assert_uint_eq(mlxc_memory_active(), before);
}
END_TEST

/* A block of another size from the cache is counted as what it is. */
START_TEST(test_counters_after_reuse)
{
    static const int64_t sizes[][2] = { { 128, 128 }, { 90, 128 },
        { 1, 1 }, { 1, 16383 }, { 1, 16384 }, { 1, 16385 }, { 0, 5 } };
    mlxc_memory_clear_cache();
    size_t before = mlxc_memory_active();
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < COUNT(sizes); i++) {
            mlxc_array *a;
            ok(mlxc_zeros(&a, sizes[i], 2, MLXC_FLOAT32, NULL));
            ok(mlxc_eval(&a, 1));
            ck_assert_uint_ge(mlxc_memory_active() - before,
                mlxc_array_nbytes(a));
            mlxc_array_unref(a);
            ck_assert_uint_eq(mlxc_memory_active(), before);
        }
    }
    mlxc_memory_clear_cache();
    ck_assert_uint_eq(mlxc_memory_cached(), 0);
    /* with a limit of 0, nothing is kept, and nothing to free is no harm */
    size_t old = mlxc_memory_set_cache_limit(0);
    mlxc_array *a;
    ok(mlxc_zeros(&a, sizes[0], 2, MLXC_FLOAT32, NULL));
    ok(mlxc_eval(&a, 1));
    mlxc_array_unref(a);
    ck_assert_uint_eq(mlxc_memory_cached(), 0);
    mlxc_memory_set_cache_limit(old);
}
END_TEST

START_TEST(test_many_scalars)
{
    enum { N = 8193 };
    static mlxc_array *a[N];
    size_t before = mlxc_memory_active();
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < N; i++)
            ok(mlxc_array_from_int64(&a[i], i, MLXC_INT32));
        near(a[N - 1], 1, D(N - 1), 0);
        near(a[0], 1, D(0), 0);
        for (int i = 0; i < N; i++)
            mlxc_array_unref(a[i]);
        ck_assert_uint_eq(mlxc_memory_active(), before);
    }
}
END_TEST

static int released;

static void release(void *payload)
{
    released += *(int *)payload;
}

static mlxc_array *cube(mlxc_array *const *x)
{
    return mlxe_sum(c, mlxe_multiply(c, x[0], mlxe_square(c, x[0])), NULL,
        0, false);
}

/* An adopted buffer behind value and gradient, again and again. */
START_TEST(test_adopted_buffers_are_released_once)
{
    static const float data[2] = { 1, 2 };
    const int64_t n = 2;
    int one = 1, calls = test_level() < 1 ? 1000 : 100000;
    mlxc_function *f = function(cube), *g;
    ok(mlxc_value_and_grad(&g, f, NULL, 0));
    size_t before = mlxc_memory_active();
    released = 0;
    for (int i = 0; i < calls; i++) {
        mlxc_array *x, *grad;
        mlxc_arrays *in, *out;
        ok(mlxc_array_adopt(&x, data, &n, 1, MLXC_FLOAT32, release, &one));
        ok(mlxc_arrays_from(&in, &x, 1));
        mlxc_array_unref(x);
        ok(mlxc_function_call(&out, g, in));
        mlxc_arrays_unref(in);
        grad = mlxc_array_ref(mlxc_arrays_get(out, 1));
        mlxc_arrays_unref(out);
        mlxc_scope_clear(c);
        if (i % 1000 == 0)
            near(grad, 2, D(3, 12), 0);
        mlxc_array_unref(grad);
        ck_assert_int_eq(released, i + 1);
    }
    ck_assert_uint_eq(mlxc_memory_active(), before);
    mlxc_function_unref(f);
    mlxc_function_unref(g);
}
END_TEST

/* ---- callbacks that fail ---- */

static mlxc_status refuse(mlxc_arrays *outputs, mlxc_arrays *inputs,
    void *payload)
{
    (void)outputs;
    (void)inputs;
    (void)payload;
    return mlxc_error_set(MLXC_ERR_IO, "no, said I");
}

START_TEST(test_refusal_comes_back)
{
    mlxc_function *f, *g;
    mlxc_array *x = mlxe_scalar(c, 1, MLXC_FLOAT32);
    mlxc_arrays *in, *out, *more;
    ok(mlxc_arrays_from(&in, &x, 1));
    ok(mlxc_function_new(&f, refuse, NULL, NULL));
    fails(mlxc_function_call(&out, f, in), MLXC_ERR_IO, "no, said I");
    ck_assert_ptr_null(out);
    fails(mlxc_vjp(&out, &more, f, in, in), MLXC_ERR_IO, "no, said I");
    ck_assert(!out && !more);
    fails(mlxc_jvp(&out, &more, f, in, in), MLXC_ERR_IO, "no, said I");
    ck_assert(!out && !more);
    for (int i = 0; i < 5; i++) {
        mlxc_array *y = mlxe_ones(c, L(2), 1, MLXC_FLOAT32);
        mlxc_arrays *two;
        ok(mlxc_arrays_from(&two, &y, 1));
        ok(i == 0 ? mlxc_grad(&g, f, NULL, 0)
            : i == 1 ? mlxc_value_and_grad(&g, f, NULL, 0)
            : i == 2 ? mlxc_vmap(&g, f, NULL, 0, NULL, 0)
            : i == 3 ? mlxc_checkpoint(&g, f)
            : mlxc_custom_function(&g, f, NULL, NULL, NULL));
        fails(mlxc_function_call(&out, g, i == 2 ? two : in), MLXC_ERR_IO,
            "no, said I");
        ck_assert_ptr_null(out);
        mlxc_function_unref(g);
        mlxc_arrays_unref(two);
    }
    mlxc_function_unref(f);
    mlxc_arrays_unref(in);
}
END_TEST

TCase *pitfalls_evaluation(void)
{
    TCase *t = scoped("evaluation");
    tcase_add_loop_test(t, test_chains_work_in_place, 0, COUNT(chains));
    tcase_add_test(t, test_scatter_works_in_place);
    tcase_add_test(t, test_two_outputs_in_place);
    tcase_add_test(t, test_bools_in_place);
    tcase_add_test(t, test_scans_in_place);
    tcase_add_test(t, test_softmax_in_place);
    tcase_add_test(t, test_outputs_that_nobody_wants);
    tcase_add_test(t, test_traced_values_stay);
    tcase_add_test(t, test_two_roots_of_a_long_chain);
    tcase_add_test(t, test_started_and_dropped);
    tcase_add_test(t, test_becomes_ready);
    tcase_add_test(t, test_failure_in_the_middle);
    tcase_add_test(t, test_memory_runs_out_and_comes_back);
    tcase_add_test(t, test_counters_after_reuse);
    tcase_add_test(t, test_many_scalars);
    tcase_add_test(t, test_adopted_buffers_are_released_once);
    tcase_add_test(t, test_refusal_comes_back);
    return t;
}
