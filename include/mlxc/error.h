/* SPDX-License-Identifier: MIT */
#ifndef MLXC_ERROR_H
#define MLXC_ERROR_H

#include <mlxc/export.h>

MLXC_BEGIN_DECLS

/**
 * What went wrong, in the few kinds that a caller can act on.  Zero is
 * success; failures are negative.
 */
typedef enum mlxc_status {
    MLXC_OK = 0,               /**< success */
    MLXC_ERR_ARGUMENT = -1,    /**< an argument has no meaning here */
    MLXC_ERR_SHAPE = -2,       /**< shapes do not fit, or overflow */
    MLXC_ERR_DTYPE = -3,       /**< the element type is not accepted */
    MLXC_ERR_INDEX = -4,       /**< an index or axis is out of range */
    MLXC_ERR_NOMEM = -5,       /**< no memory; the caller may free and retry */
    MLXC_ERR_DEVICE = -6,      /**< no such device, or it failed */
    MLXC_ERR_UNSUPPORTED = -7, /**< the device or transformation lacks this */
    MLXC_ERR_IO = -8,          /**< the system refused to read or write */
    MLXC_ERR_FORMAT = -9,      /**< a file is not what it claims to be */
    MLXC_ERR_CALLBACK = -10,   /**< a callback of the caller's returned so */
    MLXC_ERR_INTERNAL = -11    /**< a fault of the library */
} mlxc_status;

/**
 * The sentence that explains the last failure on this thread.  It names the
 * operation and the offending shapes or dtypes.
 *
 * @return borrowed; valid until the next failing call on this thread; never
 *         NULL, empty when nothing has failed yet
 * @since 0.1
 */
MLXC_API const char *mlxc_error_message(void);

/**
 * Set this thread's message, for callbacks that fail for reasons of their
 * own.
 *
 * @param status   what the callback will return
 * @param message  copied; NULL leaves the old one
 * @return `status`, so that a callback can return the call
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_error_set(mlxc_status status, const char *message);

/**
 * The name of a status, such as "MLXC_ERR_SHAPE".
 *
 * @return a constant string; "unknown status" for other numbers
 * @since 0.1
 */
MLXC_API const char *mlxc_status_name(mlxc_status status);

MLXC_END_DECLS

#endif /* MLXC_ERROR_H */
