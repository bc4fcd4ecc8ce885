/* SPDX-License-Identifier: MIT */
#ifndef MLXC_MEMORY_H
#define MLXC_MEMORY_H

#include <stddef.h>

#include <mlxc/device.h>
#include <mlxc/error.h>
#include <mlxc/export.h>

MLXC_BEGIN_DECLS

/** Bytes in buffers that arrays hold now, on all devices. @since 0.1 */
MLXC_API size_t mlxc_memory_active(void);

/** The most that mlxc_memory_active() has been since the last reset.
    @since 0.1 */
MLXC_API size_t mlxc_memory_peak(void);

/** Let the peak start anew from the active size. @since 0.1 */
MLXC_API void mlxc_memory_reset_peak(void);

/** Bytes in freed buffers that are kept for reuse. @since 0.1 */
MLXC_API size_t mlxc_memory_cached(void);

/**
 * Bound the bytes in live buffers: an allocation that would pass the limit
 * fails with MLXC_ERR_NOMEM after the cache was given back.
 *
 * @param bytes  0 means no limit
 * @return the limit before
 * @since 0.1
 */
MLXC_API size_t mlxc_memory_set_limit(size_t bytes);

/**
 * Bound the bytes kept for reuse; what is above it is given back at once.
 *
 * @param bytes  0 keeps nothing
 * @return the limit before
 * @since 0.1
 */
MLXC_API size_t mlxc_memory_set_cache_limit(size_t bytes);

/** Give all cached buffers back to the system. @since 0.1 */
MLXC_API void mlxc_memory_clear_cache(void);

/** Free text that the library handed out; NULL is ignored. @since 0.1 */
MLXC_API void mlxc_free(void *text);

MLXC_END_DECLS

#endif /* MLXC_MEMORY_H */
