/* SPDX-License-Identifier: MIT */
/* Status and the sentence of this thread.  Inside the library:
   return mx_error(MLXC_ERR_SHAPE, "add: shapes ...", ...); */
#ifndef MX_ERROR_H
#define MX_ERROR_H

#include <stdint.h>

#include <mlxc/error.h>

mlxc_status mx_error(mlxc_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));
/* Set message to "what: no memory" without allocating. */
mlxc_status mx_error_nomem(const char *what) __attribute__((cold));

/* Return on failure; only where nothing is held. */
#define MX_TRY(call) \
    do { \
        mlxc_status try_status_ = (call); \
        if (__builtin_expect(try_status_ != MLXC_OK, 0)) \
            return try_status_; \
    } while (0)

/* "(2,3)" into a buffer that this returns; long shapes are cut. */
#define MX_SHAPE_TEXT 96
const char *mx_shape_text(char text[MX_SHAPE_TEXT], const int64_t *shape,
    int ndim);

/* A failure that outlives its thread: counted, shared by what it spoils. */
struct mx_fault;
struct mx_fault *mx_fault_new(mlxc_status status); /* this thread's message */
struct mx_fault *mx_fault_ref(struct mx_fault *f);
void mx_fault_unref(struct mx_fault *f);
/* Set this thread's message from `f` and return its status. */
mlxc_status mx_fault_raise(struct mx_fault *f);

#endif
