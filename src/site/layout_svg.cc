// Bit layouts as SVG: a row a word of 32 bits, high bits left. Names too long for their field stand upright in it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "site/html.h"

namespace gfxisa::site {
namespace {

constexpr double bit_width = 30, row_height = 82, box_top = 20, box_height = 52, letter = 7.4;

struct Box {
  const PageField& field;
  unsigned high, low;  ///< within the word
};

std::string_view class_of(const PageField& field, const std::vector<std::string>& operands) {
  if (field.kind == PageField::Kind::unassigned) return "unassigned";
  if (field.kind == PageField::Kind::fixed) return field.name.empty() ? "fixed" : "op";
  if (field.name == "OP") return "op";  // of an encoding, without an instruction
  // VADDR1 and up hold the further registers of VADDR.
  const bool is_operand = std::any_of(operands.begin(), operands.end(), [&](const std::string& operand) {
    return field.name.starts_with(operand) &&
           field.name.find_first_not_of("0123456789", operand.size()) == std::string::npos;
  });
  if (is_operand) return "operand";
  return field.holds_operand ? "spare" : "modifier";
}

std::string label_of(const Box& box, unsigned base) {
  const PageField& field = box.field;
  if (field.kind == PageField::Kind::unassigned) return {};
  if (field.kind == PageField::Kind::field) return field.name;
  return field.bits.substr(field.high - (base + box.high), box.high - box.low + 1);
}

std::string text_at(double x, double y, std::string_view css, std::string_view text, std::string_view more = {}) {
  return fmt::format("<text x=\"{:g}\" y=\"{:g}\" class=\"{}\"{}>{}</text>", x, y, css, more, escape(text));
}

/// A digit above every fixed bit's place, so that one reads them off by column.
std::string digits(const Box& box, std::string_view bits, double y) {
  std::string out;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const double x = (31 - box.high + static_cast<double>(i) + 0.5) * bit_width;
    out += text_at(x, y, "digit", bits.substr(i, 1));
  }
  return out;
}

std::string label_svg(const Box& box, std::string_view label, double x, double y, double width) {
  const double middle_x = x + width / 2, middle_y = y + box_height / 2;
  const double wide = static_cast<double>(label.size()) * letter;
  if (wide + 6 <= width) return text_at(middle_x, middle_y + 4, "name", label);
  // Upright: squeezed when it is longer than the box is high.
  const double room = box_height - 6;
  const std::string squeeze =
      wide > room ? fmt::format(" textLength=\"{:g}\" lengthAdjust=\"spacingAndGlyphs\"", room) : std::string();
  (void)box;
  return text_at(0, 0, "name", label,
                 fmt::format(" transform=\"translate({:g} {:g}) rotate(-90)\"{}", middle_x + 4, middle_y, squeeze));
}

std::string box_svg(const Box& box, unsigned base, double y, const std::vector<std::string>& operands) {
  const double x = (31 - box.high) * bit_width, width = (box.high - box.low + 1) * bit_width;
  const std::string label = label_of(box, base);
  const std::string_view css = class_of(box.field, operands);
  const std::string_view name = box.field.kind == PageField::Kind::unassigned ? "unassigned"
                                : box.field.name.empty()                      ? "fixed"
                                                                              : std::string_view(box.field.name);
  std::string out = fmt::format(
      "<g class=\"{}\"><title>{} [{}:{}]</title><rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\"/>", css,
      escape(name), box.field.high, box.field.low, x, y + box_top, width, box_height);
  if (box.field.kind == PageField::Kind::fixed) {
    out += digits(box, label, y + box_top + (css == "op" ? 36 : 31));
    if (css == "op" && width > 30) out += text_at(x + width / 2, y + box_top + 16, "small", "OP");
  } else if (!label.empty()) {
    out += label_svg(box, label, x, y + box_top, width);
  }
  out += text_at(x + (box.high == box.low ? width / 2 : 9), y + 14, "bit", fmt::format("{}", base + box.high));
  if (box.high != box.low) out += text_at(x + width - 9, y + 14, "bit", fmt::format("{}", base + box.low));
  return out + "</g>";
}

}  // namespace

std::string layout_svg(std::span<const PageField> fields, unsigned bits, const std::vector<std::string>& operands,
                       std::string_view label) {
  const unsigned words = bits / 32;
  std::string out = fmt::format(
      "<div class=\"layout\" tabindex=\"0\" role=\"group\" aria-label=\"{0}\"><svg viewBox=\"-1 0 {1:g} {2:g}\" "
      "role=\"img\" "
      "aria-label=\"{0}\">",
      escape(label), 32 * bit_width + 2, words * row_height);
  for (unsigned row = 0; row < words; ++row) {
    const unsigned base = (words - 1 - row) * 32;
    for (const PageField& field : fields) {
      if (field.low > base + 31 || field.high < base) continue;
      const Box box{field, std::min(field.high, base + 31) - base, std::max(field.low, base) - base};
      out += box_svg(box, base, row * row_height, operands);
    }
  }
  return out + "</svg></div>\n";
}

}  // namespace gfxisa::site
