/* SPDX-License-Identifier: MIT */
/* Joining and cutting. */
#include <string.h>

#include <mlxc/expr.h>

#include "core/arrays.h"
#include "core/scope.h"
#include "core/shape.h"
#include "ops/infer.h"
#include "util/alloc.h"

static mlxc_status infer_concatenate(struct mx_infer *c)
{
    const struct mx_p_axis *p = c->params;
    mlxc_array *a = c->input[0];
    int64_t *shape = mx_infer_dims(c, a->ndim);
    if (!shape)
        return MLXC_ERR_NOMEM;
    memcpy(shape, a->shape, (size_t)a->ndim * sizeof *shape);
    for (int i = 1; i < c->ninputs; i++) {
        if (__builtin_add_overflow(shape[p->axis],
                c->input[i]->shape[p->axis], &shape[p->axis]))
            return mx_error(MLXC_ERR_SHAPE, "concatenate: too long");
    }
    c->spec[0] =
        (struct mx_spec){ shape, a->ndim, (mlxc_dtype)a->dtype };
    return MLXC_OK;
}

/* The part of `a` along `axis` that begins at `at` with length n. */
static mlxc_array *part(mlxc_scope *c, mlxc_array *a, int axis, int64_t at,
    int64_t n)
{
    struct mx_ints l;
    if (!a)
        return NULL;
    int64_t *v = mx_ints_init(&l, "split", 2 * a->ndim);
    if (!v) {
        mx_scope_fail(c, MLXC_ERR_NOMEM);
        return NULL;
    }
    for (int d = 0; d < a->ndim; d++) {
        v[d] = d == axis ? at : 0;
        v[a->ndim + d] = d == axis ? at + n : a->shape[d];
    }
    a = mlxe_slice(c, a, v, v + a->ndim, NULL, a->ndim);
    mx_ints_free(&l);
    return a;
}

static void vjp_concatenate(struct mx_vjp *v)
{
    const struct mx_p_axis *p = v->params;
    int64_t at = 0;
    for (int i = 0; i < v->ninputs; i++) {
        int64_t n = v->input[i]->shape[p->axis];
        if (v->wanted[i])
            v->grad[i] = part(v->scope, v->cotangent[0], (int)p->axis, at,
                n);
        at += n;
    }
}

static void jvp_concatenate(struct mx_jvp *j)
{
    mlxc_array **t = mx_alloc_array((size_t)j->ninputs, sizeof *t);
    if (!t) {
        mx_scope_fail(j->scope, mx_error_nomem("concatenate"));
        return;
    }
    for (int i = 0; i < j->ninputs; i++)
        t[i] = j->tangent[i] ? j->tangent[i]
                             : mlxe_zeros_like(j->scope, j->input[i]);
    j->tangent_out[0] = mx_apply_in(j->scope, j->op, j->params, j->nparams,
        t, j->ninputs);
    mx_free(t);
}

static void vmap_concatenate(struct mx_vmap *m)
{
    struct mx_p_axis p = *(const struct mx_p_axis *)m->params;
    mlxc_array **in = mx_alloc_array((size_t)m->ninputs, sizeof *in);
    if (!in) {
        mx_scope_fail(m->scope, mx_error_nomem("concatenate"));
        return;
    }
    for (int i = 0; i < m->ninputs; i++)
        in[i] = mx_vmap_batched(m, i);
    p.axis++;
    m->output[0] = mx_vmap_again(m, &p, sizeof p, in);
    m->axis_out[0] = 0;
    mx_free(in);
}

const struct mx_op mx_op_concatenate = {
    .name = "concatenate",
    .inputs = -1,
    .outputs = 1,
    .id = MX_OP_CONCATENATE,
    .flags = MX_OP_SMOOTH,
    .infer = infer_concatenate,
    .vjp = vjp_concatenate,
    .jvp = jvp_concatenate,
    .vmap = vmap_concatenate,
};

static mlxc_status check_list(const char *op, mlxc_array **out,
    mlxc_array *const *list, int n)
{
    if (out)
        *out = NULL;
    if (n < 1 || !list)
        return mx_error(MLXC_ERR_ARGUMENT, "%s: no arrays", op);
    return mx_check(op, out, list, n);
}

mlxc_status mlxc_concatenate(mlxc_array **out, mlxc_array *const *list, int n,
    int axis, mlxc_stream *s)
{
    char ta[MX_SHAPE_TEXT], tb[MX_SHAPE_TEXT];
    int at;
    MX_TRY(check_list("concatenate", out, list, n));
    mlxc_array *a = list[0];
    MX_TRY(mx_axis(&at, "concatenate", axis, a->ndim));
    mlxc_dtype d = (mlxc_dtype)a->dtype;
    for (int i = 1; i < n; i++) {
        mlxc_array *b = list[i];
        int fits = b->ndim == a->ndim;
        for (int k = 0; k < a->ndim && fits; k++)
            fits = k == at || a->shape[k] == b->shape[k];
        if (!fits)
            return mx_error(MLXC_ERR_SHAPE,
                "concatenate: shapes %s and %s do not fit along axis %d",
                mx_shape_text(ta, a->shape, a->ndim),
                mx_shape_text(tb, b->shape, b->ndim), axis);
        d = mx_dtype_promote(d, (mlxc_dtype)b->dtype);
    }
    mlxc_array **cast = mx_alloc_array((size_t)n, sizeof *cast);
    if (!cast)
        return mx_error_nomem("concatenate");
    mlxc_status status = MLXC_OK;
    for (int i = 0; i < n; i++)
        cast[i] = NULL;
    for (int i = 0; i < n && !status; i++)
        status = mx_cast(&cast[i], list[i], d, s);
    struct mx_p_axis p = { at };
    if (!status)
        status = n == 1 ? (*out = mlxc_array_ref(cast[0]), MLXC_OK)
                        : mx_apply(out, &mx_op_concatenate, &p, sizeof p,
                              cast, n, s);
    for (int i = 0; i < n; i++)
        mlxc_array_unref(cast[i]);
    mx_free(cast);
    return status;
}

mlxc_status mlxc_stack(mlxc_array **out, mlxc_array *const *list, int n,
    int axis, mlxc_stream *s)
{
    char ta[MX_SHAPE_TEXT], tb[MX_SHAPE_TEXT];
    int at;
    MX_TRY(check_list("stack", out, list, n));
    MX_TRY(mx_axis(&at, "stack", axis, list[0]->ndim + 1));
    for (int i = 1; i < n; i++) {
        if (!mx_shape_equal(list[0]->shape, list[0]->ndim, list[i]->shape,
                list[i]->ndim))
            return mx_error(MLXC_ERR_SHAPE,
                "stack: shapes %s and %s differ",
                mx_shape_text(ta, list[0]->shape, list[0]->ndim),
                mx_shape_text(tb, list[i]->shape, list[i]->ndim));
    }
    mlxc_array **wide = mx_alloc_array((size_t)n, sizeof *wide);
    if (!wide)
        return mx_error_nomem("stack");
    mlxc_status status = MLXC_OK;
    for (int i = 0; i < n; i++)
        wide[i] = NULL;
    for (int i = 0; i < n && !status; i++)
        status = mlxc_expand_dims(&wide[i], list[i], &at, 1, s);
    if (!status)
        status = mlxc_concatenate(out, wide, n, at, s);
    for (int i = 0; i < n; i++)
        mlxc_array_unref(wide[i]);
    mx_free(wide);
    return status;
}

mlxc_status mlxc_split(mlxc_arrays **out, mlxc_array *a, const int64_t *index,
    int nindices, int axis, mlxc_stream *s)
{
    int at;
    mlxc_scope *c;
    mlxc_array *unused;
    *out = NULL;
    MX_TRY(mx_check("split", &unused, &a, 1));
    MX_TRY(mx_axis(&at, "split", axis, a->ndim));
    if (nindices < 0 || (nindices > 0 && !index))
        return mx_error(MLXC_ERR_ARGUMENT, "split: no list of %d indices",
            nindices);
    int64_t n = a->shape[at], from = 0;
    for (int i = 0; i < nindices; i++) {
        if (index[i] < from || index[i] > n)
            return mx_error(MLXC_ERR_INDEX, "split: index %lld does not "
                "rise within axis %d of length %lld", (long long)index[i],
                axis, (long long)n);
        from = index[i];
    }
    MX_TRY(mlxc_scope_new(&c, s));
    mlxc_status status = mlxc_arrays_new(out);
    from = 0;
    for (int i = 0; i <= nindices && !status; i++) {
        int64_t to = i < nindices ? index[i] : n;
        mlxc_array *p = part(c, a, at, from, to - from);
        status = p ? mlxc_arrays_push(*out, p) : mlxc_scope_status(c);
        from = to;
    }
    mlxc_scope_free(c);
    if (status) {
        mlxc_arrays_unref(*out);
        *out = NULL;
    }
    return status;
}

mlxc_status mlxc_split_equal(mlxc_arrays **out, mlxc_array *a, int parts,
    int axis, mlxc_stream *s)
{
    int at;
    mlxc_array *unused;
    *out = NULL;
    MX_TRY(mx_check("split_equal", &unused, &a, 1));
    MX_TRY(mx_axis(&at, "split_equal", axis, a->ndim));
    if (parts < 1 || a->shape[at] % parts)
        return mx_error(MLXC_ERR_SHAPE,
            "split_equal: length %lld in %d parts",
            (long long)a->shape[at], parts);
    int64_t *index = mx_alloc_array((size_t)parts, sizeof *index);
    if (!index)
        return mx_error_nomem("split_equal");
    for (int i = 0; i < parts - 1; i++)
        index[i] = (i + 1) * (a->shape[at] / parts);
    mlxc_status status = mlxc_split(out, a, index, parts - 1, axis, s);
    mx_free(index);
    return status;
}

/* ---- pad: a constant border is an update of a constant; the other modes
   choose rows by a list of positions, one axis after another ---- */

/* Where each of the positions comes from: the nearest, or the place on a
   triangle wave of period 2 n, or 2 n - 2 without the border. */
static mlxc_array *sources(mlxc_scope *c, mlxc_array *at, int64_t n,
    mlxc_pad_mode mode)
{
    mlxc_array *zero = mlxe_constant(c, 0, at);
    if (mode == MLXC_PAD_EDGE || n == 1)
        return mlxe_clip(c, at, zero, mlxe_constant(c, (double)(n - 1), at));
    double last = (double)(mode == MLXC_PAD_REFLECT ? 2 * n - 2 : 2 * n - 1);
    double period = mode == MLXC_PAD_REFLECT ? last : last + 1;
    at = mlxe_remainder(c, at, mlxe_constant(c, period, at));
    return mlxe_minimum(c, at, mlxe_subtract(c,
        mlxe_constant(c, last, at), at));
}

static mlxc_array *mirror(mlxc_scope *c, mlxc_array *a, int axis, int64_t low,
    int64_t high, mlxc_pad_mode mode)
{
    if (!a || (low == 0 && high == 0))
        return a;
    int64_t n = a->shape[axis];
    if (n == 0) {
        mx_scope_fail(c, mx_error(MLXC_ERR_SHAPE,
            "pad: axis %d is empty, there is nothing to repeat", axis));
        return NULL;
    }
    mlxc_array *at = mlxe_arange(c, (double)-low, (double)(n + high), 1,
        MLXC_INT64);
    return mlxe_take(c, a, sources(c, at, n, mode), axis);
}

mlxc_status mlxc_pad(mlxc_array **out, mlxc_array *a, const int64_t *low,
    const int64_t *high, int ndim, mlxc_pad_mode mode, mlxc_array *value,
    mlxc_stream *s)
{
    mlxc_scope *c;
    struct mx_ints l;
    int64_t size;
    MX_TRY(mx_check("pad", out, &a, 1));
    if (ndim != a->ndim || (ndim > 0 && (!low || !high)))
        return mx_error(MLXC_ERR_ARGUMENT,
            "pad: %d widths for %d dimensions", ndim, a->ndim);
    if ((unsigned)mode > MLXC_PAD_SYMMETRIC)
        return mx_error(MLXC_ERR_ARGUMENT, "pad: %d is no mode", (int)mode);
    int64_t *shape = mx_ints_init(&l, "pad", 2 * ndim);
    if (!shape)
        return MLXC_ERR_NOMEM;
    mlxc_status status = MLXC_OK;
    for (int d = 0; d < ndim && !status; d++) {
        if (low[d] < 0 || high[d] < 0)
            status = mx_error(MLXC_ERR_ARGUMENT, "pad: widths %lld, %lld",
                (long long)low[d], (long long)high[d]);
        else if (__builtin_add_overflow(low[d], a->shape[d], &shape[ndim + d])
            || __builtin_add_overflow(shape[ndim + d], high[d], &shape[d]))
            status = mx_error(MLXC_ERR_SHAPE, "pad: too long");
    }
    if (!status)
        status = mx_shape_size(&size, "pad", shape, ndim,
            (int64_t)mx_itemsize(a));
    if (!status)
        status = mlxc_scope_new(&c, s);
    if (status) {
        mx_ints_free(&l);
        return status;
    }
    mlxc_array *r = a;
    if (mode == MLXC_PAD_CONSTANT) {
        mlxc_array *v = value ? value : mlxe_constant(c, 0, a);
        r = mlxe_full(c, shape, ndim, v, (mlxc_dtype)a->dtype);
        r = mlxe_slice_update(c, r, a, low, shape + ndim, NULL, ndim);
    } else {
        for (int d = 0; d < ndim; d++)
            r = mirror(c, r, d, low[d], high[d], mode);
    }
    mx_ints_free(&l);
    status = mlxc_scope_export(out, c, r);
    mlxc_scope_free(c);
    return status;
}
