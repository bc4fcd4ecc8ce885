/* SPDX-License-Identifier: MIT */
/* What every kernel file includes: the name of this level, inlining, bits. */
#ifndef MX_CPU_ISA_H
#define MX_CPU_ISA_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "cpu/kernels.h"

#define MX_INLINE static inline __attribute__((always_inline, unused))

#define MX_PASTE_(a, b) a##_##b
#define MX_PASTE(a, b) MX_PASTE_(a, b)
/* mx_cpu_init_map1 at level avx2: mx_cpu_init_map1_avx2 */
#define MX_ISA_NAME(name) MX_PASTE(name, MX_ISA)

#define MX_KERNELS(group) \
    void MX_ISA_NAME(mx_cpu_init_##group)(struct mx_cpu_kernels *k); \
    void MX_ISA_NAME(mx_cpu_init_##group)(struct mx_cpu_kernels *k)

MX_INLINE uint32_t mx_bits(float x)
{
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

MX_INLINE float mx_float(uint32_t u)
{
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}

MX_INLINE uint64_t mx_bits64(double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

MX_INLINE double mx_double(uint64_t u)
{
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}

/* Half types.  The integer forms give the bits that the hardware gives, so
   that every level agrees; NaN stays NaN and becomes quiet. */

MX_INLINE float mx_ld_bf16(uint16_t h)
{
    return mx_float((uint32_t)h << 16);
}

MX_INLINE uint16_t mx_st_bf16(float x)
{
    uint32_t u = mx_bits(x);
    uint32_t rounded = (u + 0x7fffu + (u >> 16 & 1)) >> 16;
    uint32_t quiet = (u >> 16 & 0x8000u) | 0x7fc0u;
    return (uint16_t)(x != x ? quiet : rounded);
}

/* Shift exponent and mantissa into place and scale by 2^112, which makes
   subnormals right too; infinity and NaN get the exponent of float. */
MX_INLINE float mx_ld_f16(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000u) << 16;
    uint32_t rest = (uint32_t)(h & 0x7fffu) << 13;
    uint32_t special = rest | 0x7f800000u;
    uint32_t quiet = rest > 0x0f800000u ? 0x00400000u : 0;
    uint32_t finite = mx_bits(mx_float(rest) * 0x1p112f);
    return mx_float(sign | (rest >= 0x0f800000u ? special | quiet : finite));
}

MX_INLINE uint16_t mx_st_f16(float x)
{
    uint32_t u = mx_bits(x), sign = u >> 16 & 0x8000u, a = u & 0x7fffffffu;
    /* subnormal results: adding 2^-1 * ulp aligns the mantissa and rounds */
    uint32_t small = mx_bits(mx_float(a) + 0.5f) - 0x3f000000u;
    uint32_t normal = (a + 0xc8000fffu + (a >> 13 & 1)) >> 13;
    uint32_t nan = 0x7e00u | (a >> 13 & 0x3ffu);
    uint32_t r = a < 0x38800000u ? small : normal;
    r = a >= 0x477ff000u ? 0x7c00u : r;
    r = a > 0x7f800000u ? nan : r;
    return (uint16_t)(sign | r);
}

#endif
