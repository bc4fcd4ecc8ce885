/* SPDX-License-Identifier: MIT */
/* The load node: a range of a reader as an array. */
#include <string.h>

#include "core/array.h"
#include "core/device.h"
#include "core/error.h"
#include "core/node.h"
#include "core/params.h"
#include "core/shape.h"
#include "core/stream.h"
#include "io/file.h"
#include "util/alloc.h"

static mlxc_status infer_load(struct mx_infer *c)
{
    const struct mx_p_load *p = c->params;
    c->spec[0] = (struct mx_spec){ p->v, (int)p->n, (mlxc_dtype)p->dtype };
    return MLXC_OK;
}

static void retain_load(void *params)
{
    mlxc_reader_ref(((struct mx_p_load *)params)->reader);
}

static void destroy_load(void *params)
{
    mlxc_reader_unref(((struct mx_p_load *)params)->reader);
}

const struct mx_op mx_op_load = {
    .name = "load",
    .inputs = 0,
    .outputs = 1,
    .id = MX_OP_LOAD,
    .flags = MX_OP_OPAQUE,
    .infer = infer_load,
    .retain = retain_load,
    .destroy = destroy_load,
    .exempt = "has no inputs",
};

int mx_host_is_big(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 0;
}

int mx_load_swap(mlxc_dtype dtype, int file_is_big)
{
    if (file_is_big == mx_host_is_big())
        return 1;
    return dtype == MLXC_COMPLEX64 ? 4 : mx_dtypes[dtype].size;
}

/* Now, on this thread. */
static mlxc_status read_array(mlxc_array **out, const char *op,
    mlxc_reader *r, uint64_t offset, const int64_t *shape, int ndim,
    mlxc_dtype dtype, int swap)
{
    MX_TRY(mx_array_blank(out, op, shape, ndim, dtype));
    size_t bytes = mlxc_array_nbytes(*out);
    void *dst = mx_data(*out);
    mlxc_status status = mx_reader_read(r, offset, dst, bytes);
    if (status) {
        mlxc_array_unref(*out);
        *out = NULL;
        return status;
    }
    mx_load_convert(dst, bytes, swap, dtype == MLXC_BOOL);
    return MLXC_OK;
}

static mlxc_status apply_load(mlxc_array **out, const char *op,
    mlxc_reader *r, uint64_t offset, const int64_t *shape, int ndim,
    mlxc_dtype dtype, int swap, mlxc_stream *s)
{
    size_t bytes = MX_PARAM_BYTES(struct mx_p_load, ndim);
    struct mx_p_load *p = mx_alloc_zero(bytes);
    if (!p)
        return mx_error_nomem(op);
    p->reader = r;
    p->offset = (int64_t)offset;
    p->dtype = dtype;
    p->swap = swap;
    p->n = ndim;
    if (ndim)
        mx_shape_copy(p->v, shape, ndim);
    mlxc_status status = mx_apply(out, &mx_op_load, p, bytes, NULL, 0, s);
    mx_free(p);
    return status;
}

mlxc_status mx_load_array(mlxc_array **out, const char *op, mlxc_reader *r,
    uint64_t offset, const int64_t *shape, int ndim, mlxc_dtype dtype,
    int swap, mlxc_stream *s)
{
    if (r->eager)
        return read_array(out, op, r, offset, shape, ndim, dtype, swap);
    mlxc_stream *cpu = NULL;
    *out = NULL;
    if (!s || s->device->type != MLXC_CPU) {
        MX_TRY(mlxc_default_stream(&cpu, MLXC_CPU, 0));
        s = cpu;
    }
    mlxc_status status = apply_load(out, op, r, offset, shape, ndim, dtype,
        swap, s);
    mlxc_stream_unref(cpu);
    return status;
}
