/* SPDX-License-Identifier: MIT */
#ifndef MX_CPU_STREAM_H
#define MX_CPU_STREAM_H

#include "core/backend.h"

extern const struct mx_stream_ops mx_cpu_stream_ops;

#endif
