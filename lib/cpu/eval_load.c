/* SPDX-License-Identifier: MIT */
/* Loads: bytes of a reader come in when their node is evaluated.  Reads of
   files are always queued, so that no one holds the graph lock meanwhile, and
   long ones are split over the pool. */
#include "core/error.h"
#include "core/params.h"
#include "core/reader.h"
#include "cpu/eval.h"
#include "cpu/task.h"
#include "util/atomic.h"
#include "util/thread.h"

struct job {
    mlxc_reader *reader; /* counted */
    uint64_t offset;
    char *dst;
    int64_t bytes;
    int swap, is_bool;
    int code;            /* the first failure */
};

/* Bytes of one piece; holds whole elements. */
#define PIECE (4 << 20)

static void read_pieces(void *context, int64_t begin, int64_t end)
{
    struct job *j = context;
    int64_t from = begin * PIECE;
    int64_t to = end * PIECE < j->bytes ? end * PIECE : j->bytes;
    if (mx_load(&j->code))
        return;
    int code = j->reader->read(j->reader, j->offset + (uint64_t)from,
        j->dst + from, (size_t)(to - from));
    int none = 0;
    if (code)
        (void)mx_cas(&j->code, &none, code);
    else
        mx_load_convert(j->dst + from, (size_t)(to - from), j->swap,
            j->is_bool);
}

static mlxc_status run_load(void *payload)
{
    struct job *j = payload;
    mx_parallel_for((j->bytes + PIECE - 1) / PIECE, 1, read_pieces, j);
    mlxc_status status = mx_read_status(j->reader, j->code);
    mlxc_reader_unref(j->reader);
    return status;
}

mlxc_status mx_cpu_eval_load(mlxc_stream *s, struct mx_node *node)
{
    const struct mx_p_load *p = node->params;
    mlxc_array *out = node->output[0];
    MX_TRY(mx_array_alloc(out, s));
    int64_t bytes = out->size * (int64_t)mx_itemsize(out);
    struct job *j = mx_task_begin(s, run_load, sizeof *j,
        p->reader->in_memory ? bytes / 4 : INT64_MAX);
    if (!j)
        return MLXC_ERR_NOMEM;
    j->reader = mlxc_reader_ref(p->reader);
    j->offset = (uint64_t)p->offset;
    j->dst = mx_data(out);
    j->bytes = bytes;
    j->swap = (int)p->swap;
    j->is_bool = out->dtype == MLXC_BOOL;
    j->code = 0;
    return mx_task_end(s, j);
}
