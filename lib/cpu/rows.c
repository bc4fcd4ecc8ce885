/* SPDX-License-Identifier: MIT */
/* See rows.h. */
#include "cpu/rows.h"

mlxc_status mx_walk_init(struct mx_walk *w, const char *op, mlxc_array *a,
    const unsigned char *chosen, int which)
{
    int n = 0;
    w->size = 1;
    for (int d = 0; d < a->ndim; d++) {
        if (chosen[d] != which)
            continue;
        w->size *= a->shape[d];
        if (a->shape[d] == 1)
            continue;
        if (n > 0 && w->stride[n - 1] == a->strides[d] * a->shape[d]) {
            w->shape[n - 1] *= a->shape[d];
            w->stride[n - 1] = a->strides[d];
            continue;
        }
        if (n == MX_WALK_RANK)
            return mx_error(MLXC_ERR_UNSUPPORTED,
                "%s: more than %d dimensions that do not merge", op, n);
        w->shape[n] = a->shape[d];
        w->stride[n++] = a->strides[d];
    }
    w->ndim = n;
    return MLXC_OK;
}

int64_t mx_walk_offset(const struct mx_walk *w, int64_t i)
{
    int64_t offset = 0;
    for (int d = w->ndim - 1; d >= 0; d--) {
        offset += i % w->shape[d] * w->stride[d];
        i /= w->shape[d];
    }
    return offset;
}
