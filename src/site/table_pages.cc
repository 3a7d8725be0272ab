// Pages of operand kinds, registers and wait counters, and of data formats.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "doc/catalogue.h"
#include "doc/embedded.h"
#include "doc/reference_text.h"
#include "inst/registers.h"
#include "inst/tables.h"
#include "site/html.h"
#include "site/pages.h"

namespace gfxisa::site {
namespace {

const Tables& all() { return tables(); }

std::string scrolled(std::string_view label, const std::string& table) {
  return fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{}\">{}</div>", label, table);
}

std::string classes_text(const OperandKindRow& kind) {
  std::string out;
  for (unsigned c = 1; c <= static_cast<unsigned>(CodeClass::sdwa); ++c) {
    if ((kind.classes >> c & 1) == 0) continue;
    out += (out.empty() ? "" : " ") + std::string(class_word(static_cast<CodeClass>(c)));
  }
  std::string specials;
  for (u32 i = 0; i < kind.special_count; ++i)
    specials += (specials.empty() ? "" : ", ") + std::string(all().text(all().special_names[kind.first_special + i]));
  return specials.empty() ? out : out + " (of the special ones only " + specials + ")";
}

std::string kinds_table() {
  std::string out =
      "<table class=\"cards\"><tr><th>Kind</th><th>Bits</th><th>Takes</th><th>Register code</th><th>What it "
      "is</th></tr>";
  std::vector<std::string> seen;
  for (const OperandKindRow& kind : all().operand_kinds) {
    const std::string code = fmt::format("value{}{}", kind.scale == 1 ? "" : fmt::format(" × {}", kind.scale),
                                         kind.offset == 0 ? "" : fmt::format(" + {}", kind.offset));
    std::string row = fmt::format(
        "<tr><td class=\"mono\">{}</td><td data-label=\"Bits\">{}</td><td data-label=\"Takes\">{}</td><td "
        "data-label=\"Code\">{}</td><td>{}</td></tr>",
        escape(all().text(kind.name)), kind.bits, escape(classes_text(kind)), code, escape(all().text(kind.about)));
    if (std::find(seen.begin(), seen.end(), row) != seen.end()) continue;
    out += row;
    seen.push_back(std::move(row));
  }
  return out + "</table>";
}

std::string code_words(unsigned chip, u32 first, u32 last) {
  const CodeRow& row = code_row(chip, first);
  const std::string from = code_name(chip, first, 32), to = code_name(chip, last, 32);
  const auto name = [&](const std::string& text) { return text.empty() ? std::string(class_word(row.cls)) : text; };
  return first == last ? name(from) : name(from) + " … " + name(to);
}

/// Runs of codes of one class whose numbers count on.
std::string codes_table(unsigned chip) {
  std::string out = "<table><tr><th>Codes</th><th>Meaning</th><th>Class</th></tr>";
  for (u32 first = 0; first < 512;) {
    const CodeRow& row = code_row(chip, first);
    u32 last = first;
    const auto follows = [&](const CodeRow& next) {
      const bool counts = next.value == code_row(chip, last).value + 1 || next.value == code_row(chip, last).value - 1;
      return next.cls == row.cls &&
             (row.cls == CodeClass::none || (row.cls != CodeClass::special && row.cls != CodeClass::real && counts));
    };
    while (last + 1 < 512 && follows(code_row(chip, last + 1))) ++last;
    if (row.cls != CodeClass::none) {
      out += fmt::format("<tr><td class=\"mono\">{}</td><td class=\"mono\">{}</td><td>{}</td></tr>",
                         first == last ? fmt::format("{}", first) : fmt::format("{}–{}", first, last),
                         escape(code_words(chip, first, last)), class_word(row.cls));
    }
    first = last + 1;
  }
  return out + "</table>";
}

std::string counters_table() {
  static const auto blocks = parse_reference(embedded_text(embedded_data(), "counters.ref"));
  std::string out =
      "<table class=\"cards\"><tr><th>Counter</th><th>Generations</th><th>What it counts</th><th>Waited for "
      "by</th></tr>";
  for (const ReferenceBlock& block : blocks) {
    const u16 chips = chips_of_set(block.set);
    std::string titles, waits;
    for (unsigned chip = 0; chip < all().chips.size(); ++chip) {
      if (chips >> chip & 1) titles += (titles.empty() ? "" : ", ") + std::string(all().text(all().chips[chip].title));
    }
    const std::string wait = block.text("wait");
    for (const std::string_view name : split_words(wait))
      waits += fmt::format("<a href=\"{}\"><code>{}</code></a> ", instruction_link("", name), name);
    out += fmt::format(
        "<tr><td class=\"mono\">{}</td><td data-label=\"On\">{}</td><td>{}</td><td data-label=\"Waited for "
        "by\">{}</td></tr>",
        block.name, titles, escape(block.text("about")), waits);
  }
  return out + "</table>";
}

// ------------------------------------------------------------------------------------------- small floats

/// A float of few bits: what its all-ones exponent means differs.
struct SmallFloat {
  std::string_view name, title, where;
  unsigned exponent, mantissa;
  int bias;
  enum class Top { ieee, one_nan, numbers, negative_zero_nan } top;
};

constexpr SmallFloat small_floats[] = {
    {"fp8", "E4M3, as the Open Compute Project has it", "RDNA 4, CDNA 4, CDNA 5", 4, 3, 7, SmallFloat::Top::one_nan},
    {"bf8", "E5M2, as the Open Compute Project has it", "RDNA 4, CDNA 4, CDNA 5", 5, 2, 15, SmallFloat::Top::ieee},
    {"fp8 fnuz", "E4M3 without infinities and negative zero", "CDNA 3", 4, 3, 8, SmallFloat::Top::negative_zero_nan},
    {"bf8 fnuz", "E5M2 without infinities and negative zero", "CDNA 3", 5, 2, 16, SmallFloat::Top::negative_zero_nan},
    {"fp6", "E2M3", "CDNA 4, CDNA 5", 2, 3, 1, SmallFloat::Top::numbers},
    {"bf6", "E3M2", "CDNA 4, CDNA 5", 3, 2, 3, SmallFloat::Top::numbers},
    {"fp4", "E2M1", "CDNA 4, CDNA 5", 2, 1, 1, SmallFloat::Top::numbers}};

std::string value_text(const SmallFloat& f, unsigned code) {
  const unsigned magnitude_bits = f.exponent + f.mantissa, magnitude = code & ((1u << magnitude_bits) - 1);
  const bool is_negative = (code >> magnitude_bits & 1) != 0;
  const unsigned exponent = magnitude >> f.mantissa, mantissa = magnitude & ((1u << f.mantissa) - 1);
  const unsigned ones = (1u << f.exponent) - 1;
  if (f.top == SmallFloat::Top::negative_zero_nan && is_negative && magnitude == 0) return "NaN";
  if (f.top == SmallFloat::Top::one_nan && exponent == ones && mantissa == (1u << f.mantissa) - 1) return "NaN";
  if (f.top == SmallFloat::Top::ieee && exponent == ones) return mantissa != 0 ? "NaN" : is_negative ? "-inf" : "inf";
  const double scale = std::ldexp(1.0, exponent == 0 ? 1 - f.bias : static_cast<int>(exponent) - f.bias);
  const double fraction = mantissa / static_cast<double>(1u << f.mantissa);
  const double value = scale * (exponent == 0 ? fraction : 1 + fraction);
  return fmt::format("{}{:g}", is_negative ? "-" : "", value);
}

std::string values_table(const SmallFloat& f) {
  const unsigned bits = 1 + f.exponent + f.mantissa, columns = bits == 4 ? 4 : 8;
  std::string out = "<table class=\"values\"><tr><th></th>";
  for (unsigned column = 0; column < columns; ++column) out += fmt::format("<th>+{:x}</th>", column);
  out += "</tr>";
  for (unsigned code = 0; code < 1u << bits; code += columns) {
    out += fmt::format("<tr><th>0x{:02x}</th>", code);
    for (unsigned column = 0; column < columns; ++column)
      out += fmt::format("<td>{}</td>", value_text(f, code + column));
    out += "</tr>";
  }
  return out + "</table>";
}

}  // namespace

File operands_page() {
  PageFrame frame;
  frame.here = "Operands";
  frame.title = "Operands and registers · gfxisa";
  frame.description = "Operand kinds, register codes and wait counters of every generation.";
  Panels codes;
  for (unsigned chip = 0; chip < all().chips.size(); ++chip)
    codes.add(chip, scrolled("Register codes", codes_table(chip)));
  frame.main =
      "<h1>Operands and registers</h1><p class=\"lead\">What operand fields may hold, what each register code means, "
      "and which counters tell when results are there.</p>"
      "<h2>Wait counters</h2>" +
      scrolled("Wait counters", counters_table()) + "<h2>Operand kinds</h2>" +
      scrolled("Operand kinds", kinds_table()) + "<h2>Register codes</h2>" + codes.html("Generations");
  return {"operands.html", framed(frame)};
}

File formats_page() {
  PageFrame frame;
  frame.here = "Data formats";
  frame.title = "Data formats · gfxisa";
  frame.description = "Data formats of operands, and every value of the floats of 8, 6 and 4 bits.";
  std::string table = "<table><tr><th>Format</th><th>Bits</th><th>Kind</th><th>What it is</th></tr>";
  for (const DataFormatRow& row : all().data_formats)
    table +=
        fmt::format("<tr><td class=\"mono\">{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                    escape(all().text(row.name)), row.bits, escape(all().text(row.kind)), escape(all().text(row.text)));
  frame.main =
      "<h1>Data formats</h1><p class=\"lead\">What operands hold, and every value of the smallest "
      "floats.</p><h2>Operands</h2>" +
      scrolled("Data formats", table + "</table>") + "<h2>Small floats</h2>";
  for (const SmallFloat& f : small_floats) {
    frame.main += fmt::format(
        "<details><summary>{}: {}</summary><p class=\"meta\">Sign, {} exponent bits (bias {}), {} mantissa bits. "
        "{}.</p>{}</details>",
        f.name, f.title, f.exponent, f.bias, f.mantissa, f.where, scrolled(f.name, values_table(f)));
  }
  return {"formats.html", framed(frame)};
}

}  // namespace gfxisa::site
