// Parts of the disassembler. A Line is one instruction on its way to text; each function appends one part.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "inst/instruction.h"
#include "text/disassemble.h"
#include "text/named_values.h"

namespace gfxisa::text {

struct Line {
  std::string& out;
  const Instruction& instruction;
  unsigned wave_size;
  Chips chip;

  const Tables& all = tables();
  const FormRow& form = instruction.form_row();
  const EncodingRow& encoding = instruction.encoding();
  const EncodingRow* suffix = instruction.has_suffix() ? &tables().encodings[instruction.suffix] : nullptr;
};

void append_decimal(std::string& out, i64 value);
/// `0x1f`, without leading zeros.
void append_hex(std::string& out, u64 value);

/// The signs around a source operand.
struct Signs {
  bool neg = false, abs = false, sext = false;
};
Signs signs_of(const Line& line, const SlotRow& slot, int source);
/// Whether a stage of a word applies such a sign (`neg`, `abs`, `sext`) to operands like this one.
bool takes_sign(const EncodingRow& encoding, const SlotRow& slot, std::string_view sign);

/// An operand with its neg, abs, sext around it.
void append_operand(Line& line, unsigned index);
/// An operand of as many registers as fields say: `v[4:6]`, or `[v4, v7, v[8:9]]` where they have fields of their own.
void append_registers(Line& line, unsigned index);
/// A constant of an instruction word as the operand reads it: `0x1234`, or `lit(0x40)` where an inline constant says
/// the same.
void append_literal(Line& line, const SlotRow& slot, u64 literal, bool is_64_bits);

/// A constant of 64 bits in hexadecimal, or `lit64(0x12)` where the number alone would be read as half of it.
void append_long_constant(std::string& out, u64 value, bool is_wrapped);

/// An immediate as its style says.
void append_immediate(Line& line, Style style, u64 value, unsigned width);
/// Whether a style of immediates writes nothing for this value.
bool is_silent(Style style, u64 value);

/// Whether lanes can be moved this way (dpp_ctrl): operands of 64 bits know only row_newbcast, on the chips that have
/// it.
bool takes_dpp_control(Chips chip, const FormRow& form, u64 control);
/// A modifier of the word or of its suffix, with a space before it; nothing when it holds its default.
void append_modifier(Line& line, const FieldRow& field, u64 value, bool in_suffix);

/// How a form reads halves in scalar registers. LLVM's types differ by format: compares write inline halves by their
/// bits, and operations with one source take any word.
enum class HalfReading : u8 { plain, by_bits, whole_word };
HalfReading half_reading(const FormRow& form, const SlotRow& slot);
/// Where the half of a 16-bit vector register is said: nowhere, in bit 7 of its number, or in op_sel. LLVM writes
/// halves (`v4.l`, `v4.h`) on RDNA 3 and 3.5 only.
enum class HalfPlace : u8 { none, register_number, opsel };
HalfPlace half_place(Chips chip, const EncodingRow& encoding, const SlotRow& slot);
/// The register whose half an operand is; none where registers are read and written whole.
struct Half {
  u32 code;
  bool is_high;
};
std::optional<Half> half_of(const Line& line, u32 code, const SlotRow& slot);
/// Whether an operand is a register or a constant that a field holds or the form implies, and nothing but half_place
/// and fields of Style::acc has a say in what it is.
bool is_plain_operand(const EncodingRow& encoding, const OperandRow& operand, const SlotRow& slot);
/// The bits of op_sel that an interpolation looks at: of its first and third source in text, and of its result.
inline constexpr u64 interpolation_halves = 0b1101;
/// Bit of op_sel that belongs to a slot: 0 to 2 for sources, 3 for the result.
unsigned opsel_bit(std::string_view slot);

/// Number of the source that a slot is (a 0, b 1, c 2); -1 when it is none.
int source_number(std::string_view slot);
/// The sources of a form that are registers.
unsigned source_count(const Line& line);

}  // namespace gfxisa::text
