#!/usr/bin/env bash
# The command line as a user meets it: known facts on pages, contracts of asm, dis, exec and run, errors and exit codes.
# Usage: tests/command_line.sh GFXISA
set -uo pipefail
gfxisa=$1
cd "$(dirname "$0")/.."
failures=0
checks=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

expect() { # NAME EXPECTED ACTUAL
  checks=$((checks + 1))
  [ "$2" = "$3" ] && return
  failures=$((failures + 1))
  printf '%s:\n  expected: %s\n  got:      %s\n' "$1" "$2" "$3"
}
expect_has() { # NAME PART TEXT
  checks=$((checks + 1))
  case "$3" in *"$2"*) return ;; esac
  failures=$((failures + 1))
  printf '%s: no "%s" in:\n%s\n' "$1" "$2" "$3"
}
code() { "$@" >"$work/out" 2>"$work/err"; echo $?; }

# The three worked pages.
page=$("$gfxisa" show s_lshl3_add_u32 --arch cdna5)
expect_has lshl3 'Opcode      16 ' "$page"
expect_has lshl3 'Identifier  0x88000000' "$page"
expect_has lshl3 'Same encoding: RDNA 3, RDNA 3.5, RDNA 4' "$page"
expect_has lshl3 'opcode 48' "$page"
page=$("$gfxisa" show s_bfe_u32 --arch cdna5)
expect_has bfe 'Opcode      38 ' "$page"
expect_has bfe 'Identifier  0x93000000' "$page"
expect_has bfe 'Same encoding: RDNA 3, RDNA 3.5, RDNA 4' "$page"
expect_has bfe 'CDNA 1, CDNA 2, CDNA 3, CDNA 4: opcode 37' "$page"
expect_has bfe 'RDNA 1, RDNA 2: opcode 39' "$page"
page=$("$gfxisa" show ds_add_rtn_f32 --arch cdna5)
expect_has ds 'Opcode      121 ' "$page"
expect_has ds 'Identifier  0xD9E40000' "$page"
expect_has ds 'Same encoding: RDNA 4' "$page"
expect_has ds 'RDNA 3, RDNA 3.5: field layout: GDS' "$page"
expect_has ds 'opcode 53' "$page"
expect_has ds 'opcode 85' "$page"
json=$("$gfxisa" show ds_add_rtn_f32 --arch cdna5 --format json)
expect_has json '"identifier": "0xD9E40000"' "$json"

# list, search, diff.
expect_has search 's_bfe_u32' "$("$gfxisa" search bfe scalar | head -1)"
expect_has 'search with a mistake' 's_bfe_u32' "$("$gfxisa" search bfe scaler | head -1)"
expect_has list 's_bfe_u32' "$("$gfxisa" list 's_bfe_*' --arch rdna4 --encoding SOP2 --type u32)"
expect 'unknown encoding' 1 "$(code "$gfxisa" list --encoding SOP9)"
expect_has diff 's_barrier_signal' "$("$gfxisa" diff rdna3 rdna4)"
expect_has 'diff of one' '0x93000000' "$("$gfxisa" diff cdna3 rdna4 s_bfe_u32)"

# AMD's machine-readable ISA.
expect_has 'check-xml' 'SOP2 0 s_frob_u32: XML s_frob_u32; here s_add_co_u32' "$("$gfxisa" check-xml tests/isa_xml/cases/wrong_rdna4.xml)"
expect_has 'check-xml as JSON' '"arch": "rdna4"' "$("$gfxisa" check-xml tests/isa_xml/cases --format json)"
expect 'check-xml of another generation' 1 "$(code "$gfxisa" check-xml tests/isa_xml/cases --arch cdna1)"
expect 'check-xml of nothing' 1 "$(code "$gfxisa" check-xml "$work/absent.xml")"
expect_has 'official words' "AMD's description: Official words about a bit field." "$("$gfxisa" show s_bfe_u32 --arch rdna4 --descriptions tests/isa_xml/cases)"
expect_has 'official words' '"official_description": "Official words' "$(GFXISA_DESCRIPTIONS=tests/isa_xml/cases "$gfxisa" show s_bfe_u32 --arch rdna4 --format json)"

# asm, dis, exec.
expect asm 's_bfe_u32 s0, s1, s2 ; encoding: [0x01,0x02,0x00,0x93]' "$(echo 's_bfe_u32 s0, s1, s2' | "$gfxisa" asm --arch gfx1250 --show-encoding)"
expect dis 's_lshl3_add_u32 s0, s2, s2' "$(echo 0x02,0x02,0x00,0x88 | "$gfxisa" dis --arch gfx1250 --hex)"
json=$(printf '02000288\nffffffff\nxyz\n020002\n' | "$gfxisa" dis --arch gfx1250 --hex --json)
expect 'a record for each line' 4 "$(wc -l <<<"$json")"
expect_has 'operands as JSON' '{"role":"d","field":"sdst","type":"u32","kind":"register","access":"write","bits":32,"implicit":false,"class":"sgpr","first":2,"count":1,"modifiers":[]}' "$json"
expect_has 'implicit writes' '"implicit_reads":[],"implicit_writes":["scc"]' "$json"
expect_has 'invalid bytes' '"bytes":"ffffffff","kind":"invalid","fault":"unknown_encoding"' "$json"
expect_has 'no bytes' '"kind":"invalid","fault":"no_bytes"' "$json"
expect_has 'cut bytes' '"bytes":"020002","kind":"invalid","fault":"truncated"' "$json"
json=$("$gfxisa" dis --json examples/kernels/saxpy.gfx1100.co)
expect_has 'where a record is' '"section":".text","labels":["saxpy"],"kind":"instruction"' "$json"
expect_has 'branch target' '"branch_target":' "$json"
expect_has 'dis of nonsense' '<invalid>' "$(echo ffffffff | "$gfxisa" dis --arch gfx1100 --hex)"
expect exec $'s0 = 0x000000bc\nscc = 1' "$("$gfxisa" exec --arch rdna3 's_bfe_u32 s0, s1, s2' --set s1=0xabcd --set s2=0x80004 --print s0,scc)"

# Errors: exit 1 for wrong input, 2 for usage; each says what would be right.
expect 'unknown mnemonic' 1 "$(code "$gfxisa" show s_bfe_u33)"
expect_has 'unknown mnemonic' 's_bfe_u32' "$(cat "$work/err")"
expect 'not on this generation' 1 "$(code "$gfxisa" show s_barrier_signal --arch rdna3)"
expect_has 'not on this generation' 'RDNA 4' "$(cat "$work/err")"
expect 'unknown arch' 1 "$(code "$gfxisa" show s_bfe_u32 --arch gfx1101x)"
expect 'usage' 2 "$(code "$gfxisa" show)"
expect 'asm error' 1 "$(code "$gfxisa" asm --arch gfx1100 <(echo 's_bfe_u33 s0, s1, s2'))"
expect_has 'asm error' 'error:' "$(cat "$work/err")"
expect_has 'asm error' 's_bfe_u32' "$(cat "$work/err")"
expect 'asm warning' 0 "$(code "$gfxisa" asm --arch gfx942 <(echo 'v_add_f32_e64 v0, s0, s1'))"
expect_has 'asm warning' ':1:1: warning: this reads 2 scalar values (s0, s1), and there may be 1' "$(cat "$work/err")"
expect 'asm operand' 1 "$(code "$gfxisa" asm --arch gfx1100 <(echo 's_bfe_u32 v0, s1, s2'))"
expect 'missing file' 1 "$(code "$gfxisa" dis --arch gfx1100 "$work/absent")"
object=examples/kernels/saxpy.gfx1100.co
head -c 100 "$object" > "$work/short.co"
expect 'truncated object' 1 "$(code "$gfxisa" run "$work/short.co")"
expect 'wrong target' 1 "$(code "$gfxisa" run "$object" --arch gfx942)"
expect_has 'wrong target' 'gfx1100' "$(cat "$work/err")"
expect 'too few arguments' 1 "$(code "$gfxisa" run "$object" --grid 256 --arg buf:1024)"
expect_has 'too few arguments' 'takes 4 arguments' "$(cat "$work/err")"
expect 'argument too large' 1 "$(code "$gfxisa" run "$object" --grid 256 --arg buf:1024 --arg buf:1024 --arg f32:1 --arg u32:4294967296)"
expect 'wild address' 1 "$(code "$gfxisa" run "$object" --grid 256 --arg u64:64 --arg buf:1024 --arg f32:1 --arg u32:256)"
expect_has 'wild address' 'lane' "$(cat "$work/err")"
expect 'beyond the buffer' 1 "$(code "$gfxisa" run "$object" --grid 512 --arg buf:1024 --arg buf:1024 --arg f32:1 --arg u32:512)"
expect 'right run' 0 "$(code "$gfxisa" run "$object" --grid 256 --arg buf:f32*256:iota --arg buf:f32*256:zero --arg f32:2 --arg u32:256 --out 1="$work/y")"
expect 'output' 1024 "$(stat -c %s "$work/y")"

# Programs: their output, exit code and environment are their own; where the runtime is not built, it is said.
if [ -e "$(dirname "$gfxisa")/runtime/libhsa-runtime64.so.1" ]; then
  expect 'program' 3 "$(code "$gfxisa" run --arch cdna2 -- sh -c 'echo "$GFXISA_TARGET $1"; exit 3' sh --arch)"
  expect 'program output' 'cdna2 --arch' "$(cat "$work/out")"
  expect 'no such program' 1 "$(code "$gfxisa" run -- "$work/absent")"
  expect 'no such GPU' 1 "$(code "$gfxisa" run --arch gfx9999 -- true)"
else
  expect 'no runtime' 1 "$(code "$gfxisa" run -- true)"
  expect_has 'no runtime' 'libhsa-runtime-dev' "$(cat "$work/err")"
fi
expect 'nothing to run' 2 "$(code "$gfxisa" run)"
expect 'no colours in a pipe' 0 "$("$gfxisa" show s_bfe_u32 | grep -c $'\033')"

echo "$((checks - failures)) passed, $failures failed"
[ "$failures" = 0 ]
