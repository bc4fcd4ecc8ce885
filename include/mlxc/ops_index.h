/* SPDX-License-Identifier: MIT */
#ifndef MLXC_OPS_INDEX_H
#define MLXC_OPS_INDEX_H

#include <mlxc/array.h>
#include <mlxc/error.h>
#include <mlxc/export.h>
#include <mlxc/stream.h>

MLXC_BEGIN_DECLS

/*
 * Indexing, updates of parts, joining.  Index arrays are of any integer
 * dtype; a negative index counts from the end once.  An index out of range is
 * MLXC_ERR_INDEX when the result is evaluated.
 */

/** `a` with the elements of a range (see mlxc_slice()) replaced by `update`,
    broadcast and converted. @since 0.1 */
MLXC_API mlxc_status mlxc_slice_update(mlxc_array **out, mlxc_array *a,
    mlxc_array *update, const int64_t *start, const int64_t *stop,
    const int64_t *step, int ndim, mlxc_stream *s);

/** As mlxc_slice_update(), but adds. @since 0.1 */
MLXC_API mlxc_status mlxc_slice_update_add(mlxc_array **out, mlxc_array *a,
    mlxc_array *update, const int64_t *start, const int64_t *stop,
    const int64_t *step, int ndim, mlxc_stream *s);

/** As mlxc_slice_update(), but multiplies. @since 0.1 */
MLXC_API mlxc_status mlxc_slice_update_prod(mlxc_array **out, mlxc_array *a,
    mlxc_array *update, const int64_t *start, const int64_t *stop,
    const int64_t *step, int ndim, mlxc_stream *s);

/** As mlxc_slice_update(), but takes the larger. @since 0.1 */
MLXC_API mlxc_status mlxc_slice_update_max(mlxc_array **out, mlxc_array *a,
    mlxc_array *update, const int64_t *start, const int64_t *stop,
    const int64_t *step, int ndim, mlxc_stream *s);

/** As mlxc_slice_update(), but takes the smaller. @since 0.1 */
MLXC_API mlxc_status mlxc_slice_update_min(mlxc_array **out, mlxc_array *a,
    mlxc_array *update, const int64_t *start, const int64_t *stop,
    const int64_t *step, int ndim, mlxc_stream *s);

/**
 * Join arrays along an axis; dtypes are promoted.
 * @param list  `n` arrays of one rank, equal but for that axis
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_concatenate(mlxc_array **out,
    mlxc_array *const *list, int n, int axis, mlxc_stream *s);

/** Join arrays of one shape along a new axis of the result. @since 0.1 */
MLXC_API mlxc_status mlxc_stack(mlxc_array **out, mlxc_array *const *list,
    int n, int axis, mlxc_stream *s);

/**
 * Cut `a` along an axis.
 *
 * @param out    nindices + 1 parts; NULL on failure
 * @param index  where each part but the first begins, rising
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_split(mlxc_arrays **out, mlxc_array *a,
    const int64_t *index, int nindices, int axis, mlxc_stream *s);

/** Cut `a` into `parts` equal parts along an axis. @since 0.1 */
MLXC_API mlxc_status mlxc_split_equal(mlxc_arrays **out, mlxc_array *a,
    int parts, int axis, mlxc_stream *s);

/** How mlxc_pad() continues an array. */
typedef enum mlxc_pad_mode {
    MLXC_PAD_CONSTANT = 0,  /**< by a value */
    MLXC_PAD_EDGE = 1,      /**< by the element at the border */
    MLXC_PAD_REFLECT = 2,   /**< mirrored without the border */
    MLXC_PAD_SYMMETRIC = 3  /**< mirrored with the border */
} mlxc_pad_mode;

/**
 * Add elements at both ends of each dimension.
 *
 * @param low    how many before, `ndim` of them
 * @param high   how many after
 * @param value  a scalar, for MLXC_PAD_CONSTANT; NULL means zero
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_pad(mlxc_array **out, mlxc_array *a,
    const int64_t *low, const int64_t *high, int ndim, mlxc_pad_mode mode,
    mlxc_array *value, mlxc_stream *s);

/** Rows of `a` along an axis, chosen by `indices`, whose shape takes the
    place of the axis. @since 0.1 */
MLXC_API mlxc_status mlxc_take(mlxc_array **out, mlxc_array *a,
    mlxc_array *indices, int axis, mlxc_stream *s);

/**
 * out[i][j][k] = a[i][indices[i][j][k]][k] for axis 1 of three.  Other axes
 * broadcast.
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_take_along_axis(mlxc_array **out, mlxc_array *a,
    mlxc_array *indices, int axis, mlxc_stream *s);

/** `a` with values written at indices along an axis; the last of equal
    indices wins. @since 0.1 */
MLXC_API mlxc_status mlxc_put_along_axis(mlxc_array **out, mlxc_array *a,
    mlxc_array *indices, mlxc_array *values, int axis, mlxc_stream *s);

/** As mlxc_put_along_axis(), but adds all values. @since 0.1 */
MLXC_API mlxc_status mlxc_put_add(mlxc_array **out, mlxc_array *a,
    mlxc_array *indices, mlxc_array *values, int axis, mlxc_stream *s);

/**
 * Windows of `a`.  Index arrays broadcast together; for each position I, the
 * window of `sizes` that begins at indices[k][I] along axes[k] (0 elsewhere).
 *
 * @param sizes  lengths of the window, one per dimension of `a`
 * @return shape: that of the indices, then `sizes`
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_gather(mlxc_array **out, mlxc_array *a,
    mlxc_arrays *indices, const int *axes, int naxes, const int64_t *sizes,
    int nsizes, mlxc_stream *s);

/** How an update meets what is there. */
typedef enum mlxc_scatter_mode {
    MLXC_SCATTER_SET = 0,  /**< the last in index order wins */
    MLXC_SCATTER_ADD = 1,  /**< all are added */
    MLXC_SCATTER_PROD = 2, /**< all are multiplied */
    MLXC_SCATTER_MAX = 3,  /**< the largest stays */
    MLXC_SCATTER_MIN = 4   /**< the smallest stays */
} mlxc_scatter_mode;

/**
 * The counterpart of mlxc_gather(): `a` with windows of `updates` combined
 * in.  `updates` has the shape of the indices, then that of a window.
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_scatter(mlxc_array **out, mlxc_array *a,
    mlxc_arrays *indices, mlxc_array *updates, const int *axes, int naxes,
    mlxc_scatter_mode mode, mlxc_stream *s);

/**
 * A window of `a` that begins where an array says.
 *
 * @param start  integers, one for each of `axes`; other dimensions begin at 0
 * @param sizes  lengths of the window, one per dimension of `a`
 * @return MLXC_ERR_INDEX on evaluation if the window does not fit
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_dynamic_slice(mlxc_array **out, mlxc_array *a,
    mlxc_array *start, const int *axes, int naxes, const int64_t *sizes,
    int nsizes, mlxc_stream *s);

/** `a` with `update`, converted, in the window that begins at `start`; see
    mlxc_dynamic_slice().  Leading dimensions that `update` lacks are whole.
    @since 0.1 */
MLXC_API mlxc_status mlxc_dynamic_update(mlxc_array **out, mlxc_array *a,
    mlxc_array *update, mlxc_array *start, const int *axes, int naxes,
    mlxc_stream *s);

/**
 * `a` with the places where `mask` is true taken by rows of `value`, in
 * order.
 *
 * @param mask   bool; its shape is that of the leading dimensions of `a`
 * @param value  a list of what goes into those places, or one for all, which
 *               is broadcast; rows left over do not count
 * @return MLXC_ERR_INDEX on evaluation if there are too few
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_masked_scatter(mlxc_array **out, mlxc_array *a,
    mlxc_array *mask, mlxc_array *value, mlxc_stream *s);

MLXC_END_DECLS

#endif /* MLXC_OPS_INDEX_H */
