#include <cmath>
#include <cstring>

#include "inst/registers.h"
#include "text/form_parser.h"

namespace gfxisa::text {

namespace {

struct RegisterFile {
  std::string_view prefix;
  CodeClass cls;
};
constexpr RegisterFile files[] = {{"s", CodeClass::sgpr},
                                  {"v", CodeClass::vgpr},
                                  {"a", CodeClass::agpr},
                                  {"acc", CodeClass::agpr},
                                  {"ttmp", CodeClass::trap}};

/// The file whose registers `name` starts with: `s5`, or `s` before a bracket. `number` is -1 in the second case.
const RegisterFile* file_of(std::string_view name, i64& number) {
  for (const RegisterFile& file : files) {
    if (!name.starts_with(file.prefix)) continue;
    const std::string_view digits = name.substr(file.prefix.size());
    if (digits.size() > 4) continue;
    number = digits.empty() ? -1 : 0;
    bool is_number = true;
    for (const char c : digits) {
      is_number &= c >= '0' && c <= '9';
      number = number * 10 + (c - '0');
    }
    if (is_number) return &file;
  }
  return nullptr;
}

std::optional<ReadRegister> registers(const ParserContext& context, CodeClass cls, i64 first, i64 last) {
  if (first < 0 || last < first || last - first >= 32) return std::nullopt;
  const auto code = register_of(context.chip, cls, static_cast<u32>(first));
  if (!code || (last != first && !register_of(context.chip, cls, static_cast<u32>(last)))) return std::nullopt;
  return ReadRegister{*code, static_cast<u32>(last - first + 1) * 32};
}

/// `[4:7]`, `[4]` after the letter of a file.
std::optional<ReadRegister> parse_range(Cursor& cursor, const ParserContext& context, CodeClass cls) {
  Value first, last;
  if (!cursor.take('[') || !parse_known(cursor, context.symbols, first)) return std::nullopt;
  last = first;
  if (cursor.take(':') && !parse_known(cursor, context.symbols, last)) return std::nullopt;
  if (!cursor.take(']')) return std::nullopt;
  return registers(context, cls, first.integer, last.integer);
}

std::optional<ReadRegister> parse_single(Cursor& cursor, const ParserContext& context) {
  if (const auto plain = parse_plain_register(cursor, context)) return plain;
  const std::string_view name = cursor.peek_identifier();
  if (name.empty()) return std::nullopt;
  i64 number = 0;
  if (const RegisterFile* file = file_of(name, number)) {
    if (number >= 0) {
      const auto found = registers(context, file->cls, number, number);
      if (found) cursor.go_to(cursor.at() + name.size());
      return found;
    }
    if (cursor.peek_after(name.size()) == '[') {
      cursor.go_to(cursor.at() + name.size());
      return parse_range(cursor, context, file->cls);
    }
  }
  const auto found = find_register(context.chip, name);
  if (!found) return std::nullopt;
  cursor.take_identifier();
  return ReadRegister{found->code, found->bits};
}

/// `[s4,s5]`: registers in a row, written one by one.
std::optional<ReadRegister> parse_list(Cursor& cursor, const ParserContext& context) {
  if (!cursor.take('[')) return std::nullopt;
  std::optional<ReadRegister> all;
  do {
    const auto next = parse_single(cursor, context);
    if (!next || next->bits == 0) return std::nullopt;
    if (all && next->code != all->code + all->bits / 32) return std::nullopt;
    if (all)
      all->bits += next->bits;
    else
      all = next;
  } while (cursor.take(','));
  return cursor.take(']') ? all : std::nullopt;
}

/// Rounds a double to a float format with that many exponent and mantissa bits, to nearest even.
u16 to_small_float(double value, int exponent_bits, int mantissa_bits) {
  const u16 sign = std::signbit(value) ? 0x8000 : 0;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const u16 infinity = static_cast<u16>(((1 << exponent_bits) - 1) << mantissa_bits);
  if (std::isnan(value)) return static_cast<u16>(sign | infinity | 1u << (mantissa_bits - 1));
  value = std::fabs(value);
  if (std::isinf(value)) return sign | infinity;
  if (value == 0) return sign;
  int exponent = 0;
  std::frexp(value, &exponent);                  // value = m * 2^exponent, m in [0.5, 1)
  if (exponent < 2 - bias) exponent = 2 - bias;  // denormals share the lowest exponent
  const double scaled = std::nearbyint(std::ldexp(value, mantissa_bits + 1 - exponent));
  // A mantissa that rounds up carries into the exponent, which is just what adding does.
  const long bits = static_cast<long>(scaled) + (static_cast<long>(exponent - 2 + bias) << mantissa_bits);
  return bits >= infinity ? sign | infinity : static_cast<u16>(sign | bits);
}

}  // namespace

std::optional<ReadRegister> parse_plain_register(Cursor& cursor, const ParserContext& context) {
  const char file = cursor.peek();
  if (file != 's' && file != 'v') return std::nullopt;
  std::size_t at = 1;
  const auto number = [&](u32& value) {
    const std::size_t start = at;
    value = 0;
    for (char c = cursor.peek_after(at); c >= '0' && c <= '9' && at - start < 4; c = cursor.peek_after(++at))
      value = value * 10 + static_cast<u32>(c - '0');
    return at != start;
  };
  const bool is_group = cursor.peek_after(at) == '[';
  if (is_group) ++at;
  u32 first = 0;
  if (!number(first)) return std::nullopt;
  u32 last = first;
  if (is_group) {
    if (cursor.peek_after(at++) != ':' || !number(last) || cursor.peek_after(at++) != ']') return std::nullopt;
  }
  char half = 0;
  if (file == 'v' && !is_group && cursor.peek_after(at) == '.') {
    half = cursor.peek_after(at + 1);
    if (half != 'l' && half != 'h') return std::nullopt;
    at += 2;
  }
  if (is_name_character(cursor.peek_after(at))) return std::nullopt;
  // Registers of a class have codes in a row; those that lie elsewhere are found by others.
  const CodeClass cls = file == 's' ? CodeClass::sgpr : CodeClass::vgpr;
  const u32 code = tables().chips[context.chip].first_register[static_cast<unsigned>(cls)] + first;
  const CodeRow& last_row = code_row(context.chip, code + last - first);
  if (last < first || last - first >= 32 || last_row.cls != cls || static_cast<u32>(last_row.value) != last)
    return std::nullopt;
  cursor.go_to(cursor.at() + at);
  return ReadRegister{code, (last - first + 1) * 32, half};
}

std::optional<ReadRegister> parse_register(Cursor& cursor, const ParserContext& context) {
  const char c = cursor.peek();
  const std::size_t start = cursor.at();
  // A name that is no register may still be an expression: what failed in between is no error yet.
  const auto found = c == '[' ? parse_list(cursor, context) : parse_single(cursor, context);
  if (!found) cursor.go_to(start);
  return found;
}

u16 to_half_bits(double value) { return to_small_float(value, 5, 10); }
u16 to_bfloat_bits(double value) { return to_small_float(value, 8, 7); }

}  // namespace gfxisa::text
