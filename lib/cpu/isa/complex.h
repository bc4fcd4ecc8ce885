/* SPDX-License-Identifier: MIT */
/* Functions of complex numbers: the C library's, carried in double where a
   float would overflow or cancel. */
#ifndef MX_CPU_COMPLEX_H
#define MX_CPU_COMPLEX_H

#include <complex.h>

#include "cpu/isa/isa.h"

typedef mlxc_complex64 c64;

MX_INLINE c64 mx_c(float re, float im)
{
    c64 z = { re, im };
    return z;
}

MX_INLINE float complex mx_c99(c64 z)
{
    float complex r;
    memcpy(&r, &z, sizeof r);
    return r;
}

MX_INLINE c64 mx_c64(float complex z)
{
    c64 r;
    memcpy(&r, &z, sizeof r);
    return r;
}

MX_INLINE c64 mx_cadd(c64 a, c64 b) { return mx_c(a.re + b.re, a.im + b.im); }
MX_INLINE c64 mx_csub(c64 a, c64 b) { return mx_c(a.re - b.re, a.im - b.im); }
/* Products of floats are exact in double: the compiler may fuse or not. */
MX_INLINE c64 mx_cmul(c64 a, c64 b)
{
    double x = (double)a.re, y = (double)a.im;
    double u = (double)b.re, v = (double)b.im;
    return mx_c((float)(x * u - y * v), (float)(x * v + y * u));
}

/* double neither overflows nor underflows in the squares of floats */
MX_INLINE c64 mx_cdiv(c64 a, c64 b)
{
    double c = (double)b.re, d = (double)b.im, n = c * c + d * d;
    return mx_c((float)(((double)a.re * c + (double)a.im * d) / n),
        (float)(((double)a.im * c - (double)a.re * d) / n));
}

MX_INLINE float mx_cabs(c64 z) { return hypotf(z.re, z.im); }
MX_INLINE int mx_cnan(c64 z) { return z.re != z.re || z.im != z.im; }

/* Real parts first, then imaginary parts. */
MX_INLINE int mx_cless(c64 a, c64 b)
{
    return a.re < b.re || (a.re == b.re && a.im < b.im);
}

MX_INLINE int mx_cequal(c64 a, c64 b)
{
    return a.re == b.re && a.im == b.im;
}

MX_INLINE c64 mx_clog(c64 z) { return mx_c64(clogf(mx_c99(z))); }
MX_INLINE c64 mx_cexp(c64 z) { return mx_c64(cexpf(mx_c99(z))); }

MX_INLINE c64 mx_clog1p(c64 z)
{
    double x = (double)z.re, y = (double)z.im;
    return mx_c((float)(0.5 * log1p(x * (2 + x) + y * y)),
        (float)atan2(y, 1 + x));
}

/* exp(b log a); 0 to a power with positive real part is 0 */
MX_INLINE c64 mx_cpow(c64 a, c64 b)
{
    if (a.re == 0 && a.im == 0) {
        if (b.re > 0)
            return mx_c(0, 0);
        if (b.re == 0 && b.im == 0)
            return mx_c(1, 0);
    }
    double complex l = clog((double)a.re + (double)a.im * I);
    double complex e = cexp(((double)b.re + (double)b.im * I) * l);
    return mx_c((float)creal(e), (float)cimag(e));
}

MX_INLINE c64 mx_clogaddexp(c64 a, c64 b)
{
    c64 big = mx_cless(a, b) ? b : a, small = mx_cless(a, b) ? a : b;
    if (mx_cnan(a) || mx_cnan(b))
        return mx_c(NAN, NAN);
    if (small.re == -INFINITY || big.re == INFINITY)
        return big;
    return mx_cadd(big, mx_clog1p(mx_cexp(mx_csub(small, big))));
}

#endif
