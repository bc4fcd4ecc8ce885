/* SPDX-License-Identifier: MIT */
/* Reductions, positions, scans and updates. */
#include "cpu/isa/complex.h"

#define MX_TMPL "cpu/isa/reduce_tmpl.h"
#define ACC double
#define CMP A
#define WRAP(x, op, y) ((x) op (y))
#define LOWEST (-(double)INFINITY)
#define HIGHEST ((double)INFINITY)
#define SUM_FINISH finish
#include "cpu/dtype/f32.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#include "cpu/dtype/f64.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#include "cpu/dtype/f16.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#include "cpu/dtype/bf16.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#undef ACC
#undef LOWEST
#undef HIGHEST

/* Signed integers wrap, so they are added as unsigned ones; extremes need
   the sign. */
#define ACC int64_t
#undef CMP
#define CMP T
#undef WRAP
#define WRAP(x, op, y) (int64_t)((uint64_t)(x) op (uint64_t)(y))
/* of the type itself: an exclusive scan shows them */
#define LOWEST ((int64_t)(T)((A)1 << (8 * sizeof(T) - 1)))
#define HIGHEST (~LOWEST)
#include "cpu/dtype/i32.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#include "cpu/dtype/i64.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#undef SUM_FINISH
#define SUM_FINISH finish_wide
#include "cpu/dtype/i8.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#include "cpu/dtype/i16.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#undef ACC
#undef LOWEST
#undef HIGHEST

#define ACC uint64_t
#define LOWEST 0
#define HIGHEST 1
#include "cpu/dtype/bool.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#undef HIGHEST
#define HIGHEST UINT64_MAX
#include "cpu/dtype/u8.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#include "cpu/dtype/u16.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#undef SUM_FINISH
#define SUM_FINISH finish
#include "cpu/dtype/u32.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#include "cpu/dtype/u64.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#undef ACC
#undef LOWEST
#undef HIGHEST
#undef SUM_FINISH
#undef MX_TMPL

/* Complex numbers: two doubles; one lane, since libraries agree on no better
   order and few sum them. */
typedef struct { double re, im; } acc_c64;

MX_INLINE acc_c64 acc_load(c64 z)
{
    acc_c64 a = { (double)z.re, (double)z.im };
    return a;
}
MX_INLINE int acc_nan(acc_c64 x) { return x.re != x.re || x.im != x.im; }
MX_INLINE int acc_less(acc_c64 x, acc_c64 y)
{
    return x.re < y.re || (x.re == y.re && x.im < y.im);
}
MX_INLINE int acc_true(acc_c64 x) { return x.re != 0 || x.im != 0; }
MX_INLINE acc_c64 acc_bool(int x)
{
    acc_c64 a = { x, 0 };
    return a;
}
MX_INLINE acc_c64 step_sum(acc_c64 x, acc_c64 y)
{
    acc_c64 r = { x.re + y.re, x.im + y.im };
    return r;
}
MX_INLINE acc_c64 step_prod(acc_c64 x, acc_c64 y)
{
    acc_c64 r = { x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re };
    return r;
}
MX_INLINE acc_c64 step_max(acc_c64 x, acc_c64 y)
{
    return acc_nan(x) ? x : acc_nan(y) || acc_less(x, y) ? y : x;
}
MX_INLINE acc_c64 step_min(acc_c64 x, acc_c64 y)
{
    return acc_nan(x) ? x : acc_nan(y) || acc_less(y, x) ? y : x;
}
MX_INLINE acc_c64 step_all(acc_c64 x, acc_c64 y)
{
    return acc_bool(acc_true(x) && acc_true(y));
}
MX_INLINE acc_c64 step_any(acc_c64 x, acc_c64 y)
{
    return acc_bool(acc_true(x) || acc_true(y));
}

static void finish_c64(void *dst, const void *acc, size_t n)
{
    const acc_c64 *x = acc;
    c64 *d = dst;
    for (size_t i = 0; i < n; i++)
        d[i] = mx_c((float)x[i].re, (float)x[i].im);
}
static void truth_c64(void *dst, const void *acc, size_t n)
{
    const acc_c64 *x = acc;
    uint8_t *d = dst;
    for (size_t i = 0; i < n; i++)
        d[i] = (uint8_t)acc_true(x[i]);
}

#define FOLD(name, re0, im0) \
    static void init_##name(void *acc, size_t n) \
    { acc_c64 s = { re0, im0 }, *x = acc; \
      for (size_t i = 0; i < n; i++) x[i] = s; } \
    static void row_##name(void *acc, const void *a, size_t n) \
    { acc_c64 *x = acc; const c64 *z = a; \
      for (size_t i = 0; i < n; i++) *x = step_##name(*x, acc_load(z[i])); } \
    static void column_##name(void *acc, const void *a, ptrdiff_t stride, \
        size_t rows, size_t n) \
    { acc_c64 *x = acc; const c64 *z = a; \
      for (; rows; rows--, z += stride) \
        for (size_t i = 0; i < n; i++) \
          x[i] = step_##name(x[i], acc_load(z[i])); } \
    static void combine_##name(void *acc, const void *b, size_t n) \
    { acc_c64 *x = acc; const acc_c64 *y = b; \
      for (size_t i = 0; i < n; i++) x[i] = step_##name(x[i], y[i]); }
FOLD(sum, 0, 0)
FOLD(prod, 1, 0)
FOLD(max, -(double)INFINITY, -(double)INFINITY)
FOLD(min, (double)INFINITY, (double)INFINITY)
FOLD(all, 1, 0)
FOLD(any, 0, 0)
#undef FOLD

MX_INLINE int beats_c64(c64 x, c64 best, int max)
{
    return !mx_cnan(best) && (mx_cnan(x) ||
        (max ? mx_cless(best, x) : mx_cless(x, best)));
}

#define POSITION(name, max) \
    static size_t name##_c64(const void *a, size_t n) \
    { const c64 *z = a; size_t at = 0; \
      for (size_t i = 1; i < n; i++) if (beats_c64(z[i], z[at], max)) at = i; \
      return at; } \
    static void name##_column_c64(void *best, uint32_t *at, const void *a, \
        uint32_t i, size_t n) \
    { const c64 *z = a; c64 *b = best; \
      for (size_t j = 0; j < n; j++) \
        if (beats_c64(z[j], b[j], max)) { b[j] = z[j]; at[j] = i; } }
POSITION(argmax, 1)
POSITION(argmin, 0)
#undef POSITION

#define SCAN(name) \
    static void cum##name##_c64(void *dst, ptrdiff_t ds, const void *src, \
        ptrdiff_t ss, size_t n, int inclusive) \
    { acc_c64 x; const c64 *z = src; c64 *d = dst; init_##name(&x, 1); \
      for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) { \
        acc_c64 y = step_##name(x, acc_load(z[i * ss])); \
        finish_c64(d + i * ds, inclusive ? &y : &x, 1); x = y; } } \
    static void cum##name##_column_c64(void *acc, void *dst, \
        const void *src, size_t n, int inclusive) \
    { acc_c64 *x = acc; const c64 *z = src; c64 *d = dst; \
      for (size_t i = 0; i < n; i++) { \
        acc_c64 y = step_##name(x[i], acc_load(z[i])); \
        finish_c64(d + i, inclusive ? &y : x + i, 1); x[i] = y; } } \
    static void update_##name##_c64(void *dst, const void *a, const void *b, \
        size_t n) \
    { c64 *d = dst; const c64 *z = a, *w = b; \
      for (size_t i = 0; i < n; i++) { \
        acc_c64 r = step_##name(acc_load(z[i]), acc_load(w[i])); \
        finish_c64(d + i, &r, 1); } }
SCAN(sum)
SCAN(prod)
SCAN(max)
SCAN(min)
#undef SCAN

static void recurrence_c64(void *dst, ptrdiff_t ds, const void *a,
    ptrdiff_t as, const void *b, ptrdiff_t bs, size_t n)
{
    c64 *d = dst;
    const c64 *p = a, *q = b;
    acc_c64 y = { 0, 0 };
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) {
        y = step_sum(step_prod(acc_load(p[i * as]), y), acc_load(q[i * bs]));
        finish_c64(d + i * ds, &y, 1);
    }
}

MX_KERNELS(reduce)
{
#define FILL(sym) fill_##sym(k);
    FILL(bool) FILL(u8) FILL(u16) FILL(u32) FILL(u64)
    FILL(i8) FILL(i16) FILL(i32) FILL(i64)
    FILL(f16) FILL(f32) FILL(f64) FILL(bf16)
#define REDUCE(ID, name, end) \
    k->reduce[MX_REDUCE_##ID][MLXC_COMPLEX64] = (struct mx_reduce_kernel){ \
        init_##name, row_##name, column_##name, combine_##name, end, \
        sizeof(acc_c64) };
    REDUCE(SUM, sum, finish_c64)
    REDUCE(PROD, prod, finish_c64)
    REDUCE(MAX, max, finish_c64)
    REDUCE(MIN, min, finish_c64)
    REDUCE(ALL, all, truth_c64)
    REDUCE(ANY, any, truth_c64)
    k->argreduce[1][MLXC_COMPLEX64] = argmax_c64;
    k->argreduce[0][MLXC_COMPLEX64] = argmin_c64;
    k->argcolumn[1][MLXC_COMPLEX64] = argmax_column_c64;
    k->argcolumn[0][MLXC_COMPLEX64] = argmin_column_c64;
#define RUNNING(ID, name) \
    k->scan[MX_SCAN_##ID][MLXC_COMPLEX64] = cum##name##_c64; \
    k->scan_column[MX_SCAN_##ID][MLXC_COMPLEX64] = cum##name##_column_c64;
    RUNNING(SUM, sum) RUNNING(PROD, prod) RUNNING(MAX, max) RUNNING(MIN, min)
    k->recurrence[MLXC_COMPLEX64] = recurrence_c64;
#define UPDATE(ID, name) \
    k->update[MX_UPDATE_##ID][MLXC_COMPLEX64] = update_##name##_c64;
    UPDATE(ADD, sum) UPDATE(PROD, prod) UPDATE(MAX, max) UPDATE(MIN, min)
    /* adding bools is or, multiplying them and */
    k->update[MX_UPDATE_ADD][MLXC_BOOL] = update_max_bool;
}
