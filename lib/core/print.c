/* SPDX-License-Identifier: MIT */
/* Arrays as text in NumPy's style: columns aligned over all that is shown,
   lines of at most 75 characters, three entries at either end of long
   dimensions when there are more than 1000 elements.  The choice between
   positional and scientific form is NumPy 2's. */
#include "core/array.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/decimal.h"
#include "core/error.h"
#include "util/alloc.h"
#include "util/buf.h"

#define LINE 75
#define EDGE 3         /* entries at either end */
#define THRESHOLD 1000 /* elements shown without leaving any out */
#define PRECISION 8    /* most digits after the point */
#define INDENT 6       /* "array(" */
#define WORD 64       /* room for a real number */

/* Visits the elements that are shown, in row-major order. */
struct walk {
    const mlxc_array *a;
    const char *element;
    int64_t *at; /* [ndim] */
    int short_form;
};

/* How one real column is written. */
struct column {
    int scientific;
    int left;     /* characters before the point */
    int right;    /* characters after it */
    int exponent; /* characters of the exponent, with its sign */
    int signs;    /* write a plus sign */
    mlxc_dtype dtype;
    /* gathered */
    double low, high; /* of the absolute values that are not zero */
    int finite, infinite, negative_infinite;
};

struct printer {
    struct mx_buf text;
    struct walk w;
    struct column real, imaginary;
    int width;         /* of bool and integer words */
    size_t line_start; /* in text */
};

static void walk_begin(struct walk *w)
{
    memset(w->at, 0, (size_t)w->a->ndim * sizeof *w->at);
    w->element = mx_data(w->a);
}

static int walk_leaves_out(const struct walk *w, int axis)
{
    return w->short_form && w->a->shape[axis] > 2 * EDGE;
}

/* The axis that moved; those after it are at 0 again.  -1 at the end. */
static int walk_next(struct walk *w)
{
    int64_t item = (int64_t)mx_itemsize(w->a);
    for (int d = w->a->ndim - 1; d >= 0; d--) {
        int64_t step = 1, stride = w->a->strides[d] * item;
        if (walk_leaves_out(w, d) && w->at[d] == EDGE - 1)
            step = w->a->shape[d] - 2 * EDGE + 1;
        if (w->at[d] + step < w->a->shape[d]) {
            w->at[d] += step;
            w->element += step * stride;
            return d;
        }
        w->element -= w->at[d] * stride;
        w->at[d] = 0;
    }
    return -1;
}

/* Bools and integers. */
static void whole_word(char word[WORD], const void *p, mlxc_dtype d,
    int width)
{
    if (d == MLXC_BOOL)
        snprintf(word, WORD, "%*s", width,
            *(const uint8_t *)p ? "True" : "False");
    else if (mx_dtype_is(d, MX_KIND_UINT))
        snprintf(word, WORD, "%*" PRIu64, width,
            (uint64_t)mx_dtype_load_int64(d, p));
    else
        snprintf(word, WORD, "%*" PRId64, width, mx_dtype_load_int64(d, p));
}

static void measure_whole(struct printer *p)
{
    mlxc_dtype d = (mlxc_dtype)p->w.a->dtype;
    char word[WORD];
    if (d == MLXC_BOOL) {
        p->width = p->w.a->ndim ? 5 : 0;
        return;
    }
    walk_begin(&p->w);
    do {
        whole_word(word, p->w.element, d, 0);
        if ((int)strlen(word) > p->width)
            p->width = (int)strlen(word);
    } while (walk_next(&p->w) >= 0);
}

static void column_range(struct column *c, double v)
{
    if (!isfinite(v)) {
        c->infinite = 1;
        c->negative_infinite |= isinf(v) && v < 0;
        return;
    }
    c->finite = 1;
    v = fabs(v);
    if (v > 0) {
        c->low = v < c->low ? v : c->low;
        c->high = v > c->high ? v : c->high;
    }
}

/* As the dtype itself would hold it, so that decisions are the type's. */
static double rounded(mlxc_dtype d, double v)
{
    unsigned char bytes[8];
    mx_dtype_store_double(d, bytes, v);
    return mx_dtype_load_double(d, bytes);
}

static void column_choose(struct column *c)
{
    double most = c->dtype == MLXC_FLOAT64 ? 1e8
        : c->dtype == MLXC_FLOAT32 ? 1e6 : 1e3;
    c->scientific = c->high > 0 && (c->high >= most ||
        c->low < rounded(c->dtype, 1e-4) ||
        rounded(c->dtype, c->high / c->low) > 1e3);
}

static struct mx_decimal digits(const struct column *c, double v)
{
    struct mx_decimal n;
    mx_decimal_shortest(&n, v, c->dtype);
    if (c->scientific)
        mx_decimal_cut_scientific(&n, v, PRECISION);
    else
        mx_decimal_cut_positional(&n, v, PRECISION);
    return n;
}

static void widen(int *width, int n)
{
    *width = n > *width ? n : *width;
}

static void column_measure(struct column *c, double v)
{
    if (!isfinite(v))
        return;
    struct mx_decimal n = digits(c, v);
    int sign = n.negative || c->signs;
    if (c->scientific) {
        widen(&c->left, sign + 1);
        widen(&c->right, n.n - 1);
        widen(&c->exponent, n.exponent <= -100 || n.exponent >= 100 ? 4 : 3);
    } else {
        widen(&c->left, sign + (n.exponent < 0 ? 1 : n.exponent + 1));
        widen(&c->right, n.n - 1 - n.exponent);
    }
}

/* Room for "nan", "inf" and "-inf", which have no point. */
static void column_finish(struct column *c)
{
    if (!c->infinite)
        return;
    int beyond = 1 + c->right + (c->scientific ? 1 + c->exponent : 0);
    widen(&c->left, 3 + (c->signs || c->negative_infinite) - beyond);
}

/* The digits with place value 10^high down to 10^low, absent ones as 0. */
static char *put_digits(char *to, const struct mx_decimal *n, int high,
    int low)
{
    for (int place = high; place >= low; place--) {
        int i = n->exponent - place;
        *to++ = i >= 0 && i < n->n ? n->digit[i] : '0';
    }
    return to;
}

static void finite_word(char *word, const struct column *c, double v)
{
    struct mx_decimal n;
    if (c->scientific) /* all have as many digits, true ones */
        mx_decimal_round(&n, v, c->right + 1);
    else
        n = digits(c, v);
    char number[WORD], *to = number;
    if (n.negative || c->signs)
        *to++ = n.negative ? '-' : '+';
    if (c->scientific) {
        to = put_digits(to, &n, n.exponent, n.exponent);
        int before = (int)(to - number);
        *to++ = '.';
        to = put_digits(to, &n, n.exponent - 1, n.exponent - c->right);
        snprintf(to, WORD / 2, "e%+0*d", c->exponent, n.exponent);
        snprintf(word, WORD, "%*s%s", c->left - before, "", number);
        return;
    }
    to = put_digits(to, &n, n.exponent < 0 ? 0 : n.exponent, 0);
    int before = (int)(to - number), after = n.n - 1 - n.exponent;
    if (after < 0)
        after = 0;
    *to++ = '.';
    to = put_digits(to, &n, -1, -after);
    *to = 0;
    snprintf(word, WORD, "%*s%s%*s", c->left - before, "", number,
        c->right - after, "");
}

static void real_word(char *word, const struct column *c, double v)
{
    if (isfinite(v)) {
        finite_word(word, c, v);
        return;
    }
    const char *name = isnan(v) ? c->signs ? "+nan" : "nan"
        : v < 0 ? "-inf" : c->signs ? "+inf" : "inf";
    int width = c->left + 1 + c->right +
        (c->scientific ? 1 + c->exponent : 0);
    snprintf(word, WORD, "%*s", width, name);
}

static double part(const void *p, int imaginary)
{
    mlxc_complex64 z;
    memcpy(&z, p, sizeof z);
    return imaginary ? (double)z.im : (double)z.re;
}

static void complex_word(char word[2 * WORD], const struct printer *p)
{
    char imaginary[WORD];
    real_word(word, &p->real, part(p->w.element, 0));
    real_word(imaginary, &p->imaginary, part(p->w.element, 1));
    size_t n = strlen(imaginary);
    while (n && imaginary[n - 1] == ' ')
        n--;
    size_t used = strlen(word);
    snprintf(word + used, 2 * WORD - used, "%.*sj%s", (int)n, imaginary,
        imaginary + n);
}

/* Two passes: what form suits the values, then how wide they are in it. */
static void measure_column(struct printer *p, struct column *c, int which)
{
    mlxc_dtype d = (mlxc_dtype)p->w.a->dtype;
    int is_complex = d == MLXC_COMPLEX64;
    c->dtype = is_complex ? MLXC_FLOAT32 : d;
    c->signs = which;
    c->low = INFINITY;
    for (int pass = 0; pass < 2; pass++) {
        walk_begin(&p->w);
        do {
            double v = is_complex ? part(p->w.element, which)
                                  : mx_dtype_load_double(d, p->w.element);
            if (pass)
                column_measure(c, v);
            else
                column_range(c, v);
        } while (walk_next(&p->w) >= 0);
        if (!pass)
            column_choose(c);
    }
    column_finish(c);
}

static void measure(struct printer *p)
{
    mlxc_dtype d = (mlxc_dtype)p->w.a->dtype;
    if (!mx_dtype_is(d, MX_KINDS_INEXACT)) {
        measure_whole(p);
        return;
    }
    measure_column(p, &p->real, 0);
    if (d == MLXC_COMPLEX64)
        measure_column(p, &p->imaginary, 1);
}

static void put_repeated(struct printer *p, const char *text, int n)
{
    while (n-- > 0)
        mx_buf_puts(&p->text, text);
}

static void put_line_breaks(struct printer *p, int n, int indent)
{
    while (p->text.size && p->text.text[p->text.size - 1] == ' ')
        p->text.size--;
    put_repeated(p, "\n", n);
    p->line_start = p->text.size;
    mx_buf_printf(&p->text, "%*s", indent, "");
}

/* A word of a row, on a new line if it does not fit on this one. */
static void put_word(struct printer *p, const char *word)
{
    int ndim = p->w.a->ndim;
    int column = (int)(p->text.size - p->line_start);
    if (ndim && column > INDENT + ndim &&
        column + (int)strlen(word) > LINE - 1 - ndim)
        put_line_breaks(p, 1, INDENT + ndim);
    mx_buf_puts(&p->text, word);
}

static void put_element(struct printer *p)
{
    mlxc_dtype d = (mlxc_dtype)p->w.a->dtype;
    char word[2 * WORD];
    if (d == MLXC_COMPLEX64)
        complex_word(word, p);
    else if (mx_dtype_is(d, MX_KIND_FLOAT))
        real_word(word, &p->real, mx_dtype_load_double(d, p->w.element));
    else
        whole_word(word, p->w.element, d, p->width);
    put_word(p, word);
}

/* From one entry of `axis` to the next. */
static void put_separator(struct printer *p, int axis)
{
    int deeper = p->w.a->ndim - 1 - axis;
    mx_buf_puts(&p->text, ", ");
    if (deeper)
        put_line_breaks(p, deeper, INDENT + 1 + axis);
}

static void put_values(struct printer *p)
{
    const struct walk *w = &p->w;
    int ndim = w->a->ndim, axis;
    put_repeated(p, "[", ndim);
    walk_begin(&p->w);
    put_element(p);
    while ((axis = walk_next(&p->w)) >= 0) {
        put_repeated(p, "]", ndim - 1 - axis);
        put_separator(p, axis);
        if (walk_leaves_out(w, axis) &&
            w->at[axis] == w->a->shape[axis] - EDGE) {
            if (axis == ndim - 1)
                put_word(p, "...");
            else
                mx_buf_puts(&p->text, "...");
            put_separator(p, axis);
        }
        put_repeated(p, "[", ndim - 1 - axis);
        put_element(p);
    }
    put_repeated(p, "]", ndim);
}

static void put_shape(struct mx_buf *b, const mlxc_array *a)
{
    mx_buf_puts(b, "shape=(");
    for (int i = 0; i < a->ndim; i++)
        mx_buf_printf(b, i ? ", %" PRId64 : "%" PRId64, a->shape[i]);
    mx_buf_puts(b, a->ndim == 1 ? ",), " : "), ");
}

/* Shape, where the values do not show it, and dtype. */
static void put_facts(struct printer *p)
{
    const mlxc_array *a = p->w.a;
    struct mx_buf facts = { 0 };
    if (p->w.short_form || (!a->size && a->ndim > 1))
        put_shape(&facts, a);
    mx_buf_printf(&facts, "dtype=%s)", mx_dtypes[a->dtype].name);
    mx_buf_puts(&p->text, ",");
    if (p->text.size - p->line_start + facts.size + 1 > LINE)
        put_line_breaks(p, 1, INDENT);
    else
        mx_buf_puts(&p->text, " ");
    p->text.failed |= facts.failed;
    if (facts.text)
        mx_buf_puts(&p->text, facts.text);
    mx_buf_free(&facts);
}

mlxc_status mlxc_array_to_string(char **out, mlxc_array *a)
{
    if (!out)
        return mx_error(MLXC_ERR_ARGUMENT, "array_to_string: out is NULL");
    *out = NULL;
    MX_TRY(mx_array_host(a, "array_to_string"));
    struct printer p = { .w = { .a = a,
        .short_form = a->size > THRESHOLD } };
    int64_t small[16];
    p.w.at = small;
    if (a->ndim > 16) {
        p.w.at = mx_alloc_array((size_t)a->ndim, sizeof *p.w.at);
        if (!p.w.at)
            return mx_error_nomem("array_to_string");
    }
    mx_buf_puts(&p.text, "array(");
    if (a->size) {
        measure(&p);
        put_values(&p);
    } else {
        mx_buf_puts(&p.text, "[]");
    }
    put_facts(&p);
    if (p.w.at != small)
        mx_free(p.w.at);
    *out = mx_buf_take(&p.text);
    return *out ? MLXC_OK : mx_error_nomem("array_to_string");
}
