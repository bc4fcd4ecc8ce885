/* SPDX-License-Identifier: MIT */
/* See env.h. */
#include "util/env.h"

#include <errno.h>
#include <stdlib.h>

const char *mx_env(const char *name)
{
    const char *v = getenv(name);
    return v && *v ? v : NULL;
}

int64_t mx_env_int(const char *name, int64_t low, int64_t high,
    int64_t fallback)
{
    const char *v = mx_env(name);
    if (!v)
        return fallback;
    char *end;
    errno = 0;
    long long n = strtoll(v, &end, 10);
    if (errno || *end || n < low || n > high)
        return fallback;
    return n;
}
