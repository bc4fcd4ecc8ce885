/* SPDX-License-Identifier: MIT */
/* Shared by the tests of files: a folder for each test, arrays to save. */
#ifndef MX_TEST_FILES_H
#define MX_TEST_FILES_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <mlxc/io.h>
#include <mlxc/memory.h>
#include <mlxc/ops_math.h>
#include <mlxc/ops_shape.h>
#include <mlxc/transform.h>

#include "core/array.h"

#define OK(call) ck_assert_msg((call) == MLXC_OK, "%s", \
    mlxc_error_message())

#define COUNT(list) (int)(sizeof list / sizeof *list)

/* A fresh folder; leaving fails if anything but "a" and "b" is in it. */
extern char folder[64];
void enter(void);
void leave(void);
/* Valid until the next call. */
const char *path_of(const char *name);
void put_file(const char *name, const void *data, size_t n);
size_t get_file(const char *name, char *data, size_t room);

/* -1, 0, 1, ... in the given shape. */
mlxc_array *counting(const int64_t *shape, int ndim, mlxc_dtype d);
void expect_same(mlxc_array *a, mlxc_array *b);

struct shape {
    int ndim;
    int64_t shape[4];
};
#define SHAPES 6
extern const struct shape shapes[SHAPES];

#endif
