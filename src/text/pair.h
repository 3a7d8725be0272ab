// Two instructions in the same words (VOPD), written `first :: second`.
#pragma once
#include <optional>

#include "inst/instruction.h"

namespace gfxisa::text {

/// The words that hold both; none when the two do not go together: other forms of the word, a constant that is not the
/// same, or bits that both want.
std::optional<Instruction> joined(const Instruction& first, const Instruction& second);

}  // namespace gfxisa::text
