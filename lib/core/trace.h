/* SPDX-License-Identifier: MIT */
/* Tapes.  A transformation opens a trace on this thread; each node made from
   an array that carries the trace's bit is recorded, with strong references
   to its outputs, until the trace is closed.  Evaluation may drop nodes from
   arrays meanwhile: the tape keeps what a rule needs. */
#ifndef MX_TRACE_H
#define MX_TRACE_H

#include "core/node.h"

struct mx_record {
    struct mx_node *node;
    mlxc_array **output; /* owned */
    unsigned char live;  /* set by mx_trace_mark_live() */
};

enum mx_trace_kind {
    MX_TRACE_GRAD, /* vjp, jvp: stop_gradient ends it */
    MX_TRACE_VMAP,
};

struct mx_trace {
    struct mx_trace *outer;
    enum mx_trace_kind kind;
    uint32_t bit;
    struct mx_record *record;
    size_t size, room;
};

/* MLXC_ERR_UNSUPPORTED when nested too deep (32). */
mlxc_status mx_trace_open(struct mx_trace *t, enum mx_trace_kind kind);
/* Leaves the thread's stack but keeps the tape. */
void mx_trace_close(struct mx_trace *t);
void mx_trace_free(struct mx_trace *t);

/* Called by mx_apply for a node whose inputs carry bits; gives the outputs
   the bits of the traces that recorded it. */
mlxc_status mx_trace_record(struct mx_node *node, mlxc_array *const *out,
    uint32_t bits);

/* Mark the records that outputs depend on. */
mlxc_status mx_trace_mark_live(struct mx_trace *t, mlxc_array *const *out,
    int n);


#endif
