/* SPDX-License-Identifier: MIT */
/* softmax, log-sum-exp, and its scan. */
#include "cpu/isa/math64.h"

#define MX_TMPL "cpu/isa/softmax_tmpl.h"
/* SAME_TYPE: W is the type of the elements. */
#define W float
#define WEXP(x) mx_expf(x)
#define SAME_TYPE 1
#include "cpu/dtype/f32.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#undef SAME_TYPE
#define SAME_TYPE 0
#include "cpu/dtype/f16.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#include "cpu/dtype/bf16.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#undef W
#undef WEXP
#undef SAME_TYPE
#define SAME_TYPE 1
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
