/* SPDX-License-Identifier: MIT */
/* The dictionary is Python source of a fixed kind, for which no library
   exists: strings without escapes, True, False, and a tuple of integers, in
   any order and spacing. */
#include "io/npy_header.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "io/file.h"
#include "util/alloc.h"

struct scan {
    const char *at, *end;
    const char *label;
};

struct piece {
    const char *text;
    size_t n;
};

static mlxc_status malformed(const struct scan *s, const char *what)
{
    return mx_error(MLXC_ERR_FORMAT, "load_npy: %s: the header %s", s->label,
        what);
}

static void skip_space(struct scan *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' ||
        *s->at == '\n' || *s->at == '\r'))
        s->at++;
}

/* Consume `c`, after space. */
static int take(struct scan *s, char c)
{
    skip_space(s);
    if (s->at == s->end || *s->at != c)
        return 0;
    s->at++;
    return 1;
}

static int take_word(struct scan *s, const char *word)
{
    size_t n = strlen(word);
    skip_space(s);
    if ((size_t)(s->end - s->at) < n || memcmp(s->at, word, n))
        return 0;
    s->at += n;
    return 1;
}

static int take_string(struct scan *s, struct piece *out)
{
    skip_space(s);
    if (s->at == s->end || (*s->at != '\'' && *s->at != '"'))
        return 0;
    char quote = *s->at++;
    out->text = s->at;
    while (s->at < s->end && *s->at != quote) {
        if (*s->at == '\\' || *s->at == '\n')
            return 0;
        s->at++;
    }
    if (s->at == s->end)
        return 0;
    out->n = (size_t)(s->at++ - out->text);
    return 1;
}

static int same(struct piece p, const char *word)
{
    return p.n == strlen(word) && !memcmp(p.text, word, p.n);
}

/* A length: digits, and the L that Python 2 wrote. */
static int take_length(struct scan *s, int64_t *out)
{
    int digits = 0;
    skip_space(s);
    *out = 0;
    for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++) {
        if (__builtin_mul_overflow(*out, 10, out) ||
            __builtin_add_overflow(*out, *s->at - '0', out))
            return 0;
        digits = 1;
    }
    if (digits && s->at < s->end && *s->at == 'L')
        s->at++;
    return digits;
}

static mlxc_status add_length(struct mx_npy *h, int64_t length)
{
    if ((h->ndim & (h->ndim - 1)) == 0) { /* grow at powers of two */
        size_t room = h->ndim ? 2 * (size_t)h->ndim : 1;
        void *p = mx_realloc_array(h->shape, room, sizeof *h->shape);
        if (!p)
            return mx_error_nomem("load_npy");
        h->shape = p;
    }
    h->shape[h->ndim++] = length;
    return MLXC_OK;
}

static mlxc_status parse_shape(struct mx_npy *h, struct scan *s)
{
    int64_t length;
    if (h->shape || !take(s, '('))
        return malformed(s, "has no tuple as its shape");
    while (!take(s, ')')) {
        if (!take_length(s, &length))
            return malformed(s, "has a shape that is no list of lengths");
        MX_TRY(add_length(h, length));
        if (!take(s, ',') && (h->ndim == 1 || s->at == s->end ||
            *s->at != ')'))
            return malformed(s, "has a shape that is no tuple");
    }
    return MLXC_OK;
}

static const struct {
    const char *name;
    mlxc_dtype dtype;
} types[] = {
    { "b1", MLXC_BOOL }, { "u1", MLXC_UINT8 }, { "u2", MLXC_UINT16 },
    { "u4", MLXC_UINT32 }, { "u8", MLXC_UINT64 }, { "i1", MLXC_INT8 },
    { "i2", MLXC_INT16 }, { "i4", MLXC_INT32 }, { "i8", MLXC_INT64 },
    { "f2", MLXC_FLOAT16 }, { "f4", MLXC_FLOAT32 }, { "f8", MLXC_FLOAT64 },
    { "V2", MLXC_BFLOAT16 }, { "c8", MLXC_COMPLEX64 },
};

static mlxc_status parse_type(struct mx_npy *h, struct scan *s)
{
    struct piece p;
    skip_space(s);
    if (s->at < s->end && *s->at == '[')
        return mx_error(MLXC_ERR_DTYPE,
            "load_npy: %s: structured types are not supported", s->label);
    if (!take_string(s, &p))
        return malformed(s, "has no string as its type");
    struct piece name = p;
    char order = '|';
    if (p.n && strchr("<>|=", *p.text)) {
        order = *p.text;
        name.text++;
        name.n--;
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (same(name, types[i].name)) {
            h->dtype = types[i].dtype;
            h->is_big = order == '>' || (order == '=' && mx_host_is_big());
            return MLXC_OK;
        }
    }
    return mx_error(MLXC_ERR_DTYPE,
        "load_npy: %s: the type '%.*s' is not supported", s->label,
        p.n < 32 ? (int)p.n : 32, p.text);
}

static mlxc_status parse_order(struct mx_npy *h, struct scan *s)
{
    h->is_fortran = take_word(s, "True");
    if (!h->is_fortran && !take_word(s, "False"))
        return malformed(s, "has a fortran_order that is not True or False");
    return MLXC_OK;
}

enum { HAS_TYPE = 1, HAS_ORDER = 2, HAS_SHAPE = 4, HAS_ALL = 7 };

static mlxc_status parse_item(struct mx_npy *h, struct scan *s, int *seen)
{
    struct piece key;
    if (!take_string(s, &key) || !take(s, ':'))
        return malformed(s, "is no dictionary");
    int which = same(key, "descr") ? HAS_TYPE
        : same(key, "fortran_order") ? HAS_ORDER
        : same(key, "shape") ? HAS_SHAPE : 0;
    if (!which || (*seen & which))
        return malformed(s, which ? "has a key twice" : "has a strange key");
    *seen |= which;
    return which == HAS_TYPE ? parse_type(h, s)
        : which == HAS_ORDER ? parse_order(h, s) : parse_shape(h, s);
}

static mlxc_status parse(struct mx_npy *h, struct scan *s)
{
    int seen = 0;
    if (!take(s, '{'))
        return malformed(s, "is no dictionary");
    while (!take(s, '}')) {
        MX_TRY(parse_item(h, s, &seen));
        if (!take(s, ',') && (s->at == s->end || *s->at != '}'))
            return malformed(s, "is no dictionary");
    }
    skip_space(s);
    if (s->at != s->end)
        return malformed(s, "goes on behind its end");
    return seen == HAS_ALL ? MLXC_OK : malformed(s, "lacks a key");
}

mlxc_status mx_npy_parse(struct mx_npy *out, const char *text, size_t n,
    const char *label)
{
    struct scan s = { text, text + n, label };
    memset(out, 0, sizeof *out);
    mlxc_status status = parse(out, &s);
    if (status) {
        mx_free(out->shape);
        out->shape = NULL;
    }
    return status;
}

static const char *type_name(mlxc_dtype d)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (types[i].dtype == d)
            return types[i].name;
    }
    return ""; /* all dtypes are listed */
}

#define ALIGNMENT 64
/* NumPy leaves room for the first length to grow to this many digits. */
#define GROWTH 21

static void print_text(struct mx_buf *b, const mlxc_array *a, int is_fortran)
{
    mlxc_dtype d = (mlxc_dtype)a->dtype;
    char order = mx_dtypes[d].size == 1 ? '|'
        : mx_host_is_big() ? '>' : '<';
    mx_buf_printf(b, "{'descr': '%c%s', 'fortran_order': %s, 'shape': (",
        order, type_name(d), is_fortran ? "True" : "False");
    for (int i = 0; i < a->ndim; i++)
        mx_buf_printf(b, i ? ", %" PRId64 : "%" PRId64, a->shape[i]);
    mx_buf_puts(b, a->ndim == 1 ? ",), }" : "), }");
    if (a->ndim) {
        char digits[32];
        int used = snprintf(digits, sizeof digits, "%" PRId64,
            a->shape[is_fortran ? a->ndim - 1 : 0]);
        mx_buf_printf(b, "%*s", GROWTH - used, "");
    }
}

void mx_npy_print(struct mx_buf *b, const mlxc_array *a, int is_fortran)
{
    struct mx_buf text = { 0 };
    print_text(&text, a, is_fortran);
    size_t head = 10;
    size_t pad = ALIGNMENT - (head + text.size + 1) % ALIGNMENT;
    if (text.size + 1 + pad > 65535) {
        head = 12;
        pad = ALIGNMENT - (head + text.size + 1) % ALIGNMENT;
    }
    size_t n = text.size + pad + 1;
    unsigned char magic[12] = { 0x93, 'N', 'U', 'M', 'P', 'Y',
        head == 10 ? 1 : 2, 0, (unsigned char)n, (unsigned char)(n >> 8),
        (unsigned char)(n >> 16), (unsigned char)(n >> 24) };
    mx_buf_add(b, (const char *)magic, head);
    if (text.text)
        mx_buf_add(b, text.text, text.size);
    mx_buf_printf(b, "%*s\n", (int)pad, "");
    b->failed |= text.failed;
    mx_buf_free(&text);
}
