// Lines whose operands are all registers and small numbers, without modifiers: most of what compilers write. What is
// asked of such operands is worked out once a form, so that reading them is quick. A shortcut and no judge: whatever it
// does not take, the FormParser decides about, and says what is wrong.
#pragma once
#include "text/form_parser.h"

namespace gfxisa::text {

/// Reads the operands of `form` to the end of the line. False: nothing is read, and no error is recorded.
bool parse_plain_line(const ParserContext& context, Cursor& cursor, u32 form, Instruction& result);

}  // namespace gfxisa::text
