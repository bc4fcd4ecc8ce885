#!/bin/sh
# SPDX-License-Identifier: MIT
# Install into a folder of its own and use the result as a stranger would.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix="$work/usr"
grep -q '__asan_init\|__tsan_init' "$top_builddir"/.libs/libmlxc.* 2>/dev/null &&
  { echo "skipped: a sanitized library needs the sanitizer's flags"; exit 77; }
(unset MAKEFLAGS MFLAGS; cd "$top_builddir" &&
  ${MAKE:-make} -s install prefix="$prefix" exec_prefix="$prefix" \
    libdir="$prefix/lib" includedir="$prefix/include") > "$work/log" 2>&1 ||
  { cat "$work/log"; exit 1; }
sed -i "s@^prefix=.*@prefix=$prefix@; s@^libdir=.*@libdir=$prefix/lib@;
  s@^includedir=.*@includedir=$prefix/include@" "$prefix/lib/pkgconfig/mlxc.pc"
PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
export PKG_CONFIG_PATH
cat > "$work/t.c" <<'C'
#include <mlxc/mlxc.h>
int main(void) { mlxc_array *a, *b; double v = 0;
return mlxc_array_from_double(&a, 20, MLXC_FLOAT32) || mlxc_add(&b, a, a, 0)
|| mlxc_array_item_double(&v, b) || v != 40; }
C
cc=${CC:-cc}
if [ -e "$prefix/lib/libmlxc.a" ]; then
  mkdir "$work/static"
  cp "$prefix/lib/libmlxc.a" "$work/static"
  # only the archive is in sight
  $cc $(pkg-config --cflags mlxc) "$work/t.c" -o "$work/s" \
    $(pkg-config --static --libs mlxc | sed "s@-L$prefix/lib@-L$work/static@")
  "$work/s"
fi
if [ -e "$prefix/lib/libmlxc.so" ]; then
  $cc $(pkg-config --cflags mlxc) "$work/t.c" -o "$work/d" \
    $(pkg-config --libs mlxc)
  LD_LIBRARY_PATH="$prefix/lib" "$work/d"
  LD_LIBRARY_PATH="$prefix/lib" ldd "$prefix/lib/libmlxc.so" > "$work/ldd"
  if grep -i 'stdc++\|cuda\|nvrtc\|cublas' "$work/ldd"; then
    echo "depends on a C++ run time or on CUDA"
    exit 1
  fi
  cp "$prefix"/lib/libmlxc.so.*.*.* "$work/stripped"
  strip "$work/stripped"
  size=$(wc -c < "$work/stripped")
  echo "stripped: $size bytes"
  [ "$size" -lt 6291456 ]
fi
