// The simulated machine: one CPU and its GPUs, their memory pools and caches. Made once, by hsa_init, and constant.
#pragma once
#include <hsa/hsa_ext_amd.h>

#include <deque>
#include <string>
#include <vector>

#include "runtime/devices.h"

namespace gfxisa::runtime {

struct Agent;

/// A memory pool, and a region of the older interface.
struct Pool {
  Agent* agent = nullptr;
  hsa_amd_segment_t segment = HSA_AMD_SEGMENT_GLOBAL;
  u32 flags = 0;  ///< hsa_amd_memory_pool_global_flag_t
  u64 bytes = 0;
  const Pool* shares_with = nullptr;  ///< the pool of which this is another view
  const Pool& storage() const { return shares_with != nullptr ? *shares_with : *this; }
  bool is_global() const { return segment == HSA_AMD_SEGMENT_GLOBAL; }
};

struct Cache {
  std::string name;
  u8 level = 1;
  u32 bytes = 0;
};

struct Agent {
  bool is_gpu = false;
  u32 node = 0;
  std::string name, product;
  Device device;  ///< of a GPU
  u32 compute_units = 0, clock = 0;
  std::deque<Pool> pools;
  std::deque<Cache> caches;
  u64 (*free_memory)(const Agent&) = nullptr;
  /// Answers an attribute query.
  hsa_status_t get_info(u32 attribute, void* value) const;
  hsa_status_t get_isa_info(u32 attribute, void* value) const;

 private:
  hsa_status_t get_amd_info(u32 attribute, void* value) const;
};

struct Machine {
  std::deque<Agent> agents;  ///< the CPU first

  const Agent* find_agent(u64 handle) const;
  const Pool* find_pool(u64 handle) const;
  const Cache* find_cache(u64 handle) const;
};

/// Fills an empty machine as the environment asks: GFXISA_TARGET (gfx1100, or several separated by commas),
/// GFXISA_DEVICES of each, GFXISA_MEMORY_MIB of memory in each. In place, because agents point to their pools and back.
Result<bool> fill_machine(Machine& machine);

template <class T>
u64 handle_of(const T* object) {
  return reinterpret_cast<u64>(object);
}

/// Stores an attribute's value; its type is part of the ABI.
template <class T>
hsa_status_t answer(void* out, T value) {
  *static_cast<T*>(out) = value;
  return HSA_STATUS_SUCCESS;
}

}  // namespace gfxisa::runtime
