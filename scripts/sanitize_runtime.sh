#!/usr/bin/env bash
# The conformance test of the HSA runtime under sanitizers: address with undefined behaviour, then thread. Builds what it needs in
# build/sanitize-*, with the baseline level of kernels only; the first time that takes a while.
# Usage: scripts/sanitize_runtime.sh [address|thread]... [-- ARGUMENTS OF THE TEST]
set -euo pipefail
cd "$(dirname "$0")/.."
kinds=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do kinds+=("$1"); shift; done
[ $# -eq 0 ] || shift
[ ${#kinds[@]} -gt 0 ] || kinds=(address thread)
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
for kind in "${kinds[@]}"; do
  case $kind in
    address) sanitizers=address,undefined ;;
    thread) sanitizers=thread ;;
    *) echo "no such sanitizer here: $kind" >&2; exit 2 ;;
  esac
  build=build/sanitize-$kind
  # Some optimisation, or kernels take minutes; line numbers only, for the reports.
  cmake -S . -B "$build" -G Ninja "${launcher[@]}" -DCMAKE_BUILD_TYPE=None "-DCMAKE_CXX_FLAGS=-O1 -g1" "-DGFXISA_SANITIZE=$sanitizers" \
    -DGFXISA_KERNEL_LEVELS=baseline -DGFXISA_BENCH=OFF >/dev/null
  cmake --build "$build" --target runtime_test ${JOBS:+-j "$JOBS"}
  echo "== $kind"
  TSAN_OPTIONS="halt_on_error=0 second_deadlock_stack=1 ${TSAN_OPTIONS:-}" "$build/tests/runtime_test" "$@"
done
