// The notation of data/*.ref: blocks of a head line and indented lines `WORD REST`, as in spec/, `//` before comments.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace gfxisa {

struct ReferenceLine {
  std::string_view word, rest;
  u32 number;
};
struct ReferenceBlock {
  std::string_view kind;  ///< first word of the head: counter, ptx
  std::string_view name;  ///< its second word
  std::string_view set;   ///< what follows `on`; empty for all generations
  std::vector<ReferenceLine> lines;
  u32 number;

  /// Lines of one word joined by a space.
  std::string text(std::string_view word) const;
};
std::vector<ReferenceBlock> parse_reference(std::string_view text);

/// The text with each block that has lines `for LETTER: VALUE...` once for each of their values, which stand in it for
/// `{LETTER}`, and the columns of `VALUE:COLUMN:...` for `{LETTER'}`, `{LETTER''}`; a column `-` is empty. As in spec/.
std::string expand_reference(std::string_view text);

std::vector<std::string_view> split_words(std::string_view text);
/// One bit a chip of a set of chips and epochs; `unknown` gets a name that is none.
u16 chips_of_set(std::string_view set, std::string_view* unknown = nullptr);

/// `*` stands for any run of characters, `?` for one; letters' case does not matter.
bool matches_pattern(std::string_view pattern, std::string_view text);
bool matches_any(std::string_view patterns, std::string_view text);

}  // namespace gfxisa
