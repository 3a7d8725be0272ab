// The code of a relocatable object.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "base/types.h"

namespace gfxisa {

/// The .text of a relocatable object, and the gfx target its flags name.
struct ObjectText {
  std::string target;
  std::span<const u8> code;
};
/// Empty when the bytes are no relocatable AMD GPU object with such a section.
std::optional<ObjectText> text_of_object(std::span<const u8> bytes);

}  // namespace gfxisa
