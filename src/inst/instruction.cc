#include "inst/instruction.h"

#include <algorithm>
#include <bit>
#include <string>

#include "inst/registers.h"

namespace gfxisa {

namespace {

// Reads a run of at most 64 bits that starts anywhere in the words.
u64 read_bits(const u32* words, unsigned word_count, unsigned low, unsigned width) {
  u64 value = 0;
  for (unsigned done = 0; done < width;) {
    const unsigned bit = low + done;
    if (bit / 32 >= word_count) break;
    value |= static_cast<u64>(words[bit / 32] >> (bit % 32)) << done;
    done += 32 - bit % 32;
  }
  return value & low_ones(width);
}

void write_bits(u32* words, unsigned word_count, unsigned low, unsigned width, u64 value) {
  for (unsigned done = 0; done < width;) {
    const unsigned bit = low + done;
    if (bit / 32 >= word_count) return;
    const unsigned count = width - done < 32 - bit % 32 ? width - done : 32 - bit % 32;
    const u32 mask = static_cast<u32>(low_ones(count)) << (bit % 32);
    u32& word = words[bit / 32];
    word = (word & ~mask) | ((static_cast<u32>(value >> done) << (bit % 32)) & mask);
    done += count;
  }
}

/// A field of SDWA words that says of another one whether it names a scalar register: `s0` of source a, `s1` of source
/// b.
const FieldRow* scalar_choice(const EncodingRow& suffix, std::string_view slot) {
  if (slot == "a") return find_field(suffix, KnownField::s0);
  if (slot == "b") return find_field(suffix, KnownField::s1);
  return nullptr;
}

void read_suffix_operand(const Instruction& instruction, std::string_view slot, OperandValue& value) {
  const EncodingRow& suffix = tables().encodings[instruction.suffix];
  if (const FieldRow* field = replacing_field(suffix, value.slot->name)) {
    const u64 raw = instruction.suffix_bits(field->low, field->width);
    value.kind = field->kind;
    value.is_implied = false;
    value.code = register_code(field->kind, raw);
  }
  if (const FieldRow* choice = scalar_choice(suffix, slot)) {
    if (instruction.suffix_bits(choice->low, choice->width) != 0) value.code &= 0xff;
  }
  // The result of a compare goes to VCC unless the word says that it names a register.
  const FieldRow* names_result = slot == "d" ? find_field(suffix, KnownField::sd) : nullptr;
  if (names_result != nullptr && instruction.suffix_bits(names_result->low, names_result->width) == 0) {
    value.code = vcc_code;
    value.is_implied = true;
  }
}

}  // namespace

u64 Instruction::wide_bits(unsigned low, unsigned width) const {
  return read_bits(words.data(), max_words, low, width);
}

void Instruction::set_wide_bits(unsigned low, unsigned width, u64 value) {
  write_bits(words.data(), max_words, low, width, value);
}

u64 Instruction::suffix_bits(unsigned low, unsigned width) const {
  return suffix_word >= max_words ? 0 : read_bits(words.data() + suffix_word, max_words - suffix_word, low, width);
}

void Instruction::set_suffix_bits(unsigned low, unsigned width, u64 value) {
  if (suffix_word < max_words) write_bits(words.data() + suffix_word, max_words - suffix_word, low, width, value);
}

u64 Instruction::literal() const {
  if (has_suffix()) {
    const EncodingRow& row = tables().encodings[suffix];
    return is_literal(row) ? suffix_bits(0, row.bits) : 0;
  }
  const EncodingRow& host = encoding();
  if (host.literal_field == 0xff) return 0;
  const FieldRow& field = tables().fields[host.first_field + host.literal_field];
  return bits(field.low, field.width);
}

u32 register_code(u16 kind, u64 value) {
  if (kind == no_kind) return static_cast<u32>(value);
  const OperandKindRow& row = tables().operand_kinds[kind];
  const u32 code = static_cast<u32>(value * row.scale + row.offset);
  return is_accumulator_kind(row) && code >= 256 && code < 512 ? code + accumulator_distance : code;
}

u64 accumulator_bits(const FieldRow& field, Text slot) {
  u64 bits = 0;
  for (u32 i = 0; i < field.slot_count; ++i) {
    if (tables().texts[field.first_slot + i] == slot) bits |= u64{1} << (field.width == 1 ? 0 : i);
  }
  return bits;
}

static const FieldRow* base_field(const EncodingRow& encoding) {
  return encoding.base_field == 0xff ? nullptr : &tables().fields[encoding.first_field + encoding.base_field];
}

static constexpr u64 no_address_code =
    0x7f;  // where NULL stands for no scalar base; before NULL existed, it stood for that

bool has_scalar_base(const Instruction& instruction) {
  const FieldRow* field = base_field(instruction.encoding());
  if (field == nullptr) return false;
  const u64 code = instruction.bits(field->low, field->width);
  return code != field->constant && code != no_address_code;
}

bool has_no_address(const Instruction& instruction) {
  const FieldRow* field = base_field(instruction.encoding());
  return field != nullptr && field->constant != no_address_code &&
         instruction.bits(field->low, field->width) == no_address_code;
}

static bool is_accumulator(const Instruction& instruction, Text slot) {
  for (const FieldRow& field : fields_of(instruction.encoding())) {
    if (field.style != Style::acc) continue;
    if ((instruction.bits(field.low, field.width) & accumulator_bits(field, slot)) != 0) return true;
  }
  return false;
}

static u32 aligned(unsigned chip, u32 code, u32 bits) {
  if (bits <= 32 || code >= 128) return code;
  const CodeRow& row = tables().codes[tables().chips[chip].first_code + code];
  return code - tuple_place(row, (bits + 31) / 32);
}

u16 slot_bits(const SlotRow& slot, unsigned wave_size) {
  if (slot.bits == 0) return static_cast<u16>(wave_size);
  return slot.is_tile && wave_size == 64 ? slot.bits / 2 : slot.bits;
}

constexpr u64 last_element_format = 4;

bool is_signed_style(Style style) {
  switch (style) {
    case Style::i8:
    case Style::i16:
    case Style::i32:
    case Style::simm:
    case Style::label:
    case Style::address_offset:
    case Style::scalar_offset:
    case Style::buffer_offset:
      return true;
    default:
      return false;
  }
}

unsigned element_bits(u64 format) { return format == 2 || format == 3 ? 6 : format == 4 ? 4 : 8; }

/// The values that fields choose, one a group.
static std::span<const u8> chosen_counts(const Instruction& instruction, const CountRow& row, u32& distance) {
  u32 key = 0, width = 0;
  for (u8 i = 0; i < row.field_count; ++i) {
    key |= static_cast<u32>(instruction.bits(row.low[i], row.width[i])) << width;
    width += row.width[i];
  }
  distance = u32{1} << width;
  return tables().count_values.subspan(row.first_value + key);
}

static std::array<u8, 13> group_sizes(const Instruction& instruction, const CountRow& row) {
  u32 distance = 0;
  const std::span<const u8> values = chosen_counts(instruction, row, distance);
  std::array<u8, 13> sizes{};
  for (u32 group = 0; group < row.group_count && group < sizes.size(); ++group) sizes[group] = values[group * distance];
  return sizes;
}

static u32 total_count(const Instruction& instruction, const CountRow& row) {
  u32 distance = 0, total = 0;
  const std::span<const u8> values = chosen_counts(instruction, row, distance);
  for (u32 group = 0; group < row.group_count; ++group) total += values[group * distance];
  return total;
}

static u16 operand_bits(const Instruction& instruction, const OperandRow& operand, unsigned wave_size) {
  const Tables& all = tables();
  if (operand.count != 0) return static_cast<u16>(32 * total_count(instruction, all.counts[operand.count - 1u]));
  const u16 bits = slot_bits(all.slots[instruction.row().first_slot + operand.slot], wave_size);
  if (operand.sized_by == 0xff) return bits;
  const EncodingRow& encoding = instruction.encoding();
  const FormRow& form = instruction.form_row();
  u64 format = 0;
  for (const OperandRow& other : all.operands.subspan(form.first_operand, form.operand_count)) {
    if (other.sized_by == 0xff) continue;
    const FieldRow& field = all.fields[encoding.first_field + other.sized_by];
    const u64 its_format = joined_value(instruction, field);
    // On CDNA 5 LLVM takes the elements of both sources for 8 bits wide when one has a number that is no format.
    if (its_format > last_element_format && field.style == Style::matrix_format) return bits;
    if (other.sized_by == operand.sized_by) format = its_format;
  }
  return static_cast<u16>(bits / 8 * element_bits(format));
}

/// Whether the operand can be as many registers as the fields ask for.
static bool has_room(const OperandRow& operand, const CountRow& row, u32 total) {
  if (total >= no_count) return false;
  if (operand.is_list && total == 1) return false;
  return operand.further_count == 0 || row.group_count > 1 || operand.takes_rest || total <= operand.further_count + 1u;
}

static bool goes_together(const Instruction& instruction) {
  const Tables& all = tables();
  const FormRow& form = instruction.form_row();
  for (const OperandRow& operand : all.operands.subspan(form.first_operand, form.operand_count)) {
    if (operand.count == 0) continue;
    const CountRow& row = all.counts[operand.count - 1u];
    if (!has_room(operand, row, total_count(instruction, row))) return false;
  }
  return true;
}

RegisterRuns register_runs(const Instruction& instruction, unsigned index) {
  const Tables& all = tables();
  const FormRow& form = instruction.form_row();
  const OperandRow& operand = all.operands[form.first_operand + index];
  const EncodingRow& encoding = all.encodings[form.encoding];
  const CountRow& row = all.counts[operand.count - 1u];
  std::array<u8, 13> sizes = group_sizes(instruction, row);
  u32 total = total_count(instruction, row);
  RegisterRuns runs;
  const Text slot = all.slots[instruction.row().first_slot + operand.slot].name;
  const bool is_accumulators = encoding.has_accumulators && is_accumulator(instruction, slot);
  runs.is_odd = !goes_together(instruction);
  if (runs.is_odd) {
    const bool is_one = operand.further_count == 0;
    total = row.shown != 0 ? row.shown : is_one ? row.fewest : row.most;
    if (!is_one) total = std::min<u32>(total, operand.further_count + 1u);
  }
  if (operand.further_count == 0) {
    sizes = {static_cast<u8>(total)};
  } else if (row.group_count == 1) {
    for (u32 i = 0; i < sizes.size(); ++i) {
      const bool is_last = i == operand.further_count;
      sizes[i] = static_cast<u8>(i >= total || i > operand.further_count ? 0 : is_last ? total - i : 1);
    }
  }
  for (u32 i = 0; i <= operand.further_count && i < sizes.size(); ++i) {
    if (sizes[i] == 0) continue;
    const FieldRow& field = all.fields[encoding.first_field + (i == 0 ? operand.field : operand.further[i - 1])];
    u32 code = register_code(operand.kind, instruction.bits(field.low, field.width));
    if (is_accumulators) code += accumulator_distance;
    runs.runs[runs.count++] = {static_cast<u16>(code), sizes[i]};
    const bool is_odd_group = sizes[i] > 1 && code % 2 != 0 && code_row(instruction.chip, code).is_even;
    // Where there are registers beyond the 256 of a field (CDNA 5), a group may reach into them.
    const bool is_beyond = code_row(instruction.chip, code + sizes[i] - 1u).cls != code_row(instruction.chip, code).cls;
    if (is_beyond || is_odd_group) return {};
  }
  return runs;
}

Fidelity fidelity_of(const FormRow& form) {
  const Fidelity fidelity = tables().instructions[form.instruction].fidelity;
  return fidelity == Fidelity::none && form.semantics != no_semantics ? Fidelity::exact : fidelity;
}

Text fidelity_reason(const FormRow& form) {
  return fidelity_of(form) == Fidelity::exact ? Text{} : tables().instructions[form.instruction].fidelity_why;
}

u32 opcode_in(const Instruction& instruction, const EncodingRow& encoding) {
  u32 opcode = 0;
  for (const u8 index : {encoding.opcode_field, encoding.opcode_high_field}) {
    if (index == 0xff) continue;
    const FieldRow& field = tables().fields[encoding.first_field + index];
    opcode |= static_cast<u32>(instruction.bits(field.low, field.width)) << field.constant;
  }
  return opcode;
}

u32 word_code(const Instruction& instruction, const OperandRow& operand) {
  if (operand.field == 0xff) return operand.implied_code;
  const FieldRow& field = tables().fields[instruction.encoding().first_field + operand.field];
  return register_code(operand.kind, instruction.bits(field.low, field.width));
}

OperandValue operand_of(const Instruction& instruction, unsigned index, unsigned wave_size) {
  OperandValue value;
  const Tables& all = tables();
  const FormRow& form = instruction.form_row();
  if (index >= form.operand_count) return value;
  const OperandRow& operand = all.operands[form.first_operand + index];
  value.slot = &all.slots[instruction.row().first_slot + operand.slot];
  value.kind = operand.kind;
  value.bits = operand_bits(instruction, operand, wave_size);
  value.is_implied = operand.field == 0xff;
  value.code = word_code(instruction, operand);
  const bool is_vector = value.kind != no_kind && value.code >= 256 && value.code < 512;
  if (is_vector && instruction.encoding().has_accumulators && is_accumulator(instruction, value.slot->name))
    value.code += accumulator_distance;
  if (instruction.has_suffix() && !is_literal(all.encodings[instruction.suffix]))
    read_suffix_operand(instruction, all.text(value.slot->name), value);
  if (value.kind != no_kind) value.code = aligned(instruction.chip, value.code, value.bits);
  return value;
}

const FieldRow* find_field(const EncodingRow& encoding, Text name) {
  for (const FieldRow& field : fields_of(encoding)) {
    if (field.name == name && name != 0) return &field;
  }
  return nullptr;
}

const FieldRow* find_field(const EncodingRow& encoding, std::string_view name) {
  if (name.empty()) return nullptr;
  for (const FieldRow& field : fields_of(encoding)) {
    if (tables().text(field.name) == name) return &field;
  }
  return nullptr;
}

const FieldRow* replacing_field(const EncodingRow& suffix, Text slot) {
  for (const FieldRow& field : fields_of(suffix)) {
    for (u32 i = 0; i < field.slot_count; ++i) {
      if (tables().texts[field.first_slot + i] == slot) return &field;
    }
  }
  return nullptr;
}

const FieldRow* find_part(const EncodingRow& encoding, const FieldRow& field, unsigned number) {
  const std::string_view name = tables().text(field.name);
  for (const FieldRow& other : fields_of(encoding)) {
    const std::string_view own = tables().text(other.name);
    if (own.size() == name.size() + 1 && own.back() == static_cast<char>('0' + number) && own.starts_with(name))
      return &other;
  }
  return nullptr;
}

u64 joined_value(const Instruction& instruction, const FieldRow& field) {
  u64 value = instruction.bits(field.low, field.width);
  unsigned width = field.width;
  for (unsigned number = 2; number <= 3; ++number) {
    const FieldRow* upper = find_part(instruction.encoding(), field, number);
    if (upper == nullptr) break;
    value |= instruction.bits(upper->low, upper->width) << width;
    width += upper->width;
  }
  return value;
}

u64 field_value(const Instruction& instruction, std::string_view name, u64 otherwise) {
  if (instruction.has_suffix()) {
    const FieldRow* field = find_field(tables().encodings[instruction.suffix], name);
    if (field != nullptr) return instruction.suffix_bits(field->low, field->width);
  }
  const FieldRow* field = find_field(instruction.encoding(), name);
  return field == nullptr ? otherwise : instruction.bits(field->low, field->width);
}

int find_chip(std::string_view name) {
  const Tables& all = tables();
  for (std::size_t chip = 0; chip < all.chips.size(); ++chip) {
    const ChipRow& row = all.chips[chip];
    if (all.text(row.name) == name) return static_cast<int>(chip);
    for (u32 i = 0; i < row.target_count; ++i) {
      if (all.text(all.texts[row.first_target + i]) == name) return static_cast<int>(chip);
    }
  }
  return -1;
}

bool returns_value(const Instruction& instruction) {
  for (const KnownField name : {KnownField::glc, KnownField::sc0, KnownField::th}) {
    if (const FieldRow* field = find_field(instruction.encoding(), name)) return instruction.bits(field->low, 1) != 0;
  }
  return true;
}

static bool names_result(const Instruction& instruction) {
  const FieldRow* choice = find_field(tables().encodings[instruction.suffix], KnownField::sd);
  return choice == nullptr || instruction.suffix_bits(choice->low, choice->width) != 0;
}

bool applies(const CheckRow& check, const Instruction& instruction, unsigned wave_size) {
  switch (check.when) {
    case CheckWhen::always:
      return true;
    case CheckWhen::without_base:
      return !has_scalar_base(instruction);
    case CheckWhen::returned:
      return returns_value(instruction);
    case CheckWhen::with_dpp:
      return instruction.has_suffix() && tables().encodings[instruction.suffix].literal_bits == 0;
    case CheckWhen::named:
      return names_result(instruction);
    case CheckWhen::wave64:
      return wave_size == 64;
    case CheckWhen::named_wave64:
      return wave_size == 64 && names_result(instruction);
  }
  return true;
}

const FormSuffixRow& form_suffix(const FormRow& form, unsigned bit) {
  const u32 taken = tables().encodings[form.encoding].suffixes & ~form.without;
  return tables()
      .form_suffixes[form.first_suffix + static_cast<u32>(std::popcount(taken & static_cast<u32>(low_ones(bit))))];
}

const FormSuffixRow& form_suffix(const Instruction& instruction) {
  return form_suffix(instruction.form_row(), instruction.suffix - u32{tables().chips[instruction.chip].first_encoding});
}

}  // namespace gfxisa
