// Opcode tables to forms, and what a form needs of its encoding.
#include <algorithm>
#include <cstdio>
#include <map>

#include "base/suggest.h"
#include "model/builder.h"

namespace gfxisa::model {

namespace {

constexpr std::size_t no_value = ~std::size_t{0};

std::size_t value_index(const lang::List& list, std::string_view text) {
  for (std::size_t i = 0; i < list.values.size(); ++i) {
    if (list.values[i].text.text == text) return i;
  }
  return no_value;
}

/// The list, other than the one of the labels, that holds both ends of a part.
std::size_t part_list(const lang::Family& family, const lang::OpcodeRow& row) {
  for (std::size_t i = 0; i < family.lists.size(); ++i) {
    const bool is_label_list = !row.label.text.empty() && i + 1 == family.lists.size();
    const lang::List& list = family.lists[i];
    const bool holds =
        value_index(list, row.part_first.text) != no_value && value_index(list, row.part_last.text) != no_value;
    if (holds && !is_label_list) return i;
  }
  return no_value;
}

std::string hexadecimal(u32 value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%02x", value);
  return text;
}

u32 opcode_width(const Encoding& encoding, u32 chip) {
  u32 width = 0;
  for (const Field& field : encoding.fields) {
    if (field.role == FieldRole::opcode && (field.chips >> chip & 1) != 0)
      width = std::max(width, static_cast<u32>(field.constant) + field.width);
  }
  return width;
}

bool declares(const std::vector<Slot>& slots, const std::string& name, u32 chip) {
  return std::any_of(slots.begin(), slots.end(),
                     [&](const Slot& slot) { return slot.name == name && (slot.chips >> chip & 1) != 0; });
}

/// The slot that a field holds for an instruction: the first of its list that is declared.
const std::string* held_by(const Field& field, const std::vector<Slot>& slots, u32 chip) {
  for (const std::string& name : field.slots) {
    if (declares(slots, name, chip)) return &name;
  }
  return nullptr;
}

bool holds_slots(const Field& field) { return field.role == FieldRole::operand || field.role == FieldRole::joined; }

}  // namespace

const Field* holder_of(const Encoding& encoding, const std::vector<Slot>& slots, const std::string& slot, u32 chip) {
  for (const Field& field : encoding.fields) {
    if ((field.chips >> chip & 1) == 0 || !holds_slots(field)) continue;
    const std::string* held = held_by(field, slots, chip);
    if (held != nullptr && *held == slot) return &field;
  }
  return nullptr;
}

void Builder::check_rows(const lang::Family& family) {
  for (const lang::OpcodeTable& table : family.tables) {
    for (const lang::OpcodeRow& row : table.rows) check_row(family, row);
  }
}

void Builder::check_row(const lang::Family& family, const lang::OpcodeRow& row) {
  if (!row.label.text.empty()) {
    std::vector<std::string_view> values;
    if (!family.lists.empty()) {
      for (const lang::ListValue& value : family.lists.back().values) values.push_back(value.text.text);
    }
    if (std::find(values.begin(), values.end(), row.label.text) == values.end()) {
      fail(row.label.at, "'" + row.label.text + "' is no value of the family's last list",
           suggestion(row.label.text, values));
    }
  }
  if (!row.part_first.text.empty()) {
    const std::size_t list = part_list(family, row);
    if (list == no_value) {
      fail(row.part_first.at,
           "no list of the family holds both '" + row.part_first.text + "' and '" + row.part_last.text + "'");
    } else if (value_index(family.lists[list], row.part_first.text) >
               value_index(family.lists[list], row.part_last.text)) {
      fail(row.part_first.at, "the part ends before it begins");
    }
  }
  for (const lang::Cell& cell : row.cells) {
    for (const lang::CellTerm& term : cell.plus) {
      const auto named = [&](const lang::List& list) { return list.name.text == term.list.text; };
      if (std::any_of(family.lists.begin(), family.lists.end(), named)) continue;
      fail(term.list.at, "'" + term.list.text + "' is no list of this family");
    }
  }
}

bool Builder::row_covers(const lang::OpcodeRow& row, const Member& member) {
  const lang::Family& family = *member.family;
  if (!row.label.text.empty()) {
    if (family.lists.empty() || value_index(family.lists.back(), row.label.text) != member.choice.back()) return false;
  }
  if (row.part_first.text.empty()) return true;
  const std::size_t list = part_list(family, row);
  if (list == no_value) return false;
  const u32 value = member.choice[list];
  return value >= value_index(family.lists[list], row.part_first.text) &&
         value <= value_index(family.lists[list], row.part_last.text);
}

u32 Builder::opcode_of(const lang::Cell& cell, const Member& member) {
  u32 opcode = cell.number;
  for (std::size_t i = 0; i < member.choice.size(); ++i) {
    for (const lang::CellTerm& term : cell.plus) {
      if (member.family->lists[i].name.text == term.list.text) opcode += member.choice[i] * term.factor;
    }
  }
  return opcode;
}

std::vector<Form> Builder::table_forms(Member& member, u32 instruction) {
  std::vector<Form> forms;
  member.chips = 0;
  for (const lang::OpcodeTable& table : member.family->tables) table_forms_of(table, member, instruction, forms);
  return forms;
}

void Builder::table_forms_of(const lang::OpcodeTable& table, Member& member, u32 instruction,
                             std::vector<Form>& forms) {
  const lang::OpcodeRow* covering = nullptr;
  for (const lang::OpcodeRow& row : table.rows) {
    if (!row_covers(row, member)) continue;
    if (covering != nullptr) {
      fail(row.at, "a second row for " + core::fill(member.family->name.text, member.lists));
      continue;
    }
    covering = &row;
    member.has_row = true;
    row_forms(table, row, member, instruction, forms);
  }
}

void Builder::row_forms(const lang::OpcodeTable& table, const lang::OpcodeRow& row, Member& member, u32 instruction,
                        std::vector<Form>& forms) {
  const lang::Word encoding{filled(table.encoding, member), table.encoding.at};
  const ChipSet excluded = excepted(member);
  ChipSet in_columns = 0;
  for (std::size_t column = 0; column < row.cells.size() && column < table.columns.size(); ++column) {
    const ChipSet chips = resolve(table.columns[column]);
    if ((chips & in_columns) != 0)
      fail(table.columns[column].items[0].at, chip_names(chips & in_columns) + " is in two columns");
    in_columns |= chips;
    if (!row.cells[column].exists) continue;
    if (encodings_.count(encoding.text) == 0) return unknown_encoding(encoding);
    const ChipSet without = chips & ~chips_of_encoding(encoding.text);
    if (without != 0) {
      fail(row.cells[column].at, encoding.text + " does not exist on " + chip_names(without),
           "write - where there is none");
    }
    for (u32 chip = 0; chip < isa_.chips.size(); ++chip) {
      if (((chips & ~without & ~excluded) >> chip & 1) == 0) continue;
      const u32 index = find_encoding(encoding.text, chip);
      if (isa_.encodings[index].is_suffix)
        return fail(encoding.at, "'" + encoding.text + "' is a suffix and has no opcodes");
      forms.push_back({instruction, index, chip, opcode_of(row.cells[column], member), false, {}});
      form_places_.push_back(row.cells[column].at);
      member.chips |= ChipSet{1} << chip;
    }
  }
}

void Builder::check_excepts(const lang::Family& family) {
  for (const lang::Except& except : family.excepts) {
    for (const lang::Word& word : except.values) {
      std::size_t holders = 0;
      std::vector<std::string_view> values;
      for (const lang::List& list : family.lists) {
        if (value_index(list, word.text) != no_value) ++holders;
        for (const lang::ListValue& value : list.values) values.push_back(value.text.text);
      }
      if (holders == 0)
        fail(word.at, "'" + word.text + "' is no value of the family's lists", suggestion(word.text, values));
      if (holders > 1) fail(word.at, "'" + word.text + "' is in several lists");
    }
  }
}

// Values of one list are alternatives, values of different lists must meet: `except gfx9: lt gt f16` is two
// combinations.
ChipSet Builder::excepted(const Member& member) {
  const lang::Family& family = *member.family;
  ChipSet chips = 0;
  for (const lang::Except& except : family.excepts) {
    bool applies = true;
    for (std::size_t i = 0; i < family.lists.size() && applies; ++i) {
      bool mentioned = false, chosen = false;
      for (const lang::Word& word : except.values) {
        const std::size_t index = value_index(family.lists[i], word.text);
        mentioned |= index != no_value;
        chosen |= index == member.choice[i];
      }
      applies = chosen || !mentioned;
    }
    if (applies) chips |= resolve(except.on);
  }
  return chips;
}

bool Builder::excludes(const Member& member, const std::string& encoding, u32 chip) {
  for (const lang::Without& line : member.family->withouts) {
    if (!is_about(line.values, member)) continue;
    for (const lang::Word& name : line.names) {
      if (name.text == encoding && (resolve(line.on) >> chip & 1) != 0) return true;
    }
  }
  return false;
}

// The first promotion that has a place for every slot counts, and what was promoted may be promoted further. An opcode
// given in a table beats a promoted one.
void Builder::add_promoted(const Member& member, const Instruction& instruction, std::vector<Form>& forms) {
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const Form from = forms[i];
    for (const Promotion& promotion : promotions_) {
      if ((promotion.chips >> from.chip & 1) == 0 || promotion.from != isa_.encodings[from.encoding].name) continue;
      if (excludes(member, promotion.to, from.chip)) continue;
      const u32 to = find_encoding(promotion.to, from.chip);
      if (homeless_slot(instruction, isa_.encodings[to], from.chip) != nullptr) continue;
      if (!is_worthwhile(instruction, isa_.encodings[from.encoding], isa_.encodings[to], from.chip)) continue;
      const auto taken = [&](const Form& form) { return form.encoding == to && form.chip == from.chip; };
      if (std::none_of(forms.begin(), forms.end(), taken)) {
        forms.push_back({from.instruction, to, from.chip, from.opcode + promotion.step, true, promotion.without});
        form_places_.push_back(form_places_[form_places_.size() - forms.size() + 1 + i]);
      }
      break;
    }
  }
}

const Slot* Builder::homeless_slot(const Instruction& instruction, const Encoding& encoding, u32 chip) const {
  for (const Slot& slot : instruction.slots) {
    if ((slot.chips >> chip & 1) == 0) continue;
    if (slot.is_field || is_named_register(slot.name) ||
        holder_of(encoding, instruction.slots, slot.name, chip) != nullptr)
      continue;
    const auto implies = [&](const Implied& line) { return line.slot == slot.name && (line.chips >> chip & 1) != 0; };
    if (std::none_of(encoding.implied.begin(), encoding.implied.end(), implies)) return &slot;
  }
  return nullptr;
}

void Builder::check_form(const Member& member, const Instruction& instruction, const Form& form, Location at) {
  const Encoding& encoding = isa_.encodings[form.encoding];
  const u32 width = opcode_width(encoding, form.chip);
  if (width < 32 && form.opcode >> width != 0) {
    fail(at, "opcode " + hexadecimal(form.opcode) + " does not fit the op field of " + encoding.name + " (" +
                 std::to_string(width) + " bits)");
  }
  check_holders(*member.family, instruction, encoding, form.chip);
  check_fields(*member.family, encoding, form.chip);
}

void Builder::check_fields(const lang::Family& family, const Encoding& encoding, u32 chip) {
  for (const lang::FieldLine& line : family.fields) {
    if ((resolve(line.on) >> chip & 1) == 0) continue;
    std::vector<std::string_view> names;
    const Field* found = nullptr;
    for (const Field& field : encoding.fields) {
      if ((field.chips >> chip & 1) == 0 || field.name.empty()) continue;
      names.push_back(field.name);
      if (field.name == line.field.text) found = &field;
    }
    if (found == nullptr) {
      fail(line.field.at, encoding.name + " on " + isa_.chips[chip].name + " has no field '" + line.field.text + "'",
           suggestion(line.field.text, names));
    } else if (std::any_of(line.values.begin(), line.values.end(),
                           [&](u64 value) { return value > low_ones(found->width); })) {
      fail(line.field.at, "the value does not fit " + std::to_string(found->width) + " bits");
    }
  }
}

// Every slot has a place; one message for all chips where it has none.
void Builder::check_homes(const lang::Family& family, const Instruction& instruction, const std::vector<Form>& forms) {
  std::map<std::pair<std::string, std::string>, ChipSet> homeless;
  for (const Form& form : forms) {
    const Encoding& encoding = isa_.encodings[form.encoding];
    if (const Slot* slot = homeless_slot(instruction, encoding, form.chip)) {
      homeless[{encoding.name, slot->name}] |= ChipSet{1} << form.chip;
    }
  }
  for (const auto& [place, chips] : homeless) {
    for (const lang::Slot& source : family.slots) {
      if (source.name.text != place.second) continue;
      fail(source.name.at, place.first + " on " + chip_names(chips) + " has no place for slot '" + place.second + "'");
    }
  }
}

// Each slot has one field, of its own sort.
void Builder::check_holders(const lang::Family& family, const Instruction& instruction, const Encoding& encoding,
                            u32 chip) {
  for (std::size_t i = 0; i < instruction.slots.size(); ++i) {
    const Slot& slot = instruction.slots[i];
    if ((slot.chips >> chip & 1) == 0) continue;
    const Location at = family.slots[i].name.at;
    const Field* holder = holder_of(encoding, instruction.slots, slot.name, chip);
    if (holder == nullptr) continue;
    for (const Field& field : encoding.fields) {
      if (&field == holder || (field.chips >> chip & 1) == 0 || !holds_slots(field)) continue;
      const std::string* held = held_by(field, instruction.slots, chip);
      if (held == nullptr || *held != slot.name) continue;
      fail(at, "slot '" + slot.name + "' would be held by two fields of " + encoding.name + ", " + holder->name +
                   " and " + field.name);
    }
    if (slot.via) {
      const OperandKind& kind = isa_.kinds[isa_.kind_on(*slot.via, chip)];
      if (kind.bits > holder->width) {
        fail(family.slots[i].via.at, "kind '" + kind.name + "' has " + std::to_string(kind.bits) + " bits, but field " +
                                         holder->name + " of " + encoding.name + " has " +
                                         std::to_string(holder->width));
      }
    } else if (slot.access != Access::imm && !holder->kind) {
      fail(at, "field " + holder->name + " of " + encoding.name + " holds an immediate, not a register");
    }
  }
}

void Builder::check_family_syntax(const lang::Family& family, const Instruction& instruction,
                                  const std::vector<Form>& forms) {
  if (family.syntax.empty()) return;
  std::vector<std::string_view> known;
  for (const Slot& slot : instruction.slots) known.push_back(slot.name);
  for (const Form& form : forms) {
    for (const Field& field : isa_.encodings[form.encoding].fields) {
      if (field.role == FieldRole::modifier) known.push_back(field.name);
    }
  }
  for (const lang::SyntaxLine& line : family.syntax) {
    for (const lang::Word& item : line.items) {
      if (std::find(known.begin(), known.end(), item.text) != known.end()) continue;
      fail(item.at, "'" + item.text + "' is neither a slot of the family nor a modifier of its encodings",
           suggestion(item.text, known));
    }
  }
}

}  // namespace gfxisa::model
