/* SPDX-License-Identifier: MIT */
/* Variances. */
#include "cpu/isa/isa.h"

#define MX_TMPL "cpu/isa/var_tmpl.h"
#include "cpu/dtype/foreach_float.h"
#define MX_TMPL "cpu/isa/var_tmpl.h"
#include "cpu/dtype/foreach_half.h"

MX_KERNELS(var)
{
    fill_f16(k);
    fill_f32(k);
    fill_f64(k);
    fill_bf16(k);
}
