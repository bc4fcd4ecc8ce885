/* SPDX-License-Identifier: MIT */
#include "files.h"

char folder[64];

void enter(void)
{
    strcpy(folder, "/tmp/mlxc-test-io-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

void leave(void)
{
    unlink(path_of("a"));
    unlink(path_of("b"));
    ck_assert_msg(rmdir(folder) == 0, "a temporary file was left behind");
}

void put_file(const char *name, const void *data, size_t n)
{
    FILE *f = fopen(path_of(name), "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(data, 1, n, f), n);
    fclose(f);
}

size_t get_file(const char *name, char *data, size_t room)
{
    FILE *f = fopen(path_of(name), "rb");
    ck_assert_ptr_nonnull(f);
    size_t n = fread(data, 1, room, f);
    fclose(f);
    return n;
}

mlxc_array *counting(const int64_t *shape, int ndim, mlxc_dtype d)
{
    char data[1024];
    int64_t n = 1;
    mlxc_array *a;
    for (int i = 0; i < ndim; i++)
        n *= shape[i];
    for (int64_t i = 0; i < n; i++)
        mx_dtype_store_double(d, data + (size_t)i * mlxc_dtype_size(d),
            (double)(i - 1));
    OK(mlxc_array_from_data(&a, data, shape, ndim, d));
    return a;
}

void expect_same(mlxc_array *a, mlxc_array *b)
{
    char x[1024], y[1024];
    size_t n = mlxc_array_nbytes(a);
    ck_assert_int_eq(mlxc_array_dtype(a), mlxc_array_dtype(b));
    ck_assert_int_eq(mlxc_array_ndim(a), mlxc_array_ndim(b));
    for (int i = 0; i < mlxc_array_ndim(a); i++)
        ck_assert_int_eq(mlxc_array_dim(a, i), mlxc_array_dim(b, i));
    OK(mlxc_array_copy_out(a, x, n));
    OK(mlxc_array_copy_out(b, y, n));
    ck_assert_int_eq(memcmp(x, y, n), 0);
}

const struct shape shapes[SHAPES] = { { 0, { 0 } }, { 1, { 3 } },
    { 1, { 0 } }, { 2, { 2, 3 } }, { 3, { 2, 0, 4 } },
    { 4, { 1, 2, 3, 2 } } };
