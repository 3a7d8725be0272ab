#include "runtime/memory.h"

#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "runtime/agents.h"
#include "runtime/bells.h"

namespace gfxisa::runtime {
namespace {

u64 whole_pages(u64 bytes) { return (bytes + page_bytes - 1) / page_bytes * page_bytes; }

/// Large allocations begin where large pages do; the device's malloc finds the head of its blocks that way.
constexpr u64 large_page_bytes = 2u << 20;

/// Zeroed pages with one more behind them that belongs to no allocation, so that no two touch.
void* map_pages(u64 bytes) {
  const u64 wanted = bytes + page_bytes, room = bytes < large_page_bytes ? wanted : wanted + large_page_bytes;
  void* start = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) return nullptr;
  if (room == wanted) return start;
  const u64 first = reinterpret_cast<u64>(start);
  const u64 aligned = (first + large_page_bytes - 1) / large_page_bytes * large_page_bytes;
  if (aligned != first) munmap(start, aligned - first);
  munmap(reinterpret_cast<void*>(aligned + wanted), first + room - aligned - wanted);
  // One fault of a large page instead of hundreds when the memory is first touched; where the host has none, nothing
  // changes.
  madvise(reinterpret_cast<void*>(aligned), bytes / large_page_bytes * large_page_bytes, MADV_HUGEPAGE);
  return reinterpret_cast<void*>(aligned);
}

}  // namespace

void* Memory::allocate(const Pool& pool, u64 bytes, const Agent* user) {
  if (bytes > pool.bytes) return nullptr;
  const u64 size = whole_pages(std::max<u64>(bytes, 1));
  const std::lock_guard lock(mutex_);
  u64& used = used_[&pool.storage()];
  if (size > pool.bytes - std::min(used, pool.bytes)) return nullptr;
  void* start = map_pages(size);
  if (start == nullptr) return nullptr;
  used += size;
  Allocation allocation;
  allocation.start = reinterpret_cast<u64>(start);
  allocation.bytes = size;
  allocation.mapped_bytes = size + page_bytes;
  allocation.pool = &pool;
  if (user != nullptr) allocation.access.push_back(user);
  by_start_.emplace(allocation.start, std::move(allocation));
  snapshot_.reset();
  return start;
}

void* Memory::allocate_internal(u64 bytes) {
  const u64 size = whole_pages(bytes);
  void* start = map_pages(size);
  if (start == nullptr) return nullptr;
  const std::lock_guard lock(mutex_);
  Allocation allocation;
  allocation.start = reinterpret_cast<u64>(start);
  allocation.bytes = size;
  allocation.mapped_bytes = size + page_bytes;
  allocation.kind = AllocationKind::internal;
  by_start_.emplace(allocation.start, std::move(allocation));
  snapshot_.reset();
  return start;
}

void Memory::give_back(const Allocation& allocation) {
  if (allocation.pool != nullptr && allocation.kind == AllocationKind::pool)
    used_[&allocation.pool->storage()] -= allocation.bytes;
  if (allocation.mapped_bytes == 0) return;
  if (kernels_ != 0)
    waiting_.emplace_back(allocation.start, allocation.mapped_bytes);
  else
    munmap(reinterpret_cast<void*>(allocation.start), allocation.mapped_bytes);
}

bool Memory::release(void* start) {
  std::vector<DeallocationCallback> callbacks;
  {
    const std::lock_guard lock(mutex_);
    const auto found = by_start_.find(reinterpret_cast<u64>(start));
    if (found == by_start_.end() || found->second.mapped_bytes == 0) return false;
    callbacks.swap(found->second.callbacks);
  }
  for (const DeallocationCallback& callback : callbacks) callback.function(start, callback.data);
  const std::lock_guard lock(mutex_);
  const auto found = by_start_.find(reinterpret_cast<u64>(start));
  if (found == by_start_.end()) return false;
  give_back(found->second);
  by_start_.erase(found);
  snapshot_.reset();
  return true;
}

bool Memory::add(const void* start, u64 bytes, AllocationKind kind, bool is_writable, const Pool* pool) {
  const u64 first = reinterpret_cast<u64>(start);
  if (bytes == 0 || first + bytes < first) return false;
  const std::lock_guard lock(mutex_);
  const auto after = by_start_.lower_bound(first);
  if (after != by_start_.end() && after->second.start < first + bytes) return false;
  if (after != by_start_.begin() && std::prev(after)->second.end() > first) return false;
  Allocation allocation;
  allocation.start = first;
  allocation.bytes = bytes;
  allocation.kind = kind;
  allocation.is_writable = is_writable;
  allocation.pool = pool;
  if (kind == AllocationKind::locked)
    locked_.emplace(first, std::move(allocation));
  else
    by_start_.emplace(first, std::move(allocation));
  snapshot_.reset();
  return true;
}

bool Memory::remove(const void* start, AllocationKind kind) {
  const std::lock_guard lock(mutex_);
  if (kind == AllocationKind::locked) {
    const auto found = locked_.find(reinterpret_cast<u64>(start));
    if (found == locked_.end()) return false;
    locked_.erase(found);
    snapshot_.reset();
    return true;
  }
  const auto found = by_start_.find(reinterpret_cast<u64>(start));
  if (found == by_start_.end() || found->second.kind != kind) return false;
  by_start_.erase(found);
  snapshot_.reset();
  return true;
}

Allocation* Memory::holder(u64 address) {
  const auto after = by_start_.upper_bound(address);
  if (after != by_start_.begin() && address < std::prev(after)->second.end()) return &std::prev(after)->second;
  for (auto& [start, allocation] : locked_) {
    if (address - start < allocation.bytes) return &allocation;
  }
  return nullptr;
}

bool Memory::find(const void* address, Allocation& out) const {
  const std::shared_lock lock(mutex_);
  const Allocation* found = holder(reinterpret_cast<u64>(host_address(address)));
  if (found == nullptr) return false;
  out = *found;
  return true;
}

u64 Memory::used(const Pool& pool) const {
  const std::shared_lock lock(mutex_);
  const auto found = used_.find(&pool.storage());
  return found == used_.end() ? 0 : found->second;
}

exec::MemoryMap Memory::map() const {
  const std::lock_guard lock(mutex_);
  if (snapshot_ == nullptr) {
    auto map = std::make_shared<exec::MemoryMap>();
    for (const auto& [start, allocation] : by_start_)
      map->add(reinterpret_cast<const void*>(start), allocation.bytes, allocation.is_writable);
    // Locked ranges may overlap; the map's may not.
    u64 end = 0;
    for (const auto& [start, allocation] : locked_) {
      const u64 first = std::max(start, end);
      if (first >= allocation.end()) continue;
      end = allocation.end();
      map->add(reinterpret_cast<const void*>(first), end - first, true);
    }
    snapshot_ = std::move(map);
  }
  return *snapshot_;
}

bool Memory::find_memory(u64& address, u64 bytes, exec::MemoryRange& range) const {
  const std::shared_lock lock(mutex_);
  const bool is_alias = address >> 47 == 1;
  const u64 place = is_alias ? address & ~alias_bit : address;
  const Allocation* found = holder(place);
  if (found == nullptr || (is_alias && found->kind != AllocationKind::locked)) return false;
  range = {found->start, found->end(), found->is_writable};
  if (!range.contains(place, bytes)) return false;
  address = place;
  return true;
}

void Memory::message(u32) const { ring_all(); }

void Memory::kernel_starts() {
  const std::lock_guard lock(mutex_);
  ++kernels_;
}

void Memory::kernel_ends() {
  std::vector<std::pair<u64, u64>> to_unmap;
  {
    const std::lock_guard lock(mutex_);
    if (--kernels_ == 0) to_unmap.swap(waiting_);
  }
  for (const auto& [start, bytes] : to_unmap) munmap(reinterpret_cast<void*>(start), bytes);
}

void Memory::release_all() {
  const std::lock_guard lock(mutex_);
  for (const auto& [start, allocation] : by_start_) {
    if (allocation.mapped_bytes != 0) munmap(reinterpret_cast<void*>(start), allocation.mapped_bytes);
  }
  by_start_.clear();
  locked_.clear();
  used_.clear();
  snapshot_.reset();
}

bool copy_memory(void* to, const void* from, u64 bytes) {
  // The kernel copies, and says so where there is no memory; a plain copy would end the process.
  const pid_t self = getpid();
  auto* target = static_cast<u8*>(to);
  auto* source = static_cast<const u8*>(from);
  while (bytes != 0) {
    const iovec local{target, bytes};
    const iovec remote{const_cast<u8*>(source), bytes};
    const ssize_t done = process_vm_readv(self, &local, 1, &remote, 1, 0);
    if (done <= 0) {
      if (done < 0 && (errno == EPERM || errno == ENOSYS)) {
        std::memmove(target, source, bytes);
        return true;
      }
      return false;
    }
    target += done;
    source += done;
    bytes -= static_cast<u64>(done);
  }
  return true;
}

}  // namespace gfxisa::runtime
