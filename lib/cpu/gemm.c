/* SPDX-License-Identifier: MIT */
/* The blocked product.  Of one slice along k, all lines of the shorter factor
   are packed by all threads together; then each thread takes a piece of the
   longer factor, packs it for itself, and multiplies it with the shared
   lines.  A piece stays in L2, the shared lines in L3, and a panel in L1.
   Small matrices of a batch are each one thread's work.  The slices depend on
   k alone, so the result does not depend on the number of threads. */
#include "cpu/gemm.h"

#include <string.h>

#include "util/thread.h"

#define PIECE_BYTES 262144      /* packed, of the longer factor */
#define SHARED_BYTES (6 << 20)  /* packed, of the shorter one */
#define SUM_LINES 2048          /* lines of a block that has sums of its own */
#define ALONE 200000            /* multiplications: not worth a second thread */
#define SMALL 0x1p18            /* a matrix that is one thread's work */
#define LARGE 0x1p27            /* a matrix that is worth all threads */

static int64_t ceil_div(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

static int64_t round_up(int64_t a, int64_t b)
{
    return ceil_div(a, b) * b;
}

static int64_t min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Size of equal parts of n, `most` at most, that are multiples of `unit`;
   their number divides by `threads` if it can. */
static int64_t part(int64_t n, int64_t most, int64_t unit, int64_t threads)
{
    n = max(n, 1);
    int64_t parts = round_up(ceil_div(n, max(most, unit)), threads);
    return round_up(ceil_div(n, parts), unit);
}

static size_t align(size_t n)
{
    return (n + 63) & ~(size_t)63;
}

const char *mx_gemm_data(const struct mx_gemm *g,
    const struct mx_gemm_side *x, int64_t i)
{
    return x->walk ? x->data + mx_walk_offset(x->walk, i) * g->size : x->data;
}

void mx_gemm_init(struct mx_gemm *g, const struct mx_cpu_kernels *k,
    mlxc_dtype d)
{
    g->kernel = &k->gemm[d];
    g->skinny = &k->skinny[d];
    g->sums = g->kernel->wide ? &k->gemm[MLXC_FLOAT32] : g->kernel;
}

/* ---- the plan ---- */

/* All slices but the last have the same depth. */
static void cut_depth(struct mx_gemm *g)
{
    const struct mx_gemm_kernel *k = g->kernel;
    int64_t slices = max(ceil_div(g->k, k->kc), 1);
    g->depth = round_up(ceil_div(max(g->k, 1), slices), k->depth);
}

/* Halves of several slices are summed outside the output. */
static int needs_sums(const struct mx_gemm *g)
{
    return g->kernel->wide && g->k > g->depth;
}

static int64_t pieces_of(const struct mx_gemm *g)
{
    return g->share_a ? ceil_div(min(g->bn, g->n), g->piece)
        : ceil_div(min(g->bm, g->m), g->piece);
}

size_t mx_gemm_plan(struct mx_gemm *g, int threads)
{
    const struct mx_gemm_kernel *k = g->kernel;
    size_t bytes = mx_skinny_plan(g, threads);
    if (g->way != MX_GEMM_BLOCKED)
        return bytes;
    cut_depth(g);
    const int64_t width = 3 * k->lanes, line = g->depth * k->size;
    const double work = (double)g->m * (double)g->n * (double)g->k;
    g->across = g->batch > 1 && threads > 1 && (work < SMALL ||
        (g->batch >= 2 * threads && work < LARGE));
    g->share_a = g->m < g->n;
    g->bm = part(g->m, g->share_a ? SHARED_BYTES / line
        : needs_sums(g) ? SUM_LINES : g->m, k->rows, 1);
    g->bn = part(g->n, !g->share_a ? SHARED_BYTES / line
        : needs_sums(g) ? SUM_LINES : g->n, width, 1);
    int64_t most = PIECE_BYTES / line;
    const int64_t inner = g->across ? 1 : threads;
    if (inner > 1)
        most = min(most, ceil_div(g->share_a ? g->bn : g->bm, 4 * inner));
    g->piece = g->share_a ? part(min(g->bn, g->n), most, width, inner)
        : part(min(g->bm, g->m), most, k->rows, inner);
    g->slots = (int)min(inner, pieces_of(g));
    g->areas = g->across ? (int)min(threads, g->batch) : 1;
    g->shared_size = align((size_t)(g->share_a ? g->bm : g->bn) *
        (size_t)line);
    g->slot_size = align((size_t)g->piece * (size_t)line);
    g->sums_size = needs_sums(g)
        ? align((size_t)(g->bm * g->bn) * sizeof(float)) : 0;
    g->area_size = align((size_t)g->slots) + g->shared_size + g->sums_size +
        (size_t)g->slots * g->slot_size;
    return 64 + align((size_t)g->areas) + (size_t)g->areas * g->area_size;
}

/* ---- one slice of one block ---- */

struct slice {
    const struct mx_gemm *g;
    const char *a, *b;
    char *out;
    int64_t m, n;       /* of the block */
    int64_t depth, padded;
    int first, last;
    char *busy, *shared, *slots;
    float *sums;        /* bn apart; or NULL */
};

/* Lines [begin, end) of a side as panels, each at its place. */
static void pack(const struct slice *s, int is_a, char *to, int64_t begin,
    int64_t end)
{
    const struct mx_gemm *g = s->g;
    const struct mx_gemm_kernel *k = g->kernel;
    const struct mx_gemm_side *x = is_a ? &g->a : &g->b;
    k->pack(to, (is_a ? s->a : s->b) + begin * x->line * g->size, x->line,
        x->along, (size_t)(end - begin),
        is_a ? k->rows : 3 * (size_t)k->lanes, is_a ? k->rows / 2 : k->lanes,
        (size_t)s->depth);
}

/* Lines that one call packs of the shared side. */
static int64_t group_of(const struct mx_gemm *g)
{
    return g->share_a ? 8 * g->kernel->rows : 12 * g->kernel->lanes;
}

static void pack_shared(void *context, int64_t begin, int64_t end)
{
    const struct slice *s = context;
    const struct mx_gemm *g = s->g;
    int64_t group = group_of(g), n = g->share_a ? s->m : s->n;
    begin *= group;
    pack(s, g->share_a, s->shared + begin * s->padded * g->kernel->size,
        begin, min(end * group, n));
}

/* Packed panels at (i, j) of the block. */
static void tile(const struct slice *s, const char *a, const char *b,
    int64_t i, int64_t j)
{
    const struct mx_gemm *g = s->g;
    const struct mx_gemm_kernel *k = g->kernel;
    int64_t m = min(s->m - i, k->rows), n = min(s->n - j, 3 * k->lanes);
    int64_t nv = ceil_div(n, k->lanes), width = nv * k->lanes;
    int full = m > k->rows / 2;
    mx_gemm_run_fn *run = k->run[full][nv - 1];
    char *out = s->out + (i * g->n + j) * g->size;
    const double beta = s->first ? g->beta : 1;
    if (s->sums) {
        run(a, b, s->sums + i * g->bn + j, g->bn, (size_t)s->padded,
            !s->first);
    } else if (k->direct && m == (full ? k->rows : k->rows / 2) &&
        n == width && g->alpha == 1 && (beta == 0 || beta == 1)) {
        run(a, b, out, g->n, (size_t)s->padded, beta == 1);
    } else {
        char sums[8 * 3 * 64] __attribute__((aligned(64)));
        run(a, b, sums, width, (size_t)s->padded, 0);
        k->store(out, g->n, sums, width, (size_t)m, (size_t)n, g->alpha,
            beta);
    }
}

/* Rows and columns [i, mi) by [j, nj) of the block. */
static void tiles(const struct slice *s, const char *a, const char *b,
    int64_t i, int64_t mi, int64_t j, int64_t nj)
{
    const struct mx_gemm_kernel *k = s->g->kernel;
    const int64_t width = 3 * k->lanes, line = s->padded * k->size;
    /* the outer loop walks the shared panels, which are farther away */
    if (s->g->share_a)
        for (int64_t x = i; x < mi; x += k->rows)
            for (int64_t y = j; y < nj; y += width)
                tile(s, a + (x - i) * line, b + (y - j) * line, x, y);
    else
        for (int64_t y = j; y < nj; y += width)
            for (int64_t x = i; x < mi; x += k->rows)
                tile(s, a + (x - i) * line, b + (y - j) * line, x, y);
    if (s->sums && s->last)
        k->store(s->out + (i * s->g->n + j) * s->g->size, s->g->n,
            s->sums + i * s->g->bn + j, s->g->bn, (size_t)(mi - i),
            (size_t)(nj - j), s->g->alpha, s->g->beta);
}

static void pieces(void *context, int64_t begin, int64_t end)
{
    const struct slice *s = context;
    const struct mx_gemm *g = s->g;
    int at = 0;
    while (__atomic_exchange_n(&s->busy[at], 1, __ATOMIC_ACQUIRE))
        at = at + 1 < g->slots ? at + 1 : 0;
    char *own = s->slots + (size_t)at * g->slot_size;
    for (; begin < end; begin++) {
        int64_t i = begin * g->piece;
        if (g->share_a) {
            int64_t n = min(i + g->piece, s->n);
            pack(s, 0, own, i, n);
            tiles(s, s->shared, own, 0, s->m, i, n);
        } else {
            int64_t m = min(i + g->piece, s->m);
            pack(s, 1, own, i, m);
            tiles(s, own, s->shared, i, m, 0, s->n);
        }
    }
    __atomic_store_n(&s->busy[at], 0, __ATOMIC_RELEASE);
}

static void run_slice(struct slice *s)
{
    const struct mx_gemm *g = s->g;
    int64_t lines = g->share_a ? s->m : s->n;
    int64_t others = g->share_a ? s->n : s->m;
    int64_t group = group_of(g);
    double work = (double)lines * (double)g->piece * (double)(s->depth + 8);
    double packing = 8 * (double)group * (double)(s->depth + 8);
    mx_parallel_for(ceil_div(lines, group),
        packing < ALONE ? (int64_t)(ALONE / packing) + 1 : 1, pack_shared, s);
    mx_parallel_for(ceil_div(others, g->piece),
        work < ALONE ? (int64_t)(ALONE / work) + 1 : 1, pieces, s);
}

/* One matrix of the batch. */
static void product(const struct mx_gemm *g, int64_t index, char *area)
{
    const char *a = mx_gemm_data(g, &g->a, index);
    const char *b = mx_gemm_data(g, &g->b, index);
    struct slice s = { .g = g, .busy = area };
    s.shared = area + align((size_t)g->slots);
    s.slots = s.shared + g->shared_size + g->sums_size;
    if (g->sums_size)
        s.sums = (float *)(void *)(s.shared + g->shared_size);
    memset(area, 0, (size_t)g->slots);
    for (int64_t i = 0; i < g->m; i += g->bm)
        for (int64_t j = 0; j < g->n; j += g->bn) {
            int64_t p = 0;
            s.m = min(g->m - i, g->bm);
            s.n = min(g->n - j, g->bn);
            s.out = g->out + ((index * g->m + i) * g->n + j) * g->size;
            do {
                s.a = a + (i * g->a.line + p * g->a.along) * g->size;
                s.b = b + (j * g->b.line + p * g->b.along) * g->size;
                s.depth = min(g->k - p, g->depth);
                s.padded = round_up(s.depth, g->kernel->depth);
                s.first = p == 0;
                s.last = p + s.depth == g->k;
                run_slice(&s);
                p += g->depth;
            } while (p < g->k);
        }
}

static char *base(const struct mx_gemm *g)
{
    return (char *)(((uintptr_t)g->scratch + 63) & ~(uintptr_t)63);
}

static void products(void *context, int64_t begin, int64_t end)
{
    const struct mx_gemm *g = context;
    char *busy = base(g);
    int at = 0;
    while (__atomic_exchange_n(&busy[at], 1, __ATOMIC_ACQUIRE))
        at = at + 1 < g->areas ? at + 1 : 0;
    for (; begin < end; begin++)
        product(g, begin, busy + align((size_t)g->areas) +
            (size_t)at * g->area_size);
    __atomic_store_n(&busy[at], 0, __ATOMIC_RELEASE);
}

void mx_gemm_run(const struct mx_gemm *g)
{
    struct mx_gemm copy = *g;
    if (g->way != MX_GEMM_BLOCKED) {
        mx_skinny_run(g);
        return;
    }
    memset(base(g), 0, (size_t)g->areas);
    if (!g->across) {
        for (int64_t i = 0; i < g->batch; i++)
            product(g, i, base(g) + align(1));
        return;
    }
    double work = (double)g->m * (double)g->n * (double)(g->k + 8);
    mx_parallel_for(g->batch,
        work < ALONE ? (int64_t)(ALONE / work) + 1 : 1, products, &copy);
}
