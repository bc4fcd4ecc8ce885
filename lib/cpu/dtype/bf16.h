/* SPDX-License-Identifier: MIT */
#define T uint16_t
#define A float
#define DTYPE MLXC_BFLOAT16
#define TN(x) x##_bf16
#define LD(p) mx_ld_bf16(*(p))
#define ST(p, v) (*(p) = mx_st_bf16(v))
#define KIND 8
