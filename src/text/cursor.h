// A place in one line of assembly, and the smallest things one can read there.
#pragma once
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

/// A result of reading: true, or the error of the cursor says why not.
class Cursor {
 public:
  explicit Cursor(std::string_view line) : line_(line) {}

  std::size_t at() const { return at_; }
  void go_to(std::size_t at) { at_ = at; }
  std::string_view line() const { return line_; }
  std::string_view text_from(std::size_t start) const { return line_.substr(start, at_ - start); }

  void skip_spaces();
  bool at_end();
  /// The next character after spaces; NUL at the end.
  char peek();
  char peek_after(std::size_t distance) const { return at_ + distance < line_.size() ? line_[at_ + distance] : '\0'; }
  /// Takes `c` when it is next.
  bool take(char c);
  bool take(std::string_view word);
  /// The identifier that is next (letters, digits, `_`, `.`, `$`, `@`; no digit first), without taking it.
  std::string_view peek_identifier();
  std::string_view take_identifier();
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
