// What device code prints, as text.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace gfxisa {

/// The text of a message: the format, ended by 0 and filled up to whole words, then the arguments, a word each; strings
/// as the format. What the words do not have is left out.
std::string device_printf_text(std::span<const u64> words);

/// The text of all records that kernels left in a buffer of printf. `formats` are the code object's (amdhsa.printf): of
/// OpenCL with the sizes of arguments, or of HIP with a hash that records name.
std::string printf_buffer_text(std::span<const u8> records, const std::vector<std::string>& formats);

}  // namespace gfxisa
