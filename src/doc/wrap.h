// Text in lines of a width.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace gfxisa {

/// Words of `text` in lines of at most `width` columns; a line's end in it stays one.
std::vector<std::string> wrap(std::string_view text, unsigned width);

}  // namespace gfxisa
