/* SPDX-License-Identifier: MIT */
/* See pitfalls.h. */
#include "pitfalls.h"

mlxc_scope *c;

static void open_scope(void)
{
    ok(mlxc_scope_new(&c, NULL));
}

static void close_scope(void)
{
    mlxc_scope_free(c);
    c = NULL;
}

TCase *scoped(const char *name)
{
    TCase *t = tcase_create(name);
    tcase_set_timeout(t, 120);
    tcase_add_checked_fixture(t, open_scope, close_scope);
    return t;
}

mlxc_array *own(mlxc_array *a)
{
    return mlxc_scope_take(c, MLXC_OK, a);
}

mlxc_array *nd(mlxc_dtype d, const int64_t *shape, int ndim, const double *x)
{
    return own(make(d, shape, ndim, x));
}

mlxc_array *v(mlxc_dtype d, int n, const double *x)
{
    return nd(d, L(n), 1, x);
}

mlxc_array *m(mlxc_dtype d, int64_t rows, int64_t cols, const double *x)
{
    return nd(d, L(rows, cols), 2, x);
}

mlxc_array *count(mlxc_dtype d, const int64_t *shape, int ndim)
{
    int64_t n = 1;
    for (int i = 0; i < ndim; i++)
        n *= shape[i];
    return mlxe_reshape(c, mlxe_arange(c, 0, (double)n, 1, d), shape, ndim);
}

mlxc_array *z(int n, const double *numbers)
{
    const int64_t shape = n;
    mlxc_array *a;
    mlxc_complex64 *p = malloc((size_t)n * sizeof *p + 1);
    for (int i = 0; i < n; i++)
        p[i] = (mlxc_complex64){ (float)numbers[2 * i],
            (float)numbers[2 * i + 1] };
    ok(mlxc_array_from_data(&a, p, &shape, 1, MLXC_COMPLEX64));
    free(p);
    return own(a);
}

/* Entry 0 of the last axis of two, the other being full of 99. */
static mlxc_array *every_other(mlxc_array *a)
{
    int ndim = mlxc_array_ndim(a);
    mlxc_array *both[2] = { a, mlxe_full_like(c, a, mlxe_scalar(c, 99,
        MLXC_FLOAT32), mlxc_array_dtype(a)) };
    mlxc_array *s = mlxe_contiguous(c, mlxe_stack(c, both, 2, ndim), false);
    int64_t start[8] = { 0 }, stop[8];
    memcpy(stop, mlxc_array_shape(a), (size_t)ndim * sizeof *stop);
    stop[ndim] = 1;
    return mlxe_squeeze(c, mlxe_slice(c, s, start, stop, NULL, ndim + 1),
        A(-1), 1);
}

static mlxc_array *inside(mlxc_array *a)
{
    int ndim = mlxc_array_ndim(a);
    int64_t low[8], high[8], stop[8];
    for (int i = 0; i < ndim; i++) {
        low[i] = 1;
        high[i] = 2;
        stop[i] = mlxc_array_dim(a, i) + 1;
    }
    mlxc_array *s = mlxe_pad(c, a, low, high, ndim, MLXC_PAD_CONSTANT,
        mlxe_scalar(c, 99, mlxc_array_dtype(a)));
    return mlxe_slice(c, s, low, stop, NULL, ndim);
}

mlxc_array *laid(mlxc_array *a, int layout)
{
    ck_assert_int_lt(mlxc_array_ndim(a), 8);
    if (layout == 1)
        return every_other(a);
    if (layout == 2)
        return mlxe_flip(c, mlxe_contiguous(c, mlxe_flip(c, a, NULL, 0),
            false), NULL, 0);
    if (layout == 3)
        return mlxe_transpose(c, mlxe_contiguous(c, mlxe_transpose(c, a,
            NULL, 0), false), NULL, 0);
    return layout == 4 ? inside(a) : a;
}

void near(mlxc_array *a, int n, const double *want, double bound)
{
    ok(mlxc_scope_status(c));
    assert_values(a, n, want, bound);
}

void is(mlxc_array *a, int n, const double *want)
{
    near(a, n, want, 0);
    double *got = values_of(a);
    for (int i = 0; i < n; i++)
        ck_assert_msg(want[i] != 0 || !signbit(got[i]) == !signbit(want[i]),
            "element %d is %g, not %g", i, got[i], want[i]);
    free(got);
}

void parts(mlxc_array *a, int n, const double *want, double bound)
{
    ok(mlxc_scope_status(c));
    typed(a, MLXC_COMPLEX64);
    for (int k = 0; k < 2; k++) {
        double *w = malloc((size_t)n * sizeof *w + 1);
        for (int i = 0; i < n; i++)
            w[i] = want[2 * i + k];
        near(k ? mlxe_imag(c, a) : mlxe_real(c, a), n, w, bound);
        free(w);
    }
}

void shaped(mlxc_array *a, int ndim, const int64_t *shape)
{
    ok(mlxc_scope_status(c));
    assert_shape(a, ndim, shape);
}

void typed(mlxc_array *a, mlxc_dtype d)
{
    ok(mlxc_scope_status(c));
    ck_assert_str_eq(mlxc_dtype_name(mlxc_array_dtype(a)),
        mlxc_dtype_name(d));
}

void same(mlxc_array *a, mlxc_array *b, double bound)
{
    ok(mlxc_scope_status(c));
    assert_close(a, b, bound);
}

/* ---- transformations ---- */

static mlxc_status call_formula(mlxc_arrays *outputs, mlxc_arrays *inputs,
    void *payload)
{
    mlxc_array *x[4];
    formula *f = *(formula **)payload;
    for (int i = 0; i < mlxc_arrays_size(inputs); i++)
        x[i] = mlxc_arrays_get(inputs, i);
    mlxc_array *y = f(x);
    mlxc_status status = mlxc_scope_status(c);
    return status ? status : mlxc_arrays_push(outputs, y);
}

mlxc_function *function(formula *f)
{
    formula **p = malloc(sizeof *p);
    mlxc_function *out;
    *p = f;
    ok(mlxc_function_new(&out, call_formula, p, free));
    return out;
}

static mlxc_arrays *list(int n, mlxc_array *const *x)
{
    mlxc_arrays *out;
    ok(mlxc_scope_status(c));
    ok(mlxc_arrays_from(&out, x, n));
    return out;
}

mlxc_array *tangent(formula *f, int n, mlxc_array *const *x,
    mlxc_array *const *t)
{
    mlxc_function *g = function(f);
    mlxc_arrays *in = list(n, x), *with = list(n, t), *y, *ty;
    ok(mlxc_jvp(&y, &ty, g, in, with));
    mlxc_array *out = own(mlxc_array_ref(mlxc_arrays_get(ty, 0)));
    mlxc_arrays_unref(in);
    mlxc_arrays_unref(with);
    mlxc_arrays_unref(y);
    mlxc_arrays_unref(ty);
    mlxc_function_unref(g);
    return out;
}

mlxc_array *cotangent(formula *f, int n, mlxc_array *const *x, mlxc_array *g,
    int i)
{
    mlxc_function *h = function(f);
    mlxc_arrays *in = list(n, x), *with = list(1, &g), *y, *gx;
    ok(mlxc_vjp(&y, &gx, h, in, with));
    mlxc_array *out = own(mlxc_array_ref(mlxc_arrays_get(gx, i)));
    mlxc_arrays_unref(in);
    mlxc_arrays_unref(with);
    mlxc_arrays_unref(y);
    mlxc_arrays_unref(gx);
    mlxc_function_unref(h);
    return out;
}

mlxc_array *mapped(formula *f, int n, mlxc_array *const *x, const int *axes)
{
    mlxc_function *g = function(f), *h;
    mlxc_arrays *in = list(n, x), *y;
    ok(mlxc_vmap(&h, g, axes, n, NULL, 0));
    ok(mlxc_function_call(&y, h, in));
    mlxc_array *out = own(mlxc_array_ref(mlxc_arrays_get(y, 0)));
    mlxc_arrays_unref(in);
    mlxc_arrays_unref(y);
    mlxc_function_unref(g);
    mlxc_function_unref(h);
    return out;
}

int main(void)
{
    Suite *s = suite_create("pitfalls");
    suite_add_tcase(s, pitfalls_evaluation());
    suite_add_tcase(s, pitfalls_io());
    suite_add_tcase(s, pitfalls_numbers());
    suite_add_tcase(s, pitfalls_views());
    suite_add_tcase(s, pitfalls_transforms());
    suite_add_tcase(s, pitfalls_values());
    return run_suite(s);
}
