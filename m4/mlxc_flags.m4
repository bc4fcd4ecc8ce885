# SPDX-License-Identifier: MIT
# MLXC_ADD_FLAG(VARIABLE, FLAG): append FLAG if the compiler takes it.
AC_DEFUN([MLXC_ADD_FLAG], [
  AC_MSG_CHECKING([whether $CC accepts $2])
  mlxc_saved_cflags=$CFLAGS
  CFLAGS="$CFLAGS -Werror $2"
  AC_COMPILE_IFELSE([AC_LANG_SOURCE([int mlxc_probe;])],
    [AC_MSG_RESULT([yes]); $1="$$1 $2"], [AC_MSG_RESULT([no])])
  CFLAGS=$mlxc_saved_cflags
])

# MLXC_ISA_LEVEL(NAME, FLAGS): a level of the CPU kernels, built if wanted and
# if the compiler takes all its flags.  Features are named one by one: -march
# would not survive a user's own.
AC_DEFUN([MLXC_ISA_LEVEL], [
  mlxc_isa_ok=no
  AS_CASE([",$with_isa,"], [*,$1,*|*,all,*], [
    AC_MSG_CHECKING([for CPU level $1])
    mlxc_saved_cflags=$CFLAGS
    CFLAGS="$CFLAGS -Werror $2"
    AC_COMPILE_IFELSE([AC_LANG_SOURCE([int mlxc_probe;])],
      [mlxc_isa_ok=yes])
    CFLAGS=$mlxc_saved_cflags
    AC_MSG_RESULT([$mlxc_isa_ok])
  ])
  AS_IF([test $mlxc_isa_ok = yes],
    [MLXC_ISA_CPPFLAGS="$MLXC_ISA_CPPFLAGS -DMX_HAVE_ISA_$1"])
  AM_CONDITIONAL([ISA_$1], [test $mlxc_isa_ok = yes])
  AC_SUBST([ISA_$1_CFLAGS], ["$2"])
])

AC_DEFUN([MLXC_ISA_LEVELS], [
  AC_ARG_WITH([isa],
    [AS_HELP_STRING([--with-isa=LIST],
      [CPU levels beyond base: avx2,avx512 (default: all possible)])],
    [], [with_isa=all])
  MLXC_ISA_CPPFLAGS=
  MLXC_ISA_LEVEL([avx2], [-mavx2 -mfma -mf16c -mbmi2])
  MLXC_ISA_LEVEL([avx512],
    [-mavx2 -mfma -mf16c -mbmi2 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512])
  AC_SUBST([MLXC_ISA_CPPFLAGS])
  dnl Kernels are loops that the compiler vectorises; -O3 would not survive a
  dnl user's -O2, these do.  Jump threading would turn the clamps of the
  dnl functions in isa/math.h into masked copies of half the loop.
  MLXC_VECTOR_CFLAGS=
  for flag in -ftree-vectorize -fvect-cost-model=dynamic \
      -fno-trapping-math -fno-signaling-nans -fno-thread-jumps; do
    MLXC_ADD_FLAG([MLXC_VECTOR_CFLAGS], [$flag])
  done
  AC_SUBST([MLXC_VECTOR_CFLAGS])
])
