// How many scalar values a vector instruction reads: registers that hold one value for all lanes, and the literal. They
// come over a path with room for one of them (CDNA) or two (RDNA, CDNA 5); a register read twice takes one place.
#pragma once
#include <array>
#include <optional>

#include "inst/instruction.h"

namespace gfxisa {

/// A register or a pair of them, or a literal: its code, and the bits of the operand that reads it.
struct ScalarValue {
  u32 code = 0, bits = 0;
};

struct ScalarReads {
  unsigned most = 0;  ///< how many there may be
  unsigned count = 0;
  std::array<ScalarValue, 8> values{};
};

/// What an instruction reads, where it is more than there may be (`scalars` in the spec). As LLVM counts: s2 and s[2:3]
/// are two values, as is a literal that operands of 32 and of 64 bits read; null is none.
std::optional<ScalarReads> excess_scalars(const Instruction& instruction, unsigned wave_size);

}  // namespace gfxisa
