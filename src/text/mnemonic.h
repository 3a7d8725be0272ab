// Which forms a mnemonic may be.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "inst/instruction.h"

namespace gfxisa::text {

struct Candidate {
  u32 form;
  u16 suffix;  ///< DPP16, SDWA, ... as encodings index, or no_suffix
};

/// The forms to try for a mnemonic as written (with or without `_e32`, `_e64`, `_dpp`, `_sdwa`), the shortest first.
/// Each thread remembers what it asked for.
std::span<const Candidate> candidates_of(unsigned chip, std::string_view mnemonic);

/// Why a mnemonic is unknown: who has it, or what it is near to.
Error unknown_mnemonic(unsigned chip, std::string_view mnemonic);

}  // namespace gfxisa::text
