/* SPDX-License-Identifier: MIT */
/* .npy files, readers and writers: what is saved comes back, NumPy's own
   bytes are read and written, and nothing that a file claims is believed. */
#include "files.h"

static mlxc_reader *memory(const void *data, size_t n)
{
    mlxc_reader *r;
    OK(mlxc_reader_memory(&r, data, n, NULL, NULL));
    return r;
}

START_TEST(test_npy_comes_back)
{
    mlxc_array *a = counting(shapes[_i % SHAPES].shape,
        shapes[_i % SHAPES].ndim, (mlxc_dtype)(_i / SHAPES));
    mlxc_array *b, *t, *u;
    OK(mlxc_save_npy(path_of("a"), a));
    OK(mlxc_load_npy(&b, path_of("a"), NULL));
    OK(mlxc_transpose(&t, a, NULL, 0, NULL));
    OK(mlxc_save_npy(path_of("a"), t)); /* b is not read yet */
    OK(mlxc_load_npy(&u, path_of("a"), NULL));
    expect_same(a, b);
    expect_same(t, u);
    mlxc_array_unref(a);
    mlxc_array_unref(b);
    mlxc_array_unref(t);
    mlxc_array_unref(u);
}
END_TEST

/* A .npy file with the given header text, version and data. */
static size_t npy(char *to, const char *text, int version, const void *data,
    size_t n)
{
    size_t length = strlen(text), head = version == 1 ? 10 : 12;
    memset(to, 0, head);
    memcpy(to, "\223NUMPY", 6);
    to[6] = (char)version;
    to[8] = (char)length;
    to[9] = (char)(length >> 8);
    memcpy(to + head, text, length);
    if (n)
        memcpy(to + head + length, data, n);
    return head + length + n;
}

START_TEST(test_npy_is_written_as_numpy_does)
{
    static const char text[] =
        "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }";
    static const char turned[] =
        "{'descr': '<i2', 'fortran_order': True, 'shape': (3, 2), }";
    char want[256], got[256];
    int64_t shape[] = { 2, 3 };
    int16_t v[] = { -1, 0, 1, 2, 3, 4 };
    mlxc_array *a = counting(shape, 2, MLXC_INT16), *t;
    memset(want, ' ', sizeof want);
    npy(want, text, 1, NULL, 0);
    want[8] = 118;
    want[127] = '\n';
    memcpy(want + 128, v, sizeof v);
    OK(mlxc_save_npy(path_of("a"), a));
    ck_assert_uint_eq(get_file("a", got, sizeof got), 140);
    ck_assert_mem_eq(got, want, 140);
    OK(mlxc_transpose(&t, a, NULL, 0, NULL));
    memset(want + 10, ' ', 117);
    memcpy(want + 10, turned, strlen(turned));
    OK(mlxc_save_npy(path_of("a"), t));
    ck_assert_uint_eq(get_file("a", got, sizeof got), 140);
    ck_assert_mem_eq(got, want, 140);
    mlxc_array_unref(a);
    mlxc_array_unref(t);
}
END_TEST

static mlxc_status read_npy(mlxc_array **out, const char *data, size_t n)
{
    /* in a block of its own, so that a sanitizer sees any step outside */
    char *copy = malloc(n ? n : 1);
    memcpy(copy, data, n);
    mlxc_reader *r;
    mlxc_status status = mlxc_reader_memory(&r, copy, n, free, copy);
    if (!status)
        status = mlxc_read_npy(out, r, NULL);
    mlxc_reader_unref(r);
    return status;
}

static const struct {
    const char *text;
    int version;
    const char *data;
    size_t bytes;
    const char *shown;
} npy_good[] = {
    { "{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }\n", 1,
        "\1\2\3\4", 4, "array([258, 772], dtype=int16)" },
    { "{'descr': '>c8', 'fortran_order': False, 'shape': ()}", 1,
        "\x3f\x80\0\0\x40\0\0\0", 8, "array(1.+2.j, dtype=complex64)" },
    { "{\"shape\":(3L,1),\"fortran_order\":True,\"descr\":\"|u1\"}", 2,
        "\1\2\3", 3, "array([[1],\n       [2],\n       [3]], dtype=uint8)" },
    { " { 'shape' : ( 2 , 2 , ) , 'fortran_order' : True , "
        "'descr' : 'u1' , }  \n", 3,
        "\1\2\3\4", 4, "array([[1, 3],\n       [2, 4]], dtype=uint8)" },
    { "{'descr': '<V2', 'fortran_order': False, 'shape': (1, )}", 1,
        "\x80\x3f", 2, "array([1.], dtype=bfloat16)" },
    { "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", 1,
        "\0\2\377", 3, "array([False,  True,  True], dtype=bool)" },
    { "{'descr': '<f8', 'fortran_order': False, "
        "'shape': (0, 576460752303423488), }", 1, "", 0,
        "array([], shape=(0, 576460752303423488), dtype=float64)" },
};

START_TEST(test_npy_reads_what_others_write)
{
    char file[512], *text;
    mlxc_array *a;
    size_t n = npy(file, npy_good[_i].text, npy_good[_i].version,
        npy_good[_i].data, npy_good[_i].bytes);
    OK(read_npy(&a, file, n));
    OK(mlxc_array_to_string(&text, a));
    ck_assert_str_eq(text, npy_good[_i].shown);
    mlxc_free(text);
    mlxc_array_unref(a);
}
END_TEST

static const struct {
    const char *text;
    mlxc_status status;
    const char *message; /* behind "load_npy: memory" */
} npy_bad[] = {
    { "", MLXC_ERR_FORMAT, ": the header is no dictionary" },
    { "{}", MLXC_ERR_FORMAT, ": the header lacks a key" },
    { "{'descr': '<f4', 'fortran_order': False}", MLXC_ERR_FORMAT,
        ": the header lacks a key" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)",
        MLXC_ERR_FORMAT, ": the header is no dictionary" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x",
        MLXC_ERR_FORMAT, ": the header goes on behind its end" },
    { "{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}",
        MLXC_ERR_FORMAT,
        ": the header has a fortran_order that is not True or False" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
        MLXC_ERR_FORMAT,
        ": the header has a shape that is no list of lengths" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2)}",
        MLXC_ERR_FORMAT, ": the header has a shape that is no tuple" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': [2]}",
        MLXC_ERR_FORMAT, ": the header has no tuple as its shape" },
    { "{'descr': '<f4', 'fortran_order': False, "
        "'shape': (99999999999999999999,)}", MLXC_ERR_FORMAT,
        ": the header has a shape that is no list of lengths" },
    { "{'descr': '<f4', 'fortran_order': False, "
        "'shape': (4611686018427387904, 4)}", MLXC_ERR_FORMAT,
        " has a shape that is too large" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000,)}",
        MLXC_ERR_FORMAT, " is too short for its shape" },
    { "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, "
        "'shape': ()}", MLXC_ERR_FORMAT, ": the header has a key twice" },
    { "{'descr': '<f4', 'x': 1}", MLXC_ERR_FORMAT,
        ": the header has a strange key" },
    { "{'descr': '<f\\x34'", MLXC_ERR_FORMAT,
        ": the header has no string as its type" },
    { "{'descr': '<f4", MLXC_ERR_FORMAT,
        ": the header has no string as its type" },
    { "{'descr': '<U8', 'fortran_order': False, 'shape': ()}",
        MLXC_ERR_DTYPE, ": the type '<U8' is not supported" },
    { "{'descr': '<c16', 'fortran_order': False, 'shape': ()}",
        MLXC_ERR_DTYPE, ": the type '<c16' is not supported" },
    { "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}",
        MLXC_ERR_DTYPE, ": structured types are not supported" },
};

START_TEST(test_npy_is_not_trusted)
{
    char file[512], want[256];
    mlxc_array *a = (mlxc_array *)file;
    size_t n = npy(file, npy_bad[_i].text, 1, "1234", 4);
    ck_assert_int_eq(read_npy(&a, file, n), npy_bad[_i].status);
    ck_assert_ptr_null(a);
    snprintf(want, sizeof want, "load_npy: memory%s", npy_bad[_i].message);
    ck_assert_str_eq(mlxc_error_message(), want);
}
END_TEST

START_TEST(test_npy_may_be_cut_anywhere)
{
    char file[512];
    mlxc_array *a;
    size_t n = npy(file, npy_good[0].text, 1 + _i, npy_good[0].data, 4);
    for (size_t k = 0; k < n; k++)
        ck_assert_int_eq(read_npy(&a, file, k), MLXC_ERR_FORMAT);
    OK(read_npy(&a, file, n));
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_file_that_shrinks_is_an_io_error)
{
    int64_t shape[] = { 100 };
    mlxc_array *a = counting(shape, 1, MLXC_FLOAT32), *b, *c;
    OK(mlxc_save_npy(path_of("a"), a));
    OK(mlxc_load_npy(&b, path_of("a"), NULL));
    OK(mlxc_exp(&c, b, NULL));
    ck_assert_int_eq(truncate(path_of("a"), 200), 0);
    ck_assert_int_eq(mlxc_eval(&c, 1), MLXC_ERR_IO);
    ck_assert_ptr_nonnull(strstr(mlxc_error_message(),
        "has become shorter"));
    mlxc_array_unref(b);
    OK(mlxc_exp(&b, a, NULL)); /* all else goes on */
    OK(mlxc_eval(&b, 1));
    mlxc_array_unref(a);
    mlxc_array_unref(b);
    mlxc_array_unref(c);
}
END_TEST

START_TEST(test_paths_that_are_no_files)
{
    mlxc_array *a;
    ck_assert_int_eq(mlxc_load_npy(&a, path_of("none"), NULL), MLXC_ERR_IO);
    ck_assert_ptr_nonnull(strstr(mlxc_error_message(),
        "No such file or directory"));
    ck_assert_int_eq(mlxc_load_npy(&a, folder, NULL), MLXC_ERR_IO);
    ck_assert_int_eq(mlxc_load_npy(&a, NULL, NULL), MLXC_ERR_ARGUMENT);
    ck_assert_ptr_null(a);
    OK(mlxc_array_from_double(&a, 1, MLXC_FLOAT32));
    ck_assert_int_eq(mlxc_save_npy(folder, a), MLXC_ERR_IO);
    ck_assert_int_eq(mlxc_save_npy("/no/such/folder/a", a), MLXC_ERR_IO);
    ck_assert_int_eq(mlxc_save_npy(path_of("a"), NULL), MLXC_ERR_ARGUMENT);
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_failed_save_leaves_the_old_file)
{
    static const char text[] = "old";
    char got[8];
    int64_t shape[] = { 4 };
    mlxc_array *a = counting(shape, 1, MLXC_FLOAT32), *b;
    OK(mlxc_save_npy(path_of("b"), a));
    OK(mlxc_load_npy(&b, path_of("b"), NULL));
    ck_assert_int_eq(truncate(path_of("b"), 64), 0);
    put_file("a", text, 3);
    ck_assert_int_eq(mlxc_save_npy(path_of("a"), b), MLXC_ERR_IO);
    ck_assert_uint_eq(get_file("a", got, sizeof got), 3);
    mlxc_array_unref(a);
    mlxc_array_unref(b);
}
END_TEST

START_TEST(test_save_keeps_mode_and_link)
{
    struct stat st;
    int64_t shape[] = { 4 };
    char target[128];
    mlxc_array *a = counting(shape, 1, MLXC_FLOAT32);
    put_file("a", "x", 1);
    ck_assert_int_eq(chmod(path_of("a"), 0640), 0);
    strcpy(target, path_of("a"));
    ck_assert_int_eq(symlink(target, path_of("b")), 0);
    OK(mlxc_save_npy(path_of("b"), a));
    ck_assert_int_eq(lstat(path_of("b"), &st), 0);
    ck_assert(S_ISLNK(st.st_mode));
    ck_assert_int_eq(stat(target, &st), 0);
    ck_assert_int_eq(st.st_mode & 0777, 0640);
    ck_assert_int_gt(st.st_size, 100);
    mlxc_array_unref(a);
}
END_TEST

struct source {
    const char *data;
    int calls, fail, released;
};

static mlxc_status read_source(void *payload, uint64_t offset, void *dst,
    size_t bytes)
{
    struct source *s = payload;
    if (++s->calls == s->fail)
        return (mlxc_status)7;
    memcpy(dst, s->data + offset, bytes);
    return MLXC_OK;
}

static void release_source(void *payload)
{
    ((struct source *)payload)->released++;
}

START_TEST(test_callback_reader_reads_at_once)
{
    char file[512], *text;
    size_t n = npy(file, npy_good[0].text, 1, npy_good[0].data, 4);
    struct source s = { file, 0, 0, 0 };
    mlxc_reader *r;
    mlxc_array *a;
    OK(mlxc_reader_new(&r, "the test", n, read_source, &s, release_source));
    OK(mlxc_read_npy(&a, r, NULL));
    mlxc_reader_unref(r);
    ck_assert_int_eq(s.released, 1);
    ck_assert(mlxc_array_is_ready(a));
    OK(mlxc_array_to_string(&text, a));
    ck_assert_str_eq(text, npy_good[0].shown);
    mlxc_free(text);
    mlxc_array_unref(a);
    int calls = s.calls;
    for (int fail = 1; fail <= calls; fail++) {
        s = (struct source){ file, 0, fail, 0 };
        OK(mlxc_reader_new(&r, "the test", n, read_source, &s, NULL));
        ck_assert_int_eq(mlxc_read_npy(&a, r, NULL), MLXC_ERR_CALLBACK);
        ck_assert_str_eq(mlxc_error_message(),
            "the callback for the test returned 7");
        ck_assert_ptr_null(a);
        mlxc_reader_unref(r);
    }
    ck_assert_int_eq(mlxc_reader_new(&r, NULL, 0, NULL, &s, release_source),
        MLXC_ERR_ARGUMENT);
    ck_assert_int_eq(s.released, 1);
}
END_TEST

START_TEST(test_memory_reader_releases_when_read)
{
    char file[512];
    size_t n = npy(file, npy_good[0].text, 1, npy_good[0].data, 4);
    struct source s = { file, 0, 0, 0 };
    mlxc_reader *r;
    mlxc_array *a;
    OK(mlxc_reader_memory(&r, file, n, release_source, &s));
    OK(mlxc_read_npy(&a, r, NULL));
    mlxc_reader_unref(r);
    ck_assert_int_eq(s.released, 0);
    OK(mlxc_eval(&a, 1));
    ck_assert_int_eq(s.released, 1);
    mlxc_array_unref(a);
    r = memory(file, n);
    mlxc_reader_unref(mlxc_reader_ref(r));
    mlxc_reader_unref(r);
}
END_TEST

static mlxc_status write_sink(void *payload, const void *data, size_t bytes)
{
    (void)data;
    *(size_t *)payload += bytes;
    return mlxc_error_set(MLXC_ERR_IO, "the sink is full");
}

START_TEST(test_callback_writer_keeps_its_message)
{
    size_t taken = 0;
    mlxc_writer *w;
    mlxc_array *a = counting(NULL, 0, MLXC_INT64);
    OK(mlxc_writer_new(&w, "the sink", write_sink, &taken, NULL));
    ck_assert_int_eq(mlxc_write_npy(w, a), MLXC_ERR_IO);
    ck_assert_str_eq(mlxc_error_message(), "the sink is full");
    ck_assert_uint_gt(taken, 0);
    ck_assert_uint_eq(mlxc_writer_size(w), 0);
    mlxc_writer_unref(w);
    mlxc_array_unref(a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("io");
    TCase *t = tcase_create("npy");
    tcase_add_checked_fixture(t, enter, leave);
    tcase_add_loop_test(t, test_npy_comes_back, 0, SHAPES * MX_DTYPE_COUNT);
    tcase_add_test(t, test_npy_is_written_as_numpy_does);
    tcase_add_loop_test(t, test_npy_reads_what_others_write, 0,
        COUNT(npy_good));
    tcase_add_loop_test(t, test_npy_is_not_trusted, 0, COUNT(npy_bad));
    tcase_add_loop_test(t, test_npy_may_be_cut_anywhere, 0, 3);
    suite_add_tcase(s, t);
    t = tcase_create("file");
    tcase_add_checked_fixture(t, enter, leave);
    tcase_add_test(t, test_file_that_shrinks_is_an_io_error);
    tcase_add_test(t, test_paths_that_are_no_files);
    tcase_add_test(t, test_failed_save_leaves_the_old_file);
    tcase_add_test(t, test_save_keeps_mode_and_link);
    tcase_add_test(t, test_callback_reader_reads_at_once);
    tcase_add_test(t, test_memory_reader_releases_when_read);
    tcase_add_test(t, test_callback_writer_keeps_its_message);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
