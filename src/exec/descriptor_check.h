// Buffer descriptors that look as if they were made for another generation: hardware takes them as they are, and reads
// zeros or beyond the buffer without a word.
#pragma once
#include <string>

#include "base/types.h"
#include "exec/step.h"

namespace gfxisa::exec {

/// How a chip's descriptors are checked; none on CDNA 5, whose layout is of its own.
enum class DescriptorCheck : u8 { none, gfx9, gfx10_up };
DescriptorCheck descriptor_check_of(unsigned chip);

/// A step before an instruction with a descriptor, which is input 0; immediate 0 is the check. Remembers what it found.
const Step* check_descriptor(Wave& wave, const Step* step);

/// What was found in this process, as one line; empty when nothing was.
std::string descriptor_text();

}  // namespace gfxisa::exec
