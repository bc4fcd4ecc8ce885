/* SPDX-License-Identifier: MIT */
/* Streams: making, defaults, synchronizing. */
#include "core/stream.h"

#include <pthread.h>

#include "core/backend.h"
#include "core/error.h"
#include "util/alloc.h"

static int last_index = -1;
static pthread_mutex_t fault_lock = PTHREAD_MUTEX_INITIALIZER;

mlxc_status mlxc_stream_new(mlxc_stream **out, mlxc_device_type type,
    int index)
{
    struct mx_device *d;
    *out = NULL;
    MX_TRY(mx_device_get(&d, type, index));
    mlxc_stream *s = mx_alloc_zero(sizeof *s);
    if (!s)
        return mx_error_nomem("stream_new");
    s->refs = 1;
    s->index = mx_add(&last_index, 1);
    s->device = d;
    mlxc_status status = d->backend->stream->init(s);
    if (status) {
        mx_free(s);
        return status;
    }
    *out = s;
    return MLXC_OK;
}

mlxc_stream *mlxc_stream_ref(mlxc_stream *s)
{
    if (s)
        mx_ref_inc(&s->refs);
    return s;
}

void mlxc_stream_unref(mlxc_stream *s)
{
    if (!s || !mx_ref_dec(&s->refs))
        return;
    s->device->backend->stream->fini(s);
    mx_fault_unref(s->fault);
    mx_free(s);
}

/* The slot of this thread for a device; NULL: no memory. */
static mlxc_stream **slot(mlxc_device_type type, int index)
{
    struct mx_thread *t = mx_thread();
    if (!t)
        return NULL;
    if (type == MLXC_CPU)
        return &t->cpu;
    if (index >= t->ngpu) {
        mlxc_stream **p = mx_realloc_array(t->gpu, (size_t)index + 1,
            sizeof *p);
        if (!p) {
            mx_error_nomem("default_stream");
            return NULL;
        }
        for (int i = t->ngpu; i <= index; i++)
            p[i] = NULL;
        t->gpu = p;
        t->ngpu = index + 1;
    }
    return &t->gpu[index];
}

static mlxc_status default_stream(mlxc_stream **out, mlxc_device_type type,
    int index)
{
    struct mx_device *d;
    *out = NULL;
    MX_TRY(mx_device_get(&d, type, index));
    mlxc_stream **s = slot(type, index);
    if (!s)
        return MLXC_ERR_NOMEM;
    if (!*s)
        MX_TRY(mlxc_stream_new(s, type, index));
    *out = *s;
    return MLXC_OK;
}

mlxc_status mlxc_default_stream(mlxc_stream **out, mlxc_device_type type,
    int index)
{
    MX_TRY(default_stream(out, type, index));
    mlxc_stream_ref(*out);
    return MLXC_OK;
}

mlxc_status mlxc_set_default_stream(mlxc_stream *s)
{
    if (!s)
        return mx_error(MLXC_ERR_ARGUMENT,
            "set_default_stream: stream is NULL");
    mlxc_stream **at = slot(s->device->type, s->device->index);
    if (!at)
        return MLXC_ERR_NOMEM;
    mlxc_stream *old = *at;
    *at = mlxc_stream_ref(s);
    mlxc_stream_unref(old);
    return MLXC_OK;
}

mlxc_stream *mx_stream_or_default(mlxc_stream *s)
{
    if (s)
        return s;
    struct mx_thread *t = mx_thread();
    if (t && t->device_type == MLXC_CPU && t->cpu)
        return t->cpu;
    if (t)
        default_stream(&s, t->device_type, t->device_index);
    return s;
}

mlxc_device_type mlxc_stream_device_type(mlxc_stream *s)
{
    return s ? s->device->type : MLXC_CPU;
}

int mlxc_stream_device_index(mlxc_stream *s)
{
    return s ? s->device->index : 0;
}

int mlxc_stream_index(mlxc_stream *s)
{
    return s ? s->index : -1;
}

void mx_stream_fail(mlxc_stream *s, struct mx_fault *fault)
{
    pthread_mutex_lock(&fault_lock);
    if (!s->fault)
        s->fault = mx_fault_ref(fault);
    pthread_mutex_unlock(&fault_lock);
}

mlxc_status mlxc_synchronize(mlxc_stream *s)
{
    s = mx_stream_or_default(s);
    if (!s)
        return MLXC_ERR_NOMEM;
    mx_graph_lock();
    uint64_t sequence = s->submitted;
    mx_graph_unlock();
    s->device->backend->stream->sync(s, sequence);
    pthread_mutex_lock(&fault_lock);
    struct mx_fault *f = s->fault;
    s->fault = NULL;
    pthread_mutex_unlock(&fault_lock);
    if (!f)
        return MLXC_OK;
    mlxc_status status = mx_fault_raise(f);
    mx_fault_unref(f);
    return status;
}
