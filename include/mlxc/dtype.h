/* SPDX-License-Identifier: MIT */
#ifndef MLXC_DTYPE_H
#define MLXC_DTYPE_H

#include <stdbool.h>
#include <stddef.h>

#include <mlxc/error.h>
#include <mlxc/export.h>

MLXC_BEGIN_DECLS

/** The element type of an array. */
typedef enum mlxc_dtype {
    MLXC_BOOL = 0,
    MLXC_UINT8 = 1,
    MLXC_UINT16 = 2,
    MLXC_UINT32 = 3,
    MLXC_UINT64 = 4,
    MLXC_INT8 = 5,
    MLXC_INT16 = 6,
    MLXC_INT32 = 7,
    MLXC_INT64 = 8,
    MLXC_FLOAT16 = 9,    /**< IEEE 754 binary16, stored as uint16_t */
    MLXC_FLOAT32 = 10,
    MLXC_FLOAT64 = 11,
    MLXC_BFLOAT16 = 12,  /**< upper half of a float, stored as uint16_t */
    MLXC_COMPLEX64 = 13  /**< two floats: mlxc_complex64 */
} mlxc_dtype;

/** A complex number; bit-compatible with C99 `float _Complex`. */
typedef struct mlxc_complex64 {
    float re; /**< real part */
    float im; /**< imaginary part */
} mlxc_complex64;

/** Bytes of one element; 0 if `dtype` is not an element type. @since 0.1 */
MLXC_API size_t mlxc_dtype_size(mlxc_dtype dtype);

/**
 * The name as NumPy spells it, such as "float32".
 * @return a constant string; "invalid" if `dtype` is not an element type
 * @since 0.1
 */
MLXC_API const char *mlxc_dtype_name(mlxc_dtype dtype);

/**
 * The dtype that an operation on `a` and `b` computes in: the smallest that
 * holds both, except that an integer beside a float takes that float, and
 * uint64 beside a signed integer gives float32.
 *
 * @param out  the common dtype
 * @return MLXC_ERR_DTYPE if either is not an element type
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_dtype_promote(mlxc_dtype *out, mlxc_dtype a,
    mlxc_dtype b);

/** Whether `dtype` is a signed or unsigned integer; bool is not. @since 0.1 */
MLXC_API bool mlxc_dtype_is_integer(mlxc_dtype dtype);

/** Whether `dtype` is a real floating type. @since 0.1 */
MLXC_API bool mlxc_dtype_is_float(mlxc_dtype dtype);

/** Whether `dtype` is complex. @since 0.1 */
MLXC_API bool mlxc_dtype_is_complex(mlxc_dtype dtype);

MLXC_END_DECLS

#endif /* MLXC_DTYPE_H */
