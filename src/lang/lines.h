// A spec file as lines with their indentation, and the reader of one line's words.
#pragma once
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "lang/syntax.h"

namespace gfxisa::lang {

/// One line that holds more than blanks and a comment.
struct SourceLine {
  u32 number = 0;
  u32 indent = 0;
  std::string_view text;  ///< without indentation, comment and blanks at the end
};

/// Where a comment starts: at `//` that begins the line or follows a blank. The length of the line when there is none.
std::size_t comment_start(std::string_view line);

/// The lines of a source; reports tabs.
std::vector<SourceLine> split_lines(u32 source, const Sources& sources, Diagnostics& diagnostics);

/// Reads a line word by word. Words are separated by blanks.
class LineReader {
 public:
  LineReader(u32 source, const SourceLine& line) : source_(source), line_(&line) { skip_blanks(); }

  bool at_end() const { return at_ >= end_; }
  /// Next word without taking it; empty at the end.
  std::string_view peek() const;
  /// Takes the next word; an empty one at the end.
  Word next();
  /// Takes all that is left.
  Text rest();
  /// Leaves the last `on SET` to the caller: cuts it off and gives its items. Empty when the line has none.
  Set take_on();
  /// Place of the next word, or just behind the line.
  Location here() const;
  /// Offset of the next word in text(), and the text up to the cut.
  std::size_t offset() const { return at_; }
  std::string_view text() const { return line_->text.substr(0, end_); }
  const SourceLine& line() const { return *line_; }

 private:
  void skip_blanks();

  u32 source_;
  const SourceLine* line_;
  std::size_t at_ = 0;
  std::size_t end_ = line_->text.size();
};

}  // namespace gfxisa::lang
