#!/bin/sh
# SPDX-License-Identifier: MIT
# The symbol file, the headers, the shared library and the archive agree.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat "$top_srcdir"/include/mlxc/*.h "$top_srcdir"/include/mlxc/version.h.in |
  tr '\n' ' ' | sed 's@/\*@\n&@g; s@\*/@&\n@g' | grep -v '^/\*' | tr '\n' ' ' |
  grep -o 'MLXC_API[^;(]*(' | grep -o 'mlxc_[a-z0-9_]*($\|mlxc_[a-z0-9_]* *($' |
  tr -d ' (' | sort -u > "$work/headers"
grep -o 'mlxc_[a-z0-9_]*' "$top_srcdir/lib/mlxc.sym" | sort > "$work/sym"
if ! diff "$work/headers" "$work/sym"; then
  echo "headers (<) and lib/mlxc.sym (>) differ"
  exit 1
fi
so="$top_builddir/.libs/libmlxc.so"
if [ -e "$so" ]; then
  ${NM:-nm} -D --defined-only "$so" | awk '{print $3}' > "$work/so"
  if grep -v '^mlxc_[a-z0-9_]*@@MLXC_[0-9.]*$' "$work/so" |
    grep -v '^MLXC_[0-9.]*\(@@.*\)\?$'; then
    echo "exported beyond mlxc_*, or without a version"
    exit 1
  fi
  grep -o '^mlxc_[a-z0-9_]*' "$work/so" | sort > "$work/exported"
  diff "$work/sym" "$work/exported"
fi
a="$top_builddir/.libs/libmlxc.a"
if [ -e "$a" ]; then
  if ${NM:-nm} -g --defined-only "$a" 2>/dev/null |
    awk 'NF == 3 {print $3}' |
    grep -v '^mlxc_\|^mx_\|^__asan\|^__odr_asan\|^_ZN\|^__tsan\|^__ubsan'; then
    echo "global names in the archive outside mlxc_ and mx_"
    exit 1
  fi
fi
echo "$(wc -l < "$work/sym") names"
