/* SPDX-License-Identifier: MIT */
/* The .safetensors format: a JSON table of names, types, shapes and byte
   ranges, then the bytes.  Nothing in the table is trusted. */
#include <mlxc/io.h>

#include <jansson.h>
#include <string.h>

#include "core/array.h"
#include "core/error.h"
#include "io/file.h"
#include "io/safetensors.h"
#include "io/tensors.h"
#include "util/alloc.h"

#define MOST_TEXT 100000000u

struct loading {
    mlxc_reader *reader;
    mlxc_stream *stream;
    mlxc_tensors *tensors;
    uint64_t data;     /* where the data region begins */
    uint64_t size;     /* of it */
    struct mx_span *span; /* of tensors that are not empty */
    size_t nspans;
};

static mlxc_status malformed(const struct loading *l, const char *name,
    const char *what)
{
    if (!name)
        return mx_error(MLXC_ERR_FORMAT, "load_safetensors: %s %s",
            l->reader->label, what);
    return mx_error(MLXC_ERR_FORMAT,
        "load_safetensors: %s: the tensor \"%.100s\" %s", l->reader->label,
        name, what);
}

/* What a tensor's name refers to. */
struct claim {
    const struct mx_safetensors_type *type;
    int64_t *shape;
    int ndim;
    uint64_t begin, end;
};

static mlxc_status claim_type(struct claim *c, const struct loading *l,
    const char *name, json_t *tensor)
{
    const char *type = json_string_value(json_object_get(tensor, "dtype"));
    if (!type)
        return malformed(l, name, "has no dtype");
    c->type = mx_safetensors_type(type);
    if (!c->type)
        return malformed(l, name, "has a dtype that is not known");
    return MLXC_OK;
}

static mlxc_status claim_shape(struct claim *c, const struct loading *l,
    const char *name, json_t *tensor)
{
    json_t *shape = json_object_get(tensor, "shape");
    size_t n = json_array_size(shape); /* 0 for what is no array */
    if (!json_is_array(shape) || n > INT32_MAX)
        return malformed(l, name, "has no shape");
    c->ndim = (int)n;
    c->shape = mx_alloc_array(n ? n : 1, sizeof *c->shape);
    if (!c->shape)
        return mx_error_nomem("load_safetensors");
    for (size_t i = 0; i < n; i++) {
        json_t *length = json_array_get(shape, i);
        c->shape[i] = json_integer_value(length);
        if (!json_is_integer(length) || c->shape[i] < 0)
            return malformed(l, name, "has a length that is no number");
    }
    return MLXC_OK;
}

/* The range lies in the data and is as long as the shape says. */
static mlxc_status claim_range(struct claim *c, const struct loading *l,
    const char *name, json_t *tensor)
{
    json_t *range = json_object_get(tensor, "data_offsets");
    json_t *begin = json_array_get(range, 0), *end = json_array_get(range, 1);
    if (json_array_size(range) != 2 || !json_is_integer(begin) ||
        !json_is_integer(end) || json_integer_value(begin) < 0 ||
        json_integer_value(end) < json_integer_value(begin))
        return malformed(l, name, "has no valid data_offsets");
    c->begin = (uint64_t)json_integer_value(begin);
    c->end = (uint64_t)json_integer_value(end);
    if (c->end > l->size)
        return malformed(l, name, "lies outside the file");
    int64_t bytes = mx_dtypes[c->type->dtype].size;
    int empty = 0;
    for (int i = 0; i < c->ndim; i++)
        empty |= c->shape[i] == 0;
    for (int i = 0; i < c->ndim; i++) {
        int64_t length = c->shape[i] ? c->shape[i] : 1;
        if (__builtin_mul_overflow(bytes, length, &bytes))
            return malformed(l, name, "is too large");
    }
    if (c->end - c->begin != (empty ? 0 : (uint64_t)bytes))
        return malformed(l, name, "is not as long as its shape");
    return MLXC_OK;
}

static mlxc_status load_tensor(struct loading *l, const char *name,
    json_t *tensor)
{
    struct claim c = { 0 };
    mlxc_array *a;
    if (!json_is_object(tensor))
        return malformed(l, name, "is no object");
    MX_TRY(claim_type(&c, l, name, tensor));
    mlxc_status status = claim_shape(&c, l, name, tensor);
    if (!status)
        status = claim_range(&c, l, name, tensor);
    if (!status)
        status = mx_load_array(&a, "load_safetensors", l->reader,
            l->data + c.begin, c.shape, c.ndim, c.type->dtype,
            mx_load_swap(c.type->dtype, 0), l->stream);
    mx_free(c.shape);
    if (status)
        return status;
    if (c.end > c.begin)
        l->span[l->nspans++] = (struct mx_span){ c.begin, c.end };
    return mx_tensors_append(l->tensors, name, a);
}

static mlxc_status load_metadata(struct loading *l, json_t *metadata)
{
    const char *key;
    json_t *value;
    if (json_is_null(metadata))
        return MLXC_OK;
    if (!json_is_object(metadata))
        return malformed(l, NULL, "has metadata that is no object");
    json_object_foreach(metadata, key, value) {
        if (!json_is_string(value))
            return malformed(l, NULL, "has metadata that is no text");
        MX_TRY(mx_tensors_append_metadata(l->tensors, key,
            json_string_value(value)));
    }
    return MLXC_OK;
}

static mlxc_status load_entries(struct loading *l, json_t *table)
{
    const char *name;
    json_t *value;
    if (!json_is_object(table))
        return malformed(l, NULL, "has a header that is no object");
    l->span = mx_alloc_array(json_object_size(table) + 1, sizeof *l->span);
    if (!l->span)
        return mx_error_nomem("load_safetensors");
    json_object_foreach(table, name, value) {
        if (!strcmp(name, "__metadata__"))
            MX_TRY(load_metadata(l, value));
        else
            MX_TRY(load_tensor(l, name, value));
    }
    if (mx_spans_overlap(l->span, l->nspans))
        return malformed(l, NULL, "has tensors that overlap");
    mx_tensors_sort(l->tensors);
    return MLXC_OK;
}

/* The table; finds out where the data begins. */
static mlxc_status read_table(json_t **out, struct loading *l)
{
    unsigned char head[8];
    uint64_t n = 0;
    json_error_t error;
    if (l->reader->size < 8)
        return malformed(l, NULL, "is too short for a .safetensors file");
    MX_TRY(mx_reader_read(l->reader, 0, head, 8));
    for (int i = 7; i >= 0; i--)
        n = n << 8 | head[i];
    if (n == 0 || n > MOST_TEXT)
        return malformed(l, NULL, "has a header of no likely length");
    if (n > l->reader->size - 8)
        return malformed(l, NULL, "ends inside its header");
    char *text = mx_alloc((size_t)n);
    if (!text)
        return mx_error_nomem("load_safetensors");
    mlxc_status status = mx_reader_read(l->reader, 8, text, (size_t)n);
    *out = status ? NULL
        : json_loadb(text, (size_t)n, JSON_REJECT_DUPLICATES, &error);
    mx_free(text);
    if (status)
        return status;
    if (!*out && json_error_code(&error) == json_error_out_of_memory)
        return mx_error_nomem("load_safetensors");
    if (!*out)
        return mx_error(MLXC_ERR_FORMAT,
            "load_safetensors: %s has a header that is no JSON: %s",
            l->reader->label, error.text);
    l->data = 8 + n;
    l->size = l->reader->size - l->data;
    return MLXC_OK;
}

mlxc_status mlxc_read_safetensors(mlxc_tensors **out, mlxc_reader *r,
    mlxc_stream *s)
{
    struct loading l = { .reader = r, .stream = s };
    json_t *table;
    if (!out || !r)
        return mx_error(MLXC_ERR_ARGUMENT, "load_safetensors: %s is NULL",
            out ? "the reader" : "out");
    *out = NULL;
    MX_TRY(read_table(&table, &l));
    mlxc_status status = mlxc_tensors_new(&l.tensors);
    if (!status)
        status = load_entries(&l, table);
    json_decref(table);
    mx_free(l.span);
    if (status) {
        mlxc_tensors_unref(l.tensors);
        return status;
    }
    *out = l.tensors;
    return MLXC_OK;
}

mlxc_status mlxc_load_safetensors(mlxc_tensors **out, const char *path,
    mlxc_stream *s)
{
    mlxc_reader *r;
    if (out)
        *out = NULL;
    MX_TRY(mx_reader_open(&r, "load_safetensors", path));
    mlxc_status status = mlxc_read_safetensors(out, r, s);
    mlxc_reader_unref(r);
    return status;
}
