// One instruction from the text of one line.
#pragma once
#include "text/disassemble.h"
#include "text/form_parser.h"

namespace gfxisa::text {

/// What the parser needs to know of a chip, without symbols.
ParserContext context_of(unsigned chip, const TextOptions& options);

/// Reads from the mnemonic to the end of the line: one instruction or `first :: second`. False: the cursor has the
/// error.
bool parse_instruction(const ParserContext& context, Cursor& cursor, Instruction& result);

}  // namespace gfxisa::text
