// Ids and sizes by the compiler's own builtins: libclc's get_global_id adds the low half of a hidden argument that is the global offset only
// in code objects of version 4 and before, and its get_local_size knows no workgroups that are not full.
#pragma once
#ifdef __OPENCL_C_VERSION__
static ulong local_size(int axis) {
  return axis == 0   ? __builtin_amdgcn_workgroup_size_x()
         : axis == 1 ? __builtin_amdgcn_workgroup_size_y()
                     : __builtin_amdgcn_workgroup_size_z();
}
static ulong full_size(int axis) {
  constant const ushort *sizes = (constant const ushort *)__builtin_amdgcn_implicitarg_ptr() + 6;  // hidden_group_size_x, _y, _z
  return sizes[axis];
}
static ulong global_id(int axis) { return get_group_id(axis) * full_size(axis) + get_local_id(axis); }
#define get_global_id(axis) global_id(axis)
#define get_local_size(axis) local_size(axis)
#define get_num_groups(axis) ((ulong)((constant const uint *)__builtin_amdgcn_implicitarg_ptr())[axis])  // hidden_block_count_x, _y, _z
#endif
