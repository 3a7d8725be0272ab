#include "text/memory_text.h"

#include <vector>

#include "inst/registers.h"

namespace gfxisa::text {

namespace {

bool has_slot(const FormRow& form, std::string_view name) {
  const Tables& all = tables();
  for (unsigned i = 0; i < form.operand_count; ++i) {
    const OperandRow& operand = all.operands[form.first_operand + i];
    if (all.text(all.slots[all.instructions[form.instruction].first_slot + operand.slot].name) == name) return true;
  }
  return false;
}

/// Whether a register gets the old value of an atomic when that is asked for.
bool has_returned_slot(const FormRow& form) {
  const Tables& all = tables();
  for (const OperandRow& operand : all.operands.subspan(form.first_operand, form.operand_count)) {
    if (all.slots[all.instructions[form.instruction].first_slot + operand.slot].is_returned) return true;
  }
  return false;
}

u64 field_or(const Instruction& instruction, std::string_view name, u64 otherwise) {
  const FieldRow* field = find_field(instruction.encoding(), name);
  return field == nullptr ? otherwise : instruction.bits(field->low, field->width);
}

std::string atomic_hint(u64 hint, u64 scope) {
  const bool is_return = (hint & 1) != 0, is_temporal = (hint & 2) == 0;
  if ((hint & 4) != 0) {
    if (scope < 2) return "TH_ATOMIC_0x" + std::to_string(hint);
    return is_temporal ? "TH_ATOMIC_CASCADE_RT" : "TH_ATOMIC_CASCADE_NT";
  }
  if (!is_temporal) return is_return ? "TH_ATOMIC_NT_RETURN" : "TH_ATOMIC_NT";
  return is_return ? "TH_ATOMIC_RETURN" : "TH_ATOMIC_RT";
}

AddressSpace space_by_name(std::string_view encoding) {
  if (encoding.find("SCRATCH") != std::string_view::npos) return AddressSpace::scratch;
  if (encoding.find("GLOBAL") != std::string_view::npos) return AddressSpace::global;
  return encoding.find("FLAT") != std::string_view::npos ? AddressSpace::flat : AddressSpace::none;
}

}  // namespace

AddressSpace address_space(const EncodingRow& encoding) {
  static const std::vector<AddressSpace> spaces = [] {
    std::vector<AddressSpace> all;
    for (const EncodingRow& row : tables().encodings) all.push_back(space_by_name(tables().text(row.name)));
    return all;
  }();
  return spaces[static_cast<std::size_t>(&encoding - tables().encodings.data())];
}

AccessKind access_kind(const FormRow& form) {
  if (has_returned_slot(form)) return AccessKind::atomic;
  if (!has_slot(form, "data")) return AccessKind::load;
  return has_slot(form, "d") ? AccessKind::atomic : AccessKind::store;
}

// Scratch addresses have a vector part when a bit says so; before that bit existed, when they have no scalar part.
bool has_vector_address(const Instruction& instruction) {
  const EncodingRow& encoding = instruction.encoding();
  if (address_space(encoding) != AddressSpace::scratch) return true;
  if (const FieldRow* field = find_field(encoding, KnownField::sve))
    return instruction.bits(field->low, field->width) != 0;
  return !has_scalar_base(instruction) && !has_no_address(instruction);
}

u32 vector_address_bits(const Instruction& instruction) {
  const bool is_offset = has_scalar_base(instruction) || address_space(instruction.encoding()) == AddressSpace::scratch;
  return is_offset ? 32 : 64;
}

void append_address(Line& line, unsigned index) {
  const OperandValue value = operand_of(line.instruction, index, line.wave_size);
  if (!has_vector_address(line.instruction)) {
    line.out += "off";
    return;
  }
  append_code_name(line.out, line.instruction.chip, value.code, vector_address_bits(line.instruction));
}

std::string scalar_base_text(const Line& line, u64 code) {
  const AddressSpace space = address_space(line.encoding);
  const u32 bits = space == AddressSpace::scratch ? 32 : 64;
  if (!has_scalar_base(line.instruction)) return space == AddressSpace::flat ? "" : "off";
  code -= tuple_place(code_row(line.instruction.chip, static_cast<u32>(code)), bits / 32);
  return code_name(line.instruction.chip, static_cast<u32>(code), bits);
}

std::string hint_name(AccessKind kind, u64 hint, u64 scope) {
  static constexpr std::string_view loads[] = {"RT", "NT", "HT", "LU", "NT_RT", "RT_NT", "NT_HT", ""};
  static constexpr std::string_view stores[] = {"RT", "NT", "HT", "WB", "NT_RT", "RT_NT", "NT_HT", "NT_WB"};
  if (kind == AccessKind::atomic) return atomic_hint(hint, scope);
  if (kind == AccessKind::load && hint == 7) return "0x7";
  const std::string prefix = kind == AccessKind::store ? "TH_STORE_" : "TH_LOAD_";
  if (hint == 3 && scope == 3) return prefix + "BYPASS";
  return prefix + std::string((kind == AccessKind::store ? stores : loads)[hint & 7]);
}

bool is_optional_offset(const FormRow& form, std::string_view slot) {
  if (slot != "soffset") return false;
  const Tables& all = tables();
  for (const OperandRow& operand : all.operands.subspan(form.first_operand, form.operand_count)) {
    const SlotRow& other = all.slots[all.instructions[form.instruction].first_slot + operand.slot];
    if (other.access == Access::imm && is_scalar_offset(other.style)) return true;
  }
  return false;
}

bool shows_scalar_register(const Line& line, unsigned index) {
  const OperandValue value = operand_of(line.instruction, index, line.wave_size);
  const CodeRow& row = code_row(line.instruction.chip, value.code);
  if (row.cls != CodeClass::special || line.all.text(row.name) != "null") return true;
  // With neither a register nor a constant, gfx10 and gfx11 write the register.
  return (line.chip & (gfx10 | gfx11)) != 0 && field_or(line.instruction, "offset", 1) == 0;
}

void append_scalar_offset(Line& line, i64 value, bool after_register) {
  // gfx10 and gfx11 leave out an offset of 0 behind a register.
  if (after_register && value == 0 && (line.chip & (gfx10 | gfx11)) != 0) return;
  if (after_register) line.out += " offset:";
  if (value < 0) line.out += '-';
  append_hex(line.out, static_cast<u64>(value < 0 ? -value : value));
}

}  // namespace gfxisa::text
