/* SPDX-License-Identifier: MIT */
#ifndef MLXC_IO_H
#define MLXC_IO_H

#include <stddef.h>
#include <stdint.h>

#include <mlxc/array.h>
#include <mlxc/error.h>
#include <mlxc/export.h>
#include <mlxc/stream.h>

MLXC_BEGIN_DECLS

/**
 * Arrays by name, with text attached: what a file of weights holds.  Entries
 * stand in the byte order of their names.  Not safe to change from two
 * threads at once.
 */
typedef struct mlxc_tensors mlxc_tensors;

/** An empty collection. @since 0.1 */
MLXC_API mlxc_status mlxc_tensors_new(mlxc_tensors **out);

/** Take another reference to `t`, which is also returned. @since 0.1 */
MLXC_API mlxc_tensors *mlxc_tensors_ref(mlxc_tensors *t);

/** Drop a reference; NULL is ignored. @since 0.1 */
MLXC_API void mlxc_tensors_unref(mlxc_tensors *t);

/** Number of arrays. @since 0.1 */
MLXC_API int mlxc_tensors_size(mlxc_tensors *t);

/** Name of entry `i`, borrowed until `t` changes; NULL if there is none.
    @since 0.1 */
MLXC_API const char *mlxc_tensors_name(mlxc_tensors *t, int i);

/** Array of entry `i`, borrowed; NULL if there is none. @since 0.1 */
MLXC_API mlxc_array *mlxc_tensors_at(mlxc_tensors *t, int i);

/**
 * Look an array up.
 *
 * @param out   a new reference; NULL on failure
 * @return MLXC_ERR_ARGUMENT if there is none of that name
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_tensors_get(mlxc_array **out, mlxc_tensors *t,
    const char *name);

/**
 * Add an array, or replace the one of the same name.
 *
 * @param name  copied
 * @param a     `t` takes a reference
 * @return MLXC_ERR_ARGUMENT, MLXC_ERR_NOMEM
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_tensors_set(mlxc_tensors *t, const char *name,
    mlxc_array *a);

/** Number of metadata entries. @since 0.1 */
MLXC_API int mlxc_tensors_metadata_size(mlxc_tensors *t);

/** Key of metadata entry `i`, borrowed until `t` changes; NULL if there is
    none. @since 0.1 */
MLXC_API const char *mlxc_tensors_metadata_key(mlxc_tensors *t, int i);

/** Text of a metadata key, borrowed until `t` changes; NULL if there is none.
    @since 0.1 */
MLXC_API const char *mlxc_tensors_metadata(mlxc_tensors *t, const char *key);

/** Set a metadata entry; both strings are copied. @since 0.1 */
MLXC_API mlxc_status mlxc_tensors_set_metadata(mlxc_tensors *t,
    const char *key, const char *value);

/**
 * Where bytes are read from.  Any thread may hold a reference.
 */
typedef struct mlxc_reader mlxc_reader;

/**
 * Read `bytes` bytes at `offset` into `dst`, all or nothing.
 * @return MLXC_OK; anything else stops the operation
 */
typedef mlxc_status (*mlxc_read_fn)(void *payload, uint64_t offset,
    void *dst, size_t bytes);

/**
 * Read from a file, which stays open while arrays that were loaded from it
 * are not evaluated.
 *
 * @param out  a new reference; NULL on failure
 * @return MLXC_ERR_IO, MLXC_ERR_NOMEM
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_reader_file(mlxc_reader **out, const char *path);

/**
 * Read from memory.  It must not change until `release(payload)` is called,
 * which is when the last array loaded from it has been evaluated or is gone,
 * or before return if the call fails.
 *
 * @param out      a new reference; NULL on failure
 * @param release  may be NULL
 * @return MLXC_ERR_ARGUMENT, MLXC_ERR_NOMEM
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_reader_memory(mlxc_reader **out, const void *data,
    size_t bytes, mlxc_release_fn release, void *payload);

/**
 * Read through a callback.  It is called only inside the functions that take
 * the reader, on the calling thread: arrays are read before these return.
 *
 * @param out      a new reference; NULL on failure
 * @param label    for messages; copied
 * @param bytes    how much there is in all
 * @param release  called with `payload` when the last reference is gone, or
 *                 before return if the call fails; may be NULL
 * @return MLXC_ERR_ARGUMENT, MLXC_ERR_NOMEM
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_reader_new(mlxc_reader **out, const char *label,
    uint64_t bytes, mlxc_read_fn read, void *payload,
    mlxc_release_fn release);

/** Take another reference to `r`, which is also returned. @since 0.1 */
MLXC_API mlxc_reader *mlxc_reader_ref(mlxc_reader *r);

/** Drop a reference; NULL is ignored. @since 0.1 */
MLXC_API void mlxc_reader_unref(mlxc_reader *r);

/**
 * Where bytes are written to, front to back.
 */
typedef struct mlxc_writer mlxc_writer;

/**
 * Take `bytes` bytes.
 * @return MLXC_OK; anything else stops the operation
 */
typedef mlxc_status (*mlxc_write_fn)(void *payload, const void *data,
    size_t bytes);

/** Collect what is written in memory: see mlxc_writer_data(). @since 0.1 */
MLXC_API mlxc_status mlxc_writer_memory(mlxc_writer **out);

/**
 * Write through a callback, which is called inside the functions that take
 * the writer, on the calling thread.
 *
 * @param out      a new reference; NULL on failure
 * @param label    for messages; copied
 * @param release  called with `payload` when the last reference is gone, or
 *                 before return if the call fails; may be NULL
 * @return MLXC_ERR_ARGUMENT, MLXC_ERR_NOMEM
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_writer_new(mlxc_writer **out, const char *label,
    mlxc_write_fn write, void *payload, mlxc_release_fn release);

/** Bytes written so far. @since 0.1 */
MLXC_API size_t mlxc_writer_size(mlxc_writer *w);

/** What a memory writer has collected, borrowed until the next write; NULL
    for others and when nothing was written. @since 0.1 */
MLXC_API const void *mlxc_writer_data(mlxc_writer *w);

/** Take another reference to `w`, which is also returned. @since 0.1 */
MLXC_API mlxc_writer *mlxc_writer_ref(mlxc_writer *w);

/** Drop a reference; NULL is ignored. @since 0.1 */
MLXC_API void mlxc_writer_unref(mlxc_writer *w);

/**
 * Load a NumPy .npy file.  The header is read and checked now, the elements
 * when they are needed.  Either byte order and either memory order is taken;
 * a type of two raw bytes is bfloat16.
 *
 * @param out   a new reference; NULL on failure
 * @param s     a CPU stream; NULL, or one of another device, means the
 *              default CPU stream
 * @return MLXC_ERR_IO, MLXC_ERR_FORMAT, MLXC_ERR_DTYPE for a type that the
 *         library lacks, MLXC_ERR_NOMEM
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_load_npy(mlxc_array **out, const char *path,
    mlxc_stream *s);

/** As mlxc_load_npy(), from a reader. @since 0.1 */
MLXC_API mlxc_status mlxc_read_npy(mlxc_array **out, mlxc_reader *r,
    mlxc_stream *s);

/**
 * Evaluate an array and save it as a .npy file, byte for byte as NumPy does.
 * The file appears complete or not at all; an old one is replaced.
 *
 * @param path  used as it is: no ending is appended
 * @return MLXC_ERR_IO, MLXC_ERR_NOMEM, or what evaluation returns
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_save_npy(const char *path, mlxc_array *a);

/** As mlxc_save_npy(), to a writer. @since 0.1 */
MLXC_API mlxc_status mlxc_write_npy(mlxc_writer *w, mlxc_array *a);

/**
 * Load a .safetensors file.  The header is read and checked now, the elements
 * when they are needed.  8-bit float types come as uint8.
 *
 * @param out  a new reference; NULL on failure
 * @param s    as mlxc_load_npy()
 * @return MLXC_ERR_IO, MLXC_ERR_FORMAT, MLXC_ERR_NOMEM
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_load_safetensors(mlxc_tensors **out,
    const char *path, mlxc_stream *s);

/** As mlxc_load_safetensors(), from a reader. @since 0.1 */
MLXC_API mlxc_status mlxc_read_safetensors(mlxc_tensors **out,
    mlxc_reader *r, mlxc_stream *s);

/**
 * Evaluate arrays and save them as a .safetensors file, with the metadata.
 * The file appears complete or not at all; an old one is replaced.
 *
 * @param path  used as it is: no ending is appended
 * @return MLXC_ERR_ARGUMENT for a name that is "__metadata__" or no UTF-8,
 *         MLXC_ERR_IO, MLXC_ERR_NOMEM, or what evaluation returns
 * @since 0.1
 */
MLXC_API mlxc_status mlxc_save_safetensors(const char *path,
    mlxc_tensors *t);

/** As mlxc_save_safetensors(), to a writer. @since 0.1 */
MLXC_API mlxc_status mlxc_write_safetensors(mlxc_writer *w, mlxc_tensors *t);

MLXC_END_DECLS

#endif /* MLXC_IO_H */
