#!/usr/bin/env bash
# The engine with eight threads under sanitizers: faults of kernels (tests/faults.sh), dispatches whose workgroups wait for each other, and
# compiled kernels with atomics and barriers; and the conformance test of the HSA runtime.
#
#     scripts/sanitize.sh [asan|tsan...]     default: both; asan is addresses and undefined behaviour, tsan races
#
# Exit 1 at the first finding.
set -euo pipefail
cd "$(dirname "$0")/.."
presets=("$@")
[ ${#presets[@]} -gt 0 ] || presets=(asan tsan)
export GFXISA_THREADS=8
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
# One target of each way to wave sizes, atomics and barriers.
targets=(gfx942 gfx1100 gfx1250)
filter=Dispatch.*
for target in "${targets[@]}"; do filter+=":AllTargets/*$target*:Builds/*${target}_O*"; done
command -v clang-22 >/dev/null || { echo "sanitize.sh: clang-22 is needed for the kernels (scripts/packages.sh test)" >&2; exit 2; }
launcher=()
! command -v ccache >/dev/null || launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)

for preset in "${presets[@]}"; do
  cmake --preset "$preset" "${launcher[@]}" -DGFXISA_KERNEL_LEVELS=baseline -DGFXISA_KERNEL_OPTIMISATION=-O1 -DGFXISA_BENCH=OFF \
    "-DGFXISA_KERNEL_TARGETS=$(IFS=';'; echo "${targets[*]}")" >/dev/null
  cmake --build --preset "$preset" --target gfxisa exec_test runtime_test
  echo "sanitize: $preset, faults"
  tests/faults.sh "build/$preset/gfxisa"
  echo "sanitize: $preset, compiled kernels"
  "build/$preset/tests/exec_test" --gtest_brief=1 --gtest_filter="$filter"
  echo "sanitize: $preset, HSA runtime"
  "build/$preset/tests/runtime_test" --gtest_brief=1
done
echo "sanitize: no finding"
