// What the runtime tells the person at the terminal, beside the status that the program gets.
#pragma once
#include <string_view>

namespace gfxisa::runtime {

/// One message on standard error, unless GFXISA_QUIET is set.
void report(std::string_view message);

}  // namespace gfxisa::runtime
