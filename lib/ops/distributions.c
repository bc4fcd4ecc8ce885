/* SPDX-License-Identifier: MIT */
/* Distributions and permutations composed of bits and uniform numbers.  Each
   draws once, so a NULL key takes one key of the thread's sequence. */
#include <string.h>

#include <mlxc/expr.h>

#include "core/scope.h"
#include "core/shape.h"
#include "ops/infer.h"

/* The result in the shape that was asked for. */
static mlxc_status finish(mlxc_array **out, mlxc_scope *c, mlxc_array *a,
    const int64_t *shape, int ndim)
{
    a = a ? mlxe_broadcast_to(c, a, shape, ndim) : NULL;
    mlxc_status status = mlxc_scope_export(out, c, a);
    mlxc_scope_free(c);
    return status;
}

static mlxc_status check(const char *op, mlxc_array **out, mlxc_dtype dtype)
{
    if (!out)
        return mx_error(MLXC_ERR_ARGUMENT, "%s: out is NULL", op);
    *out = NULL;
    if (!mx_dtype_valid(dtype) || !mx_dtype_is(dtype, MX_KIND_FLOAT))
        return mx_error(MLXC_ERR_DTYPE, "%s: %s is not accepted", op,
            mlxc_dtype_name(dtype));
    return MLXC_OK;
}

mlxc_status mlxc_random_truncated_normal(mlxc_array **out, mlxc_array *low,
    mlxc_array *high, const int64_t *shape, int ndim, mlxc_dtype dtype,
    mlxc_array *key, mlxc_stream *s)
{
    mlxc_scope *c;
    mlxc_array *in[2] = { low, high };
    MX_TRY(mx_check("random_truncated_normal", out, in, 2));
    MX_TRY(check("random_truncated_normal", out, dtype));
    MX_TRY(mlxc_scope_new(&c, s));
    low = mlxe_astype(c, low, dtype);
    high = mlxe_astype(c, high, dtype);
    mlxc_array *root = mlxe_scalar(c, 1.4142135623730951, dtype);
    mlxc_array *u = mlxe_random_uniform(c,
        mlxe_erf(c, mlxe_divide(c, low, root)),
        mlxe_erf(c, mlxe_divide(c, high, root)), shape, ndim, dtype, key);
    u = mlxe_multiply(c, root, mlxe_erfinv(c, u));
    return finish(out, c, mlxe_maximum(c, mlxe_minimum(c, high, u), low),
        shape, ndim);
}

mlxc_status mlxc_random_gumbel(mlxc_array **out, const int64_t *shape,
    int ndim, mlxc_dtype dtype, mlxc_array *key, mlxc_stream *s)
{
    mlxc_scope *c;
    MX_TRY(check("random_gumbel", out, dtype));
    MX_TRY(mlxc_scope_new(&c, s));
    mlxc_array *u = mlxe_random_uniform(c, mlxe_scalar(c, 0, dtype),
        mlxe_scalar(c, 1, dtype), shape, ndim, dtype, key);
    for (int i = 0; i < 2; i++)
        u = mlxe_negative(c, mlxe_log(c, u));
    return finish(out, c, u, shape, ndim);
}

mlxc_status mlxc_random_laplace(mlxc_array **out, mlxc_array *loc,
    mlxc_array *scale, const int64_t *shape, int ndim, mlxc_dtype dtype,
    mlxc_array *key, mlxc_stream *s)
{
    mlxc_scope *c;
    MX_TRY(check("random_laplace", out, dtype));
    MX_TRY(mlxc_scope_new(&c, s));
    mlxc_array *z = mlxe_random_uniform(c,
        mlxe_scalar(c, -(1 - 0x1p-24), MLXC_FLOAT32),
        mlxe_scalar(c, 1, MLXC_FLOAT32), shape, ndim, MLXC_FLOAT32, key);
    mlxc_array *x = mlxe_multiply(c, mlxe_sign(c, z), mlxe_log1p(c,
        mlxe_negative(c, mlxe_abs(c, z))));
    x = mlxe_astype(c, x, dtype);
    if (scale)
        x = mlxe_multiply(c, mlxe_astype(c, scale, dtype), x);
    if (loc)
        x = mlxe_add(c, mlxe_astype(c, loc, dtype), x);
    return finish(out, c, x, shape, ndim);
}

mlxc_status mlxc_random_split_pair(mlxc_array **first_out,
    mlxc_array **second_out, mlxc_array *key, mlxc_stream *s)
{
    mlxc_scope *c;
    if (!first_out || !second_out)
        return mx_error(MLXC_ERR_ARGUMENT,
            "random_split_pair: out is NULL");
    *first_out = *second_out = NULL;
    MX_TRY(mlxc_scope_new(&c, s));
    const int64_t from[2][2] = { { 0, 0 }, { 1, 0 } };
    const int64_t to[2][2] = { { 1, 2 }, { 2, 2 } };
    const int first = 0;
    mlxc_array *both = NULL, *half[2];
    mlxc_status status = mlxc_random_split(&both, key, 2, s);
    both = mlxc_scope_take(c, status, both);
    for (int i = 0; i < 2; i++)
        half[i] = mlxe_squeeze(c, mlxe_slice(c, both, from[i], to[i], NULL,
            2), &first, 1);
    status = mlxc_scope_export(first_out, c, half[0]);
    if (!status)
        status = mlxc_scope_export(second_out, c, half[1]);
    if (status) {
        mlxc_array_unref(*first_out);
        *first_out = NULL;
    }
    mlxc_scope_free(c);
    return status;
}

mlxc_status mlxc_random_permutation(mlxc_array **out, int64_t n,
    mlxc_array *key, mlxc_stream *s)
{
    mlxc_array *bits;
    MX_TRY(mlxc_random_bits(&bits, &n, 1, 4, key, s));
    mlxc_status status = mlxc_argsort(out, bits, 0, s);
    mlxc_array_unref(bits);
    return status;
}

mlxc_status mlxc_random_shuffle(mlxc_array **out, mlxc_array *a, int axis,
    mlxc_array *key, mlxc_stream *s)
{
    int i;
    mlxc_array *order;
    MX_TRY(mx_check("random_shuffle", out, &a, 1));
    MX_TRY(mx_axis(&i, "random_shuffle", axis, a->ndim));
    MX_TRY(mlxc_random_permutation(&order, a->shape[i], key, s));
    mlxc_status status = mlxc_take(out, a, order, i, s);
    mlxc_array_unref(order);
    return status;
}

/* The symmetric square root of positive semidefinite matrices, by the
   coupled Newton-Schulz iteration: Y goes to the root, Z to its inverse.  An
   eigenvalue grows by 3/2 a step until it is there, so 50 steps find all down
   to 1e-17 of the largest; those of 0 stay 0. */
static mlxc_array *square_root(mlxc_scope *c, mlxc_array *cov)
{
    const int both[2] = { -2, -1 };
    mlxc_array *a = mlxe_astype(c, cov, MLXC_FLOAT64);
    mlxc_array *norm = mlxe_sqrt(c, mlxe_sum(c, mlxe_square(c, a), both, 2,
        true));
    norm = mlxe_maximum(c, norm, mlxe_scalar(c, 1e-300, MLXC_FLOAT64));
    mlxc_array *y = mlxe_divide(c, a, norm);
    mlxc_array *one = mlxe_eye(c, cov->shape[cov->ndim - 1],
        cov->shape[cov->ndim - 1], 0, MLXC_FLOAT64), *z = one;
    mlxc_array *half = mlxe_scalar(c, 0.5, MLXC_FLOAT64);
    mlxc_array *three = mlxe_multiply(c, one, mlxe_scalar(c, 3,
        MLXC_FLOAT64));
    for (int i = 0; i < 50; i++) {
        mlxc_array *t = mlxe_multiply(c, half, mlxe_subtract(c, three,
            mlxe_matmul(c, z, y)));
        y = mlxe_matmul(c, y, t);
        z = mlxe_matmul(c, t, z);
    }
    return mlxe_multiply(c, y, mlxe_sqrt(c, norm));
}

mlxc_status mlxc_random_multivariate_normal(mlxc_array **out,
    mlxc_array *mean, mlxc_array *cov, const int64_t *shape, int ndim,
    mlxc_dtype dtype, mlxc_array *key, mlxc_stream *s)
{
    static const char op[] = "random_multivariate_normal";
    mlxc_scope *c;
    struct mx_ints l;
    char tm[MX_SHAPE_TEXT], tc[MX_SHAPE_TEXT];
    mlxc_array *in[2] = { mean, cov };
    MX_TRY(mx_check(op, out, in, 2));
    MX_TRY(check(op, out, dtype));
    if (ndim < 0 || (ndim > 0 && !shape))
        return mx_error(MLXC_ERR_ARGUMENT, "%s: no shape of rank %d", op,
            ndim);
    int nm = mean->ndim, nc = cov->ndim;
    if (nm < 1 || nc < 2 || cov->shape[nc - 1] != cov->shape[nc - 2] ||
        cov->shape[nc - 1] != mean->shape[nm - 1])
        return mx_error(MLXC_ERR_SHAPE,
            "%s: a mean of %s and a covariance of %s", op,
            mx_shape_text(tm, mean->shape, nm),
            mx_shape_text(tc, cov->shape, nc));
    int64_t *full = mx_ints_init(&l, op, ndim + nm + nc);
    if (!full)
        return MLXC_ERR_NOMEM;
    int n = ndim;
    mx_shape_copy(full, shape, ndim);
    if (!mx_shape_broadcast(full, &n, mean->shape, nm - 1) ||
        !mx_shape_broadcast(full, &n, cov->shape, nc - 2)) {
        mx_ints_free(&l);
        return mx_error(MLXC_ERR_SHAPE, "%s: a mean of %s and a covariance "
            "of %s do not broadcast to the shape", op,
            mx_shape_text(tm, mean->shape, nm),
            mx_shape_text(tc, cov->shape, nc));
    }
    full[n++] = mean->shape[nm - 1];
    mlxc_status status = mlxc_scope_new(&c, s);
    if (!status) {
        const int row = -2;
        mlxc_array *root = mlxe_astype(c, square_root(c, cov), dtype);
        mlxc_array *z = mlxe_random_normal(c, full, n, dtype, key);
        if (nc == 2)
            z = mlxe_matmul(c, z, root);
        else if (z)
            z = mlxe_squeeze(c, mlxe_matmul(c, mlxe_expand_dims(c, z, &row,
                1), root), &row, 1);
        status = finish(out, c, mlxe_add(c, mlxe_astype(c, mean, dtype), z),
            full, n);
    }
    mx_ints_free(&l);
    return status;
}
