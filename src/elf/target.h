// Processors of AMD GPUs as code objects name them, and the target ids that are written around them.
#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/types.h"

namespace gfxisa {

/// A feature that a code object may need on, need off, or not care about.
enum class TargetFeature : u8 { unsupported, any, off, on };

/// `amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-`, taken apart.
struct TargetId {
  std::string processor;  ///< gfx90a
  TargetFeature xnack = TargetFeature::unsupported, sramecc = TargetFeature::unsupported;

  std::string text() const;
  /// The flags of an ELF header of code object version 4 and later.
  u32 elf_flags() const;
};

/// gfx target of the processor number in an ELF header's flags (bits [7:0]); empty when unknown.
std::string_view target_of_flags(u32 flags);

/// Flags of an ELF header of code object version 3 as those of later versions. There a feature was a bit; a set one
/// also stood for code that does not care, as compilers made it unless told otherwise.
u32 flags_of_version_3(u32 flags);

/// The target id of a processor (`gfx90a`), with features as settled as LLVM leaves them: any. Of a family name
/// (`cdna2`), its first processor; empty processor when unknown.
TargetId default_target(std::string_view processor);

/// Reads `amdgcn-amd-amdhsa--gfx90a:xnack+` or `gfx90a:xnack+`.
Result<TargetId> parse_target_id(std::string_view text);

}  // namespace gfxisa
