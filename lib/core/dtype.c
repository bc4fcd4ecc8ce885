/* SPDX-License-Identifier: MIT */
/* Facts about element types, promotion, and single-element conversion. */
#include "core/dtype.h"

#include <math.h>
#include <string.h>

#include "core/error.h"

enum { SIZE_INDEX_1 = 0, SIZE_INDEX_2 = 1, SIZE_INDEX_4 = 2,
    SIZE_INDEX_8 = 3 };

const struct mx_dtype_info mx_dtypes[MX_DTYPE_COUNT] = {
#define DTYPE(ID, sym, name, storage, bytes, kind, cuda_name) \
    [MLXC_##ID] = { name, #sym, cuda_name, bytes, SIZE_INDEX_##bytes, \
        MX_KIND_##kind },
#include "core/dtype.def"
};

size_t mlxc_dtype_size(mlxc_dtype dtype)
{
    return mx_dtype_valid(dtype) ? mx_dtypes[dtype].size : 0;
}

const char *mlxc_dtype_name(mlxc_dtype dtype)
{
    return mx_dtype_valid(dtype) ? mx_dtypes[dtype].name : "invalid";
}

bool mlxc_dtype_is_integer(mlxc_dtype dtype)
{
    return mx_dtype_valid(dtype) &&
        mx_dtype_is(dtype, MX_KIND_INT | MX_KIND_UINT);
}

bool mlxc_dtype_is_float(mlxc_dtype dtype)
{
    return mx_dtype_valid(dtype) && mx_dtype_is(dtype, MX_KIND_FLOAT);
}

bool mlxc_dtype_is_complex(mlxc_dtype dtype)
{
    return mx_dtype_valid(dtype) && mx_dtype_is(dtype, MX_KIND_COMPLEX);
}

static mlxc_dtype promote_floats(mlxc_dtype a, mlxc_dtype b)
{
    if (a == MLXC_FLOAT64 || b == MLXC_FLOAT64)
        return MLXC_FLOAT64;
    return a == b ? a : MLXC_FLOAT32;
}

/* unsigned u beside signed i: the next signed type that holds both */
static mlxc_dtype promote_mixed(mlxc_dtype u, mlxc_dtype i)
{
    if (u == MLXC_UINT64)
        return MLXC_FLOAT32;
    if (mx_dtypes[i].size > mx_dtypes[u].size)
        return i;
    return u == MLXC_UINT8 ? MLXC_INT16
        : u == MLXC_UINT16 ? MLXC_INT32 : MLXC_INT64;
}

mlxc_dtype mx_dtype_promote(mlxc_dtype a, mlxc_dtype b)
{
    unsigned ka = mx_dtypes[a].kind, kb = mx_dtypes[b].kind;
    if (a == b)
        return a;
    if (ka == MX_KIND_FLOAT && kb == MX_KIND_FLOAT)
        return promote_floats(a, b);
    if (ka == MX_KIND_UINT && kb == MX_KIND_INT)
        return promote_mixed(a, b);
    if (ka == MX_KIND_INT && kb == MX_KIND_UINT)
        return promote_mixed(b, a);
    if (ka == kb)
        return mx_dtypes[a].size > mx_dtypes[b].size ? a : b;
    /* kinds are in rising order of generality */
    return ka > kb ? a : b;
}

mlxc_dtype mx_dtype_at_least_float(mlxc_dtype d)
{
    return mx_dtype_is(d, MX_KINDS_INEXACT) ? d : MLXC_FLOAT32;
}

mlxc_status mlxc_dtype_promote(mlxc_dtype *out, mlxc_dtype a, mlxc_dtype b)
{
    if (!mx_dtype_valid(a) || !mx_dtype_valid(b))
        return mx_error(MLXC_ERR_DTYPE, "dtype_promote: %d is no dtype",
            (int)(mx_dtype_valid(a) ? b : a));
    *out = mx_dtype_promote(a, b);
    return MLXC_OK;
}

float mx_bf16_to_float(uint16_t h)
{
    uint32_t bits = (uint32_t)h << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

uint16_t mx_float_to_bf16(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    if (f != f)
        return (uint16_t)((bits >> 16 & 0x8000u) | 0x7fc0u);
    bits += 0x7fffu + (bits >> 16 & 1);
    return (uint16_t)(bits >> 16);
}

float mx_f16_to_float(uint16_t h)
{
    int exponent = h >> 10 & 0x1f;
    float mantissa = (float)(h & 0x3ff);
    float f;
    if (exponent == 0x1f)
        f = mantissa > 0 ? NAN : INFINITY;
    else if (exponent == 0)
        f = ldexpf(mantissa, -24);
    else
        f = ldexpf(mantissa + 1024, exponent - 25);
    return h & 0x8000 ? -f : f;
}

uint16_t mx_float_to_f16(float f)
{
    uint16_t sign = signbit(f) ? 0x8000 : 0;
    float a = fabsf(f);
    if (f != f)
        return (uint16_t)(sign | 0x7e00);
    if (a >= 65520.0f) /* halfway above the largest finite */
        return (uint16_t)(sign | 0x7c00);
    if (a < 6.103515625e-5f) /* subnormal: multiples of 2^-24 */
        return (uint16_t)(sign | (uint16_t)rintf(ldexpf(a, 24)));
    int exponent;
    float m = frexpf(a, &exponent); /* [0.5, 1) */
    uint32_t q = (uint32_t)rintf(ldexpf(m, 11)); /* 1024 to 2048 */
    return (uint16_t)(sign | (((uint32_t)(exponent + 13) << 10) + q));
}

/* Convert as the hardware does where C leaves it open. */
static int64_t double_to_int64(double v)
{
    if (v >= -9223372036854775808.0 && v < 9223372036854775808.0)
        return (int64_t)v;
    return INT64_MIN;
}

#define STORE(type, value) \
    do { \
        type t_ = (type)(value); \
        memcpy(dst, &t_, sizeof t_); \
    } while (0)

typedef void store_int_fn(void *dst, int64_t v);
typedef void store_double_fn(void *dst, double v);
typedef double load_double_fn(const void *src);
typedef int64_t load_int_fn(const void *src);

#define INTEGER(sym, type) \
    static void store_int_##sym(void *dst, int64_t v) { STORE(type, v); } \
    static int64_t load_int_##sym(const void *src) \
    { type t; memcpy(&t, src, sizeof t); return (int64_t)t; }
INTEGER(u8, uint8_t)
INTEGER(u16, uint16_t)
INTEGER(u32, uint32_t)
INTEGER(u64, uint64_t)
INTEGER(i8, int8_t)
INTEGER(i16, int16_t)
INTEGER(i32, int32_t)
INTEGER(i64, int64_t)
#undef INTEGER

static void store_int_bool(void *dst, int64_t v) { STORE(uint8_t, v != 0); }
static int64_t load_int_bool(const void *src)
{
    return *(const uint8_t *)src != 0;
}

static void store_f16(void *dst, double v)
{
    STORE(uint16_t, mx_float_to_f16((float)v));
}
static void store_bf16(void *dst, double v)
{
    STORE(uint16_t, mx_float_to_bf16((float)v));
}
static void store_f32(void *dst, double v) { STORE(float, v); }
static void store_f64(void *dst, double v) { STORE(double, v); }
static void store_c64(void *dst, double v)
{
    mlxc_complex64 c = { (float)v, 0 };
    memcpy(dst, &c, sizeof c);
}

static double load_f16(const void *src)
{
    uint16_t h;
    memcpy(&h, src, sizeof h);
    return (double)mx_f16_to_float(h);
}
static double load_bf16(const void *src)
{
    uint16_t h;
    memcpy(&h, src, sizeof h);
    return (double)mx_bf16_to_float(h);
}
static double load_f32(const void *src)
{
    float f;
    memcpy(&f, src, sizeof f);
    return (double)f;
}
static double load_f64(const void *src)
{
    double f;
    memcpy(&f, src, sizeof f);
    return f;
}

static store_int_fn *const store_ints[MX_DTYPE_COUNT] = {
    [MLXC_BOOL] = store_int_bool,
    [MLXC_UINT8] = store_int_u8, [MLXC_UINT16] = store_int_u16,
    [MLXC_UINT32] = store_int_u32, [MLXC_UINT64] = store_int_u64,
    [MLXC_INT8] = store_int_i8, [MLXC_INT16] = store_int_i16,
    [MLXC_INT32] = store_int_i32, [MLXC_INT64] = store_int_i64,
};

static load_int_fn *const load_ints[MX_DTYPE_COUNT] = {
    [MLXC_BOOL] = load_int_bool,
    [MLXC_UINT8] = load_int_u8, [MLXC_UINT16] = load_int_u16,
    [MLXC_UINT32] = load_int_u32, [MLXC_UINT64] = load_int_u64,
    [MLXC_INT8] = load_int_i8, [MLXC_INT16] = load_int_i16,
    [MLXC_INT32] = load_int_i32, [MLXC_INT64] = load_int_i64,
};

static store_double_fn *const store_doubles[MX_DTYPE_COUNT] = {
    [MLXC_FLOAT16] = store_f16, [MLXC_BFLOAT16] = store_bf16,
    [MLXC_FLOAT32] = store_f32, [MLXC_FLOAT64] = store_f64,
    [MLXC_COMPLEX64] = store_c64,
};

static load_double_fn *const load_doubles[MX_DTYPE_COUNT] = {
    [MLXC_FLOAT16] = load_f16, [MLXC_BFLOAT16] = load_bf16,
    [MLXC_FLOAT32] = load_f32, [MLXC_FLOAT64] = load_f64,
    [MLXC_COMPLEX64] = load_f32, /* the real part stands first */
};

void mx_dtype_store_double(mlxc_dtype d, void *dst, double v)
{
    if (d == MLXC_BOOL)
        STORE(uint8_t, v != 0);
    else if (d == MLXC_UINT64 && v >= 9223372036854775808.0 &&
        v < 18446744073709551616.0)
        STORE(uint64_t, v);
    else if (store_ints[d])
        store_ints[d](dst, double_to_int64(v));
    else
        store_doubles[d](dst, v);
}

void mx_dtype_store_int64(mlxc_dtype d, void *dst, int64_t v)
{
    if (store_ints[d])
        store_ints[d](dst, v);
    else
        store_doubles[d](dst, (double)v);
}

double mx_dtype_load_double(mlxc_dtype d, const void *src)
{
    if (d == MLXC_UINT64) {
        uint64_t u;
        memcpy(&u, src, sizeof u);
        return (double)u;
    }
    return load_ints[d] ? (double)load_ints[d](src) : load_doubles[d](src);
}

int64_t mx_dtype_load_int64(mlxc_dtype d, const void *src)
{
    return load_ints[d] ? load_ints[d](src)
                        : double_to_int64(load_doubles[d](src));
}
