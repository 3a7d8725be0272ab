// The page of an instruction: what holds everywhere on top, then a tab a generation, of which equal ones share a panel.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "doc/compare.h"
#include "doc/page.h"
#include "inst/tables.h"
#include "site/html.h"
#include "site/pages.h"

namespace gfxisa::site {
namespace {

const Tables& all() { return tables(); }

std::string code(std::string_view text) { return "<code>" + escape(text) + "</code>"; }

std::string cell(std::string_view text, bool is_mono = false) {
  return fmt::format("<td{}>{}</td>", is_mono ? " class=\"mono\"" : "", escape(text));
}

std::vector<std::string> operand_fields(const PageEncoding& encoding) {
  std::vector<std::string> out;
  for (const PageOperand& operand : encoding.operands) out.push_back(operand.field);
  return out;
}

std::string operand_table(const PageEncoding& encoding) {
  if (encoding.operands.empty()) return "<p class=\"meta\">No operands.</p>";
  std::string out =
      "<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
      "aria-label=\"Operands\"><table "
      "class=\"operands\"><tr><th>Operand</th><th>Field</th><th>Access</th><th>Kind</th><th>Type</"
      "th><th>Meaning</th></tr>";
  for (const PageOperand& o : encoding.operands) {
    const std::string type = o.format == o.size || o.size.empty() ? o.format : o.format + ", " + o.size;
    out += "<tr>" + cell(o.name, true) + cell(o.field, true) + cell(o.access) + cell(o.kind) + cell(type) +
           cell(o.note) + "</tr>";
  }
  return out + "</table></div>";
}

std::string example_html(const std::string& example, const std::string& why_not) {
  return example.empty() ? "none: " + escape(why_not) : code(example);
}

std::string suffix_html(const PageSuffix& suffix, std::vector<std::string> operands) {
  std::string out =
      fmt::format("<details><summary>with {}: {}</summary><p>{}</p><p class=\"meta\">Chosen by {}.</p>",
                  escape(suffix.name), escape(suffix.title), escape(suffix.about), escape(suffix.selected_by));
  out += "<p>" + example_html(suffix.example, suffix.example_why_not) + "</p>";
  // The operand that the word gives instead.
  for (const PageField& field : suffix.fields) {
    if (field.holds_operand || field.name.starts_with("LITERAL")) operands.push_back(field.name);
  }
  return out + layout_svg(suffix.fields, suffix.bits, operands, suffix.name + " layout") + "</details>";
}

std::string encoding_html(const PageEncoding& e) {
  const auto operands = operand_fields(e);
  std::string out =
      fmt::format("<section class=\"encoding\"><h3>{} <span class=\"meta\">{}</span></h3><dl class=\"facts\">",
                  escape(e.name), escape(e.title));
  out += fmt::format(
      "<dt>Size</dt><dd>{} bits</dd><dt>Opcode</dt><dd>{} (0x{:x})</dd><dt>Identifier</dt><dd><code>{}</code></dd>",
      e.bits, e.opcode, e.opcode, e.identifier);
  out += "<dt>Example</dt><dd>" + example_html(e.example, e.example_why_not) + "</dd>";
  if (!e.address.empty()) out += "<dt>Address</dt><dd>" + code(e.address) + "</dd>";
  out += "</dl>" + layout_svg(e.fields, e.bits, operands, e.name + " layout") + operand_table(e);
  if (!e.modifiers.empty()) {
    out += "<p class=\"meta\">Modifiers: ";
    for (const std::string& modifier : e.modifiers)
      out += (&modifier == e.modifiers.data() ? "" : "; ") + escape(modifier);
    out += "</p>";
  }
  for (const PageSuffix& suffix : e.suffixes) out += suffix_html(suffix, operands);
  return out + "</section>";
}

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

/// Keywords, numbers and slots of a body in colours.
std::string coloured(std::string_view body) {
  static constexpr std::string_view keywords[] = {"let", "if", "else", "for", "in"};
  std::string out;
  for (std::size_t at = 0; at < body.size();) {
    std::size_t end = at;
    while (end < body.size() && is_word(body[end])) ++end;
    if (end == at) {
      out += escape(body.substr(at++, 1));
      continue;
    }
    const std::string_view word = body.substr(at, end - at);
    const bool is_keyword = std::find(std::begin(keywords), std::end(keywords), word) != std::end(keywords);
    const bool is_number = word.front() >= '0' && word.front() <= '9';
    if (is_keyword || is_number)
      out += fmt::format("<span class=\"{}\">{}</span>", is_keyword ? 'k' : 'n', word);
    else
      out += word;
    at = end;
  }
  return out;
}

std::string list_html(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : "; ") + escape(item);
  return out;
}

std::string run_html(const PageRun& run) {
  if (!run.why_not.empty()) return "<p class=\"meta\">Not run: " + escape(run.why_not) + "</p>";
  std::string out = "<pre tabindex=\"0\">" + escape(run.program) +
                    "</pre><div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Registers before and "
                    "after\"><table class=\"run\">";
  for (const auto& [place, value] : run.before)
    out += "<tr><td>before</td>" + cell(place, true) + cell(value, true) + "</tr>";
  for (const auto& [place, value] : run.after)
    out += "<tr><td>after</td>" + cell(place, true) + cell(value, true) + "</tr>";
  return out + "</table></div>";
}

std::string ptx_html(const Page& page) {
  std::string out = "<ul>";
  for (const PagePtx& p : page.ptx) {
    out += p.name.empty() ? "<li>none</li>"
                          : fmt::format("<li><a href=\"../../ptx.html#{0}\"><code>{0}</code></a>: {1}{2}{3}</li>",
                                        escape(p.name), escape(p.relation), p.why.empty() ? "" : "; ", escape(p.why));
  }
  return out + "</ul>";
}

/// What a generation's tab shows. Nothing in it names the generation, so that equal ones are one.
std::string panel_html(const Page& page) {
  std::string out;
  for (const std::string& sentence : page.behaviour) out += "<p>" + escape(sentence) + "</p>";
  if (!page.aliases.empty()) out += "<p class=\"meta\">Also accepted: " + list_html(page.aliases) + "</p>";
  out += "<h2>Semantics</h2>";
  if (page.semantics.empty()) {
    out += "<p>Not executable" + (page.fidelity_why.empty() ? "" : ": " + escape(page.fidelity_why)) + ".</p>";
  } else {
    out += fmt::format("<p class=\"meta\">Runs {}. Fidelity: {}{}{}</p><pre tabindex=\"0\">{}</pre>",
                       escape(page.semantics_kind), escape(page.fidelity), page.fidelity_why.empty() ? "" : "; ",
                       escape(page.fidelity_why), coloured(page.semantics));
  }
  out += fmt::format("<h2>{}</h2>", page.encodings.size() == 1 ? "Encoding" : "Encodings");
  for (const PageEncoding& encoding : page.encodings) out += encoding_html(encoding);
  out += fmt::format(
      "<h2>Reads and writes</h2><dl class=\"facts\"><dt>Reads</dt><dd>{}</dd><dt>Writes</dt><dd>{}</dd><dt>Wait "
      "counter</dt><dd>{}</dd></dl>",
      list_html(page.reads), list_html(page.writes), escape(page.counter));
  out += "<h2>Executed example</h2>" + run_html(page.run);
  return out + "<h2>PTX</h2>" + ptx_html(page);
}

/// A row a generation: name, encodings with opcodes, identifier, and a letter for layouts and for semantics that are
/// equal.
std::string generations_table(const std::vector<std::pair<unsigned, Page>>& pages) {
  std::map<std::string, char> layouts, bodies;
  const auto letter = [](std::map<std::string, char>& known, const std::string& what) {
    return known.emplace(what, static_cast<char>('A' + known.size() % 26)).first->second;
  };
  std::string out =
      "<h2>Generations</h2><div class=\"scroll\" tabindex=\"0\" role=\"group\" "
      "aria-label=\"Generations\"><table><tr><th>Generation</th><th>Name</th><th>Encodings and "
      "opcodes</th><th>Identifier</th>"
      "<th>Layout</th><th>Semantics</th></tr>";
  for (unsigned chip = 0; chip < all().chips.size(); ++chip) {
    const std::string_view title = all().text(all().chips[chip].title);
    const auto found = std::find_if(pages.begin(), pages.end(), [&](const auto& p) { return p.first == chip; });
    if (found == pages.end()) {
      out += fmt::format("<tr class=\"missing\"><td>{}</td><td colspan=\"5\">does not have it</td></tr>", title);
      continue;
    }
    const Page& page = found->second;
    std::string encodings, layout;
    for (const PageEncoding& e : page.encodings) {
      encodings += fmt::format("{}{} {}", encodings.empty() ? "" : ", ", e.name, e.opcode);
      layout += e.name;
      for (const PageField& f : e.fields)
        layout += fmt::format("|{}:{}{}", f.high, f.low, f.name == "OP" ? f.name : f.name + f.bits);
    }
    out += fmt::format("<tr><td><a href=\"#{}\">{}</a></td>{}{}{}<td>{}</td><td>{}</td></tr>",
                       all().text(all().chips[chip].name), title, cell(page.mnemonic, true), cell(encodings),
                       cell(page.encodings.front().identifier, true), letter(layouts, layout),
                       page.semantics.empty() ? '-' : letter(bodies, page.semantics));
  }
  return out + "</table></div><p class=\"meta\">Equal letters: equal layouts, equal semantics.</p>";
}

std::string targets_html(const Page& page) {
  std::string out = "<h2>Targets</h2><ul class=\"chips\">";
  for (const auto& [target, has] : page.targets)
    out += fmt::format("<li class=\"chip{}\">{} {}</li>", has ? " exact" : "", target, has ? "yes" : "no");
  return out + "</ul>";
}

std::string sources_html(const std::vector<std::pair<unsigned, Page>>& pages) {
  std::vector<std::string> sources;
  const auto add = [&](const std::string& source) {
    if (std::find(sources.begin(), sources.end(), source) == sources.end()) sources.push_back(source);
  };
  // The manuals, then what is the last of each page: where this project says it.
  for (const auto& [chip, page] : pages) std::for_each(page.sources.begin(), page.sources.end() - 1, add);
  for (const auto& [chip, page] : pages) add(page.sources.back());
  std::string out = "<h2>Sources</h2><ul>";
  for (const std::string& source : sources) out += "<li>" + escape(source) + "</li>";
  return out + "</ul>";
}

/// The page at which an instruction of this name, of any generation, stands; empty when there is none.
std::string page_of(std::string_view mnemonic) {
  static const std::map<std::string, std::string, std::less<>> known = [] {
    std::map<std::string, std::string, std::less<>> out;
    for (const SearchEntry& entry : search_entries()) {
      out.emplace(entry.names.front(), entry.names.front());
    }
    for (const SearchEntry& entry : search_entries()) {
      for (const std::string& name : entry.names) out.emplace(name, entry.names.front());
      for (const SearchEntry::Member& member : entry.members)
        out.emplace(std::string(all().text(all().instructions[member.instruction].name)), entry.names.front());
    }
    return out;
  }();
  const auto found = known.find(mnemonic);
  return found == known.end() ? std::string() : found->second;
}

std::string header_html(const Page& page) {
  std::string fidelity = page.fidelity == "not executable" ? "none" : page.fidelity;
  std::string out = fmt::format(
      "<h1 class=\"mnemonic\">{}</h1><p class=\"lead\">{}</p><ul class=\"chips\"><li class=\"chip\">{}</li><li "
      "class=\"chip {}\">{}</li></ul>",
      escape(page.mnemonic), escape(page.summary), escape(page.category), fidelity,
      page.fidelity == "exact"         ? "executed bit-exactly"
      : page.fidelity == "approximate" ? "executed approximately"
                                       : "not executable");
  std::string_view rest = page.description;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (end > 0) out += "<p>" + escape(rest.substr(0, end)) + "</p>";
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

std::string notes_html(const Page& page) {
  if (page.notes.empty() && page.open_points.empty()) return {};
  std::string out = "<h2>Notes</h2>";
  for (const std::string& note : page.notes) out += "<p class=\"note\">" + escape(note) + "</p>";
  for (const std::string& open : page.open_points) out += "<p class=\"open\">Not known: " + escape(open) + "</p>";
  return out;
}

std::string related_html(const Page& page) {
  std::string out;
  for (const std::string& name : page.related) {
    const std::string to = page_of(name);
    if (!to.empty())
      out += fmt::format("<li><a class=\"chip\" href=\"{}\">{}</a></li>", instruction_link("../../", to), escape(name));
  }
  return out.empty() ? out : "<h2>Related</h2><ul class=\"chips\">" + out + "</ul>";
}

std::string redirect(std::string_view name) {
  return fmt::format(
      "<!doctype html><html lang=\"en\"><meta "
      "charset=\"utf-8\"><title>{0}</title><script>location.replace('../{0}/index.html'+location.hash)</script>"
      "<p><a href=\"../{0}/index.html\">{0}</a></p></html>\n",
      name);
}

}  // namespace

std::vector<File> instruction_pages(const SearchEntry& entry) {
  std::vector<std::pair<unsigned, Page>> pages;
  Panels panels;
  for (unsigned chip = 0; chip < all().chips.size(); ++chip) {
    if ((entry.chips >> chip & 1) == 0) continue;
    const auto first = std::find_if(entry.members.begin(), entry.members.end(),
                                    [&](const SearchEntry::Member& m) { return (m.chips >> chip & 1) != 0; });
    const u32 form = static_cast<u32>(form_on_chip(first->instruction, chip, ""));
    auto variants = make_pages(all().text(all().forms[form].mnemonic), static_cast<int>(chip));
    if (!variants) continue;
    std::string html;
    for (const Page& page : *variants) {
      // Where this generation has two instructions of the name, or another than the newest, it says what it does
      // itself.
      if (variants->size() > 1)
        html +=
            fmt::format("<h2>{} of {}: {}</h2>", &page - variants->data() + 1, variants->size(), escape(page.summary));
      if (variants->size() == 1 && page.summary != entry.about)
        html += "<p class=\"lead\">" + escape(page.summary) + "</p>";
      html += panel_html(page);
    }
    panels.add(chip, std::move(html));
    pages.emplace_back(chip, std::move(variants->front()));
  }
  if (pages.empty()) return {};
  const Page& newest = pages.back().second;
  PageFrame frame;
  frame.root = "../../";
  frame.title = entry.names.front() + " · gfxisa";
  frame.description = newest.summary;
  frame.main = "<article>" + header_html(newest) + panels.html("Generations") + notes_html(newest) +
               generations_table(pages) + targets_html(newest) + related_html(newest) + sources_html(pages) +
               "</article>";
  std::vector<File> out;
  out.push_back({fmt::format("i/{}/index.html", entry.names.front()), framed(frame)});
  for (const std::string& name : entry.names) {
    if (page_of(name) == entry.names.front() && name != entry.names.front())
      out.push_back({fmt::format("i/{}/index.html", name), redirect(entry.names.front())});
  }
  return out;
}

}  // namespace gfxisa::site
