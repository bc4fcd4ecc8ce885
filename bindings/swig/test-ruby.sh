#!/bin/sh
# SPDX-License-Identifier: MIT
# Wraps the headers for Ruby, compiles, runs test_ruby.rb.
set -e
skip() { echo "skipped: $1"; exit 77; }
for tool in "$SWIG" "$RUBY"; do
    test "${tool:-none}" != none || skip "SWIG or Ruby is not installed"
done
library=$top_builddir/.libs/libmlxc.so
test -f "$library" || skip "there is no shared library"
! grep -q __asan_init "$library" || skip "Ruby cannot load a sanitized library"
for header in $(sed -n 's/^#include <\(mlxc\/.*\)>/\1/p' \
    "$top_srcdir/include/mlxc/mlxc.h"); do
    grep -q "^%include \"$header\"" "$top_srcdir/bindings/swig/mlxc.i" || {
        echo "mlxc.i does not include $header"
        exit 1
    }
done
headers=$("$RUBY" -rrbconfig -e 'puts RbConfig::CONFIG["rubyhdrdir"]')
arch=$("$RUBY" -rrbconfig -e 'puts RbConfig::CONFIG["rubyarchhdrdir"]')
test -f "$headers/ruby.h" || skip "Ruby's headers are not installed"

work=$top_builddir/bindings/ruby-test
rm -rf "$work"
mkdir -p "$work"
cd "$work"
"$SWIG" -ruby -DSWIGWORDSIZE64 -I"$top_srcdir/include" \
    -I"$top_builddir/include" -o mlxc_wrap.c \
    "$top_srcdir/bindings/swig/mlxc.i"
${CC:-cc} -O1 -fPIC -shared -I"$headers" -I"$arch" -I"$top_srcdir/include" \
    -I"$top_builddir/include" -o mlxc.so mlxc_wrap.c \
    -L"$top_builddir/.libs" -lmlxc
LD_LIBRARY_PATH="$top_builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
    "$RUBY" -I. "$top_srcdir/bindings/swig/test_ruby.rb"
cd "$top_builddir"
rm -rf "$work"
