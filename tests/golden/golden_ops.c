/* SPDX-License-Identifier: MIT */
/* The families' tables in a row, and what their functions share. */
#include <string.h>

#include "golden_ops.h"
#include "support.h"

static const struct golden_op *const families[] = { golden_math,
    golden_create, golden_shape, golden_index, golden_reduce, golden_sort,
    golden_products, golden_random };

const struct golden_op *golden_at(int i)
{
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        const struct golden_op *p = families[f];
        while (p->op && i > 0)
            p++, i--;
        if (p->op)
            return p;
    }
    return NULL;
}

const struct golden_op *golden_find(const char *op)
{
    const struct golden_op *p;
    for (int i = 0; (p = golden_at(i)) != NULL && strcmp(p->op, op); i++)
        ;
    return p;
}

mlxc_array *golden_flat(mlxc_scope *c, struct golden *g)
{
    return golden_get(g, "axis") ? X : mlxe_flatten(c, X, 0, -1);
}

int golden_spill(mlxc_scope *c, mlxc_status status, mlxc_arrays *list,
    mlxc_array **out)
{
    int n = status ? 0 : mlxc_arrays_size(list);
    mlxc_scope_take(c, status, NULL);
    ck_assert_int_le(n, MAX_LIST);
    for (int i = 0; i < n; i++)
        out[i] = mlxc_scope_take(c, MLXC_OK,
            mlxc_array_ref(mlxc_arrays_get(list, i)));
    mlxc_arrays_unref(list);
    return n;
}

mlxc_arrays *golden_inputs(struct golden *g, int from, int less)
{
    mlxc_arrays *list;
    ck_assert_int_ge(g->nin, from + less);
    ok(mlxc_arrays_from(&list, g->in + from, g->nin - from - less));
    return list;
}
