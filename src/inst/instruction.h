// A decoded instruction: which form it is, and its words. Small, trivially copyable, made without allocation.
// Operands and modifiers are read from the words when asked, through the tables.
#pragma once
#include <array>
#include <span>
#include <string_view>

#include "base/types.h"
#include "inst/tables.h"

namespace gfxisa {

/// The longest instruction: 16 bytes and an 8-byte literal, rounded up.
inline constexpr unsigned max_words = 6;

struct Instruction {
  u32 form = 0;                        ///< index in tables().forms
  u8 chip = 0;                         ///< index in tables().chips
  u8 size = 0;                         ///< bytes, with suffix or literal; a multiple of 4
  u8 suffix_word = 0;                  ///< word where the suffix or literal starts; 0 when there is none
  u16 suffix = 0xffff;                 ///< index in tables().encodings of DPP16, SDWA, LITERAL, ...; 0xffff none
  std::array<u32, max_words> words{};  ///< in memory order

  const FormRow& form_row() const { return tables().forms[form]; }
  const EncodingRow& encoding() const { return tables().encodings[form_row().encoding]; }
  const InstructionRow& row() const { return tables().instructions[form_row().instruction]; }
  bool has_suffix() const { return suffix != 0xffff; }

  /// Bits [low + width - 1 : low] of the instruction word.
  u64 bits(unsigned low, unsigned width) const {
    const bool is_in_one_word = low % 32 + width <= 32 && low < max_words * 32;
    return is_in_one_word ? words[low / 32] >> low % 32 & low_ones(width) : wide_bits(low, width);
  }
  void set_bits(unsigned low, unsigned width, u64 value) {
    const bool is_in_one_word = low % 32 + width <= 32 && low < max_words * 32;
    if (!is_in_one_word) return set_wide_bits(low, width, value);
    const u32 mask = static_cast<u32>(low_ones(width)) << low % 32;
    u32& word = words[low / 32];
    word = (word & ~mask) | (static_cast<u32>(value) << low % 32 & mask);
  }
  /// The same within the suffix word(s).
  u64 suffix_bits(unsigned low, unsigned width) const;
  void set_suffix_bits(unsigned low, unsigned width, u64 value);
  /// The literal's value (zero-extended), 0 when there is none.
  u64 literal() const;

 private:
  u64 wide_bits(unsigned low, unsigned width) const;
  void set_wide_bits(unsigned low, unsigned width, u64 value);
};

/// One operand as the instruction holds it.
struct OperandValue {
  const SlotRow* slot = nullptr;
  u16 kind = no_kind;
  u32 code = 0;  ///< register code (after the kind's offset), or an immediate's raw bits; of a misaligned tuple
                 ///< of scalar registers the aligned code, since hardware takes no notice of the low bits
  u16 bits = 0;  ///< width; the wave's size for a mask
  bool is_implied = false;
};

/// Code, or an immediate's bits, of an operand of the instruction's form as its own word holds it.
u32 word_code(const Instruction& instruction, const OperandRow& operand);

/// Operand `index` (0 .. form.operand_count - 1); `wave_size` gives masks their width. With a DPP or SDWA suffix the
/// replaced operand is the suffix's.
OperandValue operand_of(const Instruction& instruction, unsigned index, unsigned wave_size);

/// The registers of an operand, in runs: one, unless they have fields of their own.
struct RegisterRun {
  u16 code = 0;  ///< of the first
  u16 count = 0;
};
struct RegisterRuns {
  std::array<RegisterRun, 13> runs{};
  u8 count = 0;
  bool is_odd = false;  ///< the fields do not go together
  std::span<const RegisterRun> all() const { return {runs.data(), count}; }
};
/// Of an operand whose number of registers fields say (OperandRow::count). Empty when the registers end before. Where
/// the fields of the instruction do not go together, or ask for more registers than it has fields for, these are the
/// ones LLVM shows: as few as there can be, or as many as have fields.
RegisterRuns register_runs(const Instruction& instruction, unsigned index);

/// How exactly a form is executed. What is said of an instruction that cannot be executed everywhere counts where there
/// is no body.
Fidelity fidelity_of(const FormRow& form);
/// Why it is not exact; empty when it is.
Text fidelity_reason(const FormRow& form);

/// Opcode field(s) of an encoding as one number, from a word.
u32 opcode_in(const Instruction& instruction, const EncodingRow& encoding);

/// Field of the encoding (or of the suffix) by name; nullptr when it has none on this chip.
const FieldRow* find_field(const EncodingRow& encoding, std::string_view name);
/// The same by index in the string pool, which holds each text once.
const FieldRow* find_field(const EncodingRow& encoding, Text name);

inline const FieldRow* find_field(const EncodingRow& encoding, KnownField name) {
  const u8 index = encoding.known[static_cast<std::size_t>(name)];
  return index == 0xff ? nullptr : &tables().fields[encoding.first_field + index];
}

/// The fields of an encoding or suffix, from high to low bits.
inline std::span<const FieldRow> fields_of(const EncodingRow& encoding) {
  return tables().fields.subspan(encoding.first_field, encoding.field_count);
}
/// The field of a suffix that holds a slot in place of its host's; nullptr when there is none.
const FieldRow* replacing_field(const EncodingRow& suffix, Text slot);

/// The field named like another one with a number behind: where more of its bits lie.
const FieldRow* find_part(const EncodingRow& encoding, const FieldRow& field, unsigned number);
/// The value of a field whose upper bits lie elsewhere: `opsel_hi` in [60:59] and `opsel_hi2` in bit 14, then `..3`.
u64 joined_value(const Instruction& instruction, const FieldRow& field);

/// Bits that a lane holds of a slot: of a mask or a tile it depends on the size of the wave.
u16 slot_bits(const SlotRow& slot, unsigned wave_size);
/// Whether it is a signed number, to which a literal of 32 bits is extended with its sign.
inline bool is_signed(const SlotRow& slot) {
  return slot.format != no_format && tables().text(tables().data_formats[slot.format].kind) == "signed";
}
/// Whether an immediate written in this style is signed.
bool is_signed_style(Style style);
/// Bits of an element by the number of its format: fp8 bf8 fp6 bf6 fp4; 8 for others.
unsigned element_bits(u64 format);

/// Value of a modifier (or any other field) by name, looked up in the suffix first and then in the encoding;
/// `otherwise` when neither has it.
u64 field_value(const Instruction& instruction, std::string_view name, u64 otherwise = 0);

/// Whether an instruction with a `returned` slot gives that value: bit 0 of its glc, sc0 or th field. Without it the
/// slot is not written in text and its field is unused.
bool returns_value(const Instruction& instruction);

/// Whether the address has a scalar base, in encodings that can have one.
bool has_scalar_base(const Instruction& instruction);
/// Whether an address of scratch is said to have neither a scalar nor a vector part, where no bit of its own says so.
bool has_no_address(const Instruction& instruction);

/// Bits of an `acc` field that speak of a slot; 0 when none does.
u64 accumulator_bits(const FieldRow& field, Text slot);

/// Whether what a check asks for matters in this instruction, in waves of so many lanes; 0: of any.
bool applies(const CheckRow& check, const Instruction& instruction, unsigned wave_size = 0);

/// What is special about the suffix with this bit (EncodingRow::suffixes) behind a form that takes it.
const FormSuffixRow& form_suffix(const FormRow& form, unsigned bit);
/// The same of the suffix that an instruction has.
const FormSuffixRow& form_suffix(const Instruction& instruction);

/// Register code of a field's value, by the kind's step and offset; the value itself for immediates.
u32 register_code(u16 kind, u64 value);
/// Whether a suffix is a literal of 32 or 64 bits.
inline bool is_literal(const EncodingRow& suffix) { return suffix.literal_bits != 0; }
/// VCC (its low half) has this code on every chip.
inline constexpr u32 vcc_code = 106;
/// So has a literal of 32 bits behind the word, and where there is one, that of 64.
inline constexpr u32 literal_code = 255, literal64_code = 254;

/// Lanes of a wave where nothing says otherwise: 32 on chips that have such waves.
inline unsigned default_wave_size(unsigned chip) { return (tables().chips[chip].waves & 1) != 0 ? 32 : 64; }

/// Chip index by family name (`cdna5`, `rdna3.5`) or gfx target (`gfx1250`); -1 when unknown.
int find_chip(std::string_view name);

}  // namespace gfxisa
