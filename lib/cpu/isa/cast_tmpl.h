/* SPDX-License-Identifier: MIT */
/* Casts from one type to those that C converts to. */

#define CAST(sym, to, value) \
    static void TN(to_##sym)(void *dst, const void *a, size_t n) \
    { const T *x = a; to *d = dst; \
      for (size_t i = 0; i < n; i++) d[i] = (to)(value); }
#if KIND == 8
/* out of range and NaN as the hardware converts: to int32 or int64, then the
   low bits */
CAST(bool, uint8_t, x[i] != 0)
CAST(u8, uint8_t, (uint8_t)TN(whole32)(x[i]))
CAST(i8, int8_t, (uint8_t)TN(whole32)(x[i]))
CAST(u16, uint16_t, (uint16_t)TN(whole32)(x[i]))
CAST(i16, int16_t, (uint16_t)TN(whole32)(x[i]))
CAST(u32, uint32_t, (uint64_t)TN(whole64)(x[i]))
CAST(i32, int32_t, TN(whole32)(x[i]))
CAST(u64, uint64_t, TN(unsigned64)(x[i]))
CAST(i64, int64_t, TN(whole64)(x[i]))
#else
CAST(bool, uint8_t, x[i] != 0)
CAST(u8, uint8_t, x[i])
CAST(i8, int8_t, x[i])
CAST(u16, uint16_t, x[i])
CAST(i16, int16_t, x[i])
CAST(u32, uint32_t, x[i])
CAST(i32, int32_t, x[i])
CAST(u64, uint64_t, x[i])
CAST(i64, int64_t, x[i])
#endif
CAST(f32, float, x[i])
CAST(f64, double, x[i])
#undef CAST

static void TN(to_c64)(void *dst, const void *a, size_t n)
{
    const T *x = a;
    mlxc_complex64 *d = dst;
    for (size_t i = 0; i < n; i++) {
        d[i].re = (float)x[i];
        d[i].im = 0;
    }
}

static void TN(fill)(struct mx_cpu_kernels *k)
{
#define SET(ID, sym) k->cast[MLXC_##ID][DTYPE] = TN(to_##sym);
    SET(BOOL, bool) SET(UINT8, u8) SET(UINT16, u16) SET(UINT32, u32)
    SET(UINT64, u64) SET(INT8, i8) SET(INT16, i16) SET(INT32, i32)
    SET(INT64, i64) SET(FLOAT32, f32) SET(FLOAT64, f64) SET(COMPLEX64, c64)
#undef SET
}
