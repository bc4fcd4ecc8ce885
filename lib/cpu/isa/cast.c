/* SPDX-License-Identifier: MIT */
/* Conversions between all types. */
#include "cpu/isa/half.h"

/* What cvttss2si and its kin give: INT_MIN where the value does not fit. */
MX_INLINE int32_t whole32_f32(float x)
{
    float c = x >= -0x1p31f && x < 0x1p31f ? x : -0x1p31f;
    return (int32_t)c;
}
MX_INLINE int32_t whole32_f64(double x)
{
    double c = x > -2147483649.0 && x < 0x1p31 ? x : -0x1p31;
    return (int32_t)c;
}
MX_INLINE int64_t whole64_f32(float x)
{
    float c = x >= -0x1p63f && x < 0x1p63f ? x : -0x1p63f;
    return (int64_t)c;
}
MX_INLINE int64_t whole64_f64(double x)
{
    double c = x >= -0x1p63 && x < 0x1p63 ? x : -0x1p63;
    return (int64_t)c;
}
MX_INLINE uint64_t unsigned64_f32(float x)
{
    return x >= 0x1p63f && x < 0x1p64f ? (uint64_t)x
                                       : (uint64_t)whole64_f32(x);
}
MX_INLINE uint64_t unsigned64_f64(double x)
{
    return x >= 0x1p63 && x < 0x1p64 ? (uint64_t)x
                                     : (uint64_t)whole64_f64(x);
}

#define MX_TMPL "cpu/isa/cast_tmpl.h"
#include "cpu/dtype/foreach_int.h"
#define MX_TMPL "cpu/isa/cast_tmpl.h"
#include "cpu/dtype/foreach_float.h"

/* Bool first becomes 0 or 1, whatever its byte. */
#define FROM_BOOL(sym, to) \
    static void to_##sym##_bool(void *dst, const void *a, size_t n) \
    { const uint8_t *x = a; to *d = dst; \
      for (size_t i = 0; i < n; i++) d[i] = (to)(x[i] != 0); }
FROM_BOOL(u8, uint8_t)
FROM_BOOL(u16, uint16_t)
FROM_BOOL(u32, uint32_t)
FROM_BOOL(u64, uint64_t)
FROM_BOOL(f32, float)
FROM_BOOL(f64, double)
#undef FROM_BOOL

static void to_c64_bool(void *dst, const void *a, size_t n)
{
    const uint8_t *x = a;
    mlxc_complex64 *d = dst;
    for (size_t i = 0; i < n; i++) {
        d[i].re = x[i] != 0;
        d[i].im = 0;
    }
}

/* Complex: the real part; true if either part is not zero. */
static void to_bool_c64(void *dst, const void *a, size_t n)
{
    const mlxc_complex64 *x = a;
    uint8_t *d = dst;
    for (size_t i = 0; i < n; i++)
        d[i] = x[i].re != 0 || x[i].im != 0;
}

static void to_f32_c64(void *dst, const void *a, size_t n)
{
    const mlxc_complex64 *x = a;
    float *d = dst;
    for (size_t i = 0; i < n; i++)
        d[i] = x[i].re;
}

MX_INLINE void real_part(void *dst, const void *a, size_t n, size_t size,
    mx_map1_fn *f)
{
    float x[256];
    for (size_t at = 0; at < n; at += 256) {
        size_t m = n - at < 256 ? n - at : 256;
        to_f32_c64(x, (const mlxc_complex64 *)a + at, m);
        f((char *)dst + at * size, x, m);
    }
}

#define FROM_C64(sym, type) \
    static void to_##sym##_c64(void *dst, const void *a, size_t n) \
    { real_part(dst, a, n, sizeof(type), to_##sym##_f32); }
FROM_C64(u8, uint8_t)
FROM_C64(u16, uint16_t)
FROM_C64(u32, uint32_t)
FROM_C64(u64, uint64_t)
FROM_C64(i8, int8_t)
FROM_C64(i16, int16_t)
FROM_C64(i32, int32_t)
FROM_C64(i64, int64_t)
FROM_C64(f64, double)
#undef FROM_C64

#define MX_TMPL "cpu/isa/cast_half_tmpl.h"
#include "cpu/dtype/foreach_half.h"

static void f16_to_bf16(void *dst, const void *a, size_t n)
{
    from_f16(dst, a, n, sizeof(uint16_t), f32_into_bf16);
}

static void bf16_to_f16(void *dst, const void *a, size_t n)
{
    from_bf16(dst, a, n, sizeof(uint16_t), f32_into_f16);
}

/* Nobody asks for a cast to the same type, but the table has no holes. */
#define SAME(size) \
    static void same_##size(void *dst, const void *a, size_t n) \
    { memmove(dst, a, n * size); }
SAME(1)
SAME(2)
SAME(4)
SAME(8)
#undef SAME

MX_KERNELS(cast)
{
#define FILL(sym) fill_##sym(k);
    FILL(u8) FILL(u16) FILL(u32) FILL(u64)
    FILL(i8) FILL(i16) FILL(i32) FILL(i64)
    FILL(f32) FILL(f64) FILL(f16) FILL(bf16)
#define BOOL(ID, sym) k->cast[MLXC_##ID][MLXC_BOOL] = to_##sym##_bool;
    BOOL(UINT8, u8) BOOL(UINT16, u16) BOOL(UINT32, u32) BOOL(UINT64, u64)
    BOOL(INT8, u8) BOOL(INT16, u16) BOOL(INT32, u32) BOOL(INT64, u64)
    BOOL(FLOAT32, f32) BOOL(FLOAT64, f64) BOOL(COMPLEX64, c64)
#define C64(ID, sym) k->cast[MLXC_##ID][MLXC_COMPLEX64] = to_##sym##_c64;
    C64(BOOL, bool) C64(UINT8, u8) C64(UINT16, u16) C64(UINT32, u32)
    C64(UINT64, u64) C64(INT8, i8) C64(INT16, i16) C64(INT32, i32)
    C64(INT64, i64) C64(FLOAT32, f32) C64(FLOAT64, f64)
    k->cast[MLXC_BFLOAT16][MLXC_FLOAT16] = f16_to_bf16;
    k->cast[MLXC_FLOAT16][MLXC_BFLOAT16] = bf16_to_f16;
#define DTYPE(ID, sym, name, storage, bytes, kind, cuda_name) \
    k->cast[MLXC_##ID][MLXC_##ID] = same_##bytes;
#include "core/dtype.def"
}
