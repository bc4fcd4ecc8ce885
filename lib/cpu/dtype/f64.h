/* SPDX-License-Identifier: MIT */
#define T double
#define A double
#define DTYPE MLXC_FLOAT64
#define TN(x) x##_f64
#define LD(p) (*(p))
#define ST(p, v) (*(p) = (double)(v))
#define KIND 8
/* the C library, or cpu/isa/math64.h */
#define FN(name) mx_d_##name
