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

struct mx_gemm {
    mlxc_dtype dtype;
    int size; /* of an element */
    int64_t m, n, k, batch;
    struct mx_gemm_side a, b;
    char *out;            /* row-major */
    double alpha, beta;   /* out = alpha * a * b + beta * out */
    int64_t bm, bn;       /* one piece of work: bm by bn of one matrix */
    int64_t nm, nn;       /* pieces down and across */
    int slots;            /* threads that may work at once */
    size_t slot_size;
    char *scratch;
};

const char *mx_gemm_data(const struct mx_gemm *g,
    const struct mx_gemm_side *x, int64_t i);

/* Choose the pieces; bytes of scratch that the product needs. */
size_t mx_gemm_plan(struct mx_gemm *g);
void mx_gemm_run(const struct mx_gemm *g);

#endif
