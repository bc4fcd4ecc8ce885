/* SPDX-License-Identifier: MIT */
/* Packing and storing for one dtype whose products are computed in P: panels
   of `width` lines from any strides, and sums into the output.  ONE(x) is an
   element as P; WIDEN and NARROW are there if floats convert in runs. */

/* Are elements sums as they lie? */
#define TN_SAME (sizeof(T) == sizeof(P))

MX_INLINE void TN(line)(P *d, const T *s, size_t n)
{
#ifdef WIDEN
    WIDEN(d, s, n);
#else
    if (TN_SAME)
        memcpy(d, s, n * sizeof *d);
    else
        for (size_t i = 0; i < n; i++)
            d[i] = ONE(s[i]);
#endif
}

/* `rows` steps along k of n lines that lie side by side. */
MX_INLINE void TN(beside)(P *d, size_t w, const T *s, ptrdiff_t ks,
    size_t n, size_t rows)
{
    for (size_t p = 0; p < rows; p++, d += w, s += ks) {
        TN(line)(d, s, n);
        for (size_t i = n; i < w; i++)
            d[i] = 0;
    }
}

/* Some steps along k of all panels, then the next: rows of the source are
   read once and in order. */
static void TN(pack_beside)(P *d, const T *s, ptrdiff_t ks, size_t n,
    size_t width, size_t step, size_t k)
{
    enum { RUN = 16 };
    for (size_t p = 0; p < k; p += RUN) {
        size_t rows = k - p < RUN ? k - p : RUN;
        for (size_t i = 0; i < n; i += width) {
            size_t m = n - i < width ? n - i : width;
            size_t w = (m + step - 1) / step * step;
            P *to = d + i * k + p * w;
            const T *from = s + i + (ptrdiff_t)p * ks;
            if (m == 3 * LANES)
                TN(beside)(to, 3 * LANES, from, ks, 3 * LANES, rows);
            else if (m == ROWS && w == ROWS)
                TN(beside)(to, ROWS, from, ks, ROWS, rows);
            else
                TN(beside)(to, w, from, ks, m, rows);
        }
    }
}

/* Four lines along k become columns of a panel. */
MX_INLINE void TN(turn)(P *to, size_t w, const T *s, ptrdiff_t ls, size_t n)
{
    enum { RUN = 64 }; /* n at most */
    P run[4][RUN];
    const P *from = run[0];
    ptrdiff_t lds = RUN;
    size_t done = 0;
    if (TN_SAME) {
        from = (const void *)s;
        lds = ls;
    } else {
        for (ptrdiff_t i = 0; i < 4; i++)
            TN(line)(run[i], s + i * ls, n);
    }
    if (sizeof(P) == 4)
        done = mx_turn_words(to, (ptrdiff_t)w, from, lds, n);
    else if (sizeof(P) == 8)
        done = mx_turn_doubles(to, (ptrdiff_t)w, from, lds, n);
    for (; done < n; done++)
        for (size_t i = 0; i < 4; i++)
            to[done * w + i] = from[(ptrdiff_t)i * lds + (ptrdiff_t)done];
}

/* One panel of n lines that lie apart. */
static void TN(pack_apart)(P *d, const T *s, ptrdiff_t ls, ptrdiff_t ks,
    size_t n, size_t w, size_t k)
{
    enum { RUN = 64 };
    for (size_t p = 0; p < k; p += RUN) {
        size_t rows = k - p < RUN ? k - p : RUN, i = 0;
        const T *from = s + (ptrdiff_t)p * ks;
        P *to = d + p * w;
        if (ks == 1)
            for (; i + 4 <= n; i += 4)
                TN(turn)(to + i, w, from + (ptrdiff_t)i * ls, ls, rows);
        for (; i < n; i++) {
            const T *at = from + (ptrdiff_t)i * ls;
            for (size_t q = 0; q < rows; q++)
                to[q * w + i] = ONE(at[(ptrdiff_t)q * ks]);
        }
        for (; i < w; i++)
            for (size_t q = 0; q < rows; q++)
                to[q * w + i] = 0;
    }
}

static void TN(pack)(void *dst, const void *src, ptrdiff_t ls, ptrdiff_t ks,
    size_t n, size_t width, size_t step, size_t k)
{
    P *d = dst;
    const T *s = src;
    if (ls == 1 && n > 1) {
        TN(pack_beside)(d, s, ks, n, width, step, k);
        return;
    }
    for (size_t i = 0; i < n; i += width) {
        size_t m = n - i < width ? n - i : width;
        TN(pack_apart)(d + i * k, s + (ptrdiff_t)i * ls, ls, ks, m,
            (m + step - 1) / step * step, k);
    }
}

#if KIND & 8
MX_INLINE void TN(scale)(P *d, const P *t, size_t n, double alpha,
    double beta)
{
    const P x = (P)alpha, y = (P)beta;
    if (beta == 0)
        for (size_t j = 0; j < n; j++)
            d[j] = x * t[j];
    else
        for (size_t j = 0; j < n; j++)
            d[j] = x * t[j] + y * d[j];
}
#endif

#ifdef NARROW
MX_INLINE void TN(scale_narrow)(T *d, const P *t, size_t n, double alpha,
    double beta)
{
    enum { RUN = 64 };
    P row[RUN];
    for (size_t j = 0; j < n; j += RUN) {
        size_t m = n - j < RUN ? n - j : RUN;
        if (beta != 0)
            WIDEN(row, d + j, m);
        TN(scale)(row, t + j, m, alpha, beta);
        NARROW(d + j, row, m);
    }
}
#endif

static void TN(store)(void *c, ptrdiff_t ldc, const void *tile, ptrdiff_t lt,
    size_t m, size_t n, double alpha, double beta)
{
    T *d = c;
    const P *t = tile;
    for (size_t i = 0; i < m; i++, d += ldc, t += lt) {
#ifdef NARROW
        TN(scale_narrow)(d, t, n, alpha, beta);
#elif KIND & 8
        TN(scale)(d, t, n, alpha, beta);
#elif KIND == 1
        for (size_t j = 0; j < n; j++)
            d[j] = (T)(t[j] != 0 || (beta != 0 && d[j] != 0));
#else
        for (size_t j = 0; j < n; j++)
            d[j] = (T)(beta == 0 ? t[j] : (P)(t[j] + (P)d[j]));
#endif
    }
#if !(KIND & 8)
    (void)alpha; /* one */
#endif
}

static void TN(fill)(struct mx_cpu_kernels *k)
{
    struct mx_gemm_kernel *g = &k->gemm[DTYPE];
    PN(fill)(g);
    g->pack = TN(pack);
    g->store = TN(store);
    g->direct = TN_SAME;
}

#undef TN_SAME
#undef ONE
#undef WIDEN
#undef NARROW
