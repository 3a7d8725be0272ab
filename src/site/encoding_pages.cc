// Encodings: the list, and for each a page with its layout on every generation and the instructions it carries.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "doc/compare.h"
#include "inst/tables.h"
#include "site/html.h"
#include "site/pages.h"

namespace gfxisa::site {
namespace {

const Tables& all() { return tables(); }

struct StyleText {
  Style style;
  std::string_view text;
};
constexpr StyleText style_texts[] = {
#define GFXISA_STYLE(name, meaning) {Style::name, meaning},
#include "inst/styles.inc"
#undef GFXISA_STYLE
};

std::string_view text_of_style(Style style) {
  for (const StyleText& row : style_texts) {
    if (row.style == style) return row.text;
  }
  return {};
}

std::string role_text(const FieldRow& field) {
  switch (field.role) {
    case FieldRole::constant:
      return fmt::format("fixed to {:0{}b}", field.constant, field.width);
    case FieldRole::reserved:
      return "unassigned: written as 0, ignored when read";
    case FieldRole::opcode:
      return "opcode";
    case FieldRole::operand:
      if (field.kind == no_kind) return "immediate: " + std::string(text_of_style(field.style));
      return fmt::format("operand of kind {}", all().text(all().operand_kinds[field.kind].name));
    case FieldRole::modifier:
      return "modifier: " + std::string(text_of_style(field.style));
    case FieldRole::joined:
      return "several fields as one number";
  }
  return {};
}

std::vector<PageField> fields_of_row(const EncodingRow& row) {
  std::vector<PageField> out;
  for (const FieldRow* field : fields_high_to_low(row)) {
    PageField f;
    f.high = field->low + field->width - 1u;
    f.low = field->low;
    f.name = field->role == FieldRole::opcode ? "OP" : upper(all().text(field->name));
    if (field->role == FieldRole::reserved) f.kind = PageField::Kind::unassigned;
    if (field->role == FieldRole::constant) {
      f.kind = PageField::Kind::fixed;
      f.name.clear();
      f.bits = fmt::format("{:0{}b}", field->constant, field->width);
    }
    out.push_back(std::move(f));
  }
  return out;
}

std::string encoding_panel(const EncodingRow& row) {
  std::vector<std::string> operands;
  std::string rows;
  for (const FieldRow* field : fields_high_to_low(row)) {
    if (field->role == FieldRole::operand) operands.push_back(upper(all().text(field->name)));
    const unsigned high = field->low + field->width - 1u;
    rows += fmt::format("<tr><td class=\"mono\">{}</td><td class=\"mono\">{}</td><td>{}</td></tr>",
                        high == field->low ? fmt::format("{}", high) : fmt::format("{}:{}", high, field->low),
                        field->role == FieldRole::opcode ? "OP" : escape(upper(all().text(field->name))),
                        escape(role_text(*field)));
  }
  std::string out = fmt::format("<p class=\"meta\">{} bits</p>", row.bits) +
                    layout_svg(fields_of_row(row), row.bits, operands, "layout");
  if (row.is_suffix)
    out += fmt::format("<p>Follows when {}.</p>",
                       row.selects_value == 0
                           ? "an operand is a literal"
                           : fmt::format("{} is {}", upper(all().text(row.selects_name)), row.selects_value));
  if (row.address_source != 0) out += "<p>Address: <code>" + escape(all().text(row.address_source)) + "</code></p>";
  return out +
         "<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
         "aria-label=\"Fields\"><table><tr><th>Bits</th><th>Field</th><th>What it is</th></tr>" +
         rows + "</table></div>";
}

struct EncodingInfo {
  Panels panels;
  std::string title, about;
  std::set<std::string> instructions;
  bool is_suffix = false;
};

}  // namespace

std::vector<File> encoding_pages(const std::vector<SearchEntry>& entries) {
  std::map<std::string, EncodingInfo> infos;
  for (unsigned chip = 0; chip < all().chips.size(); ++chip) {
    const ChipRow& row = all().chips[chip];
    for (unsigned i = row.first_encoding; i < row.first_encoding + row.encoding_count; ++i) {
      const EncodingRow& encoding = all().encodings[i];
      EncodingInfo& info = infos[std::string(all().text(encoding.name))];
      info.panels.add(chip, encoding_panel(encoding));
      info.is_suffix = encoding.is_suffix;
      if (info.title.empty()) info.title = all().text(encoding.title);
      if (info.about.empty()) info.about = all().text(encoding.about);
    }
  }
  std::map<u32, std::string> name_of;
  for (const SearchEntry& entry : entries) {
    for (const SearchEntry::Member& member : entry.members) name_of[member.instruction] = entry.names.front();
  }
  for (const FormRow& form : all().forms) {
    const auto found = name_of.find(form.instruction);
    if (found != name_of.end())
      infos[std::string(all().text(all().encodings[form.encoding].name))].instructions.insert(found->second);
  }
  std::vector<File> out;
  std::string list, suffixes;
  for (const auto& [name, info] : infos) {
    PageFrame frame;
    frame.root = "../";
    frame.here = "Encodings";
    frame.title = name + " encoding · gfxisa";
    frame.description = info.title;
    frame.main = fmt::format("<h1>{}</h1><p class=\"lead\">{}</p><p>{}</p>{}", name, escape(info.title),
                             escape(info.about), info.panels.html("Generations"));
    if (!info.instructions.empty()) {
      frame.main +=
          fmt::format("<h2>{}</h2><ul class=\"columns\">", pluralised(info.instructions.size(), "instruction"));
      for (const std::string& mnemonic : info.instructions)
        frame.main +=
            fmt::format("<li><a href=\"{}\">{}</a></li>", instruction_link("../", mnemonic), breakable(mnemonic));
      frame.main += "</ul>";
    }
    out.push_back({fmt::format("encodings/{}.html", name), framed(frame)});
    (info.is_suffix ? suffixes : list) +=
        fmt::format("<li><a href=\"{0}.html\"><b>{0}</b><span>{1}</span></a></li>", name, escape(info.title));
  }
  PageFrame frame;
  frame.root = "../";
  frame.here = "Encodings";
  frame.title = "Encodings · gfxisa";
  frame.description = "All encodings with their fields.";
  frame.main =
      "<h1>Encodings</h1><p class=\"lead\">The words instructions are made of, bit by bit, on every generation.</p><ul "
      "class=\"grid\">" +
      list + "</ul><h2>Words that may follow</h2><ul class=\"grid\">" + suffixes + "</ul>";
  out.push_back({"encodings/index.html", framed(frame)});
  return out;
}

}  // namespace gfxisa::site
