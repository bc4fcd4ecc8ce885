/* SPDX-License-Identifier: MIT */
/* Matrix products of any strides over the kernels of cpu/isa/gemm*.c. */
#ifndef MX_CPU_GEMM_H
#define MX_CPU_GEMM_H

#include "cpu/kernels.h"
#include "cpu/rows.h"

/* The lines of one factor: rows of A, columns of B.  Strides in elements. */
struct mx_gemm_side {
    const char *data;
    int64_t line, along; /* to the next line, along k */
    const struct mx_walk *walk; /* over the batch; NULL: one matrix */
};

enum mx_gemm_way { MX_GEMM_BLOCKED, MX_GEMM_DOTS, MX_GEMM_ROWS };

struct mx_gemm {
    const struct mx_gemm_kernel *kernel;
    const struct mx_gemm_kernel *sums; /* of the dtype of the sums */
    const struct mx_skinny_kernel *skinny;
    int size; /* of an element */
    int64_t m, n, k, batch;
    struct mx_gemm_side a, b;
    char *out;            /* row-major */
    double alpha, beta;   /* out = alpha * a * b + beta * out */
    char *scratch;

    /* the plan */
    enum mx_gemm_way way;
    int64_t depth;        /* of a slice along k */
    int64_t slices;       /* of that depth; the last may be less */
    int64_t bm, bn;       /* a block of the output */
    int64_t piece;        /* lines of a block that are one thread's work */
    int thin_a;           /* A is the thin factor, not B */
    int share_a;          /* the packed lines of A, not B, are shared */
    int across;           /* threads share out matrices, not pieces */
    int slots, areas;     /* threads that may work in an area; areas */
    size_t shared_size, sums_size, slot_size, area_size;
};

/* Address of matrix i of a side. */
const char *mx_gemm_data(const struct mx_gemm *g,
    const struct mx_gemm_side *x, int64_t i);

/* Fill in the kernels of a dtype. */
void mx_gemm_init(struct mx_gemm *g, const struct mx_cpu_kernels *k,
    mlxc_dtype d);
/* Decide how to cut the work for so many threads; bytes of scratch that it
   needs.  The result of the product does not depend on `threads`. */
size_t mx_gemm_plan(struct mx_gemm *g, int threads);
void mx_gemm_run(const struct mx_gemm *g);

/* The same for a few lines by a matrix.  The plan leaves MX_GEMM_BLOCKED if
   that is no way to do it. */
size_t mx_skinny_plan(struct mx_gemm *g, int threads);
void mx_skinny_run(const struct mx_gemm *g);

#endif
