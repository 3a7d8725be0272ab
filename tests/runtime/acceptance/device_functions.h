// What HIP's headers of Debian take from a library of device functions that knows none of the newer targets: the few that
// the test programs use, by the compiler's own means.
#pragma once
#include <hip/hip_runtime.h>

extern "C" {
__device__ inline __attribute__((used)) size_t __ockl_get_group_id(unsigned axis) {
  return axis == 0 ? __builtin_amdgcn_workgroup_id_x()
                   : axis == 1 ? __builtin_amdgcn_workgroup_id_y() : __builtin_amdgcn_workgroup_id_z();
}
__device__ inline __attribute__((used)) size_t __ockl_get_local_id(unsigned axis) {
  return axis == 0 ? __builtin_amdgcn_workitem_id_x()
                   : axis == 1 ? __builtin_amdgcn_workitem_id_y() : __builtin_amdgcn_workitem_id_z();
}
__device__ inline __attribute__((used)) size_t __ockl_get_local_size(unsigned axis) {
  return axis == 0 ? __builtin_amdgcn_workgroup_size_x()
                   : axis == 1 ? __builtin_amdgcn_workgroup_size_y() : __builtin_amdgcn_workgroup_size_z();
}
__device__ inline __attribute__((used)) void __atomic_work_item_fence(__cl_mem_fence_flags, __memory_order,
                                                                      __memory_scope) {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}
}
