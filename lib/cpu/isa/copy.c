/* SPDX-License-Identifier: MIT */
/* Moving bytes: strided copies, fills, transposes, streaming stores. */
#include "cpu/isa/isa.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

#define STRIDED(type) \
    static void strided_##type(void *dst, ptrdiff_t ds, const void *src, \
        ptrdiff_t ss, size_t n) \
    { const type *x = src; type *d = dst; \
      for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) d[i * ds] = x[i * ss]; }
STRIDED(uint8_t)
STRIDED(uint16_t)
STRIDED(uint32_t)
STRIDED(uint64_t)
#undef STRIDED

#define FILL(type) \
    static void fill_##type(void *dst, const void *value, size_t n) \
    { type v, *d = dst; memcpy(&v, value, sizeof v); \
      for (size_t i = 0; i < n; i++) d[i] = v; }
FILL(uint8_t)
FILL(uint16_t)
FILL(uint32_t)
FILL(uint64_t)
#undef FILL

static void copy_stream(void *dst, const void *src, size_t n)
{
    char *d = dst;
    const char *s = src;
#ifdef __SSE2__
    size_t head = (size_t)(-(uintptr_t)d & 63);
    if (n >= 128 + head) {
        memcpy(d, s, head);
        d += head;
        s += head;
        n -= head;
#ifdef __AVX512F__
        for (; n >= 64; n -= 64, d += 64, s += 64)
            _mm512_stream_si512((void *)d, _mm512_loadu_si512(s));
#elif defined(__AVX__)
        for (; n >= 32; n -= 32, d += 32, s += 32)
            _mm256_stream_si256((void *)d,
                _mm256_loadu_si256((const void *)s));
#else
        for (; n >= 16; n -= 16, d += 16, s += 16)
            _mm_stream_si128((void *)d, _mm_loadu_si128((const void *)s));
#endif
    }
#endif
    memcpy(d, s, n);
}

static void stream_end(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}

/* Tiles that fit L1; a tile is transposed into scratch whose rows then go out
   whole, with streaming stores if asked. */
#define TILE 64

typedef void tile_fn(void *out, const void *src, ptrdiff_t lds, size_t rows,
    size_t cols);

MX_INLINE void transpose(char *dst, ptrdiff_t ldd, const char *src,
    ptrdiff_t lds, size_t rows, size_t cols, int stream, size_t size,
    tile_fn *tile)
{
    char scratch[TILE * TILE * 8] __attribute__((aligned(64)));
    for (size_t j = 0; j < cols; j += TILE) {
        size_t m = cols - j < TILE ? cols - j : TILE;
        for (size_t i = 0; i < rows; i += TILE) {
            size_t n = rows - i < TILE ? rows - i : TILE;
            tile(scratch, src + ((ptrdiff_t)i * lds + (ptrdiff_t)j) *
                (ptrdiff_t)size, lds, n, m);
            for (size_t k = 0; k < m; k++) {
                char *to = dst + ((ptrdiff_t)(j + k) * ldd + (ptrdiff_t)i) *
                    (ptrdiff_t)size;
                const char *from = scratch + k * TILE * size;
                if (stream)
                    copy_stream(to, from, n * size);
                else
                    memcpy(to, from, n * size);
            }
        }
    }
    if (stream)
        stream_end();
}

#define TILES(type) \
    static void tile_##type(void *out, const void *src, ptrdiff_t lds, \
        size_t rows, size_t cols) \
    { type *d = out; const type *s = src; \
      for (size_t i = 0; i < rows; i++, s += lds) \
        for (size_t j = 0; j < cols; j++) d[j * TILE + i] = s[j]; }
#define TRANSPOSE(type) TILES(type) \
    static void transpose_##type(void *dst, ptrdiff_t ldd, const void *src, \
        ptrdiff_t lds, size_t rows, size_t cols, int stream) \
    { transpose(dst, ldd, src, lds, rows, cols, stream, sizeof(type), \
        tile_##type); }
TRANSPOSE(uint8_t)
TRANSPOSE(uint16_t)
TRANSPOSE(uint32_t)
TRANSPOSE(uint64_t)
#undef TRANSPOSE

MX_KERNELS(copy)
{
#define SIZE(i, type) \
    k->copy_strided[i] = strided_##type; \
    k->fill[i] = fill_##type; \
    k->transpose[i] = transpose_##type;
    SIZE(0, uint8_t)
    SIZE(1, uint16_t)
    SIZE(2, uint32_t)
    SIZE(3, uint64_t)
    k->copy_stream = copy_stream;
    k->stream_end = stream_end;
}
