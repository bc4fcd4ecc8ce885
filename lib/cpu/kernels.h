/* SPDX-License-Identifier: MIT */
/* The CPU kernel table: contiguous inner loops indexed by (kernel, dtype).
   The base level fills every entry that exists, better levels override, and
   the table is constant from then on.  Strides are loop.c's business. */
#ifndef MX_CPU_KERNELS_H
#define MX_CPU_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "core/dtype.h"
#include "core/params.h"

enum mx_map1_id {
#define MAP1(ID, sym, rule, out, kinds) MX_MAP1_##ID,
#include "core/elementwise.def"
    MX_MAP1_COUNT
};

enum mx_map2_id {
#define MAP2(ID, sym, rule, out, kinds) MX_MAP2_##ID,
#include "core/elementwise.def"
    MX_MAP2_COUNT
};

/* Element sizes 1, 2, 4, 8 as indices 0 to 3. */
#define MX_SIZE_COUNT 4

typedef void mx_map1_fn(void *dst, const void *a, size_t n);
typedef void mx_map2_fn(void *dst, const void *a, const void *b, size_t n);
/* dst[i] = cond[i] ? a[i] : b[i] */
typedef void mx_select_fn(void *dst, const uint8_t *cond, const void *a,
    const void *b, size_t n);
/* Strides in elements; either may be 0 or negative. */
typedef void mx_copy_strided_fn(void *dst, ptrdiff_t dst_stride,
    const void *src, ptrdiff_t src_stride, size_t n);
typedef void mx_fill_fn(void *dst, const void *value, size_t n);
/* Blocked transpose: dst[j * ldd + i] = src[i * lds + j], i < rows, j < cols;
   `stream` asks for non-temporal stores. */
typedef void mx_transpose_fn(void *dst, ptrdiff_t ldd, const void *src,
    ptrdiff_t lds, size_t rows, size_t cols, int stream);

/* Reductions keep accumulators that are wider than the elements: double for
   floats, 64-bit integers, two doubles for complex numbers.  Rows are summed
   in a fixed number of lanes, so all levels agree. */
struct mx_reduce_kernel {
    void (*init)(void *acc, size_t n);
    void (*row)(void *acc, const void *a, size_t n);    /* n into one */
    /* n beside n; `rows` of them, `stride` elements apart */
    void (*column)(void *acc, const void *a, ptrdiff_t stride, size_t rows,
        size_t n);
    void (*combine)(void *acc, const void *other, size_t n);
    void (*finish)(void *dst, const void *acc, size_t n);
    size_t size; /* of one accumulator */
};

/* Position of the first largest (smallest) of n; the first NaN wins. */
typedef size_t mx_argreduce_fn(const void *a, size_t n);
/* Row `i` of several: where a[j] beats best[j] (elements), take it and set
   at[j]. */
typedef void mx_argcolumn_fn(void *best, uint32_t *at, const void *a,
    uint32_t i, size_t n);
/* Running result along n elements; strides in elements. */
typedef void mx_scan_fn(void *dst, ptrdiff_t ds, const void *src,
    ptrdiff_t ss, size_t n, int inclusive);
/* One row of several that lie side by side: acc[j] is the accumulator of
   column j (filled by mx_reduce_kernel's init of the same name). */
typedef void mx_scan_column_fn(void *acc, void *dst, const void *src,
    size_t n, int inclusive);
/* y = a[i] * y + b[i] from y = 0, each written to dst; strides in elements. */
typedef void mx_recurrence_fn(void *dst, ptrdiff_t ds, const void *a,
    ptrdiff_t as, const void *b, ptrdiff_t bs, size_t n);
/* One row of n: softmax into dst, or log-sum-exp into *dst. */
typedef void mx_row_fn(void *dst, const void *src, size_t n);

/* Matrix products.  Lines of A (rows) and of B (columns) are packed along k
   into panels that `run` multiplies; a panel of A has `rows` lines or half as
   many, one of B up to three times `lanes`.  Sums have the type of the packed
   elements, or float32 where halves are packed, or pairs of float32 planes.

   c = the product of two panels of depth k, or c + the product if `add`
   (which complex numbers lack); `ldc` is from line to line of c, in sums. */
typedef void mx_gemm_run_fn(const void *a, const void *b, void *c,
    ptrdiff_t ldc, size_t k, int add);

struct mx_gemm_kernel {
    mx_gemm_run_fn *run[2][3]; /* [full rows][lanes] */
    /* Panels of `width` lines side by side in memory, from n lines of src
       (strides in elements: from line to line, along k); the last one has as
       many as are left, up to a multiple of `step`, the added ones zero; k is
       padded to `depth`. */
    void (*pack)(void *panels, const void *src, ptrdiff_t line, ptrdiff_t ks,
        size_t n, size_t width, size_t step, size_t k);
    /* c = alpha * sums + beta * c for m by n elements; c is not read if beta
       is 0; integers have alpha 1 and beta 0 or 1.  `lt` is from line to line
       of the sums. */
    void (*store)(void *c, ptrdiff_t ldc, const void *sums, ptrdiff_t lt,
        size_t m, size_t n, double alpha, double beta);
    uint16_t rows, lanes;
    uint16_t size;   /* bytes of a packed element */
    uint16_t depth;  /* k is a multiple of this in a panel */
    uint16_t kc;     /* deepest panel */
    uint16_t wide;   /* sums are kept in float32, wider than the output */
    uint16_t direct; /* the output is made of sums: run() may write there */
};

/* Products of t thin lines, packed along k in the type of the sums (`tl` from
   line to line), with a matrix of `lines` lines, in place.  Strides count
   elements or sums. */
struct mx_skinny_kernel {
    /* Lines that run along k: sums[l * sl + i * st] = line l by thin i. */
    void (*dots)(void *sums, ptrdiff_t sl, ptrdiff_t st, const void *thin,
        ptrdiff_t tl, size_t t, const void *big, ptrdiff_t line,
        size_t lines, size_t k);
    /* Lines side by side, `along` from step to step of k: sums[i * ld + l].
       May write up to 64 bytes beyond a row of sums. */
    void (*rows)(void *sums, ptrdiff_t ld, const void *thin, ptrdiff_t tl,
        size_t t, const void *big, ptrdiff_t along, size_t lines, size_t k);
    /* k elements of one line to the type of the sums. */
    void (*thin)(void *dst, const void *src, ptrdiff_t stride, size_t k);
    size_t size; /* of a sum */
};

struct mx_cpu_kernels {
    const char *isa;
    mx_map1_fn *map1[MX_MAP1_COUNT][MX_DTYPE_COUNT];
    mx_map2_fn *map2[MX_MAP2_COUNT][MX_DTYPE_COUNT];
    mx_map1_fn *cast[MX_DTYPE_COUNT][MX_DTYPE_COUNT]; /* [to][from] */
    struct mx_reduce_kernel reduce[MX_REDUCE_COUNT][MX_DTYPE_COUNT];
    /* Count, mean and squares: for n results n means, n sums of squared
       differences, and the count that all share (finish divides by it). */
    struct mx_reduce_kernel var[MX_DTYPE_COUNT];
    mx_argreduce_fn *argreduce[2][MX_DTYPE_COUNT]; /* [max] */
    mx_argcolumn_fn *argcolumn[2][MX_DTYPE_COUNT];
    mx_scan_fn *scan[MX_SCAN_COUNT][MX_DTYPE_COUNT];
    mx_scan_column_fn *scan_column[MX_SCAN_COUNT][MX_DTYPE_COUNT];
    mx_recurrence_fn *recurrence[MX_DTYPE_COUNT];
    mx_row_fn *softmax[MX_DTYPE_COUNT];
    mx_row_fn *logsumexp[MX_DTYPE_COUNT];
    struct mx_gemm_kernel gemm[MX_DTYPE_COUNT];
    struct mx_skinny_kernel skinny[MX_DTYPE_COUNT]; /* floats only */
    /* a[i] = a[i] combined with b[i], by enum mx_update; for updates */
    mx_map2_fn *update[MX_UPDATE_COUNT][MX_DTYPE_COUNT];
    /* Threefry-2x32 of the counters (first + i, second + i). */
    void (*threefry)(uint32_t *a, uint32_t *b, const uint32_t key[2],
        uint32_t first, uint32_t second, size_t n);
    /* Stable sorting of one row of n values, NaN last: the values (dst is not
       src), or their positions as uint32, or uint64 if `wide`.  `split` lets
       the pool share the row.  All levels agree. */
    size_t (*sort_scratch)(mlxc_dtype d, int64_t n, int positions);
    void (*sort_values)(mlxc_dtype d, void *dst, const void *src, int64_t n,
        void *scratch, int split);
    void (*sort_positions)(mlxc_dtype d, void *dst, int wide,
        const void *src, int64_t n, void *scratch, int split);
    /* Unsigned keys in the order of the values. */
    void (*sort_keys)(mlxc_dtype d, uint64_t *dst, const void *src,
        int64_t n);
    mx_select_fn *select[MX_SIZE_COUNT];
    mx_copy_strided_fn *copy_strided[MX_SIZE_COUNT];
    mx_fill_fn *fill[MX_SIZE_COUNT];
    mx_transpose_fn *transpose[MX_SIZE_COUNT];
    /* memcpy of n bytes with non-temporal stores; any alignment. */
    void (*copy_stream)(void *dst, const void *src, size_t n);
    /* After the last of them: other threads see what was stored. */
    void (*stream_end)(void);
};

/* The table for this CPU, chosen once, capped by MLXC_CPU_ISA. */
const struct mx_cpu_kernels *mx_cpu_kernels(void);

/* A fresh table for one level ("base", "avx2", "avx512", "neon"), for tests.
   False if this machine or this build lacks the level. */
int mx_cpu_kernels_for(struct mx_cpu_kernels *k, const char *level);

#endif
