/* SPDX-License-Identifier: MIT */
#define T uint8_t
#define A uint32_t
#define DTYPE MLXC_UINT8
#define TN(x) x##_u8
#define LD(p) (*(p))
#define ST(p, v) (*(p) = (uint8_t)(v))
#define KIND 2
