/* SPDX-License-Identifier: MIT */
#define T int8_t
#define A uint32_t
#define DTYPE MLXC_INT8
#define TN(x) x##_i8
#define LD(p) (*(p))
#define ST(p, v) (*(p) = (int8_t)(v))
#define KIND 4
