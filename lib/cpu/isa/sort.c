/* SPDX-License-Identifier: MIT */
/* Stable sorting of one row.  Every dtype has unsigned keys whose order is
   that of its values: -0 and +0 share a key, and NaN has the largest.  Values
   are sorted as keys, in place of which zeros and NaN get their own bits
   back; positions as pairs of key and position. */
#include "cpu/isa/isa.h"

#include "core/dtype.h"
#include "util/thread.h"

#define SORT_SHORT 256     /* shorter rows are merged */
#define SORT_NARROW 8192   /* shorter rows take digits of 8 bits, not 11 */
#define SORT_SPLIT 65536   /* longer rows may be shared by the pool */
#define SORT_CHUNKS 16     /* by that many parts */
#define SORT_BUCKETS 2048

/* How the bits of a dtype are ordered. */
struct order {
    unsigned kind;     /* enum mx_kind; complex numbers are apart */
    uint64_t infinity; /* of a float */
};

/* What keys do not tell apart. */
struct special {
    size_t nans, negative_zeros;
};

static struct order order_of(mlxc_dtype d)
{
    struct order o = { mx_dtypes[d].kind, 0 };
    o.infinity = d == MLXC_FLOAT16 ? 0x7c00 : d == MLXC_BFLOAT16 ? 0x7f80
        : d == MLXC_FLOAT64 ? UINT64_C(0x7ff0000000000000) : 0x7f800000;
    return o;
}

#define ITEM uint8_t
#define KEY(x) (x)
#define SN(name) name##_8
#include "cpu/isa/sort_tmpl.h"
#define ITEM uint16_t
#define KEY(x) (x)
#define SN(name) name##_16
#include "cpu/isa/sort_tmpl.h"
#define ITEM uint32_t
#define KEY(x) (x)
#define SN(name) name##_32
#include "cpu/isa/sort_tmpl.h"
#define ITEM uint64_t
#define KEY(x) (x)
#define SN(name) name##_64
#include "cpu/isa/sort_tmpl.h"

#include "cpu/isa/sort_wide.h"

#define U uint8_t
#define W 8
#define KN(name) name##_8
#define ROW sort_8
#include "cpu/isa/sort_keys_tmpl.h"
#define U uint16_t
#define W 16
#define KN(name) name##_16
#define ROW sort_16
#include "cpu/isa/sort_keys_tmpl.h"
#define U uint32_t
#define W 32
#define KN(name) name##_32
#define ROW sort_wide
#include "cpu/isa/sort_keys_tmpl.h"
#define U uint64_t
#define W 64
#define KN(name) name##_64
#define ROW sort_64
#include "cpu/isa/sort_keys_tmpl.h"

/* A key of up to 32 bits above a position. */
#define ITEM uint64_t
#define KEY(x) ((x) >> 32)
#define SN(name) name##_packed
#include "cpu/isa/sort_tmpl.h"

struct pair {
    uint64_t key, position;
};

#define ITEM struct pair
#define KEY(x) ((x).key)
#define SN(name) name##_pair
#include "cpu/isa/sort_tmpl.h"

static size_t rounded(size_t n)
{
    return (n + 63) & ~(size_t)63;
}

/* Bytes of the counters at the start of the scratch. */
static size_t count_bytes(int64_t n)
{
    size_t one = SORT_BUCKETS * sizeof(uint32_t);
    return n < SORT_SHORT ? 0 : n < SORT_SPLIT ? one : SORT_CHUNKS * one;
}

static int packs(mlxc_dtype d, int64_t n)
{
    return mx_dtypes[d].size <= 4 && n <= UINT32_MAX;
}

static size_t position_scratch(mlxc_dtype d, int64_t n)
{
    size_t item = packs(d, n) ? sizeof(uint64_t) : sizeof(struct pair);
    return count_bytes(n) + 2 * rounded((size_t)n * item);
}

static size_t sort_scratch(mlxc_dtype d, int64_t n, int positions)
{
    if (positions)
        return position_scratch(d, n);
    if (d == MLXC_COMPLEX64)
        return position_scratch(d, n) +
            rounded((size_t)n * sizeof(uint64_t));
    return count_bytes(n) + rounded((size_t)n * mx_dtypes[d].size);
}

static void complex_keys(uint64_t *dst, const uint32_t *src, size_t n)
{
    const struct order o = order_of(MLXC_FLOAT32);
    for (size_t i = 0; i < n; i++) {
        struct special special = { 0, 0 };
        uint32_t key[2];
        load_32(key, src + 2 * i, 2, &o, &special);
        dst[i] = special.nans ? UINT64_MAX
                              : (uint64_t)key[0] << 32 | key[1];
    }
}

#define BLOCK 256

static void sort_keys(mlxc_dtype d, uint64_t *dst, const void *src, int64_t n)
{
    const struct order o = order_of(d);
    struct special unused = { 0, 0 };
    uint32_t keys[BLOCK];
    uint8_t *k8 = (uint8_t *)keys;
    uint16_t *k16 = (uint16_t *)keys;
    if (d == MLXC_COMPLEX64) {
        complex_keys(dst, src, (size_t)n);
        return;
    }
    if (mx_dtypes[d].size == 8) {
        load_64(dst, src, (size_t)n, &o, &unused);
        return;
    }
    for (int64_t at = 0; at < n; at += BLOCK) {
        size_t m = (size_t)(n - at < BLOCK ? n - at : BLOCK);
        const char *from = (const char *)src + at * mx_dtypes[d].size;
        switch (mx_dtypes[d].size) {
        case 1:
            load_8(k8, (const void *)from, m, &o, &unused);
            for (size_t i = 0; i < m; i++)
                dst[at + (int64_t)i] = k8[i];
            break;
        case 2:
            load_16(k16, (const void *)from, m, &o, &unused);
            for (size_t i = 0; i < m; i++)
                dst[at + (int64_t)i] = k16[i];
            break;
        default:
            load_32(keys, (const void *)from, m, &o, &unused);
            for (size_t i = 0; i < m; i++)
                dst[at + (int64_t)i] = keys[i];
        }
    }
}

static void positions_packed(mlxc_dtype d, void *dst, int wide,
    const void *src, int64_t n, char *scratch, int split)
{
    uint64_t *a = (void *)(scratch + count_bytes(n));
    uint64_t *b = (void *)((char *)a + rounded((size_t)n * sizeof *a));
    sort_keys(d, a, src, n);
    for (int64_t i = 0; i < n; i++)
        a[i] = a[i] << 32 | (uint64_t)i;
    a = sort_packed(a, b, (size_t)n, 8u * mx_dtypes[d].size, scratch, split);
    for (int64_t i = 0; i < n; i++) {
        if (wide)
            ((uint64_t *)dst)[i] = a[i] & UINT32_MAX;
        else
            ((uint32_t *)dst)[i] = (uint32_t)a[i];
    }
}

static void sort_positions(mlxc_dtype d, void *dst, int wide, const void *src,
    int64_t n, void *scratch, int split)
{
    if (packs(d, n)) {
        positions_packed(d, dst, wide, src, n, scratch, split);
        return;
    }
    struct pair *a = (void *)((char *)scratch + count_bytes(n));
    struct pair *b = (void *)((char *)a + rounded((size_t)n * sizeof *a));
    uint64_t keys[BLOCK];
    for (int64_t at = 0; at < n; at += BLOCK) {
        int64_t m = n - at < BLOCK ? n - at : BLOCK;
        sort_keys(d, keys, (const char *)src + at * mx_dtypes[d].size, m);
        for (int64_t i = 0; i < m; i++)
            a[at + i] = (struct pair){ keys[i], (uint64_t)(at + i) };
    }
    a = sort_pair(a, b, (size_t)n, 8u * mx_dtypes[d].size, scratch, split);
    for (int64_t i = 0; i < n; i++) {
        if (wide)
            ((uint64_t *)dst)[i] = a[i].position;
        else
            ((uint32_t *)dst)[i] = (uint32_t)a[i].position;
    }
}

static void sort_values(mlxc_dtype d, void *dst, const void *src, int64_t n,
    void *scratch, int split)
{
    const struct order o = order_of(d);
    void *rest = (char *)scratch + count_bytes(n);
    if (d == MLXC_COMPLEX64) {
        uint64_t *at = (void *)((char *)scratch + position_scratch(d, n));
        sort_positions(d, at, 1, src, n, scratch, split);
        for (int64_t i = 0; i < n; i++)
            memcpy((char *)dst + 8 * i, (const char *)src + 8 * at[i], 8);
        return;
    }
    switch (mx_dtypes[d].size) {
    case 1:
        values_8(dst, src, (size_t)n, &o, scratch, rest, split);
        break;
    case 2:
        values_16(dst, src, (size_t)n, &o, scratch, rest, split);
        break;
    case 4:
        values_32(dst, src, (size_t)n, &o, scratch, rest, split);
        break;
    default:
        values_64(dst, src, (size_t)n, &o, scratch, rest, split);
    }
}

MX_KERNELS(sort)
{
    k->sort_scratch = sort_scratch;
    k->sort_values = sort_values;
    k->sort_positions = sort_positions;
    k->sort_keys = sort_keys;
}
