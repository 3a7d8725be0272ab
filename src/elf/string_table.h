// The string table of an ELF file; names that are the end of another share its bytes.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/types.h"

namespace gfxisa {

class StringTable {
 public:
  void add(std::string_view name);
  /// Lays the names out; afterwards `offset` answers.
  void finish();
  u32 offset(std::string_view name) const;
  const std::string& bytes() const { return bytes_; }

 private:
  std::unordered_map<std::string, u32> offsets_;
  std::string bytes_;
};

}  // namespace gfxisa
