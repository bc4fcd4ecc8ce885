/* SPDX-License-Identifier: MIT */
/* Forward mode: run the function under a trace, then push tangents along the
   tape. */
#include <mlxc/expr.h>

#include "core/arrays.h"
#include "core/error.h"
#include "core/scope.h"
#include "core/shape.h"
#include "transform/function.h"
#include "util/alloc.h"
#include "util/ptrmap.h"

struct forward {
    mlxc_scope *scope;
    struct mx_trace *trace;
    struct mx_ptrmap map; /* array -> tangent */
};

static void set(struct forward *w, mlxc_array *a, mlxc_array *tangent)
{
    struct mx_ptrmap_entry *e = tangent ? mx_ptrmap_at(&w->map, a) : NULL;
    if (e)
        e->value = tangent;
    else if (tangent)
        mx_scope_fail(w->scope, mx_error_nomem("jvp"));
}

static void step(struct forward *w, const struct mx_record *r)
{
    struct mx_node *n = r->node;
    size_t ni = (size_t)n->ninputs, no = (size_t)n->noutputs;
    int any = 0;
    if (!r->live || !n->op->jvp)
        return;
    mlxc_array **lists = mx_alloc_array(ni + no + 1, sizeof *lists);
    if (!lists) {
        mx_scope_fail(w->scope, mx_error_nomem("jvp"));
        return;
    }
    for (size_t i = 0; i < ni; i++) {
        struct mx_ptrmap_entry *e = mx_ptrmap_find(&w->map, n->input[i]);
        lists[i] = e ? e->value : NULL;
        any |= lists[i] != NULL;
    }
    mlxc_array **out = lists + ni;
    for (size_t i = 0; i < no; i++)
        out[i] = NULL;
    if (any) {
        mx_scope_set_stream(w->scope, n->stream);
        struct mx_jvp j = { .scope = w->scope, .op = n->op,
            .params = n->params, .nparams = n->nparams,
            .ninputs = n->ninputs, .noutputs = n->noutputs,
            .input = n->input, .output = r->output, .tangent = lists,
            .tangent_out = out };
        n->op->jvp(&j);
    }
    for (size_t i = 0; i < no; i++)
        set(w, r->output[i], out[i]);
    mx_free(lists);
}

static mlxc_status seed(struct forward *w, mlxc_arrays *marked,
    mlxc_arrays *tangents)
{
    char ta[MX_SHAPE_TEXT], tb[MX_SHAPE_TEXT];
    int n = mlxc_arrays_size(marked);
    if (mlxc_arrays_size(tangents) != n)
        return mx_error(MLXC_ERR_ARGUMENT, "jvp: %d tangents for %d primals",
            mlxc_arrays_size(tangents), n);
    for (int i = 0; i < n; i++) {
        mlxc_array *a = marked->item[i], *t = tangents->item[i];
        if (!mx_shape_equal(a->shape, a->ndim, t->shape, t->ndim))
            return mx_error(MLXC_ERR_SHAPE,
                "jvp: tangent %d has shape %s, the primal %s", i,
                mx_shape_text(ta, t->shape, t->ndim),
                mx_shape_text(tb, a->shape, a->ndim));
        set(w, a, mlxe_astype(w->scope, t, (mlxc_dtype)a->dtype));
    }
    return mlxc_scope_status(w->scope);
}

mlxc_status mlxc_jvp(mlxc_arrays **outputs_out,
    mlxc_arrays **tangents_out_out, mlxc_function *f, mlxc_arrays *primals,
    mlxc_arrays *tangents)
{
    struct mx_trace trace;
    mlxc_arrays *marked, *result = NULL;
    struct forward w = { .trace = &trace };
    if (!outputs_out || !tangents_out_out || !f || !primals || !tangents)
        return mx_error(MLXC_ERR_ARGUMENT, "jvp: an argument is NULL");
    *tangents_out_out = NULL;
    MX_TRY(mx_call_traced(&trace, MX_TRACE_GRAD, outputs_out, &marked, f,
        primals, NULL));
    mlxc_arrays *outputs = *outputs_out;
    mlxc_status status = mlxc_scope_new(&w.scope, NULL);
    if (!status)
        status = seed(&w, marked, tangents);
    if (!status)
        status = mx_trace_mark_live(&trace, outputs->item, outputs->size);
    for (size_t i = 0; i < trace.size && !status; i++) {
        step(&w, &trace.record[i]);
        status = mlxc_scope_status(w.scope);
    }
    if (!status)
        status = mlxc_arrays_new(&result);
    for (int i = 0; i < outputs->size && !status; i++) {
        struct mx_ptrmap_entry *e =
            mx_ptrmap_find(&w.map, outputs->item[i]);
        mlxc_array *t = e ? e->value
                          : mlxe_zeros_like(w.scope, outputs->item[i]);
        status = mlxc_scope_status(w.scope);
        if (!status)
            status = mlxc_arrays_push(result, t);
    }
    mx_trace_free(&trace);
    mx_ptrmap_free(&w.map);
    mlxc_scope_free(w.scope);
    mlxc_arrays_unref(marked);
    if (status) {
        mlxc_arrays_unref(outputs);
        mlxc_arrays_unref(result);
        *outputs_out = NULL;
        return status;
    }
    *tangents_out_out = result;
    return MLXC_OK;
}
