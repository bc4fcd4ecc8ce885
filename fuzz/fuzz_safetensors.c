/* SPDX-License-Identifier: MIT */
/* Any bytes as a .safetensors file: an error or a collection, and one that is
   saved and loaded again is the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <mlxc/io.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static mlxc_tensors *load(const void *data, size_t size)
{
    mlxc_reader *r;
    mlxc_tensors *t = NULL;
    if (mlxc_reader_memory(&r, data, size, NULL, NULL))
        abort();
    mlxc_read_safetensors(&t, r, NULL);
    mlxc_reader_unref(r);
    return t;
}

static void compare_arrays(mlxc_array *a, mlxc_array *b)
{
    size_t n = mlxc_array_nbytes(a);
    char *x = malloc(n + 1), *y = malloc(n + 1);
    if (mlxc_array_nbytes(b) != n || mlxc_array_copy_out(a, x, n) ||
        mlxc_array_copy_out(b, y, n) || memcmp(x, y, n))
        abort();
    free(x);
    free(y);
}

static void compare(mlxc_tensors *t, mlxc_tensors *u)
{
    if (!u || mlxc_tensors_size(t) != mlxc_tensors_size(u) ||
        mlxc_tensors_metadata_size(t) != mlxc_tensors_metadata_size(u))
        abort();
    for (int i = 0; i < mlxc_tensors_size(t); i++) {
        if (strcmp(mlxc_tensors_name(t, i), mlxc_tensors_name(u, i)))
            abort();
        compare_arrays(mlxc_tensors_at(t, i), mlxc_tensors_at(u, i));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mlxc_writer *w;
    mlxc_tensors *t = load(data, size);
    if (!t)
        return 0;
    if (mlxc_writer_memory(&w) || mlxc_write_safetensors(w, t))
        abort();
    mlxc_tensors *u = load(mlxc_writer_data(w), mlxc_writer_size(w));
    compare(t, u);
    mlxc_tensors_unref(u);
    mlxc_writer_unref(w);
    mlxc_tensors_unref(t);
    return 0;
}
