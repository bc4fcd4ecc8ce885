/* SPDX-License-Identifier: MIT */
/* What this machine can do at best, measured beside the benchmark's cases so
   that each can be given as a fraction of its floor.  Needs no library. */
#ifndef BENCH_CEILINGS_H
#define BENCH_CEILINGS_H

#include <stddef.h>

/* Bytes count once per read and once per write; an FMA counts as two. */
struct ceilings {
    double copy_gbs;    /* a = b */
    double triad_gbs;   /* a = b + s * c */
    double read_gbs;    /* sum of a */
    double fma_gflops;  /* float32, from registers */
    int threads;
    const char *level;  /* instructions used: "avx512", "avx2", "plain" */
};

/* Measures with `threads` threads over arrays of `bytes` bytes, each figure
   the median of `rounds` rounds.  0 on success, -1 without memory or
   threads. */
int ceilings_measure(struct ceilings *out, int threads, size_t bytes,
    int rounds);

#endif
