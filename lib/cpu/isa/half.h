/* SPDX-License-Identifier: MIT */
/* Blocks of 16-bit floats to floats and back, by the hardware where there is
   any, and which maps have float kernels. */
#ifndef MX_CPU_HALF_H
#define MX_CPU_HALF_H

#include "cpu/isa/isa.h"

#ifdef __F16C__
#include <immintrin.h>
#endif

MX_INLINE void widen_f16(float *dst, const uint16_t *a, size_t n)
{
    size_t i = 0;
#ifdef __F16C__
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(dst + i,
            _mm256_cvtph_ps(_mm_loadu_si128((const void *)(a + i))));
#endif
    for (; i < n; i++)
        dst[i] = mx_ld_f16(a[i]);
}

MX_INLINE void narrow_f16(uint16_t *dst, const float *a, size_t n)
{
    size_t i = 0;
#ifdef __F16C__
    for (; i + 8 <= n; i += 8)
        _mm_storeu_si128((void *)(dst + i),
            _mm256_cvtps_ph(_mm256_loadu_ps(a + i), 0));
#endif
    for (; i < n; i++)
        dst[i] = mx_st_f16(a[i]);
}

MX_INLINE void widen_bf16(float *dst, const uint16_t *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dst[i] = mx_ld_bf16(a[i]);
}

MX_INLINE void narrow_bf16(uint16_t *dst, const float *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dst[i] = mx_st_bf16(a[i]);
}

#define MX_WITH_F_B(x)
#define MX_WITH_F_C(x)
#define MX_WITH_F_UI(x)
#define MX_WITH_F_BUI(x)
#define MX_WITH_F_F(x) x
#define MX_WITH_F_FC(x) x
#define MX_WITH_F_BUIF(x) x
#define MX_WITH_F_UIFC(x) x
#define MX_WITH_F_BUIFC(x) x

#endif
