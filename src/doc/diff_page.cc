// One instruction on two generations: layouts, operands and semantics side by side.
#include <fmt/format.h>

#include <algorithm>

#include "doc/diff.h"
#include "doc/page.h"
#include "inst/tables.h"

namespace gfxisa {
namespace {

using Lines = std::vector<std::string>;

Lines split(std::string_view text) {
  Lines out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string range_text(const PageField& field) {
  return field.high == field.low ? fmt::format("{}", field.low) : fmt::format("{}:{}", field.high, field.low);
}

Lines layout_lines(const PageEncoding& encoding) {
  Lines out{fmt::format("{} bits, opcode {}, {}", encoding.bits, encoding.opcode, encoding.identifier)};
  for (const PageField& field : encoding.fields) {
    const std::string what = field.kind == PageField::Kind::unassigned ? "-"
                             : field.kind == PageField::Kind::field    ? field.name
                             : field.name.empty()                      ? field.bits
                                                                       : field.name + " " + field.bits;
    out.push_back(fmt::format("  {:>7}  {}", range_text(field), what));
  }
  for (const PageOperand& o : encoding.operands) {
    out.push_back(fmt::format("  {} in {}, {}, {} {}", o.name, o.field, o.access, o.kind, o.format));
  }
  return out;
}

/// Two texts beside each other; a mark between them where lines differ.
void beside(std::string& out, const Lines& left, const Lines& right, unsigned width) {
  const std::size_t column = std::max(30u, (width - 5) / 2);
  for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    const std::string a = i < left.size() ? left[i] : "", b = i < right.size() ? right[i] : "";
    std::string line = fmt::format("{:<{}} {} {}", a, column, a == b ? ' ' : '|', b);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
}

const PageEncoding* find_encoding(const Page& page, const std::string& name) {
  for (const PageEncoding& encoding : page.encodings) {
    if (encoding.name == name) return &encoding;
  }
  return nullptr;
}

/// Encodings of both in pairs: of the same name, else in order, else alone.
std::vector<std::pair<const PageEncoding*, const PageEncoding*>> pairs_of(const Page& a, const Page& b) {
  std::vector<std::pair<const PageEncoding*, const PageEncoding*>> out;
  Lines paired;
  for (const PageEncoding& encoding : a.encodings) {
    const PageEncoding* other = find_encoding(b, encoding.name);
    if (other == nullptr && a.encodings.size() == 1 && b.encodings.size() == 1) other = b.encodings.data();
    if (other != nullptr) paired.push_back(other->name);
    out.emplace_back(&encoding, other);
  }
  for (const PageEncoding& encoding : b.encodings) {
    if (std::find(paired.begin(), paired.end(), encoding.name) == paired.end()) out.emplace_back(nullptr, &encoding);
  }
  return out;
}

struct Both {
  Page from, to;
};

Result<Both> pages_of(std::string_view mnemonic, unsigned from, unsigned to) {
  auto a = make_page(mnemonic, static_cast<int>(from));
  auto b = make_page(mnemonic, static_cast<int>(to));
  if (a && b) return Both{std::move(*a), std::move(*b)};
  // An instruction is one entry under two mnemonics; the name that one generation knows finds it on the other, too.
  if (!a) return a.error();
  return b.error();
}

}  // namespace

Result<std::string> diff_text(std::string_view mnemonic, unsigned from, unsigned to, unsigned width) {
  const auto both = pages_of(mnemonic, from, to);
  if (!both) return both.error();
  std::string out;
  beside(out, {both->from.mnemonic + "  " + both->from.chip_title}, {both->to.mnemonic + "  " + both->to.chip_title},
         width);
  for (const auto& [a, b] : pairs_of(both->from, both->to)) {
    out += '\n';
    beside(out, {a == nullptr ? "(no such encoding)" : "Encoding " + a->name},
           {b == nullptr ? "(no such encoding)" : "Encoding " + b->name}, width);
    beside(out, a == nullptr ? Lines{} : layout_lines(*a), b == nullptr ? Lines{} : layout_lines(*b), width);
  }
  out += "\nSemantics\n";
  beside(out, split(both->from.semantics), split(both->to.semantics), width);
  if (both->from.semantics == both->to.semantics) out += "(the same)\n";
  return out;
}

Result<std::string> diff_json(std::string_view mnemonic, unsigned from, unsigned to) {
  const auto both = pages_of(mnemonic, from, to);
  if (!both) return both.error();
  return fmt::format("{{\n\"from\": {},\n\"to\": {},\n\"same_semantics\": {}\n}}\n", render_json(both->from),
                     render_json(both->to), both->from.semantics == both->to.semantics);
}

}  // namespace gfxisa
