/* SPDX-License-Identifier: MIT */
/* The median, by sorting. */
#include <mlxc/expr.h>

#include "core/scope.h"
#include "core/shape.h"
#include "ops/infer.h"
#include "ops/reduce.h"

/* Entry `i` of the last axis, which goes. */
static mlxc_array *pick(mlxc_scope *c, mlxc_array *a, int64_t i)
{
    struct mx_ints l;
    static const int last = -1;
    int n = a->ndim;
    int64_t *v = mx_ints_init(&l, "median", 2 * n);
    if (!v) {
        mx_scope_fail(c, MLXC_ERR_NOMEM);
        return NULL;
    }
    for (int d = 0; d < n; d++) {
        v[d] = d == n - 1 ? i : 0;
        v[n + d] = d == n - 1 ? i + 1 : a->shape[d];
    }
    a = mlxe_squeeze(c, mlxe_slice(c, a, v, v + n, NULL, n), &last, 1);
    mx_ints_free(&l);
    return a;
}

/* NaN is sorted last, so one look there tells. */
static mlxc_array *middle(mlxc_scope *c, mlxc_array *sorted)
{
    if (!sorted)
        return NULL;
    int64_t n = sorted->shape[sorted->ndim - 1];
    mlxc_array *top = pick(c, sorted, n - 1), *m = pick(c, sorted, n / 2);
    if (n % 2 == 0 && m) {
        mlxc_array *half = mlxe_constant(c, 0.5, m);
        m = mlxe_add(c, mlxe_multiply(c, pick(c, sorted, n / 2 - 1), half),
            mlxe_multiply(c, m, half));
    }
    return mlxe_where(c, mlxe_isnan(c, top), top, m);
}

mlxc_status mlxc_median(mlxc_array **out, mlxc_array *a, const int *axes,
    int naxes, bool keepdims, mlxc_stream *s)
{
    mlxc_scope *c;
    struct mx_block b;
    struct mx_p_reduce *p;
    char text[MX_SHAPE_TEXT];
    MX_TRY(mx_check("median", out, &a, 1));
    MX_TRY(mx_check_kinds("median", a, MX_KINDS_BUIF));
    MX_TRY(mx_reduce_params(&b, &p, "median", a, axes, naxes));
    mlxc_status status = MLXC_OK;
    for (int i = 0; i < p->n; i++) {
        if (a->shape[p->v[i]] == 0)
            status = mx_error(MLXC_ERR_SHAPE,
                "median: nothing to reduce in shape %s",
                mx_shape_text(text, a->shape, a->ndim));
    }
    if (!status)
        status = mlxc_scope_new(&c, s);
    if (!status) {
        mlxc_array *x = mlxe_astype(c, a,
            mx_dtype_at_least_float((mlxc_dtype)a->dtype));
        mlxc_array *m = x ? middle(c, mlxe_sort(c, mx_merge_axes(c, p, x),
            -1)) : NULL;
        if (keepdims)
            m = mx_keep_axes(c, p, m, a);
        status = mlxc_scope_export(out, c, m);
        mlxc_scope_free(c);
    }
    mx_block_free(&b);
    return status;
}
