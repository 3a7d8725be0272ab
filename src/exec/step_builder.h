// From decoded instructions to steps: operands resolved, handlers chosen. Used by Program only.
#pragma once
#include <map>
#include <vector>

#include "exec/program.h"
#include "inst/instruction.h"
#include "inst/registers.h"

namespace gfxisa::exec {

/// Constants of a program: scalars as 8 bytes, lane constants as rows. Equal ones are shared.
class ConstantPool {
 public:
  u32 scalar(u64 value);
  /// `words` rows of 32 equal lanes each: the value's two words and then zeros, or its first `period` words repeated,
  /// and then for 64 lanes.
  u32 rows(u64 value, unsigned words, unsigned period = 0);
  const std::vector<u8>& bytes() const { return bytes_; }

 private:
  u32 place(u64 key_kind, u64 value, unsigned words, unsigned copies, unsigned period = 0);
  std::vector<u8> bytes_;
  std::map<std::pair<u64, u64>, u32> known_;
};

class StepBuilder {
 public:
  StepBuilder(Program& program, ConstantPool& constants) : program_(program), constants_(constants) {}

  /// Appends the steps of one instruction: specials that it reads first, then itself.
  void add(const Instruction& instruction, u32 offset);
  /// Appends the second of two instructions in the same words; add() has appended the first. Both run as one.
  void add_second(const Instruction& instruction, u32 offset);
  /// Appends a step that goes on to the next or stops the wave.
  void add_plain(ScalarKernel run, u32 offset, u32 size);

 private:
  // step_builder.cc
  std::string_view epoch() const { return tables().text(tables().chips[program_.chip()].epoch); }
  bool fill_operands(const Instruction& instruction, const SemanticsRow& semantics, Step& step);
  bool fill_slot(const Instruction& instruction, unsigned number, bool is_lane, Step& step);
  bool fill_input(const Instruction& instruction, const SlotRow& slot, const OperandValue* value, bool is_lane,
                  Step& step);
  bool fill_output(const Instruction& instruction, const SlotRow& slot, const OperandValue* value, bool is_lane,
                   Step& step);
  void add_modifiers(const Instruction& instruction, Step& step);
  bool add_wave_modifiers(const Instruction& instruction, Step& step);
  void add_refresh(u32 offset);
  void add_note(u32 instruction, u32 offset);
  void add_descriptor_check(const Step& step, u32 offset);
  void add_scaled_offset(const Instruction& instruction, Step& step, u32 offset);
  void choose_handler(Step& step, const SemanticsRow& semantics);

  // operand_refs.cc
  bool input_ref(const Instruction& instruction, const OperandValue& value, bool is_lane, OperandRef& ref);
  bool output_ref(const OperandValue& value, bool is_lane, OperandRef& ref);
  bool register_ref(u32 code, u32 words, bool is_lane, bool is_mask, OperandRef& ref);
  bool special_ref(std::string_view name, bool is_lane, OperandRef& ref);
  OperandRef constant_ref(u64 value, u32 words, bool is_lane, bool is_mask);
  OperandRef repeated_ref(u64 value, ConstantType type, u32 words);
  OperandRef rows_ref(u32 first, u32 count);
  void use_vector_registers(u32 first, u32 count);
  bool take_high_half(const Instruction& instruction, OperandValue& value) const;

  // step_modifiers.cc
  void add_stages(const Instruction& instruction, const EncodingRow& encoding, Modifiers& modifiers);
  void add_stage(const Instruction& instruction, const EncodingRow& encoding, const StageRow& stage,
                 Modifiers& modifiers);
  bool fill_arguments(const Instruction& instruction, const EncodingRow& encoding, const StageRow& stage,
                      unsigned source, StageUse& use) const;
  void add_half_stages(Modifiers& modifiers) const;
  void add_lane_moves(const Instruction& instruction, const StageRow& stage, Modifiers& modifiers);
  void fill_source_lanes(const Instruction& instruction, const StageRow& stage, Modifiers& modifiers) const;
  void add_address(const Instruction& instruction, Step& step, Modifiers& modifiers);
  void add_scalar_address(const Instruction& instruction, AddressUse& use);
  void add_vector_address(const Instruction& instruction, AddressUse& use);

  u32 bank_of(std::string_view field) const;

  Program& program_;
  ConstantPool& constants_;
  u32 banks_ = 0;  ///< as the code before the instruction at hand sets them
  // Of the instruction at hand.
  bool reads_specials_ = false;
  u32 bank_ = 0;  ///< high bits of the register number of the operand at hand
  bool reaches_memory_ = false;
  bool is_result_ = false;                  ///< the operand at hand
  bool is_result_beyond_ = false;           ///< some result lies beyond the kernel's registers
  bool is_source_split_ = false;            ///< some source of a memory instruction lies on both sides of their end
  unsigned immediates_ = 0, fields_ = 0;    ///< fields share immediates, from the last one down
  u32 high_inputs_ = 0, high_outputs_ = 0;  ///< bit i: operand i is the upper half of its register
};

/// Bytes that a memory instruction moves, by the last word of its name: global_load_b96, flat_store_d16_hi_b8,
/// global_atomic_add_u64.
u32 access_bytes(std::string_view name);

}  // namespace gfxisa::exec
