#include "text/pair.h"

#include <algorithm>

#include "codec/decode.h"

namespace gfxisa::text {

namespace {

/// Whether a field belongs to the instruction itself and not to its partner.
bool is_own(const FieldRow& field) {
  const bool is_partners = field.style == Style::none || field.style == Style::first || field.style == Style::second;
  return field.role != FieldRole::modifier || !is_partners;
}

bool keeps_own_bits(const Instruction& half, const Instruction& both) {
  for (const FieldRow& field : fields_of(half.encoding())) {
    if (is_own(field) && half.bits(field.low, field.width) != both.bits(field.low, field.width)) return false;
  }
  return true;
}

}  // namespace

std::optional<Instruction> joined(const Instruction& first, const Instruction& second) {
  Instruction both = first;
  both.size = std::max(first.size, second.size);
  for (unsigned word = 0; word < max_words; ++word) both.words[word] |= second.words[word];
  const bool share_a_constant = first.size == second.size && first.size > first.encoding().bits / 8u;
  if (share_a_constant && first.words[first.size / 4u - 1] != second.words[first.size / 4u - 1]) return {};
  if (!keeps_own_bits(first, both) || !keeps_own_bits(second, both)) return {};
  const Decoded decoded = decode(both.chip, {reinterpret_cast<const u8*>(both.words.data()), both.size});
  if (!decoded || decoded.instruction.form != first.form || decoded.instruction.size != both.size) return {};
  const std::optional<Instruction> other = second_of(decoded.instruction);
  if (!other || other->form != second.form) return {};
  return decoded.instruction;
}

}  // namespace gfxisa::text
