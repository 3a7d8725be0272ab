#include "doc/diff.h"

#include <fmt/format.h>

#include <algorithm>

#include "doc/catalogue.h"
#include "doc/compare.h"
#include "inst/tables.h"

namespace gfxisa {
namespace {

const Tables& all() { return tables(); }

/// The forms of each instruction on a chip, shortest encoding first.
std::vector<std::vector<u32>> forms_by_instruction(unsigned chip) {
  std::vector<std::vector<u32>> out(all().instructions.size());
  const ChipRow& row = all().chips[chip];
  for (u32 i = row.first_form; i < row.first_form + row.form_count; ++i) out[all().forms[i].instruction].push_back(i);
  for (auto& forms : out) {
    std::stable_sort(forms.begin(), forms.end(), [](u32 a, u32 b) {
      return all().encodings[all().forms[a].encoding].bits < all().encodings[all().forms[b].encoding].bits;
    });
  }
  return out;
}

std::string_view encoding_name(u32 form) { return all().text(all().encodings[all().forms[form].encoding].name); }

int find_encoding(const std::vector<u32>& forms, std::string_view name) {
  for (const u32 form : forms) {
    if (encoding_name(form) == name) return static_cast<int>(form);
  }
  return -1;
}

/// Each encoding's difference once; encodings that only one of the two has.
std::vector<std::string> encoding_changes(const std::vector<u32>& before, const std::vector<u32>& after) {
  std::vector<std::string> out;
  bool shares_any = false;
  for (const u32 form : before) {
    const int there = find_encoding(after, encoding_name(form));
    if (there < 0) continue;
    shares_any = true;
    const auto differences = encoding_differences(all().forms[form], all().forms[there]);
    if (!differences.empty()) out.push_back(fmt::format("{}: {}", encoding_name(form), fmt::join(differences, "; ")));
  }
  if (!shares_any) {
    const FormRow& here = all().forms[before.front()];
    const FormRow& there = all().forms[after.front()];
    out.push_back(fmt::format("{} opcode {} -> {} opcode {}", encoding_name(before.front()), here.opcode,
                              encoding_name(after.front()), there.opcode));
    return out;
  }
  for (const u32 form : before) {
    if (find_encoding(after, encoding_name(form)) < 0)
      out.push_back(fmt::format("no {} any more", encoding_name(form)));
  }
  for (const u32 form : after) {
    if (find_encoding(before, encoding_name(form)) < 0) {
      out.push_back(fmt::format("also {}, opcode {}", encoding_name(form), all().forms[form].opcode));
    }
  }
  return out;
}

std::vector<std::string> suffix_changes(unsigned from, unsigned to, const std::vector<u32>& before,
                                        const std::vector<u32>& after) {
  std::vector<std::string> out;
  for (const u32 form : before) {
    const int there = find_encoding(after, encoding_name(form));
    if (there < 0) continue;
    const auto a = suffixes_of(from, all().forms[form]), b = suffixes_of(to, all().forms[there]);
    for (const std::string_view name : a) {
      if (std::find(b.begin(), b.end(), name) == b.end())
        out.push_back(fmt::format("{}: no {} any more", encoding_name(form), name));
    }
    for (const std::string_view name : b) {
      if (std::find(a.begin(), a.end(), name) == a.end())
        out.push_back(fmt::format("{}: takes {}", encoding_name(form), name));
    }
  }
  return out;
}

std::string describe_slot(const SlotRow& slot) {
  const std::string_view format =
      slot.format == no_format ? "immediate" : all().text(all().data_formats[slot.format].name);
  const std::string_view access = slot.access == Access::out     ? "written"
                                  : slot.access == Access::inout ? "read and written"
                                                                 : "read";
  return fmt::format("{} {} {}", all().text(slot.name), access, format);
}

std::vector<std::string> slots_on(u32 instruction, unsigned chip) {
  const InstructionRow& row = all().instructions[instruction];
  std::vector<std::string> out;
  for (u32 i = 0; i < row.slot_count; ++i) {
    const SlotRow& slot = all().slots[row.first_slot + i];
    if (slot.chips >> chip & 1) out.push_back(describe_slot(slot));
  }
  return out;
}

/// What only one of the two lists has, with which one it was.
std::vector<std::string> changes(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  std::vector<std::string> out;
  for (const std::string& line : before) {
    if (std::find(after.begin(), after.end(), line) == after.end()) out.push_back("was: " + line);
  }
  for (const std::string& line : after) {
    if (std::find(before.begin(), before.end(), line) == before.end()) out.push_back("now: " + line);
  }
  return out;
}

std::vector<std::string> operand_changes(u32 instruction, unsigned from, unsigned to) {
  return changes(slots_on(instruction, from), slots_on(instruction, to));
}

std::string_view semantics_of(u32 form) {
  const u16 index = all().forms[form].semantics;
  return index == no_semantics ? std::string_view() : all().text(all().semantics[index].source);
}

/// Lines of the second text that the first has not, and the other way round.
std::vector<std::string> semantics_changes(u32 before, u32 after) {
  if (semantics_of(before) == semantics_of(after)) return {};
  const auto lines = [](std::string_view text) {
    std::vector<std::string> out;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      out.emplace_back(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
  };
  return changes(lines(semantics_of(before)), lines(semantics_of(after)));
}

std::string mnemonic_of(u32 form) { return std::string(all().text(all().forms[form].mnemonic)); }

void print_group(std::string& out, std::string_view title, const std::vector<DiffItem>& items) {
  if (items.empty()) return;
  out += fmt::format("\n{} ({})\n", title, items.size());
  for (const DiffItem& item : items) {
    out += item.old_mnemonic.empty() ? fmt::format("  {}", item.mnemonic)
                                     : fmt::format("  {} -> {}", item.old_mnemonic, item.mnemonic);
    if (item.changes.size() == 1) {
      out += ": " + item.changes.front() + '\n';
      continue;
    }
    out += '\n';
    for (const std::string& change : item.changes) out += "      " + change + '\n';
  }
}

std::string json_group(const std::vector<DiffItem>& items) {
  std::string out = "[";
  for (const DiffItem& item : items) {
    if (&item != items.data()) out += ',';
    out += fmt::format("\n    {{\"mnemonic\": {}", json_text(item.mnemonic));
    if (!item.old_mnemonic.empty()) out += fmt::format(", \"was\": {}", json_text(item.old_mnemonic));
    out += ", \"changes\": [";
    for (const std::string& change : item.changes) {
      if (&change != item.changes.data()) out += ", ";
      out += json_text(change);
    }
    out += "]}";
  }
  return out + (items.empty() ? "]" : "\n  ]");
}

}  // namespace

Diff diff_chips(unsigned from, unsigned to) {
  Diff out{from, to, {}, {}, {}, {}, {}, {}, 0};
  const auto before = forms_by_instruction(from), after = forms_by_instruction(to);
  for (u32 i = 0; i < all().instructions.size(); ++i) {
    if (before[i].empty() && after[i].empty()) continue;
    if (before[i].empty()) {
      const u32 form = after[i].front();
      out.added.push_back(
          {mnemonic_of(form), "", {fmt::format("{} opcode {}", encoding_name(form), all().forms[form].opcode)}});
      continue;
    }
    if (after[i].empty()) {
      const u32 form = before[i].front();
      out.removed.push_back(
          {mnemonic_of(form), "", {fmt::format("{} opcode {}", encoding_name(form), all().forms[form].opcode)}});
      continue;
    }
    const std::string was = mnemonic_of(before[i].front()), now = mnemonic_of(after[i].front());
    auto encoded = encoding_changes(before[i], after[i]);
    for (std::string& change : suffix_changes(from, to, before[i], after[i])) encoded.push_back(std::move(change));
    auto semantics = semantics_changes(before[i].front(), after[i].front());
    auto operands = operand_changes(i, from, to);
    if (was == now && encoded.empty() && semantics.empty() && operands.empty()) ++out.same;
    if (was != now) out.renamed.push_back({now, was, {}});
    if (!encoded.empty()) out.encoded.push_back({now, "", std::move(encoded)});
    if (!operands.empty()) out.operands.push_back({now, "", std::move(operands)});
    if (!semantics.empty()) out.semantics.push_back({now, "", std::move(semantics)});
  }
  return out;
}

std::string render_text(const Diff& diff) {
  std::string out = fmt::format(
      "{} -> {}\n{} the same, {} added, {} removed, {} renamed, {} encoded otherwise, "
      "{} with other operands, {} with other semantics\n",
      all().text(all().chips[diff.from].title), all().text(all().chips[diff.to].title), diff.same, diff.added.size(),
      diff.removed.size(), diff.renamed.size(), diff.encoded.size(), diff.operands.size(), diff.semantics.size());
  print_group(out, "Added", diff.added);
  print_group(out, "Removed", diff.removed);
  print_group(out, "Renamed", diff.renamed);
  print_group(out, "Other operands", diff.operands);
  print_group(out, "Other semantics", diff.semantics);
  print_group(out, "Encoded otherwise", diff.encoded);
  return out;
}

std::string render_json(const Diff& diff) {
  return fmt::format(
      "{{\n  \"from\": {},\n  \"to\": {},\n  \"same\": {},\n  \"added\": {},\n  \"removed\": {},\n  \"renamed\": {},\n"
      "  \"encoded\": {},\n  \"operands\": {},\n  \"semantics\": {}\n}}\n",
      json_text(all().text(all().chips[diff.from].name)), json_text(all().text(all().chips[diff.to].name)), diff.same,
      json_group(diff.added), json_group(diff.removed), json_group(diff.renamed), json_group(diff.encoded),
      json_group(diff.operands), json_group(diff.semantics));
}

}  // namespace gfxisa
