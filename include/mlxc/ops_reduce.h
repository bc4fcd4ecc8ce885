/* SPDX-License-Identifier: MIT */
#ifndef MLXC_OPS_REDUCE_H
#define MLXC_OPS_REDUCE_H

#include <mlxc/array.h>
#include <mlxc/error.h>
#include <mlxc/export.h>
#include <mlxc/stream.h>

MLXC_BEGIN_DECLS

/*
 * Reductions and scans.  Axes are a list and its length; NULL means all axes,
 * a list of length 0 none.  Negative axes count from the last.  With
 * `keepdims`, reduced dimensions stay with length 1.  Common failures:
 * MLXC_ERR_ARGUMENT for a NULL array or a repeated axis, MLXC_ERR_INDEX for
 * an axis out of range, MLXC_ERR_DTYPE, MLXC_ERR_SHAPE, MLXC_ERR_NOMEM.
 */

/** Sum.  Integers below 32 bits and bool give 32-bit results; floats are
    added up in double. @since 0.1 */
MLXC_API mlxc_status mlxc_sum(mlxc_array **out, mlxc_array *a,
    const int *axes, int naxes, bool keepdims, mlxc_stream *s);

/** Product, with the dtypes of mlxc_sum(). @since 0.1 */
MLXC_API mlxc_status mlxc_prod(mlxc_array **out, mlxc_array *a,
    const int *axes, int naxes, bool keepdims, mlxc_stream *s);

/** Largest element; NaN if there is one.  MLXC_ERR_SHAPE over nothing.
    @since 0.1 */
MLXC_API mlxc_status mlxc_max(mlxc_array **out, mlxc_array *a,
    const int *axes, int naxes, bool keepdims, mlxc_stream *s);

/** Smallest element; NaN if there is one.  MLXC_ERR_SHAPE over nothing.
    @since 0.1 */
MLXC_API mlxc_status mlxc_min(mlxc_array **out, mlxc_array *a,
    const int *axes, int naxes, bool keepdims, mlxc_stream *s);

/** Whether all elements are not zero, as bool. @since 0.1 */
MLXC_API mlxc_status mlxc_all(mlxc_array **out, mlxc_array *a,
    const int *axes, int naxes, bool keepdims, mlxc_stream *s);

/** Whether any element is not zero, as bool. @since 0.1 */
MLXC_API mlxc_status mlxc_any(mlxc_array **out, mlxc_array *a,
    const int *axes, int naxes, bool keepdims, mlxc_stream *s);

/** Number of elements that are not zero, as int32. @since 0.1 */
MLXC_API mlxc_status mlxc_count_nonzero(mlxc_array **out, mlxc_array *a,
    const int *axes, int naxes, bool keepdims, mlxc_stream *s);

/** Mean, at least float32; NaN over nothing. @since 0.1 */
MLXC_API mlxc_status mlxc_mean(mlxc_array **out, mlxc_array *a,
    const int *axes, int naxes, bool keepdims, mlxc_stream *s);

/** Variance: sum |x - mean|^2 / (n - ddof), at least float32; real for
    complex numbers. @since 0.1 */
MLXC_API mlxc_status mlxc_var(mlxc_array **out, mlxc_array *a,
    const int *axes, int naxes, bool keepdims, int ddof, mlxc_stream *s);

/** Standard deviation: the square root of mlxc_var(). @since 0.1 */
MLXC_API mlxc_status mlxc_std(mlxc_array **out, mlxc_array *a,
    const int *axes, int naxes, bool keepdims, int ddof, mlxc_stream *s);

/** Median, at least float32: the mean of the two in the middle where the
    count is even; NaN if there is one.  MLXC_ERR_SHAPE over nothing.
    @since 0.1 */
MLXC_API mlxc_status mlxc_median(mlxc_array **out, mlxc_array *a,
    const int *axes, int naxes, bool keepdims, mlxc_stream *s);

/** log(sum(exp(x))) without overflow, at least float32; -infinity over
    nothing. @since 0.1 */
MLXC_API mlxc_status mlxc_logsumexp(mlxc_array **out, mlxc_array *a,
    const int *axes, int naxes, bool keepdims, mlxc_stream *s);

/** exp(x) / sum(exp(x)) over axes, at least float32; 16-bit floats are
    computed in float32. @since 0.1 */
MLXC_API mlxc_status mlxc_softmax(mlxc_array **out, mlxc_array *a,
    const int *axes, int naxes, mlxc_stream *s);

/**
 * Position of the largest element along an axis, the first of equals; the
 * first NaN wins.  uint32, or uint64 along an axis of 2^32 or more.
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_argmax(mlxc_array **out, mlxc_array *a, int axis,
    bool keepdims, mlxc_stream *s);

/** As mlxc_argmax(), of the smallest element. @since 0.1 */
MLXC_API mlxc_status mlxc_argmin(mlxc_array **out, mlxc_array *a, int axis,
    bool keepdims, mlxc_stream *s);

/**
 * Running sum along an axis; bool gives int32.
 *
 * @param reverse    from the end
 * @param inclusive  with the element itself; else those before it
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_cumsum(mlxc_array **out, mlxc_array *a, int axis,
    bool reverse, bool inclusive, mlxc_stream *s);

/** Running product; see mlxc_cumsum(). @since 0.1 */
MLXC_API mlxc_status mlxc_cumprod(mlxc_array **out, mlxc_array *a, int axis,
    bool reverse, bool inclusive, mlxc_stream *s);

/** Running maximum; NaN sticks. @since 0.1 */
MLXC_API mlxc_status mlxc_cummax(mlxc_array **out, mlxc_array *a, int axis,
    bool reverse, bool inclusive, mlxc_stream *s);

/** Running minimum; NaN sticks. @since 0.1 */
MLXC_API mlxc_status mlxc_cummin(mlxc_array **out, mlxc_array *a, int axis,
    bool reverse, bool inclusive, mlxc_stream *s);

/** Running log-sum-exp, at least float32. @since 0.1 */
MLXC_API mlxc_status mlxc_logcumsumexp(mlxc_array **out, mlxc_array *a,
    int axis, bool reverse, bool inclusive, mlxc_stream *s);

/**
 * Sort along an axis, ascending and stable; -0 equals +0 and NaN comes last.
 * Complex numbers go by their real parts, then their imaginary parts.
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_sort(mlxc_array **out, mlxc_array *a, int axis,
    mlxc_stream *s);

/** Where each element of mlxc_sort() stood: uint32, or uint64 along an axis
    of more than 2^32 - 1. @since 0.1 */
MLXC_API mlxc_status mlxc_argsort(mlxc_array **out, mlxc_array *a, int axis,
    mlxc_stream *s);

/**
 * Reorder along an axis so that position `kth` holds what a sort would put
 * there, nothing larger stands before it and nothing smaller behind it.
 *
 * @param kth  may be negative and then counts from the end
 * @return MLXC_ERR_INDEX if it is out of range
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_partition(mlxc_array **out, mlxc_array *a,
    int64_t kth, int axis, mlxc_stream *s);

/** Where each element of mlxc_partition() stood. @since 0.1 */
MLXC_API mlxc_status mlxc_argpartition(mlxc_array **out, mlxc_array *a,
    int64_t kth, int axis, mlxc_stream *s);

/**
 * The k largest elements along an axis, in unspecified order.
 * @return MLXC_ERR_ARGUMENT unless 0 <= k <= length
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_topk(mlxc_array **out, mlxc_array *a, int64_t k,
    int axis, mlxc_stream *s);

/**
 * Where values would go into a sorted vector: how many of its elements are
 * smaller than each, or not larger if `right`.
 *
 * @return shape of `values`; uint32, or uint64 for a vector of more than
 *         2^32 - 1
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_searchsorted(mlxc_array **out,
    mlxc_array *sequence, mlxc_array *values, bool right, mlxc_stream *s);

/**
 * Differences of neighbours along an axis, taken `n` times; the axis becomes
 * `n` shorter.  Bool gives exclusive or.
 *
 * @return MLXC_ERR_ARGUMENT if `n` is negative
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_diff(mlxc_array **out, mlxc_array *a, int64_t n,
    int axis, mlxc_stream *s);

MLXC_END_DECLS

#endif /* MLXC_OPS_REDUCE_H */
