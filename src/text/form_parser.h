// Reads the operands and modifiers of one line as those of one form, and encodes it.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "codec/encode.h"
#include "inst/registers.h"
#include "text/cursor.h"
#include "text/expression.h"
#include "text/named_values.h"

namespace gfxisa::text {

/// Where in an instruction a value goes that is known later.
struct LaterValue {
  enum class Place : u8 { none, branch, literal, literal64 };
  Place place = Place::none;
  u32 expression = 0;  ///< Value::later
};

/// One more than the highest register that an instruction names.
struct RegistersUsed {
  u32 vector = 0, scalar = 0;
};

struct ParserContext {
  unsigned chip = 0;
  unsigned wave_size = 32;
  Chips chip_set = 0;
  Names* symbols = nullptr;
  LaterValue* later = nullptr;  ///< set by an instruction that names a symbol; without it none may
  RegistersUsed* used = nullptr;
};

/// Whether an immediate is written behind the operands, like a modifier, or not at all.
bool is_left_out_when_zero(const SlotRow& slot);
/// Raises `used` to a register of that many bits.
inline void note_use(RegistersUsed& used, unsigned chip, u32 code, u32 bits) {
  const CodeRow& row = code_row(chip, code);
  const u32 end = static_cast<u32>(row.value) + (bits + 31) / 32;
  if (row.cls == CodeClass::vgpr)
    used.vector = std::max(used.vector, end);
  else if (row.cls == CodeClass::sgpr)
    used.scalar = std::max(used.scalar, end);
}

/// A modifier as read: the field it goes to.
struct FieldSetting {
  const FieldRow* field;
  u64 value;
};

/// A register with its width in bits (0: none of its own), read from the cursor; empty when what follows is none.
struct ReadRegister {
  u32 code, bits;
  char half = 0;  ///< `l` or `h` when a half of a vector register is named: `v4.h`
};

/// An operand whose width follows from a modifier, with the width it was written with.
struct SizedOperand {
  unsigned index;
  u32 bits;
};

/// What a FormParser collects; kept from one to the next, so that none has to make room.
struct FormBuffers {
  std::vector<OperandInput> inputs;
  std::vector<std::size_t> starts;  ///< where each operand stands, for errors of the encoder
  std::vector<FieldSetting> fields;
  std::vector<FieldInput> field_inputs;
  std::vector<SizedOperand> sized;
  std::vector<std::vector<RegisterRun>> runs;  ///< registers as written, of operands whose number fields decide
  std::vector<std::vector<u32>> further;       ///< codes that OperandInput::further refers to
};

class FormParser {
 public:
  FormParser(const ParserContext& context, Cursor& cursor, u32 form, u16 suffix, FormBuffers& buffers);

  /// Reads to the end of the line. False: the cursor has the error.
  bool parse(Instruction& result);

 private:
  struct Slot {
    unsigned index;
    const OperandRow* operand;
    const SlotRow* slot;
    std::string_view name;
  };
  Slot slot_at(unsigned index) const;
  int index_of_slot(Text name) const;

  bool parse_operands();
  bool parse_operand(const Slot& slot);
  bool is_left_out(const Slot& slot);
  bool asks_for_result() const;
  bool is_register_next(const Slot& slot);
  bool set_no_address(const FieldRow& field, std::size_t start);
  bool parse_scalar_base(Text name);
  bool parse_address(const Slot& slot);
  bool parse_registers(const Slot& slot);
  bool settle_sends();
  bool parse_run(std::vector<RegisterRun>& runs);
  bool check_registers(const Instruction& result);
  bool parse_register_or_constant(const Slot& slot);
  bool take_signs(const Slot& slot, int source);
  bool close_signs();
  bool set_sign(const Slot& slot, int source, std::string_view what, std::size_t at);
  bool parse_value(const Slot& slot);
  bool has_scalar_choice(const Slot& slot) const;
  bool parse_literal_call(const Slot& slot);
  bool accept_register(const Slot& slot, ReadRegister found, std::size_t start);
  bool choose_half(const Slot& slot, ReadRegister& found, std::size_t start);
  bool accept_number(const Slot& slot, const Value& value, std::size_t start);
  bool accept_symbol(const Slot& slot, const Value& value, std::size_t start);
  unsigned bits_of(const Slot& slot) const;
  u64 float_bits(const Slot& slot, double real) const;
  OperandInput wide_constant(const Slot& slot, i64 number) const;
  bool takes_long_literal(const Slot& slot) const;
  u64 as_literal(const Slot& slot, u64 bits) const;
  std::string expectation(const Slot& slot) const;

  bool parse_modifiers();
  FieldRow as_written(const FieldRow& field) const;
  bool has_vector_result() const;
  bool parse_modifier();
  std::string known_modifiers() const;
  bool is_in_syntax(const FieldRow& field) const;
  bool has_needed_fields();
  bool set_offset(std::string_view name);
  /// `bitop3:0x96` and its like, which go to immediate operands.
  bool set_immediate_modifier(bool& taken);
  void set_parts(const std::string& name, u64 value);
  bool set_field(const FieldRow& field, u64 value);
  bool is_without(const FieldRow& field) const;
  std::optional<u64> fixed_value(const FieldRow& field) const;
  /// A value whose upper bits lie in the field named like this one with a 2.
  bool set_split_field(const FieldRow& field, u64 value);
  bool check_widths(const Instruction& instruction);
  bool encode_all(Instruction& result);

  const ParserContext& context_;
  Cursor& cursor_;
  const Tables& all_;
  u32 form_index_;
  u16 suffix_;
  const FormRow& form_;
  const EncodingRow& encoding_;
  const EncodingRow* suffix_row_;
  std::vector<OperandInput>& inputs_;
  std::vector<std::size_t>& starts_;
  std::vector<FieldSetting>& fields_;
  std::vector<FieldInput>& field_inputs_;
  std::vector<SizedOperand>& sized_;
  std::vector<std::vector<RegisterRun>>& runs_;
  std::vector<std::vector<u32>>& further_;
  RegistersUsed used_;
  bool has_no_vector_part_ = false;  ///< the vector part of an address is `off`, and no bit of the word says so
  bool has_scalar_register_ = false;
  u32 address_bits_ = 0;
  bool bar_open_ = false, paren_open_ = false;
};

/// `s5`, `v[2:3]`: what most operands are, read without looking further. Empty: it may be a register all the same.
std::optional<ReadRegister> parse_plain_register(Cursor& cursor, const ParserContext& context);
/// Reads a register; empty when what follows is none.
std::optional<ReadRegister> parse_register(Cursor& cursor, const ParserContext& context);

/// An immediate of a style. `width`: of its field.
bool parse_immediate(Cursor& cursor, const ParserContext& context, Style style, unsigned width, i64& value);

/// Whether a modifier for this field may begin with a word; quick, and sometimes wrong where it is true.
bool may_begin(const FieldRow& field, std::string_view word);
/// A modifier for a field of this style and name, when the name that is next is one of it. `taken` says whether it is;
/// a taken one may still be wrong. `current` is the field's value so far.
bool parse_field(Cursor& cursor, const ParserContext& context, const FieldRow& field, u64 current, bool& taken,
                 u64& value);
/// How a modifier begins in text; for a DPP control all that a chip has. Empty for what is not written.
std::string modifier_name(const FieldRow& field, Chips chips);

/// Bits of a float in half or bfloat16 precision, rounded to nearest even.
u16 to_half_bits(double value);
u16 to_bfloat_bits(double value);

}  // namespace gfxisa::text
