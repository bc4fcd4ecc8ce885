/* SPDX-License-Identifier: MIT */
/* Streams over arrays far larger than the caches, with stores that bypass
   them and pages of 2 MB, and multiply-adds that never leave the registers.
   Each thread keeps its own part of the arrays and touches it first. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "ceilings.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#define BLOCK 64        /* floats: parts and loops are multiples of it */
#define FMA_STEPS 2000000

struct kernels {
    const char *level;
    int lanes;  /* floats of one multiply-add; the loop does 8 a step */
    void (*copy)(float *a, const float *b, size_t n);
    void (*triad)(float *a, const float *b, const float *c, size_t n);
    float (*read)(const float *a, size_t n);
    float (*fma)(size_t steps);
};

static void copy_plain(float *a, const float *b, size_t n)
{
    memcpy(a, b, n * sizeof *a);
}

static void triad_plain(float *a, const float *b, const float *c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] = b[i] + 3.0f * c[i];
}

static float read_plain(const float *a, size_t n)
{
    float sum[BLOCK] = { 0 };
    for (size_t i = 0; i < n; i += BLOCK)
        for (size_t j = 0; j < BLOCK; j++)
            sum[j] += a[i + j];
    for (size_t j = 1; j < BLOCK; j++)
        sum[0] += sum[j];
    return sum[0];
}

static float fma_plain(size_t steps)
{
    float x[32];
    for (size_t j = 0; j < 32; j++)
        x[j] = (float)j;
    for (size_t i = 0; i < steps; i++)
        for (size_t j = 0; j < 32; j++)
            x[j] = x[j] * 0.999f + 0.5f;
    for (size_t j = 1; j < 32; j++)
        x[0] += x[j];
    return x[0];
}

static const struct kernels plain_kernels = {
    .level = "plain",
    .lanes = 4,
    .copy = copy_plain,
    .triad = triad_plain,
    .read = read_plain,
    .fma = fma_plain,
};

#ifdef __x86_64__

__attribute__((target("avx2,fma")))
static void copy_avx2(float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i += 32) {
        __m256 v0 = _mm256_load_ps(b + i);
        __m256 v1 = _mm256_load_ps(b + i + 8);
        __m256 v2 = _mm256_load_ps(b + i + 16);
        __m256 v3 = _mm256_load_ps(b + i + 24);
        _mm256_stream_ps(a + i, v0);
        _mm256_stream_ps(a + i + 8, v1);
        _mm256_stream_ps(a + i + 16, v2);
        _mm256_stream_ps(a + i + 24, v3);
    }
    _mm_sfence();
}

__attribute__((target("avx2,fma")))
static void triad_avx2(float *a, const float *b, const float *c, size_t n)
{
    const __m256 s = _mm256_set1_ps(3.0f);
    for (size_t i = 0; i < n; i += 16) {
        __m256 v0 = _mm256_fmadd_ps(s, _mm256_load_ps(c + i),
            _mm256_load_ps(b + i));
        __m256 v1 = _mm256_fmadd_ps(s, _mm256_load_ps(c + i + 8),
            _mm256_load_ps(b + i + 8));
        _mm256_stream_ps(a + i, v0);
        _mm256_stream_ps(a + i + 8, v1);
    }
    _mm_sfence();
}

__attribute__((target("avx2,fma")))
static float read_avx2(const float *a, size_t n)
{
    __m256 v0 = _mm256_setzero_ps(), v1 = v0, v2 = v0, v3 = v0;
    float out[8];
    for (size_t i = 0; i < n; i += 32) {
        v0 = _mm256_add_ps(v0, _mm256_load_ps(a + i));
        v1 = _mm256_add_ps(v1, _mm256_load_ps(a + i + 8));
        v2 = _mm256_add_ps(v2, _mm256_load_ps(a + i + 16));
        v3 = _mm256_add_ps(v3, _mm256_load_ps(a + i + 24));
    }
    v0 = _mm256_add_ps(_mm256_add_ps(v0, v1), _mm256_add_ps(v2, v3));
    _mm256_storeu_ps(out, v0);
    for (int j = 1; j < 8; j++)
        out[0] += out[j];
    return out[0];
}

__attribute__((target("avx2,fma")))
static float fma_avx2(size_t steps)
{
    const __m256 m = _mm256_set1_ps(0.999f), p = _mm256_set1_ps(0.5f);
    __m256 v0 = p, v1 = m, v2 = p, v3 = m, v4 = p, v5 = m, v6 = p, v7 = m;
    float out[8];
    for (size_t i = 0; i < steps; i++) {
        v0 = _mm256_fmadd_ps(v0, m, p);
        v1 = _mm256_fmadd_ps(v1, m, p);
        v2 = _mm256_fmadd_ps(v2, m, p);
        v3 = _mm256_fmadd_ps(v3, m, p);
        v4 = _mm256_fmadd_ps(v4, m, p);
        v5 = _mm256_fmadd_ps(v5, m, p);
        v6 = _mm256_fmadd_ps(v6, m, p);
        v7 = _mm256_fmadd_ps(v7, m, p);
    }
    v0 = _mm256_add_ps(_mm256_add_ps(v0, v1), _mm256_add_ps(v2, v3));
    v4 = _mm256_add_ps(_mm256_add_ps(v4, v5), _mm256_add_ps(v6, v7));
    _mm256_storeu_ps(out, _mm256_add_ps(v0, v4));
    return out[0];
}

static const struct kernels avx2_kernels = {
    .level = "avx2",
    .lanes = 8,
    .copy = copy_avx2,
    .triad = triad_avx2,
    .read = read_avx2,
    .fma = fma_avx2,
};

__attribute__((target("avx512f")))
static void copy_avx512(float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i += 64) {
        __m512 v0 = _mm512_load_ps(b + i);
        __m512 v1 = _mm512_load_ps(b + i + 16);
        __m512 v2 = _mm512_load_ps(b + i + 32);
        __m512 v3 = _mm512_load_ps(b + i + 48);
        _mm512_stream_ps(a + i, v0);
        _mm512_stream_ps(a + i + 16, v1);
        _mm512_stream_ps(a + i + 32, v2);
        _mm512_stream_ps(a + i + 48, v3);
    }
    _mm_sfence();
}

__attribute__((target("avx512f")))
static void triad_avx512(float *a, const float *b, const float *c, size_t n)
{
    const __m512 s = _mm512_set1_ps(3.0f);
    for (size_t i = 0; i < n; i += 32) {
        __m512 v0 = _mm512_fmadd_ps(s, _mm512_load_ps(c + i),
            _mm512_load_ps(b + i));
        __m512 v1 = _mm512_fmadd_ps(s, _mm512_load_ps(c + i + 16),
            _mm512_load_ps(b + i + 16));
        _mm512_stream_ps(a + i, v0);
        _mm512_stream_ps(a + i + 16, v1);
    }
    _mm_sfence();
}

__attribute__((target("avx512f")))
static float read_avx512(const float *a, size_t n)
{
    __m512 v0 = _mm512_setzero_ps(), v1 = v0, v2 = v0, v3 = v0;
    float out[16];
    for (size_t i = 0; i < n; i += 64) {
        v0 = _mm512_add_ps(v0, _mm512_load_ps(a + i));
        v1 = _mm512_add_ps(v1, _mm512_load_ps(a + i + 16));
        v2 = _mm512_add_ps(v2, _mm512_load_ps(a + i + 32));
        v3 = _mm512_add_ps(v3, _mm512_load_ps(a + i + 48));
    }
    v0 = _mm512_add_ps(_mm512_add_ps(v0, v1), _mm512_add_ps(v2, v3));
    _mm512_storeu_ps(out, v0);
    for (int j = 1; j < 16; j++)
        out[0] += out[j];
    return out[0];
}

__attribute__((target("avx512f")))
static float fma_avx512(size_t steps)
{
    const __m512 m = _mm512_set1_ps(0.999f), p = _mm512_set1_ps(0.5f);
    __m512 v0 = p, v1 = m, v2 = p, v3 = m, v4 = p, v5 = m, v6 = p, v7 = m;
    float out[16];
    for (size_t i = 0; i < steps; i++) {
        v0 = _mm512_fmadd_ps(v0, m, p);
        v1 = _mm512_fmadd_ps(v1, m, p);
        v2 = _mm512_fmadd_ps(v2, m, p);
        v3 = _mm512_fmadd_ps(v3, m, p);
        v4 = _mm512_fmadd_ps(v4, m, p);
        v5 = _mm512_fmadd_ps(v5, m, p);
        v6 = _mm512_fmadd_ps(v6, m, p);
        v7 = _mm512_fmadd_ps(v7, m, p);
    }
    v0 = _mm512_add_ps(_mm512_add_ps(v0, v1), _mm512_add_ps(v2, v3));
    v4 = _mm512_add_ps(_mm512_add_ps(v4, v5), _mm512_add_ps(v6, v7));
    _mm512_storeu_ps(out, _mm512_add_ps(v0, v4));
    return out[0];
}

static const struct kernels avx512_kernels = {
    .level = "avx512",
    .lanes = 16,
    .copy = copy_avx512,
    .triad = triad_avx512,
    .read = read_avx512,
    .fma = fma_avx512,
};

#endif

static const struct kernels *choose(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        return &avx512_kernels;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &avx2_kernels;
#endif
    return &plain_kernels;
}

/* ---- threads ---- */

enum what { COPY, TRIAD, READ, FMA, WHATS };

struct run {
    const struct kernels *k;
    sem_t gate;         /* opens once all threads are there */
    int cancelled;
    pthread_barrier_t start, stop;
    float *a, *b, *c;
    size_t part;        /* floats of one thread */
    int rounds;
};

struct worker {
    struct run *run;
    size_t index;
    pthread_t thread;
    volatile float sink;    /* keeps results alive */
};

static void work(struct worker *w, enum what what)
{
    const struct run *r = w->run;
    size_t at = w->index * r->part;
    switch (what) {
    case COPY:
        r->k->copy(r->a + at, r->b + at, r->part);
        break;
    case TRIAD:
        r->k->triad(r->a + at, r->b + at, r->c + at, r->part);
        break;
    case READ:
        w->sink = r->k->read(r->b + at, r->part);
        break;
    default:
        w->sink = r->k->fma(FMA_STEPS);
        break;
    }
}

static void *loop(void *payload)
{
    struct worker *w = payload;
    struct run *r = w->run;
    size_t at = w->index * r->part;
    while (sem_wait(&r->gate))
        ;
    if (r->cancelled)
        return NULL;
    for (size_t i = at; i < at + r->part; i++) {
        r->a[i] = 0.0f;
        r->b[i] = 1.0f;
        r->c[i] = 2.0f;
    }
    for (int what = 0; what < WHATS; what++)
        for (int i = 0; i < r->rounds; i++) {
            pthread_barrier_wait(&r->start);
            work(w, (enum what)what);
            pthread_barrier_wait(&r->stop);
        }
    return NULL;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* The calling thread is worker 0 and keeps the time. */
static double measure(struct worker *w, enum what what, double *times)
{
    struct run *r = w->run;
    for (int i = 0; i < r->rounds; i++) {
        pthread_barrier_wait(&r->start);
        double t = now();
        work(w, what);
        pthread_barrier_wait(&r->stop);
        times[i] = now() - t;
    }
    qsort(times, (size_t)r->rounds, sizeof *times, by_value);
    return times[r->rounds / 2];
}

static void *map(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
#ifdef MADV_HUGEPAGE
    (void)madvise(p, bytes, MADV_HUGEPAGE);
#endif
    return p;
}

static void fill(struct run *r, struct ceilings *out, struct worker *w,
    double *times)
{
    size_t threads = (size_t)out->threads;
    double bytes = (double)(r->part * threads * sizeof(float));
    for (size_t i = 0; i < r->part; i++) {
        r->a[i] = 0.0f;
        r->b[i] = 1.0f;
        r->c[i] = 2.0f;
    }
    out->copy_gbs = 2e-9 * bytes / measure(w, COPY, times);
    out->triad_gbs = 3e-9 * bytes / measure(w, TRIAD, times);
    out->read_gbs = 1e-9 * bytes / measure(w, READ, times);
    out->fma_gflops = 1e-9 * 2 * 8 * r->k->lanes * FMA_STEPS *
        (double)threads / measure(w, FMA, times);
}

/* Starts workers 1 and up; those that started end when one cannot. */
static int run_all(struct run *r, struct ceilings *out, struct worker *w,
    double *times)
{
    size_t n = (size_t)out->threads, started = 1;
    for (size_t i = 0; i < n; i++)
        w[i] = (struct worker){ .run = r, .index = i };
    while (started < n &&
        !pthread_create(&w[started].thread, NULL, loop, &w[started]))
        started++;
    r->cancelled = started < n;
    for (size_t i = 1; i < started; i++)
        sem_post(&r->gate);
    if (!r->cancelled)
        fill(r, out, w, times);
    for (size_t i = 1; i < started; i++)
        pthread_join(w[i].thread, NULL);
    return r->cancelled ? -1 : 0;
}

int ceilings_measure(struct ceilings *out, int threads, size_t bytes,
    int rounds)
{
    struct run r = { .k = choose(), .rounds = rounds };
    int status = -1;
    if (threads < 1 || rounds < 1)
        return -1;
    size_t n = (size_t)threads;
    r.part = bytes / sizeof(float) / n / BLOCK * BLOCK;
    size_t whole = r.part * n * sizeof(float);
    if (!whole)
        return -1;
    *out = (struct ceilings){ .threads = threads, .level = r.k->level };
    struct worker *w = calloc(n, sizeof *w);
    double *times = calloc((size_t)rounds, sizeof *times);
    r.a = map(whole);
    r.b = map(whole);
    r.c = map(whole);
    if (w && times && r.a && r.b && r.c && !sem_init(&r.gate, 0, 0)) {
        if (!pthread_barrier_init(&r.start, NULL, (unsigned)threads)) {
            if (!pthread_barrier_init(&r.stop, NULL, (unsigned)threads)) {
                status = run_all(&r, out, w, times);
                pthread_barrier_destroy(&r.stop);
            }
            pthread_barrier_destroy(&r.start);
        }
        sem_destroy(&r.gate);
    }
    if (r.a)
        munmap(r.a, whole);
    if (r.b)
        munmap(r.b, whole);
    if (r.c)
        munmap(r.c, whole);
    free(times);
    free(w);
    return status;
}
