// A body as a row of 64-bit words, and back. The generator stores bodies this way so that engines can read them at run
// time.
#pragma once
#include <span>
#include <vector>

#include "base/result.h"
#include "core/core.h"

namespace gfxisa::core {

std::vector<u64> serialise(const Body& body);

/// Reads what serialise() wrote. Total: any words give a body whose indices are all in range and whose nodes depend on
/// earlier ones only, or an error.
Result<Body> deserialise(std::span<const u64> words);

}  // namespace gfxisa::core
