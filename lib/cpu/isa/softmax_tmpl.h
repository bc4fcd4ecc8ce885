/* SPDX-License-Identifier: MIT */
/* softmax and log-sum-exp of one row.  W is the type computed in. */

MX_INLINE W TN(largest)(const T *a, size_t n)
{
    W m = -(W)INFINITY;
    int nan = 0;
    for (size_t i = 0; i < n; i++) {
        W x = (W)LD(a + i);
        nan |= x != x;
        m = x > m ? x : m;
    }
    return nan ? (W)NAN : m;
}

/* exp(x - m) to e where it is wanted, and their sum in fixed lanes */
MX_INLINE double TN(exponentials)(W *e, const T *a, size_t n, W m)
{
    double lane[16] = { 0 };
    for (size_t i = 0; i < n; i += 256) {
        W block[256];
        size_t k = n - i < 256 ? n - i : 256;
        for (size_t j = 0; j < k; j++)
            block[j] = WEXP((W)LD(a + i + j) - m);
        for (size_t j = k; j < 256; j++)
            block[j] = 0;
        for (size_t j = 0; j < 256; j += 16) {
            for (size_t l = 0; l < 16; l++)
                lane[l] += (double)block[j + l];
        }
        for (size_t j = 0; e && j < k; j++)
            e[i + j] = block[j];
    }
    for (size_t w = 8; w; w /= 2) {
        for (size_t l = 0; l < w; l++)
            lane[l] += lane[l + w];
    }
    return lane[0];
}

static void TN(softmax)(void *dst, const void *src, size_t n)
{
    const T *a = src;
    T *d = dst;
    W m = TN(largest)(a, n);
    W scale = (W)(1.0 / TN(exponentials)(NULL, a, n, m));
    for (size_t i = 0; i < n; i++)
        ST(d + i, (A)(WEXP((W)LD(a + i) - m) * scale));
}

static void TN(logsumexp)(void *dst, const void *src, size_t n)
{
    const T *a = src;
    W m = TN(largest)(a, n);
    double r = (double)m;
    if (m - m == 0) /* finite */
        r += log(TN(exponentials)(NULL, a, n, m));
    ST((T *)dst, (A)r);
}

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
