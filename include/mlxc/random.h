/* SPDX-License-Identifier: MIT */
#ifndef MLXC_RANDOM_H
#define MLXC_RANDOM_H

#include <stdint.h>

#include <mlxc/array.h>
#include <mlxc/error.h>
#include <mlxc/export.h>
#include <mlxc/stream.h>

MLXC_BEGIN_DECLS

/*
 * Random numbers are functions of a key: two uint32 in an array of shape (2).
 * The generator is Threefry-2x32 with 20 rounds; equal keys and shapes give
 * equal numbers on every device and with any number of threads.  Where a key
 * is NULL, the next one of this thread's sequence is used.
 */

/** The key of a seed. @since 0.1 */
MLXC_API mlxc_status mlxc_random_key(mlxc_array **out, uint64_t seed);

/** Let this thread's sequence of keys start from a seed. @since 0.1 */
MLXC_API mlxc_status mlxc_random_seed(uint64_t seed);

/** `num` independent keys from one, of shape (num, 2). @since 0.1 */
MLXC_API mlxc_status mlxc_random_split(mlxc_array **out, mlxc_array *key,
    int num, mlxc_stream *s);

/**
 * Random bits.
 * @param width  bytes of an element: 1, 2 or 4 for uint8, uint16, uint32
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_random_bits(mlxc_array **out, const int64_t *shape,
    int ndim, int width, mlxc_array *key, mlxc_stream *s);

/**
 * Uniform numbers in [low, high); rounding may give `high` itself.
 * @param low    broadcasts to `shape`
 * @param high   likewise
 * @param dtype  a real floating type
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_random_uniform(mlxc_array **out, mlxc_array *low,
    mlxc_array *high, const int64_t *shape, int ndim, mlxc_dtype dtype,
    mlxc_array *key, mlxc_stream *s);

/** Normal numbers; `loc` and `scale` broadcast to `shape`, NULL means 0 and
    1. @since 0.1 */
MLXC_API mlxc_status mlxc_random_normal(mlxc_array **out, mlxc_array *loc,
    mlxc_array *scale, const int64_t *shape, int ndim, mlxc_dtype dtype,
    mlxc_array *key, mlxc_stream *s);

/** True with probability `p`, which broadcasts to `shape`. @since 0.1 */
MLXC_API mlxc_status mlxc_random_bernoulli(mlxc_array **out, mlxc_array *p,
    const int64_t *shape, int ndim, mlxc_array *key, mlxc_stream *s);

/** Integers in [low, high). @since 0.1 */
MLXC_API mlxc_status mlxc_random_randint(mlxc_array **out, mlxc_array *low,
    mlxc_array *high, const int64_t *shape, int ndim, mlxc_dtype dtype,
    mlxc_array *key, mlxc_stream *s);

/**
 * Positions along an axis, with probabilities proportional to exp(logits).
 * @param num  how many samples per row, as a last dimension; 0: one, without
 *             that dimension
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_random_categorical(mlxc_array **out,
    mlxc_array *logits, int axis, int num, mlxc_array *key, mlxc_stream *s);

/**
 * As mlxc_random_categorical(), but as many samples as `shape` has elements:
 * the other dimensions of `logits` broadcast to it.
 * @return MLXC_ERR_SHAPE if they do not
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_random_categorical_shaped(mlxc_array **out,
    mlxc_array *logits, int axis, const int64_t *shape, int ndim,
    mlxc_array *key, mlxc_stream *s);

/** Two independent keys from one, each of shape (2). @since 0.1 */
MLXC_API mlxc_status mlxc_random_split_pair(mlxc_array **first_out,
    mlxc_array **second_out, mlxc_array *key, mlxc_stream *s);

/** Normal numbers between `low` and `high`, which broadcast to `shape`.
    @since 0.1 */
MLXC_API mlxc_status mlxc_random_truncated_normal(mlxc_array **out,
    mlxc_array *low, mlxc_array *high, const int64_t *shape, int ndim,
    mlxc_dtype dtype, mlxc_array *key, mlxc_stream *s);

/** Standard Gumbel numbers. @since 0.1 */
MLXC_API mlxc_status mlxc_random_gumbel(mlxc_array **out,
    const int64_t *shape, int ndim, mlxc_dtype dtype, mlxc_array *key,
    mlxc_stream *s);

/** Laplace numbers; `loc` and `scale` broadcast to `shape`, NULL means 0 and
    1. @since 0.1 */
MLXC_API mlxc_status mlxc_random_laplace(mlxc_array **out, mlxc_array *loc,
    mlxc_array *scale, const int64_t *shape, int ndim, mlxc_dtype dtype,
    mlxc_array *key, mlxc_stream *s);

/** The numbers 0 to n - 1 in random order. @since 0.1 */
MLXC_API mlxc_status mlxc_random_permutation(mlxc_array **out, int64_t n,
    mlxc_array *key, mlxc_stream *s);

/** `a` with its slices along an axis in random order. @since 0.1 */
MLXC_API mlxc_status mlxc_random_shuffle(mlxc_array **out, mlxc_array *a,
    int axis, mlxc_array *key, mlxc_stream *s);

/**
 * Normal vectors.  The result has the shape that `shape` and the leading
 * dimensions of both operands broadcast to, and n behind it.
 *
 * @param mean   of shape (..., n)
 * @param cov    of shape (..., n, n), symmetric and positive semidefinite;
 *               that is not checked
 * @param dtype  a real floating type
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_random_multivariate_normal(mlxc_array **out,
    mlxc_array *mean, mlxc_array *cov, const int64_t *shape, int ndim,
    mlxc_dtype dtype, mlxc_array *key, mlxc_stream *s);

MLXC_END_DECLS

#endif /* MLXC_RANDOM_H */
