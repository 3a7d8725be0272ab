#!/usr/bin/env bash
# Runs the programs of examples/api and compares what they print. Usage: tests/examples.sh FOLDER_OF_PROGRAMS
set -euo pipefail
programs=$1
status=0

expect() { # NAME EXPECTED ACTUAL
  [ "$2" = "$3" ] && return
  echo "$1 printed"$'\n'"$3"$'\n'"instead of"$'\n'"$2"
  status=1
}

for program in registers registers_static; do
  [ -x "$programs/example_$program" ] || { [ $program = registers_static ] && continue; }
  expect $program "s_add_u32 s0, s1, s2
    reads  s1 s2
    writes s0 scc
v_add_f32_e32 v1, v2, v3
    reads  v2 v3 exec mode
    writes v1
<invalid> no encoding has these fixed bits" "$(printf '\x01\x02\x00\x80\x02\x07\x02\x02\x00\x00\x80\xbf\xff\xff\xff\xd7' |
    "$programs/example_$program" gfx942 | grep -v s_nop)"
done
expect encode "v_add_f32_e64 v5, |v6|, 1.0 clamp
  05 81 03 d5 06 e5 01 00" "$("$programs/example_encode")"
expect assemble "80010002  s_add_co_u32 s1, s2, s0
v_add_f32 v1, v2, x3
                  ^ expected a vector register (32 bits), not 'x3'" \
  "$(printf 's_add_co_u32 s1, s2, s0\nv_add_f32 v1, v2, x3\n' | "$programs/example_assemble" gfx1200 || true)"
exit $status
