/* SPDX-License-Identifier: MIT */
/* How the operations of the golden files are called: one table per family,
   and the words that the tables are written in. */
#ifndef MX_TESTS_GOLDEN_OPS_H
#define MX_TESTS_GOLDEN_OPS_H

#include "golden.h"

/* Gives the outputs of a case, in the scope, and how many there are. */
typedef int golden_fn(mlxc_scope *c, struct golden *g, mlxc_array **out);

struct golden_op {
    const char *op;
    golden_fn *run;
};

/* Each ends with a NULL. */
extern const struct golden_op golden_math[], golden_create[],
    golden_shape[], golden_index[], golden_reduce[], golden_sort[],
    golden_products[], golden_random[];

/* NULL if the operation is not known. */
const struct golden_op *golden_find(const char *op);
/* Entry `i` of all families in turn; NULL behind the last. */
const struct golden_op *golden_at(int i);

/* The first input, flattened where the case has no axis. */
mlxc_array *golden_flat(mlxc_scope *c, struct golden *g);
/* A list of arrays into the scope; the list is released. */
int golden_spill(mlxc_scope *c, mlxc_status status, mlxc_arrays *list,
    mlxc_array **out);
/* Inputs from number `from` on, without the last `less`, as a list. */
mlxc_arrays *golden_inputs(struct golden *g, int from, int less);

#define X (g->in[0])
#define Y (g->in[1])
#define Z (g->in[2])
#define I(key, absent) golden_int(g, key, absent)
#define AXIS ((int)I("axis", 0))
#define DTYPE_OF(key) golden_dtype(g, key)

#define RUN(name) \
    static int r_##name(mlxc_scope *c, struct golden *g, mlxc_array **out)
#define ENTRY(name) { #name, r_##name },
/* One output that the expression layer gives. */
#define ONE(name, value) RUN(name) { (void)g; *out = value; return 1; }
/* One output that a plain function gives in `a`. */
#define STATUS(name, call) \
    RUN(name) { mlxc_array *a = NULL; mlxc_status status = call; \
        *out = mlxc_scope_take(c, status, a); return 1; }
/* The case has a `shape` of n lengths. */
#define SHAPED(name, value) \
    RUN(name) { int64_t shape[MAX_LIST]; \
        int n = golden_list(g, "shape", shape); \
        *out = value; return 1; }
/* The case has n axes in `list`, or NULL for all. */
#define WITH_AXES(name, value) \
    RUN(name) { int axes[MAX_LIST]; int n = golden_axes(g, "axes", axes); \
        const int *list = n < 0 ? NULL : axes; n = n < 0 ? 0 : n; \
        *out = value; return 1; }

#endif
