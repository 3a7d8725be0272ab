#!/usr/bin/env bash
# Does what CONTRIBUTING.md says: adds an instruction by writing one family in one file of a copy of spec/, builds, and uses it.
# Usage: tests/add_instruction.sh BUILD_DIR (a configured build of the project, whose compiler settings are used)
set -euo pipefail
source_dir=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
copy=$work/gfxisa
mkdir "$copy"
(cd "$source_dir" && git ls-files --cached --others --exclude-standard -z | xargs -0 -I{} cp --parents {} "$copy" 2>/dev/null) || true

# The example's block stands in CONTRIBUTING.md, indented by three spaces.
awk '/^   ```isa/ {on = 1; next} /^   ```/ {on = 0} on {print substr($0, 4)}' "$source_dir/CONTRIBUTING.md" > "$work/family.isa"
grep -q '^family s_clamp_u32' "$work/family.isa"
target=$(grep -rl '^family s_add_u32\|^family s_add_co_u32\|^family s_add_{' "$copy/spec/scalar" | head -1)
{ echo; cat "$work/family.isa"; } >> "$target"

cmake -S "$copy" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=None -DGFXISA_TESTS=OFF -DGFXISA_BENCH=OFF \
  -DCMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache || true)" -DGFXISA_KERNEL_LEVELS=baseline -DGFXISA_KERNEL_OPTIMISATION=-O0 > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
ninja -C "$work/build" gfxisa >> "$work/log" 2>&1 || { tail -40 "$work/log"; exit 1; }
gfxisa=$work/build/gfxisa

check() { # NAME EXPECTED ACTUAL
  if [ "$2" != "$3" ]; then echo "$1: expected '$2', got '$3'"; exit 1; fi
  echo "$1: $3"
}
"$gfxisa" show s_clamp_u32 | grep -q 'Limits a value to a maximum' && echo "show: there"
check asm 's_clamp_u32 s0, s1, 5 ; encoding: [0x01,0x85,0x00,0xad]' "$(echo 's_clamp_u32 s0, s1, 5' | "$gfxisa" asm --arch rdna4 --show-encoding)"
check dis 's_clamp_u32 s0, s1, 5' "$(echo 018500ad | "$gfxisa" dis --arch rdna4 --hex)"
check exec 's0 = 0x00000005 scc = 1' "$("$gfxisa" exec --arch rdna4 's_clamp_u32 s0, s1, 5' --set s1=9 --print s0,scc | paste -sd' ')"
