#include "doc/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/suggest.h"
#include "doc/reference_text.h"
#include "inst/instruction.h"

namespace gfxisa {
namespace {

const Tables& all() { return tables(); }

constexpr std::array class_words = {"none",    "sgpr",      "vgpr",    "agpr", "trap", "integer", "float",
                                    "literal", "literal64", "special", "dpp",  "dpp8", "sdwa"};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

bool contains_word(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(),
                     [](char x, char y) { return lower(x) == lower(y); }) != text.end();
}

bool has_encoding(unsigned chip, const FormRow& form, std::string_view name) {
  if (same_word(all().text(all().encodings[form.encoding].name), name)) return true;
  for (const std::string_view suffix : suffixes_of(chip, form)) {
    if (same_word(suffix, name)) return true;
  }
  return false;
}

bool has_format(unsigned chip, const FormRow& form, std::string_view name) {
  const InstructionRow& row = all().instructions[form.instruction];
  for (u32 i = 0; i < row.slot_count; ++i) {
    const SlotRow& slot = all().slots[row.first_slot + i];
    if ((slot.chips >> chip & 1) == 0 || slot.format == no_format) continue;
    if (same_word(all().text(all().data_formats[slot.format].name), name)) return true;
  }
  return false;
}

bool takes_class(const FormRow& form, std::string_view name) {
  for (u32 i = 0; i < form.operand_count; ++i) {
    const OperandRow& operand = all().operands[form.first_operand + i];
    if (operand.kind == no_kind || operand.field == 0xff) continue;
    const u16 classes = all().operand_kinds[operand.kind].classes;
    for (std::size_t c = 1; c < class_words.size(); ++c) {
      if ((classes >> c & 1) != 0 && same_word(class_words[c], name)) return true;
    }
  }
  return false;
}

bool passes(const Filter& filter, unsigned chip, const FormRow& form) {
  const InstructionRow& row = all().instructions[form.instruction];
  if (!filter.name.empty() && !matches_pattern(filter.name, all().text(form.mnemonic))) return false;
  if (!filter.category.empty() && !contains_word(all().text(row.topic), filter.category)) return false;
  if (!filter.fidelity.empty() && !same_word(filter.fidelity, fidelity_word(fidelity_of(form)))) return false;
  if (!filter.encoding.empty() && !has_encoding(chip, form, filter.encoding)) return false;
  if (!filter.format.empty() && !has_format(chip, form, filter.format)) return false;
  return filter.registers.empty() || takes_class(form, filter.registers);
}

Result<bool> check_word(std::string_view what, const std::string& word, const std::set<std::string_view>& known) {
  if (word.empty()) return true;
  for (const std::string_view candidate : known) {
    if (same_word(candidate, word)) return true;
  }
  const std::string near = nearest(word, {known.begin(), known.end()});
  return Error{fmt::format("no {} is called '{}'{}", what, word, near.empty() ? "" : "; did you mean " + near + "?"),
               fmt::format("there are {}", fmt::join(known, ", "))};
}

}  // namespace

std::string_view fidelity_word(Fidelity fidelity) {
  return fidelity == Fidelity::exact ? "exact" : fidelity == Fidelity::approximate ? "approximate" : "none";
}

std::string_view class_word(CodeClass cls) { return class_words[static_cast<std::size_t>(cls)]; }

namespace {

/// Whether some operand of a form can say that the suffix follows: v_nop has none.
bool is_selected_by_operand(const FormRow& form, const EncodingRow& suffix) {
  const CodeClass cls = suffix.literal_bits == 64 ? CodeClass::literal64 : CodeClass::literal;
  for (u32 i = 0; i < form.operand_count; ++i) {
    const OperandRow& operand = all().operands[form.first_operand + i];
    if (operand.field == 0xff || operand.kind == no_kind) continue;
    const FieldRow& field = all().fields[all().encodings[form.encoding].first_field + operand.field];
    const bool selects = suffix.literal_bits != 0
                             ? (all().operand_kinds[operand.kind].classes >> static_cast<unsigned>(cls) & 1) != 0
                             : all().text(field.name) == all().text(suffix.selects_name);
    if (selects) return true;
  }
  return false;
}

}  // namespace

std::vector<u32> suffix_rows_of(unsigned chip, const FormRow& form) {
  std::vector<u32> out;
  const u32 taken = all().encodings[form.encoding].suffixes & ~form.without;
  for (unsigned i = 0; i < 32; ++i) {
    const u32 row = all().chips[chip].first_encoding + i;
    if ((taken >> i & 1) != 0 && is_selected_by_operand(form, all().encodings[row])) out.push_back(row);
  }
  return out;
}

std::vector<std::string_view> suffixes_of(unsigned chip, const FormRow& form) {
  std::vector<std::string_view> out;
  for (const u32 row : suffix_rows_of(chip, form)) out.push_back(all().text(all().encodings[row].name));
  return out;
}

Result<bool> check_filter(const Filter& filter) {
  std::set<std::string_view> encodings, categories, formats, classes(class_words.begin() + 1, class_words.end());
  for (const EncodingRow& row : all().encodings) encodings.insert(all().text(row.name));
  for (const InstructionRow& row : all().instructions) categories.insert(all().text(row.topic));
  for (const DataFormatRow& row : all().data_formats) formats.insert(all().text(row.name));
  if (const auto ok = check_word("encoding", filter.encoding, encodings); !ok) return ok.error();
  if (const auto ok = check_word("data format", filter.format, formats); !ok) return ok.error();
  if (const auto ok = check_word("class of registers", filter.registers, classes); !ok) return ok.error();
  if (const auto ok = check_word("fidelity", filter.fidelity, {"exact", "approximate", "none"}); !ok) return ok.error();
  const bool known = std::any_of(categories.begin(), categories.end(),
                                 [&](std::string_view category) { return contains_word(category, filter.category); });
  if (!known) return check_word("category", filter.category, categories);
  return true;
}

std::vector<Entry> list_entries(const Filter& filter) {
  std::vector<Entry> out;
  for (unsigned chip = 0; chip < all().chips.size(); ++chip) {
    if (filter.chip >= 0 && chip != static_cast<unsigned>(filter.chip)) continue;
    const ChipRow& row = all().chips[chip];
    for (u32 i = row.first_form; i < row.first_form + row.form_count; ++i) {
      if (passes(filter, chip, all().forms[i])) out.push_back({chip, i});
    }
  }
  return out;
}

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", c);
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace gfxisa
