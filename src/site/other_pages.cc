// PTX, comparisons, the decoder.
#include <fmt/format.h>

#include "doc/diff.h"
#include "doc/ptx.h"
#include "inst/tables.h"
#include "site/html.h"
#include "site/pages.h"

namespace gfxisa::site {
namespace {

const Tables& all() { return tables(); }

std::string items_html(std::string_view title, std::string_view id, const std::vector<DiffItem>& items,
                       bool with_link) {
  if (items.empty()) return {};
  std::string out = fmt::format(
      "<h2 id=\"{}\">{} ({})</h2><div class=\"scroll\" tabindex=\"0\" role=\"group\" "
      "aria-label=\"{}\"><table class=\"pairs\"><tr><th>Instruction</th><th>How</th></tr>",
      id, title, items.size(), title);
  for (const DiffItem& item : items) {
    std::string changes;
    if (!item.old_mnemonic.empty()) changes = "was <code>" + escape(item.old_mnemonic) + "</code>";
    for (const std::string& change : item.changes) changes += (changes.empty() ? "" : "<br>") + escape(change);
    const std::string name =
        with_link ? fmt::format("<a href=\"{}\">{}</a>", instruction_link("../", item.mnemonic), escape(item.mnemonic))
                  : escape(item.mnemonic);
    out += fmt::format("<tr><td class=\"mono\">{}</td><td>{}</td></tr>", name, changes);
  }
  return out + "</table></div>";
}

File compare_page(unsigned from, unsigned to) {
  const Diff diff = diff_chips(from, to);
  const std::string_view a = all().text(all().chips[from].title), b = all().text(all().chips[to].title);
  PageFrame frame;
  frame.root = "../";
  frame.here = "Compare";
  frame.title = fmt::format("{} to {} · gfxisa", a, b);
  frame.description = fmt::format("Instructions that {} adds to, removes from and changes against {}.", b, a);
  frame.main = fmt::format(
      "<h1>{} to {}</h1><p class=\"lead\">{} instructions are the same on both. <a href=\"{}-{}.html\">The other way "
      "round</a></p><ul class=\"jump\" aria-label=\"What changed\">",
      a, b, diff.same, all().text(all().chips[to].name), all().text(all().chips[from].name));
  const auto jump = [&](std::string_view id, std::size_t count, std::string_view words) {
    if (count != 0) frame.main += fmt::format("<li><a href=\"#{}\">{} {}</a></li>", id, count, words);
  };
  jump("added", diff.added.size(), "added");
  jump("removed", diff.removed.size(), "removed");
  jump("renamed", diff.renamed.size(), "renamed");
  jump("operands", diff.operands.size(), "with other operands");
  jump("semantics", diff.semantics.size(), "with other semantics");
  jump("encoded", diff.encoded.size(), "encoded otherwise");
  frame.main += "</ul>";
  frame.main += items_html("Added", "added", diff.added, true) + items_html("Removed", "removed", diff.removed, true) +
                items_html("Renamed", "renamed", diff.renamed, true) +
                items_html("Other operands", "operands", diff.operands, true) +
                items_html("Other semantics", "semantics", diff.semantics, true) +
                items_html("Encoded otherwise", "encoded", diff.encoded, true);
  return {fmt::format("compare/{}-{}.html", all().text(all().chips[from].name), all().text(all().chips[to].name)),
          framed(frame)};
}

}  // namespace

std::vector<File> compare_pages() {
  std::vector<File> out;
  std::string table = "<table class=\"compare-grid\"><tr><th></th>";
  for (const ChipRow& chip : all().chips) table += fmt::format("<th scope=\"col\">{}</th>", all().text(chip.title));
  table += "</tr>";
  for (unsigned from = 0; from < all().chips.size(); ++from) {
    const std::string_view a = all().text(all().chips[from].title);
    table += fmt::format("<tr><th scope=\"row\">{}</th>", a);
    for (unsigned to = 0; to < all().chips.size(); ++to) {
      if (from == to) {
        table += "<td></td>";
        continue;
      }
      const std::string_view b = all().text(all().chips[to].title);
      out.push_back(compare_page(from, to));
      table += fmt::format("<td><a href=\"{}-{}.html\" aria-label=\"{} to {}\" title=\"{} to {}\">→</a></td>",
                           all().text(all().chips[from].name), all().text(all().chips[to].name), a, b, a, b);
    }
    table += "</tr>";
  }
  PageFrame frame;
  frame.root = "../";
  frame.here = "Compare";
  frame.title = "Compare generations · gfxisa";
  frame.description = "What changed from one generation to another.";
  frame.main =
      "<h1>Compare generations</h1><p class=\"lead\">What was added, removed, renamed, encoded otherwise or changed in "
      "meaning: from the generation of the row to that of the column.</p>"
      "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Comparisons\">" +
      table + "</table></div>";
  out.push_back({"compare/index.html", framed(frame)});
  return out;
}

namespace {

/// `atom` of `atom.global.add.u32`: what PTX calls the instruction, before its types and qualifiers.
std::string_view stem_of(std::string_view name) { return name.substr(0, name.find('.', 1)); }

std::string ptx_entry_html(const PtxEntry& entry) {
  std::string out = fmt::format("<section class=\"entry\"><h3 id=\"{0}\">{0}</h3>", escape(entry.name));
  if (!entry.about.empty()) out += "<p>" + escape(entry.about) + "</p>";
  if (!entry.counterparts.empty()) {
    out += fmt::format(
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{}\"><table "
        "class=\"cards\"><tr><th>AMD</th><th>Relation</th><th>Restriction</th><th>Generations</th></tr>",
        escape(entry.name));
    for (const PtxCounterpart& c : entry.counterparts)
      out += fmt::format(
          "<tr><td class=\"mono\"><a href=\"{}\">{}</a></td><td>{}</td><td>{}</td><td data-label=\"On\">{}</td></tr>",
          instruction_link("", c.mnemonic), escape(c.mnemonic), c.relation, escape(c.why), generations_text(c.chips));
    out += "</table></div>";
  }
  for (const std::string& sequence : entry.sequences) out += "<p>Sequence: " + escape(sequence) + "</p>";
  if (!entry.none.empty()) out += "<p>None: " + escape(entry.none) + "</p>";
  if (!entry.tested.empty()) out += "<p class=\"meta\">Tested: " + escape(tested_text(entry)) + "</p>";
  return out + "</section>";
}

}  // namespace

File ptx_page() {
  PageFrame frame;
  frame.here = "PTX";
  frame.title = "PTX counterparts · gfxisa";
  frame.description = "For each PTX instruction the AMD instructions that do the same, or nearly.";
  std::string list, sections;
  std::string_view stem;
  const auto entries = ptx_entries();
  for (const PtxEntry& entry : entries) {
    // An instruction and its variants, named by what follows: .s32, .u32.
    if (stem_of(entry.name) != stem) {
      stem = stem_of(entry.name);
      list += fmt::format("{}<dt>{}</dt><dd>", list.empty() ? "" : "</dd>", escape(stem));
      sections += fmt::format("<h2 class=\"mono\">{}</h2>", escape(stem));
    }
    const std::string rest = entry.name.substr(stem.size());
    list += fmt::format("<a href=\"#{0}\" aria-label=\"{0}\">{1}</a>", escape(entry.name),
                        escape(rest.empty() ? entry.name : rest));
    sections += ptx_entry_html(entry);
  }
  frame.main = fmt::format(
      "<h1>PTX counterparts</h1><p class=\"lead\">For those who come from PTX: the AMD instructions that do the same, "
      "with what differs. {} instructions of PTX with their types and state spaces.</p><dl "
      "class=\"stems\">{}</dd></dl>{}",
      entries.size(), list, sections);
  return {"ptx.html", framed(frame)};
}

File decoder_page(bool has_decoder) {
  PageFrame frame;
  frame.here = "Decoder";
  frame.title = "Decoder · gfxisa";
  frame.description = "Paste bytes or assembly and see the fields. Nothing leaves this page.";
  frame.main =
      "<h1>Decoder</h1><p class=\"lead\">Paste bytes or assembly, a line an instruction. It runs in this page; nothing "
      "is sent anywhere.</p>";
  if (!has_decoder) {
    frame.main +=
        "<p class=\"note\">This copy of the site was made without the decoder: emscripten was not there when gfxisa "
        "was built. On a terminal, <code>gfxisa dis --hex</code> and <code>gfxisa asm --show-encoding</code> do the "
        "same.</p>";
    return {"decoder.html", framed(frame)};
  }
  std::string chips;
  for (const ChipRow& chip : all().chips)
    chips += fmt::format("<option value=\"{0}\"{2}>{1}</option>", all().text(chip.name), all().text(chip.title),
                         all().text(chip.name) == "cdna5" ? " selected" : "");
  frame.scripts = "<script defer src=\"decoder.js\"></script>";
  frame.main += fmt::format(
      "<form id=\"decoder\"><p><label for=\"arch\">Generation</label> <select id=\"arch\" "
      "name=\"arch\">{}</select></p><p><label for=\"code\">Bytes or assembly</label>"
      "<textarea id=\"code\" name=\"code\" spellcheck=\"false\" autocapitalize=\"none\" "
      "placeholder=\"0x01,0x02,0x00,0x93&#10;s_bfe_u32 s0, s1, s2\"></textarea></p>"
      "<p><button class=\"button strong\" type=\"submit\">Decode</button></p></form><div id=\"decoded\" "
      "aria-live=\"polite\"></div>",
      chips);
  return {"decoder.html", framed(frame)};
}

}  // namespace gfxisa::site
