/* SPDX-License-Identifier: MIT */
/* Batching: run the function once on placeholders without the mapped axis,
   then replay the tape on the real arrays with each op's batching rule. */
#include <mlxc/expr.h>

#include "core/arrays.h"
#include "core/error.h"
#include "core/scope.h"
#include "core/shape.h"
#include "ops/infer.h"
#include "transform/function.h"
#include "util/alloc.h"
#include "util/ptrmap.h"

struct mapped {
    mlxc_function *f;
    int n_in, n_out; /* -1: axis 0 of all */
    int axis[];      /* in, then out */
};

struct replay {
    mlxc_scope *scope;
    struct mx_trace *trace;
    struct mx_ptrmap map; /* traced array -> batched array and its axis */
    int64_t size;
};

static void set(struct replay *r, mlxc_array *a, mlxc_array *batched,
    int axis)
{
    struct mx_ptrmap_entry *e = mx_ptrmap_at(&r->map, a);
    if (!e) {
        mx_scope_fail(r->scope, mx_error_nomem("vmap"));
        return;
    }
    e->value = batched;
    e->number = axis;
}

static void step(struct replay *r, const struct mx_record *record)
{
    struct mx_node *n = record->node;
    size_t ni = (size_t)n->ninputs, no = (size_t)n->noutputs;
    mlxc_array **lists = mx_alloc_array(ni + no, sizeof *lists);
    int *axes = mx_alloc_array(ni + no, sizeof *axes);
    int any = 0;
    if (!lists || !axes) {
        mx_scope_fail(r->scope, mx_error_nomem("vmap"));
        goto out;
    }
    for (size_t i = 0; i < ni; i++) {
        struct mx_ptrmap_entry *e = mx_ptrmap_find(&r->map, n->input[i]);
        lists[i] = e ? e->value : n->input[i];
        axes[i] = e ? e->number : -1;
        any |= axes[i] >= 0;
    }
    struct mx_vmap m = { .scope = r->scope, .op = n->op,
        .params = n->params, .nparams = n->nparams, .ninputs = n->ninputs,
        .noutputs = n->noutputs, .size = r->size, .input = lists,
        .axis = axes, .output = lists + ni, .axis_out = axes + ni };
    for (size_t i = 0; i < no; i++) {
        m.output[i] = NULL;
        m.axis_out[i] = -1;
    }
    mx_scope_set_stream(r->scope, n->stream);
    if (!any) { /* a rule gave an unmapped result: go on from that */
        mlxc_status status = mx_apply_n(m.output, n->noutputs, n->op,
            n->params, n->nparams, lists, n->ninputs, n->stream);
        for (size_t i = 0; i < no; i++)
            set(r, record->output[i], mlxc_scope_take(r->scope, status,
                m.output[i]), -1);
        goto out;
    }
    (n->op->vmap ? n->op->vmap : mx_vmap_loop)(&m);
    for (size_t i = 0; i < no; i++) {
        if (m.output[i])
            set(r, record->output[i], m.output[i], m.axis_out[i]);
    }
out:
    mx_free(lists);
    mx_free(axes);
}

/* Normalised axes and the common length. */
static mlxc_status check_inputs(int *axis, int64_t *size,
    const struct mapped *m, mlxc_arrays *inputs)
{
    int n = mlxc_arrays_size(inputs), any = 0;
    if (m->n_in >= 0 && m->n_in != n)
        return mx_error(MLXC_ERR_ARGUMENT, "vmap: %d axes for %d inputs",
            m->n_in, n);
    for (int i = 0; i < n; i++) {
        mlxc_array *a = inputs->item[i];
        axis[i] = -1;
        if (m->n_in >= 0 && m->axis[i] == MLXC_UNMAPPED)
            continue;
        MX_TRY(mx_axis(&axis[i], "vmap", m->n_in >= 0 ? m->axis[i] : 0,
            a->ndim));
        int64_t length = a->shape[axis[i]];
        if (any && length != *size)
            return mx_error(MLXC_ERR_SHAPE,
                "vmap: mapped axes have lengths %lld and %lld",
                (long long)*size, (long long)length);
        *size = length;
        any = 1;
    }
    return any ? MLXC_OK
               : mx_error(MLXC_ERR_ARGUMENT, "vmap: no input is mapped");
}

/* Inputs as the function sees them. */
static mlxc_status placeholders(mlxc_arrays **out, struct mx_trace *t,
    mlxc_arrays *inputs, const int *axis)
{
    mlxc_status status = mlxc_arrays_new(out);
    for (int i = 0; i < inputs->size && !status; i++) {
        mlxc_array *a = inputs->item[i], *p;
        struct mx_ints l;
        if (axis[i] < 0) {
            status = mlxc_arrays_push(*out, a);
            continue;
        }
        int64_t *shape = mx_ints_init(&l, "vmap", a->ndim);
        if (!shape)
            return MLXC_ERR_NOMEM;
        for (int d = 0, k = 0; d < a->ndim; d++) {
            if (d != axis[i])
                shape[k++] = a->shape[d];
        }
        status = mx_array_placeholder(&p, shape, a->ndim - 1,
            (mlxc_dtype)a->dtype);
        mx_ints_free(&l);
        if (status)
            break;
        p->traces = t->bit;
        status = mlxc_arrays_push_take(*out, p);
    }
    return status;
}

static mlxc_status finish(mlxc_arrays *outputs, struct replay *r,
    const struct mapped *m, mlxc_arrays *traced)
{
    int n = traced->size;
    if (m->n_out >= 0 && m->n_out != n)
        return mx_error(MLXC_ERR_ARGUMENT, "vmap: %d axes for %d outputs",
            m->n_out, n);
    const int *want = m->axis + (m->n_in > 0 ? m->n_in : 0);
    mx_scope_set_stream(r->scope, NULL);
    for (int i = 0; i < n; i++) {
        mlxc_array *a = traced->item[i];
        struct mx_ptrmap_entry *e = mx_ptrmap_find(&r->map, a);
        int to, from = e ? e->number : -1;
        mlxc_array *b = e ? e->value : a;
        MX_TRY(mx_axis(&to, "vmap", m->n_out >= 0 ? want[i] : 0,
            a->ndim + 1));
        if (from >= 0) {
            b = mlxe_moveaxis(r->scope, b, from, to);
        } else { /* the same for all */
            struct mx_ints l;
            int64_t *shape = mx_ints_init(&l, "vmap", a->ndim + 1);
            if (!shape)
                return MLXC_ERR_NOMEM;
            for (int d = 0, k = 0; d <= a->ndim; d++)
                shape[d] = d == to ? r->size : a->shape[k++];
            b = mlxe_expand_dims(r->scope, b, &to, 1);
            b = mlxe_broadcast_to(r->scope, b, shape, a->ndim + 1);
            mx_ints_free(&l);
        }
        MX_TRY(mlxc_scope_status(r->scope));
        MX_TRY(mlxc_arrays_push(outputs, b));
    }
    return MLXC_OK;
}

static mlxc_status call_mapped(mlxc_arrays *outputs, mlxc_arrays *inputs,
    void *payload)
{
    const struct mapped *m = payload;
    struct mx_trace trace = { 0 };
    struct replay r = { .trace = &trace };
    mlxc_arrays *stand_ins = NULL, *traced = NULL;
    int *axis = mx_alloc_array((size_t)inputs->size, sizeof *axis);
    if (!axis)
        return mx_error_nomem("vmap");
    mlxc_status status = check_inputs(axis, &r.size, m, inputs);
    if (!status)
        status = mx_trace_open(&trace, MX_TRACE_VMAP);
    if (!status) {
        status = placeholders(&stand_ins, &trace, inputs, axis);
        if (!status)
            status = mlxc_function_call(&traced, m->f, stand_ins);
        mx_trace_close(&trace);
    }
    if (!status)
        status = mlxc_scope_new(&r.scope, NULL);
    for (int i = 0; i < inputs->size && !status; i++) {
        if (axis[i] >= 0)
            set(&r, stand_ins->item[i], inputs->item[i], axis[i]);
        status = mlxc_scope_status(r.scope);
    }
    if (!status)
        status = mx_trace_mark_live(&trace, traced->item, traced->size);
    for (size_t i = 0; i < trace.size && !status; i++) {
        if (trace.record[i].live)
            step(&r, &trace.record[i]);
        status = mlxc_scope_status(r.scope);
    }
    if (!status)
        status = finish(outputs, &r, m, traced);
    mx_trace_free(&trace);
    mx_ptrmap_free(&r.map);
    mlxc_scope_free(r.scope);
    mlxc_arrays_unref(stand_ins);
    mlxc_arrays_unref(traced);
    mx_free(axis);
    return status;
}

static void release_mapped(void *payload)
{
    struct mapped *m = payload;
    mlxc_function_unref(m->f);
    mx_free(m);
}

mlxc_status mlxc_vmap(mlxc_function **out, mlxc_function *f,
    const int *in_axes, int n_in, const int *out_axes, int n_out)
{
    if (!out || !f || n_in < 0 || n_out < 0)
        return mx_error(MLXC_ERR_ARGUMENT, "vmap: an argument is NULL");
    *out = NULL;
    size_t ni = in_axes ? (size_t)n_in : 0;
    size_t no = out_axes ? (size_t)n_out : 0;
    struct mapped *m = mx_alloc(sizeof *m + (ni + no) * sizeof *m->axis);
    if (!m)
        return mx_error_nomem("vmap");
    m->f = mlxc_function_ref(f);
    m->n_in = in_axes ? n_in : -1;
    m->n_out = out_axes ? n_out : -1;
    for (size_t i = 0; i < ni + no; i++)
        m->axis[i] = i < ni ? in_axes[i] : out_axes[i - ni];
    return mlxc_function_new(out, call_mapped, m, release_mapped);
}
