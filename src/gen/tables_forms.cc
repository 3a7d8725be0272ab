// Forms: instructions in their encodings on each chip, their operands, and the ways to find them.
#include <algorithm>
#include <set>

#include "gen/tables_builder.h"

namespace gfxisa::gen {

namespace {

bool is_on(model::ChipSet chips, u32 chip) { return (chips >> chip & 1) != 0; }

const std::vector<std::string>& order_on(const std::vector<model::SyntaxOrder>& orders, u32 chip) {
  static const std::vector<std::string> none;
  for (const model::SyntaxOrder& order : orders) {
    if (is_on(order.chips, chip)) return order.items;
  }
  return none;
}

const model::Slot* find_slot(const model::Instruction& instruction, std::string_view name, u32 chip) {
  for (const model::Slot& slot : instruction.slots) {
    if (slot.name == name && is_on(slot.chips, chip)) return &slot;
  }
  return nullptr;
}

/// Whether this field holds the slot: the first of the field's slots that the instruction declares.
bool holds(const model::Field& field, const model::Instruction& instruction, const std::string& slot, u32 chip) {
  for (const std::string& name : field.slots) {
    if (find_slot(instruction, name, chip) != nullptr) return name == slot;
  }
  return false;
}

}  // namespace

void TableBuilder::add_forms() {
  for (const model::Form& form : isa_.forms) ++form_counts_[{form.chip, form.instruction}];
  std::size_t next = 0;
  for (u32 chip = 0; chip < isa_.chips.size(); ++chip) {
    data_.chips[chip].first_form = static_cast<u32>(data_.forms.size());
    for (; next < isa_.forms.size() && isa_.forms[next].chip == chip; ++next) add_form(isa_.forms[next]);
    data_.chips[chip].form_count = static_cast<u32>(data_.forms.size()) - data_.chips[chip].first_form;
    add_opcodes(chip);
    add_names(chip);
    add_roots(chip);
  }
}

void TableBuilder::add_form(const model::Form& form) {
  const model::Instruction& instruction = isa_.instructions[form.instruction];
  const model::Encoding& encoding = isa_.encodings[form.encoding];
  FormRow row{};
  row.mnemonic = data_.pool.add(instruction.name_on(form.chip));
  row.instruction = static_cast<u16>(form.instruction);
  row.encoding = encoding_rows_.at({form.encoding, form.chip});
  row.opcode = static_cast<u16>(form.opcode);
  const bool has_one_name =
      std::any_of(instruction.modifiers.begin(), instruction.modifiers.end(), [&](const model::ModifierRule& rule) {
        return !rule.is_taken && rule.field == model::mnemonic_suffix_rule && is_on(rule.chips, form.chip);
      });
  row.takes_suffix =
      !has_one_name && !encoding.mnemonic_suffix.empty() && form_counts_[{form.chip, form.instruction}] > 1;
  row.is_preferred = std::any_of(
      instruction.preferred.begin(), instruction.preferred.end(),
      [&](const model::Host& host) { return host.encoding == form.encoding && is_on(host.chips, form.chip); });
  row.without = suffixes_without(form);
  const std::vector<std::string>& own = order_on(instruction.syntax, form.chip);
  const std::vector<std::string> syntax =
      taken_items(form, encoding, own.empty() ? order_on(encoding.syntax, form.chip) : own);
  u32 count = 0;
  row.first_syntax = static_cast<u16>(add_syntax(syntax, encoding, form.chip, &instruction.slots, count));
  row.syntax_count = static_cast<u16>(count);
  add_operands(form, syntax, row);
  row.semantics = semantics_of(form);
  add_checks(row, form);
  row.has_unread_lanes = has_unread_lanes(row, form.chip);
  add_form_suffixes(form, row);
  add_scalars(form, row);
  data_.forms.push_back(row);
}

/// What the form says about scalar values, the family's lines before the encoding's.
void TableBuilder::add_scalars(const model::Form& form, FormRow& row) {
  const model::Instruction& instruction = isa_.instructions[form.instruction];
  row.free_scalar = no_free_scalar;
  for (const auto* lines : {&isa_.encodings[form.encoding].scalars, &instruction.scalars}) {
    for (const model::Scalars& line : *lines) {
      if (!is_on(line.chips, form.chip)) continue;
      row.most_scalars = static_cast<u8>(line.most);
      row.free_scalar = no_free_scalar;
      for (const model::Code& code : isa_.codes) {
        if (code.cls == model::CodeClass::special && code.name == line.besides && is_on(code.chips, form.chip))
          row.free_scalar = static_cast<u8>(code.first);
      }
    }
  }
  for (const model::Slot& slot : instruction.slots) {
    if (is_on(slot.chips, form.chip) && slot.name == "vcc" && slot.access != model::Access::out) row.reads_vcc = true;
  }
  row.scalar_sources = row.reads_vcc ? 1 : 0;
  constexpr u32 not_scalar = 1u << static_cast<u32>(CodeClass::vgpr) | 1u << static_cast<u32>(CodeClass::agpr) |
                             1u << static_cast<u32>(CodeClass::integer) | 1u << static_cast<u32>(CodeClass::real);
  for (u32 i = 0; i < row.operand_count; ++i) {
    const OperandRow& operand = data_.operands.rows[row.first_operand + i];
    const bool is_literal = operand.field != 0xff && operand.field == data_.encodings[row.encoding].literal_field;
    const bool may_be_scalar =
        operand.kind != no_kind && (data_.operand_kinds[operand.kind].classes & ~not_scalar) != 0 &&
        data_.slots[data_.instructions[row.instruction].first_slot + operand.slot].access != Access::out;
    row.scalar_sources = static_cast<u8>(row.scalar_sources + (is_literal || may_be_scalar));
  }
}

/// Whether a suffix may follow that a field selects which no operand of the form is in.
bool TableBuilder::has_unread_lanes(const FormRow& row, u32 chip) const {
  const EncodingRow& encoding = data_.encodings[row.encoding];
  const u32 first = data_.chips[chip].first_encoding;
  for (u32 bit = 0; bit < 32; ++bit) {
    if (((encoding.suffixes & ~row.without) >> bit & 1) == 0 || data_.encodings[first + bit].literal_bits != 0)
      continue;
    const auto holds = [&](const OperandRow& operand) {
      return operand.field != 0xff &&
             data_.fields[encoding.first_field + operand.field].name == data_.encodings[first + bit].selects_name;
    };
    const auto operands = data_.operands.rows.begin() + row.first_operand;
    if (std::none_of(operands, operands + row.operand_count, holds)) return true;
  }
  return false;
}

void TableBuilder::add_operands(const model::Form& form, const std::vector<std::string>& syntax, FormRow& row) {
  const model::Instruction& instruction = isa_.instructions[form.instruction];
  std::vector<OperandRow> operands;
  std::vector<bool> is_placed(instruction.slots.size());
  const auto place = [&](u32 slot) {
    if (is_placed[slot]) return;
    is_placed[slot] = true;
    if (const auto operand = operand_row(form, slot)) operands.push_back(*operand);
  };
  for (const std::string& item : syntax) {
    if (const model::Slot* slot = find_slot(instruction, item, form.chip))
      place(static_cast<u32>(slot - instruction.slots.data()));
  }
  row.syntax_operands = static_cast<u8>(operands.size());
  for (u32 slot = 0; slot < instruction.slots.size(); ++slot) {
    if (is_on(instruction.slots[slot].chips, form.chip)) place(slot);
  }
  row.operand_count = static_cast<u8>(operands.size());
  row.has_sized = std::any_of(operands.begin(), operands.end(), [&](const OperandRow& operand) {
    return operand.sized_by != 0xff || (knows_two_waves(form.chip) && is_tile(instruction.slots[operand.slot]));
  });
  row.has_counts =
      std::any_of(operands.begin(), operands.end(), [](const OperandRow& operand) { return operand.count != 0; });
  row.first_operand = data_.operands.add(operands);
}

std::optional<OperandRow> TableBuilder::operand_row(const model::Form& form, u32 slot_index) {
  const model::Instruction& instruction = isa_.instructions[form.instruction];
  const model::Encoding& encoding = isa_.encodings[form.encoding];
  const model::Slot& slot = instruction.slots[slot_index];
  OperandRow row{static_cast<u8>(slot_index), 0xff, no_kind, 0, 0xff};
  u8 index = 0;
  for (const model::Field& field : encoding.fields) {
    if (!is_on(field.chips, form.chip)) continue;
    const bool is_operand = field.role == model::FieldRole::operand || field.role == model::FieldRole::joined;
    if (is_operand && holds(field, instruction, slot.name, form.chip)) {
      row.field = index;
      // What the encoding holds as a plain number stays one, whatever the family calls it.
      const std::optional<u32> kind = slot.access == model::Access::imm ? std::nullopt
                                      : slot.via                        ? slot.via
                                                                        : field.kind;
      if (kind) row.kind = static_cast<u16>(isa_.kind_on(*kind, form.chip));
      row.sized_by = field_index(encoding, slot.sized_by, form.chip);
      add_count(form, slot, row);
      return row;
    }
    ++index;
  }
  for (const model::Implied& implied : encoding.implied) {
    if (implied.slot != slot.name || !is_on(implied.chips, form.chip)) continue;
    row.implied_code = static_cast<u16>(implied.code);
    row.kind = implied_kind(form.chip);
    return row;
  }
  return {};
}

u8 TableBuilder::field_index(const model::Encoding& encoding, const std::string& name, u32 chip) const {
  u8 index = 0;
  for (const model::Field& field : encoding.fields) {
    if (!is_on(field.chips, chip)) continue;
    if (!name.empty() && field.name == name) return index;
    ++index;
  }
  return 0xff;
}

void TableBuilder::add_count(const model::Form& form, const model::Slot& slot, OperandRow& row) {
  const model::Instruction& instruction = isa_.instructions[form.instruction];
  const model::Encoding& encoding = isa_.encodings[form.encoding];
  const model::Count* count = model::count_of(instruction, slot.name, form.chip);
  if (count == nullptr) return;
  const model::FurtherFields further = model::further_fields(encoding, slot.name, form.chip);
  u8 index = 0;
  for (const model::Field& field : encoding.fields) {
    if (!is_on(field.chips, form.chip)) continue;
    for (std::size_t i = 0; i < further.fields.size() && i < row.further.size(); ++i) {
      if (further.fields[i] == &field) row.further[i] = index;
    }
    ++index;
  }
  row.further_count = static_cast<u8>(std::min(further.fields.size(), row.further.size()));
  row.takes_rest = further.takes_rest;
  row.is_list = form.promoted && row.further_count != 0;
  const model::CountTable table = model::count_table(*count, encoding, form.chip);
  CountRow counts{};
  counts.source = data_.pool.add(count->source);
  counts.is_least = count->is_least;
  counts.group_count = static_cast<u8>(table.groups.size());
  std::vector<u32> key{counts.source, counts.is_least, counts.group_count, table.otherwise};
  for (const model::Field* field : table.fields) {
    if (counts.field_count == counts.low.size()) break;
    counts.low[counts.field_count] = static_cast<u8>(field->low);
    counts.width[counts.field_count++] = static_cast<u8>(field->width);
    key.insert(key.end(), {field->low, field->width});
  }
  for (const std::vector<u8>& group : table.groups) key.insert(key.end(), group.begin(), group.end());
  const auto [entry, is_new] = counts_.emplace(key, static_cast<u16>(data_.counts.size() + 1));
  row.count = entry->second;
  if (!is_new) return;
  counts.fewest = no_count;
  for (std::size_t i = 0; i < table.groups.front().size(); ++i) {
    u32 total = 0;
    for (const std::vector<u8>& group : table.groups) total += group[i];
    if (total >= no_count) continue;
    counts.fewest = std::min(counts.fewest, static_cast<u8>(total));
    counts.most = std::max(counts.most, static_cast<u8>(total));
  }
  counts.shown = static_cast<u8>(table.otherwise);
  counts.first_value = static_cast<u32>(data_.count_values.size());
  for (const std::vector<u8>& group : table.groups)
    data_.count_values.insert(data_.count_values.end(), group.begin(), group.end());
  data_.counts.push_back(counts);
}

// An implied operand is a scalar register; its kind only says so on pages and to the text layer.
u16 TableBuilder::implied_kind(u32 chip) const {
  for (u32 i = 0; i < isa_.kinds.size(); ++i) {
    if (isa_.kinds[i].name == "sdst" && is_on(isa_.kinds[i].chips, chip)) return static_cast<u16>(i);
  }
  return isa_.kinds.empty() ? no_kind : 0;
}

u16 TableBuilder::semantics_of(const model::Form& form) const {
  const model::Instruction& instruction = isa_.instructions[form.instruction];
  for (std::size_t i = 0; i < instruction.semantics.size(); ++i) {
    if (is_on(instruction.semantics[i].chips, form.chip))
      return static_cast<u16>(first_semantics_[form.instruction] + i);
  }
  return no_semantics;
}

void TableBuilder::add_opcodes(u32 chip) {
  const ChipRow& row = data_.chips[chip];
  for (u32 i = 0; i < row.encoding_count; ++i) {
    EncodingRow& encoding = data_.encodings[row.first_encoding + i];
    encoding.first_form = static_cast<u32>(data_.form_of_opcode.size());
    std::vector<u32> forms;
    for (u32 form = row.first_form; form < row.first_form + row.form_count; ++form) {
      if (data_.forms[form].encoding != row.first_encoding + i) continue;
      const u32 opcode = data_.forms[form].opcode;
      if (forms.size() <= opcode) forms.resize(opcode + 1);
      forms[opcode] = form + 1;
    }
    encoding.opcode_count = static_cast<u32>(forms.size());
    data_.form_of_opcode.insert(data_.form_of_opcode.end(), forms.begin(), forms.end());
  }
}

void TableBuilder::add_names(u32 chip) {
  ChipRow& row = data_.chips[chip];
  std::vector<std::tuple<std::string, bool, u32>> names;
  std::set<std::string> own;
  for (u32 form = row.first_form; form < row.first_form + row.form_count; ++form)
    own.insert(isa_.instructions[data_.forms[form].instruction].name_on(chip));
  for (u32 form = row.first_form; form < row.first_form + row.form_count; ++form) {
    const u32 index = data_.forms[form].instruction;
    const model::Instruction& instruction = isa_.instructions[index];
    names.emplace_back(instruction.name_on(chip), false, form);
    std::set<std::string> earlier;
    for (u32 other = 0; other < isa_.chips.size(); ++other) {
      const bool is_known = is_on(isa_.epochs[isa_.chips[chip].epoch].known, other);
      const std::string& name = instruction.name_on(other);
      if (is_known && form_counts_.count({other, index}) != 0 && own.count(name) == 0) earlier.insert(name);
    }
    for (const std::string& name : earlier) names.emplace_back(name, true, form);
    for (const auto& [chips, alias] : instruction.aliases) {
      if (is_on(chips, chip)) names.emplace_back(alias, true, form);
    }
  }
  std::sort(names.begin(), names.end());
  row.first_name = static_cast<u32>(data_.name_index.size());
  row.name_count = static_cast<u32>(names.size());
  for (const auto& [name, is_alias, form] : names) data_.name_index.push_back({data_.pool.add(name), form, is_alias});
}

}  // namespace gfxisa::gen
