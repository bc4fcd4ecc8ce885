#!/bin/sh
# SPDX-License-Identifier: MIT
# Wraps the headers for Go, compiles, runs mlxc_test.go.
set -e
skip() { echo "skipped: $1"; exit 77; }
for tool in "$SWIG" "$GO"; do
    test "${tool:-none}" != none || skip "SWIG or Go is not installed"
done
library=$top_builddir/.libs/libmlxc.so
test -f "$library" || skip "there is no shared library"
! grep -q __asan_init "$library" || skip "Go cannot load a sanitized library"

work=$top_builddir/bindings/go-test
rm -rf "$work"
mkdir -p "$work"
cd "$work"
"$SWIG" -go -cgo -intgosize 64 -DSWIGWORDSIZE64 -I"$top_srcdir/include" \
    -I"$top_builddir/include" -outdir . -o mlxc_wrap.c \
    "$top_srcdir/bindings/swig/mlxc.i"
cp "$top_srcdir/bindings/swig/mlxc_test.go" .
printf 'module mlxc\n\ngo 1.19\n' > go.mod
test -n "$HOME" || GOCACHE=${GOCACHE:-$work/cache}
test -z "$GOCACHE" || export GOCACHE
CGO_CFLAGS="-O1 -I$top_srcdir/include -I$top_builddir/include" \
CGO_LDFLAGS="-L$top_builddir/.libs" \
LD_LIBRARY_PATH="$top_builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
GOFLAGS=-mod=mod GOPROXY=off "$GO" test -count=1 .
cd "$top_builddir"
rm -rf "$work"
