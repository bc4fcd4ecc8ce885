/* SPDX-License-Identifier: MIT */
/* Handles of every kind are counted and NULL is harmless; the defaults of a
   thread; files by their path. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "support.h"

START_TEST(test_handles_are_counted)
{
    const double x[2] = { 1, 2 };
    mlxc_array *a = vec(MLXC_FLOAT32, 2, x);
    mlxc_arrays *list;
    mlxc_stream *s;
    mlxc_tensors *t;
    mlxc_writer *w;
    ok(mlxc_arrays_from(&list, &a, 1));
    ck_assert_ptr_eq(mlxc_arrays_ref(list), list);
    mlxc_arrays_unref(list);
    ck_assert_ptr_eq(mlxc_arrays_get(list, 0), a);
    mlxc_arrays_unref(list);
    ok(mlxc_stream_new(&s, MLXC_CPU, 0));
    ck_assert_ptr_eq(mlxc_stream_ref(s), s);
    mlxc_stream_unref(s);
    ck_assert_int_eq(mlxc_stream_device_type(s), MLXC_CPU);
    ck_assert_int_eq(mlxc_stream_device_index(s), 0);
    ok(mlxc_synchronize(s));
    mlxc_stream_unref(s);
    ok(mlxc_tensors_new(&t));
    ok(mlxc_tensors_set(t, "x", a));
    ck_assert_ptr_eq(mlxc_tensors_ref(t), t);
    mlxc_tensors_unref(t);
    ck_assert_int_eq(mlxc_tensors_size(t), 1);
    mlxc_tensors_unref(t);
    ok(mlxc_writer_memory(&w));
    ck_assert_ptr_eq(mlxc_writer_ref(w), w);
    mlxc_writer_unref(w);
    ok(mlxc_write_npy(w, a));
    ck_assert_uint_eq(mlxc_writer_size(w), 136);
    mlxc_writer_unref(w);
    assert_values(a, 2, x, 0);
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_null_handles)
{
    ck_assert_ptr_null(mlxc_array_ref(NULL));
    ck_assert_ptr_null(mlxc_arrays_ref(NULL));
    ck_assert_ptr_null(mlxc_stream_ref(NULL));
    ck_assert_ptr_null(mlxc_function_ref(NULL));
    ck_assert_ptr_null(mlxc_tensors_ref(NULL));
    ck_assert_ptr_null(mlxc_reader_ref(NULL));
    ck_assert_ptr_null(mlxc_writer_ref(NULL));
    mlxc_array_unref(NULL);
    mlxc_arrays_unref(NULL);
    mlxc_stream_unref(NULL);
    mlxc_function_unref(NULL);
    mlxc_tensors_unref(NULL);
    mlxc_reader_unref(NULL);
    mlxc_writer_unref(NULL);
    ck_assert_int_eq(mlxc_arrays_size(NULL), 0);
    ck_assert_ptr_null(mlxc_arrays_get(NULL, 0));
    ck_assert_int_eq(mlxc_tensors_size(NULL), 0);
}
END_TEST

static void *defaults(void *p)
{
    int *found = p;
    *found = mlxc_default_device_type() == MLXC_CPU &&
        mlxc_default_device_index() == 0;
    return NULL;
}

START_TEST(test_defaults_of_a_thread)
{
    pthread_t t;
    int found = 0;
    ck_assert_int_eq(mlxc_default_device_type(), MLXC_CPU);
    ck_assert_int_eq(mlxc_default_device_index(), 0);
    fails(mlxc_set_default_device(MLXC_CPU, 1), MLXC_ERR_DEVICE, "");
    ck_assert_int_eq(mlxc_default_device_index(), 0);
    ok(mlxc_set_default_device(MLXC_CPU, 0));
    ck_assert_int_eq(mlxc_default_device_type(), MLXC_CPU);
    ck_assert(!pthread_create(&t, NULL, defaults, &found));
    pthread_join(t, NULL);
    ck_assert(found);
}
END_TEST

/* One reader of a file serves several arrays, and outlives its handle. */
START_TEST(test_reader_of_a_file)
{
    const double x[3] = { 1, 2, 3 };
    mlxc_array *a = vec(MLXC_FLOAT32, 3, x), *b;
    mlxc_reader *r;
    ok(mlxc_save_npy(path_of("a"), a));
    ok(mlxc_reader_file(&r, path_of("a")));
    ck_assert_ptr_eq(mlxc_reader_ref(r), r);
    mlxc_reader_unref(r);
    mlxc_array_unref(a);
    ok(mlxc_read_npy(&a, r, NULL));
    ok(mlxc_read_npy(&b, r, NULL));
    mlxc_reader_unref(r);
    unlink(path_of("a"));
    assert_values(a, 3, x, 0);
    assert_values(b, 3, x, 0);
    mlxc_array_unref(a);
    mlxc_array_unref(b);
    fails(mlxc_reader_file(&r, path_of("b")), MLXC_ERR_IO, "b");
    ck_assert_ptr_null(r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("handles");
    TCase *t = tcase_create("handles");
    tcase_add_test(t, test_handles_are_counted);
    tcase_add_test(t, test_null_handles);
    tcase_add_test(t, test_defaults_of_a_thread);
    suite_add_tcase(s, t);
    t = tcase_create("files");
    tcase_add_checked_fixture(t, enter, leave);
    tcase_add_test(t, test_reader_of_a_file);
    suite_add_tcase(s, t);
    return run_suite(s);
}
