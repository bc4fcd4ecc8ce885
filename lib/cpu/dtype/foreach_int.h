/* SPDX-License-Identifier: MIT */
/* Include MX_TMPL once per integer type. */
#include "cpu/dtype/u8.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#include "cpu/dtype/u16.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#include "cpu/dtype/u32.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#include "cpu/dtype/u64.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#include "cpu/dtype/i8.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#include "cpu/dtype/i16.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#include "cpu/dtype/i32.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#include "cpu/dtype/i64.h"
#include MX_TMPL
#include "cpu/dtype/end.h"
#undef MX_TMPL
