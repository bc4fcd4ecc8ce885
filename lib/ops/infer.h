/* SPDX-License-Identifier: MIT */
/* Rules that families share: inference, preparing operands, batching. */
#ifndef MX_INFER_H
#define MX_INFER_H

#include "core/array.h"
#include "core/error.h"
#include "core/node.h"
#include "core/op.h"
#include "core/params.h"

/* Output 0 has the shape and dtype of input 0. */
mx_infer_fn mx_infer_same;
/* Output 0 has the shape of input 0; dtype by the op's out rule. */
mx_infer_fn mx_infer_bool;
mx_infer_fn mx_infer_real;
/* Shape of input 0, dtype of params (struct mx_p_dtype). */
mx_infer_fn mx_infer_dtype_param;

/* MLXC_ERR_ARGUMENT if any of `n` inputs is NULL; sets *out to NULL. */
mlxc_status mx_check(const char *op, mlxc_array **out,
    mlxc_array *const *input, int n);
/* MLXC_ERR_DTYPE unless the dtype of `a` is of one of `kinds`. */
mlxc_status mx_check_kinds(const char *op, mlxc_array *a, unsigned kinds);

/* `a` as `dtype`; a new reference, to `a` itself where nothing changes. */
mlxc_status mx_cast(mlxc_array **out, mlxc_array *a, mlxc_dtype dtype,
    mlxc_stream *s);
/* Likewise for a shape that `a` broadcasts to. */
mlxc_status mx_broadcast(mlxc_array **out, const char *op, mlxc_array *a,
    const int64_t *shape, int ndim, mlxc_stream *s);

/* Common shape of `n` arrays, into `shape` with room for their largest rank;
   MLXC_ERR_SHAPE naming two that do not fit. */
mlxc_status mx_broadcast_shape(int64_t *shape, int *ndim, const char *op,
    mlxc_array *const *a, int n);

/* Room for small lists on the stack, larger ones from the heap. */
#define MX_SMALL 16
struct mx_ints {
    int64_t small[MX_SMALL];
    int64_t *v;
};
/* NULL: no memory (message set). */
int64_t *mx_ints_init(struct mx_ints *l, const char *op, int n);
void mx_ints_free(struct mx_ints *l);

/* A zeroed parameter block with `count` list entries. */
struct mx_block {
    int64_t small[MX_PARAM_STACK + 8];
    void *p;
    size_t size;
};
/* NULL: no memory (message set). */
void *mx_block_init(struct mx_block *b, const char *op, size_t head,
    int64_t count);
void mx_block_free(struct mx_block *b);

/* jvp of an element-wise holomorphic or real function, from its vjp. */
mx_jvp_fn mx_jvp_from_vjp;
/* Tangents and gradients are zero. */
mx_vmap_fn mx_vmap_elementwise;
/* The mapped axis of every mapped input moved to the front; unmapped inputs
   as they are; results in `in`. */
void mx_vmap_front(struct mx_vmap *m, mlxc_array **in);
/* Each input with the mapped axis in front, unmapped ones repeated. */
mlxc_array *mx_vmap_batched(struct mx_vmap *m, int i);
/* Apply the op again with other parameters: output 0. */
mlxc_array *mx_vmap_again(struct mx_vmap *m, const void *params,
    size_t nparams, mlxc_array *const *in);
/* Loop over the batch by slicing and stacking: for ops without a rule. */
mx_vmap_fn mx_vmap_loop;

/* Sum `g` down to the shape of `like` (undoes a broadcast). */
mlxc_array *mx_sum_to(mlxc_scope *scope, mlxc_array *g, mlxc_array *like);
/* Swap the last two axes. */
mlxc_array *mx_swap_last(mlxc_scope *scope, mlxc_array *a);

#endif
