// A whole source of LLVM-style assembly to instructions, and to an object file.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "elf/object_file.h"
#include "inst/instruction.h"
#include "text/disassemble.h"

namespace gfxisa {

/// One line of assembly that became an instruction.
struct AssembledLine {
  u32 instruction;  ///< index in Assembly::instructions
  u32 offset;       ///< bytes from the start of its section
};

struct AssemblyOptions {
  TextOptions text;
  bool keeps_lines = false;       ///< the instructions are wanted one by one
  bool may_be_undefined = false;  ///< names that nothing defines are for a linker
  /// Adds the file of `.include` or `.incbin` to the sources; not given: those directives are errors.
  std::function<Result<u32>(const std::string& name)> read_file;
};

struct Assembly {
  std::vector<Instruction> instructions;  ///< lines of the same text may share one
  std::vector<AssembledLine> lines;       ///< when they are wanted: those without error, in the order of the source
  ObjectFile object;                      ///< complete only without errors
  std::vector<std::string> notes;         ///< what was passed over
};

/// Assembles a source for a processor or family (`gfx90a`, `cdna2`). Errors go to `diagnostics`, up to a thousand.
Assembly assemble_file(std::string_view target, u32 source, const Sources& sources, Diagnostics& diagnostics,
                       const AssemblyOptions& options = {});

/// The instructions of a source without undefined names.
std::vector<Instruction> assemble(unsigned chip, u32 source, const Sources& sources, Diagnostics& diagnostics,
                                  const TextOptions& options = {});

}  // namespace gfxisa
