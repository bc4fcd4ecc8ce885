/* SPDX-License-Identifier: MIT */
/* Readers: a file by positional reads, memory, or the user's callback. */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "io/callback.h"
#include "util/alloc.h"

/* One system call moves at most this; some systems refuse more. */
#define MOST (1 << 30)

static mlxc_reader *new_reader(const char *label, uint64_t size)
{
    mlxc_reader *r = mx_alloc_zero(sizeof *r);
    if (!r)
        return NULL;
    r->refs = 1;
    r->fd = -1;
    r->size = size;
    r->label = mx_strdup(label);
    if (!r->label) {
        mx_free(r);
        return NULL;
    }
    return r;
}

static int read_file(mlxc_reader *r, uint64_t offset, void *dst,
    size_t bytes)
{
    char *to = dst;
    while (bytes) {
        ssize_t n = pread(r->fd, to, bytes < MOST ? bytes : MOST,
            (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        if (n == 0)
            return MX_READ_SHORT;
        to += n;
        offset += (uint64_t)n;
        bytes -= (size_t)n;
    }
    return 0;
}

static void close_file(mlxc_reader *r)
{
    close(r->fd);
}

mlxc_status mx_reader_open(mlxc_reader **out, const char *op,
    const char *path)
{
    struct stat st;
    if (!out)
        return mx_error(MLXC_ERR_ARGUMENT, "%s: out is NULL", op);
    *out = NULL;
    if (!path)
        return mx_error(MLXC_ERR_ARGUMENT, "%s: the path is NULL", op);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st)) {
        mlxc_status status = mx_error(MLXC_ERR_IO, "%s: cannot open %s: %s",
            op, path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return status;
    }
    if (!S_ISREG(st.st_mode)) {
        close(fd);
        return mx_error(MLXC_ERR_IO, "%s: %s is not a plain file", op, path);
    }
    mlxc_reader *r = new_reader(path, (uint64_t)st.st_size);
    if (!r) {
        close(fd);
        return mx_error_nomem(op);
    }
    r->fd = fd;
    r->read = read_file;
    r->close = close_file;
    *out = r;
    return MLXC_OK;
}

mlxc_status mlxc_reader_file(mlxc_reader **out, const char *path)
{
    return mx_reader_open(out, "reader_file", path);
}

static int read_memory(mlxc_reader *r, uint64_t offset, void *dst,
    size_t bytes)
{
    if (bytes)
        memcpy(dst, r->data + offset, bytes);
    return 0;
}

static void release_payload(mlxc_reader *r)
{
    if (r->release)
        r->release(r->payload);
}

/* For the two kinds that have a payload; releases it on failure. */
static mlxc_status new_with_payload(mlxc_reader **out, const char *op,
    const char *label, uint64_t bytes, mlxc_release_fn release,
    void *payload)
{
    mlxc_reader *r = new_reader(label, bytes);
    *out = r;
    if (!r) {
        if (release)
            release(payload);
        return mx_error_nomem(op);
    }
    r->close = release_payload;
    r->release = release;
    r->payload = payload;
    return MLXC_OK;
}

static mlxc_status refuse(const char *op, const char *what,
    mlxc_release_fn release, void *payload)
{
    if (release)
        release(payload);
    return mx_error(MLXC_ERR_ARGUMENT, "%s: %s", op, what);
}

mlxc_status mlxc_reader_memory(mlxc_reader **out, const void *data,
    size_t bytes, mlxc_release_fn release, void *payload)
{
    if (out)
        *out = NULL;
    if (!out || (bytes && !data))
        return refuse("reader_memory", out ? "data is NULL" : "out is NULL",
            release, payload);
    MX_TRY(new_with_payload(out, "reader_memory", "memory", bytes, release,
        payload));
    (*out)->in_memory = 1;
    (*out)->data = data;
    (*out)->read = read_memory;
    return MLXC_OK;
}

mlxc_status mx_callback_result(int code, const char *label)
{
    if (code == MLXC_OK)
        return MLXC_OK;
    if (!*mlxc_error_message())
        mx_error(MLXC_ERR_CALLBACK, "the callback for %s returned %d", label,
            code);
    return code < 0 && code >= MLXC_ERR_INTERNAL ? (mlxc_status)code
                                                 : MLXC_ERR_CALLBACK;
}

static int read_callback(mlxc_reader *r, uint64_t offset, void *dst,
    size_t bytes)
{
    mlxc_error_set(MLXC_OK, "");
    r->callback_status = mx_callback_result(
        r->callback(r->payload, offset, dst, bytes), r->label);
    return r->callback_status ? MX_READ_CALLBACK : 0;
}

mlxc_status mlxc_reader_new(mlxc_reader **out, const char *label,
    uint64_t bytes, mlxc_read_fn read, void *payload,
    mlxc_release_fn release)
{
    if (out)
        *out = NULL;
    if (!out || !read || bytes > INT64_MAX)
        return refuse("reader_new", !out ? "out is NULL"
            : !read ? "the callback is NULL" : "too many bytes", release,
            payload);
    MX_TRY(new_with_payload(out, "reader_new", label ? label : "the reader",
        bytes, release, payload));
    (*out)->eager = 1;
    (*out)->callback = read;
    (*out)->read = read_callback;
    return MLXC_OK;
}

mlxc_status mx_reader_read(mlxc_reader *r, uint64_t offset, void *dst,
    size_t bytes)
{
    return bytes ? mx_read_status(r, r->read(r, offset, dst, bytes))
                 : MLXC_OK;
}
