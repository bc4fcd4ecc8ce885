/* SPDX-License-Identifier: MIT */
/* Golden cases of slices and their updates, gathers and scatters. */
#include <string.h>

#include "golden_ops.h"
#include "support.h"

static const char *const modes[] = { "set", "add", "prod", "max", "min" };

static int mode_of(struct golden *g)
{
    int mode = 0;
    while (mode < 5 && !golden_is(g, "mode", modes[mode]))
        mode++;
    ck_assert_msg(mode < 5, "%s: no such mode", g->name);
    return mode;
}

/* Start, stop and step of a slice; how many dimensions they have. */
static int window(struct golden *g, int64_t part[3][MAX_LIST])
{
    static const char *const key[3] = { "start", "stop", "step" };
    int n = golden_list(g, key[0], part[0]);
    for (int i = 1; i < 3; i++)
        ck_assert_int_eq(golden_list(g, key[i], part[i]), n);
    return n;
}

RUN(slice)
{
    int64_t w[3][MAX_LIST];
    int n = window(g, w);
    *out = mlxe_slice(c, X, w[0], w[1], w[2], n);
    return 1;
}

RUN(slice_update)
{
    mlxc_array *(*const update[])(mlxc_scope *, mlxc_array *, mlxc_array *,
        const int64_t *, const int64_t *, const int64_t *, int) = {
        mlxe_slice_update, mlxe_slice_update_add, mlxe_slice_update_prod,
        mlxe_slice_update_max, mlxe_slice_update_min };
    int64_t w[3][MAX_LIST];
    int n = window(g, w);
    *out = update[mode_of(g)](c, X, Y, w[0], w[1], w[2], n);
    return 1;
}

RUN(slice_dynamic)
{
    int64_t size[MAX_LIST];
    int axes[MAX_LIST], n = golden_axes(g, "axes", axes);
    int ndim = golden_list(g, "size", size);
    *out = mlxe_dynamic_slice(c, X, Y, axes, n, size, ndim);
    return 1;
}

RUN(slice_update_dynamic)
{
    int axes[MAX_LIST], n = golden_axes(g, "axes", axes);
    *out = mlxe_dynamic_update(c, X, Y, Z, axes, n);
    return 1;
}

ONE(take, mlxe_take(c, golden_flat(c, g), Y, AXIS))
ONE(take_along_axis, mlxe_take_along_axis(c, X, Y, AXIS))
ONE(put_along_axis, mlxe_put_along_axis(c, X, Y, Z, AXIS))
ONE(scatter_add_axis, mlxe_put_add(c, X, Y, Z, AXIS))
ONE(masked_scatter, mlxe_masked_scatter(c, X, Y, Z))

RUN(gather)
{
    int axes[MAX_LIST], n = golden_axes(g, "axes", axes);
    int64_t sizes[MAX_LIST];
    int k = golden_list(g, "slice_sizes", sizes);
    mlxc_arrays *index = golden_inputs(g, 1, 0);
    mlxc_array *a = NULL;
    mlxc_status status = mlxc_gather(&a, X, index, axes, n, sizes, k, NULL);
    mlxc_arrays_unref(index);
    *out = mlxc_scope_take(c, status, a);
    return 1;
}

RUN(scatter)
{
    static const mlxc_scatter_mode values[] = { MLXC_SCATTER_SET,
        MLXC_SCATTER_ADD, MLXC_SCATTER_PROD, MLXC_SCATTER_MAX,
        MLXC_SCATTER_MIN };
    int axes[MAX_LIST], n = golden_axes(g, "axes", axes);
    mlxc_arrays *index = golden_inputs(g, 1, 1);
    mlxc_array *a = NULL;
    mlxc_status status = mlxc_scatter(&a, X, index, g->in[g->nin - 1], axes,
        n, values[mode_of(g)], NULL);
    mlxc_arrays_unref(index);
    *out = mlxc_scope_take(c, status, a);
    return 1;
}

const struct golden_op golden_index[] = {
    ENTRY(slice) ENTRY(slice_update) ENTRY(slice_dynamic)
    ENTRY(slice_update_dynamic) ENTRY(take) ENTRY(take_along_axis)
    ENTRY(put_along_axis) ENTRY(scatter_add_axis) ENTRY(masked_scatter)
    ENTRY(gather) ENTRY(scatter)
    { NULL, NULL },
};
