/* SPDX-License-Identifier: MIT */
/* Binary kernels and select. */
#include "cpu/isa/complex.h"
#include "cpu/isa/half.h"
#include "cpu/isa/math64.h"

MX_INLINE double mod_f32(float a, float b)
{
    return (double)fmodf(a, b);
}
MX_INLINE double mod_f64(double a, double b) { return fmod(a, b); }
MX_INLINE float sign_of_f32(float r, float b)
{
    return r != r ? r : copysignf(r, b);
}
MX_INLINE double sign_of_f64(double r, double b)
{
    return r != r ? r : copysign(r, b);
}
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

#define MX_TMPL "cpu/isa/map2_float_tmpl.h"
#include "cpu/dtype/foreach_float.h"
#define MX_TMPL "cpu/isa/compare_tmpl.h"
#include "cpu/dtype/foreach_float.h"
#define MX_TMPL "cpu/isa/map2_half_tmpl.h"
#include "cpu/dtype/foreach_half.h"
#define MX_TMPL "cpu/isa/map2_int_tmpl.h"
#include "cpu/dtype/foreach_int.h"
#define MX_TMPL "cpu/isa/compare_tmpl.h"
#include "cpu/dtype/foreach_int.h"

/* Bool: any non-zero byte is true. */
#define BOOL(sym, condition) \
    static void sym##_bool(void *dst, const void *a, const void *b, \
        size_t n) \
    { const uint8_t *p = a, *q = b; uint8_t *d = dst; \
      for (size_t i = 0; i < n; i++) \
      { int x = p[i] != 0, y = q[i] != 0; d[i] = (uint8_t)(condition); } }
BOOL(and, x & y)
BOOL(or, x | y)
BOOL(xor, x ^ y)
BOOL(equal, x == y)
BOOL(greater, x > y)
BOOL(greater_equal, x >= y)
BOOL(less, x < y)
BOOL(less_equal, x <= y)
BOOL(zero, x & y & 0)
#undef BOOL

static void fill_bool(struct mx_cpu_kernels *k)
{
#define SET(ID, sym) k->map2[MX_MAP2_##ID][MLXC_BOOL] = sym##_bool;
    SET(ADD, or) SET(SUBTRACT, xor) SET(MULTIPLY, and)
    SET(MULTIPLY_NO_NAN, and)
    SET(FLOOR_DIVIDE, and) SET(REMAINDER, zero)
    SET(POWER, greater_equal) /* 0 ^ 1 alone is 0 */
    SET(MAXIMUM, or) SET(MINIMUM, and)
    SET(EQUAL, equal) SET(NOT_EQUAL, xor) SET(EQUAL_NAN, equal)
    SET(GREATER, greater) SET(GREATER_EQUAL, greater_equal)
    SET(LESS, less) SET(LESS_EQUAL, less_equal)
    SET(LOGICAL_AND, and) SET(LOGICAL_OR, or) SET(LOGICAL_XOR, xor)
    SET(BITWISE_AND, and) SET(BITWISE_OR, or) SET(BITWISE_XOR, xor)
#undef SET
}

MX_INLINE c64 c_maximum(c64 a, c64 b)
{
    return mx_cnan(a) ? a : mx_cnan(b) || mx_cless(a, b) ? b : a;
}
MX_INLINE c64 c_minimum(c64 a, c64 b)
{
    return mx_cnan(a) ? a : mx_cnan(b) || mx_cless(b, a) ? b : a;
}

#define COMPLEX(sym, type, value) \
    static void sym##_c64(void *dst, const void *a, const void *b, size_t n) \
    { const c64 *x = a, *y = b; type *d = dst; \
      for (size_t i = 0; i < n; i++) d[i] = value; }
COMPLEX(add, c64, mx_cadd(x[i], y[i]))
COMPLEX(subtract, c64, mx_csub(x[i], y[i]))
COMPLEX(multiply, c64, mx_cmul(x[i], y[i]))
COMPLEX(multiply_no_nan, c64, y[i].re == 0 && y[i].im == 0 ? y[i]
    : mx_cmul(x[i], y[i]))
COMPLEX(divide, c64, mx_cdiv(x[i], y[i]))
COMPLEX(power, c64, mx_cpow(x[i], y[i]))
COMPLEX(maximum, c64, c_maximum(x[i], y[i]))
COMPLEX(minimum, c64, c_minimum(x[i], y[i]))
COMPLEX(logaddexp, c64, mx_clogaddexp(x[i], y[i]))
COMPLEX(equal, uint8_t, (uint8_t)mx_cequal(x[i], y[i]))
COMPLEX(not_equal, uint8_t, mx_cequal(x[i], y[i]) == 0)
COMPLEX(greater, uint8_t, (uint8_t)mx_cless(y[i], x[i]))
COMPLEX(greater_equal, uint8_t, mx_cless(y[i], x[i]) ||
    mx_cequal(x[i], y[i]))
COMPLEX(less, uint8_t, (uint8_t)mx_cless(x[i], y[i]))
COMPLEX(less_equal, uint8_t, mx_cless(x[i], y[i]) || mx_cequal(x[i], y[i]))
COMPLEX(equal_nan, uint8_t, mx_cequal(x[i], y[i]) ||
    (mx_cnan(x[i]) && mx_cnan(y[i])))
#undef COMPLEX

static void fill_c64(struct mx_cpu_kernels *k)
{
#define SET(ID, sym) k->map2[MX_MAP2_##ID][MLXC_COMPLEX64] = sym##_c64;
    SET(ADD, add) SET(SUBTRACT, subtract) SET(MULTIPLY, multiply)
    SET(MULTIPLY_NO_NAN, multiply_no_nan) SET(DIVIDE, divide)
    SET(POWER, power) SET(MAXIMUM, maximum)
    SET(MINIMUM, minimum) SET(LOGADDEXP, logaddexp) SET(EQUAL, equal)
    SET(NOT_EQUAL, not_equal) SET(GREATER, greater)
    SET(GREATER_EQUAL, greater_equal) SET(LESS, less)
    SET(LESS_EQUAL, less_equal) SET(EQUAL_NAN, equal_nan)
#undef SET
}

#define SELECT(type) \
    static void select_##type(void *dst, const uint8_t *cond, const void *a, \
        const void *b, size_t n) \
    { const type *x = a, *y = b; type *d = dst; \
      for (size_t i = 0; i < n; i++) d[i] = cond[i] ? x[i] : y[i]; }
SELECT(uint8_t)
SELECT(uint16_t)
SELECT(uint32_t)
SELECT(uint64_t)
#undef SELECT

MX_KERNELS(map2)
{
#define FLOATS(ID, sym, out) \
    k->map2[MX_MAP2_##ID][MLXC_FLOAT32] = sym##_f32; \
    k->map2[MX_MAP2_##ID][MLXC_FLOAT64] = sym##_f64; \
    k->map2[MX_MAP2_##ID][MLXC_FLOAT16] = sym##_f16; \
    k->map2[MX_MAP2_##ID][MLXC_BFLOAT16] = sym##_bf16;
#define MAP2(ID, sym, rule, out, kinds) MX_WITH_F_##kinds(FLOATS(ID, sym, out))
#include "core/elementwise.def"
#define INTEGER(sym) fill_##sym(k); fill_compare_##sym(k);
    INTEGER(u8) INTEGER(u16) INTEGER(u32) INTEGER(u64)
    INTEGER(i8) INTEGER(i16) INTEGER(i32) INTEGER(i64)
    fill_bool(k);
    fill_c64(k);
    k->select[0] = select_uint8_t;
    k->select[1] = select_uint16_t;
    k->select[2] = select_uint32_t;
    k->select[3] = select_uint64_t;
    fill_compare_f32(k);
    fill_compare_f64(k);
}
