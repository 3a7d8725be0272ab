// The home page, the list of everything, and the index that the scripts search.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "doc/catalogue.h"
#include "inst/tables.h"
#include "site/html.h"
#include "site/pages.h"

namespace gfxisa::site {
namespace {

const Tables& all() { return tables(); }

/// Texts in the order first seen, each once, with its number.
class Numbered {
 public:
  u32 number(std::string_view text) {
    const auto [at, added] = numbers_.emplace(std::string(text), static_cast<u32>(texts_.size()));
    if (added) texts_.emplace_back(text);
    return at->second;
  }
  std::string json() const {
    std::string out = "[";
    for (const std::string& text : texts_) out += (out.size() > 1 ? "," : "") + json_text(text);
    return out + "]";
  }

 private:
  std::map<std::string, u32, std::less<>> numbers_;
  std::vector<std::string> texts_;
};

std::string numbers_json(std::vector<u32> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return fmt::format("[{}]", fmt::join(numbers, ","));
}

void add_encodings(std::vector<u32>& out, u32 instruction, Numbered& names) {
  for (unsigned chip = 0; chip < all().chips.size(); ++chip) {
    const ChipRow& row = all().chips[chip];
    for (u32 i = row.first_form; i < row.first_form + row.form_count; ++i) {
      const FormRow& form = all().forms[i];
      if (form.instruction != instruction) continue;
      out.push_back(names.number(known_encoding(all().text(all().encodings[form.encoding].name))));
      for (const std::string_view suffix : suffixes_of(chip, form)) {
        if (!suffix.starts_with("LITERAL")) out.push_back(names.number(suffix));
      }
    }
  }
}

void add_types(std::vector<u32>& out, u32 instruction, Numbered& names) {
  const InstructionRow& row = all().instructions[instruction];
  for (u32 i = 0; i < row.slot_count; ++i) {
    const SlotRow& slot = all().slots[row.first_slot + i];
    if (slot.format != no_format && !slot.is_named)
      out.push_back(names.number(all().text(all().data_formats[slot.format].name)));
  }
}

std::string generation_boxes() {
  std::string out;
  for (const ChipRow& chip : all().chips) {
    out += fmt::format("<label class=\"box\"><input type=\"checkbox\" name=\"gen\" value=\"{}\">{}</label>",
                       all().text(chip.name), all().text(chip.title));
  }
  return out;
}

}  // namespace

std::string_view known_encoding(std::string_view name) {
  static constexpr std::string_view known[] = {"VOP3PX2", "VOP3P",   "VOP3SD", "VOP3",    "VOPD3",
                                               "VOPD",    "SMEM",    "SOP2",   "SOPK",    "VOP2",
                                               "GLOBAL",  "SCRATCH", "MIMG",   "VGLOBAL", "VIMAGE"};
  for (const std::string_view base : known) {
    if (name == base || (name.starts_with(base) && name.size() > base.size() && name[base.size()] == '_')) return base;
  }
  return name;
}

File search_index(const std::vector<SearchEntry>& entries) {
  Numbered topics, abouts, encodings, types;
  std::string items;
  for (const SearchEntry& entry : entries) {
    std::string others;
    for (std::size_t i = 1; i < entry.names.size(); ++i) others += (others.empty() ? "" : " ") + entry.names[i];
    const InstructionRow& row = all().instructions[entry.members.front().instruction];
    std::vector<u32> of_encodings, of_types;
    for (const SearchEntry::Member& member : entry.members) {
      add_encodings(of_encodings, member.instruction, encodings);
      add_types(of_types, member.instruction, types);
    }
    fmt::format_to(std::back_inserter(items), "{}\n[{},{},{},{},{},{},{},{},{},{}]", items.empty() ? "" : ",",
                   json_text(entry.names.front()), topics.number(entry.topic), abouts.number(entry.about), entry.chips,
                   entry.weight, json_text(others), json_text(entry.ptx), numbers_json(of_encodings),
                   numbers_json(of_types), static_cast<unsigned>(row.fidelity) + 1);
  }
  std::string chips;
  for (const ChipRow& chip : all().chips)
    chips += fmt::format("{}[{},{}]", chips.empty() ? "" : ",", json_text(all().text(chip.name)),
                         json_text(all().text(chip.title)));
  return {"search-index.js", fmt::format("window.GFXISA_INDEX={{\"chips\":[{}],\"topics\":{},\"abouts\":{},"
                                         "\"encodings\":{},\"types\":{},\"items\":[{}]}};\n",
                                         chips, topics.json(), abouts.json(), encodings.json(), types.json(), items)};
}

File home_page(const std::vector<SearchEntry>& entries) {
  PageFrame frame;
  frame.title = "gfxisa: AMD GPU instruction sets";
  frame.description =
      "Every instruction of CDNA 1 to 5 and RDNA 1 to 4: encodings, semantics that run, and what changed between "
      "generations.";
  frame.here = "Instructions";
  frame.main = fmt::format(
      "<div class=\"hero\"><h1>AMD GPU instructions</h1><p>{} instructions of ten generations, CDNA 1 to 5 and RDNA 1 "
      "to 4: how each is "
      "encoded, what it does, what changed. <span class=\"keys\">Press <kbd>/</kbd> and type.</span></p></div>"
      "<div class=\"browse\"><details id=\"filter-box\" class=\"filter-box\" open><summary>Filters</summary><form "
      "id=\"filters\" class=\"filters\" aria-label=\"Filters\"><fieldset><legend>On all of "
      "these generations</legend><div class=\"two\">{}</div></fieldset>"
      "<fieldset><label class=\"head\" for=\"cat\">Category</label><select id=\"cat\" name=\"cat\"><option "
      "value=\"\">any</option></select></fieldset>"
      "<fieldset><label class=\"head\" for=\"enc\">Encoding</label><select id=\"enc\" name=\"enc\"><option "
      "value=\"\">any</option></select></fieldset>"
      "<fieldset><label class=\"head\" for=\"type\">Data format</label><select id=\"type\" name=\"type\"><option "
      "value=\"\">any</option></select></fieldset>"
      "<fieldset><label class=\"head\" for=\"fid\">Executed</label><select id=\"fid\" name=\"fid\"><option "
      "value=\"\">any</option><option value=\"1\">exactly</option>"
      "<option value=\"2\">approximately</option><option value=\"3\">not</option></select></fieldset>"
      "<button class=\"button\" type=\"reset\">Clear</button></form></details>"
      "<div><div class=\"results-head\"><p id=\"count\" class=\"count\" role=\"status\">Loading the index…</p><span "
      "class=\"legend\" aria-hidden=\"true\"><span>CDNA 1–5</span><span>RDNA 1–4</span></span></div><ul id=\"results\" "
      "class=\"results\"></ul>"
      "<p><button id=\"more\" class=\"button\" type=\"button\" hidden>Show more</button></p>"
      "<p class=\"meta\"><a href=\"all.html\">All instructions on one page</a></p></div></div>",
      entries.size(), generation_boxes());
  return {"index.html", framed(frame)};
}

File all_page(const std::vector<SearchEntry>& entries) {
  std::map<std::string, std::string> by_topic;
  for (const SearchEntry& entry : entries) {
    by_topic[entry.topic] += fmt::format("<li><a href=\"{}\">{}</a></li>", instruction_link("", entry.names.front()),
                                         breakable(entry.names.front()));
  }
  PageFrame frame;
  frame.title = "All instructions · gfxisa";
  frame.description = "All instructions by category.";
  frame.here = "Instructions";
  frame.main = "<h1>All instructions</h1>";
  for (const auto& [topic, list] : by_topic)
    frame.main += "<h2>" + escape(topic) + "</h2><ul class=\"columns\">" + list + "</ul>";
  return {"all.html", framed(frame)};
}

}  // namespace gfxisa::site
