// An example line of assembly for a form.
#pragma once
#include <string>
#include <string_view>

#include "base/types.h"

namespace gfxisa {

/// The family's own example when it has one for this chip that assembles; else a line with plausible operands, made by
/// encoding them and printing the result, so that it assembles. Empty when the form's encoding cannot hold such
/// operands.
std::string example_text(unsigned chip, u32 form);
/// Why a form has no example: another form has its text, or none can have it.
std::string why_no_example(unsigned chip, u32 form);

/// A line like `example` with suffix `suffix` (index in encodings): DPP, SDWA, a literal. Empty when none was found
/// that assembles to that.
std::string suffix_example(unsigned chip, std::string_view example, u32 suffix);

}  // namespace gfxisa
