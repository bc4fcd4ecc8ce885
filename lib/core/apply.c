/* SPDX-License-Identifier: MIT */
/* Making nodes: check, infer, allocate once, record.  On the hot path of
   every operation. */
#include <string.h>

#include "core/arrays.h"
#include "core/device.h"
#include "core/error.h"
#include "core/node.h"
#include "core/op.h"
#include "core/shape.h"
#include "core/stream.h"
#include "core/trace.h"
#include "util/alloc.h"

struct heap_block {
    struct heap_block *next;
    int64_t dims[];
};

int64_t *mx_infer_dims(struct mx_infer *c, int n)
{
    if (c->used + n <= MX_INFER_INLINE) {
        int64_t *d = c->dims + c->used;
        c->used += n;
        return d;
    }
    struct heap_block *b =
        mx_alloc(sizeof *b + (size_t)n * sizeof(int64_t));
    if (!b) {
        mx_error_nomem(c->op->name);
        return NULL;
    }
    b->next = c->heap;
    c->heap = b;
    return b->dims;
}

mlxc_status mx_infer_outputs(struct mx_infer *c, int n)
{
    c->noutputs = n;
    if (n <= MX_INFER_OUTPUTS)
        return MLXC_OK;
    int words = (int)((size_t)n * sizeof(struct mx_spec) / sizeof(int64_t));
    c->spec = (struct mx_spec *)(void *)mx_infer_dims(c, words + 1);
    return c->spec ? MLXC_OK : MLXC_ERR_NOMEM;
}

void mx_infer_free(struct mx_infer *c)
{
    while (c->heap) {
        struct heap_block *b = c->heap;
        c->heap = b->next;
        mx_free(b);
    }
}

static size_t aligned(size_t n)
{
    return (n + 7) & ~(size_t)7;
}

static struct mx_node *new_node(const struct mx_infer *c, mlxc_stream *s)
{
    size_t head = aligned(sizeof(struct mx_node));
    size_t lists = (size_t)(c->ninputs + c->noutputs) * sizeof(void *);
    struct mx_node *n = mx_alloc(head + lists + c->nparams);
    if (!n)
        return NULL;
    n->refs = 1;
    n->op = c->op;
    n->ninputs = c->ninputs;
    n->noutputs = c->noutputs;
    n->mark = 0;
    n->nparams = (uint32_t)c->nparams;
    n->stream = mlxc_stream_ref(s);
    n->input = (mlxc_array **)(void *)((char *)n + head);
    n->output = n->input + c->ninputs;
    n->params = n->output + c->noutputs;
    if (c->nparams)
        memcpy(n->params, c->params, c->nparams);
    if (c->op->retain)
        c->op->retain(n->params);
    for (int i = 0; i < c->ninputs; i++)
        n->input[i] = mlxc_array_ref(c->input[i]);
    for (int i = 0; i < c->noutputs; i++)
        n->output[i] = NULL;
    return n;
}

static mlxc_status make(mlxc_array **out, struct mx_infer *c, mlxc_stream *s)
{
    uint32_t traces = 0;
    struct mx_node *node = new_node(c, s);
    if (!node)
        return mx_error_nomem(c->op->name);
    for (int i = 0; i < c->ninputs; i++)
        traces |= c->input[i]->traces;
    for (int i = 0; i < c->noutputs; i++) {
        mlxc_status status = mx_array_new(&out[i], c->spec[i].shape,
            c->spec[i].ndim, c->spec[i].dtype);
        if (status) {
            mx_node_unref(node);
            return status;
        }
        out[i]->node = mx_node_ref(node);
        out[i]->output = i;
        node->output[i] = out[i];
    }
    mlxc_status status =
        traces ? mx_trace_record(node, out, traces) : MLXC_OK;
    mx_node_unref(node);
    return status;
}

mlxc_status mx_apply_n(mlxc_array **out, int noutputs,
    const struct mx_op *op, const void *params, size_t nparams,
    mlxc_array *const *input, int n, mlxc_stream *s)
{
    struct mx_infer c;
    mlxc_status status;
    if (!out)
        return mx_error(MLXC_ERR_ARGUMENT, "%s: out is NULL", op->name);
    for (int i = 0; i < noutputs; i++)
        out[i] = NULL;
    for (int i = 0; i < n; i++) {
        if (!input[i])
            return mx_error(MLXC_ERR_ARGUMENT, "%s: input %d is NULL",
                op->name, i);
    }
    s = mx_stream_or_default(s);
    if (!s)
        return MLXC_ERR_NOMEM;
    c.op = op;
    c.params = params;
    c.nparams = nparams;
    c.input = input;
    c.ninputs = n;
    c.noutputs = op->outputs;
    c.spec = c.small;
    c.used = 0;
    c.heap = NULL;
    status = op->infer(&c);
    if (!status && c.noutputs != noutputs)
        status = mx_error(MLXC_ERR_INTERNAL, "%s: %d outputs, not %d",
            op->name, c.noutputs, noutputs);
    if (!status)
        status = make(out, &c, s);
    mx_infer_free(&c);
    for (int i = 0; status && i < noutputs; i++) {
        mlxc_array_unref(out[i]);
        out[i] = NULL;
    }
    return status;
}

mlxc_status mx_apply(mlxc_array **out, const struct mx_op *op,
    const void *params, size_t nparams, mlxc_array *const *input, int n,
    mlxc_stream *s)
{
    return mx_apply_n(out, op->outputs, op, params, nparams, input, n, s);
}

mlxc_status mx_apply1(mlxc_array **out, const struct mx_op *op,
    const void *params, size_t nparams, mlxc_array *a, mlxc_stream *s)
{
    return mx_apply_n(out, 1, op, params, nparams, &a, 1, s);
}

mlxc_status mx_apply_list(mlxc_arrays **out, int noutputs,
    const struct mx_op *op, const void *params, size_t nparams,
    mlxc_arrays *input, mlxc_stream *s)
{
    mlxc_array **result = mx_alloc_array((size_t)noutputs, sizeof *result);
    *out = NULL;
    if (!result)
        return mx_error_nomem(op->name);
    mlxc_status status = mx_apply_n(result, noutputs, op, params, nparams,
        input->item, input->size, s);
    if (!status)
        status = mlxc_arrays_from(out, result, noutputs);
    for (int i = 0; i < noutputs; i++)
        mlxc_array_unref(result[i]);
    mx_free(result);
    return status;
}

mlxc_array *mx_apply_in(mlxc_scope *scope, const struct mx_op *op,
    const void *params, size_t nparams, mlxc_array *const *input, int n)
{
    mlxc_array *out = NULL;
    for (int i = 0; i < n; i++) {
        if (!input[i])
            return NULL;
    }
    mlxc_status status = mx_apply_n(&out, 1, op, params, nparams, input, n,
        mlxc_scope_stream(scope));
    return mlxc_scope_take(scope, status, out);
}
