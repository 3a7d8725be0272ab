// From decoded instructions to steps: operands resolved, handlers chosen. Used by Program only.
#pragma once
#include <map>
#include <vector>

#include "exec/program.h"
#include "inst/instruction.h"

namespace gfxisa::exec {

/// Constants of a program: scalars as 8 bytes, lane constants as rows. Equal ones are shared.
class ConstantPool {
 public:
  u32 scalar(u64 value);
  /// `words` rows of 32 equal lanes each.
  u32 rows(u64 value, unsigned words);
  const std::vector<u8>& bytes() const { return bytes_; }

 private:
  u32 place(u64 key_kind, u64 value, unsigned words, unsigned copies);
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
  /// Appends a step that stops the wave.
  void add_fault(ScalarKernel run, u32 offset, u32 size);

 private:
  bool fill_operands(const Instruction& instruction, const SemanticsRow& semantics, Step& step);
  bool input_ref(const Instruction& instruction, const OperandValue& value, bool is_lane, OperandRef& ref);
  bool output_ref(const OperandValue& value, bool is_lane, OperandRef& ref);
  bool register_ref(u32 code, u32 words, bool is_lane, bool is_mask, OperandRef& ref);
  bool special_ref(std::string_view name, bool is_lane, OperandRef& ref);
  OperandRef constant_ref(u64 value, u32 words, bool is_lane, bool is_mask);
  void add_stages(const Instruction& instruction, const EncodingRow& encoding, Step& step, Modifiers& modifiers, bool& used);
  void add_lane_moves(const Instruction& instruction, const StageRow& stage, Modifiers& modifiers);
  void add_address(const Instruction& instruction, Step& step, Modifiers& modifiers, bool& used);
  bool take_high_half(const Instruction& instruction, OperandValue& value) const;
  void add_half_stages(Modifiers& modifiers, bool& used) const;
  void use_vector_registers(u32 first, u32 count);
  OperandRef rows_ref(u32 first, u32 count);
  void add_refresh(u32 offset);
  void add_scaled_offset(const Instruction& instruction, Step& step, u32 offset);
  void choose_handler(Step& step, const SemanticsRow& semantics);

  Program& program_;
  ConstantPool& constants_;
  bool reads_specials_ = false;
  u32 high_inputs_ = 0, high_outputs_ = 0;   ///< bit i: operand i is the upper half of its register
};

}  // namespace gfxisa::exec
