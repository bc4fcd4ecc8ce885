/* SPDX-License-Identifier: MIT */
/* Mean and sum of squared differences of one type, in one pass over memory:
   a block that fits L1 is summed, then its squares; blocks are combined by
   their means.  Columns go on row by row (Welford). */

#define LANES 32
#define BLOCK 1024

static void TN(var_init)(void *acc, size_t n)
{
    double *x = acc;
    for (size_t i = 0; i < 2 * n + 1; i++)
        x[i] = 0;
}

/* Take a block of `count` with its mean and squares into n results. */
MX_INLINE void TN(join)(double *restrict mean, double *restrict squares,
    double before, const double *restrict mean2,
    const double *restrict squares2, double count, size_t n)
{
    double all = before + count;
    double share = count / all, both = before * share;
    for (size_t i = 0; i < n; i++) {
        double d = mean2[i] - mean[i];
        /* a first block as it is: 0 * infinity must not become NaN */
        squares[i] = squares2[i] + (before > 0 ? squares[i] + d * d * both
                                               : 0.0);
        mean[i] = before > 0 ? mean[i] + d * share : mean2[i];
    }
}

static void TN(var_combine)(void *acc, const void *other, size_t n)
{
    double *x = acc;
    const double *y = other;
    if (y[2 * n] == 0)
        return;
    TN(join)(x, x + n, x[2 * n], y, y + n, y[2 * n], n);
    x[2 * n] += y[2 * n];
}

MX_INLINE double TN(lanes)(const T *a, size_t n, double mean, int squared)
{
    double lane[LANES] = { 0 };
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        for (size_t j = 0; j < LANES; j++) {
            double x = (double)LD(a + i + j) - mean;
            lane[j] += squared ? x * x : x;
        }
    }
    for (size_t j = 0; i + j < n; j++) {
        double x = (double)LD(a + i + j) - mean;
        lane[j] += squared ? x * x : x;
    }
    for (size_t w = LANES / 2; w; w /= 2) {
        for (size_t j = 0; j < w; j++)
            lane[j] += lane[j + w];
    }
    return lane[0];
}

static void TN(var_row)(void *acc, const void *a, size_t n)
{
    const T *p = a;
    for (size_t i = 0; i < n; i += BLOCK) {
        size_t m = n - i < BLOCK ? n - i : BLOCK;
        double part[3];
        part[0] = TN(lanes)(p + i, m, 0.0, 0) / (double)m;
        part[1] = TN(lanes)(p + i, m, part[0], 1);
        part[2] = (double)m;
        TN(var_combine)(acc, part, 1);
    }
}

/* The mean with x taken in as the 1/share-th element. */
MX_INLINE double TN(welford)(double x, double mean, double share,
    double *squares)
{
    double d = x - mean, m = mean + d * share;
    *squares += d * (x - m);
    return m;
}

static void TN(var_column)(void *acc, const void *a, ptrdiff_t stride,
    size_t rows, size_t n)
{
    const T *p = a;
    double *restrict mean = acc, *restrict squares = mean + n;
    double *count = squares + n;
    for (; rows >= 4; rows -= 4, p += 4 * stride, *count += 4) {
        double s0 = 1 / (*count + 1), s1 = 1 / (*count + 2);
        double s2 = 1 / (*count + 3), s3 = 1 / (*count + 4);
        const T *restrict q = p + stride, *restrict r = q + stride;
        const T *restrict s = r + stride;
        for (size_t i = 0; i < n; i++) {
            double m = mean[i], sum = squares[i];
            m = TN(welford)((double)LD(p + i), m, s0, &sum);
            m = TN(welford)((double)LD(q + i), m, s1, &sum);
            m = TN(welford)((double)LD(r + i), m, s2, &sum);
            mean[i] = TN(welford)((double)LD(s + i), m, s3, &sum);
            squares[i] = sum;
        }
    }
    for (; rows; rows--, p += stride) {
        double share = 1 / (*count += 1);
        for (size_t i = 0; i < n; i++) {
            double sum = squares[i];
            mean[i] = TN(welford)((double)LD(p + i), mean[i], share, &sum);
            squares[i] = sum;
        }
    }
}

static void TN(var_finish)(void *dst, const void *acc, size_t n)
{
    T *d = dst;
    const double *x = acc, *squares = x + n;
    double count = x[2 * n] > 0 ? x[2 * n] : 0;
    for (size_t i = 0; i < n; i++)
        ST(d + i, (A)(squares[i] / count));
}

static void TN(fill)(struct mx_cpu_kernels *k)
{
    k->var[DTYPE] = (struct mx_reduce_kernel){ TN(var_init), TN(var_row),
        TN(var_column), TN(var_combine), TN(var_finish),
        2 * sizeof(double) };
}

#undef LANES
#undef BLOCK
