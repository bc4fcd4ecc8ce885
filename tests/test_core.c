/* SPDX-License-Identifier: MIT */
/* Types, arrays, errors, memory. */
#include <math.h>
#include <string.h>

#include "support.h"

#include "core/dtype.h"
#include "core/op.h"
#include "core/shape.h"

/* Rows and columns in enum order: the whole promotion table, by letter: b
   bool, 1-4 uint8 to uint64, 5-8 int8 to int64, h f16, f f32, d f64, g bf16,
   c c64. */
static const char order[] = "b12345678hfdgc";
static const char *const table[14] = {
    "b12345678hfdgc", "112346678hfdgc", "222347778hfdgc", "333348888hfdgc",
    "44444ffffhfdgc", "5678f5678hfdgc", "6678f6678hfdgc", "7778f7778hfdgc",
    "8888f8888hfdgc", "hhhhhhhhhhfdfc", "fffffffffffdfc", "dddddddddddddc",
    "gggggggggffdgc", "cccccccccccccc",
};

START_TEST(test_promotion)
{
    for (int a = 0; a < 14; a++) {
        for (int b = 0; b < 14; b++) {
            mlxc_dtype d, e;
            ok(mlxc_dtype_promote(&d, (mlxc_dtype)a, (mlxc_dtype)b));
            ok(mlxc_dtype_promote(&e, (mlxc_dtype)b, (mlxc_dtype)a));
            ck_assert_int_eq(d, e);
            ck_assert_msg(order[d] == table[a][b], "%s and %s give %s",
                mlxc_dtype_name((mlxc_dtype)a),
                mlxc_dtype_name((mlxc_dtype)b), mlxc_dtype_name(d));
        }
    }
    mlxc_dtype d;
    ok(mlxc_dtype_promote(&d, MLXC_UINT64, MLXC_INT8));
    ck_assert_int_eq(d, MLXC_FLOAT32);
    ok(mlxc_dtype_promote(&d, MLXC_UINT64, MLXC_BFLOAT16));
    ck_assert_int_eq(d, MLXC_BFLOAT16);
    ok(mlxc_dtype_promote(&d, MLXC_FLOAT32, MLXC_FLOAT64));
    ck_assert_int_eq(d, MLXC_FLOAT64);
    fails(mlxc_dtype_promote(&d, (mlxc_dtype)14, MLXC_BOOL), MLXC_ERR_DTYPE,
        "14");
}
END_TEST

START_TEST(test_half_round_trip)
{
    for (uint32_t h = 0; h < 65536; h++) {
        float f = mx_f16_to_float((uint16_t)h);
        float g = mx_bf16_to_float((uint16_t)h);
        if (f == f)
            ck_assert_int_eq(mx_float_to_f16(f), h);
        if (g == g)
            ck_assert_int_eq(mx_float_to_bf16(g), h);
    }
    ck_assert_int_eq(mx_float_to_f16(65519.0f), 0x7bff);
    ck_assert_int_eq(mx_float_to_f16(65520.0f), 0x7c00);
    ck_assert_int_eq(mx_float_to_f16(2049.0f), mx_float_to_f16(2048.0f));
    ck_assert_int_eq(mx_float_to_f16(2051.0f), mx_float_to_f16(2052.0f));
}
END_TEST

START_TEST(test_names)
{
    ck_assert_str_eq(mlxc_dtype_name(MLXC_BFLOAT16), "bfloat16");
    ck_assert_str_eq(mlxc_dtype_name((mlxc_dtype)99), "invalid");
    ck_assert_uint_eq(mlxc_dtype_size(MLXC_COMPLEX64), 8);
    ck_assert_uint_eq(mlxc_dtype_size((mlxc_dtype)-1), 0);
    ck_assert_str_eq(mlxc_status_name(MLXC_ERR_SHAPE), "MLXC_ERR_SHAPE");
    ck_assert_str_eq(mlxc_status_name((mlxc_status)5), "unknown status");
    ck_assert_str_eq(mlxc_version(), "0.1.0");
}
END_TEST

START_TEST(test_op_table)
{
    const struct mx_op *op = mx_ops[_i];
    ck_assert_ptr_nonnull(op);
    ck_assert_int_eq(op->id, _i);
    ck_assert_ptr_nonnull(op->name);
    ck_assert_ptr_nonnull(op->infer);
    /* a rule that is missing says why */
    if (!op->vjp)
        ck_assert_msg(op->exempt != NULL, "%s has no vjp", op->name);
    if (op->vjp)
        ck_assert_msg(op->jvp != NULL, "%s has no jvp", op->name);
    if (op->inputs != 0)
        ck_assert_msg(op->vmap != NULL, "%s has no vmap", op->name);
}
END_TEST

START_TEST(test_from_data)
{
    const int64_t shape[2] = { 2, 3 };
    const double v[6] = { 1, 2, 3, 4, 5, 6 };
    for (int d = 0; d < 14; d++) {
        if (d == MLXC_BOOL)
            continue;
        mlxc_array *a = make((mlxc_dtype)d, shape, 2, v);
        assert_shape(a, 2, shape);
        assert_values(a, 6, v, 0);
        ck_assert(mlxc_array_is_ready(a));
        ck_assert_int_eq(mlxc_array_dtype(a), d);
        ck_assert_uint_eq(mlxc_array_nbytes(a),
            6 * mlxc_dtype_size((mlxc_dtype)d));
        mlxc_array_unref(a);
    }
}
END_TEST

START_TEST(test_from_data_refuses)
{
    mlxc_array *a = (mlxc_array *)&a;
    const int64_t negative[2] = { 2, -1 };
    const int64_t huge[3] = { INT64_MAX, 2, 2 };
    float x = 0;
    fails(mlxc_array_from_data(&a, &x, negative, 2, MLXC_FLOAT32),
        MLXC_ERR_SHAPE, "(2,-1)");
    ck_assert_ptr_null(a);
    fails(mlxc_array_from_data(&a, &x, huge, 3, MLXC_FLOAT32),
        MLXC_ERR_SHAPE, "too large");
    fails(mlxc_array_from_data(&a, &x, NULL, 0, (mlxc_dtype)50),
        MLXC_ERR_DTYPE, "50");
    fails(mlxc_array_from_data(&a, NULL, NULL, 0, MLXC_FLOAT32),
        MLXC_ERR_ARGUMENT, "NULL");
    fails(mlxc_array_from_data(&a, &x, NULL, 2, MLXC_FLOAT32),
        MLXC_ERR_ARGUMENT, "rank");
    const int64_t empty[2] = { 0, 3 };
    ok(mlxc_array_from_data(&a, NULL, empty, 2, MLXC_FLOAT32));
    ck_assert_int_eq(mlxc_array_size(a), 0);
    mlxc_array_unref(a);
}
END_TEST

static int released;
static void release(void *payload)
{
    released += *(int *)payload;
}

START_TEST(test_adopt)
{
    float data[4] = { 1, 2, 3, 4 };
    const int64_t shape = 4;
    int one = 1;
    mlxc_array *a, *b;
    const void *p;
    released = 0;
    ok(mlxc_array_adopt(&a, data, &shape, 1, MLXC_FLOAT32, release, &one));
    ok(mlxc_array_data(&p, a));
    ck_assert_ptr_eq(p, data);
    /* never overwritten, though nobody else holds it */
    ok(mlxc_negative(&b, a, NULL));
    mlxc_array_unref(a);
    const double minus[4] = { -1, -2, -3, -4 };
    assert_values(b, 4, minus, 0);
    ck_assert(data[0] == 1 && data[3] == 4);
    ck_assert_int_eq(released, 1);
    mlxc_array_unref(b);
    ck_assert_int_eq(released, 1);
    /* also when the call fails */
    fails(mlxc_array_adopt(&a, (char *)data + 1, &shape, 1, MLXC_FLOAT32,
        release, &one), MLXC_ERR_ARGUMENT, "aligned");
    ck_assert_int_eq(released, 2);
}
END_TEST

START_TEST(test_scalars)
{
    mlxc_array *a;
    double d;
    int64_t i;
    bool b;
    mlxc_complex64 z, w = { 1, -2 };
    ok(mlxc_array_from_double(&a, 2.5, MLXC_FLOAT16));
    ok(mlxc_array_item_double(&d, a));
    ck_assert(d == 2.5);
    ok(mlxc_array_item_int64(&i, a));
    ck_assert_int_eq(i, 2);
    mlxc_array_unref(a);
    ok(mlxc_array_from_int64(&a, INT64_MAX - 1, MLXC_INT64));
    ok(mlxc_array_item_int64(&i, a));
    ck_assert_int_eq(i, INT64_MAX - 1);
    mlxc_array_unref(a);
    ok(mlxc_array_from_bool(&a, true));
    ok(mlxc_array_item_bool(&b, a));
    ck_assert(b);
    mlxc_array_unref(a);
    ok(mlxc_array_from_complex64(&a, w));
    ok(mlxc_array_item_complex64(&z, a));
    ck_assert(z.re == 1 && z.im == -2);
    mlxc_array_unref(a);
    const double two[2] = { 1, 2 };
    a = vec(MLXC_FLOAT32, 2, two);
    fails(mlxc_array_item_double(&d, a), MLXC_ERR_SHAPE, "");
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_null_is_harmless)
{
    mlxc_array_unref(NULL);
    mlxc_arrays_unref(NULL);
    mlxc_stream_unref(NULL);
    mlxc_function_unref(NULL);
    mlxc_scope_free(NULL);
    mlxc_free(NULL);
    ck_assert_ptr_null(mlxc_array_ref(NULL));
    ck_assert_int_eq(mlxc_array_ndim(NULL), 0);
    ck_assert_int_eq(mlxc_array_dim(NULL, 0), -1);
    mlxc_array *a;
    fails(mlxc_add(&a, NULL, NULL, NULL), MLXC_ERR_ARGUMENT,
        "add: input 0 is NULL");
    fails(mlxc_exp(&a, NULL, NULL), MLXC_ERR_ARGUMENT, "exp");
    fails(mlxc_eval(&(mlxc_array *){ NULL }, 1), MLXC_ERR_ARGUMENT, "NULL");
}
END_TEST

START_TEST(test_counters)
{
    const int64_t shape = 1 << 20;
    mlxc_array *a;
    mlxc_memory_clear_cache();
    size_t before = mlxc_memory_active();
    mlxc_memory_reset_peak();
    ok(mlxc_zeros(&a, &shape, 1, MLXC_FLOAT32, NULL));
    ck_assert_uint_lt(mlxc_memory_active(), before + 4096);
    ok(mlxc_eval(&a, 1));
    ck_assert_uint_ge(mlxc_memory_active(), before + (4 << 20));
    ck_assert_uint_ge(mlxc_memory_peak(), before + (4 << 20));
    mlxc_array_unref(a);
    ck_assert_uint_eq(mlxc_memory_active(), before);
    ck_assert_uint_ge(mlxc_memory_cached(), 4 << 20);
    size_t old = mlxc_memory_set_cache_limit(0);
    ck_assert_uint_eq(mlxc_memory_cached(), 0);
    ck_assert_uint_eq(mlxc_memory_set_cache_limit(old), 0);
    /* a hard limit is a status, and can be lifted */
    mlxc_memory_set_limit(mlxc_memory_active() + (1 << 20));
    ok(mlxc_zeros(&a, &shape, 1, MLXC_FLOAT32, NULL));
    fails(mlxc_eval(&a, 1), MLXC_ERR_NOMEM, "4194304");
    mlxc_memory_set_limit(0);
    ok(mlxc_eval(&a, 1));
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_reshape_strides)
{
    int64_t out[4];
    const int64_t shape[3] = { 2, 3, 4 }, row[3] = { 12, 4, 1 };
    const int64_t turned[3] = { 1, 2, 6 }, flat = 24;
    const int64_t split[4] = { 2, 3, 2, 2 }, merged[2] = { 6, 4 };
    ck_assert(mx_reshape_strides(out, &flat, 1, shape, row, 3));
    ck_assert_int_eq(out[0], 1);
    ck_assert(mx_reshape_strides(out, split, 4, shape, row, 3));
    ck_assert_int_eq(out[2], 2);
    ck_assert(!mx_reshape_strides(out, &flat, 1, shape, turned, 3));
    /* a gap between rows: they stay rows */
    const int64_t gap[3] = { 60, 20, 1 };
    ck_assert(mx_reshape_strides(out, merged, 2, shape, gap, 3));
    ck_assert_int_eq(out[0], 20);
    ck_assert(!mx_reshape_strides(out, &flat, 1, shape, gap, 3));
    const int64_t ones[4] = { 1, 6, 1, 4 };
    ck_assert(mx_reshape_strides(out, ones, 4, shape, row, 3));
    ck_assert_int_eq(out[1], 4);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("core");
    TCase *t = tcase_create("types");
    tcase_add_test(t, test_promotion);
    tcase_add_test(t, test_half_round_trip);
    tcase_add_test(t, test_names);
    tcase_add_loop_test(t, test_op_table, 0, MX_OP_COUNT);
    suite_add_tcase(s, t);
    t = tcase_create("arrays");
    tcase_add_test(t, test_from_data);
    tcase_add_test(t, test_from_data_refuses);
    tcase_add_test(t, test_adopt);
    tcase_add_test(t, test_scalars);
    tcase_add_test(t, test_null_is_harmless);
    tcase_add_test(t, test_counters);
    tcase_add_test(t, test_reshape_strides);
    suite_add_tcase(s, t);
    return run_suite(s);
}
