/* SPDX-License-Identifier: MIT */
/* The collection that files are loaded into and saved from: two tables
   sorted by name. */
#include "io/tensors.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "util/alloc.h"
#include "util/atomic.h"

/* Position of `name`, or where it would stand. */
static int find(const struct mx_table *t, const char *name, int *found)
{
    int low = 0, high = t->size;
    *found = 0;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = strcmp(t->entry[middle].name, name);
        if (order == 0)
            *found = 1;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A copy of `name` at position `i`; NULL value. */
static mlxc_status insert(struct mx_table *t, int i, const char *name)
{
    if (t->size == t->room) {
        if (t->size > INT_MAX / 2)
            return mx_error(MLXC_ERR_ARGUMENT, "tensors: too many entries");
        int room = t->room ? 2 * t->room : 16;
        void *p = mx_realloc_array(t->entry, (size_t)room, sizeof *t->entry);
        if (!p)
            return mx_error_nomem("tensors");
        t->entry = p;
        t->room = room;
    }
    char *copy = mx_strdup(name);
    if (!copy)
        return mx_error_nomem("tensors");
    memmove(t->entry + i + 1, t->entry + i,
        (size_t)(t->size - i) * sizeof *t->entry);
    t->entry[i] = (struct mx_entry){ copy, NULL };
    t->size++;
    return MLXC_OK;
}

static mlxc_status place(struct mx_entry **out, struct mx_table *t,
    const char *name)
{
    int found, i = find(t, name, &found);
    if (!found)
        MX_TRY(insert(t, i, name));
    *out = &t->entry[i];
    return MLXC_OK;
}

static struct mx_entry *entry_at(struct mx_table *t, int i)
{
    return i >= 0 && i < t->size ? &t->entry[i] : NULL;
}

static struct mx_entry *entry_of(struct mx_table *t, const char *name)
{
    int found, i = find(t, name, &found);
    return found ? &t->entry[i] : NULL;
}

mlxc_status mlxc_tensors_new(mlxc_tensors **out)
{
    if (!out)
        return mx_error(MLXC_ERR_ARGUMENT, "tensors_new: out is NULL");
    *out = mx_alloc_zero(sizeof **out);
    if (!*out)
        return mx_error_nomem("tensors_new");
    (*out)->refs = 1;
    return MLXC_OK;
}

mlxc_tensors *mlxc_tensors_ref(mlxc_tensors *t)
{
    if (t)
        mx_ref_inc(&t->refs);
    return t;
}

void mlxc_tensors_unref(mlxc_tensors *t)
{
    if (!t || !mx_ref_dec(&t->refs))
        return;
    for (int i = 0; i < t->arrays.size; i++) {
        mx_free(t->arrays.entry[i].name);
        mlxc_array_unref(t->arrays.entry[i].value);
    }
    for (int i = 0; i < t->metadata.size; i++) {
        mx_free(t->metadata.entry[i].name);
        mx_free(t->metadata.entry[i].value);
    }
    mx_free(t->arrays.entry);
    mx_free(t->metadata.entry);
    mx_free(t);
}

int mlxc_tensors_size(mlxc_tensors *t)
{
    return t ? t->arrays.size : 0;
}

const char *mlxc_tensors_name(mlxc_tensors *t, int i)
{
    struct mx_entry *e = t ? entry_at(&t->arrays, i) : NULL;
    return e ? e->name : NULL;
}

mlxc_array *mlxc_tensors_at(mlxc_tensors *t, int i)
{
    struct mx_entry *e = t ? entry_at(&t->arrays, i) : NULL;
    return e ? e->value : NULL;
}

mlxc_status mlxc_tensors_get(mlxc_array **out, mlxc_tensors *t,
    const char *name)
{
    if (!out)
        return mx_error(MLXC_ERR_ARGUMENT, "tensors_get: out is NULL");
    *out = NULL;
    if (!t || !name)
        return mx_error(MLXC_ERR_ARGUMENT, "tensors_get: %s is NULL",
            t ? "the name" : "the collection");
    struct mx_entry *e = entry_of(&t->arrays, name);
    if (!e)
        return mx_error(MLXC_ERR_ARGUMENT,
            "tensors_get: there is no array \"%s\"", name);
    *out = mlxc_array_ref(e->value);
    return MLXC_OK;
}

mlxc_status mlxc_tensors_set(mlxc_tensors *t, const char *name,
    mlxc_array *a)
{
    struct mx_entry *e;
    if (!t || !name || !a)
        return mx_error(MLXC_ERR_ARGUMENT, "tensors_set: %s is NULL",
            !t ? "the collection" : !name ? "the name" : "the array");
    MX_TRY(place(&e, &t->arrays, name));
    mlxc_array *old = e->value;
    e->value = mlxc_array_ref(a);
    mlxc_array_unref(old);
    return MLXC_OK;
}

mlxc_status mx_tensors_append(mlxc_tensors *t, const char *name,
    mlxc_array *a)
{
    mlxc_status status = insert(&t->arrays, t->arrays.size, name);
    if (status)
        mlxc_array_unref(a);
    else
        t->arrays.entry[t->arrays.size - 1].value = a;
    return status;
}

mlxc_status mx_tensors_append_metadata(mlxc_tensors *t, const char *key,
    const char *value)
{
    char *copy = mx_strdup(value);
    if (!copy)
        return mx_error_nomem("tensors");
    mlxc_status status = insert(&t->metadata, t->metadata.size, key);
    if (status)
        mx_free(copy);
    else
        t->metadata.entry[t->metadata.size - 1].value = copy;
    return status;
}

static int by_name(const void *a, const void *b)
{
    const struct mx_entry *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static void sort(struct mx_table *t)
{
    if (t->size)
        qsort(t->entry, (size_t)t->size, sizeof *t->entry, by_name);
}

void mx_tensors_sort(mlxc_tensors *t)
{
    sort(&t->arrays);
    sort(&t->metadata);
}

int mlxc_tensors_metadata_size(mlxc_tensors *t)
{
    return t ? t->metadata.size : 0;
}

const char *mlxc_tensors_metadata_key(mlxc_tensors *t, int i)
{
    struct mx_entry *e = t ? entry_at(&t->metadata, i) : NULL;
    return e ? e->name : NULL;
}

const char *mlxc_tensors_metadata(mlxc_tensors *t, const char *key)
{
    struct mx_entry *e = t && key ? entry_of(&t->metadata, key) : NULL;
    return e ? e->value : NULL;
}

mlxc_status mlxc_tensors_set_metadata(mlxc_tensors *t, const char *key,
    const char *value)
{
    struct mx_entry *e;
    if (!t || !key || !value)
        return mx_error(MLXC_ERR_ARGUMENT, "tensors_set_metadata: %s is NULL",
            !t ? "the collection" : !key ? "the key" : "the value");
    char *copy = mx_strdup(value);
    if (!copy)
        return mx_error_nomem("tensors_set_metadata");
    mlxc_status status = place(&e, &t->metadata, key);
    if (status) {
        mx_free(copy);
        return status;
    }
    mx_free(e->value);
    e->value = copy;
    return MLXC_OK;
}
