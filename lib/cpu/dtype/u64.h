/* SPDX-License-Identifier: MIT */
#define T uint64_t
#define A uint64_t
#define DTYPE MLXC_UINT64
#define TN(x) x##_u64
#define LD(p) (*(p))
#define ST(p, v) (*(p) = (uint64_t)(v))
#define KIND 2
