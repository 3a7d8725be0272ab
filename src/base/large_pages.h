// Advice to the system about memory that will be filled from its start to its end.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace gfxisa {

inline constexpr std::size_t large_page = std::size_t{1} << 21;

/// Asks for pages of 2 MiB where whole ones lie in `size` bytes at `start`, which nothing was written to yet: a listing
/// of a few megabytes otherwise costs more for faults of 4 KiB than for reading it. Advice: where the system gives
/// none, nothing changes.
inline void prefer_large_pages([[maybe_unused]] const void* start, [[maybe_unused]] std::size_t size) {
#ifdef MADV_HUGEPAGE
  const auto begin = reinterpret_cast<std::uintptr_t>(start);
  const std::uintptr_t first = (begin + large_page - 1) & ~(large_page - 1), last = (begin + size) & ~(large_page - 1);
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

}  // namespace gfxisa
