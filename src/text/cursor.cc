#include "text/cursor.h"

namespace gfxisa::text {

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '@' || c == '.';
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

void Cursor::skip_spaces() {
  while (at_ < line_.size() && is_space(line_[at_])) ++at_;
}

bool Cursor::at_end() {
  skip_spaces();
  return at_ >= line_.size();
}

char Cursor::peek() {
  skip_spaces();
  return at_ < line_.size() ? line_[at_] : '\0';
}

bool Cursor::take(char c) {
  if (peek() != c) return false;
  ++at_;
  return true;
}

bool Cursor::take(std::string_view word) {
  skip_spaces();
  if (!line_.substr(at_).starts_with(word)) return false;
  at_ += word.size();
  return true;
}

std::string_view Cursor::peek_identifier() {
  skip_spaces();
  std::size_t end = at_;
  if (end >= line_.size() || !is_letter(line_[end])) return {};
  while (end < line_.size() && (is_letter(line_[end]) || is_digit(line_[end]))) ++end;
  return line_.substr(at_, end - at_);
}

std::string_view Cursor::take_identifier() {
  const std::string_view name = peek_identifier();
  at_ += name.size();
  return name;
}

std::string_view Cursor::peek_word() {
  skip_spaces();
  std::size_t end = at_;
  while (end < line_.size() && !is_space(line_[end]) && line_[end] != ',') ++end;
  return line_.substr(at_, end - at_);
}

bool Cursor::fail(std::size_t at, std::size_t length, std::string message, std::string hint) {
  if (!error_ || at > error_->at) error_ = LineError{std::move(message), std::move(hint), at, length == 0 ? 1 : length};
  return false;
}

bool Cursor::fail_here(std::string message, std::string hint) {
  const std::size_t length = peek_word().size();
  return fail(at_, length, std::move(message), std::move(hint));
}

}  // namespace gfxisa::text
