// Attributes and flags that clients newer than Debian's headers ask for, by their published numbers.
#pragma once
#include "base/types.h"

namespace gfxisa::runtime {

enum NewerAgentInfo : u32 {
  agent_info_memory_available = 0xa015,     ///< u64
  agent_info_timestamp_frequency = 0xa016,  ///< u64
  agent_info_asic_family = 0xa107,          ///< u32
  agent_info_firmware = 0xa108,
  agent_info_copy_firmware = 0xa109,
  agent_info_copy_engines = 0xa10a,
  agent_info_link_copy_engines = 0xa10b,
  agent_info_iommu = 0xa110,
  agent_info_xccs = 0xa111,
  agent_info_driver_id = 0xa112,
};

enum NewerPoolInfo : u32 {
  pool_info_location = 17,             ///< 0: CPU, 1: GPU
  pool_info_recommended_granule = 18,  ///< size_t
};

enum NewerSystemInfo : u32 {
  system_info_mwaitx = 0x203,          ///< bool
  system_info_dmabuf = 0x204,          ///< bool
  system_info_virtual_memory = 0x205,  ///< bool
  system_info_xnack = 0x206,           ///< bool
};

}  // namespace gfxisa::runtime
