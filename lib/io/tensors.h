/* SPDX-License-Identifier: MIT */
/* Arrays and text by name, sorted. */
#ifndef MX_TENSORS_H
#define MX_TENSORS_H

#include <mlxc/io.h>

struct mx_entry {
    char *name;
    void *value;
};

struct mx_table {
    struct mx_entry *entry;
    int size, room;
};

struct mlxc_tensors {
    int refs;
    struct mx_table arrays;   /* of counted arrays */
    struct mx_table metadata; /* of strings */
};

/* Add without looking for the name; takes over `a`, also on failure.  Ends
   with mx_tensors_sort(). */
mlxc_status mx_tensors_append(mlxc_tensors *t, const char *name,
    mlxc_array *a);
mlxc_status mx_tensors_append_metadata(mlxc_tensors *t, const char *key,
    const char *value);
void mx_tensors_sort(mlxc_tensors *t);

#endif
