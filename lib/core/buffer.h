/* SPDX-License-Identifier: MIT */
/* Counted storage.  `refs` keeps the bytes alive (arrays and queued work);
   `users` counts the arrays alone, which is what donation asks: work queued
   earlier on the same stream runs before the work that overwrites. */
#ifndef MX_BUFFER_H
#define MX_BUFFER_H

#include <stddef.h>
#include <stdint.h>

#include <mlxc/array.h>

struct mx_device;
struct mx_fault;

struct mx_buffer {
    int refs;
    int users;
    int shared;             /* work on more than one stream has held it */
    int readonly;           /* adopted: never written, never donated */
    void *data;             /* host address; NULL if not addressable */
    size_t size;            /* bytes asked for */
    size_t room;            /* bytes held, what the counters count */
    struct mx_device *device;
    mlxc_stream *stream;    /* of first use, not counted: compared only */
    struct mx_fault *fault; /* why the bytes are not valid */
    mlxc_release_fn release;
    void *payload;
    void *state;            /* the back end's */
};

/* Room for `size` bytes on the device of `s`; users is 0, refs 1. */
mlxc_status mx_buffer_new(struct mx_buffer **out, mlxc_stream *s,
    size_t size);
/* Foreign host memory. */
mlxc_status mx_buffer_adopt(struct mx_buffer **out, const void *data,
    size_t size, mlxc_release_fn release, void *payload);
struct mx_buffer *mx_buffer_ref(struct mx_buffer *b);
void mx_buffer_unref(struct mx_buffer *b);

/* Mark as spoilt; the first fault stays. */
void mx_buffer_spoil(struct mx_buffer *b, struct mx_fault *fault);

/* Counters and the cache of host memory (core/memory.c). */
void *mx_host_alloc(size_t size, size_t *room);
void mx_host_free(void *p, size_t room);
void mx_memory_count(int64_t active);  /* adds to active, raises the peak */
int mx_memory_over_limit(size_t more); /* the hard limit */

#endif
