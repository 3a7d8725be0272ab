// Data formats, register codes, operand kinds.
#include <algorithm>
#include <array>

#include "base/suggest.h"
#include "lang/tokens.h"
#include "model/builder.h"

namespace gfxisa::model {

namespace {

constexpr std::array<std::string_view, 12> class_names{"sgpr",    "vgpr",      "agpr",    "trap", "integer", "float",
                                                       "literal", "literal64", "special", "dpp",  "dpp8",    "sdwa"};
constexpr std::array<std::string_view, 8> format_kinds{"bits",   "unsigned", "signed",  "float",
                                                       "packed", "mask",     "address", "tile"};
constexpr u32 code_count = 768;

}  // namespace

void Builder::add_formats() {
  for (const lang::File& file : files_) {
    for (const lang::Format& source : file.formats) {
      if (!formats_.emplace(source.name.text, isa_.formats.size()).second) {
        fail(source.name.at, "format '" + source.name.text + "' is declared twice");
        continue;
      }
      if (std::find(format_kinds.begin(), format_kinds.end(), source.kind.text) == format_kinds.end()) {
        fail(source.kind.at, "unknown kind of format '" + source.kind.text + "'",
             suggestion(source.kind.text, {format_kinds.begin(), format_kinds.end()}));
      }
      isa_.formats.push_back({source.name.text, source.kind.text, source.text.text, source.bits});
    }
  }
}

// Formats that bodies know by name are their types; others are words of their width.
core::Type Builder::type_of(const std::string& format) const {
  const core::Type known = core::type_named(format);
  if (known.kind != core::TypeKind::none) return known;
  const auto found = formats_.find(format);
  if (found == formats_.end()) return {};
  const Format& row = isa_.formats[found->second];
  if (row.bits == 0) return {};
  const bool is_address = row.kind == "address" || row.kind == "unsigned";
  const core::TypeKind kind = is_address             ? core::TypeKind::unsigned_
                              : row.kind == "signed" ? core::TypeKind::signed_
                                                     : core::TypeKind::bits;
  return {kind, row.bits};
}

bool Builder::code_class_named(const lang::Word& word, CodeClass& cls) {
  for (std::size_t i = 0; i < class_names.size(); ++i) {
    if (class_names[i] != word.text) continue;
    cls = static_cast<CodeClass>(i);
    return true;
  }
  fail(word.at, "unknown class of codes '" + word.text + "'",
       suggestion(word.text, {class_names.begin(), class_names.end()}));
  return false;
}

void Builder::add_codes() {
  for (const lang::File& file : files_) {
    for (const lang::Code& source : file.codes) {
      Code code;
      if (!code_class_named(source.cls, code.cls)) continue;
      code.first = source.first;
      code.last = source.last;
      code.name = source.name.text;
      code.value = source.value;
      code.step = source.step;
      code.is_even = source.is_even;
      code.chips = resolve(source.on);
      if (code.cls == CodeClass::special && code.last - code.first > 1) {
        fail(source.at, "a special register has one code, or two for a pair");
      }
      isa_.codes.push_back(std::move(code));
    }
  }
  check_codes();
}

// Each code means one thing on a chip.
void Builder::check_codes() {
  for (u32 chip = 0; chip < isa_.chips.size(); ++chip) {
    std::array<bool, code_count> taken{};
    for (const lang::File& file : files_) {
      for (const lang::Code& source : file.codes) {
        if ((resolve(source.on) >> chip & 1) == 0) continue;
        for (u32 code = source.first; code <= source.last && code < code_count; ++code) {
          if (taken[code]) {
            fail(source.at, "code " + std::to_string(code) + " means two things on " + isa_.chips[chip].name);
            break;
          }
          taken[code] = true;
        }
      }
    }
  }
}

// `vcc`, `vcc_hi`, or an integer that has a code.
std::optional<u32> Builder::code_of(std::string_view name, u32 chip) const {
  const bool negative = !name.empty() && name[0] == '-';
  u64 magnitude = 0;
  const bool is_number = lang::parse_number(name.substr(negative), magnitude) && magnitude <= 0xffff;
  const i64 number = negative ? -static_cast<i64>(magnitude) : static_cast<i64>(magnitude);
  for (const Code& code : isa_.codes) {
    if ((code.chips >> chip & 1) == 0) continue;
    if (is_number && code.cls == CodeClass::integer) {
      for (u32 i = 0; i <= code.last - code.first; ++i) {
        if (static_cast<i64>(code.value) + code.step * static_cast<i64>(i) == number) return code.first + i;
      }
    }
    if (code.cls != CodeClass::special) continue;
    if (code.name == name || (code.last != code.first && code.name + "_lo" == name)) return code.first;
    if (code.last != code.first && code.name + "_hi" == name) return code.last;
  }
  return std::nullopt;
}

void Builder::add_kinds() {
  for (const lang::File& file : files_) {
    for (const lang::OperandKind& kind : file.kinds) add_kind(kind);
  }
}

void Builder::add_kind(const lang::OperandKind& source) {
  OperandKind kind;
  kind.name = source.name.text;
  kind.about = source.about.text;
  kind.bits = source.bits;
  kind.scale = source.scale;
  kind.offset = source.offset;
  kind.chips = resolve(source.on);
  for (const lang::KindClass& entry : source.classes) {
    CodeClass cls{};
    if (!code_class_named(entry.cls, cls)) continue;
    kind.classes |= 1U << static_cast<u32>(cls);
    if (cls == CodeClass::vgpr && entry.only.size() == 1 && entry.only[0].text == "odd") {
      kind.takes_odd = true;
      continue;
    }
    if (!entry.only.empty() && cls != CodeClass::special)
      fail(entry.cls.at, "only special registers are listed by name");
    for (const lang::Word& name : entry.only) {
      const auto named = [&](const Code& code) {
        const bool is_half =
            code.last != code.first && (name.text == code.name + "_lo" || name.text == code.name + "_hi");
        return code.cls == CodeClass::special && (code.name == name.text || is_half);
      };
      if (std::none_of(isa_.codes.begin(), isa_.codes.end(), named)) {
        std::vector<std::string_view> names;
        for (const Code& code : isa_.codes) names.push_back(code.name);
        fail(name.at, "unknown special register '" + name.text + "'", suggestion(name.text, names));
      }
      kind.specials.push_back(name.text);
    }
  }
  std::vector<u32>& others = kinds_[kind.name];
  for (const u32 other : others) {
    if (isa_.kinds[other].chips & kind.chips) {
      fail(source.name.at,
           "kind '" + kind.name + "' is declared twice on " + chip_names(isa_.kinds[other].chips & kind.chips));
    }
  }
  others.push_back(static_cast<u32>(isa_.kinds.size()));
  isa_.kinds.push_back(std::move(kind));
}

// The first of the kinds of that name; which one counts on a chip is Isa::kind_on's to say.
std::optional<u32> Builder::kind_named(const lang::Word& name) {
  const auto found = kinds_.find(name.text);
  if (found != kinds_.end()) return found->second.front();
  std::vector<std::string_view> names;
  for (const OperandKind& kind : isa_.kinds) names.push_back(kind.name);
  fail(name.at, "unknown operand kind '" + name.text + "'", suggestion(name.text, names));
  return std::nullopt;
}

u32 Builder::find_kind(const std::string& name, u32 chip) const {
  if (const auto found = kinds_.find(name); found != kinds_.end()) {
    for (const u32 index : found->second) {
      if (isa_.kinds[index].chips >> chip & 1) return index;
    }
  }
  return static_cast<u32>(isa_.kinds.size());
}

}  // namespace gfxisa::model
