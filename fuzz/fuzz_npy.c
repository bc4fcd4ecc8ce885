/* SPDX-License-Identifier: MIT */
/* Any bytes as a .npy file: an error or an array, and an array that is saved
   and loaded again is the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <mlxc/io.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static mlxc_array *load(const void *data, size_t size)
{
    mlxc_reader *r;
    mlxc_array *a = NULL;
    if (mlxc_reader_memory(&r, data, size, NULL, NULL))
        abort();
    mlxc_read_npy(&a, r, NULL);
    mlxc_reader_unref(r);
    return a;
}

static void compare(mlxc_array *a, mlxc_array *b)
{
    size_t n = mlxc_array_nbytes(a);
    char *x = malloc(n + 1), *y = malloc(n + 1);
    if (!b || mlxc_array_nbytes(b) != n ||
        mlxc_array_ndim(a) != mlxc_array_ndim(b) ||
        mlxc_array_copy_out(a, x, n) || mlxc_array_copy_out(b, y, n) ||
        memcmp(x, y, n))
        abort();
    free(x);
    free(y);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mlxc_writer *w;
    mlxc_array *a = load(data, size);
    if (!a)
        return 0;
    if (mlxc_writer_memory(&w) || mlxc_write_npy(w, a))
        abort();
    mlxc_array *b = load(mlxc_writer_data(w), mlxc_writer_size(w));
    compare(a, b);
    mlxc_array_unref(b);
    mlxc_writer_unref(w);
    mlxc_array_unref(a);
    return 0;
}
