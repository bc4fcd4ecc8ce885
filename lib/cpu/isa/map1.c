/* SPDX-License-Identifier: MIT */
/* Unary kernels. */
#include "cpu/isa/complex.h"
#include "cpu/isa/half.h"
#include "cpu/isa/math64.h"

MX_INLINE float root_f32(float x) { return sqrtf(x); }
MX_INLINE double root_f64(double x) { return sqrt(x); }

/* Nearest integer by adding 1.5 * 2^23: vectorises at every level.  Above
   2^22 a float is kept, or is an integer already. */
MX_INLINE float nearest_f32(float x)
{
    float a = fabsf(x), t = (a + 0x1p23f) - 0x1p23f;
    return a < 0x1p23f ? copysignf(t, x) : x;
}

MX_INLINE double nearest_f64(double x)
{
    double a = fabs(x), t = (a + 0x1p52) - 0x1p52;
    return a < 0x1p52 ? copysign(t, x) : x;
}

MX_INLINE float down_f32(float x)
{
    float t = nearest_f32(x);
    t = t > x ? t - 1.0f : t;
    return x == 0.0f ? x : t;
}

MX_INLINE double down_f64(double x)
{
    double t = nearest_f64(x);
    t = t > x ? t - 1.0 : t;
    return x == 0.0 ? x : t;
}

#define MX_TMPL "cpu/isa/map1_float_tmpl.h"
#include "cpu/dtype/foreach_float.h"
#define MX_TMPL "cpu/isa/map1_half_tmpl.h"
#include "cpu/dtype/foreach_half.h"
#define MX_TMPL "cpu/isa/map1_int_tmpl.h"
#include "cpu/dtype/foreach_int.h"

static void same_bool(void *dst, const void *a, size_t n)
{
    memmove(dst, a, n);
}

static void logical_not_bool(void *dst, const void *a, size_t n)
{
    const uint8_t *x = a;
    uint8_t *d = dst;
    for (size_t i = 0; i < n; i++)
        d[i] = x[i] == 0;
}

MX_INLINE c64 c_conjugate(c64 z) { return mx_c(z.re, -z.im); }
MX_INLINE c64 c_negative(c64 z) { return mx_c(-z.re, -z.im); }
MX_INLINE c64 c_square(c64 z) { return mx_cmul(z, z); }
MX_INLINE c64 c_sign(c64 z)
{
    float r = mx_cabs(z);
    return r == 0 ? mx_c(0, 0) : mx_c(z.re / r, z.im / r);
}
MX_INLINE c64 c_sqrt(c64 z) { return mx_c64(csqrtf(mx_c99(z))); }
MX_INLINE c64 c_rsqrt(c64 z) { return mx_cdiv(mx_c(1, 0), c_sqrt(z)); }
MX_INLINE c64 c_reciprocal(c64 z) { return mx_cdiv(mx_c(1, 0), z); }
MX_INLINE c64 scaled_log(c64 z, double factor)
{
    c64 l = mx_clog(z);
    return mx_c((float)((double)l.re * factor),
        (float)((double)l.im * factor));
}
MX_INLINE c64 c_log2(c64 z) { return scaled_log(z, INV_LN2); }
MX_INLINE c64 c_log10(c64 z) { return scaled_log(z, 0.43429448190325182); }
MX_INLINE c64 c_rint(c64 z)
{
    return mx_c(nearest_f32(z.re), nearest_f32(z.im));
}

#define LIBM(sym, f) \
    MX_INLINE c64 c_##sym(c64 z) { return mx_c64(f(mx_c99(z))); }
LIBM(exp, cexpf)
LIBM(log, clogf)
LIBM(sin, csinf)
LIBM(cos, ccosf)
LIBM(tan, ctanf)
LIBM(arcsin, casinf)
LIBM(arccos, cacosf)
LIBM(arctan, catanf)
LIBM(sinh, csinhf)
LIBM(cosh, ccoshf)
LIBM(tanh, ctanhf)
LIBM(arcsinh, casinhf)
LIBM(arccosh, cacoshf)
LIBM(arctanh, catanhf)
#undef LIBM

MX_INLINE c64 c_log1p(c64 z) { return mx_clog1p(z); }

/* ID and name of the complex maps that give complex numbers. */
#define COMPLEX_MAPS(M) \
    M(NEGATIVE, negative) M(SIGN, sign) M(SQUARE, square) M(SQRT, sqrt) \
    M(RSQRT, rsqrt) M(RECIPROCAL, reciprocal) M(EXP, exp) M(LOG, log) \
    M(LOG2, log2) M(LOG10, log10) M(LOG1P, log1p) M(SIN, sin) M(COS, cos) \
    M(TAN, tan) M(ARCSIN, arcsin) M(ARCCOS, arccos) M(ARCTAN, arctan) \
    M(SINH, sinh) M(COSH, cosh) M(TANH, tanh) M(ARCSINH, arcsinh) \
    M(ARCCOSH, arccosh) M(ARCTANH, arctanh) M(RINT, rint) \
    M(CONJUGATE, conjugate)

#define DEFINE(ID, sym) \
    static void sym##_c64(void *dst, const void *a, size_t n) \
    { const c64 *x = a; c64 *d = dst; \
      for (size_t i = 0; i < n; i++) d[i] = c_##sym(x[i]); }
COMPLEX_MAPS(DEFINE)
#undef DEFINE

#define PART(sym, type, value) \
    static void sym##_c64(void *dst, const void *a, size_t n) \
    { const c64 *z = a; type *d = dst; \
      for (size_t i = 0; i < n; i++) d[i] = (type)(value); }
PART(abs, float, mx_cabs(z[i]))
PART(real, float, z[i].re)
PART(imag, float, z[i].im)
PART(isnan, uint8_t, mx_cnan(z[i]))
PART(isinf, uint8_t, fabsf(z[i].re) == INFINITY ||
    fabsf(z[i].im) == INFINITY)
PART(isposinf, uint8_t, z[i].re == INFINITY && z[i].im == 0)
PART(isneginf, uint8_t, z[i].re == -INFINITY && z[i].im == 0)
PART(isfinite, uint8_t, z[i].re - z[i].re == 0 && z[i].im - z[i].im == 0)
#undef PART

MX_KERNELS(map1)
{
#define FLOATS(ID, sym, out) \
    k->map1[MX_MAP1_##ID][MLXC_FLOAT32] = sym##_f32; \
    k->map1[MX_MAP1_##ID][MLXC_FLOAT64] = sym##_f64; \
    k->map1[MX_MAP1_##ID][MLXC_FLOAT16] = sym##_f16; \
    k->map1[MX_MAP1_##ID][MLXC_BFLOAT16] = sym##_bf16;
#define MAP1(ID, sym, rule, out, kinds) MX_WITH_F_##kinds(FLOATS(ID, sym, out))
#include "core/elementwise.def"
#define COMPLEX(ID, sym) k->map1[MX_MAP1_##ID][MLXC_COMPLEX64] = sym##_c64;
    COMPLEX_MAPS(COMPLEX)
    COMPLEX(ABS, abs)
    COMPLEX(REAL, real)
    COMPLEX(IMAG, imag)
    COMPLEX(ISNAN, isnan)
    COMPLEX(ISINF, isinf)
    COMPLEX(ISPOSINF, isposinf)
    COMPLEX(ISNEGINF, isneginf)
    COMPLEX(ISFINITE, isfinite)
    fill_u8(k);
    fill_u16(k);
    fill_u32(k);
    fill_u64(k);
    fill_i8(k);
    fill_i16(k);
    fill_i32(k);
    fill_i64(k);
    k->map1[MX_MAP1_ABS][MLXC_BOOL] = same_bool;
    k->map1[MX_MAP1_SIGN][MLXC_BOOL] = same_bool;
    k->map1[MX_MAP1_SQUARE][MLXC_BOOL] = same_bool;
    k->map1[MX_MAP1_LOGICAL_NOT][MLXC_BOOL] = logical_not_bool;
    k->map1[MX_MAP1_BITWISE_INVERT][MLXC_BOOL] = logical_not_bool;
}
