/* SPDX-License-Identifier: MIT */
/* Every case, its derivatives and its batches once more, where the n-th
   allocation fails: a status comes back and nothing leaks. */
#include "walk.h"

#include <stdlib.h>

#include "core/array.h"
#include "util/alloc.h"

struct args {
    mlxc_function *f;
    mlxc_arrays *x, *batch, *tangents, *cotangents;
};

/* Evaluates and releases a list. */
static mlxc_status use(mlxc_status status, mlxc_arrays *list)
{
    for (int i = 0; !status && i < mlxc_arrays_size(list); i++) {
        mlxc_array *a = mlxc_arrays_get(list, i);
        status = mlxc_eval(&a, 1);
    }
    mlxc_arrays_unref(list);
    return status;
}

static mlxc_status values(const struct args *a)
{
    mlxc_arrays *y = NULL;
    mlxc_status status = mlxc_function_call(&y, a->f, a->x);
    return use(status, y);
}

static mlxc_status backward(const struct args *a)
{
    mlxc_arrays *y = NULL, *g = NULL;
    mlxc_status status = mlxc_vjp(&y, &g, a->f, a->x, a->cotangents);
    mlxc_arrays_unref(y);
    return use(status, g);
}

static mlxc_status forward(const struct args *a)
{
    mlxc_arrays *y = NULL, *t = NULL;
    mlxc_status status = mlxc_jvp(&y, &t, a->f, a->x, a->tangents);
    mlxc_arrays_unref(y);
    return use(status, t);
}

static mlxc_status batched(const struct args *a)
{
    mlxc_function *v = NULL;
    mlxc_arrays *y = NULL;
    mlxc_status status = mlxc_vmap(&v, a->f, NULL, 0, NULL, 0);
    if (!status)
        status = mlxc_function_call(&y, v, a->batch);
    mlxc_function_unref(v);
    return use(status, y);
}

typedef mlxc_status way_fn(const struct args *a);
static const struct {
    const char *name;
    way_fn *run;
} ways[] = {
    { "values", values }, { "vjp", backward }, { "jvp", forward },
    { "vmap", batched },
};

static mlxc_arrays *random_like(mlxc_arrays *x, uint64_t *state)
{
    mlxc_arrays *out;
    ck_assert_int_eq(mlxc_arrays_new(&out), MLXC_OK);
    for (int i = 0; i < mlxc_arrays_size(x); i++) {
        mlxc_array *a = mlxc_arrays_get(x, i);
        int64_t n = 2 * mlxc_array_size(a);
        int inexact = mlxc_dtype_is_float(mlxc_array_dtype(a)) ||
            mlxc_dtype_is_complex(mlxc_array_dtype(a));
        double *v = malloc((size_t)n * sizeof *v + 1);
        for (int64_t j = 0; j < n; j++)
            v[j] = inexact ? walk_random(state) : 0;
        ck_assert_int_eq(mlxc_arrays_push_take(out, walk_array(v, a)),
            MLXC_OK);
        free(v);
    }
    return out;
}

static struct args prepare(const struct walk_case *k)
{
    struct args a;
    struct walk_input in[WALK_INPUTS];
    uint64_t state = 11;
    mlxc_arrays *y;
    int n = walk_parse(in, k->inputs);
    ck_assert_int_eq(mlxc_arrays_new(&a.x), MLXC_OK);
    ck_assert_int_eq(mlxc_arrays_new(&a.batch), MLXC_OK);
    for (int i = 0; i < n; i++) {
        ck_assert_int_eq(mlxc_arrays_push_take(a.x, walk_make(&in[i], 0, -1,
            &state)), MLXC_OK);
        ck_assert_int_eq(mlxc_arrays_push_take(a.batch, walk_make(&in[i], 2,
            0, &state)), MLXC_OK);
    }
    a.f = walk_function(k);
    a.tangents = random_like(a.x, &state);
    ck_assert_int_eq(mlxc_function_call(&y, a.f, a.x), MLXC_OK);
    a.cotangents = random_like(y, &state);
    mlxc_arrays_unref(y);
    return a;
}

static void release(struct args *a)
{
    mlxc_function_unref(a->f);
    mlxc_arrays_unref(a->x);
    mlxc_arrays_unref(a->batch);
    mlxc_arrays_unref(a->tangents);
    mlxc_arrays_unref(a->cotangents);
}

START_TEST(test_walk_runs_out_of_memory)
{
    const struct walk_case *k = &walk_cases[_i];
    const char *level = getenv("MLXC_TEST_LEVEL");
    struct args a = prepare(k);
    for (int w = 0; w < (int)(sizeof ways / sizeof *ways); w++) {
        if (ways[w].run == batched && k->flags & WALK_NO_VMAP)
            continue;
        /* opens the device, fills what stays */
        ck_assert_int_eq(ways[w].run(&a), MLXC_OK);
        for (int64_t n = 1;; n += level && !atoi(level) ? 1 + n / 16 : 1) {
            size_t before = mlxc_memory_active();
            mx_alloc_fail_at(n, n & 1);
            mlxc_status status = ways[w].run(&a);
            int happened = mx_alloc_failed();
            mx_alloc_fail_at(0, 0);
            ck_assert_msg(mlxc_memory_active() == before,
                "%s of %s: allocation %d leaks", ways[w].name, k->name,
                (int)n);
            ck_assert_msg(status == MLXC_OK ||
                (happened && status == MLXC_ERR_NOMEM),
                "%s of %s: allocation %d: %s: %s", ways[w].name, k->name,
                (int)n, mlxc_status_name(status), mlxc_error_message());
            if (!happened)
                break;
        }
        ck_assert_int_eq(ways[w].run(&a), MLXC_OK);
    }
    release(&a);
}
END_TEST

TCase *walk_nomem(void)
{
    TCase *t = tcase_create("nomem");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, test_walk_runs_out_of_memory, 0, walk_ncases);
    return t;
}
