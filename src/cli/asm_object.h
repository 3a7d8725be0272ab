// Relocatable ELF objects around assembled code.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/types.h"

namespace gfxisa::cli {

/// An ELF64 object for AMD GPUs whose .text is `code`. The flags name the processor: `arch` itself when it is a gfx
/// target, else the family's first.
std::string make_object(std::string_view arch, std::string_view code);

/// The .text of a relocatable object, and the gfx target its flags name.
struct ObjectText {
  std::string target;
  std::span<const u8> code;
};
/// Empty when the bytes are no relocatable AMD GPU object with such a section.
std::optional<ObjectText> text_of_object(std::span<const u8> bytes);

}  // namespace gfxisa::cli
