/* SPDX-License-Identifier: MIT */
/* Functions of one float, written without branches so that loops over them
   vectorise at every level.  Fused multiply-adds are explicit, hence the same
   bits at all levels.  Where a float computation would lose more than the
   bound, double carries it.  Polynomials are least-squares fits with
   Chebyshev nodes, reweighted towards minimax, made for these intervals.
   Bounds in ulp of the float result, found over all floats
   (tests/kernels/test_kernels.c): every function at most 2. */
#ifndef MX_CPU_MATH_H
#define MX_CPU_MATH_H

#include "cpu/isa/isa.h"

#define LN2 0.69314718055994531
#define INV_LN2 1.4426950408889634

/* ---- helpers in double, good to some 1e-12 relative ---- */

/* 2^n for -1022 <= n <= 1023 */
MX_INLINE double mx_exp2i(int64_t n)
{
    return mx_double((uint64_t)(n + 1023) << 52);
}

/* exp(x), |x| < 700; the shift trick rounds to nearest without SSE4.1 */
MX_INLINE double mx_dexp(double x)
{
    const double magic = 0x1.8p52;
    double t = x * INV_LN2 + magic;
    double n = t - magic;
    double r = fma(n, -0x1.62e42fefa39efp-1, x);
    r = fma(n, -0x1.abc9e3b39803fp-56, r);
    /* Taylor to r^11: error below 1e-15 for |r| <= ln2 / 2 */
    double p = 1.0 / 39916800;
    p = fma(p, r, 1.0 / 3628800);
    p = fma(p, r, 1.0 / 362880);
    p = fma(p, r, 1.0 / 40320);
    p = fma(p, r, 1.0 / 5040);
    p = fma(p, r, 1.0 / 720);
    p = fma(p, r, 1.0 / 120);
    p = fma(p, r, 1.0 / 24);
    p = fma(p, r, 1.0 / 6);
    p = fma(p, r, 0.5);
    p = fma(p, r, 1.0);
    p = fma(p, r, 1.0);
    uint64_t shift = (mx_bits64(t) - mx_bits64(magic)) << 52;
    return mx_double(mx_bits64(p) + shift);
}

/* log(x) for normal positive x: x = 2^e m, log m = 2 atanh(f / (2 + f)) */
MX_INLINE double mx_dlog(double x)
{
    uint64_t u = mx_bits64(x);
    uint64_t top = u - 0x3fe6a09e667f3bcdu; /* from sqrt(1/2) on */
    /* the exponent as a double without a 64-bit conversion */
    double e = mx_double((top >> 52) | 0x4330000000000000u) -
        0x1p52;
    e = e > 1023.0 ? e - 4096.0 : e;
    double m = mx_double(u - (top & 0xfff0000000000000u));
    double f = m - 1.0, s = f / (2.0 + f), z = s * s;
    double p = 2.0 / 19;
    p = fma(p, z, 2.0 / 17);
    p = fma(p, z, 2.0 / 15);
    p = fma(p, z, 2.0 / 13);
    p = fma(p, z, 2.0 / 11);
    p = fma(p, z, 2.0 / 9);
    p = fma(p, z, 2.0 / 7);
    p = fma(p, z, 2.0 / 5);
    p = fma(p, z, 2.0 / 3);
    p = fma(p * z, s, 2.0 * s);
    return fma(e, LN2, p);
}

/* log(1 + x), x > -1 */
MX_INLINE double mx_dlog1p(double x)
{
    double series = x * fma(x, fma(x, 1.0 / 3, -0.5), 1.0);
    double full = mx_dlog(1.0 + x);
    return fabs(x) < 1e-4 ? series : full;
}

/* exp(x) - 1, |x| < 700 */
MX_INLINE double mx_dexpm1(double x)
{
    double series = x * fma(x, fma(x, 1.0 / 6, 0.5), 1.0);
    double full = mx_dexp(x) - 1.0;
    return fabs(x) < 1e-4 ? series : full;
}

/* atan(x), any x; fit on [0, 1], error 8e-12 */
MX_INLINE double mx_datan(double x)
{
    double a = fabs(x), y = a > 1.0 ? 1.0 / a : a, z = y * y;
    double p = 0.00044138622390432438;
    p = fma(p, z, -0.0033288170469685241);
    p = fma(p, z, 0.011779074244853386);
    p = fma(p, z, -0.026538115595930833);
    p = fma(p, z, 0.044157761392419406);
    p = fma(p, z, -0.060546478621611735);
    p = fma(p, z, 0.07509014437905201);
    p = fma(p, z, -0.090530184155219018);
    p = fma(p, z, 0.11105986892994676);
    p = fma(p, z, -0.14285296791395058);
    p = fma(p, z, 0.19999982191379445);
    p = fma(p, z, -0.33333333033610762);
    p = fma(p, z, 0.99999999999162947);
    p *= y;
    p = a > 1.0 ? 1.5707963267948966 - p : p;
    return copysign(p, x);
}

/* x - n pi / 2 in two parts of pi / 2; n as a float bit pattern's low bits.
   Good for |x| < 2^22: see MX_TRIG_LIMIT. */
#define MX_TRIG_LIMIT 4194304.0f

MX_INLINE double mx_reduce(float x, uint32_t *quadrant)
{
    const double magic = 0x1.8p52;
    double t = fma((double)x, 0.63661977236758134, magic);
    double n = t - magic;
    double r = fma(n, -0x1.921fb54442d18p+0, (double)x);
    *quadrant = (uint32_t)mx_bits64(t);
    return fma(n, -0x1.1a62633145c07p-54, r);
}

/* ---- exp family ---- */

/* 1.02 ulp; subnormal results too: 2^n is applied in two halves, both made
   from the low bits of t, in which n stands.  NaN goes through. */
MX_INLINE float mx_expf(float x)
{
    const float magic = 0x1.8p23f; /* whose low 9 bits, halved, are 0 */
    float c = x > 89.0f ? 89.0f : x;
    c = c < -104.0f ? -104.0f : c;
    float t = c * 1.44269504f + magic;
    float n = t - magic;
    float r = fmaf(n, -0x1.62e400p-1f, c);
    r = fmaf(n, -0x1.7f7d1cp-20f, r);
    float p = 0.0013942161090780278f;
    p = fmaf(p, r, 0.0083637761442815536f);
    p = fmaf(p, r, 0.041666363453219238f);
    p = fmaf(p, r, 0.1666657336104376f);
    p = fmaf(p, r, 0.5000000028584991f);
    p = fmaf(p * r, r, r);
    uint32_t bits = mx_bits(t), half = bits >> 1;
    float s1 = mx_float((half << 23) + 0x3f800000u);
    float s2 = mx_float(((bits - half) << 23) + 0x3f800000u);
    return fmaf(p, s1, s1) * s2;
}

MX_INLINE float mx_expm1f(float x)
{
    double c = x > 89.0f ? 89.0 : x < -104.0f ? -104.0 : (double)x;
    float y = (float)mx_dexpm1(c);
    y = x == 0.0f ? x : y;
    return x != x ? x : y;
}

/* e = exp(-|x|) gives both branches from one quotient q = 1 / (1 + e); the
   residual puts right what the sum and the quotient lost; 1.5 ulp */
MX_INLINE float mx_sigmoidf(float x)
{
    float e = mx_expf(-fabsf(x));
    float sum = 1.0f + e, lost = e - (sum - 1.0f);
    float q = 1.0f / sum, over = x < 0.0f ? e : 1.0f;
    float residual = fmaf(-q, sum, 1.0f) - q * lost;
    return fmaf(over, q, over * q * residual);
}

/* |x| < 0.625: odd polynomial; else 1 - 2 / (exp(2 |x|) + 1) */
MX_INLINE float mx_tanhf(float x)
{
    float a = fabsf(x), z = x * x;
    float p = -0.0060588595437130293f;
    p = fmaf(p, z, 0.020972665125928214f);
    p = fmaf(p, z, -0.053846195738100282f);
    p = fmaf(p, z, 0.13332743143020179f);
    p = fmaf(p, z, -0.3333332874873608f);
    float small = fmaf(p * z, x, x);
    float large = 1.0f - 2.0f / (mx_expf(2.0f * a) + 1.0f);
    /* also -0, which the polynomial would make 0 */
    return copysignf(a < 0.625f ? small : large, x);
}

MX_INLINE float mx_sinhf(float x)
{
    double a = fabs((double)x), c = a > 100.0 ? 100.0 : a;
    double e = mx_dexp(c), z = c * c;
    double series = c * fma(z, fma(z, fma(z, 1.0 / 5040, 1.0 / 120),
        1.0 / 6), 1.0);
    double y = c < 0.1 ? series : 0.5 * (e - 1.0 / e);
    float r = copysignf((float)y, x);
    return x != x ? x : r;
}

MX_INLINE float mx_coshf(float x)
{
    double a = fabs((double)x), e = mx_dexp(a > 100.0 ? 100.0 : a);
    float r = (float)(0.5 * (e + 1.0 / e));
    return x != x ? x : r;
}

/* ---- logarithms ---- */

/* 1 ulp; s = f / (2 + f), log(1 + f) = f - f^2/2 + s (f^2/2 + R(s^2)), with
   the coefficients for float of Sun's fdlibm */
MX_INLINE float mx_logf(float x)
{
    float scaled = x < 0x1p-126f ? x * 0x1p25f : x;
    float bias = x < 0x1p-126f ? 25.0f : 0.0f;
    uint32_t u = mx_bits(scaled) + (0x3f800000u - 0x3f3504f3u);
    float e = (float)((int32_t)(u >> 23) - 127) - bias;
    float m = mx_float((u & 0x007fffffu) + 0x3f3504f3u);
    float f = m - 1.0f, s = f / (2.0f + f), z = s * s, w = z * z;
    float t1 = w * fmaf(w, 0.24279078841f, 0.40000972152f);
    float t2 = z * fmaf(w, 0.28498786688f, 0.66666662693f);
    float h = 0.5f * f * f, r = t1 + t2;
    float y = s * (h + r) + e * 9.0580006145e-06f;
    y = e * 6.9313812256e-01f - ((h - y) - f);
    y = x == INFINITY ? INFINITY : y;
    y = x == 0.0f ? -INFINITY : y;
    return x < 0.0f || x != x ? NAN : y;
}

/* What all logarithms do at the edge of their domain. */
MX_INLINE float mx_log_edge(float x, double y)
{
    float r = x == INFINITY ? INFINITY : (float)y;
    r = x == 0.0f ? -INFINITY : r;
    return x < 0.0f || x != x ? NAN : r;
}

MX_INLINE float mx_log2f(float x)
{
    return mx_log_edge(x, mx_dlog((double)x) * INV_LN2);
}

MX_INLINE float mx_log10f(float x)
{
    return mx_log_edge(x, mx_dlog((double)x) * 0.43429448190325182);
}

/* correctly rounded but for some 1e-5 of cases */
MX_INLINE float mx_log_roundedf(float x)
{
    return mx_log_edge(x, mx_dlog((double)x));
}

MX_INLINE float mx_log1pf(float x)
{
    float y = (float)mx_dlog1p((double)x);
    y = x == INFINITY ? INFINITY : y;
    y = x == -1.0f ? -INFINITY : y;
    y = x < -1.0f || x != x ? NAN : y;
    return x == 0.0f ? x : y;
}

/* ---- circular functions: sin and cos for |x| < MX_TRIG_NEAR, the _far forms
   for |x| < MX_TRIG_LIMIT; the kernel chooses by element ---- */

MX_INLINE float mx_sin_quadrant(float r, uint32_t q)
{
    float z = r * r;
    float s = -0.00019582954181238132f;
    s = fmaf(s, z, 0.0083327253922138231f);
    s = fmaf(s, z, -0.16666664545538612f);
    s = fmaf(s * z, r, r);
    float c = 2.4556923349935411e-05f;
    c = fmaf(c, z, -0.0013888394789372388f);
    c = fmaf(c, z, 0.041666666525340283f);
    c = fmaf(c * z, z, fmaf(z, -0.5f, 1.0f));
    float y = q & 1 ? c : s;
    return mx_float(mx_bits(y) ^ (q & 2) << 30);
}

/* The same for |x| < MX_TRIG_NEAR in float alone.  The first product leaves a
   multiple of 2^-24 below 1 in absolute value, so it is exact; 1.6 ulp. */
#define MX_TRIG_NEAR 131072.0f

MX_INLINE float mx_reduce_near(float x, uint32_t *quadrant)
{
    const float magic = 0x1.8p23f;
    float t = fmaf(x, 0.636619747f, magic);
    float n = t - magic;
    float r = fmaf(n, -0x1.921fb6p+0f, x);
    r = fmaf(n, 0x1.777a5cp-25f, r);
    *quadrant = mx_bits(t);
    return fmaf(n, 0x1.ee59dap-50f, r);
}

MX_INLINE float mx_sinf(float x)
{
    uint32_t q;
    float r = mx_reduce_near(x, &q);
    return x == 0.0f ? x : mx_sin_quadrant(r, q);
}

MX_INLINE float mx_cosf(float x)
{
    uint32_t q;
    float r = mx_reduce_near(x, &q);
    return mx_sin_quadrant(r, q + 1);
}

MX_INLINE float mx_sin_farf(float x)
{
    uint32_t q;
    float r = (float)mx_reduce(x, &q);
    return mx_sin_quadrant(r, q);
}

MX_INLINE float mx_cos_farf(float x)
{
    uint32_t q;
    float r = (float)mx_reduce(x, &q);
    return mx_sin_quadrant(r, q + 1);
}

MX_INLINE float mx_tanf(float x)
{
    uint32_t q;
    double r = mx_reduce(x, &q), z = r * r;
    double s = 2.7253967977472841e-06;
    s = fma(s, z, -0.00019840149649689624);
    s = fma(s, z, 0.0083333321260274026);
    s = fma(s, z, -0.1666666666616671);
    s = fma(s * z, r, r);
    double c = 1.0 / 40320;
    c = fma(c, z, -1.0 / 720);
    c = fma(c, z, 1.0 / 24);
    c = fma(c * z, z, fma(z, -0.5, 1.0));
    double y = q & 1 ? -c / s : s / c;
    return x == 0.0f ? x : (float)y;
}

MX_INLINE float mx_tan_farf(float x)
{
    return mx_tanf(x);
}

MX_INLINE float mx_atanf(float x)
{
    float y = (float)mx_datan((double)x);
    return x == 0.0f ? x : y;
}

MX_INLINE float mx_asinf(float x)
{
    double d = (double)x;
    float y = (float)mx_datan(d / sqrt((1.0 - d) * (1.0 + d)));
    return x == 0.0f ? x : y;
}

MX_INLINE float mx_acosf(float x)
{
    double d = (double)x;
    return (float)(2.0 * mx_datan(sqrt((1.0 - d) / (1.0 + d))));
}

/* the angle in the first octant, unfolded; signed zeros as IEEE wants */
MX_INLINE float mx_atan2f(float y, float x)
{
    double a = fabs((double)x), b = fabs((double)y);
    double big = a > b ? a : b, small = a > b ? b : a;
    double q = big == 0.0 ? 0.0 : small / big;
    q = big == (double)INFINITY
        ? (small == (double)INFINITY ? 1.0 : 0.0) : q;
    double r = mx_datan(q);
    r = b > a ? 1.5707963267948966 - r : r;
    r = signbit(x) ? 3.1415926535897931 - r : r;
    float out = copysignf((float)r, y);
    return x != x || y != y ? NAN : out;
}

MX_INLINE float mx_asinhf(float x)
{
    double a = fabs((double)x);
    double y = mx_dlog1p(a + a * a / (1.0 + sqrt(a * a + 1.0)));
    float r = copysignf((float)y, x);
    r = a == (double)INFINITY ? x : r;
    return x != x || x == 0.0f ? x : r;
}

MX_INLINE float mx_acoshf(float x)
{
    double t = (double)x - 1.0;
    float y = (float)mx_dlog1p(t + sqrt(t * (t + 2.0)));
    y = x == INFINITY ? x : y;
    return x >= 1.0f ? y : NAN;
}

MX_INLINE float mx_atanhf(float x)
{
    double a = fabs((double)x);
    double y = 0.5 * mx_dlog1p(2.0 * a / (1.0 - a));
    float r = copysignf((float)y, x);
    r = a == 1.0 ? copysignf(INFINITY, x) : r;
    r = a > 1.0 || x != x ? NAN : r;
    return x == 0.0f ? x : r;
}

/* ---- error function ---- */

/* |x| < 1: x P(x^2); 1 to 4: 1 - exp(-Q(x)), Q a fit of -log erfc; 1 beyond */
MX_INLINE float mx_erff(float x)
{
    float a = fabsf(x), z = x * x, b = a > 4.0f ? 4.0f : a;
    float p = -9.6801361482157233e-06f;
    p = fmaf(p, z, 0.00011270544403832634f);
    p = fmaf(p, z, -0.00084847114374494341f);
    p = fmaf(p, z, 0.0052210748773285146f);
    p = fmaf(p, z, -0.026865445821151825f);
    p = fmaf(p, z, 0.1128378274719696f);
    p = fmaf(p, z, -0.37612638483808797f);
    /* 2 / sqrt(pi) in two parts */
    p = fmaf(p, z, -5.86677e-8f);
    float small = fmaf(p, x, x * 1.12837917f);
    small = fabsf(x) < 1e-30f ? x * 1.12837917f : small;
    float q = -7.8390856139514527e-07f;
    q = fmaf(q, b, 1.2443132382012347e-05f);
    q = fmaf(q, b, -6.4275023762110772e-05f);
    q = fmaf(q, b, -0.00010202236323798722f);
    q = fmaf(q, b, 0.0033609236483821605f);
    q = fmaf(q, b, -0.023837577374244637f);
    q = fmaf(q, b, 0.10696264207533199f);
    q = fmaf(q, b, 0.63419534899592478f);
    q = fmaf(q, b, 1.1292041555191232f);
    q = fmaf(q, b, -0.00012534479499276161f);
    float large = copysignf(1.0f - mx_expf(-q), x);
    float y = a < 1.0f ? small : large;
    return x != x ? x : y;
}

/* Giles' single-precision form: two polynomials in log(1 - x^2), evaluated in
   fused steps as the reference does, so that normal samples agree. */
MX_INLINE float mx_erfinvf(float x)
{
    float t = mx_log_roundedf(fmaf(x, -x, 1.0f));
    float p = 3.03697567e-10f;
    p = fmaf(p, t, 2.93243101e-8f);
    p = fmaf(p, t, 1.22150334e-6f);
    p = fmaf(p, t, 2.84108955e-5f);
    p = fmaf(p, t, 3.93552968e-4f);
    p = fmaf(p, t, 3.02698812e-3f);
    p = fmaf(p, t, 4.83185798e-3f);
    p = fmaf(p, t, -2.64646143e-1f);
    p = fmaf(p, t, 8.40016484e-1f);
    float q = 5.43877832e-9f;
    q = fmaf(q, t, 1.43285448e-7f);
    q = fmaf(q, t, 1.22774793e-6f);
    q = fmaf(q, t, 1.12963626e-7f);
    q = fmaf(q, t, -5.61530760e-5f);
    q = fmaf(q, t, -1.47697632e-4f);
    q = fmaf(q, t, 2.31468678e-3f);
    q = fmaf(q, t, 1.15392581e-2f);
    q = fmaf(q, t, -2.32015476e-1f);
    q = fmaf(q, t, 8.86226892e-1f);
    float y = x * (fabsf(t) > 6.125f ? p : q);
    y = fabsf(x) == 1.0f ? copysignf(INFINITY, x) : y;
    return fabsf(x) > 1.0f ? NAN : y;
}

/* log(exp(a) + exp(b)) */
MX_INLINE float mx_logaddexpf(float a, float b)
{
    float big = a > b ? a : b, small = a > b ? b : a;
    float y = big + mx_log1pf(mx_expf(small - big));
    y = small == -INFINITY || big == INFINITY ? big : y;
    return a != a || b != b ? NAN : y;
}

#endif
