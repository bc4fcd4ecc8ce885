/* SPDX-License-Identifier: MIT */
/* Golden cases of sorting and searching.  Where the order of a result is
   free, the result is put in order first, so that it can be compared. */
#include <string.h>

#include "golden_ops.h"
#include "support.h"

ONE(sort, mlxe_sort(c, golden_flat(c, g), AXIS))
ONE(argsort, mlxe_argsort(c, golden_flat(c, g), AXIS))
ONE(topk, mlxe_sort(c, mlxe_topk(c, golden_flat(c, g), I("k", 1), AXIS),
    AXIS))
ONE(searchsorted, mlxe_searchsorted(c, X, Y, golden_is(g, "side", "right")))

/* Elements before and after position `kth`, each sorted. */
static mlxc_array *sort_around(mlxc_scope *c, mlxc_array *a, int64_t kth,
    int axis)
{
    int n = mlxc_array_ndim(a);
    int64_t start[MAX_LIST] = { 0 }, stop[MAX_LIST];
    mlxc_array *part[3];
    if (!n)
        return a;
    axis = axis < 0 ? axis + n : axis;
    memcpy(stop, mlxc_array_shape(a), (size_t)n * sizeof *stop);
    int64_t cut[4] = { 0, kth < 0 ? kth + stop[axis] : kth, 0, stop[axis] };
    cut[2] = cut[1] + 1;
    for (int i = 0; i < 3; i++) {
        start[axis] = cut[i];
        stop[axis] = cut[i + 1];
        part[i] = mlxe_slice(c, a, start, stop, NULL, n);
        if (cut[i] < cut[i + 1])
            part[i] = mlxe_sort(c, part[i], axis);
    }
    return mlxe_concatenate(c, part, 3, axis);
}

RUN(partition)
{
    mlxc_array *a = mlxe_partition(c, golden_flat(c, g), I("kth", 0), AXIS);
    *out = a ? sort_around(c, a, I("kth", 0), AXIS) : NULL;
    return 1;
}

/* The elements at the positions, as for partition. */
RUN(argpartition)
{
    mlxc_array *from = golden_flat(c, g);
    mlxc_array *at = mlxe_argpartition(c, from, I("kth", 0), AXIS);
    if (at)
        ck_assert_int_eq(mlxc_array_dtype(at), MLXC_UINT32);
    mlxc_array *a = mlxe_take_along_axis(c, from, at, AXIS);
    *out = a ? sort_around(c, a, I("kth", 0), AXIS) : NULL;
    return 1;
}

const struct golden_op golden_sort[] = {
    ENTRY(sort) ENTRY(argsort) ENTRY(topk) ENTRY(searchsorted)
    ENTRY(partition) ENTRY(argpartition)
    { NULL, NULL },
};
