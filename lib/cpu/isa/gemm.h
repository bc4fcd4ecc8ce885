/* SPDX-License-Identifier: MIT */
/* Sizes that all gemm kernels of a level share. */
#ifndef MX_CPU_ISA_GEMM_H
#define MX_CPU_ISA_GEMM_H

#include "cpu/isa/simd.h"

#if MX_VBYTES == 64
#define ROWS 8 /* by three vectors: 24 of 32 registers hold sums */
#else
#define ROWS 4 /* 12 of 16 */
#endif

/* Depth of a packed panel in bytes of one line: ROWS lines of A stay in L1, a
   panel of B and a block of A in L2. */
#define KC_BYTES 2048

#define LANES ((ptrdiff_t)(MX_VBYTES / sizeof(P)))

#endif
