/* SPDX-License-Identifier: MIT */
/* Runs all cases of the golden files through the public API.  A case that
   cannot be run fails: nothing is skipped. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "golden_compare.h"
#include "golden_ops.h"
#include "support.h"

static const char *const files[] = { "unary", "binary", "ternary", "cast",
    "creation", "shape", "slice", "reduction", "scan", "sort", "index",
    "matmul", "views", "wide", "random" };
enum { FILES = sizeof files / sizeof *files };

static const char *folder;

static mlxc_tensors *open_file(const char *name)
{
    char path[1024];
    mlxc_tensors *file;
    snprintf(path, sizeof path, "%s/%s.safetensors", folder, name);
    ok(mlxc_load_safetensors(&file, path, NULL));
    return file;
}

/* How many tensors of the file the case has used; why it fails, if so. */
static int run_case(struct golden *g, mlxc_tensors *file, char *why,
    size_t size)
{
    const struct golden_op *op = golden_find(g->op);
    mlxc_array *out[MAX_LIST], *want;
    mlxc_scope *c;
    char key[160];
    int n = 0, exact = (int)golden_int(g, "exact", 0);
    *why = 0;
    ok(mlxc_scope_new(&c, NULL));
    golden_load(c, g, file);
    if (op)
        n = op->run(c, g, out);
    else
        snprintf(why, size, "no such operation here");
    if (!*why && mlxc_scope_status(c))
        snprintf(why, size, "%s", mlxc_error_message());
    else if (!*why && golden_unused(g))
        snprintf(why, size, "nobody reads \"%s\"", golden_unused(g));
    for (int i = 0; i < n && !*why; i++) {
        snprintf(key, sizeof key, "%s/out%d", g->name, i);
        if (mlxc_tensors_get(&want, file, key)) {
            snprintf(why, size, "%d outputs, not %d", n, i);
            break;
        }
        golden_compare(why, size, g->op, exact, out[i], want);
        mlxc_array_unref(want);
    }
    if (!*why && n < 1)
        snprintf(why, size, "no outputs");
    mlxc_scope_free(c);
    return g->nin + n;
}

/* One element against one: bit for bit, within the two units of exp, and
   within the eight units of matmul. */
START_TEST(comparison)
{
    static const struct {
        mlxc_dtype dtype;
        double got, want;
        const char *fits; /* of "bem": bits, exp, matmul */
    } cases[] = {
        { MLXC_INT32, 3, 3, "bem" },
        { MLXC_INT32, 3, 4, "" },
        { MLXC_FLOAT32, 0.0, -0.0, "em" },
        { MLXC_FLOAT32, NAN, NAN, "bem" },
        { MLXC_FLOAT32, NAN, 1, "" },
        { MLXC_FLOAT32, 1, NAN, "" },
        { MLXC_FLOAT32, INFINITY, INFINITY, "bem" },
        { MLXC_FLOAT32, INFINITY, -INFINITY, "" },
        { MLXC_FLOAT32, 0x1.fffffep127, INFINITY, "" },
        { MLXC_FLOAT32, INFINITY, 0x1.fffffep127, "" },
        { MLXC_FLOAT32, 1 + 0x1p-22, 1, "em" },
        { MLXC_FLOAT32, 1 + 0x1p-21, 1, "m" },
        { MLXC_FLOAT32, 1 + 0x1p-19, 1, "" },
        { MLXC_FLOAT32, 0x1p-148, 0, "em" },
        { MLXC_FLOAT64, 1 + 0x1p-51, 1, "em" },
        { MLXC_FLOAT64, 1 + 0x1p-50, 1, "m" },
        { MLXC_FLOAT64, 1 + 0x1p-40, 1, "" },
        { MLXC_FLOAT16, 1 + 0x1p-10, 1, "em" },
        { MLXC_FLOAT16, 1 + 0x1p-9, 1, "" },
        { MLXC_BFLOAT16, 1 + 0x1p-7, 1, "em" },
        { MLXC_BFLOAT16, 1 + 0x1p-6, 1, "" },
    };
    static const char *const ops[] = { "bitwise_or", "exp", "matmul" };
    char why[200];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mlxc_array *got = make(cases[i].dtype, NULL, 0, &cases[i].got);
        mlxc_array *want = make(cases[i].dtype, NULL, 0, &cases[i].want);
        for (int k = 0; k < 3; k++) {
            golden_compare(why, sizeof why, ops[k], 0, got, want);
            ck_assert_msg((strchr(cases[i].fits, *ops[k]) != NULL) == !*why,
                "case %zu, %s: %s", i, ops[k], why);
        }
        mlxc_array_unref(got);
        mlxc_array_unref(want);
    }
}
END_TEST

/* Each part of a complex number by itself, with the unit of the larger. */
START_TEST(comparison_of_complex)
{
    static const struct {
        mlxc_complex64 got, want;
        int fits;
    } cases[] = {
        { { 1, 2 }, { 1, 2 }, 1 },
        { { 1, 0x1p-23f }, { 1, 0 }, 1 },
        { { 1, 0x1p-20f }, { 1, 0 }, 0 },
        { { INFINITY, 1 }, { INFINITY, 1 }, 1 },
        { { INFINITY, 1 }, { -INFINITY, 1 }, 0 },
        { { INFINITY, 1 }, { INFINITY, 2 }, 0 },
        { { INFINITY, 1 }, { 1, INFINITY }, 0 },
        { { NAN, 1 }, { NAN, 1 }, 1 },
        { { NAN, 1 }, { 1, NAN }, 0 },
        { { NAN, 1 }, { NAN, NAN }, 0 },
    };
    char why[200];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mlxc_array *got, *want;
        ok(mlxc_array_from_complex64(&got, cases[i].got));
        ok(mlxc_array_from_complex64(&want, cases[i].want));
        golden_compare(why, sizeof why, "exp", 0, got, want);
        ck_assert_msg(cases[i].fits == !*why, "case %zu: %s", i, why);
        mlxc_array_unref(got);
        mlxc_array_unref(want);
    }
}
END_TEST

START_TEST(all_cases_of)
{
    char why[600];
    struct golden g;
    mlxc_tensors *file = open_file(files[_i]);
    int cases = mlxc_tensors_metadata_size(file), passed = 0, used = 0;
    for (int i = 0; i < cases; i++) {
        const char *name = mlxc_tensors_metadata_key(file, i);
        const char *params = mlxc_tensors_metadata(file, name);
        golden_parse(&g, name, params);
        used += run_case(&g, file, why, sizeof why);
        passed += !*why;
        if (*why && i - passed < 20)
            printf("FAIL %s (%s): %s\n", name, params, why);
    }
    printf("%s: %d of %d cases run and passed\n", files[_i], passed, cases);
    fflush(stdout);
    ck_assert_int_gt(cases, 0);
    ck_assert_int_eq(passed, cases);
    /* no tensor is left that belongs to no case, or to one output more */
    ck_assert_int_eq(used, mlxc_tensors_size(file));
    mlxc_tensors_unref(file);
}
END_TEST

static int has(mlxc_tensors *file, const char *key)
{
    mlxc_array *a = NULL;
    int found = !mlxc_tensors_get(&a, file, key);
    mlxc_array_unref(a);
    return found;
}

START_TEST(all_files)
{
    struct dirent *entry;
    DIR *d = opendir(folder);
    int n = 0;
    ck_assert_ptr_nonnull(d);
    while ((entry = readdir(d)) != NULL)
        n += strstr(entry->d_name, ".safetensors") != NULL;
    closedir(d);
    ck_assert_int_eq(n, FILES);
}
END_TEST

/* Each entry of the operations' tables has cases, and some on views if it has
   inputs. */
START_TEST(all_operations)
{
    enum { MAX_OPS = 400 };
    const struct golden_op *op;
    struct golden g;
    int count[MAX_OPS] = { 0 }, views[MAX_OPS] = { 0 }, total = 0, bad = 0;
    char key[160];
    for (int f = 0; f < FILES; f++) {
        mlxc_tensors *file = open_file(files[f]);
        for (int k = 0; k < mlxc_tensors_metadata_size(file); k++) {
            const char *name = mlxc_tensors_metadata_key(file, k);
            golden_parse(&g, name, mlxc_tensors_metadata(file, name));
            snprintf(key, sizeof key, "%s/in0", name);
            int view = golden_get(&g, "layout") || !has(file, key);
            for (int i = 0; (op = golden_at(i)) != NULL; i++) {
                if (i < MAX_OPS && !strcmp(op->op, g.op)) {
                    count[i]++;
                    views[i] += view;
                }
            }
            total++;
        }
        mlxc_tensors_unref(file);
    }
    int n = 0;
    for (; (op = golden_at(n)) != NULL; n++) {
        ck_assert_int_lt(n, MAX_OPS);
        if (!views[n]) {
            printf("%s: no case%s\n", op->op, count[n] ? " on views" : "");
            bad++;
        }
    }
    printf("%d cases of %d operations\n", total, n);
    fflush(stdout);
    ck_assert_int_eq(bad, 0);
}
END_TEST

int main(void)
{
    static char path[1024];
    const char *top = getenv("top_srcdir");
    if (!top) {
        fprintf(stderr, "test_golden: set top_srcdir to the folder of the "
            "sources, as in top_srcdir=.. tests/test_golden\n");
        return 2;
    }
    snprintf(path, sizeof path, "%s/tests/golden", top);
    folder = path;
    Suite *s = suite_create("golden");
    TCase *t = tcase_create("golden");
    tcase_set_timeout(t, 240);
    tcase_add_test(t, comparison);
    tcase_add_test(t, comparison_of_complex);
    tcase_add_loop_test(t, all_cases_of, 0, FILES);
    tcase_add_test(t, all_files);
    tcase_add_test(t, all_operations);
    suite_add_tcase(s, t);
    return run_suite(s);
}
