/* SPDX-License-Identifier: MIT */
#ifndef MX_IO_CALLBACK_H
#define MX_IO_CALLBACK_H

#include <mlxc/error.h>

/* What a callback returned as a status; gives it a message if it set none.
   The message was emptied before the call. */
mlxc_status mx_callback_result(int code, const char *label);

#endif
