/* SPDX-License-Identifier: MIT */
/* vjp, jvp, grad, vmap, custom functions, and their nesting.  That every op
   has right rules is tests/grad's business. */
#include <math.h>
#include <string.h>

#include "support.h"

#include <mlxc/expr.h>

/* A function of one array, given as an expression. */
typedef mlxc_array *expr_fn(mlxc_scope *c, mlxc_array *x);

static mlxc_status call_expr(mlxc_arrays *outputs, mlxc_arrays *inputs,
    void *payload)
{
    mlxc_scope *c;
    mlxc_array *y;
    mlxc_status status = mlxc_scope_new(&c, NULL);
    if (status)
        return status;
    expr_fn *f = *(expr_fn **)payload;
    status = mlxc_scope_export(&y, c, f(c, mlxc_arrays_get(inputs, 0)));
    mlxc_scope_free(c);
    return status ? status : mlxc_arrays_push_take(outputs, y);
}

static mlxc_function *function(expr_fn *f)
{
    expr_fn **p = malloc(sizeof *p);
    mlxc_function *out;
    *p = f;
    ok(mlxc_function_new(&out, call_expr, p, free));
    return out;
}

static mlxc_array *call(mlxc_function *f, mlxc_array *x)
{
    mlxc_arrays *in, *out;
    ok(mlxc_arrays_from(&in, &x, 1));
    ok(mlxc_function_call(&out, f, in));
    mlxc_array *y = mlxc_array_ref(mlxc_arrays_get(out, 0));
    mlxc_arrays_unref(in);
    mlxc_arrays_unref(out);
    return y;
}

static mlxc_array *gradient(expr_fn *f, mlxc_array *x)
{
    mlxc_function *a = function(f), *g;
    ok(mlxc_grad(&g, a, NULL, 0));
    mlxc_array *y = call(g, x);
    mlxc_function_unref(a);
    mlxc_function_unref(g);
    return y;
}

static mlxc_array *total(mlxc_scope *c, mlxc_array *x)
{
    return mlxe_sum(c, x, NULL, 0, false);
}

#define EXPR(name, body) \
    static mlxc_array *f_##name(mlxc_scope *c, mlxc_array *x) \
    { (void)x; return body; }
EXPR(max, mlxe_max(c, x, NULL, 0, false))
EXPR(maximum, total(c, mlxe_maximum(c, x, mlxe_add(c, mlxe_multiply(c,
    mlxe_arange(c, 0, 2, 1, MLXC_FLOAT32), mlxe_scalar(c, 2, MLXC_FLOAT32)),
    mlxe_scalar(c, 1, MLXC_FLOAT32)))))
EXPR(abs, total(c, mlxe_abs(c, x)))
EXPR(cummax, total(c, mlxe_cummax(c, x, 0, false, true)))
EXPR(cumprod, total(c, mlxe_cumprod(c, x, 0, false, true)))
EXPR(prod, mlxe_prod(c, x, NULL, 0, false))
EXPR(sqrt, total(c, mlxe_sqrt(c, x)))
EXPR(sum, total(c, x))
EXPR(constant, mlxe_scalar(c, 3, MLXC_FLOAT32))
EXPR(clip, total(c, mlxe_clip(c, x, mlxe_scalar(c, 0, MLXC_FLOAT32),
    mlxe_scalar(c, 1, MLXC_FLOAT32))))
EXPR(where, total(c, mlxe_where(c, mlxe_less(c, x, mlxe_scalar(c, 1,
    MLXC_FLOAT32)), mlxe_cos(c, x), mlxe_scalar(c, 0, MLXC_FLOAT32))))
EXPR(logsumexp, mlxe_logsumexp(c, x, NULL, 0, false))
EXPR(stopped, total(c, mlxe_multiply(c, x, mlxe_stop_gradient(c, x))))

struct case_of {
    expr_fn *f;
    int dtype, n;
    double x[5], grad[5];
};

static const struct case_of cases[] = {
    { f_max, MLXC_FLOAT32, 3, { 1, 3, 3 }, { 0, 0.5, 0.5 } },
    { f_maximum, MLXC_FLOAT32, 2, { 1, 2 }, { 0, 0 } },
    { f_abs, MLXC_FLOAT32, 2, { 0, -2 }, { 0, -1 } },
    { f_cummax, MLXC_FLOAT32, 4, { 1, 3, 3, 2 }, { 1, 1, 2, 0 } },
    { f_cumprod, MLXC_FLOAT32, 4, { 1, 0, 3, 0 }, { 1, 4, 0, 0 } },
    { f_prod, MLXC_FLOAT32, 3, { 2, 0, 3 }, { 0, 6, 0 } },
    { f_prod, MLXC_FLOAT32, 3, { 2, 0, 0 }, { 0, 0, 0 } },
    { f_sqrt, MLXC_FLOAT32, 2, { 0, 4 }, { INFINITY, 0.25 } },
    { f_sum, MLXC_INT32, 3, { 1, 2, 3 }, { 1, 1, 1 } },
    { f_constant, MLXC_FLOAT32, 2, { 1, 2 }, { 0, 0 } },
    { f_clip, MLXC_FLOAT32, 5, { -1, 0, 0.5, 1, 2 }, { 0, 0, 1, 0, 0 } },
    { f_where, MLXC_FLOAT32, 2, { 0, INFINITY }, { 0, 0 } },
    { f_logsumexp, MLXC_FLOAT32, 2, { -INFINITY, -INFINITY }, { 0, 0 } },
    { f_stopped, MLXC_FLOAT32, 2, { 3, 4 }, { 3, 4 } },
};

START_TEST(test_gradient)
{
    const struct case_of *k = &cases[_i];
    mlxc_array *x = vec((mlxc_dtype)k->dtype, k->n, k->x);
    mlxc_array *g = gradient(k->f, x);
    ck_assert_int_eq(mlxc_array_dtype(g), k->dtype);
    assert_values(g, k->n, k->grad, 1e-6);
    mlxc_array_unref(x);
    mlxc_array_unref(g);
}
END_TEST

EXPR(cube, mlxe_multiply(c, x, mlxe_multiply(c, x, x)))

START_TEST(test_higher_orders)
{
    const double v = 2, want[4] = { 8, 12, 12, 6 };
    mlxc_array *x = make(MLXC_FLOAT32, NULL, 0, &v);
    mlxc_function *f = function(f_cube);
    for (int k = 0; k < 4; k++) {
        mlxc_array *y = call(f, x);
        assert_values(y, 1, &want[k], 1e-6);
        mlxc_array_unref(y);
        mlxc_function *g;
        ok(mlxc_grad(&g, f, NULL, 0));
        mlxc_function_unref(f);
        f = g;
    }
    mlxc_function_unref(f);
    mlxc_array_unref(x);
}
END_TEST

/* jvp of a vjp: the second derivative along a direction. */
static mlxc_function *inner;

static mlxc_status grad_of_cube(mlxc_arrays *outputs, mlxc_arrays *inputs,
    void *payload)
{
    mlxc_arrays *y, *g, *one;
    mlxc_array *unit;
    (void)payload;
    ok(mlxc_array_from_double(&unit, 1, MLXC_FLOAT32));
    ok(mlxc_arrays_from(&one, &unit, 1));
    mlxc_array_unref(unit);
    mlxc_status status = mlxc_vjp(&y, &g, inner, inputs, one);
    if (!status)
        status = mlxc_arrays_push(outputs, mlxc_arrays_get(g, 0));
    mlxc_arrays_unref(one);
    mlxc_arrays_unref(y);
    mlxc_arrays_unref(g);
    return status;
}

START_TEST(test_jvp_of_vjp)
{
    const double v = 2, t = 3, second = 36;
    mlxc_array *x = make(MLXC_FLOAT32, NULL, 0, &v);
    mlxc_array *d = make(MLXC_FLOAT32, NULL, 0, &t);
    mlxc_arrays *in, *dir, *out, *tan;
    mlxc_function *f;
    inner = function(f_cube);
    ok(mlxc_function_new(&f, grad_of_cube, NULL, NULL));
    ok(mlxc_arrays_from(&in, &x, 1));
    ok(mlxc_arrays_from(&dir, &d, 1));
    ok(mlxc_jvp(&out, &tan, f, in, dir));
    assert_values(mlxc_arrays_get(tan, 0), 1, &second, 1e-6);
    mlxc_arrays_unref(in);
    mlxc_arrays_unref(dir);
    mlxc_arrays_unref(out);
    mlxc_arrays_unref(tan);
    mlxc_function_unref(f);
    mlxc_function_unref(inner);
    mlxc_array_unref(x);
    mlxc_array_unref(d);
}
END_TEST

EXPR(sine_sum, total(c, mlxe_sin(c, x)))
EXPR(inside, ((void)mlxc_eval(&x, 1), mlxe_multiply(c, x, x)))

START_TEST(test_vmap_of_grad_and_grad_of_vmap)
{
    const int64_t shape[2] = { 3, 2 };
    mlxc_array *x = spread(MLXC_FLOAT32, shape, 2, -2, 2, 1), *cosine;
    mlxc_function *f = function(f_sine_sum), *g, *m;
    ok(mlxc_cos(&cosine, x, NULL));
    ok(mlxc_grad(&g, f, NULL, 0));
    for (int axis = -2; axis < 2; axis++) {
        ok(mlxc_vmap(&m, g, &axis, 1, &axis, 1));
        mlxc_array *y = call(m, x);
        assert_close(y, cosine, 1e-6);
        mlxc_array_unref(y);
        mlxc_function_unref(m);
    }
    mlxc_function_unref(f);
    mlxc_function_unref(g);
    mlxc_array_unref(x);
    mlxc_array_unref(cosine);
}
END_TEST

START_TEST(test_eval_inside)
{
    const double v[2] = { 3, 4 };
    const double one = 3, want = 6;
    mlxc_array *x = make(MLXC_FLOAT32, NULL, 0, &one);
    mlxc_array *g = gradient(f_inside, x); /* allowed: the tape keeps all */
    assert_values(g, 1, &want, 0);
    mlxc_array_unref(g);
    mlxc_array_unref(x);
    x = vec(MLXC_FLOAT32, 2, v);
    mlxc_function *f = function(f_inside), *m;
    ok(mlxc_vmap(&m, f, NULL, 0, NULL, 0));
    /* a placeholder has no value; the function may go on without it */
    mlxc_array *y = call(m, x);
    const double squares[2] = { 9, 16 };
    assert_values(y, 2, squares, 0);
    mlxc_array_unref(y);
    mlxc_array_unref(x);
    mlxc_function_unref(f);
    mlxc_function_unref(m);
}
END_TEST

START_TEST(test_refusals)
{
    const double v[2] = { 1, 2 };
    mlxc_array *x = vec(MLXC_FLOAT32, 2, v);
    mlxc_function *f = function(f_cube), *g;
    mlxc_arrays *in, *out;
    ok(mlxc_arrays_from(&in, &x, 1));
    ok(mlxc_grad(&g, f, NULL, 0));
    fails(mlxc_function_call(&out, g, in), MLXC_ERR_SHAPE, "scalar");
    ck_assert_ptr_null(out);
    mlxc_function_unref(g);
    const int twice[2] = { 0, 0 }, far = 3;
    fails(mlxc_grad(&g, f, twice, 2), MLXC_ERR_ARGUMENT, "repeated");
    ok(mlxc_grad(&g, f, &far, 1));
    fails(mlxc_function_call(&out, g, in), MLXC_ERR_INDEX, "3");
    mlxc_function_unref(g);
    const int none = MLXC_UNMAPPED, axis = 4;
    ok(mlxc_vmap(&g, f, &none, 1, NULL, 0));
    fails(mlxc_function_call(&out, g, in), MLXC_ERR_ARGUMENT, "mapped");
    mlxc_function_unref(g);
    ok(mlxc_vmap(&g, f, &axis, 1, NULL, 0));
    fails(mlxc_function_call(&out, g, in), MLXC_ERR_INDEX, "4");
    mlxc_function_unref(g);
    mlxc_arrays_unref(in);
    mlxc_function_unref(f);
    mlxc_array_unref(x);
}
END_TEST

/* A callback that fails: its status, its message. */
static mlxc_status refuse(mlxc_arrays *outputs, mlxc_arrays *inputs,
    void *payload)
{
    (void)outputs;
    (void)inputs;
    return mlxc_error_set((mlxc_status)*(int *)payload, "no, said I");
}

START_TEST(test_callback_status)
{
    int code = MLXC_ERR_IO;
    double v = 1;
    mlxc_array *x = make(MLXC_FLOAT32, NULL, 0, &v);
    mlxc_function *f, *g;
    mlxc_arrays *in, *out;
    ok(mlxc_arrays_from(&in, &x, 1));
    ok(mlxc_function_new(&f, refuse, &code, NULL));
    fails(mlxc_function_call(&out, f, in), MLXC_ERR_IO, "no, said I");
    ok(mlxc_grad(&g, f, NULL, 0));
    fails(mlxc_function_call(&out, g, in), MLXC_ERR_IO, "no, said I");
    mlxc_function_unref(g);
    ok(mlxc_vmap(&g, f, NULL, 0, NULL, 0));
    code = 77;
    fails(mlxc_function_call(&out, f, in), MLXC_ERR_CALLBACK, "no, said I");
    mlxc_function_unref(g);
    mlxc_function_unref(f);
    mlxc_arrays_unref(in);
    mlxc_array_unref(x);
}
END_TEST

/* A custom gradient: twice the true one. */
static mlxc_status doubled(mlxc_arrays *outputs, mlxc_arrays *inputs,
    void *payload)
{
    mlxc_scope *c;
    mlxc_array *g;
    (void)payload;
    ck_assert_int_eq(mlxc_arrays_size(inputs), 3);
    ok(mlxc_scope_new(&c, NULL));
    mlxc_array *x = mlxc_arrays_get(inputs, 0);
    mlxc_array *six = mlxe_scalar(c, 6, MLXC_FLOAT32);
    g = mlxe_multiply(c, mlxc_arrays_get(inputs, 1), mlxe_multiply(c, six,
        mlxe_square(c, x)));
    ok(mlxc_scope_export(&g, c, g));
    mlxc_scope_free(c);
    return mlxc_arrays_push_take(outputs, g);
}

START_TEST(test_custom_and_checkpoint)
{
    const double v = 2, cube = 8, twice = 24, once = 12, second = 12;
    mlxc_array *x = make(MLXC_FLOAT32, NULL, 0, &v), *y;
    mlxc_function *f = function(f_cube), *rule, *custom, *g, *h;
    ok(mlxc_function_new(&rule, doubled, NULL, NULL));
    ok(mlxc_custom_function(&custom, f, rule, NULL, NULL));
    y = call(custom, x);
    assert_values(y, 1, &cube, 0);
    mlxc_array_unref(y);
    ok(mlxc_grad(&g, custom, NULL, 0));
    y = call(g, x);
    assert_values(y, 1, &twice, 0);
    mlxc_array_unref(y);
    mlxc_function_unref(g);
    mlxc_function_unref(custom);
    ok(mlxc_checkpoint(&custom, f));
    ok(mlxc_grad(&g, custom, NULL, 0));
    y = call(g, x);
    assert_values(y, 1, &once, 0);
    mlxc_array_unref(y);
    ok(mlxc_grad(&h, g, NULL, 0));
    y = call(h, x);
    assert_values(y, 1, &second, 0);
    mlxc_array_unref(y);
    mlxc_function_unref(h);
    mlxc_function_unref(g);
    /* batched, the gradient goes through both */
    const double three[3] = { 1, 2, 3 }, cubes[3] = { 1, 8, 27 };
    mlxc_array *xs = vec(MLXC_FLOAT32, 3, three);
    ok(mlxc_vmap(&g, custom, NULL, 0, NULL, 0));
    y = call(g, xs);
    assert_values(y, 3, cubes, 0);
    mlxc_array_unref(y);
    mlxc_array_unref(xs);
    mlxc_function_unref(g);
    mlxc_function_unref(custom);
    mlxc_function_unref(rule);
    mlxc_function_unref(f);
    mlxc_array_unref(x);
}
END_TEST

/* Complex numbers: conjugates where they belong. */
EXPR(square, mlxe_square(c, x))

START_TEST(test_complex_rules)
{
    mlxc_complex64 z = { 1, 2 }, w = { 3, 4 }, one = { 1, 0 }, r;
    mlxc_array *x, *u;
    mlxc_arrays *in, *cot, *out, *grad;
    mlxc_function *f = function(f_square);
    ok(mlxc_array_from_complex64(&x, z));
    ok(mlxc_array_from_complex64(&u, one));
    ok(mlxc_arrays_from(&in, &x, 1));
    ok(mlxc_arrays_from(&cot, &u, 1));
    ok(mlxc_vjp(&out, &grad, f, in, cot));
    ok(mlxc_array_item_complex64(&r, mlxc_arrays_get(grad, 0)));
    ck_assert(r.re == 2 && r.im == -4);
    mlxc_arrays_unref(in);
    mlxc_arrays_unref(out);
    mlxc_arrays_unref(grad);
    mlxc_array_unref(x);
    mlxc_function_unref(f);
    /* |z| at 3 + 4i: jvp 0.6, real; vjp 0.6 + 0.8i */
    f = function(f_abs);
    ok(mlxc_array_from_complex64(&x, w));
    ok(mlxc_arrays_from(&in, &x, 1));
    ok(mlxc_jvp(&out, &grad, f, in, cot));
    double t;
    ck_assert_int_eq(mlxc_array_dtype(mlxc_arrays_get(grad, 0)),
        MLXC_FLOAT32);
    ok(mlxc_array_item_double(&t, mlxc_arrays_get(grad, 0)));
    ck_assert(fabs(t - 0.6) < 1e-6);
    mlxc_arrays_unref(out);
    mlxc_arrays_unref(grad);
    ok(mlxc_vjp(&out, &grad, f, in, cot));
    ok(mlxc_array_item_complex64(&r, mlxc_arrays_get(grad, 0)));
    ck_assert(fabsf(r.re - 0.6f) < 1e-6f && fabsf(r.im - 0.8f) < 1e-6f);
    mlxc_arrays_unref(in);
    mlxc_arrays_unref(cot);
    mlxc_arrays_unref(out);
    mlxc_arrays_unref(grad);
    mlxc_array_unref(x);
    mlxc_array_unref(u);
    mlxc_function_unref(f);
}
END_TEST

/* No growth over many gradients. */
START_TEST(test_flat_memory)
{
    const double v = 2;
    mlxc_array *x = make(MLXC_FLOAT32, NULL, 0, &v);
    mlxc_function *f = function(f_cube), *g;
    ok(mlxc_value_and_grad(&g, f, NULL, 0));
    size_t before = mlxc_memory_active();
    for (int i = 0; i < 10000; i++) {
        mlxc_array *y = call(g, x);
        ok(mlxc_eval(&y, 1));
        mlxc_array_unref(y);
    }
    ck_assert_uint_eq(mlxc_memory_active(), before);
    mlxc_function_unref(f);
    mlxc_function_unref(g);
    mlxc_array_unref(x);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("transform");
    TCase *t = tcase_create("transform");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, test_gradient, 0, sizeof cases / sizeof *cases);
    tcase_add_test(t, test_higher_orders);
    tcase_add_test(t, test_jvp_of_vjp);
    tcase_add_test(t, test_vmap_of_grad_and_grad_of_vmap);
    tcase_add_test(t, test_eval_inside);
    tcase_add_test(t, test_refusals);
    tcase_add_test(t, test_callback_status);
    tcase_add_test(t, test_custom_and_checkpoint);
    tcase_add_test(t, test_complex_rules);
    tcase_add_test(t, test_flat_memory);
    suite_add_tcase(s, t);
    return run_suite(s);
}
