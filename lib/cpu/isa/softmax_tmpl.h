/* SPDX-License-Identifier: MIT */
/* softmax and log-sum-exp of one row.  W is the type computed in.  LANES sums
   and extremes run beside each other, so all levels agree. */

#define LANES 64

/* NaN aside: it shows in the sum of the exponentials. */
MX_INLINE W TN(largest)(const T *a, size_t n)
{
    W lane[LANES];
    size_t i = 0;
    for (size_t j = 0; j < LANES; j++)
        lane[j] = -(W)INFINITY;
    for (; i + LANES <= n; i += LANES) {
        for (size_t j = 0; j < LANES; j++) {
            W x = (W)LD(a + i + j);
            lane[j] = x > lane[j] ? x : lane[j];
        }
    }
    for (size_t j = 0; i + j < n; j++) {
        W x = (W)LD(a + i + j);
        lane[j] = x > lane[j] ? x : lane[j];
    }
    for (size_t w = LANES / 2; w; w /= 2) {
        for (size_t j = 0; j < w; j++)
            lane[j] = lane[j + w] > lane[j] ? lane[j + w] : lane[j];
    }
    return lane[0];
}

/* Sum of exp(x - m); the exponentials go to `e` too unless it is NULL. */
MX_INLINE double TN(exponentials)(W *e, const T *a, size_t n, W m)
{
    double lane[LANES] = { 0 };
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        W block[LANES];
        for (size_t j = 0; j < LANES; j++)
            block[j] = WEXP((W)LD(a + i + j) - m);
        for (size_t j = 0; j < LANES; j++)
            lane[j] += (double)block[j];
        if (e)
            memcpy(e + i, block, sizeof block);
    }
    for (size_t j = 0; i + j < n; j++) {
        W y = WEXP((W)LD(a + i + j) - m);
        lane[j] += (double)y;
        if (e)
            e[i + j] = y;
    }
    for (size_t w = LANES / 2; w; w /= 2) {
        for (size_t j = 0; j < w; j++)
            lane[j] += lane[j + w];
    }
    return lane[0];
}

/* Exponentials of a row are kept where there is room. */
#define KEPT 2048

static void TN(softmax)(void *dst, const void *src, size_t n)
{
    const T *a = src;
    T *d = dst;
    W kept[KEPT], *e = SAME_TYPE ? dst : n <= KEPT ? kept : NULL;
    W m = TN(largest)(a, n);
    W scale = (W)(1.0 / TN(exponentials)(e, a, n, m));
    for (size_t i = 0; e && i < n; i++)
        ST(d + i, (A)(e[i] * scale));
    for (size_t i = 0; !e && i < n; i++)
        ST(d + i, (A)(WEXP((W)LD(a + i) - m) * scale));
}

static void TN(logsumexp)(void *dst, const void *src, size_t n)
{
    const T *a = src;
    W m = TN(largest)(a, n);
    double r = (double)m;
    if (m - m == 0) { /* finite */
        r += log(TN(exponentials)(NULL, a, n, m));
    } else {
        for (size_t i = 0; i < n; i++) {
            W x = (W)LD(a + i);
            r = x != x ? (double)x : r;
        }
    }
    ST((T *)dst, (A)r);
}

#undef LANES
#undef KEPT

/* log(exp(x) + exp(y)) along a row, in double */
static void TN(cumlogaddexp)(void *dst, ptrdiff_t ds, const void *src,
    ptrdiff_t ss, size_t n, int inclusive)
{
    const T *a = src;
    T *d = dst;
    double x = -(double)INFINITY;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) {
        double y = mx_d_logaddexp(x, (double)LD(a + i * ss));
        ST(d + i * ds, (A)(inclusive ? y : x));
        x = y;
    }
}

static void TN(fill)(struct mx_cpu_kernels *k)
{
    k->softmax[DTYPE] = TN(softmax);
    k->logsumexp[DTYPE] = TN(logsumexp);
    k->scan[MX_SCAN_LOGADDEXP][DTYPE] = TN(cumlogaddexp);
}
