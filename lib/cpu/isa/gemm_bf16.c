/* SPDX-License-Identifier: MIT */
/* bfloat16 products by the instructions that multiply pairs: panels hold
   elements 2p and 2p + 1 of a line as one word.  Sums are float32; operands
   and sums below 2^-126 count as zero, as the instruction has it. */
#include "cpu/features.h"
#include "cpu/isa/gemm.h"
#include "cpu/isa/half.h"

#if defined(__AVX512F__)

#define LINES ROWS
#define TARGET __attribute__((target("avx512bf16")))

TARGET MX_INLINE void tile(const void *a, const void *b, void *c,
    ptrdiff_t ldc, size_t k, int add, const int rows, const int nv)
{
    const uint32_t *x = a;
    const __m512i *y = b;
    float *out = c;
    __m512 acc[LINES][3];
    MX_UNROLL
    for (int i = 0; i < rows; i++)
        MX_UNROLL
        for (int j = 0; j < nv; j++)
            acc[i][j] = _mm512_setzero_ps();
    for (; k > 0; k -= 2, x += rows, y += nv) {
        __m512i line[3];
        MX_UNROLL
        for (int j = 0; j < nv; j++)
            line[j] = y[j];
        MX_UNROLL
        for (int i = 0; i < rows; i++) {
            __m512i all = _mm512_set1_epi32((int)x[i]);
            MX_UNROLL
            for (int j = 0; j < nv; j++)
                acc[i][j] = _mm512_dpbf16_ps(acc[i][j], (__m512bh)all,
                    (__m512bh)line[j]);
        }
    }
    MX_UNROLL
    for (int i = 0; i < rows; i++)
        MX_UNROLL
        for (int j = 0; j < nv; j++) {
            float *to = out + i * ldc + 16 * j;
            __m512 sum = acc[i][j];
            if (add)
                sum = _mm512_add_ps(_mm512_loadu_ps(to), sum);
            _mm512_storeu_ps(to, sum);
        }
}

#define TILE(sym, rows, nv) \
    TARGET static void sym##nv(const void *a, const void *b, void *c, \
        ptrdiff_t ldc, size_t k, int add) \
    { tile(a, b, c, ldc, k, add, rows, nv); }
TILE(half, LINES / 2, 1)
TILE(half, LINES / 2, 2)
TILE(half, LINES / 2, 3)
TILE(full, LINES, 1)
TILE(full, LINES, 2)
TILE(full, LINES, 3)
#undef TILE

static uint32_t pair(uint16_t even, uint16_t odd)
{
    return even | (uint32_t)odd << 16;
}

/* Four lines along k become columns of a panel, two elements at a time. */
static void turn(uint32_t *d, size_t w, const uint16_t *s, ptrdiff_t ls,
    size_t pairs)
{
    enum { RUN = 64 };
    uint32_t run[4][RUN];
    for (size_t p = 0; p < pairs; p += RUN) {
        size_t n = pairs - p < RUN ? pairs - p : RUN;
        uint32_t *to = d + p * w;
        for (ptrdiff_t i = 0; i < 4; i++)
            memcpy(run[i], s + i * ls + 2 * (ptrdiff_t)p, 4 * n);
        size_t done = mx_turn_words(to, (ptrdiff_t)w, run, RUN, n);
        for (; done < n; done++)
            for (size_t i = 0; i < 4; i++)
                to[done * w + i] = run[i][done];
    }
}

/* As in gemm_pack_tmpl.h, in steps of a pair. */
static void pack_beside(uint32_t *d, const uint16_t *s, ptrdiff_t ks,
    size_t n, size_t width, size_t step, size_t k)
{
    enum { RUN = 16 };
    const size_t all = (k + 1) / 2;
    for (size_t p = 0; p < all; p += RUN)
        for (size_t i = 0; i < n; i += width) {
            size_t m = n - i < width ? n - i : width;
            size_t w = (m + step - 1) / step * step;
            for (size_t q = p; q < p + RUN && q < all; q++) {
                uint32_t *to = d + i * all + q * w;
                const uint16_t *even = s + i + 2 * (ptrdiff_t)q * ks;
                if (2 * q + 1 < k)
                    for (size_t j = 0; j < m; j++)
                        to[j] = pair(even[j], even[(ptrdiff_t)j + ks]);
                else
                    for (size_t j = 0; j < m; j++)
                        to[j] = even[j];
                for (size_t j = m; j < w; j++)
                    to[j] = 0;
            }
        }
}

static void pack_apart(uint32_t *d, const uint16_t *s, ptrdiff_t ls,
    ptrdiff_t ks, size_t n, size_t w, size_t k)
{
    size_t pairs = k / 2, i = 0;
    if (ks == 1)
        for (; i + 4 <= n; i += 4)
            turn(d + i, w, s + (ptrdiff_t)i * ls, ls, pairs);
    for (size_t first = i; i < w; i++)
        for (size_t p = 0; p < pairs; p++) {
            const uint16_t *at = s + (ptrdiff_t)i * ls +
                2 * (ptrdiff_t)p * ks;
            d[p * w + i] = i >= first && i < n ? pair(at[0], at[ks]) : 0;
        }
    for (i = 0; k % 2 && i < w; i++)
        d[pairs * w + i] = i < n ? s[(ptrdiff_t)i * ls +
            2 * (ptrdiff_t)pairs * ks] : 0;
}

static void pack(void *dst, const void *src, ptrdiff_t ls, ptrdiff_t ks,
    size_t n, size_t width, size_t step, size_t k)
{
    uint32_t *d = dst;
    const uint16_t *s = src;
    if (ls == 1 && n > 1) {
        pack_beside(d, s, ks, n, width, step, k);
        return;
    }
    for (size_t i = 0; i < n; i += width) {
        size_t m = n - i < width ? n - i : width;
        pack_apart(d + i * ((k + 1) / 2), s + (ptrdiff_t)i * ls, ls, ks, m,
            (m + step - 1) / step * step, k);
    }
}

MX_KERNELS(gemm_bf16)
{
    struct mx_gemm_kernel *g = &k->gemm[MLXC_BFLOAT16];
    if (!mx_cpu_has_level("avx512_bf16"))
        return;
    *g = (struct mx_gemm_kernel){
        .run = { { half1, half2, half3 }, { full1, full2, full3 } },
        .pack = pack,
        .store = g->store,
        .wide = 1,
        .rows = LINES,
        .lanes = MX_VBYTES / sizeof(float),
        .size = sizeof(uint16_t),
        .depth = 2,
        .kc = KC_BYTES / sizeof(uint16_t),
    };
}

#else

MX_KERNELS(gemm_bf16)
{
    (void)k;
}

#endif
