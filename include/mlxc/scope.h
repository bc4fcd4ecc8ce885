/* SPDX-License-Identifier: MIT */
#ifndef MLXC_SCOPE_H
#define MLXC_SCOPE_H

#include <mlxc/array.h>
#include <mlxc/error.h>
#include <mlxc/export.h>
#include <mlxc/stream.h>

MLXC_BEGIN_DECLS

/**
 * Owns the temporaries of a formula and keeps the first error.  A formula is
 * written as nested calls of the expression layer (mlxc/expr.h) and checked
 * once, with mlxc_scope_status().  A scope belongs to one thread at a time.
 */
typedef struct mlxc_scope mlxc_scope;

/**
 * A new scope.
 *
 * @param out  a new scope; NULL on failure
 * @param s    the stream of its operations; NULL means the default stream
 * @return MLXC_ERR_NOMEM
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_scope_new(mlxc_scope **out, mlxc_stream *s);

/** Release the scope and all that it owns; NULL is ignored. @since 0.1 */
MLXC_API void mlxc_scope_free(mlxc_scope *scope);

/**
 * Release what the scope owns and forget its error, so that it can serve
 * again.
 * @since 0.1
 */
MLXC_API void mlxc_scope_clear(mlxc_scope *scope);

/** The stream given at creation, borrowed; may be NULL. @since 0.1 */
MLXC_API mlxc_stream *mlxc_scope_stream(mlxc_scope *scope);

/**
 * Hand a result over to the scope.
 *
 * @param status  what the call that made `a` returned; the first failure is
 *                kept with its message
 * @param a       taken over; may be NULL
 * @return `a`, borrowed from the scope; NULL if the scope has failed
 * @since 0.1
 */
MLXC_API mlxc_array *mlxc_scope_take(mlxc_scope *scope, mlxc_status status,
    mlxc_array *a);

/**
 * The first failure in this scope, with its message set again on this
 * thread.
 * @return MLXC_OK if nothing failed
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_scope_status(mlxc_scope *scope);

/**
 * Take a result out of the scope.
 *
 * @param out  a new reference to `a`; NULL on failure
 * @param a    a result of this scope; NULL is a failure
 * @return the scope's status; MLXC_ERR_ARGUMENT if `a` is NULL though nothing
 *         failed
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_scope_export(mlxc_array **out, mlxc_scope *scope,
    mlxc_array *a);

MLXC_END_DECLS

#endif /* MLXC_SCOPE_H */
