#!/usr/bin/env bash
# What a question costs as a whole process: CPU time and time until the answer is there, in milliseconds, means of RUNS (50). The
# goal is an answer within 30 ms. CPU time is the steadier figure on a machine that does other things.
# Usage: bench/queries.sh [GFXISA [RUNS]]
set -euo pipefail
gfxisa=${1:-build/release/gfxisa}
runs=${2:-50}
TIMEFORMAT='%U %S %R'
measure() {
  local times
  "$gfxisa" "$@" >/dev/null # what the page cache has is no matter of the command
  times=$({ time for ((i = 0; i < runs; ++i)); do "$gfxisa" "$@" >/dev/null; done; } 2>&1)
  awk -v runs="$runs" -v name="$*" '{printf "%-32s %6.1f ms CPU %6.1f ms\n", name, ($1 + $2) * 1000 / runs, $3 * 1000 / runs}' <<<"$times"
}
measure --version
measure show s_bfe_u32
measure show v_mfma_f32_32x32x8_f16 --arch cdna3
measure show ptx:bfe.u32
measure list
measure list --arch rdna4 --type bf16
measure list --format json
measure search bfe scalar
measure search atomic add flaot
measure diff rdna3 rdna4
