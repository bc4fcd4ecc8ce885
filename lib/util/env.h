/* SPDX-License-Identifier: MIT */
/* The environment, read in one place.  doc/environment.md lists the names. */
#ifndef MX_ENV_H
#define MX_ENV_H

#include <stdint.h>

/* The value of `name`, or NULL when unset or empty. */
const char *mx_env(const char *name);
/* A whole number in [low, high]; anything else, and unset, is `fallback`. */
int64_t mx_env_int(const char *name, int64_t low, int64_t high,
    int64_t fallback);

#endif
