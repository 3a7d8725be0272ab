#!/usr/bin/env bash
# Compiles examples/kernels/*.cl for all ten targets into DIR (default: examples/kernels, where the shipped objects are).
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-examples/kernels}
mkdir -p "$out"
for source in examples/kernels/*.cl; do
  for target in gfx908 gfx90a gfx942 gfx950 gfx1010 gfx1030 gfx1100 gfx1150 gfx1201 gfx1250; do
    scripts/compile_kernel.sh "$source" "$target" O3 "$out/$(basename "$source" .cl).$target.co"
  done
done
