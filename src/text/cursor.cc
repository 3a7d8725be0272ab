#include "text/cursor.h"

namespace gfxisa::text {

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
