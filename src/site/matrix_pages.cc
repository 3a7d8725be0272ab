// The explorer of matrix layouts: the layouts as bits for its script, and the page.
#include <fmt/format.h>

#include "doc/catalogue.h"
#include "doc/compare.h"
#include "doc/matrix_layout.h"
#include "inst/instruction.h"
#include "inst/tables.h"
#include "site/html.h"
#include "site/pages.h"

namespace gfxisa::site {
namespace {

const Tables& all() { return tables(); }

std::string bits_json(const std::vector<IndexBit>& bits) {
  std::string out;
  for (const IndexBit& bit : bits)
    out += fmt::format("{}\"{}{}\"", out.empty() ? "" : ",", bit.index,
                       bit.index == '*' ? std::string() : fmt::format("{}", bit.bit));
  return "[" + out + "]";
}

std::string layouts_json(unsigned chip, u32 form, unsigned wave_size, u32 element_bits) {
  std::string out;
  for (const MatrixLayout& layout : matrix_layouts(chip, form, wave_size, element_bits)) {
    out += fmt::format("{}{{\"name\":\"{}\",\"bits\":{},\"lane\":{},\"item\":{}}}", out.empty() ? "" : ",", layout.name,
                       layout.element_bits, bits_json(layout.lane), bits_json(layout.item));
  }
  return out;
}

/// For each size of wave and each width that fields can choose: `[32,8,[layouts]]`.
std::string variants_json(unsigned chip, u32 form) {
  std::string out;
  for (const unsigned wave_size : {32u, 64u}) {
    if ((all().chips[chip].waves & (wave_size == 32 ? 1 : 2)) == 0) continue;
    for (const u32 bits : source_widths(form)) {
      const std::string layouts = layouts_json(chip, form, wave_size, bits);
      if (!layouts.empty()) out += fmt::format("{}[{},{},[{}]]", out.empty() ? "" : ",", wave_size, bits, layouts);
    }
  }
  return out;
}

}  // namespace

std::vector<File> matrix_pages(const std::vector<SearchEntry>& entries) {
  std::string data;
  for (const SearchEntry& entry : entries) {
    if (!shape_of(entry.names.front()) || entry.topic.find("Matrix") == std::string::npos) continue;
    for (unsigned chip = 0; chip < all().chips.size(); ++chip) {
      const int form = form_on_chip(entry.members.front().instruction, chip, "");
      if (form < 0) continue;
      const std::string variants = variants_json(chip, static_cast<u32>(form));
      if (variants.empty()) continue;
      data += fmt::format("{}\n[{},{},[{}]]", data.empty() ? "" : ",", json_text(all().text(all().chips[chip].name)),
                          json_text(all().text(all().forms[form].mnemonic)), variants);
    }
  }
  std::string chips;
  for (const ChipRow& chip : all().chips)
    chips += fmt::format("<option value=\"{}\">{}</option>", all().text(chip.name), all().text(chip.title));
  PageFrame frame;
  frame.here = "Matrix layouts";
  frame.title = "Matrix layouts · gfxisa";
  frame.description = "Which lane and register holds which element of a matrix instruction's operands.";
  frame.scripts = "<script defer src=\"matrix-layouts.js\"></script><script defer src=\"matrix.js\"></script>";
  frame.main = fmt::format(
      "<h1>Matrix layouts</h1><p class=\"lead\">Which lane and register holds which element. Choose an element, or "
      "ask for a lane.</p>"
      "<form id=\"matrix\" class=\"row fields\" onsubmit=\"return false\"><label>Generation<select "
      "name=\"chip\">{}</select></label><label>Instruction<select name=\"name\"></select></label>"
      "<label>Wave<select name=\"wave\"></select></label><label>Bits of an element<select "
      "name=\"width\"></select></label><label>Matrix<select name=\"part\"></select></label><label>Block<select "
      "name=\"block\"></select></label><label>Lane<input class=\"plain\" name=\"lane\" type=\"number\" min=\"0\" "
      "max=\"63\" placeholder=\"any\"></label></form>"
      "<p id=\"matrix-answer\" role=\"status\" class=\"mono\">Choose an element.</p><div id=\"matrix-view\" "
      "class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Matrix\"></div>"
      "<p class=\"meta\">An element shows lane.register, and the bits of the register where it is narrower. Of a "
      "sparse "
      "A the stored elements are shown, p0 and p1 of the first four columns, p2 and p3 of the next: which of the four "
      "each is of, the index says.</p>",
      chips);
  std::vector<File> out;
  out.push_back({"matrix.html", framed(frame)});
  out.push_back({"matrix-layouts.js", "window.GFXISA_MATRICES=[" + data + "];\n"});
  return out;
}

}  // namespace gfxisa::site
