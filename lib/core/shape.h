/* SPDX-License-Identifier: MIT */
/* Algebra of lengths and strides, all int64 and checked. */
#ifndef MX_SHAPE_H
#define MX_SHAPE_H

#include <stdint.h>

#include <mlxc/error.h>

/* Product of lengths; MLXC_ERR_SHAPE (message begins with `op`) if a length
   is negative or the bytes do not fit. */
mlxc_status mx_shape_size(int64_t *out, const char *op, const int64_t *shape,
    int ndim, int64_t itemsize);
/* The same where the shape is known to be good. */
int64_t mx_shape_product(const int64_t *shape, int ndim);
/* `shape` may be NULL where it is empty, which memcpy() does not allow. */
void mx_shape_copy(int64_t *out, const int64_t *shape, int ndim);
void mx_shape_row_strides(int64_t *strides, const int64_t *shape, int ndim);
int mx_shape_equal(const int64_t *a, int na, const int64_t *b, int nb);

/* Broadcast b into out, which holds *ndim lengths and has room for the larger
   of the two ranks.  0 if they do not fit. */
int mx_shape_broadcast(int64_t *out, int *ndim, const int64_t *b, int nb);

/* Bring a possibly negative axis into [0, ndim); MLXC_ERR_INDEX. */
mlxc_status mx_axis(int *out, const char *op, int64_t axis, int ndim);
/* Normalise and sort a list of axes; duplicates are MLXC_ERR_ARGUMENT. */
mlxc_status mx_axes(int *out, const char *op, const int *axes, int n,
    int ndim);

/* Whether strides are row-major for the shape; lengths of 1 may have any. */
int mx_is_row_major(const int64_t *shape, const int64_t *strides, int ndim);
int mx_is_col_major(const int64_t *shape, const int64_t *strides, int ndim);

/* Strides that view (shape, strides) as new_shape without a copy; 0 if there
   are none.  The sizes are equal. */
int mx_reshape_strides(int64_t *out, const int64_t *new_shape, int new_ndim,
    const int64_t *shape, const int64_t *strides, int ndim);

#endif
