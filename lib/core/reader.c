/* SPDX-License-Identifier: MIT */
/* Readers apart from what they read from; see io/file.c. */
#include "core/reader.h"

#include <string.h>

#include "core/error.h"
#include "util/alloc.h"
#include "util/atomic.h"

mlxc_reader *mlxc_reader_ref(mlxc_reader *r)
{
    if (r)
        mx_ref_inc(&r->refs);
    return r;
}

void mlxc_reader_unref(mlxc_reader *r)
{
    if (!r || !mx_ref_dec(&r->refs))
        return;
    if (r->close)
        r->close(r);
    mx_free(r->label);
    mx_free(r);
}

mlxc_status mx_read_status(mlxc_reader *r, int code)
{
    if (!code)
        return MLXC_OK;
    if (code == MX_READ_CALLBACK)
        return r->callback_status;
    if (code == MX_READ_SHORT)
        return mx_error(MLXC_ERR_IO, "load: %s has become shorter",
            r->label);
    return mx_error(MLXC_ERR_IO, "load: cannot read %s: %s", r->label,
        strerror(code));
}

static void reverse(unsigned char *p, size_t bytes, size_t unit)
{
    for (size_t i = 0; i + unit <= bytes; i += unit) {
        for (size_t k = 0; k < unit / 2; k++) {
            unsigned char t = p[i + k];
            p[i + k] = p[i + unit - 1 - k];
            p[i + unit - 1 - k] = t;
        }
    }
}

void mx_load_convert(void *data, size_t bytes, int swap, int is_bool)
{
    unsigned char *p = data;
    if (swap > 1)
        reverse(p, bytes, (size_t)swap);
    if (is_bool) {
        for (size_t i = 0; i < bytes; i++)
            p[i] = p[i] != 0;
    }
}
