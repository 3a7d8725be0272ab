// The vendor's sentence about an instruction, for `gfxisa show --descriptions`.
#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

namespace gfxisa::isa_xml {

/// The description of a form's instruction in the files that `path` stands for (see files.h), of the file for its chip;
/// empty when there is none.
Result<std::string> official_description(const std::string& path, unsigned chip, std::string_view mnemonic);

}  // namespace gfxisa::isa_xml
