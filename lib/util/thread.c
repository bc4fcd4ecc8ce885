/* SPDX-License-Identifier: MIT */
/* See thread.h.  One job at a time: the caller publishes it, helpers that
   spin (or are woken) take chunks by an atomic counter, and the caller takes
   chunks too.  A wake-up costs some 60 us, a spinning hand-over 0.1 us, so
   helpers spin for a while after a job before they sleep. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "util/thread.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "util/atomic.h"
#include "util/env.h"

#define MAX_THREADS 256
#define SPIN_NS 100000 /* before an idle helper sleeps */

static struct {
    pthread_mutex_t lock;  /* sleepers */
    pthread_cond_t wake;
    pthread_mutex_t owner; /* held by the thread whose job runs */
    int size;              /* threads, caller included */
    int started;           /* helpers that exist */
    int sleeping;
    /* the job */
    uint64_t serial;       /* even: none; odd: one is open */
    mx_range_fn *fn;
    void *context;
    int64_t n, grain;
    int64_t next;          /* first item not taken */
    int inside;            /* helpers that may touch the job */
} pool = { .lock = PTHREAD_MUTEX_INITIALIZER,
    .wake = PTHREAD_COND_INITIALIZER,
    .owner = PTHREAD_MUTEX_INITIALIZER };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static __thread int nested;

static void pause_cpu(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void take_chunks(void)
{
    for (;;) {
        int64_t begin =
            __atomic_fetch_add(&pool.next, pool.grain, __ATOMIC_RELAXED);
        if (begin >= pool.n)
            return;
        int64_t end = begin + pool.grain;
        pool.fn(pool.context, begin, end < pool.n ? end : pool.n);
    }
}

/* Wait for a job newer than `seen`. */
static uint64_t await_job(uint64_t seen)
{
    int64_t limit = now_ns() + SPIN_NS;
    for (unsigned i = 1;; i++) {
        uint64_t s = __atomic_load_n(&pool.serial, __ATOMIC_SEQ_CST);
        if ((s & 1) && s != seen)
            return s;
        pause_cpu();
        if ((i & 63) == 0 && now_ns() > limit)
            break;
    }
    pthread_mutex_lock(&pool.lock);
    __atomic_add_fetch(&pool.sleeping, 1, __ATOMIC_SEQ_CST);
    uint64_t s;
    while (s = __atomic_load_n(&pool.serial, __ATOMIC_SEQ_CST),
        !(s & 1) || s == seen)
        pthread_cond_wait(&pool.wake, &pool.lock);
    __atomic_sub_fetch(&pool.sleeping, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&pool.lock);
    return s;
}

static void *helper(void *unused)
{
    (void)unused;
    nested = 1;
    for (uint64_t seen = 0;;) {
        seen = await_job(seen);
        /* Enter, then look whether the job is still open: the owner closes
           it first and then waits until nobody is inside. */
        __atomic_add_fetch(&pool.inside, 1, __ATOMIC_SEQ_CST);
        if (__atomic_load_n(&pool.serial, __ATOMIC_SEQ_CST) == seen)
            take_chunks();
        __atomic_sub_fetch(&pool.inside, 1, __ATOMIC_SEQ_CST);
    }
    return NULL;
}

/* A child has none of its parent's threads. */
static void after_fork(void)
{
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.wake, NULL);
    pthread_mutex_init(&pool.owner, NULL);
    pool.started = pool.sleeping = pool.inside = 0;
    pool.serial &= ~(uint64_t)1;
}

static void configure(void)
{
    long processors = 0;
#ifdef CPU_COUNT
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        processors = CPU_COUNT(&set);
#endif
    if (processors < 1)
        processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (processors < 1)
        processors = 1;
    if (processors > MAX_THREADS)
        processors = MAX_THREADS;
    pool.size = (int)mx_env_int("MLXC_NUM_THREADS", 1, MAX_THREADS,
        processors);
    pthread_atfork(NULL, NULL, after_fork);
}

int mx_pool_size(void)
{
    pthread_once(&once, configure);
    return pool.size;
}

/* With the owner lock held.  Fewer helpers than wanted is no error. */
static void start_helpers(void)
{
    while (pool.started < pool.size - 1) {
        pthread_t t;
        pthread_attr_t attr;
        if (pthread_attr_init(&attr) != 0)
            return;
        pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
        int failed = pthread_create(&t, &attr, helper, NULL);
        pthread_attr_destroy(&attr);
        if (failed)
            return;
        pool.started++;
    }
}

static void run_alone(int64_t n, int64_t grain, mx_range_fn *fn,
    void *context)
{
    for (int64_t i = 0; i < n; i += grain)
        fn(context, i, n - i < grain ? n : i + grain);
}

void mx_parallel_for(int64_t n, int64_t grain, mx_range_fn *fn, void *context)
{
    if (n <= 0)
        return;
    if (grain < 1)
        grain = 1;
    if (n <= grain || nested || mx_pool_size() == 1 ||
        pthread_mutex_trylock(&pool.owner) != 0) {
        run_alone(n, grain, fn, context);
        return;
    }
    start_helpers();
    nested = 1;
    pool.fn = fn;
    pool.context = context;
    pool.n = n;
    pool.grain = grain;
    __atomic_store_n(&pool.next, 0, __ATOMIC_RELAXED);
    __atomic_add_fetch(&pool.serial, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&pool.sleeping, __ATOMIC_SEQ_CST)) {
        pthread_mutex_lock(&pool.lock);
        pthread_cond_broadcast(&pool.wake);
        pthread_mutex_unlock(&pool.lock);
    }
    take_chunks();
    __atomic_add_fetch(&pool.serial, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&pool.inside, __ATOMIC_SEQ_CST))
        pause_cpu();
    nested = 0;
    pthread_mutex_unlock(&pool.owner);
}
