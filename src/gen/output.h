// Where generated files go. A file is written only when its text changed, so that an unchanged one is not compiled
// again.
#pragma once
#include <set>
#include <string>
#include <utility>

#include "base/result.h"
#include "base/types.h"

namespace gfxisa::gen {

class OutputFolder {
 public:
  /// `path` is created when it is missing.
  explicit OutputFolder(std::string path) : path_(std::move(path)) {}

  /// Writes `text` to `name` (no folders in it). A failure is kept for error().
  void write(const std::string& name, const std::string& text);

  const std::string& path() const { return path_; }
  /// Names given to write() so far.
  const std::set<std::string>& names() const { return names_; }
  /// How many files had another text before, or were missing.
  u32 changed() const { return changed_; }
  /// The first failure, or an empty message.
  const Error& error() const { return error_; }

 private:
  std::string path_;
  std::set<std::string> names_;
  u32 changed_ = 0;
  Error error_;
};

}  // namespace gfxisa::gen
