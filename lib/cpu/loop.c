/* SPDX-License-Identifier: MIT */
/* See loop.h. */
#include "cpu/loop.h"

#include "cpu/kernels.h"
#include "util/thread.h"

/* Elements that one thread takes at a time. */
#define GRAIN 32768
/* Outputs from this size on are not read back from cache. */
#define STREAM_BYTES ((int64_t)4 << 20)

size_t mx_loop_bytes(int ndim, int noperands)
{
    return sizeof(struct mx_loop) +
        (size_t)ndim * (size_t)(noperands + 1) * sizeof(int64_t);
}

/* Whether dimension d continues dimension d - 1 for all operands. */
static int continues(const struct mx_loop *l, int outer, const int64_t *shape,
    const int64_t *const *strides, int d)
{
    for (int k = 0; k < l->noperands; k++) {
        if (l->stride[k][outer] != strides[k][d] * shape[d])
            return 0;
    }
    return 1;
}

void mx_loop_init_raw(struct mx_loop *l, const int64_t *shape, int ndim,
    int noperands, char *const *data, const int64_t *const *strides,
    const uint8_t *size_index)
{
    l->noperands = noperands;
    l->shape = l->dims;
    l->size = 1;
    for (int k = 0; k < noperands; k++) {
        l->stride[k] = l->dims + (size_t)(k + 1) * (size_t)ndim;
        l->data[k] = data[k];
        l->size_index[k] = size_index[k];
    }
    int n = 0;
    for (int d = 0; d < ndim; d++) {
        l->size *= shape[d];
        if (shape[d] == 1)
            continue;
        if (n > 0 && continues(l, n - 1, shape, strides, d)) {
            l->shape[n - 1] *= shape[d];
        } else {
            l->shape[n++] = shape[d];
        }
        for (int k = 0; k < noperands; k++)
            l->stride[k][n - 1] = strides[k][d];
    }
    l->ndim = n;
    l->stream_output = (l->size << size_index[0]) >= STREAM_BYTES;
}

void mx_loop_init(struct mx_loop *l, mlxc_array *const *operand,
    int noperands)
{
    char *data[MX_LOOP_OPERANDS];
    const int64_t *strides[MX_LOOP_OPERANDS];
    uint8_t size_index[MX_LOOP_OPERANDS];
    for (int k = 0; k < noperands; k++) {
        data[k] = mx_data(operand[k]);
        strides[k] = operand[k]->strides;
        size_index[k] = mx_dtypes[operand[k]->dtype].size_index;
    }
    mx_loop_init_raw(l, operand[0]->shape, operand[0]->ndim, noperands, data,
        strides, size_index);
}

struct scratch {
    char block[MX_LOOP_OPERANDS][MX_LOOP_BLOCK * 8]
        __attribute__((aligned(64)));
};

/* Run `n` elements along the innermost dimension, starting at `at`. */
static void run_row(const struct mx_loop *l, const struct mx_cpu_kernels *k,
    struct scratch *scratch, char *const *at, int64_t n)
{
    static const int64_t zero;
    char *p[MX_LOOP_OPERANDS];
    int64_t step[MX_LOOP_OPERANDS];
    int gather = 0;
    for (int i = 0; i < l->noperands; i++) {
        step[i] = l->ndim ? l->stride[i][l->ndim - 1] : zero;
        if (step[i] == 0 && i > 0)
            k->fill[l->size_index[i]](scratch->block[i], at[i],
                (size_t)(n < MX_LOOP_BLOCK ? n : MX_LOOP_BLOCK));
        gather |= step[i] != 1 && n > 1;
    }
    int through_scratch = l->stream_output || (step[0] != 1 && n > 1);
    if (!gather && !through_scratch) {
        l->inner(l->context, at, (size_t)n);
        return;
    }
    for (int64_t done = 0; done < n; done += MX_LOOP_BLOCK) {
        size_t m = (size_t)(n - done < MX_LOOP_BLOCK ? n - done
                                                     : MX_LOOP_BLOCK);
        for (int i = 0; i < l->noperands; i++) {
            unsigned shift = l->size_index[i];
            char *from = at[i] + ((done * step[i]) * (1 << shift));
            if (i == 0)
                p[0] = through_scratch ? scratch->block[0] : from;
            else if (step[i] == 1)
                p[i] = from;
            else {
                p[i] = scratch->block[i];
                if (step[i] != 0)
                    k->copy_strided[shift](p[i], 1, from, step[i], m);
            }
        }
        l->inner(l->context, p, m);
        if (!through_scratch)
            continue;
        unsigned shift = l->size_index[0];
        char *to = at[0] + ((done * step[0]) * (1 << shift));
        if (step[0] == 1 || n == 1)
            k->copy_stream(to, p[0], m << shift);
        else
            k->copy_strided[shift](to, step[0], p[0], 1, m);
    }
}

static void run_range(void *context, int64_t begin, int64_t end)
{
    const struct mx_loop *l = context;
    const struct mx_cpu_kernels *k = mx_cpu_kernels();
    struct scratch scratch;
    char *at[MX_LOOP_OPERANDS];
    int64_t row = l->ndim ? l->shape[l->ndim - 1] : 1;
    while (begin < end) {
        int64_t rest = begin / row, column = begin % row;
        for (int i = 0; i < l->noperands; i++) {
            int64_t offset = l->ndim ? column * l->stride[i][l->ndim - 1] : 0;
            int64_t r = rest;
            for (int d = l->ndim - 2; d >= 0; d--) {
                offset += r % l->shape[d] * l->stride[i][d];
                r /= l->shape[d];
            }
            at[i] = l->data[i] + offset * (1 << l->size_index[i]);
        }
        int64_t n = row - column < end - begin ? row - column : end - begin;
        run_row(l, k, &scratch, at, n);
        begin += n;
    }
    if (l->stream_output)
        k->stream_end();
}

void mx_loop_run(const struct mx_loop *l)
{
    mx_parallel_for(l->size, GRAIN, run_range, (void *)(uintptr_t)l);
}
