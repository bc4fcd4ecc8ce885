/* SPDX-License-Identifier: MIT */
/* Scopes, as the library itself uses them. */
#ifndef MX_SCOPE_H
#define MX_SCOPE_H

#include <mlxc/scope.h>

/* Operations from now on go to `s`, which is borrowed. */
void mx_scope_set_stream(mlxc_scope *scope, mlxc_stream *s);
/* Record a failure whose message is set; for rules that cannot go on. */
void mx_scope_fail(mlxc_scope *scope, mlxc_status status);

#endif
