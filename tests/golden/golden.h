/* SPDX-License-Identifier: MIT */
/* The golden files: cases with parameters, as README.md describes them. */
#ifndef MX_TESTS_GOLDEN_H
#define MX_TESTS_GOLDEN_H

#include <mlxc/expr.h>
#include <mlxc/io.h>

enum { MAX_INPUTS = 8, MAX_LIST = 16, MAX_PARAMS = 16 };

struct golden {
    const char *name;
    const char *op;
    mlxc_array *in[MAX_INPUTS]; /* views by the layout, in the scope */
    int nin;
    struct {
        char *key, *value;
        int used;
    } param[MAX_PARAMS];
    int nparams;
    char text[512]; /* what the parameters point into */
};

/* Take the parameters apart. */
void golden_parse(struct golden *g, const char *name, const char *params);
/* Load the inputs and make views of them as the case says. */
void golden_load(mlxc_scope *c, struct golden *g, mlxc_tensors *file);
/* A parameter that nobody has asked for; NULL if there is none. */
const char *golden_unused(const struct golden *g);

/* The value of a parameter; NULL if it is absent. */
const char *golden_get(struct golden *g, const char *key);
/* Whether a parameter has a given value. */
int golden_is(struct golden *g, const char *key, const char *value);
/* A list of integers; -1 if it is absent. */
int golden_list(struct golden *g, const char *key, int64_t *out);
int golden_axes(struct golden *g, const char *key, int *out);
int64_t golden_int(struct golden *g, const char *key, int64_t absent);
double golden_real(struct golden *g, const char *key, double absent);
mlxc_dtype golden_dtype(struct golden *g, const char *key);

#endif
