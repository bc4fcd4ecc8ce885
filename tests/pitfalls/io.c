/* SPDX-License-Identifier: MIT */
/* Files: bytes in the other order, and that loading leaves no copies. */
#include "pitfalls.h"

#include <stdio.h>

/* A .npy file in memory, of big-endian numbers 1, 2, 3. */
static mlxc_array *load(const char *type, int size, const char *bytes,
    int fortran)
{
    char *file = calloc(256, 1);
    mlxc_reader *r;
    mlxc_array *a;
    memcpy(file, "\x93NUMPY\1\0\x76\0", 10);
    memset(file + 10, ' ', 118);
    int n = sprintf(file + 10, "{'descr': '>%s', 'fortran_order': %s, "
        "'shape': (3, 1), }", type, fortran ? "True" : "False");
    file[10 + n] = ' ';
    file[127] = '\n';
    memcpy(file + 128, bytes, (size_t)(3 * size));
    ok(mlxc_reader_memory(&r, file, (size_t)(128 + 3 * size), free, file));
    ok(mlxc_read_npy(&a, r, NULL));
    mlxc_reader_unref(r);
    return own(a);
}

START_TEST(test_bytes_in_the_other_order)
{
    static const struct {
        const char *type;
        int size;
        char bytes[24];
        mlxc_dtype d;
    } files[] = {
        { "i2", 2, "\0\1\0\2\0\3", MLXC_INT16 },
        { "u2", 2, "\0\1\0\2\0\3", MLXC_UINT16 },
        { "i4", 4, "\0\0\0\1\0\0\0\2\0\0\0\3", MLXC_INT32 },
        { "u8", 8, "\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\3",
            MLXC_UINT64 },
        { "f2", 2, "\x3c\0\x40\0\x42\0", MLXC_FLOAT16 },
        { "f4", 4, "\x3f\x80\0\0\x40\0\0\0\x40\x40\0\0", MLXC_FLOAT32 },
        { "f8", 8, "\x3f\xf0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0"
            "\x40\x08\0\0\0\0\0\0", MLXC_FLOAT64 },
        { "c8", 8, "\x3f\x80\0\0\x40\0\0\0\x40\0\0\0\x40\x40\0\0"
            "\x40\x40\0\0\x40\x80\0\0", MLXC_COMPLEX64 },
    };
    for (int i = 0; i < COUNT(files); i++) {
        for (int fortran = 0; fortran < 2; fortran++) {
            mlxc_array *a = load(files[i].type, files[i].size,
                files[i].bytes, fortran);
            typed(a, files[i].d);
            near(a, 3, D(1, 2, 3), 0);
            if (files[i].d == MLXC_COMPLEX64)
                parts(a, 3, D(1, 2, 2, 3, 3, 4), 0);
        }
    }
}
END_TEST

/* What loading and scaling takes at most is what loading alone takes. */
START_TEST(test_loaded_arrays_are_taken_over)
{
    enum { N = 1 << 18 };
    size_t peak[2];
    mlxc_writer *w;
    mlxc_array *x, *a, *y;
    const void *data;
    const int64_t n = N;
    ok(mlxc_ones(&x, &n, 1, MLXC_FLOAT32, NULL));
    ok(mlxc_writer_memory(&w));
    ok(mlxc_write_npy(w, x));
    mlxc_array_unref(x);
    for (int scaled = 0; scaled < 2; scaled++) {
        mlxc_reader *r;
        data = mlxc_writer_data(w);
        mlxc_memory_clear_cache();
        ok(mlxc_synchronize(NULL));
        mlxc_memory_reset_peak();
        size_t start = mlxc_memory_peak();
        ok(mlxc_reader_memory(&r, data, mlxc_writer_size(w), NULL, NULL));
        ok(mlxc_read_npy(&a, r, NULL));
        mlxc_reader_unref(r);
        if (scaled) {
            ok(mlxc_multiply(&y, a, mlxe_scalar(c, 2, MLXC_FLOAT32),
                NULL));
            mlxc_array_unref(a);
            a = y;
        }
        ok(mlxc_eval(&a, 1));
        ok(mlxc_synchronize(NULL));
        peak[scaled] = mlxc_memory_peak() - start;
        near(mlxe_sum(c, a, NULL, 0, false), 1, D(N * (1 + scaled)), 0);
        mlxc_scope_clear(c);
        mlxc_array_unref(a);
    }
    ck_assert_uint_lt(peak[1], peak[0] + 4096);
    mlxc_writer_unref(w);
}
END_TEST

TCase *pitfalls_io(void)
{
    TCase *t = scoped("io");
    tcase_add_test(t, test_bytes_in_the_other_order);
    tcase_add_test(t, test_loaded_arrays_are_taken_over);
    return t;
}
