// Reading what a command is given: a file, or standard input for `-` and for none.
#pragma once
#include <string>

#include "base/result.h"

namespace gfxisa::cli {

/// The whole of a file, or of standard input for `-` and the empty name.
Result<std::string> read_input(const std::string& name);

}  // namespace gfxisa::cli
