// Lines of source code by the debug information of an ELF file.
#pragma once
#include <span>
#include <string>

#include "base/types.h"

namespace gfxisa {

/// Whether an ELF file in memory says where its code comes from.
bool has_source_lines(std::span<const u8> file);

/// `path:line` of the code at an address of the file; empty when the file does not say, or when this was built without
/// the library that reads it.
std::string source_line(std::span<const u8> file, u64 address);

}  // namespace gfxisa
