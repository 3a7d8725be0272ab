// Inline constants and literals: which bits a code or a literal stands for, by the type of the operand that reads it.
#include <array>
#include <bit>
#include <vector>

#include "inst/registers.h"

namespace gfxisa {

namespace {

/// The four formats' bits of one of the nine float constants, in the order of their codes.
struct RealBits {
  u32 f32;
  u16 f16, bf16;
  u64 f64;
};

constexpr std::array<RealBits, 9> reals{{
    {0x3f000000, 0x3800, 0x3f00, 0x3fe0000000000000},  // 0.5
    {0xbf000000, 0xb800, 0xbf00, 0xbfe0000000000000},
    {0x3f800000, 0x3c00, 0x3f80, 0x3ff0000000000000},  // 1
    {0xbf800000, 0xbc00, 0xbf80, 0xbff0000000000000},
    {0x40000000, 0x4000, 0x4000, 0x4000000000000000},  // 2
    {0xc0000000, 0xc000, 0xc000, 0xc000000000000000},
    {0x40800000, 0x4400, 0x4080, 0x4010000000000000},  // 4
    {0xc0800000, 0xc400, 0xc080, 0xc010000000000000},
    {0x3e22f983, 0x3118, 0x3e22, 0x3fc45f306dc9c882},  // 1 / (2 pi); bf16 is cut, not rounded
}};

const RealBits* real_bits(u32 f32_bits) {
  for (const RealBits& real : reals) {
    if (real.f32 == f32_bits) return &real;
  }
  return nullptr;
}

constexpr u64 repeated(u64 half) { return half << 16 | half; }

u64 real_value(const RealBits& real, ConstantType type) {
  switch (type) {
    case ConstantType::f16:
    case ConstantType::packed_f16:
    case ConstantType::integer16:
    case ConstantType::mixed_f16:
      return real.f16;
    case ConstantType::repeated_f16:
      return repeated(real.f16);
    case ConstantType::bf16:
    case ConstantType::packed_bf16:
    case ConstantType::mixed_bf16:
      return real.bf16;
    case ConstantType::f64:
    case ConstantType::integer64:
      return real.f64;
    case ConstantType::integer32:
    case ConstantType::packed16:
    case ConstantType::packed_words:
    case ConstantType::f32:
      return real.f32;
  }
  return real.f32;
}

bool is_sixteen(ConstantType type) {
  return type == ConstantType::integer16 || type == ConstantType::f16 || type == ConstantType::bf16 ||
         type == ConstantType::mixed_f16 || type == ConstantType::mixed_bf16;
}

bool is_sixty_four(ConstantType type) {
  return type == ConstantType::integer64 || type == ConstantType::f64 || type == ConstantType::packed_words;
}

u64 integer_value(i32 value, ConstantType type) {
  const u64 extended = static_cast<u64>(static_cast<i64>(value));
  if (is_sixteen(type)) return extended & 0xffff;
  if (type == ConstantType::repeated_f16) return repeated(extended & 0xffff);
  return is_sixty_four(type) && type != ConstantType::packed_words ? extended : extended & 0xffffffff;
}

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

}  // namespace

ConstantType constant_type(std::string_view format, u32 bits) {
  if (format == "pk_f16") return ConstantType::repeated_f16;
  if (format == "b16w") return ConstantType::integer32;
  if (const std::size_t end = format.find('_'); end != std::string_view::npos) {  // a tile of many elements
    const std::string_view element = format.substr(0, end);
    if (element == "f16") return ConstantType::packed_f16;
    if (element == "bf16") return ConstantType::packed_bf16;
    return element == "f32" ? ConstantType::f32 : element == "f64" ? ConstantType::f64 : ConstantType::integer32;
  }
  if (starts_with(format, "f16x")) return ConstantType::packed_f16;
  if (starts_with(format, "bf16x")) return ConstantType::packed_bf16;
  if (starts_with(format, "f32x") || starts_with(format, "b32x")) return ConstantType::packed_words;
  if (format == "f32mix") return ConstantType::mixed_f16;
  if (format == "f32mixb") return ConstantType::mixed_bf16;
  if (starts_with(format, "f32")) return ConstantType::f32;
  if (format == "f16" || format == "f16i") return ConstantType::f16;
  if (format == "bf16") return ConstantType::bf16;
  if (format == "f64") return ConstantType::f64;
  if (starts_with(format, "i16x") || starts_with(format, "u16x") || starts_with(format, "b16x"))
    return ConstantType::packed16;
  if (bits > 32) return ConstantType::integer64;
  return bits == 16 ? ConstantType::integer16 : ConstantType::integer32;
}

ConstantType constant_type(const SlotRow& slot) {
  // Asked of every operand, so what the names of formats say is worked out once, for three sorts of widths.
  static constexpr std::array<u32, 3> widths = {16, 32, 64};
  static const std::vector<std::array<ConstantType, widths.size()>> types = [] {
    std::vector<std::array<ConstantType, widths.size()>> all(tables().data_formats.size());
    for (std::size_t format = 0; format < all.size(); ++format) {
      const std::string_view name = tables().text(tables().data_formats[format].name);
      for (std::size_t i = 0; i < widths.size(); ++i) all[format][i] = constant_type(name, widths[i]);
    }
    return all;
  }();
  if (slot.format >= types.size()) return ConstantType::integer32;
  return types[slot.format][slot.bits == 16 ? 0 : slot.bits == 0 || slot.bits > 32 ? 2 : 1];
}

/// Where the constants lie among the codes, on every chip.
constexpr i64 integer_code = 128, lowest_integer = -16, highest_integer = 64;
constexpr u32 first_real_code = 240;

std::optional<u64> inline_value(unsigned chip, u32 code, ConstantType type) {
  const CodeRow& row = code_row(chip, code);
  if (row.cls == CodeClass::integer) return integer_value(row.value, type);
  if (row.cls != CodeClass::real) return {};
  const RealBits* real = real_bits(static_cast<u32>(row.value));
  if (real == nullptr) return {};
  return real_value(*real, type);
}

std::optional<u32> inline_code(unsigned chip, u64 bits, ConstantType type) {
  const Tables& all = tables();
  if (chip >= all.chips.size()) return {};
  if (type == ConstantType::repeated_f16) {
    // A small integer may be written alone.
    const std::optional<u32> once = inline_code(chip, bits, ConstantType::packed16);
    if (once && *once < first_real_code) return once;
    if (bits != repeated(bits & 0xffff)) return {};
    return inline_code(chip, bits & 0xffff, ConstantType::f16);
  }
  // Integers come first in the table, and no float among the constants has the bits of a small integer.
  const i64 number = sign_extend(bits, is_sixteen(type)                                            ? 16
                                       : is_sixty_four(type) && type != ConstantType::packed_words ? 64
                                                                                                   : 32);
  if (number >= lowest_integer && number <= highest_integer) {
    const u32 code = static_cast<u32>(number >= 0 ? integer_code + number : highest_integer + integer_code - number);
    const std::optional<u64> value = inline_value(chip, code, type);
    if (value && *value == bits) return code;
  }
  for (const RealBits& real : reals) {
    if (real_value(real, type) != bits) continue;
    const u32 code = first_real_code + static_cast<u32>(&real - reals.data());
    if (const std::optional<u64> value = inline_value(chip, code, type); value && *value == bits) return code;
  }
  return {};
}

u64 literal_value(u32 literal, ConstantType type, bool is_signed) {
  if (type == ConstantType::f64) return static_cast<u64>(literal) << 32;
  if (is_sixteen(type)) return literal & 0xffff;
  if (type == ConstantType::integer64 && is_signed) return static_cast<u64>(sign_extend(literal, 32));
  return literal;
}

std::optional<u32> literal_for(u64 bits, ConstantType type, bool is_signed) {
  const u32 literal = static_cast<u32>(type == ConstantType::f64 ? bits >> 32 : bits);
  if (literal_value(literal, type, is_signed) == bits) return literal;
  // A number of 16 or 32 bits may come sign-extended.
  const unsigned width = is_sixteen(type) ? 16 : 32;
  if (!is_sixty_four(type) && static_cast<u64>(sign_extend(bits, width)) == bits)
    return static_cast<u32>(bits & low_ones(width));
  return {};
}

}  // namespace gfxisa
