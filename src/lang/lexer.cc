#include "lang/lexer.h"

#include <algorithm>
#include <array>
#include <string>

namespace gfxisa::lang {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '{'; }
bool is_name_part(char c) { return is_name_start(c) || is_digit(c) || c == '.' || c == '\'' || c == '}'; }
bool is_number_part(char c) { return is_digit(c) || is_name_start(c); }

/// Tokens of one line.
class LineLexer {
 public:
  LineLexer(std::string_view text, Location at) : text_(text), at_(at) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    bool space = false;
    while (position_ < text_.size()) {
      const char c = text_[position_];
      if (c == ' ' || c == '\t') {
        space = true;
        ++position_;
        continue;
      }
      Token token;
      const std::size_t start = position_;
      token.kind = take(c);
      token.text = text_.substr(start, position_ - start);
      token.at = place(start, position_ - start);
      token.space_before = space;
      space = false;
      tokens.push_back(token);
    }
    return tokens;
  }

 private:
  Location place(std::size_t start, std::size_t length) const {
    return {at_.source, at_.line, at_.column + static_cast<u32>(start), static_cast<u32>(std::max<std::size_t>(length, 1))};
  }

  Token::Kind take(char c) {
    if (is_digit(c)) return take_number();
    if (is_name_start(c)) {
      while (position_ < text_.size() && is_name_part(text_[position_]) && !at_range()) ++position_;
      return Token::Kind::name;
    }
    static constexpr std::array<std::string_view, 9> pairs = {"==", "!=", "<=", ">=", "<<", ">>", "&&", "||", ".."};
    for (const auto pair : pairs) {
      if (text_.substr(position_, 2) == pair) {
        position_ += 2;
        return Token::Kind::punctuation;
      }
    }
    // Any other character is an operator of one character; the parser says where it does not fit (prose may hold any).
    ++position_;
    while (position_ < text_.size() && (text_[position_] & 0xc0) == 0x80) ++position_;  // rest of a UTF-8 character
    return Token::Kind::punctuation;
  }

  bool at_range() const { return text_.substr(position_, 2) == ".."; }

  Token::Kind take_number() {
    bool real = false;
    while (position_ < text_.size()) {
      const char c = text_[position_];
      const bool point = c == '.' && !at_range() && position_ + 1 < text_.size() && is_digit(text_[position_ + 1]);
      if (point) real = true;
      if (!point && !is_number_part(c)) break;
      ++position_;
    }
    return real ? Token::Kind::real : Token::Kind::number;
  }

  std::string_view text_;
  Location at_;
  std::size_t position_ = 0;
};

std::string_view trim_right(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

}  // namespace

bool is_prose_keyword(std::string_view word) {
  static constexpr std::array<std::string_view, 10> words = {"about", "describe", "note",    "open",  "ptx", "title", "manual",
                                                             "topic", "fidelity", "example"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<Line> read_lines(u32 source, const Sources& sources, Diagnostics& diagnostics) {
  std::vector<Line> lines;
  const std::string_view text = sources.text(source);
  u32 number = 0;
  for (std::size_t start = 0; start < text.size();) {
    ++number;
    const std::size_t stop = std::min(text.find('\n', start), text.size());
    std::string_view line = text.substr(start, stop - start);
    start = stop + 1;
    if (const auto comment = line.find("//"); comment != std::string_view::npos) line = line.substr(0, comment);
    line = trim_right(line);
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    if (indent == line.size()) continue;
    Line out;
    out.indent = static_cast<u32>(indent);
    out.text = line.substr(indent);
    out.at = {source, number, static_cast<u32>(indent) + 1, static_cast<u32>(out.text.size())};
    if (out.text.front() == '\t') {
      diagnostics.error({source, number, static_cast<u32>(indent) + 1, 1}, "a tab in the indentation", "indent by two spaces");
      continue;
    }
    const std::string_view first = out.text.substr(0, out.text.find(' '));
    if (is_prose_keyword(first)) {
      Token word;
      word.kind = Token::Kind::name;
      word.text = first;
      word.at = {source, number, out.at.column, static_cast<u32>(first.size())};
      out.tokens.push_back(word);
    } else {
      out.tokens = LineLexer(out.text, out.at).run();
      if (out.tokens.empty()) continue;
    }
    lines.push_back(std::move(out));
  }
  return lines;
}

}  // namespace gfxisa::lang
