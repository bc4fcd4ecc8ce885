/* SPDX-License-Identifier: MIT */
/* What the tests of known pitfalls share: a scope that each test gets fresh,
   short ways to write arrays down, and ways to store the same values. */
#ifndef PITFALLS_H
#define PITFALLS_H

#include <math.h>
#include <string.h>

#include <mlxc/expr.h>

#include "support.h"

/* The scope of the running test. */
extern mlxc_scope *c;

/* Lists of numbers, lengths, axes. */
#define D(...) (const double[]){ __VA_ARGS__ }
#define L(...) (const int64_t[]){ __VA_ARGS__ }
#define A(...) (const int[]){ __VA_ARGS__ }
#define COUNT(list) (int)(sizeof(list) / sizeof *(list))

/* Arrays that the scope owns: a vector, a matrix, any shape, 0 1 2 ... */
mlxc_array *v(mlxc_dtype d, int n, const double *x);
mlxc_array *m(mlxc_dtype d, int64_t rows, int64_t cols, const double *x);
mlxc_array *nd(mlxc_dtype d, const int64_t *shape, int ndim,
    const double *x);
mlxc_array *count(mlxc_dtype d, const int64_t *shape, int ndim);
/* A vector of n complex numbers, given by their parts. */
mlxc_array *z(int n, const double *parts);
/* Hand a new reference over to the scope. */
mlxc_array *own(mlxc_array *a);

/*
 * The values of `a` in another layout: 0 as it is, then as every other element
 * of a longer row, backwards in memory, column by column, and inside of a
 * border.  What lies between holds 99.
 */
#define LAYOUTS 5
mlxc_array *laid(mlxc_array *a, int layout);

/* What the scope computed has these values, within a bound; exactly, and with
   the sign of zeros; these parts; this shape. */
void near(mlxc_array *a, int n, const double *want, double bound);
void is(mlxc_array *a, int n, const double *want);
void parts(mlxc_array *a, int n, const double *want, double bound);
void shaped(mlxc_array *a, int ndim, const int64_t *shape);
void typed(mlxc_array *a, mlxc_dtype d);
/* Both have the same shape and values. */
void same(mlxc_array *a, mlxc_array *b, double bound);

/* A function of up to four arrays, for transformations. */
typedef mlxc_array *formula(mlxc_array *const *x);
mlxc_function *function(formula *f);
/* Its tangent, and its gradient for input i. */
mlxc_array *tangent(formula *f, int n, mlxc_array *const *x,
    mlxc_array *const *t);
mlxc_array *cotangent(formula *f, int n, mlxc_array *const *x,
    mlxc_array *g, int i);
/* Mapped over the given axes; the result has the axis in front. */
mlxc_array *mapped(formula *f, int n, mlxc_array *const *x, const int *axes);

/* A case whose tests get a scope. */
TCase *scoped(const char *name);

TCase *pitfalls_evaluation(void);
TCase *pitfalls_io(void);
TCase *pitfalls_numbers(void);
TCase *pitfalls_views(void);
TCase *pitfalls_transforms(void);
TCase *pitfalls_values(void);

#endif
