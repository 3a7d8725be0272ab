// Reads the spec files of a folder.
#pragma once
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/result.h"
#include "lang/syntax.h"

namespace gfxisa::gen {

/// All files below `folder` that end in `.isa`, parsed, in the order of their names. Source names are relative to the
/// folder (`scalar/bitfield.isa`). An error when the folder or a file cannot be read; mistakes in the text go to
/// `diagnostics`.
Result<std::vector<lang::File>> load_spec(const std::string& folder, Sources& sources, Diagnostics& diagnostics);

/// Names of the spec files below a folder, relative to it, in order.
Result<std::vector<std::string>> spec_names(const std::string& folder);

/// The whole text of a file.
Result<std::string> read_file(const std::string& path);

}  // namespace gfxisa::gen
