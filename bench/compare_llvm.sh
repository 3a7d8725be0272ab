#!/usr/bin/env bash
# dis and asm of the same instructions by gfxisa and by llvm-mc 22, one after the other, best of three, user + system seconds.
# Usage: bench/compare_llvm.sh [BUILD_DIR] [INSTRUCTIONS]
set -euo pipefail
cd "$(dirname "$0")/.."
gfxisa=${1:-build/release}/gfxisa
count=${2:-200000}
command -v llvm-mc-22 >/dev/null || { echo "llvm-mc-22 is not installed: nothing to compare with"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# best of three: seconds of CPU of a command
seconds() {
  local best=
  for _ in 1 2 3; do
    local t
    t=$( { TIMEFORMAT='%U %S'; time "$@" >/dev/null 2>&1; } 2>&1 | awk '{print $1 + $2}')
    best=$(awk -v a="${best:-999}" -v b="$t" 'BEGIN {print a < b ? a : b}')
  done
  echo "$best"
}
ratio() { awk -v ours="$1" -v theirs="$2" 'BEGIN {printf "%.1f", (ours > 0 ? theirs / ours : 0)}'; }

for target in gfx1100 gfx942; do
  for object in examples/kernels/*."$target".co; do
    "$gfxisa" dis --arch "$target" "$object"
  done | sed -nE 's/^[[:space:]]+([sv]_[^/;]*[^/; ]).*/\1/p' | grep -v 'branch\|call\|endpgm\|code_end' > "$work/some.s"
  [ -s "$work/some.s" ] || { echo "$target: no instructions"; continue; }
  while [ "$(wc -l < "$work/all.s" 2>/dev/null || echo 0)" -lt "$count" ]; do cat "$work/some.s" >> "$work/all.s"; done
  head -n "$count" "$work/all.s" > "$work/list.s" && rm "$work/all.s"
  "$gfxisa" asm --arch "$target" --show-encoding "$work/list.s" | sed -nE 's/.*encoding: \[(.*)\]/\1/p' > "$work/list.hex"
  llvm=(llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu="$target")
  ours=$(seconds "$gfxisa" dis --arch "$target" --hex "$work/list.hex")
  theirs=$(seconds "${llvm[@]}" --disassemble "$work/list.hex")
  echo "$target dis: gfxisa $ours s, llvm-mc $theirs s, ratio $(ratio "$ours" "$theirs") ($(wc -l < "$work/list.hex") instructions)"
  ours=$(seconds "$gfxisa" asm --arch "$target" --show-encoding "$work/list.s")
  theirs=$(seconds "${llvm[@]}" --show-encoding "$work/list.s")
  echo "$target asm: gfxisa $ours s, llvm-mc $theirs s, ratio $(ratio "$ours" "$theirs")"
done
