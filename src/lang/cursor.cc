#include "lang/cursor.h"

namespace gfxisa::lang {

const Token& Cursor::peek(u32 ahead) const {
  static const Token end;
  return next_ + ahead < line_->tokens.size() ? line_->tokens[next_ + ahead] : end;
}

Token Cursor::take() {
  const Token token = peek();
  if (!done()) ++next_;
  return token;
}

bool Cursor::accept(std::string_view text) {
  if (done() || !is(text)) return false;
  ++next_;
  return true;
}

Location Cursor::here() const {
  if (!done()) return peek().at;
  Location end = line_->at;
  end.column += line_->at.length;
  end.length = 1;
  return end;
}

void Cursor::error_at(Location at, std::string message, std::string hint) {
  if (!failed_) diagnostics_->error(at, std::move(message), std::move(hint));
  failed_ = true;
}

bool Cursor::expect(std::string_view text) {
  if (accept(text)) return true;
  const std::string found = done() ? "the end of the line" : "'" + std::string(peek().text) + "'";
  error("expected '" + std::string(text) + "', found " + found);
  return false;
}

Word Cursor::name(std::string_view what) {
  if (is_name()) {
    const Token token = take();
    return {std::string(token.text), token.at};
  }
  const std::string found = done() ? "the end of the line" : "'" + std::string(peek().text) + "'";
  error("expected " + std::string(what) + ", found " + found);
  return {"", here()};
}

Word Cursor::joined_word(std::string_view what) {
  if (done()) {
    error("expected " + std::string(what) + ", found the end of the line");
    return {"", here()};
  }
  const Token first = take();
  Word word{std::string(first.text), first.at};
  while (!done() && !peek().space_before && !is(",") && !is(":")) word.text += take().text;
  word.at.length = static_cast<u32>(word.text.size());
  return word;
}

u64 Cursor::number(std::string_view what) {
  u64 value = 0;
  if (!done() && peek().kind == Token::Kind::number && parse_number(peek().text, value)) {
    take();
    return value;
  }
  const std::string found = done() ? "the end of the line" : "'" + std::string(peek().text) + "'";
  error("expected " + std::string(what) + ", found " + found);
  return 0;
}

Text Cursor::rest() {
  Text text{"", here()};
  const std::size_t start = text.at.column - line_->at.column;
  if (start < line_->text.size()) text.text = line_->text.substr(start);
  next_ = line_->tokens.size();
  return text;
}

void Cursor::expect_end() {
  if (!done()) error("unexpected '" + std::string(peek().text) + "'");
}

bool parse_number(std::string_view text, u64& value) {
  u32 base = 10;
  if (text.starts_with("0x")) base = 16;
  if (text.starts_with("0b")) base = 2;
  if (base != 10) text.remove_prefix(2);
  value = 0;
  bool any = false;
  for (const char c : text) {
    if (c == '\'') continue;
    const u32 digit = c >= '0' && c <= '9'   ? static_cast<u32>(c - '0')
                      : c >= 'a' && c <= 'f' ? static_cast<u32>(c - 'a' + 10)
                      : c >= 'A' && c <= 'F' ? static_cast<u32>(c - 'A' + 10)
                                             : 99;
    if (digit >= base || value > (~u64{0} - digit) / base) return false;
    value = value * base + digit;
    any = true;
  }
  return any;
}

Set parse_set(Cursor& cursor, bool stop_at_colon) {
  Set set;
  while (!cursor.done() && !(stop_at_colon && cursor.is(":"))) {
    if (cursor.accept(",")) continue;
    if (!cursor.is_name()) {
      cursor.error("expected a generation, found '" + std::string(cursor.peek().text) + "'", "a chip, an epoch, or an epoch and later: gfx10+");
      return set;
    }
    set.items.push_back(cursor.joined_word("a generation"));
  }
  return set;
}

Set parse_on(Cursor& cursor) {
  if (!cursor.accept("on")) return {};
  Set set = parse_set(cursor);
  if (set.empty()) cursor.error("expected generations after 'on'");
  return set;
}

}  // namespace gfxisa::lang
