// Spec text to lines of tokens. Lines carry structure in this language, so the unit is the line, with its indentation.
#pragma once
#include <string_view>
#include <vector>

#include "base/diagnostics.h"

namespace gfxisa::lang {

/// name: letters, digits, `_`, `.`, `'` and `{...}` (a list name in braces); number and real as written; punctuation: one operator.
struct Token {
  enum class Kind { name, number, real, punctuation, end };
  Kind kind = Kind::end;
  std::string_view text;
  Location at;
  bool space_before = false;
};

/// A line with something on it. `text` is the line without indentation and comment.
struct Line {
  u32 indent = 0;
  std::string_view text;
  Location at;
  std::vector<Token> tokens;   ///< without an end token
};

/// Splits a source into lines and tokens. Characters that start no token are reported and skipped.
std::vector<Line> read_lines(u32 source, const Sources& sources, Diagnostics& diagnostics);

/// True for a line whose text is prose: its tokens are not looked at.
bool is_prose_keyword(std::string_view first_word);

}  // namespace gfxisa::lang
