#include "inst/registers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <unordered_map>

namespace gfxisa {

namespace {

constexpr u32 code_count = register_code_count;
constexpr u32 last_special = 256;  ///< from here on codes are vector registers

bool is_numbered(CodeClass cls) {
  return cls == CodeClass::sgpr || cls == CodeClass::vgpr || cls == CodeClass::agpr || cls == CodeClass::trap;
}

constexpr std::string_view prefix_of(CodeClass cls) {
  switch (cls) {
    case CodeClass::sgpr:
      return "s";
    case CodeClass::vgpr:
      return "v";
    case CodeClass::agpr:
      return "a";
    case CodeClass::trap:
      return "ttmp";
    default:
      return {};
  }
}

/// Whether `count` registers from `code` on are all of its class, and for specials of its pair.
bool tuple_fits(unsigned chip, u32 code, u32 count) {
  const CodeRow& first = code_row(chip, code);
  if (first.cls == CodeClass::special) {
    if (tables().text(first.name) == "null") return true;
    const bool is_pair =
        code_row(chip, code ^ 1).cls == CodeClass::special && code_row(chip, code ^ 1).name == first.name;
    return count == 1 || tables().text(first.name) == "null" || (count == 2 && (!is_pair || first.value == 0));
  }
  if (!is_numbered(first.cls)) return true;
  return code + count <= code_count && code_row(chip, code + count - 1).cls == first.cls;
}

bool is_pair_name(unsigned chip, u32 code) {
  const CodeRow& row = code_row(chip, code);
  if (row.cls != CodeClass::special) return false;
  const auto same = [&](const CodeRow& other) { return other.cls == CodeClass::special && other.name == row.name; };
  return (code > 0 && same(code_row(chip, code - 1))) || same(code_row(chip, code + 1));
}

void append_special(std::string& out, unsigned chip, u32 code, u32 count) {
  const CodeRow& row = code_row(chip, code);
  out += tables().text(row.name);
  if (count == 1 && is_pair_name(chip, code)) out += row.value == 0 ? "_lo" : "_hi";
}

/// Texts of up to four characters, put all alike: a processor cannot know beforehand how long the next is.
struct ShortText {
  char text[4] = {};
  u32 size = 0;
  constexpr ShortText() = default;
  constexpr explicit ShortText(std::string_view from) {
    for (const char c : from) text[size++] = c;
  }
  char* put(char* out) const {
    std::memcpy(out, text, sizeof text);
    return out + size;
  }
};

constexpr std::array<ShortText, 1000> numbers = [] {
  std::array<ShortText, 1000> all;
  for (u32 value = 0; value < all.size(); ++value) {
    ShortText& number = all[value];
    if (value >= 100) number.text[number.size++] = static_cast<char>('0' + value / 100);
    if (value >= 10) number.text[number.size++] = static_cast<char>('0' + value / 10 % 10);
    number.text[number.size++] = static_cast<char>('0' + value % 10);
  }
  return all;
}();

constexpr std::size_t class_count = static_cast<std::size_t>(CodeClass::sdwa) + 1;
constexpr std::array<ShortText, class_count> prefixes = [] {
  std::array<ShortText, class_count> all;
  for (std::size_t cls = 0; cls < class_count; ++cls) all[cls] = ShortText(prefix_of(static_cast<CodeClass>(cls)));
  return all;
}();

/// A numbered register or a group of them, which have three digits at most.
char* put_numbered(char* out, const CodeRow& row, u32 count) {
  out = prefixes[static_cast<std::size_t>(row.cls)].put(out);
  if (count != 1) *out++ = '[';
  out = put_number(out, static_cast<u32>(row.value));
  if (count != 1) {
    *out++ = ':';
    out = put_number(out, static_cast<u32>(row.value) + count - 1);
    *out++ = ']';
  }
  return out;
}

void append_integer(std::string& out, i32 value) {
  char text[16];
  out.append(text, static_cast<std::size_t>(std::to_chars(text, text + sizeof text, value).ptr - text));
}

void append_real(std::string& out, i32 f32_bits) {
  f32 value = 0;
  static_assert(sizeof value == sizeof f32_bits);
  __builtin_memcpy(&value, &f32_bits, sizeof value);
  // The only constant with a long expansion is 1 / (2 pi); it is written with the digits that name it.
  if (static_cast<u32>(f32_bits) == 0x3e22f983) {
    out += "0.15915494";
    return;
  }
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, 1).ptr;
  out.append(text, static_cast<std::size_t>(end - text));
}

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

std::optional<u32> number_of(std::string_view text) {
  u32 value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return value;
}

std::optional<NamedRegister> numbered(unsigned chip, CodeClass cls, std::string_view rest) {
  if (rest.front() != '[' && (rest.front() < '0' || rest.front() > '9')) return {};
  if (rest.size() < 2 || rest.front() != '[' || rest.back() != ']') {
    const std::optional<u32> number = number_of(rest);
    const std::optional<u32> code = number ? register_of(chip, cls, *number) : std::nullopt;
    if (!code) return {};
    return NamedRegister{*code, 32};
  }
  rest = rest.substr(1, rest.size() - 2);
  const std::size_t colon = rest.find(':');
  const std::optional<u32> first = number_of(rest.substr(0, colon));
  const std::optional<u32> last = colon == std::string_view::npos ? first : number_of(rest.substr(colon + 1));
  if (!first || !last || *last < *first || *last - *first >= 32) return {};
  const std::optional<u32> code = register_of(chip, cls, *first);
  if (!code || !register_of(chip, cls, *last)) return {};
  return NamedRegister{*code, (*last - *first + 1) * 32};
}

/// The names of a chip's specials by their text, made when first asked for: an assembler asks of every word whether it
/// is one.
using SpecialNames = std::unordered_map<std::string, NamedRegister, TextHash, std::equal_to<>>;

/// `vcc` with `vcc_lo` and `vcc_hi`; `m0`; `src_scc`, also without the `src_`.
void add_special(SpecialNames& names, unsigned chip, u32 code) {
  const CodeRow& row = code_row(chip, code);
  const std::string own(tables().text(row.name));
  const bool is_pair = is_pair_name(chip, code);
  const u32 bits = is_pair ? 64 : own == "m0" ? 32 : 0;
  names.emplace(own, NamedRegister{code, bits});
  if (own.starts_with("src_")) names.emplace(own.substr(4), NamedRegister{code, bits});
  if (is_pair) names.emplace(own + (row.value == 0 ? "_lo" : "_hi"), NamedRegister{code, 32});
}

std::array<SpecialNames, chip_count> all_special_names() {
  std::array<SpecialNames, chip_count> names;
  for (unsigned chip = 0; chip < chip_count && chip < tables().chips.size(); ++chip) {
    for (u32 code = 0; code < last_special; ++code) {
      if (code_row(chip, code).cls == CodeClass::special) add_special(names[chip], chip, code);
    }
  }
  return names;
}

std::optional<NamedRegister> special(unsigned chip, std::string_view name) {
  static const std::array<SpecialNames, chip_count> names = all_special_names();
  if (chip >= names.size()) return {};
  const auto found = names[chip].find(name);
  return found == names[chip].end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

char* put_number(char* out, u32 value) { return numbers[value % numbers.size()].put(out); }

char* put_register_name(char* out, unsigned chip, u32 code, u32 count) {
  const CodeRow& row = code_row(chip, code);
  if (!is_numbered(row.cls) || (count != 1 && code_row(chip, code + count - 1).cls != row.cls)) return nullptr;
  return put_numbered(out, row, count);
}

bool append_code_name(std::string& out, unsigned chip, u32 code, u32 bits) {
  const CodeRow& row = code_row(chip, code);
  const u32 count = register_count(bits);
  if (row.cls == CodeClass::none || !tuple_fits(chip, code, count)) return false;
  switch (row.cls) {
    case CodeClass::integer:
      append_integer(out, row.value);
      return true;
    case CodeClass::real:
      append_real(out, row.value);
      return true;
    case CodeClass::special:
      append_special(out, chip, code, count);
      return true;
    case CodeClass::literal:
      out += "literal";
      return true;
    case CodeClass::literal64:
      out += "literal64";
      return true;
    case CodeClass::dpp:
      out += "dpp";
      return true;
    case CodeClass::dpp8:
      out += "dpp8";
      return true;
    case CodeClass::sdwa:
      out += "sdwa";
      return true;
    default:
      break;
  }
  char text[32];
  out.append(text, static_cast<std::size_t>(put_numbered(text, row, count) - text));
  return true;
}

std::string code_name(unsigned chip, u32 code, u32 bits) {
  std::string out;
  append_code_name(out, chip, code, bits);
  return out;
}

std::optional<u32> register_of(unsigned chip, CodeClass cls, u32 number) {
  const Tables& all = tables();
  if (chip >= all.chips.size() || !is_numbered(cls)) return {};
  const auto is_it = [&](u32 code) {
    const CodeRow& row = code_row(chip, code);
    return row.cls == cls && static_cast<u32>(row.value) == number;
  };
  // Registers of a class have codes in a row, but for parts that lie elsewhere.
  const u32 guess = all.chips[chip].first_register[static_cast<unsigned>(cls)] + number;
  if (is_it(guess)) return guess;
  for (u32 code = guess + 1; code < code_count; ++code) {
    if (is_it(code)) return code;
  }
  return {};
}

std::optional<NamedRegister> find_register(unsigned chip, std::string_view name) {
  for (const CodeClass cls : {CodeClass::trap, CodeClass::sgpr, CodeClass::vgpr, CodeClass::agpr}) {
    const std::string_view prefix = prefix_of(cls);
    if (name.size() <= prefix.size() || name.substr(0, prefix.size()) != prefix) continue;
    if (const auto found = numbered(chip, cls, name.substr(prefix.size()))) return found;
  }
  return special(chip, name);
}

}  // namespace gfxisa
