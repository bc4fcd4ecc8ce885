/* SPDX-License-Identifier: MIT */
/* Status names, the message of this thread, and faults that travel. */
#include "core/error.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "util/alloc.h"
#include "util/atomic.h"

/* Fixed, so that "no memory" needs none.  Compiler logs may be long. */
#define MESSAGE_SIZE 4096
static __thread char message[MESSAGE_SIZE];

mlxc_status mx_error(mlxc_status status, const char *format, ...)
{
    char text[MESSAGE_SIZE]; /* arguments may point into the old message */
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    memcpy(message, text, sizeof text);
    return status;
}

mlxc_status mx_error_nomem(const char *what)
{
    return mx_error(MLXC_ERR_NOMEM, "%s: no memory", what);
}

const char *mlxc_error_message(void)
{
    return message;
}

mlxc_status mlxc_error_set(mlxc_status status, const char *text)
{
    return text ? mx_error(status, "%s", text) : status;
}

static const char *const names[] = {
#define NAME(s) [-(s)] = #s,
    NAME(MLXC_OK) NAME(MLXC_ERR_ARGUMENT) NAME(MLXC_ERR_SHAPE)
    NAME(MLXC_ERR_DTYPE) NAME(MLXC_ERR_INDEX) NAME(MLXC_ERR_NOMEM)
    NAME(MLXC_ERR_DEVICE) NAME(MLXC_ERR_UNSUPPORTED) NAME(MLXC_ERR_IO)
    NAME(MLXC_ERR_FORMAT) NAME(MLXC_ERR_CALLBACK) NAME(MLXC_ERR_INTERNAL)
#undef NAME
};

const char *mlxc_status_name(mlxc_status status)
{
    int i = -(int)status;
    if (i < 0 || i >= (int)(sizeof names / sizeof *names))
        return "unknown status";
    return names[i];
}

const char *mx_shape_text(char text[MX_SHAPE_TEXT], const int64_t *shape,
    int ndim)
{
    size_t n = 1;
    text[0] = '(';
    for (int i = 0; i < ndim; i++) {
        int k = snprintf(text + n, MX_SHAPE_TEXT - n, "%s%lld",
            i ? "," : "", (long long)shape[i]);
        if (k < 0 || n + (size_t)k + 6 > MX_SHAPE_TEXT) {
            n += (size_t)snprintf(text + n, MX_SHAPE_TEXT - n, "...");
            break;
        }
        n += (size_t)k;
    }
    text[n] = ')';
    text[n + 1] = 0;
    return text;
}

struct mx_fault {
    int refs;
    mlxc_status status;
    char message[];
};

/* What is kept when there is no memory for the real one. */
static struct mx_fault fault_nomem = { .refs = 1,
    .status = MLXC_ERR_NOMEM };

struct mx_fault *mx_fault_new(mlxc_status status)
{
    size_t n = strlen(message) + 1;
    struct mx_fault *f = mx_alloc(sizeof *f + n);
    if (!f)
        return mx_fault_ref(&fault_nomem);
    f->refs = 1;
    f->status = status;
    memcpy(f->message, message, n);
    return f;
}

struct mx_fault *mx_fault_ref(struct mx_fault *f)
{
    if (f)
        mx_ref_inc(&f->refs);
    return f;
}

void mx_fault_unref(struct mx_fault *f)
{
    if (f && mx_ref_dec(&f->refs))
        mx_free(f);
}

mlxc_status mx_fault_raise(struct mx_fault *f)
{
    return f == &fault_nomem ? mx_error_nomem("evaluation")
                             : mx_error(f->status, "%s", f->message);
}
