/* SPDX-License-Identifier: MIT */
/* Ruby: a result is what the call returns, a failure raises Mlxc::Error, so
   that a call reads  sum = Mlxc.add(a, b, nil).  Everything is freed by the
   collector.  Memory for sequences is the collector's too, since raising does
   not come back. */
%{
static VALUE mlxc_error_class;

static void *mlxc_room(VALUE *holder, long n, size_t size)
{
    return rb_alloc_tmp_buffer(holder, (n + 1) * (long)size);
}

static void mlxc_raise(const char *message)
{
    rb_raise(mlxc_error_class, "%s", message);
}
%}

%init %{
    mlxc_error_class =
        rb_define_class_under(mMlxc, "Error", rb_eStandardError);
%}

%typemap(out) mlxc_status %{
    if ($1)
        mlxc_raise(mlxc_error_message());
    $result = Qnil;
%}

%define MLXC_HANDLE_TYPEMAPS(TYPE, NAME)
%typemap(in, numinputs=0) TYPE ** (TYPE *handle = NULL) %{
    $1 = &handle;
%}
%typemap(argout) TYPE ** %{
    $result = SWIG_Ruby_AppendOutput($result,
        SWIG_NewPointerObj(handle$argnum, $*1_descriptor,
            SWIG_POINTER_OWN));
%}

%typemap(in) (TYPE *const *list, int n) (VALUE holder) %{
    {
        long mlxc_n, mlxc_i;
        Check_Type($input, T_ARRAY);
        mlxc_n = RARRAY_LEN($input);
        $1 = ($1_ltype)mlxc_room(&holder, mlxc_n, sizeof(void *));
        for (mlxc_i = 0; mlxc_i < mlxc_n; mlxc_i++) {
            void *mlxc_entry = NULL;
            if (!SWIG_IsOK(SWIG_ConvertPtr(rb_ary_entry($input, mlxc_i),
                &mlxc_entry, $descriptor(TYPE *), 0)))
                mlxc_raise("an entry of the list is of the wrong class");
            $1[mlxc_i] = (TYPE *)mlxc_entry;
        }
        $2 = (int)mlxc_n;
    }
%}
%typemap(argout) (TYPE *const *list, int n) ""

/* Borrowed: the caller gets a reference of its own. */
%typemap(out) TYPE * %{
    $result = $1 ? SWIG_NewPointerObj(TYPE##_ref($1), $1_descriptor,
        SWIG_POINTER_OWN) : Qnil;
%}
%enddef

%define MLXC_NUMBER_OUT(TYPE, CONVERT)
%typemap(in, numinputs=0) TYPE *out (TYPE number) %{ $1 = &number; %}
%typemap(argout) TYPE *out %{
    $result = SWIG_Ruby_AppendOutput($result, CONVERT(number$argnum));
%}
%enddef

/* A sequence of whole numbers. */
%define MLXC_NUMBERS_IN(TYPE)
    {
        long mlxc_n, mlxc_i;
        Check_Type($input, T_ARRAY);
        mlxc_n = RARRAY_LEN($input);
        $1 = ($1_ltype)mlxc_room(&holder, mlxc_n, sizeof(TYPE));
        for (mlxc_i = 0; mlxc_i < mlxc_n; mlxc_i++)
            ((TYPE *)$1)[mlxc_i] =
                (TYPE)NUM2LL(rb_ary_entry($input, mlxc_i));
%enddef

%define MLXC_SCALAR_TYPEMAPS
MLXC_NUMBER_OUT(double, rb_float_new)
MLXC_NUMBER_OUT(int64_t, LL2NUM)
MLXC_NUMBER_OUT(bool, SWIG_From_bool)
MLXC_NUMBER_OUT(int, INT2NUM)
MLXC_NUMBER_OUT(mlxc_dtype, INT2NUM)

/* Text that the library allocated. */
%typemap(in, numinputs=0) char **out (char *text = NULL) %{
    $1 = &text;
%}
%typemap(argout) char **out %{
    $result = SWIG_Ruby_AppendOutput($result, rb_str_new_cstr(text$argnum));
    mlxc_free(text$argnum);
%}

%typemap(in) (const int64_t *shape, int ndim) (VALUE holder) %{
    MLXC_NUMBERS_IN(int64_t)
        if (!mlxc_same_length(mlxc_n, 1))
            mlxc_raise("sequences of different lengths");
        mlxc_note_shape((const int64_t *)$1, (int)mlxc_n);
        $2 = (int)mlxc_n;
    }
%}
%typemap(in) const int64_t * (VALUE holder) %{
    MLXC_NUMBERS_IN(int64_t)
        if (!mlxc_same_length(mlxc_n, 0))
            mlxc_raise("sequences of different lengths");
    }
%}
%typemap(out) const int64_t * %{
    {
        int mlxc_i, mlxc_n = $1 ? mlxc_array_ndim(arg1) : 0;
        $result = rb_ary_new_capa(mlxc_n);
        for (mlxc_i = 0; mlxc_i < mlxc_n; mlxc_i++)
            rb_ary_push($result, LL2NUM($1[mlxc_i]));
    }
%}

/* nil is the default. */
%typemap(in) (const int *axes, int naxes) (VALUE holder) %{
    $1 = NULL;
    $2 = 0;
    if (!NIL_P($input))
    MLXC_NUMBERS_IN(int)
        $2 = (int)mlxc_n;
    }
%}

/* Bytes in, and a size for which bytes come out. */
%typemap(in) const void *data %{
    StringValue($input);
    mlxc_bytes = RSTRING_LEN($input);
    $1 = ($1_ltype)RSTRING_PTR($input);
%}
%typemap(check) mlxc_dtype %{
    if (!mlxc_enough_bytes($1))
        mlxc_raise("fewer bytes than the shape needs");
%}
%typemap(in) (void *dst, size_t bytes) (VALUE string) %{
    $2 = NUM2SIZET($input);
    string = rb_str_new(NULL, (long)$2);
    $1 = ($1_ltype)RSTRING_PTR(string);
%}
%typemap(argout) (void *dst, size_t bytes) %{
    $result = SWIG_Ruby_AppendOutput($result, string$argnum);
%}
%enddef
