/* SPDX-License-Identifier: MIT */
/* See trace.h. */
#include "core/trace.h"

#include "core/device.h"
#include "core/error.h"
#include "util/alloc.h"
#include "util/ptrmap.h"

mlxc_status mx_trace_open(struct mx_trace *t, enum mx_trace_kind kind)
{
    struct mx_thread *thread = mx_thread();
    if (!thread)
        return MLXC_ERR_NOMEM;
    uint32_t bit = thread->trace ? thread->trace->bit << 1 : 1;
    if (!bit)
        return mx_error(MLXC_ERR_UNSUPPORTED,
            "transformations are nested too deep (32)");
    *t = (struct mx_trace){ .outer = thread->trace, .kind = kind,
        .bit = bit };
    thread->trace = t;
    return MLXC_OK;
}

void mx_trace_close(struct mx_trace *t)
{
    /* The thread state exists: the trace was opened on it. */
    mx_thread()->trace = t->outer;
}

void mx_trace_free(struct mx_trace *t)
{
    /* Last first: later nodes hold earlier ones. */
    for (size_t i = t->size; i-- > 0;) {
        struct mx_record *r = &t->record[i];
        for (int k = 0; k < r->node->noutputs; k++)
            mlxc_array_unref(r->output[k]);
        mx_free(r->output);
        mx_node_unref(r->node);
    }
    mx_free(t->record);
}

static mlxc_status add(struct mx_trace *t, struct mx_node *node,
    mlxc_array *const *out)
{
    if (t->size == t->room) {
        size_t room = t->room ? 2 * t->room : 32;
        struct mx_record *p =
            mx_realloc_array(t->record, room, sizeof *p);
        if (!p)
            return mx_error_nomem(node->op->name);
        t->record = p;
        t->room = room;
    }
    struct mx_record *r = &t->record[t->size];
    r->output = mx_alloc_array((size_t)node->noutputs, sizeof *r->output);
    if (!r->output)
        return mx_error_nomem(node->op->name);
    r->node = mx_node_ref(node);
    r->live = 0;
    for (int i = 0; i < node->noutputs; i++)
        r->output[i] = mlxc_array_ref(out[i]);
    t->size++;
    return MLXC_OK;
}

mlxc_status mx_trace_record(struct mx_node *node, mlxc_array *const *out,
    uint32_t bits)
{
    struct mx_thread *thread = mx_thread();
    uint32_t recorded = 0;
    for (struct mx_trace *t = thread ? thread->trace : NULL; t;
        t = t->outer) {
        if (!(t->bit & bits) || (t->kind == MX_TRACE_GRAD &&
            node->op == &mx_op_stop_gradient))
            continue;
        MX_TRY(add(t, node, out));
        recorded |= t->bit;
    }
    for (int i = 0; i < node->noutputs; i++)
        out[i]->traces = recorded;
    return MLXC_OK;
}

mlxc_status mx_trace_mark_live(struct mx_trace *t, mlxc_array *const *out,
    int n)
{
    struct mx_ptrmap needed = { 0 };
    mlxc_status status = MLXC_OK;
    for (int i = 0; i < n && !status; i++) {
        if (!mx_ptrmap_at(&needed, out[i]))
            status = mx_error_nomem("trace");
    }
    for (size_t i = t->size; i-- > 0 && !status;) {
        struct mx_record *r = &t->record[i];
        for (int k = 0; k < r->node->noutputs; k++)
            r->live |= mx_ptrmap_find(&needed, r->output[k]) != NULL;
        for (int k = 0; r->live && k < r->node->ninputs; k++) {
            if ((r->node->input[k]->traces & t->bit) &&
                !mx_ptrmap_at(&needed, r->node->input[k]))
                status = mx_error_nomem("trace");
        }
    }
    mx_ptrmap_free(&needed);
    return status;
}
