/* SPDX-License-Identifier: MIT */
/* See ptrmap.h: linear probing, at most half full. */
#include "util/ptrmap.h"

#include <stdint.h>
#include <string.h>

#include "util/alloc.h"

static size_t slot_of(const struct mx_ptrmap *m, const void *key)
{
    uint64_t h = (uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u;
    size_t i = (size_t)(h >> 32) & (m->room - 1);
    while (m->entry[i].key && m->entry[i].key != key)
        i = (i + 1) & (m->room - 1);
    return i;
}

struct mx_ptrmap_entry *mx_ptrmap_find(const struct mx_ptrmap *m,
    const void *key)
{
    if (!m->room)
        return NULL;
    struct mx_ptrmap_entry *e = &m->entry[slot_of(m, key)];
    return e->key ? e : NULL;
}

static int grow(struct mx_ptrmap *m)
{
    struct mx_ptrmap bigger = { .size = m->size,
        .room = m->room ? 2 * m->room : 32 };
    bigger.entry = mx_alloc_array(bigger.room, sizeof *bigger.entry);
    if (!bigger.entry)
        return 0;
    memset(bigger.entry, 0, bigger.room * sizeof *bigger.entry);
    for (size_t i = 0; i < m->room; i++) {
        if (m->entry[i].key)
            bigger.entry[slot_of(&bigger, m->entry[i].key)] = m->entry[i];
    }
    mx_free(m->entry);
    *m = bigger;
    return 1;
}

struct mx_ptrmap_entry *mx_ptrmap_at(struct mx_ptrmap *m, const void *key)
{
    struct mx_ptrmap_entry *e = mx_ptrmap_find(m, key);
    if (e)
        return e;
    if (2 * (m->size + 1) > m->room && !grow(m))
        return NULL;
    e = &m->entry[slot_of(m, key)];
    e->key = key;
    m->size++;
    return e;
}

void mx_ptrmap_free(struct mx_ptrmap *m)
{
    mx_free(m->entry);
    *m = (struct mx_ptrmap){ 0 };
}
