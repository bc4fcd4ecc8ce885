/* SPDX-License-Identifier: MIT */
/* Matrix products of packed panels for all types with one part.  Halves are
   computed in float32, 8- and 16-bit integers in 16 bits, booleans as or of
   ands. */
#include "cpu/isa/gemm.h"
#include "cpu/isa/half.h"

#define P float
#define V mx_vf32
#define MADD mx_madd_f32
#define ADD(a, b) ((a) + (b))
#define PN(x) x##_in_f32
#include "cpu/isa/gemm_kernel_tmpl.h"
#include "cpu/dtype/f32.h"
#define ONE(x) (x)
#include "cpu/isa/gemm_pack_tmpl.h"
#include "cpu/dtype/end.h"
#include "cpu/dtype/f16.h"
#define ONE(x) mx_ld_f16(x)
#define WIDEN widen_f16
#define NARROW narrow_f16
#include "cpu/isa/gemm_pack_tmpl.h"
#include "cpu/dtype/end.h"
#include "cpu/dtype/bf16.h"
#define ONE(x) mx_ld_bf16(x)
#define WIDEN widen_bf16
#define NARROW narrow_bf16
#include "cpu/isa/gemm_pack_tmpl.h"
#include "cpu/dtype/end.h"
#include "cpu/isa/gemm_end.h"

#define P double
#define V mx_vf64
#define MADD mx_madd_f64
#define ADD(a, b) ((a) + (b))
#define PN(x) x##_in_f64
#include "cpu/isa/gemm_kernel_tmpl.h"
#include "cpu/dtype/f64.h"
#define ONE(x) (x)
#include "cpu/isa/gemm_pack_tmpl.h"
#include "cpu/dtype/end.h"
#include "cpu/isa/gemm_end.h"

#define P uint16_t
#define V mx_vu16
#define MADD mx_madd_bool
#define ADD(a, b) ((a) | (b))
#define PN(x) x##_in_bool
#include "cpu/isa/gemm_kernel_tmpl.h"
#include "cpu/dtype/bool.h"
#define ONE(x) ((x) != 0)
#include "cpu/isa/gemm_pack_tmpl.h"
#include "cpu/dtype/end.h"
#include "cpu/isa/gemm_end.h"

#define P uint16_t
#define V mx_vu16
#define MADD mx_madd_u16
#define ADD(a, b) ((a) + (b))
#define PN(x) x##_in_u16
#include "cpu/isa/gemm_kernel_tmpl.h"
#include "cpu/dtype/u8.h"
#define ONE(x) (P)(x)
#include "cpu/isa/gemm_pack_tmpl.h"
#include "cpu/dtype/end.h"
#include "cpu/dtype/i8.h"
#define ONE(x) (P)(x)
#include "cpu/isa/gemm_pack_tmpl.h"
#include "cpu/dtype/end.h"
#include "cpu/dtype/u16.h"
#define ONE(x) (x)
#include "cpu/isa/gemm_pack_tmpl.h"
#include "cpu/dtype/end.h"
#include "cpu/dtype/i16.h"
#define ONE(x) (P)(x)
#include "cpu/isa/gemm_pack_tmpl.h"
#include "cpu/dtype/end.h"
#include "cpu/isa/gemm_end.h"

#define P uint32_t
#define V mx_vu32
#define MADD mx_madd_u32
#define ADD(a, b) ((a) + (b))
#define PN(x) x##_in_u32
#include "cpu/isa/gemm_kernel_tmpl.h"
#include "cpu/dtype/u32.h"
#define ONE(x) (x)
#include "cpu/isa/gemm_pack_tmpl.h"
#include "cpu/dtype/end.h"
#include "cpu/dtype/i32.h"
#define ONE(x) (P)(x)
#include "cpu/isa/gemm_pack_tmpl.h"
#include "cpu/dtype/end.h"
#include "cpu/isa/gemm_end.h"

#define P uint64_t
#define V mx_vu64
#define MADD mx_madd_u64
#define ADD(a, b) ((a) + (b))
#define PN(x) x##_in_u64
#include "cpu/isa/gemm_kernel_tmpl.h"
#include "cpu/dtype/u64.h"
#define ONE(x) (x)
#include "cpu/isa/gemm_pack_tmpl.h"
#include "cpu/dtype/end.h"
#include "cpu/dtype/i64.h"
#define ONE(x) (P)(x)
#include "cpu/isa/gemm_pack_tmpl.h"
#include "cpu/dtype/end.h"
#include "cpu/isa/gemm_end.h"

MX_KERNELS(gemm)
{
    fill_f32(k);
    fill_f16(k);
    fill_bf16(k);
    fill_f64(k);
    fill_bool(k);
    fill_u8(k);
    fill_i8(k);
    fill_u16(k);
    fill_i16(k);
    fill_u32(k);
    fill_i32(k);
    fill_u64(k);
    fill_i64(k);
    k->gemm[MLXC_FLOAT16].wide = k->gemm[MLXC_BFLOAT16].wide = 1;
}
