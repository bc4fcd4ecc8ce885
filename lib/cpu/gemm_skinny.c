/* SPDX-License-Identifier: MIT */
/* Products of a matrix with a few lines, which is a matter of reading the
   matrix once: it is read in place, along its rows in memory.  Rows that run
   along k are multiplied with the thin lines and summed; rows that run along
   the output are added up, each times its factor.  k is cut into slices by
   its length alone, and sums of slices are added in order, so the result does
   not depend on the number of threads. */
#include "cpu/gemm.h"

#include "util/thread.h"

#define THIN 8             /* lines at most */
#define THIN_PAIRS 4       /* where pairs are multiplied at once */
#define DOT_MORE 256       /* depth that more than 4 dots need */
#define DOT_DEPTH 8192     /* of a slice */
#define DOT_BYTES 1048576  /* of the matrix that one task reads */
#define LINES 12           /* pieces are multiples */
#define ROW_DEPTH 256
#define ROW_SLICES 64      /* slices are deeper if there would be more */
#define LOCAL 16384        /* bytes of sums of one task */
#define ALONE 100000       /* multiplications: not worth a second thread */

static int64_t ceil_div(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

static int64_t min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static size_t align(size_t n)
{
    return (n + 63) & ~(size_t)63;
}

static int64_t thin_lines(const struct mx_gemm *g)
{
    return g->thin_a ? g->m : g->n;
}

static int64_t big_lines(const struct mx_gemm *g)
{
    return g->thin_a ? g->n : g->m;
}

/* How `thin` lines and a side as the matrix could be multiplied. */
static enum mx_gemm_way way_of(const struct mx_gemm *g, int64_t thin,
    const struct mx_gemm_side *big, int64_t lines)
{
    if (thin > (g->kernel->depth > 1 ? THIN_PAIRS : THIN))
        return MX_GEMM_BLOCKED;
    if (big->along == 1 && (big->line != 1 || lines == 1))
        return thin <= 4 || g->k >= DOT_MORE ? MX_GEMM_DOTS : MX_GEMM_BLOCKED;
    return big->line == 1 ? MX_GEMM_ROWS : MX_GEMM_BLOCKED;
}

/* Can the kernels read the thin lines as they are? */
static int thin_in_place(const struct mx_gemm *g)
{
    const struct mx_gemm_side *x = g->thin_a ? &g->a : &g->b;
    return !g->kernel->wide && x->along == 1;
}

size_t mx_skinny_plan(struct mx_gemm *g, int threads)
{
    g->way = MX_GEMM_BLOCKED;
    if (!g->skinny->dots || g->k == 0)
        return 0;
    g->thin_a = 1;
    g->way = way_of(g, g->m, &g->b, g->n);
    if (g->way == MX_GEMM_BLOCKED) {
        g->thin_a = 0;
        g->way = way_of(g, g->n, &g->a, g->m);
    }
    if (g->way == MX_GEMM_BLOCKED)
        return 0;
    const int64_t t = thin_lines(g), lines = big_lines(g);
    const int64_t most = LOCAL / g->skinny->size / t;
    const int dots = g->way == MX_GEMM_DOTS;
    int64_t slices = dots ? ceil_div(g->k, DOT_DEPTH)
        : min(ceil_div(g->k, ROW_DEPTH), ROW_SLICES);
    g->depth = ceil_div(ceil_div(g->k, slices), 16) * 16;
    g->slices = ceil_div(g->k, g->depth);
    g->piece = most;
    if (dots) /* long runs of memory, but enough of them for all threads */
        g->piece = min(max(DOT_BYTES / (g->depth * g->size), LINES),
            ceil_div(lines, 8 * threads));
    g->piece = min(ceil_div(g->piece, LINES) * LINES, most);
    g->piece = max(min(g->piece, lines), 1);
    g->slot_size = thin_in_place(g) ? 0 : align((size_t)g->k *
        g->skinny->size);
    g->sums_size = g->slices == 1 ? 0 : align((size_t)(g->slices * g->m *
        g->n) * g->skinny->size);
    return 64 + (size_t)g->batch * ((size_t)t * g->slot_size + g->sums_size);
}

static char *base(const struct mx_gemm *g)
{
    return (char *)(((uintptr_t)g->scratch + 63) & ~(uintptr_t)63);
}

/* The sums of all slices of a matrix, each m by n. */
static char *sums_of(const struct mx_gemm *g, int64_t matrix)
{
    return base(g) + (size_t)(g->batch * thin_lines(g)) * g->slot_size +
        (size_t)matrix * g->sums_size;
}

static void copy_thin(void *context, int64_t begin, int64_t end)
{
    const struct mx_gemm *g = context;
    const struct mx_gemm_side *x = g->thin_a ? &g->a : &g->b;
    const int64_t t = thin_lines(g);
    for (; begin < end; begin++)
        g->skinny->thin(base(g) + (size_t)begin * g->slot_size,
            mx_gemm_data(g, x, begin / t) + begin % t * x->line * g->size,
            x->along, (size_t)g->k);
}

/* Sums of one task, rows by columns as in the output, for lines from j on. */
static void emit(const struct mx_gemm *g, int64_t matrix, int64_t slice,
    int64_t j, const void *sums, int64_t ld, int64_t lines)
{
    const int64_t t = thin_lines(g);
    int64_t at = matrix * g->m * g->n + (g->thin_a ? j : j * g->n);
    size_t rows = (size_t)(g->thin_a ? t : lines);
    size_t columns = (size_t)(g->thin_a ? lines : t);
    if (g->slices == 1) {
        g->kernel->store(g->out + at * g->size, g->n, sums, ld, rows,
            columns, g->alpha, g->beta);
        return;
    }
    at = slice * g->m * g->n + (g->thin_a ? j : j * g->n);
    g->sums->store(sums_of(g, matrix) + at * g->skinny->size, g->n, sums, ld,
        rows, columns, 1, 0);
}

/* to[j][i] = from[i][j] of sums of one size. */
static void turn(void *to, const void *from, int64_t ld, int64_t t,
    int64_t lines, size_t size)
{
    for (int64_t i = 0; i < t; i++)
        if (size == sizeof(float))
            for (int64_t j = 0; j < lines; j++)
                ((float *)to)[j * t + i] = ((const float *)from)[i * ld + j];
        else
            for (int64_t j = 0; j < lines; j++)
                ((double *)to)[j * t + i] =
                    ((const double *)from)[i * ld + j];
}

static void task(const struct mx_gemm *g, int64_t matrix, int64_t slice,
    int64_t j)
{
    /* LOCAL, and room for vectors that end in the middle */
    double local[LOCAL / sizeof(double) + 64], turned[LOCAL / sizeof(double)];
    const struct mx_gemm_side *x = g->thin_a ? &g->a : &g->b;
    const struct mx_gemm_side *y = g->thin_a ? &g->b : &g->a;
    const int64_t t = thin_lines(g), p = slice * g->depth;
    const int64_t lines = min(g->piece, big_lines(g) - j);
    const size_t depth = (size_t)min(g->depth, g->k - p);
    const char *big = mx_gemm_data(g, y, matrix) + (j * y->line +
        p * y->along) * g->size;
    const char *thin = g->slot_size
        ? base(g) + (size_t)(matrix * t) * g->slot_size
        : mx_gemm_data(g, x, matrix);
    int64_t tl = g->slot_size ? (int64_t)(g->slot_size / g->skinny->size)
        : x->line;
    thin += p * g->skinny->size;
    if (g->way == MX_GEMM_DOTS) {
        g->skinny->dots(local, g->thin_a ? 1 : t, g->thin_a ? lines : 1,
            thin, tl, (size_t)t, big, y->line, (size_t)lines, depth);
        emit(g, matrix, slice, j, local, g->thin_a ? lines : t, lines);
        return;
    }
    int64_t ld = (lines + 15) & ~(int64_t)15;
    g->skinny->rows(local, ld, thin, tl, (size_t)t, big, y->along,
        (size_t)lines, depth);
    if (g->thin_a || t == 1) {
        emit(g, matrix, slice, j, local, g->thin_a ? ld : 1, lines);
    } else {
        turn(turned, local, ld, t, lines, g->skinny->size);
        emit(g, matrix, slice, j, turned, t, lines);
    }
}

static void tasks(void *context, int64_t begin, int64_t end)
{
    const struct mx_gemm *g = context;
    int64_t strips = ceil_div(big_lines(g), g->piece);
    for (; begin < end; begin++)
        task(g, begin / strips / g->slices, begin / strips % g->slices,
            begin % strips * g->piece);
}

/* Add up the slices of a run of elements of all outputs. */
static void add_slices(void *context, int64_t begin, int64_t end)
{
    const struct mx_gemm *g = context;
    const int64_t all = g->m * g->n, run = LOCAL / (int64_t)sizeof(double);
    double sum[LOCAL / sizeof(double)];
    while (begin < end) {
        int64_t matrix = begin / all, at = begin % all;
        int64_t n = min(min(run, end - begin), all - at);
        for (int64_t s = 0; s < g->slices; s++)
            g->sums->store(sum, 0, sums_of(g, matrix) + (s * all + at) *
                g->skinny->size, 0, 1, (size_t)n, 1, s > 0);
        g->kernel->store(g->out + begin * g->size, 0, sum, 0, 1, (size_t)n,
            g->alpha, g->beta);
        begin += n;
    }
}

/* Items of so much work each that are worth handing over. */
static int64_t grain(double work)
{
    return work < ALONE ? (int64_t)(ALONE / work) + 1 : 1;
}

void mx_skinny_run(const struct mx_gemm *g)
{
    struct mx_gemm copy = *g;
    int64_t t = thin_lines(g), strips = ceil_div(big_lines(g), g->piece);
    if (g->slot_size)
        mx_parallel_for(g->batch * t, grain((double)g->k), copy_thin, &copy);
    mx_parallel_for(g->batch * g->slices * strips,
        grain((double)g->piece * (double)g->depth), tasks, &copy);
    if (g->slices > 1)
        mx_parallel_for(g->batch * g->m * g->n,
            grain((double)g->slices), add_slices, &copy);
}
