/* SPDX-License-Identifier: MIT */
/* The choice of the kernel table: base fills it, better levels go over it. */
#include "cpu/kernels.h"

#include <pthread.h>
#include <string.h>

#include "cpu/features.h"
#include "util/env.h"

typedef void init_fn(struct mx_cpu_kernels *k);

init_fn mx_cpu_init_all_base;
#ifdef MX_HAVE_ISA_avx2
init_fn mx_cpu_init_all_avx2;
#endif
#ifdef MX_HAVE_ISA_avx512
init_fn mx_cpu_init_all_avx512;
#endif

static const struct {
    const char *name;
    init_fn *init;
} levels[] = { /* rising */
    { "base", mx_cpu_init_all_base },
#ifdef MX_HAVE_ISA_avx2
    { "avx2", mx_cpu_init_all_avx2 },
#endif
#ifdef MX_HAVE_ISA_avx512
    { "avx512", mx_cpu_init_all_avx512 },
#endif
};

#define LEVELS (sizeof levels / sizeof *levels)

/* Climb as far as this CPU goes, but not beyond `cap`. */
static void climb(struct mx_cpu_kernels *k, const char *cap)
{
    memset(k, 0, sizeof *k);
    for (size_t i = 0; i < LEVELS; i++) {
        if (!mx_cpu_has_level(levels[i].name))
            return;
        levels[i].init(k);
        k->isa = levels[i].name;
        if (cap && strcmp(cap, levels[i].name) == 0)
            return;
    }
}

static struct mx_cpu_kernels table;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void choose(void)
{
    climb(&table, mx_env("MLXC_CPU_ISA"));
}

const struct mx_cpu_kernels *mx_cpu_kernels(void)
{
    pthread_once(&once, choose);
    return &table;
}

int mx_cpu_kernels_for(struct mx_cpu_kernels *k, const char *level)
{
    climb(k, level);
    return strcmp(k->isa, level) == 0;
}
