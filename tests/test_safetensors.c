/* SPDX-License-Identifier: MIT */
/* Collections and .safetensors files. */
#include "files.h"

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

int main(void)
{
    Suite *s = suite_create("safetensors");
    TCase *t = tcase_create("safetensors");
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
