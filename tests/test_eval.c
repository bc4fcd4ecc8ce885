/* SPDX-License-Identifier: MIT */
/* Laziness, streams, threads, donation, failures that travel. */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "support.h"

START_TEST(test_lazy_until_read)
{
    const double v[3] = { 1, 2, 3 }, twice[3] = { 2, 4, 6 };
    mlxc_array *a = vec(MLXC_FLOAT32, 3, v), *b;
    ok(mlxc_add(&b, a, a, NULL));
    ck_assert(!mlxc_array_is_ready(b));
    ok(mlxc_eval(&b, 1));
    ck_assert(mlxc_array_is_ready(b));
    ok(mlxc_eval(&b, 1));
    ok(mlxc_eval(NULL, 0));
    assert_values(b, 3, twice, 0);
    mlxc_array_unref(a);
    mlxc_array_unref(b);
}
END_TEST

/* 1e6 nodes: built, evaluated and freed without deep recursion. */
START_TEST(test_long_chain)
{
    mlxc_array *one, *a, *b;
    double x;
    ok(mlxc_array_from_double(&one, 1, MLXC_FLOAT32));
    for (int run = 0; run < 2; run++) {
        a = mlxc_array_ref(one);
        for (int i = 0; i < 1000000; i++) {
            ok(mlxc_add(&b, a, one, NULL));
            mlxc_array_unref(a);
            a = b;
        }
        if (run == 0) {
            ok(mlxc_array_item_double(&x, a));
            ck_assert(x == 1000001);
        }
        mlxc_array_unref(a); /* the second one unevaluated */
    }
    mlxc_array_unref(one);
}
END_TEST

START_TEST(test_async)
{
    const int64_t n = 300000;
    mlxc_array *a = NULL, *b;
    ok(mlxc_ones(&a, &n, 1, MLXC_FLOAT32, NULL));
    for (int i = 0; i < 200; i++) {
        ok(mlxc_add(&b, a, a, NULL));
        mlxc_array_unref(a);
        ok(mlxc_multiply(&a, b, b, NULL));
        mlxc_array_unref(b);
        ok(mlxc_sqrt(&b, a, NULL));
        mlxc_array_unref(a);
        a = b;
        ok(mlxc_array_from_double(&b, 0.5, MLXC_FLOAT32));
        mlxc_array *c;
        ok(mlxc_multiply(&c, a, b, NULL));
        mlxc_array_unref(a);
        mlxc_array_unref(b);
        a = c;
        ok(mlxc_async_eval(&a, 1));
    }
    ok(mlxc_sum(&b, a, NULL, 0, false, NULL));
    const double sum[1] = { 300000 };
    assert_values(b, 1, sum, 0);
    mlxc_array_unref(a);
    mlxc_array_unref(b);
    ok(mlxc_synchronize(NULL));
}
END_TEST

/* 1,000 dependent ops that alternate between two streams. */
START_TEST(test_two_streams)
{
    mlxc_stream *s[2];
    const int64_t n = 30000;
    mlxc_array *a, *b;
    ok(mlxc_stream_new(&s[0], MLXC_CPU, 0));
    ok(mlxc_stream_new(&s[1], MLXC_CPU, 0));
    ck_assert_int_ne(mlxc_stream_index(s[0]), mlxc_stream_index(s[1]));
    for (int async = 0; async < 2; async++) {
        ok(mlxc_zeros(&a, &n, 1, MLXC_INT32, s[0]));
        for (int i = 0; i < 1000; i++) {
            mlxc_array *one;
            ok(mlxc_array_from_int64(&one, 1, MLXC_INT32));
            ok(mlxc_add(&b, a, one, s[i % 2]));
            mlxc_array_unref(a);
            mlxc_array_unref(one);
            a = b;
            if (async && i % 37 == 0)
                ok(mlxc_async_eval(&a, 1));
        }
        ok(mlxc_max(&b, a, NULL, 0, false, s[1]));
        const double want[1] = { 1000 };
        assert_values(b, 1, want, 0);
        mlxc_array_unref(b);
        ok(mlxc_min(&b, a, NULL, 0, false, s[0]));
        assert_values(b, 1, want, 0);
        mlxc_array_unref(a);
        mlxc_array_unref(b);
    }
    ok(mlxc_synchronize(s[0]));
    ok(mlxc_synchronize(s[1]));
    mlxc_stream_unref(s[0]);
    mlxc_stream_unref(s[1]);
}
END_TEST

/* A chain on a dying input allocates nothing beyond it. */
START_TEST(test_donation)
{
    const int64_t n = 1 << 20;
    mlxc_array *a, *b;
    mlxc_memory_clear_cache();
    ok(mlxc_ones(&a, &n, 1, MLXC_FLOAT32, NULL));
    ok(mlxc_eval(&a, 1));
    mlxc_memory_reset_peak();
    size_t start = mlxc_memory_peak();
    for (int i = 0; i < 10; i++) {
        ok(mlxc_negative(&b, a, NULL));
        mlxc_array_unref(a);
        ok(mlxc_abs(&a, b, NULL));
        mlxc_array_unref(b);
    }
    ok(mlxc_eval(&a, 1));
    ck_assert_uint_lt(mlxc_memory_peak(), start + 65536);
    /* a handle that is kept keeps its value */
    ok(mlxc_negative(&b, a, NULL));
    ok(mlxc_eval(&b, 1));
    double x;
    mlxc_array *m;
    ok(mlxc_min(&m, a, NULL, 0, false, NULL));
    ok(mlxc_array_item_double(&x, m));
    ck_assert(x == 1);
    mlxc_array_unref(m);
    mlxc_array_unref(a);
    mlxc_array_unref(b);
}
END_TEST

START_TEST(test_view_blocks_donation)
{
    const double v[4] = { 1, 2, 3, 4 }, first[2] = { 1, 2 };
    const int64_t start = 0, stop = 2;
    mlxc_array *a = vec(MLXC_FLOAT32, 4, v), *view, *b;
    ok(mlxc_slice(&view, a, &start, &stop, NULL, 1, NULL));
    ok(mlxc_eval(&view, 1));
    ok(mlxc_negative(&b, a, NULL));
    mlxc_array_unref(a);
    ok(mlxc_eval(&b, 1));
    assert_values(view, 2, first, 0);
    mlxc_array_unref(view);
    mlxc_array_unref(b);
}
END_TEST

/* A bad index is found when the work runs, reported by the read, and spoils
   nothing else. */
START_TEST(test_failure_in_queued_work)
{
    const double v[3] = { 10, 20, 30 }, bad[1] = { 7 }, good[1] = { 2 };
    const double want[1] = { 30 };
    mlxc_array *a = vec(MLXC_FLOAT32, 3, v);
    mlxc_array *i = vec(MLXC_INT32, 1, bad), *j = vec(MLXC_INT32, 1, good);
    mlxc_array *x, *y, *z;
    ok(mlxc_take(&x, a, i, 0, NULL));
    ok(mlxc_exp(&y, x, NULL));
    ok(mlxc_take(&z, a, j, 0, NULL));
    fails(mlxc_eval(&y, 1), MLXC_ERR_INDEX, "7");
    fails(mlxc_eval(&x, 1), MLXC_ERR_INDEX, "7");
    assert_values(z, 1, want, 0);
    mlxc_array_unref(x);
    mlxc_array_unref(y);
    mlxc_array_unref(z);
    /* the same, queued: the stream keeps the first failure */
    ok(mlxc_take(&x, a, i, 0, NULL));
    const int64_t big = 200000;
    ok(mlxc_broadcast_to(&y, x, &big, 1, NULL));
    ok(mlxc_exp(&z, y, NULL));
    mlxc_status status = mlxc_async_eval(&z, 1);
    if (status == MLXC_OK)
        status = mlxc_eval(&z, 1);
    ck_assert_int_eq(status, MLXC_ERR_INDEX);
    mlxc_synchronize(NULL);
    ok(mlxc_synchronize(NULL));
    mlxc_array_unref(x);
    mlxc_array_unref(y);
    mlxc_array_unref(z);
    mlxc_array_unref(i);
    mlxc_array_unref(j);
    mlxc_array_unref(a);
}
END_TEST

/* 8 threads, each 1,000 times: make, add, evaluate, free. */
static void *make_add_free(void *p)
{
    for (int i = 0; i < 1000; i++) {
        const double v[2] = { i, -i };
        mlxc_array *a = vec(MLXC_FLOAT32, 2, v), *b;
        double x;
        ok(mlxc_add(&b, a, a, NULL));
        mlxc_array_unref(a);
        ok(mlxc_sum(&a, b, NULL, 0, false, NULL));
        ok(mlxc_array_item_double(&x, a));
        if (x != 0)
            return p;
        mlxc_array_unref(a);
        mlxc_array_unref(b);
    }
    return NULL;
}

/* All evaluate one graph, and nodes of their own on top of it. */
struct shared {
    mlxc_array *root;
    int number;
};

static void *use_shared(void *p)
{
    struct shared *s = p;
    mlxc_array *k, *a, *sum;
    double x;
    ok(mlxc_array_from_double(&k, s->number, MLXC_FLOAT32));
    ok(mlxc_multiply(&a, s->root, k, NULL));
    ok(mlxc_sum(&sum, a, NULL, 0, false, NULL));
    ok(mlxc_array_item_double(&x, sum));
    mlxc_array_unref(k);
    mlxc_array_unref(a);
    mlxc_array_unref(sum);
    return x == 3000000.0 * s->number ? NULL : p;
}

START_TEST(test_threads)
{
    pthread_t t[8];
    struct shared s[8];
    void *failed;
    for (int i = 0; i < 8; i++)
        ck_assert(!pthread_create(&t[i], NULL, make_add_free, t));
    for (int i = 0; i < 8; i++) {
        pthread_join(t[i], &failed);
        ck_assert_ptr_null(failed);
    }
    for (int round = 0; round < 20; round++) {
        const int64_t n = 100000;
        mlxc_array *a, *b, *c;
        ok(mlxc_ones(&a, &n, 1, MLXC_FLOAT32, NULL));
        ok(mlxc_add(&b, a, a, NULL));
        ok(mlxc_add(&c, b, a, NULL)); /* 3 */
        const int64_t wide[2] = { 10, 100000 };
        mlxc_array_unref(b);
        ok(mlxc_broadcast_to(&b, c, wide, 2, NULL));
        for (int i = 0; i < 8; i++) {
            s[i] = (struct shared){ b, i };
            ck_assert(!pthread_create(&t[i], NULL, use_shared, &s[i]));
        }
        for (int i = 0; i < 8; i++) {
            pthread_join(t[i], &failed);
            ck_assert_ptr_null(failed);
        }
        mlxc_array_unref(a);
        mlxc_array_unref(b);
        mlxc_array_unref(c);
    }
}
END_TEST

START_TEST(test_devices)
{
    int n;
    mlxc_stream *s;
    ok(mlxc_device_count(&n, MLXC_CPU));
    ck_assert_int_eq(n, 1);
    fails(mlxc_device_count(&n, (mlxc_device_type)5), MLXC_ERR_ARGUMENT,
        "5");
    fails(mlxc_stream_new(&s, MLXC_CPU, 1), MLXC_ERR_DEVICE, "CPU");
    ok(mlxc_device_count(&n, MLXC_GPU));
    if (n == 0)
        fails(mlxc_set_default_device(MLXC_GPU, 0), MLXC_ERR_DEVICE, "");
    ok(mlxc_set_default_device(MLXC_CPU, 0));
    ok(mlxc_default_stream(&s, MLXC_CPU, 0));
    ok(mlxc_set_default_stream(s));
    ck_assert_int_eq(mlxc_stream_device_type(s), MLXC_CPU);
    mlxc_stream_unref(s);
}
END_TEST

/* Peak memory of a wide expression stays near what it must hold. */
START_TEST(test_frees_early)
{
    const int64_t n = 1 << 18;
    mlxc_array *sum, *a, *b;
    mlxc_memory_clear_cache();
    ok(mlxc_zeros(&sum, &n, 1, MLXC_FLOAT32, NULL));
    for (int i = 0; i < 50; i++) {
        ok(mlxc_ones(&a, &n, 1, MLXC_FLOAT32, NULL));
        ok(mlxc_exp(&b, a, NULL));
        mlxc_array_unref(a);
        ok(mlxc_add(&a, sum, b, NULL));
        mlxc_array_unref(b);
        mlxc_array_unref(sum);
        sum = a;
    }
    mlxc_memory_reset_peak();
    size_t start = mlxc_memory_peak();
    ok(mlxc_eval(&sum, 1));
    ck_assert_uint_le(mlxc_memory_peak() - start, 4 * (1u << 20));
    mlxc_array_unref(sum);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("eval");
    TCase *t = tcase_create("eval");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, test_lazy_until_read);
    tcase_add_test(t, test_long_chain);
    tcase_add_test(t, test_async);
    tcase_add_test(t, test_two_streams);
    tcase_add_test(t, test_donation);
    tcase_add_test(t, test_view_blocks_donation);
    tcase_add_test(t, test_failure_in_queued_work);
    tcase_add_test(t, test_threads);
    tcase_add_test(t, test_devices);
    tcase_add_test(t, test_frees_early);
    suite_add_tcase(s, t);
    return run_suite(s);
}
