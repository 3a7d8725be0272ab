.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
.amdhsa_code_object_version 5
.text
.protected scale
.globl scale
.p2align 8
.type scale,@function
scale:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_getpc_b64 s[2:3]
  s_add_u32 s2, s2, factor@rel32@lo+4
  s_addc_u32 s3, s3, factor@rel32@hi+12
  s_load_dword s6, s[2:3], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  global_load_dword v2, v1, s[4:5]
  s_cbranch_execz .Lend
  s_waitcnt vmcnt(0)
  v_mul_f32_e32 v2, s6, v2
  global_store_dword v1, v2, s[4:5]
.Lend:
  s_endpgm
.Lfunc_end0:
  .size scale, .Lfunc_end0-scale
  .set helper.num_vgpr, 7
  .set scale.num_vgpr, max(3, helper.num_vgpr)
.section .rodata,"a",@progbits
.p2align 6, 0x0
.amdhsa_kernel scale
  .amdhsa_kernarg_size 8
  .amdhsa_user_sgpr_count 2
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr max(totalnumvgprs(0, scale.num_vgpr), 1, 0)
  .amdhsa_next_free_sgpr 7
  .amdhsa_accum_offset ((((((alignto(max(1, scale.num_vgpr), 4))/4)-1)&(~65536))&63)+1)*4
  .amdhsa_reserve_vcc 0
  .amdhsa_float_denorm_mode_32 3
  .amdhsa_system_vgpr_workitem_id later
.end_amdhsa_kernel
later = 1
.section .data.rel.ro,"aw",@progbits
table: .quad scale, table+8
.data
.hidden factor
.globl factor
.type factor,@object
.p2align 2
factor: .float 3.0
.size factor, 4
.ident "by hand"
.section ".note.GNU-stack","",@progbits
.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .address_space: global
        .name: data
        .offset: 0
        .size: 8
        .value_kind: global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 8
    .max_flat_workgroup_size: 1024
    .name: scale
    .private_segment_fixed_size: 0
    .sgpr_count: 11
    .symbol: scale.kd
    .uses_dynamic_stack: false
    .vgpr_count: 7
    .wavefront_size: 64
amdhsa.target: amdgcn-amd-amdhsa--gfx90a
amdhsa.version: [1, 2]
...
.end_amdgpu_metadata
