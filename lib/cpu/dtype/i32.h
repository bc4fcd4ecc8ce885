/* SPDX-License-Identifier: MIT */
#define T int32_t
#define A uint32_t
#define DTYPE MLXC_INT32
#define TN(x) x##_i32
#define LD(p) (*(p))
#define ST(p, v) (*(p) = (int32_t)(v))
#define KIND 4
