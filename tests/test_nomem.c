/* SPDX-License-Identifier: MIT */
/* The n-th allocation fails, for n = 1, 2, 3 ... until the scenario comes
   through: each failure is MLXC_ERR_NOMEM, nothing leaks, and the same
   scenario works afterwards. */
#include <string.h>
#include <unistd.h>

#include "support.h"

#include <mlxc/expr.h>

#include "util/alloc.h"

typedef mlxc_status scenario_fn(void);

/* loss(w) = mean((tanh(x w) - y)^2) */
static mlxc_status loss(mlxc_arrays *outputs, mlxc_arrays *inputs,
    void *payload)
{
    (void)payload;
    mlxc_scope *c;
    mlxc_array *out;
    mlxc_status status = mlxc_scope_new(&c, NULL);
    if (status)
        return status;
    mlxc_array *h = mlxe_tanh(c, mlxe_matmul(c, mlxc_arrays_get(inputs, 1),
        mlxc_arrays_get(inputs, 0)));
    mlxc_array *d = mlxe_subtract(c, h, mlxc_arrays_get(inputs, 2));
    status = mlxc_scope_export(&out, c, mlxe_mean(c, mlxe_square(c, d), NULL,
        0, false));
    mlxc_scope_free(c);
    return status ? status : mlxc_arrays_push_take(outputs, out);
}

static mlxc_status inputs_of(mlxc_arrays **out)
{
    static const float w[6] = { 1, -1, 0.5f, 2, 0, 1 };
    static const float x[6] = { 1, 2, 3, 4, 5, 6 };
    static const float y[4] = { 0, 1, 1, 0 };
    static const int64_t sw[2] = { 3, 2 }, sx[2] = { 2, 3 }, sy[2] = { 2, 2 };
    mlxc_array *a;
    mlxc_status status = mlxc_arrays_new(out);
    if (!status)
        status = mlxc_array_from_data(&a, w, sw, 2, MLXC_FLOAT32);
    if (!status)
        status = mlxc_arrays_push_take(*out, a);
    if (!status)
        status = mlxc_array_from_data(&a, x, sx, 2, MLXC_FLOAT32);
    if (!status)
        status = mlxc_arrays_push_take(*out, a);
    if (!status)
        status = mlxc_array_from_data(&a, y, sy, 2, MLXC_FLOAT32);
    if (!status)
        status = mlxc_arrays_push_take(*out, a);
    if (status) {
        mlxc_arrays_unref(*out);
        *out = NULL;
    }
    return status;
}

static mlxc_status training_step(void)
{
    mlxc_function *f = NULL, *g = NULL;
    mlxc_arrays *in = NULL, *out = NULL;
    mlxc_scope *c = NULL;
    mlxc_status status = inputs_of(&in);
    if (!status)
        status = mlxc_function_new(&f, loss, NULL, NULL);
    if (!status)
        status = mlxc_value_and_grad(&g, f, NULL, 0);
    if (!status)
        status = mlxc_function_call(&out, g, in);
    if (!status)
        status = mlxc_scope_new(&c, NULL);
    if (!status) {
        mlxc_array *next = mlxe_subtract(c, mlxc_arrays_get(in, 0),
            mlxe_multiply(c, mlxe_scalar(c, 0.1, MLXC_FLOAT32),
                mlxc_arrays_get(out, 1)));
        status = mlxc_scope_status(c);
        if (!status)
            status = mlxc_eval(&next, 1);
    }
    mlxc_scope_free(c);
    mlxc_arrays_unref(in);
    mlxc_arrays_unref(out);
    mlxc_function_unref(f);
    mlxc_function_unref(g);
    return status;
}

static mlxc_status vmap_of_grad(void)
{
    mlxc_function *f = NULL, *g = NULL, *v = NULL;
    mlxc_arrays *in = NULL, *batch = NULL, *out = NULL;
    const int axes[3] = { MLXC_UNMAPPED, 0, 0 };
    mlxc_status status = inputs_of(&in);
    if (!status)
        status = mlxc_arrays_new(&batch);
    for (int i = 0; i < 3 && !status; i++) {
        mlxc_array *a = mlxc_arrays_get(in, i), *b;
        const int64_t shape[3] = { 4, mlxc_array_dim(a, 0),
            mlxc_array_dim(a, 1) };
        status = i ? mlxc_broadcast_to(&b, a, shape, 3, NULL)
                   : (b = mlxc_array_ref(a), MLXC_OK);
        if (!status)
            status = mlxc_arrays_push_take(batch, b);
    }
    if (!status)
        status = mlxc_function_new(&f, loss, NULL, NULL);
    if (!status)
        status = mlxc_grad(&g, f, NULL, 0);
    if (!status)
        status = mlxc_vmap(&v, g, axes, 3, NULL, 0);
    if (!status)
        status = mlxc_function_call(&out, v, batch);
    if (!status) {
        mlxc_array *a = mlxc_arrays_get(out, 0);
        status = mlxc_eval(&a, 1);
    }
    mlxc_arrays_unref(in);
    mlxc_arrays_unref(batch);
    mlxc_arrays_unref(out);
    mlxc_function_unref(f);
    mlxc_function_unref(g);
    mlxc_function_unref(v);
    return status;
}

static mlxc_status indexing(void)
{
    mlxc_arrays *in = NULL;
    mlxc_scope *c = NULL;
    mlxc_status status = inputs_of(&in);
    if (!status)
        status = mlxc_scope_new(&c, NULL);
    if (!status) {
        static const int64_t low[2] = { 1, 2 }, high[2] = { 2, 1 };
        static const int first = 0;
        mlxc_array *a = mlxc_arrays_get(in, 1);
        mlxc_array *i = mlxe_argmax(c, a, 0, false);
        mlxc_array *t = mlxe_take(c, a, i, 0);
        t = mlxe_pad(c, t, low, high, 2, MLXC_PAD_REFLECT, NULL);
        t = mlxe_softmax(c, mlxe_cumsum(c, t, 1, true, false), &first, 1);
        mlxc_array *list[2] = { t, mlxe_transpose(c, mlxe_transpose(c, t,
            NULL, 0), NULL, 0) };
        t = mlxe_stack(c, list, 2, 1);
        status = mlxc_scope_status(c);
        if (!status)
            status = mlxc_eval(&t, 1);
        char *text = NULL;
        if (!status)
            status = mlxc_array_to_string(&text, t);
        mlxc_free(text);
    }
    mlxc_scope_free(c);
    mlxc_arrays_unref(in);
    return status;
}

/* Through memory and back, and through a column-major .npy file. */
static mlxc_status files(void)
{
    static const char path[] = "test_nomem.npy";
    mlxc_arrays *in = NULL;
    mlxc_array *turned = NULL, *loaded = NULL;
    mlxc_tensors *t = NULL, *again = NULL;
    mlxc_writer *w = NULL;
    mlxc_reader *r = NULL;
    char *text = NULL;
    mlxc_status status = inputs_of(&in);
    if (!status)
        status = mlxc_tensors_new(&t);
    if (!status)
        status = mlxc_tensors_set(t, "b", mlxc_arrays_get(in, 0));
    if (!status)
        status = mlxc_tensors_set(t, "a", mlxc_arrays_get(in, 1));
    if (!status)
        status = mlxc_tensors_set_metadata(t, "key", "value");
    if (!status)
        status = mlxc_writer_memory(&w);
    if (!status)
        status = mlxc_write_safetensors(w, t);
    if (!status)
        status = mlxc_reader_memory(&r, mlxc_writer_data(w),
            mlxc_writer_size(w), NULL, NULL);
    if (!status)
        status = mlxc_read_safetensors(&again, r, NULL);
    if (!status)
        status = mlxc_transpose(&turned, mlxc_tensors_at(again, 0), NULL, 0,
            NULL);
    if (!status)
        status = mlxc_save_npy(path, turned);
    if (!status)
        status = mlxc_load_npy(&loaded, path, NULL);
    if (!status)
        status = mlxc_graph_to_dot(&text, &loaded, 1);
    if (!status)
        status = mlxc_eval(&loaded, 1);
    mlxc_free(text);
    unlink(path);
    mlxc_array_unref(loaded);
    mlxc_array_unref(turned);
    mlxc_reader_unref(r);
    mlxc_writer_unref(w);
    mlxc_tensors_unref(again);
    mlxc_tensors_unref(t);
    mlxc_arrays_unref(in);
    return status;
}

static scenario_fn *const scenarios[] = { training_step, vmap_of_grad,
    indexing, files };

START_TEST(test_every_allocation)
{
    scenario_fn *run = scenarios[_i];
    ok(run()); /* opens the device, fills caches that stay */
    for (int forever = 0; forever < 2; forever++) {
        for (int64_t n = 1;; n++) {
            ck_assert_int_lt(n, 100000);
            size_t before = mlxc_memory_active();
            mx_alloc_fail_at(n, forever);
            mlxc_status status = run();
            int happened = mx_alloc_failed();
            mx_alloc_fail_at(0, 0);
            ck_assert_uint_eq(mlxc_memory_active(), before);
            if (!happened) {
                ck_assert_int_eq(status, MLXC_OK);
                break;
            }
            /* a failure that a retry or a fallback absorbs is no failure */
            ck_assert_msg(status == MLXC_ERR_NOMEM || status == MLXC_OK,
                "allocation %lld: %s: %s", (long long)n,
                mlxc_status_name(status), mlxc_error_message());
        }
    }
    ok(run());
}
END_TEST

int main(void)
{
    Suite *s = suite_create("nomem");
    TCase *t = tcase_create("nomem");
    tcase_set_timeout(t, 600);
    tcase_add_loop_test(t, test_every_allocation, 0,
        sizeof scenarios / sizeof *scenarios);
    suite_add_tcase(s, t);
    return run_suite(s);
}
