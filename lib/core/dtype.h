/* SPDX-License-Identifier: MIT */
/* Facts about element types, from dtype.def. */
#ifndef MX_DTYPE_H
#define MX_DTYPE_H

#include <stdint.h>

#include <mlxc/dtype.h>

enum mx_dtype_index {
#define DTYPE(ID, sym, name, storage, bytes, kind, cuda_name) MX_DTYPE_I_##ID,
#include "core/dtype.def"
    MX_DTYPE_COUNT
};

/* Kinds as bits, so that a set of kinds is a number. */
enum mx_kind {
    MX_KIND_BOOL = 1,
    MX_KIND_UINT = 2,
    MX_KIND_INT = 4,
    MX_KIND_FLOAT = 8,
    MX_KIND_COMPLEX = 16,
};

/* The letters of elementwise.def as sets. */
enum mx_kinds {
    MX_KINDS_B = 1,
    MX_KINDS_C = 16,
    MX_KINDS_F = 8,
    MX_KINDS_FC = 24,
    MX_KINDS_UI = 6,
    MX_KINDS_BUI = 7,
    MX_KINDS_BUIF = 15,
    MX_KINDS_UIFC = 30,
    MX_KINDS_BUIFC = 31,
    MX_KINDS_INEXACT = 24,
};

struct mx_dtype_info {
    const char *name;
    const char *sym;
    const char *cuda_name;
    uint8_t size;
    uint8_t size_index; /* log2(size) */
    uint8_t kind;
};

extern const struct mx_dtype_info mx_dtypes[MX_DTYPE_COUNT];

static inline int mx_dtype_valid(mlxc_dtype d)
{
    return (unsigned)d < MX_DTYPE_COUNT;
}

static inline int mx_dtype_is(mlxc_dtype d, unsigned kinds)
{
    return (mx_dtypes[d].kind & kinds) != 0;
}

/* Both valid. */
mlxc_dtype mx_dtype_promote(mlxc_dtype a, mlxc_dtype b);
/* d if inexact, else float32. */
mlxc_dtype mx_dtype_at_least_float(mlxc_dtype d);

/* One element from a double, an int64, or a complex number, by the rules of
   astype; `dst` has the size of `d`. */
void mx_dtype_store_double(mlxc_dtype d, void *dst, double v);
void mx_dtype_store_int64(mlxc_dtype d, void *dst, int64_t v);
double mx_dtype_load_double(mlxc_dtype d, const void *src);
int64_t mx_dtype_load_int64(mlxc_dtype d, const void *src);

float mx_f16_to_float(uint16_t h);
uint16_t mx_float_to_f16(float f);
float mx_bf16_to_float(uint16_t h);
uint16_t mx_float_to_bf16(float f);

#endif
