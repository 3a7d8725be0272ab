#!/usr/bin/env bash
# The six example kernels by the engine and by PoCL, side by side on one core; see compare_pocl.cc. Says so and exits with 0 where
# OpenCL is not installed (scripts/packages.sh bench).
# Usage: bench/compare_pocl.sh [BUILD_DIR] [TARGET] [ROUNDS]
set -euo pipefail
build=$(realpath "${1:-$(dirname "$0")/../build/release}")
program=$build/bench/compare_pocl
[ -x "$program" ] || { echo "compare_pocl was not built: OpenCL (package ocl-icd-opencl-dev) was not found; nothing to measure"; exit 0; }
core=$(taskset -cp $$ | sed 's/.*[ ,-]//')
status=0
POCL_MAX_PTHREAD_COUNT=1 POCL_CPU_MAX_CU_COUNT=1 taskset -c "$core" "$program" "${2:-gfx1100}" "${3:-20}" || status=$?
[ "$status" = 77 ] || exit "$status"
