/* SPDX-License-Identifier: MIT */
/* cpuid through the compiler's run time, which also asks whether the system
   saves the wide registers. */
#include "cpu/features.h"

#include <string.h>

int mx_cpu_has_level(const char *level)
{
    if (strcmp(level, "base") == 0)
        return 1;
#if defined(__x86_64__) || defined(__i386__)
    __builtin_cpu_init();
    int avx2 = __builtin_cpu_supports("avx2") &&
        __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    if (strcmp(level, "avx2") == 0)
        return avx2;
    int avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl");
    if (strcmp(level, "avx512") == 0)
        return avx512;
    if (strcmp(level, "avx512_bf16") == 0)
        return avx512 && __builtin_cpu_supports("avx512bf16");
#endif
    return 0;
}
