/* SPDX-License-Identifier: MIT */
/* Vectors as wide as this level's registers, for kernels whose registers are
   planned by hand.  Arithmetic is the compilers' own on vector types; only
   what the language lacks (a fused multiply-add, conversions of halves) names
   instructions. */
#ifndef MX_CPU_SIMD_H
#define MX_CPU_SIMD_H

#include "cpu/isa/isa.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
#define MX_VBYTES 64
#elif defined(__AVX2__)
#define MX_VBYTES 32
#else
#define MX_VBYTES 16
#endif

/* Loops of constant length around register arrays must go. */
#ifdef __clang__
#define MX_UNROLL _Pragma("unroll")
#else
#define MX_UNROLL _Pragma("GCC unroll 16")
#endif

#define MX_VECTOR(name, type) \
    typedef type name __attribute__((vector_size(MX_VBYTES)));
MX_VECTOR(mx_vf32, float)
MX_VECTOR(mx_vf64, double)
MX_VECTOR(mx_vu16, uint16_t)
MX_VECTOR(mx_vu32, uint32_t)
MX_VECTOR(mx_vu64, uint64_t)
#undef MX_VECTOR

/* acc + a * b; rounded once where the level has the instruction. */
MX_INLINE mx_vf32 mx_madd_f32(mx_vf32 acc, mx_vf32 a, mx_vf32 b)
{
#if defined(__AVX512F__)
    return (mx_vf32)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)acc);
#elif defined(__FMA__)
    return (mx_vf32)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)acc);
#else
    return acc + a * b;
#endif
}

/* acc - a * b */
MX_INLINE mx_vf32 mx_msub_f32(mx_vf32 acc, mx_vf32 a, mx_vf32 b)
{
#if defined(__AVX512F__)
    return (mx_vf32)_mm512_fnmadd_ps((__m512)a, (__m512)b, (__m512)acc);
#elif defined(__FMA__)
    return (mx_vf32)_mm256_fnmadd_ps((__m256)a, (__m256)b, (__m256)acc);
#else
    return acc - a * b;
#endif
}

MX_INLINE mx_vf64 mx_madd_f64(mx_vf64 acc, mx_vf64 a, mx_vf64 b)
{
#if defined(__AVX512F__)
    return (mx_vf64)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)acc);
#elif defined(__FMA__)
    return (mx_vf64)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)acc);
#else
    return acc + a * b;
#endif
}

MX_INLINE mx_vu16 mx_madd_u16(mx_vu16 acc, mx_vu16 a, mx_vu16 b)
{
    return acc + a * b;
}

MX_INLINE mx_vu32 mx_madd_u32(mx_vu32 acc, mx_vu32 a, mx_vu32 b)
{
    return acc + a * b;
}

MX_INLINE mx_vu64 mx_madd_u64(mx_vu64 acc, mx_vu64 a, mx_vu64 b)
{
    return acc + a * b;
}

/* The same over truth values. */
MX_INLINE mx_vu16 mx_madd_bool(mx_vu16 acc, mx_vu16 a, mx_vu16 b)
{
    return acc | (a & b);
}

/* The sum of 64 bytes of numbers: each of the upper half to its fellow in the
   lower one, until one is left; so at every level. */
MX_INLINE float mx_fold_f32(const mx_vf32 *v)
{
#if defined(__SSE2__)
#if defined(__AVX2__)
#if defined(__AVX512F__)
    __m256 y = _mm256_add_ps(_mm512_castps512_ps256((__m512)v[0]),
        _mm512_extractf32x8_ps((__m512)v[0], 1));
#else
    __m256 y = (__m256)(v[0] + v[1]);
#endif
    __m128 x = _mm_add_ps(_mm256_castps256_ps128(y),
        _mm256_extractf128_ps(y, 1));
#else
    __m128 x = (__m128)((v[0] + v[2]) + (v[1] + v[3]));
#endif
    x = _mm_add_ps(x, _mm_movehl_ps(x, x));
    return _mm_cvtss_f32(_mm_add_ss(x, _mm_shuffle_ps(x, x, 1)));
#else
    float x[16];
    memcpy(x, v, sizeof x);
    for (int w = 8; w > 0; w /= 2)
        for (int i = 0; i < w; i++)
            x[i] += x[i + w];
    return x[0];
#endif
}

MX_INLINE double mx_fold_f64(const mx_vf64 *v)
{
#if defined(__SSE2__)
#if defined(__AVX2__)
#if defined(__AVX512F__)
    __m256d y = _mm256_add_pd(_mm512_castpd512_pd256((__m512d)v[0]),
        _mm512_extractf64x4_pd((__m512d)v[0], 1));
#else
    __m256d y = (__m256d)(v[0] + v[1]);
#endif
    __m128d x = _mm_add_pd(_mm256_castpd256_pd128(y),
        _mm256_extractf128_pd(y, 1));
#else
    __m128d x = (__m128d)((v[0] + v[2]) + (v[1] + v[3]));
#endif
    return _mm_cvtsd_f64(_mm_add_sd(x, _mm_unpackhi_pd(x, x)));
#else
    double x[8];
    memcpy(x, v, sizeof x);
    for (int w = 4; w > 0; w /= 2)
        for (int i = 0; i < w; i++)
            x[i] += x[i + w];
    return x[0];
#endif
}

/* Four rows of 32-bit words to columns: dst[j * ldd + i] = src[i * lds + j]
   for i < 4 and j < n, but only for j below the result. */
MX_INLINE size_t mx_turn_words(void *to, ptrdiff_t ldd, const void *from,
    ptrdiff_t lds, size_t n)
{
    size_t j = 0;
    uint32_t *dst = to;
    const uint32_t *src = from;
#ifdef __SSE2__
    for (; j + 4 <= n; j += 4) {
        __m128i r0 = _mm_loadu_si128((const void *)(src + j));
        __m128i r1 = _mm_loadu_si128((const void *)(src + lds + j));
        __m128i r2 = _mm_loadu_si128((const void *)(src + 2 * lds + j));
        __m128i r3 = _mm_loadu_si128((const void *)(src + 3 * lds + j));
        __m128i a = _mm_unpacklo_epi32(r0, r1);
        __m128i b = _mm_unpacklo_epi32(r2, r3);
        __m128i c = _mm_unpackhi_epi32(r0, r1);
        __m128i d = _mm_unpackhi_epi32(r2, r3);
        uint32_t *at = dst + (ptrdiff_t)j * ldd;
        _mm_storeu_si128((void *)at, _mm_unpacklo_epi64(a, b));
        _mm_storeu_si128((void *)(at + ldd), _mm_unpackhi_epi64(a, b));
        _mm_storeu_si128((void *)(at + 2 * ldd), _mm_unpacklo_epi64(c, d));
        _mm_storeu_si128((void *)(at + 3 * ldd), _mm_unpackhi_epi64(c, d));
    }
#else
    (void)dst;
    (void)ldd;
    (void)src;
    (void)lds;
    (void)n;
#endif
    return j;
}

/* The same for 64-bit words. */
MX_INLINE size_t mx_turn_doubles(void *to, ptrdiff_t ldd, const void *from,
    ptrdiff_t lds, size_t n)
{
    size_t j = 0;
    double *dst = to;
    const double *src = from;
#ifdef __SSE2__
    for (; j + 2 <= n; j += 2)
        for (ptrdiff_t i = 0; i < 4; i += 2) {
            const double *at = src + i * lds + (ptrdiff_t)j;
            __m128d r0 = _mm_loadu_pd(at), r1 = _mm_loadu_pd(at + lds);
            double *d = dst + (ptrdiff_t)j * ldd + i;
            _mm_storeu_pd(d, _mm_unpacklo_pd(r0, r1));
            _mm_storeu_pd(d + ldd, _mm_unpackhi_pd(r0, r1));
        }
#else
    (void)dst;
    (void)ldd;
    (void)src;
    (void)lds;
    (void)n;
#endif
    return j;
}

#endif
