/* SPDX-License-Identifier: MIT */
/* Unary kernels of a 16-bit float: a block of floats at a time through the
   float kernel, rounded once. */

MX_INLINE void TN(through)(uint16_t *dst, const uint16_t *a, size_t n,
    mx_map1_fn *f)
{
    float x[256];
    for (size_t at = 0; at < n; at += 256) {
        size_t m = n - at < 256 ? n - at : 256;
        TN(widen)(x, a + at, m);
        f(x, x, m);
        TN(narrow)(dst + at, x, m);
    }
}

MX_INLINE void TN(test)(uint8_t *dst, const uint16_t *a, size_t n,
    mx_map1_fn *f)
{
    float x[256];
    for (size_t at = 0; at < n; at += 256) {
        size_t m = n - at < 256 ? n - at : 256;
        TN(widen)(x, a + at, m);
        f(dst + at, x, m);
    }
}

#define OUT_SAME(sym) TN(through)(dst, a, n, sym##_f32);
#define OUT_REAL(sym) TN(through)(dst, a, n, sym##_f32);
#define OUT_BOOL(sym) TN(test)(dst, a, n, sym##_f32);
#define DEFINE(ID, sym, out) \
    static void TN(sym)(void *dst, const void *a, size_t n) { OUT_##out(sym) }
#define MAP1(ID, sym, rule, out, kinds) MX_WITH_F_##kinds(DEFINE(ID, sym, out))
#include "core/elementwise.def"
#undef DEFINE
#undef OUT_SAME
#undef OUT_REAL
#undef OUT_BOOL
