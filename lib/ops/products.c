/* SPDX-License-Identifier: MIT */
/* Products composed of matmul, multiply and sum: inner, outer, vecdot,
   tensordot, kron, trace. */
#include <string.h>

#include <mlxc/expr.h>

#include "core/scope.h"
#include "core/shape.h"
#include "ops/infer.h"
#include "util/alloc.h"

static mlxc_status finish(mlxc_array **out, mlxc_scope *c, mlxc_array *a)
{
    mlxc_status status = mlxc_scope_export(out, c, a);
    mlxc_scope_free(c);
    return status;
}

mlxc_status mlxc_outer(mlxc_array **out, mlxc_array *a, mlxc_array *b,
    mlxc_stream *s)
{
    mlxc_scope *c;
    mlxc_array *in[2] = { a, b };
    MX_TRY(mx_check("outer", out, in, 2));
    MX_TRY(mlxc_scope_new(&c, s));
    const int64_t column[2] = { a->size, 1 }, row[2] = { 1, b->size };
    return finish(out, c, mlxe_multiply(c, mlxe_reshape(c, a, column, 2),
        mlxe_reshape(c, b, row, 2)));
}

/* Sum over the last `k` elements of rows of `a` and of `b`, as (M, N), then
   the dimensions of both in front of them. */
static mlxc_array *rows_by_rows(mlxc_scope *c, mlxc_array *a, int fa,
    mlxc_array *b, int fb)
{
    struct mx_ints l;
    if (!a || !b)
        return NULL;
    int64_t *shape = mx_ints_init(&l, "tensordot", fa + fb);
    if (!shape) {
        mx_scope_fail(c, MLXC_ERR_NOMEM);
        return NULL;
    }
    memcpy(shape, a->shape, (size_t)fa * sizeof *shape);
    memcpy(shape + fa, b->shape, (size_t)fb * sizeof *shape);
    int64_t k = mx_shape_product(a->shape + fa, a->ndim - fa);
    const int64_t ra[2] = { mx_shape_product(shape, fa), k };
    const int64_t rb[2] = { mx_shape_product(shape + fa, fb), k };
    mlxc_array *r = mlxe_matmul(c, mlxe_reshape(c, a, ra, 2),
        mx_swap_last(c, mlxe_reshape(c, b, rb, 2)));
    r = r ? mlxe_reshape(c, r, shape, fa + fb) : NULL;
    mx_ints_free(&l);
    return r;
}

mlxc_status mlxc_inner(mlxc_array **out, mlxc_array *a, mlxc_array *b,
    mlxc_stream *s)
{
    mlxc_scope *c;
    mlxc_array *in[2] = { a, b };
    char ta[MX_SHAPE_TEXT], tb[MX_SHAPE_TEXT];
    MX_TRY(mx_check("inner", out, in, 2));
    if (a->ndim == 0 || b->ndim == 0)
        return mlxc_multiply(out, a, b, s);
    if (a->shape[a->ndim - 1] != b->shape[b->ndim - 1])
        return mx_error(MLXC_ERR_SHAPE,
            "inner: the last dimensions of %s and %s differ",
            mx_shape_text(ta, a->shape, a->ndim),
            mx_shape_text(tb, b->shape, b->ndim));
    MX_TRY(mlxc_scope_new(&c, s));
    return finish(out, c, rows_by_rows(c, a, a->ndim - 1, b, b->ndim - 1));
}

mlxc_status mlxc_vecdot(mlxc_array **out, mlxc_array *a, mlxc_array *b,
    int axis, mlxc_stream *s)
{
    mlxc_scope *c;
    mlxc_array *in[2] = { a, b };
    char ta[MX_SHAPE_TEXT], tb[MX_SHAPE_TEXT];
    int i, j;
    MX_TRY(mx_check("vecdot", out, in, 2));
    MX_TRY(mx_axis(&i, "vecdot", axis, a->ndim));
    MX_TRY(mx_axis(&j, "vecdot", axis, b->ndim));
    const int back = i - a->ndim;
    if (back != j - b->ndim || a->shape[i] != b->shape[j])
        return mx_error(MLXC_ERR_SHAPE,
            "vecdot: axis %d of %s and %s does not fit", axis,
            mx_shape_text(ta, a->shape, a->ndim),
            mx_shape_text(tb, b->shape, b->ndim));
    MX_TRY(mlxc_scope_new(&c, s));
    return finish(out, c, mlxe_sum(c, mlxe_multiply(c,
        mlxe_conjugate(c, a), b), &back, 1, false));
}

/* The axes of `a` to contract (NULL: the first), in order, behind the
   others. */
static mlxc_array *contracted_last(mlxc_scope *c, mlxc_array *a,
    const int *axes, int naxes)
{
    mlxc_array *r = NULL;
    int *order = mx_alloc_zero(2 * (size_t)a->ndim * sizeof *order);
    if (!order) {
        mx_scope_fail(c, mx_error(MLXC_ERR_NOMEM, "tensordot: no memory"));
        return NULL;
    }
    int *taken = order + a->ndim, n = 0, axis;
    for (int i = 0; i < naxes; i++) {
        mlxc_status status = mx_axis(&axis, "tensordot",
            axes ? axes[i] : i, a->ndim);
        if (!status && taken[axis])
            status = mx_error(MLXC_ERR_ARGUMENT, "tensordot: axis %d twice",
                axes ? axes[i] : i);
        if (status) {
            mx_scope_fail(c, status);
            goto done;
        }
        taken[axis] = 1;
        order[a->ndim - naxes + i] = axis;
    }
    for (int i = 0; i < a->ndim; i++)
        if (!taken[i])
            order[n++] = i;
    r = mlxe_transpose(c, a, order, a->ndim);
done:
    mx_free(order);
    return r;
}

mlxc_status mlxc_tensordot(mlxc_array **out, mlxc_array *a, mlxc_array *b,
    const int *axes_a, const int *axes_b, int naxes, mlxc_stream *s)
{
    mlxc_scope *c;
    mlxc_array *in[2] = { a, b };
    char ta[MX_SHAPE_TEXT], tb[MX_SHAPE_TEXT];
    MX_TRY(mx_check("tensordot", out, in, 2));
    if (naxes < 0 || naxes > a->ndim || naxes > b->ndim ||
        (naxes > 0 && !axes_a != !axes_b))
        return mx_error(MLXC_ERR_ARGUMENT,
            "tensordot: %d axes of %s and %s", naxes,
            mx_shape_text(ta, a->shape, a->ndim),
            mx_shape_text(tb, b->shape, b->ndim));
    if (naxes == 0) {
        /* all pairs */
        struct mx_ints l;
        int64_t *shape = mx_ints_init(&l, "tensordot", a->ndim + b->ndim);
        if (!shape)
            return MLXC_ERR_NOMEM;
        memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
        for (int i = 0; i < b->ndim; i++)
            shape[a->ndim + i] = 1;
        mlxc_status status = mlxc_scope_new(&c, s);
        if (!status)
            status = finish(out, c, mlxe_multiply(c, mlxe_reshape(c, a,
                shape, a->ndim + b->ndim), b));
        mx_ints_free(&l);
        return status;
    }
    MX_TRY(mlxc_scope_new(&c, s));
    /* without lists: the last of a with the first of b */
    mlxc_array *x = axes_a ? contracted_last(c, a, axes_a, naxes) : a;
    mlxc_array *y = contracted_last(c, b, axes_b, naxes);
    if (x && y && memcmp(x->shape + x->ndim - naxes,
        y->shape + y->ndim - naxes, (size_t)naxes * sizeof *x->shape) != 0) {
        mx_scope_fail(c, mx_error(MLXC_ERR_SHAPE,
            "tensordot: the contracted dimensions of %s and %s differ",
            mx_shape_text(ta, a->shape, a->ndim),
            mx_shape_text(tb, b->shape, b->ndim)));
        x = NULL;
    }
    return finish(out, c, x && y ? rows_by_rows(c, x, x->ndim - naxes, y,
        y->ndim - naxes) : NULL);
}

mlxc_status mlxc_kron(mlxc_array **out, mlxc_array *a, mlxc_array *b,
    mlxc_stream *s)
{
    mlxc_scope *c;
    mlxc_array *in[2] = { a, b };
    struct mx_ints l;
    MX_TRY(mx_check("kron", out, in, 2));
    int n = a->ndim > b->ndim ? a->ndim : b->ndim;
    int64_t *shape = mx_ints_init(&l, "kron", 5 * n);
    if (!shape)
        return MLXC_ERR_NOMEM;
    /* (a0, 1, a1, 1, ...) by (1, b0, 1, b1, ...) */
    int64_t *sa = shape + n, *sb = sa + 2 * n;
    for (int i = 0; i < n; i++) {
        int ia = i - (n - a->ndim), ib = i - (n - b->ndim);
        sa[2 * i] = ia < 0 ? 1 : a->shape[ia];
        sa[2 * i + 1] = 1;
        sb[2 * i] = 1;
        sb[2 * i + 1] = ib < 0 ? 1 : b->shape[ib];
        if (__builtin_mul_overflow(sa[2 * i], sb[2 * i + 1], &shape[i])) {
            mx_ints_free(&l);
            return mx_error(MLXC_ERR_SHAPE,
                "kron: dimension %d is too large", i);
        }
    }
    mlxc_status status = mlxc_scope_new(&c, s);
    if (!status) {
        mlxc_array *r = mlxe_multiply(c, mlxe_reshape(c, a, sa, 2 * n),
            mlxe_reshape(c, b, sb, 2 * n));
        status = finish(out, c, r ? mlxe_reshape(c, r, shape, n) : NULL);
    }
    mx_ints_free(&l);
    return status;
}

mlxc_status mlxc_trace(mlxc_array **out, mlxc_array *a, int64_t offset,
    int axis1, int axis2, mlxc_stream *s)
{
    mlxc_scope *c;
    const int last = -1;
    int i, j;
    MX_TRY(mx_check("trace", out, &a, 1));
    if (a->ndim < 2)
        return mx_error(MLXC_ERR_SHAPE, "trace: %d dimensions are too few",
            a->ndim);
    MX_TRY(mx_axis(&i, "trace", axis1, a->ndim));
    MX_TRY(mx_axis(&j, "trace", axis2, a->ndim));
    if (i == j)
        return mx_error(MLXC_ERR_ARGUMENT, "trace: axis %d twice", i);
    MX_TRY(mlxc_scope_new(&c, s));
    return finish(out, c, mlxe_sum(c, mlxe_diagonal(c, a, offset, i, j),
        &last, 1, false));
}
