// The metadata note of a code object: names, arguments and needs of its kernels.
#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/types.h"

namespace gfxisa {

/// One kernel argument, explicit or hidden. `kind` is the ABI's word: `by_value`, `global_buffer`,
/// `hidden_block_count_x`, ...
struct KernelArgument {
  std::string name, type_name, kind;
  u32 offset = 0;
  u32 size = 0;
  bool is_hidden() const { return kind.starts_with("hidden_"); }
};

struct KernelMetadata {
  std::string name;    ///< as in the source
  std::string symbol;  ///< of the descriptor: `name.kd`
  std::vector<KernelArgument> arguments;
  u32 kernarg_bytes = 0, kernarg_align = 8;
  u32 group_segment_bytes = 0, private_segment_bytes = 0;
  u32 wave_size = 64;
  u32 max_workgroup_size = 1024;
  u32 sgpr_count = 0, vgpr_count = 0, agpr_count = 0;
  std::array<u32, 3> required_workgroup{0, 0, 0};  ///< all 0: none required
  bool uses_dynamic_stack = false;
};

struct Metadata {
  std::string target;  ///< amdhsa.target
  std::vector<KernelMetadata> kernels;
  std::vector<std::string> printf_formats;  ///< amdhsa.printf
};

/// Reads the MessagePack document of an NT_AMDGPU_METADATA note. Unknown keys are ignored; wrong types are errors.
Result<Metadata> read_metadata(std::span<const u8> note);

}  // namespace gfxisa
