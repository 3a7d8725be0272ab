.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
 .globl f
 .weak w
 .globl unused
 .weak unusedw
 .hidden hh
f: s_nop 0
w: s_nop 0
 s_branch f
 s_branch w
 s_mov_b32 s0, f
 s_mov_b32 s0, f@rel32@lo+4
loc: s_mov_b32 s0, loc@rel32@lo+4
 s_mov_b32 s0, loc@abs32@lo+4
 s_mov_b32 s0, dloc@rel32@lo+4
 s_getpc_b64 s[0:1]
 s_add_u32 s0, s0, loc@gotpcrel32@lo+4
 v_mov_b32 v0, f
 s_load_b32 s0, s[0:1], 4
 s_branch 1f
1: s_cbranch_scc0 1b
 .data
 .long w-f, q
dloc: .long f-.
 .quad f-., loc-., dloc@rel64, f@rel64, f@abs64
 alias = f
 alias2 = loc+4
 .globl alias
 .long alias, alias2
 .set later, q2+1
 .section .debug_str,"MS",@progbits,1
ms: .asciz "abc"
ms2: .asciz "def"
 .data
 .long ms, ms2, ms2+1
 q2 = 5
 .byte later
