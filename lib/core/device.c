/* SPDX-License-Identifier: MIT */
/* The registry of back ends, opened devices, and per-thread defaults. */
#include "core/device.h"

#include <pthread.h>

#include "core/backend.h"
#include "core/error.h"
#include "util/alloc.h"

#define MAX_DEVICES 64 /* of one type */

static const struct mx_backend *const backends[] = {
    [MLXC_CPU] = &mx_cpu_backend,
#ifdef MX_CUDA
    [MLXC_GPU] = &mx_cuda_backend,
#else
    [MLXC_GPU] = NULL,
#endif
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mx_device devices[2][MAX_DEVICES];

static mlxc_status find(const struct mx_backend **out, mlxc_device_type type)
{
    if (type != MLXC_CPU && type != MLXC_GPU)
        return mx_error(MLXC_ERR_ARGUMENT, "device: %d is no device type",
            (int)type);
    *out = backends[type];
    return MLXC_OK;
}

mlxc_status mlxc_device_count(int *out, mlxc_device_type type)
{
    const struct mx_backend *b = NULL;
    *out = 0;
    MX_TRY(find(&b, type));
    if (b)
        *out = b->count();
    return MLXC_OK;
}

mlxc_status mx_device_get(struct mx_device **out, mlxc_device_type type,
    int index)
{
    const struct mx_backend *b = NULL;
    *out = NULL;
    MX_TRY(find(&b, type));
    if (!b)
        return mx_error(MLXC_ERR_DEVICE,
            "device: this build has no GPU back end");
    if (index < 0 || index >= MAX_DEVICES)
        return mx_error(MLXC_ERR_DEVICE, "device: no %s device %d", b->name,
            index);
    struct mx_device *d = &devices[type][index];
    if (__atomic_load_n(&d->backend, __ATOMIC_ACQUIRE)) {
        *out = d;
        return MLXC_OK;
    }
    mlxc_status status = MLXC_OK;
    pthread_mutex_lock(&lock);
    if (!d->backend) {
        d->type = type;
        d->index = index;
        status = b->open(d, index);
        if (!status)
            __atomic_store_n(&d->backend, b, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    if (!status)
        *out = d;
    return status;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int have_key;
static __thread struct mx_thread *self;

static void end_thread(void *p)
{
    struct mx_thread *t = p;
    self = NULL;
    mlxc_array_unref(t->random_key);
    mlxc_stream_unref(t->cpu);
    for (int i = 0; i < t->ngpu; i++)
        mlxc_stream_unref(t->gpu[i]);
    mx_free(t->gpu);
    mx_free(t);
}

static void make_key(void)
{
    have_key = pthread_key_create(&key, end_thread) == 0;
}

struct mx_thread *mx_thread(void)
{
    if (self)
        return self;
    pthread_once(&once, make_key);
    struct mx_thread *t = mx_alloc_zero(sizeof *t);
    if (!t || !have_key || pthread_setspecific(key, t) != 0) {
        mx_free(t);
        mx_error_nomem("thread state");
        return NULL;
    }
    return self = t;
}

mlxc_status mlxc_set_default_device(mlxc_device_type type, int index)
{
    struct mx_device *d;
    struct mx_thread *t = mx_thread();
    if (!t)
        return MLXC_ERR_NOMEM;
    MX_TRY(mx_device_get(&d, type, index));
    t->device_type = type;
    t->device_index = index;
    return MLXC_OK;
}

mlxc_device_type mlxc_default_device_type(void)
{
    return self ? self->device_type : MLXC_CPU;
}

int mlxc_default_device_index(void)
{
    return self ? self->device_index : 0;
}
