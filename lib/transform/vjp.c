/* SPDX-License-Identifier: MIT */
/* Reverse mode: run the function under a trace, then walk the tape backwards
   and let each op say what its cotangents mean for its inputs. */
#include <mlxc/expr.h>

#include "core/arrays.h"
#include "core/error.h"
#include "core/scope.h"
#include "core/shape.h"
#include "transform/function.h"
#include "util/alloc.h"
#include "util/ptrmap.h"

struct backward {
    mlxc_scope *scope;
    struct mx_trace *trace;
    struct mx_ptrmap map; /* array -> cotangent, borrowed from the scope */
};

static void accumulate(struct backward *b, mlxc_array *a, mlxc_array *grad)
{
    if (!grad)
        return;
    struct mx_ptrmap_entry *e = mx_ptrmap_at(&b->map, a);
    if (!e)
        mx_scope_fail(b->scope, mx_error_nomem("vjp"));
    else
        e->value = e->value ? mlxe_add(b->scope, e->value, grad) : grad;
}

/* Cotangents of the outputs; 0 if nothing flows into this node. */
static int gather(struct backward *b, const struct mx_record *r,
    mlxc_array **cotangent)
{
    int any = 0, n = r->node->noutputs;
    for (int i = 0; i < n; i++) {
        struct mx_ptrmap_entry *e = mx_ptrmap_find(&b->map, r->output[i]);
        cotangent[i] = e ? e->value : NULL;
        any |= cotangent[i] != NULL;
    }
    for (int i = 0; any && i < n; i++) {
        if (!cotangent[i])
            cotangent[i] = mlxe_zeros_like(b->scope, r->output[i]);
    }
    return any;
}

#define INLINE 8

static void step(struct backward *b, const struct mx_record *r)
{
    struct mx_node *n = r->node;
    mlxc_array *small[2 * INLINE];
    unsigned char wanted_small[INLINE];
    size_t ni = (size_t)n->ninputs, no = (size_t)n->noutputs;
    int heap = ni > INLINE || no > INLINE;
    mlxc_array **lists = heap ? mx_alloc_array(ni + no, sizeof *lists)
                              : small;
    unsigned char *wanted = heap ? mx_alloc(ni) : wanted_small;
    if (!lists || !wanted) {
        mx_scope_fail(b->scope, mx_error_nomem("vjp"));
        goto out;
    }
    mlxc_array **grad = lists + no;
    if (!n->op->vjp || !gather(b, r, lists))
        goto out;
    for (size_t i = 0; i < ni; i++) {
        grad[i] = NULL;
        wanted[i] = (n->input[i]->traces & b->trace->bit) != 0;
    }
    mx_scope_set_stream(b->scope, n->stream);
    struct mx_vjp v = { .scope = b->scope, .op = n->op, .params = n->params,
        .nparams = n->nparams, .ninputs = n->ninputs,
        .noutputs = n->noutputs, .input = n->input, .output = r->output,
        .cotangent = lists, .wanted = wanted, .grad = grad };
    if (!mlxc_scope_status(b->scope))
        n->op->vjp(&v);
    for (size_t i = 0; i < ni; i++) {
        if (wanted[i])
            accumulate(b, n->input[i], grad[i]);
    }
out:
    if (heap) {
        mx_free(lists);
        mx_free(wanted);
    }
}

/* The cotangents as given, by output. */
static mlxc_status seed(struct backward *b, mlxc_arrays *outputs,
    mlxc_arrays *cotangents)
{
    char ta[MX_SHAPE_TEXT], tb[MX_SHAPE_TEXT];
    int n = mlxc_arrays_size(outputs);
    if (mlxc_arrays_size(cotangents) != n)
        return mx_error(MLXC_ERR_ARGUMENT,
            "vjp: %d cotangents for %d outputs",
            mlxc_arrays_size(cotangents), n);
    for (int i = 0; i < n; i++) {
        mlxc_array *o = outputs->item[i], *g = cotangents->item[i];
        if (!mx_shape_equal(o->shape, o->ndim, g->shape, g->ndim))
            return mx_error(MLXC_ERR_SHAPE,
                "vjp: cotangent %d has shape %s, the output %s", i,
                mx_shape_text(ta, g->shape, g->ndim),
                mx_shape_text(tb, o->shape, o->ndim));
        accumulate(b, o, mlxe_astype(b->scope, g, (mlxc_dtype)o->dtype));
    }
    return mlxc_scope_status(b->scope);
}

static mlxc_status collect(mlxc_arrays **grads, struct backward *b,
    mlxc_arrays *marked, const unsigned char *wanted)
{
    mlxc_status status = mlxc_arrays_new(grads);
    for (int i = 0; i < mlxc_arrays_size(marked) && !status; i++) {
        if (wanted && !wanted[i])
            continue;
        mlxc_array *a = marked->item[i];
        struct mx_ptrmap_entry *e = mx_ptrmap_find(&b->map, a);
        mlxc_array *g = e && e->value ? e->value
                                      : mlxe_zeros_like(b->scope, a);
        status = mlxc_scope_status(b->scope);
        if (!status)
            status = mlxc_arrays_push(*grads, g);
    }
    return status;
}

mlxc_status mx_vjp_of(mlxc_arrays **outputs, mlxc_arrays **grads,
    mlxc_function *f, mlxc_arrays *primals, mlxc_arrays *cotangents,
    const unsigned char *wanted)
{
    struct mx_trace trace;
    mlxc_arrays *marked;
    struct backward b = { .trace = &trace };
    *grads = NULL;
    MX_TRY(mx_call_traced(&trace, MX_TRACE_GRAD, outputs, &marked, f,
        primals, wanted));
    mlxc_status status = mlxc_scope_new(&b.scope, NULL);
    if (!status)
        status = seed(&b, *outputs, cotangents);
    for (size_t i = trace.size; i-- > 0 && !status;) {
        step(&b, &trace.record[i]);
        status = mlxc_scope_status(b.scope);
    }
    if (!status)
        status = collect(grads, &b, marked, wanted);
    mx_trace_free(&trace);
    mx_ptrmap_free(&b.map);
    mlxc_scope_free(b.scope);
    mlxc_arrays_unref(marked);
    if (status) {
        mlxc_arrays_unref(*outputs);
        mlxc_arrays_unref(*grads);
        *outputs = *grads = NULL;
    }
    return status;
}

static mlxc_status check(const char *op, mlxc_arrays **a, mlxc_arrays **b,
    mlxc_function *f, mlxc_arrays *x, mlxc_arrays *y)
{
    if (!a || !b || !f || !x || !y)
        return mx_error(MLXC_ERR_ARGUMENT, "%s: an argument is NULL", op);
    *a = *b = NULL;
    return MLXC_OK;
}

mlxc_status mlxc_vjp(mlxc_arrays **outputs_out, mlxc_arrays **grads_out,
    mlxc_function *f, mlxc_arrays *primals, mlxc_arrays *cotangents)
{
    MX_TRY(check("vjp", outputs_out, grads_out, f, primals, cotangents));
    return mx_vjp_of(outputs_out, grads_out, f, primals, cotangents, NULL);
}

/* ---- value_and_grad ---- */

struct gradient {
    mlxc_function *f;
    int with_values;
    int n;
    int argnum[];
};

/* The first output alone has a gradient. */
struct head {
    mlxc_function *f;
    mlxc_arrays *rest; /* outputs after the first */
};

static mlxc_status call_head(mlxc_arrays *outputs, mlxc_arrays *inputs,
    void *payload)
{
    struct head *h = payload;
    mlxc_arrays *all;
    char text[MX_SHAPE_TEXT];
    MX_TRY(mlxc_function_call(&all, h->f, inputs));
    mlxc_array *loss = mlxc_arrays_get(all, 0);
    mlxc_status status = MLXC_OK;
    if (!loss)
        status = mx_error(MLXC_ERR_ARGUMENT, "grad: no outputs");
    else if (loss->ndim != 0)
        status = mx_error(MLXC_ERR_SHAPE,
            "grad: the first output must be a scalar, not of shape %s",
            mx_shape_text(text, loss->shape, loss->ndim));
    for (int i = 0; i < mlxc_arrays_size(all) && !status; i++)
        status = mlxc_arrays_push(i ? h->rest : outputs, all->item[i]);
    mlxc_arrays_unref(all);
    return status;
}

static mlxc_status differentiate(mlxc_arrays *outputs, struct gradient *g,
    mlxc_arrays *inputs, const unsigned char *wanted)
{
    struct head h = { .f = g->f };
    mlxc_function *f;
    mlxc_arrays *ones = NULL, *value = NULL, *grads = NULL;
    mlxc_array *one;
    MX_TRY(mlxc_function_new(&f, call_head, &h, NULL));
    mlxc_status status = mlxc_arrays_new(&h.rest);
    if (!status)
        status = mlxc_arrays_new(&ones);
    if (!status)
        status = mlxc_array_from_double(&one, 1, MLXC_FLOAT32);
    if (!status)
        status = mlxc_arrays_push_take(ones, one);
    if (!status)
        status = mx_vjp_of(&value, &grads, f, inputs, ones, wanted);
    if (!status && g->with_values) {
        status = mlxc_arrays_push(outputs, value->item[0]);
        for (int i = 0; i < h.rest->size && !status; i++) {
            /* cut from outer traces only by choice of the caller */
            status = mlxc_arrays_push(outputs, h.rest->item[i]);
        }
    }
    /* in the order of argnums */
    for (int i = 0; i < g->n && !status; i++) {
        int at = 0, k = g->argnum[i] < 0 ? g->argnum[i] + inputs->size
                                         : g->argnum[i];
        for (int j = 0; j < k; j++)
            at += wanted[j];
        status = mlxc_arrays_push(outputs, grads->item[at]);
    }
    mlxc_arrays_unref(h.rest);
    mlxc_arrays_unref(ones);
    mlxc_arrays_unref(value);
    mlxc_arrays_unref(grads);
    mlxc_function_unref(f);
    return status;
}

static mlxc_status call_gradient(mlxc_arrays *outputs, mlxc_arrays *inputs,
    void *payload)
{
    struct gradient *g = payload;
    size_t n = (size_t)mlxc_arrays_size(inputs);
    unsigned char *wanted = mx_alloc_zero(n);
    mlxc_status status = wanted ? MLXC_OK : mx_error_nomem("grad");
    for (int i = 0; i < g->n && !status; i++) {
        int k = g->argnum[i] < 0 ? g->argnum[i] + (int)n : g->argnum[i];
        if (k < 0 || k >= (int)n)
            status = mx_error(MLXC_ERR_INDEX,
                "grad: argument %d of %d", g->argnum[i], (int)n);
        else if (wanted[k]++)
            status = mx_error(MLXC_ERR_ARGUMENT,
                "grad: argument %d is repeated", g->argnum[i]);
    }
    if (!status)
        status = differentiate(outputs, g, inputs, wanted);
    mx_free(wanted);
    return status;
}

static void release_gradient(void *payload)
{
    struct gradient *g = payload;
    mlxc_function_unref(g->f);
    mx_free(g);
}

static mlxc_status gradient(mlxc_function **out, const char *op,
    mlxc_function *f, const int *argnums, int n, int with_values)
{
    if (!out || !f || n < 0 || (!argnums && n > 1))
        return mx_error(MLXC_ERR_ARGUMENT, "%s: an argument is NULL", op);
    *out = NULL;
    int count = argnums ? n : 1;
    if (count == 0)
        return mx_error(MLXC_ERR_ARGUMENT, "%s: no argnums", op);
    for (int i = 0; i < count; i++) {
        for (int k = 0; argnums && k < i; k++) {
            if (argnums[i] == argnums[k])
                return mx_error(MLXC_ERR_ARGUMENT,
                    "%s: argument %d is repeated", op, argnums[i]);
        }
    }
    struct gradient *g =
        mx_alloc(sizeof *g + (size_t)count * sizeof *g->argnum);
    if (!g)
        return mx_error_nomem(op);
    g->f = mlxc_function_ref(f);
    g->with_values = with_values;
    g->n = count;
    for (int i = 0; i < count; i++)
        g->argnum[i] = argnums ? argnums[i] : 0;
    return mlxc_function_new(out, call_gradient, g, release_gradient);
}

mlxc_status mlxc_value_and_grad(mlxc_function **out, mlxc_function *f,
    const int *argnums, int n)
{
    return gradient(out, "value_and_grad", f, argnums, n, 1);
}

mlxc_status mlxc_grad(mlxc_function **out, mlxc_function *f,
    const int *argnums, int n)
{
    return gradient(out, "grad", f, argnums, n, 0);
}
