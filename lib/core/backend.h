/* SPDX-License-Identifier: MIT */
/* What a device must do.  Small const structs of functions; state pointers
   live in the device, the stream and the buffer. */
#ifndef MX_BACKEND_H
#define MX_BACKEND_H

#include "core/device.h"
#include "core/node.h"
#include "core/stream.h"

/* Called on the evaluating thread with the graph lock held, in graph order.
   Allocates the outputs, then encodes: queues work on the stream, or runs it
   at once when it is small and the stream is idle.  All memory that the work
   needs is allocated here.  Outputs are node->output[], alive. */
typedef mlxc_status mx_eval_fn(mlxc_stream *s, struct mx_node *node);

struct mx_buffer_ops {
    mlxc_status (*alloc)(struct mx_buffer *b, size_t size);
    void (*free)(struct mx_buffer *b);
    /* Make the bytes readable at b->data on the host; optional. */
    mlxc_status (*host)(struct mx_buffer *b);
};

struct mx_stream_ops {
    mlxc_status (*init)(mlxc_stream *s);
    void (*fini)(mlxc_stream *s);
    /* Begin and end of one evaluation on this stream; graph lock held.
       `wait` says that the caller is going to wait. */
    void (*begin)(mlxc_stream *s, int wait);
    void (*end)(mlxc_stream *s, int wait);
    /* Room between two nodes: may release the graph lock, run queued work,
       and take the lock again. */
    void (*pace)(mlxc_stream *s, int wait);
    /* Queue a wait until `other` has completed `sequence`. */
    mlxc_status (*wait)(mlxc_stream *s, mlxc_stream *other,
        uint64_t sequence);
    /* Block until `sequence` is complete; no lock held. */
    void (*sync)(mlxc_stream *s, uint64_t sequence);
};

struct mx_backend {
    const char *name;
    int (*count)(void);       /* devices; 0 when absent */
    /* Sets the message that says why there is none. */
    mlxc_status (*open)(struct mx_device *d, int index);
    const struct mx_buffer_ops *buffer;
    const struct mx_stream_ops *stream;
    mx_eval_fn *const *eval;  /* [MX_OP_COUNT]; NULL: unsupported */
};

extern const struct mx_backend mx_cpu_backend;
#ifdef MX_CUDA
extern const struct mx_backend mx_cuda_backend;
#endif

#endif
