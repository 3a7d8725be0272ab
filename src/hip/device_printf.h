// What device code prints: a format and its arguments as words.
#pragma once
#include <span>
#include <string>

#include "base/types.h"

namespace gfxisa::hip {

/// The text of a message: the format, ended by 0 and filled up to whole words, then the arguments, a word each; strings
/// as the format. What the words do not have is left out.
std::string device_printf_text(std::span<const u64> words);

}  // namespace gfxisa::hip
