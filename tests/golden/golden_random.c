/* SPDX-License-Identifier: MIT */
/* Golden cases of random numbers.  The key is the first input. */
#include <stdlib.h>
#include <string.h>

#include "golden_ops.h"
#include "support.h"

STATUS(random_key, mlxc_random_key(&a,
    strtoull(golden_get(g, "seed"), NULL, 10)))
ONE(random_split, mlxe_random_split(c, X, (int)I("num", 2)))
SHAPED(random_bits, mlxe_random_bits(c, shape, n, (int)I("width", 4), X))
SHAPED(random_uniform, mlxe_random_uniform(c, Y, Z, shape, n,
    DTYPE_OF("dtype"), X))
SHAPED(random_randint, mlxe_random_randint(c, Y, Z, shape, n,
    DTYPE_OF("dtype"), X))
SHAPED(random_bernoulli, mlxe_random_bernoulli(c, Y, shape, n, X))
SHAPED(random_truncated_normal, mlxe_random_truncated_normal(c, Y, Z, shape,
    n, DTYPE_OF("dtype"), X))
SHAPED(random_gumbel, mlxe_random_gumbel(c, shape, n, DTYPE_OF("dtype"), X))
ONE(random_permutation, mlxe_random_permutation(c, I("n", 0), X))
ONE(random_permutation_array, mlxe_random_shuffle(c, Y, AXIS, X))

RUN(random_split_pair)
{
    mlxc_array *first = NULL, *second = NULL;
    mlxc_status status = mlxc_random_split_pair(&first, &second, X, NULL);
    out[0] = mlxc_scope_take(c, status, first);
    out[1] = mlxc_scope_take(c, status, second);
    return 2;
}

/* A location or scale; NULL where it is what NULL means. */
static mlxc_array *number(mlxc_scope *c, struct golden *g, const char *key,
    double absent)
{
    double v = golden_real(g, key, absent);
    return v == absent ? NULL : mlxe_scalar(c, v, MLXC_FLOAT32);
}

static int located(mlxc_scope *c, struct golden *g, mlxc_array **out,
    mlxc_status (*draw)(mlxc_array **, mlxc_array *, mlxc_array *,
    const int64_t *, int, mlxc_dtype, mlxc_array *, mlxc_stream *))
{
    int64_t shape[MAX_LIST];
    int n = golden_list(g, "shape", shape);
    mlxc_array *a = NULL, *loc = number(c, g, "loc", 0);
    mlxc_array *scale = number(c, g, "scale", 1);
    mlxc_status status = draw(&a, loc, scale, shape, n, DTYPE_OF("dtype"), X,
        NULL);
    *out = mlxc_scope_take(c, status, a);
    return 1;
}

RUN(random_normal)
{
    return located(c, g, out, mlxc_random_normal);
}

RUN(random_laplace)
{
    return located(c, g, out, mlxc_random_laplace);
}

RUN(random_multivariate_normal)
{
    int64_t shape[MAX_LIST];
    int n = golden_list(g, "shape", shape);
    mlxc_array *a = NULL;
    mlxc_status status = mlxc_random_multivariate_normal(&a, Y, Z, shape, n,
        mlxc_array_dtype(Y), X, NULL);
    *out = mlxc_scope_take(c, status, a);
    return 1;
}

/* A shape is that of the samples: the rows of logits are broadcast to it. */
RUN(random_categorical)
{
    int64_t shape[MAX_LIST];
    int n = golden_list(g, "shape", shape), axis = (int)I("axis", -1);
    int last = mlxc_array_ndim(Y) - 1;
    if (n >= 0) {
        ck_assert_msg(axis == -1 || axis == last, "%s: not the last axis",
            g->name);
        axis = -1;
        shape[n] = mlxc_array_dim(Y, -1);
        *out = mlxe_broadcast_to(c, Y, shape, n + 1);
    } else {
        *out = Y;
    }
    *out = mlxe_random_categorical(c, *out, axis, (int)I("num_samples", 0),
        X);
    return 1;
}

const struct golden_op golden_random[] = {
    ENTRY(random_key) ENTRY(random_split) ENTRY(random_split_pair)
    ENTRY(random_bits) ENTRY(random_uniform) ENTRY(random_randint)
    ENTRY(random_bernoulli) ENTRY(random_truncated_normal)
    ENTRY(random_gumbel) ENTRY(random_permutation)
    ENTRY(random_permutation_array) ENTRY(random_normal)
    ENTRY(random_laplace) ENTRY(random_multivariate_normal)
    ENTRY(random_categorical)
    { NULL, NULL },
};
