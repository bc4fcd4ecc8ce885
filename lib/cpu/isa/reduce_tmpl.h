/* SPDX-License-Identifier: MIT */
/* Reductions, positions, scans and updates of one type.  ACC is the
   accumulator (double, int64_t or uint64_t); LANES of them run beside each
   other, so the order of additions is the same at every level. */

#define LANES 32

#define FOLD(name, start, step) \
    MX_INLINE ACC TN(name##_step)(ACC x, ACC y) { return step; } \
    static void TN(name##_init)(void *acc, size_t n) \
    { TN(fill_acc)(acc, (ACC)(start), n); } \
    static void TN(name##_row)(void *acc, const void *a, size_t n) \
    { TN(row)(acc, a, n, (ACC)(start), TN(name##_step)); } \
    static void TN(name##_column)(void *acc, const void *a, size_t n) \
    { TN(column)(acc, a, n, TN(name##_step)); } \
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

MX_INLINE void TN(column)(ACC *restrict acc, const T *restrict a, size_t n,
    ACC (*step)(ACC, ACC))
{
    for (size_t i = 0; i < n; i++)
        acc[i] = step(acc[i], (ACC)LD(a + i));
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
FOLD(max, LOWEST, y > x || y != y ? y : x)
FOLD(min, HIGHEST, y < x || y != y ? y : x)
FOLD(all, 1, (ACC)(x != 0 && y != 0))
FOLD(any, 0, (ACC)(x != 0 || y != 0))
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

/* ---- positions ---- */

MX_INLINE int TN(beats)(ACC x, ACC best, int max)
{
    return best == best && ((max ? x > best : x < best) || x != x);
}

MX_INLINE size_t TN(position)(const T *a, size_t n, int max)
{
    ACC best = (ACC)LD(a);
    size_t at = 0;
    for (size_t i = 0; i < n; i += 512) {
        /* find the extreme of a block, then where it is, if it wins */
        size_t m = n - i < 512 ? n - i : 512;
        ACC top = max ? LOWEST : HIGHEST;
        int nan = 0;
        for (size_t j = 0; j < m; j++) {
            ACC x = (ACC)LD(a + i + j);
            nan |= x != x;
            top = (max ? x > top : x < top) ? x : top;
        }
        if (!nan && !TN(beats)(top, best, max))
            continue;
        for (size_t j = 0; j < m; j++) {
            ACC x = (ACC)LD(a + i + j);
            if (TN(beats)(x, best, max)) {
                best = x;
                at = i + j;
            }
        }
    }
    return at;
}

static size_t TN(argmax)(const void *a, size_t n)
{
    return TN(position)(a, n, 1);
}

static size_t TN(argmin)(const void *a, size_t n)
{
    return TN(position)(a, n, 0);
}

MX_INLINE void TN(positions)(ACC *restrict best, int64_t *restrict at,
    const T *restrict a, int64_t i, size_t n, int max)
{
    for (size_t j = 0; j < n; j++) {
        ACC x = (ACC)LD(a + j);
        int take = i == 0 || TN(beats)(x, best[j], max);
        best[j] = take ? x : best[j];
        at[j] = take ? i : at[j];
    }
}

static void TN(argmax_column)(void *best, int64_t *at, const void *a,
    int64_t i, size_t n)
{
    TN(positions)(best, at, a, i, n, 1);
}

static void TN(argmin_column)(void *best, int64_t *at, const void *a,
    int64_t i, size_t n)
{
    TN(positions)(best, at, a, i, n, 0);
}

/* ---- scans ---- */

MX_INLINE void TN(scan)(T *dst, ptrdiff_t ds, const T *src, ptrdiff_t ss,
    size_t n, int inclusive, ACC start, ACC (*step)(ACC, ACC))
{
    ACC x = start;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) {
        ACC y = step(x, (ACC)LD(src + i * ss));
        ST(dst + i * ds, (A)(inclusive ? y : x));
        x = y;
    }
}

#define SCAN(name, start) \
    static void TN(cum##name)(void *dst, ptrdiff_t ds, const void *src, \
        ptrdiff_t ss, size_t n, int inclusive) \
    { TN(scan)(dst, ds, src, ss, n, inclusive, (ACC)(start), \
        TN(name##_step)); }
SCAN(sum, 0)
SCAN(prod, 1)
SCAN(max, LOWEST)
SCAN(min, HIGHEST)
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
    k->recurrence[DTYPE] = TN(recurrence);
    k->update[MX_UPDATE_ADD][DTYPE] = TN(update_sum);
    k->update[MX_UPDATE_PROD][DTYPE] = TN(update_prod);
    k->update[MX_UPDATE_MAX][DTYPE] = TN(update_max);
    k->update[MX_UPDATE_MIN][DTYPE] = TN(update_min);
}
