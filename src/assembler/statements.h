// The statements of a source one after the other: lines without comments, macros and repetitions expanded, what
// conditions leave out left out.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostics.h"
#include "text/cursor.h"

namespace gfxisa::assembler {

struct Macro {
  struct Parameter {
    std::string name, standard;
    bool is_required = false, takes_rest = false;
  };
  std::string name;
  std::vector<Parameter> parameters;
  std::string body;
  u32 source = 0, line = 0;  ///< of the body's first line
};

/// Text that is being read: a file, or an expansion that stands for lines of a file.
struct Buffer {
  std::shared_ptr<const std::string> owner;  ///< of expansions
  std::string_view text;
  std::size_t at = 0;
  u32 source = 0, first_line = 1, line = 1;  ///< where in a file it stands; `line` is that of `at`
  std::string expands;                       ///< what it is an expansion of; empty: the file itself
  u32 call_line = 0;
  std::size_t conditions = 0;               ///< open conditions when it began
  u64 repetitions = 0;                      ///< still to come
  std::function<bool(Buffer&)> next_round;  ///< sets the text of the next round; false when there is none
};

class StatementReader {
 public:
  StatementReader(u32 source, const Sources& sources, Diagnostics& diagnostics);

  /// The next line that says something, without its comment; false at the end.
  bool next(std::string_view& statement);
  /// The line of the file that is next, as it stands there: what is known to be a statement need not be looked through
  /// for comments. Empty where lines do not count or are not the file's.
  std::string_view peek_line() const;
  /// Takes such a line, which is a statement, as `next` would.
  void take_line(std::string_view line);

  /// Reports an error in the statement read last.
  void report(const text::LineError& error);
  /// Likewise something odd that is taken all the same.
  void warn(const text::LineError& warning);
  /// Where a part of it stands.
  Location locate(std::size_t at, std::size_t length) const;

  // Macros and repetitions. Each reads its body from here; false: the error is reported.
  bool define_macro(text::Cursor& cursor);
  bool call_macro(const Macro& macro, text::Cursor& cursor);
  const Macro* find_macro(std::string_view name) const;
  bool remove_macro(std::string_view name) { return macros_.erase(std::string(name)) != 0; }
  bool repeat(i64 count);
  bool repeat_for(text::Cursor& cursor, bool each_character);
  bool leave_macro();
  bool include(u32 source);
  void stop();

  // Conditions. `begin_condition` while statements count; the others take care of themselves.
  void begin_condition(bool holds);
  /// `.elseif`: whether its condition must be looked at; then `decide` follows.
  bool else_if();
  void decide(bool holds) { conditions_.back().is_active = conditions_.back().was_taken = holds; }
  void otherwise();
  void end_condition();

  /// Raw lines up to one that starts with `end`, without it. False: there is none.
  bool raw_lines(std::string_view end, std::string& lines, u32& first_line);
  bool is_expansion() const { return buffers_.back().expands.size() != 0; }

 private:
  std::string in_context(const text::LineError& error) const;

  struct Condition {
    bool is_active, was_taken, was_reading, had_else = false;
    Location at;
  };

  bool next_line(std::string_view& line);
  bool finish_buffer();
  std::string_view scan_line(Buffer& buffer);
  std::string_view scan_with_comments(Buffer& buffer, std::size_t start);
  bool is_reading() const { return conditions_.empty() || conditions_.back().is_active; }
  void skip(std::string_view line);
  bool read_body(std::string_view what, std::initializer_list<std::string_view> begins,
                 std::initializer_list<std::string_view> ends, std::string& body, u32& line);
  bool push(Buffer buffer);
  bool read_arguments(const Macro& macro, text::Cursor& cursor, std::vector<std::string>& values);
  std::string expanded(std::string_view body, const std::vector<Macro::Parameter>& parameters,
                       const std::vector<std::string>& values) const;
  void fail(std::string message, std::string hint = {});

  const Sources& sources_;
  Diagnostics& diagnostics_;
  std::vector<Buffer> buffers_;
  std::vector<Condition> conditions_;
  std::unordered_map<std::string, Macro> macros_;
  std::string_view statement_;
  std::string joined_;  ///< of a statement over several lines or with comments in between
  u32 statement_line_ = 0;
  u64 expanded_lines_ = 0, macro_calls_ = 0;
};

}  // namespace gfxisa::assembler
