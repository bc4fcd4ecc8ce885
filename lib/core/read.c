/* SPDX-License-Identifier: MIT */
/* Reading values: evaluate, make the bytes readable on the host, convert or
   copy.  Small copies of odd layouts are a plain loop; large ones go through
   the CPU back end, which knows how to do them fast. */
#include "core/array.h"

#include <string.h>

#include "core/backend.h"
#include "core/error.h"
#include "core/eval.h"
#include "core/params.h"
#include "util/alloc.h"

/* Elements up to which the plain loop copies. */
#define SMALL 16384

mlxc_status mx_array_host(mlxc_array *a, const char *op)
{
    if (MX_UNLIKELY(!a))
        return mx_error(MLXC_ERR_ARGUMENT, "%s: the array is NULL", op);
    if (mx_load(&a->state) != MX_READY ||
        MX_UNLIKELY(mx_load(&a->buffer->fault) != NULL))
        MX_TRY(mx_array_eval(a));
    struct mx_buffer *b = a->buffer;
    if (b->device && b->device->backend->buffer->host)
        MX_TRY(b->device->backend->buffer->host(b));
    return MLXC_OK;
}

static void copy_elements(char *dst, const char *src, int64_t stride,
    int64_t n, size_t itemsize)
{
    for (int64_t i = 0; i < n; i++) {
        memcpy(dst, src, itemsize);
        dst += itemsize;
        src += stride;
    }
}

/* Row-major copy of any layout; `at` has room for ndim counters, zero. */
static void copy_strided(char *dst, const mlxc_array *a, int64_t *at)
{
    int64_t item = (int64_t)mx_itemsize(a);
    int last = a->ndim - 1;
    int64_t n = a->shape[last];
    const char *src = mx_data(a);
    for (int64_t done = 0; done < a->size; done += n) {
        copy_elements(dst, src, a->strides[last] * item, n, (size_t)item);
        dst += n * item;
        for (int d = last - 1; d >= 0; d--) {
            src += a->strides[d] * item;
            if (++at[d] < a->shape[d])
                break;
            src -= a->strides[d] * item * a->shape[d];
            at[d] = 0;
        }
    }
}

static mlxc_status copy_small(char *dst, const mlxc_array *a)
{
    int64_t small[16], *at = small;
    if (a->ndim > 16) {
        at = mx_alloc_array((size_t)a->ndim, sizeof *at);
        if (!at)
            return mx_error_nomem("copy_out");
    }
    memset(at, 0, (size_t)a->ndim * sizeof *at);
    copy_strided(dst, a, at);
    if (at != small)
        mx_free(at);
    return MLXC_OK;
}

/* Another handle of the same value, which no trace knows. */
static mlxc_status alias(mlxc_array **out, mlxc_array *a)
{
    MX_TRY(mx_array_new(out, a->shape, a->ndim, (mlxc_dtype)a->dtype));
    mx_array_set_buffer(*out, a->buffer, a->strides, a->offset);
    (*out)->state = MX_READY;
    return MLXC_OK;
}

/* A row-major copy made by the CPU; `a` is evaluated. */
static mlxc_status copy_large(mlxc_array **out, mlxc_array *a)
{
    mlxc_stream *s = NULL;
    mlxc_array *same = NULL;
    struct mx_p_dtype row_major = { 0 };
    mlxc_status status = mlxc_default_stream(&s, MLXC_CPU, 0);
    *out = NULL;
    if (!status)
        status = alias(&same, a);
    if (!status)
        status = mx_apply1(out, &mx_op_contiguous, &row_major,
            sizeof row_major, same, s);
    if (!status)
        status = mx_array_eval(*out);
    if (status) {
        mlxc_array_unref(*out);
        *out = NULL;
    }
    mlxc_array_unref(same);
    mlxc_stream_unref(s);
    return status;
}

mlxc_status mlxc_array_copy_out(mlxc_array *a, void *dst, size_t bytes)
{
    if (a && bytes != mlxc_array_nbytes(a))
        return mx_error(MLXC_ERR_ARGUMENT,
            "array_copy_out: the array has %zu bytes, not %zu",
            mlxc_array_nbytes(a), bytes);
    if (bytes && !dst)
        return mx_error(MLXC_ERR_ARGUMENT, "array_copy_out: dst is NULL");
    MX_TRY(mx_array_host(a, "array_copy_out"));
    if (!bytes)
        return MLXC_OK;
    if (a->flags & MX_ROW_MAJOR) {
        memcpy(dst, mx_data(a), bytes);
        return MLXC_OK;
    }
    if (a->size <= SMALL)
        return copy_small(dst, a);
    mlxc_array *copy;
    MX_TRY(copy_large(&copy, a));
    memcpy(dst, mx_data(copy), bytes);
    mlxc_array_unref(copy);
    return MLXC_OK;
}

mlxc_status mlxc_array_data(const void **out, mlxc_array *a)
{
    if (!out)
        return mx_error(MLXC_ERR_ARGUMENT, "array_data: out is NULL");
    *out = NULL;
    MX_TRY(mx_array_host(a, "array_data"));
    if (a->size && !(a->flags & MX_ROW_MAJOR))
        return mx_error(MLXC_ERR_ARGUMENT,
            "array_data: the array is not stored in row-major order");
    *out = mx_data(a);
    return MLXC_OK;
}

mlxc_status mx_array_row_major(mlxc_array **out, mlxc_array *a)
{
    *out = NULL;
    MX_TRY(mx_array_host(a, "array"));
    if (a->flags & MX_ROW_MAJOR) {
        *out = mlxc_array_ref(a);
        return MLXC_OK;
    }
    return copy_large(out, a);
}

/* The address of the only element. */
static mlxc_status item(const void **out, const void *result, mlxc_array *a)
{
    if (MX_UNLIKELY(!result))
        return mx_error(MLXC_ERR_ARGUMENT, "array_item: out is NULL");
    if (MX_UNLIKELY(a && a->size != 1)) {
        char text[MX_SHAPE_TEXT + 16];
        return mx_error(MLXC_ERR_SHAPE,
            "array_item: %s has %lld elements, not one",
            mx_array_text(text, a), (long long)a->size);
    }
    MX_TRY(mx_array_host(a, "array_item"));
    *out = mx_data(a);
    return MLXC_OK;
}

mlxc_status mlxc_array_item_double(double *out, mlxc_array *a)
{
    const void *p = NULL;
    MX_TRY(item(&p, out, a));
    *out = mx_dtype_load_double((mlxc_dtype)a->dtype, p);
    return MLXC_OK;
}

mlxc_status mlxc_array_item_int64(int64_t *out, mlxc_array *a)
{
    const void *p = NULL;
    MX_TRY(item(&p, out, a));
    *out = mx_dtype_load_int64((mlxc_dtype)a->dtype, p);
    return MLXC_OK;
}

mlxc_status mlxc_array_item_complex64(mlxc_complex64 *out, mlxc_array *a)
{
    const void *p = NULL;
    MX_TRY(item(&p, out, a));
    if (a->dtype == MLXC_COMPLEX64) {
        memcpy(out, p, sizeof *out);
    } else {
        out->re = (float)mx_dtype_load_double((mlxc_dtype)a->dtype, p);
        out->im = 0;
    }
    return MLXC_OK;
}

mlxc_status mlxc_array_item_bool(bool *out, mlxc_array *a)
{
    const void *p = NULL;
    MX_TRY(item(&p, out, a));
    /* NaN is true, as anything but zero is; an imaginary part counts */
    *out = mx_dtype_load_double((mlxc_dtype)a->dtype, p) != 0;
    if (a->dtype == MLXC_COMPLEX64) {
        mlxc_complex64 c;
        memcpy(&c, p, sizeof c);
        *out = c.re != 0 || c.im != 0;
    }
    return MLXC_OK;
}
