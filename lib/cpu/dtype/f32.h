/* SPDX-License-Identifier: MIT */
#define T float
#define A float
#define DTYPE MLXC_FLOAT32
#define TN(x) x##_f32
#define LD(p) (*(p))
#define ST(p, v) (*(p) = (float)(v))
#define KIND 8
/* a function of our own: cpu/isa/math.h */
#define FN(name) mx_##name##f
