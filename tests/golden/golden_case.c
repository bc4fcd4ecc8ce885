/* SPDX-License-Identifier: MIT */
/* Cases of a golden file: their parameters, inputs and layouts.  A malformed
   case fails the test. */
#include <stdio.h>
#include <string.h>

#include "core/dtype.h"
#include "golden.h"
#include "support.h"

void golden_parse(struct golden *g, const char *name, const char *params)
{
    char *p = g->text;
    memset(g, 0, sizeof *g);
    g->name = name;
    ck_assert_msg(strlen(params) < sizeof g->text, "%s: too long", name);
    strcpy(p, params);
    while (p) {
        char *end = strchr(p, ';'), *value = strchr(p, '=');
        ck_assert_msg(value && (!end || value < end) &&
            g->nparams < MAX_PARAMS, "%s: cannot read \"%s\"", name, params);
        *value = 0;
        if (end)
            *end++ = 0;
        ck_assert_msg(!golden_get(g, p), "%s: %s twice", name, p);
        g->param[g->nparams].key = p;
        g->param[g->nparams++].value = value + 1;
        p = end;
    }
    g->op = golden_get(g, "op");
    ck_assert_msg(g->op != NULL, "%s: no op", name);
    golden_get(g, "src"); /* for readers */
}

const char *golden_get(struct golden *g, const char *key)
{
    for (int i = 0; i < g->nparams; i++) {
        if (!strcmp(g->param[i].key, key)) {
            g->param[i].used = 1;
            return g->param[i].value;
        }
    }
    return NULL;
}

const char *golden_unused(const struct golden *g)
{
    for (int i = 0; i < g->nparams; i++) {
        if (!g->param[i].used)
            return g->param[i].key;
    }
    return NULL;
}

int golden_is(struct golden *g, const char *key, const char *value)
{
    const char *p = golden_get(g, key);
    return p && !strcmp(p, value);
}

int golden_list(struct golden *g, const char *key, int64_t *out)
{
    const char *p = golden_get(g, key);
    int n = 0;
    if (!p)
        return -1;
    while (*p) {
        char *end;
        ck_assert_msg(n < MAX_LIST, "%s: %s is too long", g->name, key);
        out[n++] = strtoll(p, &end, 10);
        ck_assert_msg(end != p && (*end == ',' || !*end),
            "%s: %s is no list of integers", g->name, key);
        p = end + (*end == ',');
    }
    return n;
}

int golden_axes(struct golden *g, const char *key, int *out)
{
    int64_t list[MAX_LIST];
    int n = golden_list(g, key, list);
    for (int i = 0; i < n; i++)
        out[i] = (int)list[i];
    return n;
}

int64_t golden_int(struct golden *g, const char *key, int64_t absent)
{
    int64_t list[MAX_LIST];
    int n = golden_list(g, key, list);
    ck_assert_msg(n == -1 || n == 1, "%s: %s is no integer", g->name, key);
    return n == 1 ? *list : absent;
}

double golden_real(struct golden *g, const char *key, double absent)
{
    char *end;
    const char *p = golden_get(g, key);
    if (!p)
        return absent;
    double v = strtod(p, &end);
    ck_assert_msg(end != p && !*end, "%s: %s is no number", g->name, key);
    return v;
}

mlxc_dtype golden_dtype(struct golden *g, const char *key)
{
    for (int d = 0; d < MX_DTYPE_COUNT; d++) {
        if (golden_is(g, key, mlxc_dtype_name((mlxc_dtype)d)))
            return (mlxc_dtype)d;
    }
    ck_abort_msg("%s: no dtype in %s", g->name, key);
    return MLXC_BOOL;
}

/* ---- layouts ---- */

static mlxc_array *lay_out(mlxc_scope *c, struct golden *g, mlxc_array *a,
    const char *recipe)
{
    int n = mlxc_array_ndim(a), last = n - 1;
    int64_t shape[MAX_LIST], start[MAX_LIST] = { 0 }, step[MAX_LIST];
    if (!strcmp(recipe, "contiguous"))
        return a;
    if (!strcmp(recipe, "transposed"))
        return mlxe_swapaxes(c, a, -1, -2);
    if (!strcmp(recipe, "reversed"))
        return mlxe_flip(c, a, &last, 1);
    if (!strncmp(recipe, "broadcast0:", 11)) {
        memcpy(shape, mlxc_array_shape(a), (size_t)n * sizeof *shape);
        shape[0] = atoi(recipe + 11);
        return mlxe_broadcast_to(c, a, shape, n);
    }
    ck_assert_msg(!strcmp(recipe, "step2"), "%s: no layout \"%s\"", g->name,
        recipe);
    for (int d = 0; d < n; d++)
        step[d] = d == last ? 2 : 1;
    return mlxe_slice(c, a, start, mlxc_array_shape(a), step, n);
}

void golden_load(mlxc_scope *c, struct golden *g, mlxc_tensors *file)
{
    char key[160], recipe[32];
    const char *layout = golden_get(g, "layout");
    for (g->nin = 0; g->nin < MAX_INPUTS; g->nin++) {
        mlxc_array *a = NULL;
        snprintf(key, sizeof key, "%s/in%d", g->name, g->nin);
        if (mlxc_tensors_get(&a, file, key))
            break;
        a = mlxc_scope_take(c, MLXC_OK, a);
        if (layout) {
            int n = (int)strcspn(layout, ",");
            snprintf(recipe, sizeof recipe, "%.*s", n, layout);
            a = lay_out(c, g, a, recipe);
            layout = layout[n] ? layout + n + 1 : NULL;
        }
        g->in[g->nin] = a;
    }
    ck_assert_msg(!layout, "%s: more layouts than inputs", g->name);
}
