#!/bin/bash
# Watching a run: run --trace, --trace-json and --stats on a kernel whose every instruction is known.
#
#     tests/watch.sh GFXISA
set -u
gfxisa=$1
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() { echo "FAILED: $1"; failures=$((failures + 1)); }
has() { grep -q -- "$2" "$3" || fail "$1: no '$2' in $(head -c 2000 "$3")"; }

run() { "$gfxisa" run examples/kernels/saxpy.gfx1100.co --grid 300 --block 256 --arg 'buf:f32*300:iota' --arg 'buf:f32*300:zero' --arg f32:2 --arg u32:300 "$@"; }

# Eight waves of 32 in one workgroup and two in another, the last with twelve lanes.
run --trace >"$work/trace" 2>"$work/err" || fail 'trace: exit code'
has 'instruction' '^0,0,0 w0 0x[0-9a-f]* s_load_b' "$work/trace"
has 'scalar change' '; s[0-9]*=0x' "$work/trace"
has 'vector change' ' v[0-9]*=\[0x' "$work/trace"
has 'change in some lanes' ' in 12 lanes\| v[0-9]*=\[0x' "$work/trace"
has 'second wave' '^0,0,0 w1 ' "$work/trace"
has 'second workgroup' '^1,0,0 w0 ' "$work/trace"
lines=$(wc -l <"$work/trace")
counted=$(sed -n 's/.* waves, \([0-9]*\) wave instructions.*/\1/p' "$work/err")
[ "$lines" = "$counted" ] || fail "$lines lines, $counted instructions"

run --trace-json "$work/events.json" 2>"$work/err" || fail 'events: exit code'
python3 - "$work/events.json" "$counted" <<'END' || fail 'events'
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
runs = [event for event in events if event["ph"] == "X"]
names = [event["args"]["name"] for event in events if event["ph"] == "M"]
assert len(runs) == int(sys.argv[2]), (len(runs), sys.argv[2])
assert names[0] == "workgroup 0,0,0" and "workgroup 1,0,0" in names, names
assert {event["tid"] for event in runs if event["pid"] == runs[0]["pid"]} == set(range(8))
END

run --stats 2>"$work/stats" || fail 'statistics: exit code'
has 'categories' 'instructions by category' "$work/stats"
has 'mnemonics' ' 10  s_endpgm' "$work/stats"
has 'memory' '^memory: 20 loads (2400 bytes), 10 stores (1200 bytes), 0 atomics' "$work/stats"
has 'lanes' '^lanes: ' "$work/stats"
run --stats --format json >"$work/json" 2>/dev/null || fail 'statistics as JSON: exit code'
python3 - "$work/json" "$counted" <<'END' || fail 'statistics as JSON'
import json, sys
report = json.load(open(sys.argv[1]))
counts = report["statistics"]
assert sum(counts["mnemonics"].values()) == sum(counts["categories"].values()) == report["instructions"] == int(sys.argv[2])
assert counts["memory"]["loaded_bytes"] == 2400 and counts["bank_conflicts"] == 0
END
run --trace-json /nowhere/events.json >/dev/null 2>"$work/err" && fail 'a file that cannot be written'
has 'a file that cannot be written' 'cannot write' "$work/err"

# The word of a pair is none in a wave of 64.
cat >"$work/pair.s" <<'END'
.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.text
.globl pair
.p2align 8
.type pair,@function
pair:
  s_nop 0
  .long 0xca100080, 0x010200c1
  s_endpgm
.section .rodata,"a"
.p2align 6
.amdhsa_kernel pair
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 8
  .amdhsa_wavefront_size32 0
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx1100
amdhsa.kernels:
  - {.name: pair, .symbol: pair.kd, .kernarg_segment_size: 0, .kernarg_segment_align: 8, .group_segment_fixed_size: 0,
     .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 8, .vgpr_count: 8, .max_flat_workgroup_size: 64, .args: []}
...
.end_amdgpu_metadata
END
"$gfxisa" asm --arch gfx1100 "$work/pair.s" --link -o "$work/pair.co" || fail 'pair: no code object'
"$gfxisa" run "$work/pair.co" --grid 64 --block 64 --trace >"$work/trace" 2>"$work/err" && fail 'pair: exit code'
has 'no pair in a wave of 64' '^0,0,0 w0 0x0*4 (no instruction)' "$work/trace"
has 'no pair in a fault either' 'at code offset 0x[0-9a-f]*04$' "$work/err"
"$gfxisa" run "$work/pair.co" --grid 64 --block 64 --stats >/dev/null 2>"$work/stats" && fail 'pair: exit code'
grep -q v_dual "$work/stats" && fail 'a pair in the statistics of a wave of 64'

[ "$failures" = 0 ] && echo 'watching works'
exit $((failures > 0))
