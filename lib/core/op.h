/* SPDX-License-Identifier: MIT */
/* The op table: what an operation is, apart from any device. */
#ifndef MX_OP_H
#define MX_OP_H

#include <stddef.h>
#include <stdint.h>

#include <mlxc/array.h>
#include <mlxc/scope.h>

enum mx_op_id {
#define OP(ID, sym) MX_OP_##ID,
#include "core/op.def"
    MX_OP_COUNT
};

enum mx_op_flags {
    MX_OP_ELEMENTWISE = 1 << 0, /* may be fused */
    MX_OP_SHARES = 1 << 1,      /* output may share the input's buffer */
    MX_OP_COMMUTES = 1 << 2,
    MX_OP_RANDOM = 1 << 3,      /* never merged with an equal node */
    MX_OP_OPAQUE = 1 << 4,      /* parameters hold references: see destroy */
    MX_OP_SMOOTH = 1 << 5,      /* has second derivatives: tested */
};

struct mx_op;
struct mx_node;
struct mx_buffer;

/* Shapes and dtypes of the outputs. */
struct mx_spec {
    const int64_t *shape; /* an input's, or from mx_infer_dims() */
    int ndim;
    mlxc_dtype dtype;
};

#define MX_INFER_INLINE 32
#define MX_INFER_OUTPUTS 4

struct mx_infer {
    const struct mx_op *op;
    const void *params;
    size_t nparams;
    mlxc_array *const *input;
    int ninputs;
    int noutputs;         /* op->outputs, or set by the rule if that is -1 */
    struct mx_spec *spec; /* room for noutputs; see mx_infer_outputs() */
    struct mx_spec small[MX_INFER_OUTPUTS];
    int64_t dims[MX_INFER_INLINE];
    int used;
    void *heap;           /* chain of larger blocks */
};

/* Room for `n` lengths that lives as long as the inference; NULL: no memory
   (message set). */
int64_t *mx_infer_dims(struct mx_infer *c, int n);
/* For ops with a variable number of outputs. */
mlxc_status mx_infer_outputs(struct mx_infer *c, int n);
void mx_infer_free(struct mx_infer *c);

/* Rules are written in the expression layer and report through the scope;
   what they leave in grad, tangent_out and output is borrowed from it. */
struct mx_vjp {
    mlxc_scope *scope;
    const struct mx_op *op;
    const void *params;
    size_t nparams;
    int ninputs, noutputs;
    mlxc_array *const *input;
    mlxc_array *const *output;
    mlxc_array *const *cotangent; /* zeros where nothing flows in */
    const unsigned char *wanted;  /* by input */
    mlxc_array **grad;            /* by input; NULL: no gradient flows */
};

struct mx_jvp {
    mlxc_scope *scope;
    const struct mx_op *op;
    const void *params;
    size_t nparams;
    int ninputs, noutputs;
    mlxc_array *const *input;
    mlxc_array *const *output;
    mlxc_array *const *tangent; /* by input; NULL where there is none */
    mlxc_array **tangent_out;   /* by output; NULL: zero */
};

struct mx_vmap {
    mlxc_scope *scope;
    const struct mx_op *op;
    const void *params;
    size_t nparams;
    int ninputs, noutputs;
    int64_t size;             /* of the mapped axis */
    mlxc_array *const *input;
    const int *axis;          /* by input; -1: not mapped */
    mlxc_array **output;
    int *axis_out;            /* by output; -1: not mapped */
};

typedef mlxc_status mx_infer_fn(struct mx_infer *c);
typedef void mx_vjp_fn(struct mx_vjp *v);
typedef void mx_jvp_fn(struct mx_jvp *j);
typedef void mx_vmap_fn(struct mx_vmap *m);
typedef int mx_same_fn(const void *a, const void *b, size_t n);

/* Where an output lies in the buffer of an input; false if it needs a copy.
   Called when the inputs are evaluated, so strides are known. */
struct mx_layout {
    int output;       /* which */
    int input;        /* whose buffer; starts as `output` */
    int64_t *strides; /* of the output, to be filled; in elements */
    int64_t offset;   /* in bytes from the start of the input */
};
typedef int mx_view_fn(struct mx_layout *l, const struct mx_node *node);
/* The input as it is. */
mx_view_fn mx_view_same;

struct mx_op {
    const char *name;
    int8_t inputs;       /* -1: any number */
    int8_t outputs;      /* -1: infer says */
    uint16_t flags;
    mx_infer_fn *infer;  /* required */
    mx_view_fn *view;    /* with MX_OP_SHARES */
    mx_vjp_fn *vjp;      /* NULL: no gradient flows */
    mx_jvp_fn *jvp;      /* NULL: tangents are zero */
    mx_vmap_fn *vmap;    /* NULL: loop over the batch */
    mx_same_fn *same;    /* NULL: parameters compare as bytes */
    void (*retain)(void *params);  /* with MX_OP_OPAQUE: after a copy */
    void (*destroy)(void *params); /* with MX_OP_OPAQUE */
    const char *exempt;  /* why a rule is missing, for the walking tests */
    uint16_t id;         /* enum mx_op_id */
};

#define OP(ID, sym) extern const struct mx_op mx_op_##sym;
#include "core/op.def"

extern const struct mx_op *const mx_ops[MX_OP_COUNT];

/* Make a node.  Checks inputs for NULL, infers, records on this thread's
   traces.  `out` receives one new reference per output; on failure all are
   NULL.  A NULL stream means this thread's default. */
mlxc_status mx_apply(mlxc_array **out, const struct mx_op *op,
    const void *params, size_t nparams, mlxc_array *const *input, int n,
    mlxc_stream *s);
mlxc_status mx_apply1(mlxc_array **out, const struct mx_op *op,
    const void *params, size_t nparams, mlxc_array *a, mlxc_stream *s);
/* As mx_apply, but for ops whose number of outputs infer decides: the number
   expected must be given. */
mlxc_status mx_apply_n(mlxc_array **out, int noutputs,
    const struct mx_op *op, const void *params, size_t nparams,
    mlxc_array *const *input, int n, mlxc_stream *s);
mlxc_status mx_apply_list(mlxc_arrays **out, int noutputs,
    const struct mx_op *op, const void *params, size_t nparams,
    mlxc_arrays *input, mlxc_stream *s);
/* Inside rules: results belong to the scope. */
mlxc_array *mx_apply_in(mlxc_scope *scope, const struct mx_op *op,
    const void *params, size_t nparams, mlxc_array *const *input, int n);

#endif
