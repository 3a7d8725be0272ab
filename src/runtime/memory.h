// Memory of the simulated machine: what the runtime gave out, who may use it, and what kernels may touch.
//
// Device addresses are host addresses. One exception: host memory that was locked has a second address, `alias_bit`
// above its own, because programs rely on the two being different.
#pragma once
#include <hsa/hsa_ext_amd.h>

#include <map>
#include <memory>
#include <shared_mutex>
#include <vector>

#include "base/types.h"
#include "exec/surroundings.h"
#include "machine/memory_map.h"

namespace gfxisa::runtime {

struct Agent;
struct Pool;

inline constexpr u64 page_bytes = 4096;
inline constexpr u64 alias_bit = u64{1} << 47;

/// Host address of what a program holds: the place behind an alias, anything else itself.
inline u8* host_address(const void* pointer) {
  const u64 address = reinterpret_cast<u64>(pointer);
  return reinterpret_cast<u8*>(address >> 47 == 1 ? address & ~alias_bit : address);
}

enum class AllocationKind : u8 {
  pool,      ///< from a memory pool
  locked,    ///< the program's own memory, made known
  code,      ///< a loaded segment of a code object
  internal,  ///< signals, queues
  shared,    ///< the program's own memory with SVM attributes
};

struct DeallocationCallback {
  hsa_amd_deallocation_callback_t function = nullptr;
  void* data = nullptr;
};

struct Allocation {
  u64 start = 0, bytes = 0;  ///< whole pages; of locked memory exactly what was locked
  u64 mapped_bytes = 0;      ///< to unmap; 0: not ours
  AllocationKind kind = AllocationKind::pool;
  bool is_writable = true;
  const Pool* pool = nullptr;
  void* user_data = nullptr;
  std::vector<const Agent*> access;
  std::vector<DeallocationCallback> callbacks;
  u64 end() const { return start + bytes; }
};

class Memory final : public exec::Surroundings {
 public:
  /// Zeroed memory from a pool; nullptr when the pool has no room.
  void* allocate(const Pool& pool, u64 bytes, const Agent* user);
  /// Zeroed memory of the runtime's own that kernels may touch; nullptr when there is none.
  void* allocate_internal(u64 bytes);
  /// Gives memory of allocate() back. Kernels that run keep it until they end. False when there is no such allocation.
  bool release(void* start);

  /// Makes memory that is not ours known. Locked ranges may overlap each other; otherwise false when a part of it is
  /// known already.
  bool add(const void* start, u64 bytes, AllocationKind kind, bool is_writable, const Pool* pool = nullptr);
  /// Undoes add(). False when nothing of that kind starts there.
  bool remove(const void* start, AllocationKind kind);

  /// Copy of the allocation that holds the address.
  bool find(const void* address, Allocation& out) const;
  /// Calls `change` on the allocation that holds the address, under the lock. False when there is none.
  template <class F>
  bool change(const void* address, F change) {
    const std::lock_guard lock(mutex_);
    Allocation* found = holder(reinterpret_cast<u64>(host_address(address)));
    if (found == nullptr) return false;
    change(*found);
    return true;
  }

  u64 used(const Pool& pool) const;

  /// What kernels may touch now; memory that comes later they find through find_memory.
  exec::MemoryMap map() const;

  // For running kernels.
  bool find_memory(u64& address, u64 bytes, exec::MemoryRange& range) const override;
  void message(u32 number) const override;
  /// Memory released while kernels run is kept until the last of them has ended.
  void kernel_starts();
  void kernel_ends();

  void release_all();

 private:
  Allocation* holder(u64 address);
  const Allocation* holder(u64 address) const { return const_cast<Memory*>(this)->holder(address); }
  void give_back(const Allocation& allocation);

  mutable std::shared_mutex mutex_;
  std::map<u64, Allocation> by_start_;
  std::multimap<u64, Allocation> locked_;  ///< few, and they may overlap
  std::map<const Pool*, u64> used_;
  mutable std::shared_ptr<const exec::MemoryMap> snapshot_;
  u32 kernels_ = 0;
  std::vector<std::pair<u64, u64>> waiting_;  ///< to unmap when no kernel runs
};

/// Copies between any two addresses of the process. False, and how far it came undefined, when a part of them is not
/// memory.
bool copy_memory(void* to, const void* from, u64 bytes);

}  // namespace gfxisa::runtime
