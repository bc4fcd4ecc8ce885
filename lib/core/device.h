/* SPDX-License-Identifier: MIT */
/* Devices that were opened, and what each thread defaults to. */
#ifndef MX_DEVICE_H
#define MX_DEVICE_H

#include <mlxc/array.h>
#include <mlxc/device.h>
#include <mlxc/stream.h>

struct mx_backend;

struct mx_device {
    const struct mx_backend *backend;
    mlxc_device_type type;
    int index;
    void *state; /* the back end's */
};

/* Open at first use; lives as long as the process. */
mlxc_status mx_device_get(struct mx_device **out, mlxc_device_type type,
    int index);

struct mx_trace;

/* What belongs to one thread; released when it ends. */
struct mx_thread {
    mlxc_device_type device_type;
    int device_index;
    mlxc_stream *cpu;       /* default streams, counted */
    mlxc_stream **gpu;      /* by device index */
    int ngpu;
    struct mx_trace *trace; /* innermost active trace */
    mlxc_array *random_key; /* state of the default key sequence */
};

/* NULL: no memory (message set). */
struct mx_thread *mx_thread(void);

/* `s` itself, or this thread's default stream (borrowed); NULL: failure
   (message set). */
mlxc_stream *mx_stream_or_default(mlxc_stream *s);

#endif
