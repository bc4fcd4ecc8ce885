/* SPDX-License-Identifier: MIT */
/* Decimal digits of a floating-point number: as few as tell it from its
   neighbours in its own type, or correctly rounded to fewer.  Independent of
   the locale. */
#ifndef MX_DECIMAL_H
#define MX_DECIMAL_H

#include <mlxc/dtype.h>

#define MX_DECIMAL_DIGITS 40

/* (-1)^negative * d.ddd * 10^exponent; no trailing zeros but for zero. */
struct mx_decimal {
    int negative;
    int exponent;
    int n;                          /* digits, at least one */
    char digit[MX_DECIMAL_DIGITS];  /* '0' to '9', not terminated */
};

/* The shortest that reads back as `v` in the float type `d`; v is finite. */
void mx_decimal_shortest(struct mx_decimal *out, double v, mlxc_dtype d);

/* Correctly rounded to so many significant digits. */
void mx_decimal_round(struct mx_decimal *out, double v, int significant);

/* Let at most `places` digits stand after the point of d.ddd e+xx; `v` is
   what `out` was made from. */
void mx_decimal_cut_scientific(struct mx_decimal *out, double v, int places);
/* The same for the point of ddd.ddd. */
void mx_decimal_cut_positional(struct mx_decimal *out, double v, int places);

#endif
