/* SPDX-License-Identifier: MIT */
#ifndef MLXC_EXPORT_H
#define MLXC_EXPORT_H

/** Marks what the shared library exports. */
#if defined(__GNUC__) && !defined(SWIG)
#define MLXC_API __attribute__((visibility("default")))
#else
#define MLXC_API
#endif

/** Around declarations, so that C++ sees C names. */
#ifdef __cplusplus
#define MLXC_BEGIN_DECLS extern "C" {
#define MLXC_END_DECLS } /**< see MLXC_BEGIN_DECLS */
#else
#define MLXC_BEGIN_DECLS
#define MLXC_END_DECLS /**< see MLXC_BEGIN_DECLS */
#endif

#endif /* MLXC_EXPORT_H */
