/* SPDX-License-Identifier: MIT */
/* Go: a result goes through a pointer and the status is an error, so that a
   call reads  err := mlxc.Add(&sum, a, b, nil).  Slices cross without a copy;
   addresses of handles are gathered into one.  What is returned through a
   pointer is the caller's: DeleteArray(sum), or a finaliser. */
%insert(cgo_comment_typedefs) %{
#cgo LDFLAGS: -lmlxc
%}

%go_import("errors")

/* Status: the message crosses as a string, which is empty on success. */
%typemap(gotype) mlxc_status "error"
%typemap(imtype) mlxc_status "string"
%typemap(out, fragment="AllocateString") mlxc_status %{
    $result = Swig_AllocateString($1 ? mlxc_error_message() : "",
        $1 ? strlen(mlxc_error_message()) : 0);
%}
%typemap(goout, fragment="CopyString") mlxc_status %{
    if text := swigCopyString($1); text != "" {
        $result = errors.New(text)
    }
%}

/* As an argument it is a plain number. */
%typemap(gotype) mlxc_status status "int"
%typemap(imtype) mlxc_status status "int"
%typemap(goin) mlxc_status status "$result = $input"
%typemap(in) mlxc_status status "$1 = (mlxc_status)$input;"

%define MLXC_HANDLE_TYPEMAPS(TYPE, NAME)
%typemap(gotype) TYPE ** "*NAME"
%typemap(imtype) TYPE ** "[]uintptr"
%typemap(goin) TYPE ** %{
    $result = make([]uintptr, 1)
%}
%typemap(in) TYPE ** %{ $1 = ($1_ltype)$input.array; %}
%typemap(goargout) TYPE ** %{
    if $1 != nil {
        *$1 = nil
        if $input[0] != 0 {
            *$1 = Swigcptr##NAME($input[0])
        }
    }
%}

%typemap(gotype) (TYPE *const *list, int n) "[]NAME"
%typemap(imtype) (TYPE *const *list, int n) "[]uintptr"
%typemap(goin) (TYPE *const *list, int n) %{
    $result = make([]uintptr, len($input))
    for i, handle := range $input {
        if handle != nil {
            $result[i] = handle.Swigcptr()
        }
    }
%}
%typemap(in) (TYPE *const *list, int n) %{
    $1 = ($1_ltype)$input.array;
    $2 = (int)$input.len;
%}

%typemap(goargout) (TYPE *const *list, int n) ""

/* Borrowed: the caller gets a reference of its own. */
%typemap(out) TYPE * %{ *($&1_ltype)&$result = TYPE##_ref($1); %}
%typemap(goout) TYPE * %{
    if handle := $1; handle.Swigcptr() != 0 {
        $result = handle
    }
%}
%enddef

/* A single number through a pointer. */
%define MLXC_NUMBER_OUT(TYPE, GOTYPE)
%typemap(gotype) TYPE *out "*GOTYPE"
%typemap(imtype) TYPE *out "[]GOTYPE"
%typemap(goin) TYPE *out %{
    $result = make([]GOTYPE, 1)
%}
%typemap(in) TYPE *out %{ $1 = ($1_ltype)$input.array; %}
%typemap(goargout) TYPE *out %{
    if $1 != nil {
        *$1 = $input[0]
    }
%}
%enddef

%define MLXC_SCALAR_TYPEMAPS
MLXC_NUMBER_OUT(double, float64)
MLXC_NUMBER_OUT(int64_t, int64)
MLXC_NUMBER_OUT(bool, bool)
MLXC_NUMBER_OUT(int, int32)
MLXC_NUMBER_OUT(mlxc_dtype, int32)

/* Text that the library allocated. */
%typemap(gotype) char **out "*string"
%typemap(imtype) char **out "[]string"
%typemap(goin) char **out %{
    $result = make([]string, 1)
%}
%typemap(in) char **out (char *text = NULL) %{ $1 = &text; %}
%typemap(argout, fragment="AllocateString") char **out %{
    if (text$argnum) {
        *(_gostring_ *)$input.array =
            Swig_AllocateString(text$argnum, strlen(text$argnum));
        mlxc_free(text$argnum);
    }
%}
%typemap(goargout, fragment="CopyString") char **out %{
    if $1 != nil && $input[0] != "" {
        *$1 = swigCopyString($input[0])
    }
%}

%typemap(gotype) (const int64_t *shape, int ndim) "[]int64"
%typemap(imtype) (const int64_t *shape, int ndim) "[]int64"
%typemap(goin) (const int64_t *shape, int ndim) "$result = $input"
%typemap(in) (const int64_t *shape, int ndim) %{
    if (!mlxc_same_length($input.len, 1))
        _swig_gopanic("sequences of different lengths");
    mlxc_note_shape((const int64_t *)$input.array, (int)$input.len);
    $1 = ($1_ltype)$input.array;
    $2 = (int)$input.len;
%}
%typemap(gotype) const int64_t * "[]int64"
%typemap(imtype) const int64_t * "[]int64"
%typemap(goin) const int64_t * "$result = $input"
%typemap(in) const int64_t * %{
    if (!mlxc_same_length($input.len, 0))
        _swig_gopanic("sequences of different lengths");
    $1 = ($1_ltype)$input.array;
%}
%typemap(out) const int64_t * %{
    $result.array = (void *)$1;
    $result.len = $result.cap = $1 ? mlxc_array_ndim(arg1) : 0;
%}
%typemap(goout) const int64_t * %{
    $result = append([]int64(nil), $1[:]...)
%}

%typemap(gotype) (const int *axes, int naxes) "[]int"
%typemap(imtype) (const int *axes, int naxes) "[]int32"
%typemap(goin) (const int *axes, int naxes) %{
    if $input != nil {
        $result = make([]int32, len($input))
        for i, number := range $input {
            $result[i] = int32(number)
        }
    }
%}
%typemap(in) (const int *axes, int naxes) %{
    $1 = ($1_ltype)$input.array;
    $2 = (int)$input.len;
%}

/* Bytes in, and room for bytes. */
%typemap(gotype) const void *data "[]byte"
%typemap(imtype) const void *data "[]byte"
%typemap(goin) const void *data "$result = $input"
%typemap(in) const void *data %{
    mlxc_bytes = $input.len;
    $1 = $input.array;
%}
%typemap(check) mlxc_dtype %{
    if (!mlxc_enough_bytes($1))
        _swig_gopanic("fewer bytes than the shape needs");
%}
%typemap(gotype) (void *dst, size_t bytes) "[]byte"
%typemap(imtype) (void *dst, size_t bytes) "[]byte"
%typemap(goin) (void *dst, size_t bytes) "$result = $input"
%typemap(in) (void *dst, size_t bytes) %{
    $1 = $input.array;
    $2 = (size_t)$input.len;
%}
%enddef
