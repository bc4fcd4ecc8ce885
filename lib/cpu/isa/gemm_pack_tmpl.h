/* SPDX-License-Identifier: MIT */
/* Packing and storing for one dtype whose products are computed in P: panels
   of `w` lines from any strides, and tiles into the output.  ONE(x) is an
   element as P; WIDEN and NARROW are there if floats convert in runs. */

MX_INLINE void TN(line)(P *d, const T *s, size_t n)
{
#ifdef WIDEN
    WIDEN(d, s, n);
#else
    for (size_t i = 0; i < n; i++)
        d[i] = ONE(s[i]);
#endif
}

/* Four lines along k become columns of a panel. */
MX_INLINE void TN(turn)(P *d, size_t w, const T *s, ptrdiff_t ls, size_t k)
{
    enum { RUN = 64 };
    P run[4][RUN];
    for (size_t p = 0; p < k; p += RUN) {
        size_t n = k - p < RUN ? k - p : RUN, done = 0;
        P *to = d + p * w;
        for (ptrdiff_t i = 0; i < 4; i++)
            TN(line)(run[i], s + i * ls + (ptrdiff_t)p, n);
        if (sizeof(P) == 4)
            done = mx_turn_words(to, (ptrdiff_t)w, run, RUN, n);
        else if (sizeof(P) == 8)
            done = mx_turn_doubles(to, (ptrdiff_t)w, run, RUN, n);
        for (; done < n; done++)
            for (size_t i = 0; i < 4; i++)
                to[done * w + i] = run[i][done];
    }
}

static void TN(pack)(void *dst, const void *src, ptrdiff_t ls, ptrdiff_t ks,
    size_t n, size_t w, size_t k)
{
    P *d = dst;
    const T *s = src;
    size_t i = 0;
    if (ls == 1 && n > 1) {
        for (size_t p = 0; p < k; p++, d += w, s += ks) {
            TN(line)(d, s, n);
            for (i = n; i < w; i++)
                d[i] = 0;
        }
        return;
    }
    if (ks == 1)
        for (; i + 4 <= n; i += 4)
            TN(turn)(d + i, w, s + (ptrdiff_t)i * ls, ls, k);
    for (; i < n; i++) {
        const T *at = s + (ptrdiff_t)i * ls;
        for (size_t p = 0; p < k; p++)
            d[p * w + i] = ONE(at[(ptrdiff_t)p * ks]);
    }
    for (; i < w; i++)
        for (size_t p = 0; p < k; p++)
            d[p * w + i] = 0;
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

static void TN(store)(void *c, ptrdiff_t ldc, const void *tile, ptrdiff_t lt,
    size_t m, size_t n, double alpha, double beta)
{
    T *d = c;
    const P *t = tile;
    for (size_t i = 0; i < m; i++, d += ldc, t += lt) {
#ifdef NARROW
        P row[3 * LANES];
        if (beta != 0)
            WIDEN(row, d, n);
        TN(scale)(row, t, n, alpha, beta);
        NARROW(d, row, n);
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
}

#undef ONE
#undef WIDEN
#undef NARROW
