// What each simulated GPU says about itself: the figures of a product with that processor.
#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/types.h"

namespace gfxisa::runtime {

/// Sizes in bytes, clocks in MHz.
struct DeviceFigures {
  std::string_view target;  ///< gfx90a
  std::string_view product;
  u32 device_id = 0;  ///< PCI
  u32 compute_units = 0, simds_per_unit = 4, waves_per_unit = 0;
  u32 engines = 1, arrays_per_engine = 1;
  u32 clock = 0, memory_clock = 0, memory_bits = 0;
  u32 l1_bytes = 0, l2_bytes = 0, l3_bytes = 0;
  u32 lds_bytes = 65536;
  u32 wave_size = 32;
  u32 xccs = 1;
  u64 memory_bytes = 0;
};

/// A GPU of the simulated machine.
struct Device {
  DeviceFigures figures;
  std::string target;    ///< may be another processor of the same family than the figures'
  std::string isa_name;  ///< amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-
  unsigned chip = 0;     ///< index in tables().chips
};

/// The device for `gfx90a`, `cdna2` or `gfx90a:xnack+`.
Result<Device> device_for(std::string_view target);

}  // namespace gfxisa::runtime
