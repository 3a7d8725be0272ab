#!/usr/bin/env bash
# compile_kernel.sh SOURCE.cl TARGET LEVEL OUT.co [OPTION...]: OpenCL C with the functions of libclc, by clang 22.
set -euo pipefail
source=$1 target=$2 level=$3 out=$4
shift 4
builtins=$(dirname "$(readlink -f "$(command -v clang-22)")")/../../clc/amdgcn-amd-amdhsa.bc
[ -f "$builtins" ] || builtins=/usr/lib/clc/amdgcn-amd-amdhsa.bc
clang-22 -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu="$target" "-$level" -nogpulib -w -Xclang -finclude-default-header \
  -Xclang -mlink-builtin-bitcode -Xclang "$builtins" -fvisibility=hidden -Wl,--strip-all "$@" "$source" -o "$out"
