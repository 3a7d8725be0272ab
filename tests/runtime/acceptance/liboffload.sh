#!/usr/bin/env bash
# OpenCL C kernels compiled by clang 22 (code object version 6), launched by LLVM's liboffload on every target.
# Usage: liboffload.sh GFXISA BUILD. Exit code 77: a package is missing.
set -uo pipefail
gfxisa=$1
cd "$(dirname "$0")"
export GFXISA_FIDELITY=0 # what is compared is what the programs say
include=/usr/lib/llvm-22/include/offload
[ -f $include/OffloadAPI.h ] || { echo "liboffload-22-dev is not installed: skipped"; exit 77; }
command -v clang-22 >/dev/null || { echo "clang-22 is not installed: skipped"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clang++-22 -std=c++17 -O1 -I$include liboffload_client.cc -L/usr/lib/llvm-22/lib -lLLVMOffload -Wl,-rpath,/usr/lib/llvm-22/lib \
  -o "$work/client" || exit 1
status=0
for target in gfx908 gfx90a gfx942 gfx950 gfx1250 gfx1010 gfx1030 gfx1100 gfx1150 gfx1201; do
  clang-22 -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=$target -O2 -nogpulib -w -mcode-object-version=6 \
    kernels.cl -o "$work/$target.co" || exit 1
  text=$(timeout 100 "$gfxisa" run --arch $target -- "$work/client" "$work/$target.co" 2>&1)
  code=$?
  [ $code = 0 ] && [ "$text" = passed ] || { echo "$target: exit code $code: $text"; status=1; }
  # A wild store is reported in words, and never a crash of the runtime (the client may abort on its own).
  text=$(timeout 100 "$gfxisa" run --arch $target -- "$work/client" "$work/$target.co" wild 2>&1)
  case "$text" in
    *"kernel 'wild': access to memory that is not the program's"*) ;;
    *) echo "$target: a wild store gives: $text"; status=1 ;;
  esac
done
[ $status = 0 ] && echo "all targets pass"
exit $status
