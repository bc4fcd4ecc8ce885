#!/bin/sh
# SPDX-License-Identifier: MIT
# What the eye misses: width, tabs, ASCII, licence lines, loose ends.
set -eu
cd "$top_srcdir"
bad=0
say() { echo "$1"; bad=1; }
files=$(find lib include tests bench examples fuzz bindings -name '*.[ch]' -o \
  -name '*.def' -o -name '*.i' -o -name '*.cu' -o -name '*.cuh')
for f in $files; do
  case $f in tests/*.def) ;; *) # tables of cases: one a line
    awk 'length > 80 {exit 1}' "$f" || say "$f: a line over 80 columns" ;;
  esac
  case $f in include/*|*.c|*.h|*.def)
    head -n 1 "$f" | grep -q 'SPDX-License-Identifier: MIT' ||
      say "$f: no licence line" ;;
  esac
done
tab=$(printf '\t')
for f in $files; do
  ! grep -q "$tab" "$f" || say "$f: a tab"
  ! LC_ALL=C grep -q '[^ -~]' "$f" || say "$f: not ASCII"
  ! grep -nwE 'TODO|FIXME|XXX' "$f" || say "$f: a loose end"
  [ "$(wc -l < "$f")" -le 800 ] || case $f in
    include/mlxc/expr.h) ;; *) say "$f: over 800 lines" ;;
  esac
done
exit $bad
