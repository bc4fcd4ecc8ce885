/* SPDX-License-Identifier: MIT */
/* Products with few rows or columns, which read the large factor in place.
   For floats; halves are widened as they are read. */
#include "cpu/isa/simd.h"

MX_INLINE mx_vf32 load_f32(const float *s)
{
    mx_vf32 v;
    memcpy(&v, s, sizeof v);
    return v;
}

MX_INLINE mx_vf64 load_f64(const double *s)
{
    mx_vf64 v;
    memcpy(&v, s, sizeof v);
    return v;
}

MX_INLINE mx_vf32 load_f16(const uint16_t *s)
{
#if defined(__AVX512F__)
    return (mx_vf32)_mm512_cvtph_ps(_mm256_loadu_si256((const void *)s));
#elif defined(__F16C__)
    return (mx_vf32)_mm256_cvtph_ps(_mm_loadu_si128((const void *)s));
#elif defined(__SSE2__)
    /* as mx_ld_f16 */
    __m128i h = _mm_unpacklo_epi16(_mm_loadl_epi64((const void *)s),
        _mm_setzero_si128());
    __m128i rest = _mm_slli_epi32(_mm_and_si128(h, _mm_set1_epi32(0x7fff)),
        13);
    __m128i sign = _mm_slli_epi32(_mm_and_si128(h, _mm_set1_epi32(0x8000)),
        16);
    __m128i finite = _mm_castps_si128(_mm_mul_ps(_mm_castsi128_ps(rest),
        _mm_set1_ps(0x1p112f)));
    __m128i special = _mm_and_si128(_mm_set1_epi32(0x7f800000),
        _mm_cmpgt_epi32(rest, _mm_set1_epi32(0x0f7fffff)));
    __m128i quiet = _mm_and_si128(_mm_set1_epi32(0x00400000),
        _mm_cmpgt_epi32(rest, _mm_set1_epi32(0x0f800000)));
    return (mx_vf32)_mm_or_si128(_mm_or_si128(sign, finite),
        _mm_or_si128(special, quiet));
#else
    float x[MX_VBYTES / sizeof(float)];
    for (size_t i = 0; i < MX_VBYTES / sizeof(float); i++)
        x[i] = mx_ld_f16(s[i]);
    return load_f32(x);
#endif
}

MX_INLINE mx_vf32 load_bf16(const uint16_t *s)
{
#if defined(__AVX512F__)
    return (mx_vf32)_mm512_slli_epi32(_mm512_cvtepu16_epi32(
        _mm256_loadu_si256((const void *)s)), 16);
#elif defined(__AVX2__)
    return (mx_vf32)_mm256_slli_epi32(_mm256_cvtepu16_epi32(
        _mm_loadu_si128((const void *)s)), 16);
#elif defined(__SSE2__)
    return (mx_vf32)_mm_unpacklo_epi16(_mm_setzero_si128(),
        _mm_loadl_epi64((const void *)s));
#else
    float x[MX_VBYTES / sizeof(float)];
    for (size_t i = 0; i < MX_VBYTES / sizeof(float); i++)
        x[i] = mx_ld_bf16(s[i]);
    return load_f32(x);
#endif
}

#define P float
#define V mx_vf32
#define MADD mx_madd_f32
#define FOLD mx_fold_f32
#include "cpu/dtype/f32.h"
#include "cpu/isa/gemm_skinny_tmpl.h"
#include "cpu/dtype/end.h"
#include "cpu/dtype/f16.h"
#include "cpu/isa/gemm_skinny_tmpl.h"
#include "cpu/dtype/end.h"
#include "cpu/dtype/bf16.h"
#include "cpu/isa/gemm_skinny_tmpl.h"
#include "cpu/dtype/end.h"
#undef P
#undef V
#undef MADD
#undef FOLD

#define P double
#define V mx_vf64
#define MADD mx_madd_f64
#define FOLD mx_fold_f64
#include "cpu/dtype/f64.h"
#include "cpu/isa/gemm_skinny_tmpl.h"
#include "cpu/dtype/end.h"
#undef P
#undef V
#undef MADD
#undef FOLD

MX_KERNELS(gemm_skinny)
{
    fill_f32(k);
    fill_f16(k);
    fill_bf16(k);
    fill_f64(k);
}
