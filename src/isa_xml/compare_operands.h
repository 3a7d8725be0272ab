// The part of the comparison that looks at the operands of one instruction in one encoding, and at their types.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "isa_xml/compare.h"

namespace gfxisa::isa_xml {

struct Way {
  const InstructionEncoding& official;
  const std::string& mnemonic;
  const std::vector<u32>& forms;  ///< ours, which together are the vendor's one; the first is the plain one
  unsigned chip;
};

/// The vendor's type and our operand kind that meet in some operand, with the first instruction where they do.
using TypeUses = std::map<std::pair<std::string, u16>, std::string>;

/// Adds the differences of one instruction's operands; gives how many were compared.
u32 compare_operands(const Way& way, TypeUses& uses, std::vector<Difference>& out);

/// `[7:4][15:14]`, the least significant piece first.
std::string bits_text(const std::vector<Range>& ranges);

/// The values of each type against those of the kinds that stand for it, and the parts of immediates that have several.
void compare_types(const Document& document, unsigned chip, const TypeUses& uses, Comparison& out);

}  // namespace gfxisa::isa_xml
