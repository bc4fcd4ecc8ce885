/* SPDX-License-Identifier: MIT */
/* What the test programs share. */
#ifndef MX_TESTS_SUPPORT_H
#define MX_TESTS_SUPPORT_H

#include <check.h>
#include <stdint.h>
#include <stdlib.h>

#include <mlxc/mlxc.h>

/* The call succeeds, or the test fails with the library's message. */
#define ok(call) \
    do { \
        mlxc_status ok_status_ = (call); \
        ck_assert_msg(ok_status_ == MLXC_OK, "%s: %s", \
            mlxc_status_name(ok_status_), mlxc_error_message()); \
    } while (0)

/* The call fails with a status and a message that contains a text. */
#define fails(call, status, text) \
    do { \
        mlxc_status fails_status_ = (call); \
        ck_assert_msg(fails_status_ == (status), "%s instead of %s: %s", \
            mlxc_status_name(fails_status_), #status, \
            mlxc_error_message()); \
        ck_assert_msg(strstr(mlxc_error_message(), (text)) != NULL, \
            "message is \"%s\"", mlxc_error_message()); \
    } while (0)

/* Arrays from values given as doubles; new references. */
mlxc_array *make(mlxc_dtype dtype, const int64_t *shape, int ndim,
    const double *values);
mlxc_array *vec(mlxc_dtype dtype, int n, const double *values);
/* Evenly spread pseudo-random numbers in [low, high), the same each time. */
mlxc_array *spread(mlxc_dtype dtype, const int64_t *shape, int ndim,
    double low, double high, unsigned seed);

/* Elements in row-major order as doubles (real parts); free() them. */
double *values_of(mlxc_array *a);

/* Assert values (NaN equals NaN) within a relative and absolute bound. */
void assert_values(mlxc_array *a, int n, const double *expected,
    double bound);
void assert_shape(mlxc_array *a, int ndim, const int64_t *shape);
/* Assert that two arrays agree. */
void assert_close(mlxc_array *a, mlxc_array *b, double bound);

/* MLXC_TEST_LEVEL: 0 quick, 1 normal, 2 exhaustive. */
int test_level(void);

/* Run a suite; the exit status of the program. */
int run_suite(Suite *s);

#endif
