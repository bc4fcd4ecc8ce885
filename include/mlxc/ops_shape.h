/* SPDX-License-Identifier: MIT */
#ifndef MLXC_OPS_SHAPE_H
#define MLXC_OPS_SHAPE_H

#include <mlxc/array.h>
#include <mlxc/error.h>
#include <mlxc/export.h>
#include <mlxc/stream.h>

MLXC_BEGIN_DECLS

/*
 * Shapes, views and arrays made from parameters.  All functions give a new
 * reference in `out`, NULL on failure, and run on stream `s` (NULL: the
 * default stream).  Axes may be negative and then count from the last.  Lists
 * of axes are a pointer and a count; where the comment says so, NULL means
 * all axes.  Common failures: MLXC_ERR_ARGUMENT for a NULL array or a
 * repeated axis, MLXC_ERR_INDEX for an axis out of range, MLXC_ERR_SHAPE,
 * MLXC_ERR_NOMEM.
 */

/**
 * The same elements in row-major order under another shape.  One length may
 * be -1 and is then worked out.  A view where strides allow it.
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_reshape(mlxc_array **out, mlxc_array *a,
    const int64_t *shape, int ndim, mlxc_stream *s);

/** Merge dimensions start_axis to end_axis, both included; a scalar gives
    shape (1). @since 0.1 */
MLXC_API mlxc_status mlxc_flatten(mlxc_array **out, mlxc_array *a,
    int start_axis, int end_axis, mlxc_stream *s);

/** Split dimension `axis` into `shape`, of which one length may be -1.
    @since 0.1 */
MLXC_API mlxc_status mlxc_unflatten(mlxc_array **out, mlxc_array *a, int axis,
    const int64_t *shape, int ndim, mlxc_stream *s);

/**
 * Drop dimensions of length 1.
 * @param axes  NULL: all that have length 1
 * @return MLXC_ERR_SHAPE if a named one is longer
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_squeeze(mlxc_array **out, mlxc_array *a,
    const int *axes, int naxes, mlxc_stream *s);

/** Insert dimensions of length 1; axes are those of the result. @since 0.1 */
MLXC_API mlxc_status mlxc_expand_dims(mlxc_array **out, mlxc_array *a,
    const int *axes, int naxes, mlxc_stream *s);

/**
 * Permute dimensions: dimension i of the result is axes[i] of `a`.
 * @param axes  NULL: reverse the order
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_transpose(mlxc_array **out, mlxc_array *a,
    const int *axes, int naxes, mlxc_stream *s);

/** Exchange two dimensions. @since 0.1 */
MLXC_API mlxc_status mlxc_swapaxes(mlxc_array **out, mlxc_array *a, int axis1,
    int axis2, mlxc_stream *s);

/** Move a dimension; the others keep their order. @since 0.1 */
MLXC_API mlxc_status mlxc_moveaxis(mlxc_array **out, mlxc_array *a,
    int source, int destination, mlxc_stream *s);

/** Reverse the order along axes. @param axes NULL: all @since 0.1 */
MLXC_API mlxc_status mlxc_flip(mlxc_array **out, mlxc_array *a,
    const int *axes, int naxes, mlxc_stream *s);

/** Repeat dimensions of length 1, and new leading ones, up to `shape`.
    @since 0.1 */
MLXC_API mlxc_status mlxc_broadcast_to(mlxc_array **out, mlxc_array *a,
    const int64_t *shape, int ndim, mlxc_stream *s);

/**
 * Broadcast arrays against each other.
 * @param out  as many arrays as `list`; NULL on failure
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_broadcast_arrays(mlxc_arrays **out,
    mlxc_arrays *list, mlxc_stream *s);

/** A scalar as shape (1). @since 0.1 */
MLXC_API mlxc_status mlxc_atleast_1d(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** A vector as one row. @since 0.1 */
MLXC_API mlxc_status mlxc_atleast_2d(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** A vector of n as (1, n, 1), a matrix as (m, n, 1). @since 0.1 */
MLXC_API mlxc_status mlxc_atleast_3d(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/**
 * The same bytes under another dtype.  The last dimension takes up a
 * difference in size.
 * @return MLXC_ERR_SHAPE if it cannot
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_view(mlxc_array **out, mlxc_array *a,
    mlxc_dtype dtype, mlxc_stream *s);

/** A node of its own with the value of `a`. @since 0.1 */
MLXC_API mlxc_status mlxc_copy(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** The value of `a` stored in row-major order; or in column-major order if
    it is so already and `allow_col_major`. @since 0.1 */
MLXC_API mlxc_status mlxc_contiguous(mlxc_array **out, mlxc_array *a,
    bool allow_col_major, mlxc_stream *s);

/**
 * A view of the row-major elements of `a` by strides.  Windows may overlap.
 *
 * @param strides  in elements, `ndim` of them
 * @param offset   of the first element, in elements
 * @return MLXC_ERR_INDEX if an element would lie outside of `a`
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_as_strided(mlxc_array **out, mlxc_array *a,
    const int64_t *shape, const int64_t *strides, int ndim, int64_t offset,
    mlxc_stream *s);

/**
 * Every step-th element from start up to stop, stop not included, by
 * dimension.  Negative positions count from the end once; positions beyond
 * the ends are clamped.  With a negative step, a stop of -n-1 or less means
 * "down to the first".
 *
 * @param start  `ndim` positions, `ndim` being the rank of `a`
 * @param stop   likewise
 * @param step   likewise, not 0; NULL: all 1
 * @return MLXC_ERR_ARGUMENT, MLXC_ERR_NOMEM
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_slice(mlxc_array **out, mlxc_array *a,
    const int64_t *start, const int64_t *stop, const int64_t *step, int ndim,
    mlxc_stream *s);

/**
 * The product of the lengths of some dimensions, as a scalar.
 *
 * @param axes      NULL: all
 * @param inverted  1 divided by the product; infinite if that is 0
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_number_of_elements(mlxc_array **out, mlxc_array *a,
    const int *axes, int naxes, bool inverted, mlxc_dtype dtype,
    mlxc_stream *s);

/**
 * Values that come after dependencies were evaluated.
 * @param out  equal to `values`; NULL on failure
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_depends(mlxc_arrays **out, mlxc_arrays *values,
    mlxc_arrays *dependencies, mlxc_stream *s);

/** `value`, broadcast to `shape` and converted. @since 0.1 */
MLXC_API mlxc_status mlxc_full(mlxc_array **out, const int64_t *shape,
    int ndim, mlxc_array *value, mlxc_dtype dtype, mlxc_stream *s);

/** Zeros. @since 0.1 */
MLXC_API mlxc_status mlxc_zeros(mlxc_array **out, const int64_t *shape,
    int ndim, mlxc_dtype dtype, mlxc_stream *s);

/** Ones. @since 0.1 */
MLXC_API mlxc_status mlxc_ones(mlxc_array **out, const int64_t *shape,
    int ndim, mlxc_dtype dtype, mlxc_stream *s);

/** `value`, broadcast to the shape of `a` and converted. @since 0.1 */
MLXC_API mlxc_status mlxc_full_like(mlxc_array **out, mlxc_array *a,
    mlxc_array *value, mlxc_dtype dtype, mlxc_stream *s);

/** Zeros of the shape and dtype of `a`. @since 0.1 */
MLXC_API mlxc_status mlxc_zeros_like(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/** Ones of the shape and dtype of `a`. @since 0.1 */
MLXC_API mlxc_status mlxc_ones_like(mlxc_array **out, mlxc_array *a,
    mlxc_stream *s);

/**
 * start + i * step for i = 0, 1, ... below stop, each computed in double and
 * converted once.
 *
 * @return MLXC_ERR_ARGUMENT for a step of 0, NaN, or an infinite start or
 *         stop; MLXC_ERR_DTYPE for bool; MLXC_ERR_SHAPE if too long
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_arange(mlxc_array **out, double start, double stop,
    double step, mlxc_dtype dtype, mlxc_stream *s);

/** `num` numbers evenly from start to stop, which is the last one if
    `endpoint`. @since 0.1 */
MLXC_API mlxc_status mlxc_linspace(mlxc_array **out, double start,
    double stop, int64_t num, bool endpoint, mlxc_dtype dtype,
    mlxc_stream *s);

/** Ones on diagonal k of an n by m matrix, k > 0 above the main one.
    @since 0.1 */
MLXC_API mlxc_status mlxc_eye(mlxc_array **out, int64_t n, int64_t m,
    int64_t k, mlxc_dtype dtype, mlxc_stream *s);

/** The n by n identity matrix. @since 0.1 */
MLXC_API mlxc_status mlxc_identity(mlxc_array **out, int64_t n,
    mlxc_dtype dtype, mlxc_stream *s);

/** Ones where column <= row + k. @since 0.1 */
MLXC_API mlxc_status mlxc_tri(mlxc_array **out, int64_t n, int64_t m,
    int64_t k, mlxc_dtype dtype, mlxc_stream *s);

/** `a` where column <= row + k, exact zeros elsewhere. @since 0.1 */
MLXC_API mlxc_status mlxc_tril(mlxc_array **out, mlxc_array *a, int64_t k,
    mlxc_stream *s);

/** `a` where column >= row + k, exact zeros elsewhere. @since 0.1 */
MLXC_API mlxc_status mlxc_triu(mlxc_array **out, mlxc_array *a, int64_t k,
    mlxc_stream *s);

/** A matrix with the vector `a` on diagonal k, or diagonal k of the matrix
    `a`. @since 0.1 */
MLXC_API mlxc_status mlxc_diag(mlxc_array **out, mlxc_array *a, int64_t k,
    mlxc_stream *s);

/** Diagonal of the planes of two axes, as the last dimension. @since 0.1 */
MLXC_API mlxc_status mlxc_diagonal(mlxc_array **out, mlxc_array *a,
    int64_t offset, int axis1, int axis2, mlxc_stream *s);

/**
 * Coordinate grids of vectors.
 *
 * @param out     one array per vector; NULL on failure
 * @param sparse  leave lengths of 1 instead of repeating
 * @param xy      the first two axes are exchanged ("xy" order); else "ij"
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_meshgrid(mlxc_arrays **out, mlxc_arrays *list,
    bool sparse, bool xy, mlxc_stream *s);

/** Bartlett (triangular) window of m float32 samples. @since 0.1 */
MLXC_API mlxc_status mlxc_bartlett(mlxc_array **out, int64_t m,
    mlxc_stream *s);

/** Hann window: sin^2(pi n / (m - 1)). @since 0.1 */
MLXC_API mlxc_status mlxc_hanning(mlxc_array **out, int64_t m,
    mlxc_stream *s);

/** Hamming window: 0.54 - 0.46 cos(2 pi n / (m - 1)). @since 0.1 */
MLXC_API mlxc_status mlxc_hamming(mlxc_array **out, int64_t m,
    mlxc_stream *s);

/** Blackman window: 0.42 - 0.5 cos(2 pi n / (m - 1)) + 0.08 cos(4 pi n /
    (m - 1)). @since 0.1 */
MLXC_API mlxc_status mlxc_blackman(mlxc_array **out, int64_t m,
    mlxc_stream *s);

/**
 * Each element along an axis several times in a row.
 * @return MLXC_ERR_ARGUMENT for a negative number
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_repeat(mlxc_array **out, mlxc_array *a,
    int64_t repeats, int axis, mlxc_stream *s);

/**
 * The whole array several times in each dimension.
 *
 * @param reps  for the last `nreps` dimensions; more of them than there are
 *              dimensions add new ones in front
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_tile(mlxc_array **out, mlxc_array *a,
    const int64_t *reps, int nreps, mlxc_stream *s);

/**
 * Move elements to higher positions and those at the end to the start.
 *
 * @param shifts  `n` of them, negative ones the other way
 * @param axes    an axis for each, one after the other; NULL: all shifts act
 *                on the flattened array, whose shape comes back
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_roll(mlxc_array **out, mlxc_array *a,
    const int64_t *shifts, const int *axes, int n, mlxc_stream *s);

/**
 * The entries of an axis, without the axis.
 * @param out  as many arrays as the axis is long; NULL on failure
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_unstack(mlxc_arrays **out, mlxc_array *a, int axis,
    mlxc_stream *s);

MLXC_END_DECLS

#endif /* MLXC_OPS_SHAPE_H */
