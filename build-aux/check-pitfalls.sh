#!/bin/sh
# SPDX-License-Identifier: MIT
# Every entry of tests/pitfalls/*.def has a test that runs, or a reason why
# not; a reason that names a function is void once the library has it.
set -eu
cd "$top_srcdir"
awk -F '[(,)]' '
function say(text) { print text; bad = 1 }
function trim(text) { gsub(/ /, "", text); return text }
# Whether a file defines a test and adds it to a case.
function runs(file, test,    line, text) {
  if (!(file in body)) {
    text = ""
    while ((getline line < file) > 0) {
      gsub(/ /, "", line)
      text = text line
    }
    close(file)
    body[file] = text
  }
  return body[file] ~ "START_TEST\\(" test "\\)" &&
    body[file] ~ "tcase_add_(loop_)?test\\(t," test "[,)]"
}
FILENAME == "lib/mlxc.sym" { gsub(/[ ;]/, ""); has[$0] = 1; next }
/^ENTRY\(/ {
  if ($2 in entry)
    say($2 ": twice")
  entry[$2] = 1
  n++
}
/^(TEST|WAITS|NOT)\(/ {
  if (!($2 in entry))
    say($2 ": no such entry above")
  answer[$2] = 1
}
/^TEST\(/ {
  if (!runs(trim($3), trim($4)))
    say($2 ":" $3 " does not run" $4)
  tested[$2] = 1
}
/^WAITS\(/ {
  if (trim($3) in has)
    say($2 ":" $3 " is there now: test it")
}
END {
  for (id in entry)
    if (!(id in answer))
      say(id ": neither tested nor excused")
  for (id in tested)
    t++
  print n " entries, " t " with tests"
  exit bad
}' lib/mlxc.sym tests/pitfalls/*.def
