// Families unfolded over their lists: one instruction a member.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/suggest.h"
#include "lang/tokens.h"
#include "model/builder.h"

namespace gfxisa::model {

namespace {

// A family of more members is a slip of the keyboard.
constexpr u64 most_members = 4096;
constexpr std::array<std::string_view, 7> named_registers{"scc", "exec", "vcc", "pc", "m0", "mode", "clamp"};

Access access_of(lang::Slot::Access access) {
  switch (access) {
    case lang::Slot::Access::out:
    case lang::Slot::Access::returned:
      return Access::out;
    case lang::Slot::Access::in:
      return Access::in;
    case lang::Slot::Access::inout:
    case lang::Slot::Access::exchanged:
      return Access::inout;
    default:
      return Access::imm;
  }
}

Lists lists_of(const lang::Family& family, const std::vector<u32>& choice) {
  Lists lists;
  for (std::size_t i = 0; i < family.lists.size(); ++i) {
    const lang::ListValue& value = family.lists[i].values[choice[i]];
    lists.emplace_back(family.lists[i].name.text, value.text.text);
    lists.emplace_back(family.lists[i].name.text + "'", value.second.text);
    lists.emplace_back(family.lists[i].name.text + "''", value.third.text);
    for (const lang::ListColumn& column : family.lists[i].columns)
      lists.emplace_back(column.name.text, column.texts[choice[i]].text);
  }
  return lists;
}

/// Counts `choice` up, the last list fastest; false after the last member.
bool next_choice(const lang::Family& family, std::vector<u32>& choice) {
  for (std::size_t i = choice.size(); i-- > 0;) {
    if (++choice[i] < family.lists[i].values.size()) return true;
    choice[i] = 0;
  }
  return false;
}

}  // namespace

bool is_named_register(std::string_view slot) {
  return std::find(named_registers.begin(), named_registers.end(), slot) != named_registers.end();
}

void Builder::add_families() {
  for (const lang::File& file : files_) {
    for (const lang::Family& family : file.families) add_family(family, file);
  }
}

void Builder::add_family(const lang::Family& family, const lang::File& file) {
  const std::size_t errors = diagnostics_.list().size();
  if (!check_family(family)) return;
  const bool rows_are_right = diagnostics_.list().size() == errors;
  Member member;
  member.family = &family;
  member.family_index = static_cast<u32>(isa_.families.size());
  member.choice.assign(family.lists.size(), 0);
  isa_.families.push_back({family.name.text, family.name.at});
  family_sources_.push_back(&family);
  std::vector<std::string> rowless;
  do {
    member.lists = lists_of(family, member.choice);
    member.has_row = false;
    add_member(member, file);
    if (!member.has_row) rowless.push_back(core::fill(family.name.text, member.lists));
  } while (next_choice(family, member.choice));
  if (rowless.empty() || !rows_are_right) return;
  std::string hint;
  for (std::size_t i = 1; i < rowless.size() && i < 4; ++i) hint += (i == 1 ? "nor for " : ", ") + rowless[i];
  fail(family.name.at, "no opcode row for " + rowless[0], hint);
}

// What is wrong whatever the member is reported once, here. False when unfolding makes no sense.
bool Builder::check_family(const lang::Family& family) {
  check_lists(family);
  u64 members = 1;
  for (const lang::List& list : family.lists) members = std::min<u64>(members * list.values.size(), most_members + 1);
  if (members > most_members) {
    fail(family.name.at, "the family has more than " + std::to_string(most_members) + " members");
    return false;
  }
  if (family.about.text.empty())
    fail(family.name.at, "the family has no about line", "about  One sentence: what it does.");
  if (family.ptx.empty()) fail(family.name.at, "the family has no ptx line", "ptx none, when PTX has nothing like it");
  if (family.tables.empty()) fail(family.name.at, "the family has no opcode table");
  std::map<std::string, ChipSet> slots;
  for (const lang::Slot& slot : family.slots) {
    const ChipSet chips = resolve(slot.on);
    if ((slots[slot.name.text] & chips) != 0) fail(slot.name.at, "slot '" + slot.name.text + "' is declared twice");
    slots[slot.name.text] |= chips;
  }
  for (const lang::Word& target : family.only_targets) {
    if (chip_of_target_.count(target.text) != 0) continue;
    std::vector<std::string_view> names;
    for (const Chip& chip : isa_.chips) names.insert(names.end(), chip.targets.begin(), chip.targets.end());
    fail(target.at, "unknown target '" + target.text + "'", suggestion(target.text, names));
  }
  check_braces(family, family.name);
  check_rows(family);
  check_excepts(family);
  return true;
}

void Builder::check_lists(const lang::Family& family) {
  std::set<std::string> names;
  for (const lang::List& list : family.lists) {
    if (!names.insert(list.name.text).second) fail(list.name.at, "list '" + list.name.text + "' is declared twice");
    for (const lang::ListColumn& column : list.columns) {
      if (!names.insert(column.name.text).second) fail(column.name.at, "'" + column.name.text + "' is declared twice");
    }
    std::set<std::string> values;
    for (const lang::ListValue& value : list.values) {
      if (!values.insert(value.text.text).second) fail(value.text.at, "'" + value.text.text + "' is twice in the list");
    }
  }
}

// `{T}` of a list that the family does not have.
void Builder::check_braces(const lang::Family& family, const lang::Word& word) {
  for (std::size_t open = word.text.find('{'); open != std::string::npos; open = word.text.find('{', open + 1)) {
    std::string name = word.text.substr(open + 1, word.text.find('}', open) - open - 1);
    for (int primes = 0; primes < 2 && !name.empty() && name.back() == '\''; ++primes) name.pop_back();
    std::vector<std::string_view> names;
    for (const lang::List& list : family.lists) {
      names.push_back(list.name.text);
      for (const lang::ListColumn& column : list.columns) names.push_back(column.name.text);
    }
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    fail(word.at, "'" + name + "' is no list of this family", suggestion(name, names));
  }
}

std::string Builder::filled(const lang::Word& word, const Member& member) {
  for (const auto& [name, value] : member.lists) {
    if (word.text == name) return value;
  }
  if (word.text.find('{') == std::string::npos) return word.text;
  check_braces(*member.family, word);
  return core::fill(word.text, member.lists);
}

void Builder::add_member(Member& member, const lang::File& file) {
  Instruction instruction = make_instruction(member, file);
  const u32 index = static_cast<u32>(isa_.instructions.size());
  const std::size_t first_form = form_places_.size();
  std::vector<Form> forms = table_forms(member, index);
  if (forms.empty()) return;
  add_promoted(member, instruction, forms);
  form_places_.resize(first_form + forms.size(), member.family->name.at);
  for (std::size_t i = 0; i < forms.size(); ++i)
    check_form(member, instruction, forms[i], form_places_[first_form + i]);
  check_homes(*member.family, instruction, forms);
  check_family_syntax(*member.family, instruction, forms);
  check_count_fields(*member.family, instruction, forms);
  add_ptx(instruction, member);
  add_bodies(instruction, member);
  isa_.forms.insert(isa_.forms.end(), forms.begin(), forms.end());
  isa_.instructions.push_back(std::move(instruction));
}

Instruction Builder::make_instruction(const Member& member, const lang::File& file) {
  const lang::Family& family = *member.family;
  Instruction instruction;
  instruction.name = core::fill(family.name.text, member.lists);
  instruction.family = member.family_index;
  for (std::size_t i = 0; i < family.lists.size(); ++i) {
    instruction.list_values.push_back(family.lists[i].values[member.choice[i]].text.text);
  }
  instruction.topic = file.topic.text;
  instruction.file = sources_.name(file.source);
  instruction.line = family.name.at.line;
  instruction.fidelity = family.fidelity.kind;
  add_texts(instruction, member);
  add_names(instruction, member);
  add_without(instruction, member);
  add_modifier_rules(instruction, member);
  std::vector<lang::ScalarsLine> scalars = family.scalars;
  std::erase_if(scalars, [&](const lang::ScalarsLine& line) { return !is_about(line.values, member); });
  add_scalars(scalars, all_, instruction.scalars);
  add_slots(instruction, member);
  for (const lang::FieldLine& line : family.fields) {
    const std::optional<u32> kind =
        line.via.text.empty() ? std::nullopt : kind_named({filled(line.via, member), line.via.at});
    u64 bits = 0;
    if (kind && !lang::parse_number(filled(line.via_bits, member), bits))
      fail(line.via_bits.at, "'" + filled(line.via_bits, member) + "' is no number");
    instruction.fields.push_back({line.field.text, line.values, kind, static_cast<u32>(bits), resolve(line.on)});
  }
  add_counts(instruction, member);
  add_syntax(instruction.syntax, family.syntax, all_);
  return instruction;
}

void Builder::add_texts(Instruction& instruction, const Member& member) {
  const lang::Family& family = *member.family;
  instruction.about = core::fill(family.about.text, member.lists);
  instruction.describe = core::fill(family.describe.text, member.lists);
  instruction.fidelity_why = core::fill(family.fidelity.why.text, member.lists);
  for (const lang::Text& text : family.notes) instruction.notes.push_back(core::fill(text.text, member.lists));
  for (const lang::Text& text : family.opens) instruction.opens.push_back(core::fill(text.text, member.lists));
  for (const lang::Text& text : family.examples) instruction.examples.push_back(core::fill(text.text, member.lists));
  for (const lang::Word& word : family.related) instruction.related.push_back(filled(word, member));
  for (const lang::Word& word : family.only_targets) instruction.only_targets.push_back(word.text);
}

void Builder::add_names(Instruction& instruction, const Member& member) {
  ChipSet taken = 0;
  for (const lang::NameLine& line : member.family->names) {
    const ChipSet chips = resolve(line.on);
    if ((chips & taken) != 0) fail(line.name.at, "two names on " + chip_names(chips & taken));
    taken |= chips;
    instruction.names.emplace_back(chips, filled(line.name, member));
  }
  for (const lang::NameLine& line : member.family->aliases) {
    instruction.aliases.emplace_back(resolve(line.on), filled(line.name, member));
  }
}

void Builder::add_ptx(Instruction& instruction, const Member& member) {
  ChipSet without = member.chips;
  for (const lang::Ptx& line : member.family->ptx) {
    const ChipSet chips = resolve(line.on);
    without &= ~chips;
    lang::Ptx::Relation relation = line.relation;
    const std::string word = core::fill(line.relation_column, member.lists);
    if (!word.empty() && !lang::relation_named(word, relation))
      fail(member.family->name.at, "'" + word + "' is no relation to a PTX concept", "same, near, partial or none");
    const bool has_name = relation != lang::Ptx::Relation::none;
    instruction.ptx.push_back({has_name ? core::fill(line.name, member.lists) : "", relation,
                               core::fill(line.why.text, member.lists), chips});
  }
  if (!member.family->ptx.empty() && without != 0) {
    fail(member.family->name.at, "no ptx line for " + chip_names(without),
         "ptx none on SET, when PTX has nothing like it");
  }
}

/// Whether a line holds for this member: without values of lists it does for all.
bool Builder::is_about(const std::vector<lang::Word>& values, const Member& member) {
  bool is_chosen = values.empty();
  for (const lang::Word& word : values) {
    bool is_known = false;
    for (std::size_t i = 0; i < member.family->lists.size(); ++i) {
      const std::vector<lang::ListValue>& list = member.family->lists[i].values;
      for (std::size_t index = 0; index < list.size(); ++index) {
        if (list[index].text.text != word.text) continue;
        is_known = true;
        is_chosen |= index == member.choice[i];
      }
    }
    if (!is_known) fail(word.at, "'" + word.text + "' is no value of the family's lists");
  }
  return is_chosen;
}

void Builder::add_modifier_rules(Instruction& instruction, const Member& member) {
  for (const bool is_taken : {true, false}) {
    for (const lang::Without& line : is_taken ? member.family->takes : member.family->withouts) {
      if (!is_about(line.values, member)) continue;
      for (const lang::Word& name : line.names) {
        const bool is_known = is_taken ? is_suffix(name.text) : name.text == mnemonic_suffix_rule;
        if (is_modifier(name.text) || is_known) {
          instruction.modifiers.push_back({name.text, is_taken, resolve(line.on)});
        } else if (is_taken) {
          fail(name.at, "no encoding has a modifier '" + name.text + "', and no suffix has that name");
        }
      }
    }
  }
}

// Promotions that the family does without are dropped when forms are made; suffixes and modifiers are kept.
void Builder::add_without(Instruction& instruction, const Member& member) {
  for (const lang::Without& line : member.family->withouts) {
    if (!is_about(line.values, member)) continue;
    for (const lang::Word& name : line.names) {
      if (encodings_.contains(name.text) || (!is_modifier(name.text) && name.text != mnemonic_suffix_rule))
        add_encodings_of(name, resolve(line.on), true, instruction.without);
    }
  }
  for (const lang::Without& line : member.family->prefers) {
    if (!is_about(line.values, member)) continue;
    for (const lang::Word& name : line.names) add_encodings_of(name, resolve(line.on), false, instruction.preferred);
  }
}

/// The encodings of that name, or the suffixes.
void Builder::add_encodings_of(const lang::Word& name, ChipSet on, bool are_suffixes, std::vector<Host>& out) {
  const auto found = encodings_.find(name.text);
  if (found == encodings_.end()) return unknown_encoding(name);
  for (const u32 index : found->second) {
    const ChipSet chips = isa_.encodings[index].chips & on;
    if (isa_.encodings[index].is_suffix == are_suffixes && chips != 0) out.push_back({index, chips});
  }
}

void Builder::add_slots(Instruction& instruction, const Member& member) {
  for (const lang::Slot& source : member.family->slots) add_slot(instruction, source, member);
}

void Builder::add_slot(Instruction& instruction, const lang::Slot& source, const Member& member) {
  Slot slot;
  slot.name = source.name.text;
  slot.access = access_of(source.access);
  slot.is_returned = source.access == lang::Slot::Access::returned || source.access == lang::Slot::Access::exchanged;
  slot.is_field = source.access == lang::Slot::Access::field;
  slot.type = filled(source.type, member);
  slot.sized_by = source.sized_by.text;
  slot.chips = resolve(source.on);
  slot.note = core::fill(source.note.text, member.lists);
  const bool is_format = slot.type == "mask" || formats_.count(slot.type) != 0;
  if (slot.access != Access::imm && !is_format) {
    std::vector<std::string_view> names{"mask"};
    for (const Format& format : isa_.formats) names.push_back(format.name);
    fail(source.type.at, "unknown format '" + slot.type + "'", suggestion(slot.type, names));
  }
  if (!source.via.text.empty()) {
    slot.via = kind_named({filled(source.via, member), source.via.at});
  }
  instruction.slots.push_back(std::move(slot));
}

// The slots that a body on these chips sees.
std::vector<core::SlotInfo> Builder::slot_infos(const Instruction& instruction, ChipSet chips) const {
  std::vector<core::SlotInfo> infos;
  for (const Slot& slot : instruction.slots) {
    if ((slot.chips & chips) == 0) continue;
    core::SlotInfo info;
    info.name = slot.name;
    info.is_immediate = slot.access == Access::imm;
    info.is_field = slot.is_field;
    info.is_read = slot.access != Access::out;
    info.is_written = slot.access == Access::out || slot.access == Access::inout;
    info.type = info.is_immediate ? core::immediate_type(slot.type) : type_of(slot.type);
    infos.push_back(std::move(info));
  }
  return infos;
}

// A body sees one slot of each name.
void Builder::check_slots_agree(const lang::Body& body, const Instruction& instruction, ChipSet chips) {
  for (const Slot& slot : instruction.slots) {
    const ChipSet missing = chips & ~slot.chips;
    if (missing == 0 || missing == chips) continue;
    fail(body.at, "slot '" + slot.name + "' is not the same on " + chip_names(missing),
         "exec ... on SET, a body for each of them");
  }
}

void Builder::add_bodies(Instruction& instruction, const Member& member) {
  const lang::Family& family = *member.family;
  const auto is_unknown = [&](const Slot& slot) {
    return slot.access != Access::imm && slot.type != "mask" && formats_.count(slot.type) == 0;
  };
  if (std::any_of(instruction.slots.begin(), instruction.slots.end(), is_unknown)) return;
  ChipSet taken = 0;
  for (const lang::Body& source : family.bodies) {
    const ChipSet on = resolve(source.on);
    const ChipSet chips = on & member.chips;
    if ((chips & taken) != 0) fail(source.at, "two bodies on " + chip_names(chips & taken));
    taken |= chips;
    if (chips == 0) continue;
    core::Scope scope;
    scope.slots = slot_infos(instruction, chips);
    check_slots_agree(source, instruction, chips);
    scope.lists = member.lists;
    scope.functions = &functions_;
    instruction.semantics.push_back(
        {chips, core::fill_body(source.source, member.lists), core::check_body(source, scope, diagnostics_)});
  }
  const ChipSet missing = member.chips & ~taken;
  if (missing != 0 && family.fidelity.kind != lang::Fidelity::Kind::none) {
    fail(family.name.at, "no body for " + chip_names(missing), "fidelity none: why, when it cannot be executed");
  }
}

}  // namespace gfxisa::model
