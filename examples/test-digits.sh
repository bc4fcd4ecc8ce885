#!/bin/sh
# SPDX-License-Identifier: MIT
# The digits are learnt from any folder, and bad input gets a plain answer.
set -e
digits=$top_builddir/examples/digits
work=$top_builddir/examples/digits-test
rm -rf "$work"
mkdir -p "$work"
cd "$work"
"$digits" > out.txt
grep 'right' out.txt
test -s digits-weights.safetensors

# refuse NAME TEXT ARGUMENT...: fails, and says TEXT
refuse()
{
    text=$1
    shift
    if "$digits" "$@" > out.txt 2> error.txt; then
        echo "not refused: $*"
        exit 1
    fi
    grep -q "^digits: .*$text" error.txt || { cat error.txt; exit 1; }
    test "$(wc -l < error.txt)" -eq 1
}
refuse 'No such file' none.safetensors
refuse 'not a plain file' .
refuse 'no array "images"' digits-weights.safetensors
printf 'no weights at all' > text.safetensors
refuse 'no likely length' text.safetensors
header='{"images":{"dtype":"U8","shape":[1,8],"data_offsets":[0,8]},'
header=$header'"labels":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}'
printf '\170\0\0\0\0\0\0\0%-120s12345678' "$header" > shape.safetensors
refuse 'overlap' shape.safetensors
header='{"images":{"dtype":"U8","shape":[1,8],"data_offsets":[0,8]},'
header=$header'"labels":{"dtype":"U8","shape":[1],"data_offsets":[8,9]}}'
printf '\170\0\0\0\0\0\0\0%-120s123456789' "$header" > shape.safetensors
refuse 'must be uint8 (n,8,8)' shape.safetensors
refuse 'No such file or directory' \
    "$top_srcdir/examples/data/digits.safetensors" none/weights.safetensors
cd "$top_builddir"
rm -rf "$work"
