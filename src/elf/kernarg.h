// The kernel-argument segment: explicit arguments as given, hidden ones from the launch.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "base/result.h"
#include "elf/metadata.h"

namespace gfxisa {

/// Sizes of a launch, in work-items.
struct LaunchSize {
  std::array<u32, 3> grid{1, 1, 1};
  std::array<u32, 3> block{1, 1, 1};
  u32 dynamic_lds_bytes = 0;

  /// Workgroups along an axis; a last one that is not full counts.
  u32 workgroups(unsigned axis) const { return block[axis] == 0 ? 0 : (grid[axis] + block[axis] - 1) / block[axis]; }
  u32 block_items() const { return block[0] * block[1] * block[2]; }
};

/// Addresses that hidden arguments may ask for; 0 where the launch has none.
struct HiddenAddresses {
  u64 printf_buffer = 0, hostcall_buffer = 0, heap = 0, queue = 0, grid_sync = 0;
  u32 shared_base = 0, private_base = 0;  ///< high words of the LDS and scratch apertures
};

/// Checks a launch against what the kernel requires (sizes not 0, block within the maximum, required workgroup size).
Result<bool> check_launch(const KernelMetadata& kernel, const LaunchSize& size);

/// The segment's bytes. `explicit_arguments` are the bytes of each argument that is not hidden, in order; their number
/// and sizes must be the kernel's.
Result<std::vector<u8>> make_kernarg_segment(const KernelMetadata& kernel,
                                             std::span<const std::vector<u8>> explicit_arguments,
                                             const LaunchSize& size, const HiddenAddresses& addresses);

}  // namespace gfxisa
