/* SPDX-License-Identifier: MIT */
#ifndef MLXC_OPS_MATMUL_H
#define MLXC_OPS_MATMUL_H

#include <stdint.h>

#include <mlxc/array.h>
#include <mlxc/error.h>
#include <mlxc/export.h>
#include <mlxc/stream.h>

MLXC_BEGIN_DECLS

/**
 * Matrix product over the last two dimensions; leading ones broadcast.  A
 * vector on the left is a row, on the right a column, and the added dimension
 * is dropped.  16-bit floats are accumulated in float32, integers wrap.
 *
 * @param out  a new reference; NULL on failure
 * @return MLXC_ERR_SHAPE if the inner lengths differ or an operand is a
 *         scalar, MLXC_ERR_ARGUMENT, MLXC_ERR_NOMEM
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_matmul(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/**
 * beta * c + alpha * (a @ b).  `c` broadcasts to the product; with beta 0 it
 * is not read.
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_addmm(mlxc_array **out, mlxc_array *c,
    mlxc_array *a, mlxc_array *b, double alpha, double beta, mlxc_stream *s);

/** Products of all pairs of elements, of shape (size of a, size of b).
    @since 0.1 */
MLXC_API mlxc_status mlxc_outer(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/** Sum of products over the last dimension of both. @since 0.1 */
MLXC_API mlxc_status mlxc_inner(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/**
 * Sum of conj(a) * b along an axis; the other dimensions broadcast.  The axis
 * is the same one counted from the last in both.
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_vecdot(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, int axis, mlxc_stream *s);

/**
 * Sum of products over pairs of axes; the result has the other dimensions of
 * `a`, then those of `b`.
 *
 * @param axes_a  axes of `a`, each paired with the one of `axes_b` at its
 *                place; NULL with `axes_b` NULL: the last `naxes` of `a` with
 *                the first of `b`
 * @param naxes   how many pairs; 0 gives all products
 * @return MLXC_ERR_SHAPE if paired lengths differ, MLXC_ERR_ARGUMENT
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_tensordot(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, const int *axes_a, const int *axes_b, int naxes,
    mlxc_stream *s);

/** Kronecker product; the shorter shape gets leading ones. @since 0.1 */
MLXC_API mlxc_status mlxc_kron(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_stream *s);

/**
 * Sum of a diagonal over two axes; narrow integers are widened as by
 * mlxc_sum().
 * @param offset  above (positive) or below the main diagonal
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_trace(mlxc_array **out, mlxc_array *a,
    int64_t offset, int axis1, int axis2, mlxc_stream *s);

/**
 * Einstein summation.  Terms are letters (upper and lower case differ) and at
 * most one "..." each, separated by commas; spaces are ignored.  Without
 * "->", the result has the dimensions of "..." first, then the letters that
 * occur once, in ASCII order.  A length of 1 broadcasts to that of the same
 * letter elsewhere.  Where anything is summed, integers are widened as by
 * mlxc_sum().  More than two operands are contracted pair by pair in the
 * order that mlxc_einsum_path() tells.
 *
 * @param subscripts  such as "bij,bjk->bik"
 * @param list        one operand a term
 * @return MLXC_ERR_ARGUMENT for subscripts that make no sense,
 *         MLXC_ERR_SHAPE for operands that do not fit them
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_einsum(mlxc_array **out, const char *subscripts,
    mlxc_array *const *list, int n, mlxc_stream *s);

/**
 * Which operands mlxc_einsum() contracts, in which order, and at what cost.
 * A step names positions in the list, which then loses them and gets the
 * result at its end.
 *
 * @param out  text of several lines, the first like "path: [1,2],[0,1]"; free
 *             with mlxc_free()
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_einsum_path(char **out, const char *subscripts,
    mlxc_array *const *list, int n);

/**
 * Products of chosen matrices.  The matrices of each operand are counted in
 * row-major order of its leading dimensions; results have the shape that both
 * lists of indices broadcast to in front.
 *
 * @param lhs     which matrices of `a`; NULL: all, in their shape
 * @param rhs     which of `b`, likewise
 * @param sorted  a promise that the only list given, if it is only one, rises
 * @return MLXC_ERR_SHAPE, MLXC_ERR_DTYPE; MLXC_ERR_INDEX on evaluation
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_gather_mm(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_array *lhs, mlxc_array *rhs, bool sorted,
    mlxc_stream *s);

/**
 * One product for each of some ranges of the inner dimension.
 *
 * @param a         a matrix of M by K
 * @param b         a matrix of K by N
 * @param segments  integers of shape (..., 2): where each range begins, and
 *                  where it has ended; cut off at 0 and K
 * @return shape (..., M, N); zeros for an empty range
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_segmented_mm(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, mlxc_array *segments, mlxc_stream *s);

/**
 * Matrix product with masks, an entry for each block of rows and columns.  A
 * bool mask keeps blocks or makes them zero, another one scales them.  Masks
 * have as many blocks as cover their array in the last two dimensions, and
 * broadcast over those in front.
 *
 * @param block_size  rows and columns of a block; the last may be cut off
 * @param mask_out    of the result; NULL: none
 * @param mask_lhs    of `a`, likewise
 * @param mask_rhs    of `b`, likewise
 * @return MLXC_ERR_SHAPE, MLXC_ERR_ARGUMENT
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_block_masked_mm(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, int block_size, mlxc_array *mask_out,
    mlxc_array *mask_lhs, mlxc_array *mask_rhs, mlxc_stream *s);

MLXC_END_DECLS

#endif /* MLXC_OPS_MATMUL_H */
