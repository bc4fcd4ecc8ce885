/* SPDX-License-Identifier: MIT */
/* Comparisons of types that C compares. */

#define MAP2(sym, condition) \
    static void TN(sym)(void *dst, const void *a, const void *b, size_t n) \
    { const T *x = a, *y = b; uint8_t *d = dst; \
      for (size_t i = 0; i < n; i++) d[i] = condition; }
MAP2(equal, x[i] == y[i])
MAP2(not_equal, x[i] != y[i])
MAP2(greater, x[i] > y[i])
MAP2(greater_equal, x[i] >= y[i])
MAP2(less, x[i] < y[i])
MAP2(less_equal, x[i] <= y[i])
MAP2(equal_nan, (x[i] == y[i]) | ((x[i] != x[i]) & (y[i] != y[i])))
#undef MAP2

static void TN(fill_compare)(struct mx_cpu_kernels *k)
{
    k->map2[MX_MAP2_EQUAL][DTYPE] = TN(equal);
    k->map2[MX_MAP2_NOT_EQUAL][DTYPE] = TN(not_equal);
    k->map2[MX_MAP2_GREATER][DTYPE] = TN(greater);
    k->map2[MX_MAP2_GREATER_EQUAL][DTYPE] = TN(greater_equal);
    k->map2[MX_MAP2_LESS][DTYPE] = TN(less);
    k->map2[MX_MAP2_LESS_EQUAL][DTYPE] = TN(less_equal);
    k->map2[MX_MAP2_EQUAL_NAN][DTYPE] = TN(equal_nan);
}
