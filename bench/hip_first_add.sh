#!/usr/bin/env bash
# How long a HIP program waits for its first result (hip_first_add.hip), above Debian's HIP and above ours: best of nine runs.
# Of what Debian's HIP takes, the part that its compiler (libLLVM, through comgr) takes, where perf is installed.
# Usage: bench/hip_first_add.sh [BUILD_DIR] [TARGET]
set -euo pipefail
cd "$(dirname "$0")/.."
runtime=$(realpath "${1:-build/release}")/runtime
target=${2:-gfx90a}
command -v hipcc >/dev/null || { echo "hipcc is not installed: nothing to measure"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
hipcc -std=c++17 -O2 -w "--offload-arch=$target" bench/hip_first_add.hip -o "$work/add"

measure() { # NAME LIBRARY_PATH
  for _ in 1 2 3 4 5 6 7 8 9; do
    GFXISA_TARGET=$target LD_LIBRARY_PATH=$2 "$work/add"
  done | awk -v name="$1" '
    !($1 in best) || $2 < best[$1] {best[$1] = $2; cpu[$1] = $3}
    END {
      printf "%s: start-up %s s, first add %s s (%s s of processor time), second %s s\n", name, best["start-up"], best["first"],
             cpu["first"], best["second"]
    }'
}
measure "$target above Debian's HIP" "$runtime"
[ ! -d "$runtime/hip" ] || measure "$target above our HIP" "$runtime/hip:$runtime"
if command -v perf >/dev/null; then
  GFXISA_TARGET=$target LD_LIBRARY_PATH=$runtime perf record -q -F 5000 -o "$work/perf" "$work/add" >/dev/null 2>&1
  perf report -i "$work/perf" --sort dso --stdio 2>/dev/null | awk '/%/ && $2 ~ /^[l[]/ {print "  " $1, $2}' | head -5
fi
