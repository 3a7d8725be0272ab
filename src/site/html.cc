#include "site/html.h"

#include <fmt/format.h>

#include <algorithm>

#include "doc/embedded.h"
#include "inst/tables.h"

namespace gfxisa::site {
namespace {

const Tables& all() { return tables(); }

void replace(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

}  // namespace

std::string breakable(std::string_view mnemonic) {
  std::string out;
  for (const char c : mnemonic) out += c == '_' ? "_<wbr>" : std::string(1, c);
  return out;
}

std::string escape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// Written with the file's name, since from a disk a folder shows its list of files; the script shortens the address.
std::string instruction_link(std::string_view root, std::string_view mnemonic, std::string_view chip) {
  return fmt::format("{}i/{}/index.html{}{}", root, mnemonic, chip.empty() ? "" : "#", chip);
}

std::string pluralised(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string framed(const PageFrame& frame) {
  std::string out(embedded_text(embedded_site(), "page.html"));
  struct Entry {
    std::string_view name, link;
  };
  static constexpr Entry menu[] = {{"Instructions", "index.html"},    {"Encodings", "encodings/index.html"},
                                   {"Operands", "operands.html"},     {"Data formats", "formats.html"},
                                   {"Matrix layouts", "matrix.html"}, {"PTX", "ptx.html"},
                                   {"Compare", "compare/index.html"}, {"Decoder", "decoder.html"}};
  std::string entries;
  for (const Entry& entry : menu) {
    entries += fmt::format("<li><a href=\"{}{}\"{}>{}</a></li>", frame.root, entry.link,
                           entry.name == frame.here ? " aria-current=\"page\"" : "", entry.name);
  }
  replace(out, "{{menu}}", entries);
  replace(out, "{{title}}", escape(frame.title));
  replace(out, "{{description}}", escape(frame.description));
  replace(out, "{{scripts}}", frame.scripts);
  // The contents last, and the root before them: neither looks for marks in what the spec says.
  replace(out, "{{root}}", frame.root);
  const std::string_view mark = "{{main}}";
  if (const std::size_t at = out.find(mark); at != std::string::npos) out.replace(at, mark.size(), frame.main);
  return out;
}

void Panels::add(unsigned chip, std::string html) {
  for (Panel& panel : panels_) {
    if (panel.html != html) continue;
    panel.chips.push_back(chip);
    return;
  }
  panels_.push_back({{chip}, std::move(html)});
}

std::string Panels::html(std::string_view label) const {
  std::string tabs, contents;
  for (unsigned chip = 0; chip < all().chips.size(); ++chip) {
    const std::string_view name = all().text(all().chips[chip].name), title = all().text(all().chips[chip].title);
    const auto panel = std::find_if(panels_.begin(), panels_.end(), [&](const Panel& p) {
      return std::find(p.chips.begin(), p.chips.end(), chip) != p.chips.end();
    });
    if (panel == panels_.end()) {
      tabs += fmt::format(
          "<button role=\"tab\" type=\"button\" aria-selected=\"false\" disabled data-chip=\"{}\" title=\"not on "
          "{}\">{}</button>",
          name, title, title);
    } else {
      tabs += fmt::format(
          "<button role=\"tab\" type=\"button\" id=\"tab-{0}\" aria-selected=\"false\" aria-controls=\"panel-{1}\" "
          "data-chip=\"{0}\" tabindex=\"-1\">{2}</button>",
          name, panel - panels_.begin(), title);
    }
  }
  for (const Panel& panel : panels_) {
    std::string names, titles;
    for (const unsigned chip : panel.chips) {
      names += (names.empty() ? "" : " ") + std::string(all().text(all().chips[chip].name));
      titles += (titles.empty() ? "" : ", ") + std::string(all().text(all().chips[chip].title));
    }
    contents += fmt::format(
        "<section class=\"panel\" role=\"tabpanel\" id=\"panel-{}\" data-chips=\"{}\" tabindex=\"0\" "
        "aria-label=\"{}\">{}\n{}</section>\n",
        &panel - panels_.data(), names, titles,
        panel.chips.size() == 1 ? std::string() : "<p class=\"panel-chips\">" + titles + "</p>", panel.html);
  }
  return fmt::format("<div class=\"tabs\" role=\"tablist\" aria-label=\"{}\">{}</div>\n{}", escape(label), tabs,
                     contents);
}

}  // namespace gfxisa::site
