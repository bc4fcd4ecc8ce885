/* SPDX-License-Identifier: MIT */
/* An operation that was asked for: op, parameters, inputs.  Owns its inputs;
   knows its outputs weakly.  One allocation. */
#ifndef MX_NODE_H
#define MX_NODE_H

#include "core/array.h"
#include "core/op.h"

struct mx_node {
    int refs;
    int32_t ninputs, noutputs;
    uint32_t mark;         /* visit number of the last traversal */
    uint32_t nparams;
    const struct mx_op *op;
    mlxc_stream *stream;   /* counted */
    mlxc_array **input;
    mlxc_array **output;   /* weak: cleared when the array goes */
    void *params;
};

/* Guards everything that evaluation changes in arrays and nodes. */
void mx_graph_lock(void);
void mx_graph_unlock(void);

struct mx_node *mx_node_ref(struct mx_node *n);
/* Frees chains without recursion. */
void mx_node_unref(struct mx_node *n);

#endif
