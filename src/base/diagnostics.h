// Positions in source text, and the errors that point at them.
//
// Used for the spec language and for assembly alike, so that both print the same way:
//
//     spec/scalar/arith.isa:15:9: error: cannot shift f16
//         d = a << b
//             ^~~~~~
//     hint: integer operators refuse floats; use as_u(a)
#pragma once
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/types.h"

namespace gfxisa {

/// A range of characters in one line of one source. Lines and columns count from 1; 0 means unknown.
struct Location {
  u32 source = 0;  ///< index given by Sources::add
  u32 line = 0;
  u32 column = 0;
  u32 length = 1;
};

/// The texts that locations point into. Kept alive as long as anything refers to them.
class Sources {
 public:
  /// Takes a copy of `text`; `name` is what messages show. Returns its index.
  u32 add(std::string name, std::string text);
  const std::string& name(u32 source) const { return files_[source].name; }
  const std::string& text(u32 source) const { return files_[source].text; }
  /// Line `line` (from 1) without its end; empty when there is no such line.
  std::string_view line(u32 source, u32 line) const;

 private:
  struct File {
    std::string name;
    std::string text;
    mutable std::vector<u32> line_starts;  ///< made when first asked for: sources without mistakes do without
  };
  std::vector<File> files_;
};

/// One message at one place.
struct Diagnostic {
  Location at;
  std::string message;
  std::string hint;
  bool is_warning = false;
};

/// Collects messages, drops repeats of the same message at the same place and those after the first thousand errors or
/// warnings, prints them.
class Diagnostics {
 public:
  explicit Diagnostics(const Sources& sources) : sources_(&sources) {}
  void error(Location at, std::string message, std::string hint = {});
  /// What is odd and taken all the same.
  void warning(Location at, std::string message, std::string hint = {});
  bool has_errors() const { return errors_ != 0; }
  std::size_t error_count() const { return errors_; }
  const std::vector<Diagnostic>& list() const { return list_; }
  /// All messages in the form shown at the head of this file. `colour` adds terminal escapes.
  std::string text(bool colour = false) const;

 private:
  void add(Diagnostic diagnostic, std::size_t& count);

  const Sources* sources_;
  std::vector<Diagnostic> list_;
  std::size_t errors_ = 0, warnings_ = 0;
  std::unordered_set<std::string> seen_;
};

}  // namespace gfxisa
