/* SPDX-License-Identifier: MIT */
/* The handle: making, counting, inspecting.  Reading values is in read.c. */
#include "core/array.h"

#include <string.h>

#include "core/device.h"
#include "core/node.h"
#include "core/shape.h"
#include "core/stream.h"
#include "util/alloc.h"

/* Lengths are good: see mx_shape_size(). */
static mlxc_array *new_array(const int64_t *shape, int ndim, int64_t size,
    mlxc_dtype dtype)
{
    mlxc_array *a = mx_alloc(sizeof *a);
    if (!a)
        return NULL;
    a->refs = 1;
    a->dtype = (uint8_t)dtype;
    a->state = MX_LAZY;
    a->flags = 0;
    a->placeholder = 0;
    a->ndim = ndim;
    a->output = 0;
    a->traces = 0;
    a->size = size;
    a->offset = 0;
    a->node = NULL;
    a->buffer = NULL;
    a->stream = NULL;
    a->sequence = 0;
    a->shape = a->dims;
    if (ndim > MX_INLINE_RANK) {
        a->shape = mx_alloc_array((size_t)ndim, 2 * sizeof(int64_t));
        if (!a->shape) {
            mx_free(a);
            return NULL;
        }
    }
    a->strides = a->shape + ndim;
    for (int i = 0; i < ndim; i++)
        a->shape[i] = shape[i];
    return a;
}

mlxc_status mx_array_new(mlxc_array **out, const int64_t *shape, int ndim,
    mlxc_dtype dtype)
{
    int64_t size;
    *out = NULL;
    MX_TRY(mx_shape_size(&size, "array", shape, ndim,
        mx_dtypes[dtype].size));
    *out = new_array(shape, ndim, size, dtype);
    return *out ? MLXC_OK : mx_error_nomem("array");
}

mlxc_status mx_array_placeholder(mlxc_array **out, const int64_t *shape,
    int ndim, mlxc_dtype dtype)
{
    MX_TRY(mx_array_new(out, shape, ndim, dtype));
    (*out)->placeholder = 1;
    return MLXC_OK;
}

void mx_array_update_flags(mlxc_array *a)
{
    unsigned flags = 0;
    if (mx_is_row_major(a->shape, a->strides, a->ndim))
        flags |= MX_ROW_MAJOR | MX_DENSE;
    if (mx_is_col_major(a->shape, a->strides, a->ndim))
        flags |= MX_COL_MAJOR | MX_DENSE;
    if (!flags && a->size > 0) {
        /* gapless: positive strides whose span is the size */
        int64_t span = 1;
        int positive = 1;
        for (int i = 0; i < a->ndim; i++) {
            if (a->shape[i] == 1)
                continue;
            positive &= a->strides[i] > 0;
            span += (a->shape[i] - 1) * a->strides[i];
        }
        if (positive && span == a->size)
            flags |= MX_DENSE;
    }
    a->flags = (uint8_t)flags;
}

void mx_array_set_buffer(mlxc_array *a, struct mx_buffer *b,
    const int64_t *strides, int64_t offset)
{
    mx_buffer_ref(b);
    mx_ref_inc(&b->users);
    a->buffer = b;
    a->offset = offset;
    if (strides) {
        if (strides != a->strides)
            memcpy(a->strides, strides,
                (size_t)a->ndim * sizeof *strides);
        mx_array_update_flags(a);
        return;
    }
    mx_shape_row_strides(a->strides, a->shape, a->ndim);
    a->flags = MX_ROW_MAJOR | MX_DENSE;
    if (a->ndim < 2 || mx_is_col_major(a->shape, a->strides, a->ndim))
        a->flags |= MX_COL_MAJOR;
}

mlxc_status mx_array_alloc(mlxc_array *a, mlxc_stream *s)
{
    struct mx_buffer *b;
    MX_TRY(mx_buffer_new(&b, s, (size_t)a->size * mx_itemsize(a)));
    mx_array_set_buffer(a, b, NULL, 0);
    mx_buffer_unref(b);
    return MLXC_OK;
}

static mlxc_status check_new(const char *op, mlxc_array **out,
    const void *data, const int64_t *shape, int ndim, mlxc_dtype dtype,
    int64_t *size)
{
    if (!out)
        return mx_error(MLXC_ERR_ARGUMENT, "%s: out is NULL", op);
    *out = NULL;
    if (!mx_dtype_valid(dtype))
        return mx_error(MLXC_ERR_DTYPE, "%s: %d is no dtype", op, (int)dtype);
    if (ndim < 0 || (ndim > 0 && !shape))
        return mx_error(MLXC_ERR_ARGUMENT, "%s: no shape of rank %d", op,
            ndim);
    MX_TRY(mx_shape_size(size, op, shape, ndim, mx_dtypes[dtype].size));
    if (*size > 0 && !data)
        return mx_error(MLXC_ERR_ARGUMENT, "%s: data is NULL", op);
    return MLXC_OK;
}

/* A fresh CPU array with memory. */
static mlxc_status new_ready(mlxc_array **out, const char *op,
    const int64_t *shape, int ndim, int64_t size, mlxc_dtype dtype)
{
    struct mx_device *cpu;
    MX_TRY(mx_device_get(&cpu, MLXC_CPU, 0));
    /* host memory belongs to no stream; the allocator only wants a device */
    mlxc_stream anchor = { .device = cpu };
    mlxc_array *a = new_array(shape, ndim, size, dtype);
    if (!a)
        return mx_error_nomem(op);
    mlxc_status status = mx_array_alloc(a, &anchor);
    if (status) {
        mlxc_array_unref(a);
        return status;
    }
    a->buffer->stream = NULL;
    a->state = MX_READY;
    *out = a;
    return MLXC_OK;
}

mlxc_status mx_array_blank(mlxc_array **out, const char *op,
    const int64_t *shape, int ndim, mlxc_dtype dtype)
{
    int64_t size;
    *out = NULL;
    MX_TRY(mx_shape_size(&size, op, shape, ndim, mx_dtypes[dtype].size));
    return new_ready(out, op, shape, ndim, size, dtype);
}

mlxc_status mlxc_array_from_data(mlxc_array **out, const void *data,
    const int64_t *shape, int ndim, mlxc_dtype dtype)
{
    int64_t size;
    MX_TRY(check_new("array_from_data", out, data, shape, ndim, dtype,
        &size));
    MX_TRY(new_ready(out, "array_from_data", shape, ndim, size, dtype));
    if (size)
        memcpy((*out)->buffer->data, data,
            (size_t)size * mx_dtypes[dtype].size);
    return MLXC_OK;
}

mlxc_status mlxc_array_adopt(mlxc_array **out, const void *data,
    const int64_t *shape, int ndim, mlxc_dtype dtype, mlxc_release_fn release,
    void *payload)
{
    int64_t size;
    struct mx_buffer *b = NULL;
    mlxc_array *a = NULL;
    mlxc_status status = check_new("array_adopt", out, data, shape, ndim,
        dtype, &size);
    if (status)
        goto fail;
    if ((uintptr_t)data % mx_dtypes[dtype].size) {
        status = mx_error(MLXC_ERR_ARGUMENT,
            "array_adopt: data is not aligned for %s", mx_dtypes[dtype].name);
        goto fail;
    }
    a = new_array(shape, ndim, size, dtype);
    if (!a) {
        status = mx_error_nomem("array_adopt");
        goto fail;
    }
    status = mx_buffer_adopt(&b, data, (size_t)size * mx_itemsize(a),
        release, payload);
    if (status)
        goto fail;
    mx_array_set_buffer(a, b, NULL, 0);
    mx_buffer_unref(b);
    a->state = MX_READY;
    *out = a;
    return MLXC_OK;
fail:
    mlxc_array_unref(a);
    if (release)
        release(payload);
    return status;
}

mlxc_status mx_array_scalar(mlxc_array **out, const void *value,
    mlxc_dtype dtype)
{
    return mlxc_array_from_data(out, value, NULL, 0, dtype);
}

mlxc_status mlxc_array_from_double(mlxc_array **out, double value,
    mlxc_dtype dtype)
{
    unsigned char bytes[8] = { 0 };
    if (mx_dtype_valid(dtype))
        mx_dtype_store_double(dtype, bytes, value);
    return mlxc_array_from_data(out, bytes, NULL, 0, dtype);
}

mlxc_status mlxc_array_from_int64(mlxc_array **out, int64_t value,
    mlxc_dtype dtype)
{
    unsigned char bytes[8] = { 0 };
    if (mx_dtype_valid(dtype))
        mx_dtype_store_int64(dtype, bytes, value);
    return mlxc_array_from_data(out, bytes, NULL, 0, dtype);
}

mlxc_status mlxc_array_from_bool(mlxc_array **out, bool value)
{
    uint8_t byte = value;
    return mlxc_array_from_data(out, &byte, NULL, 0, MLXC_BOOL);
}

mlxc_status mlxc_array_from_complex64(mlxc_array **out, mlxc_complex64 value)
{
    return mlxc_array_from_data(out, &value, NULL, 0, MLXC_COMPLEX64);
}

mlxc_array *mlxc_array_ref(mlxc_array *a)
{
    if (a)
        mx_ref_inc(&a->refs);
    return a;
}

int mx_array_try_ref(mlxc_array *a)
{
    int n = mx_load_relaxed(&a->refs);
    while (n > 0) {
        if (mx_cas(&a->refs, &n, n + 1))
            return 1;
    }
    return 0;
}

void mlxc_array_unref(mlxc_array *a)
{
    if (!a || !mx_ref_dec(&a->refs))
        return;
    struct mx_node *node = a->node;
    if (node) {
        /* With one output nobody can reach it through the node: see node.h.
           With several, an evaluation may be looking. */
        if (node->noutputs == 1) {
            node->output[0] = NULL;
        } else {
            mx_graph_lock();
            node->output[a->output] = NULL;
            mx_graph_unlock();
        }
    }
    if (a->buffer) {
        mx_sub(&a->buffer->users, 1);
        mx_buffer_unref(a->buffer);
    }
    mlxc_stream_unref(a->stream);
    if (a->shape != a->dims)
        mx_free(a->shape);
    mx_free(a);
    mx_node_unref(node);
}

int mlxc_array_ndim(mlxc_array *a)
{
    return a ? a->ndim : 0;
}

const int64_t *mlxc_array_shape(mlxc_array *a)
{
    return a ? a->shape : NULL;
}

int64_t mlxc_array_dim(mlxc_array *a, int axis)
{
    if (!a)
        return -1;
    if (axis < 0)
        axis += a->ndim;
    return axis < 0 || axis >= a->ndim ? -1 : a->shape[axis];
}

int64_t mlxc_array_size(mlxc_array *a)
{
    return a ? a->size : 0;
}

mlxc_dtype mlxc_array_dtype(mlxc_array *a)
{
    return a ? (mlxc_dtype)a->dtype : MLXC_BOOL;
}

size_t mlxc_array_itemsize(mlxc_array *a)
{
    return a ? mx_itemsize(a) : 0;
}

size_t mlxc_array_nbytes(mlxc_array *a)
{
    return a ? (size_t)a->size * mx_itemsize(a) : 0;
}

const char *mx_array_text(char text[MX_SHAPE_TEXT + 16], mlxc_array *a)
{
    char shape[MX_SHAPE_TEXT];
    mx_shape_text(shape, a->shape, a->ndim);
    memcpy(text, mx_dtypes[a->dtype].name,
        strlen(mx_dtypes[a->dtype].name) + 1);
    memcpy(text + strlen(text), shape, strlen(shape) + 1);
    return text;
}
