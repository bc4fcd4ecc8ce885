/* SPDX-License-Identifier: MIT */
/* Files: what is saved comes back, NumPy's own bytes are read and written,
   and nothing that a file claims is believed. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <mlxc/io.h>
#include <mlxc/memory.h>
#include <mlxc/ops_math.h>
#include <mlxc/ops_shape.h>
#include <mlxc/transform.h>

#include "core/array.h"

#define OK(call) ck_assert_msg((call) == MLXC_OK, "%s", \
    mlxc_error_message())

static char folder[64];

static void enter(void)
{
    strcpy(folder, "/tmp/mlxc-test-io-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void leave(void)
{
    unlink(path_of("a"));
    unlink(path_of("b"));
    ck_assert_msg(rmdir(folder) == 0, "a temporary file was left behind");
}

static void put_file(const char *name, const void *data, size_t n)
{
    FILE *f = fopen(path_of(name), "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(data, 1, n, f), n);
    fclose(f);
}

static size_t get_file(const char *name, char *data, size_t room)
{
    FILE *f = fopen(path_of(name), "rb");
    ck_assert_ptr_nonnull(f);
    size_t n = fread(data, 1, room, f);
    fclose(f);
    return n;
}

static mlxc_reader *memory(const void *data, size_t n)
{
    mlxc_reader *r;
    OK(mlxc_reader_memory(&r, data, n, NULL, NULL));
    return r;
}

/* shape (2,3) or as given, counting from -1 */
static mlxc_array *counting(const int64_t *shape, int ndim, mlxc_dtype d)
{
    char data[1024];
    int64_t n = 1;
    mlxc_array *a;
    for (int i = 0; i < ndim; i++)
        n *= shape[i];
    for (int64_t i = 0; i < n; i++)
        mx_dtype_store_double(d, data + (size_t)i * mlxc_dtype_size(d),
            (double)(i - 1));
    OK(mlxc_array_from_data(&a, data, shape, ndim, d));
    return a;
}

static void expect_same(mlxc_array *a, mlxc_array *b)
{
    char x[1024], y[1024];
    size_t n = mlxc_array_nbytes(a);
    ck_assert_int_eq(mlxc_array_dtype(a), mlxc_array_dtype(b));
    ck_assert_int_eq(mlxc_array_ndim(a), mlxc_array_ndim(b));
    for (int i = 0; i < mlxc_array_ndim(a); i++)
        ck_assert_int_eq(mlxc_array_dim(a, i), mlxc_array_dim(b, i));
    OK(mlxc_array_copy_out(a, x, n));
    OK(mlxc_array_copy_out(b, y, n));
    ck_assert_int_eq(memcmp(x, y, n), 0);
}

static const struct {
    int ndim;
    int64_t shape[4];
} shapes[] = { { 0, { 0 } }, { 1, { 3 } }, { 1, { 0 } }, { 2, { 2, 3 } },
    { 3, { 2, 0, 4 } }, { 4, { 1, 2, 3, 2 } } };
#define SHAPES (int)(sizeof shapes / sizeof *shapes)

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

START_TEST(test_tensors_are_sorted)
{
    static const char *const names[] = { "b", "a", "c", "a" };
    mlxc_tensors *t;
    mlxc_array *a[4], *got;
    OK(mlxc_tensors_new(&t));
    for (int i = 0; i < 4; i++) {
        OK(mlxc_array_from_int64(&a[i], i, MLXC_INT32));
        OK(mlxc_tensors_set(t, names[i], a[i]));
    }
    ck_assert_int_eq(mlxc_tensors_size(t), 3);
    ck_assert_str_eq(mlxc_tensors_name(t, 0), "a");
    ck_assert_str_eq(mlxc_tensors_name(t, 2), "c");
    ck_assert_ptr_eq(mlxc_tensors_at(t, 0), a[3]);
    ck_assert_ptr_null(mlxc_tensors_name(t, 3));
    ck_assert_ptr_null(mlxc_tensors_at(t, -1));
    OK(mlxc_tensors_get(&got, t, "b"));
    ck_assert_ptr_eq(got, a[0]);
    mlxc_array_unref(got);
    ck_assert_int_eq(mlxc_tensors_get(&got, t, "d"), MLXC_ERR_ARGUMENT);
    ck_assert_str_eq(mlxc_error_message(),
        "tensors_get: there is no array \"d\"");
    for (int i = 0; i < 4; i++)
        mlxc_array_unref(a[i]);
    mlxc_tensors_unref(t);
}
END_TEST

/* One array of each dtype and shape, named after both. */
static mlxc_tensors *everything(void)
{
    char name[64];
    mlxc_tensors *t;
    OK(mlxc_tensors_new(&t));
    for (int d = 0; d < MX_DTYPE_COUNT; d++) {
        for (int i = 0; i < SHAPES; i++) {
            mlxc_array *a = counting(shapes[i].shape, shapes[i].ndim,
                (mlxc_dtype)d);
            snprintf(name, sizeof name, "%s/%d",
                mlxc_dtype_name((mlxc_dtype)d), i);
            OK(mlxc_tensors_set(t, name, a));
            mlxc_array_unref(a);
        }
    }
    OK(mlxc_tensors_set_metadata(t, "format", "pt"));
    OK(mlxc_tensors_set_metadata(t, "\"\n\303\251", ""));
    return t;
}

static void expect_same_tensors(mlxc_tensors *t, mlxc_tensors *u)
{
    ck_assert_int_eq(mlxc_tensors_size(t), mlxc_tensors_size(u));
    for (int i = 0; i < mlxc_tensors_size(t); i++) {
        ck_assert_str_eq(mlxc_tensors_name(t, i), mlxc_tensors_name(u, i));
        expect_same(mlxc_tensors_at(t, i), mlxc_tensors_at(u, i));
    }
    ck_assert_int_eq(mlxc_tensors_metadata_size(t),
        mlxc_tensors_metadata_size(u));
    for (int i = 0; i < mlxc_tensors_metadata_size(t); i++) {
        const char *key = mlxc_tensors_metadata_key(t, i);
        ck_assert_str_eq(key, mlxc_tensors_metadata_key(u, i));
        ck_assert_str_eq(mlxc_tensors_metadata(t, key),
            mlxc_tensors_metadata(u, key));
    }
}

START_TEST(test_safetensors_come_back)
{
    mlxc_tensors *t = everything(), *u;
    OK(mlxc_save_safetensors(path_of("a"), t));
    OK(mlxc_load_safetensors(&u, path_of("a"), NULL));
    unlink(path_of("a")); /* the data is read all the same */
    expect_same_tensors(t, u);
    mlxc_tensors_unref(t);
    mlxc_tensors_unref(u);
}
END_TEST

START_TEST(test_safetensors_save_over_themselves)
{
    mlxc_tensors *t = everything(), *u, *v;
    OK(mlxc_save_safetensors(path_of("a"), t));
    OK(mlxc_load_safetensors(&u, path_of("a"), NULL));
    OK(mlxc_save_safetensors(path_of("a"), u));
    OK(mlxc_load_safetensors(&v, path_of("a"), NULL));
    expect_same_tensors(t, v);
    mlxc_tensors_unref(t);
    mlxc_tensors_unref(u);
    mlxc_tensors_unref(v);
}
END_TEST

START_TEST(test_safetensors_bytes)
{
    static const char text[] = "\170\0\0\0\0\0\0\0"
        "{\"__metadata__\":{\"k\":\"v\"},"
        "\"a\":{\"data_offsets\":[8,10],\"dtype\":\"BOOL\",\"shape\":[2]},"
        "\"b\":{\"data_offsets\":[0,8],\"dtype\":\"I64\",\"shape\":[]}}";
    static const char data[] = "\377\377\377\377\377\377\377\377\1\0";
    int64_t two = 2;
    mlxc_writer *w;
    mlxc_tensors *t;
    mlxc_array *a = counting(&two, 1, MLXC_BOOL);
    mlxc_array *b = counting(NULL, 0, MLXC_INT64);
    OK(mlxc_tensors_new(&t));
    OK(mlxc_tensors_set(t, "a", a));
    OK(mlxc_tensors_set(t, "b", b));
    OK(mlxc_tensors_set_metadata(t, "k", "v"));
    OK(mlxc_writer_memory(&w));
    OK(mlxc_write_safetensors(w, t));
    const char *got = mlxc_writer_data(w);
    size_t n = sizeof text - 1, pad = (8 - n % 8) % 8;
    ck_assert_int_eq((unsigned char)got[0], (int)(n + pad - 8));
    ck_assert_mem_eq(got + 1, text + 1, n - 1);
    for (size_t i = 0; i < pad; i++)
        ck_assert_int_eq(got[n + i], ' ');
    ck_assert_mem_eq(got + n + pad, data, 10);
    ck_assert_uint_eq(mlxc_writer_size(w), n + pad + 10);
    mlxc_writer_unref(w);
    mlxc_tensors_unref(t);
    mlxc_array_unref(a);
    mlxc_array_unref(b);
}
END_TEST

START_TEST(test_safetensors_refuse_names)
{
    mlxc_tensors *t;
    mlxc_array *a = counting(NULL, 0, MLXC_INT64);
    OK(mlxc_tensors_new(&t));
    OK(mlxc_tensors_set(t, _i ? "\377" : "__metadata__", a));
    ck_assert_int_eq(mlxc_save_safetensors(path_of("a"), t),
        MLXC_ERR_ARGUMENT);
    ck_assert_int_ne(access(path_of("a"), F_OK), 0);
    mlxc_tensors_unref(t);
    mlxc_array_unref(a);
}
END_TEST

static size_t safetensors(char *to, const char *text, size_t data)
{
    size_t n = strlen(text);
    for (int i = 0; i < 8; i++)
        to[i] = (char)((uint64_t)n >> 8 * i);
    memcpy(to + 8, text, n);
    memset(to + 8 + n, 1, data);
    return 8 + n + data;
}

static mlxc_status read_safetensors(mlxc_tensors **out, const char *data,
    size_t n)
{
    char *copy = malloc(n ? n : 1);
    memcpy(copy, data, n);
    mlxc_reader *r;
    mlxc_status status = mlxc_reader_memory(&r, copy, n, free, copy);
    if (!status)
        status = mlxc_read_safetensors(out, r, NULL);
    mlxc_reader_unref(r);
    return status;
}

#define ENTRY(dtype, shape, begin, end) "{\"dtype\":\"" dtype \
    "\",\"shape\":" shape ",\"data_offsets\":[" begin "," end "]}"

static const char *const safetensors_bad[] = {
    "[]", "1", "{", "{\"a\":1}", "{\"a\":{}}", "\"\\u0000\"",
    "{\"a\":" ENTRY("F32", "[1]", "0", "4") ",}",
    "{\"a\":{\"dtype\":1,\"shape\":[1],\"data_offsets\":[0,4]}}",
    "{\"a\":" ENTRY("F99", "[1]", "0", "4") "}",
    "{\"a\":" ENTRY("F32", "1", "0", "4") "}",
    "{\"a\":" ENTRY("F32", "[-1]", "0", "4") "}",
    "{\"a\":" ENTRY("F32", "[1.0]", "0", "4") "}",
    "{\"a\":" ENTRY("F32", "[\"1\"]", "0", "4") "}",
    "{\"a\":" ENTRY("F32", "[1]", "-4", "0") "}",
    "{\"a\":" ENTRY("F32", "[1]", "4", "0") "}",
    "{\"a\":" ENTRY("F32", "[1]", "0", "8") "}",
    "{\"a\":" ENTRY("F32", "[1]", "0", "4.0") "}",
    "{\"a\":" ENTRY("F32", "[1]", "0", "4,8") "}",
    "{\"a\":" ENTRY("F32", "[1]", "14", "18") "}",
    "{\"a\":" ENTRY("F32", "[1]", "99999999999", "99999999999") "}",
    "{\"a\":" ENTRY("F32", "[0]", "0", "4") "}",
    "{\"a\":" ENTRY("F32", "[0]", "17", "17") "}",
    "{\"a\":" ENTRY("F32", "[4611686018427387904,4]", "0", "0") "}",
    "{\"a\":" ENTRY("F32", "[4611686018427387904,4,0]", "0", "0") "}",
    "{\"a\":" ENTRY("F32", "[99999999999999999999]", "0", "4") "}",
    "{\"a\":" ENTRY("F32", "[1]", "0", "4") ",\"a\":"
        ENTRY("F32", "[1]", "4", "8") "}",
    "{\"a\":" ENTRY("F32", "[2]", "0", "8") ",\"b\":"
        ENTRY("F32", "[1]", "4", "8") "}",
    "{\"a\":" ENTRY("F32", "[1]", "0", "4") ",\"b\":"
        ENTRY("F32", "[1]", "0", "4") "}",
    "{\"__metadata__\":{\"a\":1}}", "{\"__metadata__\":[]}",
    "{\"\377\":" ENTRY("F32", "[1]", "0", "4") "}",
    "{} x",
};

START_TEST(test_safetensors_are_not_trusted)
{
    char file[512];
    mlxc_tensors *t = (mlxc_tensors *)file;
    size_t n = safetensors(file, safetensors_bad[_i], 16);
    ck_assert_int_eq(read_safetensors(&t, file, n), MLXC_ERR_FORMAT);
    ck_assert_ptr_null(t);
    ck_assert_int_eq(strncmp(mlxc_error_message(),
        "load_safetensors: memory", 24), 0);
}
END_TEST

START_TEST(test_safetensors_lengths_are_not_trusted)
{
    static const unsigned char lengths[][8] = {
        { 0 }, { 255, 255, 255, 255, 255, 255, 255, 255 },
        { 0, 0, 0, 0, 0, 0, 0, 128 }, { 0, 225, 245, 5 }, { 11 },
    };
    char file[512];
    mlxc_tensors *t;
    for (size_t i = 0; i < sizeof lengths / 8; i++) {
        size_t n = safetensors(file, "{}", 8);
        memcpy(file, lengths[i], 8);
        ck_assert_int_eq(read_safetensors(&t, file, n), MLXC_ERR_FORMAT);
    }
    for (size_t n = 0; n < 10; n++) {
        safetensors(file, "{}", 0);
        ck_assert_int_eq(read_safetensors(&t, file, n), MLXC_ERR_FORMAT);
    }
}
END_TEST

START_TEST(test_deep_json_is_refused)
{
    size_t n = 100000;
    char *file = malloc(8 + n);
    mlxc_tensors *t;
    memset(file, '[', 8 + n);
    for (int i = 0; i < 8; i++)
        file[i] = (char)((uint64_t)n >> 8 * i);
    ck_assert_int_eq(read_safetensors(&t, file, 8 + n), MLXC_ERR_FORMAT);
    free(file);
}
END_TEST

START_TEST(test_safetensors_of_others)
{
    static const char text[] = "{\"z\":" ENTRY("F8_E4M3", "[2]", "9", "11")
        ",\"__metadata__\":null,\"y\":" ENTRY("F8_E5M2", "[1]", "1", "2")
        ",\"e\":" ENTRY("F64", "[3,0]", "2", "2") ",\"x\":"
        ENTRY("F32", "[]", "2", "6") "}  \n ";
    char file[512], *shown;
    mlxc_tensors *t;
    size_t n = safetensors(file, text, 16);
    OK(read_safetensors(&t, file, n));
    ck_assert_int_eq(mlxc_tensors_size(t), 4);
    ck_assert_int_eq(mlxc_tensors_metadata_size(t), 0);
    OK(mlxc_array_to_string(&shown, mlxc_tensors_at(t, 3)));
    ck_assert_str_eq(shown, "array([1, 1], dtype=uint8)");
    mlxc_free(shown);
    OK(mlxc_array_to_string(&shown, mlxc_tensors_at(t, 1)));
    ck_assert_str_eq(shown, "array(2.3694278e-38, dtype=float32)");
    mlxc_free(shown);
    mlxc_tensors_unref(t);
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

#define COUNT(list) (int)(sizeof list / sizeof *list)

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
    t = tcase_create("safetensors");
    tcase_add_checked_fixture(t, enter, leave);
    tcase_add_test(t, test_tensors_are_sorted);
    tcase_add_test(t, test_safetensors_come_back);
    tcase_add_test(t, test_safetensors_save_over_themselves);
    tcase_add_test(t, test_safetensors_bytes);
    tcase_add_loop_test(t, test_safetensors_refuse_names, 0, 2);
    tcase_add_loop_test(t, test_safetensors_are_not_trusted, 0,
        COUNT(safetensors_bad));
    tcase_add_test(t, test_safetensors_lengths_are_not_trusted);
    tcase_add_test(t, test_deep_json_is_refused);
    tcase_add_test(t, test_safetensors_of_others);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
