/* SPDX-License-Identifier: MIT */
#define T uint16_t
#define A float
#define DTYPE MLXC_FLOAT16
#define TN(x) x##_f16
#define LD(p) mx_ld_f16(*(p))
#define ST(p, v) (*(p) = mx_st_f16(v))
#define KIND 8
