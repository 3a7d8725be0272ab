// Operands, fields, implicit reads and writes of a decoded instruction. No allocation.
#pragma once
#include "gfxisa/gfxisa.h"
#include "inst/instruction.h"
#include "text/disassemble.h"

namespace gfxisa {

void describe(const Instruction& instruction, const TextOptions& options, gfxisa_details& out);

}  // namespace gfxisa
