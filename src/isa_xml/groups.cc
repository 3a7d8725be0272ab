#include "isa_xml/groups.h"

#include <algorithm>

namespace gfxisa::isa_xml {
namespace {

const Tables& all() { return tables(); }

}  // namespace

std::vector<const EncodingRow*> Groups::encodings(const std::string& group) const {
  std::vector<const EncodingRow*> out;
  const ChipRow& row = all().chips[chip_];
  for (u32 i = row.first_encoding; i < static_cast<u32>(row.first_encoding + row.encoding_count); ++i) {
    const EncodingRow& encoding = all().encodings[i];
    if (!encoding.is_suffix && is_in_group(all().text(encoding.name), group)) out.push_back(&encoding);
  }
  std::stable_partition(out.begin(), out.end(), [&](const EncodingRow* e) { return all().text(e->name) == group; });
  return out;
}

Groups::Groups(unsigned chip) : chip_(chip) {
  const ChipRow& row = all().chips[chip];
  for (u32 i = row.first_name; i < row.first_name + row.name_count; ++i) {
    const NameRow& name = all().name_index[i];
    if (name.is_alias) aliases_.emplace(name.form, all().text(name.name));
  }
}

const std::vector<u32>& Groups::forms(const std::string& group) const {
  const auto [known, is_new] = forms_.try_emplace(group);
  std::vector<u32>& out = known->second;
  if (!is_new) return out;
  const ChipRow& row = all().chips[chip_];
  for (u32 i = row.first_form; i < row.first_form + row.form_count; ++i) {
    if (is_in_group(all().text(all().encodings[all().forms[i].encoding].name), group)) out.push_back(i);
  }
  std::stable_partition(out.begin(), out.end(), [&](u32 form) {
    return all().text(all().encodings[all().forms[form].encoding].name) == group;
  });
  return out;
}

std::vector<u32> Groups::forms(const std::string& group, u32 opcode) const {
  std::vector<u32> out;
  for (const u32 form : forms(group)) {
    if (all().forms[form].opcode == opcode) out.push_back(form);
  }
  return out;
}

const EncodingRow* Groups::suffix(const std::string& name) const {
  const ChipRow& row = all().chips[chip_];
  for (u32 i = row.first_encoding; i < static_cast<u32>(row.first_encoding + row.encoding_count); ++i) {
    if (all().encodings[i].is_suffix && all().text(all().encodings[i].name) == name) return &all().encodings[i];
  }
  return nullptr;
}

std::vector<std::string> Groups::mnemonics(const EncodingName& encoding, const Instruction& instruction) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& official) {
    const std::string name = lower_case(official);
    out.push_back(name);
    if (!encoding.written_for.empty() && name.starts_with(encoding.written_for))
      out.push_back(encoding.written_now + name.substr(encoding.written_for.size()));
  };
  add(instruction.name);
  for (const std::string& alias : instruction.aliases) add(alias);
  return out;
}

bool Groups::is_called(u32 form, const std::vector<std::string>& names) const {
  const auto is_one = [&](std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  if (is_one(all().text(all().forms[form].mnemonic))) return true;
  const auto [first, last] = aliases_.equal_range(form);
  return std::any_of(first, last, [&](const auto& alias) { return is_one(alias.second); });
}

int Groups::form_of(const Instruction& instruction, const InstructionEncoding& way) const {
  const EncodingName encoding = encoding_name(way.encoding);
  const auto names = mnemonics(encoding, instruction);
  const auto candidates = forms(encoding.group, way.opcode);
  for (const u32 form : candidates) {
    if (is_called(form, names)) return static_cast<int>(form);
  }
  return candidates.empty() ? -1 : static_cast<int>(candidates.front());
}

}  // namespace gfxisa::isa_xml
