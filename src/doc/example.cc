#include "doc/example.h"

#include <algorithm>

#include "doc/compare.h"
#include "inst/instruction.h"
#include "text/assemble.h"
#include "text/disassemble.h"

namespace gfxisa {
namespace {

const Tables& all() { return tables(); }

constexpr bool has_class(u16 classes, CodeClass cls) { return classes >> static_cast<unsigned>(cls) & 1; }

/// Hands out registers of each file from 0 up, aligned as their width wants, so that no two operands overlap.
class RegisterPicker {
 public:
  u32 scalar(unsigned registers) { return pick(next_scalar_, registers, std::min(registers, 4u)); }
  u32 vector(unsigned registers) { return pick(next_vector_, registers, registers > 1 ? 2 : 1); }

 private:
  static u32 pick(u32& next, unsigned registers, unsigned alignment) {
    if (alignment == 3) alignment = 4;
    next = (next + alignment - 1) / alignment * alignment;
    const u32 first = next;
    next += registers;
    return first;
  }
  u32 next_scalar_ = 0, next_vector_ = 0;
};

unsigned default_wave_size(unsigned chip) { return all().chips[chip].waves & 1 ? 32 : 64; }

/// A plausible value for an operand field, or false when the kind holds no register.
bool plausible_code(const OperandRow& operand, const SlotRow& slot, unsigned chip, RegisterPicker& picker, u64& value) {
  if (slot.access == Access::imm) {
    value = 0;
    return true;
  }
  if (operand.kind == no_kind) return false;
  const OperandKindRow& kind = all().operand_kinds[operand.kind];
  const unsigned bits = slot.bits == 0 ? default_wave_size(chip) : slot.bits;
  const unsigned registers = std::max(1u, (bits + 31) / 32);
  if (has_class(kind.classes, CodeClass::vgpr)) {
    value = picker.vector(registers) + 256 - kind.offset;
  } else if (has_class(kind.classes, CodeClass::sgpr)) {
    value = picker.scalar(registers);
  } else if (has_class(kind.classes, CodeClass::integer)) {
    value = 128;
  } else {
    return false;
  }
  return true;
}

bool fill_fields(Instruction& instruction, unsigned chip) {
  const FormRow& form = instruction.form_row();
  const EncodingRow& encoding = instruction.encoding();
  for (u32 i = 0; i < encoding.field_count; ++i) {
    const FieldRow& field = all().fields[encoding.first_field + i];
    if (field.role == FieldRole::modifier) instruction.set_bits(field.low, field.width, field.constant);
  }
  RegisterPicker picker;
  const InstructionRow& row = instruction.row();
  for (u32 i = 0; i < form.operand_count; ++i) {
    const OperandRow& operand = all().operands[form.first_operand + i];
    if (operand.field == 0xff) continue;
    u64 value = 0;
    if (!plausible_code(operand, all().slots[row.first_slot + operand.slot], chip, picker, value)) return false;
    const FieldRow& field = all().fields[encoding.first_field + operand.field];
    instruction.set_bits(field.low, field.width, value);
  }
  return true;
}

bool assembles(unsigned chip, std::string_view line) { return static_cast<bool>(assemble_line(chip, line)); }

}  // namespace

std::string example_text(unsigned chip, u32 form_index) {
  Instruction instruction;
  instruction.form = form_index;
  instruction.chip = static_cast<u8>(chip);
  const InstructionRow& row = instruction.row();
  for (u32 i = 0; i < row.example_count; ++i) {
    const std::string own(all().text(all().texts[row.first_example + i]));
    if (assembles(chip, own)) return own;
  }
  const auto words = identifier_words(instruction.form_row());
  std::copy(words.begin(), words.end(), instruction.words.begin());
  instruction.size = static_cast<u8>(words.size() * 4);
  if (!fill_fields(instruction, chip)) return {};
  return to_text(instruction);
}

}  // namespace gfxisa
