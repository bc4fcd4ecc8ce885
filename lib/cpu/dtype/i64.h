/* SPDX-License-Identifier: MIT */
#define T int64_t
#define A uint64_t
#define DTYPE MLXC_INT64
#define TN(x) x##_i64
#define LD(p) (*(p))
#define ST(p, v) (*(p) = (int64_t)(v))
#define KIND 4
