#!/bin/sh
# SPDX-License-Identifier: MIT
# Each public header compiles alone, as C99 and as C++98.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc=${CC:-cc}
cxx=
for c in g++ c++ clang++; do
  if command -v $c > /dev/null; then cxx=$c; break; fi
done
for h in "$top_srcdir"/include/mlxc/*.h; do
  name=mlxc/$(basename "$h")
  printf '#include <%s>\nextern int checked;\n' "$name" > "$work/t.c"
  cp "$work/t.c" "$work/t.cc"
  $cc -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only \
    -I"$top_srcdir/include" -I"$top_builddir/include" "$work/t.c" ||
    { echo "$name fails as C99"; exit 1; }
  [ -z "$cxx" ] || $cxx -std=c++98 -Wall -Wextra -Werror -fsyntax-only \
    -I"$top_srcdir/include" -I"$top_builddir/include" -Wno-long-long \
    "$work/t.cc" || { echo "$name fails as C++98"; exit 1; }
done
