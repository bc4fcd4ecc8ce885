/* SPDX-License-Identifier: MIT */
/* Repeating, tiling, rolling, taking apart; parts at run-time positions and
   under masks.  All are formulas over other operations. */
#include <string.h>

#include <mlxc/expr.h>

#include "core/arrays.h"
#include "core/scope.h"
#include "core/shape.h"
#include "ops/infer.h"
#include "util/alloc.h"

static mlxc_status finish(mlxc_array **out, mlxc_scope *c, mlxc_array *a)
{
    mlxc_status status = mlxc_scope_export(out, c, a);
    mlxc_scope_free(c);
    return status;
}

mlxc_status mlxc_repeat(mlxc_array **out, mlxc_array *a, int64_t repeats,
    int axis, mlxc_stream *s)
{
    struct mx_ints l;
    mlxc_scope *c;
    int64_t size;
    int at;
    MX_TRY(mx_check("repeat", out, &a, 1));
    MX_TRY(mx_axis(&at, "repeat", axis, a->ndim));
    if (repeats < 0)
        return mx_error(MLXC_ERR_ARGUMENT, "repeat: %lld times",
            (long long)repeats);
    int n = a->ndim;
    int64_t *wide = mx_ints_init(&l, "repeat", 2 * n + 1);
    if (!wide)
        return MLXC_ERR_NOMEM;
    int64_t *shape = wide + n + 1;
    for (int d = 0; d < n; d++)
        wide[d + (d > at)] = shape[d] = a->shape[d];
    wide[at + 1] = repeats;
    mlxc_status status = MLXC_OK;
    if (__builtin_mul_overflow(shape[at], repeats, &shape[at]))
        status = mx_error(MLXC_ERR_SHAPE, "repeat: too long");
    if (!status)
        status = mx_shape_size(&size, "repeat", shape, n,
            (int64_t)mx_itemsize(a));
    if (!status)
        status = mlxc_scope_new(&c, s);
    if (!status) {
        int behind = at + 1;
        mlxc_array *r = mlxe_expand_dims(c, a, &behind, 1);
        r = mlxe_broadcast_to(c, r, wide, n + 1);
        status = finish(out, c, mlxe_reshape(c, r, shape, n));
    }
    mx_ints_free(&l);
    return status;
}

mlxc_status mlxc_tile(mlxc_array **out, mlxc_array *a, const int64_t *reps,
    int nreps, mlxc_stream *s)
{
    struct mx_ints l;
    mlxc_scope *c;
    int64_t size;
    MX_TRY(mx_check("tile", out, &a, 1));
    if (nreps < 0 || (nreps > 0 && !reps))
        return mx_error(MLXC_ERR_ARGUMENT, "tile: no list of %d numbers",
            nreps);
    int n = nreps > a->ndim ? nreps : a->ndim;
    /* (1, length) pairs, (times, length) pairs, products */
    int64_t *one = mx_ints_init(&l, "tile", 5 * n);
    if (!one)
        return MLXC_ERR_NOMEM;
    int64_t *many = one + 2 * n, *shape = many + 2 * n;
    mlxc_status status = MLXC_OK;
    for (int d = 0; d < n && !status; d++) {
        int da = d - (n - a->ndim), dr = d - (n - nreps);
        int64_t length = da < 0 ? 1 : a->shape[da];
        int64_t times = dr < 0 ? 1 : reps[dr];
        one[2 * d] = 1;
        many[2 * d] = times;
        one[2 * d + 1] = many[2 * d + 1] = length;
        if (times < 0)
            status = mx_error(MLXC_ERR_ARGUMENT, "tile: %lld times",
                (long long)times);
        else if (__builtin_mul_overflow(times, length, &shape[d]))
            status = mx_error(MLXC_ERR_SHAPE, "tile: too long");
    }
    if (!status)
        status = mx_shape_size(&size, "tile", shape, n,
            (int64_t)mx_itemsize(a));
    if (!status)
        status = mlxc_scope_new(&c, s);
    if (!status) {
        mlxc_array *r = mlxe_reshape(c, a, one, 2 * n);
        r = mlxe_broadcast_to(c, r, many, 2 * n);
        status = finish(out, c, mlxe_reshape(c, r, shape, n));
    }
    mx_ints_free(&l);
    return status;
}

/* The part of `a` along `axis` from `from` to `to`. */
static mlxc_array *part(mlxc_scope *c, mlxc_array *a, int axis, int64_t from,
    int64_t to)
{
    struct mx_ints l;
    if (!a)
        return NULL;
    int64_t *v = mx_ints_init(&l, "roll", 2 * a->ndim);
    if (!v) {
        mx_scope_fail(c, MLXC_ERR_NOMEM);
        return NULL;
    }
    for (int d = 0; d < a->ndim; d++) {
        v[d] = d == axis ? from : 0;
        v[a->ndim + d] = d == axis ? to : a->shape[d];
    }
    a = mlxe_slice(c, a, v, v + a->ndim, NULL, a->ndim);
    mx_ints_free(&l);
    return a;
}

static mlxc_array *roll(mlxc_scope *c, mlxc_array *a, int64_t shift, int axis)
{
    int64_t n = a ? a->shape[axis] : 0;
    if (n == 0)
        return a;
    shift %= n;
    shift = shift < 0 ? shift + n : shift;
    if (shift == 0)
        return a;
    mlxc_array *both[2] = { part(c, a, axis, n - shift, n),
        part(c, a, axis, 0, n - shift) };
    return mlxe_concatenate(c, both, 2, axis);
}

mlxc_status mlxc_roll(mlxc_array **out, mlxc_array *a, const int64_t *shifts,
    const int *axes, int n, mlxc_stream *s)
{
    mlxc_scope *c;
    MX_TRY(mx_check("roll", out, &a, 1));
    if (n < 0 || (n > 0 && !shifts))
        return mx_error(MLXC_ERR_ARGUMENT, "roll: no list of %d shifts", n);
    for (int i = 0; axes && i < n; i++) {
        int at;
        MX_TRY(mx_axis(&at, "roll", axes[i], a->ndim));
    }
    MX_TRY(mlxc_scope_new(&c, s));
    if (axes) {
        mlxc_array *r = a;
        for (int i = 0; r && i < n; i++)
            r = roll(c, r, shifts[i],
                axes[i] < 0 ? axes[i] + a->ndim : axes[i]);
        return finish(out, c, r);
    }
    int64_t sum = 0;
    for (int i = 0; i < n && a->size; i++)
        sum = (sum + shifts[i] % a->size) % a->size;
    mlxc_array *r = roll(c, mlxe_flatten(c, a, 0, -1), sum, 0);
    return finish(out, c, mlxe_reshape(c, r, a->shape, a->ndim));
}

mlxc_status mlxc_unstack(mlxc_arrays **out, mlxc_array *a, int axis,
    mlxc_stream *s)
{
    int at;
    mlxc_scope *c;
    mlxc_array *unused;
    *out = NULL;
    MX_TRY(mx_check("unstack", &unused, &a, 1));
    MX_TRY(mx_axis(&at, "unstack", axis, a->ndim));
    MX_TRY(mlxc_scope_new(&c, s));
    mlxc_status status = mlxc_arrays_new(out);
    for (int64_t i = 0; i < a->shape[at] && !status; i++) {
        mlxc_array *p = part(c, a, at, i, i + 1);
        p = mlxe_squeeze(c, p, &at, 1);
        status = p ? mlxc_arrays_push(*out, p) : mlxc_scope_status(c);
    }
    mlxc_scope_free(c);
    if (status) {
        mlxc_arrays_unref(*out);
        *out = NULL;
    }
    return status;
}

/* ---- windows that begin where an array says ---- */

/* The entries of `start` as scalars; NULL: failure, or none. */
static mlxc_arrays *scalars(mlxc_scope *c, const char *op, mlxc_array *start,
    int naxes)
{
    mlxc_arrays *list = NULL;
    if (start->ndim > 1 || start->size != naxes) {
        mx_scope_fail(c, mx_error(MLXC_ERR_SHAPE,
            "%s: %lld positions for %d axes", op, (long long)start->size,
            naxes));
        return NULL;
    }
    mlxc_status status =
        mx_check_kinds(op, start, MX_KIND_INT | MX_KIND_UINT);
    if (!status)
        status = mlxc_arrays_new(&list);
    for (int i = 0; i < naxes && !status; i++) {
        mlxc_array *p = start->ndim ? part(c, start, 0, i, i + 1) : start;
        p = mlxe_reshape(c, p, NULL, 0);
        status = p ? mlxc_arrays_push(list, p) : mlxc_scope_status(c);
    }
    if (status) {
        mx_scope_fail(c, status);
        mlxc_arrays_unref(list);
        return NULL;
    }
    return list;
}

mlxc_status mlxc_dynamic_slice(mlxc_array **out, mlxc_array *a,
    mlxc_array *start, const int *axes, int naxes, const int64_t *sizes,
    int nsizes, mlxc_stream *s)
{
    mlxc_array *in[2] = { a, start }, *r = NULL;
    mlxc_scope *c;
    MX_TRY(mx_check("dynamic_slice", out, in, 2));
    MX_TRY(mlxc_scope_new(&c, s));
    mlxc_arrays *at = scalars(c, "dynamic_slice", start, naxes);
    if (at && naxes == 0) {
        struct mx_ints l;
        int64_t *zero = mx_ints_init(&l, "dynamic_slice", a->ndim);
        mlxc_status status = zero ? MLXC_OK : MLXC_ERR_NOMEM;
        for (int d = 0; d < a->ndim && zero; d++)
            zero[d] = 0;
        if (!status)
            status = mlxc_slice(&r, a, zero, sizes, NULL, nsizes, s);
        if (zero)
            mx_ints_free(&l);
        r = mlxc_scope_take(c, status, r);
    } else if (at) {
        mlxc_status status =
            mlxc_gather(&r, a, at, axes, naxes, sizes, nsizes, s);
        r = mlxc_scope_take(c, status, r);
    }
    mlxc_arrays_unref(at);
    return finish(out, c, r);
}

/* The update broadcast to the window: missing leading dimensions, and those
   that are longer than the array, follow the array, but 1 along `axes`. */
static mlxc_array *window(mlxc_scope *c, mlxc_array *a, mlxc_array *update,
    const int *axes, int naxes)
{
    struct mx_ints l;
    int missing = a->ndim - update->ndim;
    if (missing < 0) {
        mx_scope_fail(c, mx_error(MLXC_ERR_SHAPE, "dynamic_update: an update "
            "of %d dimensions for an array of %d", update->ndim, a->ndim));
        return NULL;
    }
    int64_t *shape = mx_ints_init(&l, "dynamic_update", a->ndim);
    if (!shape) {
        mx_scope_fail(c, MLXC_ERR_NOMEM);
        return NULL;
    }
    for (int d = 0; d < a->ndim; d++)
        shape[d] = d < missing ? a->shape[d] : update->shape[d - missing];
    for (int i = 0; i < naxes; i++) {
        int axis = axes[i] < 0 ? axes[i] + a->ndim : axes[i];
        if (axis >= 0 && axis < missing)
            shape[axis] = 1;
    }
    update = mlxe_astype(c, update, (mlxc_dtype)a->dtype);
    update = mlxe_broadcast_to(c, update, shape, a->ndim);
    mx_ints_free(&l);
    return update;
}

mlxc_status mlxc_dynamic_update(mlxc_array **out, mlxc_array *a,
    mlxc_array *update, mlxc_array *start, const int *axes, int naxes,
    mlxc_stream *s)
{
    mlxc_array *in[3] = { a, update, start }, *r = NULL;
    mlxc_scope *c;
    MX_TRY(mx_check("dynamic_update", out, in, 3));
    if (naxes > 0 && !axes)
        return mx_error(MLXC_ERR_ARGUMENT, "dynamic_update: no axes");
    MX_TRY(mlxc_scope_new(&c, s));
    mlxc_arrays *at = scalars(c, "dynamic_update", start, naxes);
    mlxc_array *u = at ? window(c, a, update, axes, naxes) : NULL;
    if (u && naxes == 0) {
        struct mx_ints l;
        int64_t *zero = mx_ints_init(&l, "dynamic_update", a->ndim);
        mlxc_status status = zero ? MLXC_OK : MLXC_ERR_NOMEM;
        for (int d = 0; d < a->ndim && zero; d++) {
            zero[d] = 0;
            if (u->shape[d] > a->shape[d])
                status = mx_error(MLXC_ERR_SHAPE,
                    "dynamic_update: the update is longer than dimension %d",
                    d);
        }
        if (!status)
            status = mlxc_slice_update(&r, a, u, zero, u->shape, NULL,
                a->ndim, s);
        if (zero)
            mx_ints_free(&l);
        r = mlxc_scope_take(c, status, r);
    } else if (u) {
        mlxc_status status = mlxc_scatter(&r, a, at, u, axes, naxes,
            MLXC_SCATTER_SET, s);
        r = mlxc_scope_take(c, status, r);
    }
    mlxc_arrays_unref(at);
    return finish(out, c, r);
}

/* ---- masks ---- */

/* Rows of `value` for the true positions: (any number, rest of `a`). */
static mlxc_array *rows(mlxc_scope *c, mlxc_array *a, mlxc_array *mask,
    mlxc_array *value)
{
    struct mx_ints l;
    int rest = a->ndim - mask->ndim, k = value->ndim;
    if (k > rest + 1) {
        mx_scope_fail(c, mx_error(MLXC_ERR_SHAPE,
            "masked_scatter: values of %d dimensions where %d are left", k,
            rest + 1));
        return NULL;
    }
    int64_t *shape = mx_ints_init(&l, "masked_scatter", rest + 1);
    if (!shape) {
        mx_scope_fail(c, MLXC_ERR_NOMEM);
        return NULL;
    }
    shape[0] = k == rest + 1 ? value->shape[0] : mask->size;
    memcpy(shape + 1, a->shape + mask->ndim, (size_t)rest * sizeof *shape);
    value = mlxe_astype(c, value, (mlxc_dtype)a->dtype);
    value = mlxe_broadcast_to(c, value, shape, rest + 1);
    if (value && shape[0] == 0) {
        /* a row to look at where the mask is false; none is used */
        shape[0] = 1;
        value = mlxe_zeros(c, shape, rest + 1, (mlxc_dtype)a->dtype);
    }
    mx_ints_free(&l);
    return value;
}

mlxc_status mlxc_masked_scatter(mlxc_array **out, mlxc_array *a,
    mlxc_array *mask, mlxc_array *value, mlxc_stream *s)
{
    char ta[MX_SHAPE_TEXT], tb[MX_SHAPE_TEXT];
    mlxc_array *in[3] = { a, mask, value };
    mlxc_scope *c;
    MX_TRY(mx_check("masked_scatter", out, in, 3));
    MX_TRY(mx_check_kinds("masked_scatter", mask, MX_KIND_BOOL));
    if (mask->ndim > a->ndim || !mx_shape_equal(mask->shape, mask->ndim,
        a->shape, mask->ndim))
        return mx_error(MLXC_ERR_SHAPE,
            "masked_scatter: a mask of %s for an array of %s",
            mx_shape_text(ta, mask->shape, mask->ndim),
            mx_shape_text(tb, a->shape, a->ndim));
    MX_TRY(mlxc_scope_new(&c, s));
    int64_t flat = mask->size;
    bool none = value->ndim == a->ndim - mask->ndim + 1 && !value->shape[0];
    mlxc_array *v = rows(c, a, mask, value);
    /* the n-th true position takes row n; without rows, row 0 does not count */
    mlxc_array *m = mlxe_reshape(c, mask, &flat, 1);
    mlxc_array *at = mlxe_cumsum(c, mlxe_astype(c, m, MLXC_INT64), 0, false,
        none);
    at = mlxe_where(c, m, at, mlxe_scalar(c, 0, MLXC_INT64));
    v = mlxe_take(c, v, at, 0);
    v = mlxe_reshape(c, v, a->shape, a->ndim);
    struct mx_ints l;
    int64_t *shape = mx_ints_init(&l, "masked_scatter", a->ndim);
    if (!shape) {
        mx_scope_fail(c, MLXC_ERR_NOMEM);
        return finish(out, c, NULL);
    }
    for (int d = 0; d < a->ndim; d++)
        shape[d] = d < mask->ndim ? a->shape[d] : 1;
    mlxc_array *cond = mlxe_reshape(c, mask, shape, a->ndim);
    mx_ints_free(&l);
    return finish(out, c, mlxe_where(c, cond, v, a));
}
