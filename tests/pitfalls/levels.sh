#!/bin/sh
# SPDX-License-Identifier: MIT
# The same answers at every CPU level, and with one thread and with several.
set -eu
run="$top_builddir/tests/pitfalls/pitfalls"
[ -x "$run" ] || { echo "skipped: Check is not installed"; exit 77; }
MLXC_TEST_LEVEL=0
export MLXC_TEST_LEVEL
for threads in 1 5; do
  for level in base avx2; do
    echo "$level, $threads threads"
    MLXC_CPU_ISA=$level MLXC_NUM_THREADS=$threads "$run"
  done
done
