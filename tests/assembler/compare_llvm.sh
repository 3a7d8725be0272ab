#!/usr/bin/env bash
# Objects of the assembler and of llvm-mc 22, byte by byte: the sources in objects/, and the example kernels as clang 22 writes them.
# Usage: tests/assembler/compare_llvm.sh GFXISA [--update]: writes llvm-mc's objects to objects/*.hex too
set -euo pipefail
gfxisa=$1
cd "$(dirname "$0")"
command -v llvm-mc-22 >/dev/null || { echo "llvm-mc-22 is not installed: nothing to compare with"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0 count=0

compare() { # TARGET SOURCE
  llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu="$1" -filetype=obj "$2" -o "$work/llvm.o"
  if ! "$gfxisa" asm --arch "$1" "$2" -o "$work/ours.o" 2>"$work/error" || ! cmp -s "$work/llvm.o" "$work/ours.o"; then
    echo "$2 for $1 differs: $(head -n 3 "$work/error")"
    cmp "$work/llvm.o" "$work/ours.o" || true
    status=1
  fi
  count=$((count + 1))
}

for source in objects/*.s; do
  [ "${2:-}" = --update ] && update=1 || update=0
  compare "$(sed -n 's/.*amdhsa--\(gfx[0-9a-f]*\).*/\1/p' "$source" | head -n 1)" "$source"
  [ $update = 0 ] || od -An -v -tx1 -w60 "$work/llvm.o" | tr -d ' ' > "${source%.s}.hex"
done
if command -v clang-22 >/dev/null; then
  builtins=/usr/lib/clc/amdgcn-amd-amdhsa.bc
  for target in gfx908 gfx90a gfx942 gfx950 gfx1010 gfx1030 gfx1100 gfx1150 gfx1201 gfx1250; do
    for kernel in saxpy hist64; do
      clang-22 -S -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu="$target" -O3 -nogpulib -w -Xclang -finclude-default-header \
        -Xclang -mlink-builtin-bitcode -Xclang "$builtins" ../../examples/kernels/$kernel.cl -o "$work/$kernel.s" 2>/dev/null || continue
      compare "$target" "$work/$kernel.s"
    done
  done
fi
[ $status -eq 0 ] && echo "$count objects are the same"
exit $status
