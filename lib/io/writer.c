/* SPDX-License-Identifier: MIT */
/* Writers.  A file is written under a temporary name beside the real one and
   renamed when it is whole, so that nobody ever sees a part. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "io/callback.h"
#include "io/file.h"
#include "util/alloc.h"
#include "util/atomic.h"

#define MOST (1 << 30)
/* Names to try before giving up. */
#define ATTEMPTS 100

static mlxc_writer *new_writer(const char *label)
{
    mlxc_writer *w = mx_alloc_zero(sizeof *w);
    if (!w)
        return NULL;
    w->refs = 1;
    w->fd = -1;
    w->label = mx_strdup(label);
    if (!w->label) {
        mx_free(w);
        return NULL;
    }
    return w;
}

mlxc_writer *mlxc_writer_ref(mlxc_writer *w)
{
    if (w)
        mx_ref_inc(&w->refs);
    return w;
}

void mlxc_writer_unref(mlxc_writer *w)
{
    if (!w || !mx_ref_dec(&w->refs))
        return;
    if (w->close)
        w->close(w);
    mx_buf_free(&w->memory);
    mx_free(w->path);
    mx_free(w->temporary);
    mx_free(w->label);
    mx_free(w);
}

size_t mlxc_writer_size(mlxc_writer *w)
{
    return w ? w->size : 0;
}

const void *mlxc_writer_data(mlxc_writer *w)
{
    return w ? w->memory.text : NULL;
}

mlxc_status mx_writer_write(mlxc_writer *w, const void *data, size_t bytes)
{
    if (!bytes)
        return MLXC_OK;
    MX_TRY(w->write(w, data, bytes));
    w->size += bytes;
    return MLXC_OK;
}

static mlxc_status write_memory(mlxc_writer *w, const void *data,
    size_t bytes)
{
    mx_buf_add(&w->memory, data, bytes);
    return w->memory.failed ? mx_error_nomem("write") : MLXC_OK;
}

mlxc_status mlxc_writer_memory(mlxc_writer **out)
{
    if (!out)
        return mx_error(MLXC_ERR_ARGUMENT, "writer_memory: out is NULL");
    *out = new_writer("memory");
    if (!*out)
        return mx_error_nomem("writer_memory");
    (*out)->write = write_memory;
    return MLXC_OK;
}

static mlxc_status write_callback(mlxc_writer *w, const void *data,
    size_t bytes)
{
    mlxc_error_set(MLXC_OK, "");
    return mx_callback_result(w->callback(w->payload, data, bytes),
        w->label);
}

static void release_payload(mlxc_writer *w)
{
    if (w->release)
        w->release(w->payload);
}

mlxc_status mlxc_writer_new(mlxc_writer **out, const char *label,
    mlxc_write_fn write, void *payload, mlxc_release_fn release)
{
    mlxc_writer *w = NULL;
    mlxc_status status = MLXC_OK;
    if (!out || !write)
        status = mx_error(MLXC_ERR_ARGUMENT, "writer_new: %s is NULL",
            out ? "the callback" : "out");
    else if (!(w = new_writer(label ? label : "the writer")))
        status = mx_error_nomem("writer_new");
    if (out)
        *out = w;
    if (status) {
        if (release)
            release(payload);
        return status;
    }
    w->write = write_callback;
    w->close = release_payload;
    w->callback = write;
    w->payload = payload;
    w->release = release;
    return MLXC_OK;
}

static mlxc_status failed(const char *op, const char *what, const char *path)
{
    return mx_error(MLXC_ERR_IO, "%s: cannot %s %s: %s", op, what, path,
        strerror(errno));
}

static mlxc_status write_file(mlxc_writer *w, const void *data, size_t bytes)
{
    const char *from = data;
    while (bytes) {
        ssize_t n = write(w->fd, from, bytes < MOST ? bytes : MOST);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return failed("save", "write", w->label);
        from += n;
        bytes -= (size_t)n;
    }
    return MLXC_OK;
}

static void give_up_file(mlxc_writer *w)
{
    if (w->fd >= 0)
        close(w->fd);
    if (w->temporary)
        unlink(w->temporary);
}

/* A new file beside `w->path` that no other process has. */
static mlxc_status create_temporary(mlxc_writer *w, const char *op,
    mode_t mode)
{
    static unsigned count;
    size_t room = strlen(w->path) + 48;
    char *name = mx_alloc(room);
    if (!name)
        return mx_error_nomem(op);
    for (int i = 0; i < ATTEMPTS && w->fd < 0; i++) {
        snprintf(name, room, "%s.%ld.%u.tmp", w->path, (long)getpid(),
            (unsigned)mx_add(&count, 1u));
        w->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (w->fd < 0 && errno != EEXIST)
            break;
    }
    if (w->fd < 0) {
        mlxc_status status = failed(op, "create", name);
        mx_free(name);
        return status;
    }
    w->temporary = name;
    return MLXC_OK;
}

/* The file that a path stands for, through symbolic links. */
static char *target_of(const char *path)
{
    char *real = realpath(path, NULL);
    char *copy = mx_strdup(real ? real : path);
    free(real);
    return copy;
}

static mlxc_status open_file(mlxc_writer *w, const char *op)
{
    struct stat st;
    int there = stat(w->path, &st) == 0;
    if (there && S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return failed(op, "write", w->label);
    }
    if (there && !S_ISREG(st.st_mode)) { /* a pipe, a terminal */
        w->fd = open(w->path, O_WRONLY | O_CLOEXEC);
        return w->fd < 0 ? failed(op, "open", w->label) : MLXC_OK;
    }
    if (there && access(w->path, W_OK))
        return failed(op, "write", w->label);
    MX_TRY(create_temporary(w, op, 0666));
    if (there && fchmod(w->fd, st.st_mode & 07777))
        return failed(op, "set the mode of", w->temporary);
    return MLXC_OK;
}

mlxc_status mx_writer_create(mlxc_writer **out, const char *op,
    const char *path)
{
    *out = NULL;
    if (!path)
        return mx_error(MLXC_ERR_ARGUMENT, "%s: the path is NULL", op);
    mlxc_writer *w = new_writer(path);
    if (!w)
        return mx_error_nomem(op);
    w->write = write_file;
    w->close = give_up_file;
    w->path = target_of(path);
    mlxc_status status =
        w->path ? open_file(w, op) : mx_error_nomem(op);
    if (status) {
        mlxc_writer_unref(w);
        return status;
    }
    *out = w;
    return MLXC_OK;
}

mlxc_status mx_writer_commit(mlxc_writer *w)
{
    /* on disk before the name is, so that a crash leaves old or new */
    if (w->temporary && fsync(w->fd) && errno != EINVAL)
        return failed("save", "write", w->label);
    int fd = w->fd;
    w->fd = -1;
    if (close(fd))
        return failed("save", "write", w->label);
    if (!w->temporary)
        return MLXC_OK;
    if (rename(w->temporary, w->path))
        return failed("save", "replace", w->label);
    mx_free(w->temporary);
    w->temporary = NULL;
    return MLXC_OK;
}
