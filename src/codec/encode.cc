#include "codec/encode.h"

#include <cstring>
#include <string>

namespace gfxisa {

namespace {

constexpr u16 no_code = 0xffff;

std::string hexadecimal(u64 value) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), digits[value & 15]);
    value >>= 4;
  } while (value != 0);
  return "0x" + text;
}

constexpr const char* even_groups =
    "groups of vector registers begin at an even number on some targets, and end at 255";

class Encoder {
 public:
  Encoder(u32 form, u16 suffix) : form_(tables().forms[form]), suffix_(suffix) {
    instruction_.form = form;
    instruction_.chip = static_cast<u8>(chip_of_form(form));
    const EncodingRow& row = encoding();
    for (std::size_t i = 0; i < row.base.size(); ++i) instruction_.words[i] = row.base[i];
    instruction_.size = row.bits / 8;
    for (const u8 index : {row.opcode_field, row.opcode_high_field}) {
      if (index != 0xff) set(field_at(index), form_.opcode >> field_at(index).constant);
    }
    for (const CheckRow& check : all_.checks.subspan(form_.first_check, form_.check_count)) {
      if (check.operand == fixed_field) instruction_.set_bits(check.low, check.width, only_value(check));
    }
  }

  const Instruction& instruction() const { return instruction_; }

  Result<Instruction> run(std::span<const OperandInput> operands, std::span<const FieldInput> fields,
                          EncodeError* where) {
    const bool is_done = (suffix_ == no_suffix || start_suffix()) && set_fields(fields) && set_operands(operands) &&
                         check_fields() && check_counts();
    if (is_done) return instruction_;
    if (where != nullptr) *where = failure_;
    return failure_.error;
  }

 private:
  const EncodingRow& encoding() const { return all_.encodings[form_.encoding]; }
  const EncodingRow& suffix_row() const { return all_.encodings[suffix_]; }
  const FieldRow& field_at(u8 index) const { return all_.fields[encoding().first_field + index]; }
  void set(const FieldRow& field, u64 value) { instruction_.set_bits(field.low, field.width, value); }
  void set_suffix(const FieldRow& field, u64 value) { instruction_.set_suffix_bits(field.low, field.width, value); }

  u64 only_value(const CheckRow& check) const {
    u64 value = 0;
    while (value < 511 && !is_allowed(check, value)) ++value;
    return value;
  }

  bool is_allowed(const CheckRow& check, u64 value) const { return allows(all_.legal_values[check.legal], value); }

  /// Fields that are no operand and cannot hold everything.
  bool check_fields() {
    for (const CheckRow& check : all_.checks.subspan(form_.first_check, form_.check_count)) {
      if (check.operand != fixed_field && check.operand != no_operand) continue;
      const u64 value = instruction_.bits(check.low, check.width);
      if (is_allowed(check, value)) continue;
      return fail(cannot_be(encoding(), check, value),
                  check.operand == fixed_field ? "it is always " + hexadecimal(only_value(check)) : std::string());
    }
    return suffix_ == no_suffix || check_suffix_fields();
  }

  /// Of the field that a check is about.
  std::string cannot_be(const EncodingRow& encoding, const CheckRow& check, u64 value) const {
    std::string name;
    for (const FieldRow& field : fields_of(encoding)) {
      if (field.low == check.low && field.width == check.width) name = all_.text(field.name);
    }
    return name + " of " + std::string(all_.text(form_.mnemonic)) + " cannot be " + hexadecimal(value);
  }

  bool check_suffix_fields() {
    for (const CheckRow& check : suffix_checks()) {
      const u64 value = instruction_.suffix_bits(check.low, check.width);
      if (!applies(check, instruction_) || is_allowed(check, value)) continue;
      if (check.operand != no_operand)
        return fail(
            "this operand cannot be " + code_name(instruction_.chip, static_cast<u32>(value) + check.offset, 32), {},
            check.operand);
      return fail(cannot_be(suffix_row(), check, value));
    }
    return true;
  }

  bool fail(std::string message, std::string hint = {}, int operand = -1, int field = -1) {
    failure_ = {{std::move(message), std::move(hint)}, operand, field};
    return false;
  }

  u32 bit_of(u16 suffix) const { return suffix - all_.chips[instruction_.chip].first_encoding; }

  // Puts the suffix's word behind the instruction, with its defaults, and the value that announces it in the host's
  // field.
  bool start_suffix() {
    const u32 bit = suffix_ >= all_.encodings.size() ? 32 : bit_of(suffix_);
    if (bit >= 32 || (encoding().suffixes >> bit & 1) == 0 || (form_.without >> bit & 1) != 0) {
      return fail("this instruction does not take " + name_of_suffix());
    }
    append_suffix(suffix_);
    const EncodingRow& row = suffix_row();
    for (unsigned i = 0; i < row.bits / 32u && i < row.base.size(); ++i) {
      instruction_.words[instruction_.suffix_word + i] = row.base[i];
    }
    if (const FieldRow* selects = find_field(encoding(), row.selects_name)) set(*selects, row.selects_value);
    // Fields that the form has no use for are 0 whatever their default is.
    for (const CheckRow& check : suffix_checks()) {
      const u64 value = instruction_.suffix_bits(check.low, check.width);
      if (check.operand == no_operand && !is_allowed(check, value))
        instruction_.set_suffix_bits(check.low, check.width, only_value(check));
    }
    return true;
  }

  std::span<const CheckRow> suffix_checks() const {
    const FormSuffixRow& suffix = form_suffix(form_, bit_of(suffix_));
    return all_.checks.subspan(suffix.first_check, suffix.check_count);
  }

  std::string name_of_suffix() const {
    return suffix_ < all_.encodings.size() ? std::string(all_.text(suffix_row().name)) : std::string("this suffix");
  }

  void append_suffix(u16 suffix) {
    instruction_.suffix = suffix;
    instruction_.suffix_word = instruction_.size / 4;
    instruction_.size = static_cast<u8>(instruction_.size + all_.encodings[suffix].bits / 8);
  }

  bool set_fields(std::span<const FieldInput> fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (!set_field(fields[i], static_cast<int>(i))) return false;
    }
    return true;
  }

  static const FieldRow* field_of_input(const EncodingRow& encoding, const FieldInput& input) {
    if (input.row == nullptr) return find_field(encoding, input.name);
    const std::span<const FieldRow> fields = fields_of(encoding);
    return input.row >= fields.data() && input.row < fields.data() + fields.size() ? input.row : nullptr;
  }

  bool set_field(const FieldInput& input, int index) {
    const FieldRow* own = suffix_ == no_suffix ? nullptr : field_of_input(suffix_row(), input);
    const FieldRow* field = own != nullptr ? own : field_of_input(encoding(), input);
    if (field == nullptr || field->role != FieldRole::modifier) {
      return fail("no modifier '" + std::string(input.name) + "' in " + std::string(all_.text(encoding().name)), {}, -1,
                  index);
    }
    if (!fits(input.value, field->width, field->style == Style::simm)) {
      return fail(std::string(input.name) + " has " + std::to_string(field->width) + " bits, too few for " +
                      hexadecimal(input.value),
                  {}, -1, index);
    }
    if (own != nullptr) {
      set_suffix(*field, input.value);
    } else {
      set(*field, input.value);
    }
    return true;
  }

  static bool fits(u64 value, unsigned width, bool is_signed) {
    if (width >= 64) return true;
    if (is_signed)
      return static_cast<u64>(sign_extend(value & low_ones(width), width)) == value || value <= low_ones(width);
    return value <= low_ones(width);
  }

  bool set_operands(std::span<const OperandInput> operands) {
    if (operands.size() != form_.operand_count) {
      return fail("the instruction has " + std::to_string(form_.operand_count) + " operands, not " +
                  std::to_string(operands.size()));
    }
    for (unsigned i = 0; i < operands.size(); ++i) {
      if (operands[i].kind != OperandInput::Kind::none && !set_operand(i, operands[i])) return false;
    }
    return true;
  }

  /// Registers whose number fields decide must be there.
  bool check_counts() {
    for (unsigned i = 0; form_.has_counts && i < form_.operand_count; ++i) {
      if (all_.operands[form_.first_operand + i].count == 0 || operand_of(instruction_, i, 32).bits == 0) continue;
      if (register_runs(instruction_, i).count == 0)
        return fail("there are not so many registers here", even_groups, static_cast<int>(i));
    }
    return true;
  }

  bool set_operand(unsigned index, const OperandInput& input) {
    const OperandRow& operand = all_.operands[form_.first_operand + index];
    const SlotRow& slot = all_.slots[instruction_.row().first_slot + operand.slot];
    if (operand.kind == no_kind) return set_immediate(index, operand, slot, input);
    const std::optional<u32> code = code_for(index, slot, input);
    return code && set_code(index, operand, slot, *code) && set_further(index, operand, slot, input.further);
  }

  bool set_immediate(unsigned index, const OperandRow& operand, const SlotRow& slot, const OperandInput& input) {
    if (operand.field == 0xff) return true;
    const FieldRow& field = field_at(operand.field);
    // Immediates may be given signed or unsigned; the text layer knows which of the two a style means.
    const i64 number = static_cast<i64>(input.value);
    const bool is_small = field.width >= 64 || (number >= -(i64{1} << (field.width - 1)) &&
                                                number <= static_cast<i64>(low_ones(field.width)));
    if (!is_small) {
      return fail(std::string(all_.text(slot.name)) + " does not fit in " + std::to_string(field.width) + " bits", {},
                  static_cast<int>(index));
    }
    if (encoding().literal_field == operand.field && literal_is_set_ &&
        literal_ != (input.value & low_ones(field.width))) {
      return fail("a second literal", "an instruction has one literal", static_cast<int>(index));
    }
    if (encoding().literal_field == operand.field) {
      literal_is_set_ = true;
      literal_ = input.value & low_ones(field.width);
    }
    set(field, input.value & low_ones(field.width));
    return true;
  }

  /// The register code of an input; a constant may become an inline constant or a literal.
  std::optional<u32> code_for(unsigned index, const SlotRow& slot, const OperandInput& input) {
    if (input.kind == OperandInput::Kind::code || input.kind == OperandInput::Kind::immediate)
      return static_cast<u32>(input.value);
    if (input.kind == OperandInput::Kind::literal64)
      return add_literal(index, "literal64", CodeClass::literal64, input.value);
    const ConstantType type = constant_type(slot);
    if (input.kind == OperandInput::Kind::constant) {
      if (const auto code = inline_code(instruction_.chip, input.value, type)) return code;
    }
    // A literal that was written as such may have more bits than an operand of 16 looks at.
    const bool is_narrow = slot.bits == 16 && input.kind == OperandInput::Kind::literal && input.value >> 32 == 0;
    if (is_narrow) return add_literal(index, "literal", CodeClass::literal, input.value);
    return literal_code(index, slot, type, input.value);
  }

  bool has_long_literal_field() const {
    return encoding().literal_field != 0xff && field_at(encoding().literal_field).width == 64;
  }

  std::optional<u32> literal_code(unsigned index, const SlotRow& slot, ConstantType type, u64 value) {
    if (has_long_literal_field()) return add_literal(index, "literal64", CodeClass::literal64, value);
    if (const auto literal = literal_for(value, type, is_signed(slot))) {
      return add_literal(index, "literal", CodeClass::literal, *literal);
    }
    return add_literal(index, "literal64", CodeClass::literal64, value);
  }

  std::optional<u32> add_literal(unsigned index, std::string_view selects, CodeClass cls, u64 value) {
    const u32 code = code_of_class(cls);
    if (code == no_code) {
      fail("the constant " + hexadecimal(value) + " does not fit in a literal of 32 bits", {}, static_cast<int>(index));
      return {};
    }
    if (literal_is_set_ && (value != literal_ || code != literal_code_)) {
      fail("a second literal " + hexadecimal(value), "an instruction has one literal", static_cast<int>(index));
      return {};
    }
    if (!literal_is_set_ && !place_literal(selects, value)) {
      fail("the constant " + hexadecimal(value) + " has no code of its own, and this instruction takes no literal", {},
           static_cast<int>(index));
      return {};
    }
    literal_is_set_ = true;
    literal_ = value;
    literal_code_ = code;
    return code;
  }

  u32 code_of_class(CodeClass cls) const {
    for (u32 code = 233; code < 256; ++code) {
      if (code_row(instruction_.chip, code).cls == cls) return code;
    }
    return no_code;
  }

  bool place_literal(std::string_view selects, u64 value) {
    if (encoding().literal_field != 0xff) {
      set(field_at(encoding().literal_field), value);
      return (selects == "literal64") == has_long_literal_field();
    }
    if (suffix_ != no_suffix) return false;
    const ChipRow& chip = all_.chips[instruction_.chip];
    for (u32 bit = 0; bit < 32 && bit < chip.encoding_count; ++bit) {
      const u32 index = chip.first_encoding + bit;
      const bool is_taken = (encoding().suffixes & ~form_.without) >> bit & 1;
      if (!is_taken || all_.text(all_.encodings[index].selects_name) != selects) continue;
      append_suffix(static_cast<u16>(index));
      instruction_.set_suffix_bits(0, all_.encodings[index].bits, value);
      return true;
    }
    return false;
  }

  bool set_code(unsigned index, const OperandRow& operand, const SlotRow& slot, u32 code) {
    if (suffix_ != no_suffix) {
      const std::optional<bool> done = set_suffix_code(index, slot, code);
      if (done) return *done;
    }
    if (operand.field == 0xff) {
      if (code == operand.implied_code) return true;
      return bad_code(index, slot, code,
                      "it is always " + code_name(instruction_.chip, operand.implied_code, slot.bits));
    }
    if (is_misaligned(slot, code)) return bad_code(index, slot, code, "tuples of scalar registers are aligned");
    if (!choose_file(index, slot, code)) return false;
    const FieldRow& field = field_at(operand.field);
    const std::optional<u64> value = field_value_of(operand.kind, code, field.width);
    if (!value || !is_legal(index, *value)) return bad_code(index, slot, code, hint_for(slot, code));
    set(field, *value);
    return true;
  }

  static std::string hint_for(const SlotRow& slot, u32 code) {
    const bool is_odd_group = code >= 256 && code % 2 != 0 && register_count(slot.bits) > 1;
    return is_odd_group ? even_groups : "";
  }

  /// Where a bit says that registers are accumulation registers, sets it and makes `code` that of the vector register.
  bool choose_file(unsigned index, const SlotRow& slot, u32& code) {
    if (!encoding().has_accumulators) return true;
    const bool is_accumulator = code_row(instruction_.chip, code).cls == CodeClass::agpr;
    const bool is_vector = code_row(instruction_.chip, code).cls == CodeClass::vgpr;
    for (const FieldRow& field : fields_of(encoding())) {
      const u64 bits = field.style == Style::acc ? accumulator_bits(field, slot.name) : 0;
      if (bits == 0 || (!is_accumulator && !is_vector)) continue;
      const u64 before = instruction_.bits(field.low, field.width);
      const bool is_known = (known_files_ >> field.low % 64 & 1) != 0 && field.width == 1;
      if (is_known && (before != 0) != is_accumulator)
        return fail("vector and accumulation registers cannot be mixed here", {}, static_cast<int>(index));
      if (field.width == 1) known_files_ |= u64{1} << field.low % 64;
      if (!is_accumulator) return true;
      set(field, before | bits);
      code -= accumulator_distance;
      return true;
    }
    return true;
  }

  bool set_further(unsigned index, const OperandRow& operand, const SlotRow& slot, std::span<const u32> codes) {
    if (codes.size() > operand.further_count)
      return fail("this operand has " + std::to_string(operand.further_count + 1) + " registers at most", {},
                  static_cast<int>(index));
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const FieldRow& field = field_at(operand.further[i]);
      const std::optional<u64> value = field_value_of(operand.kind, codes[i], field.width);
      if (!value || !is_legal(index, *value)) return bad_code(index, slot, codes[i], {});
      set(field, *value);
    }
    return true;
  }

  bool is_misaligned(const SlotRow& slot, u32 code) const {
    return tuple_place(code_row(instruction_.chip, code), register_count(slot.bits)) != 0;
  }

  bool bad_code(unsigned index, const SlotRow& slot, u32 code, std::string hint) {
    const u32 bits = slot.bits == 0 ? 32u : slot.bits;
    const std::string name = code_name(instruction_.chip, code, bits);
    return fail("this operand cannot be " + (name.empty() ? "code " + std::to_string(code) : name), std::move(hint),
                static_cast<int>(index));
  }

  std::optional<u64> field_value_of(u16 kind, u32 code, unsigned width) const {
    const OperandKindRow& row = all_.operand_kinds[kind];
    if (is_accumulator_kind(row) && code >= 512) code -= accumulator_distance;
    if (code < row.offset || row.scale == 0 || (code - row.offset) % row.scale != 0) return {};
    const u64 value = (code - row.offset) / row.scale;
    if (value > low_ones(width)) return {};
    return value;
  }

  bool is_legal(unsigned index, u64 value) const {
    for (u32 i = 0; i < form_.check_count; ++i) {
      const CheckRow& check = all_.checks[form_.first_check + i];
      if (check.operand != index || !applies(check, instruction_)) continue;
      if (!is_allowed(check, value)) return false;
    }
    return true;
  }

  // Operands that the suffix holds or says more about; empty when the host's field holds this one.
  std::optional<bool> set_suffix_code(unsigned index, const SlotRow& slot, u32 code) {
    const std::string_view name = all_.text(slot.name);
    const FieldRow* field = replacing_field(suffix_row(), slot.name);
    const FieldRow* choice = find_field(suffix_row(), name == "a"   ? "s0"
                                                      : name == "b" ? "s1"
                                                      : name == "d" ? "sd"
                                                                    : "");
    if (field == nullptr && choice == nullptr) return {};
    if (name == "d" && choice != nullptr && field != nullptr) return set_named_result(*field, *choice, code);
    const bool is_scalar = code < 256;
    if (is_scalar && (choice == nullptr || !is_scalar_source(code)))
      return bad_code(index, slot, code, "with this suffix it is a register");
    if (code > 511) return bad_code(index, slot, code, {});
    if (choice != nullptr) set_suffix(*choice, is_scalar);
    if (field != nullptr) {
      set_suffix(*field, code & 0xff);
      return true;
    }
    const OperandRow& operand = all_.operands[form_.first_operand + index];
    if (operand.field != 0xff) set(field_at(operand.field), code & 0xff);
    return true;
  }

  bool is_scalar_source(u32 code) const {
    const CodeClass cls = code_row(instruction_.chip, code).cls;
    return cls != CodeClass::none && cls != CodeClass::literal && cls != CodeClass::literal64 &&
           cls != CodeClass::dpp && cls != CodeClass::dpp8 && cls != CodeClass::sdwa;
  }

  bool set_named_result(const FieldRow& field, const FieldRow& choice, u32 code) {
    const bool is_vcc = code == vcc_code;
    if (!is_vcc && code > low_ones(field.width)) return fail("the result goes to scalar registers");
    set_suffix(choice, !is_vcc);
    set_suffix(field, is_vcc ? 0 : code);
    return true;
  }

  const Tables& all_ = tables();
  const FormRow& form_;
  u16 suffix_;
  Instruction instruction_;
  EncodeError failure_;
  bool literal_is_set_ = false;
  u64 literal_ = 0;
  u32 literal_code_ = 255;
  u64 known_files_ = 0;  ///< acc fields of one bit, by their place, that an operand has decided on
};

}  // namespace

Result<Instruction> encode(u32 form, std::span<const OperandInput> operands, std::span<const FieldInput> fields,
                           u16 suffix, EncodeError* where) {
  if (form >= tables().forms.size()) {
    const Error error{"no form has this number", {}};
    if (where != nullptr) *where = {error, -1, -1};
    return error;
  }
  return Encoder(form, suffix).run(operands, fields, where);
}

Instruction blank_instruction(u32 form) {
  return form < tables().forms.size() ? Encoder(form, no_suffix).instruction() : Instruction{};
}

u16 find_suffix(u32 form, std::string_view name) {
  const Tables& all = tables();
  if (form >= all.forms.size()) return no_suffix;
  const FormRow& row = all.forms[form];
  const ChipRow& chip = all.chips[chip_of_form(form)];
  for (u32 bit = 0; bit < 32 && bit < chip.encoding_count; ++bit) {
    if (((all.encodings[row.encoding].suffixes & ~row.without) >> bit & 1) == 0) continue;
    const std::string_view own = all.text(all.encodings[chip.first_encoding + bit].name);
    if (own == name || (name == "SDWA" && own == "SDWAB")) return static_cast<u16>(chip.first_encoding + bit);
  }
  return no_suffix;
}

unsigned chip_of_form(u32 form) {
  const Tables& all = tables();
  for (unsigned chip = 0; chip < all.chips.size(); ++chip) {
    if (form - all.chips[chip].first_form < all.chips[chip].form_count) return chip;
  }
  return 0;
}

void append_bytes(const Instruction& instruction, u8* out) {
  std::memcpy(out, instruction.words.data(), instruction.size);
}

}  // namespace gfxisa
