/* SPDX-License-Identifier: MIT */
/* See walk.h. */
#include "walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int walk_parse(struct walk_input *in, const char *text)
{
    int n = 0;
    char *end;
    while (*text) {
        struct walk_input *k = &in[n++];
        ck_assert_int_le(n, WALK_INPUTS);
        *k = (struct walk_input){ .low = -1, .high = 1,
            .dtype = MLXC_FLOAT64 };
        if (*text == 's')
            text++;
        while (*text >= '0' && *text <= '9') {
            k->shape[k->ndim++] = strtol(text, &end, 10);
            text = end;
            if (*text == 'x')
                text++;
        }
        if (*text == 'c') {
            k->dtype = MLXC_COMPLEX64;
            text++;
        } else if (*text == '?') {
            k->dtype = MLXC_BOOL;
            text++;
        } else if (*text == '%') {
            k->dtype = MLXC_INT32;
            k->limit = strtol(text + 1, &end, 10);
            text = end;
        }
        if (*text == '@') {
            k->low = strtod(text + 1, &end);
            k->high = strtod(end + 1, &end);
            text = end;
        }
        ck_assert_msg(*text == ' ' || !*text, "bad input at '%s'", text);
        while (*text == ' ')
            text++;
    }
    return n;
}

double walk_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static mlxc_array *from_doubles(const double *v, const int64_t *shape,
    int ndim, mlxc_dtype dtype)
{
    mlxc_array *out;
    int64_t n = 1;
    for (int d = 0; d < ndim; d++)
        n *= shape[d];
    if (dtype == MLXC_COMPLEX64) {
        mlxc_complex64 *z = malloc((size_t)n * sizeof *z + 1);
        for (int64_t i = 0; i < n; i++) {
            z[i].re = (float)v[2 * i];
            z[i].im = (float)v[2 * i + 1];
        }
        ck_assert_int_eq(mlxc_array_from_data(&out, z, shape, ndim, dtype),
            MLXC_OK);
        free(z);
        return out;
    }
    mlxc_array *x;
    ck_assert_int_eq(mlxc_array_from_data(&x, v, shape, ndim, MLXC_FLOAT64),
        MLXC_OK);
    ck_assert_int_eq(mlxc_astype(&out, x, dtype, NULL), MLXC_OK);
    mlxc_array_unref(x);
    return out;
}

mlxc_array *walk_array(const double *v, mlxc_array *like)
{
    return from_doubles(v, mlxc_array_shape(like), mlxc_array_ndim(like),
        mlxc_array_dtype(like));
}

mlxc_array *walk_make(const struct walk_input *in, int64_t batch, int axis,
    uint64_t *state)
{
    int64_t shape[WALK_RANK + 1], n = 1;
    int ndim = in->ndim + (axis >= 0);
    for (int d = 0, k = 0; d < ndim; d++) {
        shape[d] = d == axis ? batch : in->shape[k++];
        n *= shape[d];
    }
    int64_t numbers = in->dtype == MLXC_COMPLEX64 ? 2 * n : n;
    double *v = malloc((size_t)numbers * sizeof *v + 1);
    for (int64_t i = 0; i < numbers; i++) {
        double x = walk_random(state);
        v[i] = in->dtype == MLXC_BOOL ? x < 0.5
            : in->limit ? floor(x * (double)in->limit)
            : in->low + x * (in->high - in->low);
    }
    mlxc_array *out = from_doubles(v, shape, ndim, in->dtype);
    free(v);
    return out;
}

struct walk_numbers walk_numbers(mlxc_array *a)
{
    struct walk_numbers r = { mlxc_array_size(a), NULL };
    int complex = mlxc_array_dtype(a) == MLXC_COMPLEX64;
    if (complex)
        r.n *= 2;
    r.v = malloc((size_t)r.n * sizeof *r.v + 1);
    if (complex) {
        float *z = malloc((size_t)r.n * sizeof *z + 1);
        ck_assert_msg(mlxc_array_copy_out(a, z, mlxc_array_nbytes(a)) ==
            MLXC_OK, "%s", mlxc_error_message());
        for (int64_t i = 0; i < r.n; i++)
            r.v[i] = (double)z[i];
        free(z);
        return r;
    }
    mlxc_array *x;
    ck_assert_int_eq(mlxc_astype(&x, a, MLXC_FLOAT64, NULL), MLXC_OK);
    ck_assert_msg(mlxc_array_copy_out(x, r.v, (size_t)r.n * sizeof *r.v) ==
        MLXC_OK, "%s", mlxc_error_message());
    mlxc_array_unref(x);
    return r;
}

static mlxc_status call_case(mlxc_arrays *outputs, mlxc_arrays *inputs,
    void *payload)
{
    const struct walk_case *k = payload;
    mlxc_array *in[WALK_INPUTS], *out;
    mlxc_scope *c;
    mlxc_status status = mlxc_scope_new(&c, NULL);
    if (status)
        return status;
    for (int i = 0; i < mlxc_arrays_size(inputs); i++)
        in[i] = mlxc_arrays_get(inputs, i);
    status = mlxc_scope_export(&out, c, k->fn(c, in));
    if (!status)
        status = mlxc_arrays_push_take(outputs, out);
    mlxc_scope_free(c);
    return status;
}

mlxc_function *walk_function(const struct walk_case *k)
{
    mlxc_function *f;
    ck_assert_int_eq(mlxc_function_new(&f, call_case, (void *)(uintptr_t)k,
        NULL), MLXC_OK);
    return f;
}

static int inexact(mlxc_array *a)
{
    return mlxc_dtype_is_float(mlxc_array_dtype(a)) ||
        mlxc_dtype_is_complex(mlxc_array_dtype(a));
}

/* A cotangent for `like`: fixed numbers, so that it is a constant. */
static mlxc_array *cotangent(mlxc_array *like, uint64_t *state)
{
    int64_t n = 2 * mlxc_array_size(like);
    double *v = malloc((size_t)n * sizeof *v + 1);
    for (int64_t i = 0; i < n; i++)
        v[i] = walk_random(state) * 2 - 1;
    mlxc_array *out = walk_array(v, like);
    free(v);
    return out;
}

static mlxc_status call_gradient(mlxc_arrays *outputs, mlxc_arrays *inputs,
    void *payload)
{
    mlxc_function *f = payload;
    mlxc_arrays *y, *cotangents, *grads;
    uint64_t state = 7;
    mlxc_status status = mlxc_function_call(&y, f, inputs);
    if (status)
        return status;
    ck_assert_int_eq(mlxc_arrays_new(&cotangents), MLXC_OK);
    for (int i = 0; i < mlxc_arrays_size(y); i++)
        ck_assert_int_eq(mlxc_arrays_push_take(cotangents,
            cotangent(mlxc_arrays_get(y, i), &state)), MLXC_OK);
    mlxc_arrays_unref(y);
    status = mlxc_vjp(&y, &grads, f, inputs, cotangents);
    mlxc_arrays_unref(cotangents);
    if (status)
        return status;
    for (int i = 0; i < mlxc_arrays_size(grads) && !status; i++) {
        if (inexact(mlxc_arrays_get(inputs, i)))
            status = mlxc_arrays_push(outputs, mlxc_arrays_get(grads, i));
    }
    mlxc_arrays_unref(y);
    mlxc_arrays_unref(grads);
    return status;
}

static void release(void *payload)
{
    mlxc_function_unref(payload);
}

mlxc_function *walk_gradient(mlxc_function *f)
{
    mlxc_function *g;
    ck_assert_int_eq(mlxc_function_new(&g, call_gradient,
        mlxc_function_ref(f), release), MLXC_OK);
    return g;
}

void walk_expect(const char *what, const char *name,
    const struct walk_numbers *got, const struct walk_numbers *want,
    double bound)
{
    double scale = 1;
    ck_assert_msg(got->n == want->n, "%s of %s: %d numbers, not %d", what,
        name, (int)got->n, (int)want->n);
    for (int64_t i = 0; i < want->n; i++)
        scale = fabs(want->v[i]) > scale ? fabs(want->v[i]) : scale;
    for (int64_t i = 0; i < want->n; i++) {
        double x = got->v[i], y = want->v[i];
        ck_assert_msg(x == y || (x != x && y != y) ||
            fabs(x - y) <= bound * scale,
            "%s of %s: number %d is %.17g, not %.17g", what, name, (int)i,
            x, y);
    }
}
