/* SPDX-License-Identifier: MIT */
/* Queued work.  An eval function asks for a task, fills in its payload, and
   ends it; the task then runs at once (small work on an idle stream) or joins
   the queue and holds the buffers of the node until it has run.

     struct job *j = mx_task_begin(s, run_job, sizeof *j, cost);
     if (!j)
         return MLXC_ERR_NOMEM;
     ... fill *j: plain values and addresses, never arrays or nodes ...
     return mx_task_end(s, j);
*/
#ifndef MX_CPU_TASK_H
#define MX_CPU_TASK_H

#include "core/stream.h"

struct mx_buffer;

/* Allocates nothing: memory that the work needs is asked for beforehand. */
typedef mlxc_status mx_task_fn(void *payload);

/* Most temporaries of one node. */
#define MX_TASK_TEMPORARIES 16

/* Room for a payload of `bytes`, aligned for anything; `cost` is about the
   number of element operations.  NULL: no memory (message set). */
void *mx_task_begin(mlxc_stream *s, mx_task_fn *fn, size_t bytes,
    int64_t cost);
mlxc_status mx_task_end(mlxc_stream *s, void *payload);
/* Give up a task that was begun. */
void mx_task_drop(mlxc_stream *s, void *payload);

/* Memory for the tasks of the node being encoded; goes when they have run.
   NULL: no memory (message set). */
void *mx_task_scratch(mlxc_stream *s, size_t bytes);
/* Let the tasks of this node hold `b` too; takes over the reference. */
mlxc_status mx_task_hold(mlxc_stream *s, struct mx_buffer *b);

#endif
