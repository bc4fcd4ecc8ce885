/* SPDX-License-Identifier: MIT */
/* The handle.  Shape, dtype and size never change.  What evaluation fills in
   (buffer, strides, offset, state) is written under the graph lock and may be
   read under it, or by anybody who saw MX_READY. */
#ifndef MX_ARRAY_H
#define MX_ARRAY_H

#include <stdint.h>

#include <mlxc/array.h>

#include "core/buffer.h"
#include "core/dtype.h"
#include "core/error.h"
#include "util/atomic.h"

struct mx_node;

enum mx_state {
    MX_LAZY = 0,      /* has a node, or is a placeholder */
    MX_SCHEDULED = 1, /* has a buffer that queued work will fill */
    MX_READY = 2,
};

enum mx_array_flags {
    MX_ROW_MAJOR = 1, /* strides are row-major, no gaps */
    MX_COL_MAJOR = 2,
    MX_DENSE = 4,     /* a permutation of one gapless block */
};

#define MX_INLINE_RANK 4

struct mlxc_array {
    int refs;
    uint8_t dtype;
    uint8_t state;
    uint8_t flags;
    uint8_t placeholder;  /* stands for a value in vmap or compile */
    int32_t ndim;
    int32_t output;       /* which output of its node */
    uint32_t traces;      /* bits of this thread's traces it depends on */
    int64_t size;
    int64_t *shape;
    int64_t *strides;     /* in elements */
    int64_t offset;       /* in bytes */
    struct mx_node *node;
    struct mx_buffer *buffer;
    mlxc_stream *stream;  /* while scheduled: counted */
    uint64_t sequence;    /* while scheduled: when the stream gets there */
    int64_t dims[2 * MX_INLINE_RANK];
};

static inline size_t mx_itemsize(const mlxc_array *a)
{
    return mx_dtypes[a->dtype].size;
}

/* First element; only once the buffer is there. */
static inline void *mx_data(const mlxc_array *a)
{
    return (char *)a->buffer->data + a->offset;
}

/* An array with a shape and no value yet; strides are unset. */
mlxc_status mx_array_new(mlxc_array **out, const int64_t *shape, int ndim,
    mlxc_dtype dtype);
/* A placeholder for tracing. */
mlxc_status mx_array_placeholder(mlxc_array **out, const int64_t *shape,
    int ndim, mlxc_dtype dtype);

/* Give a new buffer to `a`, row-major; state unchanged. */
mlxc_status mx_array_alloc(mlxc_array *a, mlxc_stream *s);
/* Let `a` use `b` with the given strides (NULL: row-major) and offset. */
void mx_array_set_buffer(mlxc_array *a, struct mx_buffer *b,
    const int64_t *strides, int64_t offset);
/* Set flags from the strides. */
void mx_array_update_flags(mlxc_array *a);

/* An evaluated row-major array in host memory whose bytes the caller sets
   before anybody else sees it. */
mlxc_status mx_array_blank(mlxc_array **out, const char *op,
    const int64_t *shape, int ndim, mlxc_dtype dtype);

/* An evaluated scalar holding `itemsize` bytes. */
mlxc_status mx_array_scalar(mlxc_array **out, const void *value,
    mlxc_dtype dtype);

/* Shape and dtype of `a` as text for messages. */
const char *mx_array_text(char text[MX_SHAPE_TEXT + 16], mlxc_array *a);

/* Evaluate; afterwards the host may read at mx_data(a).  Messages begin with
   `op`. */
mlxc_status mx_array_host(mlxc_array *a, const char *op);

/* The value as a row-major array that is ready: `a` itself or a copy.
   New reference. */
mlxc_status mx_array_row_major(mlxc_array **out, mlxc_array *a);

/* Take a reference if there still is one. */
int mx_array_try_ref(mlxc_array *a);

#endif
