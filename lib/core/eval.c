/* SPDX-License-Identifier: MIT */
/* Evaluation: order the nodes without recursion, inputs first, and hand each
   to the back end of its stream.  All bookkeeping happens under the graph
   lock; the lock is free while queued work runs (see pace), so a node of the
   order may meanwhile have been evaluated by somebody else, who is then
   relied upon. */
#include "core/eval.h"

#include <mlxc/transform.h>

#include <string.h>

#include "core/backend.h"
#include "core/error.h"
#include "core/shape.h"
#include "util/alloc.h"

#define INLINE_NODES 32
#define INLINE_STREAMS 4

struct visit {
    struct mx_node *node;
    int next; /* input to look at */
};

struct evaluation {
    struct visit *stack;
    size_t depth, stack_room;
    struct mx_node **order; /* counted */
    size_t size, order_room;
    mlxc_stream **streams;
    int nstreams, streams_room;
    int wait;
    struct visit stack_small[INLINE_NODES];
    struct mx_node *order_small[INLINE_NODES];
    mlxc_stream *streams_small[INLINE_STREAMS];
};

static uint32_t last_mark; /* under the graph lock */

static void *grow(void *old, const void *small, size_t *room, size_t item)
{
    size_t more = 2 * *room;
    void *p = mx_realloc_array(old == small ? NULL : old, more, item);
    if (!p)
        return NULL;
    if (old == small)
        memcpy(p, small, *room * item);
    *room = more;
    return p;
}

static mlxc_status push(struct evaluation *e, struct mx_node *n)
{
    if (e->depth == e->stack_room) {
        void *p = grow(e->stack, e->stack_small, &e->stack_room,
            sizeof *e->stack);
        if (!p)
            return mx_error_nomem("eval");
        e->stack = p;
    }
    n->mark = last_mark;
    e->stack[e->depth++] = (struct visit){ n, 0 };
    return MLXC_OK;
}

static mlxc_status append(struct evaluation *e, struct mx_node *n)
{
    if (e->size == e->order_room) {
        void *p = grow(e->order, e->order_small, &e->order_room,
            sizeof *e->order);
        if (!p)
            return mx_error_nomem("eval");
        e->order = p;
    }
    e->order[e->size++] = mx_node_ref(n);
    return MLXC_OK;
}

static mlxc_status visit_array(struct evaluation *e, mlxc_array *a)
{
    if (a->state != MX_LAZY || (a->node && a->node->mark == last_mark))
        return MLXC_OK;
    if (!a->node)
        return mx_error(MLXC_ERR_ARGUMENT,
            "eval: the array stands for a value that vmap or compile is "
            "tracing; it cannot be evaluated inside the function");
    return push(e, a->node);
}

/* Post-order over what is not evaluated yet. */
static mlxc_status order_from(struct evaluation *e, mlxc_array *root)
{
    MX_TRY(visit_array(e, root));
    while (e->depth) {
        struct visit *v = &e->stack[e->depth - 1];
        if (v->next < v->node->ninputs) {
            MX_TRY(visit_array(e, v->node->input[v->next++]));
        } else {
            e->depth--;
            MX_TRY(append(e, v->node));
        }
    }
    return MLXC_OK;
}

static mlxc_status use_stream(struct evaluation *e, mlxc_stream *s)
{
    for (int i = e->nstreams - 1; i >= 0; i--) {
        if (e->streams[i] == s)
            return MLXC_OK;
    }
    if (e->nstreams == e->streams_room) {
        size_t room = (size_t)e->streams_room;
        void *p = grow(e->streams, e->streams_small, &room,
            sizeof *e->streams);
        if (!p)
            return mx_error_nomem("eval");
        e->streams = p;
        e->streams_room = (int)room;
    }
    e->streams[e->nstreams++] = mlxc_stream_ref(s);
    s->device->backend->stream->begin(s, e->wait);
    return MLXC_OK;
}

int mx_can_donate(const struct mx_node *node, int i)
{
    mlxc_array *a = node->input[i];
    struct mx_buffer *b = a->buffer;
    if (mx_load(&a->refs) != 1 || mx_load(&b->users) != 1 || b->readonly ||
        b->shared || b->device != node->stream->device ||
        (b->stream && b->stream != node->stream))
        return 0;
    /* held by its outputs and by this evaluation, and by no tape */
    return mx_load(&node->refs) == node->noutputs + 1;
}

int mx_view_same(struct mx_layout *l, const struct mx_node *node)
{
    mlxc_array *a = node->input[l->input];
    memcpy(l->strides, a->strides, (size_t)a->ndim * sizeof *a->strides);
    return 1;
}

/* Let the outputs share buffers; false if the back end must copy. */
static int share(struct mx_node *node, uint64_t *sequence)
{
    mlxc_stream *s = node->stream;
    for (int i = 0; i < node->noutputs; i++) {
        mlxc_array *out = node->output[i];
        struct mx_layout l = { i, i, out->strides, 0 };
        if (!node->op->view(&l, node))
            return 0;
        mlxc_array *in = node->input[l.input];
        if (in->buffer->device != s->device)
            return 0; /* moves first: the back end knows how */
        mx_array_set_buffer(out, in->buffer, out->strides,
            in->offset + l.offset);
        if (in->state == MX_SCHEDULED && in->stream == s &&
            in->sequence > *sequence)
            *sequence = in->sequence;
        else if (in->state == MX_SCHEDULED && in->stream != s)
            *sequence = s->submitted; /* a wait was queued there */
    }
    return 1;
}

static mlxc_status await_inputs(struct mx_node *node)
{
    mlxc_stream *s = node->stream;
    for (int i = 0; i < node->ninputs; i++) {
        mlxc_array *a = node->input[i];
        if (a->state == MX_SCHEDULED && a->stream != s &&
            !mx_stream_reached(a->stream, a->sequence))
            MX_TRY(s->device->backend->stream->wait(s, a->stream,
                a->sequence));
        struct mx_fault *f = mx_load(&a->buffer->fault);
        if (f)
            return mx_fault_raise(f);
    }
    return MLXC_OK;
}

static mlxc_status encode(struct mx_node *node, uint64_t *sequence)
{
    mlxc_stream *s = node->stream;
    MX_TRY(await_inputs(node));
    *sequence = 0;
    if (node->op->view && share(node, sequence))
        return MLXC_OK;
    mx_eval_fn *fn = s->device->backend->eval[node->op->id];
    if (!fn)
        return mx_error(MLXC_ERR_UNSUPPORTED,
            "%s: not implemented on the %s", node->op->name,
            s->device->backend->name);
    s->node = node;
    mlxc_status status = fn(s, node);
    s->node = NULL;
    *sequence = s->submitted;
    return status;
}

/* Outputs whose handle is gone but that the kernel writes all the same. */
static mlxc_status revive(struct mx_node *node, mlxc_array **dead)
{
    struct mx_infer c = { .op = node->op, .params = node->params,
        .nparams = node->nparams, .input = node->input,
        .ninputs = node->ninputs, .noutputs = node->op->outputs };
    c.spec = c.small;
    mlxc_status status = node->op->infer(&c);
    for (int i = 0; i < node->noutputs && !status; i++) {
        if (node->output[i])
            continue;
        status = mx_array_new(&dead[i], c.spec[i].shape, c.spec[i].ndim,
            c.spec[i].dtype);
        node->output[i] = dead[i];
    }
    mx_infer_free(&c);
    return status;
}

static void settle(mlxc_array *a, mlxc_stream *s, uint64_t sequence)
{
    struct mx_node *node = a->node;
    a->node = NULL;
    if (mx_stream_reached(s, sequence)) {
        mx_store(&a->state, MX_READY);
    } else {
        a->stream = mlxc_stream_ref(s);
        a->sequence = sequence;
        mx_store(&a->state, MX_SCHEDULED);
    }
    mx_node_unref(node);
}

static void unset_buffer(mlxc_array *a)
{
    if (!a->buffer)
        return;
    mx_sub(&a->buffer->users, 1);
    mx_buffer_unref(a->buffer);
    a->buffer = NULL;
}

#define INLINE_OUTPUTS 8

static mlxc_status run(struct evaluation *e, struct mx_node *node)
{
    mlxc_array *hold_small[INLINE_OUTPUTS], **hold = hold_small;
    uint64_t sequence;
    int n = node->noutputs, missing = 0, lazy = 0;
    sequence = 0;
    if (n > INLINE_OUTPUTS) {
        hold = mx_alloc_array((size_t)n, sizeof *hold);
        if (!hold)
            return mx_error_nomem("eval");
    }
    for (int i = 0; i < n; i++) {
        hold[i] = NULL;
        mlxc_array *a = node->output[i];
        /* A single output is held by the caller or by its consumer, which
           is in the order too; of several, some may be going. */
        if (a && n > 1) {
            if (mx_array_try_ref(a))
                hold[i] = a;
            else
                a = node->output[i] = NULL;
        }
        lazy |= a != NULL;
        missing |= a == NULL;
    }
    mlxc_status status = MLXC_OK;
    if (!lazy) /* evaluated by another thread while the lock was free */
        goto out;
    if (missing)
        status = revive(node, hold);
    if (!status)
        status = use_stream(e, node->stream);
    if (!status)
        status = encode(node, &sequence);
    for (int i = 0; i < n; i++) {
        mlxc_array *a = node->output[i];
        if (!status) {
            node->output[i] = NULL;
            settle(a, node->stream, sequence);
        } else if (a) {
            unset_buffer(a);
            if (a->node != node)
                node->output[i] = NULL;
        }
    }
out:
    for (int i = 0; i < n; i++)
        mlxc_array_unref(hold[i]);
    if (hold != hold_small)
        mx_free(hold);
    return status;
}

static mlxc_status run_all(struct evaluation *e)
{
    for (size_t i = 0; i < e->size; i++) {
        struct mx_node *node = e->order[i];
        MX_TRY(run(e, node));
        e->order[i] = NULL;
        node->stream->device->backend->stream->pace(node->stream, e->wait);
        mx_node_unref(node);
    }
    return MLXC_OK;
}

static void finish(struct evaluation *e)
{
    for (size_t i = 0; i < e->size; i++)
        mx_node_unref(e->order[i]);
    for (int i = 0; i < e->nstreams; i++)
        e->streams[i]->device->backend->stream->end(e->streams[i], e->wait);
    mx_graph_unlock();
    for (int i = 0; i < e->nstreams; i++)
        mlxc_stream_unref(e->streams[i]);
    if (e->stack != e->stack_small)
        mx_free(e->stack);
    if (e->order != e->order_small)
        mx_free(e->order);
    if (e->streams != e->streams_small)
        mx_free(e->streams);
}

static mlxc_status submit(mlxc_array *const *list, int n, int wait)
{
    struct evaluation e;
    mlxc_status status = MLXC_OK;
    e.stack = e.stack_small;
    e.order = e.order_small;
    e.streams = e.streams_small;
    e.stack_room = e.order_room = INLINE_NODES;
    e.streams_room = INLINE_STREAMS;
    e.depth = e.size = 0;
    e.nstreams = 0;
    e.wait = wait;
    mx_graph_lock();
    if (++last_mark == 0)
        last_mark = 1;
    for (int i = 0; i < n && !status; i++)
        status = order_from(&e, list[i]);
    if (!status)
        status = run_all(&e);
    finish(&e);
    return status;
}

/* Wait for a scheduled array; then it is ready for everybody. */
static mlxc_status await(mlxc_array *a)
{
    if (mx_load(&a->state) != MX_READY) {
        mx_graph_lock();
        mlxc_stream *s = a->state == MX_SCHEDULED
            ? mlxc_stream_ref(a->stream) : NULL;
        uint64_t sequence = a->sequence;
        mx_graph_unlock();
        if (!s)
            return MLXC_OK;
        s->device->backend->stream->sync(s, sequence);
        mx_graph_lock();
        mlxc_stream *old = NULL;
        if (a->state == MX_SCHEDULED) {
            old = a->stream;
            a->stream = NULL;
            mx_store(&a->state, MX_READY);
        }
        mx_graph_unlock();
        mlxc_stream_unref(old);
        mlxc_stream_unref(s);
    }
    struct mx_fault *f = mx_load(&a->buffer->fault);
    return MX_UNLIKELY(f != NULL) ? mx_fault_raise(f) : MLXC_OK;
}

static mlxc_status check_list(const char *op, mlxc_array *const *list, int n)
{
    if (n < 0 || (n > 0 && !list))
        return mx_error(MLXC_ERR_ARGUMENT, "%s: no list of %d arrays", op,
            n);
    for (int i = 0; i < n; i++) {
        if (!list[i])
            return mx_error(MLXC_ERR_ARGUMENT, "%s: array %d is NULL", op,
                i);
    }
    return MLXC_OK;
}

mlxc_status mlxc_eval(mlxc_array *const *list, int n)
{
    MX_TRY(check_list("eval", list, n));
    int lazy = 0;
    for (int i = 0; i < n; i++)
        lazy |= mx_load(&list[i]->state) == MX_LAZY;
    if (lazy)
        MX_TRY(submit(list, n, 1));
    mlxc_status first = MLXC_OK;
    for (int i = 0; i < n; i++) {
        mlxc_status status = await(list[i]);
        if (!first)
            first = status;
    }
    return first;
}

mlxc_status mlxc_async_eval(mlxc_array *const *list, int n)
{
    MX_TRY(check_list("async_eval", list, n));
    return submit(list, n, 0);
}

mlxc_status mx_array_eval(mlxc_array *a)
{
    return mlxc_eval(&a, 1);
}

bool mlxc_array_is_ready(mlxc_array *a)
{
    if (!a)
        return false;
    if (mx_load(&a->state) == MX_READY)
        return true;
    mx_graph_lock();
    bool ready = a->state == MX_SCHEDULED &&
        mx_stream_reached(a->stream, a->sequence);
    mx_graph_unlock();
    return ready;
}
