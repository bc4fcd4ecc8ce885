/* SPDX-License-Identifier: MIT */
/* Sorting n items by their keys, stably.  ITEM: the type; KEY(x): its key, an
   unsigned integer of which the low `bits` count; SN(name): names.  Short
   rows are merged; longer ones are sorted digit by digit from the least
   significant, where a digit that all keys share costs no pass. */

/* Blocks of 16 by insertion, then merged pairwise.  Ends in `a` or `b`; the
   place is returned. */
static ITEM *SN(merge)(ITEM *a, ITEM *b, size_t n)
{
    for (size_t at = 0; at < n; at += 16) {
        size_t end = at + 16 < n ? at + 16 : n;
        for (size_t i = at + 1; i < end; i++) {
            ITEM x = a[i];
            size_t k = i;
            for (; k > at && KEY(a[k - 1]) > KEY(x); k--)
                a[k] = a[k - 1];
            a[k] = x;
        }
    }
    for (size_t width = 16; width < n; width *= 2) {
        for (size_t at = 0; at < n; at += 2 * width) {
            size_t mid = at + width < n ? at + width : n;
            size_t end = mid + width < n ? mid + width : n;
            size_t i = at, k = mid, to = at;
            while (i < mid && k < end) {
                int right = KEY(a[k]) < KEY(a[i]);
                b[to++] = right ? a[k] : a[i];
                k += (size_t)right;
                i += (size_t)!right;
            }
            memcpy(b + to, a + i, (mid - i) * sizeof *a);
            memcpy(b + to + (mid - i), a + k, (end - k) * sizeof *a);
        }
        ITEM *t = a;
        a = b;
        b = t;
    }
    return a;
}

struct SN(pass) {
    const ITEM *from;
    ITEM *to;
    size_t n, chunk;
    unsigned shift, mask;
    uint32_t (*count)[SORT_BUCKETS]; /* by chunk */
};

static void SN(count)(void *context, int64_t begin, int64_t end)
{
    const struct SN(pass) *p = context;
    for (int64_t c = begin; c < end; c++) {
        uint32_t *count = p->count[c];
        size_t i = (size_t)c * p->chunk, stop = i + p->chunk;
        stop = stop < p->n ? stop : p->n;
        memset(count, 0, (p->mask + 1) * sizeof *count);
        for (; i < stop; i++)
            count[(KEY(p->from[i]) >> p->shift) & p->mask]++;
    }
}

static void SN(move)(void *context, int64_t begin, int64_t end)
{
    const struct SN(pass) *p = context;
    for (int64_t c = begin; c < end; c++) {
        uint32_t *at = p->count[c];
        size_t i = (size_t)c * p->chunk, stop = i + p->chunk;
        stop = stop < p->n ? stop : p->n;
        for (; i < stop; i++) {
            ITEM x = p->from[i];
            p->to[at[(KEY(x) >> p->shift) & p->mask]++] = x;
        }
    }
}

/* Counts to first positions, chunk after chunk within a bucket; 0 if one
   bucket has all. */
static int SN(place)(const struct SN(pass) *p, size_t chunks)
{
    uint32_t total = 0;
    for (unsigned d = 0; d <= p->mask; d++) {
        uint32_t before = total;
        for (size_t c = 0; c < chunks; c++) {
            uint32_t n = p->count[c][d];
            p->count[c][d] = total;
            total += n;
        }
        if (total - before == p->n)
            return 0;
    }
    return 1;
}

/* As merge. */
static ITEM *SN(radix)(ITEM *a, ITEM *b, size_t n, unsigned bits,
    unsigned digit, size_t chunks, uint32_t (*count)[SORT_BUCKETS])
{
    struct SN(pass) p = { NULL, NULL, n, (n + chunks - 1) / chunks, 0, 0,
        count };
    for (unsigned shift = 0; shift < bits; shift += digit) {
        unsigned width = bits - shift < digit ? bits - shift : digit;
        p.from = a;
        p.to = b;
        p.shift = shift;
        p.mask = (1u << width) - 1;
        if (chunks > 1)
            mx_parallel_for((int64_t)chunks, 1, SN(count), &p);
        else
            SN(count)(&p, 0, 1);
        if (!SN(place)(&p, chunks))
            continue;
        if (chunks > 1)
            mx_parallel_for((int64_t)chunks, 1, SN(move), &p);
        else
            SN(move)(&p, 0, 1);
        ITEM *t = a;
        a = b;
        b = t;
    }
    return a;
}

/* `count` has room for SORT_CHUNKS. */
static ITEM *SN(sort)(ITEM *a, ITEM *b, size_t n, unsigned bits, void *count,
    int split)
{
    if (n < SORT_SHORT || n > UINT32_MAX)
        return SN(merge)(a, b, n);
    size_t chunks = split && n >= SORT_SPLIT ? SORT_CHUNKS : 1;
    return SN(radix)(a, b, n, bits, n < SORT_NARROW ? 8 : 11, chunks, count);
}

#undef ITEM
#undef KEY
#undef SN
