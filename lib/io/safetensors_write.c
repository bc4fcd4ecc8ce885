/* SPDX-License-Identifier: MIT */
/* Writing .safetensors.  The table is padded to a multiple of 8 bytes and
   large elements come first, so every tensor is aligned in the file; equal
   contents give equal bytes. */
#include <mlxc/io.h>
#include <mlxc/transform.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/error.h"
#include "io/file.h"
#include "io/safetensors.h"
#include "io/tensors.h"
#include "util/alloc.h"

#define ALIGNMENT 8

static const struct mx_safetensors_type types[] = {
    { "BOOL", MLXC_BOOL }, { "U8", MLXC_UINT8 }, { "U16", MLXC_UINT16 },
    { "U32", MLXC_UINT32 }, { "U64", MLXC_UINT64 }, { "I8", MLXC_INT8 },
    { "I16", MLXC_INT16 }, { "I32", MLXC_INT32 }, { "I64", MLXC_INT64 },
    { "F16", MLXC_FLOAT16 }, { "F32", MLXC_FLOAT32 },
    { "F64", MLXC_FLOAT64 }, { "BF16", MLXC_BFLOAT16 },
    { "C64", MLXC_COMPLEX64 },
    /* raw bits; written as U8 */
    { "F8_E4M3", MLXC_UINT8 }, { "F8_E5M2", MLXC_UINT8 },
    { "F8_E8M0", MLXC_UINT8 },
};

#define TYPES (sizeof types / sizeof *types)

const struct mx_safetensors_type *mx_safetensors_type(const char *name)
{
    for (size_t i = 0; i < TYPES; i++) {
        if (!strcmp(types[i].name, name))
            return &types[i];
    }
    return NULL;
}

const char *mx_safetensors_name(mlxc_dtype dtype)
{
    for (size_t i = 0; i < TYPES; i++) {
        if (types[i].dtype == dtype)
            return types[i].name;
    }
    return ""; /* all dtypes are listed */
}

static int by_begin(const void *a, const void *b)
{
    const struct mx_span *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

int mx_spans_overlap(struct mx_span *span, size_t n)
{
    if (n)
        qsort(span, n, sizeof *span, by_begin);
    for (size_t i = 1; i < n; i++) {
        if (span[i].begin < span[i - 1].end)
            return 1;
    }
    return 0;
}

/* Entries in the order of their data. */
static const struct mx_entry **data_order(mlxc_tensors *t)
{
    int n = t->arrays.size, at = 0;
    const struct mx_entry **order =
        mx_alloc_array((size_t)n + 1, sizeof *order);
    for (size_t item = 8; order && item; item /= 2) {
        for (int i = 0; i < n; i++) {
            if (mx_itemsize(t->arrays.entry[i].value) == item)
                order[at++] = &t->arrays.entry[i];
        }
    }
    return order;
}

/* Steals `value`; fails on NULL. */
static int put(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value);
}

static json_t *describe(const mlxc_array *a, uint64_t begin)
{
    json_t *tensor = json_object(), *shape = json_array();
    int failed = !tensor || !shape;
    for (int i = 0; i < a->ndim; i++)
        failed |= json_array_append_new(shape, json_integer(a->shape[i]));
    uint64_t end = begin + (uint64_t)a->size * mx_itemsize(a);
    json_t *range = json_pack("[I, I]", (json_int_t)begin, (json_int_t)end);
    failed |= put(tensor, "dtype",
        json_string(mx_safetensors_name((mlxc_dtype)a->dtype)));
    failed |= put(tensor, "shape", shape);
    failed |= put(tensor, "data_offsets", range);
    if (failed) {
        json_decref(tensor);
        return NULL;
    }
    return tensor;
}

static json_t *describe_metadata(const struct mx_table *t)
{
    json_t *object = json_object();
    int failed = !object;
    for (int i = 0; i < t->size; i++)
        failed |= put(object, t->entry[i].name,
            json_string(t->entry[i].value));
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}

/* jansson tells text that is no UTF-8 and lack of memory not apart. */
static mlxc_status check_text(const char *what, const char *text)
{
    json_t *string = json_string(text);
    if (!string)
        return mx_error(MLXC_ERR_ARGUMENT,
            "save_safetensors: a %s is not valid UTF-8", what);
    json_decref(string);
    return MLXC_OK;
}

static mlxc_status check(mlxc_tensors *t)
{
    for (int i = 0; i < t->arrays.size; i++) {
        const char *name = t->arrays.entry[i].name;
        if (!strcmp(name, "__metadata__"))
            return mx_error(MLXC_ERR_ARGUMENT,
                "save_safetensors: \"__metadata__\" is no name for an array");
        MX_TRY(check_text("name", name));
    }
    for (int i = 0; i < t->metadata.size; i++) {
        MX_TRY(check_text("metadata key", t->metadata.entry[i].name));
        MX_TRY(check_text("metadata value", t->metadata.entry[i].value));
    }
    return MLXC_OK;
}

/* The table as text, to be freed with free(). */
static char *print_table(mlxc_tensors *t, const struct mx_entry **order)
{
    json_t *table = json_object();
    uint64_t at = 0;
    int failed = !table;
    if (t->metadata.size)
        failed |= put(table, "__metadata__",
            describe_metadata(&t->metadata));
    for (int i = 0; i < t->arrays.size; i++) {
        const mlxc_array *a = order[i]->value;
        failed |= put(table, order[i]->name, describe(a, at));
        at += (uint64_t)a->size * mx_itemsize(a);
    }
    char *text = failed ? NULL
        : json_dumps(table, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(table);
    return text;
}

static mlxc_status write_table(mlxc_writer *w, const char *text)
{
    static const char spaces[ALIGNMENT + 1] = "        ";
    unsigned char head[8];
    size_t n = strlen(text), pad = (ALIGNMENT - n % ALIGNMENT) % ALIGNMENT;
    uint64_t total = n + pad;
    for (int i = 0; i < 8; i++)
        head[i] = (unsigned char)(total >> 8 * i);
    MX_TRY(mx_writer_write(w, head, sizeof head));
    MX_TRY(mx_writer_write(w, text, n));
    return mx_writer_write(w, spaces, pad);
}

#define CHUNK 8192

/* The file is little-endian whatever the machine. */
static mlxc_status write_swapped(mlxc_writer *w, const char *data,
    size_t bytes, int swap)
{
    char chunk[CHUNK];
    while (bytes) {
        size_t n = bytes < CHUNK ? bytes : CHUNK;
        memcpy(chunk, data, n);
        mx_load_convert(chunk, n, swap, 0);
        MX_TRY(mx_writer_write(w, chunk, n));
        data += n;
        bytes -= n;
    }
    return MLXC_OK;
}

static mlxc_status write_array(mlxc_writer *w, mlxc_array *a)
{
    mlxc_array *stored;
    if (!a->size)
        return MLXC_OK;
    int swap = mx_load_swap((mlxc_dtype)a->dtype, 0);
    MX_TRY(mx_array_row_major(&stored, a));
    mlxc_status status = swap == 1
        ? mx_writer_write(w, mx_data(stored), mlxc_array_nbytes(stored))
        : write_swapped(w, mx_data(stored), mlxc_array_nbytes(stored), swap);
    mlxc_array_unref(stored);
    return status;
}

static mlxc_status write_all(mlxc_writer *w, mlxc_tensors *t)
{
    const struct mx_entry **order = data_order(t);
    char *text = order ? print_table(t, order) : NULL;
    mlxc_status status = text ? write_table(w, text)
                              : mx_error_nomem("save_safetensors");
    for (int i = 0; i < t->arrays.size && !status; i++)
        status = write_array(w, order[i]->value);
    free(text);
    mx_free(order);
    return status;
}

/* All that can fail apart from writing. */
static mlxc_status prepare(mlxc_tensors *t)
{
    if (!t)
        return mx_error(MLXC_ERR_ARGUMENT,
            "save_safetensors: the collection is NULL");
    MX_TRY(check(t));
    int n = t->arrays.size;
    mlxc_array **list = mx_alloc_array((size_t)n + 1, sizeof *list);
    if (!list)
        return mx_error_nomem("save_safetensors");
    for (int i = 0; i < n; i++)
        list[i] = t->arrays.entry[i].value;
    mlxc_status status = mlxc_eval(list, n);
    mx_free(list);
    return status;
}

mlxc_status mlxc_write_safetensors(mlxc_writer *w, mlxc_tensors *t)
{
    if (!w)
        return mx_error(MLXC_ERR_ARGUMENT,
            "save_safetensors: the writer is NULL");
    MX_TRY(prepare(t));
    return write_all(w, t);
}

mlxc_status mlxc_save_safetensors(const char *path, mlxc_tensors *t)
{
    mlxc_writer *w;
    MX_TRY(prepare(t));
    MX_TRY(mx_writer_create(&w, "save_safetensors", path));
    mlxc_status status = write_all(w, t);
    if (!status)
        status = mx_writer_commit(w);
    mlxc_writer_unref(w);
    return status;
}
