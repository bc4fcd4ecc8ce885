/* SPDX-License-Identifier: MIT */
/* Include MX_TMPL once per float type that computes in itself. */
#include "cpu/dtype/f32.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#include "cpu/dtype/f64.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#undef MX_TMPL
