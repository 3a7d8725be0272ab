// An example line executed: registers and memory are given values, the engine runs it, and what it left is read.
#pragma once
#include <string_view>

#include "doc/page.h"
#include "inst/tables.h"

namespace gfxisa {

/// The run of `line` on `chip`; `why_not` says why there is none.
PageRun run_example(unsigned chip, std::string_view line, const InstructionRow& row);

}  // namespace gfxisa
