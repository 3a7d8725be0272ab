// Checks over all instructions at once, and the final order.
#include <algorithm>
#include <bitset>
#include <cstdio>
#include <map>
#include <numeric>
#include <unordered_set>

#include "model/builder.h"

namespace gfxisa::model {

// Two instructions with one opcode of an encoding; one message for all chips that have it.
void Builder::check_clashes() {
  std::map<std::tuple<u32, u32, u32>, u32> owner;
  std::map<std::tuple<u32, u32, u32>, ChipSet> clashes;  // the two forms' instructions and the opcode
  std::map<std::tuple<u32, u32, u32>, u32> places;
  for (u32 i = 0; i < isa_.forms.size(); ++i) {
    const Form& form = isa_.forms[i];
    const auto [entry, is_new] = owner.emplace(std::tuple(form.chip, form.encoding, form.opcode), i);
    if (is_new) continue;
    const std::tuple key(isa_.forms[entry->second].instruction, form.instruction, form.opcode);
    clashes[key] |= ChipSet{1} << form.chip;
    places.emplace(key, i);
  }
  for (const auto& [key, chips] : clashes) {
    const u32 second = places[key];
    char opcode[16];
    std::snprintf(opcode, sizeof opcode, "0x%02x", std::get<2>(key));
    const std::string& first_name = isa_.instructions[std::get<0>(key)].name;
    const std::string& second_name = isa_.instructions[std::get<1>(key)].name;
    fail(form_places_[second], first_name + " and " + second_name + " share opcode " + opcode + " of " +
                                   isa_.encodings[isa_.forms[second].encoding].name + " on " + chip_names(chips));
  }
}

// Two instructions with one mnemonic in an encoding: the assembler could not tell them apart.
void Builder::check_mnemonics() {
  std::map<std::tuple<u32, u32, std::string_view>, u32> owner;
  std::map<std::tuple<u32, std::string_view>, ChipSet> doubled;
  for (const Form& form : isa_.forms) {
    const std::string& name = isa_.instructions[form.instruction].name_on(form.chip);
    const auto [entry, is_new] =
        owner.emplace(std::tuple(form.chip, form.encoding, std::string_view(name)), form.instruction);
    if (!is_new && entry->second != form.instruction) {
      doubled[{form.instruction, std::string_view(name)}] |= ChipSet{1} << form.chip;
    }
  }
  for (const auto& [key, chips] : doubled) {
    const Location at = isa_.families[isa_.instructions[std::get<0>(key)].family].at;
    fail(at, "'" + std::string(std::get<1>(key)) + "' names two instructions on " + chip_names(chips));
  }
}

namespace {

/// Bits that tell a form: fixed bits of its encoding and its opcode.
struct Pattern {
  std::bitset<lang::most_encoding_bits> mask, match;
  bool is_second = false;  ///< of two instructions in the same words (VOPD): meets only its like
};

std::bitset<lang::most_encoding_bits> placed(u64 value, const Field& field) {
  return std::bitset<lang::most_encoding_bits>(value & low_ones(field.width)) << field.low;
}

Pattern pattern_of(const Isa& isa, u32 index) {
  const Form& form = isa.forms[index];
  Pattern pattern;
  for (const Field& field : isa.encodings[form.encoding].fields) {
    if ((field.chips >> form.chip & 1) == 0) continue;
    if (field.role == FieldRole::modifier && field.style == "first") pattern.is_second = true;
    if (field.role != FieldRole::constant && field.role != FieldRole::opcode) continue;
    pattern.mask |= placed(~u64{0}, field);
    pattern.match |= placed(field.role == FieldRole::opcode ? form.opcode >> field.constant : field.constant, field);
  }
  return pattern;
}

}  // namespace

// Two encodings with their fixed bits and opcodes in the same places: their forms must differ in them. Where one asks
// for more bits than the other it is a special case, which the decoder tries first.
void Builder::check_patterns() {
  std::map<std::tuple<u32, std::string, std::string>, u32> owner;
  std::map<std::string, std::pair<u32, ChipSet>> twins;
  for (u32 i = 0; i < isa_.forms.size(); ++i) {
    const Form& second = isa_.forms[i];
    const Pattern p = pattern_of(isa_, i);
    const std::tuple key(second.chip, p.mask.to_string(), p.match.to_string());
    const auto [entry, is_new] = owner.emplace(key, i);
    const Form& first = isa_.forms[entry->second];
    if (is_new || first.encoding == second.encoding) continue;
    const auto named = [&](const Form& form) {
      return isa_.instructions[form.instruction].name + " in " + isa_.encodings[form.encoding].name;
    };
    twins.try_emplace(named(second) + " has the same bits as " + named(first), i, 0).first->second.second |=
        ChipSet{1} << second.chip;
  }
  for (const auto& [text, where] : twins) fail(form_places_[where.first], text + " on " + chip_names(where.second));
}

// Names made from lists need not all exist; those that do not are left out. A word that never names anything is kept
// apart.
void Builder::check_related() {
  std::unordered_set<std::string> known;
  for (const Instruction& instruction : isa_.instructions) {
    known.insert(instruction.name);
    for (const auto& [chips, name] : instruction.names) known.insert(name);
    for (const auto& [chips, name] : instruction.aliases) known.insert(name);
  }
  std::vector<std::vector<bool>> found(isa_.families.size());
  for (Instruction& instruction : isa_.instructions) {
    std::vector<bool>& words = found[instruction.family];
    words.resize(instruction.related.size());
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = words[i] || known.count(instruction.related[i]) != 0;
    const auto is_dropped = [&](const std::string& name) { return known.count(name) == 0 || name == instruction.name; };
    std::erase_if(instruction.related, is_dropped);
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (std::size_t word = 0; word < found[i].size(); ++word) {
      if (!found[i][word]) isa_.unknown_related.push_back(family_sources_[i]->related[word]);
    }
  }
}

void Builder::sort_instructions() {
  std::vector<u32> order(isa_.instructions.size());
  std::iota(order.begin(), order.end(), 0);
  const auto& all = isa_.instructions;
  std::sort(order.begin(), order.end(),
            [&](u32 a, u32 b) { return std::tie(all[a].name, a) < std::tie(all[b].name, b); });
  std::vector<u32> place(order.size());
  std::vector<Instruction> sorted;
  for (u32 i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    sorted.push_back(std::move(isa_.instructions[order[i]]));
  }
  isa_.instructions = std::move(sorted);
  for (Form& form : isa_.forms) form.instruction = place[form.instruction];
  std::sort(isa_.forms.begin(), isa_.forms.end(), [](const Form& a, const Form& b) {
    return std::tie(a.chip, a.encoding, a.opcode, a.instruction) <
           std::tie(b.chip, b.encoding, b.opcode, b.instruction);
  });
}

}  // namespace gfxisa::model
