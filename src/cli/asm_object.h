// A relocatable ELF object around assembled code.
#pragma once
#include <string>
#include <string_view>

namespace gfxisa::cli {

/// An ELF64 object for AMD GPUs whose .text is `code`. The flags name the processor: `arch` itself when it is a gfx
/// target, else the family's first.
std::string make_object(std::string_view arch, std::string_view code);

}  // namespace gfxisa::cli
