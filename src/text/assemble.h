// LLVM-style text to instructions.
#pragma once
#include <functional>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/result.h"
#include "inst/instruction.h"
#include "text/disassemble.h"

namespace gfxisa {

/// One line of assembly that became an instruction.
struct AssembledLine {
  Instruction instruction;
  Location at;
  u64 offset = 0;  ///< bytes from the start
};

/// Assembles one instruction (no labels, no directives).
Result<Instruction> assemble_line(unsigned chip, std::string_view text, const TextOptions& options = {});

/// Assembles a whole source: instructions separated by newlines or `;`-free `\n`, `//` and `;` comments, labels.
/// Errors go to `diagnostics` (several are collected); lines without error are returned all the same.
std::vector<AssembledLine> assemble(unsigned chip, u32 source, const Sources& sources, Diagnostics& diagnostics,
                                    const TextOptions& options = {});

}  // namespace gfxisa
