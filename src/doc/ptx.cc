#include "doc/ptx.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/suggest.h"
#include "doc/catalogue.h"
#include "doc/embedded.h"
#include "doc/reference_text.h"
#include "doc/search.h"
#include "doc/wrap.h"
#include "inst/tables.h"

namespace gfxisa {
namespace {

const Tables& all() { return tables(); }

constexpr std::array relations = {"equivalent", "equivalent with restrictions", "partial", "none"};

int rank_of(const PtxCounterpart& counterpart) {
  const auto found = std::find(relations.begin(), relations.end(), counterpart.relation);
  return static_cast<int>(found - relations.begin());
}

void add_spec(std::map<std::string, PtxEntry>& entries) {
  for (const SearchEntry& page : search_entries()) {
    for (const SearchEntry::Member& member : page.members) {
      const InstructionRow& row = all().instructions[member.instruction];
      for (const PtxRow& ptx : all().ptx.subspan(row.first_ptx, row.ptx_count)) {
        const std::string name = ptx_name(all().text(ptx.name));
        const u16 chips = static_cast<u16>(ptx.chips & member.chips);
        if (name.empty() || chips == 0) continue;
        PtxEntry& entry = entries[name];
        entry.name = name;
        entry.counterparts.push_back({page.names.front(), relations[std::min<unsigned>(ptx.relation, 3)],
                                      std::string(all().text(ptx.why)), chips});
      }
    }
  }
}

/// A pattern speaks of names that come from elsewhere.
void add_tested(PtxEntry& entry, std::string_view mnemonic) {
  const bool is_known = std::find(entry.tested.begin(), entry.tested.end(), mnemonic) != entry.tested.end();
  if (!is_known && mnemonic.find_first_of("*?") == std::string_view::npos) entry.tested.emplace_back(mnemonic);
}

void add_data(std::map<std::string, PtxEntry>& entries) {
  for (const ReferenceBlock& block : ptx_blocks()) {
    PtxEntry& entry = entries[std::string(block.name)];
    entry.name = block.name;
    entry.about = block.text("about");
    entry.none = block.text("none");
    for (const ReferenceLine& line : block.lines) {
      if (line.word == "like") add_tested(entry, line.rest.substr(0, line.rest.find(' ')));
      if (line.word == "within") entry.meaning.push_back("  " + std::string(line.rest));
      if (line.word == "when") entry.limited += (entry.limited.empty() ? "" : ", ") + std::string(line.rest);
      if (line.word == "meaning") entry.meaning.emplace_back(line.rest);
      if (line.word == "sequence") entry.sequences.emplace_back(line.rest);
    }
    if (entry.meaning.empty()) continue;
    // What is called the same is compared (tests/doc/ptx_test.cc).
    for (const PtxCounterpart& c : entry.counterparts) {
      if (c.relation == relations[0]) add_tested(entry, c.mnemonic);
    }
  }
}

}  // namespace

std::vector<ReferenceBlock> ptx_blocks() {
  // Blocks look at this text.
  static const std::string text = [] {
    std::string out;
    for (const EmbeddedFile& file : embedded_data()) {
      if (file.name.starts_with("ptx")) out += expand_reference(file.text);
    }
    return out;
  }();
  return parse_reference(text);
}

std::string ptx_name(std::string_view name) {
  std::string out(name);
  for (std::size_t at = out.find(".i"); at != std::string::npos; at = out.find(".i", at + 1)) {
    const bool is_type = at + 2 < out.size() && out[at + 2] >= '0' && out[at + 2] <= '9';
    if (is_type) out[at + 1] = 's';
  }
  // The generic space has no word there.
  for (const auto& [amd, ptx] : {std::pair{std::string_view(".flat."), "."}, {".scratch.", ".local."}}) {
    if (const std::size_t at = out.find(amd); at != std::string::npos) out.replace(at, amd.size(), ptx);
  }
  // Conditions: AMD names the opposites, PTX those that hold for a NaN; always and never are no comparison there.
  constexpr std::string_view compare = "setp.";
  if (!out.starts_with(compare)) return out;
  static constexpr std::pair<std::string_view, std::string_view> conditions[] = {
      {"lg", "ne"},   {"nge", "ltu"}, {"nlg", "equ"}, {"ngt", "leu"}, {"nle", "gtu"},
      {"neq", "neu"}, {"nlt", "geu"}, {"o", "num"},   {"u", "nan"},
  };
  const std::size_t end = std::min(out.find('.', compare.size()), out.size());
  const std::string condition = out.substr(compare.size(), end - compare.size());
  if (condition == "f" || condition == "t") return "mov.pred";
  for (const auto& [amd, ptx] : conditions) {
    if (condition == amd) return out.replace(compare.size(), condition.size(), ptx);
  }
  return out;
}

std::string chip_titles(u16 chips) {
  std::string out;
  for (unsigned chip = 0; chip < all().chips.size(); ++chip) {
    if (chips >> chip & 1) out += (out.empty() ? "" : ", ") + std::string(all().text(all().chips[chip].title));
  }
  return out;
}

std::string generations_text(u16 chips) {
  const auto every = static_cast<u16>((1u << all().chips.size()) - 1);
  return chips == every ? "all generations" : chip_titles(chips);
}

std::vector<PtxEntry> ptx_entries() {
  std::map<std::string, PtxEntry> entries;
  add_spec(entries);
  add_data(entries);
  std::vector<PtxEntry> out;
  for (auto& [name, entry] : entries) {
    std::stable_sort(entry.counterparts.begin(), entry.counterparts.end(),
                     [](const PtxCounterpart& a, const PtxCounterpart& b) { return rank_of(a) < rank_of(b); });
    out.push_back(std::move(entry));
  }
  return out;
}

Result<PtxEntry> find_ptx(std::string_view name) {
  const auto entries = ptx_entries();
  std::vector<std::string_view> names;
  for (const PtxEntry& entry : entries) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  const std::string near = nearest(name, names);
  return Error{fmt::format("nothing is known of a PTX instruction '{}'{}", name,
                           near.empty() ? "" : fmt::format("; did you mean ptx:{}?", near)),
               "gfxisa search finds AMD instructions by the names of their PTX counterparts, too"};
}

std::string tested_text(const PtxEntry& entry) {
  return fmt::format("{} {} the same on edge cases and random inputs{}.", fmt::join(entry.tested, ", "),
                     entry.tested.size() == 1 ? "gives" : "give",
                     entry.limited.empty() ? "" : ", for operands " + entry.limited);
}

std::string render_text(const PtxEntry& entry, unsigned width) {
  std::string out = fmt::format("{}  PTX\n", entry.name);
  const auto paragraph = [&](std::string_view text, std::size_t indent) {
    for (const std::string& line : wrap(text, width - static_cast<unsigned>(indent)))
      out += fmt::format("{:{}}{}\n", "", indent, line);
  };
  if (!entry.about.empty()) {
    out += '\n';
    paragraph(entry.about, 0);
  }
  for (const std::string& line : entry.meaning) out += fmt::format("  {}\n", line);
  if (!entry.counterparts.empty()) out += "\nAMD instructions\n";
  for (const PtxCounterpart& c : entry.counterparts) {
    out += fmt::format("  {}: {}\n", c.mnemonic, c.relation);
    if (!c.why.empty()) paragraph(c.why, 6);
    paragraph("on " + generations_text(c.chips), 6);
  }
  if (!entry.sequences.empty()) out += "\nSequences\n";
  for (const std::string& sequence : entry.sequences) paragraph(sequence, 2);
  if (!entry.none.empty()) out += "\nNone\n";
  if (!entry.none.empty()) paragraph(entry.none, 2);
  if (!entry.tested.empty()) out += "\nTested\n";
  if (!entry.tested.empty()) paragraph(tested_text(entry), 2);
  return out;
}

std::string render_json(const PtxEntry& entry) {
  const auto list = [](const std::vector<std::string>& items) {
    std::string out;
    for (const std::string& item : items) out += (out.empty() ? "" : ", ") + json_text(item);
    return "[" + out + "]";
  };
  std::string counterparts;
  for (const PtxCounterpart& c : entry.counterparts) {
    counterparts += fmt::format("{}\n    {{\"mnemonic\": {}, \"relation\": {}, \"why\": {}, \"generations\": {}}}",
                                counterparts.empty() ? "" : ",", json_text(c.mnemonic), json_text(c.relation),
                                json_text(c.why), json_text(chip_titles(c.chips)));
  }
  return fmt::format(
      "{{\n  \"name\": {},\n  \"about\": {},\n  \"meaning\": {},\n  \"amd\": [{}],\n  \"sequences\": {},\n  \"none\": "
      "{},\n  \"tested\": {},\n  \"limited_to\": {}\n}}\n",
      json_text(entry.name), json_text(entry.about), list(entry.meaning), counterparts, list(entry.sequences),
      json_text(entry.none), list(entry.tested), json_text(entry.limited));
}

}  // namespace gfxisa
