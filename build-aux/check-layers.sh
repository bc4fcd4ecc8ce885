#!/bin/sh
# SPDX-License-Identifier: MIT
# Arrows between folders point one way.
set -eu
cd "$top_srcdir/lib"
bad=0
allow() { # folder, folders it may include
  for f in $(find "$1" -name '*.[ch]' -o -name '*.def' | grep "^$1/"); do
    for inc in $(sed -n 's/^#include "\([a-z]*\)\/.*/\1/p' "$f" | sort -u); do
      case " $1 $2 " in
        *" $inc "*) ;;
        *) echo "lib/$f includes $inc/"; bad=1 ;;
      esac
    done
  done
}
allow util ""
allow core "util"
allow ops "core util"
allow transform "ops core util"
allow io "core util"
allow cpu "core util"
[ ! -d cuda ] || allow cuda "core util"
cd ../examples
if grep -n '#include "' -- *.c 2>/dev/null; then
  echo "examples use public headers only"
  bad=1
fi
exit $bad
