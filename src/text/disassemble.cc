#include "text/disassemble.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <vector>

#include "codec/decode.h"
#include "inst/registers.h"
#include "text/form_cache.h"
#include "text/memory_text.h"
#include "text/writer.h"

namespace gfxisa {

namespace {

using text::Line;

bool is_lane_suffix(const Line& line) { return line.suffix != nullptr && !is_literal(*line.suffix); }

/// `_dpp` and `_sdwa` say which word follows; LLVM writes them for every DPP or SDWA word.
std::string_view lane_suffix(const Line& line) {
  return line.all.text(line.suffix->name).starts_with("SDWA") ? "_sdwa" : "_dpp";
}

/// Whether there are results, and no field of the word holds one.
bool writes_only_named(const Line& line) {
  if ((line.chip & (text::gfx11 | text::gfx12)) == 0) return false;
  const auto is_result = [](const SlotRow& slot) { return slot.access != Access::in && slot.access != Access::imm; };
  const InstructionRow& row = line.instruction.row();
  for (unsigned i = 0; i < line.form.operand_count; ++i) {
    const OperandRow& operand = line.all.operands[line.form.first_operand + i];
    if (operand.field != 0xff && is_result(line.all.slots[row.first_slot + operand.slot])) return false;
  }
  const auto slots = line.all.slots.subspan(row.first_slot, row.slot_count);
  return std::any_of(slots.begin(), slots.end(), is_result);
}

void append_mnemonic(Line& line) {
  line.out += line.all.text(line.form.mnemonic);
  const std::string_view suffix = line.all.text(line.encoding.mnemonic_suffix);
  if (!is_lane_suffix(line)) {
    if (line.form.takes_suffix && line.form.operand_count != 0) line.out += suffix;
    return;
  }
  const bool is_long = suffix != "_e32" && line.encoding.bits > 32;
  if (is_long) line.out += "_e64";
  // Compares in the short form, which write VCC, go without, as does what has no operands.
  if (is_long || (line.form.operand_count != 0 && !writes_only_named(line))) line.out += lane_suffix(line);
}

/// Offsets are written like modifiers, and only when they are not 0.
bool is_offset(const Line& line, std::string_view slot, Style style) {
  if (text::is_scalar_offset(style)) return false;
  (void)line;
  return slot == "offset" || slot == "offset0" || slot == "offset1";
}

void append_offset(Line& line, std::string_view slot, Style style, u64 value, const FieldRow& field) {
  const unsigned width = field.width;
  if (value == 0) return;
  line.out += ' ';
  line.out += slot;
  line.out += ':';
  if (field.style == Style::simm) return text::append_decimal(line.out, sign_extend(value, width));
  if (style == Style::swizzle) return text::append_immediate(line, style, value, width);
  text::append_decimal(line.out, static_cast<i64>(value));
}

struct Separator {
  bool is_first = true;
  bool after_register = false;  ///< the last operand was the register of a scalar offset
  void write(Line& line) {
    line.out += is_first ? " " : ", ";
    is_first = false;
  }
};

/// Immediates that are written like modifiers: ` bitop3:0x96`.
bool is_modifier(Style style) {
  return style == Style::bitop3 || style == Style::opsel || style == Style::neg_lo || style == Style::value ||
         style == Style::none;
}

void append_immediate_operand(Line& line, unsigned index, Separator& separator) {
  const OperandRow& operand = line.all.operands[line.form.first_operand + index];
  const SlotRow& slot = line.all.slots[line.instruction.row().first_slot + operand.slot];
  if (operand.field == 0xff) return;
  const FieldRow& field = line.all.fields[line.encoding.first_field + operand.field];
  const u64 value = line.instruction.bits(field.low, field.width);
  if (is_modifier(slot.style)) {
    FieldRow modifier = field;
    modifier.style = slot.style;
    modifier.constant = 0;
    return text::append_modifier(line, modifier, value, false);
  }
  const std::string_view name = line.all.text(slot.name);
  if (text::is_scalar_offset(slot.style)) {
    if (!separator.after_register) separator.write(line);
    return text::append_scalar_offset(line, sign_extend(value, field.width), separator.after_register);
  }
  if (is_offset(line, name, slot.style)) return append_offset(line, name, slot.style, value, field);
  if (text::is_silent(slot.style, value)) return;
  if (slot.style != Style::channel) separator.write(line);
  text::append_immediate(line, slot.style, value, field.width);
  // What an export sends stands behind a space only.
  separator.is_first = slot.style == Style::export_target;
}

/// The optional groups are written when there is one.
bool shows_groups(const Line& line) {
  for (unsigned i = 0; i < line.form.operand_count; ++i) {
    const OperandRow& operand = line.all.operands[line.form.first_operand + i];
    const SlotRow& slot = line.all.slots[line.instruction.row().first_slot + operand.slot];
    if (text::is_optional_group(line.all.text(slot.name)) && text::shows_scalar_register(line, i)) return true;
  }
  return false;
}

void append_one_operand(Line& line, unsigned index, Separator& separator) {
  const OperandRow& operand = line.all.operands[line.form.first_operand + index];
  const SlotRow& slot = line.all.slots[line.instruction.row().first_slot + operand.slot];
  if (slot.access == Access::imm) return append_immediate_operand(line, index, separator);
  const std::string_view name = line.all.text(slot.name);
  const bool is_memory = text::address_space(line.encoding) != text::AddressSpace::none;
  if (slot.is_returned && slot.access == Access::out && !returns_value(line.instruction)) return;
  if (name == "soffset" && operand.field == 0xff) return;
  const bool is_optional = text::is_optional_offset(line.form, name);
  separator.after_register = is_optional && text::shows_scalar_register(line, index);
  if (is_optional && !separator.after_register) return;
  if (text::is_optional_group(name) && !shows_groups(line)) return;
  separator.write(line);
  if (operand.count != 0) return text::append_registers(line, index);
  if (is_memory && name == "addr") return text::append_address(line, index);
  text::append_operand(line, index);
}

int operand_of_slot(const Line& line, Text slot) {
  for (unsigned i = 0; i < line.form.operand_count; ++i) {
    const OperandRow& operand = line.all.operands[line.form.first_operand + i];
    if (line.all.slots[line.instruction.row().first_slot + operand.slot].name == slot) return static_cast<int>(i);
  }
  return -1;
}

void append_field(Line& line, Text name, Separator& separator) {
  const FieldRow* field = line.suffix == nullptr ? nullptr : find_field(*line.suffix, name);
  const bool in_suffix = field != nullptr;
  if (!in_suffix) field = find_field(line.encoding, name);
  if (field == nullptr) return;
  const u64 value = in_suffix ? line.instruction.suffix_bits(field->low, field->width)
                              : line.instruction.bits(field->low, field->width);
  if (field->style == Style::saddr) {
    const std::string base = text::scalar_base_text(line, value);
    if (base.empty()) return;
    separator.write(line);
    line.out += base;
    return;
  }
  text::append_modifier(line, *field, value, in_suffix);
}

/// Fields of an instruction's words, and a value for them.
class WordBits {
 public:
  void add(unsigned low, unsigned width, u64 value) {
    for (unsigned bit = 0; bit < width; ++bit) {
      const unsigned at = low + bit;
      mask_[at / 64] |= u64{1} << at % 64;
      value_[at / 64] |= (value >> bit & 1) << at % 64;
    }
  }
  bool are_in(const Instruction& instruction) const {
    Words words;
    static_assert(sizeof words == sizeof instruction.words);
    std::memcpy(words.data(), instruction.words.data(), sizeof words);
    u64 unlike = 0;
    for (std::size_t i = 0; i < words.size(); ++i) unlike |= (words[i] & mask_[i]) ^ value_[i];
    return unlike == 0;
  }

 private:
  using Words = std::array<u64, max_words / 2>;
  Words mask_{}, value_{};
};

/// What of a form's text does not depend on the instruction's bits, worked out once a form. Most operands are plain: a
/// field with a register or a number, and nothing else that plays a part.
struct FormText {
  enum class Way : u8 { plain, operand, quiet_modifier, field };
  struct Item {
    Way way;
    u8 operand = 0;            ///< plain, operand
    u8 low = 0, width = 0;     ///< plain, quiet_modifier: of the field; a width of 0: there is none
    u16 offset = 0;            ///< plain: of the kind
    u16 bits = 0;              ///< plain: width of the value; 0 the wave's size
    Text name = 0;             ///< field
    u64 constant = 0;          ///< quiet_modifier: the value that is not written
    bool reads_words = false;  ///< plain: a literal is a number of 32 bits
  };
  std::string mnemonic;
  std::vector<Item> items;
  std::vector<Item> spoken;  ///< those without quiet modifiers
  WordBits quiet;            ///< fields of quiet modifiers, and what they hold where nothing is written
  WordBits plain;            ///< fields that are zero where plain operands are: neg, abs, those of Style::acc
};

/// Modifiers of these styles write nothing where they hold their default.
bool is_quiet(Style style) {
  return style == Style::flag || style == Style::value || style == Style::simm || style == Style::hex ||
         style == Style::omod || style == Style::opsel || style == Style::th || style == Style::scope;
}

FormText::Item item_of(const Line& line, const SyntaxItem& item) {
  using Way = FormText::Way;
  const int index = item.is_slot ? operand_of_slot(line, item.name) : -1;
  if (index < 0) {
    const FieldRow* field = item.is_slot ? nullptr : find_field(line.encoding, item.name);
    const bool is_whole = field != nullptr && find_part(line.encoding, *field, 2) == nullptr;
    if (!is_whole || !is_quiet(field->style)) return {Way::field, 0, 0, 0, 0, 0, item.name, 0};
    return {Way::quiet_modifier, 0, field->low, field->width, 0, 0, item.name, field->constant};
  }
  const OperandRow& operand = line.all.operands[line.form.first_operand + static_cast<unsigned>(index)];
  const SlotRow& slot = line.all.slots[line.instruction.row().first_slot + operand.slot];
  const bool is_whole = text::half_place(line.chip, line.encoding, slot) == text::HalfPlace::none;
  if (!is_whole || !text::is_plain_operand(line.encoding, operand, slot)) return {Way::operand, static_cast<u8>(index)};
  if (operand.field == 0xff) return {Way::plain, static_cast<u8>(index), 0, 0, operand.implied_code, slot.bits};
  const FieldRow& field = line.all.fields[line.encoding.first_field + operand.field];
  const u16 offset = line.all.operand_kinds[operand.kind].offset;
  const ConstantType type = constant_type(slot);
  const bool is_word = type == ConstantType::integer32 || type == ConstantType::f32;
  const bool reads_words = is_word && text::half_reading(line.form, slot) == text::HalfReading::plain;
  return {Way::plain, static_cast<u8>(index), field.low, field.width, offset, slot.bits, 0, 0, reads_words};
}

FormText make_form_text(const Line& line) {
  FormText text;
  Line mnemonic{text.mnemonic, line.instruction, line.wave_size, line.chip};
  append_mnemonic(mnemonic);
  for (const SyntaxItem& item : line.all.syntax_items.subspan(line.form.first_syntax, line.form.syntax_count)) {
    if (item.is_slot && operand_of_slot(line, item.name) < 0) continue;
    const FormText::Item& made = text.items.emplace_back(item_of(line, item));
    if (made.way == FormText::Way::quiet_modifier)
      text.quiet.add(made.low, made.width, made.constant);
    else
      text.spoken.push_back(made);
  }
  for (const KnownField name : {KnownField::neg, KnownField::abs}) {
    if (const FieldRow* field = find_field(line.encoding, name)) text.plain.add(field->low, field->width, 0);
  }
  for (const FieldRow& field : fields_of(line.encoding)) {
    if (field.style == Style::acc) text.plain.add(field.low, field.width, 0);
  }
  return text;
}

const FormText& text_of(const Line& line) {
  static auto& known = *new text::FormCache<FormText>;
  return known.of(line.instruction.form, [&] { return make_form_text(line); });
}

/// A literal, unless an inline constant says the same.
char* put_literal(const Line& line, const FormText::Item& item, char* out) {
  const u64 literal = line.instruction.literal();
  const ConstantType any_word = ConstantType::f32;  // inline constants of integers are the same
  if (!item.reads_words || inline_code(line.instruction.chip, literal, any_word)) return nullptr;
  *out++ = '0';
  *out++ = 'x';
  return std::to_chars(out, out + 2 * sizeof literal, literal, 16).ptr;
}

/// `vcc`, `m0`; values that are no registers need a closer look, as does what has a long name.
char* put_special(const Line& line, u32 code, u32 bits, char* out) {
  constexpr std::size_t most = 16;
  const std::string name = code_name(line.instruction.chip, code, bits);
  if (name.empty() || name.size() > most || name.starts_with("src_")) return nullptr;
  return out + name.copy(out, most);
}

/// Puts the register or number of a plain operand at `out`; the end of it, or null where it needs a closer look.
char* put_plain(const Line& line, const FormText::Item& item, char* out) {
  const u32 code = static_cast<u32>(line.instruction.bits(item.low, item.width)) + item.offset;
  const u32 bits = item.bits == 0 ? line.wave_size : item.bits, count = register_count(bits);
  const CodeRow& row = code_row(line.instruction.chip, code);
  switch (row.cls) {
    case CodeClass::sgpr:
    case CodeClass::trap:
    case CodeClass::vgpr:
      return put_register_name(out, line.instruction.chip, code - tuple_place(row, count), count);
    case CodeClass::integer:
      if (row.value < 0) *out++ = '-';
      return put_number(out, static_cast<u32>(row.value < 0 ? -row.value : row.value));
    case CodeClass::literal:
      return put_literal(line, item, out);
    case CodeClass::special:
      return put_special(line, code, bits, out);
    default:
      return nullptr;
  }
}

/// Text on its way to a string: many short pieces, put together where appending costs nothing.
class Pieces {
 public:
  explicit Pieces(std::string& out) : out_(out) {}
  ~Pieces() { flush(); }
  /// Room for a piece of at most `most_piece` characters; the end of what is put there goes to `accept`.
  char* room() {
    if (end_ > buffer_ + sizeof buffer_ - most_piece) flush();
    return end_;
  }
  void accept(char* end) { end_ = end; }
  void add(std::string_view text) {
    if (text.size() > most_piece) {
      flush();
      out_ += text;
      return;
    }
    char* out = room();
    accept(out + text.copy(out, text.size()));
  }
  void flush() {
    out_.append(buffer_, static_cast<std::size_t>(end_ - buffer_));
    end_ = buffer_;
  }

 private:
  static constexpr std::size_t most_piece = 48;
  std::string& out_;
  char buffer_[256];
  char* end_ = buffer_;
};

bool append_plain(Line& line, const FormText::Item& item, Separator& separator, Pieces& pieces) {
  char* out = pieces.room();
  if (!separator.is_first) *out++ = ',';
  *out++ = ' ';
  char* end = put_plain(line, item, out);
  if (end == nullptr) return false;
  pieces.accept(end);
  separator = {false, false};
  return true;
}

void append_known(Line& line, const FormText& text) {
  Separator separator;
  Pieces pieces(line.out);
  pieces.add(text.mnemonic);
  const bool is_plain = text.plain.are_in(line.instruction);
  for (const FormText::Item& item : text.quiet.are_in(line.instruction) ? text.spoken : text.items) {
    switch (item.way) {
      case FormText::Way::plain:
        if (is_plain && append_plain(line, item, separator, pieces)) break;
        [[fallthrough]];
      case FormText::Way::operand:
        pieces.flush();
        append_one_operand(line, item.operand, separator);
        break;
      case FormText::Way::quiet_modifier:
        if (line.instruction.bits(item.low, item.width) == item.constant) break;
        [[fallthrough]];
      case FormText::Way::field:
        pieces.flush();
        append_field(line, item.name, separator);
        break;
    }
  }
}

void append_items(Line& line, u32 first, u32 count, Separator& separator) {
  for (u32 i = 0; i < count; ++i) {
    const SyntaxItem& item = line.all.syntax_items[first + i];
    if (!item.is_slot) {
      append_field(line, item.name, separator);
      continue;
    }
    const int operand = operand_of_slot(line, item.name);
    if (operand >= 0) append_one_operand(line, static_cast<unsigned>(operand), separator);
  }
}

}  // namespace

namespace {

void append_one(std::string& out, const Instruction& instruction, const TextOptions& options) {
  Line line{out, instruction, wave_size_of(instruction.chip, options), text::chip_bit(instruction.chip)};
  if (!is_lane_suffix(line)) return append_known(line, text_of(line));
  Separator separator;
  append_mnemonic(line);
  append_items(line, line.form.first_syntax, line.form.syntax_count, separator);
  const FormSuffixRow& suffix = form_suffix(instruction);
  append_items(line, suffix.first_syntax, suffix.syntax_count, separator);
}

}  // namespace

unsigned wave_size_of(unsigned chip, const TextOptions& options) {
  return options.wave_size != 0 ? options.wave_size : default_wave_size(chip);
}

void append_text(std::string& out, const Instruction& instruction, const TextOptions& options) {
  append_one(out, instruction, options);
  const std::optional<Instruction> second = second_of(instruction);
  if (!second) return;
  out += " :: ";
  append_one(out, *second, options);
}

std::string to_text(const Instruction& instruction, const TextOptions& options) {
  std::string out;
  append_text(out, instruction, options);
  return out;
}

}  // namespace gfxisa
