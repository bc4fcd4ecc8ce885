/* SPDX-License-Identifier: MIT */
/* Rows of floats into a fixed number of lanes: element i goes to lane i modulo
   their number, whatever the width of the registers, so all levels agree.
   The lanes stay in registers and memory is read in order, which is what the
   prefetchers want; loops that a compiler vectorises do the one or the other.
   A row may come in parts, of which all but the last are multiples of the
   number of lanes. */
#ifndef MX_CPU_LANES_H
#define MX_CPU_LANES_H

#include "cpu/isa/simd.h"

#define MX_SUM_LANES 32
#define MX_TOP_LANES 64

/* Doubles come in 32 bytes at most: conversions to wider registers take twice
   as long as two to these. */
#ifdef __AVX2__
typedef double mx_lanes_f64 __attribute__((vector_size(32)));
#else
typedef double mx_lanes_f64 __attribute__((vector_size(16)));
#endif

#define DOUBLES (sizeof(mx_lanes_f64) / sizeof(double))
#define FLOATS (MX_VBYTES / sizeof(float))

MX_INLINE mx_lanes_f64 mx_load_widened(const float *a)
{
#ifdef __AVX2__
    return (mx_lanes_f64)_mm256_cvtps_pd(_mm_loadu_ps(a));
#else
    return (mx_lanes_f64){ (double)a[0], (double)a[1] };
#endif
}

/* acc + x, the same bits, by the unit that multiplies: the one that adds has
   the conversions to do. */
MX_INLINE mx_lanes_f64 mx_plus_f64(mx_lanes_f64 acc, mx_lanes_f64 x)
{
#ifdef __FMA__
    return (mx_lanes_f64)_mm256_fmadd_pd((__m256d)x, _mm256_set1_pd(1.0),
        (__m256d)acc);
#else
    return acc + x;
#endif
}

/* The sum of the lanes of a whole row. */
MX_INLINE double mx_sum_fold(double *lane)
{
    for (size_t w = MX_SUM_LANES / 2; w; w /= 2) {
        for (size_t j = 0; j < w; j++)
            lane[j] += lane[j + w];
    }
    return lane[0];
}

/* lane += elements */
MX_INLINE void mx_sum_lanes(double *lane, const float *a, size_t n)
{
    enum { REGS = MX_SUM_LANES / DOUBLES };
    mx_lanes_f64 sum[REGS];
    size_t i = 0;
    memcpy(sum, lane, sizeof sum);
    for (; i + MX_SUM_LANES <= n; i += MX_SUM_LANES) {
        MX_UNROLL for (size_t r = 0; r < REGS; r++)
            sum[r] = mx_plus_f64(sum[r],
                mx_load_widened(a + i + r * DOUBLES));
    }
    memcpy(lane, sum, sizeof sum);
    for (size_t j = 0; i + j < n; j++)
        lane[j] += (double)a[i + j];
}

/* The same for x - k and its square. */
MX_INLINE void mx_moment_lanes(double *lane, double *squared, const float *a,
    size_t n, double k)
{
    enum { REGS = MX_SUM_LANES / DOUBLES };
    mx_lanes_f64 sum[REGS], square[REGS], minus = (mx_lanes_f64){ 0 } - k;
    size_t i = 0;
    memcpy(sum, lane, sizeof sum);
    memcpy(square, squared, sizeof square);
    for (; i + MX_SUM_LANES <= n; i += MX_SUM_LANES) {
        MX_UNROLL for (size_t r = 0; r < REGS; r++) {
            mx_lanes_f64 x = mx_plus_f64(minus,
                mx_load_widened(a + i + r * DOUBLES));
            sum[r] = mx_plus_f64(sum[r], x);
            square[r] += x * x;
        }
    }
    memcpy(lane, sum, sizeof sum);
    memcpy(squared, square, sizeof square);
    for (size_t j = 0; i + j < n; j++) {
        double x = (double)a[i + j] - k;
        lane[j] += x;
        squared[j] += x * x;
    }
}

/* y where it beats x.  With NaN: x. */
MX_INLINE float mx_top_f32(float x, float y, int max)
{
    return (max ? y > x : y < x) ? y : x;
}

MX_INLINE mx_vf32 mx_vtop_f32(mx_vf32 x, mx_vf32 y, int max)
{
#if defined(__AVX512F__)
    return (mx_vf32)(max ? _mm512_max_ps((__m512)y, (__m512)x)
                         : _mm512_min_ps((__m512)y, (__m512)x));
#elif defined(__AVX2__)
    return (mx_vf32)(max ? _mm256_max_ps((__m256)y, (__m256)x)
                         : _mm256_min_ps((__m256)y, (__m256)x));
#elif defined(__SSE2__)
    return (mx_vf32)(max ? _mm_max_ps((__m128)y, (__m128)x)
                         : _mm_min_ps((__m128)y, (__m128)x));
#else
    mx_vu32 take = (mx_vu32)(max ? y > x : y < x);
    return (mx_vf32)((take & (mx_vu32)y) | (~take & (mx_vu32)x));
#endif
}

/* Not 0 if there is a NaN. */
MX_INLINE unsigned mx_nan_f32(mx_vf32 x, mx_vf32 y)
{
#if defined(__AVX512F__)
    return _mm512_cmp_ps_mask((__m512)x, (__m512)y, _CMP_UNORD_Q);
#elif defined(__AVX2__)
    return (unsigned)_mm256_movemask_ps(
        _mm256_cmp_ps((__m256)x, (__m256)y, _CMP_UNORD_Q));
#elif defined(__SSE2__)
    return (unsigned)_mm_movemask_ps(
        _mm_cmpunord_ps((__m128)x, (__m128)y));
#else
    unsigned any = 0;
    for (size_t i = 0; i < FLOATS; i++)
        any |= (x[i] != x[i]) | (y[i] != y[i]);
    return any;
#endif
}

/* lane = the largest (smallest) of it and its elements, but for NaN.  Not 0 if
   there is one among the elements. */
MX_INLINE unsigned mx_top_lanes(float *lane, const float *a, size_t n,
    int max)
{
    enum { REGS = MX_TOP_LANES / FLOATS };
    mx_vf32 top[REGS];
    unsigned nan = 0;
    size_t i = 0;
    memcpy(top, lane, sizeof top);
    for (; i + MX_TOP_LANES <= n; i += MX_TOP_LANES) {
        MX_UNROLL for (size_t r = 0; r < REGS; r += 2) {
            mx_vf32 x, y;
            memcpy(&x, a + i + r * FLOATS, sizeof x);
            memcpy(&y, a + i + (r + 1) * FLOATS, sizeof y);
            nan |= mx_nan_f32(x, y);
            top[r] = mx_vtop_f32(top[r], x, max);
            top[r + 1] = mx_vtop_f32(top[r + 1], y, max);
        }
    }
    memcpy(lane, top, sizeof top);
    for (size_t j = 0; i + j < n; j++) {
        nan |= a[i + j] != a[i + j];
        lane[j] = mx_top_f32(lane[j], a[i + j], max);
    }
    return nan;
}

#undef DOUBLES
#undef FLOATS

#endif
