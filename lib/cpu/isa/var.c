/* SPDX-License-Identifier: MIT */
/* Variances. */
#include "cpu/isa/half.h"
#include "cpu/isa/lanes.h"

/* Elements of one block. */
#define BLOCK 4096

/* Sums of x - k and of its square into lanes, for a block. */

MX_INLINE void add_moments_f32(double *sum, double *square, const float *a,
    size_t n, double k)
{
    mx_moment_lanes(sum, square, a, n, k);
}

MX_INLINE void add_moments_f16(double *sum, double *square,
    const uint16_t *a, size_t n, double k)
{
    float x[BLOCK];
    widen_f16(x, a, n);
    mx_moment_lanes(sum, square, x, n, k);
}

MX_INLINE void add_moments_bf16(double *sum, double *square,
    const uint16_t *a, size_t n, double k)
{
    float x[BLOCK];
    widen_bf16(x, a, n);
    mx_moment_lanes(sum, square, x, n, k);
}

MX_INLINE void add_moments_f64(double *sum, double *square, const double *a,
    size_t n, double k)
{
    for (size_t i = 0, m; i < n; i += m) {
        m = n - i < MX_SUM_LANES ? n - i : MX_SUM_LANES;
        for (size_t j = 0; j < m; j++) {
            double x = a[i + j] - k;
            sum[j] += x;
            square[j] += x * x;
        }
    }
}

#define MX_TMPL "cpu/isa/var_tmpl.h"
#include "cpu/dtype/foreach_float.h"
#define MX_TMPL "cpu/isa/var_tmpl.h"
#include "cpu/dtype/foreach_half.h"

MX_KERNELS(var)
{
    fill_f16(k);
    fill_f32(k);
    fill_f64(k);
    fill_bf16(k);
}
