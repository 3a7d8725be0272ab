// What changed from one generation to another, as a list of instructions or for one instruction.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/types.h"

namespace gfxisa {

struct DiffItem {
  std::string mnemonic;      ///< on the second generation; of a removed instruction on the first
  std::string old_mnemonic;  ///< renamed instructions
  std::vector<std::string> changes;
};

struct Diff {
  unsigned from, to;
  std::vector<DiffItem> added, removed, renamed, encoded, semantics, operands;
  u32 same = 0;  ///< instructions that are the same in every way
};
Diff diff_chips(unsigned from, unsigned to);

std::string render_text(const Diff& diff);
std::string render_json(const Diff& diff);

/// One instruction on two generations side by side; an error when neither has it.
Result<std::string> diff_text(std::string_view mnemonic, unsigned from, unsigned to, unsigned width);
Result<std::string> diff_json(std::string_view mnemonic, unsigned from, unsigned to);

}  // namespace gfxisa
