// Instructions to LLVM-style text.
#pragma once
#include <string>

#include "inst/instruction.h"

namespace gfxisa {

struct TextOptions {
  unsigned wave_size = 0;  ///< 32 or 64; 0: the chip's default (32 where it has it)
};

/// Lanes of a wave, by the options or else by what the chip has.
unsigned wave_size_of(unsigned chip, const TextOptions& options);

/// Appends the text of `instruction` to `out`: `s_bfe_u32 s0, s1, s2`.
void append_text(std::string& out, const Instruction& instruction, const TextOptions& options = {});
std::string to_text(const Instruction& instruction, const TextOptions& options = {});

}  // namespace gfxisa
