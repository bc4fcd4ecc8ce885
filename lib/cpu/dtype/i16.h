/* SPDX-License-Identifier: MIT */
#define T int16_t
#define A uint32_t
#define DTYPE MLXC_INT16
#define TN(x) x##_i16
#define LD(p) (*(p))
#define ST(p, v) (*(p) = (int16_t)(v))
#define KIND 4
