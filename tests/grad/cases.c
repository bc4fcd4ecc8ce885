/* SPDX-License-Identifier: MIT */
/* The cases: plain maps from their list, all others from cases.def. */
#include "walk.h"

#include <math.h>

#include "ops/recurrence.h"

#define x in[0]
#define y in[1]
#define z in[2]
#define w in[3]
/* Lists of axes, lengths, flags, with their number behind. */
#define AXES(...) (const int[]){ __VA_ARGS__ }, \
    (int)(sizeof((const int[]){ __VA_ARGS__ }) / sizeof(int))
#define DIMS(...) (const int64_t[]){ __VA_ARGS__ }, \
    (int)(sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t))
#define V(...) (const int64_t[]){ __VA_ARGS__ }
/* Two numbers as the key of random ones. */
#define KEY(words) mlxe_astype(c, words, MLXC_UINT32)

#define MAP1(ID, sym, rule, out, kinds) \
    static mlxc_array *map_##sym(mlxc_scope *c, mlxc_array *const *in) \
    { return mlxe_##sym(c, x); }
#define MAP2(ID, sym, rule, out, kinds) \
    static mlxc_array *map_##sym(mlxc_scope *c, mlxc_array *const *in) \
    { return mlxe_##sym(c, x, y); }
#include "core/elementwise.def"

/* Windows of rows of x at indices y, and z put there. */
static mlxc_array *windows(mlxc_scope *c, mlxc_array *const *in, int mode)
{
    static const int axis = 0;
    static const int64_t sizes[] = { 1, 2 };
    mlxc_array *out = NULL;
    mlxc_arrays *index;
    mlxc_status status = mlxc_arrays_from(&index, &y, 1);
    if (!status && mode < 0)
        status = mlxc_gather(&out, x, index, &axis, 1, sizes, 2, NULL);
    else if (!status)
        status = mlxc_scatter(&out, x, index, z, &axis, 1,
            (mlxc_scatter_mode)mode, NULL);
    mlxc_arrays_unref(index);
    return mlxc_scope_take(c, status, out);
}

static mlxc_array *depends(mlxc_scope *c, mlxc_array *const *in)
{
    mlxc_arrays *value, *on, *list = NULL;
    mlxc_status status = mlxc_arrays_from(&value, &x, 1);
    mlxc_array *out = NULL;
    if (!status) {
        status = mlxc_arrays_from(&on, &y, 1);
        if (!status)
            status = mlxc_depends(&list, value, on, NULL);
        mlxc_arrays_unref(on);
    }
    if (!status)
        out = mlxc_array_ref(mlxc_arrays_get(list, 0));
    mlxc_arrays_unref(value);
    mlxc_arrays_unref(list);
    return mlxc_scope_take(c, status, out);
}

static mlxc_status product(mlxc_arrays *outputs, mlxc_arrays *inputs,
    void *payload)
{
    mlxc_array *out, *a = mlxc_arrays_get(inputs, 0);
    mlxc_array *b = mlxc_arrays_get(inputs, 1);
    (void)payload;
    mlxc_status status = mlxc_multiply(&out, a, b, NULL);
    return status ? status : mlxc_arrays_push_take(outputs, out);
}

/* A function with rules of its own: those that it would have anyway. */
static mlxc_array *custom(mlxc_scope *c, mlxc_array *const *in)
{
    mlxc_function *f = NULL, *g = NULL;
    mlxc_arrays *args = NULL, *list = NULL;
    mlxc_array *out = NULL;
    mlxc_status status = mlxc_function_new(&f, product, NULL, NULL);
    if (!status)
        status = mlxc_custom_function(&g, f, NULL, NULL, NULL);
    if (!status)
        status = mlxc_arrays_from(&args, in, 2);
    if (!status)
        status = mlxc_function_call(&list, g, args);
    if (!status)
        out = mlxc_array_ref(mlxc_arrays_get(list, 0));
    mlxc_function_unref(f);
    mlxc_function_unref(g);
    mlxc_arrays_unref(args);
    mlxc_arrays_unref(list);
    return mlxc_scope_take(c, status, out);
}

#define CASE(name, inputs, flags, ...) \
    static mlxc_array *case_##name(mlxc_scope *c, mlxc_array *const *in) \
    { return __VA_ARGS__; }
#include "cases.def"

#undef x
#undef y
#undef z
#undef w

/* Inputs of plain maps.  The default is -2 to 2; an op that needs another
   domain has a line IN_<ID> below. */
#define SPREAD1 "2x3@-2:2"
#define SPREAD2 "2x3@-2:2 3@-2:2"
#define POSITIVE1 "2x3@0.3:3"
#define WITHIN1 "2x3@-0.9:0.9"
#define BITS1 "2x3%50"
#define BITS2 "2x3%50 3%7"
#define BOOL1 "2x3?"
#define BOOL2 "2x3? 3?"
#define COMPLEX1 "2x3c@0.3:2"
#define COMPLEX2 "2x3c@0.3:2 3c@0.3:2"

#define IN_SQRT ~, POSITIVE1
#define IN_RSQRT ~, POSITIVE1
#define IN_RECIPROCAL ~, POSITIVE1
#define IN_LOG ~, POSITIVE1
#define IN_LOG2 ~, POSITIVE1
#define IN_LOG10 ~, POSITIVE1
#define IN_LOG1P ~, POSITIVE1
#define IN_TAN ~, WITHIN1
#define IN_ARCSIN ~, WITHIN1
#define IN_ARCCOS ~, WITHIN1
#define IN_ARCCOSH ~, "2x3@1.2:3"
#define IN_ARCTANH ~, WITHIN1
#define IN_ERFINV ~, WITHIN1
#define IN_LOGICAL_NOT ~, BOOL1
#define IN_BITWISE_INVERT ~, BITS1
#define IN_CONJUGATE ~, COMPLEX1
#define IN_REAL ~, COMPLEX1
#define IN_IMAG ~, COMPLEX1
#define IN_DIVIDE ~, "2x3@-2:2 3@0.5:2"
#define IN_FLOOR_DIVIDE ~, "2x3@-2:2 3@0.5:2"
#define IN_REMAINDER ~, "2x3@-2:2 3@0.5:0.9"
#define IN_POWER ~, "2x3@0.5:2 3@-2:2"
#define IN_EQUAL ~, "2x3%3 3%3"
#define IN_NOT_EQUAL ~, "2x3%3 3%3"
#define IN_EQUAL_NAN ~, "2x3%3 3%3"
#define IN_LOGICAL_AND ~, BOOL2
#define IN_LOGICAL_OR ~, BOOL2
#define IN_LOGICAL_XOR ~, BOOL2
#define IN_BITWISE_AND ~, BITS2
#define IN_BITWISE_OR ~, BITS2
#define IN_BITWISE_XOR ~, BITS2
#define IN_LEFT_SHIFT ~, BITS2
#define IN_RIGHT_SHIFT ~, BITS2

#define SECOND_(first, second, ...) second
#define SECOND(...) SECOND_(__VA_ARGS__)

const struct walk_case walk_cases[] = {
#define MAP1(ID, sym, rule, out, kinds) \
    { #sym, SECOND(IN_##ID, SPREAD1, ~), map_##sym, 0 },
#define MAP2(ID, sym, rule, out, kinds) \
    { #sym, SECOND(IN_##ID, SPREAD2, ~), map_##sym, 0 },
#include "core/elementwise.def"
#define COMPLEX(sym, inputs) { #sym " of complex", inputs, map_##sym, 0 },
    COMPLEX(abs, COMPLEX1) COMPLEX(negative, COMPLEX1)
    COMPLEX(sign, COMPLEX1) COMPLEX(square, COMPLEX1)
    COMPLEX(sqrt, COMPLEX1) COMPLEX(rsqrt, COMPLEX1)
    COMPLEX(reciprocal, COMPLEX1) COMPLEX(exp, COMPLEX1)
    COMPLEX(log, COMPLEX1) COMPLEX(log2, COMPLEX1) COMPLEX(log10, COMPLEX1)
    COMPLEX(log1p, COMPLEX1) COMPLEX(sin, COMPLEX1) COMPLEX(cos, COMPLEX1)
    COMPLEX(tan, "2x3c@0.3:0.9") COMPLEX(arcsin, COMPLEX1)
    COMPLEX(arccos, COMPLEX1) COMPLEX(arctan, "2x3c@0.3:0.7")
    COMPLEX(sinh, COMPLEX1) COMPLEX(cosh, COMPLEX1)
    COMPLEX(tanh, "2x3c@0.3:0.9") COMPLEX(arcsinh, COMPLEX1)
    COMPLEX(arccosh, COMPLEX1) COMPLEX(arctanh, "2x3c@0.3:0.7")
    COMPLEX(add, COMPLEX2) COMPLEX(subtract, COMPLEX2)
    COMPLEX(multiply, COMPLEX2) COMPLEX(divide, COMPLEX2)
    COMPLEX(power, "2x3c@0.8:1.4 3c@0.3:1")
    COMPLEX(logaddexp, "2x3c@0.3:0.9 3c@0.3:0.9")
#undef CASE
#define CASE(name, inputs, flags, ...) { #name, inputs, case_##name, flags },
#include "cases.def"
};
const int walk_ncases = (int)(sizeof walk_cases / sizeof *walk_cases);
