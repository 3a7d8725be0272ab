// The XML files that a path stands for.
#pragma once
#include <functional>
#include <string>

#include "base/result.h"

namespace gfxisa::isa_xml {

/// Calls `use` with name and content of each XML file: `path` itself, those in the folder `path`, or those in the ZIP
/// archive `path`; sorted by name. `use` returns an error to stop. Errors: unreadable, no XML file there, larger than a
/// file of this sort is.
Result<bool> for_each_file(const std::string& path,
                           const std::function<Result<bool>(std::string name, std::string text)>& use);

}  // namespace gfxisa::isa_xml
