/* SPDX-License-Identifier: MIT */
/* Reductions, positions, scans and updates of one type.  ACC is the
   accumulator (double, int64_t or uint64_t); LANES of them run beside each
   other, so the order of additions is the same at every level. */

#define LANES 32
#define EXTREMES 64

#define FOLD(name, start, step) \
    MX_INLINE ACC TN(name##_step)(ACC x, ACC y) { return step; } \
    static void TN(name##_init)(void *acc, size_t n) \
    { TN(fill_acc)(acc, (ACC)(start), n); } \
    static void TN(name##_row)(void *acc, const void *a, size_t n) \
    { TN(row)(acc, a, n, (ACC)(start), TN(name##_step)); } \
    static void TN(name##_column)(void *acc, const void *a, ptrdiff_t stride, \
        size_t rows, size_t n) \
    { TN(column)(acc, a, stride, rows, n, TN(name##_step)); } \
    static void TN(name##_combine)(void *acc, const void *b, size_t n) \
    { TN(combine)(acc, b, n, TN(name##_step)); }

MX_INLINE void TN(fill_acc)(ACC *acc, ACC start, size_t n)
{
    for (size_t i = 0; i < n; i++)
        acc[i] = start;
}

MX_INLINE void TN(row)(ACC *acc, const T *a, size_t n, ACC start,
    ACC (*step)(ACC, ACC))
{
    ACC lane[LANES];
    size_t i = 0;
    for (size_t j = 0; j < LANES; j++)
        lane[j] = start;
    for (; i + LANES <= n; i += LANES) {
        for (size_t j = 0; j < LANES; j++)
            lane[j] = step(lane[j], (ACC)LD(a + i + j));
    }
    for (size_t j = 0; i + j < n; j++)
        lane[j] = step(lane[j], (ACC)LD(a + i + j));
    for (size_t w = LANES / 2; w; w /= 2) {
        for (size_t j = 0; j < w; j++)
            lane[j] = step(lane[j], lane[j + w]);
    }
    *acc = step(*acc, lane[0]);
}

/* Four rows at a time, so that accumulators are loaded and stored less. */
MX_INLINE void TN(column)(ACC *restrict acc, const T *restrict a,
    ptrdiff_t stride, size_t rows, size_t n, ACC (*step)(ACC, ACC))
{
    for (; rows >= 4; rows -= 4, a += 4 * stride) {
        const T *restrict b = a + stride, *restrict c = b + stride;
        const T *restrict d = c + stride;
        for (size_t i = 0; i < n; i++) {
            ACC x = step(acc[i], (ACC)LD(a + i));
            x = step(x, (ACC)LD(b + i));
            x = step(x, (ACC)LD(c + i));
            acc[i] = step(x, (ACC)LD(d + i));
        }
    }
    for (; rows; rows--, a += stride) {
        for (size_t i = 0; i < n; i++)
            acc[i] = step(acc[i], (ACC)LD(a + i));
    }
}

MX_INLINE void TN(combine)(ACC *acc, const ACC *b, size_t n,
    ACC (*step)(ACC, ACC))
{
    for (size_t i = 0; i < n; i++)
        acc[i] = step(acc[i], b[i]);
}

FOLD(sum, 0, WRAP(x, +, y))
FOLD(prod, 1, WRAP(x, *, y))
/* NaN, once there, stays */
FOLD(max, LOWEST, ((y > x) | (y != y)) ? y : x)
FOLD(min, HIGHEST, ((y < x) | (y != y)) ? y : x)
FOLD(all, 1, (ACC)((x != 0) & (y != 0)))
FOLD(any, 0, (ACC)((x != 0) | (y != 0)))
#undef FOLD
#undef LANES

static void TN(finish)(void *dst, const void *acc, size_t n)
{
    T *d = dst;
    const ACC *x = acc;
    for (size_t i = 0; i < n; i++)
        ST(d + i, (A)x[i]);
}

static void TN(finish_truth)(void *dst, const void *acc, size_t n)
{
    uint8_t *d = dst;
    const ACC *x = acc;
    for (size_t i = 0; i < n; i++)
        d[i] = x[i] != 0;
}

/* Sums of small types widen to 32 bits. */
static void TN(finish_wide)(void *dst, const void *acc, size_t n)
{
    int32_t *d = dst;
    const ACC *x = acc;
    for (size_t i = 0; i < n; i++)
        d[i] = (int32_t)(int64_t)x[i];
}

/* ---- positions: compared as CMP, the type itself or the float that a 16-bit
   one widens to ---- */

MX_INLINE int TN(beats)(CMP x, CMP best, int max)
{
    return best == best && ((max ? x > best : x < best) || x != x);
}

/* Extreme of a block in lanes; *nan says whether there is a NaN. */
MX_INLINE CMP TN(extreme)(const T *a, size_t n, int max, int *nan)
{
    CMP lane[EXTREMES];
    int bad[EXTREMES] = { 0 };
    size_t i = 0;
    for (size_t j = 0; j < EXTREMES; j++)
        lane[j] = (CMP)LD(a);
    for (; i + EXTREMES <= n; i += EXTREMES) {
        for (size_t j = 0; j < EXTREMES; j++) {
            CMP x = (CMP)LD(a + i + j);
            bad[j] |= x != x;
            lane[j] = (max ? x > lane[j] : x < lane[j]) ? x : lane[j];
        }
    }
    for (size_t j = 0; i + j < n; j++) {
        CMP x = (CMP)LD(a + i + j);
        bad[j] |= x != x;
        lane[j] = (max ? x > lane[j] : x < lane[j]) ? x : lane[j];
    }
    for (size_t w = EXTREMES / 2; w; w /= 2) {
        for (size_t j = 0; j < w; j++) {
            CMP x = lane[j + w];
            bad[j] |= bad[j + w];
            lane[j] = (max ? x > lane[j] : x < lane[j]) ? x : lane[j];
        }
    }
    *nan = bad[0];
    return lane[0];
}

#define BLOCK 1024

/* The best block, and only then where in it. */
MX_INLINE size_t TN(position)(const T *a, size_t n, int max)
{
    CMP best = 0;
    size_t start = 0, end = n;
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t m = n - i < BLOCK ? n - i : BLOCK;
        int nan;
        CMP top = TN(extreme)(a + i, m, max, &nan);
        if (nan) {
            while (LD(a + i) == LD(a + i))
                i++;
            return i;
        }
        if (i == 0 || TN(beats)(top, best, max)) {
            best = top;
            start = i;
        }
    }
    end = n - start < BLOCK ? n : start + BLOCK;
    for (; start + EXTREMES <= end; start += EXTREMES) {
        int here = 0;
        for (size_t j = 0; j < EXTREMES; j++)
            here |= (CMP)LD(a + start + j) == best;
        if (here)
            break;
    }
    while ((CMP)LD(a + start) != best)
        start++;
    return start;
}

#undef BLOCK

static size_t TN(argmax)(const void *a, size_t n)
{
    return TN(position)(a, n, 1);
}

static size_t TN(argmin)(const void *a, size_t n)
{
    return TN(position)(a, n, 0);
}

MX_INLINE void TN(positions)(T *restrict best, uint32_t *restrict at,
    const T *restrict a, uint32_t i, size_t n, int max)
{
    for (size_t j = 0; j < n; j++) {
        CMP x = (CMP)LD(a + j), y = (CMP)LD(best + j);
        int take = (y == y) & ((max ? x > y : x < y) | (x != x));
        best[j] = take ? a[j] : best[j];
        at[j] = take ? i : at[j];
    }
}

static void TN(argmax_column)(void *best, uint32_t *at, const void *a,
    uint32_t i, size_t n)
{
    TN(positions)(best, at, a, i, n, 1);
}

static void TN(argmin_column)(void *best, uint32_t *at, const void *a,
    uint32_t i, size_t n)
{
    TN(positions)(best, at, a, i, n, 0);
}

/* ---- scans ---- */

/* Where ACC is wider than the elements, four steps share one link of the
   chain: no product or sum of four overflows that the whole would not. */
MX_INLINE ACC TN(scan)(T *dst, ptrdiff_t ds, const T *src, ptrdiff_t ss,
    size_t n, int inclusive, ACC start, int fours, ACC (*step)(ACC, ACC))
{
    ptrdiff_t i = 0, end = (ptrdiff_t)n;
    ACC x = start;
    if (fours && sizeof(T) < sizeof(ACC) && inclusive) {
        for (; i + 4 <= end; i += 4) {
            ACC a = (ACC)LD(src + i * ss);
            ACC b = step(a, (ACC)LD(src + (i + 1) * ss));
            ACC c = (ACC)LD(src + (i + 2) * ss);
            ACC d = step(c, (ACC)LD(src + (i + 3) * ss));
            ST(dst + i * ds, (A)step(x, a));
            ST(dst + (i + 1) * ds, (A)step(x, b));
            ST(dst + (i + 2) * ds, (A)step(x, step(b, c)));
            x = step(x, step(b, d));
            ST(dst + (i + 3) * ds, (A)x);
        }
    }
    for (; i < end; i++) {
        ACC y = step(x, (ACC)LD(src + i * ss));
        ST(dst + i * ds, (A)(inclusive ? y : x));
        x = y;
    }
    return x;
}

/* Without regard to NaN these are one instruction. */
MX_INLINE ACC TN(larger)(ACC x, ACC y) { return y > x ? y : x; }
MX_INLINE ACC TN(smaller)(ACC x, ACC y) { return y < x ? y : x; }

/* Elements before the first block of 64 that has a NaN. */
MX_INLINE size_t TN(numbers)(const T *a, ptrdiff_t s, size_t n)
{
    for (size_t i = 0; i < n; i += 64) {
        size_t m = n - i < 64 ? n - i : 64;
        int nan = 0;
        for (size_t j = 0; j < m; j++) {
            A x = (A)LD(a + (ptrdiff_t)(i + j) * s);
            nan |= x != x;
        }
        if (nan)
            return i;
    }
    return n;
}

MX_INLINE void TN(scan_extreme)(T *dst, ptrdiff_t ds, const T *src,
    ptrdiff_t ss, size_t n, int inclusive, ACC start, ACC (*fast)(ACC, ACC),
    ACC (*step)(ACC, ACC))
{
    size_t m = TN(numbers)(src, ss, n);
    start = TN(scan)(dst, ds, src, ss, m, inclusive, start, 0, fast);
    TN(scan)(dst + (ptrdiff_t)m * ds, ds, src + (ptrdiff_t)m * ss, ss, n - m,
        inclusive, start, 0, step);
}

MX_INLINE void TN(scan_column)(ACC *restrict acc, T *dst, const T *src,
    size_t n, int inclusive, ACC (*step)(ACC, ACC))
{
    for (size_t j = 0; j < n; j++) {
        ACC x = acc[j], y = step(x, (ACC)LD(src + j));
        ST(dst + j, (A)(inclusive ? y : x));
        acc[j] = y;
    }
}

#define SCAN(name, ...) \
    static void TN(cum##name)(void *dst, ptrdiff_t ds, const void *src, \
        ptrdiff_t ss, size_t n, int inclusive) \
    { __VA_ARGS__; } \
    static void TN(cum##name##_column)(void *acc, void *dst, \
        const void *src, size_t n, int inclusive) \
    { TN(scan_column)(acc, dst, src, n, inclusive, TN(name##_step)); }
SCAN(sum, TN(scan)(dst, ds, src, ss, n, inclusive, 0, 1,
    TN(sum_step)))
SCAN(prod, TN(scan)(dst, ds, src, ss, n, inclusive, 1, 1,
    TN(prod_step)))
SCAN(max, TN(scan_extreme)(dst, ds, src, ss, n, inclusive, LOWEST,
    TN(larger), TN(max_step)))
SCAN(min, TN(scan_extreme)(dst, ds, src, ss, n, inclusive, HIGHEST,
    TN(smaller), TN(min_step)))
#undef SCAN

static void TN(recurrence)(void *dst, ptrdiff_t ds, const void *a,
    ptrdiff_t as, const void *b, ptrdiff_t bs, size_t n)
{
    T *d = dst;
    const T *p = a, *q = b;
    ACC y = 0;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) {
        ACC x = WRAP((ACC)LD(p + i * as), *, y);
        y = WRAP(x, +, (ACC)LD(q + i * bs));
        ST(d + i * ds, (A)y);
    }
}

/* ---- updates ---- */

#define UPDATE(name) \
    static void TN(update_##name)(void *dst, const void *a, const void *b, \
        size_t n) \
    { T *d = dst; const T *x = a, *y = b; \
      for (size_t i = 0; i < n; i++) \
        ST(d + i, (A)TN(name##_step)((ACC)LD(x + i), (ACC)LD(y + i))); }
UPDATE(sum)
UPDATE(prod)
UPDATE(max)
UPDATE(min)
#undef UPDATE
#undef EXTREMES

static void TN(fill)(struct mx_cpu_kernels *k)
{
#define REDUCE(ID, name, end) \
    k->reduce[MX_REDUCE_##ID][DTYPE] = (struct mx_reduce_kernel){ \
        TN(name##_init), TN(name##_row), TN(name##_column), \
        TN(name##_combine), TN(end), sizeof(ACC) };
    REDUCE(SUM, sum, SUM_FINISH)
    REDUCE(PROD, prod, SUM_FINISH)
    REDUCE(MAX, max, finish)
    REDUCE(MIN, min, finish)
    REDUCE(ALL, all, finish_truth)
    REDUCE(ANY, any, finish_truth)
#undef REDUCE
    (void)TN(finish_wide);
    k->argreduce[1][DTYPE] = TN(argmax);
    k->argreduce[0][DTYPE] = TN(argmin);
    k->argcolumn[1][DTYPE] = TN(argmax_column);
    k->argcolumn[0][DTYPE] = TN(argmin_column);
    k->scan[MX_SCAN_SUM][DTYPE] = TN(cumsum);
    k->scan[MX_SCAN_PROD][DTYPE] = TN(cumprod);
    k->scan[MX_SCAN_MAX][DTYPE] = TN(cummax);
    k->scan[MX_SCAN_MIN][DTYPE] = TN(cummin);
    k->scan_column[MX_SCAN_SUM][DTYPE] = TN(cumsum_column);
    k->scan_column[MX_SCAN_PROD][DTYPE] = TN(cumprod_column);
    k->scan_column[MX_SCAN_MAX][DTYPE] = TN(cummax_column);
    k->scan_column[MX_SCAN_MIN][DTYPE] = TN(cummin_column);
    k->recurrence[DTYPE] = TN(recurrence);
    k->update[MX_UPDATE_ADD][DTYPE] = TN(update_sum);
    k->update[MX_UPDATE_PROD][DTYPE] = TN(update_prod);
    k->update[MX_UPDATE_MAX][DTYPE] = TN(update_max);
    k->update[MX_UPDATE_MIN][DTYPE] = TN(update_min);
}
