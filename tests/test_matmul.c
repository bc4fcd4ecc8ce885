/* SPDX-License-Identifier: MIT */
/* Products against their definition: dtypes, layouts, batches, empties. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <mlxc/expr.h>

#include "support.h"

/* Matrices from strided doubles: out[i][j] = sum over k, in double. */
static void naive(double *out, const double *a, const double *b, int m,
    int k, int n)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            out[i * n + j] = sum;
        }
}

static void check_product(mlxc_array *a, mlxc_array *b, double bound)
{
    mlxc_array *r;
    ok(mlxc_matmul(&r, a, b, NULL));
    int m = (int)mlxc_array_dim(a, 0), k = (int)mlxc_array_dim(a, 1);
    int n = (int)mlxc_array_dim(b, 1);
    double *va = values_of(a), *vb = values_of(b);
    double *want = malloc(sizeof *want * (size_t)(m * n + 1));
    naive(want, va, vb, m, k, n);
    assert_values(r, m * n, want, bound);
    free(want);
    free(va);
    free(vb);
    mlxc_array_unref(r);
}

static double bound_of(mlxc_dtype d)
{
    return d == MLXC_FLOAT16 ? 2e-3 : d == MLXC_BFLOAT16 ? 1.6e-2
        : d == MLXC_FLOAT64 ? 1e-13 : mlxc_dtype_is_integer(d) ? 0 : 1e-5;
}

static const mlxc_dtype dtypes[] = { MLXC_FLOAT32, MLXC_FLOAT64,
    MLXC_FLOAT16, MLXC_BFLOAT16, MLXC_COMPLEX64, MLXC_INT32, MLXC_INT64,
    MLXC_UINT8, MLXC_INT16 };
#define NDTYPES ((int)(sizeof dtypes / sizeof *dtypes))

/* An (m, n) matrix laid out in one of several ways. */
static mlxc_array *laid_out(mlxc_scope *c, mlxc_dtype d, int64_t m,
    int64_t n, int how, unsigned seed)
{
    const double high = mlxc_dtype_is_integer(d) ? 4 : 1;
    const double low = d == MLXC_UINT8 ? 0 : -high;
    const int64_t shapes[6][2] = { { m, n }, { n, m }, { 2 * m, n + 3 },
        { m, n }, { m, 1 }, { m, 2 * n } };
    const int both[2] = { 0, 1 };
    mlxc_array *a = spread(d, shapes[how], 2, low, high, seed);
    a = mlxc_scope_take(c, MLXC_OK, a);
    const int64_t from[2] = { 0, 2 }, to[2] = { 2 * m, n + 2 };
    const int64_t step[2] = { 2, 1 }, zero[2] = { 0, 0 };
    const int64_t wide[2] = { m, 2 * n }, two[2] = { 1, 2 };
    switch (how) {
    case 1:
        return mlxe_transpose(c, a, NULL, 0);
    case 2:
        return mlxe_slice(c, a, from, to, step, 2);
    case 3:
        return mlxe_flip(c, a, both, 2);
    case 4:
        return mlxe_broadcast_to(c, a, shapes[0], 2);
    case 5:
        return mlxe_slice(c, a, zero, wide, two, 2);
    default:
        return a;
    }
}

START_TEST(test_matmul_layouts)
{
    mlxc_dtype d = dtypes[_i];
    static const int64_t sizes[][3] = { { 3, 5, 4 }, { 1, 7, 9 },
        { 6, 11, 1 }, { 1, 8, 1 }, { 17, 33, 19 }, { 4, 1, 5 },
        { 65, 70, 67 }, { 1, 1, 1 }, { 2, 270, 33 },
        { 40, 260, 5 } };
    for (int z = 0; z < (int)(sizeof sizes / sizeof *sizes); z++)
        for (int la = 0; la < 6; la++)
            for (int lb = 0; lb < 6; lb++) {
                mlxc_scope *c;
                ok(mlxc_scope_new(&c, NULL));
                mlxc_array *a = laid_out(c, d, sizes[z][0], sizes[z][1], la,
                    1);
                mlxc_array *b = laid_out(c, d, sizes[z][1], sizes[z][2], lb,
                    2);
                ok(mlxc_scope_status(c));
                /* a sum of 11 and more products of up to 16 leaves uint8 */
                if (d != MLXC_UINT8 || sizes[z][1] < 11)
                    check_product(a, b, bound_of(d));
                mlxc_scope_free(c);
            }
}
END_TEST

START_TEST(test_matmul_batches)
{
    mlxc_dtype d = dtypes[_i];
    const int64_t sa[4] = { 3, 1, 4, 5 }, sb[3] = { 2, 5, 6 };
    mlxc_scope *c;
    ok(mlxc_scope_new(&c, NULL));
    double high = mlxc_dtype_is_integer(d) ? 3 : 1;
    mlxc_array *a = mlxc_scope_take(c, MLXC_OK, spread(d, sa, 4, 0, high, 1));
    mlxc_array *b = mlxc_scope_take(c, MLXC_OK, spread(d, sb, 3, 0, high, 2));
    mlxc_array *r = mlxe_matmul(c, a, b);
    ok(mlxc_scope_status(c));
    assert_shape(r, 4, (const int64_t[4]){ 3, 2, 4, 6 });
    double *va = values_of(a), *vb = values_of(b), *vr = values_of(r);
    double want[24];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) {
            naive(want, va + 20 * i, vb + 30 * j, 4, 5, 6);
            for (int k = 0; k < 24; k++)
                ck_assert(fabs(vr[(2 * i + j) * 24 + k] - want[k]) <=
                    bound_of(d) * 4);
        }
    free(va);
    free(vb);
    free(vr);
    /* transposed inside the batch, and the batch axis last in memory */
    mlxc_array *t = mlxe_matmul(c, mlxe_swapaxes(c, b, -1, -2),
        mlxe_swapaxes(c, a, -1, -2));
    assert_close(mlxe_swapaxes(c, t, -1, -2), r, bound_of(d));
    mlxc_array *inside = mlxe_moveaxis(c, mlxe_copy(c, mlxe_moveaxis(c, b, 0,
        -1)), -1, 0);
    assert_close(mlxe_matmul(c, a, mlxe_contiguous(c, inside, true)), r, 0);
    assert_close(mlxe_matmul(c, a, inside), r, 0);
    ok(mlxc_scope_status(c));
    mlxc_scope_free(c);
}
END_TEST

START_TEST(test_matmul_vectors)
{
    const double v[3] = { 1, 2, 3 }, w[6] = { 1, 2, 3, 4, 5, 6 };
    const int64_t s23[2] = { 2, 3 }, s32[2] = { 3, 2 };
    mlxc_scope *c;
    ok(mlxc_scope_new(&c, NULL));
    mlxc_array *x = mlxc_scope_take(c, MLXC_OK, vec(MLXC_FLOAT32, 3, v));
    mlxc_array *m = mlxc_scope_take(c, MLXC_OK, make(MLXC_FLOAT32, s23, 2,
        w));
    mlxc_array *n = mlxc_scope_take(c, MLXC_OK, make(MLXC_FLOAT32, s32, 2,
        w));
    const double dot[1] = { 14 }, mx[2] = { 14, 32 }, xn[2] = { 22, 28 };
    mlxc_array *r = mlxe_matmul(c, x, x);
    assert_shape(r, 0, NULL);
    assert_values(r, 1, dot, 0);
    assert_values(mlxe_matmul(c, m, x), 2, mx, 0);
    assert_values(mlxe_matmul(c, x, n), 2, xn, 0);
    /* a batch of matrices by a vector */
    const int64_t b[3] = { 2, 2, 3 };
    r = mlxe_matmul(c, mlxe_broadcast_to(c, m, b, 3), x);
    assert_shape(r, 2, (const int64_t[2]){ 2, 2 });
    const double twice[4] = { 14, 32, 14, 32 };
    assert_values(r, 4, twice, 0);
    ok(mlxc_scope_status(c));
    mlxc_array *bad;
    fails(mlxc_matmul(&bad, m, m, NULL), MLXC_ERR_SHAPE, "(2,3)");
    ck_assert_ptr_null(bad);
    mlxc_array *scalar = mlxe_scalar(c, 1, MLXC_FLOAT32);
    fails(mlxc_matmul(&bad, scalar, m, NULL), MLXC_ERR_SHAPE, "matmul");
    fails(mlxc_matmul(&bad, NULL, m, NULL), MLXC_ERR_ARGUMENT, "matmul");
    const int64_t b3[3] = { 3, 3, 2 };
    fails(mlxc_matmul(&bad, mlxe_broadcast_to(c, m, b, 3),
        mlxe_broadcast_to(c, n, b3, 3), NULL), MLXC_ERR_SHAPE, "broadcast");
    mlxc_scope_free(c);
}
END_TEST

/* Pitfall 34 and the rest of emptiness. */
START_TEST(test_matmul_empty)
{
    mlxc_dtype d = dtypes[_i];
    const int64_t s20[2] = { 2, 0 }, s02[2] = { 0, 2 }, s22[2] = { 2, 2 };
    const double zeros[4] = { 0, 0, 0, 0 }, twos[4] = { 2, 2, 2, 2 };
    mlxc_scope *c;
    ok(mlxc_scope_new(&c, NULL));
    mlxc_array *a = mlxe_zeros(c, s20, 2, d), *b = mlxe_zeros(c, s02, 2, d);
    mlxc_array *r = mlxe_matmul(c, a, b);
    assert_shape(r, 2, s22);
    assert_values(r, 4, zeros, 0);
    r = mlxe_matmul(c, b, a);
    ck_assert_int_eq(mlxc_array_size(r), 0);
    ok(mlxc_eval(&r, 1));
    r = mlxe_addmm(c, mlxe_ones(c, s22, 2, d), a, b, 3, 2);
    assert_values(r, 4, twos, 0);
    const int64_t s302[3] = { 3, 0, 2 }, s32[2] = { 3, 2 };
    r = mlxe_matmul(c, mlxe_zeros(c, s302, 3, d), mlxe_zeros(c, s22, 2, d));
    assert_shape(r, 3, s302);
    r = mlxe_matmul(c, mlxe_zeros(c, (const int64_t[3]){ 3, 2, 0 }, 3, d),
        mlxe_zeros(c, (const int64_t[1]){ 0 }, 1, d));
    assert_shape(r, 2, s32);
    assert_values(r, 6, (const double[6]){ 0, 0, 0, 0, 0, 0 }, 0);
    ok(mlxc_scope_status(c));
    mlxc_scope_free(c);
}
END_TEST

START_TEST(test_addmm)
{
    mlxc_dtype d = dtypes[_i];
    const int64_t sa[2] = { 4, 5 }, sb[2] = { 5, 3 }, sc[1] = { 3 };
    mlxc_scope *c;
    ok(mlxc_scope_new(&c, NULL));
    double high = mlxc_dtype_is_integer(d) ? 3 : 1;
    mlxc_array *a = mlxc_scope_take(c, MLXC_OK, spread(d, sa, 2, 0, high, 1));
    mlxc_array *b = mlxc_scope_take(c, MLXC_OK, spread(d, sb, 2, 0, high, 2));
    mlxc_array *add = mlxc_scope_take(c, MLXC_OK, spread(d, sc, 1, 0, high,
        3));
    double *va = values_of(a), *vb = values_of(b), *vc = values_of(add);
    double want[12];
    naive(want, va, vb, 4, 5, 3);
    for (int i = 0; i < 12; i++)
        want[i] = 2 * want[i] + 3 * vc[i % 3];
    assert_values(mlxe_addmm(c, add, a, b, 2, 3), 12, want, bound_of(d));
    /* the same as one batch of a larger rank */
    const int64_t sa3[3] = { 1, 4, 5 };
    assert_values(mlxe_addmm(c, add, mlxe_reshape(c, a, sa3, 3), b, 2, 3), 12,
        want, bound_of(d) * 2);
    ok(mlxc_scope_status(c));
    mlxc_array *bad;
    const int64_t big[3] = { 2, 4, 3 };
    fails(mlxc_addmm(&bad, mlxe_zeros(c, big, 3, d), a, b, 1, 1, NULL),
        MLXC_ERR_SHAPE, "broadcast");
    free(va);
    free(vb);
    free(vc);
    mlxc_scope_free(c);
}
END_TEST

START_TEST(test_addmm_beta_zero_reads_no_nan)
{
    const int64_t s[2] = { 2, 2 };
    const double two[4] = { 2, 2, 2, 2 };
    mlxc_scope *c;
    ok(mlxc_scope_new(&c, NULL));
    mlxc_array *one = mlxe_ones(c, s, 2, MLXC_FLOAT32);
    mlxc_array *nan = mlxe_full(c, s, 2, mlxe_scalar(c, NAN, MLXC_FLOAT32),
        MLXC_FLOAT32);
    assert_values(mlxe_addmm(c, nan, one, one, 1, 0), 4, two, 0);
    mlxc_scope_free(c);
}
END_TEST

START_TEST(test_matmul_complex)
{
    const mlxc_complex64 z[4] = { { 1, 2 }, { 3, -1 }, { 0, 1 }, { 2, 0 } };
    /* z z and z^T z, by hand */
    const mlxc_complex64 zz[4] = { { -2, 7 }, { 11, 3 }, { -2, 3 },
        { 5, 3 } };
    const mlxc_complex64 tz[4] = { { -4, 4 }, { 5, 7 }, { 5, 7 },
        { 12, -6 } };
    const int64_t s[2] = { 2, 2 };
    mlxc_array *a, *t, *r;
    mlxc_complex64 got[4];
    ok(mlxc_array_from_data(&a, z, s, 2, MLXC_COMPLEX64));
    ok(mlxc_matmul(&r, a, a, NULL));
    ok(mlxc_array_copy_out(r, got, sizeof got));
    for (int i = 0; i < 4; i++)
        ck_assert(got[i].re == zz[i].re && got[i].im == zz[i].im);
    mlxc_array_unref(r);
    ok(mlxc_transpose(&t, a, NULL, 0, NULL));
    ok(mlxc_matmul(&r, t, a, NULL));
    ok(mlxc_array_copy_out(r, got, sizeof got));
    for (int i = 0; i < 4; i++)
        ck_assert(got[i].re == tz[i].re && got[i].im == tz[i].im);
    mlxc_array_unref(r);
    mlxc_array_unref(t);
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_matmul_integers_wrap)
{
    const double v[2] = { 100, 100 }, want[1] = { 32 }; /* 20000 mod 256 */
    mlxc_array *a = vec(MLXC_INT8, 2, v), *r;
    ok(mlxc_matmul(&r, a, a, NULL));
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_INT8);
    assert_values(r, 1, want, 0);
    mlxc_array_unref(a);
    mlxc_array_unref(r);
}
END_TEST

START_TEST(test_vecdot)
{
    const mlxc_complex64 z[2] = { { 1, 2 }, { 3, -1 } };
    const int64_t two = 2;
    mlxc_array *a, *b, *r;
    mlxc_complex64 got;
    ok(mlxc_array_from_data(&a, z, &two, 1, MLXC_COMPLEX64));
    ok(mlxc_vecdot(&r, a, a, -1, NULL));
    ok(mlxc_array_item_complex64(&got, r));
    ck_assert(got.re == 15 && got.im == 0);
    mlxc_array_unref(a);
    mlxc_array_unref(r);
    const double v[6] = { 1, 2, 3, 4, 5, 6 }, want[2] = { 14, 77 };
    const int64_t s23[2] = { 2, 3 };
    a = make(MLXC_INT8, s23, 2, v);
    ok(mlxc_vecdot(&r, a, a, 1, NULL));
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_INT32);
    assert_values(r, 2, want, 0);
    mlxc_array_unref(r);
    b = vec(MLXC_INT8, 3, v);
    const double row[2] = { 14, 32 };
    ok(mlxc_vecdot(&r, a, b, -1, NULL));
    assert_values(r, 2, row, 0);
    mlxc_array_unref(r);
    fails(mlxc_vecdot(&r, a, b, 0, NULL), MLXC_ERR_SHAPE, "vecdot");
    ck_assert_ptr_null(r);
    mlxc_array_unref(a);
    mlxc_array_unref(b);
}
END_TEST

START_TEST(test_inner_outer)
{
    const double v[6] = { 1, 2, 3, 4, 5, 6 };
    const int64_t s23[2] = { 2, 3 };
    mlxc_scope *c;
    ok(mlxc_scope_new(&c, NULL));
    mlxc_array *a = mlxc_scope_take(c, MLXC_OK, make(MLXC_INT32, s23, 2, v));
    mlxc_array *x = mlxc_scope_take(c, MLXC_OK, vec(MLXC_INT32, 2, v));
    assert_values(mlxe_inner(c, a, a), 4, (const double[4]){ 14, 32, 32, 77 },
        0);
    mlxc_array *r = mlxe_outer(c, x, a);
    assert_shape(r, 2, (const int64_t[2]){ 2, 6 });
    assert_values(r, 12, (const double[12]){ 1, 2, 3, 4, 5, 6, 2, 4, 6, 8,
        10, 12 }, 0);
    assert_values(mlxe_inner(c, mlxe_scalar(c, 2, MLXC_INT32), x), 2,
        (const double[2]){ 2, 4 }, 0);
    mlxc_array *bad;
    fails(mlxc_inner(&bad, a, x, NULL), MLXC_ERR_SHAPE, "inner");
    mlxc_scope_free(c);
}
END_TEST

START_TEST(test_tensordot)
{
    const int64_t sa[3] = { 2, 3, 4 }, sb[3] = { 4, 3, 5 };
    const int aa[2] = { 1, -1 }, ab[2] = { 1, 0 };
    mlxc_scope *c;
    ok(mlxc_scope_new(&c, NULL));
    mlxc_array *a = mlxc_scope_take(c, MLXC_OK, spread(MLXC_FLOAT64, sa, 3,
        -1, 1, 1));
    mlxc_array *b = mlxc_scope_take(c, MLXC_OK, spread(MLXC_FLOAT64, sb, 3,
        -1, 1, 2));
    double *x = values_of(a), *y = values_of(b), want[10] = { 0 };
    for (int i = 0; i < 2; i++)
        for (int l = 0; l < 5; l++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 4; k++)
                    want[i * 5 + l] += x[(i * 3 + j) * 4 + k] *
                        y[(k * 3 + j) * 5 + l];
    mlxc_array *r = mlxe_tensordot(c, a, b, aa, ab, 2);
    assert_shape(r, 2, (const int64_t[2]){ 2, 5 });
    assert_values(r, 10, want, 1e-14);
    /* the last two of a with the first two of b */
    mlxc_array *bt = mlxe_swapaxes(c, b, 0, 1);
    assert_values(mlxe_tensordot(c, a, bt, NULL, NULL, 2), 10, want, 1e-14);
    r = mlxe_tensordot(c, a, b, NULL, NULL, 0);
    assert_shape(r, 6, (const int64_t[6]){ 2, 3, 4, 4, 3, 5 });
    assert_close(mlxe_flatten(c, r, 0, -1), mlxe_flatten(c, mlxe_outer(c, a,
        b), 0, -1), 0);
    ok(mlxc_scope_status(c));
    mlxc_array *bad;
    fails(mlxc_tensordot(&bad, a, b, NULL, NULL, 2, NULL), MLXC_ERR_SHAPE,
        "tensordot");
    fails(mlxc_tensordot(&bad, a, b, NULL, NULL, 4, NULL),
        MLXC_ERR_ARGUMENT, "4 axes");
    fails(mlxc_tensordot(&bad, a, b, (const int[2]){ 1, 1 }, ab, 2, NULL),
        MLXC_ERR_ARGUMENT, "twice");
    fails(mlxc_tensordot(&bad, a, b, (const int[2]){ 1, 3 }, ab, 2, NULL),
        MLXC_ERR_INDEX, "axis 3");
    free(x);
    free(y);
    mlxc_scope_free(c);
}
END_TEST

START_TEST(test_kron_trace)
{
    const double v[4] = { 1, 2, 3, 4 }, w[2] = { 1, 10 };
    const int64_t s22[2] = { 2, 2 };
    mlxc_scope *c;
    ok(mlxc_scope_new(&c, NULL));
    mlxc_array *a = mlxc_scope_take(c, MLXC_OK, make(MLXC_INT8, s22, 2, v));
    mlxc_array *b = mlxc_scope_take(c, MLXC_OK, vec(MLXC_INT8, 2, w));
    mlxc_array *r = mlxe_kron(c, a, b);
    assert_shape(r, 2, (const int64_t[2]){ 2, 4 });
    assert_values(r, 8, (const double[8]){ 1, 10, 2, 20, 3, 30, 4, 40 }, 0);
    r = mlxe_kron(c, b, a);
    assert_shape(r, 2, (const int64_t[2]){ 2, 4 });
    assert_values(r, 8, (const double[8]){ 1, 2, 10, 20, 3, 4, 30, 40 }, 0);
    r = mlxe_kron(c, a, mlxe_zeros(c, (const int64_t[1]){ 0 }, 1,
        MLXC_INT8));
    assert_shape(r, 2, (const int64_t[2]){ 2, 0 });
    r = mlxe_trace(c, a, 0, 0, 1);
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_INT32);
    assert_values(r, 1, (const double[1]){ 5 }, 0);
    assert_values(mlxe_trace(c, a, 1, 0, 1), 1, (const double[1]){ 2 }, 0);
    assert_values(mlxe_trace(c, a, -1, 0, 1), 1, (const double[1]){ 3 }, 0);
    assert_values(mlxe_trace(c, a, 5, 0, 1), 1, (const double[1]){ 0 }, 0);
    ok(mlxc_scope_status(c));
    mlxc_array *bad;
    fails(mlxc_trace(&bad, b, 0, 0, 1, NULL), MLXC_ERR_SHAPE, "trace");
    mlxc_scope_free(c);
}
END_TEST

/* ---- einsum: every case against a loop over all labels ---- */

struct form {
    const char *text;
    int n;
    int ndim[4];
    int64_t shape[4][4];
};

static const struct form forms[] = {
    { "ij,jk->ik", 2, { 2, 2 }, { { 2, 3 }, { 3, 4 } } },
    { "ij,jk", 2, { 2, 2 }, { { 2, 3 }, { 3, 4 } } },
    { "ji,jk->ki", 2, { 2, 2 }, { { 3, 2 }, { 3, 4 } } },
    { "bij,bjk->bik", 2, { 3, 3 }, { { 2, 3, 4 }, { 2, 4, 5 } } },
    { "bij,bjk->bik", 2, { 3, 3 }, { { 1, 3, 4 }, { 2, 4, 5 } } },
    { "bij,bjk->bik", 2, { 3, 3 }, { { 2, 3, 1 }, { 1, 4, 5 } } },
    { "bhqd,bhkd->bhqk", 2, { 4, 4 }, { { 2, 3, 4, 2 }, { 2, 3, 5, 2 } } },
    { "ii->", 1, { 2 }, { { 3, 3 } } },
    { "ii->i", 1, { 2 }, { { 3, 3 } } },
    { "ii", 1, { 2 }, { { 3, 3 } } },
    { "iij->j", 1, { 3 }, { { 3, 3, 2 } } },
    { "iii->i", 1, { 3 }, { { 3, 3, 3 } } },
    { "ij->ji", 1, { 2 }, { { 2, 3 } } },
    { "ba", 1, { 2 }, { { 2, 3 } } },
    { "bA", 1, { 2 }, { { 2, 3 } } },
    { "ij->", 1, { 2 }, { { 2, 3 } } },
    { "i,i->", 2, { 1, 1 }, { { 4 }, { 4 } } },
    { "i,i->i", 2, { 1, 1 }, { { 4 }, { 4 } } },
    { "i,j->ij", 2, { 1, 1 }, { { 4 }, { 3 } } },
    { "i,j->ji", 2, { 1, 1 }, { { 4 }, { 3 } } },
    { "bi,bi->b", 2, { 2, 2 }, { { 4, 3 }, { 4, 3 } } },
    { "ij,j->ij", 2, { 2, 1 }, { { 4, 3 }, { 3 } } },
    { "ij,ik->jk", 2, { 2, 2 }, { { 4, 3 }, { 4, 1 } } },
    { "ij,k->jk", 2, { 2, 1 }, { { 4, 3 }, { 2 } } },
    { "i,->i", 2, { 1, 0 }, { { 4 }, { 0 } } },
    { ",->", 2, { 0, 0 }, { { 0 }, { 0 } } },
    { "", 1, { 0 }, { { 0 } } },
    { " i j , j k -> i k ", 2, { 2, 2 }, { { 2, 3 }, { 3, 4 } } },
    { "...ij,...jk->...ik", 2, { 4, 3 }, { { 2, 1, 3, 4 }, { 5, 4, 2 } } },
    { "...ij,...jk", 2, { 2, 3 }, { { 3, 4 }, { 5, 4, 2 } } },
    { "...i->...", 1, { 3 }, { { 2, 3, 4 } } },
    { "i...->i", 1, { 3 }, { { 2, 3, 4 } } },
    { "...,...", 2, { 2, 1 }, { { 2, 3 }, { 3 } } },
    { "ij,jk,kl->il", 3, { 2, 2, 2 }, { { 2, 3 }, { 3, 4 }, { 4, 5 } } },
    { "i,j,k->ijk", 3, { 1, 1, 1 }, { { 2 }, { 3 }, { 4 } } },
    { "ij,ij,ij->", 3, { 2, 2, 2 }, { { 2, 3 }, { 2, 3 }, { 2, 3 } } },
    { "ij,jk,ki->", 3, { 2, 2, 2 }, { { 2, 3 }, { 3, 4 }, { 4, 2 } } },
    { "ea,fb,abcd,gc->efgd", 4, { 2, 2, 4, 2 }, { { 2, 3 }, { 3, 2 },
        { 3, 2, 4, 2 }, { 2, 4 } } },
    { "ijij->ij", 1, { 4 }, { { 2, 3, 2, 3 } } },
    { "ij,jk->ik", 2, { 2, 2 }, { { 2, 0 }, { 0, 4 } } },
    { "ij->j", 1, { 2 }, { { 0, 3 } } },
    { "ij,ij->ij", 2, { 2, 2 }, { { 1, 3 }, { 2, 1 } } },
    { "ij,ij->", 2, { 2, 2 }, { { 1, 3 }, { 2, 3 } } },
};
#define NFORMS ((int)(sizeof forms / sizeof *forms))

/* Dimensions of "..." as labels 0x100 on, aligned at the end. */
static int labels_of(int *label, const char *s, const char *end, int ndim)
{
    int n = 0, letters = 0;
    for (const char *p = s; p < end; p++)
        letters += *p != '.' && *p != ' ';
    for (; s < end; s++)
        if (*s == '.') {
            for (int i = ndim - letters; i > 0; i--)
                label[n++] = 0x100 + i;
            s += 2;
        } else if (*s != ' ') {
            label[n++] = *s;
        }
    return n;
}

static double *by_definition(const struct form *f, mlxc_array *const *in,
    mlxc_array *out)
{
    int label[4][8], n[4], out_label[16], nout, all[32], nall = 0;
    int count[512] = { 0 };
    int64_t size[512], at[512] = { 0 };
    double *v[4];
    const char *s = f->text, *arrow = strstr(s, "->");
    const char *end = arrow ? arrow : s + strlen(s);
    int width = 0;
    for (int i = 0; i < 512; i++)
        size[i] = 1;
    for (int i = 0; i < f->n; i++) {
        const char *stop = s;
        while (stop < end && *stop != ',')
            stop++;
        n[i] = labels_of(label[i], s, stop, f->ndim[i]);
        for (int j = 0; j < n[i]; j++) {
            int l = label[i][j];
            if (!count[l]++)
                all[nall++] = l;
            if (f->shape[i][j] != 1)
                size[l] = f->shape[i][j];
            if (l >= 0x100 && l - 0x100 > width)
                width = l - 0x100;
        }
        v[i] = values_of(in[i]);
        s = stop + 1;
    }
    if (arrow) {
        int letters = 0;
        for (const char *p = arrow + 2; *p; p++)
            letters += *p != '.' && *p != ' ';
        nout = labels_of(out_label, arrow + 2, arrow + strlen(arrow),
            letters + width);
    } else {
        nout = 0;
        for (int i = width; i > 0; i--)
            out_label[nout++] = 0x100 + i;
        for (int l = 'A'; l <= 'z'; l++)
            if (count[l] == 1)
                out_label[nout++] = l;
    }
    ck_assert_int_eq(mlxc_array_ndim(out), nout);
    int64_t total = 1;
    for (int i = 0; i < nout; i++) {
        ck_assert_int_eq(mlxc_array_dim(out, i), size[out_label[i]]);
        total *= size[out_label[i]];
    }
    double *want = calloc((size_t)total + 1, sizeof *want);
    for (int done = 0; !done;) {
        double product = 1;
        int64_t o = 0, some = 1;
        for (int i = 0; i < nall; i++)
            some = some && size[all[i]];
        if (!some)
            break;
        for (int i = 0; i < f->n; i++) {
            int64_t p = 0;
            for (int j = 0; j < n[i]; j++)
                p = p * f->shape[i][j] +
                    (f->shape[i][j] == 1 ? 0 : at[label[i][j]]);
            product *= v[i][p];
        }
        for (int i = 0; i < nout; i++)
            o = o * size[out_label[i]] + at[out_label[i]];
        want[o] += product;
        done = 1;
        for (int i = 0; i < nall && done; i++)
            if (++at[all[i]] < size[all[i]])
                done = 0;
            else
                at[all[i]] = 0;
    }
    for (int i = 0; i < f->n; i++)
        free(v[i]);
    return want;
}

START_TEST(test_einsum_forms)
{
    const struct form *f = &forms[_i];
    static const mlxc_dtype d[4] = { MLXC_FLOAT64, MLXC_FLOAT32, MLXC_INT32,
        MLXC_COMPLEX64 };
    for (int k = 0; k < 4; k++) {
        mlxc_array *in[4], *r;
        for (int i = 0; i < f->n; i++)
            in[i] = spread(d[k], f->shape[i], f->ndim[i], -5, 5,
                (unsigned)i + 1);
        ok(mlxc_einsum(&r, f->text, in, f->n, NULL));
        double *want = by_definition(f, in, r);
        assert_values(r, (int)mlxc_array_size(r), want,
            d[k] == MLXC_FLOAT64 ? 1e-12 : 1e-4);
        free(want);
        mlxc_array_unref(r);
        for (int i = 0; i < f->n; i++)
            mlxc_array_unref(in[i]);
    }
}
END_TEST

START_TEST(test_einsum_widens_sums)
{
    const int64_t s[2] = { 2, 2 };
    const double v[4] = { 100, 100, 100, 100 };
    mlxc_array *a = make(MLXC_INT8, s, 2, v), *in[2] = { a, a }, *r;
    ok(mlxc_einsum(&r, "ij,jk->ik", in, 2, NULL));
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_INT32);
    assert_values(r, 4, (const double[4]){ 20000, 20000, 20000, 20000 }, 0);
    mlxc_array_unref(r);
    ok(mlxc_einsum(&r, "ij->ji", in, 1, NULL));
    ck_assert_int_eq(mlxc_array_dtype(r), MLXC_INT8);
    mlxc_array_unref(r);
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_einsum_errors)
{
    const int64_t s[2] = { 2, 3 };
    mlxc_array *a = spread(MLXC_FLOAT32, s, 2, 0, 1, 1), *r;
    mlxc_array *in[2] = { a, a }, *holes[2] = { a, NULL };
    static const struct {
        const char *text;
        int n;
        mlxc_status status;
        const char *message;
    } bad[] = {
        { "ij,jk->ik", 2, MLXC_ERR_SHAPE, "'j' is both" },
        { "ij", 2, MLXC_ERR_ARGUMENT, "1 terms for 2" },
        { "ij,ij,ij", 2, MLXC_ERR_ARGUMENT, "3 terms for 2" },
        { "i", 1, MLXC_ERR_SHAPE, "rank 2" },
        { "ijk...", 1, MLXC_ERR_SHAPE, "rank 2" },
        { "i1", 1, MLXC_ERR_ARGUMENT, "1" },
        { "i..", 1, MLXC_ERR_ARGUMENT, ".." },
        { "......", 1, MLXC_ERR_ARGUMENT, "..." },
        { "ij->k", 1, MLXC_ERR_ARGUMENT, "in no operand" },
        { "ij->ii", 1, MLXC_ERR_ARGUMENT, "twice" },
        { "ij->i->j", 1, MLXC_ERR_ARGUMENT, "->j" },
        { "ij->i,j", 1, MLXC_ERR_ARGUMENT, ",j" },
        { "ii->i", 1, MLXC_ERR_SHAPE, "'i' is both" },
        { NULL, 1, MLXC_ERR_ARGUMENT, "missing" },
        { "ij", 0, MLXC_ERR_ARGUMENT, "missing" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        r = a;
        fails(mlxc_einsum(&r, bad[i].text, in, bad[i].n, NULL),
            bad[i].status, bad[i].message);
        ck_assert_ptr_null(r);
    }
    fails(mlxc_einsum(&r, "ij,ij", holes, 2, NULL), MLXC_ERR_ARGUMENT,
        "einsum");
    mlxc_array_unref(a);
}
END_TEST

START_TEST(test_einsum_path)
{
    const int64_t s[3][2] = { { 2, 3 }, { 3, 4 }, { 4, 5 } };
    mlxc_array *in[3];
    char *text;
    for (int i = 0; i < 3; i++)
        in[i] = spread(MLXC_FLOAT32, s[i], 2, 0, 1, 1);
    ok(mlxc_einsum_path(&text, "ij,jk,kl->il", in, 3));
    ck_assert_str_eq(text, "path: [1,2],[0,1]\n"
        "contraction: ij,jk,kl->il\nnaive scaling: 4\n"
        "optimised scaling: 3\nnaive flops: 360\noptimised flops: 180\n");
    mlxc_free(text);
    fails(mlxc_einsum_path(&text, "ij", in, 3), MLXC_ERR_ARGUMENT, "terms");
    ck_assert_ptr_null(text);
    for (int i = 0; i < 3; i++)
        mlxc_array_unref(in[i]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("matmul");
    TCase *t = tcase_create("products");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, test_matmul_layouts, 0, NDTYPES);
    tcase_add_loop_test(t, test_matmul_batches, 0, NDTYPES);
    tcase_add_test(t, test_matmul_vectors);
    tcase_add_loop_test(t, test_matmul_empty, 0, NDTYPES);
    tcase_add_loop_test(t, test_addmm, 0, NDTYPES);
    tcase_add_test(t, test_addmm_beta_zero_reads_no_nan);
    tcase_add_test(t, test_matmul_complex);
    tcase_add_test(t, test_matmul_integers_wrap);
    tcase_add_test(t, test_vecdot);
    tcase_add_test(t, test_inner_outer);
    tcase_add_test(t, test_tensordot);
    tcase_add_test(t, test_kron_trace);
    tcase_add_loop_test(t, test_einsum_forms, 0, NFORMS);
    tcase_add_test(t, test_einsum_widens_sums);
    tcase_add_test(t, test_einsum_errors);
    tcase_add_test(t, test_einsum_path);
    suite_add_tcase(s, t);
    return run_suite(s);
}
