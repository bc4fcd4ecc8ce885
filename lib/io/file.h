/* SPDX-License-Identifier: MIT */
/* Readers, writers and loads, as the formats use them. */
#ifndef MX_FILE_H
#define MX_FILE_H

#include "core/reader.h"
#include "util/buf.h"

struct mlxc_writer {
    int refs;
    char *label;     /* for messages */
    size_t size;     /* written so far */
    mlxc_status (*write)(mlxc_writer *w, const void *data, size_t bytes);
    void (*close)(mlxc_writer *w);
    struct mx_buf memory;
    char *path;      /* of a file, and what is written until it is whole */
    char *temporary; /* NULL: the path itself, which is no plain file */
    int fd;
    mlxc_write_fn callback;
    mlxc_release_fn release;
    void *payload;
};

/* Open a file; messages begin with `op`. */
mlxc_status mx_reader_open(mlxc_reader **out, const char *op,
    const char *path);
/* Read inside a call of the user's; the range is inside the reader. */
mlxc_status mx_reader_read(mlxc_reader *r, uint64_t offset, void *dst,
    size_t bytes);

/* A file that appears under its name when it is committed; it is given up
   when the writer goes without that. */
mlxc_status mx_writer_create(mlxc_writer **out, const char *op,
    const char *path);
mlxc_status mx_writer_commit(mlxc_writer *w);
mlxc_status mx_writer_write(mlxc_writer *w, const void *data, size_t bytes);

/* Elements at `offset`, in row-major order; reverse units of `swap` bytes.
   The range is inside the reader.  Messages begin with `op`. */
mlxc_status mx_load_array(mlxc_array **out, const char *op, mlxc_reader *r,
    uint64_t offset, const int64_t *shape, int ndim, mlxc_dtype dtype,
    int swap, mlxc_stream *s);

/* Whether this machine puts the most significant byte first. */
int mx_host_is_big(void);
/* Bytes of the unit to reverse for a file of the given byte order; 1: none. */
int mx_load_swap(mlxc_dtype dtype, int file_is_big);

#endif
