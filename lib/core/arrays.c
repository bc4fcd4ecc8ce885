/* SPDX-License-Identifier: MIT */
/* Lists of arrays. */
#include "core/arrays.h"

#include "core/error.h"
#include "util/alloc.h"
#include "util/atomic.h"

mlxc_status mlxc_arrays_new(mlxc_arrays **out)
{
    mlxc_arrays *l = mx_alloc_zero(sizeof *l);
    *out = l;
    if (!l)
        return mx_error_nomem("arrays_new");
    l->refs = 1;
    return MLXC_OK;
}

mlxc_status mlxc_arrays_from(mlxc_arrays **out, mlxc_array *const *list,
    int n)
{
    MX_TRY(mlxc_arrays_new(out));
    for (int i = 0; i < n; i++) {
        mlxc_status status = mlxc_arrays_push(*out, list[i]);
        if (status) {
            mlxc_arrays_unref(*out);
            *out = NULL;
            return status;
        }
    }
    return MLXC_OK;
}

mlxc_arrays *mlxc_arrays_ref(mlxc_arrays *l)
{
    if (l)
        mx_ref_inc(&l->refs);
    return l;
}

void mlxc_arrays_unref(mlxc_arrays *l)
{
    if (!l || !mx_ref_dec(&l->refs))
        return;
    for (int i = 0; i < l->size; i++)
        mlxc_array_unref(l->item[i]);
    mx_free(l->item);
    mx_free(l);
}

int mlxc_arrays_size(mlxc_arrays *l)
{
    return l ? l->size : 0;
}

mlxc_array *mlxc_arrays_get(mlxc_arrays *l, int i)
{
    return l && i >= 0 && i < l->size ? l->item[i] : NULL;
}

mlxc_status mlxc_arrays_push(mlxc_arrays *l, mlxc_array *a)
{
    if (!l || !a)
        return mx_error(MLXC_ERR_ARGUMENT, "arrays_push: %s is NULL",
            l ? "the array" : "the list");
    if (l->size == l->room) {
        int room = l->room ? 2 * l->room : 4;
        mlxc_array **p =
            mx_realloc_array(l->item, (size_t)room, sizeof *l->item);
        if (!p)
            return mx_error_nomem("arrays_push");
        l->item = p;
        l->room = room;
    }
    l->item[l->size++] = mlxc_array_ref(a);
    return MLXC_OK;
}

mlxc_status mlxc_arrays_push_take(mlxc_arrays *l, mlxc_array *a)
{
    mlxc_status status = mlxc_arrays_push(l, a);
    mlxc_array_unref(a);
    return status;
}
