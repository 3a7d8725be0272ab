#!/bin/bash
# The long form of the differential tests: every body, stage and way of forming addresses on many random states, kernels
# of each SIMD level against the reference evaluator.
#
#     scripts/differential.sh [STATES [SEED]]        # 10000 states of each instruction from seed 1
#
# Matrix operations, which the reference takes long for, get a five-hundredth of the states. A failure names the seed:
# GFXISA_SEED=... GFXISA_STATES=1 exec_test repeats it.
set -eu
cd "$(dirname "$0")/.."
cmake --build --preset release --target exec_test
GFXISA_STATES=${1:-10000} GFXISA_SEED=${2:-1} exec build/release/tests/exec_test --gtest_filter='EveryKernel.*:EveryBody.*:EveryStage.*:EveryAddress.*'
