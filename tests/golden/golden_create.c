/* SPDX-License-Identifier: MIT */
/* Golden cases of arrays made from parameters. */
#include <string.h>

#include "golden_ops.h"

#define REAL(key, absent) golden_real(g, key, absent)

ONE(arange, mlxe_arange(c, REAL("start", 0), REAL("stop", 0),
    REAL("step", 1), DTYPE_OF("dtype")))
ONE(linspace, mlxe_linspace(c, REAL("start", 0), REAL("stop", 0),
    I("num", 50), I("endpoint", 1), DTYPE_OF("dtype")))
ONE(eye, mlxe_eye(c, I("n", 0), I("m", 0), I("k", 0), DTYPE_OF("dtype")))
ONE(tri, mlxe_tri(c, I("n", 0), I("m", 0), I("k", 0), DTYPE_OF("dtype")))
ONE(tril, mlxe_tril(c, X, I("k", 0)))
ONE(triu, mlxe_triu(c, X, I("k", 0)))
ONE(diag, mlxe_diag(c, X, I("k", 0)))
ONE(diagonal, mlxe_diagonal(c, X, I("offset", 0), (int)I("axis1", 0),
    (int)I("axis2", 1)))
SHAPED(zeros, mlxe_zeros(c, shape, n, DTYPE_OF("dtype")))
SHAPED(ones, mlxe_ones(c, shape, n, DTYPE_OF("dtype")))
SHAPED(full, mlxe_full(c, shape, n, X, DTYPE_OF("dtype")))
ONE(zeros_like, mlxe_zeros_like(c, X))
ONE(ones_like, mlxe_ones_like(c, X))
ONE(full_like, mlxe_full_like(c, X, Y, DTYPE_OF("dtype")))
ONE(hanning, mlxe_hanning(c, I("m", 0)))
ONE(hamming, mlxe_hamming(c, I("m", 0)))
ONE(bartlett, mlxe_bartlett(c, I("m", 0)))
ONE(blackman, mlxe_blackman(c, I("m", 0)))

RUN(meshgrid)
{
    mlxc_arrays *in = golden_inputs(g, 0, 0), *list = NULL;
    mlxc_status status = mlxc_meshgrid(&list, in, I("sparse", 0),
        golden_is(g, "indexing", "xy"), NULL);
    mlxc_arrays_unref(in);
    return golden_spill(c, status, list, out);
}

const struct golden_op golden_create[] = {
    ENTRY(arange) ENTRY(linspace) ENTRY(eye) ENTRY(tri) ENTRY(tril)
    ENTRY(triu) ENTRY(diag) ENTRY(diagonal) ENTRY(zeros) ENTRY(ones)
    ENTRY(full) ENTRY(zeros_like) ENTRY(ones_like) ENTRY(full_like)
    ENTRY(hanning) ENTRY(hamming) ENTRY(bartlett) ENTRY(blackman)
    ENTRY(meshgrid)
    { NULL, NULL },
};
