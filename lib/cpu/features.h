/* SPDX-License-Identifier: MIT */
/* What this CPU and this system can run. */
#ifndef MX_CPU_FEATURES_H
#define MX_CPU_FEATURES_H

/* Whether the level "base", "avx2" or "avx512" can run here, or the extension
   "avx512_bf16" of the last. */
int mx_cpu_has_level(const char *level);

#endif
