/* SPDX-License-Identifier: MIT */
/* The blocked product.  The output is cut into pieces, each the work of one
   thread: it packs slices of its rows of A and columns of B, KC deep, into
   scratch that fits L2, and multiplies them panel by panel.  Pieces of all
   matrices of a batch form one list.  How the output is cut may depend on the
   number of threads; along k it is cut by its length alone, so results do
   not. */
#include "cpu/gemm.h"

#include <string.h>

#include "util/thread.h"

#define PANELS 8   /* of B in a piece, at most */
#define LINES 256  /* of A in a piece, at most */
#define ALONE 200000 /* multiplications not worth a second thread */

static int64_t ceil_div(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

static int64_t round_up(int64_t a, int64_t b)
{
    return ceil_div(a, b) * b;
}

static size_t align(size_t n)
{
    return (n + 63) & ~(size_t)63;
}

static int64_t min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static const struct mx_gemm_kernel *kernel_of(const struct mx_gemm *g)
{
    return &mx_cpu_kernels()->gemm[g->dtype];
}

const char *mx_gemm_data(const struct mx_gemm *g,
    const struct mx_gemm_side *x, int64_t i)
{
    return x->walk ? x->data + mx_walk_offset(x->walk, i) * g->size : x->data;
}

/* Slices along k, all but the last of the same depth. */
static int64_t slices(const struct mx_gemm *g, const struct mx_gemm_kernel *k)
{
    return g->k ? ceil_div(g->k, k->kc) : 1;
}

static int64_t slice_depth(const struct mx_gemm *g,
    const struct mx_gemm_kernel *k)
{
    return round_up(ceil_div(g->k, slices(g, k)), k->depth);
}

static int needs_sums(const struct mx_gemm *g, const struct mx_gemm_kernel *k)
{
    return k->wide && slices(g, k) > 1;
}

/* Parts of a slot. */
static size_t bytes_b(const struct mx_gemm *g, const struct mx_gemm_kernel *k)
{
    return align((size_t)(slice_depth(g, k) *
        round_up(min(g->bn, g->n), k->lanes)) * k->size);
}

static size_t bytes_a(const struct mx_gemm *g, const struct mx_gemm_kernel *k)
{
    return align((size_t)(slice_depth(g, k) *
        round_up(min(g->bm, g->m), k->rows)) * k->size);
}

size_t mx_gemm_plan(struct mx_gemm *g)
{
    const struct mx_gemm_kernel *k = kernel_of(g);
    const int64_t width = 3 * k->lanes;
    g->nm = ceil_div(g->m, LINES);
    g->nn = ceil_div(g->n, PANELS * width);
    g->bm = round_up(ceil_div(g->m, g->nm), k->rows);
    g->bn = round_up(ceil_div(g->n, g->nn), width);
    const int64_t threads = mx_pool_size();
    /* enough pieces for all, but none so small that packing counts */
    while (g->batch * g->nm * g->nn < 2 * threads &&
        (g->bm > 8 * k->rows || g->bn > 2 * width)) {
        if (g->bm > g->bn || g->bn <= 2 * width)
            g->bm = round_up(g->bm / 2, k->rows);
        else
            g->bn = round_up(g->bn / 2, width);
        g->nm = ceil_div(g->m, g->bm);
        g->nn = ceil_div(g->n, g->bn);
    }
    g->slots = (int)min(threads, g->batch * g->nm * g->nn);
    g->slot_size = bytes_a(g, k) + bytes_b(g, k);
    if (needs_sums(g, k))
        g->slot_size += align((size_t)(g->bm * g->bn) * sizeof(float));
    return 64 + align((size_t)g->slots) + (size_t)g->slots * g->slot_size;
}

/* All panels of `lines` lines; `width` of them in all but the last one, whose
   width is a multiple of `step`. */
static void pack(const struct mx_gemm *g, const struct mx_gemm_kernel *k,
    const struct mx_gemm_side *x, char *to, const char *from, int64_t lines,
    int64_t width, int64_t step, int64_t depth)
{
    const int64_t padded = round_up(depth, k->depth);
    for (int64_t i = 0; i < lines; i += width) {
        int64_t n = min(lines - i, width);
        k->pack(to + i * padded * k->size, from + i * x->line * g->size,
            x->line, x->along, (size_t)n, (size_t)round_up(n, step),
            (size_t)depth);
    }
}

/* Where a tile goes, and as which slice of several. */
struct target {
    char *out;
    int64_t ldc;
    float *sums;
    int64_t lds;
    int first, last;
};

static void put(const struct mx_gemm *g, const struct mx_gemm_kernel *k,
    const struct target *t, void *tile, int64_t lt, int64_t i, int64_t j,
    size_t m, size_t n)
{
    char *out = t->out + (i * t->ldc + j) * g->size;
    if (!t->sums) {
        k->store(out, t->ldc, tile, lt, m, n, g->alpha,
            t->first ? g->beta : 1);
        return;
    }
    const struct mx_gemm_kernel *f =
        &mx_cpu_kernels()->gemm[MLXC_FLOAT32];
    float *sums = t->sums + i * t->lds + j;
    if (t->last) {
        f->store(tile, lt, sums, t->lds, m, n, 1, 1);
        k->store(out, t->ldc, tile, lt, m, n, g->alpha, g->beta);
    } else {
        f->store(sums, t->lds, tile, lt, m, n, 1, !t->first);
    }
}

/* Packed panels of m rows by n columns. */
static void multiply(const struct mx_gemm *g, const struct mx_gemm_kernel *k,
    const char *a, const char *b, const struct target *t, int64_t m,
    int64_t n, int64_t depth)
{
    char tile[8 * 3 * 64] __attribute__((aligned(64)));
    const int64_t width = 3 * k->lanes, half = k->rows / 2;
    for (int64_t j = 0; j < n; j += width) {
        int64_t nj = min(n - j, width), nv = ceil_div(nj, k->lanes);
        for (int64_t i = 0; i < m; i += k->rows) {
            int64_t ni = min(m - i, k->rows);
            k->run[ni > half][nv - 1](a + i * depth * k->size,
                b + j * depth * k->size, tile, (size_t)depth);
            put(g, k, t, tile, nv * k->lanes, i, j, (size_t)ni, (size_t)nj);
        }
    }
}

static void piece(const struct mx_gemm *g, int64_t index, char *slot)
{
    const struct mx_gemm_kernel *k = kernel_of(g);
    int64_t batch = index / (g->nm * g->nn), at = index % (g->nm * g->nn);
    int64_t i = at / g->nn * g->bm, j = at % g->nn * g->bn;
    int64_t m = min(g->m - i, g->bm), n = min(g->n - j, g->bn);
    const char *a = mx_gemm_data(g, &g->a, batch) + i * g->a.line * g->size;
    const char *b = mx_gemm_data(g, &g->b, batch) + j * g->b.line * g->size;
    char *panels_a = slot, *panels_b = slot + bytes_a(g, k);
    struct target t = { .ldc = g->n, .lds = g->bn };
    t.out = g->out + ((batch * g->m + i) * g->n + j) * g->size;
    if (needs_sums(g, k))
        t.sums = (float *)(void *)(panels_b + bytes_b(g, k));
    int64_t step = slice_depth(g, k), p = 0;
    do {
        int64_t depth = min(g->k - p, step);
        pack(g, k, &g->a, panels_a, a + p * g->a.along * g->size, m, k->rows,
            k->rows / 2, depth);
        pack(g, k, &g->b, panels_b, b + p * g->b.along * g->size, n,
            3 * k->lanes, k->lanes, depth);
        t.first = p == 0;
        t.last = p + depth == g->k;
        multiply(g, k, panels_a, panels_b, &t, m, n,
            round_up(depth, k->depth));
        p += depth;
    } while (p < g->k);
}

static char *slot_base(const struct mx_gemm *g)
{
    return (char *)(((uintptr_t)g->scratch + 63) & ~(uintptr_t)63);
}

static void pieces(void *context, int64_t begin, int64_t end)
{
    const struct mx_gemm *g = context;
    char *busy = slot_base(g);
    int s = 0;
    while (__atomic_exchange_n(&busy[s], 1, __ATOMIC_ACQUIRE))
        s = s + 1 < g->slots ? s + 1 : 0;
    for (int64_t i = begin; i < end; i++)
        piece(g, i, busy + align((size_t)g->slots) +
            (size_t)s * g->slot_size);
    __atomic_store_n(&busy[s], 0, __ATOMIC_RELEASE);
}

void mx_gemm_run(const struct mx_gemm *g)
{
    struct mx_gemm copy = *g;
    double work = (double)min(g->bm, g->m) * (double)min(g->bn, g->n) *
        (double)(g->k + 8);
    int64_t n = g->batch * g->nm * g->nn;
    int64_t grain = work < ALONE ? (int64_t)(ALONE / work) + 1 : 1;
    memset(slot_base(g), 0, (size_t)g->slots);
    mx_parallel_for(n, grain, pieces, &copy);
}
