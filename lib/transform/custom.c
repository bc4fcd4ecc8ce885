/* SPDX-License-Identifier: MIT */
/* Functions with derivatives of their own.  The call runs the function on
   arguments that no gradient passes, and makes one node whose inputs are the
   arguments and the results; its outputs are those results, and its rules are
   the caller's. */
#include <mlxc/expr.h>

#include "core/arrays.h"
#include "core/error.h"
#include "core/scope.h"
#include "ops/infer.h"
#include "transform/function.h"
#include "util/alloc.h"

/* The parameters of the node: counted functions. */
struct custom {
    mlxc_function *f, *vjp, *jvp, *vmap;
    int64_t nargs;
};

static void retain(void *params)
{
    struct custom *p = params;
    mlxc_function_ref(p->f);
    mlxc_function_ref(p->vjp);
    mlxc_function_ref(p->jvp);
    mlxc_function_ref(p->vmap);
}

static void destroy(void *params)
{
    struct custom *p = params;
    mlxc_function_unref(p->f);
    mlxc_function_unref(p->vjp);
    mlxc_function_unref(p->jvp);
    mlxc_function_unref(p->vmap);
}

static mlxc_status infer(struct mx_infer *c)
{
    const struct custom *p = c->params;
    int n = c->ninputs - (int)p->nargs;
    MX_TRY(mx_infer_outputs(c, n));
    for (int i = 0; i < n; i++) {
        mlxc_array *a = c->input[p->nargs + i];
        c->spec[i] = (struct mx_spec){ a->shape, a->ndim,
            (mlxc_dtype)a->dtype };
    }
    return MLXC_OK;
}

static int view(struct mx_layout *l, const struct mx_node *node)
{
    const struct custom *p = node->params;
    l->input = (int)p->nargs + l->output;
    return mx_view_same(l, node);
}

/* Append `n` arrays, zeros of the shape of like[i] where one is NULL. */
static mlxc_status append(mlxc_arrays *list, mlxc_scope *c,
    mlxc_array *const *a, mlxc_array *const *like, int n)
{
    for (int i = 0; i < n; i++) {
        mlxc_array *x = a[i] ? a[i] : mlxe_zeros_like(c, like[i]);
        MX_TRY(x ? mlxc_arrays_push(list, x) : mlxc_scope_status(c));
    }
    return MLXC_OK;
}

/* Hand a list of results to the scope, which keeps them alive. */
static mlxc_status deliver(mlxc_array **to, int n, mlxc_scope *c,
    mlxc_arrays *from, const char *what)
{
    if (from->size != n)
        return mx_error(MLXC_ERR_CALLBACK, "custom_function: the %s rule "
            "gave %d arrays, not %d", what, from->size, n);
    for (int i = 0; i < n; i++)
        to[i] = mlxc_scope_take(c, MLXC_OK, mlxc_array_ref(from->item[i]));
    return MLXC_OK;
}

static void vjp_custom(struct mx_vjp *v)
{
    const struct custom *p = v->params;
    int nargs = (int)p->nargs;
    mlxc_arrays *args = NULL, *cotangents = NULL, *result = NULL;
    mlxc_arrays *values = NULL, *late = NULL, *done = NULL;
    mlxc_status status = mlxc_arrays_from(&args, v->input, nargs);
    if (!status && p->vjp) {
        status = append(args, v->scope, v->cotangent, NULL, v->noutputs);
        if (!status)
            status = append(args, v->scope, v->output, NULL, v->noutputs);
        if (!status)
            status = mlxc_function_call(&result, p->vjp, args);
    } else if (!status) {
        /* The function runs again, and not before its first run is done:
           its intermediate values need not be kept. */
        status = mlxc_arrays_from(&cotangents, v->cotangent, v->noutputs);
        if (!status)
            status = mlxc_arrays_from(&done, v->output, v->noutputs);
        if (!status)
            status = mlxc_depends(&late, args, done, NULL);
        if (!status)
            status = mlxc_vjp(&values, &result, p->f, late, cotangents);
    }
    if (!status)
        status = deliver(v->grad, nargs, v->scope, result, "vjp");
    if (status)
        mx_scope_fail(v->scope, status);
    mlxc_arrays_unref(late);
    mlxc_arrays_unref(done);
    mlxc_arrays_unref(args);
    mlxc_arrays_unref(cotangents);
    mlxc_arrays_unref(values);
    mlxc_arrays_unref(result);
}

static void jvp_custom(struct mx_jvp *j)
{
    const struct custom *p = j->params;
    int nargs = (int)p->nargs;
    mlxc_arrays *args = NULL, *tangents = NULL, *result = NULL;
    mlxc_arrays *values = NULL;
    mlxc_status status = mlxc_arrays_from(&args, j->input, nargs);
    if (!status && p->jvp) {
        status = append(args, j->scope, j->tangent, j->input, nargs);
        if (!status)
            status = mlxc_function_call(&result, p->jvp, args);
    } else if (!status) {
        status = mlxc_arrays_new(&tangents);
        if (!status)
            status = append(tangents, j->scope, j->tangent, j->input, nargs);
        if (!status)
            status = mlxc_jvp(&values, &result, p->f, args, tangents);
    }
    if (!status)
        status = deliver(j->tangent_out, j->noutputs, j->scope, result,
            "jvp");
    if (status)
        mx_scope_fail(j->scope, status);
    mlxc_arrays_unref(args);
    mlxc_arrays_unref(tangents);
    mlxc_arrays_unref(values);
    mlxc_arrays_unref(result);
}

/* Without a rule the results, which were batched already, pass through. */
static void vmap_custom(struct mx_vmap *m)
{
    const struct custom *p = m->params;
    mlxc_arrays *args = NULL, *result = NULL;
    if (!p->vmap) {
        for (int i = 0; i < m->noutputs; i++) {
            m->output[i] = m->input[p->nargs + i];
            m->axis_out[i] = m->axis[p->nargs + i];
        }
        return;
    }
    mlxc_status status = mlxc_arrays_new(&args);
    for (int i = 0; i < p->nargs && !status; i++) {
        mlxc_array *a = mx_vmap_batched(m, i);
        status = a ? mlxc_arrays_push(args, a) : mlxc_scope_status(m->scope);
    }
    if (!status)
        status = mlxc_function_call(&result, p->vmap, args);
    if (!status)
        status = deliver(m->output, m->noutputs, m->scope, result, "vmap");
    for (int i = 0; i < m->noutputs; i++)
        m->axis_out[i] = 0;
    if (status)
        mx_scope_fail(m->scope, status);
    mlxc_arrays_unref(args);
    mlxc_arrays_unref(result);
}

static int same(const void *a, const void *b, size_t n)
{
    (void)n;
    return a == b; /* calls are never merged */
}

const struct mx_op mx_op_custom = {
    .name = "custom_function",
    .inputs = -1,
    .outputs = -1,
    .id = MX_OP_CUSTOM,
    .flags = MX_OP_SHARES | MX_OP_OPAQUE,
    .infer = infer,
    .view = view,
    .vjp = vjp_custom,
    .jvp = jvp_custom,
    .vmap = vmap_custom,
    .same = same,
    .retain = retain,
    .destroy = destroy,
};

static mlxc_status detach(mlxc_arrays **out, mlxc_arrays *list)
{
    mlxc_status status = mlxc_arrays_new(out);
    for (int i = 0; i < list->size && !status; i++) {
        mlxc_array *a;
        status = mlxc_stop_gradient(&a, list->item[i], NULL);
        if (!status)
            status = mlxc_arrays_push_take(*out, a);
    }
    return status;
}

static mlxc_status call_custom(mlxc_arrays *outputs, mlxc_arrays *inputs,
    void *payload)
{
    struct custom p = *(struct custom *)payload;
    mlxc_arrays *detached = NULL, *values = NULL, *all = NULL;
    mlxc_arrays *result = NULL;
    p.nargs = inputs->size;
    mlxc_status status = detach(&detached, inputs);
    if (!status)
        status = mlxc_function_call(&values, p.f, detached);
    if (!status)
        status = mlxc_arrays_from(&all, inputs->item, inputs->size);
    for (int i = 0; !status && i < values->size; i++)
        status = mlxc_arrays_push(all, values->item[i]);
    if (!status && values->size)
        status = mx_apply_list(&result, values->size, &mx_op_custom, &p,
            sizeof p, all, NULL);
    for (int i = 0; !status && i < mlxc_arrays_size(result); i++)
        status = mlxc_arrays_push(outputs, result->item[i]);
    mlxc_arrays_unref(detached);
    mlxc_arrays_unref(values);
    mlxc_arrays_unref(all);
    mlxc_arrays_unref(result);
    return status;
}

static void release_custom(void *payload)
{
    destroy(payload);
    mx_free(payload);
}

mlxc_status mlxc_custom_function(mlxc_function **out, mlxc_function *f,
    mlxc_function *vjp, mlxc_function *jvp, mlxc_function *vmap)
{
    if (!out || !f)
        return mx_error(MLXC_ERR_ARGUMENT,
            "custom_function: an argument is NULL");
    *out = NULL;
    struct custom *p = mx_alloc_zero(sizeof *p);
    if (!p)
        return mx_error_nomem("custom_function");
    p->f = f;
    p->vjp = vjp;
    p->jvp = jvp;
    p->vmap = vmap;
    retain(p);
    return mlxc_function_new(out, call_custom, p, release_custom);
}

/* With no rule at all, the gradient is that of a second run. */
mlxc_status mlxc_checkpoint(mlxc_function **out, mlxc_function *f)
{
    return mlxc_custom_function(out, f, NULL, NULL, NULL);
}
