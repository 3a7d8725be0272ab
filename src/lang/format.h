// The one layout of spec files.
#pragma once
#include <string>
#include <string_view>

namespace gfxisa::lang {

/// `text` in the one layout: levels of two spaces, one blank line between blocks, keywords, slots and opcode tables in
/// columns. Comments and the spacing inside expressions are kept. Total; formatting twice changes nothing more. For
/// text that parses, the result parses to the same.
std::string format(std::string_view text);

}  // namespace gfxisa::lang
