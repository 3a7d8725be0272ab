#include <charconv>

#include "inst/registers.h"
#include "text/memory_text.h"
#include "text/writer.h"

namespace gfxisa::text {

namespace {

void append_number(std::string& out, i64 value, int base) {
  char digits[24];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, static_cast<u64>(value < 0 && base == 10 ? -value : value), base)
          .ptr;
  if (value < 0 && base == 10) out += '-';
  out.append(digits, static_cast<std::size_t>(end - digits));
}

bool sign_of(const Line& line, const EncodingRow& encoding, bool in_suffix, const SlotRow& slot, int source,
             KnownField name) {
  const FieldRow* field = find_field(encoding, name);
  if (field == nullptr || (field->style != Style::neg && field->style != Style::abs)) return false;
  const unsigned bit = field->low + static_cast<unsigned>(source);
  if (source >= field->width || (in_suffix ? line.instruction.suffix_bits(bit, 1) : line.instruction.bits(bit, 1)) == 0)
    return false;
  return takes_sign(encoding, slot, line.all.text(field->name));
}

/// A flag of one source in the suffix: `src0_neg`.
bool suffix_flag(const Line& line, int source, std::string_view what) {
  char name[] = "src0_xxxx";
  name[3] = static_cast<char>('0' + source);
  const std::size_t size = 5 + what.copy(name + 5, 4);
  const FieldRow* field = find_field(*line.suffix, std::string_view(name, size));
  return field != nullptr && line.instruction.suffix_bits(field->low, field->width) != 0;
}

bool is_constant(CodeClass cls) {
  return cls == CodeClass::integer || cls == CodeClass::real || cls == CodeClass::literal ||
         cls == CodeClass::literal64;
}

/// Scalar registers in groups start at an even number, those of more than two at a multiple of 4; the hardware does not
/// look at the bits below.
u32 aligned_code(const OperandValue& value, CodeClass cls) {
  if (cls != CodeClass::sgpr && cls != CodeClass::trap) return value.code;
  const u32 count = register_count(value.bits);
  return count == 1 ? value.code : value.code & ~(count == 2 ? 1u : 3u);
}

/// An inline constant; 1 / (2 pi) is written as exactly as the operand reads it.
void append_constant_name(Line& line, u32 code, u32 bits, bool is_packed = false) {
  constexpr std::string_view inverse_two_pi = "0.15915494309189532";
  const std::size_t start = line.out.size();
  append_code_name(line.out, line.instruction.chip, code, bits);
  const std::string_view name = std::string_view(line.out).substr(start);
  if (bits == 64 && !is_packed && name.size() > 8 && inverse_two_pi.starts_with(name))
    line.out.replace(start, std::string::npos, inverse_two_pi);
}

/// How an operand of up to 32 bits reads a literal: the number that is written, and the inline constant that is the
/// same.
struct ReadLiteral {
  u64 number;
  std::optional<u32> code;
};

ReadLiteral read_literal(const Line& line, const SlotRow& slot, u64 literal) {
  const HalfReading reading = half_reading(line.form, slot);
  const ConstantType type = reading == HalfReading::whole_word ? ConstantType::f32
                            : reading == HalfReading::by_bits  ? ConstantType::integer16
                                                               : constant_type(slot);
  const u64 half = literal & 0xffff;
  switch (type) {
    case ConstantType::integer16:  // LLVM compares all of the word with the constants of 32 bits
      return {half, inline_code(line.instruction.chip, literal, ConstantType::integer32)};
    case ConstantType::f16:
    case ConstantType::mixed_f16:
      return {half, inline_code(line.instruction.chip, half, type)};
    case ConstantType::bf16:
    case ConstantType::mixed_bf16:
      return {literal, inline_code(line.instruction.chip, half, type)};
    default:
      return {literal, inline_code(line.instruction.chip, literal, type)};
  }
}

/// `v4.l` and `v4.h`; false where registers are written whole.
bool append_half_register(Line& line, const OperandValue& value) {
  const std::optional<Half> half = half_of(line, value.code, *value.slot);
  if (!half) return false;
  line.out += 'v';
  append_decimal(line.out, half->code & 0xff);
  line.out += half->is_high ? ".h" : ".l";
  return true;
}

void append_value(Line& line, const OperandValue& value, CodeClass cls) {
  if (cls == CodeClass::literal || cls == CodeClass::literal64) {
    append_literal(line, *value.slot, line.instruction.literal(), cls == CodeClass::literal64);
    return;
  }
  // An integer of 16 bits is written by the bits that it reads.
  const bool is_half_integer = constant_type(*value.slot) == ConstantType::integer16;
  if (cls == CodeClass::real && (is_half_integer || half_reading(line.form, *value.slot) == HalfReading::by_bits)) {
    return append_hex(line.out, inline_value(line.instruction.chip, value.code, ConstantType::f16).value_or(0));
  }
  if (cls == CodeClass::vgpr && append_half_register(line, value)) return;
  if (cls == CodeClass::real) {
    // LLVM takes what RDNA 3 adds to a tile for a double.
    const ConstantType type = constant_type(*value.slot);
    const bool is_double = type == ConstantType::f64 || (value.slot->is_tile && (line.chip & gfx11) != 0);
    return append_constant_name(line, value.code, is_double ? 64 : value.bits, type == ConstantType::packed_words);
  }
  // Values that are no registers have one name for every width: that of their first code.
  const CodeRow& row = code_row(line.instruction.chip, value.code);
  const bool is_value = cls == CodeClass::special && line.all.text(row.name).starts_with("src_");
  const u32 bits = is_value ? 32 : value.bits;
  if (append_code_name(line.out, line.instruction.chip, aligned_code(value, cls), bits)) return;
  line.out += "<code ";
  append_decimal(line.out, value.code);
  line.out += '>';
}

}  // namespace

bool takes_sign(const EncodingRow& encoding, const SlotRow& slot, std::string_view sign) {
  for (u32 i = 0; i < encoding.stage_count; ++i) {
    const StageRow& stage = tables().stages[encoding.first_stage + i];
    if (stage.is_write || stage.format != slot.format) continue;
    for (u32 k = 0; k < stage.argument_count; ++k) {
      if (tables().text(stage.argument_field[k]) == sign) return true;
    }
  }
  return false;
}

Signs signs_of(const Line& line, const SlotRow& slot, int source) {
  Signs signs;
  if (source < 0 || line.encoding.stage_count == 0) {
    if (source < 0 || line.suffix == nullptr) return signs;
  }
  signs.neg = sign_of(line, line.encoding, false, slot, source, KnownField::neg);
  signs.abs = sign_of(line, line.encoding, false, slot, source, KnownField::abs);
  if (line.suffix == nullptr || is_literal(*line.suffix)) return signs;
  // Those of the suffix mean nothing where the instruction's own word has room for signs: VOP3 with DPP.
  const bool has_own = line.encoding.bits > 32;
  signs.neg |= !has_own && takes_sign(*line.suffix, slot, "neg") && suffix_flag(line, source, "neg");
  signs.abs |= !has_own && takes_sign(*line.suffix, slot, "abs") && suffix_flag(line, source, "abs");
  signs.sext = suffix_flag(line, source, "sext");
  return signs;
}

std::optional<Half> half_of(const Line& line, u32 code, const SlotRow& slot) {
  const HalfPlace place = code < 256 ? HalfPlace::none : half_place(line.chip, line.encoding, slot);
  if (place == HalfPlace::none) return {};
  if (place == HalfPlace::register_number) return Half{code & ~0x80u, (code & 0x80) != 0};
  return Half{code, (field_value(line.instruction, "opsel") >> opsel_bit(line.all.text(slot.name)) & 1) != 0};
}

void append_decimal(std::string& out, i64 value) { append_number(out, value, 10); }

void append_hex(std::string& out, u64 value) {
  out += "0x";
  append_number(out, static_cast<i64>(value), 16);
}

int source_number(std::string_view slot) {
  return slot.size() == 1 && slot[0] >= 'a' && slot[0] <= 'c' ? slot[0] - 'a' : -1;
}

HalfPlace half_place(Chips chip, const EncodingRow& encoding, const SlotRow& slot) {
  if ((chip & (rdna3 | rdna35)) == 0 || slot.bits != 16 || slot.access == Access::imm) return HalfPlace::none;
  if (encoding.halves == Halves::numbered) return HalfPlace::register_number;
  const FieldRow* opsel = find_field(encoding, KnownField::opsel);
  const bool is_half_choice = opsel != nullptr && opsel->role == FieldRole::modifier && opsel->width == 4;
  return is_half_choice ? HalfPlace::opsel : HalfPlace::none;
}

bool is_plain_operand(const EncodingRow& encoding, const OperandRow& operand, const SlotRow& slot) {
  if (slot.access == Access::imm || slot.is_returned || slot.is_tile || operand.count != 0 ||
      operand.sized_by != 0xff || operand.kind == no_kind)
    return false;
  const std::string_view name = tables().text(slot.name);
  const bool is_address = name == "addr" && address_space(encoding) != AddressSpace::none;
  if (name == "soffset" || is_address || is_optional_group(name)) return false;
  const OperandKindRow& kind = tables().operand_kinds[operand.kind];
  return kind.scale == 1 && !is_accumulator_kind(kind);
}

unsigned opsel_bit(std::string_view slot) {
  const int source = source_number(slot);
  return source < 0 ? 3 : static_cast<unsigned>(source);
}

HalfReading half_reading(const FormRow& form, const SlotRow& slot) {
  if (slot.access != Access::in || constant_type(slot) != ConstantType::f16) return HalfReading::plain;
  const Tables& all = tables();
  unsigned sources = 0, results = 0;
  for (unsigned i = 0; i < form.operand_count; ++i) {
    const OperandRow& operand = all.operands[form.first_operand + i];
    if (operand.kind == no_kind) continue;
    if ((all.operand_kinds[operand.kind].classes >> static_cast<unsigned>(CodeClass::vgpr) & 1) != 0)
      return HalfReading::plain;
    const bool is_source = all.slots[all.instructions[form.instruction].first_slot + operand.slot].access == Access::in;
    ++(is_source ? sources : results);
  }
  if (results == 0) return HalfReading::by_bits;
  return sources == 1 && all.encodings[form.encoding].bits == 32 ? HalfReading::whole_word : HalfReading::plain;
}

unsigned source_count(const Line& line) {
  unsigned count = 0;
  for (unsigned i = 0; i < line.form.operand_count; ++i) {
    const OperandRow& operand = line.all.operands[line.form.first_operand + i];
    const SlotRow& slot = line.all.slots[line.instruction.row().first_slot + operand.slot];
    const int source = slot.access == Access::imm ? -1 : source_number(line.all.text(slot.name));
    if (source >= static_cast<int>(count)) count = static_cast<unsigned>(source) + 1;
  }
  return count;
}

void append_operand(Line& line, unsigned index) {
  const OperandValue value = operand_of(line.instruction, index, line.wave_size);
  const CodeClass cls = code_row(line.instruction.chip, value.code).cls;
  const Signs signs = signs_of(line, *value.slot, source_number(line.all.text(value.slot->name)));
  // A sign before a constant would be part of the number, so it gets a form of its own.
  const bool neg_form = signs.neg && !signs.abs && is_constant(cls);
  if (signs.neg) line.out += neg_form ? "neg(" : "-";
  if (signs.abs) line.out += '|';
  if (signs.sext) line.out += "sext(";
  append_value(line, value, cls);
  if (signs.abs) line.out += '|';
  if (signs.sext || neg_form) line.out += ')';
}

/// A source of an export, or `off`. Compressed, each register holds two of them.
static void append_sent(Line& line, unsigned index, const FieldRow& sends) {
  const Text name = operand_of(line.instruction, index, line.wave_size).slot->name;
  const unsigned number = static_cast<unsigned>(line.all.text(name).back() - '0');
  if ((line.instruction.bits(sends.low, sends.width) >> number & 1) == 0) {
    line.out += "off";
    return;
  }
  const FieldRow* compressed = find_field(line.encoding, KnownField::compr);
  const bool has_halves = compressed != nullptr && line.instruction.bits(compressed->low, compressed->width) != 0;
  const unsigned source = has_halves ? index - number + number / 2 : index;
  append_code_name(line.out, line.instruction.chip, operand_of(line.instruction, source, line.wave_size).code, 32);
}

void append_registers(Line& line, unsigned index) {
  const FieldRow* sends = find_field(line.encoding, KnownField::en);
  if (sends != nullptr && sends->style == Style::sends) return append_sent(line, index, *sends);
  const RegisterRuns runs = register_runs(line.instruction, index);
  if (runs.count == 0) line.out += "off";
  if (runs.count > 1) line.out += '[';
  for (u8 i = 0; i < runs.count; ++i) {
    if (i != 0) line.out += ", ";
    append_code_name(line.out, line.instruction.chip, runs.runs[i].code, 32u * runs.runs[i].count);
  }
  if (runs.count > 1) line.out += ']';
}

void append_long_constant(std::string& out, u64 value, bool is_wrapped) {
  if (is_wrapped) out += "lit64(";
  append_hex(out, value);
  if (is_wrapped) out += ')';
}

/// A negative number of 32 bits that is read as one of 64, where the same digits would be taken for a literal of 64
/// bits.
bool is_extended_literal(const Line& line, const SlotRow& slot, u64 literal) {
  return literal >> 31 != 0 && constant_type(slot) == ConstantType::integer64 && is_signed(slot) &&
         takes_long_literals(line.instruction.chip, line.encoding);
}

void append_literal(Line& line, const SlotRow& slot, u64 literal, bool is_64_bits) {
  const ConstantType type = constant_type(slot);
  const bool is_f64 = type == ConstantType::f64;
  if (is_64_bits) {
    // A number that would fit in 32 bits says that it is not to be; one of 32 bits is the upper half of a double.
    const bool is_upper = is_f64 && literal != 0 && (literal & 0xffffffff) == 0;
    const bool is_short = literal >> 32 == 0;
    const std::optional<u32> code = inline_code(line.instruction.chip, literal, type);
    if (code && !is_short) return append_constant_name(line, *code, 64);
    return append_long_constant(line.out, is_upper ? literal >> 32 : literal, is_short);
  }
  if (is_f64) {
    const std::optional<u32> code = inline_code(line.instruction.chip, literal << 32, type);
    if (code)
      append_constant_name(line, *code, 64);
    else
      append_hex(line.out, literal);
    return;
  }
  if (is_extended_literal(line, slot, literal)) return append_hex(line.out, literal | u64{0xffffffff} << 32);
  const auto [number, code] = read_literal(line, slot, literal);
  if (code) line.out += "lit(";
  append_hex(line.out, code ? literal : number);
  if (code) line.out += ')';
}

}  // namespace gfxisa::text
