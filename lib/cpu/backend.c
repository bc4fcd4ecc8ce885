/* SPDX-License-Identifier: MIT */
/* The CPU back end: host memory, and which function evaluates which op. */
#include "core/backend.h"

#include "core/error.h"
#include "cpu/eval.h"
#include "cpu/kernels.h"
#include "cpu/stream.h"

static int count(void)
{
    return 1;
}

static mlxc_status open_device(struct mx_device *d, int index)
{
    if (index != 0)
        return mx_error(MLXC_ERR_DEVICE, "device: there is one CPU, not %d",
            index + 1);
    mx_cpu_kernels(); /* chosen once, before any stream exists */
    d->state = NULL;
    return MLXC_OK;
}

static mlxc_status alloc(struct mx_buffer *b, size_t size)
{
    b->data = mx_host_alloc(size, &b->room);
    if (!b->data)
        return mx_error(MLXC_ERR_NOMEM, "cannot allocate %zu bytes", size);
    return MLXC_OK;
}

static void free_data(struct mx_buffer *b)
{
    mx_host_free(b->data, b->room);
}

static const struct mx_buffer_ops buffer_ops = {
    .alloc = alloc,
    .free = free_data,
};

static mx_eval_fn *const eval[MX_OP_COUNT] = {
#define MAP1(ID, sym, rule, out, kinds) [MX_OP_##ID] = mx_cpu_eval_map1,
#define MAP2(ID, sym, rule, out, kinds) [MX_OP_##ID] = mx_cpu_eval_map2,
#include "core/elementwise.def"
#define EVAL(ID, fn) [MX_OP_##ID] = mx_cpu_eval_##fn,
#include "cpu/eval.def"
};

const struct mx_backend mx_cpu_backend = {
    .name = "CPU",
    .count = count,
    .open = open_device,
    .buffer = &buffer_ops,
    .stream = &mx_cpu_stream_ops,
    .eval = eval,
};
