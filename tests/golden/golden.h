/* SPDX-License-Identifier: MIT */
/* The golden files: cases with parameters, as README.md describes them. */
#ifndef MX_TESTS_GOLDEN_H
#define MX_TESTS_GOLDEN_H

#include <mlxc/expr.h>

#define MAX_INPUTS 8
#define MAX_LIST 16

struct golden {
    const char *name;
    const char *params;
    char op[40];
    mlxc_array *in[MAX_INPUTS]; /* views by the layout, in the scope */
    int nin;
};

/* A list of integers in a parameter; -1 if it is absent. */
int golden_list(const struct golden *g, const char *key, int64_t *out);
int golden_axes(const struct golden *g, const char *key, int *out);
int64_t golden_int(const struct golden *g, const char *key, int64_t absent);
double golden_real(const struct golden *g, const char *key, double absent);
int golden_has(const struct golden *g, const char *key);
/* A text, into a buffer of `size`; empty if absent. */
const char *golden_text(const struct golden *g, const char *key, char *out,
    size_t size);
mlxc_dtype golden_dtype(const struct golden *g, const char *key);

/* Outputs of a case, in the scope; how many, or -1 if the op is not wired. */
int golden_run(mlxc_scope *c, const struct golden *g, mlxc_array **out);

#endif
