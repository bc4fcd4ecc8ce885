/* SPDX-License-Identifier: MIT */
/* Binary kernels of a 16-bit float, through blocks of floats. */

MX_INLINE void TN(through)(uint16_t *dst, const uint16_t *a,
    const uint16_t *b, size_t n, mx_map2_fn *f)
{
    float x[256], y[256];
    for (size_t at = 0; at < n; at += 256) {
        size_t m = n - at < 256 ? n - at : 256;
        TN(widen)(x, a + at, m);
        TN(widen)(y, b + at, m);
        f(x, x, y, m);
        TN(narrow)(dst + at, x, m);
    }
}

MX_INLINE void TN(test)(uint8_t *dst, const uint16_t *a, const uint16_t *b,
    size_t n, mx_map2_fn *f)
{
    float x[256], y[256];
    for (size_t at = 0; at < n; at += 256) {
        size_t m = n - at < 256 ? n - at : 256;
        TN(widen)(x, a + at, m);
        TN(widen)(y, b + at, m);
        f(dst + at, x, y, m);
    }
}

#define OUT_SAME(sym) TN(through)(dst, a, b, n, sym##_f32);
#define OUT_BOOL(sym) TN(test)(dst, a, b, n, sym##_f32);
#define DEFINE(ID, sym, out) \
    static void TN(sym)(void *dst, const void *a, const void *b, size_t n) \
    { OUT_##out(sym) }
#define MAP2(ID, sym, rule, out, kinds) MX_WITH_F_##kinds(DEFINE(ID, sym, out))
#include "core/elementwise.def"
#undef DEFINE
#undef OUT_SAME
#undef OUT_BOOL
