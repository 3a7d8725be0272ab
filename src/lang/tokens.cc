#include "lang/tokens.h"

#include <cctype>
#include <charconv>
#include <string>

namespace gfxisa::lang {

namespace {

bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '{'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_part(char c) { return is_name_start(c) || is_digit(c) || c == '\''; }

// A name may hold list names in braces, and dots before further names: `lds.load.{T}`. Two dots are a range.
std::size_t name_length(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '{') {
      const std::size_t close = text.find('}', at);
      if (close == std::string_view::npos) return at;
      at = close + 1;
    } else if (is_name_part(text[at])) {
      ++at;
    } else if (text[at] == '.' && at + 1 < text.size() && is_name_start(text[at + 1])) {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

std::size_t number_length(std::string_view text, bool& is_real) {
  std::size_t at = 0;
  while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0)) ++at;
  const bool prefixed = text.size() > 1 && text[0] == '0' && std::isalpha(static_cast<unsigned char>(text[1])) != 0;
  is_real = !prefixed && at + 1 < text.size() && text[at] == '.' && is_digit(text[at + 1]);
  if (!is_real) return at;
  ++at;
  while (at < text.size() && is_digit(text[at])) ++at;
  if (at < text.size() && text[at] == 'e') {
    std::size_t digits = at + 1;
    if (digits < text.size() && (text[digits] == '-' || text[digits] == '+')) ++digits;
    if (digits < text.size() && is_digit(text[digits])) {
      at = digits;
      while (at < text.size() && is_digit(text[at])) ++at;
    }
  }
  return at;
}

std::size_t operator_length(std::string_view text) {
  for (const std::string_view two : {"==", "!=", "<=", ">=", "<<", ">>", "&&", "||", ".."}) {
    if (text.substr(0, 2) == two) return 2;
  }
  return std::string_view("+-*/%&|^~!<>?:=()[],").find(text[0]) == std::string_view::npos ? 0 : 1;
}

class Lexer {
 public:
  Lexer(u32 source, const SourceLine& line, Diagnostics& diagnostics, bool& good)
      : source_(source), line_(line), diagnostics_(diagnostics), good_(good) {}

  Token token(std::size_t at, std::string_view left) {
    if (is_digit(left[0])) return number(at, left);
    if (is_name_start(left[0])) {
      const std::size_t length = name_length(left);
      if (length != 0) return made(Token::Kind::name, at, left.substr(0, length));
      fail(at, 1, "a brace that is not closed", "write a list's name as {T}");
      return made(Token::Kind::end, at, left.substr(0, 1));
    }
    const std::size_t length = operator_length(left);
    if (length != 0) return made(Token::Kind::op, at, left.substr(0, length));
    const bool printable = left[0] > ' ' && left[0] < 127;
    fail(at, 1, printable ? "unexpected character '" + std::string(left.substr(0, 1)) + "'" : "unexpected character");
    return made(Token::Kind::end, at, left.substr(0, 1));
  }

  void fail(std::size_t at, std::size_t length, std::string message, std::string hint = {}) {
    good_ = false;
    diagnostics_.error(place(at, length), std::move(message), std::move(hint));
  }

  Token made(Token::Kind kind, std::size_t at, std::string_view text) const {
    return {kind, text, place(at, text.size()), 0, 0};
  }

 private:
  Location place(std::size_t at, std::size_t length) const {
    return {source_, line_.number, static_cast<u32>(line_.indent + at + 1), static_cast<u32>(length)};
  }

  Token number(std::size_t at, std::string_view left) {
    bool is_real = false;
    Token token = made(Token::Kind::number, at, left.substr(0, number_length(left, is_real)));
    if (is_real) {
      token.kind = Token::Kind::real;
      const auto parsed = std::from_chars(token.text.data(), token.text.data() + token.text.size(), token.real);
      if (parsed.ec != std::errc() || parsed.ptr != token.text.data() + token.text.size()) {
        fail(at, token.text.size(), "'" + std::string(token.text) + "' is no number");
      }
    } else if (!parse_number(token.text, token.value)) {
      fail(at, token.text.size(), "'" + std::string(token.text) + "' is no number of at most 64 bits",
           "numbers are written 12, 0x1f, 0b101 or 0.5");
    }
    return token;
  }

  u32 source_;
  const SourceLine& line_;
  Diagnostics& diagnostics_;
  bool& good_;
};

}  // namespace

bool parse_number(std::string_view text, u64& value) {
  int base = 10;
  if (text.substr(0, 2) == "0x") base = 16;
  if (text.substr(0, 2) == "0b") base = 2;
  if (base != 10) text.remove_prefix(2);
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return !text.empty() && parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
}

std::vector<Token> tokenize(u32 source, const SourceLine& line, std::size_t offset, std::size_t stop,
                            Diagnostics& diagnostics, bool& good) {
  Lexer lexer(source, line, diagnostics, good);
  std::vector<Token> tokens;
  for (std::size_t at = offset; at < stop;) {
    if (line.text[at] == ' ') {
      ++at;
      continue;
    }
    if (tokens.size() >= most_tokens) {
      lexer.fail(at, 1, "the line is too long", "name parts of it with let");
      break;
    }
    const Token token = lexer.token(at, line.text.substr(at, stop - at));
    if (token.kind != Token::Kind::end) tokens.push_back(token);
    at += token.text.size();
  }
  tokens.push_back(lexer.made(Token::Kind::end, stop, {}));
  tokens.back().at.length = 1;
  return tokens;
}

}  // namespace gfxisa::lang
