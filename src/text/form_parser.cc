#include "text/form_parser.h"

#include <algorithm>
#include <bit>

#include "inst/registers.h"
#include "text/memory_text.h"
#include "text/writer.h"

namespace gfxisa::text {

namespace {

bool is_offset_slot(std::string_view name, Style style) {
  return !is_scalar_offset(style) && (name == "offset" || name == "offset0" || name == "offset1");
}

constexpr u32 inverse_two_pi = 0x3e22f983;  ///< as an f32

bool writes_nothing(Style style) { return style == Style::none || style == Style::unused16; }

/// Immediates that are written like modifiers: ` bitop3:0x96`.
bool is_written_as_modifier(Style style) {
  return style == Style::bitop3 || style == Style::opsel || style == Style::neg_lo || style == Style::value;
}

}  // namespace

bool is_left_out_when_zero(const SlotRow& slot) {
  const std::string_view name = tables().text(slot.name);
  return is_offset_slot(name, slot.style) || writes_nothing(slot.style) || is_written_as_modifier(slot.style);
}

FormParser::FormParser(const ParserContext& context, Cursor& cursor, u32 form, u16 suffix, FormBuffers& buffers)
    : context_(context),
      cursor_(cursor),
      all_(tables()),
      form_index_(form),
      suffix_(suffix),
      form_(all_.forms[form]),
      encoding_(all_.encodings[form_.encoding]),
      suffix_row_(suffix == no_suffix ? nullptr : &all_.encodings[suffix]),
      inputs_(buffers.inputs),
      starts_(buffers.starts),
      fields_(buffers.fields),
      field_inputs_(buffers.field_inputs),
      sized_(buffers.sized),
      runs_(buffers.runs),
      further_(buffers.further) {
  inputs_.assign(form_.operand_count, {});
  starts_.assign(form_.operand_count, cursor.at());
  fields_.clear();
  sized_.clear();
  if (form_.has_counts) {
    runs_.assign(form_.operand_count, {});
    further_.assign(form_.operand_count, {});
  }
  if (context.later != nullptr) *context.later = {};
}

FormParser::Slot FormParser::slot_at(unsigned index) const {
  const OperandRow& operand = all_.operands[form_.first_operand + index];
  const SlotRow& slot = all_.slots[all_.instructions[form_.instruction].first_slot + operand.slot];
  return {index, &operand, &slot, all_.text(slot.name)};
}

int FormParser::index_of_slot(Text name) const {
  const u32 first_slot = all_.instructions[form_.instruction].first_slot;
  for (unsigned i = 0; i < form_.operand_count; ++i) {
    if (all_.slots[first_slot + all_.operands[form_.first_operand + i].slot].name == name) return static_cast<int>(i);
  }
  return -1;
}

bool FormParser::parse(Instruction& result) {
  if (!parse_operands() || !parse_modifiers() || !settle_sends() || !has_needed_fields() || !encode_all(result))
    return false;
  if (context_.used != nullptr) {
    context_.used->vector = std::max(context_.used->vector, used_.vector);
    context_.used->scalar = std::max(context_.used->scalar, used_.scalar);
  }
  return true;
}

bool FormParser::parse_operands() {
  bool is_first = true;
  for (u32 i = 0; i < form_.syntax_count; ++i) {
    const SyntaxItem& item = all_.syntax_items[form_.first_syntax + i];
    const int index = item.is_slot ? index_of_slot(item.name) : -1;
    if (!item.is_slot && !parse_scalar_base(item.name)) return false;
    if (index < 0) continue;
    const Slot slot = slot_at(static_cast<unsigned>(index));
    if (is_left_out(slot)) continue;
    const bool stands_alone = is_first || slot.slot->style == Style::channel;
    if (!stands_alone && !cursor_.take(',')) {
      return cursor_.fail_here(cursor_.at_end() ? "an operand is missing: " + expectation(slot)
                                                : "expected ',' before the next operand");
    }
    if (!parse_operand(slot)) return false;
    // What an export sends may stand behind a space.
    is_first = slot.slot->style == Style::export_target && !cursor_.take(',');
  }
  return true;
}

/// Operands that are not written in place: those written like modifiers, results that nobody asks for, registers that
/// may be missing.
bool FormParser::is_left_out(const Slot& slot) {
  const Style style = slot.slot->style;
  const bool is_immediate = slot.slot->access == Access::imm;
  if (is_immediate && is_scalar_offset(style)) return has_scalar_register_;
  if (is_immediate && is_left_out_when_zero(*slot.slot)) return true;
  if (is_immediate && style == Style::optional_u16) return cursor_.at_end();
  if (slot.slot->is_returned && slot.slot->access == Access::out) return !asks_for_result();
  if (slot.name == "soffset" && slot.operand->field == 0xff) return true;
  return (is_optional_offset(form_, slot.name) || is_optional_group(slot.name)) && !is_register_next(slot);
}

/// Whether an atomic is told to give the old value: by a word among its modifiers.
bool FormParser::asks_for_result() const {
  const std::string_view rest = cursor_.line().substr(cursor_.at());
  return rest.find(" glc") != std::string_view::npos || rest.find(" sc0") != std::string_view::npos ||
         rest.find("_RETURN") != std::string_view::npos;
}

/// Looks behind the comma for a register; where there is none, a slot that may hold NULL holds it.
bool FormParser::is_register_next(const Slot& slot) {
  const std::size_t start = cursor_.at();
  const bool found = cursor_.take(',') && parse_register(cursor_, context_).has_value();
  cursor_.go_to(start);
  const auto null = find_register(context_.chip, "null");
  has_scalar_register_ = found || !null;
  if (!found && null) inputs_[slot.index] = OperandInput::code(null->code);
  return found || !null;
}

/// `, s[2:3]` or `, off` where the syntax has a scalar base.
bool FormParser::parse_scalar_base(Text name) {
  const FieldRow* field = encoding_.base_field == 0xff ? nullptr : find_field(encoding_, name);
  if (field == nullptr || field->style != Style::saddr) return true;
  const bool is_flat = address_space(encoding_) == AddressSpace::flat;
  cursor_.skip_spaces();
  if (!cursor_.take(',')) return is_flat || cursor_.fail_here("expected ', off' or a scalar base address");
  const std::size_t start = cursor_.at();
  if (cursor_.peek_identifier() == "off") {
    cursor_.take_identifier();
    if (has_no_vector_part_) return set_no_address(*field, start);
    return address_bits_ != 32 || address_space(encoding_) == AddressSpace::scratch ||
           cursor_.fail(start, 4, "without a scalar base the address needs a pair of vector registers");
  }
  const auto base = parse_register(cursor_, context_);
  const u32 bits = address_space(encoding_) == AddressSpace::scratch ? 32 : 64;
  if (!base || (base->bits != 0 && base->bits != bits))
    return cursor_.fail_here("expected 'off' or a scalar base of " + std::to_string(bits) + " bits");
  if (tuple_place(code_row(context_.chip, base->code), bits / 32) != 0)
    return cursor_.fail(start, cursor_.at() - start, "pairs of scalar registers begin at an even number");
  note_use(used_, context_.chip, base->code, base->bits);
  return set_field(*field, base->code);
}

/// `off, off` where no bit says whether there is a vector part: a code of its own, which RDNA 2 brought.
bool FormParser::set_no_address(const FieldRow& field, std::size_t start) {
  constexpr u64 no_address = 0x7f;
  if (field.constant == no_address) return cursor_.fail(start, 3, "the address needs a scalar or a vector register");
  return set_field(field, no_address);
}

/// `v[2:3]`, `v2` or, in scratch, `off`.
bool FormParser::parse_address(const Slot& slot) {
  const FieldRow* choice = find_field(encoding_, KnownField::sve);
  const bool is_scratch = address_space(encoding_) == AddressSpace::scratch;
  if (is_scratch && cursor_.peek_identifier() == "off") {
    cursor_.take_identifier();
    has_no_vector_part_ = choice == nullptr;
    return true;
  }
  const std::size_t start = cursor_.at();
  const auto found = parse_register(cursor_, context_);
  if (!found || code_row(context_.chip, found->code).cls != CodeClass::vgpr || found->bits > 64)
    return cursor_.fail(start, 1, "expected an address in vector registers");
  address_bits_ = found->bits;
  note_use(used_, context_.chip, found->code, found->bits);
  inputs_[slot.index] = OperandInput::code(found->code);
  return !is_scratch || choice == nullptr || set_field(*choice, 1);
}

/// The bits for the sources of an export that are not `off`. Compressed, a register is written twice, for its two
/// halves; what is written first counts, as in LLVM.
bool FormParser::settle_sends() {
  const FieldRow* sends = find_field(encoding_, KnownField::en);
  if (sends == nullptr || sends->style != Style::sends) return true;
  std::array<unsigned, 4> sources{};
  for (unsigned i = 0; i < form_.operand_count; ++i) {
    const std::string_view name = slot_at(i).name;
    if (name.starts_with("src")) sources[static_cast<unsigned>(name.back() - '0') % sources.size()] = i;
  }
  const auto is_sent = [&](unsigned source) { return u64{!runs_[sources[source]].empty()}; };
  const FieldRow* compressed = find_field(encoding_, KnownField::compr);
  const auto is_compressed = [&](const FieldSetting& setting) {
    return setting.field == compressed && setting.value != 0;
  };
  if (compressed == nullptr || std::none_of(fields_.begin(), fields_.end(), is_compressed))
    return set_field(*sends, is_sent(0) | is_sent(1) << 1 | is_sent(2) << 2 | is_sent(3) << 3);
  const u64 bits = is_sent(0) * 3 | is_sent(2) * 12;
  inputs_[sources[1]] = inputs_[sources[2]];
  runs_[sources[1]] = runs_[sources[2]];
  for (const unsigned operand : {sources[2], sources[3]}) {
    inputs_[operand] = {};
    runs_[operand].clear();
  }
  return set_field(*sends, bits);
}

bool FormParser::parse_run(std::vector<RegisterRun>& runs) {
  const std::size_t start = cursor_.at();
  const auto found = cursor_.peek() == '[' ? std::nullopt : parse_register(cursor_, context_);
  const CodeClass cls = found ? code_row(context_.chip, found->code).cls : CodeClass::none;
  if (cls != CodeClass::vgpr && cls != CodeClass::agpr) return cursor_.fail(start, 1, "expected vector registers");
  note_use(used_, context_.chip, found->code, found->bits);
  runs.push_back({static_cast<u16>(found->code), static_cast<u16>(found->bits == 0 ? 1 : register_count(found->bits))});
  return true;
}

/// `v[4:6]` or `[v[4:6]]`, `off` for none, or `[v4, v7, v[8:9]]` where each register has a field.
bool FormParser::parse_registers(const Slot& slot) {
  std::vector<RegisterRun>& runs = runs_[slot.index];
  if (cursor_.peek_identifier() == "off") {
    cursor_.take_identifier();
    return true;
  }
  const bool is_list = cursor_.take('['), has_fields = slot.operand->further_count != 0;
  if (slot.operand->is_list && !is_list) return cursor_.fail_here("expected a list of registers: [v0, v1]");
  do {
    if (!parse_run(runs)) return false;
  } while (is_list && has_fields && cursor_.take(','));
  if (is_list && !cursor_.take(']'))
    return cursor_.fail_here(has_fields ? "expected ',' or ']'"
                                        : "in this encoding registers stand one behind the other: v[0:2]");
  for (std::size_t i = 1; i < runs.size(); ++i) further_[slot.index].push_back(runs[i].code);
  inputs_[slot.index] = OperandInput::code(runs[0].code, further_[slot.index]);
  return true;
}

/// Whether as many registers were written as the modifiers ask for.
bool FormParser::check_registers(const Instruction& result) {
  for (unsigned i = 0; i < form_.operand_count; ++i) {
    const OperandRow& operand = all_.operands[form_.first_operand + i];
    if (operand.count == 0) continue;
    const RegisterRuns wanted = register_runs(result, i);
    const std::vector<RegisterRun>& written = runs_[i];
    if (wanted.is_odd) {
      cursor_.go_to(starts_[i]);
      return cursor_.fail_here("these modifiers do not go together in this instruction");
    }
    const bool is_least = all_.counts[operand.count - 1u].is_least && wanted.count == 1 && written.size() == 1;
    const auto same = [&](const RegisterRun& a, const RegisterRun& b) {
      return a.count == b.count || (is_least && a.count > b.count);
    };
    if (std::equal(written.begin(), written.end(), wanted.all().begin(), wanted.all().end(), same)) continue;
    u32 total = 0;
    for (const RegisterRun& run : wanted.all()) total += run.count;
    cursor_.go_to(starts_[i]);
    return cursor_.fail_here(total == 0
                                 ? "not as many registers as the modifiers ask for"
                                 : "expected " + std::to_string(total) + (total == 1 ? " register" : " registers"),
                             "that many follow from the instruction and its modifiers");
  }
  return true;
}

bool FormParser::parse_operand(const Slot& slot) {
  cursor_.skip_spaces();
  starts_[slot.index] = cursor_.at();
  if (cursor_.at_end()) return cursor_.fail_here("an operand is missing: " + expectation(slot));
  if (slot.operand->count != 0) return parse_registers(slot);
  if (slot.name == "addr" && address_space(encoding_) != AddressSpace::none) return parse_address(slot);
  if (slot.slot->access != Access::imm) return parse_register_or_constant(slot);
  const FieldRow* field =
      slot.operand->field == 0xff ? nullptr : &all_.fields[encoding_.first_field + slot.operand->field];
  i64 value = 0;
  if (!parse_immediate(cursor_, context_, slot.slot->style, field == nullptr ? 16 : field->width, value)) return false;
  inputs_[slot.index] = OperandInput::immediate(value);
  return true;
}

bool FormParser::parse_register_or_constant(const Slot& slot) {
  const int source = slot.name.size() == 1 && slot.name[0] >= 'a' && slot.name[0] <= 'c' ? slot.name[0] - 'a' : -1;
  bar_open_ = paren_open_ = false;
  return take_signs(slot, source) && parse_value(slot) && close_signs();
}

bool FormParser::take_signs(const Slot& slot, int source) {
  const std::size_t start = cursor_.at();
  const char first = cursor_.peek(), after = cursor_.peek_after(1);
  const bool may_be_word =
      (first == 'n' && after == 'e') || (first == 's' && after == 'e') || (first == 'a' && after == 'b');
  if (first != '-' && first != '|' && !may_be_word) return true;
  // A minus before a digit belongs to the number.
  const bool is_number = (after >= '0' && after <= '9') || after == '.' || after == '(';
  if (cursor_.peek() == '-' && !is_number) {
    const std::size_t at = cursor_.at();
    cursor_.take('-');
    if (cursor_.peek() != '|' && !cursor_.peek_identifier().starts_with("abs") && !parse_register(cursor_, context_)) {
      cursor_.go_to(at);  // an expression such as -N
      return true;
    }
    cursor_.go_to(at + 1);
    if (!set_sign(slot, source, "neg", at)) return false;
  } else if (cursor_.take("neg(")) {
    paren_open_ = true;
    if (!set_sign(slot, source, "neg", start)) return false;
  } else if (cursor_.take("sext(")) {
    paren_open_ = true;
    return set_sign(slot, source, "sext", start);
  }
  if (cursor_.take('|')) {
    bar_open_ = true;
    return set_sign(slot, source, "abs", cursor_.at() - 1);
  }
  if (cursor_.take("abs(")) {
    if (paren_open_) return cursor_.fail_here("write neg(abs(x)) as -|x|");
    paren_open_ = true;
    return set_sign(slot, source, "abs", start);
  }
  return true;
}

bool FormParser::close_signs() {
  if (bar_open_ && !cursor_.take('|')) return cursor_.fail_here("expected '|'");
  if (paren_open_ && !cursor_.take(')')) return cursor_.fail_here("expected ')'");
  return true;
}

bool FormParser::set_sign(const Slot& slot, int source, std::string_view what, std::size_t at) {
  const std::string refusal =
      "this operand of " + std::string(all_.text(form_.mnemonic)) + " takes no '" + std::string(what) + "'";
  if (source < 0) return cursor_.fail(at, 1, refusal);
  const std::string own = "src" + std::to_string(source) + "_" + std::string(what);
  // A word that has sign bits of its own keeps them there, also with DPP behind it.
  const FieldRow* field = find_field(encoding_, what);
  const FieldRow* in_suffix = suffix_row_ == nullptr || encoding_.bits > 32 ? nullptr : find_field(*suffix_row_, own);
  const bool is_taken = takes_sign(in_suffix != nullptr ? *suffix_row_ : encoding_, *slot.slot, what);
  if (!is_taken) return cursor_.fail(at, 1, refusal);
  if (in_suffix != nullptr) return set_field(*in_suffix, 1);
  if (field == nullptr || source >= field->width || field->role != FieldRole::modifier)
    return cursor_.fail(at, 1, refusal);
  u64 value = u64{1} << source;
  for (const FieldSetting& setting : fields_) {
    if (setting.field == field) value |= setting.value;
  }
  return set_field(*field, value);
}

bool FormParser::parse_value(const Slot& slot) {
  cursor_.skip_spaces();
  const std::size_t start = cursor_.at();
  if (const auto found = parse_register(cursor_, context_)) return accept_register(slot, *found, start);
  if (cursor_.peek_identifier().starts_with("lit")) {
    const std::string_view name = cursor_.peek_identifier();
    if (name == "lit" || name == "lit64") return parse_literal_call(slot);
  }
  if (slot.operand->kind == no_kind) return cursor_.fail_here("expected " + expectation(slot));
  const u16 classes = all_.operand_kinds[slot.operand->kind].classes;
  const bool takes_numbers = (classes >> static_cast<unsigned>(CodeClass::integer) & 1) != 0 || has_scalar_choice(slot);
  if (!takes_numbers)
    return cursor_.fail_here("expected " + expectation(slot) + ", not '" + std::string(cursor_.peek_word()) + "'");
  Value value;
  if (!parse_expression(cursor_, context_.symbols, value, bar_open_)) return false;
  return accept_number(slot, value, start);
}

/// Whether a bit of the suffix says that this source is a scalar register or a constant.
bool FormParser::has_scalar_choice(const Slot& slot) const {
  if (suffix_row_ == nullptr) return false;
  return (slot.name == "a" && find_field(*suffix_row_, KnownField::s0) != nullptr) ||
         (slot.name == "b" && find_field(*suffix_row_, KnownField::s1) != nullptr);
}

bool FormParser::parse_literal_call(const Slot& slot) {
  const bool is_long = cursor_.take_identifier() == "lit64";
  if (!cursor_.take('(')) return cursor_.fail_here("expected '(' after lit");
  Value value;
  if (!parse_known(cursor_, context_.symbols, value)) return false;
  if (!cursor_.take(')')) return cursor_.fail_here("expected ')'");
  u64 bits = static_cast<u64>(value.integer);
  if (bits_of(slot) > 32 && (is_long || takes_long_literal(slot))) {
    inputs_[slot.index] = OperandInput::literal64(bits);
    return true;
  }
  inputs_[slot.index] = OperandInput::literal(as_literal(slot, bits));
  return true;
}

/// Whether a literal of 64 bits may stand here. Then one of 32 bits is taken only where its extension is beyond doubt.
bool FormParser::takes_long_literal(const Slot& slot) const {
  if (slot.operand->kind == no_kind || constant_type(*slot.slot) != ConstantType::integer64) return false;
  const u16 classes = all_.operand_kinds[slot.operand->kind].classes;
  return (classes >> static_cast<unsigned>(CodeClass::literal64) & 1) != 0 &&
         takes_long_literals(context_.chip, encoding_);
}

/// The value of the literal whose bits are the low 32 of `bits`; wider numbers stay what they are.
u64 FormParser::as_literal(const Slot& slot, u64 bits) const {
  const i64 number = static_cast<i64>(bits);
  if (bits_of(slot) <= 32 || number < -(i64{1} << 31) || number > 0xffffffff) return bits;
  return literal_value(static_cast<u32>(bits), constant_type(*slot.slot), is_signed(*slot.slot));
}

unsigned FormParser::bits_of(const Slot& slot) const { return slot_bits(*slot.slot, context_.wave_size); }

std::string FormParser::expectation(const Slot& slot) const {
  if (slot.operand->kind == no_kind) return "a number";
  const unsigned bits = bits_of(slot);
  std::string about(all_.text(all_.operand_kinds[slot.operand->kind].about));
  if (!about.empty() && about.back() == '.') about.pop_back();
  if (!about.empty() && about[0] >= 'A' && about[0] <= 'Z') about[0] = static_cast<char>(about[0] - 'A' + 'a');
  return about + " (" + std::to_string(bits) + " bits)";
}

/// The half of a register of 16 bits goes to bit 7 of its number or to op_sel.
bool FormParser::choose_half(const Slot& slot, ReadRegister& found, std::size_t start) {
  const HalfPlace place = half_place(context_.chip_set, encoding_, *slot.slot);
  if (found.half != 0 && place == HalfPlace::none)
    return cursor_.fail(start, 1, "this operand is no half of a register");
  if (place == HalfPlace::none || found.code < 256) return true;
  if (place == HalfPlace::register_number) {
    if (found.code >= 256 + 128) return cursor_.fail(start, 1, "in this encoding halves are of v0 to v127");
    found.code += found.half == 'h' ? 128 : 0;
    return true;
  }
  const FieldRow* opsel = find_field(encoding_, KnownField::opsel);
  if (found.half != 'h' || opsel == nullptr) return true;
  u64 value = u64{1} << opsel_bit(slot.name);
  for (const FieldSetting& setting : fields_) {
    if (setting.field == opsel) value |= setting.value;
  }
  return set_field(*opsel, value);
}

bool FormParser::accept_register(const Slot& slot, ReadRegister found, std::size_t start) {
  if (!choose_half(slot, found, start)) return false;
  const auto [code, bits, half] = found;
  const std::string_view name = cursor_.text_from(start);
  const bool is_value = name.starts_with("src_");  // read at any width
  const bool is_sized = slot.operand->sized_by != 0xff && code >= 256;
  if (bits != 0 && !is_value && !is_sized && register_count(bits) != register_count(bits_of(slot))) {
    return cursor_.fail(
        start, name.size(),
        "'" + std::string(name) + "' has " + std::to_string(bits) + " bits; expected " + expectation(slot));
  }
  const bool in_suffix = suffix_row_ != nullptr && replacing_field(*suffix_row_, slot.slot->name) != nullptr;
  if (slot.operand->field == 0xff && slot.operand->implied_code != code && !in_suffix) {
    const std::string implied = code_name(context_.chip, slot.operand->implied_code, bits_of(slot));
    return cursor_.fail(start, name.size(), "in this encoding the operand is always " + implied);
  }
  if (bits != 0) note_use(used_, context_.chip, code, bits);
  inputs_[slot.index] = OperandInput::code(code);
  if (is_sized) sized_.push_back({slot.index, bits});
  return true;
}

/// The bits of a float in the format of the operand.
u64 FormParser::float_bits(const Slot& slot, double real) const {
  switch (constant_type(*slot.slot)) {
    case ConstantType::bf16:
    case ConstantType::packed_bf16:
    case ConstantType::mixed_bf16:
      // Of 1 / (2 pi) the bits of an f32 are cut, not rounded.
      return static_cast<float>(real) == std::bit_cast<float>(inverse_two_pi) ? inverse_two_pi >> 16
                                                                              : to_bfloat_bits(real);
    case ConstantType::f16:
    case ConstantType::packed_f16:
    case ConstantType::mixed_f16:
    case ConstantType::integer16:
      return to_half_bits(real);
    case ConstantType::repeated_f16: {
      const u64 half = to_half_bits(real), both = half << 16 | half;
      return inline_code(context_.chip, both, ConstantType::repeated_f16) ? both : half;
    }
    case ConstantType::f64:
    case ConstantType::integer64:
      return std::bit_cast<u64>(real);
    default:
      return std::bit_cast<u32>(static_cast<float>(real));
  }
}

/// An integer for an operand of more than 32 bits. One of 32 bits is the literal itself, which an f64 takes as its
/// upper half.
OperandInput FormParser::wide_constant(const Slot& slot, i64 number) const {
  const u64 bits = static_cast<u64>(number);
  const ConstantType type = constant_type(*slot.slot);
  const bool is_wide = number < -(i64{1} << 31) || number > 0xffffffff;
  // A pair of floats takes a word twice.
  const u64 word = type == ConstantType::packed_words ? bits & 0xffffffff : bits;
  if (is_wide || inline_code(context_.chip, word, type)) return OperandInput::constant(is_wide ? bits : word);
  const bool is_long = takes_long_literal(slot) && (number < 0 || number > 0x7fffffff);
  return is_long ? OperandInput::literal64(bits) : OperandInput::literal(as_literal(slot, bits));
}

/// A symbol is a literal whatever its value: its place must hold every one.
bool FormParser::accept_symbol(const Slot& slot, const Value& value, std::size_t start) {
  const std::size_t length = cursor_.at() - start;
  const std::string name(cursor_.text_from(start));
  const u16 classes = all_.operand_kinds[slot.operand->kind].classes;
  const bool is_wide = bits_of(slot) > 32;
  const CodeClass cls = is_wide ? CodeClass::literal64 : CodeClass::literal;
  const bool fits = (classes >> static_cast<unsigned>(cls) & 1) != 0 && (!is_wide || takes_long_literal(slot));
  if (context_.later == nullptr || !fits) {
    return cursor_.fail(start, length, "'" + name + "' is not a register, and no symbol can stand here",
                        "expected " + expectation(slot));
  }
  if (context_.later->expression != 0 && context_.later->expression != value.later)
    return cursor_.fail(start, length, "a second literal", "an instruction has one literal");
  *context_.later = {is_wide ? LaterValue::Place::literal64 : LaterValue::Place::literal, value.later};
  inputs_[slot.index] = is_wide ? OperandInput::literal64(0) : OperandInput::literal(0);
  return true;
}

bool FormParser::accept_number(const Slot& slot, const Value& value, std::size_t start) {
  if (value.later != 0) return accept_symbol(slot, value, start);
  if (value.is_float) {
    inputs_[slot.index] = OperandInput::constant(float_bits(slot, value.real));
    return true;
  }
  const HalfReading reading = half_reading(form_, *slot.slot);
  const ConstantType type = constant_type(*slot.slot);
  const bool is_mixed = type == ConstantType::mixed_f16 || type == ConstantType::mixed_bf16;
  const bool is_word =
      reading == HalfReading::whole_word || (bits_of(slot) > 64 && type != ConstantType::f64);  // each word of a tile
  const bool is_part = bits_of(slot) == 16 && type == ConstantType::integer32;
  const unsigned bits = is_word || is_part ? 32 : is_mixed ? 16 : bits_of(slot);
  if (bits > 32) {
    inputs_[slot.index] = wide_constant(slot, value.integer);
    return true;
  }
  const i64 high = bits <= 16 ? 0xffff : 0xffffffff;
  if (value.integer < -(high + 1) / 2 || value.integer > high) {
    return cursor_.fail(start, cursor_.at() - start, "the number does not fit into " + std::to_string(bits) + " bits");
  }
  const u64 constant = static_cast<u64>(value.integer & high);
  // Integers of 16 bits and scalar halves have no inline floats by number: see HalfReading.
  const bool has_no_floats = reading != HalfReading::plain || type == ConstantType::integer16;
  const bool is_literal = has_no_floats && (value.integer < -16 || value.integer > 64);
  if (is_literal)
    inputs_[slot.index] = OperandInput::literal(constant);
  else
    inputs_[slot.index] = OperandInput::constant(is_part ? constant : constant & low_ones(bits_of(slot)));
  return true;
}

bool FormParser::parse_modifiers() {
  while (!cursor_.at_end()) {
    if (!parse_modifier()) return false;
  }
  return true;
}

bool FormParser::set_field(const FieldRow& field, u64 value) {
  for (FieldSetting& setting : fields_) {
    if (setting.field != &field) continue;
    setting.value = value;
    return true;
  }
  fields_.push_back({&field, value});
  return true;
}

bool FormParser::set_split_field(const FieldRow& field, u64 value) {
  const FieldRow* rest = find_part(encoding_, field, 2);
  const u64 upper = rest == nullptr ? 0 : value >> field.width & low_ones(rest->width);
  const u64 lower = value & low_ones(field.width);
  const bool fits_lower = lower == fixed_value(field).value_or(lower);
  const bool fits_upper = rest == nullptr ? field.style == Style::simm || value >> field.width == 0
                                          : upper == fixed_value(*rest).value_or(upper);
  if (!fits_lower || !fits_upper)
    return cursor_.fail_here(std::string(all_.text(form_.mnemonic)) + " has no such " +
                             std::string(all_.text(field.name)));
  set_field(field, lower);
  return rest == nullptr || set_field(*rest, upper);
}

bool FormParser::set_immediate_modifier(bool& taken) {
  for (unsigned i = 0; i < form_.operand_count && !taken; ++i) {
    const Slot slot = slot_at(i);
    if (slot.slot->access != Access::imm || !is_written_as_modifier(slot.slot->style) || slot.operand->field == 0xff)
      continue;
    FieldRow field = all_.fields[encoding_.first_field + slot.operand->field];
    const std::string name(all_.text(field.name));
    field.style = slot.slot->style;
    u64 value = 0;
    if (!parse_field(cursor_, context_, field, 0, taken, value)) return false;
    if (!taken) continue;
    inputs_[i] = OperandInput::immediate(static_cast<i64>(value & low_ones(field.width)));
    set_parts(name, value >> field.width);
  }
  return true;
}

/// The upper parts of a value whose bits lie in several fields: `name2`, `name3`.
void FormParser::set_parts(const std::string& name, u64 value) {
  for (char number = '2'; number <= '3'; ++number) {
    for (unsigned i = 0; i < form_.operand_count; ++i) {
      const OperandRow& operand = all_.operands[form_.first_operand + i];
      if (operand.field == 0xff) continue;
      const FieldRow& field = all_.fields[encoding_.first_field + operand.field];
      if (all_.text(field.name) != name + number) continue;
      inputs_[i] = OperandInput::immediate(static_cast<i64>(value & low_ones(field.width)));
      value >>= field.width;
    }
  }
}

bool FormParser::set_offset(std::string_view name) {
  for (unsigned i = 0; i < form_.operand_count; ++i) {
    const Slot slot = slot_at(i);
    if (slot.name != name || slot.slot->access != Access::imm || slot.operand->field == 0xff) continue;
    const FieldRow& field = all_.fields[encoding_.first_field + slot.operand->field];
    i64 value = 0;
    starts_[i] = cursor_.at();
    if (!parse_immediate(cursor_, context_, slot.slot->style, field.width, value)) return false;
    const bool is_signed = field.style == Style::simm;
    const i64 high = static_cast<i64>(low_ones(is_signed ? field.width - 1u : field.width));
    if (value < (is_signed ? -high - 1 : 0) || value > high) {
      return cursor_.fail(
          starts_[i], cursor_.at() - starts_[i],
          "the offset must be from " + std::to_string(is_signed ? -high - 1 : 0) + " to " + std::to_string(high));
    }
    inputs_[i] = OperandInput::immediate(value);
    return true;
  }
  return cursor_.fail_here("this instruction has no " + std::string(name));
}

/// Whether the syntax has a flag or op_sel; others are no modifier of this instruction. Other styles of more than a bit
/// are written as the syntax says or not at all.
bool FormParser::is_in_syntax(const FieldRow& field) const {
  if ((field.style != Style::flag && field.style != Style::opsel) || field.name == 0) return true;
  const std::string_view name = all_.text(field.name);
  if (name.starts_with("src")) return true;
  const auto items = all_.syntax_items.subspan(form_.first_syntax, form_.syntax_count);
  return std::any_of(items.begin(), items.end(), [&](const SyntaxItem& item) { return item.name == field.name; });
}

/// The one value that the instruction allows in a field of its encoding.
std::optional<u64> FormParser::fixed_value(const FieldRow& field) const {
  for (const CheckRow& check : all_.checks.subspan(form_.first_check, form_.check_count)) {
    if (check.operand == fixed_field && check.low == field.low)
      return static_cast<u64>(std::countr_zero(all_.legal_values[check.legal][0]));
  }
  return {};
}

/// Whether the instruction has the field, or any upper part of it, only with its default.
bool FormParser::is_without(const FieldRow& field) const {
  if (fixed_value(field) != field.constant) return false;
  const FieldRow* upper = find_part(encoding_, field, 2);
  return upper == nullptr || fixed_value(*upper) == upper->constant;
}

/// A flag that is always set in this instruction is written nevertheless, and so is how many dimensions an image has.
bool FormParser::has_needed_fields() {
  const auto is_set_here = [&](const FieldRow& field) {
    return std::any_of(fields_.begin(), fields_.end(),
                       [&](const FieldSetting& setting) { return setting.field == &field; });
  };
  for (const FieldRow& field : fields_of(encoding_)) {
    if (field.style == Style::dim && !is_without(field) && !is_set_here(field))
      return cursor_.fail_here("expected 'dim'", "write dim:SQ_RSRC_IMG_2D or another shape of the image");
  }
  for (const CheckRow& check : all_.checks.subspan(form_.first_check, form_.check_count)) {
    if (check.operand != fixed_field) continue;
    for (const FieldRow& field : fields_of(encoding_)) {
      if (field.low != check.low || field.style != Style::flag || !is_in_syntax(field)) continue;
      const bool is_set = (all_.legal_values[check.legal][0] >> 1 & 1) != 0;
      if (is_set && !is_set_here(field))
        return cursor_.fail_here("expected '" + std::string(all_.text(field.name)) + "'");
    }
  }
  return true;
}

/// A field as wide as its number in text: with the bits that lie in a second field, or of op_sel without the
/// destination's where that is no vector register.
FieldRow FormParser::as_written(const FieldRow& field) const {
  FieldRow written = field;
  if (field.style == Style::value) {
    if (const FieldRow* rest = find_part(encoding_, field, 2))
      written.width = static_cast<u8>(field.width + rest->width);
  }
  if (field.style == Style::opsel && field.width == 4 && !has_vector_result()) written.width = 3;
  return written;
}

bool FormParser::has_vector_result() const {
  for (unsigned i = 0; i < form_.operand_count; ++i) {
    const Slot slot = slot_at(i);
    if (slot.name == "d" && slot.slot->bits != 0) return true;
  }
  return false;
}

bool FormParser::parse_modifier() {
  const std::size_t start = cursor_.at();
  const std::string_view word = cursor_.peek_identifier();
  for (const EncodingRow* row : {suffix_row_, &encoding_}) {
    if (row == nullptr) continue;
    for (const FieldRow& field : fields_of(*row)) {
      if (field.role != FieldRole::modifier || !may_begin(field, word) ||
          (row == &encoding_ && (!is_in_syntax(field) || is_without(field))))
        continue;
      u64 current = field.constant, value = 0;
      for (const FieldSetting& setting : fields_) {
        if (setting.field == &field) current = setting.value;
      }
      bool taken = false;
      if (!parse_field(cursor_, context_, as_written(field), current, taken, value)) return false;
      if (taken && field.style == Style::dpp_ctrl && !takes_dpp_control(context_.chip_set, form_, value)) {
        cursor_.go_to(start);
        return cursor_.fail_here("operands of 64 bits can only be moved with row_newbcast");
      }
      if (taken && row == &encoding_) return set_split_field(field, value);
      if (taken) return set_field(field, value);
      cursor_.go_to(start);
    }
  }
  bool taken = false;
  if (!set_immediate_modifier(taken)) return false;
  if (taken) return true;
  cursor_.go_to(start);
  const std::string_view name = cursor_.peek_identifier();
  if (name == "offset" || name == "offset0" || name == "offset1") {
    cursor_.take_identifier();
    return (cursor_.take(':') || cursor_.fail_here("expected ':'")) && set_offset(name);
  }
  cursor_.go_to(start);
  if (cursor_.peek() == ',') return cursor_.fail_here("too many operands");
  if (name.empty())
    return cursor_.fail_here("unexpected '" + std::string(cursor_.peek_word()) + "' after the operands");
  return cursor_.fail_here("'" + std::string(name) + "' is no modifier of " + std::string(all_.text(form_.mnemonic)) +
                               (suffix_row_ == nullptr ? "" : " in this form"),
                           known_modifiers());
}

/// What could have been written instead, as a hint; empty when the form has no modifiers.
std::string FormParser::known_modifiers() const {
  std::string names;
  for (const EncodingRow* row : {suffix_row_, &encoding_}) {
    if (row == nullptr) continue;
    for (const FieldRow& field : fields_of(*row)) {
      if (field.role != FieldRole::modifier || (row == &encoding_ && (!is_in_syntax(field) || is_without(field))))
        continue;
      const std::string name = modifier_name(field, context_.chip_set);
      if (!name.empty()) (names += names.empty() ? "" : ", ") += name;
    }
  }
  const std::string_view chip = all_.text(all_.chips[context_.chip].name);
  return names.empty() ? "" : "on " + std::string(chip) + " it takes " + names;
}

/// Registers whose number follows from the format of their elements.
bool FormParser::check_widths(const Instruction& instruction) {
  for (const SizedOperand& sized : sized_) {
    const u32 wanted = operand_of(instruction, sized.index, context_.wave_size).bits;
    if (sized.bits == wanted) continue;
    cursor_.go_to(starts_[sized.index]);
    return cursor_.fail_here("with this format the operand has " + std::to_string(wanted) + " bits, not " +
                             std::to_string(sized.bits));
  }
  return true;
}

bool FormParser::encode_all(Instruction& result) {
  field_inputs_.clear();
  for (const FieldSetting& setting : fields_)
    field_inputs_.push_back({all_.text(setting.field->name), setting.value, setting.field});
  EncodeError where;
  Result<Instruction> encoded = encode(form_index_, inputs_, field_inputs_, suffix_, &where);
  if (encoded) {
    result = *encoded;
    return check_widths(result) && (!form_.has_counts || check_registers(result));
  }
  const bool is_operand = where.operand >= 0 && static_cast<std::size_t>(where.operand) < starts_.size();
  cursor_.go_to(is_operand        ? starts_[static_cast<std::size_t>(where.operand)]
                : starts_.empty() ? cursor_.at()
                                  : starts_[0]);
  return cursor_.fail_here(encoded.error().message, encoded.error().hint);
}

}  // namespace gfxisa::text
