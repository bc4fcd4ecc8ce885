/* SPDX-License-Identifier: MIT */
/* Comparison of outputs: bit for bit, or by units in the last place of the
   output's own dtype; bounds.def says how many. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/dtype.h"
#include "golden_compare.h"
#include "support.h"

enum measure { OWN, LARGEST };

struct bound {
    const char *op;
    enum measure measure;
    double half, single, full, complex; /* units that are allowed */
};

static const struct bound bounds[] = {
#define BOUND(op, measure, half, single, full, complex) \
    { #op, measure, half, single, full, complex },
#include "bounds.def"
};

/* The numbers of an element: two for a complex one. */
struct element {
    double part[2];
    int n;
};

static struct element load(mlxc_dtype d, const char *p)
{
    struct element e = { { 0, 0 }, 1 };
    if (d == MLXC_COMPLEX64) {
        e.n = 2;
        for (int i = 0; i < 2; i++)
            e.part[i] = mx_dtype_load_double(MLXC_FLOAT32, p + 4 * i);
    } else {
        e.part[0] = mx_dtype_load_double(d, p);
    }
    return e;
}

/* The larger part of a finite element; 0 for others. */
static double magnitude(struct element e)
{
    double m = fmax(fabs(e.part[0]), fabs(e.part[1]));
    return isfinite(e.part[0]) && isfinite(e.part[1]) ? m : 0;
}

/* The distance from a number of the dtype to the next. */
static double unit(mlxc_dtype d, double m)
{
    int digits = d == MLXC_FLOAT16 ? 11 : d == MLXC_BFLOAT16 ? 8
        : d == MLXC_FLOAT64 ? 53 : 24;
    int least = d == MLXC_FLOAT16 ? -24 : d == MLXC_BFLOAT16 ? -133
        : d == MLXC_FLOAT64 ? -1074 : -149;
    int e = least;
    if (m > 0) {
        frexp(m, &e);
        e = e - digits > least ? e - digits : least;
    }
    return ldexp(1, e);
}

/* NaN fits NaN, and an infinity only itself. */
static int number_fits(double got, double want, double slack)
{
    if (isnan(got) || isnan(want))
        return isnan(got) && isnan(want);
    if (isinf(got) || isinf(want))
        return got == want;
    return fabs(got - want) <= slack;
}

/* As numbers, and zeros with their sign. */
static int same_bits(double got, double want)
{
    return number_fits(got, want, 0) &&
        (got != 0 || !signbit(got) == !signbit(want));
}

static double allowed(const struct bound *b, mlxc_dtype d)
{
    return d == MLXC_FLOAT64 ? b->full : d == MLXC_COMPLEX64 ? b->complex
        : d == MLXC_FLOAT32 ? b->single : b->half;
}

/* Which element is the first that does not fit; -1 if all do. */
static int64_t first_wrong(const struct bound *b, mlxc_dtype d, int64_t n,
    const char *got, const char *want)
{
    size_t size = mlxc_dtype_size(d);
    int inexact = mx_dtype_is(d, MX_KIND_FLOAT | MX_KIND_COMPLEX);
    double largest = 0, units = b ? allowed(b, d) : 0;
    for (int64_t i = 0; inexact && i < n; i++)
        largest = fmax(largest, magnitude(load(d, want + (size_t)i * size)));
    for (int64_t i = 0; i < n; i++) {
        const char *p = got + (size_t)i * size, *q = want + (size_t)i * size;
        if (!inexact) {
            if (memcmp(p, q, size))
                return i;
            continue;
        }
        struct element x = load(d, p), y = load(d, q);
        double slack = units <= 0 ? 0 : units *
            unit(d, b->measure == LARGEST ? largest : magnitude(y));
        for (int k = 0; k < x.n; k++) {
            if (units > 0 ? !number_fits(x.part[k], y.part[k], slack)
                          : !same_bits(x.part[k], y.part[k]))
                return i;
        }
    }
    return -1;
}

static void explain(char *why, size_t size, mlxc_dtype d, int64_t i,
    const char *got, const char *want)
{
    size_t at = (size_t)i * mlxc_dtype_size(d);
    if (mx_dtype_is(d, MX_KIND_FLOAT | MX_KIND_COMPLEX)) {
        struct element x = load(d, got + at), y = load(d, want + at);
        snprintf(why, size, "element %lld is %.17g + %.17gi, not %.17g + "
            "%.17gi", (long long)i, x.part[0], x.part[1], y.part[0],
            y.part[1]);
    } else {
        snprintf(why, size, "element %lld is %lld, not %lld", (long long)i,
            (long long)mx_dtype_load_int64(d, got + at),
            (long long)mx_dtype_load_int64(d, want + at));
    }
}

void golden_compare(char *why, size_t size, const char *op, int exact,
    mlxc_array *got, mlxc_array *want)
{
    const struct bound *b = NULL;
    int n = mlxc_array_ndim(want);
    mlxc_dtype d = mlxc_array_dtype(want);
    size_t bytes = mlxc_array_nbytes(want);
    *why = 0;
    for (size_t i = 0; !exact && i < sizeof bounds / sizeof *bounds; i++)
        b = strcmp(bounds[i].op, op) ? b : &bounds[i];
    if (mlxc_array_dtype(got) != d) {
        snprintf(why, size, "the dtype is %s, not %s",
            mlxc_dtype_name(mlxc_array_dtype(got)), mlxc_dtype_name(d));
        return;
    }
    if (mlxc_array_ndim(got) != n || (n && memcmp(mlxc_array_shape(got),
        mlxc_array_shape(want), (size_t)n * sizeof(int64_t)))) {
        snprintf(why, size, "the shape is another");
        return;
    }
    char *x = malloc(bytes + 1), *y = malloc(bytes + 1);
    if (mlxc_array_copy_out(got, x, bytes) ||
        mlxc_array_copy_out(want, y, bytes)) {
        snprintf(why, size, "%s", mlxc_error_message());
    } else {
        int64_t wrong = first_wrong(b, d, mlxc_array_size(want), x, y);
        if (wrong >= 0)
            explain(why, size, d, wrong, x, y);
    }
    free(x);
    free(y);
}
