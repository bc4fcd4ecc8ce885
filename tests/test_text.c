/* SPDX-License-Identifier: MIT */
/* Reading values, printing them, drawing graphs. */
#include <check.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <mlxc/memory.h>
#include <mlxc/ops_math.h>
#include <mlxc/ops_shape.h>
#include <mlxc/transform.h>

#include "core/array.h"

#define OK(call) ck_assert_msg((call) == MLXC_OK, "%s", \
    mlxc_error_message())

struct text_case {
    mlxc_dtype dtype;
    int ndim;
    int64_t shape[8];
    double value[128];
    double start, step;
    int is_range;
    const char *text;
};

#define LIST(...) { __VA_ARGS__ }
static const struct text_case text_cases[] = {
#define VALUES(d, n, shape, values, text) \
    { MLXC_##d, n, LIST shape, LIST values, 0, 0, 0, text },
#define RANGE(d, n, shape, start, step, text) \
    { MLXC_##d, n, LIST shape, { 0 }, start, step, 1, text },
#include "print_cases.def"
};

static mlxc_array *make(const struct text_case *c)
{
    int64_t n = 1;
    mlxc_array *a;
    for (int i = 0; i < c->ndim; i++)
        n *= c->shape[i];
    size_t size = mlxc_dtype_size(c->dtype);
    char *data = calloc((size_t)n + 1, size);
    for (int64_t i = 0; i < n; i++) {
        char *at = data + (size_t)i * size;
        if (c->dtype == MLXC_COMPLEX64) {
            mlxc_complex64 z = { (float)c->value[2 * i],
                (float)c->value[2 * i + 1] };
            memcpy(at, &z, sizeof z);
        } else {
            mx_dtype_store_double(c->dtype, at, c->is_range
                ? c->start + c->step * (double)i : c->value[i]);
        }
    }
    OK(mlxc_array_from_data(&a, data, c->shape, c->ndim, c->dtype));
    free(data);
    return a;
}

static void expect_text(mlxc_array *a, const char *text)
{
    char *got;
    OK(mlxc_array_to_string(&got, a));
    ck_assert_str_eq(got, text);
    mlxc_free(got);
}

START_TEST(test_text_is_that_of_numpy)
{
    mlxc_array *a = make(&text_cases[_i]);
    expect_text(a, text_cases[_i].text);
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_text_of_bfloat16)
{
    uint16_t v[] = { 0x3f80, 0x3fa0, 0xc049, 0x3dcd, 0x7f80, 0x7fc0 };
    int64_t n = 6;
    mlxc_array *a;
    OK(mlxc_array_from_data(&a, v, &n, 1, MLXC_BFLOAT16));
    expect_text(a, "array([ 1.  ,  1.25, -3.14,  0.1 ,   inf,   nan], "
        "dtype=bfloat16)");
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_text_follows_strides)
{
    float v[] = { 0, 1, 2, 3, 4, 5 };
    int64_t shape[] = { 2, 3 };
    mlxc_array *a, *t;
    OK(mlxc_array_from_data(&a, v, shape, 2, MLXC_FLOAT32));
    OK(mlxc_transpose(&t, a, NULL, 0, NULL));
    expect_text(t, "array([[0., 3.],\n       [1., 4.],\n       [2., 5.]], "
        "dtype=float32)");
    mlxc_array_unref(t);
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_text_ignores_the_locale)
{
    mlxc_array *a;
    /* whichever is installed writes a decimal comma */
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
        setlocale(LC_NUMERIC, "fr_FR.UTF-8");
    OK(mlxc_array_from_double(&a, 0.1, MLXC_FLOAT32));
    expect_text(a, "array(0.1, dtype=float32)");
    setlocale(LC_NUMERIC, "C");
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_text_of_high_rank)
{
    int64_t shape[40];
    float v = 1;
    char *text;
    mlxc_array *a;
    for (int i = 0; i < 40; i++)
        shape[i] = 1;
    OK(mlxc_array_from_data(&a, &v, shape, 40, MLXC_FLOAT32));
    OK(mlxc_array_to_string(&text, a));
    ck_assert_ptr_nonnull(strstr(text, "[[[1.]]]"));
    mlxc_free(text);
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_text_refuses_null)
{
    char *text = (char *)1;
    ck_assert_int_eq(mlxc_array_to_string(&text, NULL), MLXC_ERR_ARGUMENT);
    ck_assert_ptr_null(text);
    ck_assert_str_eq(mlxc_error_message(),
        "array_to_string: the array is NULL");
}
END_TEST

/* Rows 0 .. n-1 of width m, every layout that views can make of them. */
static mlxc_array *grid(int64_t n, int64_t m)
{
    mlxc_array *flat, *a;
    int64_t shape[] = { n, m };
    OK(mlxc_arange(&flat, 0, (double)(n * m), 1, MLXC_INT32, NULL));
    OK(mlxc_reshape(&a, flat, shape, 2, NULL));
    mlxc_array_unref(flat);
    return a;
}

static const int64_t grid_sizes[][2] = {
    { 1, 1 }, { 2, 3 }, { 1, 9 }, { 7, 1 }, { 130, 129 }, { 300, 200 },
};

START_TEST(test_copy_out_follows_strides)
{
    int64_t n = grid_sizes[_i][0], m = grid_sizes[_i][1];
    mlxc_array *a = grid(n, m), *t, *r;
    int64_t start[] = { 0, n - 1 }, stop[] = { m, -n - 1 };
    int64_t step[] = { 1, -1 };
    OK(mlxc_transpose(&t, a, NULL, 0, NULL));
    OK(mlxc_slice(&r, t, start, stop, step, 2, NULL));
    size_t bytes = (size_t)(n * m) * sizeof(int32_t);
    int32_t *v = malloc(bytes);
    OK(mlxc_array_copy_out(t, v, bytes));
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++)
            ck_assert_int_eq(v[i * n + j], j * m + i);
    }
    OK(mlxc_array_copy_out(r, v, bytes));
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++)
            ck_assert_int_eq(v[i * n + j], (n - 1 - j) * m + i);
    }
    free(v);
    mlxc_array_unref(r);
    mlxc_array_unref(t);
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_copy_out_wants_the_exact_size)
{
    int32_t v[6];
    mlxc_array *a = grid(2, 3);
    ck_assert_int_eq(mlxc_array_copy_out(a, v, 23), MLXC_ERR_ARGUMENT);
    ck_assert_str_eq(mlxc_error_message(),
        "array_copy_out: the array has 24 bytes, not 23");
    ck_assert_int_eq(mlxc_array_copy_out(a, NULL, 24), MLXC_ERR_ARGUMENT);
    ck_assert_int_eq(mlxc_array_copy_out(NULL, v, 24), MLXC_ERR_ARGUMENT);
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_data_gives_row_major_only)
{
    const void *p;
    mlxc_array *a = grid(2, 3), *t;
    OK(mlxc_array_data(&p, a));
    ck_assert_int_eq(((const int32_t *)p)[5], 5);
    OK(mlxc_transpose(&t, a, NULL, 0, NULL));
    ck_assert_int_eq(mlxc_array_data(&p, t), MLXC_ERR_ARGUMENT);
    ck_assert_ptr_null(p);
    mlxc_array_unref(t);
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_items_convert)
{
    mlxc_dtype d = (mlxc_dtype)_i;
    mlxc_array *a;
    double f;
    int64_t i;
    bool b;
    mlxc_complex64 c;
    double want = d == MLXC_BOOL ? 1 : 3;
    OK(mlxc_array_from_int64(&a, 3, d));
    OK(mlxc_array_item_double(&f, a));
    OK(mlxc_array_item_int64(&i, a));
    OK(mlxc_array_item_bool(&b, a));
    OK(mlxc_array_item_complex64(&c, a));
    ck_assert(f == want && i == (int64_t)want && b);
    ck_assert(c.re == (float)want && c.im == 0);
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_item_of_imaginary_number_is_true)
{
    mlxc_array *a;
    bool b;
    OK(mlxc_array_from_complex64(&a, (mlxc_complex64){ 0, 2 }));
    OK(mlxc_array_item_bool(&b, a));
    ck_assert(b);
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_item_wants_one_element)
{
    double f;
    mlxc_array *a = grid(2, 3);
    ck_assert_int_eq(mlxc_array_item_double(&f, a), MLXC_ERR_SHAPE);
    ck_assert_str_eq(mlxc_error_message(),
        "array_item: int32(2,3) has 6 elements, not one");
    ck_assert_int_eq(mlxc_array_item_double(&f, NULL), MLXC_ERR_ARGUMENT);
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_dot_names_in_order)
{
    mlxc_array *a, *b, *c, *list[1];
    char *text;
    OK(mlxc_array_from_double(&a, 1, MLXC_FLOAT32));
    OK(mlxc_exp(&b, a, NULL));
    OK(mlxc_add(&c, b, a, NULL));
    list[0] = c;
    OK(mlxc_graph_to_dot(&text, list, 1));
    ck_assert_str_eq(text,
        "digraph {\n"
        "  op0 [label=\"exp\", shape=box];\n"
        "  \"C\" -> op0;\n"
        "  op0 -> \"B\";\n"
        "  op1 [label=\"add\", shape=box];\n"
        "  \"B\" -> op1;\n"
        "  \"C\" -> op1;\n"
        "  op1 -> \"A\";\n"
        "  \"A\" [label=\"A float32()\"];\n"
        "  \"B\" [label=\"B float32()\"];\n"
        "  \"C\" [label=\"C float32()\", style=filled];\n"
        "}\n");
    mlxc_free(text);
    mlxc_array_unref(a);
    mlxc_array_unref(b);
    mlxc_array_unref(c);
}
END_TEST

START_TEST(test_dot_of_long_chain)
{
    mlxc_array *a, *next;
    char *text;
    OK(mlxc_array_from_double(&a, 1, MLXC_FLOAT32));
    for (int i = 0; i < 100000; i++) {
        OK(mlxc_negative(&next, a, NULL));
        mlxc_array_unref(a);
        a = next;
    }
    OK(mlxc_graph_to_dot(&text, &a, 1));
    ck_assert_ptr_nonnull(strstr(text, "\"EQXE\" [")); /* the 100,001st */
    mlxc_free(text);
    mlxc_array_unref(a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("text");
    TCase *t = tcase_create("print");
    tcase_add_loop_test(t, test_text_is_that_of_numpy, 0,
        (int)(sizeof text_cases / sizeof *text_cases));
    tcase_add_test(t, test_text_of_bfloat16);
    tcase_add_test(t, test_text_follows_strides);
    tcase_add_test(t, test_text_ignores_the_locale);
    tcase_add_test(t, test_text_of_high_rank);
    tcase_add_test(t, test_text_refuses_null);
    suite_add_tcase(s, t);
    t = tcase_create("read");
    tcase_add_loop_test(t, test_copy_out_follows_strides, 0,
        (int)(sizeof grid_sizes / sizeof *grid_sizes));
    tcase_add_test(t, test_copy_out_wants_the_exact_size);
    tcase_add_test(t, test_data_gives_row_major_only);
    tcase_add_loop_test(t, test_items_convert, 0, MX_DTYPE_COUNT);
    tcase_add_test(t, test_item_of_imaginary_number_is_true);
    tcase_add_test(t, test_item_wants_one_element);
    suite_add_tcase(s, t);
    t = tcase_create("dot");
    tcase_add_test(t, test_dot_names_in_order);
    tcase_add_test(t, test_dot_of_long_chain);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
