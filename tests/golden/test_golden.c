/* SPDX-License-Identifier: MIT */
/* Runs every case of a golden file through the public API and compares shape,
   dtype and values within the bound that the case states. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/dtype.h"
#include "golden.h"
#include "support.h"

static const char *const files[] = { "unary", "binary", "ternary", "cast",
    "creation", "shape", "slice", "reduction", "scan", "sort", "index",
    "matmul", "random" };

static const char *find(const struct golden *g, const char *key)
{
    size_t n = strlen(key);
    for (const char *p = g->params; p; p = strchr(p, ';')) {
        p += *p == ';';
        if (!strncmp(p, key, n) && p[n] == '=')
            return p + n + 1;
    }
    return NULL;
}

int golden_has(const struct golden *g, const char *key)
{
    return find(g, key) != NULL;
}

int golden_list(const struct golden *g, const char *key, int64_t *out)
{
    const char *p = find(g, key);
    int n = 0;
    if (!p)
        return -1;
    while (*p && *p != ';' && n < MAX_LIST) {
        char *end;
        out[n++] = strtoll(p, &end, 10);
        p = *end == ',' ? end + 1 : end;
    }
    return n;
}

int golden_axes(const struct golden *g, const char *key, int *out)
{
    int64_t list[MAX_LIST];
    int n = golden_list(g, key, list);
    for (int i = 0; i < n; i++)
        out[i] = (int)list[i];
    return n;
}

int64_t golden_int(const struct golden *g, const char *key, int64_t absent)
{
    const char *p = find(g, key);
    return p ? (int64_t)strtod(p, NULL) : absent;
}

double golden_real(const struct golden *g, const char *key, double absent)
{
    const char *p = find(g, key);
    return p ? strtod(p, NULL) : absent;
}

const char *golden_text(const struct golden *g, const char *key, char *out,
    size_t size)
{
    const char *p = find(g, key);
    size_t n = p ? strcspn(p, ";") : 0;
    n = n < size ? n : size - 1;
    if (p)
        memcpy(out, p, n);
    out[n] = 0;
    return out;
}

mlxc_dtype golden_dtype(const struct golden *g, const char *key)
{
    char text[24];
    golden_text(g, key, text, sizeof text);
    for (int d = 0; d < MX_DTYPE_COUNT; d++) {
        if (!strcmp(text, mlxc_dtype_name((mlxc_dtype)d)))
            return (mlxc_dtype)d;
    }
    ck_abort_msg("%s: no dtype \"%s\"", g->name, text);
    return MLXC_BOOL;
}

/* ---- layouts ---- */

static mlxc_array *lay_out(mlxc_scope *c, mlxc_array *a, const char *recipe)
{
    int n = mlxc_array_ndim(a);
    const int last = n - 1;
    if (!strncmp(recipe, "transposed", 10))
        return mlxe_swapaxes(c, a, -1, -2);
    if (!strncmp(recipe, "reversed", 8))
        return mlxe_flip(c, a, &last, 1);
    if (!strncmp(recipe, "broadcast0:", 11)) {
        int64_t shape[MAX_LIST];
        memcpy(shape, mlxc_array_shape(a), (size_t)n * sizeof *shape);
        shape[0] = atoi(recipe + 11);
        return mlxe_broadcast_to(c, a, shape, n);
    }
    if (!strncmp(recipe, "step2", 5)) {
        int64_t start[MAX_LIST] = { 0 }, step[MAX_LIST];
        for (int d = 0; d < n; d++)
            step[d] = d == last ? 2 : 1;
        return mlxe_slice(c, a, start, mlxc_array_shape(a), step, n);
    }
    return a;
}

static void load_inputs(mlxc_scope *c, struct golden *g, mlxc_tensors *file)
{
    char key[160];
    const char *layout = find(g, "layout");
    for (g->nin = 0; g->nin < MAX_INPUTS; g->nin++) {
        mlxc_array *a = NULL;
        snprintf(key, sizeof key, "%s/in%d", g->name, g->nin);
        if (mlxc_tensors_get(&a, file, key))
            break;
        a = mlxc_scope_take(c, MLXC_OK, a);
        if (layout && *layout && *layout != ';') {
            a = lay_out(c, a, layout);
            size_t n = strcspn(layout, ",;");
            layout = layout[n] == ',' ? layout + n + 1 : NULL;
        }
        g->in[g->nin] = a;
    }
}

/* ---- comparison ---- */

/* Bits as a number that rises with the value. */
static int64_t rank_of(const void *p, int size)
{
    if (size == 2) {
        int16_t x;
        memcpy(&x, p, 2);
        return x < 0 ? INT16_MIN - (int64_t)x : x;
    }
    if (size == 4) {
        int32_t x;
        memcpy(&x, p, 4);
        return x < 0 ? INT32_MIN - (int64_t)x : x;
    }
    int64_t x;
    memcpy(&x, p, 8);
    return x < 0 ? INT64_MIN - x : x;
}

static int part_fits(const char *tol, mlxc_dtype d, const void *got,
    const void *want)
{
    double x = mx_dtype_load_double(d, got);
    double y = mx_dtype_load_double(d, want);
    if (x == y || (x != x && y != y))
        return d < MLXC_FLOAT16 ? !memcmp(got, want, mlxc_dtype_size(d)) : 1;
    if (d < MLXC_FLOAT16)
        return 0;
    const char *u = strstr(tol, "ulp:");
    if (u && x == x && y == y) {
        int size = (int)mlxc_dtype_size(d);
        double steps =
            fabs((double)rank_of(got, size) - (double)rank_of(want, size));
        if (steps <= atof(u + 4))
            return 1;
    }
    const char *r = strstr(tol, "rel:"), *a = strstr(tol, "abs:");
    return (r || a) && isfinite(x) && isfinite(y) &&
        fabs(x - y) <= (r ? atof(r + 4) : 0) * fabs(y) +
            (a ? atof(a + 4) : 0);
}

static int fits(const char *tol, mlxc_dtype d, const char *got,
    const char *want)
{
    if (d != MLXC_COMPLEX64)
        return part_fits(tol, d, got, want);
    float g[2], w[2];
    memcpy(g, got, 8);
    memcpy(w, want, 8);
    int gn = g[0] != g[0] || g[1] != g[1], wn = w[0] != w[0] || w[1] != w[1];
    if (gn && wn)
        return 1;
    if (part_fits(tol, MLXC_FLOAT32, got, want) &&
        part_fits(tol, MLXC_FLOAT32, got + 4, want + 4))
        return 1;
    const char *r = strstr(tol, "rel:"), *a = strstr(tol, "abs:");
    return (r || a) && hypot(g[0] - w[0], g[1] - w[1]) <=
        (r ? atof(r + 4) : 0) * hypot(w[0], w[1]) + (a ? atof(a + 4) : 0);
}

/* Why the output is wrong; empty if it is right. */
static void compare(char *why, size_t size, const char *tol,
    mlxc_array *got, mlxc_array *want)
{
    int n = mlxc_array_ndim(want);
    mlxc_dtype d = mlxc_array_dtype(want);
    size_t bytes = mlxc_array_nbytes(want), item = mlxc_dtype_size(d);
    *why = 0;
    if (mlxc_array_dtype(got) != d) {
        snprintf(why, size, "dtype %s, not %s",
            mlxc_dtype_name(mlxc_array_dtype(got)), mlxc_dtype_name(d));
        return;
    }
    if (mlxc_array_ndim(got) != n || (n && memcmp(mlxc_array_shape(got),
        mlxc_array_shape(want), (size_t)n * sizeof(int64_t)))) {
        snprintf(why, size, "another shape");
        return;
    }
    char *x = malloc(bytes + 1), *y = malloc(bytes + 1);
    if (mlxc_array_copy_out(got, x, bytes) ||
        mlxc_array_copy_out(want, y, bytes))
        snprintf(why, size, "%s", mlxc_error_message());
    for (size_t i = 0; i < bytes && !*why; i += item) {
        if (!fits(tol, d, x + i, y + i))
            snprintf(why, size, "element %zu is %.9g, not %.9g", i / item,
                mx_dtype_load_double(d, x + i),
                mx_dtype_load_double(d, y + i));
    }
    free(x);
    free(y);
}

static int run_case(const char *name, const char *params, mlxc_tensors *file,
    char *why, size_t size)
{
    struct golden g = { .name = name, .params = params };
    mlxc_array *out[MAX_LIST];
    mlxc_scope *c;
    char tol[64], key[160];
    *why = 0;
    ok(mlxc_scope_new(&c, NULL));
    golden_text(&g, "op", g.op, sizeof g.op);
    golden_text(&g, "tol", tol, sizeof tol);
    load_inputs(c, &g, file);
    int n = golden_has(&g, "check") ? -1 : golden_run(c, &g, out);
    if (n >= 0 && mlxc_scope_status(c))
        snprintf(why, size, "%s", mlxc_error_message());
    for (int i = 0; i < n && !*why; i++) {
        mlxc_array *want;
        snprintf(key, sizeof key, "%s/out%d", name, i);
        if (mlxc_tensors_get(&want, file, key)) {
            snprintf(why, size, "more outputs than expected");
            break;
        }
        compare(why, size, tol, out[i], want);
        mlxc_array_unref(want);
    }
    mlxc_scope_free(c);
    return n >= 0;
}

START_TEST(test_file)
{
    char path[1024], why[600], op[40], last_op[40] = "";
    mlxc_tensors *file;
    int passed = 0, failed = 0, absent = 0;
    const char *top = getenv("top_srcdir");
    snprintf(path, sizeof path, "%s/tests/golden/%s.safetensors",
        top ? top : ".", files[_i]);
    ok(mlxc_load_safetensors(&file, path, NULL));
    int n = mlxc_tensors_metadata_size(file);
    for (int i = 0; i < n; i++) {
        const char *name = mlxc_tensors_metadata_key(file, i);
        const char *params = mlxc_tensors_metadata(file, name);
        if (!run_case(name, params, file, why, sizeof why)) {
            struct golden g = { .name = name, .params = params };
            absent++;
            golden_text(&g, "op", op, sizeof op);
            if (strcmp(op, last_op))
                printf("%s: not run\n", op);
            memcpy(last_op, op, sizeof op);
        } else if (*why) {
            if (failed++ < 20)
                printf("FAIL %s (%s): %s\n", name, params, why);
        } else {
            passed++;
        }
    }
    mlxc_tensors_unref(file);
    printf("%s: %d passed, %d failed, %d not run\n", files[_i], passed,
        failed, absent);
    fflush(stdout);
    ck_assert_int_eq(failed, 0);
    ck_assert_int_gt(passed, 50);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("golden");
    TCase *t = tcase_create("golden");
    tcase_set_timeout(t, 240);
    tcase_add_loop_test(t, test_file, 0, sizeof files / sizeof *files);
    suite_add_tcase(s, t);
    return run_suite(s);
}
