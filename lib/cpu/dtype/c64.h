/* SPDX-License-Identifier: MIT */
#define T mlxc_complex64
#define A mlxc_complex64
#define DTYPE MLXC_COMPLEX64
#define TN(x) x##_c64
#define LD(p) (*(p))
#define ST(p, v) (*(p) = (v))
#define KIND 16
