// "Did you mean": the known name nearest to a mistyped one.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace gfxisa {

/// Number of single-character insertions, deletions, replacements and swaps of neighbours between two words.
unsigned edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `name`, or an empty text when none is near enough to be what was meant.
std::string nearest(std::string_view name, const std::vector<std::string_view>& candidates);

/// `did you mean 'x'?`, or an empty text.
std::string suggestion(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace gfxisa
