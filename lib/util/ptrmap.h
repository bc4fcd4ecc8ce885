/* SPDX-License-Identifier: MIT */
/* A hash map from addresses to a pointer and a number. */
#ifndef MX_PTRMAP_H
#define MX_PTRMAP_H

#include <stddef.h>

struct mx_ptrmap_entry {
    const void *key; /* NULL: free */
    void *value;
    int number;
};

struct mx_ptrmap {
    struct mx_ptrmap_entry *entry;
    size_t size, room; /* room is 0 or a power of two */
};

/* NULL if absent. */
struct mx_ptrmap_entry *mx_ptrmap_find(const struct mx_ptrmap *m,
    const void *key);
/* The entry of `key`, made with value NULL if absent; NULL: no memory.
   Valid until the next insertion. */
struct mx_ptrmap_entry *mx_ptrmap_at(struct mx_ptrmap *m, const void *key);
void mx_ptrmap_free(struct mx_ptrmap *m);

#endif
