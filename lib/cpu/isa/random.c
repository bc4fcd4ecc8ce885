/* SPDX-License-Identifier: MIT */
/* Threefry-2x32 with 20 rounds (Salmon et al., "Parallel random numbers: as
   easy as 1, 2, 3", 2011), many counters beside each other. */
#include "cpu/isa/isa.h"

MX_INLINE uint32_t rotl(uint32_t x, int n)
{
    return x << n | x >> (32 - n);
}

#define ROUND(n) \
    x += y; y = rotl(y, n); y ^= x;
#define GROUP4(r0, r1, r2, r3, k0, k1, i) \
    ROUND(r0) ROUND(r1) ROUND(r2) ROUND(r3) x += k0; y += k1 + i;

static void threefry(uint32_t *a, uint32_t *b, const uint32_t key[2],
    uint32_t first, uint32_t second, size_t n)
{
    uint32_t k0 = key[0], k1 = key[1], k2 = k0 ^ k1 ^ 0x1bd11bdau;
    for (size_t i = 0; i < n; i++) {
        uint32_t x = first + (uint32_t)i + k0, y = second + (uint32_t)i + k1;
        GROUP4(13, 15, 26, 6, k1, k2, 1u)
        GROUP4(17, 29, 16, 24, k2, k0, 2u)
        GROUP4(13, 15, 26, 6, k0, k1, 3u)
        GROUP4(17, 29, 16, 24, k1, k2, 4u)
        GROUP4(13, 15, 26, 6, k2, k0, 5u)
        a[i] = x;
        b[i] = y;
    }
}

MX_KERNELS(random)
{
    k->threefry = threefry;
}
