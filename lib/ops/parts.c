/* SPDX-License-Identifier: MIT */
/* Products of chosen matrices, of ranges of the inner dimension, and of
   blocks that masks keep, drop or scale; composed. */
#include <string.h>

#include <mlxc/expr.h>

#include "core/scope.h"
#include "core/shape.h"
#include "ops/infer.h"

static mlxc_status finish(mlxc_array **out, mlxc_scope *c, mlxc_array *a)
{
    mlxc_status status = mlxc_scope_export(out, c, a);
    mlxc_scope_free(c);
    return status;
}

/* Inner lengths, which are checked here so that errors name the function. */
static mlxc_status check_inner(const char *op, mlxc_array *a, mlxc_array *b,
    int least)
{
    char ta[MX_SHAPE_TEXT], tb[MX_SHAPE_TEXT];
    if (a->ndim < least || b->ndim < least ||
        a->shape[a->ndim - 1] != b->shape[b->ndim > 1 ? b->ndim - 2 : 0])
        return mx_error(MLXC_ERR_SHAPE, "%s: shapes %s and %s do not fit",
            op, mx_shape_text(ta, a->shape, a->ndim),
            mx_shape_text(tb, b->shape, b->ndim));
    return MLXC_OK;
}

/* ---- gather_mm ---- */

/* All matrices of `a` in one row, the chosen ones in the shape of `index`;
   without an index, `a` itself. */
static mlxc_array *chosen(mlxc_scope *c, mlxc_array *a, mlxc_array *index)
{
    if (!index || !a)
        return a;
    const int64_t flat[3] = { mx_shape_product(a->shape, a->ndim - 2),
        a->shape[a->ndim - 2], a->shape[a->ndim - 1] };
    return mlxe_take(c, mlxe_reshape(c, a, flat, 3), index, 0);
}

mlxc_status mlxc_gather_mm(mlxc_array **out, mlxc_array *a, mlxc_array *b,
    mlxc_array *lhs, mlxc_array *rhs, bool sorted, mlxc_stream *s)
{
    mlxc_scope *c;
    mlxc_array *in[2] = { a, b };
    const int row = -2, column = -1, first = 0, second = 1;
    (void)sorted;
    MX_TRY(mx_check("gather_mm", out, in, 2));
    MX_TRY(check_inner("gather_mm", a, b, 1));
    if (lhs)
        MX_TRY(mx_check_kinds("gather_mm", lhs, MX_KIND_INT | MX_KIND_UINT));
    if (rhs)
        MX_TRY(mx_check_kinds("gather_mm", rhs, MX_KIND_INT | MX_KIND_UINT));
    MX_TRY(mlxc_scope_new(&c, s));
    int na = a->ndim, nb = b->ndim;
    a = na == 1 ? mlxe_expand_dims(c, a, &first, 1) : a;
    b = nb == 1 ? mlxe_expand_dims(c, b, &second, 1) : b;
    mlxc_array *r = mlxe_matmul(c, chosen(c, a, lhs), chosen(c, b, rhs));
    if (na == 1)
        r = mlxe_squeeze(c, r, &row, 1);
    if (nb == 1)
        r = mlxe_squeeze(c, r, &column, 1);
    return finish(out, c, r);
}

/* ---- segmented_mm ---- */

/* Column `i` of (..., 2), kept. */
static mlxc_array *bound(mlxc_scope *c, mlxc_array *a, int i)
{
    mlxc_array *at = mlxe_scalar(c, i, MLXC_INT32);
    const int last = -1;
    return mlxe_expand_dims(c, mlxe_take(c, a, at, -1), &last, 1);
}

/* Zeros hide what lies outside of a range in both operands, so that neither
   an infinity nor NaN there shows. */
mlxc_status mlxc_segmented_mm(mlxc_array **out, mlxc_array *a, mlxc_array *b,
    mlxc_array *segments, mlxc_stream *s)
{
    mlxc_scope *c;
    mlxc_array *in[3] = { a, b, segments };
    char text[MX_SHAPE_TEXT];
    const int row = -2, last = -1;
    MX_TRY(mx_check("segmented_mm", out, in, 3));
    MX_TRY(check_inner("segmented_mm", a, b, 2));
    if (a->ndim != 2 || b->ndim != 2)
        return mx_error(MLXC_ERR_SHAPE,
            "segmented_mm: %d and %d dimensions, not 2", a->ndim, b->ndim);
    MX_TRY(mx_check_kinds("segmented_mm", segments,
        MX_KIND_INT | MX_KIND_UINT));
    int n = segments->ndim;
    if (n == 0 || segments->shape[n - 1] != 2)
        return mx_error(MLXC_ERR_SHAPE,
            "segmented_mm: segments of shape %s, not pairs",
            mx_shape_text(text, segments->shape, n));
    MX_TRY(mlxc_scope_new(&c, s));
    int64_t k = a->shape[1];
    if (segments->dtype == MLXC_UINT64) /* would wrap as int64 */
        segments = mlxe_minimum(c, segments, mlxe_scalar(c, (double)k,
            MLXC_UINT64));
    segments = mlxe_astype(c, segments, MLXC_INT64);
    mlxc_array *at = mlxe_arange(c, 0, (double)k, 1, MLXC_INT64);
    mlxc_array *inside = mlxe_logical_and(c,
        mlxe_greater_equal(c, at, bound(c, segments, 0)),
        mlxe_less(c, at, bound(c, segments, 1)));
    mlxc_array *left = mlxe_where(c, mlxe_expand_dims(c, inside, &row, 1), a,
        mlxe_constant(c, 0, a));
    mlxc_array *right = mlxe_where(c, mlxe_expand_dims(c, inside, &last, 1),
        b, mlxe_constant(c, 0, b));
    return finish(out, c, mlxe_matmul(c, left, right));
}

/* ---- block_masked_mm ---- */

static int64_t blocks(int64_t n, int64_t size)
{
    return n / size + (n % size != 0);
}

/* One entry of the mask for each element of the last two axes of `a`, whose
   lengths are rows and columns. */
static mlxc_array *enlarged(mlxc_scope *c, mlxc_array *mask, int64_t size,
    int64_t rows, int64_t columns)
{
    struct mx_ints l;
    int n = mask->ndim;
    int64_t *v = mx_ints_init(&l, "block_masked_mm", 2 * n);
    if (!v) {
        mx_scope_fail(c, MLXC_ERR_NOMEM);
        return NULL;
    }
    mask = mlxe_repeat(c, mlxe_repeat(c, mask, size, -2), size, -1);
    if (mask) {
        memcpy(v, mask->shape, (size_t)n * sizeof *v);
        memset(v + n, 0, (size_t)n * sizeof *v);
        v[n - 2] = rows;
        v[n - 1] = columns;
        mask = mlxe_slice(c, mask, v + n, v, NULL, n);
    }
    mx_ints_free(&l);
    return mask;
}

/* `a` with the blocks dropped where a bool mask is false, or scaled. */
static mlxc_array *masked(mlxc_scope *c, mlxc_array *a, mlxc_array *mask,
    int64_t size)
{
    char text[MX_SHAPE_TEXT];
    if (!mask || !a)
        return a;
    int64_t rows = a->shape[a->ndim - 2], columns = a->shape[a->ndim - 1];
    int n = mask->ndim;
    if (n < 2 || mask->shape[n - 2] != blocks(rows, size) ||
        mask->shape[n - 1] != blocks(columns, size)) {
        mx_scope_fail(c, mx_error(MLXC_ERR_SHAPE, "block_masked_mm: a mask "
            "of shape %s for %lld by %lld blocks",
            mx_shape_text(text, mask->shape, n),
            (long long)blocks(rows, size),
            (long long)blocks(columns, size)));
        return NULL;
    }
    int keep = mask->dtype == MLXC_BOOL;
    mask = enlarged(c, mask, size, rows, columns);
    if (keep)
        return mlxe_where(c, mask, a, mlxe_constant(c, 0, a));
    return mlxe_multiply(c, a, mlxe_astype(c, mask, (mlxc_dtype)a->dtype));
}

mlxc_status mlxc_block_masked_mm(mlxc_array **out, mlxc_array *a,
    mlxc_array *b, int block_size, mlxc_array *mask_out,
    mlxc_array *mask_lhs, mlxc_array *mask_rhs, mlxc_stream *s)
{
    mlxc_scope *c;
    mlxc_array *in[2] = { a, b };
    MX_TRY(mx_check("block_masked_mm", out, in, 2));
    MX_TRY(check_inner("block_masked_mm", a, b, 2));
    if (block_size < 1)
        return mx_error(MLXC_ERR_ARGUMENT,
            "block_masked_mm: blocks of %d", block_size);
    MX_TRY(mlxc_scope_new(&c, s));
    mlxc_dtype d = mx_dtype_promote((mlxc_dtype)a->dtype,
        (mlxc_dtype)b->dtype);
    a = masked(c, mlxe_astype(c, a, d), mask_lhs, block_size);
    b = masked(c, mlxe_astype(c, b, d), mask_rhs, block_size);
    return finish(out, c, masked(c, mlxe_matmul(c, a, b), mask_out,
        block_size));
}
