// Reading the tokens of one line, with the errors of a parser that never gives up on a file: a mistake ends the line.
#pragma once
#include <string>

#include "lang/lexer.h"
#include "lang/syntax.h"

namespace gfxisa::lang {

class Cursor {
 public:
  Cursor(const Line& line, Diagnostics& diagnostics) : line_(&line), diagnostics_(&diagnostics) {}

  bool done() const { return next_ >= line_->tokens.size(); }
  const Token& peek(u32 ahead = 0) const;
  Token take();
  bool is(std::string_view text, u32 ahead = 0) const { return peek(ahead).text == text; }
  /// Takes the token when it is `text`.
  bool accept(std::string_view text);
  /// Takes `text` or reports what stands there instead.
  bool expect(std::string_view text);
  bool is_name(u32 ahead = 0) const { return peek(ahead).kind == Token::Kind::name; }

  /// A name, or an error that says what was wanted.
  Word name(std::string_view what);
  /// Tokens without white space between them, as one word: `gfx10+`, `gfx9-cdna1`, `_{T}`.
  Word joined_word(std::string_view what);
  /// An unsigned number.
  u64 number(std::string_view what);
  /// The rest of the line as written.
  Text rest();
  /// Reports when something is left on the line.
  void expect_end();

  Location here() const;
  const Line& line() const { return *line_; }
  void error(std::string message, std::string hint = {}) { error_at(here(), std::move(message), std::move(hint)); }
  /// At most one error a line: what follows a mistake is seldom a mistake of its own.
  void error_at(Location at, std::string message, std::string hint = {});
  bool failed() const { return failed_; }
  Diagnostics& diagnostics() { return *diagnostics_; }

 private:
  const Line* line_;
  Diagnostics* diagnostics_;
  std::size_t next_ = 0;
  bool failed_ = false;
};

/// Value of a number token (`12`, `0x1f`, `0b101`, digits may be grouped with `'`); false when it is none or does not fit.
bool parse_number(std::string_view text, u64& value);

/// expression ::= as in docs/spec-language.md, "Bodies". Never null; a mistake gives the number 0 and an error.
ExpressionPtr parse_expression(Cursor& cursor);

/// A block of statements: the lines after `first` that are indented deeper than `indent`. Advances `next` past them.
Block parse_block(const std::vector<Line>& lines, std::size_t& next, u32 indent, Diagnostics& diagnostics);

/// The set of generations up to the end of the line (or up to `:` when `stop_at_colon`).
Set parse_set(Cursor& cursor, bool stop_at_colon = false);
/// `on SET` if it is there.
Set parse_on(Cursor& cursor);

}  // namespace gfxisa::lang
