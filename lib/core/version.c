/* SPDX-License-Identifier: MIT */
/* The version, as a string. */
#include <mlxc/version.h>

#define TEXT(x) #x
#define JOIN(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

const char *mlxc_version(void)
{
    return JOIN(MLXC_VERSION_MAJOR, MLXC_VERSION_MINOR, MLXC_VERSION_MICRO);
}
