.amdgcn_target "amdgcn-amd-amdhsa--gfx1201"
.file "group.hip"
.section .text.first,"axG",@progbits,first,comdat
.weak first
.type first,@function
first:
  s_wait_loadcnt 0x0
  s_mov_b32 s0, second@abs32@lo
  s_setpc_b64 s[30:31]
.size first, .-first
.section .text.other,"axG",@progbits,first,comdat
  s_branch first
.bss
.globl zeros
zeros: .zero 16
.lcomm own, 12
.comm shared, 8, 4
.amdgpu_lds tile, 1024, 16
.text
.macro wait n=0
  s_wait_dscnt \n
.endm
.irp x, 1, 2
  wait \x
.endr
  wait
