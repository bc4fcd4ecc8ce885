/* SPDX-License-Identifier: MIT */
/* See alloc.h.  malloc itself keeps thread-local free lists for small sizes,
   so nodes and handles need no lists of their own. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "util/alloc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "util/atomic.h"

static int64_t fail_countdown; /* 0: disarmed */
static int fail_forever;
static int fail_happened;

void mx_alloc_fail_at(int64_t n, int forever)
{
    mx_store(&fail_happened, 0);
    mx_store(&fail_forever, forever);
    mx_store(&fail_countdown, n);
}

int mx_alloc_failed(void)
{
    return mx_load(&fail_happened);
}

static int count_down(void)
{
    int64_t left = mx_sub(&fail_countdown, 1);
    if (left > 0)
        return 0;
    if (left == 0 || mx_load(&fail_forever)) {
        if (mx_load(&fail_forever))
            mx_store(&fail_countdown, 1);
        mx_store(&fail_happened, 1);
        return 1;
    }
    mx_store(&fail_countdown, 0);
    return 0;
}

int mx_alloc_should_fail(void)
{
    if (MX_LIKELY(mx_load_relaxed(&fail_countdown) == 0))
        return 0;
    return count_down();
}

void *mx_alloc(size_t size)
{
    if (mx_alloc_should_fail())
        return NULL;
    return malloc(size ? size : 1);
}

void *mx_alloc_zero(size_t size)
{
    if (mx_alloc_should_fail())
        return NULL;
    return calloc(1, size ? size : 1);
}

void *mx_alloc_array(size_t n, size_t size)
{
    size_t bytes;
    if (mx_mul_overflow(n, size, &bytes))
        return NULL;
    return mx_alloc(bytes);
}

void *mx_realloc_array(void *p, size_t n, size_t size)
{
    size_t bytes;
    if (mx_mul_overflow(n, size, &bytes) || mx_alloc_should_fail())
        return NULL;
    return realloc(p, bytes ? bytes : 1);
}

void *mx_alloc_aligned(size_t alignment, size_t size)
{
    void *p;
    if (mx_alloc_should_fail() ||
        posix_memalign(&p, alignment, size ? size : 1) != 0)
        return NULL;
    return p;
}

void mx_free(void *p)
{
    free(p);
}

char *mx_strdup(const char *s)
{
    size_t n = strlen(s) + 1;
    char *p = mx_alloc(n);
    if (p)
        memcpy(p, s, n);
    return p;
}

#define HUGE_PAGE ((size_t)2 << 20)

void *mx_map_pages(size_t size)
{
    if (mx_alloc_should_fail() || size + HUGE_PAGE < size)
        return NULL;
    /* Map a huge page more than needed and trim to a 2 MiB boundary. */
    size_t extra = size >= HUGE_PAGE ? HUGE_PAGE : 0;
    char *p = mmap(NULL, size + extra, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    if (extra) {
        size_t head = (size_t)(-(uintptr_t)p & (HUGE_PAGE - 1));
        if (head)
            munmap(p, head);
        if (extra > head)
            munmap(p + head + size, extra - head);
        p += head;
#ifdef MADV_HUGEPAGE
        (void)madvise(p, size, MADV_HUGEPAGE);
#endif
    }
    return p;
}

void mx_unmap_pages(void *p, size_t size)
{
    munmap(p, size);
}
