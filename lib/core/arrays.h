/* SPDX-License-Identifier: MIT */
/* Lists of arrays. */
#ifndef MX_ARRAYS_H
#define MX_ARRAYS_H

#include <mlxc/array.h>

struct mlxc_arrays {
    int refs;
    int size, room;
    mlxc_array **item;
};

#endif
