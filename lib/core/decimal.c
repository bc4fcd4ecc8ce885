/* SPDX-License-Identifier: MIT */
/* The C library prints exactly and reads back correctly rounded, so the
   shortest form is found by trying. */
#include "core/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/dtype.h"

#define TEXT 64
#define ENOUGH 17 /* digits tell any double */

/* Digits and exponent of "d.ddde+xx"; the point may be any characters. */
static void parse(struct mx_decimal *out, const char *text)
{
    out->n = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text >= '0' && *text <= '9' && out->n < MX_DECIMAL_DIGITS)
            out->digit[out->n++] = *text;
    }
    while (out->n > 1 && out->digit[out->n - 1] == '0')
        out->n--;
    out->exponent = *text ? atoi(text + 1) : 0;
}

/* `significant` digits, correctly rounded. */
static void print(char text[TEXT], double v, int significant)
{
    if (significant > MX_DECIMAL_DIGITS)
        significant = MX_DECIMAL_DIGITS;
    snprintf(text, TEXT, "%.*e", significant - 1, fabs(v));
}

/* Whether a decimal reads as the half type's v > 0: it lies between the
   midpoints to the neighbours, which double holds exactly. */
static int reads_as_half(const char *text, double v, mlxc_dtype d)
{
    uint16_t h[3];
    double f[3];
    mx_dtype_store_double(d, &h[1], v);
    h[0] = (uint16_t)(h[1] - 1);
    h[2] = (uint16_t)(h[1] + 1);
    for (int i = 0; i < 3; i++)
        f[i] = mx_dtype_load_double(d, &h[i]);
    double x = strtod(text, NULL), low = (f[0] + f[1]) / 2;
    double high = isinf(f[2]) ? f[1] + (f[1] - f[0]) / 2
                              : (f[1] + f[2]) / 2;
    return (x > low && x < high) || (!(h[1] & 1) && (x == low || x == high));
}

static int reads_as(const char *text, double v, mlxc_dtype d)
{
    if (d == MLXC_FLOAT64)
        return strtod(text, NULL) == v;
    if (d == MLXC_FLOAT32)
        return (double)strtof(text, NULL) == v;
    return reads_as_half(text, v, d);
}

void mx_decimal_shortest(struct mx_decimal *out, double v, mlxc_dtype d)
{
    char text[TEXT];
    double a = fabs(v);
    out->negative = signbit(v) != 0;
    /* whatever reads back does so with more digits too */
    int low = 1, high = a > 0 ? ENOUGH : 1;
    while (low < high) {
        int n = (low + high) / 2;
        print(text, a, n);
        if (reads_as(text, a, d))
            high = n;
        else
            low = n + 1;
    }
    print(text, a, high);
    parse(out, text);
}

void mx_decimal_round(struct mx_decimal *out, double v, int significant)
{
    char text[TEXT];
    out->negative = signbit(v) != 0;
    print(text, v, significant);
    parse(out, text);
}

void mx_decimal_cut_scientific(struct mx_decimal *out, double v, int places)
{
    if (out->n > places + 1)
        mx_decimal_round(out, v, places + 1);
}

void mx_decimal_cut_positional(struct mx_decimal *out, double v, int places)
{
    int significant = out->exponent + 1 + places;
    if (out->n <= significant)
        return;
    if (significant >= 1) {
        mx_decimal_round(out, v, significant);
        return;
    }
    out->n = 1; /* below what the places can show */
    out->digit[0] = '0';
    out->exponent = 0;
}
