/* SPDX-License-Identifier: MIT */
/* Einstein summation.  Subscripts become lists of labels; lengths of one are
   dropped and come back at the end, so that broadcasting needs no thought; a
   greedy plan pairs the operands; a pair becomes a matrix product if it sums
   over a label that both have, else a product of elements. */
#include <stdio.h>
#include <string.h>

#include <mlxc/expr.h>

#include "core/scope.h"
#include "core/shape.h"
#include "ops/infer.h"
#include "util/alloc.h"
#include "util/buf.h"

/* Labels in ASCII order: A-Z, a-z; from 52 the dimensions of "...". */
#define LETTERS 52

struct term {
    int *label;
    int n;
    mlxc_array *a;
};

struct step {
    int x, y; /* x < y; y is -1: all that is left */
};

struct equation {
    int nterms;
    int nlabels;
    int width;         /* the longest "..." */
    int room;          /* labels that fit in a term */
    struct term *term; /* nterms, then the result */
    struct step *step; /* up to nterms */
    int nsteps;
    int64_t *size;     /* of each label */
    int64_t *shape;    /* scratch, room */
    int *axes;         /* scratch, room */
    int *list[4];      /* scratch: batch, free of x, free of y, contracted */
    int *count;        /* of each label: how often in the terms */
    unsigned char *set; /* a row of nlabels per term and 2 more */
    char *text;        /* subscripts without spaces */
    void *memory;
};

static int letter(char ch)
{
    return ch >= 'A' && ch <= 'Z' ? ch - 'A'
        : ch >= 'a' && ch <= 'z' ? ch - 'a' + 26 : -1;
}

static char name_of(int label)
{
    return label < 26 ? (char)('A' + label)
        : label < LETTERS ? (char)('a' + label - 26) : '.';
}

static struct term *result(const struct equation *e)
{
    return &e->term[e->nterms];
}

static unsigned char *row(const struct equation *e, int i)
{
    return e->set + (size_t)i * (size_t)e->nlabels;
}

/* Count letters and "..." up to `end`. */
static mlxc_status scan_term(const char *s, const char *end, int *letters,
    int *dots)
{
    *letters = *dots = 0;
    while (s < end) {
        if (letter(*s) >= 0) {
            ++*letters;
            s++;
        } else if (end - s >= 3 && memcmp(s, "...", 3) == 0 && !*dots) {
            *dots = 1;
            s += 3;
        } else {
            return mx_error(MLXC_ERR_ARGUMENT,
                "einsum: \"%.*s\" is no list of letters with one \"...\"",
                (int)(end - s > 40 ? 40 : end - s), s);
        }
    }
    return MLXC_OK;
}

/* Labels of a term whose "..." stands for `width` dimensions. */
static void read_term(struct equation *e, struct term *t, const char *s,
    const char *end, int width)
{
    t->n = 0;
    while (s < end) {
        int l = letter(*s);
        if (l >= 0) {
            t->label[t->n++] = l;
            s++;
        } else {
            for (int i = 0; i < width; i++)
                t->label[t->n++] = LETTERS + e->width - width + i;
            s += 3;
        }
    }
}

static const char *term_end(const char *s, const char *end)
{
    while (s < end && *s != ',')
        s++;
    return s;
}

/* Lengths of the labels, from all operands. */
static mlxc_status measure(struct equation *e)
{
    for (int i = 0; i < e->nlabels; i++)
        e->size[i] = -1;
    for (int i = 0; i < e->nterms; i++) {
        const struct term *t = &e->term[i];
        for (int j = 0; j < t->n; j++) {
            int l = t->label[j];
            int64_t d = t->a->shape[j];
            e->count[l]++;
            for (int k = 0; k < j; k++)
                if (t->label[k] == l && t->a->shape[k] != d)
                    return mx_error(MLXC_ERR_SHAPE, "einsum: '%c' is both "
                        "%lld and %lld long in one operand", name_of(l),
                        (long long)t->a->shape[k], (long long)d);
            if (e->size[l] < 0 || e->size[l] == 1)
                e->size[l] = d;
            else if (d != 1 && d != e->size[l])
                return mx_error(MLXC_ERR_SHAPE,
                    "einsum: '%c' is both %lld and %lld long", name_of(l),
                    (long long)e->size[l], (long long)d);
        }
    }
    return MLXC_OK;
}

static mlxc_status read_result(struct equation *e, const char *s,
    const char *end)
{
    struct term *r = result(e);
    int letters, dots;
    if (!s) {
        r->n = 0;
        for (int i = LETTERS; i < e->nlabels; i++)
            r->label[r->n++] = i;
        for (int i = 0; i < LETTERS; i++)
            if (e->count[i] == 1)
                r->label[r->n++] = i;
        return MLXC_OK;
    }
    MX_TRY(scan_term(s, end, &letters, &dots));
    if (letters > LETTERS)
        return mx_error(MLXC_ERR_ARGUMENT,
            "einsum: a letter is twice in the result");
    read_term(e, r, s, end, e->width);
    for (int i = 0; i < r->n; i++) {
        if (e->size[r->label[i]] < 0)
            return mx_error(MLXC_ERR_ARGUMENT,
                "einsum: '%c' of the result is in no operand",
                name_of(r->label[i]));
        for (int j = 0; j < i; j++)
            if (r->label[i] == r->label[j])
                return mx_error(MLXC_ERR_ARGUMENT,
                    "einsum: '%c' is twice in the result",
                    name_of(r->label[i]));
    }
    return MLXC_OK;
}

static void equation_free(struct equation *e)
{
    mx_free(e->memory);
    mx_free(e->text);
}

/* One block for all lists. */
static mlxc_status equation_alloc(struct equation *e)
{
    size_t n = (size_t)e->nterms, room = (size_t)e->room;
    size_t labels = (size_t)e->nlabels;
    size_t bytes = (labels + room) * sizeof(int64_t) +
        (n + 1) * sizeof(struct term) + n * sizeof(struct step) +
        ((n + 1) * room + 5 * room + labels) * sizeof(int) +
        (n + 2) * labels;
    char *p = e->memory = mx_alloc_zero(bytes);
    if (!p)
        return mx_error(MLXC_ERR_NOMEM, "einsum: no memory");
    e->size = (void *)p;
    e->shape = e->size + labels;
    e->term = (void *)(e->shape + room);
    e->step = (void *)(e->term + n + 1);
    int *ints = (void *)(e->step + n);
    for (size_t i = 0; i <= n; i++, ints += room)
        e->term[i].label = ints;
    e->axes = ints;
    for (size_t i = 0; i < 4; i++)
        e->list[i] = ints + (i + 1) * room;
    e->count = ints + 5 * room;
    e->set = (void *)(e->count + labels);
    return MLXC_OK;
}

/* Read subscripts for these operands; the caller frees `e` in any case. */
static mlxc_status equation_read(struct equation *e, const char *subscripts,
    mlxc_array *const *list, int n)
{
    memset(e, 0, sizeof *e);
    if (!subscripts || n < 1 || !list)
        return mx_error(MLXC_ERR_ARGUMENT,
            "einsum: subscripts or operands are missing");
    char *to = e->text = mx_alloc(strlen(subscripts) + 1);
    if (!to)
        return mx_error(MLXC_ERR_NOMEM, "einsum: no memory");
    for (const char *s = subscripts; *s; s++)
        if (*s != ' ')
            *to++ = *s;
    *to = '\0';
    const char *arrow = strstr(e->text, "->"), *all = to;
    const char *end = arrow ? arrow : all;
    int commas = 0, rank = 0, letters, dots;
    for (const char *s = e->text; s < end; s++)
        commas += *s == ',';
    if (commas + 1 != n)
        return mx_error(MLXC_ERR_ARGUMENT,
            "einsum: %d terms for %d operands", commas + 1, n);
    const char *s = e->text;
    for (int i = 0; i < n; i++) {
        const char *stop = term_end(s, end);
        MX_TRY(scan_term(s, stop, &letters, &dots));
        int ndim = list[i]->ndim;
        if (dots ? ndim < letters : ndim != letters)
            return mx_error(MLXC_ERR_SHAPE,
                "einsum: \"%.*s\" for an operand of rank %d",
                (int)(stop - s > 40 ? 40 : stop - s), s, ndim);
        if (dots && ndim - letters > e->width)
            e->width = ndim - letters;
        if (ndim > rank)
            rank = ndim;
        s = stop + 1;
    }
    e->nterms = n;
    e->nlabels = LETTERS + e->width;
    /* two more for matrices, and a result may hold a letter in error */
    e->room = e->nlabels + rank + 2;
    MX_TRY(equation_alloc(e));
    s = e->text;
    for (int i = 0; i < n; i++) {
        const char *stop = term_end(s, end);
        MX_TRY(scan_term(s, stop, &letters, &dots));
        e->term[i].a = list[i];
        read_term(e, &e->term[i], s, stop, list[i]->ndim - letters);
        s = stop + 1;
    }
    MX_TRY(measure(e));
    return read_result(e, arrow ? arrow + 2 : NULL, all);
}

/* ---- the plan ---- */

static double volume(const struct equation *e, const unsigned char *set)
{
    double v = 1;
    for (int i = 0; i < e->nlabels; i++)
        if (set[i])
            v *= (double)e->size[i];
    return v;
}

static int count_set(const struct equation *e, const unsigned char *set)
{
    int n = 0;
    for (int i = 0; i < e->nlabels; i++)
        n += set[i];
    return n;
}

static double flops(double size, int terms, int contracts)
{
    return size * ((terms > 2 ? terms - 1 : 1) + contracts);
}

/* Labels that the contraction of x and y (all: y is -1) involves, into `any`,
   and leaves, into `left`; true if it sums over some. */
static int outcome(const struct equation *e, int n, int x, int y,
    unsigned char *any, unsigned char *left)
{
    int contracts = 0;
    for (int l = 0; l < e->nlabels; l++) {
        int in = 0, keep = 0;
        for (int i = 0; i < n; i++) {
            int has = row(e, i)[l];
            if (y < 0 || i == x || i == y)
                in |= has;
            else
                keep |= has;
        }
        for (int i = 0; i < result(e)->n; i++)
            keep |= result(e)->label[i] == l;
        any[l] = (unsigned char)in;
        left[l] = (unsigned char)(in && keep);
        contracts |= in && !keep;
    }
    return contracts;
}

struct report {
    int naive_scaling, scaling;
    double naive_flops, flops;
};

/* Fill in the steps. */
static void plan(struct equation *e, struct report *r)
{
    int n = e->nterms;
    unsigned char *any = row(e, n), *left = row(e, n + 1);
    double limit = 1;
    memset(e->set, 0, (size_t)(n + 2) * (size_t)e->nlabels);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < e->term[i].n; j++)
            row(e, i)[e->term[i].label[j]] = 1;
        double v = volume(e, row(e, i));
        limit = v > limit ? v : limit;
    }
    int contracts = outcome(e, n, 0, -1, any, left);
    double v = volume(e, left);
    limit = v > limit ? v : limit;
    r->naive_scaling = count_set(e, any);
    r->naive_flops = flops(volume(e, any), n, contracts);
    r->scaling = 0;
    r->flops = 0;
    e->nsteps = 0;
    while (n > 2) {
        struct step best = { -1, -1 };
        double gain = 0, cost = 0;
        for (int apart = 0; apart < 2 && best.y < 0; apart++)
            for (int x = 0; x < n; x++)
                for (int y = x + 1; y < n; y++) {
                    int shared = 0;
                    for (int l = 0; l < e->nlabels; l++)
                        shared |= row(e, x)[l] & row(e, y)[l];
                    if (!shared && !apart)
                        continue;
                    int sums = outcome(e, n, x, y, any, left);
                    double f = flops(volume(e, any), 2, sums);
                    double size = volume(e, left);
                    double g = volume(e, row(e, x)) + volume(e, row(e, y)) -
                        size;
                    if (size > limit || r->flops + f > r->naive_flops)
                        continue;
                    if (best.y < 0 || g > gain || (g == gain && f < cost)) {
                        best = (struct step){ x, y };
                        gain = g;
                        cost = f;
                    }
                }
        if (best.y < 0)
            break;
        outcome(e, n, best.x, best.y, any, left);
        int k = count_set(e, any);
        r->scaling = k > r->scaling ? k : r->scaling;
        r->flops += cost;
        e->step[e->nsteps++] = best;
        /* the two go, the result is the last */
        int to = 0;
        for (int i = 0; i < n; i++)
            if (i != best.x && i != best.y) {
                if (to != i)
                    memcpy(row(e, to), row(e, i), (size_t)e->nlabels);
                to++;
            }
        memcpy(row(e, to), left, (size_t)e->nlabels);
        n--;
    }
    contracts = outcome(e, n, 0, -1, any, left);
    int k = count_set(e, any);
    r->scaling = k > r->scaling ? k : r->scaling;
    r->flops += flops(volume(e, any), n, contracts);
    e->step[e->nsteps++] = (struct step){ 0, -1 };
}

/* ---- contraction ---- */

static int find(const struct term *t, int label)
{
    for (int i = 0; i < t->n; i++)
        if (t->label[i] == label)
            return i;
    return -1;
}

/* Take the diagonal of labels that a term has twice, and drop dimensions of
   length 1. */
static void simplify(mlxc_scope *c, struct equation *e, struct term *t)
{
    for (int i = 0; i < t->n; i++)
        for (int j = i + 1; j < t->n; j++)
            if (t->label[i] == t->label[j]) {
                int l = t->label[i];
                t->a = mlxe_diagonal(c, t->a, 0, i, j);
                memmove(t->label + j, t->label + j + 1,
                    (size_t)(t->n - j - 1) * sizeof(int));
                memmove(t->label + i, t->label + i + 1,
                    (size_t)(t->n - i - 2) * sizeof(int));
                t->n--;
                t->label[t->n - 1] = l;
                i = -1; /* look again from the start */
                break;
            }
    if (!t->a)
        return;
    int gone = 0, kept = 0;
    for (int i = 0; i < t->n; i++)
        if (t->a->shape[i] == 1)
            e->axes[gone++] = i;
        else
            t->label[kept++] = t->label[i];
    t->n = kept;
    if (gone)
        t->a = mlxe_squeeze(c, t->a, e->axes, gone);
}

/* Sum over labels outside `keep`. */
static void sum_others(mlxc_scope *c, struct equation *e, struct term *t,
    const unsigned char *keep)
{
    int gone = 0, kept = 0;
    for (int i = 0; i < t->n; i++)
        if (!keep[t->label[i]])
            e->axes[gone++] = i;
        else
            t->label[kept++] = t->label[i];
    t->n = kept;
    if (gone)
        t->a = mlxe_sum(c, t->a, e->axes, gone, false);
}

/* Transpose to the order of up to three lists, which hold all labels. */
static mlxc_array *arrange(mlxc_scope *c, struct equation *e,
    const struct term *t, const int *const *list, const int *n, int lists)
{
    int to = 0;
    for (int i = 0; i < lists; i++)
        for (int j = 0; j < n[i]; j++)
            e->axes[to++] = find(t, list[i][j]);
    return mlxe_transpose(c, t->a, e->axes, to);
}

/* Reshape to the lengths of `batch`, then `rest`. */
static mlxc_array *reshape(mlxc_scope *c, struct equation *e, mlxc_array *a,
    int nbatch, const int64_t *rest, int nrest)
{
    for (int i = 0; i < nbatch; i++)
        e->shape[i] = e->size[e->list[0][i]];
    for (int i = 0; i < nrest; i++)
        e->shape[nbatch + i] = rest[i];
    return a ? mlxe_reshape(c, a, e->shape, nbatch + nrest) : NULL;
}

static int64_t length(const struct equation *e, const int *label, int n)
{
    int64_t size = 1;
    for (int i = 0; i < n; i++)
        size *= e->size[label[i]];
    return size;
}

/* x becomes x times y, summed over all outside `keep`. */
static void contract(mlxc_scope *c, struct equation *e, struct term *x,
    const struct term *other, const unsigned char *keep)
{
    struct term y = *other;
    unsigned char *mine = row(e, e->nterms + 1);
    /* what only one of them has and nobody wants */
    for (int l = 0; l < e->nlabels; l++)
        mine[l] = keep[l] || find(&y, l) >= 0;
    sum_others(c, e, x, mine);
    for (int l = 0; l < e->nlabels; l++)
        mine[l] = keep[l] || find(x, l) >= 0;
    sum_others(c, e, &y, mine);
    int *const *list = e->list;
    int n[4] = { 0, 0, 0, 0 };
    for (int i = 0; i < x->n; i++) {
        int l = x->label[i];
        int which = find(&y, l) < 0 ? 1 : keep[l] ? 0 : 3;
        list[which][n[which]++] = l;
    }
    for (int i = 0; i < y.n; i++)
        if (find(x, y.label[i]) < 0)
            list[2][n[2]++] = y.label[i];
    int64_t m = length(e, list[1], n[1]), p = length(e, list[2], n[2]);
    int64_t k = length(e, list[3], n[3]);
    mlxc_array *a, *b, *r;
    if (n[3] > 0 && (n[0] == 0 || n[1] > 0 || n[2] > 0)) {
        const int *const lx[3] = { list[0], list[1], list[3] };
        const int *const ly[3] = { list[0], list[3], list[2] };
        const int nx[3] = { n[0], n[1], n[3] }, ny[3] = { n[0], n[3], n[2] };
        const int64_t sx[2] = { m, k }, sy[2] = { k, p };
        a = reshape(c, e, arrange(c, e, x, lx, nx, 3), n[0], sx, 2);
        b = reshape(c, e, arrange(c, e, &y, ly, ny, 3), n[0], sy, 2);
        r = mlxe_matmul(c, a, b);
    } else if (n[3] > 0) {
        /* nothing but batches: rows of one */
        const int *const lx[2] = { list[0], list[3] };
        const int nx[2] = { n[0], n[3] }, last = -1;
        a = reshape(c, e, arrange(c, e, x, lx, nx, 2), n[0], &k, 1);
        b = reshape(c, e, arrange(c, e, &y, lx, nx, 2), n[0], &k, 1);
        r = mlxe_sum(c, mlxe_multiply(c, a, b), &last, 1, false);
    } else {
        const int *const lx[2] = { list[0], list[1] };
        const int *const ly[2] = { list[0], list[2] };
        const int nx[2] = { n[0], n[1] }, ny[2] = { n[0], n[2] };
        const int64_t sx[2] = { m, 1 }, sy[2] = { 1, p };
        a = reshape(c, e, arrange(c, e, x, lx, nx, 2), n[0], sx, 2);
        b = reshape(c, e, arrange(c, e, &y, ly, ny, 2), n[0], sy, 2);
        r = mlxe_multiply(c, a, b);
    }
    x->n = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < n[i]; j++) {
            e->shape[x->n] = e->size[list[i][j]];
            x->label[x->n++] = list[i][j];
        }
    x->a = r ? mlxe_reshape(c, r, e->shape, x->n) : NULL;
}

/* Labels of the result and of terms other than x and y. */
static void set_keep(struct equation *e, unsigned char *keep, int n, int x,
    int y)
{
    memset(keep, 0, (size_t)e->nlabels);
    for (int i = 0; i < result(e)->n; i++)
        keep[result(e)->label[i]] = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; i != x && i != y && j < e->term[i].n; j++)
            keep[e->term[i].label[j]] = 1;
}

static mlxc_array *einsum(mlxc_scope *c, struct equation *e)
{
    struct report ignored;
    int n = e->nterms, sums = 0;
    plan(e, &ignored);
    mlxc_dtype d = MLXC_BOOL;
    for (int i = 0; i < n; i++) {
        d = mx_dtype_promote(d, (mlxc_dtype)e->term[i].a->dtype);
        for (int j = 0; j < e->term[i].n; j++)
            sums |= find(result(e), e->term[i].label[j]) < 0;
    }
    if (sums && mx_dtype_is(d, MX_KINDS_BUI)) {
        /* the dtype must not depend on which product does the sum */
        mlxc_array *sum = mlxe_sum(c, mlxe_scalar(c, 0, d), NULL, 0, false);
        if (!sum)
            return NULL;
        d = (mlxc_dtype)sum->dtype;
    }
    for (int i = 0; i < n; i++) {
        struct term *t = &e->term[i];
        t->a = mlxe_astype(c, t->a, d);
        simplify(c, e, t);
        if (!t->a)
            return NULL;
    }
    unsigned char *keep = row(e, e->nterms);
    for (int i = 0; n > 1; i += i < e->nsteps - 1) {
        struct step s = e->step[i];
        if (s.y < 0)
            s = (struct step){ 0, 1 };
        set_keep(e, keep, n, s.x, s.y);
        contract(c, e, &e->term[s.x], &e->term[s.y], keep);
        if (!e->term[s.x].a)
            return NULL;
        struct term t = e->term[s.x], spare = e->term[s.y];
        int to = 0;
        for (int j = 0; j < n; j++)
            if (j != s.x && j != s.y)
                e->term[to++] = e->term[j];
        e->term[to] = t;
        e->term[to + 1] = spare;
        n--;
    }
    struct term *t = &e->term[0], *r = result(e);
    set_keep(e, keep, 0, 0, 0);
    sum_others(c, e, t, keep);
    if (!t->a)
        return NULL;
    int kept = 0;
    for (int i = 0; i < r->n; i++) {
        e->shape[i] = e->size[r->label[i]];
        if (e->shape[i] != 1)
            e->axes[kept++] = find(t, r->label[i]);
    }
    mlxc_array *a = mlxe_transpose(c, t->a, e->axes, kept);
    return a ? mlxe_reshape(c, a, e->shape, r->n) : NULL;
}

mlxc_status mlxc_einsum(mlxc_array **out, const char *subscripts,
    mlxc_array *const *list, int n, mlxc_stream *s)
{
    struct equation e;
    mlxc_scope *c;
    MX_TRY(mx_check("einsum", out, list, list ? n : 0));
    mlxc_status status = equation_read(&e, subscripts, list, n);
    if (!status)
        status = mlxc_scope_new(&c, s);
    if (!status) {
        status = mlxc_scope_export(out, c, einsum(c, &e));
        mlxc_scope_free(c);
    }
    equation_free(&e);
    return status;
}

mlxc_status mlxc_einsum_path(char **out, const char *subscripts,
    mlxc_array *const *list, int n)
{
    struct equation e;
    struct report r;
    struct mx_buf b = { 0 };
    if (!out)
        return mx_error(MLXC_ERR_ARGUMENT, "einsum_path: out is NULL");
    *out = NULL;
    for (int i = 0; list && i < n; i++)
        if (!list[i])
            return mx_error(MLXC_ERR_ARGUMENT,
                "einsum_path: operand %d is NULL", i);
    mlxc_status status = equation_read(&e, subscripts, list, n);
    if (!status) {
        plan(&e, &r);
        int left = n;
        mx_buf_puts(&b, "path: ");
        for (int i = 0; i < e.nsteps; i++) {
            if (e.step[i].y >= 0) {
                mx_buf_printf(&b, "[%d,%d],", e.step[i].x, e.step[i].y);
                left--;
                continue;
            }
            for (int j = 0; j < left; j++)
                mx_buf_printf(&b, "%s%d", j ? "," : "[", j);
            mx_buf_puts(&b, "]\n");
        }
        mx_buf_printf(&b, "contraction: %s\nnaive scaling: %d\n"
            "optimised scaling: %d\nnaive flops: %.0f\n"
            "optimised flops: %.0f\n", e.text, r.naive_scaling, r.scaling,
            r.naive_flops, r.flops);
        *out = mx_buf_take(&b);
        if (!*out)
            status = mx_error(MLXC_ERR_NOMEM, "einsum_path: no memory");
    }
    equation_free(&e);
    return status;
}
