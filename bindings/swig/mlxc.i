/* SPDX-License-Identifier: MIT */
/* The public headers for every language, by their conventions alone: no line
   here or in a typemap file is about one function.

     mlxc_status          an exception with the message, or nothing
     T **, T *out         a result; of handles, the caller's own reference
     T * returned         borrowed in C, so a reference is taken
     (T *const *, int)    a sequence of handles
     (int64_t *, int), (int *, int)     a sequence of numbers
     int64_t * returned   as many as its first argument has dimensions

   Counting references is the language's own affair, so the functions that do
   it are left out, and so is all that consumes an argument. */
%module mlxc

%{
#include <stdlib.h>
#include <string.h>

#include <mlxc/mlxc.h>

/* What the sequences of the call being prepared had: sequences that share one
   length in C must be equally long, and bytes must be as many as shape and
   dtype ask for. */
static __thread int mlxc_length = -1;
static __thread int64_t mlxc_bytes = -1, mlxc_elements = 1;

static int mlxc_same_length(int64_t length, int last)
{
    int same = length <= INT32_MAX &&
        (mlxc_length < 0 || mlxc_length == length);
    mlxc_length = last || !same ? -1 : (int)length;
    return same;
}

static void mlxc_note_shape(const int64_t *shape, int ndim)
{
    mlxc_elements = 1;
    for (int i = 0; i < ndim; i++) {
        if (shape[i] < 0 || __builtin_mul_overflow(mlxc_elements, shape[i],
            &mlxc_elements))
            mlxc_elements = INT64_MAX; /* an error in any case */
    }
}

static int mlxc_enough_bytes(mlxc_dtype dtype)
{
    int64_t need, have = mlxc_bytes;
    mlxc_bytes = -1;
    return have < 0 || (!__builtin_mul_overflow(mlxc_elements,
        (int64_t)mlxc_dtype_size(dtype), &need) && have >= need);
}
%}

%include <stdint.i>

%rename("%(strip:[MLXC_])s", %$isenumitem) "";
%rename("%(strip:[MLXC_])s", %$isconstant) "";

#if defined(SWIGGO)
%rename("%(regex:/^mlxc_(.)(.*)/\\u\\1\\2/)s", regexmatch$name="^mlxc_") "";
%include "typemaps_go.i"
#elif defined(SWIGRUBY)
#pragma SWIG nowarn=801 /* classes are capitalised, as wished */
%rename("%(strip:[mlxc_])s", regexmatch$name="^mlxc_") "";
%include "typemaps_ruby.i"
#else
#error "no typemaps for this language"
#endif

%rename("$ignore", regexmatch$name="^mlxc_(.*_(ref|unref|free|take)|free)$") "";

/* An opaque type with a destructor and no constructor.  NAME is what the type
   is called after renaming. */
%define MLXC_HANDLE(TYPE, NAME, FREE)
%nodefaultctor TYPE;
%nodefaultdtor TYPE;
typedef struct TYPE {} TYPE;
%extend TYPE {
    ~TYPE() { FREE($self); }
}
MLXC_HANDLE_TYPEMAPS(TYPE, NAME)
%enddef

MLXC_HANDLE(mlxc_array, Array, mlxc_array_unref)
MLXC_HANDLE(mlxc_arrays, Arrays, mlxc_arrays_unref)
MLXC_HANDLE(mlxc_stream, Stream, mlxc_stream_unref)
MLXC_HANDLE(mlxc_scope, Scope, mlxc_scope_free)
MLXC_HANDLE(mlxc_function, Function, mlxc_function_unref)
MLXC_HANDLE(mlxc_tensors, Tensors, mlxc_tensors_unref)
MLXC_HANDLE(mlxc_reader, Reader, mlxc_reader_unref)
MLXC_HANDLE(mlxc_writer, Writer, mlxc_writer_unref)

MLXC_SCALAR_TYPEMAPS

/* A call that failed half-way leaves nothing to the next. */
%typemap(arginit) mlxc_dtype "mlxc_bytes = -1;"
%typemap(arginit) (const int64_t *shape, int ndim) "mlxc_length = -1;"

/* The names under which sequences go. */
%apply (const int64_t *shape, int ndim) { (const int64_t *high, int ndim),
    (const int64_t *step, int ndim), (const int64_t *strides, int ndim),
    (const int64_t *sizes, int nsizes), (const int64_t *index, int nindices) }
%apply (const int *axes, int naxes) { (const int *argnums, int n),
    (const int *in_axes, int n_in), (const int *out_axes, int n_out) }

/* All that mlxc.h includes, what others need first; a test compares. */
%include "mlxc/export.h"
%include "mlxc/error.h"
%include "mlxc/dtype.h"
%include "mlxc/device.h"
%include "mlxc/stream.h"
%include "mlxc/memory.h"
%include "mlxc/array.h"
%include "mlxc/ops_math.h"
%include "mlxc/ops_shape.h"
%include "mlxc/ops_index.h"
%include "mlxc/ops_reduce.h"
%include "mlxc/ops_matmul.h"
%include "mlxc/random.h"
%include "mlxc/scope.h"
%include "mlxc/transform.h"
%include "mlxc/io.h"
%include "mlxc/version.h"
