/* SPDX-License-Identifier: MIT */
/* See shape.h. */
#include "core/shape.h"

#include <string.h>

#include "core/error.h"

mlxc_status mx_shape_size(int64_t *out, const char *op, const int64_t *shape,
    int ndim, int64_t itemsize)
{
    char text[MX_SHAPE_TEXT];
    int64_t n = 1, bytes;
    int empty = 0, wrapped = 0;
    /* Lengths beside a 0 count too: strides are products of them. */
    for (int i = 0; i < ndim; i++) {
        if (shape[i] < 0)
            return mx_error(MLXC_ERR_SHAPE, "%s: negative length in %s", op,
                mx_shape_text(text, shape, ndim));
        empty |= shape[i] == 0;
        wrapped |= __builtin_mul_overflow(n, shape[i] ? shape[i] : 1, &n);
    }
    if (wrapped || __builtin_mul_overflow(n, itemsize, &bytes) ||
        (!empty && bytes > INT64_MAX / 2))
        return mx_error(MLXC_ERR_SHAPE, "%s: shape %s is too large", op,
            mx_shape_text(text, shape, ndim));
    *out = empty ? 0 : n;
    return MLXC_OK;
}

int64_t mx_shape_product(const int64_t *shape, int ndim)
{
    int64_t n = 1;
    for (int i = 0; i < ndim; i++)
        n *= shape[i];
    return n;
}

void mx_shape_copy(int64_t *out, const int64_t *shape, int ndim)
{
    if (ndim > 0)
        memcpy(out, shape, (size_t)ndim * sizeof *shape);
}

void mx_shape_row_strides(int64_t *strides, const int64_t *shape, int ndim)
{
    int64_t n = 1;
    for (int i = ndim - 1; i >= 0; i--) {
        strides[i] = n;
        n *= shape[i] > 1 ? shape[i] : 1;
    }
}

int mx_shape_equal(const int64_t *a, int na, const int64_t *b, int nb)
{
    if (na != nb)
        return 0;
    for (int i = 0; i < na; i++) {
        if (a[i] != b[i])
            return 0;
    }
    return 1;
}

int mx_shape_broadcast(int64_t *out, int *ndim, const int64_t *b, int nb)
{
    int n = *ndim;
    if (nb > n) {
        for (int i = n - 1; i >= 0; i--)
            out[i + nb - n] = out[i];
        for (int i = 0; i < nb - n; i++)
            out[i] = 1;
        *ndim = n = nb;
    }
    for (int i = 0; i < nb; i++) {
        int64_t *o = &out[n - nb + i];
        if (*o == 1)
            *o = b[i];
        else if (b[i] != 1 && b[i] != *o)
            return 0;
    }
    return 1;
}

mlxc_status mx_axis(int *out, const char *op, int64_t axis, int ndim)
{
    int64_t a = axis < 0 ? axis + ndim : axis;
    if (a < 0 || a >= ndim)
        return mx_error(MLXC_ERR_INDEX,
            "%s: axis %lld is out of range for %d dimensions", op,
            (long long)axis, ndim);
    *out = (int)a;
    return MLXC_OK;
}

mlxc_status mx_axes(int *out, const char *op, const int *axes, int n,
    int ndim)
{
    for (int i = 0; i < n; i++) {
        int a = 0;
        MX_TRY(mx_axis(&a, op, axes[i], ndim));
        int j = i;
        for (; j > 0 && out[j - 1] > a; j--)
            out[j] = out[j - 1];
        if (j > 0 && out[j - 1] == a)
            return mx_error(MLXC_ERR_ARGUMENT, "%s: axis %d is repeated", op,
                axes[i]);
        out[j] = a;
    }
    return MLXC_OK;
}

int mx_is_row_major(const int64_t *shape, const int64_t *strides, int ndim)
{
    int64_t n = 1;
    for (int i = ndim - 1; i >= 0; i--) {
        if (shape[i] == 0)
            return 1;
        if (shape[i] != 1 && strides[i] != n)
            return 0;
        n *= shape[i];
    }
    return 1;
}

int mx_is_col_major(const int64_t *shape, const int64_t *strides, int ndim)
{
    int64_t n = 1;
    for (int i = 0; i < ndim; i++) {
        if (shape[i] == 0)
            return 1;
        if (shape[i] != 1 && strides[i] != n)
            return 0;
        n *= shape[i];
    }
    return 1;
}

int mx_reshape_strides(int64_t *out, const int64_t *new_shape, int new_ndim,
    const int64_t *shape, const int64_t *strides, int ndim)
{
    if (mx_shape_product(new_shape, new_ndim) == 0) {
        mx_shape_row_strides(out, new_shape, new_ndim);
        return 1;
    }
    /* Walk both shapes from the right, matching runs of equal size; the old
       dimensions of a run must be contiguous with one another. */
    int i = ndim - 1, j = new_ndim - 1;
    for (;;) {
        while (i >= 0 && shape[i] == 1)
            i--;
        while (j >= 0 && new_shape[j] == 1)
            out[j--] = 1;
        if (i < 0 || j < 0)
            break;
        int64_t have = shape[i], want = 1, base = strides[i];
        int last = i;
        while (j >= 0 && want < have) {
            out[j] = base * want;
            want *= new_shape[j--];
            while (want > have) {
                do
                    i--;
                while (shape[i] == 1);
                if (strides[i] != strides[last] * shape[last])
                    return 0;
                last = i;
                have *= shape[i];
            }
        }
        i--;
    }
    /* a length of 1 gets the stride a row-major array would have */
    for (int k = new_ndim - 1; k >= 0; k--) {
        if (new_shape[k] == 1)
            out[k] = k + 1 < new_ndim ? out[k + 1] * new_shape[k + 1] : 1;
    }
    return 1;
}
