// What makes decoding fast: candidate encodings by the upper bits of the first word, and legal codes as bit sets.
#include <algorithm>
#include <array>
#include <bit>

#include "gen/tables_builder.h"

namespace gfxisa::gen {

namespace {

constexpr u32 root_count = 512;
constexpr u32 root_shift = 23;

/// Whether a word whose bits [31:23] are `root` may be of this group.
bool may_be(const DecodeGroupRow& group, u32 root) {
  const u64 bits = (static_cast<u64>(root) << root_shift) ^ group.match;
  const u64 seen = group.mask & (low_ones(9) << root_shift);
  return (bits & seen) == 0;
}

/// One range of the candidates for each distinct list.
u16 add_list(std::vector<u16> list, std::vector<u16>& candidates, std::map<std::vector<u16>, u16>& known) {
  list.push_back(no_candidate);
  const auto [entry, is_new] = known.emplace(list, static_cast<u16>(candidates.size()));
  if (is_new) candidates.insert(candidates.end(), list.begin(), list.end());
  return entry->second;
}

bool is_numbered(CodeClass cls) {
  return cls == CodeClass::sgpr || cls == CodeClass::vgpr || cls == CodeClass::agpr || cls == CodeClass::trap;
}

/// Specials that are a register of 32 bits, not a value that any operand can read.
bool is_one_register(std::string_view name) { return name == "m0" || name == "src_lds_direct"; }

}  // namespace

/// Whether an address without a scalar base is a whole one: where such a base has 32 bits, all parts are offsets.
static bool has_whole_address(const model::Encoding& encoding, u32 chip) {
  return std::none_of(encoding.fields.begin(), encoding.fields.end(), [&](const model::Field& field) {
    return (field.chips >> chip & 1) != 0 && field.style == "saddr" && field.bits == 32;
  });
}

void TableBuilder::add_roots(u32 chip) {
  ChipRow& row = data_.chips[chip];
  row.first_root = static_cast<u32>(data_.roots.size());
  std::vector<u16> order = add_groups(chip);
  const auto fixed_bits = [&](u16 index) {
    const DecodeGroupRow& group = data_.decode_groups[index];
    return std::popcount(group.mask) + std::popcount(group.high_mask);
  };
  std::sort(order.begin(), order.end(),
            [&](u16 a, u16 b) { return std::pair(-fixed_bits(a), a) < std::pair(-fixed_bits(b), b); });
  std::map<std::vector<u16>, u16> known;
  for (u32 root = 0; root < root_count; ++root) {
    std::vector<u16> list;
    for (const u16 group : order) {
      if (may_be(data_.decode_groups[group], root)) list.push_back(group);
    }
    data_.roots.push_back(add_list(std::move(list), data_.candidates, known));
  }
}

DecodeGroupRow TableBuilder::group_row(const EncodingRow& encoding) const {
  DecodeGroupRow row{encoding.mask,
                     encoding.match,
                     encoding.high_mask,
                     encoding.high_match,
                     0,
                     0,
                     0,
                     0,
                     encoding.bits,
                     Share::whole,
                     0,
                     0};
  if (encoding.opcode_field != 0xff) {
    const FieldRow& opcode = data_.fields[encoding.first_field + encoding.opcode_field];
    row.opcode_low = opcode.low;
    row.opcode_width = opcode.width;
  }
  if (encoding.opcode_high_field != 0xff) {
    const FieldRow& high = data_.fields[encoding.first_field + encoding.opcode_high_field];
    row.opcode_high_low = high.low;
    row.opcode_high_width = high.width;
  }
  // A field that only shows the other instruction's opcode marks a pair: see styles.inc.
  for (u32 i = 0; i < encoding.field_count; ++i) {
    const Style style = data_.fields[encoding.first_field + i].style;
    if (style == Style::second) row.share = Share::first;
    if (style == Style::first) row.share = Share::second;
  }
  return row;
}

// Groups in the order of their first encoding.
std::vector<u16> TableBuilder::add_groups(u32 chip) {
  const ChipRow& chip_row = data_.chips[chip];
  std::vector<DecodeGroupRow> rows;
  std::vector<std::vector<u16>> members;
  for (u32 i = chip_row.first_encoding; i < chip_row.first_encoding + u32{chip_row.encoding_count}; ++i) {
    if (data_.encodings[i].is_suffix) continue;
    const DecodeGroupRow row = group_row(data_.encodings[i]);
    const auto same = [&](const DecodeGroupRow& other) {
      return std::tie(row.mask, row.match, row.high_mask, row.high_match, row.opcode_low, row.opcode_width,
                      row.opcode_high_low,
                      row.share) == std::tie(other.mask, other.match, other.high_mask, other.high_match,
                                             other.opcode_low, other.opcode_width, other.opcode_high_low, other.share);
    };
    const auto found = std::find_if(rows.begin(), rows.end(), same);
    const std::size_t index = static_cast<std::size_t>(found - rows.begin());
    if (found == rows.end()) {
      rows.push_back(row);
      members.emplace_back();
    }
    rows[index].bits = std::min(rows[index].bits, row.bits);
    members[index].push_back(static_cast<u16>(i));
  }
  std::vector<u16> order;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].first_form = add_group_forms(members[i], rows[i].opcode_count);
    order.push_back(static_cast<u16>(data_.decode_groups.size()));
    data_.decode_groups.push_back(rows[i]);
  }
  return order;
}

// Opcode to form over all encodings of a group; where two have an opcode, the one declared first has it.
u32 TableBuilder::add_group_forms(const std::vector<u16>& encodings, u32& count) {
  const EncodingRow& first = data_.encodings[encodings[0]];
  count = first.opcode_count;
  if (encodings.size() == 1) return first.first_form;
  std::vector<u32> forms;
  for (const u16 index : encodings) {
    const EncodingRow& encoding = data_.encodings[index];
    if (forms.size() < encoding.opcode_count) forms.resize(encoding.opcode_count);
    for (u32 opcode = 0; opcode < encoding.opcode_count; ++opcode) {
      if (forms[opcode] == 0) forms[opcode] = data_.form_of_opcode[encoding.first_form + opcode];
    }
  }
  count = static_cast<u32>(forms.size());
  const u32 start = static_cast<u32>(data_.form_of_opcode.size());
  data_.form_of_opcode.insert(data_.form_of_opcode.end(), forms.begin(), forms.end());
  return start;
}

void TableBuilder::add_checks(FormRow& row, const model::Form& form) {
  const u32 chip = form.chip;
  std::vector<CheckRow> checks;
  const EncodingRow& encoding = data_.encodings[row.encoding];
  const InstructionRow& instruction = data_.instructions[row.instruction];
  for (u8 i = 0; i < row.operand_count; ++i) {
    const OperandRow& operand = data_.operands.rows[row.first_operand + i];
    if (operand.field == 0xff || operand.kind == no_kind) continue;
    const FieldRow& field = data_.fields[encoding.first_field + operand.field];
    const OperandKindRow& kind = data_.operand_kinds[operand.kind];
    const SlotRow& slot = data_.slots[instruction.first_slot + operand.slot];
    // A mask is as wide as the wave; where waves of 32 exist, one register may do.
    // An address may be a whole one or an offset of 32 bits, as other fields say.
    const bool is_address = slot.format != no_format && isa_.formats[slot.format].kind == "address";
    const CheckWhen when = slot.is_returned && slot.access == Access::out ? CheckWhen::returned : CheckWhen::always;
    // Of a tile a lane of a wave of 64 holds half.
    // Of elements with a format of their own the narrowest, which have 4 bits, leave most registers; see the decoder.
    // Of registers whose number fields decide there must be room for the fewest; the decoder looks at the rest.
    const u32 fewest = operand.count == 0 || operand.further_count != 0 ? 1u : data_.counts[operand.count - 1u].fewest;
    const u32 bits = is_address                              ? 32
                     : operand.count != 0                    ? 32 * std::max(fewest, 1u)
                     : operand.sized_by != 0xff              ? slot.bits / 2u
                     : slot.is_tile && knows_two_waves(chip) ? slot.bits / 2u
                                                             : operand_bits(slot, chip);
    const LegalValues values = values_of_slot(operand.kind, chip, (bits + 31) / 32, slot, encoding);
    checks.push_back({field.low, field.width, i, when, kind.scale, kind.offset, add_legal_values(values)});
    // A mask of 64 lanes needs two registers.
    if (slot.bits == 0 && knows_two_waves(chip)) {
      checks.push_back(
          {field.low, field.width, i, CheckWhen::wave64, kind.scale, kind.offset, legal_values(operand.kind, chip, 2)});
    }
    if (const auto narrowed = dpp_kind(form, field)) {
      const OperandKindRow& other = data_.operand_kinds[*narrowed];
      checks.push_back({field.low, field.width, i, CheckWhen::with_dpp, other.scale, other.offset,
                        legal_values(*narrowed, chip, (bits + 31) / 32)});
    }
    if (is_address && has_whole_address(isa_.encodings[form.encoding], chip))
      checks.push_back({field.low, field.width, i, CheckWhen::without_base, kind.scale, kind.offset,
                        legal_values(operand.kind, chip, 2)});
  }
  add_unsigned_offsets(row, encoding, checks);
  add_unused_immediates(row, encoding, checks);
  add_field_checks(form, row, checks);
  add_unused_sources(row, encoding, checks);
  add_modifier_checks(form, isa_.encodings[form.encoding], checks);
  std::erase_if(checks, [&](const CheckRow& check) { return takes_everything(check, chip); });
  row.check_count = static_cast<u8>(checks.size());
  row.first_check = static_cast<u16>(data_.checks.add(checks));
}

/// Whether a check of an operand lets every value of its field pass and finds nothing that announces a suffix: most
/// fields of one vector register.
bool TableBuilder::takes_everything(const CheckRow& check, u32 chip) const {
  if (check.operand >= fixed_field) return false;
  const LegalValues& legal = data_.legal_values[check.legal];
  const CodeRow* codes = &data_.codes[data_.chips[chip].first_code];
  for (u32 value = 0; value < (u32{1} << check.width); ++value) {
    if (!allows(legal, value)) return false;
    const u32 code = value * check.scale + check.offset;
    if (code < register_code_count && selects_suffix(codes[code].cls)) return false;
  }
  return true;
}

/// The kind of an operand field with a word of DPP behind it, where it is another one.
std::optional<u16> TableBuilder::dpp_kind(const model::Form& form, const FieldRow& row) const {
  for (const model::Field& field : isa_.encodings[form.encoding].fields) {
    const bool is_here = field.low == row.low && field.dpp_kind && (field.chips >> form.chip & 1) != 0;
    if (is_here) return static_cast<u16>(isa_.kind_on(*field.dpp_kind, form.chip));
  }
  return {};
}

/// Bits of a slot, of a mask the fewest that there can be.
u32 TableBuilder::operand_bits(const SlotRow& slot, u32 chip) const {
  return slot.bits != 0 ? slot.bits : (data_.chips[chip].waves & 1) != 0 ? 32u : 64u;
}

/// The values of a field that holds a slot: those of its kind, without the registers whose lower halves have no name.
LegalValues TableBuilder::values_of_slot(u16 kind, u32 chip, u32 register_count, const SlotRow& slot,
                                         const EncodingRow& encoding) {
  LegalValues values = data_.legal_values[legal_values(kind, chip, register_count)];
  if (encoding.halves != Halves::lower || slot.bits != 16) return values;
  const OperandKindRow& row = data_.operand_kinds[kind];
  for (u32 value = 0; value < 512; ++value) {
    const u32 code = value * row.scale + row.offset;
    if (code >= 256 + 128 && code < 512) values[value / 64] &= ~(u64{1} << (value % 64));
  }
  return values;
}

u16 TableBuilder::add_legal_values(const LegalValues& values) {
  const auto [index, is_first] = legal_index_.emplace(values, static_cast<u16>(data_.legal_values.size()));
  if (is_first) data_.legal_values.push_back(values);
  return index->second;
}

// An offset that cannot be negative leaves the sign bit of its field 0.
void TableBuilder::add_unsigned_offsets(const FormRow& row, const EncodingRow& encoding,
                                        std::vector<CheckRow>& checks) {
  const InstructionRow& instruction = data_.instructions[row.instruction];
  for (u8 i = 0; i < row.operand_count; ++i) {
    const OperandRow& operand = data_.operands.rows[row.first_operand + i];
    if (operand.field == 0xff || data_.slots[instruction.first_slot + operand.slot].style != Style::buffer_offset)
      continue;
    const FieldRow& field = data_.fields[encoding.first_field + operand.field];
    const u8 sign = static_cast<u8>(field.low + field.width - 1);
    checks.push_back({sign, 1, i, CheckWhen::always, 1, 0, add_legal_values({1})});
  }
}

// The constant of a scalar instruction that takes none is 0; anything else would not survive a text.
void TableBuilder::add_unused_immediates(const FormRow& row, const EncodingRow& encoding,
                                         std::vector<CheckRow>& checks) {
  for (u8 i = 0; i < encoding.field_count && encoding.bits == 32; ++i) {
    const FieldRow& field = data_.fields[encoding.first_field + i];
    if (field.role != FieldRole::operand || field.kind != no_kind) continue;
    const OperandRow* operands = data_.operands.rows.data() + row.first_operand;
    const auto holds = [&](const OperandRow& operand) { return operand.field == i; };
    if (std::any_of(operands, operands + row.operand_count, holds)) continue;
    checks.push_back({field.low, field.width, no_operand, CheckWhen::always, 1, 0, add_legal_values({1})});
  }
}

namespace {

/// Adds one value to a set.
void allow(LegalValues& values, u64 value) { values[value / 64] |= u64{1} << (value % 64); }

}  // namespace

/// Whether a field for a further register of a slot is ever needed.
bool TableBuilder::is_filled(const model::Form& form, const model::Field& field) const {
  const model::Instruction& instruction = isa_.instructions[form.instruction];
  const model::Encoding& encoding = isa_.encodings[form.encoding];
  for (const model::Slot& slot : instruction.slots) {
    const std::vector<const model::Field*> further = model::further_fields(encoding, slot.name, form.chip).fields;
    const auto found = std::find(further.begin(), further.end(), &field);
    const model::Count* count = model::count_of(instruction, slot.name, form.chip);
    if (found == further.end() || count == nullptr) continue;
    const u32 number = static_cast<u32>(found - further.begin()) + 1;
    return number < model::most_fields(model::count_table(*count, encoding, form.chip));
  }
  return false;
}

/// What fields that are no operand of the form may hold, where that is not everything.
std::optional<LegalValues> TableBuilder::values_of_field(const model::Form& form, const FormRow& row,
                                                         const model::Field& field) {
  LegalValues values{};
  const std::vector<model::Slot>& slots = isa_.instructions[form.instruction].slots;
  const auto is_declared = [&](const std::string& name) {
    return std::any_of(slots.begin(), slots.end(), [&](const model::Slot& slot) {
      return slot.name == name && (slot.chips >> form.chip & 1) != 0;
    });
  };
  if (field.is_zero_unused && field.role == model::FieldRole::operand) {
    const EncodingRow& encoding = data_.encodings[row.encoding];
    for (u32 i = 0; i < row.operand_count; ++i) {
      const u8 holder = data_.operands.rows[row.first_operand + i].field;
      if (holder == 0xff) continue;
      const FieldRow& other = data_.fields[encoding.first_field + holder];
      if (other.low < field.low + field.width && field.low < other.low + u32{other.width}) return {};
    }
    if (is_filled(form, field)) return {};
    allow(values, 0);
    return values;
  }
  if (field.role != model::FieldRole::modifier) return {};
  if (field.style == "acc") {
    u64 may_be_set = 0;
    for (std::size_t i = 0; i < field.slots.size(); ++i) {
      if (is_declared(field.slots[i])) may_be_set |= u64{1} << (field.width == 1 ? 0 : i);
    }
    if (may_be_set == low_ones(field.width)) return {};
    for (u64 value = 0; value <= low_ones(field.width); ++value) {
      if ((value & ~may_be_set) == 0) allow(values, value);
    }
    return values;
  }
  return field.kind ? values_of_kind(*field.kind, field.bits, field.constant, form.chip) : std::nullopt;
}

std::optional<LegalValues> TableBuilder::values_of_kind(u32 kind, u32 bits, u64 also, u32 chip) {
  const u16 here = static_cast<u16>(isa_.kind_on(kind, chip));
  LegalValues values = data_.legal_values[legal_values(here, chip, (bits + 31) / 32)];
  allow(values, also);
  return values;
}

void TableBuilder::add_field_checks(const model::Form& form, const FormRow& row, std::vector<CheckRow>& checks) {
  const model::Instruction& instruction = isa_.instructions[form.instruction];
  for (const model::Field& field : isa_.encodings[form.encoding].fields) {
    if ((field.chips >> form.chip & 1) == 0) continue;
    const auto rule = std::find_if(instruction.fields.begin(), instruction.fields.end(), [&](const auto& line) {
      return line.field == field.name && (line.chips >> form.chip & 1) != 0;
    });
    const bool has_rule = rule != instruction.fields.end();
    const bool is_fixed = has_rule && rule->values.size() == 1;
    std::optional<LegalValues> values;
    if (has_rule && !rule->kind) {
      values.emplace();
      for (const u64 value : rule->values) allow(*values, value);
    } else {
      values = has_rule ? values_of_kind(*rule->kind, rule->bits, field.constant, form.chip)
                        : values_of_field(form, row, field);
    }
    if (!values) continue;
    checks.push_back({static_cast<u8>(field.low), static_cast<u8>(field.width), is_fixed ? fixed_field : no_operand,
                      CheckWhen::always, 1, 0, add_legal_values(*values)});
  }
}

/// Whether a stage of the encoding reads operands of this slot's format with their bit of a field.
bool TableBuilder::is_staged(const EncodingRow& encoding, const FieldRow& field, const SlotRow& slot) const {
  for (u32 i = 0; i < encoding.stage_count; ++i) {
    const StageRow& stage = data_.stages[encoding.first_stage + i];
    if (stage.is_write || stage.format != slot.format) continue;
    if (std::find(stage.argument_field.begin(), stage.argument_field.end(), field.name) != stage.argument_field.end())
      return true;
  }
  return false;
}

// Modifiers of packed operands and of the halves of a pair have a bit a source. Those of sources that the instruction
// does not have are 0; in pairs also those of sources without a sign.
void TableBuilder::add_unused_sources(const FormRow& row, const EncodingRow& encoding, std::vector<CheckRow>& checks) {
  constexpr u8 most_sources = 3;
  std::array<const SlotRow*, most_sources> sources{};
  for (u8 i = 0; i < row.operand_count; ++i) {
    const OperandRow& operand = data_.operands.rows[row.first_operand + i];
    const SlotRow& slot = data_.slots[data_.instructions[row.instruction].first_slot + operand.slot];
    const char* name = data_.pool.text(slot.name);
    if (name[0] >= 'a' && name[0] <= 'c' && name[1] == 0) sources[static_cast<std::size_t>(name[0] - 'a')] = &slot;
  }
  const bool is_pair = group_row(encoding).share != Share::whole;
  for (u8 i = 0; i < encoding.field_count; ++i) {
    const FieldRow& field = data_.fields[encoding.first_field + i];
    const bool is_packed = field.style == Style::neg_lo || field.style == Style::neg_hi || field.style == Style::opsel;
    const bool is_sign = is_pair && field.style == Style::neg;
    if (field.role != FieldRole::modifier || !(is_packed || is_sign) || field.width != most_sources) continue;
    LegalValues values{};
    u64 may_be_set = 0;
    for (u8 k = 0; k < most_sources; ++k) {
      const bool is_used = sources[k] != nullptr && (!is_sign || is_staged(encoding, field, *sources[k]));
      if (is_used) may_be_set |= u64{1} << k;
    }
    if (may_be_set == low_ones(most_sources)) continue;
    for (u64 value = 0; value <= may_be_set; ++value) {
      if ((value & ~may_be_set) == 0) allow(values, value);
    }
    checks.push_back({field.low, field.width, no_operand, CheckWhen::always, 1, 0, add_legal_values(values)});
  }
}

u16 TableBuilder::legal_values(u16 kind, u32 chip, u32 register_count) {
  const auto [entry, is_new] = legal_of_.emplace(std::tuple(kind, chip, register_count), u16{0});
  if (!is_new) return entry->second;
  const OperandKindRow& row = data_.operand_kinds[kind];
  LegalValues values{};
  for (u32 value = 0; value < 512 && value < (u32{1} << row.bits); ++value) {
    if (is_legal(kind, chip, value * row.scale + row.offset, register_count)) allow(values, value);
  }
  return entry->second = add_legal_values(values);
}

/// Whether a group of vector registers may begin here: at even numbers on some chips.
bool TableBuilder::begins_group(u16 kind, u32 chip, u32 code) const {
  if (isa_.kinds[kind].takes_odd || code % 2 == 0) return true;
  const auto is_even_here = [&](const model::Code& row) {
    return row.is_even && code >= row.first && code <= row.last && (row.chips >> chip & 1) != 0;
  };
  return std::none_of(isa_.codes.begin(), isa_.codes.end(), is_even_here);
}

bool TableBuilder::is_legal(u16 kind_index, u32 chip, u32 code, u32 register_count) const {
  const OperandKindRow& kind = data_.operand_kinds[kind_index];
  const CodeRow* codes = data_.codes.data() + data_.chips[chip].first_code;
  if (is_accumulator_kind(kind) && code >= 256) code += accumulator_distance;
  if (code >= register_code_count || (kind.classes >> static_cast<u32>(codes[code].cls) & 1) == 0) return false;
  const CodeRow& row = codes[code];
  if (row.cls == CodeClass::none) return false;
  if (is_numbered(row.cls)) {
    const u32 first = code - tuple_place(row, register_count);
    if (register_count > 1 && !begins_group(kind_index, chip, code)) return false;
    return first + register_count <= register_code_count && codes[first + register_count - 1].cls == row.cls;
  }
  if (row.cls == CodeClass::literal64) return register_count == 2;
  if (row.cls != CodeClass::special) return true;
  const std::string name = data_.pool.text(row.name);
  if (register_count == 2 && is_one_register(name)) return false;
  const bool is_matrix_source = (kind.classes >> static_cast<u32>(CodeClass::vgpr) & 1) != 0;
  if (name == "null" && is_matrix_source && register_count > 2) return true;
  // The upper half of a pair cannot begin 64 bits, and a pair cannot hold more.
  if (name != "null" && (register_count > 2 || (register_count == 2 && row.value != 0))) return false;
  const std::vector<std::string>& only = isa_.kinds[kind_index].specials;
  const std::string half = name + (row.value == 0 ? "_lo" : "_hi");
  return only.empty() || std::find(only.begin(), only.end(), name) != only.end() ||
         (register_count == 1 && std::find(only.begin(), only.end(), half) != only.end());
}

}  // namespace gfxisa::gen
