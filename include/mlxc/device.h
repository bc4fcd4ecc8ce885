/* SPDX-License-Identifier: MIT */
#ifndef MLXC_DEVICE_H
#define MLXC_DEVICE_H

#include <stddef.h>

#include <mlxc/error.h>
#include <mlxc/export.h>

MLXC_BEGIN_DECLS

/** Where work runs.  A device is a type and an index within the type. */
typedef enum mlxc_device_type {
    MLXC_CPU = 0, /**< the host; always one device */
    MLXC_GPU = 1  /**< CUDA devices, found when first asked for */
} mlxc_device_type;

/**
 * How many devices of a type can be used.
 *
 * @param out  the number; 0 when the type is absent, which is no error
 * @return MLXC_ERR_ARGUMENT if `type` is not a device type
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_device_count(int *out, mlxc_device_type type);

/**
 * Make a device this thread's default: operations without a stream go to its
 * default stream.  Other threads are not affected.
 *
 * @return MLXC_ERR_DEVICE if there is no such device; the message says why
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_set_default_device(mlxc_device_type type, int index);

/** The type of this thread's default device; at first the CPU. @since 0.1 */
MLXC_API mlxc_device_type mlxc_default_device_type(void);

/** The index of this thread's default device. @since 0.1 */
MLXC_API int mlxc_default_device_index(void);

MLXC_END_DECLS

#endif /* MLXC_DEVICE_H */
