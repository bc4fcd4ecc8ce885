#!/bin/sh
# SPDX-License-Identifier: MIT
# Every function of tests/coverage/functions.def is there; every public
# function has a comment and is called by a test; the functions of the list
# have cases in tests/grad, or tests/grad/exempt.def says why not.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
say() { echo "$1"; bad=1; }
# lines of the first file that the second lacks, with a text behind
lacks() {
  while read -r f; do
    [ -z "$f" ] || say "$f $3"
  done << LIST
$(comm -23 "$1" "$2")
LIST
}
first() { # macro, file: the names in its last, or only, place
  sed -n "s/^$1(.*\(mlxc_[a-z0-9_]*\)[,)].*/\1/p" "$2" | sort -u
}
grep -o 'mlxc_[a-z0-9_]*;' "$top_srcdir/lib/mlxc.sym" | tr -d ';' |
  sort > "$work/sym"
first FUNCTION "$top_srcdir/tests/coverage/functions.def" > "$work/listed"
# documented: the line above the declaration ends a comment
cat "$top_srcdir"/include/mlxc/*.h "$top_srcdir"/include/mlxc/version.h.in |
  awk '/^MLXC_API/ && before ~ /\*\/$/ {
      while ($0 !~ /\(/ && (getline more) > 0)
        $0 = $0 more
      match($0, /mlxc_[a-z0-9_]* *\(/)
      name = substr($0, RSTART, RLENGTH)
      gsub(/[ (]/, "", name)
      print name
    }
    { before = $0 }' | sort -u > "$work/documented"
lacks "$work/listed" "$work/sym" "is not exported by lib/mlxc.sym"
lacks "$work/sym" "$work/documented" "has no comment above its declaration"

calls() { # objects: the public functions that they call
  ${NM:-nm} -u "$@" 2> /dev/null | grep -o '\bmlxc_[a-z0-9_]*' | sort -u
}
objects=$(find "$top_builddir/tests" -name '*.o')
cases=$(find "$top_builddir/tests/grad" -name '*cases.o')
if [ -n "$objects" ] && [ -n "$cases" ]; then
  calls $objects > "$work/called"
  lacks "$work/sym" "$work/called" "is not called by any test"
  calls $cases > "$work/derived"
  first EXEMPT "$top_srcdir/tests/grad/exempt.def" > "$work/exempt"
  sort -u "$work/derived" "$work/exempt" > "$work/answered"
  lacks "$work/listed" "$work/answered" \
    "has no case in tests/grad, and no line in tests/grad/exempt.def"
  comm -12 "$work/derived" "$work/exempt" | while read -r f; do
    echo "$f has a case, and a line in tests/grad/exempt.def"
    touch "$work/both"
  done
  [ ! -e "$work/both" ] || bad=1
elif [ $bad = 0 ]; then
  echo "skipped: without Check there are no tests that could call anything"
  exit 77
fi
echo "$(wc -l < "$work/listed") functions listed," \
  "$(wc -l < "$work/sym") exported"
exit $bad
