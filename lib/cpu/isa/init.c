/* SPDX-License-Identifier: MIT */
/* All groups of this level, in one call. */
#include "cpu/isa/isa.h"

#define GROUP(name) \
    void MX_ISA_NAME(mx_cpu_init_##name)(struct mx_cpu_kernels *k);
#include "cpu/isa/groups.def"

MX_KERNELS(all)
{
#define GROUP(name) MX_ISA_NAME(mx_cpu_init_##name)(k);
#include "cpu/isa/groups.def"
}
