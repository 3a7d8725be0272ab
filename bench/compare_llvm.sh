#!/usr/bin/env bash
# dis and asm of the same instructions by gfxisa and by llvm-mc 22, one after the other in one run: best runs, user + system
# seconds of the whole process. Two listings a target: compiled kernels (examples/kernels, and those that the tests compile at -O0, -O2
# and -O3 where they are built: 125,000 instructions, which of all listings repeat themselves as real code does), and all opcodes
# (tests/golden) in random order; each repeated to the number of instructions.
# Usage: bench/compare_llvm.sh [BUILD_DIR] [INSTRUCTIONS]
set -euo pipefail
cd "$(dirname "$0")/.."
gfxisa=${1:-build/release}/gfxisa
count=${2:-200000}
command -v llvm-mc-22 >/dev/null || { echo "llvm-mc-22 is not installed: nothing to compare with"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# seconds of CPU of a command: the best of as many runs as take two seconds, and of five at least, so that one of a few milliseconds has as
# much of a machine's quiet moments as one of a second
seconds() {
  local best= all=0 runs=0
  while ((runs < 5)) || awk -v all="$all" 'BEGIN {exit all >= 2}'; do
    local t
    t=$( { TIMEFORMAT='%U %S'; time "$@" >/dev/null 2>&1; } 2>&1 | awk '{print $1 + $2}')
    best=$(awk -v a="${best:-999}" -v b="$t" 'BEGIN {print a < b ? a : b}')
    all=$(awk -v a="$all" -v b="$t" 'BEGIN {print a + b}')
    runs=$((runs + 1))
  done
  echo "$best"
}
ratio() { awk -v ours="$1" -v theirs="$2" 'BEGIN {printf "%.1f", (ours > 0 ? theirs / ours : 0)}'; }

kernels() { # TARGET: instructions of the example kernels
  for object in examples/kernels/*."$1".co "${gfxisa%/gfxisa}"/kernels/*."$1".O?.co; do
    [ ! -f "$object" ] || "$gfxisa" dis "$object"
  done | sed -nE 's/^[[:space:]]+([a-z]+_[^/;]*[^/; ]).*/\1/p' | grep -v 'branch\|call\|endpgm\|code_end\|^s_nop 0'
}
golden() { # FAMILY: texts of all opcodes that assemble to their bytes
  sed -nE 's/^= [0-9a-f]+ //p' "tests/golden/$1.txt" | shuf --random-source=<(yes)
}

compare() { # NAME TARGET LISTING
  local list=$3 hex=$work/list.hex llvm=(llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu="$2") ours theirs
  "$gfxisa" asm --arch "$2" --show-encoding "$list" | sed -nE 's/.*encoding: \[(.*)\]/\1/p' >"$hex"
  ours=$(seconds "$gfxisa" dis --arch "$2" --hex "$hex")
  theirs=$(seconds "${llvm[@]}" --disassemble "$hex")
  echo "$2 $1 dis: gfxisa $ours s, llvm-mc $theirs s, ratio $(ratio "$ours" "$theirs") ($(wc -l <"$hex") instructions)"
  ours=$(seconds "$gfxisa" asm --arch "$2" --show-encoding "$list")
  theirs=$(seconds "${llvm[@]}" --show-encoding "$list")
  echo "$2 $1 asm: gfxisa $ours s, llvm-mc $theirs s, ratio $(ratio "$ours" "$theirs")"
}

for target in gfx1100:rdna3 gfx942:cdna3; do
  for source in kernels golden; do
    if [ $source = kernels ]; then kernels "${target%:*}"; else golden "${target#*:}"; fi >"$work/some.s"
    [ -s "$work/some.s" ] || { echo "$target: no instructions"; continue; }
    rm -f "$work/list.s"
    rounds=$((count / $(wc -l <"$work/some.s") + 1))
    for ((i = 0; i < rounds; ++i)); do cat "$work/some.s"; done | head -n "$count" >"$work/list.s" || true
    compare $source "${target%:*}" "$work/list.s"
  done
done

one=$(seconds "$gfxisa" dis --arch gfx1100 --hex <(echo 80020088))
echo "start: gfxisa dis of one instruction $one s of CPU, llvm-mc $(seconds llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu=gfx1100 --disassemble <(echo 0x80,0x02,0x00,0x80)) s"
