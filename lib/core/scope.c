/* SPDX-License-Identifier: MIT */
/* See mlxc/scope.h. */
#include "core/scope.h"

#include "core/array.h"
#include "core/error.h"
#include "core/stream.h"
#include "util/alloc.h"

struct mlxc_scope {
    mlxc_stream *own;    /* counted */
    mlxc_stream *stream; /* in use */
    mlxc_array **item;
    size_t size, room;
    struct mx_fault *fault;
};

mlxc_status mlxc_scope_new(mlxc_scope **out, mlxc_stream *s)
{
    mlxc_scope *scope = mx_alloc_zero(sizeof *scope);
    *out = scope;
    if (!scope)
        return mx_error_nomem("scope_new");
    scope->own = scope->stream = mlxc_stream_ref(s);
    return MLXC_OK;
}

void mlxc_scope_clear(mlxc_scope *scope)
{
    while (scope->size)
        mlxc_array_unref(scope->item[--scope->size]);
    mx_fault_unref(scope->fault);
    scope->fault = NULL;
}

void mlxc_scope_free(mlxc_scope *scope)
{
    if (!scope)
        return;
    mlxc_scope_clear(scope);
    mlxc_stream_unref(scope->own);
    mx_free(scope->item);
    mx_free(scope);
}

mlxc_stream *mlxc_scope_stream(mlxc_scope *scope)
{
    return scope->stream;
}

void mx_scope_set_stream(mlxc_scope *scope, mlxc_stream *s)
{
    scope->stream = s;
}

void mx_scope_fail(mlxc_scope *scope, mlxc_status status)
{
    if (!scope->fault)
        scope->fault = mx_fault_new(status);
}

mlxc_array *mlxc_scope_take(mlxc_scope *scope, mlxc_status status,
    mlxc_array *a)
{
    if (!status && a && scope->size == scope->room) {
        size_t room = scope->room ? 2 * scope->room : 16;
        mlxc_array **p =
            mx_realloc_array(scope->item, room, sizeof *scope->item);
        if (p) {
            scope->item = p;
            scope->room = room;
        } else {
            status = mx_error_nomem("scope");
        }
    }
    if (status)
        mx_scope_fail(scope, status);
    if (scope->fault) {
        mlxc_array_unref(a);
        return NULL;
    }
    if (a)
        scope->item[scope->size++] = a;
    return a;
}

mlxc_status mlxc_scope_status(mlxc_scope *scope)
{
    return scope->fault ? mx_fault_raise(scope->fault) : MLXC_OK;
}

mlxc_status mlxc_scope_export(mlxc_array **out, mlxc_scope *scope,
    mlxc_array *a)
{
    *out = NULL;
    MX_TRY(mlxc_scope_status(scope));
    if (!a)
        return mx_error(MLXC_ERR_ARGUMENT, "scope_export: no result");
    *out = mlxc_array_ref(a);
    return MLXC_OK;
}
