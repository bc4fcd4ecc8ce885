/* SPDX-License-Identifier: MIT */
/* The shared pool that splits one operation over the cores.  Ranges are cut
   by size alone, never by the number of threads, where results could differ;
   the pool only decides who runs which range. */
#ifndef MX_THREAD_H
#define MX_THREAD_H

#include <stdint.h>

/* Work on items [begin, end). */
typedef void mx_range_fn(void *context, int64_t begin, int64_t end);

/* Threads that take part, the caller included: MLXC_NUM_THREADS, or the
   number of processors this process may use. */
int mx_pool_size(void);

/* Run fn over [0, n) in chunks of at most `grain` items, on as many threads
   as pay; returns when all is done.  Allocates nothing and cannot fail.  A
   nested call, and a call while another thread has the pool, run alone. */
void mx_parallel_for(int64_t n, int64_t grain, mx_range_fn *fn,
    void *context);

#endif
