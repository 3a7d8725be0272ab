// A place in one line of assembly, and the smallest things one can read there.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/types.h"

namespace gfxisa::text {

/// What is wrong, and where in the line (from 0).
struct LineError {
  std::string message, hint;
  std::size_t at = 0, length = 1;
};

/// Kinds of characters: a table, since every character of a source is asked about.
enum : u8 { character_space = 1, character_letter = 2, character_digit = 4 };
inline constexpr std::array<u8, 256> character_kinds = [] {
  std::array<u8, 256> kinds{};
  for (const char c : {' ', '\t', '\r'}) kinds[static_cast<u8>(c)] = character_space;
  for (char c = 'a'; c <= 'z'; ++c) kinds[static_cast<u8>(c)] = kinds[static_cast<u8>(c - 32)] = character_letter;
  for (const char c : {'_', '$', '@', '.'}) kinds[static_cast<u8>(c)] = character_letter;
  for (char c = '0'; c <= '9'; ++c) kinds[static_cast<u8>(c)] = character_digit;
  return kinds;
}();
inline bool is_space(char c) { return (character_kinds[static_cast<u8>(c)] & character_space) != 0; }
inline bool is_letter(char c) { return (character_kinds[static_cast<u8>(c)] & character_letter) != 0; }
inline bool is_name_character(char c) {
  return (character_kinds[static_cast<u8>(c)] & (character_letter | character_digit)) != 0;
}

/// A result of reading: true, or the error of the cursor says why not.
class Cursor {
 public:
  explicit Cursor(std::string_view line) : line_(line) {}

  std::size_t at() const { return at_; }
  void go_to(std::size_t at) { at_ = at; }
  std::string_view line() const { return line_; }
  std::string_view text_from(std::size_t start) const { return line_.substr(start, at_ - start); }

  void skip_spaces() {
    while (at_ < line_.size() && is_space(line_[at_])) ++at_;
  }
  bool at_end() {
    skip_spaces();
    return at_ >= line_.size();
  }
  /// The next character after spaces; NUL at the end.
  char peek() {
    skip_spaces();
    return at_ < line_.size() ? line_[at_] : '\0';
  }
  char peek_after(std::size_t distance) const { return at_ + distance < line_.size() ? line_[at_ + distance] : '\0'; }
  /// Takes `c` when it is next.
  bool take(char c) {
    if (peek() != c || at_ >= line_.size()) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view word) {
    skip_spaces();
    if (!line_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  /// The identifier that is next (letters, digits, `_`, `.`, `$`, `@`; no digit first), without taking it.
  std::string_view peek_identifier() {
    skip_spaces();
    std::size_t end = at_;
    if (end >= line_.size() || !is_letter(line_[end])) return {};
    while (end < line_.size() && is_name_character(line_[end])) ++end;
    return line_.substr(at_, end - at_);
  }
  std::string_view take_identifier() {
    const std::string_view name = peek_identifier();
    at_ += name.size();
    return name;
  }
  /// The text up to a space, comma or bracket: what a message shows.
  std::string_view peek_word();

  /// Records an error unless one further on is known; always false.
  bool fail(std::size_t at, std::size_t length, std::string message, std::string hint = {});
  bool fail_here(std::string message, std::string hint = {});
  const std::optional<LineError>& error() const { return error_; }
  void clear_error() { error_.reset(); }

 private:
  std::string_view line_;
  std::size_t at_ = 0;
  std::optional<LineError> error_;
};

}  // namespace gfxisa::text
