/* SPDX-License-Identifier: MIT */
/* Fuzzes the operations: the bytes choose functions and arguments, sane and
   absurd, from the table that calls.awk makes of the public headers; results
   feed later calls, are evaluated, differentiated and batched.  Whatever the
   arguments, a call gives a result or a status with a message. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mlxc/mlxc.h>

#define POOL 24
#define LIST 8
/* Larger results are dropped: they would only cost time. */
#define LARGEST 20000
#define CALLS 40

/* Where arguments come from.  A traced draw reads the same bytes again, with
   the inputs of a function as its pool. */
struct draw {
    const uint8_t *data;
    size_t size, at;
    mlxc_array *pool[POOL];
    int n;               /* arrays in the pool */
    int next;            /* the one that the next result replaces */
    mlxc_arrays *traced; /* where results go instead; NULL outside */
    /* Lists that calls borrow, so many that none is drawn twice. */
    int64_t lengths[LIST][LIST];
    int axes[LIST][LIST], lists;
    mlxc_array *list[LIST];
    mlxc_arrays *drawn[LIST];
    int ndrawn;
    char text[32];
};

struct call {
    const char *name;
    void (*run)(struct draw *d);
};

static void fail(const char *what)
{
    fprintf(stderr, "fuzz_ops: %s (%s)\n", what, mlxc_error_message());
    abort();
}

static int byte(struct draw *d)
{
    return d->at < d->size ? d->data[d->at++] : 0;
}

static mlxc_array *draw_array(struct draw *d)
{
    int i = byte(d);
    return i == 255 || !d->n ? NULL : d->pool[i % d->n];
}

static int64_t draw_int64(struct draw *d)
{
    static const int64_t odd[] = { INT64_MAX, INT64_MIN, INT32_MAX, INT32_MIN,
        (int64_t)1 << 32, (int64_t)1 << 62, -((int64_t)1 << 62), 65536 };
    int b = byte(d);
    return b >= 248 ? odd[b - 248] : b % 9 - 3;
}

static int draw_int(struct draw *d)
{
    static const int odd[] = { INT32_MAX, INT32_MIN, -INT32_MAX, 1000 };
    int b = byte(d);
    return b >= 252 ? odd[b - 252] : b % 8 - 3;
}

static int draw_count(struct draw *d)
{
    int b = byte(d);
    return b >= 250 ? -1 : b % 5;
}

static int draw_enum(struct draw *d)
{
    return byte(d) % 8 - 1;
}

static bool draw_bool(struct draw *d)
{
    return byte(d) & 1;
}

static double draw_double(struct draw *d)
{
    static const double some[] = { 0, 1, -1, 0.5, 2, 3, 1e300, -1e300, 1e-5,
        1e10 };
    int b = byte(d);
    if (b >= 252)
        return (b & 1 ? -1 : 1) * (b & 2 ? HUGE_VAL : (double)NAN);
    return some[b % 10];
}

static mlxc_dtype draw_dtype(struct draw *d)
{
    int b = byte(d);
    return (mlxc_dtype)(b >= 250 ? b - 253 : b % 14);
}

static const int64_t *draw_lengths(struct draw *d)
{
    int64_t *v = d->lengths[d->lists++ % LIST];
    for (int i = 0; i < LIST; i++)
        v[i] = i < 4 ? draw_int64(d) : 1;
    return v;
}

static const int *draw_axes(struct draw *d)
{
    int *v = d->axes[d->lists++ % LIST];
    for (int i = 0; i < LIST; i++)
        v[i] = i < 4 ? draw_int(d) : 0;
    return v;
}

static mlxc_array *const *draw_list(struct draw *d)
{
    for (int i = 0; i < LIST; i++)
        d->list[i] = i < 4 ? draw_array(d) : NULL;
    return d->list;
}

static mlxc_arrays *draw_arrays(struct draw *d)
{
    mlxc_arrays *list = NULL;
    int n = byte(d) % 4;
    if (d->ndrawn == LIST || mlxc_arrays_new(&list))
        return NULL;
    for (int i = 0; i < n; i++) {
        mlxc_array *a = draw_array(d);
        if (a && mlxc_arrays_push(list, a))
            break;
    }
    d->drawn[d->ndrawn++] = list;
    return list;
}

/* Letters of einsum, or what else fits in. */
static const char *draw_text(struct draw *d)
{
    static const char some[] = "ijkabiji,,->..... A(";
    int n = byte(d) % (int)(sizeof d->text - 1);
    for (int i = 0; i < n; i++)
        d->text[i] = some[byte(d) % (int)(sizeof some - 1)];
    d->text[n] = 0;
    return d->text;
}

static void check_status(mlxc_status status, int made)
{
    if (status == MLXC_ERR_INTERNAL)
        fail("an internal error");
    if ((status == MLXC_OK) != made)
        fail("status and result disagree");
    if (status && !*mlxc_error_message())
        fail("no message");
}

/* Evaluate and print: both may fail, not fall. */
static void look(mlxc_array *a)
{
    char *text = NULL;
    mlxc_status status = mlxc_eval(&a, 1);
    if (status == MLXC_ERR_INTERNAL)
        fail("an internal error");
    if (status)
        return;
    status = mlxc_array_to_string(&text, a);
    check_status(status, text != NULL);
    mlxc_free(text);
}

static void put(struct draw *d, mlxc_array *a)
{
    if (mlxc_array_size(a) > LARGEST) {
        mlxc_array_unref(a);
        return;
    }
    if (d->traced && mlxc_arrays_push(d->traced, a))
        fail("a list does not grow");
    if (!d->traced && byte(d) & 1)
        look(a);
    if (d->n < POOL) {
        d->pool[d->n++] = a;
        return;
    }
    mlxc_array_unref(d->pool[d->next]);
    d->pool[d->next] = a;
    d->next = (d->next + 1) % POOL;
}

static void keep(struct draw *d, mlxc_array *a, mlxc_status status)
{
    check_status(status, a != NULL);
    if (a)
        put(d, a);
}

static void keep_all(struct draw *d, mlxc_arrays *list, mlxc_status status)
{
    check_status(status, list != NULL);
    int n = list ? mlxc_arrays_size(list) : 0;
    for (int i = 0; i < n && i < 4; i++)
        put(d, mlxc_array_ref(mlxc_arrays_get(list, i)));
    mlxc_arrays_unref(list);
}

#include "fuzz/calls.h"

#define NCALLS (sizeof calls / sizeof *calls)

static void run_call(struct draw *d)
{
    size_t i = (size_t)byte(d) << 8;
    i |= (size_t)byte(d);
    if (getenv("FUZZ_OPS_TRACE"))
        fprintf(stderr, "%s%s\n", d->traced ? "  " : "",
            calls[i % NCALLS].name);
    calls[i % NCALLS].run(d);
    while (d->ndrawn)
        mlxc_arrays_unref(d->drawn[--d->ndrawn]);
}

/* A function of its inputs: the calls that the bytes from `at` on name, of
   which all results are returned. */
static mlxc_status traced(mlxc_arrays *outputs, mlxc_arrays *inputs,
    void *payload)
{
    const struct draw *from = payload;
    struct draw d = { .data = from->data, .size = from->size,
        .at = from->at, .traced = outputs };
    d.n = mlxc_arrays_size(inputs);
    for (int i = 0; i < d.n; i++)
        d.pool[i] = mlxc_array_ref(mlxc_arrays_get(inputs, i));
    for (int i = byte(&d) % 3; i >= 0; i--)
        run_call(&d);
    for (int i = 0; i < d.n; i++)
        mlxc_array_unref(d.pool[i]);
    return mlxc_arrays_size(outputs) ? MLXC_OK :
        mlxc_error_set(MLXC_ERR_CALLBACK, "no output");
}

static void look_at_all(mlxc_arrays *list)
{
    for (int i = 0; list && i < mlxc_arrays_size(list); i++) {
        if (mlxc_array_size(mlxc_arrays_get(list, i)) <= LARGEST)
            look(mlxc_arrays_get(list, i));
    }
    mlxc_arrays_unref(list);
}

/* A function that takes the place of *f; what fails leaves it. */
static void transform(struct draw *d, mlxc_function **f)
{
    mlxc_function *g = NULL;
    int which = byte(d) % 5, axes[2] = { draw_int(d), draw_int(d) };
    int wrt[2] = { draw_int(d) % 3, 1 };
    mlxc_status status = which == 0 ? mlxc_grad(&g, *f, NULL, 0)
        : which == 1 ? mlxc_value_and_grad(&g, *f, wrt, byte(d) % 3)
        : which == 2 ? mlxc_checkpoint(&g, *f)
        : which == 3 ? mlxc_vmap(&g, *f, NULL, 0, NULL, 0)
        : mlxc_vmap(&g, *f, axes, 2, axes, 1);
    check_status(status, g != NULL);
    if (!g)
        return;
    mlxc_function_unref(*f);
    *f = g;
}

/* A list of ones, each like one of `list`. */
static mlxc_arrays *ones(mlxc_arrays *list)
{
    mlxc_arrays *out = NULL;
    if (!list || mlxc_arrays_new(&out))
        return NULL;
    for (int i = 0; i < mlxc_arrays_size(list); i++) {
        mlxc_array *one = NULL;
        if (mlxc_ones_like(&one, mlxc_arrays_get(list, i), NULL) ||
            mlxc_arrays_push_take(out, one))
            break;
    }
    return out;
}

static void run_transform(struct draw *d)
{
    mlxc_function *f = NULL;
    mlxc_arrays *in = NULL, *seeds = NULL, *outputs = NULL, *more = NULL;
    int wraps = byte(d) % 3, which = byte(d) % 3;
    if (mlxc_arrays_new(&in))
        return;
    for (int i = 0; i < 2; i++) {
        mlxc_array *a = draw_array(d);
        if (a && mlxc_arrays_push(in, a))
            goto out;
    }
    if (mlxc_function_new(&f, traced, d, NULL))
        goto out;
    while (wraps--)
        transform(d, &f);
    mlxc_status status = mlxc_function_call(&outputs, f, in);
    check_status(status, outputs != NULL);
    if (which) {
        seeds = ones(which == 1 ? outputs : in);
        mlxc_arrays_unref(outputs);
        outputs = NULL;
        status = (which == 1 ? mlxc_vjp : mlxc_jvp)(&outputs, &more, f, in,
            seeds);
        check_status(status, outputs != NULL && more != NULL);
    }
out:
    look_at_all(outputs);
    look_at_all(more);
    mlxc_arrays_unref(in);
    mlxc_arrays_unref(seeds);
    mlxc_function_unref(f);
}

/* One array of each kind that operations tell apart. */
static void fill_pool(struct draw *d)
{
    static const int64_t shapes[][3] = { { 2, 3, 1 }, { 3, 1, 1 },
        { 0, 3, 1 }, { 2, 2, 2 }, { 4, 4, 1 } };
    static const int ndims[] = { 2, 1, 2, 3, 2, 0 };
    static const unsigned char bytes[128] = { 0, 1, 0, 0, 2, 0, 0, 0, 1, 0,
        0, 0, 1, 1, 0, 0, 0, 0, 0xc0, 0x7f, 0, 0, 0x80, 0x3f, 0, 0, 0x80,
        0xff, 0, 0, 0, 0x80, 1, 0, 0, 0, 2, 0, 0, 0 };
    static const mlxc_dtype dtypes[] = { MLXC_FLOAT32, MLXC_INT32,
        MLXC_FLOAT32, MLXC_COMPLEX64, MLXC_FLOAT16, MLXC_FLOAT64, MLXC_BOOL,
        MLXC_UINT32, MLXC_INT64, MLXC_FLOAT32, MLXC_BFLOAT16, MLXC_UINT8 };
    for (int i = 0; i < 12; i++) {
        unsigned char clean[128];
        int64_t size = 1;
        memcpy(clean, bytes, sizeof clean);
        for (size_t k = 0; dtypes[i] == MLXC_BOOL && k < sizeof clean; k++)
            clean[k] &= 1;
        for (int k = 0; k < ndims[i % 6]; k++)
            size *= shapes[i % 6][k];
        if (size * (int64_t)mlxc_dtype_size(dtypes[i]) > 128)
            continue;
        if (!mlxc_array_from_data(&d->pool[d->n], clean, shapes[i % 6],
            ndims[i % 6], dtypes[i]))
            d->n++;
    }
    mlxc_array *a = NULL;
    if (!mlxc_transpose(&a, d->pool[0], NULL, 0, NULL))
        d->pool[d->n++] = a;
    if (!mlxc_broadcast_to(&a, d->pool[1], (const int64_t[]){ 4, 3 }, 2,
        NULL))
        d->pool[d->n++] = a;
    if (!mlxc_random_key(&a, 7))
        d->pool[d->n++] = a;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct draw d;
    mlxc_memory_set_limit((size_t)64 << 20);
    memset(&d, 0, sizeof d);
    d.data = data;
    d.size = size;
    fill_pool(&d);
    for (int i = 0; d.at < d.size && i < CALLS; i++) {
        if (byte(&d) % 8 == 0)
            run_transform(&d);
        else
            run_call(&d);
    }
    for (int i = 0; i < d.n; i++)
        mlxc_array_unref(d.pool[i]);
    return 0;
}
