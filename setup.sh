#!/bin/sh
# SPDX-License-Identifier: MIT
# Everything from a fresh Debian or Ubuntu machine to a trained model: install
# what is missing, build in build/, train on the handwritten digits.
# Options are handed to configure.
set -eu
cd "$(dirname "$0")"

packages="gcc g++ gfortran make autoconf automake libtool pkg-config libopenblas-dev
liblapacke-dev libjansson-dev check abigail-tools swig golang-go ruby ruby-dev"
missing=
for p in $packages; do
  dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' ||
    missing="$missing $p"
done
if [ -n "$missing" ]; then
  echo "== installing:$missing"
  sudo=
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -q
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -q -y \
    --no-install-recommends $missing
fi

echo "== building"
[ -x configure ] || autoreconf -fi
here=$(pwd -P)
case $here in
  *[!A-Za-z0-9_./+-]*)
    # make and libtool cannot build where a path has a space in it: build
    # elsewhere and leave a link
    key=$(printf %s "$here" | cksum | cut -d' ' -f1)
    base=${XDG_CACHE_HOME:-${TMPDIR:-/tmp}}/mlxc-$(id -u)-$key
    mkdir -p "$base/build"
    ln -sfn "$here" "$base/source"
    [ -e build ] || ln -s "$base/build" build
    source=$base/source ;;
  *)
    mkdir -p build
    source=.. ;;
esac
cd "$(cd build && pwd -P)"
[ -e Makefile ] && [ $# = 0 ] || "$source/configure" "$@"
make -j"$(nproc)"

echo "== training on handwritten digits"
./examples/digits "$source/examples/data/digits.safetensors"
echo "== done; the tests: make -C build check"
