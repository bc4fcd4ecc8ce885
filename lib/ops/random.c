/* SPDX-License-Identifier: MIT */
/* Random numbers: bits from a key, and the distributions made of them. */
#include <math.h>
#include <string.h>
#include <time.h>

#include <mlxc/expr.h>

#include "core/device.h"
#include "core/scope.h"
#include "core/shape.h"
#include "ops/infer.h"

/* ---- bits: input keys (..., 2), each fills its own block of `shape` ---- */

static mlxc_status infer_bits(struct mx_infer *c)
{
    const struct mx_p_bits *p = c->params;
    mlxc_array *key = c->input[0];
    int lead = key->ndim - 1;
    int64_t *shape = mx_infer_dims(c, lead + (int)p->n);
    if (!shape)
        return MLXC_ERR_NOMEM;
    memcpy(shape, key->shape, (size_t)lead * sizeof *shape);
    memcpy(shape + lead, p->v, (size_t)p->n * sizeof *shape);
    c->spec[0] = (struct mx_spec){ shape, lead + (int)p->n,
        p->width == 1 ? MLXC_UINT8
            : p->width == 2 ? MLXC_UINT16 : MLXC_UINT32 };
    return MLXC_OK;
}

static void vmap_bits(struct mx_vmap *m)
{
    mlxc_array *in;
    mx_vmap_front(m, &in);
    m->output[0] = mx_vmap_again(m, m->params, m->nparams, &in);
    m->axis_out[0] = 0;
}

const struct mx_op mx_op_random_bits = {
    .name = "random_bits",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_RANDOM_BITS,
    .flags = MX_OP_RANDOM,
    .infer = infer_bits,
    .vmap = vmap_bits,
    .exempt = "bits are no continuous function of a key",
};

mlxc_status mlxc_random_key(mlxc_array **out, uint64_t seed)
{
    const int64_t two = 2;
    const uint32_t words[2] = { (uint32_t)(seed >> 32), (uint32_t)seed };
    return mlxc_array_from_data(out, words, &two, 1, MLXC_UINT32);
}

mlxc_status mlxc_random_seed(uint64_t seed)
{
    struct mx_thread *t = mx_thread();
    mlxc_array *key;
    if (!t)
        return MLXC_ERR_NOMEM;
    MX_TRY(mlxc_random_key(&key, seed));
    mlxc_array_unref(t->random_key);
    t->random_key = key;
    return MLXC_OK;
}

static mlxc_status bits(mlxc_array **out, const int64_t *shape, int ndim,
    int width, mlxc_array *key, mlxc_stream *s)
{
    struct mx_block b;
    struct mx_p_bits *p = mx_block_init(&b, "random_bits", sizeof *p, ndim);
    if (!p)
        return MLXC_ERR_NOMEM;
    p->width = width;
    p->n = ndim;
    mx_shape_copy(p->v, shape, ndim);
    mlxc_status status =
        mx_apply1(out, &mx_op_random_bits, p, b.size, key, s);
    mx_block_free(&b);
    return status;
}

/* The key itself, or the next of this thread's sequence.  New reference. */
static mlxc_status use_key(mlxc_array **out, const char *op, mlxc_array *key,
    mlxc_stream *s)
{
    *out = NULL;
    if (key) {
        if (key->dtype != MLXC_UINT32 || key->ndim != 1 || key->shape[0] != 2)
            return mx_error(MLXC_ERR_ARGUMENT,
                "%s: a key is a uint32 array of shape (2)", op);
        *out = mlxc_array_ref(key);
        return MLXC_OK;
    }
    struct mx_thread *t = mx_thread();
    if (!t)
        return MLXC_ERR_NOMEM;
    if (!t->random_key) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        /* threads that start together still differ: by their state's place */
        MX_TRY(mlxc_random_seed((uint64_t)now.tv_sec * 1000000000u +
            (uint64_t)now.tv_nsec + (uint64_t)(uintptr_t)t));
    }
    mlxc_scope *c;
    MX_TRY(mlxc_scope_new(&c, s));
    const int64_t pair[2] = { 2, 2 }, from[2] = { 0, 0 }, mid[2] = { 1, 2 };
    const int64_t half[2] = { 1, 0 };
    const int first = 0;
    mlxc_array *both = NULL;
    mlxc_status status = bits(&both, pair, 2, 4, t->random_key, s);
    both = mlxc_scope_take(c, status, both);
    mlxc_array *next = mlxe_squeeze(c, mlxe_slice(c, both, from, mid, NULL,
        2), &first, 1);
    mlxc_array *mine = mlxe_squeeze(c, mlxe_slice(c, both, half, pair, NULL,
        2), &first, 1);
    status = mlxc_scope_export(out, c, mine);
    /* a sequence that nobody evaluates must not grow a chain for ever */
    if (!status)
        status = mlxc_eval(&next, 1);
    if (!status) {
        mlxc_array_unref(t->random_key);
        t->random_key = mlxc_array_ref(next);
    } else {
        mlxc_array_unref(*out);
        *out = NULL;
    }
    mlxc_scope_free(c);
    return status;
}

/* Common checks; then a scope with the key in it. */
static mlxc_status begin(mlxc_scope **c, mlxc_array **used, const char *op,
    mlxc_array **out, const int64_t *shape, int ndim, mlxc_dtype dtype,
    unsigned kinds, mlxc_array *key, mlxc_stream *s)
{
    int64_t size;
    if (!out)
        return mx_error(MLXC_ERR_ARGUMENT, "%s: out is NULL", op);
    *out = NULL;
    if (!mx_dtype_valid(dtype) || !mx_dtype_is(dtype, kinds))
        return mx_error(MLXC_ERR_DTYPE, "%s: %s is not accepted", op,
            mlxc_dtype_name(dtype));
    if (ndim < 0 || (ndim > 0 && !shape))
        return mx_error(MLXC_ERR_ARGUMENT, "%s: no shape of rank %d", op,
            ndim);
    MX_TRY(mx_shape_size(&size, op, shape, ndim, 8));
    MX_TRY(use_key(used, op, key, s));
    mlxc_status status = mlxc_scope_new(c, s);
    if (status)
        mlxc_array_unref(*used);
    else
        mlxc_scope_take(*c, MLXC_OK, *used); /* the scope drops it */
    return status;
}

static mlxc_status finish(mlxc_array **out, mlxc_scope *c, mlxc_array *a)
{
    mlxc_status status = mlxc_scope_export(out, c, a);
    mlxc_scope_free(c);
    return status;
}

static mlxc_array *bits_in(mlxc_scope *c, const int64_t *shape, int ndim,
    mlxc_array *key)
{
    mlxc_array *a = NULL;
    mlxc_status status = bits(&a, shape, ndim, 4, key, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, a);
}

mlxc_status mlxc_random_split(mlxc_array **out, mlxc_array *key, int num,
    mlxc_stream *s)
{
    const int64_t shape[2] = { num, 2 };
    mlxc_scope *c;
    mlxc_array *k;
    MX_TRY(begin(&c, &k, "random_split", out, shape, 2, MLXC_UINT32,
        MX_KIND_UINT, key, s));
    return finish(out, c, bits_in(c, shape, 2, k));
}

mlxc_status mlxc_random_bits(mlxc_array **out, const int64_t *shape, int ndim,
    int width, mlxc_array *key, mlxc_stream *s)
{
    mlxc_scope *c;
    mlxc_array *k, *a = NULL;
    if (width != 1 && width != 2 && width != 4)
        return mx_error(MLXC_ERR_ARGUMENT,
            "random_bits: a width of %d bytes", width);
    MX_TRY(begin(&c, &k, "random_bits", out, shape, ndim, MLXC_UINT32,
        MX_KIND_UINT, key, s));
    mlxc_status status = bits(&a, shape, ndim, width, k, s);
    return finish(out, c, mlxc_scope_take(c, status, a));
}

/* Evenly in [0, 1) of dtype: 32 bits of the stream each, 64 for float64. */
static mlxc_array *unit(mlxc_scope *c, const int64_t *shape, int ndim,
    mlxc_dtype d, mlxc_array *key)
{
    if (d == MLXC_FLOAT64) {
        struct mx_ints l;
        const int last = -1;
        int64_t *two = mx_ints_init(&l, "random_uniform", ndim + 1);
        if (!two) {
            mx_scope_fail(c, MLXC_ERR_NOMEM);
            return NULL;
        }
        mx_shape_copy(two, shape, ndim);
        two[ndim] = 2;
        mlxc_array *words = mlxe_astype(c, bits_in(c, two, ndim + 1, key),
            MLXC_FLOAT64);
        mx_ints_free(&l);
        const double weight[2] = { 0x1p-32, 0x1p-64 };
        const int64_t pair = 2;
        mlxc_array *w = NULL;
        mlxc_status status =
            mlxc_array_from_data(&w, weight, &pair, 1, MLXC_FLOAT64);
        w = mlxc_scope_take(c, status, w);
        mlxc_array *u = mlxe_sum(c, mlxe_multiply(c, words, w), &last, 1,
            false);
        return mlxe_minimum(c, u, mlxe_scalar(c, 1 - 0x1p-53, d));
    }
    /* the largest number below 1 in dtype */
    double top = d == MLXC_FLOAT16 ? 1 - 0x1p-11
        : d == MLXC_BFLOAT16 ? 1 - 0x1p-8 : 1 - 0x1p-24;
    mlxc_array *u = mlxe_astype(c, bits_in(c, shape, ndim, key),
        MLXC_FLOAT32);
    u = mlxe_multiply(c, u, mlxe_scalar(c, 0x1p-32, MLXC_FLOAT32));
    u = mlxe_minimum(c, u, mlxe_scalar(c, top, MLXC_FLOAT32));
    return mlxe_astype(c, u, d);
}

/* range * u + low, in dtype */
static mlxc_array *uniform(mlxc_scope *c, mlxc_array *low, mlxc_array *high,
    const int64_t *shape, int ndim, mlxc_dtype d, mlxc_array *key)
{
    low = mlxe_astype(c, low, d);
    high = mlxe_astype(c, high, d);
    mlxc_array *range = mlxe_subtract(c, high, low);
    if (!range)
        return NULL;
    /* bounds must not enlarge the result */
    if (!mlxe_broadcast_to(c, range, shape, ndim))
        return NULL;
    mlxc_array *u = unit(c, shape, ndim, d, key);
    return mlxe_add(c, mlxe_multiply(c, range, u), low);
}

mlxc_status mlxc_random_uniform(mlxc_array **out, mlxc_array *low,
    mlxc_array *high, const int64_t *shape, int ndim, mlxc_dtype dtype,
    mlxc_array *key, mlxc_stream *s)
{
    mlxc_scope *c;
    mlxc_array *k, *in[2] = { low, high };
    MX_TRY(mx_check("random_uniform", out, in, 2));
    MX_TRY(begin(&c, &k, "random_uniform", out, shape, ndim, dtype,
        MX_KIND_FLOAT, key, s));
    return finish(out, c, uniform(c, low, high, shape, ndim, dtype, k));
}

/* erfinv of evenly spread numbers, in float32 whatever the dtype */
static mlxc_array *half_normal(mlxc_scope *c, const int64_t *shape, int ndim,
    mlxc_array *key)
{
    mlxc_array *low = mlxe_scalar(c, -(1 - 0x1p-24), MLXC_FLOAT32);
    mlxc_array *high = mlxe_scalar(c, 1, MLXC_FLOAT32);
    return mlxe_erfinv(c, uniform(c, low, high, shape, ndim, MLXC_FLOAT32,
        key));
}

mlxc_status mlxc_random_normal(mlxc_array **out, mlxc_array *loc,
    mlxc_array *scale, const int64_t *shape, int ndim, mlxc_dtype dtype,
    mlxc_array *key, mlxc_stream *s)
{
    mlxc_scope *c;
    mlxc_array *k;
    MX_TRY(begin(&c, &k, "random_normal", out, shape, ndim, dtype,
        MX_KIND_FLOAT | MX_KIND_COMPLEX, key, s));
    mlxc_array *x;
    if (dtype == MLXC_COMPLEX64) {
        /* two parts of variance 1/2 */
        struct mx_ints l;
        const int last = -1;
        int64_t *two = mx_ints_init(&l, "random_normal", ndim + 1);
        if (!two) {
            mlxc_scope_free(c);
            return MLXC_ERR_NOMEM;
        }
        mx_shape_copy(two, shape, ndim);
        two[ndim] = 2;
        x = mlxe_view(c, half_normal(c, two, ndim + 1, k), MLXC_COMPLEX64);
        x = x ? mlxe_squeeze(c, x, &last, 1) : NULL;
        mx_ints_free(&l);
        if (scale)
            x = mlxe_multiply(c, x, scale);
    } else {
        mlxc_array *factor = mlxe_scalar(c, 1.4142135623730951, dtype);
        if (scale)
            factor = mlxe_multiply(c, factor, mlxe_astype(c, scale, dtype));
        x = mlxe_multiply(c, factor, mlxe_astype(c, half_normal(c, shape,
            ndim, k), dtype));
    }
    if (loc)
        x = mlxe_add(c, mlxe_astype(c, loc, dtype), x);
    if (x && (loc || scale))
        x = mlxe_broadcast_to(c, x, shape, ndim);
    return finish(out, c, x);
}

mlxc_status mlxc_random_bernoulli(mlxc_array **out, mlxc_array *p,
    const int64_t *shape, int ndim, mlxc_array *key, mlxc_stream *s)
{
    mlxc_scope *c;
    mlxc_array *k;
    MX_TRY(mx_check("random_bernoulli", out, &p, 1));
    MX_TRY(mx_check_kinds("random_bernoulli", p, MX_KIND_FLOAT));
    MX_TRY(begin(&c, &k, "random_bernoulli", out, shape, ndim, MLXC_UINT32,
        MX_KIND_UINT, key, s));
    /* the float just above 2^32, so that 1 is always true */
    mlxc_array *bound = mlxe_multiply(c, p,
        mlxe_scalar(c, 4294967808.0, MLXC_FLOAT32));
    mlxc_array *r = mlxe_astype(c, bits_in(c, shape, ndim, k),
        MLXC_FLOAT32);
    r = mlxe_less(c, r, bound);
    return finish(out, c, r ? mlxe_broadcast_to(c, r, shape, ndim) : NULL);
}

mlxc_status mlxc_random_randint(mlxc_array **out, mlxc_array *low,
    mlxc_array *high, const int64_t *shape, int ndim, mlxc_dtype dtype,
    mlxc_array *key, mlxc_stream *s)
{
    mlxc_scope *c;
    mlxc_array *k, *in[2] = { low, high };
    MX_TRY(mx_check("random_randint", out, in, 2));
    MX_TRY(begin(&c, &k, "random_randint", out, shape, ndim, dtype,
        MX_KINDS_BUI, key, s));
    mlxc_array *u = mlxe_floor(c, uniform(c, low, high, shape, ndim,
        MLXC_FLOAT32, k));
    mlxc_array *top = mlxe_subtract(c, high, mlxe_constant(c, 1, high));
    u = mlxe_minimum(c, mlxe_astype(c, u, dtype),
        mlxe_astype(c, top, dtype));
    return finish(out, c, mlxe_maximum(c, u, mlxe_astype(c, low, dtype)));
}

/* The largest of logits with Gumbel noise: a row samples the same alone and
   in a batch.  `shape` is that of the noise, with the axis `at` of `logits`,
   which broadcasts to it. */
static mlxc_status categorical(mlxc_array **out, const char *op,
    mlxc_array *logits, int at, const int64_t *shape, int ndim,
    mlxc_array *key, mlxc_stream *s)
{
    mlxc_scope *c;
    mlxc_array *k, *x;
    MX_TRY(begin(&c, &k, op, out, shape, ndim, MLXC_FLOAT32, MX_KIND_FLOAT,
        key, s));
    mlxc_status status = mx_broadcast(&x, op, logits, shape, ndim, s);
    x = mlxc_scope_take(c, status, x);
    mlxc_array *g = unit(c, shape, ndim, MLXC_FLOAT32, k);
    g = mlxe_negative(c, mlxe_log(c, mlxe_negative(c, mlxe_log(c, g))));
    return finish(out, c, mlxe_argmax(c, mlxe_add(c, g, x), at, false));
}

static mlxc_status check_logits(const char *op, mlxc_array **out, int *at,
    mlxc_array *logits, int axis)
{
    MX_TRY(mx_check(op, out, &logits, 1));
    MX_TRY(mx_check_kinds(op, logits, MX_KINDS_BUIF));
    return mx_axis(at, op, axis, logits->ndim);
}

mlxc_status mlxc_random_categorical(mlxc_array **out, mlxc_array *logits,
    int axis, int num, mlxc_array *key, mlxc_stream *s)
{
    int at;
    struct mx_ints l;
    const int last = -1;
    mlxc_array *x;
    MX_TRY(check_logits("random_categorical", out, &at, logits, axis));
    if (num < 0)
        return mx_error(MLXC_ERR_ARGUMENT,
            "random_categorical: %d samples", num);
    int n = logits->ndim + (num > 0);
    int64_t *shape = mx_ints_init(&l, "random_categorical", n);
    if (!shape)
        return MLXC_ERR_NOMEM;
    memcpy(shape, logits->shape, (size_t)logits->ndim * sizeof *shape);
    mlxc_status status = MLXC_OK;
    if (num > 0) {
        shape[n - 1] = num;
        status = mlxc_expand_dims(&x, logits, &last, 1, s);
    } else {
        x = mlxc_array_ref(logits);
    }
    if (!status)
        status = categorical(out, "random_categorical", x, at, shape, n, key,
            s);
    mlxc_array_unref(x);
    mx_ints_free(&l);
    return status;
}

mlxc_status mlxc_random_categorical_shaped(mlxc_array **out,
    mlxc_array *logits, int axis, const int64_t *shape, int ndim,
    mlxc_array *key, mlxc_stream *s)
{
    static const char op[] = "random_categorical_shaped";
    int at;
    struct mx_ints l;
    char ta[MX_SHAPE_TEXT], tb[MX_SHAPE_TEXT];
    MX_TRY(check_logits(op, out, &at, logits, axis));
    if (ndim < 0 || (ndim > 0 && !shape))
        return mx_error(MLXC_ERR_ARGUMENT, "%s: no shape of %d dimensions",
            op, ndim);
    int place = at + ndim - (logits->ndim - 1);
    int64_t *full = mx_ints_init(&l, op, ndim + 1);
    if (!full)
        return MLXC_ERR_NOMEM;
    int fits = place >= at;
    for (int i = 0, k = 0; i <= ndim && fits; i++)
        full[i] = i == place ? logits->shape[at] : shape[k++];
    for (int i = 0; i < logits->ndim && fits; i++)
        fits = logits->shape[i] == 1 ||
            logits->shape[i] == full[place - at + i];
    mlxc_status status = !fits ? mx_error(MLXC_ERR_SHAPE,
        "%s: logits of shape %s without axis %d do not broadcast to %s", op,
        mx_shape_text(ta, logits->shape, logits->ndim), at,
        mx_shape_text(tb, shape, ndim))
        : categorical(out, op, logits, place, full, ndim + 1, key, s);
    mx_ints_free(&l);
    return status;
}
