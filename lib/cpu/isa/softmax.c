/* SPDX-License-Identifier: MIT */
/* softmax, log-sum-exp, and its scan. */
#include "cpu/isa/math64.h"

#define MX_TMPL "cpu/isa/softmax_tmpl.h"
#define W float
#define WEXP(x) mx_expf(x)
#include "cpu/dtype/f32.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#include "cpu/dtype/f16.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#include "cpu/dtype/bf16.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#undef W
#undef WEXP
#define W double
#define WEXP(x) exp(x)
#include "cpu/dtype/f64.h"
#include MX_TMPL
#include "cpu/dtype/end.h"

MX_KERNELS(softmax)
{
    fill_f32(k);
    fill_f16(k);
    fill_bf16(k);
    fill_f64(k);
}
