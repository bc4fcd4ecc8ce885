/* SPDX-License-Identifier: MIT */
#ifndef MLXC_OPS_MATMUL_H
#define MLXC_OPS_MATMUL_H

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

MLXC_END_DECLS

#endif /* MLXC_OPS_MATMUL_H */
