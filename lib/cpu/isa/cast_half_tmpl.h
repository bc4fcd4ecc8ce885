/* SPDX-License-Identifier: MIT */
/* Casts to and from a 16-bit float, through blocks of floats. */

MX_INLINE void TN(from)(void *dst, const void *a, size_t n, size_t size,
    mx_map1_fn *f)
{
    float x[256];
    for (size_t at = 0; at < n; at += 256) {
        size_t m = n - at < 256 ? n - at : 256;
        TN(widen)(x, (const uint16_t *)a + at, m);
        f((char *)dst + at * size, x, m);
    }
}

MX_INLINE void TN(to)(void *dst, const void *a, size_t n, size_t size,
    mx_map1_fn *f)
{
    float x[256];
    for (size_t at = 0; at < n; at += 256) {
        size_t m = n - at < 256 ? n - at : 256;
        f(x, (const char *)a + at * size, m);
        TN(narrow)((uint16_t *)dst + at, x, m);
    }
}

#define DEFINE(ID, sym, type) \
    static void TN(from_to_##sym)(void *dst, const void *a, size_t n) \
    { TN(from)(dst, a, n, sizeof(type), to_##sym##_f32); } \
    static void TN(sym##_into)(void *dst, const void *a, size_t n) \
    { TN(to)(dst, a, n, sizeof(type), to_f32_##sym); }
#define OTHERS(M) \
    M(BOOL, bool, uint8_t) M(UINT8, u8, uint8_t) M(UINT16, u16, uint16_t) \
    M(UINT32, u32, uint32_t) M(UINT64, u64, uint64_t) M(INT8, i8, int8_t) \
    M(INT16, i16, int16_t) M(INT32, i32, int32_t) M(INT64, i64, int64_t) \
    M(FLOAT64, f64, double) M(COMPLEX64, c64, mlxc_complex64)
OTHERS(DEFINE)
#undef DEFINE

static void TN(from_to_f32)(void *dst, const void *a, size_t n)
{
    TN(widen)(dst, a, n);
}

static void TN(f32_into)(void *dst, const void *a, size_t n)
{
    TN(narrow)(dst, a, n);
}

static void TN(fill)(struct mx_cpu_kernels *k)
{
#define SET(ID, sym, type) \
    k->cast[MLXC_##ID][DTYPE] = TN(from_to_##sym); \
    k->cast[DTYPE][MLXC_##ID] = TN(sym##_into);
    OTHERS(SET)
    SET(FLOAT32, f32, float)
#undef SET
}
#undef OTHERS
