#include "text/plain_line.h"

#include <algorithm>

#include "inst/registers.h"
#include "text/form_cache.h"
#include "text/memory_text.h"
#include "text/writer.h"

namespace gfxisa::text {

namespace {

constexpr u16 all_legal = 0xffff;

struct PlainOperand {
  u8 low = 0, width = 0;
  u16 offset = 0;  ///< register code of the field's value 0
  u16 bits = 0;    ///< of the value; 0 the wave's size
  u16 legal = 0;   ///< index in legal_values; all_legal
  bool takes_numbers = false;
};

/// A form as such lines see it; not usable where it asks for more.
struct PlainForm {
  bool is_usable = false;
  Instruction blank;
  std::vector<PlainOperand> operands;
};

constexpr i64 lowest_number = -16, highest_number = 64;  ///< that have codes of their own

/// The one condition on an operand's field, or none; false when there is another sort of condition.
bool find_legal(const FormRow& form, u32 operand, u16& legal) {
  legal = all_legal;
  for (const CheckRow& check : tables().checks.subspan(form.first_check, form.check_count)) {
    if (check.operand != operand) continue;
    if (check.when != CheckWhen::always || legal != all_legal) return false;
    legal = check.legal;
  }
  return true;
}

/// Flags that an instruction always has must be written.
bool has_fixed_field(const FormRow& form) {
  const auto checks = tables().checks.subspan(form.first_check, form.check_count);
  return std::any_of(checks.begin(), checks.end(), [](const CheckRow& check) { return check.operand == fixed_field; });
}

bool add_operand(PlainForm& plain, unsigned chip, const FormRow& form, u32 index) {
  const Tables& all = tables();
  const EncodingRow& encoding = all.encodings[form.encoding];
  const OperandRow& operand = all.operands[form.first_operand + index];
  const SlotRow& slot = all.slots[all.instructions[form.instruction].first_slot + operand.slot];
  if (slot.access == Access::imm) return is_left_out_when_zero(slot);
  if (!is_plain_operand(chip_bit(chip), encoding, operand, slot)) return false;
  const FieldRow& field = all.fields[encoding.first_field + operand.field];
  const OperandKindRow& kind = all.operand_kinds[operand.kind];
  PlainOperand out{field.low, field.width, kind.offset, slot.bits, 0, false};
  const bool has_integers = (kind.classes >> static_cast<unsigned>(CodeClass::integer) & 1) != 0;
  out.takes_numbers = has_integers && slot.bits == 32 && half_reading(form, slot) == HalfReading::plain;
  plain.operands.push_back(out);
  return find_legal(form, index, plain.operands.back().legal);
}

PlainForm make_plain(unsigned chip, u32 form_index) {
  const Tables& all = tables();
  const FormRow& form = all.forms[form_index];
  PlainForm plain;
  if (all.encodings[form.encoding].base_field != 0xff || has_fixed_field(form)) return plain;
  const std::vector<OperandInput> none(form.operand_count);
  const Result<Instruction> blank = encode(form_index, none);
  if (!blank || blank->has_suffix()) return plain;
  plain.blank = *blank;
  for (const SyntaxItem& item : all.syntax_items.subspan(form.first_syntax, form.syntax_count)) {
    if (!item.is_slot) continue;
    for (u32 i = 0; i < form.operand_count; ++i) {
      const OperandRow& operand = all.operands[form.first_operand + i];
      if (all.slots[all.instructions[form.instruction].first_slot + operand.slot].name != item.name) continue;
      if (!add_operand(plain, chip, form, i)) return plain;
    }
  }
  plain.is_usable = true;
  return plain;
}

const PlainForm& plain_of(unsigned chip, u32 form) {
  static auto& known = *new FormCache<PlainForm>;
  return known.of(form, [&] { return make_plain(chip, form); });
}

/// A decimal number that has a code of its own, followed by a comma or the end.
bool take_small_number(Cursor& cursor, u32& code) {
  std::size_t at = 0;
  const bool is_negative = cursor.peek() == '-';
  if (is_negative) ++at;
  const char first = cursor.peek_after(at);
  if (first < '0' || first > '9') return false;
  i64 number = 0;
  std::size_t digits = 0;
  for (char c = first; c >= '0' && c <= '9' && digits < 3; c = cursor.peek_after(++at), ++digits)
    number = number * 10 + (c - '0');
  if (digits > 2 || (first == '0' && digits > 1) || is_name_character(cursor.peek_after(at))) return false;
  if (is_negative) number = -number;
  if (number < lowest_number || number > highest_number) return false;
  cursor.go_to(cursor.at() + at);
  code = static_cast<u32>(number >= 0 ? 128 + number : 192 - number);
  return true;
}

/// `vcc_lo`, `m0`, `null`, `src_scc`: registers with names, in place of a value of `count` words.
bool take_special(const ParserContext& context, Cursor& cursor, u32 count, u32& code) {
  const std::string_view name = cursor.peek_identifier();
  if (name.empty()) return false;
  const auto found = find_register(context.chip, name);
  if (!found || code_row(context.chip, found->code).cls != CodeClass::special) return false;
  if (found->bits != 0 && found->bits != 32 * count) return false;
  cursor.go_to(cursor.at() + name.size());
  code = found->code;
  return true;
}

bool take_operand(const ParserContext& context, Cursor& cursor, const PlainOperand& operand, RegistersUsed& used,
                  Instruction& result) {
  u32 code = 0;
  const u32 bits = operand.bits == 0 ? context.wave_size : operand.bits;
  if (const auto found = parse_plain_register(cursor, context)) {
    const CodeRow& row = code_row(context.chip, found->code);
    const u32 count = register_count(bits);
    if (found->bits != 32 * count || static_cast<u32>(row.value) % tuple_alignment(row.cls, count) != 0) return false;
    code = found->code;
    note_use(used, context.chip, code, found->bits);
  } else if (!(operand.takes_numbers && take_small_number(cursor, code)) &&
             !take_special(context, cursor, register_count(bits), code)) {
    return false;
  }
  const u32 value = code - operand.offset;
  if (code < operand.offset || value > low_ones(operand.width) || value > 511) return false;
  const bool is_legal = operand.legal == all_legal || allows(tables().legal_values[operand.legal], value);
  if (!is_legal) return false;
  result.set_bits(operand.low, operand.width, value);
  return true;
}

bool take_operands(const ParserContext& context, Cursor& cursor, const PlainForm& plain, RegistersUsed& used,
                   Instruction& result) {
  for (std::size_t i = 0; i < plain.operands.size(); ++i) {
    if (i != 0 && !cursor.take(',')) return false;
    if (!take_operand(context, cursor, plain.operands[i], used, result)) return false;
  }
  return cursor.at_end();
}

}  // namespace

bool parse_plain_line(const ParserContext& context, Cursor& cursor, u32 form, Instruction& result) {
  const PlainForm& plain = plain_of(context.chip, form);
  if (!plain.is_usable) return false;
  const std::size_t start = cursor.at();
  RegistersUsed used;
  result = plain.blank;
  if (!take_operands(context, cursor, plain, used, result)) return cursor.go_to(start), false;
  if (context.later != nullptr) *context.later = {};
  if (context.used != nullptr) {
    context.used->vector = std::max(context.used->vector, used.vector);
    context.used->scalar = std::max(context.used->scalar, used.scalar);
  }
  return true;
}

}  // namespace gfxisa::text
