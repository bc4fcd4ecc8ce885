/* SPDX-License-Identifier: MIT */
/* See buffer.h. */
#include "core/buffer.h"

#include <string.h>

#include "core/backend.h"
#include "core/error.h"
#include "util/alloc.h"
#include "util/atomic.h"

mlxc_status mx_buffer_new(struct mx_buffer **out, mlxc_stream *s, size_t size)
{
    struct mx_buffer *b = mx_alloc_zero(sizeof *b);
    *out = NULL;
    if (!b)
        return mx_error_nomem("buffer");
    b->refs = 1;
    b->size = size;
    b->device = s->device;
    b->stream = s;
    mlxc_status status = s->device->backend->buffer->alloc(b, size);
    if (status) {
        mx_free(b);
        return status;
    }
    mx_memory_count((int64_t)b->room);
    *out = b;
    return MLXC_OK;
}

mlxc_status mx_buffer_adopt(struct mx_buffer **out, const void *data,
    size_t size, mlxc_release_fn release, void *payload)
{
    struct mx_device *cpu;
    *out = NULL;
    MX_TRY(mx_device_get(&cpu, MLXC_CPU, 0));
    struct mx_buffer *b = mx_alloc_zero(sizeof *b);
    if (!b)
        return mx_error_nomem("array_adopt");
    b->refs = 1;
    b->readonly = 1;
    b->data = (void *)(uintptr_t)data;
    b->size = size;
    b->device = cpu;
    b->release = release;
    b->payload = payload;
    *out = b;
    return MLXC_OK;
}

struct mx_buffer *mx_buffer_ref(struct mx_buffer *b)
{
    mx_ref_inc(&b->refs);
    return b;
}

void mx_buffer_unref(struct mx_buffer *b)
{
    if (!b || !mx_ref_dec(&b->refs))
        return;
    if (b->readonly) {
        if (b->release)
            b->release(b->payload);
    } else {
        size_t room = b->room;
        b->device->backend->buffer->free(b);
        mx_memory_count(-(int64_t)room);
    }
    mx_fault_unref(b->fault);
    mx_free(b);
}

void mx_buffer_spoil(struct mx_buffer *b, struct mx_fault *fault)
{
    struct mx_fault *none = NULL;
    struct mx_fault *mine = mx_fault_ref(fault);
    if (!mx_cas(&b->fault, &none, mine))
        mx_fault_unref(mine);
}
