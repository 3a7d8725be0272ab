// Kernel descriptors as assembler directives.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "base/types.h"

namespace gfxisa {

/// Appends `.amdhsa_kernel NAME` to `.end_amdhsa_kernel`, from which an assembler makes the same 64 bytes for this
/// target (apart from the entry's offset, which is the kernel's place). False, and the reason in `problem`, when no
/// directives make them: reserved bits, or counts that contradict each other. `bytes` holds 64 bytes;
/// `has_xnack_mask`: code for the target may run with XNACK on, so registers are reserved for its mask.
bool append_descriptor(std::string& out, std::string_view name, std::string_view target_id, bool has_xnack_mask,
                       std::span<const u8> bytes, std::string& problem);

}  // namespace gfxisa
