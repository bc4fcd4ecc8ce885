#!/bin/sh
# SPDX-License-Identifier: MIT
# The shared library against the committed description of its ABI: additions
# are allowed, changes are not.
set -eu
so="$top_builddir/.libs/libmlxc.so"
dump="$top_srcdir/abi/mlxc-0.1.abi"
command -v abidiff > /dev/null ||
  { echo "skipped: abidiff (abigail-tools) is not installed"; exit 77; }
[ -e "$so" ] || { echo "skipped: no shared library was built"; exit 77; }
if ${NM:-nm} "$so" | grep -q '__asan_init\|__tsan_init'; then
  echo "skipped: sanitizers change the library"
  exit 77
fi
[ -e "$dump" ] || { echo "$dump is missing: make abi-dump"; exit 1; }
abidiff --no-added-syms --headers-dir2 "$top_srcdir/include/mlxc" \
  --drop-private-types "$dump" "$so"
