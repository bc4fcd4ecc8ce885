/* SPDX-License-Identifier: MIT */
/* NumPy's .npy: one array.  The header's claims are checked against the size
   of the file before anything is made from them. */
#include <string.h>

#include "core/array.h"
#include "core/error.h"
#include "core/node.h"
#include "core/params.h"
#include "io/file.h"
#include "io/npy_header.h"
#include "util/alloc.h"

/* Longer than any honest header: NumPy itself stops at 10,000. */
#define MOST_TEXT (1 << 20)

static const unsigned char magic[6] = { 0x93, 'N', 'U', 'M', 'P', 'Y' };

static mlxc_status malformed(mlxc_reader *r, const char *what)
{
    return mx_error(MLXC_ERR_FORMAT, "load_npy: %s %s", r->label, what);
}

/* Header text, to be freed, and where the data begins. */
static mlxc_status read_text(char **text, size_t *n, uint64_t *data,
    mlxc_reader *r)
{
    unsigned char head[12];
    if (r->size < 10)
        return malformed(r, "is too short for a .npy file");
    MX_TRY(mx_reader_read(r, 0, head, 10));
    if (memcmp(head, magic, sizeof magic))
        return malformed(r, "is not a .npy file");
    if (head[6] < 1 || head[6] > 3)
        return malformed(r, "has a version that is not known");
    *n = (size_t)(head[8] | head[9] << 8);
    *data = 10;
    if (head[6] > 1) {
        if (r->size < 12)
            return malformed(r, "is too short for a .npy file");
        MX_TRY(mx_reader_read(r, 10, head + 10, 2));
        *n |= (size_t)head[10] << 16 | (size_t)head[11] << 24;
        *data = 12;
    }
    if (*n > r->size - *data)
        return malformed(r, "ends inside its header");
    if (*n > MOST_TEXT)
        return malformed(r, "has too long a header");
    *text = mx_alloc(*n + 1);
    if (!*text)
        return mx_error_nomem("load_npy");
    mlxc_status status = mx_reader_read(r, *data, *text, *n);
    if (status)
        mx_free(*text);
    *data += *n;
    return status;
}

/* Whether so many elements are there. */
static mlxc_status check_size(const struct mx_npy *h, uint64_t room,
    mlxc_reader *r)
{
    int64_t bytes = mx_dtypes[h->dtype].size;
    int empty = 0;
    for (int i = 0; i < h->ndim; i++)
        empty |= h->shape[i] == 0;
    for (int i = 0; i < h->ndim; i++) {
        int64_t length = empty && !h->shape[i] ? 1 : h->shape[i];
        if (__builtin_mul_overflow(bytes, length, &bytes))
            return malformed(r, "has a shape that is too large");
    }
    if (!empty && (uint64_t)bytes > room)
        return malformed(r, "is too short for its shape");
    return MLXC_OK;
}

/* All axes in reverse order. */
static mlxc_status transpose(mlxc_array **out, mlxc_array *a, mlxc_stream *s)
{
    size_t bytes = MX_PARAM_BYTES(struct mx_p_list, a->ndim);
    struct mx_p_list *p = mx_alloc_zero(bytes);
    *out = NULL;
    if (!p)
        return mx_error_nomem("load_npy");
    p->n = a->ndim;
    for (int i = 0; i < a->ndim; i++)
        p->v[i] = a->ndim - 1 - i;
    mlxc_status status =
        mx_apply1(out, &mx_op_transpose, p, bytes, a, s);
    mx_free(p);
    return status;
}

static void reverse(int64_t *v, int n)
{
    for (int i = 0; i < n / 2; i++) {
        int64_t t = v[i];
        v[i] = v[n - 1 - i];
        v[n - 1 - i] = t;
    }
}

static mlxc_status load(mlxc_array **out, struct mx_npy *h, uint64_t data,
    mlxc_reader *r, mlxc_stream *s)
{
    int turned = h->is_fortran && h->ndim > 1;
    MX_TRY(check_size(h, r->size - data, r));
    if (turned)
        reverse(h->shape, h->ndim);
    MX_TRY(mx_load_array(out, "load_npy", r, data, h->shape, h->ndim,
        h->dtype, mx_load_swap(h->dtype, h->is_big), s));
    if (!turned)
        return MLXC_OK;
    mlxc_array *a = *out;
    mlxc_status status = transpose(out, a, s);
    mlxc_array_unref(a);
    return status;
}

mlxc_status mlxc_read_npy(mlxc_array **out, mlxc_reader *r, mlxc_stream *s)
{
    struct mx_npy header;
    char *text = NULL;
    size_t n = 0;
    uint64_t data = 0;
    if (!out || !r)
        return mx_error(MLXC_ERR_ARGUMENT, "load_npy: %s is NULL",
            out ? "the reader" : "out");
    *out = NULL;
    MX_TRY(read_text(&text, &n, &data, r));
    mlxc_status status = mx_npy_parse(&header, text, n, r->label);
    mx_free(text);
    if (status)
        return status;
    status = load(out, &header, data, r, s);
    mx_free(header.shape);
    return status;
}

mlxc_status mlxc_load_npy(mlxc_array **out, const char *path, mlxc_stream *s)
{
    mlxc_reader *r;
    if (out)
        *out = NULL;
    MX_TRY(mx_reader_open(&r, "load_npy", path));
    mlxc_status status = mlxc_read_npy(out, r, s);
    mlxc_reader_unref(r);
    return status;
}

/* Row-major unless the array is stored column-major already. */
static mlxc_status write_array(mlxc_writer *w, mlxc_array *a)
{
    struct mx_buf head = { 0 };
    mlxc_array *stored;
    int turned = !(a->flags & MX_ROW_MAJOR) && (a->flags & MX_COL_MAJOR);
    if (turned || a->size == 0)
        stored = mlxc_array_ref(a);
    else
        MX_TRY(mx_array_row_major(&stored, a));
    mx_npy_print(&head, a, turned);
    mlxc_status status = head.failed ? mx_error_nomem("save_npy")
        : mx_writer_write(w, head.text, head.size);
    if (!status)
        status = mx_writer_write(w, mx_data(stored),
            mlxc_array_nbytes(stored));
    mx_buf_free(&head);
    mlxc_array_unref(stored);
    return status;
}

mlxc_status mlxc_write_npy(mlxc_writer *w, mlxc_array *a)
{
    if (!w)
        return mx_error(MLXC_ERR_ARGUMENT, "save_npy: the writer is NULL");
    MX_TRY(mx_array_host(a, "save_npy"));
    return write_array(w, a);
}

mlxc_status mlxc_save_npy(const char *path, mlxc_array *a)
{
    mlxc_writer *w;
    MX_TRY(mx_array_host(a, "save_npy")); /* before the file is touched */
    MX_TRY(mx_writer_create(&w, "save_npy", path));
    mlxc_status status = write_array(w, a);
    if (!status)
        status = mx_writer_commit(w);
    mlxc_writer_unref(w);
    return status;
}
