/* SPDX-License-Identifier: MIT */
/* Host memory: counters, limits, and the cache of freed blocks.  Small blocks
   come from malloc, which has thread-local lists of its own; larger ones are
   kept by size and reused when they fit well: smallest of at least n bytes
   and below min(2n, n + 2 pages). */
#include <mlxc/memory.h>

#include <pthread.h>
#include <string.h>

#include "core/buffer.h"
#include "util/alloc.h"
#include "util/atomic.h"

#define ALIGNMENT 64
#define SMALL 4096             /* below: straight from malloc */
#define MAPPED ((size_t)1 << 20) /* from here: pages from the system */
#define PAGE 4096
#define CACHE_DEFAULT ((size_t)1 << 30)

struct block {
    struct block *next, *previous; /* by size, rising */
    struct block *newer, *older;
    size_t room;
};

static struct {
    pthread_mutex_t lock;
    struct block *smallest;
    struct block *newest, *oldest;
    size_t cached, cache_limit;
} cache = { .lock = PTHREAD_MUTEX_INITIALIZER, .cache_limit = CACHE_DEFAULT };

static size_t active, peak, limit;

void mx_memory_count(int64_t change)
{
    size_t now = mx_add(&active, (size_t)change);
    if (change <= 0)
        return;
    size_t seen = mx_load_relaxed(&peak);
    while (now > seen && !mx_cas(&peak, &seen, now))
        ;
}

int mx_memory_over_limit(size_t more)
{
    size_t l = mx_load_relaxed(&limit);
    return MX_UNLIKELY(l) && mx_load_relaxed(&active) + more > l;
}

static void release(void *p, size_t room)
{
    if (room >= MAPPED)
        mx_unmap_pages(p, room);
    else
        mx_free(p);
}

/* With the lock held. */
static void unlink_block(struct block *b)
{
    if (b->previous)
        b->previous->next = b->next;
    else
        cache.smallest = b->next;
    if (b->next)
        b->next->previous = b->previous;
    if (b->newer)
        b->newer->older = b->older;
    else
        cache.newest = b->older;
    if (b->older)
        b->older->newer = b->newer;
    else
        cache.oldest = b->newer;
    cache.cached -= b->room;
}

/* With the lock held. */
static void trim(size_t bound)
{
    while (cache.cached > bound) {
        struct block *b = cache.oldest;
        size_t room = b->room;
        unlink_block(b);
        release(b, room);
    }
}

static void *reuse(size_t size, size_t *room)
{
    size_t slack = size < 2 * PAGE ? size : 2 * PAGE;
    struct block *b;
    pthread_mutex_lock(&cache.lock);
    for (b = cache.smallest; b && b->room < size; b = b->next)
        ;
    if (b && b->room < size + slack) {
        unlink_block(b);
        *room = b->room;
    } else {
        b = NULL;
    }
    pthread_mutex_unlock(&cache.lock);
    return b;
}

static void *fresh(size_t size, size_t *room)
{
    if (size < MAPPED) {
        *room = size;
        return mx_alloc_aligned(ALIGNMENT, size);
    }
    *room = (size + PAGE - 1) & ~(size_t)(PAGE - 1);
    return *room < size ? NULL : mx_map_pages(*room);
}

void *mx_host_alloc(size_t size, size_t *room)
{
    void *p;
    if (mx_memory_over_limit(size))
        return NULL;
    if (size < SMALL) {
        *room = size;
        return mx_alloc(size);
    }
    if ((p = reuse(size, room)) || (p = fresh(size, room)))
        return p;
    mlxc_memory_clear_cache();
    return fresh(size, room);
}

void mx_host_free(void *p, size_t room)
{
    if (!p)
        return;
    if (room < SMALL) {
        mx_free(p);
        return;
    }
    pthread_mutex_lock(&cache.lock);
    if (room > cache.cache_limit) {
        pthread_mutex_unlock(&cache.lock);
        release(p, room);
        return;
    }
    struct block *b = p, *at = cache.smallest, *before = NULL;
    b->room = room;
    for (; at && at->room < room; at = at->next)
        before = at;
    b->previous = before;
    b->next = at;
    if (before)
        before->next = b;
    else
        cache.smallest = b;
    if (at)
        at->previous = b;
    b->older = cache.newest;
    b->newer = NULL;
    if (b->older)
        b->older->newer = b;
    else
        cache.oldest = b;
    cache.newest = b;
    cache.cached += room;
    trim(cache.cache_limit);
    pthread_mutex_unlock(&cache.lock);
}

size_t mlxc_memory_active(void)
{
    return mx_load(&active);
}

size_t mlxc_memory_peak(void)
{
    return mx_load(&peak);
}

void mlxc_memory_reset_peak(void)
{
    mx_store(&peak, mx_load(&active));
}

size_t mlxc_memory_cached(void)
{
    pthread_mutex_lock(&cache.lock);
    size_t n = cache.cached;
    pthread_mutex_unlock(&cache.lock);
    return n;
}

size_t mlxc_memory_set_limit(size_t bytes)
{
    return __atomic_exchange_n(&limit, bytes, __ATOMIC_ACQ_REL);
}

size_t mlxc_memory_set_cache_limit(size_t bytes)
{
    pthread_mutex_lock(&cache.lock);
    size_t old = cache.cache_limit;
    cache.cache_limit = bytes;
    trim(bytes);
    pthread_mutex_unlock(&cache.lock);
    return old;
}

void mlxc_memory_clear_cache(void)
{
    pthread_mutex_lock(&cache.lock);
    trim(0);
    pthread_mutex_unlock(&cache.lock);
}

void mlxc_free(void *text)
{
    mx_free(text);
}
