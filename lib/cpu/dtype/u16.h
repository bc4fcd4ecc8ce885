/* SPDX-License-Identifier: MIT */
#define T uint16_t
#define A uint32_t
#define DTYPE MLXC_UINT16
#define TN(x) x##_u16
#define LD(p) (*(p))
#define ST(p, v) (*(p) = (uint16_t)(v))
#define KIND 2
