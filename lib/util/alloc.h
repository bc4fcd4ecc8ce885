/* SPDX-License-Identifier: MIT */
/* The one allocator.  Sizes are checked, and a test can make the n-th
   allocation of the process fail. */
#ifndef MX_ALLOC_H
#define MX_ALLOC_H

#include <stddef.h>
#include <stdint.h>

void *mx_alloc(size_t size);
void *mx_alloc_zero(size_t size);
void *mx_alloc_array(size_t n, size_t size);
void *mx_realloc_array(void *p, size_t n, size_t size);
void *mx_alloc_aligned(size_t alignment, size_t size);
void mx_free(void *p);
char *mx_strdup(const char *s);

/* Whole pages from the system, for large buffers; huge pages are asked for
   from 1 MiB on.  `size` is rounded up by the caller. */
void *mx_map_pages(size_t size);
void mx_unmap_pages(void *p, size_t size);

/* Fault injection: the n-th allocation from now fails (1 is the next); 0
   disarms.  With `forever`, all after it fail too. */
void mx_alloc_fail_at(int64_t n, int forever);
/* Whether an injected failure has happened since it was armed. */
int mx_alloc_failed(void);
/* Ask before an allocation that does not go through this file. */
int mx_alloc_should_fail(void);

/* True if a * b overflows; else *out is the product. */
static inline int mx_mul_overflow(size_t a, size_t b, size_t *out)
{
    return __builtin_mul_overflow(a, b, out);
}

#endif
