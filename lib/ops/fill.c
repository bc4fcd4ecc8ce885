/* SPDX-License-Identifier: MIT */
/* Arrays made from parameters: full, arange, and what is composed of them. */
#include <math.h>
#include <string.h>

#include <mlxc/expr.h>

#include "core/arrays.h"
#include "core/scope.h"
#include "core/shape.h"
#include "ops/infer.h"

/* ---- full: input a scalar, parameters the shape ---- */

static mlxc_status infer_full(struct mx_infer *c)
{
    const struct mx_p_list *p = c->params;
    c->spec[0] = (struct mx_spec){ p->v, (int)p->n,
        (mlxc_dtype)c->input[0]->dtype };
    return MLXC_OK;
}

static void vjp_full(struct mx_vjp *v)
{
    v->grad[0] = mlxe_sum(v->scope, v->cotangent[0], NULL, 0, false);
}

static void jvp_full(struct mx_jvp *j)
{
    mlxc_array *t = j->tangent[0];
    j->tangent_out[0] =
        mx_apply_in(j->scope, j->op, j->params, j->nparams, &t, 1);
}

static void vmap_full(struct mx_vmap *m)
{
    const struct mx_p_list *p = m->params;
    struct mx_ints l;
    int n = (int)p->n + 1;
    int64_t *shape = mx_ints_init(&l, "full", 2 * n);
    if (!shape) {
        mx_scope_fail(m->scope, MLXC_ERR_NOMEM);
        return;
    }
    for (int d = 0; d < n; d++) {
        shape[d] = d ? p->v[d - 1] : m->size;
        shape[n + d] = d ? 1 : m->size;
    }
    mlxc_array *a = mlxe_reshape(m->scope, m->input[0], shape + n, n);
    m->output[0] = mlxe_broadcast_to(m->scope, a, shape, n);
    m->axis_out[0] = 0;
    mx_ints_free(&l);
}

const struct mx_op mx_op_full = {
    .name = "full",
    .inputs = 1,
    .outputs = 1,
    .id = MX_OP_FULL,
    .flags = MX_OP_SMOOTH,
    .infer = infer_full,
    .vjp = vjp_full,
    .jvp = jvp_full,
    .vmap = vmap_full,
};

static mlxc_status check_shape(const char *op, mlxc_array **out,
    const int64_t *shape, int ndim, mlxc_dtype dtype)
{
    int64_t size;
    if (!out)
        return mx_error(MLXC_ERR_ARGUMENT, "%s: out is NULL", op);
    *out = NULL;
    if (!mx_dtype_valid(dtype))
        return mx_error(MLXC_ERR_DTYPE, "%s: %d is no dtype", op,
            (int)dtype);
    if (ndim < 0 || (ndim > 0 && !shape))
        return mx_error(MLXC_ERR_ARGUMENT, "%s: no shape of rank %d", op,
            ndim);
    return mx_shape_size(&size, op, shape, ndim, mx_dtypes[dtype].size);
}

static mlxc_status fill(mlxc_array **out, const int64_t *shape, int ndim,
    mlxc_array *scalar, mlxc_stream *s)
{
    struct mx_block b;
    struct mx_p_list *p = mx_block_init(&b, "full", sizeof *p, ndim);
    if (!p)
        return MLXC_ERR_NOMEM;
    p->n = ndim;
    mx_shape_copy(p->v, shape, ndim);
    mlxc_status status = mx_apply1(out, &mx_op_full, p, b.size, scalar, s);
    mx_block_free(&b);
    return status;
}

mlxc_status mlxc_full(mlxc_array **out, const int64_t *shape, int ndim,
    mlxc_array *value, mlxc_dtype dtype, mlxc_stream *s)
{
    mlxc_array *cast;
    MX_TRY(mx_check("full", out, &value, 1));
    MX_TRY(check_shape("full", out, shape, ndim, dtype));
    MX_TRY(mx_cast(&cast, value, dtype, s));
    mlxc_status status = cast->ndim == 0
        ? fill(out, shape, ndim, cast, s)
        : mlxc_broadcast_to(out, cast, shape, ndim, s);
    mlxc_array_unref(cast);
    return status;
}

static mlxc_status constant(mlxc_array **out, const char *op, double value,
    const int64_t *shape, int ndim, mlxc_dtype dtype, mlxc_stream *s)
{
    mlxc_array *scalar;
    MX_TRY(check_shape(op, out, shape, ndim, dtype));
    MX_TRY(mlxc_array_from_double(&scalar, value, dtype));
    mlxc_status status = fill(out, shape, ndim, scalar, s);
    mlxc_array_unref(scalar);
    return status;
}

mlxc_status mlxc_zeros(mlxc_array **out, const int64_t *shape, int ndim,
    mlxc_dtype dtype, mlxc_stream *s)
{
    return constant(out, "zeros", 0, shape, ndim, dtype, s);
}

mlxc_status mlxc_ones(mlxc_array **out, const int64_t *shape, int ndim,
    mlxc_dtype dtype, mlxc_stream *s)
{
    return constant(out, "ones", 1, shape, ndim, dtype, s);
}

mlxc_status mlxc_full_like(mlxc_array **out, mlxc_array *a, mlxc_array *value,
    mlxc_dtype dtype, mlxc_stream *s)
{
    MX_TRY(mx_check("full_like", out, &a, 1));
    return mlxc_full(out, a->shape, a->ndim, value, dtype, s);
}

mlxc_status mlxc_zeros_like(mlxc_array **out, mlxc_array *a, mlxc_stream *s)
{
    MX_TRY(mx_check("zeros_like", out, &a, 1));
    return constant(out, "zeros_like", 0, a->shape, a->ndim,
        (mlxc_dtype)a->dtype, s);
}

mlxc_status mlxc_ones_like(mlxc_array **out, mlxc_array *a, mlxc_stream *s)
{
    MX_TRY(mx_check("ones_like", out, &a, 1));
    return constant(out, "ones_like", 1, a->shape, a->ndim,
        (mlxc_dtype)a->dtype, s);
}

/* ---- arange ---- */

static mlxc_status infer_arange(struct mx_infer *c)
{
    const struct mx_p_arange *p = c->params;
    c->spec[0] = (struct mx_spec){ &p->size, 1, (mlxc_dtype)p->dtype };
    return MLXC_OK;
}

const struct mx_op mx_op_arange = {
    .name = "arange",
    .inputs = 0,
    .outputs = 1,
    .id = MX_OP_ARANGE,
    .infer = infer_arange,
    .exempt = "it has no inputs",
};

static mlxc_status range(mlxc_array **out, double start, double step,
    int64_t size, mlxc_dtype dtype, mlxc_stream *s)
{
    struct mx_p_arange p = { start, step, size, dtype };
    return mx_apply(out, &mx_op_arange, &p, sizeof p, NULL, 0, s);
}

mlxc_status mlxc_arange(mlxc_array **out, double start, double stop,
    double step, mlxc_dtype dtype, mlxc_stream *s)
{
    MX_TRY(check_shape("arange", out, NULL, 0, dtype));
    if (dtype == MLXC_BOOL)
        return mx_error(MLXC_ERR_DTYPE, "arange: bool is not accepted");
    if (!isfinite(start) || !isfinite(stop) || isnan(step) || step == 0)
        return mx_error(MLXC_ERR_ARGUMENT,
            "arange: from %g to %g by %g is no range", start, stop, step);
    double n = ceil((stop - start) / step);
    if (isinf(step)) /* the first element alone, if it lies ahead */
        n = (stop - start) * step > 0 ? 1 : 0;
    if (!(n < 9.0e18))
        return mx_error(MLXC_ERR_SHAPE, "arange: %g elements are too many",
            n);
    int64_t size = n > 0 ? (int64_t)n : 0;
    MX_TRY(check_shape("arange", out, &size, 1, dtype));
    return range(out, start, isinf(step) ? 0 : step, size, dtype, s);
}

/* The common end of functions composed in a scope. */
static mlxc_status finish(mlxc_array **out, mlxc_scope *c, mlxc_array *a)
{
    mlxc_status status = mlxc_scope_export(out, c, a);
    mlxc_scope_free(c);
    return status;
}

static mlxc_array *count(mlxc_scope *c, int64_t n, mlxc_dtype dtype)
{
    mlxc_array *a = NULL;
    mlxc_status status = range(&a, 0, 1, n, dtype, mlxc_scope_stream(c));
    return mlxc_scope_take(c, status, a);
}

/* (1 - t) start + t stop is exact at both ends. */
mlxc_status mlxc_linspace(mlxc_array **out, double start, double stop,
    int64_t num, bool endpoint, mlxc_dtype dtype, mlxc_stream *s)
{
    mlxc_scope *c;
    MX_TRY(check_shape("linspace", out, &num, 1, dtype));
    MX_TRY(mlxc_scope_new(&c, s));
    mlxc_dtype d = dtype == MLXC_FLOAT64 ? dtype : MLXC_FLOAT32;
    double parts = (double)(endpoint ? num - 1 : num);
    mlxc_array *t = mlxe_divide(c, count(c, num, d),
        mlxe_scalar(c, parts > 0 ? parts : 1, d));
    mlxc_array *from = mlxe_multiply(c, mlxe_subtract(c,
        mlxe_scalar(c, 1, d), t), mlxe_scalar(c, start, d));
    mlxc_array *to = mlxe_multiply(c, t, mlxe_scalar(c, stop, d));
    return finish(out, c, mlxe_astype(c, mlxe_add(c, from, to), dtype));
}

/* Compare column with row + k for the last two axes of an n by m matrix.  A k
   beyond the corners is as good as the corner, and the sum cannot wrap. */
static mlxc_array *triangle(mlxc_scope *c, int64_t n, int64_t m, int64_t k,
    mlxc_array *(*compare)(mlxc_scope *, mlxc_array *, mlxc_array *))
{
    const int64_t column[2] = { n, 1 };
    mlxc_array *rows = mlxe_reshape(c, count(c, n, MLXC_INT64), column, 2);
    mlxc_array *shift = NULL;
    k = k < -n ? -n : k > m ? m : k;
    mlxc_status status = mlxc_array_from_int64(&shift, k, MLXC_INT64);
    shift = mlxc_scope_take(c, status, shift);
    return compare(c, count(c, m, MLXC_INT64), mlxe_add(c, rows, shift));
}

static mlxc_status pattern(mlxc_array **out, const char *op, int64_t n,
    int64_t m, int64_t k, mlxc_dtype dtype, mlxc_stream *s,
    mlxc_array *(*compare)(mlxc_scope *, mlxc_array *, mlxc_array *))
{
    mlxc_scope *c;
    const int64_t shape[2] = { n, m };
    MX_TRY(check_shape(op, out, shape, 2, dtype));
    MX_TRY(mlxc_scope_new(&c, s));
    return finish(out, c, mlxe_astype(c, triangle(c, n, m, k, compare),
        dtype));
}

mlxc_status mlxc_eye(mlxc_array **out, int64_t n, int64_t m, int64_t k,
    mlxc_dtype dtype, mlxc_stream *s)
{
    return pattern(out, "eye", n, m, k, dtype, s, mlxe_equal);
}

mlxc_status mlxc_identity(mlxc_array **out, int64_t n, mlxc_dtype dtype,
    mlxc_stream *s)
{
    return pattern(out, "identity", n, n, 0, dtype, s, mlxe_equal);
}

mlxc_status mlxc_tri(mlxc_array **out, int64_t n, int64_t m, int64_t k,
    mlxc_dtype dtype, mlxc_stream *s)
{
    return pattern(out, "tri", n, m, k, dtype, s, mlxe_less_equal);
}

mlxc_status mlxc_number_of_elements(mlxc_array **out, mlxc_array *a,
    const int *axes, int naxes, bool inverted, mlxc_dtype dtype,
    mlxc_stream *s)
{
    static const char op[] = "number_of_elements";
    int64_t n = 1;
    (void)s;
    MX_TRY(mx_check(op, out, &a, 1));
    if (naxes < 0)
        return mx_error(MLXC_ERR_ARGUMENT, "%s: %d axes", op, naxes);
    int all = axes == NULL;
    for (int i = 0; i < (all ? a->ndim : naxes); i++) {
        int at = i, other;
        if (!all)
            MX_TRY(mx_axis(&at, op, axes[i], a->ndim));
        for (int k = 0; k < i && !all; k++) {
            MX_TRY(mx_axis(&other, op, axes[k], a->ndim));
            if (other == at)
                return mx_error(MLXC_ERR_ARGUMENT,
                    "%s: axis %d is repeated", op, axes[i]);
        }
        if (__builtin_mul_overflow(n, a->shape[at], &n))
            return mx_error(MLXC_ERR_SHAPE, "%s: too many", op);
    }
    return inverted ? mlxc_array_from_double(out, 1 / (double)n, dtype)
                    : mlxc_array_from_int64(out, n, dtype);
}

static mlxc_status keep(mlxc_array **out, const char *op, mlxc_array *a,
    int64_t k, mlxc_stream *s,
    mlxc_array *(*compare)(mlxc_scope *, mlxc_array *, mlxc_array *))
{
    mlxc_scope *c;
    MX_TRY(mx_check(op, out, &a, 1));
    if (a->ndim < 2)
        return mx_error(MLXC_ERR_SHAPE, "%s: %d dimensions are too few", op,
            a->ndim);
    MX_TRY(mlxc_scope_new(&c, s));
    mlxc_array *mask = triangle(c, a->shape[a->ndim - 2],
        a->shape[a->ndim - 1], k, compare);
    return finish(out, c, mlxe_where(c, mask, a, mlxe_constant(c, 0, a)));
}

mlxc_status mlxc_tril(mlxc_array **out, mlxc_array *a, int64_t k,
    mlxc_stream *s)
{
    return keep(out, "tril", a, k, s, mlxe_less_equal);
}

mlxc_status mlxc_triu(mlxc_array **out, mlxc_array *a, int64_t k,
    mlxc_stream *s)
{
    return keep(out, "triu", a, k, s, mlxe_greater_equal);
}

/* ---- diagonals: a view by strides of the row-major matrix ---- */

mlxc_status mlxc_diagonal(mlxc_array **out, mlxc_array *a, int64_t offset,
    int axis1, int axis2, mlxc_stream *s)
{
    mlxc_scope *c;
    int i, j;
    struct mx_ints l;
    MX_TRY(mx_check("diagonal", out, &a, 1));
    if (a->ndim < 2)
        return mx_error(MLXC_ERR_SHAPE,
            "diagonal: %d dimensions are too few", a->ndim);
    MX_TRY(mx_axis(&i, "diagonal", axis1, a->ndim));
    MX_TRY(mx_axis(&j, "diagonal", axis2, a->ndim));
    if (i == j)
        return mx_error(MLXC_ERR_ARGUMENT, "diagonal: axis %d twice", i);
    int n = a->ndim;
    int64_t *v = mx_ints_init(&l, "diagonal", 2 * n);
    if (!v)
        return MLXC_ERR_NOMEM;
    mlxc_status status = mlxc_scope_new(&c, s);
    if (status) {
        mx_ints_free(&l);
        return status;
    }
    /* the two axes last, then one stride for both */
    mlxc_array *x = mlxe_moveaxis(c, a, i, -1);
    x = mlxe_moveaxis(c, x, j - (j > i), -1);
    if (x) { /* (..., d1, d2) */
        int64_t d1 = x->shape[n - 2], d2 = x->shape[n - 1];
        offset = offset < -d1 ? -d1 : offset > d2 ? d2 : offset;
        int64_t down = offset < 0 ? -offset : 0;
        int64_t right = offset > 0 ? offset : 0;
        int64_t size = d1 - down < d2 - right ? d1 - down : d2 - right;
        memcpy(v, x->shape, (size_t)n * sizeof *v);
        v[n - 2] = size > 0 ? size : 0;
        mx_shape_row_strides(v + n, x->shape, n);
        v[2 * n - 2] += 1;
        x = mlxe_as_strided(c, x, v, v + n, n - 1,
            size > 0 ? down * d2 + right : 0);
    }
    mx_ints_free(&l);
    return finish(out, c, x);
}

mlxc_status mlxc_diag(mlxc_array **out, mlxc_array *a, int64_t k,
    mlxc_stream *s)
{
    mlxc_scope *c;
    MX_TRY(mx_check("diag", out, &a, 1));
    if (a->ndim == 2)
        return mlxc_diagonal(out, a, k, 0, 1, s);
    if (a->ndim != 1)
        return mx_error(MLXC_ERR_SHAPE,
            "diag: %d dimensions, not 1 or 2", a->ndim);
    int64_t down = k < 0 ? -k : 0, right = k > 0 ? k : 0, n, size;
    if (k == INT64_MIN ||
        __builtin_add_overflow(a->shape[0], down + right, &n))
        return mx_error(MLXC_ERR_SHAPE, "diag: diagonal %lld is too far",
            (long long)k);
    const int64_t shape[2] = { n, n };
    MX_TRY(mx_shape_size(&size, "diag", shape, 2, (int64_t)mx_itemsize(a)));
    MX_TRY(mlxc_scope_new(&c, s));
    /* element i stands at down * n + right + i (n + 1) of the flat matrix */
    mlxc_array *x = mlxe_zeros(c, &size, 1, (mlxc_dtype)a->dtype);
    int64_t start = down * n + right, step = n + 1;
    int64_t stop = start + (a->shape[0] - 1) * step + 1;
    if (a->shape[0] > 0)
        x = mlxe_slice_update(c, x, a, &start, &stop, &step, 1);
    return finish(out, c, mlxe_reshape(c, x, shape, 2));
}

mlxc_status mlxc_meshgrid(mlxc_arrays **out, mlxc_arrays *list, bool sparse,
    bool xy, mlxc_stream *s)
{
    int n = mlxc_arrays_size(list);
    struct mx_ints l;
    mlxc_arrays *grid;
    *out = NULL;
    MX_TRY(mlxc_arrays_new(&grid));
    int64_t *shape = mx_ints_init(&l, "meshgrid", n);
    mlxc_status status = shape ? MLXC_OK : MLXC_ERR_NOMEM;
    for (int i = 0; i < n && !status; i++) {
        int axis = xy && n > 1 && i < 2 ? 1 - i : i;
        mlxc_array *one;
        for (int d = 0; d < n; d++)
            shape[d] = d == axis ? list->item[i]->size : 1;
        status = mlxc_reshape(&one, list->item[i], shape, n, s);
        if (!status)
            status = mlxc_arrays_push_take(grid, one);
    }
    if (shape)
        mx_ints_free(&l);
    if (!status && !sparse)
        status = mlxc_broadcast_arrays(out, grid, s);
    else if (!status)
        *out = mlxc_arrays_ref(grid);
    mlxc_arrays_unref(grid);
    return status;
}

/* ---- windows: a + b cos(w n) + c cos(2 w n), w = 2 pi / (m - 1), computed
   in double ---- */

static mlxc_status window(mlxc_array **out, const char *op, int64_t m,
    const double coefficient[3], mlxc_stream *s)
{
    mlxc_scope *c;
    const int64_t empty = 0, one = 1;
    MX_TRY(check_shape(op, out, NULL, 0, MLXC_FLOAT32));
    if (m <= 1)
        return mlxc_ones(out, m < 1 ? &empty : &one, 1, MLXC_FLOAT32, s);
    MX_TRY(mlxc_scope_new(&c, s));
    mlxc_array *w = mlxe_scalar(c, coefficient[0], MLXC_FLOAT64);
    for (int k = 1; k < 3; k++) {
        double rate = 6.283185307179586 * k / (double)(m - 1);
        mlxc_array *angle = mlxe_multiply(c, count(c, m, MLXC_FLOAT64),
            mlxe_scalar(c, rate, MLXC_FLOAT64));
        w = mlxe_add(c, w, mlxe_multiply(c, mlxe_cos(c, angle),
            mlxe_scalar(c, coefficient[k], MLXC_FLOAT64)));
    }
    return finish(out, c, mlxe_astype(c, w, MLXC_FLOAT32));
}

mlxc_status mlxc_hanning(mlxc_array **out, int64_t m, mlxc_stream *s)
{
    static const double k[3] = { 0.5, -0.5, 0 };
    return window(out, "hanning", m, k, s);
}

mlxc_status mlxc_hamming(mlxc_array **out, int64_t m, mlxc_stream *s)
{
    static const double k[3] = { 0.54, -0.46, 0 };
    return window(out, "hamming", m, k, s);
}

mlxc_status mlxc_blackman(mlxc_array **out, int64_t m, mlxc_stream *s)
{
    static const double k[3] = { 0.42, -0.5, 0.08 };
    return window(out, "blackman", m, k, s);
}

mlxc_status mlxc_bartlett(mlxc_array **out, int64_t m, mlxc_stream *s)
{
    mlxc_scope *c;
    if (m <= 1)
        return mlxc_hanning(out, m, s);
    MX_TRY(check_shape("bartlett", out, NULL, 0, MLXC_FLOAT32));
    MX_TRY(mlxc_scope_new(&c, s));
    mlxc_array *one = mlxe_scalar(c, 1, MLXC_FLOAT32);
    mlxc_array *x = mlxe_divide(c, mlxe_multiply(c,
        count(c, m, MLXC_FLOAT32), mlxe_scalar(c, 2, MLXC_FLOAT32)),
        mlxe_scalar(c, (double)(m - 1), MLXC_FLOAT32));
    return finish(out, c, mlxe_subtract(c, one,
        mlxe_abs(c, mlxe_subtract(c, x, one))));
}
