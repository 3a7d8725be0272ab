// The lexer of expressions and statements: part of a line as tokens.
#pragma once
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "lang/lines.h"

namespace gfxisa::lang {

struct Token {
  enum class Kind { name, number, real, op, end };
  Kind kind = Kind::end;
  std::string_view text;
  Location at;
  u64 value = 0;
  double real = 0;
};

/// Longest expression or statement, in tokens. Bounds the depth of trees, and with it recursion over them.
inline constexpr std::size_t most_tokens = 2000;

/// Tokens of `line` from `offset` to `stop` (offsets in its text), closed by one of kind end. Characters that begin no
/// token are reported and skipped; `good` becomes false then.
std::vector<Token> tokenize(u32 source, const SourceLine& line, std::size_t offset, std::size_t stop,
                            Diagnostics& diagnostics, bool& good);

/// A whole number as the language writes it (`12`, `0x1f`, `0b101`); false when `text` is none or too large.
bool parse_number(std::string_view text, u64& value);

}  // namespace gfxisa::lang
