/* SPDX-License-Identifier: MIT */
#ifndef MLXC_STREAM_H
#define MLXC_STREAM_H

#include <mlxc/device.h>
#include <mlxc/error.h>
#include <mlxc/export.h>

MLXC_BEGIN_DECLS

/**
 * An ordered queue of work on one device.  Work on different streams may
 * overlap; the library inserts the waits that values need.  Any thread may
 * use any stream.
 */
typedef struct mlxc_stream mlxc_stream;

/**
 * A new stream on a device.
 *
 * @param out  a new reference; NULL on failure
 * @return MLXC_ERR_DEVICE if there is no such device, MLXC_ERR_NOMEM
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_stream_new(mlxc_stream **out, mlxc_device_type type,
    int index);

/** Take another reference to `s`, which is also returned. @since 0.1 */
MLXC_API mlxc_stream *mlxc_stream_ref(mlxc_stream *s);

/** Drop a reference; NULL is ignored.  Queued work still runs. @since 0.1 */
MLXC_API void mlxc_stream_unref(mlxc_stream *s);

/**
 * This thread's default stream of a device, made at first use.
 *
 * @param out  a new reference; NULL on failure
 * @return MLXC_ERR_DEVICE if there is no such device, MLXC_ERR_NOMEM
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_default_stream(mlxc_stream **out,
    mlxc_device_type type, int index);

/**
 * Make `s` this thread's default stream of its device.  The default device
 * stays what it is.
 *
 * @return MLXC_ERR_ARGUMENT if `s` is NULL, MLXC_ERR_NOMEM
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_set_default_stream(mlxc_stream *s);

/** The type of the device of `s`. @since 0.1 */
MLXC_API mlxc_device_type mlxc_stream_device_type(mlxc_stream *s);

/** The index of the device of `s`. @since 0.1 */
MLXC_API int mlxc_stream_device_index(mlxc_stream *s);

/** A number that no other stream of this process has. @since 0.1 */
MLXC_API int mlxc_stream_index(mlxc_stream *s);

/**
 * Wait until all that was queued on `s` has run.
 *
 * @param s  NULL means the default stream
 * @return the first failure of queued work that was not reported yet
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_synchronize(mlxc_stream *s);

MLXC_END_DECLS

#endif /* MLXC_STREAM_H */
