// Which host memory the guest may touch. Guest addresses are host addresses.
//
// Built before a dispatch and not changed during it, so that waves look it up without locks.
#pragma once
#include <algorithm>
#include <vector>

#include "base/types.h"

namespace gfxisa::exec {

struct MemoryRange {
  u64 start = 0, end = 0;  ///< [start, end)
  bool is_writable = false;
  bool contains(u64 address, u64 bytes) const { return address >= start && address <= end && bytes <= end - address; }
};

/// A range as one comparison: an access of up to 64 bytes is inside when `address - start < span`.
struct MemoryWindow {
  u64 start = 0, span = 0;
  u64 end = 0;  ///< of the range, for accesses that know their size
  MemoryWindow() = default;
  explicit MemoryWindow(const MemoryRange& range)
      : start(range.start), span(range.end - range.start > 64 ? range.end - range.start - 64 : 0), end(range.end) {}
  bool contains(u64 address) const { return address - start < span; }
  bool contains(u64 address, u64 bytes) const { return address - start < end - start && bytes <= end - address; }
};

class MemoryMap {
 public:
  /// Adds a range; ranges must not overlap. Neighbours of equal rights are not joined: an access across two is an
  /// error, as it would be by luck only that they touch.
  void add(const void* start, u64 bytes, bool is_writable) {
    if (bytes == 0) return;
    const u64 first = reinterpret_cast<u64>(start);
    const MemoryRange range{first, first + bytes, is_writable};
    ranges_.insert(std::upper_bound(ranges_.begin(), ranges_.end(), range,
                                    [](const MemoryRange& a, const MemoryRange& b) { return a.start < b.start; }),
                   range);
  }

  /// The range that holds all of [address, address + bytes), or nullptr.
  const MemoryRange* find(u64 address, u64 bytes) const {
    auto after = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                  [](u64 value, const MemoryRange& range) { return value < range.start; });
    if (after == ranges_.begin()) return nullptr;
    const MemoryRange& range = *--after;
    return range.contains(address, bytes) ? &range : nullptr;
  }

 private:
  std::vector<MemoryRange> ranges_;  ///< sorted by start
};

}  // namespace gfxisa::exec
