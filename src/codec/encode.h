// Forms and operand values to instructions. Total: any input gives an instruction or an error that names the operand or
// field.
#pragma once
#include <span>
#include <string_view>

#include "base/result.h"
#include "inst/instruction.h"
#include "inst/registers.h"

namespace gfxisa {

/// What one operand of a form is to hold.
struct OperandInput {
  enum class Kind : u8 {
    none,       ///< the field stays 0
    code,       ///< `value` is a register code, inline constants included
    constant,   ///< `value` is a number in the operand's own format: an inline constant when there is one, else a
                ///< literal
    literal,    ///< `value` is written as a literal even where an inline constant would do
    literal64,  ///< `value` is written as a literal of 64 bits even where 32 would do
    immediate,  ///< `value` is the raw bits of an immediate field (negative numbers sign-extended to 64 bits)
  };
  Kind kind = Kind::none;
  u64 value = 0;
  std::span<const u32> further{};  ///< codes for the fields of the registers after the first, where it has such

  static OperandInput none() { return {}; }
  static OperandInput code(u32 code, std::span<const u32> further = {}) { return {Kind::code, code, further}; }
  static OperandInput constant(u64 bits) { return {Kind::constant, bits, {}}; }
  static OperandInput literal(u64 bits) { return {Kind::literal, bits, {}}; }
  static OperandInput literal64(u64 bits) { return {Kind::literal64, bits, {}}; }
  static OperandInput immediate(i64 value) { return {Kind::immediate, static_cast<u64>(value), {}}; }
};

/// A modifier field by its name in the encoding or suffix (`omod`, `dpp_ctrl`), with its raw value.
struct FieldInput {
  std::string_view name;
  u64 value = 0;
  const FieldRow* row = nullptr;  ///< its row, where it is known; then the name is for messages only
};

inline constexpr u16 no_suffix = 0xffff;

/// Why an encode failed: message, and which operand or field it is about (-1: neither).
struct EncodeError {
  Error error;
  int operand = -1;
  int field = -1;
};

/// Builds the instruction of `form` (index in tables().forms, which fixes the chip).
///   operands: one for each of the form's operands, in their order; implied ones must hold the implied register or be
///   none fields:   modifiers; those not given keep their defaults suffix:   encodings index of DPP16, SDWA, ...;
///   literals need none, they are added when a constant asks for one
Result<Instruction> encode(u32 form, std::span<const OperandInput> operands, std::span<const FieldInput> fields = {},
                           u16 suffix = no_suffix, EncodeError* where = nullptr);

/// The instruction of `form` with its operands 0 and its modifiers' defaults.
Instruction blank_instruction(u32 form);

/// The suffix of that name (`DPP16`, `SDWA`) that a form takes; no_suffix when it takes none. `VOPC` forms take `SDWAB`
/// under the name SDWA too.
u16 find_suffix(u32 form, std::string_view name);

/// Chip index of a form.
unsigned chip_of_form(u32 form);

/// Writes the instruction's bytes (instruction.size of them) to `out`.
void append_bytes(const Instruction& instruction, u8* out);

}  // namespace gfxisa
