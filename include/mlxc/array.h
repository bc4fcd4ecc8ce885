/* SPDX-License-Identifier: MIT */
#ifndef MLXC_ARRAY_H
#define MLXC_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mlxc/dtype.h>
#include <mlxc/error.h>
#include <mlxc/export.h>
#include <mlxc/stream.h>

MLXC_BEGIN_DECLS

/**
 * An n-dimensional array.  Its value never changes, and may not have been
 * computed yet: see mlxc_eval().  Any thread may hold a reference.
 */
typedef struct mlxc_array mlxc_array;

/** Called once when an adopted buffer is no longer needed, on any thread. */
typedef void (*mlxc_release_fn)(void *payload);

/**
 * Copy `data`, elements in row-major order, into a new array.
 *
 * @param out    a new reference; NULL on failure
 * @param data   as many elements as `shape` says; may be NULL if that is none
 * @param shape  `ndim` lengths; may be NULL if `ndim` is 0
 * @return MLXC_ERR_SHAPE if a length is negative or the total overflows,
 *         MLXC_ERR_DTYPE, MLXC_ERR_ARGUMENT, MLXC_ERR_NOMEM
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_array_from_data(mlxc_array **out, const void *data,
    const int64_t *shape, int ndim, mlxc_dtype dtype);

/**
 * Adopt a buffer of the caller's without copying.  The library never writes
 * to it.  `release(payload)` is called exactly once, when the last array that
 * uses the buffer is gone, or before return if the call fails.
 *
 * @param out      a new reference; NULL on failure
 * @param data     elements in row-major order, aligned for `dtype`
 * @param release  may be NULL if the memory outlives every use
 * @param payload  handed to `release`
 * @return as mlxc_array_from_data()
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_array_adopt(mlxc_array **out, const void *data,
    const int64_t *shape, int ndim, mlxc_dtype dtype, mlxc_release_fn release,
    void *payload);

/**
 * A scalar (an array of rank 0) that holds `value` converted to `dtype`.
 * @return MLXC_ERR_DTYPE, MLXC_ERR_NOMEM
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_array_from_double(mlxc_array **out, double value,
    mlxc_dtype dtype);

/** As mlxc_array_from_double(), exact for all integers. @since 0.1 */
MLXC_API mlxc_status mlxc_array_from_int64(mlxc_array **out, int64_t value,
    mlxc_dtype dtype);

/** A bool scalar. @since 0.1 */
MLXC_API mlxc_status mlxc_array_from_bool(mlxc_array **out, bool value);

/** A complex64 scalar. @since 0.1 */
MLXC_API mlxc_status mlxc_array_from_complex64(mlxc_array **out,
    mlxc_complex64 value);

/** Take another reference to `a`, which is also returned.  Cannot fail.
    @since 0.1 */
MLXC_API mlxc_array *mlxc_array_ref(mlxc_array *a);

/** Drop a reference to `a`.  NULL is ignored. @since 0.1 */
MLXC_API void mlxc_array_unref(mlxc_array *a);

/** Number of dimensions; 0 for a scalar. @since 0.1 */
MLXC_API int mlxc_array_ndim(mlxc_array *a);

/** Lengths of the dimensions, borrowed: valid while `a` is. @since 0.1 */
MLXC_API const int64_t *mlxc_array_shape(mlxc_array *a);

/**
 * Length of one dimension.
 * @param axis  negative counts from the last
 * @return -1 if there is no such dimension
 * @since 0.1
 */
MLXC_API int64_t mlxc_array_dim(mlxc_array *a, int axis);

/** Number of elements. @since 0.1 */
MLXC_API int64_t mlxc_array_size(mlxc_array *a);

/** Element type. @since 0.1 */
MLXC_API mlxc_dtype mlxc_array_dtype(mlxc_array *a);

/** Bytes of one element. @since 0.1 */
MLXC_API size_t mlxc_array_itemsize(mlxc_array *a);

/** Bytes of all elements in row-major order. @since 0.1 */
MLXC_API size_t mlxc_array_nbytes(mlxc_array *a);

/** Whether the value is there, so that reading would not wait. @since 0.1 */
MLXC_API bool mlxc_array_is_ready(mlxc_array *a);

/**
 * Evaluate `a` and copy its elements out in row-major order.
 *
 * @param dst    room for `bytes` bytes
 * @param bytes  must be mlxc_array_nbytes()
 * @return MLXC_ERR_ARGUMENT, or what evaluation returns
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_array_copy_out(mlxc_array *a, void *dst,
    size_t bytes);

/**
 * Evaluate `a` and give its elements in row-major order without a copy.  An
 * array that is stored otherwise is an error: see mlxc_contiguous().
 *
 * @param out  borrowed: valid while `a` is; must not be written
 * @return MLXC_ERR_ARGUMENT, or what evaluation returns
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_array_data(const void **out, mlxc_array *a);

/**
 * Evaluate an array of one element and convert it.  A complex number gives
 * its real part.
 * @return MLXC_ERR_SHAPE if the size is not 1, or what evaluation returns
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_array_item_double(double *out, mlxc_array *a);

/** As mlxc_array_item_double(); fractions are cut off. @since 0.1 */
MLXC_API mlxc_status mlxc_array_item_int64(int64_t *out, mlxc_array *a);

/** As mlxc_array_item_double(); anything but zero is true. @since 0.1 */
MLXC_API mlxc_status mlxc_array_item_bool(bool *out, mlxc_array *a);

/** As mlxc_array_item_double(), with both parts. @since 0.1 */
MLXC_API mlxc_status mlxc_array_item_complex64(mlxc_complex64 *out,
    mlxc_array *a);

/**
 * Evaluate `a` and write it out as text in NumPy's style, such as
 * "array([[1., 2.],\n       [3., 4.]], dtype=float32)".  An array of more than
 * 1000 elements shows three entries at either end of its long dimensions.
 *
 * @param out  zero-terminated; free with mlxc_free()
 * @return MLXC_ERR_NOMEM, or what evaluation returns
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_array_to_string(char **out, mlxc_array *a);

/**
 * A list of arrays, for functions with many inputs or outputs.  A list is
 * not safe to change from two threads at once.
 */
typedef struct mlxc_arrays mlxc_arrays;

/** An empty list. @since 0.1 */
MLXC_API mlxc_status mlxc_arrays_new(mlxc_arrays **out);

/** A list of `n` arrays; takes a reference to each. @since 0.1 */
MLXC_API mlxc_status mlxc_arrays_from(mlxc_arrays **out,
    mlxc_array *const *list, int n);

/** Take another reference to `l`, which is also returned. @since 0.1 */
MLXC_API mlxc_arrays *mlxc_arrays_ref(mlxc_arrays *l);

/** Drop a reference; NULL is ignored. @since 0.1 */
MLXC_API void mlxc_arrays_unref(mlxc_arrays *l);

/** Number of entries. @since 0.1 */
MLXC_API int mlxc_arrays_size(mlxc_arrays *l);

/** Entry `i`, borrowed; NULL if there is none. @since 0.1 */
MLXC_API mlxc_array *mlxc_arrays_get(mlxc_arrays *l, int i);

/**
 * Append `a`, of which the list takes a reference.
 * @return MLXC_ERR_ARGUMENT if `a` is NULL, MLXC_ERR_NOMEM
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_arrays_push(mlxc_arrays *l, mlxc_array *a);

/** As mlxc_arrays_push(), but takes over the caller's reference, also on
    failure. @since 0.1 */
MLXC_API mlxc_status mlxc_arrays_push_take(mlxc_arrays *l, mlxc_array *a);

MLXC_END_DECLS

#endif /* MLXC_ARRAY_H */
