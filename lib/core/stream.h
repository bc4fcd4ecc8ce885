/* SPDX-License-Identifier: MIT */
/* A stream counts what was submitted to it; an array that is scheduled knows
   the stream and the number at which its value is there. */
#ifndef MX_STREAM_H
#define MX_STREAM_H

#include <stdint.h>

#include <mlxc/stream.h>

#include "core/device.h"

struct mx_fault;
struct mx_buffer;
struct mx_node;

struct mlxc_stream {
    int refs;
    int index;
    struct mx_device *device;
    uint64_t submitted;     /* under the graph lock */
    uint64_t completed;     /* atomic; never passes submitted */
    struct mx_fault *fault; /* first not yet reported; under fault_lock */
    const struct mx_node *node; /* being encoded; under the graph lock */
    void *state;            /* the back end's */
};

static inline int mx_stream_reached(mlxc_stream *s, uint64_t sequence)
{
    return __atomic_load_n(&s->completed, __ATOMIC_ACQUIRE) >= sequence;
}

/* Keep a failure of queued work until somebody synchronizes. */
void mx_stream_fail(mlxc_stream *s, struct mx_fault *fault);

#endif
