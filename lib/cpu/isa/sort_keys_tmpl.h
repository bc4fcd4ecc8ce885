/* SPDX-License-Identifier: MIT */
/* Values of W bits as keys U and back, and a row of them sorted by ROW.
   KN(name): names. */

#define TOP ((U)1 << (W - 1))

static void KN(load)(U *dst, const U *src, size_t n, const struct order *o,
    struct special *special)
{
    if (o->kind == MX_KIND_FLOAT) {
        const U infinity = (U)o->infinity;
        size_t nans = 0, zeros = 0;
        for (size_t i = 0; i < n; i++) {
            U b = src[i], magnitude = (U)(b & ~TOP);
            U key = (U)(b & TOP ? ~b : b | TOP);
            key = magnitude ? key : TOP;
            key = magnitude > infinity ? (U)~(U)0 : key;
            dst[i] = key;
            nans += magnitude > infinity;
            zeros += b == TOP;
        }
        special->nans += nans;
        special->negative_zeros += zeros;
        return;
    }
    const U flip = o->kind == MX_KIND_INT ? TOP : 0;
    for (size_t i = 0; i < n; i++)
        dst[i] = (U)(src[i] ^ flip);
}

/* Zeros and NaN of the source, as they stood, where their keys lie. */
static void KN(restore)(U *dst, const U *src, size_t n,
    const struct order *o, const struct special *special)
{
    size_t zero = 0, nan = n - special->nans;
    if (special->negative_zeros) {
        /* first element not below zero */
        size_t end = nan;
        while (zero < end) {
            size_t mid = zero + (end - zero) / 2;
            if ((dst[mid] & TOP) && (dst[mid] & (U)~TOP))
                zero = mid + 1;
            else
                end = mid;
        }
    }
    for (size_t i = 0; i < n; i++) {
        U magnitude = (U)(src[i] & ~TOP);
        if (magnitude > (U)o->infinity)
            dst[nan++] = src[i];
        else if (!magnitude && special->negative_zeros)
            dst[zero++] = src[i];
    }
}

static void KN(values)(U *dst, const U *src, size_t n, const struct order *o,
    void *count, U *scratch, int split)
{
    struct special special = { 0, 0 };
    KN(load)(dst, src, n, o, &special);
    const U *from = ROW(dst, scratch, n, W, count, split);
    if (o->kind == MX_KIND_FLOAT) {
        for (size_t i = 0; i < n; i++)
            dst[i] = (U)(from[i] & TOP ? from[i] ^ TOP : ~from[i]);
        if (special.nans || special.negative_zeros)
            KN(restore)(dst, src, n, o, &special);
        return;
    }
    const U flip = o->kind == MX_KIND_INT ? TOP : 0;
    for (size_t i = 0; i < n; i++)
        dst[i] = (U)(from[i] ^ flip);
}

#undef TOP
#undef U
#undef W
#undef KN
#undef ROW
