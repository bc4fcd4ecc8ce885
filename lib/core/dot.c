/* SPDX-License-Identifier: MIT */
/* The unevaluated graph in Graphviz's DOT language.  Arrays are named A, B,
   ..., Z, AA, ... in the order in which they are met from the outputs, inputs
   from left to right, so the text depends on the graph alone. */
#include <string.h>

#include <mlxc/transform.h>

#include "core/error.h"
#include "core/node.h"
#include "core/shape.h"
#include "util/alloc.h"
#include "util/buf.h"
#include "util/ptrmap.h"

struct visit {
    struct mx_node *node;
    int next; /* input to look at */
};

struct drawing {
    struct mx_buf text;
    struct mx_ptrmap names; /* of arrays: number + 1 */
    struct mx_ptrmap nodes; /* seen */
    int named, drawn;
    struct visit *stack;
    size_t depth, room;
    int failed;
};

/* Letters of a number, as columns of a spreadsheet. */
static const char *letters(char text[16], int number)
{
    char *at = text + 15;
    *at = 0;
    do {
        *--at = (char)('A' + number % 26);
        number = number / 26 - 1;
    } while (number >= 0);
    return at;
}

static const char *name(struct drawing *d, char text[16], mlxc_array *a)
{
    struct mx_ptrmap_entry *e = mx_ptrmap_at(&d->names, a);
    if (!e) {
        d->failed = 1;
        return "";
    }
    if (!e->value) {
        e->value = a;
        e->number = d->named++;
    }
    return letters(text, e->number);
}

static void visit(struct drawing *d, mlxc_array *a)
{
    struct mx_ptrmap_entry *e;
    if (!a->node || d->failed)
        return;
    e = mx_ptrmap_at(&d->nodes, a->node);
    if (!e) {
        d->failed = 1;
        return;
    }
    if (e->value)
        return;
    e->value = a->node;
    if (d->depth == d->room) {
        size_t room = d->room ? 2 * d->room : 64;
        void *p = mx_realloc_array(d->stack, room, sizeof *d->stack);
        if (!p) {
            d->failed = 1;
            return;
        }
        d->stack = p;
        d->room = room;
    }
    d->stack[d->depth++] = (struct visit){ a->node, 0 };
}

/* One box for the operation, edges from its inputs and to its outputs. */
static void draw(struct drawing *d, const struct mx_node *n)
{
    char text[16];
    int id = d->drawn++;
    mx_buf_printf(&d->text, "  op%d [label=\"%s\", shape=box];\n", id,
        n->op->name);
    for (int i = 0; i < n->ninputs; i++)
        mx_buf_printf(&d->text, "  \"%s\" -> op%d;\n",
            name(d, text, n->input[i]), id);
    for (int i = 0; i < n->noutputs; i++) {
        if (n->output[i])
            mx_buf_printf(&d->text, "  op%d -> \"%s\";\n", id,
                name(d, text, n->output[i]));
    }
}

static void traverse(struct drawing *d, mlxc_array *root)
{
    char text[16];
    name(d, text, root);
    visit(d, root);
    while (d->depth && !d->failed) {
        struct visit *v = &d->stack[d->depth - 1];
        if (v->next < v->node->ninputs) {
            mlxc_array *a = v->node->input[v->next++];
            name(d, text, a);
            visit(d, a);
        } else {
            d->depth--;
            draw(d, v->node);
        }
    }
}

/* Labels of the arrays, in the order of their names. */
static void label(struct drawing *d)
{
    mlxc_array **order = mx_alloc_array((size_t)d->named, sizeof *order);
    if (!order) {
        d->failed = 1;
        return;
    }
    for (size_t i = 0; i < d->names.room; i++) {
        const struct mx_ptrmap_entry *e = &d->names.entry[i];
        if (e->key)
            order[e->number] = e->value;
    }
    for (int i = 0; i < d->named; i++) {
        char text[16], facts[MX_SHAPE_TEXT + 16];
        const char *id = letters(text, i);
        mx_buf_printf(&d->text, "  \"%s\" [label=\"%s %s\"%s];\n", id, id,
            mx_array_text(facts, order[i]),
            order[i]->node ? "" : ", style=filled");
    }
    mx_free(order);
}

mlxc_status mlxc_graph_to_dot(char **out, mlxc_array *const *list, int n)
{
    if (!out || n < 0 || (n > 0 && !list))
        return mx_error(MLXC_ERR_ARGUMENT, "graph_to_dot: no list");
    *out = NULL;
    for (int i = 0; i < n; i++) {
        if (!list[i])
            return mx_error(MLXC_ERR_ARGUMENT,
                "graph_to_dot: array %d is NULL", i);
    }
    struct drawing d = { .depth = 0 };
    mx_buf_puts(&d.text, "digraph {\n");
    mx_graph_lock();
    for (int i = 0; i < n && !d.failed; i++)
        traverse(&d, list[i]);
    if (!d.failed && n)
        label(&d);
    mx_graph_unlock();
    mx_buf_puts(&d.text, "}\n");
    mx_free(d.stack);
    mx_ptrmap_free(&d.names);
    mx_ptrmap_free(&d.nodes);
    if (d.failed)
        mx_buf_free(&d.text);
    else
        *out = mx_buf_take(&d.text);
    return *out ? MLXC_OK : mx_error_nomem("graph_to_dot");
}
