// A body as text, for tests and for eyes: one statement a line, nodes as nested calls.
#pragma once
#include <string>

#include "core/core.h"

namespace gfxisa::core {

/// `d = add(a, 1:u32)`. Timed nodes are named at their statement: `%3 = lds_load(addr)`.
std::string listing(const Body& body);

}  // namespace gfxisa::core
