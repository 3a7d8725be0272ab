// A page for a terminal: headings, a bit diagram of boxes, aligned columns, text wrapped to the width.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "doc/page.h"
#include "doc/wrap.h"

namespace gfxisa {
namespace {

struct Colours {
  const char *bold = "", *dim = "", *accent = "", *plain = "";
};

constexpr unsigned min_width = 60;

class TextPage {
 public:
  TextPage(const Page& page, unsigned width, bool colour) : page_(page), width_(std::max(width, min_width)) {
    if (colour) colours_ = {"\033[1m", "\033[2m", "\033[36m", "\033[0m"};
  }

  std::string run() {
    title();
    for (const PageEncoding& encoding : page_.encodings) encoding_section(encoding);
    elsewhere();
    targets();
    effects();
    semantics();
    run_section();
    list("Notes", page_.notes);
    list("Open", page_.open_points);
    ptx();
    if (!page_.related.empty()) section("Related", fmt::format("{}", fmt::join(page_.related, ", ")));
    list("Sources", page_.sources);
    return std::move(out_);
  }

 private:
  void line(std::string_view text = {}) { out_ += std::string(text) + '\n'; }
  void heading(std::string_view name) { out_ += fmt::format("\n{}{}{}\n", colours_.bold, name, colours_.plain); }
  void paragraph(std::string_view text, unsigned indent) {
    for (const std::string& part : wrap(text, width_ - indent))
      line(std::string(part.empty() ? 0 : indent, ' ') + part);
  }
  void section(std::string_view name, std::string_view text) {
    heading(name);
    paragraph(text, 2);
  }
  void list(std::string_view name, const std::vector<std::string>& items) {
    if (items.empty()) return;
    heading(name);
    for (const std::string& item : items) paragraph(item, 2);
  }

  void title() {
    out_ += fmt::format("{}{}{}  {}{} · {}{}\n\n", colours_.bold, page_.mnemonic, colours_.plain, colours_.dim,
                        page_.chip_title, page_.category, colours_.plain);
    paragraph(page_.summary, 0);
    if (!page_.description.empty()) {
      line();
      paragraph(page_.description, 0);
    }
    for (const std::string& sentence : page_.behaviour) paragraph(sentence, 0);
    if (!page_.official.empty()) {
      line();
      paragraph("AMD's description: " + page_.official, 0);
    }
    if (!page_.aliases.empty()) paragraph(fmt::format("Also accepted: {}", fmt::join(page_.aliases, ", ")), 0);
  }

  void encoding_section(const PageEncoding& encoding) {
    heading(fmt::format("Encoding {}", encoding.name));
    line(fmt::format("  Format      {}, {} bits{}", encoding.name, encoding.bits,
                     encoding.title.empty() ? "" : " (" + encoding.title + ")"));
    line(fmt::format("  Opcode      {} (0x{:x})", encoding.opcode, encoding.opcode));
    line(fmt::format("  Identifier  {}", encoding.identifier));
    if (!encoding.example.empty())
      line(fmt::format("  Example     {}{}{}", colours_.accent, encoding.example, colours_.plain));
    else
      line("  Example     none: " + encoding.example_why_not);
    if (!encoding.address.empty()) line(fmt::format("  Address     {}", encoding.address));
    line();
    for (unsigned high = encoding.bits; high > 0; high -= 32) diagram_row(encoding.fields, high - 32);
    operands(encoding.operands);
    if (!encoding.modifiers.empty()) {
      line();
      for (const std::string& modifier : encoding.modifiers) paragraph("Modifier  " + modifier, 2);
    }
    for (const PageSuffix& suffix : encoding.suffixes) suffix_section(suffix);
  }

  void suffix_section(const PageSuffix& suffix) {
    line();
    line(fmt::format("  {}followed by {}, when {}{}", colours_.bold, suffix.name, suffix.selected_by, colours_.plain));
    if (!suffix.example.empty())
      line(fmt::format("  Example     {}{}{}", colours_.accent, suffix.example, colours_.plain));
    else
      line("  Example     none: " + suffix.example_why_not);
    for (unsigned high = suffix.bits; high > 0; high -= 32) diagram_row(suffix.fields, high - 32);
  }

  void effects() {
    heading("Reads and writes");
    paragraph(fmt::format("Reads:        {}", fmt::join(page_.reads, "; ")), 2);
    paragraph(fmt::format("Writes:       {}", fmt::join(page_.writes, "; ")), 2);
    paragraph(fmt::format("Wait counter: {}", page_.counter), 2);
  }

  void run_section() {
    heading("Executed example");
    if (!page_.run.why_not.empty()) return paragraph("Not run: " + page_.run.why_not, 2);
    line(fmt::format("  {}{}{}", colours_.accent, page_.run.program, colours_.plain));
    for (const auto& [place, value] : page_.run.before) line(fmt::format("  before  {} = {}", place, value));
    for (const auto& [place, value] : page_.run.after) line(fmt::format("  after   {} = {}", place, value));
  }

  /// One 32-bit word of the diagram, from bit low + 31 to bit low.
  void diagram_row(const std::vector<PageField>& fields, unsigned low) {
    std::string top = "  ", middle = "  ", border = "  ";
    for (const PageField& field : fields) {
      if (field.low > low + 31 || field.high < low) continue;
      const unsigned high_bit = std::min(field.high, low + 31), low_bit = std::max(field.low, low);
      const std::string label = label_of(field, high_bit, low_bit);
      const std::string range =
          high_bit == low_bit ? fmt::format("{}", high_bit) : fmt::format("{} {}", high_bit, low_bit);
      const std::size_t wide = std::max({label.size(), range.size(), std::size_t{high_bit - low_bit + 1}}) + 2;
      top += high_bit == low_bit ? fmt::format(" {:^{}}", high_bit, wide)
                                 : fmt::format(" {:<{}}{:>{}}", high_bit, wide / 2, low_bit, wide - wide / 2);
      middle += fmt::format("|{:^{}}", label, wide);
      border += '+' + std::string(wide, '-');
    }
    line(colours_.dim + top + colours_.plain);
    line(border + '+');
    line(middle + '|');
    line(border + '+');
  }

  static std::string label_of(const PageField& field, unsigned high, unsigned low) {
    switch (field.kind) {
      case PageField::Kind::fixed:
        return field.bits.substr(field.high - high, high - low + 1);
      case PageField::Kind::unassigned:
        return "-";
      case PageField::Kind::field:
        return field.name;
    }
    return {};
  }

  void operands(const std::vector<PageOperand>& operands) {
    if (operands.empty()) return;
    std::size_t columns[5] = {0, 0, 0, 0, 0};
    const auto cells = [](const PageOperand& o) {
      return std::array<std::string, 5>{o.name, o.field, o.access, o.kind,
                                        o.format == o.size ? o.size : o.format + (o.size.empty() ? "" : ", " + o.size)};
    };
    for (const PageOperand& operand : operands) {
      const auto c = cells(operand);
      for (unsigned i = 0; i < 5; ++i) columns[i] = std::max(columns[i], c[i].size());
    }
    line();
    for (const PageOperand& operand : operands) {
      const auto c = cells(operand);
      std::string row = "  ";
      for (unsigned i = 0; i < 5; ++i) row += fmt::format("{:<{}}  ", c[i], columns[i]);
      row += operand.note;
      row.erase(row.find_last_not_of(' ') + 1);
      line(row);
    }
  }

  void elsewhere() {
    std::vector<std::string> same, missing;
    // Generations that differ in the same way share a line.
    std::vector<std::pair<std::string, std::vector<std::string>>> different;
    for (const PageElsewhere& e : page_.elsewhere) {
      if (!e.exists) missing.push_back(e.chip);
      if (e.same) same.push_back(e.mnemonic.empty() ? e.chip : fmt::format("{} (as {})", e.chip, e.mnemonic));
      if (!e.exists || e.same) continue;
      const std::string how =
          fmt::format("{}{}", e.mnemonic.empty() ? "" : "as " + e.mnemonic + ", ", fmt::join(e.differences, "; "));
      const auto known =
          std::find_if(different.begin(), different.end(), [&](const auto& d) { return d.first == how; });
      if (known != different.end()) {
        known->second.push_back(e.chip);
      } else {
        different.push_back({how, {e.chip}});
      }
    }
    heading("Other generations");
    if (!same.empty()) paragraph(fmt::format("Same encoding: {}", fmt::join(same, ", ")), 2);
    for (const auto& [how, chips] : different) paragraph(fmt::format("{}: {}", fmt::join(chips, ", "), how), 2);
    if (!missing.empty()) paragraph(fmt::format("Not on: {}", fmt::join(missing, ", ")), 2);
  }

  void targets() {
    std::vector<std::string> have, lack;
    for (const auto& [target, has] : page_.targets) (has ? have : lack).push_back(target);
    heading("Targets");
    paragraph(fmt::format("Yes: {}", fmt::join(have, " ")), 2);
    if (!lack.empty()) paragraph(fmt::format("No:  {}", fmt::join(lack, " ")), 2);
  }

  void semantics() {
    heading(page_.semantics_kind.empty() ? "Semantics" : fmt::format("Semantics ({})", page_.semantics_kind));
    std::string_view rest = page_.semantics;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      line("  " + std::string(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (page_.semantics.empty()) line("  not executable");
    paragraph(
        fmt::format("Fidelity: {}{}", page_.fidelity, page_.fidelity_why.empty() ? "" : "; " + page_.fidelity_why), 2);
  }

  void ptx() {
    heading("PTX");
    if (page_.ptx.empty()) line("  none");
    for (const PagePtx& p : page_.ptx) {
      paragraph(
          p.name.empty() ? p.relation : fmt::format("{}: {}{}", p.name, p.relation, p.why.empty() ? "" : "; " + p.why),
          2);
    }
  }

  const Page& page_;
  unsigned width_;
  Colours colours_;
  std::string out_;
};

}  // namespace

std::string render_text(const Page& page, unsigned width, bool colour) { return TextPage(page, width, colour).run(); }

}  // namespace gfxisa
