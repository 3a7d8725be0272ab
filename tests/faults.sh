#!/bin/bash
# Kernels that do wrong things: each stops its own workgroup with an error that names the kernel, the place in the code, the instruction,
# the workgroup and the wave; the program exits with 1, and what other workgroups wrote is there.
#
#     [GFXISA_THREADS=N] tests/faults.sh GFXISA
set -u
gfxisa=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() { echo "FAILED: $1"; failures=$((failures + 1)); }

# source WRONG [LDS [SCRATCH]]: workgroup 1 does what WRONG says, the others write their number plus one. s[4:5] is the buffer.
source() {
  cat <<END
.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.text
.globl wrong
.p2align 8
.type wrong,@function
wrong:
  s_load_b64 s[4:5], s[0:1], 0x0
  v_mov_b32_e32 v1, s2
  v_lshlrev_b32_e64 v2, 2, s2
  s_waitcnt lgkmcnt(0)
  s_cmp_eq_u32 s2, 1
  s_cbranch_scc1 .Lwrong
  v_add_nc_u32_e32 v1, 1, v1
  global_store_b32 v2, v1, s[4:5]
  s_endpgm
.Lwrong:
  v_mov_b32_e32 v3, 0
$(tr ';' '\n' <<<"$1")
.section .rodata,"a"
.p2align 6
.amdhsa_kernel wrong
  .amdhsa_group_segment_fixed_size ${2:-0}
  .amdhsa_private_segment_fixed_size ${3:-0}
  .amdhsa_enable_private_segment $((${3:-0} > 0))
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr ${registers:-16}
  .amdhsa_next_free_sgpr 32
  .amdhsa_wavefront_size32 1
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx1100
amdhsa.kernels:
  - .name: wrong
    .symbol: wrong.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: ${2:-0}
    .private_segment_fixed_size: ${3:-0}
    .wavefront_size: 32
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
    .args: [{.name: out, .address_space: global, .offset: 0, .size: 8, .value_kind: global_buffer}]
...
.end_amdgpu_metadata
END
}

others=$(printf ' %s' 1 0 $(seq 3 16))
# expect NAME PATTERN WRONG [LDS [SCRATCH]]
expect() {
  local name=$1 pattern=$2
  source "$3" "${4:-0}" "${5:-0}" >"$work/a.s"
  "$gfxisa" asm --arch gfx1100 "$work/a.s" --link -o "$work/a.co" || { fail "$name: no code object"; return; }
  "$gfxisa" run "$work/a.co" --grid 512 --block 32 --max-instructions 100000 ${GFXISA_THREADS:+--threads "$GFXISA_THREADS"} --arg buf:64 --out "0=$work/out" 2>"$work/err"
  [ $? = 1 ] || fail "$name: exit code"
  for part in "$pattern" "kernel 'wrong'" 'at code offset 0x' 'workgroup 1,0,0, wave 0'; do
    grep -q -- "$part" "$work/err" || fail "$name: no '$part' in: $(cat "$work/err")"
  done
  [ "$(od -An -v -tu4 "$work/out" | tr -s '\n ' ' ' | sed 's/ $//')" = "$others" ] || fail "$name: what other workgroups wrote: $(od -An -tu4 "$work/out")"
}

address='s_mov_b32 s6, 0x1000;s_mov_b32 s7, 0x123;'
expect 'a wild store' 'global_store_b32 v3, v1, s\[6:7\]' "$address global_store_b32 v3, v1, s[6:7];s_endpgm"
expect 'a wild load' 'lane 0' "$address global_load_b32 v4, v3, s[6:7];s_endpgm"
expect 'a wild scalar load' 's_load_b32' "$address s_load_b32 s8, s[6:7], 0x0;s_endpgm"
expect 'a null pointer' 'at 0x0,' 's_mov_b64 s[6:7], 0;global_load_b32 v4, v3, s[6:7];s_endpgm'
expect 'a store beyond a buffer' 'global_store_b64' 's_add_u32 s6, s4, 60;s_addc_u32 s7, s5, 0;global_store_b64 v3, v[1:2], s[6:7];s_endpgm'
expect 'a misaligned atomic' 'misaligned' 's_add_u32 s6, s4, 2;s_addc_u32 s7, s5, 0;global_atomic_add_u32 v3, v1, s[6:7];s_endpgm'
expect 'a store to the arguments' 'read-only' 'global_store_b32 v3, v1, s[0:1];s_endpgm'
expect 'a load beyond the data share' 'beyond the data share' 'v_mov_b32_e32 v4, 0x400;ds_load_b32 v5, v4;s_endpgm' 1024
expect 'a store beyond the data share' 'ds_store_b64' 'v_mov_b32_e32 v4, 0x3fc;ds_store_b64 v4, v[4:5];s_endpgm' 1024
expect 'a data share that the kernel does not have' 'ds_add_u32' 'v_mov_b32_e32 v4, 0;ds_add_u32 v4, v4;s_endpgm'
expect 'one lane of many' '4 bytes at 0x[0-9a-f]*, lane 7' 'v_mbcnt_lo_u32_b32 v4, -1, 0;v_cmp_eq_u32_e32 vcc_lo, 7, v4;v_cndmask_b32_e64 v4, 0, 64, vcc_lo;global_load_b32 v5, v4, s[4:5];s_endpgm'
expect 'the lowest lane of two places' '4 bytes at 0x400, lane 3' 'v_mbcnt_lo_u32_b32 v4, -1, 0;v_cmp_eq_u32_e32 vcc_lo, 3, v4;v_cndmask_b32_e64 v5, 0, 0xf0, vcc_lo;v_add_nc_u32_e32 v5, 0x300, v5;v_cmp_lt_u32_e32 vcc_lo, 4, v4;v_cndmask_b32_e64 v5, v5, 0x400, vcc_lo;ds_load_2addr_b32 v[6:7], v5 offset0:4;s_endpgm' 1024
expect 'scratch overflow' 'scratch_store_b32' 's_mov_b32 s6, 0x100000;scratch_store_b32 off, v1, s6;s_endpgm' 0 64
expect 'scratch that the kernel does not have' 'scratch_load_b32' 'scratch_load_b32 v4, off, off offset:16;s_endpgm'
expect 'a descriptor that points nowhere' 'buffer_load_b32' "$address s_mov_b64 s[8:9], s[6:7];s_mov_b32 s10, 0x1000;s_mov_b32 s11, 0x31014000;buffer_load_b32 v4, off, s[8:11], 0;s_endpgm"
expect 'an endless loop' 'max-instructions' '.Lagain:;s_branch .Lagain'
expect 'no s_endpgm' 'left the code' 's_nop 0'
expect 'a jump into nowhere' 'left the code' "$address s_setpc_b64 s[6:7]"
expect 'no instruction' 'not an instruction' '.long 0xffffffff;s_endpgm'
expect 'a trap' 's_trap 2' 's_trap 2;s_endpgm'
expect 'an instruction that does not run here' 'image_load' 'image_load v4, v4, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D;s_endpgm'

# Registers beyond those that the descriptor asks for: results there are none, sources there are v0 and what follows it. The hardware gives
# 24 for 16. expect_words REGISTERS WORDS... [NOTE]: what the kernel then stores from byte 64 on.
beyond='v_mov_b32_e32 v0, 5;v_mov_b32_e32 v30, 7;v_mov_b32_e32 v23, 9;s_mov_b32 s8, 77;
v_add_nc_u32_e32 v4, v30, v30;v_lshlrev_b64 v[6:7], 1, v[30:31];v_add_co_u32 v30, s8, -1, v0;v_mov_b32_e32 v8, s8;v_mov_b32_e32 v9, v23;
global_store_b128 v3, v[6:9], s[4:5] offset:64;global_store_b64 v3, v[40:41], s[4:5] offset:80;global_load_b64 v[23:24], v3, s[4:5] offset:64;
v_mov_b32_e32 v10, 1;global_atomic_add_u32 v40, v3, v10, s[4:5] offset:88 glc;global_atomic_add_u32 v3, v10, s[4:5] offset:92;
global_store_b32 v3, v23, s[4:5] offset:96;global_store_b32 v3, v4, s[4:5] offset:100;s_endpgm'
expect_words() {
  registers=$1 source "$beyond" >"$work/a.s"
  "$gfxisa" asm --arch gfx1100 "$work/a.s" --link -o "$work/a.co" || { fail "$1 registers: no code object"; return; }
  "$gfxisa" run "$work/a.co" --grid 512 --block 32 --arg buf:128 --out "0=$work/out" 2>"$work/err" || fail "$1 registers: $(cat "$work/err")"
  local words
  words=$(od -An -v -tu4 -j64 -N40 "$work/out" | tr -s '\n ' ' ' | sed 's/^ //; s/ $//')
  [ "$words" = "$2" ] || fail "$1 registers: $words, not $2"
  grep -c '^note: .*beyond the 24 ' "$work/err" | grep -qx "$3" || fail "$1 registers: $(cat "$work/err")"
}
expect_words 16 '10 2 77 9 5 5 0 32 9 10' 1
expect_words 48 '14 0 4294967295 9 0 0 32 32 14 14' 0

# What is to be said after a run, on standard error: a descriptor of another generation, and what is not exact.
expect_note() { # PATTERN ARCH PROGRAM [SETTING...]
  local pattern=$1 arch=$2 program=$3
  shift 3
  "$gfxisa" exec --arch "$arch" "$program" --set 's[0:1]=mem' --set s2=8 "${@/#/--set=}" --print s2 2>"$work/err" | grep -qx 's2 = 0x00000008' || fail "$program: the register"
  if [ -z "$pattern" ]; then
    [ ! -s "$work/err" ] || fail "$program on $arch: $(cat "$work/err")"
  else
    grep -q "^note: .*$pattern" "$work/err" || fail "$program on $arch: no note of $pattern: $(cat "$work/err")"
  fi
}
load='buffer_load_dword v8, v4, s[0:3], 0 offen'
expect_note 'CDNA 1 to 4 do not have' gfx942 "$load" s3=0x31027000
expect_note '' gfx942 "$load" s3=0x27000
expect_note 'looks like one of CDNA 1 to 4' gfx1030 "$load" s3=0x27000
expect_note '' gfx1030 "$load" s3=0x31027000
expect_note 'looks like one of CDNA 1 to 4' gfx1100 "$load" s3=0x27000
expect_note '' gfx1100 "s_or_b32 s1, s1, 0x80000; $load" s3=0x27000
expect_note 'looks like one of CDNA 1 to 4' gfx1201 'buffer_atomic_add_u32 v8, v4, s[0:3], null offen' s3=0x27000
expect_note 'not exact: v_rcp_f32 (' gfx1100 'v_rcp_f32 v0, v1'
expect_note '' gfx1100 'v_add_f32 v0, v1, v1'

[ "$failures" = 0 ] && echo 'all faults are as they should be'
exit $((failures > 0))
