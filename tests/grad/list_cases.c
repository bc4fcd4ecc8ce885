/* SPDX-License-Identifier: MIT */
/* Cases whose functions give lists of arrays, or take arrays that may be
   absent, and so have no wrapper in the expression layer. */
#include "walk.h"

/* The arrays of a list, each weighted by its place and flattened, in a row;
   the list is released. */
static mlxc_array *joined(mlxc_scope *c, mlxc_status status,
    mlxc_arrays *list)
{
    mlxc_array *part[WALK_OUTPUTS] = { NULL }, *row = NULL;
    int n = status ? 0 : mlxc_arrays_size(list);
    ck_assert_int_le(n, WALK_OUTPUTS);
    for (int i = 0; i < n; i++) {
        mlxc_array *a = mlxc_scope_take(c, MLXC_OK,
            mlxc_array_ref(mlxc_arrays_get(list, i)));
        part[i] = mlxe_flatten(c, mlxe_multiply(c, a, mlxe_constant(c,
            i + 1, a)), 0, -1);
    }
    if (status)
        mlxc_scope_take(c, status, NULL);
    else
        row = mlxe_concatenate(c, part, n, 0);
    mlxc_arrays_unref(list);
    return row;
}

mlxc_array *walk_split(mlxc_scope *c, mlxc_array *const *in)
{
    const int64_t at[2] = { 1, 3 };
    mlxc_arrays *list = NULL;
    mlxc_status status = mlxc_split(&list, in[0], at, 2, 0, NULL);
    return joined(c, status, list);
}

mlxc_array *walk_split_equal(mlxc_scope *c, mlxc_array *const *in)
{
    mlxc_arrays *list = NULL;
    mlxc_status status = mlxc_split_equal(&list, in[0], 2, -1, NULL);
    return joined(c, status, list);
}

mlxc_array *walk_unstack(mlxc_scope *c, mlxc_array *const *in)
{
    mlxc_arrays *list = NULL;
    mlxc_status status = mlxc_unstack(&list, in[0], 1, NULL);
    return joined(c, status, list);
}

static mlxc_array *of_two(mlxc_scope *c, mlxc_array *const *in, int grid)
{
    mlxc_arrays *args = NULL, *list = NULL;
    mlxc_status status = mlxc_arrays_from(&args, in, 2);
    if (!status && grid)
        status = mlxc_meshgrid(&list, args, false, true, NULL);
    else if (!status)
        status = mlxc_broadcast_arrays(&list, args, NULL);
    mlxc_arrays_unref(args);
    return joined(c, status, list);
}

mlxc_array *walk_meshgrid(mlxc_scope *c, mlxc_array *const *in)
{
    return of_two(c, in, 1);
}

mlxc_array *walk_broadcast_arrays(mlxc_scope *c, mlxc_array *const *in)
{
    return of_two(c, in, 0);
}

mlxc_array *walk_divmod(mlxc_scope *c, mlxc_array *const *in)
{
    mlxc_array *q, *r;
    mlxc_status status = mlxc_divmod(&q, &r, in[0], in[1], NULL);
    q = mlxc_scope_take(c, status, status ? NULL : q);
    r = mlxc_scope_take(c, status, status ? NULL : r);
    return mlxe_subtract(c, r, q);
}

/* ---- random numbers: the last input gives the words of the key ---- */

static mlxc_array *key_of(mlxc_scope *c, mlxc_array *words)
{
    return mlxe_astype(c, words, MLXC_UINT32);
}

mlxc_array *walk_random_normal(mlxc_scope *c, mlxc_array *const *in)
{
    const int64_t shape[2] = { 2, 3 };
    mlxc_array *out = NULL, *key = key_of(c, in[2]);
    if (!key)
        return NULL;
    mlxc_status status = mlxc_random_normal(&out, in[0], in[1], shape, 2,
        MLXC_FLOAT64, key, NULL);
    return mlxc_scope_take(c, status, out);
}

mlxc_array *walk_random_normal_complex(mlxc_scope *c, mlxc_array *const *in)
{
    const int64_t shape[2] = { 2, 3 };
    mlxc_array *out = NULL, *key = key_of(c, in[2]);
    if (!key)
        return NULL;
    mlxc_status status = mlxc_random_normal(&out, in[0], in[1], shape, 2,
        MLXC_COMPLEX64, key, NULL);
    return mlxc_scope_take(c, status, out);
}

mlxc_array *walk_random_laplace(mlxc_scope *c, mlxc_array *const *in)
{
    const int64_t shape[2] = { 2, 3 };
    mlxc_array *out = NULL, *key = key_of(c, in[2]);
    if (!key)
        return NULL;
    mlxc_status status = mlxc_random_laplace(&out, in[0], in[1], shape, 2,
        MLXC_FLOAT64, key, NULL);
    return mlxc_scope_take(c, status, out);
}

/* The covariance is made positive definite first. */
mlxc_array *walk_random_multivariate_normal(mlxc_scope *c,
    mlxc_array *const *in)
{
    const int64_t shape = 3;
    mlxc_array *out = NULL, *key = key_of(c, in[2]), *cov;
    cov = mlxe_add(c, mlxe_matmul(c, in[1], mlxe_transpose(c, in[1], NULL,
        0)), mlxe_eye(c, 2, 2, 0, MLXC_FLOAT64));
    if (!cov || !key)
        return NULL;
    mlxc_status status = mlxc_random_multivariate_normal(&out, in[0], cov,
        &shape, 1, MLXC_FLOAT64, key, NULL);
    return mlxc_scope_take(c, status, out);
}

mlxc_array *walk_random_split_pair(mlxc_scope *c, mlxc_array *const *in)
{
    mlxc_array *a = NULL, *b = NULL, *key = key_of(c, in[0]);
    if (!key)
        return NULL;
    mlxc_status status = mlxc_random_split_pair(&a, &b, key, NULL);
    a = mlxc_scope_take(c, status, a);
    b = mlxc_scope_take(c, status, b);
    return mlxe_concatenate(c, (mlxc_array *const[]){ a, b }, 2, 0);
}
