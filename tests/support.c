/* SPDX-License-Identifier: MIT */
/* See support.h. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "core/dtype.h"

mlxc_array *make(mlxc_dtype dtype, const int64_t *shape, int ndim,
    const double *values)
{
    size_t n = 1, size = mlxc_dtype_size(dtype);
    for (int i = 0; i < ndim; i++)
        n *= (size_t)shape[i];
    char *data = malloc(n * size + 1);
    mlxc_array *a;
    for (size_t i = 0; i < n; i++)
        mx_dtype_store_double(dtype, data + i * size, values[i]);
    ok(mlxc_array_from_data(&a, data, shape, ndim, dtype));
    free(data);
    return a;
}

mlxc_array *vec(mlxc_dtype dtype, int n, const double *values)
{
    const int64_t shape = n;
    return make(dtype, &shape, 1, values);
}

mlxc_array *spread(mlxc_dtype dtype, const int64_t *shape, int ndim,
    double low, double high, unsigned seed)
{
    size_t n = 1;
    for (int i = 0; i < ndim; i++)
        n *= (size_t)shape[i];
    double *v = malloc((n + 1) * sizeof *v);
    uint64_t x = seed * 2654435761u + 12345;
    for (size_t i = 0; i < n; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        v[i] = low + (high - low) * (double)(x >> 11) * 0x1p-53;
    }
    mlxc_array *a = make(dtype, shape, ndim, v);
    free(v);
    return a;
}

double *values_of(mlxc_array *a)
{
    size_t n = (size_t)mlxc_array_size(a), size = mlxc_array_itemsize(a);
    char *data = malloc(n * size + 1);
    double *v = malloc((n + 1) * sizeof *v);
    ok(mlxc_array_copy_out(a, data, n * size));
    for (size_t i = 0; i < n; i++)
        v[i] = mx_dtype_load_double(mlxc_array_dtype(a), data + i * size);
    free(data);
    return v;
}

static int close_enough(double x, double y, double bound)
{
    if (x != x || y != y)
        return x != x && y != y;
    return x == y || fabs(x - y) <= bound * (1 + fabs(y));
}

void assert_values(mlxc_array *a, int n, const double *expected, double bound)
{
    ck_assert_ptr_nonnull(a);
    ck_assert_int_eq(mlxc_array_size(a), n);
    double *v = values_of(a);
    for (int i = 0; i < n; i++)
        ck_assert_msg(close_enough(v[i], expected[i], bound),
            "element %d is %.17g, not %.17g", i, v[i], expected[i]);
    free(v);
}

void assert_shape(mlxc_array *a, int ndim, const int64_t *shape)
{
    ck_assert_int_eq(mlxc_array_ndim(a), ndim);
    for (int i = 0; i < ndim; i++)
        ck_assert_int_eq(mlxc_array_dim(a, i), shape[i]);
}

void assert_close(mlxc_array *a, mlxc_array *b, double bound)
{
    assert_shape(a, mlxc_array_ndim(b), mlxc_array_shape(b));
    double *v = values_of(b);
    assert_values(a, (int)mlxc_array_size(b), v, bound);
    free(v);
}

int test_level(void)
{
    const char *v = getenv("MLXC_TEST_LEVEL");
    return v ? atoi(v) : 1;
}

int run_suite(Suite *s)
{
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
