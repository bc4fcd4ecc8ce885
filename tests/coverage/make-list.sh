#!/bin/sh
# SPDX-License-Identifier: MIT
# Make functions.def from the catalogue of operations that this library is
# built after: make-list.sh ops.md random-linalg-fft-fast.md > functions.def.
# Names are those of headings and of the first column of tables; names that
# only the text has, and functions called otherwise here, are listed below.
set -eu
awk '
function add(name) {
  if (name in seen)
    return
  seen[name] = 1
  order[++n] = name
}
# The names in a heading: the first word of each of its parts.
function names(text,    part, k, i, word, first) {
  gsub(/ \(dynamic\)/, "_dynamic", text)
  while (gsub(/\([^()]*\)/, "", text))
    continue
  sub(/^Window functions:/, "", text)
  sub(/(:|->).*/, "", text)
  k = split(text, part, /[,;\/]/)
  for (i = 1; i <= k; i++) {
    word = part[i]
    gsub(/^ +/, "", word)
    sub(/ .*/, "", word)
    if (word ~ /^_/) { # slice_update_add / _prod
      sub(/_[a-z]*$/, "", first)
      word = first word
    }
    if (word !~ /^[a-z][a-z0-9_]*$/ || word == "without" ||
        word == "quantised")
      continue
    first = word
    add(prefix word)
  }
}
# The headings of the groups that are there, by number.
/^## / {
  random = FILENAME ~ /random/
  prefix = random ? "random_" : ""
  part = substr($2, 1, 1) + 0
  section = $2 + 0
  wanted = !random && section >= 3 && section <= 17
  if (random && part == 1) {
    sub(/^## [0-9.]+ /, "")
    names($0)
  }
  next
}
wanted && /^### / { names(substr($0, 5)) }
# Tables of maps and reductions.
wanted && (section == 4 || section == 11) && /^\| / && $2 != "op" {
  row = substr($0, 3)
  sub(/ \|.*/, "", row)
  while (gsub(/\([^()]*\)/, "", row))
    continue
  gsub(/,/, " ", row)
  k = split(row, cell, / +/)
  prefix = ""
  for (i = 1; i <= k; i++)
    if (cell[i] ~ /^[a-z][a-z0-9_]*$/)
      add(cell[i])
}
END {
  # in the text only
  k = split("tril triu cumsum cumprod cummax cummin logcumsumexp " \
    "random_key random_seed random_split_pair random_categorical_shaped", more, " ")
  for (i = 1; i <= k; i++)
    add(more[i])
  # called otherwise
  other["slice_dynamic"] = "dynamic_slice"
  other["slice_update_dynamic"] = "dynamic_update"
  other["scatter_add_axis"] = "put_add"
  other["scatter_add"] = other["scatter_prod"] = "scatter"
  other["scatter_max"] = other["scatter_min"] = "scatter"
  print "/* SPDX-License-Identifier: MIT */"
  print "/* FUNCTION(name in the catalogue, function here); made by"
  print "   make-list.sh, read by build-aux/check-coverage.sh. */"
  for (i = 1; i <= n; i++)
    print "FUNCTION(" order[i] ", mlxc_" \
      (order[i] in other ? other[order[i]] : order[i]) ")"
}' "$@"
