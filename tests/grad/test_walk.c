/* SPDX-License-Identifier: MIT */
/* Derivatives and batching of every operation in the table: the slope of the
   function, its jvp and its vjp agree, and so they do for the gradient taken
   as a function; vmap equals a loop.  Every op occurs in a case or says why it
   has no derivative. */
#include "walk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/node.h"
#include "core/op.h"
#include "util/ptrmap.h"

#define BATCH 3

#define OK(call) \
    ck_assert_msg((call) == MLXC_OK, "%s: %s", name, mlxc_error_message())

static int inexact(mlxc_array *a)
{
    return mlxc_dtype_is_float(mlxc_array_dtype(a)) ||
        mlxc_dtype_is_complex(mlxc_array_dtype(a));
}

/* Bounds and steps: complex numbers have single precision. */
struct precision {
    double step, slope, transpose;
};

static struct precision precision(mlxc_arrays *x)
{
    for (int i = 0; i < mlxc_arrays_size(x); i++) {
        if (mlxc_array_dtype(mlxc_arrays_get(x, i)) == MLXC_COMPLEX64)
            return (struct precision){ 0x1p-8, 2e-3, 1e-4 };
    }
    return (struct precision){ 0x1p-17, 2e-8, 1e-11 };
}

static mlxc_arrays *inputs_of(const struct walk_case *k, uint64_t *state)
{
    struct walk_input in[WALK_INPUTS];
    mlxc_arrays *x;
    int n = walk_parse(in, k->inputs);
    ck_assert_int_eq(mlxc_arrays_new(&x), MLXC_OK);
    for (int i = 0; i < n; i++)
        ck_assert_int_eq(mlxc_arrays_push_take(x, walk_make(&in[i], 0, -1,
            state)), MLXC_OK);
    return x;
}

/* x + h * t, where t is not zero */
static mlxc_arrays *moved(mlxc_arrays *x, mlxc_arrays *t, double h)
{
    mlxc_arrays *out;
    ck_assert_int_eq(mlxc_arrays_new(&out), MLXC_OK);
    for (int i = 0; i < mlxc_arrays_size(x); i++) {
        mlxc_array *a = mlxc_arrays_get(x, i);
        if (!inexact(a)) {
            ck_assert_int_eq(mlxc_arrays_push(out, a), MLXC_OK);
            continue;
        }
        struct walk_numbers p = walk_numbers(a);
        struct walk_numbers q = walk_numbers(mlxc_arrays_get(t, i));
        for (int64_t j = 0; j < p.n; j++)
            p.v[j] += h * q.v[j];
        ck_assert_int_eq(mlxc_arrays_push_take(out, walk_array(p.v, a)),
            MLXC_OK);
        free(p.v);
        free(q.v);
    }
    return out;
}

/* Arrays like those of `x` with random numbers, zeros for integers. */
static mlxc_arrays *directions(mlxc_arrays *x, uint64_t *state)
{
    mlxc_arrays *out;
    ck_assert_int_eq(mlxc_arrays_new(&out), MLXC_OK);
    for (int i = 0; i < mlxc_arrays_size(x); i++) {
        mlxc_array *a = mlxc_arrays_get(x, i);
        int64_t n = 2 * mlxc_array_size(a);
        double *v = malloc((size_t)n * sizeof *v + 1);
        for (int64_t j = 0; j < n; j++)
            v[j] = inexact(a) ? walk_random(state) * 2 - 1 : 0;
        ck_assert_int_eq(mlxc_arrays_push_take(out, walk_array(v, a)),
            MLXC_OK);
        free(v);
    }
    return out;
}

/* Sum over all arrays of the real inner product. */
static double inner(mlxc_arrays *a, mlxc_arrays *b)
{
    double sum = 0;
    for (int i = 0; i < mlxc_arrays_size(a); i++) {
        if (!inexact(mlxc_arrays_get(a, i)))
            continue;
        struct walk_numbers p = walk_numbers(mlxc_arrays_get(a, i));
        struct walk_numbers q = walk_numbers(mlxc_arrays_get(b, i));
        ck_assert_int_eq(p.n, q.n);
        for (int64_t j = 0; j < p.n; j++)
            sum += p.v[j] * q.v[j];
        free(p.v);
        free(q.v);
    }
    return sum;
}

static void check_slope(const char *name, mlxc_function *f, mlxc_arrays *x,
    mlxc_arrays *t, mlxc_arrays *ty)
{
    struct precision p = precision(x);
    mlxc_arrays *up = moved(x, t, p.step), *down = moved(x, t, -p.step);
    mlxc_arrays *yu, *yd;
    OK(mlxc_function_call(&yu, f, up));
    OK(mlxc_function_call(&yd, f, down));
    for (int i = 0; i < mlxc_arrays_size(yu); i++) {
        if (!inexact(mlxc_arrays_get(yu, i)))
            continue;
        struct walk_numbers u = walk_numbers(mlxc_arrays_get(yu, i));
        struct walk_numbers d = walk_numbers(mlxc_arrays_get(yd, i));
        struct walk_numbers got = walk_numbers(mlxc_arrays_get(ty, i));
        for (int64_t j = 0; j < u.n; j++)
            u.v[j] = (u.v[j] - d.v[j]) / (2 * p.step);
        walk_expect("jvp", name, &got, &u, p.slope);
        free(u.v);
        free(d.v);
        free(got.v);
    }
    mlxc_arrays_unref(up);
    mlxc_arrays_unref(down);
    mlxc_arrays_unref(yu);
    mlxc_arrays_unref(yd);
}

/* The slope, jvp and vjp of f at x agree. */
static void check_derivatives(const char *name, mlxc_function *f,
    mlxc_arrays *x, uint64_t *state)
{
    mlxc_arrays *t = directions(x, state), *y, *ty, *g, *gx;
    OK(mlxc_jvp(&y, &ty, f, x, t));
    check_slope(name, f, x, t, ty);
    g = directions(y, state);
    mlxc_arrays_unref(y);
    OK(mlxc_vjp(&y, &gx, f, x, g));
    for (int i = 0; i < mlxc_arrays_size(x); i++)
        ck_assert_msg(mlxc_array_dtype(mlxc_arrays_get(gx, i)) ==
            mlxc_array_dtype(mlxc_arrays_get(x, i)),
            "%s: gradient %d has another dtype", name, i);
    double a = inner(g, ty), b = inner(gx, t);
    double scale = fabs(a) > 1 ? fabs(a) : 1;
    ck_assert_msg(fabs(a - b) <= precision(x).transpose * scale,
        "%s: <g, J t> is %.17g but <J' g, t> is %.17g", name, a, b);
    mlxc_arrays_unref(t);
    mlxc_arrays_unref(y);
    mlxc_arrays_unref(ty);
    mlxc_arrays_unref(g);
    mlxc_arrays_unref(gx);
}

START_TEST(test_walk_slope_jvp_and_vjp_agree)
{
    const struct walk_case *k = &walk_cases[_i];
    uint64_t state = (uint64_t)_i + 1;
    mlxc_arrays *x = inputs_of(k, &state);
    mlxc_function *f = walk_function(k);
    check_derivatives(k->name, f, x, &state);
    mlxc_function_unref(f);
    mlxc_arrays_unref(x);
}
END_TEST

START_TEST(test_walk_second_derivatives_agree)
{
    const struct walk_case *k = &walk_cases[_i];
    uint64_t state = (uint64_t)_i + 1000;
    if (k->flags & WALK_NO_SECOND)
        return;
    mlxc_arrays *x = inputs_of(k, &state);
    mlxc_function *f = walk_function(k), *g = walk_gradient(f);
    check_derivatives(k->name, g, x, &state);
    mlxc_function_unref(f);
    mlxc_function_unref(g);
    mlxc_arrays_unref(x);
}
END_TEST

/* Entry `at` of an axis. */
static mlxc_array *entry(const char *name, mlxc_array *a, int axis,
    int64_t at)
{
    int64_t start[WALK_RANK + 1], stop[WALK_RANK + 1];
    int ndim = mlxc_array_ndim(a);
    mlxc_array *row, *out;
    for (int d = 0; d < ndim; d++) {
        start[d] = d == axis ? at : 0;
        stop[d] = d == axis ? at + 1 : mlxc_array_dim(a, d);
    }
    OK(mlxc_slice(&row, a, start, stop, NULL, ndim, NULL));
    OK(mlxc_squeeze(&out, row, &axis, 1, NULL));
    mlxc_array_unref(row);
    return out;
}

/* vmap of f over the given axes equals a loop over entries. */
static void check_batch(const char *name, mlxc_function *f, mlxc_arrays *x,
    const int *axis, int out_axis, double bound)
{
    int n = mlxc_arrays_size(x), out_axes[WALK_OUTPUTS];
    mlxc_function *v;
    mlxc_arrays *y;
    for (int i = 0; i < WALK_OUTPUTS; i++)
        out_axes[i] = out_axis;
    for (int64_t b = 0, m = -1; b < BATCH; b++) {
        mlxc_arrays *one, *want;
        OK(mlxc_arrays_new(&one));
        for (int i = 0; i < n; i++) {
            mlxc_array *a = mlxc_arrays_get(x, i);
            OK(mlxc_arrays_push_take(one, axis[i] == MLXC_UNMAPPED
                ? mlxc_array_ref(a) : entry(name, a, axis[i], b)));
        }
        OK(mlxc_function_call(&want, f, one));
        mlxc_arrays_unref(one);
        if (m < 0) {
            m = mlxc_arrays_size(want);
            ck_assert_int_le(m, WALK_OUTPUTS);
            OK(mlxc_vmap(&v, f, axis, n, out_axes, (int)m));
            OK(mlxc_function_call(&y, v, x));
            mlxc_function_unref(v);
        }
        for (int i = 0; i < m; i++) {
            mlxc_array *all = mlxc_arrays_get(y, i);
            ck_assert_msg(mlxc_array_ndim(all) ==
                mlxc_array_ndim(mlxc_arrays_get(want, i)) + 1,
                "%s: vmap gave rank %d", name, mlxc_array_ndim(all));
            mlxc_array *row = entry(name, all, out_axis < 0
                ? out_axis + mlxc_array_ndim(all) : out_axis, b);
            struct walk_numbers p = walk_numbers(row);
            struct walk_numbers q = walk_numbers(mlxc_arrays_get(want, i));
            walk_expect("vmap", name, &p, &q, bound);
            ck_assert_int_eq(mlxc_array_dtype(row),
                mlxc_array_dtype(mlxc_arrays_get(want, i)));
            free(p.v);
            free(q.v);
            mlxc_array_unref(row);
        }
        mlxc_arrays_unref(want);
    }
    mlxc_arrays_unref(y);
}

/* How input i is mapped in way `way`: all in front; all at the end; all in
   the middle; then each alone; then all but one. */
static int axis_of(int way, int i, int n, int ndim)
{
    if (way == 0)
        return 0;
    if (way == 1)
        return ndim;
    if (way == 2)
        return ndim / 2;
    way -= 3;
    if (way < n)
        return way == i ? ndim / 2 : MLXC_UNMAPPED;
    return way - n == i ? MLXC_UNMAPPED : (i % 2 ? ndim : 0);
}

static void check_batches(const struct walk_case *k, mlxc_function *f)
{
    struct walk_input in[WALK_INPUTS];
    uint64_t state = 99;
    int n = walk_parse(in, k->inputs);
    for (int way = 0; way < (n > 1 ? 3 + 2 * n : 3); way++) {
        int axis[WALK_INPUTS];
        mlxc_arrays *x;
        ck_assert_int_eq(mlxc_arrays_new(&x), MLXC_OK);
        for (int i = 0; i < n; i++) {
            axis[i] = axis_of(way, i, n, in[i].ndim);
            ck_assert_int_eq(mlxc_arrays_push_take(x, walk_make(&in[i],
                BATCH, axis[i] == MLXC_UNMAPPED ? -1 : axis[i], &state)),
                MLXC_OK);
        }
        check_batch(k->name, f, x, axis, way == 1 ? -1 : 0,
            precision(x).transpose);
        mlxc_arrays_unref(x);
    }
}

START_TEST(test_walk_vmap_equals_loop)
{
    const struct walk_case *k = &walk_cases[_i];
    if (k->flags & WALK_NO_VMAP)
        return;
    mlxc_function *f = walk_function(k);
    check_batches(k, f);
    mlxc_function_unref(f);
}
END_TEST

START_TEST(test_walk_vmap_of_gradient_equals_loop)
{
    const struct walk_case *k = &walk_cases[_i];
    if (k->flags & WALK_NO_VMAP)
        return;
    mlxc_function *f = walk_function(k), *g = walk_gradient(f);
    check_batches(k, g);
    mlxc_function_unref(g);
    mlxc_function_unref(f);
}
END_TEST

/* No rows at all: nothing but the axis, and the shape of one result. */
START_TEST(test_walk_vmap_over_nothing)
{
    const struct walk_case *k = &walk_cases[_i];
    const char *name = k->name;
    struct walk_input in[WALK_INPUTS];
    uint64_t state = 5;
    int n = walk_parse(in, k->inputs);
    mlxc_function *f = walk_function(k), *v;
    mlxc_arrays *one, *none, *want, *got;
    if (k->flags & WALK_NO_VMAP)
        return;
    OK(mlxc_arrays_new(&one));
    OK(mlxc_arrays_new(&none));
    for (int i = 0; i < n; i++) {
        OK(mlxc_arrays_push_take(one, walk_make(&in[i], 0, -1, &state)));
        OK(mlxc_arrays_push_take(none, walk_make(&in[i], 0, 0, &state)));
    }
    OK(mlxc_function_call(&want, f, one));
    OK(mlxc_vmap(&v, f, NULL, 0, NULL, 0));
    OK(mlxc_function_call(&got, v, none));
    mlxc_array *a = mlxc_arrays_get(want, 0), *b = mlxc_arrays_get(got, 0);
    OK(mlxc_eval(&b, 1));
    ck_assert_int_eq(mlxc_array_ndim(b), mlxc_array_ndim(a) + 1);
    ck_assert_int_eq(mlxc_array_dim(b, 0), 0);
    ck_assert_int_eq(mlxc_array_dtype(b), mlxc_array_dtype(a));
    for (int d = 0; d < mlxc_array_ndim(a); d++)
        ck_assert_int_eq(mlxc_array_dim(b, d + 1), mlxc_array_dim(a, d));
    mlxc_arrays_unref(one);
    mlxc_arrays_unref(none);
    mlxc_arrays_unref(want);
    mlxc_arrays_unref(got);
    mlxc_function_unref(f);
    mlxc_function_unref(v);
}
END_TEST

/* Which ops occur in the graph of `a`; each node is met once. */
static void mark(unsigned char *seen, struct mx_ptrmap *met, mlxc_array *a)
{
    struct mx_node *n = a->node;
    if (!n || mx_ptrmap_find(met, n))
        return;
    ck_assert_ptr_nonnull(mx_ptrmap_at(met, n));
    seen[n->op->id] = 1;
    for (int i = 0; i < n->ninputs; i++)
        mark(seen, met, n->input[i]);
}

START_TEST(test_walk_every_op_has_a_case)
{
    unsigned char seen[MX_OP_COUNT] = { 0 };
    int missing = 0;
    for (int i = 0; i < walk_ncases; i++) {
        const char *name = walk_cases[i].name;
        uint64_t state = 1;
        mlxc_arrays *x = inputs_of(&walk_cases[i], &state), *y;
        mlxc_function *f = walk_function(&walk_cases[i]);
        struct mx_ptrmap met = { 0 };
        OK(mlxc_eval(NULL, 0));
        OK(mlxc_function_call(&y, f, x));
        for (int k = 0; k < mlxc_arrays_size(y); k++)
            mark(seen, &met, mlxc_arrays_get(y, k));
        mx_ptrmap_free(&met);
        mlxc_arrays_unref(x);
        mlxc_arrays_unref(y);
        mlxc_function_unref(f);
    }
    for (int i = 0; i < MX_OP_COUNT; i++) {
        if (!seen[i] && !mx_ops[i]->exempt) {
            fprintf(stderr, "no case for %s\n", mx_ops[i]->name);
            missing++;
        }
    }
    ck_assert_int_eq(missing, 0);
}
END_TEST

START_TEST(test_walk_every_op_has_its_rules)
{
    const struct mx_op *op = mx_ops[_i];
    ck_assert_ptr_nonnull(op);
    ck_assert_int_eq(op->id, _i);
    ck_assert_ptr_nonnull(op->name);
    ck_assert_ptr_nonnull(op->infer);
    if (op->exempt)
        ck_assert_msg(!(op->flags & MX_OP_SMOOTH),
            "%s is smooth and exempt", op->name);
    else
        ck_assert_msg(op->vjp && op->jvp, "%s lacks a derivative and does "
            "not say why", op->name);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("walk");
    TCase *t = tcase_create("table");
    tcase_add_test(t, test_walk_every_op_has_a_case);
    tcase_add_loop_test(t, test_walk_every_op_has_its_rules, 0, MX_OP_COUNT);
    suite_add_tcase(s, t);
    t = tcase_create("cases");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, test_walk_slope_jvp_and_vjp_agree, 0,
        walk_ncases);
    tcase_add_loop_test(t, test_walk_second_derivatives_agree, 0,
        walk_ncases);
    tcase_add_loop_test(t, test_walk_vmap_equals_loop, 0, walk_ncases);
    tcase_add_loop_test(t, test_walk_vmap_over_nothing, 0, walk_ncases);
    tcase_add_loop_test(t, test_walk_vmap_of_gradient_equals_loop, 0,
        walk_ncases);
    suite_add_tcase(s, t);
    suite_add_tcase(s, walk_nomem());
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
