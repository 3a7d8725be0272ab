// Register codes, their names, and the constants that have codes of their own.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "inst/instruction.h"

namespace gfxisa {

/// The row of a code on a chip; a row of class none for codes above 511.
inline const CodeRow& code_row(unsigned chip, u32 code) {
  static constexpr CodeRow none{};
  const Tables& all = tables();
  if (chip >= all.chips.size() || code >= register_code_count) return none;
  return all.codes[all.chips[chip].first_code + code];
}

/// Whether an instruction of this encoding may be followed by a literal of 64 bits: of one word, on CDNA 5.
inline bool takes_long_literals(unsigned chip, const EncodingRow& encoding) {
  return encoding.bits == 32 && code_row(chip, literal64_code).cls == CodeClass::literal64;
}

/// Registers needed for a value of that many bits: 1 up to 32 bits, 2 up to 64, ...
constexpr u32 register_count(u32 bits) { return bits <= 32 ? 1 : (bits + 31) / 32; }

/// Appends the name of what a code means for a value of `bits` bits: `s5`, `s[4:5]`, `v[0:3]`, `vcc`, `vcc_lo`,
/// `ttmp3`, `null`, `0.5`,
/// `-4`, `src_scc`, `literal`. False, and nothing appended, when the code means nothing on the chip or the register
/// tuple ends outside its class.
bool append_code_name(std::string& out, unsigned chip, u32 code, u32 bits);
/// Puts the name of a numbered register, or of a group, at `out`: `v7`, `s[4:5]`; the end of what was put, at most 16
/// characters. Null, and nothing put, when the group ends outside its class or the code is no such register.
char* put_register_name(char* out, unsigned chip, u32 code, u32 count);
/// Puts a number below 1000 in decimal; the end of what was put.
char* put_number(char* out, u32 value);
std::string code_name(unsigned chip, u32 code, u32 bits);

/// A register as named: its code and width in bits. `bits` is 0 for specials without a width of their own (`src_scc`,
/// `null`).
struct NamedRegister {
  u32 code = 0;
  u32 bits = 0;
};
/// Finds `s5`, `v7`, `a3`, `ttmp2`, `s[4:7]`, `vcc`, `vcc_lo`, `exec_hi`, `m0`, `null`, `src_scc`, also `scc`. Empty
/// when the chip has none such.
std::optional<NamedRegister> find_register(unsigned chip, std::string_view name);
/// Code of register `number` of a class (sgpr, vgpr, agpr, trap); empty when the chip has no such register.
std::optional<u32> register_of(unsigned chip, CodeClass cls, u32 number);

/// How an operand reads a constant.
enum class ConstantType : u8 {
  integer16,
  integer32,
  integer64,
  f16,
  bf16,
  f32,
  f64,
  packed16,
  packed_f16,
  packed_bf16,
  repeated_f16,  ///< two f16 of which an inline constant is both
  packed_words,  ///< 64 bits whose constants are those of 32
  mixed_f16,     ///< written as an f16; read as an f32 or an f16, as the instruction says
  mixed_bf16
};
/// By the slot's data format and width.
ConstantType constant_type(const SlotRow& slot);
ConstantType constant_type(std::string_view format, u32 bits);

/// Bits that inline constant `code` has for an operand of that type; empty when the code is no inline constant.
/// Integers are sign-extended to the width, also for floats (their bits are the integer's). Floats in integers of 32
/// and 64 bits are f32 and f64, in 16 bits f16.
std::optional<u64> inline_value(unsigned chip, u32 code, ConstantType type);
/// The code whose value for that type has exactly these bits; empty when there is none.
std::optional<u32> inline_code(unsigned chip, u64 bits, ConstantType type);

/// What a 32-bit literal is worth for an operand: f64 takes it as the upper half, signed integers of 64 bits extend its
/// sign.
u64 literal_value(u32 literal, ConstantType type, bool is_signed);
/// The literal that gives these bits; empty when none does.
std::optional<u32> literal_for(u64 bits, ConstantType type, bool is_signed);

}  // namespace gfxisa
