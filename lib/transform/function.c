/* SPDX-License-Identifier: MIT */
/* Functions as objects: a callback with its payload. */
#include "transform/function.h"

#include "core/arrays.h"
#include "core/error.h"
#include "core/op.h"
#include "util/alloc.h"
#include "util/atomic.h"

struct mlxc_function {
    int refs;
    mlxc_function_fn callback;
    void *payload;
    mlxc_release_fn release;
};

mlxc_status mlxc_function_new(mlxc_function **out, mlxc_function_fn callback,
    void *payload, mlxc_release_fn release)
{
    mlxc_function *f = callback ? mx_alloc(sizeof *f) : NULL;
    *out = f;
    if (!f) {
        mlxc_status status = callback ? mx_error_nomem("function_new")
            : mx_error(MLXC_ERR_ARGUMENT, "function_new: no callback");
        if (release)
            release(payload);
        return status;
    }
    f->refs = 1;
    f->callback = callback;
    f->payload = payload;
    f->release = release;
    return MLXC_OK;
}

mlxc_function *mlxc_function_ref(mlxc_function *f)
{
    if (f)
        mx_ref_inc(&f->refs);
    return f;
}

void mlxc_function_unref(mlxc_function *f)
{
    if (!f || !mx_ref_dec(&f->refs))
        return;
    if (f->release)
        f->release(f->payload);
    mx_free(f);
}

mlxc_status mx_callback_status(int status)
{
    if (status == MLXC_OK)
        return MLXC_OK;
    if (status < 0 && status >= MLXC_ERR_INTERNAL)
        return (mlxc_status)status;
    if (!*mlxc_error_message())
        mx_error(MLXC_ERR_CALLBACK, "the callback returned %d", status);
    return MLXC_ERR_CALLBACK;
}

mlxc_status mlxc_function_call(mlxc_arrays **out, mlxc_function *f,
    mlxc_arrays *inputs)
{
    *out = NULL;
    if (!f || !inputs)
        return mx_error(MLXC_ERR_ARGUMENT, "function_call: %s is NULL",
            f ? "the list of inputs" : "the function");
    mlxc_arrays *outputs;
    MX_TRY(mlxc_arrays_new(&outputs));
    mlxc_status status = mx_callback_status(
        (int)f->callback(outputs, inputs, f->payload));
    if (status)
        mlxc_arrays_unref(outputs);
    else
        *out = outputs;
    return status;
}

mlxc_status mx_trace_inputs(mlxc_arrays **out, struct mx_trace *t,
    mlxc_arrays *list, const unsigned char *wanted)
{
    mlxc_status status = mlxc_arrays_new(out);
    for (int i = 0; i < mlxc_arrays_size(list) && !status; i++) {
        mlxc_array *a = list->item[i], *copy;
        if (wanted && !wanted[i]) {
            status = mlxc_arrays_push(*out, a);
            continue;
        }
        status = mx_apply1(&copy, &mx_op_copy, NULL, 0, a, NULL);
        if (status)
            break;
        copy->traces |= t->bit;
        status = mlxc_arrays_push_take(*out, copy);
    }
    if (status) {
        mlxc_arrays_unref(*out);
        *out = NULL;
    }
    return status;
}

mlxc_status mx_call_traced(struct mx_trace *t, enum mx_trace_kind kind,
    mlxc_arrays **outputs, mlxc_arrays **marked, mlxc_function *f,
    mlxc_arrays *inputs, const unsigned char *wanted)
{
    *outputs = *marked = NULL;
    MX_TRY(mx_trace_open(t, kind));
    mlxc_status status = mx_trace_inputs(marked, t, inputs, wanted);
    /* the copies belong to outer traces, not to this one's tape */
    if (!status)
        status = mlxc_function_call(outputs, f, *marked);
    mx_trace_close(t);
    if (status) {
        mx_trace_free(t);
        mlxc_arrays_unref(*marked);
        *marked = NULL;
    }
    return status;
}
