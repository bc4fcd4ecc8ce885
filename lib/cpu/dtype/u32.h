/* SPDX-License-Identifier: MIT */
#define T uint32_t
#define A uint32_t
#define DTYPE MLXC_UINT32
#define TN(x) x##_u32
#define LD(p) (*(p))
#define ST(p, v) (*(p) = (uint32_t)(v))
#define KIND 2
