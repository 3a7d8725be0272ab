// Reading what a command is given: a file, or standard input for `-` and for none.
#pragma once
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gfxisa::cli {

/// The whole of a file, or of standard input for `-` and the empty name.
Result<std::string> read_input(const std::string& name);

using InputFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// The lines of such a file, a part of it in memory at a time, so that a pipe's lines are answered as they come.
class LineReader {
 public:
  /// `before_waiting` is called each time before more is read.
  static Result<LineReader> open(const std::string& name, std::function<void()> before_waiting);

  /// The next line, without its end; valid until the next call. False at the end, or where reading failed.
  bool next(std::string_view& line);
  /// Why reading failed; empty: it did not.
  const std::string& failure() const { return failure_; }

 private:
  LineReader(InputFile file, std::string name, std::function<void()> before_waiting);
  bool read_more();

  InputFile file_;
  std::string name_, failure_;
  std::function<void()> before_waiting_;
  std::vector<char> block_;       ///< its last bytes are only looked at: see find_line_end
  std::size_t at_ = 0, end_ = 0;  ///< what of the block is still to be given
  bool is_at_end_ = false;
};

}  // namespace gfxisa::cli
