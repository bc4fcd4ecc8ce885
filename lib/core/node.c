/* SPDX-License-Identifier: MIT */
/* Nodes: the graph lock, and freeing without recursion. */
#include "core/node.h"

#include <pthread.h>

#include "core/stream.h"
#include "util/alloc.h"

static pthread_mutex_t graph_lock = PTHREAD_MUTEX_INITIALIZER;

static __thread int depth; /* dropping an array may lock again */

void mx_graph_lock(void)
{
    if (depth++ == 0)
        pthread_mutex_lock(&graph_lock);
}

void mx_graph_unlock(void)
{
    if (--depth == 0)
        pthread_mutex_unlock(&graph_lock);
}

struct mx_node *mx_node_ref(struct mx_node *n)
{
    mx_ref_inc(&n->refs);
    return n;
}

/* Freeing a node drops its inputs, which may be the last users of other
   nodes, and so on along chains of any length.  While one node is being freed
   on this thread, further ones wait in a list threaded through their first
   weak output slot, which is free by then. */
static __thread struct mx_node *pending;
static __thread int freeing;

static void free_node(struct mx_node *n)
{
    for (int i = 0; i < n->ninputs; i++)
        mlxc_array_unref(n->input[i]);
    if (n->op->destroy)
        n->op->destroy(n->params);
    mlxc_stream_unref(n->stream);
    mx_free(n);
}

void mx_node_unref(struct mx_node *n)
{
    if (!n || !mx_ref_dec(&n->refs))
        return;
    n->output = (mlxc_array **)(void *)pending;
    pending = n;
    if (freeing)
        return;
    freeing = 1;
    while (pending) {
        n = pending;
        pending = (struct mx_node *)(void *)n->output;
        free_node(n);
    }
    freeing = 0;
}
