/* SPDX-License-Identifier: MIT */
#ifndef MLXC_TRANSFORM_H
#define MLXC_TRANSFORM_H

#include <mlxc/array.h>
#include <mlxc/error.h>
#include <mlxc/export.h>

MLXC_BEGIN_DECLS

/**
 * Compute the values of `n` arrays and wait for them.  Shapes and dtypes were
 * checked when the arrays were made; what can fail here is memory, a device,
 * a file, or an index that only now is known.
 *
 * A failed evaluation leaves every array that it did not spoil usable.
 *
 * @param list  `n` arrays; NULL entries are an error
 * @return MLXC_ERR_ARGUMENT for a placeholder of vmap or compile,
 *         MLXC_ERR_NOMEM, MLXC_ERR_INDEX, MLXC_ERR_IO, MLXC_ERR_DEVICE
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_eval(mlxc_array *const *list, int n);

/** As mlxc_eval(), but return when the work is queued. @since 0.1 */
MLXC_API mlxc_status mlxc_async_eval(mlxc_array *const *list, int n);

/**
 * A function from arrays to arrays that transformations can take and give.
 * Counted, and safe to call from several threads if its callback is.
 */
typedef struct mlxc_function mlxc_function;

/**
 * The body of a function: append the results to `outputs`.
 *
 * @param outputs  empty; borrowed
 * @param inputs   borrowed
 * @param payload  as given to mlxc_function_new()
 * @return MLXC_OK, or a status that stops the operation and is returned by
 *         it; numbers that are no status come back as MLXC_ERR_CALLBACK
 */
typedef mlxc_status (*mlxc_function_fn)(mlxc_arrays *outputs,
    mlxc_arrays *inputs, void *payload);

/**
 * Wrap a callback.
 *
 * @param out      a new reference; NULL on failure
 * @param release  called once with `payload` when the function is gone, or
 *                 before return if the call fails; may be NULL
 * @return MLXC_ERR_ARGUMENT, MLXC_ERR_NOMEM
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_function_new(mlxc_function **out,
    mlxc_function_fn callback, void *payload, mlxc_release_fn release);

/** Take another reference to `f`, which is also returned. @since 0.1 */
MLXC_API mlxc_function *mlxc_function_ref(mlxc_function *f);

/** Drop a reference; NULL is ignored. @since 0.1 */
MLXC_API void mlxc_function_unref(mlxc_function *f);

/**
 * Call `f`.
 *
 * @param out     its results; NULL on failure
 * @param inputs  as many as `f` expects
 * @return what the callback returned
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_function_call(mlxc_arrays **out, mlxc_function *f,
    mlxc_arrays *inputs);

/**
 * Values and vector-Jacobian products of `f` at `primals`.  For complex
 * numbers the result is the conjugate-linear one: the gradient of a real loss
 * is a direction of steepest ascent.
 *
 * @param outputs_out  results of `f`
 * @param grads_out    one gradient per primal, of its shape and dtype
 * @param cotangents   one per output of `f`, of its shape
 * @return MLXC_ERR_SHAPE, MLXC_ERR_ARGUMENT, MLXC_ERR_UNSUPPORTED if an
 *         operation has no gradient, or what `f` returns
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_vjp(mlxc_arrays **outputs_out,
    mlxc_arrays **grads_out, mlxc_function *f, mlxc_arrays *primals,
    mlxc_arrays *cotangents);

/**
 * Values and Jacobian-vector products of `f` at `primals`.
 *
 * @param outputs_out       results of `f`
 * @param tangents_out_out  one tangent per output
 * @param tangents          one per primal, of its shape
 * @return as mlxc_vjp()
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_jvp(mlxc_arrays **outputs_out,
    mlxc_arrays **tangents_out_out, mlxc_function *f, mlxc_arrays *primals,
    mlxc_arrays *tangents);

/**
 * A function that computes what `f` does and its gradient.  Its outputs are
 * those of `f` followed by one gradient per entry of `argnums`.  The first
 * output of `f` must be a scalar; others pass through without a gradient.
 *
 * @param out      a new reference; NULL on failure
 * @param argnums  `n` positions of inputs, negative ones count from the last;
 *                 NULL means the first input
 * @return MLXC_ERR_ARGUMENT for duplicates, MLXC_ERR_NOMEM
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_value_and_grad(mlxc_function **out,
    mlxc_function *f, const int *argnums, int n);

/** As mlxc_value_and_grad(), but only the gradients. @since 0.1 */
MLXC_API mlxc_status mlxc_grad(mlxc_function **out, mlxc_function *f,
    const int *argnums, int n);

/** An axis of mlxc_vmap() that is not mapped. */
#define MLXC_UNMAPPED (-2147483647)

/**
 * A function that applies `f` along an axis of its inputs.
 *
 * @param out       a new reference; NULL on failure
 * @param in_axes   one axis per input, negative ones count from the last,
 *                  MLXC_UNMAPPED for inputs that every call shares; NULL
 *                  means axis 0 of all
 * @param out_axes  where the mapped axis goes in each output; NULL means 0
 * @return MLXC_ERR_NOMEM; the new function checks axes when called
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_vmap(mlxc_function **out, mlxc_function *f,
    const int *in_axes, int n_in, const int *out_axes, int n_out);

/**
 * A function that computes what `f` does, keeps no intermediate values for
 * the gradient and computes them again in the backward pass.
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_checkpoint(mlxc_function **out, mlxc_function *f);

/**
 * A function with derivatives of its own.  Rules that are NULL are those of
 * `f`.
 *
 * @param vjp  inputs: the arguments, the cotangents, the outputs, in this
 *             order; results: one gradient per argument
 * @param jvp  inputs: the arguments, then a tangent for each; results: one
 *             tangent per output
 * @param vmap inputs: the arguments, each with the mapped axis first (shared
 *             ones are repeated along it); results: the outputs, likewise
 * @return MLXC_ERR_ARGUMENT, MLXC_ERR_NOMEM
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_custom_function(mlxc_function **out,
    mlxc_function *f, mlxc_function *vjp, mlxc_function *jvp,
    mlxc_function *vmap);

/**
 * Write the graph of unevaluated arrays in Graphviz's DOT language.
 *
 * @param out  zero-terminated text; free with mlxc_free()
 * @return MLXC_ERR_ARGUMENT, MLXC_ERR_NOMEM
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_graph_to_dot(char **out, mlxc_array *const *list,
    int n);

MLXC_END_DECLS

#endif /* MLXC_TRANSFORM_H */
