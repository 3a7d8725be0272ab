#!/usr/bin/env bash
# Compiles examples/kernels/*.cl for all ten targets into DIR (default: examples/kernels, where the shipped objects are).
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-examples/kernels}
mkdir -p "$out"
targets=(gfx908 gfx90a gfx942 gfx950 gfx1010 gfx1030 gfx1100 gfx1150 gfx1201 gfx1250)
builtins=$(dirname "$(readlink -f "$(command -v clang-22)")")/../../clc/amdgcn-amd-amdhsa.bc
[ -f "$builtins" ] || builtins=/usr/lib/clc/amdgcn-amd-amdhsa.bc
for source in examples/kernels/*.cl; do
  name=$(basename "$source" .cl)
  for target in "${targets[@]}"; do
    clang-22 -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu="$target" -O3 -nogpulib -w \
      -Xclang -finclude-default-header -Xclang -mlink-builtin-bitcode -Xclang "$builtins" \
      -fvisibility=hidden -Wl,--strip-all "$source" -o "$out/$name.$target.co"
  done
done
