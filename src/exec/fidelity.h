// Which instructions ran whose results may differ from the hardware's: the spec says of each what is not exact.
#pragma once
#include <string>
#include <vector>

#include "base/types.h"
#include "exec/step.h"

namespace gfxisa::exec {

/// A step before an approximate instruction: remembers that it ran; immediate 0 is the number of its instruction.
const Step* note_approximate(Wave& wave, const Step* step);

/// Instructions, as numbers in tables().instructions, of which note_approximate has heard in this process.
std::vector<u32> approximate_instructions();

/// What is to be said after a run, a line each: what was not exact in this process, and which descriptors were odd.
std::vector<std::string> run_notes();

}  // namespace gfxisa::exec
