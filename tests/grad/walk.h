/* SPDX-License-Identifier: MIT */
/* What the walking tests share: cases (a formula over the operations under
   test and a description of its inputs) and plain vectors of numbers. */
#ifndef WALK_H
#define WALK_H

#include <stdint.h>

#include <check.h>
#include <mlxc/expr.h>

#define WALK_INPUTS 6
#define WALK_RANK 6
#define WALK_OUTPUTS 8

typedef mlxc_array *walk_fn(mlxc_scope *c, mlxc_array *const *in);

enum walk_flags {
    WALK_NO_SECOND = 1, /* only first derivatives are asked for */
    WALK_NO_VMAP = 2,
};

/*
 * Inputs as words, one per input: lengths with an x between them, or s for a
 * scalar; then c for complex numbers, %n for indices below n, ? for bools;
 * then @low:high for a range other than -1 to 1.  "2x3@0.5:2 4%3" is a matrix
 * and four indices into its rows.
 */
struct walk_case {
    const char *name;
    const char *inputs;
    walk_fn *fn;
    int flags;
};

struct walk_input {
    int ndim;
    int64_t shape[WALK_RANK];
    double low, high;
    int64_t limit; /* of indices */
    mlxc_dtype dtype;
};

extern const struct walk_case walk_cases[];
extern const int walk_ncases;

/* Number of inputs that `text` describes. */
int walk_parse(struct walk_input *in, const char *text);

/* Elements as doubles; complex numbers as pairs. */
struct walk_numbers {
    int64_t n;
    double *v; /* free() */
};
struct walk_numbers walk_numbers(mlxc_array *a);
/* The reverse: an array like `like`. */
mlxc_array *walk_array(const double *v, mlxc_array *like);

/* Reproducible numbers between 0 and 1. */
double walk_random(uint64_t *state);
/* An input with an axis of length `batch` put at `axis` (-1: none). */
mlxc_array *walk_make(const struct walk_input *in, int64_t batch, int axis,
    uint64_t *state);

/* The formula as a function object. */
mlxc_function *walk_function(const struct walk_case *k);
/* x, ... -> gradients of f under fixed pseudo-random cotangents. */
mlxc_function *walk_gradient(mlxc_function *f);

/* Formulas of list_cases.c. */
walk_fn walk_split, walk_split_equal, walk_unstack, walk_meshgrid;
walk_fn walk_broadcast_arrays, walk_divmod, walk_random_normal;
walk_fn walk_random_normal_complex, walk_random_laplace;
walk_fn walk_random_multivariate_normal, walk_random_split_pair;

/* The tests of nomem.c. */
TCase *walk_nomem(void);

/* Compare with a bound relative to the larger of 1 and the numbers. */
void walk_expect(const char *what, const char *name,
    const struct walk_numbers *got, const struct walk_numbers *want,
    double bound);

#endif
