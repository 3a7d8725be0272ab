#!/usr/bin/env bash
# Installs the library to a folder of its own and builds the examples against it from outside, with CMake and with pkg-config.
# Usage: tests/install.sh BUILD_DIR SOURCE_DIR
set -euo pipefail
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --component library --prefix "$work/prefix" >/dev/null
for file in include/gfxisa/gfxisa.h include/gfxisa/gfxisa.hpp; do
  [ -f "$work/prefix/$file" ] || { echo "$file is not installed"; exit 1; }
done
library=$(find "$work/prefix" -name 'libgfxisa.so' | head -1)
exported=$(nm -D --defined-only "$library" | awk '$2 != "A" {print $3}' | grep -v '^gfxisa_' || true)
[ -z "$exported" ] || { echo "the library exports more than its interface: $exported"; exit 1; }
readelf -d "$library" | grep -q 'SONAME.*libgfxisa\.so\.' || { echo "the library has no SONAME"; exit 1; }

cmake -S "$source/examples/api" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/log" 2>&1 &&
  cmake --build "$work/cmake" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
"$source/tests/examples.sh" "$work/cmake"

# As a user with a compiler and pkg-config would.
export PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name gfxisa.pc)")
flags=$(pkg-config --cflags --libs gfxisa)
mkdir "$work/pkg"
# shellcheck disable=SC2086
{
  c++ -std=c++20 "$source/examples/api/registers.cc" $flags -o "$work/pkg/example_registers"
  c++ -std=c++20 "$source/examples/api/encode.cc" $flags -o "$work/pkg/example_encode"
  cc -std=c99 -Wall -Werror -pedantic "$source/examples/api/assemble.c" $flags -o "$work/pkg/example_assemble"
}
export LD_LIBRARY_PATH=$(dirname "$library")
"$source/tests/examples.sh" "$work/pkg"
echo "installed, found and used"
