/* SPDX-License-Identifier: MIT */
/* Random bits.  For W words, counters j and j + H + odd (H = W / 2) give words
   j and j + H + odd; the middle word of an odd count comes from counter
   (H, 0).  Keys fill one block after another. */
#include <string.h>

#include "core/params.h"
#include "cpu/eval.h"
#include "cpu/kernels.h"
#include "cpu/task.h"
#include "util/thread.h"

#define BLOCK 1024

struct job {
    const uint32_t *key;
    char *dst;
    int64_t nkeys, bytes; /* of one key's block */
    int64_t half, odd;
    int64_t blocks;
};

/* Store words [at, at + n) of a block, of which the last may be cut. */
static void put(char *dst, int64_t bytes, int64_t at, const uint32_t *word,
    int64_t n)
{
    int64_t size = 4 * n, left = bytes - 4 * at;
    if (left > 0)
        memcpy(dst + 4 * at, word, (size_t)(size < left ? size : left));
}

static void range(void *context, int64_t begin, int64_t end)
{
    const struct job *j = context;
    uint32_t a[BLOCK], b[BLOCK];
    for (int64_t i = begin; i < end; i++) {
        const uint32_t *key = j->key + 2 * (i / j->blocks);
        char *dst = j->dst + i / j->blocks * j->bytes;
        int64_t at = i % j->blocks * BLOCK;
        int64_t n = j->half - at < BLOCK ? j->half - at : BLOCK;
        if (n > 0) {
            mx_cpu_kernels()->threefry(a, b, key, (uint32_t)at,
                (uint32_t)(at + j->half + j->odd), (size_t)n);
            put(dst, j->bytes, at, a, n);
            put(dst, j->bytes, at + j->half + j->odd, b, n);
        }
        if (at == 0 && j->odd) {
            mx_cpu_kernels()->threefry(a, b, key, (uint32_t)j->half, 0, 1);
            put(dst, j->bytes, j->half, a, 1);
        }
    }
}

static mlxc_status run(void *payload)
{
    struct job *j = payload;
    mx_parallel_for(j->nkeys * j->blocks, 16, range, j);
    return MLXC_OK;
}

mlxc_status mx_cpu_eval_random_bits(mlxc_stream *s, struct mx_node *node)
{
    const struct mx_p_bits *p = node->params;
    mlxc_array *key = node->input[0], *out = node->output[0];
    MX_TRY(mx_array_alloc(out, s));
    const uint32_t *data = mx_cpu_row_major(s, key);
    if (!data)
        return MLXC_ERR_NOMEM;
    if (out->size == 0)
        return MLXC_OK;
    struct job *j = mx_task_begin(s, run, sizeof *j, 8 * out->size);
    if (!j)
        return MLXC_ERR_NOMEM;
    j->key = data;
    j->dst = mx_data(out);
    j->nkeys = key->size / 2;
    j->bytes = out->size / j->nkeys * p->width;
    int64_t words = (j->bytes + 3) / 4;
    j->half = words / 2;
    j->odd = words % 2;
    j->blocks = j->half ? (j->half + BLOCK - 1) / BLOCK : 1;
    return mx_task_end(s, j);
}
