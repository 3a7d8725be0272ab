// Parses expressions and the statements of one line from tokens.
#pragma once
#include <vector>

#include "lang/syntax.h"
#include "lang/tokens.h"

namespace gfxisa::lang {

/// A cursor over the tokens of one line. Each parse function reports at most one error, gives nullptr then, and leaves
/// the rest of the line unread; `failed()` stays true.
class ExpressionParser {
 public:
  /// Reads `line` from `offset` to `stop`.
  ExpressionParser(u32 source, const SourceLine& line, std::size_t offset, std::size_t stop, Diagnostics& diagnostics);

  ExpressionPtr expression();
  /// Takes the token when it is this operator or word.
  bool accept(std::string_view text);
  bool expect(std::string_view text, std::string_view hint = {});
  /// Takes a name; an empty word after an error.
  Word name(std::string_view what);
  bool at_end() const { return tokens_[at_].kind == Token::Kind::end; }
  /// Reports what follows unless the line ends here.
  bool expect_end();
  bool failed() const { return failed_; }
  const Token& peek() const { return tokens_[at_]; }
  void fail(Location at, std::string message, std::string hint = {});

 private:
  ExpressionPtr binary(int weakest);
  ExpressionPtr unary();
  ExpressionPtr postfix();
  ExpressionPtr brackets(ExpressionPtr base);
  ExpressionPtr call(ExpressionPtr callee);
  ExpressionPtr primary();
  ExpressionPtr made(Expression::Kind kind, Location first, std::string text) const;
  /// Stretches the node's place to the last token taken.
  void close(Expression& node) const;
  std::string found() const;

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
  bool failed_ = false;
  Diagnostics* diagnostics_;
};

}  // namespace gfxisa::lang
