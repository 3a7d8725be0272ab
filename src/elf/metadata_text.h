// The text form of the metadata note: the YAML between .amdgpu_metadata and .end_amdgpu_metadata.
#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/types.h"

namespace gfxisa {

struct MetadataTextError {
  std::string message, hint;
  u32 line = 0;  ///< of the text, from 0; where it is known
};

/// The MessagePack document of a metadata text: maps with sorted keys, numbers in their shortest form, as LLVM writes
/// them. False when the text is no YAML, or not what the AMDHSA ABI asks for; `error` says where and why.
bool metadata_from_text(std::string_view text, std::string& note, MetadataTextError& error);

}  // namespace gfxisa
