// What the device library of Debian (5.2.3) does not have for newer compilers and targets.
#pragma once
#include <hip/hip_runtime.h>

extern "C" {
__device__ inline __attribute__((used)) void __atomic_work_item_fence(__cl_mem_fence_flags, __memory_order, __memory_scope) {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}

#ifdef BUFFERED_PRINTF
// Room for a message in the buffer: how much is used, how much there is, then the messages.
__device__ inline __attribute__((used)) __attribute__((address_space(1))) char* __printf_alloc(unsigned bytes) {
  auto* const hidden = (__attribute__((address_space(4))) unsigned long long*)__builtin_amdgcn_implicitarg_ptr();
  auto* const buffer = (__attribute__((address_space(1))) unsigned*)hidden[9];
  const unsigned at = __hip_atomic_fetch_add(buffer, bytes, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  return at + bytes > buffer[1] ? nullptr : (__attribute__((address_space(1))) char*)(buffer + 2) + at;
}
#endif

#ifdef WITHOUT_GLOBAL_WAVE_SYNC
// There is no global wave sync: those who meet count themselves, in memory that the runtime gives to cooperative launches. 16 bits of
// the word are the count, those above say how often all have met.
__device__ inline void meet(unsigned* word, unsigned all) {
  const unsigned before = __hip_atomic_fetch_add(word, 1u, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_SYSTEM);
  if ((before & 0xffff) == all - 1) {
    __hip_atomic_fetch_add(word, 0x10000 - all, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_SYSTEM);
  } else {
    while (__hip_atomic_load(word, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) >> 16 == before >> 16) __builtin_amdgcn_s_sleep(1);
  }
}

struct Grid {
  unsigned* other_grids;
  unsigned grid, grids;
  unsigned long long items_before, items;
  unsigned arrived, unused, blocks;
};
__device__ inline Grid* this_grid() {
  auto* const hidden = (__attribute__((address_space(4))) unsigned long long*)__builtin_amdgcn_implicitarg_ptr();
  return reinterpret_cast<Grid*>(hidden[11]);
}

// The first work-items of workgroups meet.
__device__ inline __attribute__((used)) void __ockl_grid_sync() {
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) meet(&this_grid()->arrived, this_grid()->blocks);
  __syncthreads();
}
__device__ inline __attribute__((used)) void __ockl_multi_grid_sync() {
  __ockl_grid_sync();
  if ((threadIdx.x | threadIdx.y | threadIdx.z | blockIdx.x | blockIdx.y | blockIdx.z) == 0)
    meet(this_grid()->other_grids, this_grid()->grids);
  __ockl_grid_sync();
}
#endif
}
