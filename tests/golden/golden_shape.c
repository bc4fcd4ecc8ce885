/* SPDX-License-Identifier: MIT */
/* Golden cases of shapes and views, joining, splitting, repeating and
   padding. */
#include <string.h>

#include "golden_ops.h"
#include "support.h"

SHAPED(reshape, mlxe_reshape(c, X, shape, n))
SHAPED(broadcast_to, mlxe_broadcast_to(c, X, shape, n))
SHAPED(unflatten, mlxe_unflatten(c, X, AXIS, shape, n))
ONE(flatten, mlxe_flatten(c, X, (int)I("start_axis", 0),
    (int)I("end_axis", -1)))
ONE(swapaxes, mlxe_swapaxes(c, X, (int)I("axis1", 0), (int)I("axis2", 1)))
ONE(moveaxis, mlxe_moveaxis(c, X, (int)I("source", 0),
    (int)I("destination", 0)))
ONE(atleast_1d, mlxe_atleast_1d(c, X))
ONE(atleast_2d, mlxe_atleast_2d(c, X))
ONE(atleast_3d, mlxe_atleast_3d(c, X))
ONE(copy, mlxe_copy(c, X))
ONE(contiguous, mlxe_contiguous(c, X, I("col_major", 0)))
ONE(view, mlxe_view(c, X, DTYPE_OF("dtype")))
WITH_AXES(transpose, mlxe_transpose(c, X, list, n))
WITH_AXES(squeeze, mlxe_squeeze(c, X, list, n))
WITH_AXES(expand_dims, mlxe_expand_dims(c, X, list, n))
WITH_AXES(flip, mlxe_flip(c, X, list, n))
ONE(stack, mlxe_stack(c, g->in, g->nin, AXIS))
ONE(repeat, mlxe_repeat(c, golden_flat(c, g), I("repeats", 1), AXIS))

RUN(as_strided)
{
    int64_t shape[MAX_LIST], strides[MAX_LIST];
    int n = golden_list(g, "shape", shape);
    ck_assert_int_eq(golden_list(g, "strides", strides), n);
    *out = mlxe_as_strided(c, X, shape, strides, n, I("offset", 0));
    return 1;
}

RUN(tile)
{
    int64_t reps[MAX_LIST];
    int n = golden_list(g, "reps", reps);
    *out = mlxe_tile(c, X, reps, n);
    return 1;
}

/* Without axes the array is rolled as if it were flat. */
RUN(roll)
{
    int64_t shifts[MAX_LIST];
    int axes[MAX_LIST] = { 0 };
    int n = golden_list(g, "shift", shifts);
    int naxes = golden_axes(g, "axes", axes);
    mlxc_array *a = naxes < 0 ? mlxe_flatten(c, X, 0, -1) : X;
    ck_assert_int_eq(n, naxes < 0 ? 1 : naxes);
    a = mlxe_roll(c, a, shifts, axes, n);
    *out = mlxe_reshape(c, a, mlxc_array_shape(X), mlxc_array_ndim(X));
    return 1;
}

RUN(concatenate)
{
    mlxc_array *list[MAX_INPUTS];
    for (int i = 0; i < g->nin; i++)
        list[i] = golden_get(g, "axis") ? g->in[i]
            : mlxe_flatten(c, g->in[i], 0, -1);
    *out = mlxe_concatenate(c, list, g->nin, AXIS);
    return 1;
}

RUN(split)
{
    int64_t index[MAX_LIST];
    mlxc_arrays *list = NULL;
    int n = golden_list(g, "indices", index);
    mlxc_status status = n >= 0
        ? mlxc_split(&list, X, index, n, AXIS, NULL)
        : mlxc_split_equal(&list, X, (int)I("num", 1), AXIS, NULL);
    return golden_spill(c, status, list, out);
}

RUN(unstack)
{
    mlxc_arrays *list = NULL;
    mlxc_status status = mlxc_unstack(&list, X, AXIS, NULL);
    return golden_spill(c, status, list, out);
}

RUN(broadcast_arrays)
{
    mlxc_arrays *in = golden_inputs(g, 0, 0), *list = NULL;
    mlxc_status status = mlxc_broadcast_arrays(&list, in, NULL);
    mlxc_arrays_unref(in);
    return golden_spill(c, status, list, out);
}

RUN(pad)
{
    static const char *const modes[] = { "constant", "edge", "reflect",
        "symmetric" };
    static const mlxc_pad_mode values[] = { MLXC_PAD_CONSTANT, MLXC_PAD_EDGE,
        MLXC_PAD_REFLECT, MLXC_PAD_SYMMETRIC };
    int64_t low[MAX_LIST], high[MAX_LIST];
    int n = golden_list(g, "low", low), mode = 0;
    ck_assert_int_eq(golden_list(g, "high", high), n);
    while (mode < 4 && !golden_is(g, "mode", modes[mode]))
        mode++;
    ck_assert_msg(mode < 4, "%s: no such mode", g->name);
    *out = mlxe_pad(c, X, low, high, n, values[mode],
        g->nin > 1 ? Y : NULL);
    return 1;
}

const struct golden_op golden_shape[] = {
    ENTRY(reshape) ENTRY(broadcast_to) ENTRY(unflatten) ENTRY(flatten)
    ENTRY(swapaxes) ENTRY(moveaxis) ENTRY(atleast_1d) ENTRY(atleast_2d)
    ENTRY(atleast_3d) ENTRY(copy) ENTRY(contiguous) ENTRY(view)
    ENTRY(transpose) ENTRY(squeeze) ENTRY(expand_dims) ENTRY(flip)
    ENTRY(stack) ENTRY(repeat) ENTRY(as_strided) ENTRY(tile) ENTRY(roll)
    ENTRY(concatenate) ENTRY(split) ENTRY(unstack) ENTRY(broadcast_arrays)
    ENTRY(pad)
    { NULL, NULL },
};
