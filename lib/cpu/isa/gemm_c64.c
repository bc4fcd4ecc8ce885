/* SPDX-License-Identifier: MIT */
/* Complex matrix products: packed panels hold real beside imaginary parts, so
   that a product is four real ones without shuffles. */
#include "cpu/isa/gemm.h"

#define P float
#define LINES (ROWS / 2)

/* Per step of k: `rows` real, `rows` imaginary parts against `nv` vectors of
   either.  The tile: a line of real, a line of imaginary sums, and so on. */
MX_INLINE void tile(const void *a, const void *b, void *c, ptrdiff_t ldc,
    size_t k, const int rows, const int nv)
{
    const float *x = a;
    const mx_vf32 *y = b;
    float *out = c;
    mx_vf32 re[LINES][3], im[LINES][3];
    MX_UNROLL
    for (int i = 0; i < rows; i++)
        MX_UNROLL
        for (int j = 0; j < nv; j++)
            re[i][j] = im[i][j] = (mx_vf32){ 0 };
    for (; k > 0; k--, x += 2 * rows, y += 2 * nv) {
        MX_UNROLL
        for (int i = 0; i < rows; i++) {
            mx_vf32 r = x[i] - (mx_vf32){ 0 };
            mx_vf32 m = x[rows + i] - (mx_vf32){ 0 };
            MX_UNROLL
            for (int j = 0; j < nv; j++) {
                re[i][j] = mx_madd_f32(re[i][j], r, y[j]);
                im[i][j] = mx_madd_f32(im[i][j], r, y[nv + j]);
                re[i][j] = mx_msub_f32(re[i][j], m, y[nv + j]);
                im[i][j] = mx_madd_f32(im[i][j], m, y[j]);
            }
        }
    }
    MX_UNROLL
    for (int i = 0; i < rows; i++)
        MX_UNROLL
        for (int j = 0; j < nv; j++) {
            float *to = out + 2 * i * ldc + j * LANES;
            memcpy(to, &re[i][j], sizeof re[i][j]);
            memcpy(to + ldc, &im[i][j], sizeof im[i][j]);
        }
}

#define TILE(sym, rows, nv) \
    static void sym##nv(const void *a, const void *b, void *c, \
        ptrdiff_t ldc, size_t k, int add) \
    { (void)add; tile(a, b, c, ldc, k, rows, nv); }
TILE(half, LINES / 2, 1)
TILE(half, LINES / 2, 2)
TILE(half, LINES / 2, 3)
TILE(full, LINES, 1)
TILE(full, LINES, 2)
TILE(full, LINES, 3)
#undef TILE

MX_INLINE void panel(float *d, const mlxc_complex64 *s, ptrdiff_t ls,
    ptrdiff_t ks, size_t n, size_t w, size_t k)
{
    for (size_t p = 0; p < k; p++, d += 2 * w, s += ks) {
        for (size_t i = 0; i < n; i++) {
            d[i] = s[(ptrdiff_t)i * ls].re;
            d[w + i] = s[(ptrdiff_t)i * ls].im;
        }
        for (size_t i = n; i < w; i++)
            d[i] = d[w + i] = 0;
    }
}

static void pack(void *dst, const void *src, ptrdiff_t ls, ptrdiff_t ks,
    size_t n, size_t width, size_t step, size_t k)
{
    float *d = dst;
    const mlxc_complex64 *s = src;
    for (size_t i = 0; i < n; i += width, s += (ptrdiff_t)width * ls) {
        size_t m = n - i < width ? n - i : width;
        panel(d + 2 * i * k, s, ls, ks, m, (m + step - 1) / step * step, k);
    }
}

static void store(void *c, ptrdiff_t ldc, const void *tile_, ptrdiff_t lt,
    size_t m, size_t n, double alpha, double beta)
{
    mlxc_complex64 *d = c;
    const float *t = tile_, x = (float)alpha, y = (float)beta;
    for (size_t i = 0; i < m; i++, d += ldc, t += 2 * lt)
        for (size_t j = 0; j < n; j++) {
            float re = x * t[j], im = x * t[lt + (ptrdiff_t)j];
            if (beta != 0) {
                re += y * d[j].re;
                im += y * d[j].im;
            }
            d[j].re = re;
            d[j].im = im;
        }
}

MX_KERNELS(gemm_c64)
{
    k->gemm[MLXC_COMPLEX64] = (struct mx_gemm_kernel){
        .run = { { half1, half2, half3 }, { full1, full2, full3 } },
        .pack = pack,
        .store = store,
        .rows = LINES,
        .lanes = (uint16_t)LANES,
        .size = 2 * sizeof(P),
        .depth = 1,
        .kc = KC_BYTES / (2 * sizeof(P)),
    };
}
