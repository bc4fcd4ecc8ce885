/* SPDX-License-Identifier: MIT */
/* Products of a few lines with a matrix read as it lies, for one dtype that
   is computed in P by vectors V: TN(load) reads a vector of elements, MADD is
   one step.  Dots keep 64 bytes of sums a line at every level and fold them
   in one order, so that levels with the same MADD agree. */

#define NV (64 / MX_VBYTES)
#define BLOCK ((size_t)(64 / sizeof(P)))
#define LANES_V ((size_t)(MX_VBYTES / sizeof(P)))
/* Lines of the matrix that are read at once, as registers allow. */
#define BESIDE(t) (NV == 1 ? (t) == 1 ? 4 : 6 \
    : NV == 2 && (t) < 3 ? 4 / (t) : NV == 4 && (t) == 1 ? 2 : 1)
#define STEPS (NV == 1 ? 16 : 8)

/* One block of `lines` lines by t thin ones. */
MX_INLINE void TN(dot_step)(V acc[6][4][NV], const P *thin, ptrdiff_t tl,
    const T *big, ptrdiff_t line, const int lines, const int t)
{
    MX_UNROLL
    for (int l = 0; l < lines && t > 1; l++) /* one is faster without */
        __builtin_prefetch((const void *)((uintptr_t)(big + l * line) + 256));
    MX_UNROLL
    for (ptrdiff_t v = 0; v < NV; v++) {
        const ptrdiff_t at = v * (ptrdiff_t)LANES_V;
        V x[4];
        MX_UNROLL
        for (int i = 0; i < t; i++)
            memcpy(&x[i], thin + i * tl + at, sizeof x[i]);
        MX_UNROLL
        for (int l = 0; l < lines; l++) {
            V y = TN(load)(big + l * line + at);
            MX_UNROLL
            for (int i = 0; i < t; i++)
                acc[l][i][v] = MADD(acc[l][i][v], x[i], y);
        }
    }
}

MX_INLINE void TN(dot_lines)(P *sums, ptrdiff_t sl, ptrdiff_t st,
    const P *thin, ptrdiff_t tl, const T *big, ptrdiff_t line, size_t k,
    const int lines, const int t)
{
    V acc[6][4][NV];
    size_t p = 0;
    MX_UNROLL
    for (int l = 0; l < lines; l++)
        MX_UNROLL
        for (int i = 0; i < t; i++)
            MX_UNROLL
            for (int v = 0; v < NV; v++)
                acc[l][i][v] = (V){ 0 };
    for (; p + BLOCK <= k; p += BLOCK)
        TN(dot_step)(acc, thin + p, tl, big + p, line, lines, t);
    if (p < k) {
        P x[4 * BLOCK];
        T y[6 * BLOCK];
        memset(x, 0, sizeof x);
        memset(y, 0, sizeof y);
        for (int i = 0; i < t; i++)
            memcpy(x + i * (ptrdiff_t)BLOCK, thin + i * tl + p,
                (k - p) * sizeof *x);
        for (int l = 0; l < lines; l++)
            memcpy(y + l * (ptrdiff_t)BLOCK, big + l * line + p,
                (k - p) * sizeof *y);
        TN(dot_step)(acc, x, (ptrdiff_t)BLOCK, y, (ptrdiff_t)BLOCK, lines, t);
    }
    MX_UNROLL
    for (int l = 0; l < lines; l++)
        MX_UNROLL
        for (int i = 0; i < t; i++)
            sums[l * sl + i * st] = FOLD(acc[l][i]);
}

MX_INLINE void TN(dot_all)(P *sums, ptrdiff_t sl, ptrdiff_t st,
    const P *thin, ptrdiff_t tl, const T *big, ptrdiff_t line, size_t lines,
    size_t k, const int t)
{
    /* as many runs of lines, each of which is one stream of memory */
    const ptrdiff_t run = (ptrdiff_t)lines / BESIDE(t);
    for (ptrdiff_t l = 0; l < run; l++)
        TN(dot_lines)(sums + l * sl, run * sl, st, thin, tl, big + l * line,
            run * line, k, BESIDE(t), t);
    for (size_t l = (size_t)run * BESIDE(t); l < lines; l++)
        TN(dot_lines)(sums + (ptrdiff_t)l * sl, sl, st, thin, tl,
            big + (ptrdiff_t)l * line, line, k, 1, t);
}

static void TN(dot1)(P *s, ptrdiff_t sl, ptrdiff_t st, const P *x,
    ptrdiff_t tl, const T *big, ptrdiff_t line, size_t lines, size_t k)
{
    TN(dot_all)(s, sl, st, x, tl, big, line, lines, k, 1);
}

static void TN(dot2)(P *s, ptrdiff_t sl, ptrdiff_t st, const P *x,
    ptrdiff_t tl, const T *big, ptrdiff_t line, size_t lines, size_t k)
{
    TN(dot_all)(s, sl, st, x, tl, big, line, lines, k, 2);
}

static void TN(dot3)(P *s, ptrdiff_t sl, ptrdiff_t st, const P *x,
    ptrdiff_t tl, const T *big, ptrdiff_t line, size_t lines, size_t k)
{
    TN(dot_all)(s, sl, st, x, tl, big, line, lines, k, 3);
}

static void TN(dot4)(P *s, ptrdiff_t sl, ptrdiff_t st, const P *x,
    ptrdiff_t tl, const T *big, ptrdiff_t line, size_t lines, size_t k)
{
    TN(dot_all)(s, sl, st, x, tl, big, line, lines, k, 4);
}

static void TN(dots)(void *sums, ptrdiff_t sl, ptrdiff_t st,
    const void *thin, ptrdiff_t tl, size_t t, const void *big,
    ptrdiff_t line, size_t lines, size_t k)
{
    P *s = sums;
    const P *x = thin;
    for (; t > 4; t -= 4, s += 4 * st, x += 4 * tl)
        TN(dot4)(s, sl, st, x, tl, big, line, lines, k);
    if (t == 4)
        TN(dot4)(s, sl, st, x, tl, big, line, lines, k);
    else if (t == 3)
        TN(dot3)(s, sl, st, x, tl, big, line, lines, k);
    else if (t == 2)
        TN(dot2)(s, sl, st, x, tl, big, line, lines, k);
    else if (t == 1)
        TN(dot1)(s, sl, st, x, tl, big, line, lines, k);
}

/* `steps` rows of the matrix, as far as one vector reaches, into the sums of
   t thin lines. */
MX_INLINE void TN(row_step)(P *sums, ptrdiff_t ld, const P *thin,
    ptrdiff_t tl, size_t t, const T *big, ptrdiff_t along, const int steps)
{
    V y[STEPS];
    MX_UNROLL
    for (int r = 0; r < steps; r++)
        y[r] = TN(load)(big + r * along);
    for (size_t i = 0; i < t; i++, sums += ld, thin += tl) {
        V acc;
        memcpy(&acc, sums, sizeof acc);
        MX_UNROLL
        for (int r = 0; r < steps; r++)
            acc = MADD(acc, thin[r] - (V){ 0 }, y[r]);
        memcpy(sums, &acc, sizeof acc);
    }
}

MX_INLINE void TN(row_steps)(P *sums, ptrdiff_t ld, const P *thin,
    ptrdiff_t tl, size_t t, const T *big, ptrdiff_t along, size_t lines,
    const int steps)
{
    size_t j = 0;
    for (; j + LANES_V <= lines; j += LANES_V)
        TN(row_step)(sums + j, ld, thin, tl, t, big + j, along, steps);
    if (j < lines) {
        T y[STEPS * LANES_V];
        memset(y, 0, sizeof y);
        for (int r = 0; r < steps; r++)
            memcpy(y + r * (ptrdiff_t)LANES_V, big + r * along + j,
                (lines - j) * sizeof *y);
        TN(row_step)(sums + j, ld, thin, tl, t, y, (ptrdiff_t)LANES_V,
            steps);
    }
}

static void TN(rows)(void *sums, ptrdiff_t ld, const void *thin,
    ptrdiff_t tl, size_t t, const void *big, ptrdiff_t along, size_t lines,
    size_t k)
{
    const P *x = thin;
    const T *y = big;
    for (size_t i = 0; i < t; i++)
        memset((P *)sums + (ptrdiff_t)i * ld, 0, (lines + LANES_V - 1) /
            LANES_V * MX_VBYTES);
    for (; k >= STEPS; k -= STEPS, x += STEPS, y += STEPS * along)
        TN(row_steps)(sums, ld, x, tl, t, y, along, lines, STEPS);
    for (; k > 0; k--, x++, y += along)
        TN(row_steps)(sums, ld, x, tl, t, y, along, lines, 1);
}

static void TN(thin)(void *dst, const void *src, ptrdiff_t stride, size_t k)
{
    P *d = dst;
    const T *s = src;
    for (size_t p = 0; p < k; p++)
        d[p] = LD(s + (ptrdiff_t)p * stride);
}

static void TN(fill)(struct mx_cpu_kernels *k)
{
    k->skinny[DTYPE] = (struct mx_skinny_kernel){
        .dots = TN(dots),
        .rows = TN(rows),
        .thin = TN(thin),
        .size = sizeof(P),
    };
}

#undef NV
#undef BLOCK
#undef LANES_V
#undef BESIDE
#undef STEPS
