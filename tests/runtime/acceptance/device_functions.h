// What the device library of Debian (5.2.3) does not have for newer compilers and targets.
#pragma once
#include <hip/hip_runtime.h>

extern "C" {
__device__ inline __attribute__((used)) void __atomic_work_item_fence(__cl_mem_fence_flags, __memory_order, __memory_scope) {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}

#ifdef WITHOUT_GLOBAL_WAVE_SYNC
// There is no global wave sync: the first work-items of workgroups count themselves, in memory that the runtime gives to cooperative
// launches. 16 bits of the word are the count, those above say how often all have met.
__device__ inline __attribute__((used)) void __ockl_grid_sync() {
  struct Grid {
    unsigned long long other_grids;
    unsigned grid, grids;
    unsigned long long items_before, items;
    unsigned arrived, unused, blocks;
  };
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
    auto* const hidden = (__attribute__((address_space(4))) unsigned long long*)__builtin_amdgcn_implicitarg_ptr();
    auto* const grid = reinterpret_cast<Grid*>(hidden[11]);
    const unsigned before = __hip_atomic_fetch_add(&grid->arrived, 1u, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
    if ((before & 0xffff) == grid->blocks - 1) {
      __hip_atomic_fetch_add(&grid->arrived, 0x10000 - grid->blocks, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
    } else {
      while (__hip_atomic_load(&grid->arrived, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) >> 16 == before >> 16) {
        __builtin_amdgcn_s_sleep(1);
      }
    }
  }
  __syncthreads();
}
#endif
}
