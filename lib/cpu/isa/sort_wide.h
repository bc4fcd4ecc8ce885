/* SPDX-License-Identifier: MIT */
/* Rows of 32-bit keys in registers of 16 lanes: a quicksort whose partitions
   compress lanes and whose blocks of 256 keys are sorted by a network.  Equal
   keys are the same bits, so its order of them does not show.  At other
   levels rows go digit by digit. */
#ifdef __AVX512F__
#include <immintrin.h>

#define BLOCK_KEYS 256
#define DEEP 64 /* partitions one in another, before merging takes over */

MX_INLINE void exchange(__m512i *a, __m512i *b)
{
    __m512i low = _mm512_min_epu32(*a, *b);
    *b = _mm512_max_epu32(*a, *b);
    *a = low;
}

/* Each lane by itself: 60 exchanges sort 16 vectors. */
MX_INLINE void sort_lanes(__m512i *v)
{
    static const uint8_t network[60][2] = {
        { 0, 1 }, { 2, 3 }, { 4, 5 }, { 6, 7 }, { 8, 9 }, { 10, 11 },
        { 12, 13 }, { 14, 15 }, { 0, 2 }, { 1, 3 }, { 4, 6 }, { 5, 7 },
        { 8, 10 }, { 9, 11 }, { 12, 14 }, { 13, 15 }, { 0, 4 }, { 1, 5 },
        { 2, 6 }, { 3, 7 }, { 8, 12 }, { 9, 13 }, { 10, 14 }, { 11, 15 },
        { 0, 8 }, { 1, 9 }, { 2, 10 }, { 3, 11 }, { 4, 12 }, { 5, 13 },
        { 6, 14 }, { 7, 15 }, { 5, 10 }, { 6, 9 }, { 3, 12 }, { 13, 14 },
        { 4, 8 }, { 7, 11 }, { 1, 2 }, { 1, 4 }, { 7, 13 }, { 2, 8 },
        { 11, 14 }, { 2, 4 }, { 5, 6 }, { 9, 10 }, { 11, 13 }, { 3, 8 },
        { 7, 12 }, { 6, 8 }, { 10, 12 }, { 3, 5 }, { 7, 9 }, { 3, 4 },
        { 5, 6 }, { 7, 8 }, { 9, 10 }, { 11, 12 }, { 6, 7 }, { 8, 9 } };
#pragma GCC unroll 60
    for (int i = 0; i < 60; i++)
        exchange(&v[network[i][0]], &v[network[i][1]]);
}

/* The smaller of a and b where `high` is clear, else the larger. */
MX_INLINE __m512i choose(__m512i a, __m512i b, __mmask16 high)
{
    return _mm512_mask_max_epu32(_mm512_min_epu32(a, b), high, a, b);
}

/* Neighbouring groups of `lanes` sorted lanes become one; a group counts lane
   after lane.  A bitonic merge: the second group is met in reverse. */
MX_INLINE void merge_lanes(__m512i *v, int lanes)
{
    const __m512i at = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6,
        5, 4, 3, 2, 1, 0);
    static const __mmask16 highs[9] = { 0, 0xaaaa, 0xcccc, 0, 0xf0f0, 0, 0, 0,
        0xff00 };
    __m512i partner = _mm512_xor_si512(at, _mm512_set1_epi32(2 * lanes - 1));
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        __m512i a = v[i], b = v[15 - i];
        v[i] = choose(a, _mm512_permutexvar_epi32(partner, b), highs[lanes]);
        v[15 - i] =
            choose(b, _mm512_permutexvar_epi32(partner, a), highs[lanes]);
    }
    for (int d = lanes / 2; d > 0; d /= 2) {
        partner = _mm512_xor_si512(at, _mm512_set1_epi32(d));
#pragma GCC unroll 16
        for (int i = 0; i < 16; i++)
            v[i] = choose(v[i], _mm512_permutexvar_epi32(partner, v[i]),
                highs[d]);
    }
#pragma GCC unroll 4
    for (int d = 8; d > 0; d /= 2) {
#pragma GCC unroll 16
        for (int i = 0; i < 16; i++) {
            if (!(i & d))
                exchange(&v[i], &v[i + d]);
        }
    }
}

/* Lanes become vectors. */
MX_INLINE void transpose(__m512i *v)
{
    __m512i t[16], r[16];
#pragma GCC unroll 8
    for (int i = 0; i < 16; i += 2) {
        t[i] = _mm512_unpacklo_epi32(v[i], v[i + 1]);
        t[i + 1] = _mm512_unpackhi_epi32(v[i], v[i + 1]);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 16; i += 4) {
        r[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
        r[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
        r[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
        r[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        __m512i a = _mm512_shuffle_i32x4(r[i], r[i + 4], 0x88);
        __m512i b = _mm512_shuffle_i32x4(r[i], r[i + 4], 0xdd);
        __m512i c = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0x88);
        __m512i d = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0xdd);
        v[i] = _mm512_shuffle_i32x4(a, c, 0x88);
        v[i + 8] = _mm512_shuffle_i32x4(a, c, 0xdd);
        v[i + 4] = _mm512_shuffle_i32x4(b, d, 0x88);
        v[i + 12] = _mm512_shuffle_i32x4(b, d, 0xdd);
    }
}

/* Which of 16 lanes exist where n elements are left. */
MX_INLINE __mmask16 lanes_of(size_t n)
{
    return (__mmask16)(n >= 16 ? 0xffffu : (1u << n) - 1);
}

/* At most BLOCK_KEYS keys; dst may be src. */
static void sort_block(uint32_t *dst, const uint32_t *src, size_t n)
{
    __m512i v[16];
#pragma GCC unroll 16
    for (size_t i = 0; i < 16; i++)
        v[i] = _mm512_mask_loadu_epi32(_mm512_set1_epi32(-1),
            lanes_of(n > 16 * i ? n - 16 * i : 0), src + 16 * i);
    sort_lanes(v);
    merge_lanes(v, 1);
    merge_lanes(v, 2);
    merge_lanes(v, 4);
    merge_lanes(v, 8);
    transpose(v);
#pragma GCC unroll 16
    for (size_t i = 0; i < 16; i++)
        _mm512_mask_storeu_epi32(dst + 16 * i,
            lanes_of(n > 16 * i ? n - 16 * i : 0), v[i]);
}

/* Keys below the pivot (or up to it, if `with`) to the start of dst, the
   others to its end; how many went to the start. */
MX_INLINE size_t partition(uint32_t *dst, const uint32_t *src, size_t n,
    uint32_t pivot, int with)
{
    static const uint32_t turn[32] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
        12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
        15 };
    const __m512i p = _mm512_set1_epi32((int)pivot);
    size_t low = 0, high = n, i = 0;
    /* whole vectors, while what they write beside their keys is still free;
       compressing into a register is fast, into memory is not */
    for (; i + 32 <= n; i += 16) {
        __m512i v = _mm512_loadu_si512(src + i);
        __mmask16 below = with ? _mm512_cmple_epu32_mask(v, p)
                               : _mm512_cmplt_epu32_mask(v, p);
        size_t nb = (size_t)__builtin_popcount(below);
        __m512i rest =
            _mm512_maskz_compress_epi32((__mmask16)~below, v);
        _mm512_storeu_si512(dst + low,
            _mm512_maskz_compress_epi32(below, v));
        _mm512_storeu_si512(dst + high - 16, _mm512_permutexvar_epi32(
            _mm512_loadu_si512(turn + 16 - nb), rest));
        low += nb;
        high -= 16 - nb;
    }
    for (; i < n; i += 16) {
        __mmask16 all = lanes_of(n - i);
        __m512i v = _mm512_maskz_loadu_epi32(all, src + i);
        __mmask16 below = with ? _mm512_mask_cmple_epu32_mask(all, v, p)
                               : _mm512_mask_cmplt_epu32_mask(all, v, p);
        __mmask16 rest = (__mmask16)(all & ~below);
        size_t nb = (size_t)__builtin_popcount(below);
        size_t nr = (size_t)__builtin_popcount(rest);
        high -= nr;
        _mm512_mask_storeu_epi32(dst + low, lanes_of(nb),
            _mm512_maskz_compress_epi32(below, v));
        _mm512_mask_storeu_epi32(dst + high, lanes_of(nr),
            _mm512_maskz_compress_epi32(rest, v));
        low += nb;
    }
    return low;
}

MX_INLINE uint32_t middle(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    high = high < c ? high : c;
    return low > high ? low : high;
}

/* About the middle one: of three middle ones of three. */
static uint32_t pivot_of(const uint32_t *a, size_t n)
{
    size_t step = n / 9;
    const uint32_t *p = a + step / 2;
    uint32_t of[3];
    for (size_t i = 0; i < 3; i++)
        of[i] = middle(p[i * step], p[(i + 3) * step], p[(i + 6) * step]);
    return middle(of[0], of[1], of[2]);
}

/* Sort the n keys that stand in `from`, which is `a` or `b`, into `a`. */
static void quick(uint32_t *a, uint32_t *b, uint32_t *from, size_t n,
    int depth)
{
    while (n > BLOCK_KEYS) {
        uint32_t *to = from == a ? b : a;
        if (depth++ == DEEP) {
            uint32_t *end = merge_32(from, to, n);
            if (end != a)
                memcpy(a, end, n * sizeof *a);
            return;
        }
        uint32_t pivot = pivot_of(from, n);
        size_t low = partition(to, from, n, pivot, 0);
        if (low == 0) {
            /* the pivot is the least: all that equal it are in place */
            low = partition(to, from, n, pivot, 1);
            for (size_t i = 0; i < low; i++)
                a[i] = pivot;
        } else {
            quick(a, b, to, low, depth);
        }
        from = to + low;
        a += low;
        b += low;
        n -= low;
    }
    sort_block(a, from, n);
}

struct buckets {
    uint32_t *a, *b;
    uint32_t (*count)[SORT_BUCKETS];
};

static void sort_buckets(void *context, int64_t begin, int64_t end)
{
    const struct buckets *s = context;
    const uint32_t *ends = s->count[SORT_CHUNKS - 1];
    for (int64_t i = begin; i < end; i++) {
        uint32_t at = i ? ends[i - 1] : 0, n = ends[i] - at;
        if (n > 0)
            quick(s->a + at, s->b + at, s->b + at, n, 0);
    }
}

/* Buckets by the upper bits, each sorted by whoever comes; false if most keys
   share theirs. */
static int sort_shared(uint32_t *a, uint32_t *b, size_t n, void *count)
{
    struct pass_32 p = { a, b, n, (n + SORT_CHUNKS - 1) / SORT_CHUNKS, 21,
        SORT_BUCKETS - 1, count };
    mx_parallel_for(SORT_CHUNKS, 1, count_32, &p);
    for (size_t i = 0; i < SORT_BUCKETS; i++) {
        size_t all = 0;
        for (size_t c = 0; c < SORT_CHUNKS; c++)
            all += p.count[c][i];
        if (all > n / 4)
            return 0;
    }
    place_32(&p, SORT_CHUNKS);
    mx_parallel_for(SORT_CHUNKS, 1, move_32, &p);
    struct buckets s = { a, b, count };
    mx_parallel_for(SORT_BUCKETS, 1, sort_buckets, &s);
    return 1;
}

static uint32_t *sort_wide(uint32_t *a, uint32_t *b, size_t n, unsigned bits,
    void *count, int split)
{
    if (n > UINT32_MAX)
        return sort_32(a, b, n, bits, count, split);
    if (split && n >= SORT_SPLIT && mx_pool_size() > 1) {
        if (sort_shared(a, b, n, count))
            return a;
        return sort_32(a, b, n, bits, count, split);
    }
    quick(a, b, a, n, 0);
    return a;
}

#else
#define sort_wide sort_32
#endif
