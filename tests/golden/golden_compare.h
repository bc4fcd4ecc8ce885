/* SPDX-License-Identifier: MIT */
/* Whether an output is the expected one. */
#ifndef MX_TESTS_GOLDEN_COMPARE_H
#define MX_TESTS_GOLDEN_COMPARE_H

#include <mlxc/array.h>

/* Compare shape, dtype and elements, the latter within the bound of `op` in
   bounds.def, or bit for bit if `exact`.  What differs goes into `why`,
   which is empty if nothing does. */
void golden_compare(char *why, size_t size, const char *op, int exact,
    mlxc_array *got, mlxc_array *want);

#endif
