/* SPDX-License-Identifier: MIT */
/* Functions of one double: the C library's, and what it lacks. */
#ifndef MX_CPU_MATH64_H
#define MX_CPU_MATH64_H

#include "cpu/isa/math.h"

#define MX_LIBM(name, libm) \
    MX_INLINE double mx_d_##name(double x) { return libm(x); }
MX_LIBM(exp, exp)
MX_LIBM(expm1, expm1)
MX_LIBM(log, log)
MX_LIBM(log2, log2)
MX_LIBM(log10, log10)
MX_LIBM(log1p, log1p)
MX_LIBM(sin, sin)
MX_LIBM(cos, cos)
MX_LIBM(tan, tan)
MX_LIBM(sin_far, sin)
MX_LIBM(cos_far, cos)
MX_LIBM(tan_far, tan)
MX_LIBM(asin, asin)
MX_LIBM(acos, acos)
MX_LIBM(atan, atan)
MX_LIBM(sinh, sinh)
MX_LIBM(cosh, cosh)
MX_LIBM(tanh, tanh)
MX_LIBM(asinh, asinh)
MX_LIBM(acosh, acosh)
MX_LIBM(atanh, atanh)
MX_LIBM(erf, erf)
#undef MX_LIBM

MX_INLINE double mx_d_atan2(double y, double x)
{
    return atan2(y, x);
}

MX_INLINE double mx_d_pow(double x, double y)
{
    return pow(x, y);
}

MX_INLINE float mx_powf(float x, float y)
{
    return powf(x, y);
}

MX_INLINE double mx_d_sigmoid(double x)
{
    double e = exp(-fabs(x));
    return x < 0 ? e / (1 + e) : 1 / (1 + e);
}

MX_INLINE double mx_d_logaddexp(double a, double b)
{
    double big = a > b ? a : b, small = a > b ? b : a;
    if (a != a || b != b)
        return NAN;
    if (small == -INFINITY || big == INFINITY)
        return big;
    return big + log1p(exp(small - big));
}

/* Start from the float form and take Halley steps on erf (erfc near the
   ends, where 1 - |x| must not cancel): each triples the digits. */
MX_INLINE double mx_d_erfinv(double x)
{
    double a = fabs(x);
    if (!(a < 1))
        return a == 1 ? copysign(INFINITY, x) : NAN;
    double w = -log((1 - a) * (1 + a)), y;
    if (w < 16) {
        y = (double)mx_erfinvf((float)(a < 0.99999 ? a : 0.99999));
    } else {
        y = sqrt(w - log(sqrt(w) * 1.7724538509055160));
    }
    for (int i = 0; i < 4; i++) {
        double e = a < 0.5 ? erf(y) - a : (1 - a) - erfc(y);
        double step = e / (1.1283791670955126 * exp(-y * y));
        y -= step / (1 + y * step);
    }
    return copysign(y, x);
}

#endif
