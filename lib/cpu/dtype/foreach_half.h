/* SPDX-License-Identifier: MIT */
/* Include MX_TMPL once per 16-bit float type. */
#include "cpu/dtype/f16.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#include "cpu/dtype/bf16.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#undef MX_TMPL
