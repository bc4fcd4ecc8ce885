/* SPDX-License-Identifier: MIT */
#define T uint8_t
#define A uint8_t
#define DTYPE MLXC_BOOL
#define TN(x) x##_bool
#define LD(p) (*(p))
#define ST(p, v) (*(p) = (uint8_t)(v))
#define KIND 1
