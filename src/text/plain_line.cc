#include "text/plain_line.h"

#include <algorithm>

#include "inst/registers.h"
#include "text/form_cache.h"
#include "text/memory_text.h"
#include "text/writer.h"

namespace gfxisa::text {

namespace {

constexpr u16 all_legal = 0xffff, not_implied = 0xffff;

struct PlainOperand {
  u8 low = 0, width = 0;
  u16 offset = 0;                                    ///< register code of the field's value 0
  u16 bits = 0;                                      ///< of the value; 0 the wave's size
  u16 legal = all_legal, legal_64 = all_legal;       ///< index in legal_values: in every wave, in waves of 64
  u16 implied = not_implied;                         ///< code of the one register it can be; then it has no field
  bool takes_numbers = false;                        ///< those that have codes of their own
  bool takes_words = false, takes_literals = false;  ///< any constant of 32 bits; what has no code as a literal
  ConstantType type = ConstantType::integer32;
  HalfPlace half = HalfPlace::none;
  u8 half_bit = 0;  ///< of op_sel
};

/// A form as such lines see it; not usable where it asks for more.
struct PlainForm {
  bool is_usable = false;
  Instruction blank, with_literal;  ///< the latter only when an operand takes literals
  std::vector<PlainOperand> operands;
};

/// What a line holds beside its fields.
struct Found {
  RegistersUsed used;
  bool has_literal = false, has_halves = false;
};

constexpr u32 first_vector_code = 256;
constexpr i64 lowest_number = -16, highest_number = 64;  ///< that have codes of their own

u32 code_of_number(i64 number) { return static_cast<u32>(number >= 0 ? 128 + number : 192 - number); }

/// The conditions on an operand's field; false when there is another sort of condition.
bool find_legal(const FormRow& form, u32 operand, PlainOperand& out) {
  for (const CheckRow& check : tables().checks.subspan(form.first_check, form.check_count)) {
    if (check.operand != operand || check.when == CheckWhen::with_dpp) continue;
    const bool is_of_64 = check.when == CheckWhen::wave64;
    u16& legal = is_of_64 ? out.legal_64 : out.legal;
    if ((check.when != CheckWhen::always && !is_of_64) || legal != all_legal) return false;
    legal = check.legal;
  }
  return true;
}

/// Flags that an instruction always has must be written.
bool has_fixed_field(const FormRow& form) {
  const auto checks = tables().checks.subspan(form.first_check, form.check_count);
  return std::any_of(checks.begin(), checks.end(), [](const CheckRow& check) { return check.operand == fixed_field; });
}

/// Whether all numbers that have codes of their own have them in such an operand.
bool takes_numbers(unsigned chip, const FormRow& form, const OperandRow& operand, const SlotRow& slot) {
  const u16 classes = tables().operand_kinds[operand.kind].classes;
  if ((classes >> static_cast<unsigned>(CodeClass::integer) & 1) == 0 || slot.bits == 0 || slot.bits > 64) return false;
  const ConstantType type = constant_type(slot);
  if (half_reading(form, slot) != HalfReading::plain || type == ConstantType::packed_words) return false;
  for (i64 number = lowest_number; number <= highest_number; ++number) {
    const auto code = inline_code(chip, static_cast<u64>(number) & low_ones(slot.bits), type);
    if (code != code_of_number(number)) return false;
  }
  return true;
}

/// How operand `index` takes constants that have no code: with a word behind the instruction, once.
bool takes_literals(u32 form_index, u32 index, PlainForm& plain) {
  std::vector<OperandInput> inputs(tables().forms[form_index].operand_count);
  inputs[index] = OperandInput::literal(0);
  const Result<Instruction> with_literal = encode(form_index, inputs);
  if (!with_literal || !with_literal->has_suffix() || with_literal->size != plain.blank.size + 4) return false;
  plain.with_literal = *with_literal;
  return true;
}

/// A register that the encoding has no field for, but which is written.
bool add_implied(PlainForm& plain, const OperandRow& operand, const SlotRow& slot) {
  if (slot.is_returned || slot.is_tile || operand.count != 0 || operand.sized_by != 0xff ||
      tables().text(slot.name) == "soffset")
    return false;
  PlainOperand out;
  out.bits = slot.bits;
  out.implied = operand.implied_code;
  plain.operands.push_back(out);
  return true;
}

bool add_operand(PlainForm& plain, unsigned chip, u32 form_index, u32 index) {
  const Tables& all = tables();
  const FormRow& form = all.forms[form_index];
  const EncodingRow& encoding = all.encodings[form.encoding];
  const OperandRow& operand = all.operands[form.first_operand + index];
  const SlotRow& slot = all.slots[all.instructions[form.instruction].first_slot + operand.slot];
  if (slot.access == Access::imm) return is_left_out_when_zero(slot);
  if (operand.field == 0xff) return add_implied(plain, operand, slot);
  if (encoding.has_accumulators || !is_plain_operand(encoding, operand, slot)) return false;
  const FieldRow& field = all.fields[encoding.first_field + operand.field];
  PlainOperand out;
  out.low = field.low;
  out.width = field.width;
  out.offset = all.operand_kinds[operand.kind].offset;
  out.bits = slot.bits;
  out.type = constant_type(slot);
  out.takes_numbers = takes_numbers(chip, form, operand, slot);
  const bool is_word = out.type == ConstantType::integer32 || out.type == ConstantType::f32;
  out.takes_words = out.takes_numbers && slot.bits == 32 && is_word;
  out.takes_literals = out.takes_words && takes_literals(form_index, index, plain);
  out.half = half_place(chip_bit(chip), encoding, slot);
  if (out.half == HalfPlace::opsel)
    out.half_bit = static_cast<u8>(find_field(encoding, KnownField::opsel)->low + opsel_bit(all.text(slot.name)));
  plain.operands.push_back(out);
  return find_legal(form, index, plain.operands.back());
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
      if (!add_operand(plain, chip, form_index, i)) return plain;
    }
  }
  plain.is_usable = true;
  return plain;
}

const PlainForm& plain_of(unsigned chip, u32 form) {
  static auto& known = *new FormCache<PlainForm>;
  return known.of(form, [&] { return make_plain(chip, form); });
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// An integer of at most 32 bits, or of 33 with a sign: `64`, `-1`, `0xff00ff00`. Leaves what else a number may be.
bool take_integer(Cursor& cursor, i64& number) {
  constexpr std::size_t most_digits = 9;
  std::size_t at = cursor.peek() == '-' ? 1 : 0;
  const bool is_negative = at != 0, is_hex = cursor.peek_after(at) == '0' && cursor.peek_after(at + 1) == 'x';
  if (is_hex) at += 2;
  const std::size_t first = at;
  number = 0;
  for (char c = cursor.peek_after(at); at - first < most_digits; c = cursor.peek_after(++at)) {
    const char letter = static_cast<char>(c | 0x20);
    if (is_digit(c))
      number = number * (is_hex ? 16 : 10) + (c - '0');
    else if (is_hex && letter >= 'a' && letter <= 'f')
      number = number * 16 + (letter - 'a' + 10);
    else
      break;
  }
  const bool is_octal = !is_hex && cursor.peek_after(first) == '0' && at - first > 1;
  const bool is_too_long = at - first == most_digits;
  if (at == first || is_octal || is_too_long || is_name_character(cursor.peek_after(at))) return false;
  if (is_negative) number = -number;
  cursor.go_to(cursor.at() + at);
  return true;
}

/// A number as the code of an operand; what has no code becomes the literal, of which there is one.
bool take_constant(const ParserContext& context, Cursor& cursor, const PlainOperand& operand, u32& code, Found& found,
                   Instruction& result, const PlainForm& form) {
  i64 number = 0;
  if (!operand.takes_numbers || !take_integer(cursor, number)) return false;
  if (number >= lowest_number && number <= highest_number) return code = code_of_number(number), true;
  if (!operand.takes_words || number < -(i64{1} << 31)) return false;
  const u32 word = static_cast<u32>(number);
  if (const auto own = inline_code(context.chip, word, operand.type)) return code = *own, true;
  if (!operand.takes_literals || found.has_literal) return false;
  found.has_literal = true;
  result.suffix = form.with_literal.suffix;
  result.suffix_word = form.with_literal.suffix_word;
  result.size = form.with_literal.size;
  result.words[result.suffix_word] = word;
  code = literal_code;
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

/// The half of a register goes into its number or to op_sel. What has no half in text is the lower one.
bool place_half(const PlainOperand& operand, char half, u32& code, Found& found, Instruction& result) {
  if (operand.half == HalfPlace::none) return half == 0;
  if (operand.half == HalfPlace::register_number && code >= first_vector_code) {
    if (code >= first_vector_code + 128) return false;  // no room for a half in its number
    code += half == 'h' ? 128 : 0;
  } else if (half == 'h') {
    result.set_bits(operand.half_bit, 1, 1);
    found.has_halves = true;
  }
  return true;
}

/// A register of the right width.
bool take_register(const ParserContext& context, Cursor& cursor, const PlainOperand& operand, u32& code, Found& found,
                   Instruction& result) {
  const u32 count = register_count(operand.bits == 0 ? context.wave_size : operand.bits);
  const auto plain = parse_plain_register(cursor, context);
  if (!plain) return take_special(context, cursor, count, code);
  const CodeRow& row = code_row(context.chip, plain->code);
  if (plain->bits != 32 * count || tuple_place(row, count) != 0) return false;
  code = plain->code;
  note_use(found.used, context.chip, code, plain->bits);
  return place_half(operand, plain->half, code, found, result);
}

bool is_legal(u16 legal, u32 value) { return legal == all_legal || allows(tables().legal_values[legal], value); }

bool take_operand(const ParserContext& context, Cursor& cursor, const PlainForm& form, const PlainOperand& operand,
                  Found& found, Instruction& result) {
  u32 code = 0;
  if (operand.implied != not_implied)
    return take_register(context, cursor, operand, code, found, result) && code == operand.implied;
  if (!take_constant(context, cursor, operand, code, found, result, form) &&
      !take_register(context, cursor, operand, code, found, result))
    return false;
  const u32 value = code - operand.offset;
  if (code < operand.offset || value > low_ones(operand.width) || value > 511) return false;
  if (!is_legal(operand.legal, value) || (context.wave_size == 64 && !is_legal(operand.legal_64, value))) return false;
  result.set_bits(operand.low, operand.width, value);
  return true;
}

/// Whether the form lets its halves be chosen so.
bool takes_halves(const FormRow& form, const Instruction& instruction) {
  const auto checks = tables().checks.subspan(form.first_check, form.check_count);
  return std::all_of(checks.begin(), checks.end(), [&](const CheckRow& check) {
    return check.operand != no_operand || !applies(check, instruction) ||
           allows(tables().legal_values[check.legal], instruction.bits(check.low, check.width));
  });
}

bool take_operands(const ParserContext& context, Cursor& cursor, const PlainForm& form, Found& found,
                   Instruction& result) {
  for (std::size_t i = 0; i < form.operands.size(); ++i) {
    if (i != 0 && !cursor.take(',')) return false;
    if (!take_operand(context, cursor, form, form.operands[i], found, result)) return false;
  }
  return cursor.at_end() && (!found.has_halves || takes_halves(result.form_row(), result));
}

}  // namespace

bool parse_plain_line(const ParserContext& context, Cursor& cursor, u32 form, Instruction& result) {
  const PlainForm& plain = plain_of(context.chip, form);
  if (!plain.is_usable) return false;
  const std::size_t start = cursor.at();
  Found found;
  result = plain.blank;
  if (!take_operands(context, cursor, plain, found, result)) return cursor.go_to(start), false;
  if (context.later != nullptr) *context.later = {};
  if (context.used != nullptr) {
    context.used->vector = std::max(context.used->vector, found.used.vector);
    context.used->scalar = std::max(context.used->scalar, found.used.scalar);
  }
  return true;
}

}  // namespace gfxisa::text
