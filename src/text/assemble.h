// LLVM-style text to an instruction. Whole sources with labels and directives: assembler/assemble.h.
#pragma once
#include <string_view>

#include "base/result.h"
#include "inst/instruction.h"
#include "text/disassemble.h"

namespace gfxisa {

/// Assembles one instruction (no labels, no directives). `column`, where given, is set to that of a mistake, from 1;
/// else the message says it.
Result<Instruction> assemble_line(unsigned chip, std::string_view text, const TextOptions& options = {},
                                  std::size_t* column = nullptr);

}  // namespace gfxisa
