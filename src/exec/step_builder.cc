#include "exec/step_builder.h"

#include <algorithm>

#include "exec/descriptor_check.h"
#include "exec/fidelity.h"
#include "exec/interpreter.h"
#include "inst/registers.h"
#include "machine/wave.h"

namespace gfxisa::exec {
namespace {

const Tables& all() { return tables(); }

bool overlaps(const OperandRef& a, u32 bytes_a, const OperandRef& b, u32 bytes_b) {
  return a.space == 0 && b.space == 0 && a.offset < b.offset + bytes_b && b.offset < a.offset + bytes_a;
}

/// Whether a result of `first` lies where `second` reads.
bool feeds(const Step& first, const Step& second) {
  for (unsigned o = 0; o < first.output_count; ++o) {
    for (unsigned i = 0; i < second.input_count; ++i) {
      if (overlaps(first.out[o], first.out[o].rows * half_row_bytes, second.in[i], second.in[i].rows * half_row_bytes))
        return true;
    }
  }
  return false;
}

bool has_half_result(const InstructionRow& row) {
  for (unsigned s = 0; s < row.slot_count; ++s) {
    const SlotRow& slot = all().slots[row.first_slot + s];
    if (slot.bits == 16 && !slot.is_named && (slot.access == Access::out || slot.access == Access::inout)) return true;
  }
  return false;
}

/// The operand of a form that holds slot `slot`; nullptr when it has none there.
const OperandRow* operand_for(const FormRow& form, unsigned slot, unsigned& index) {
  for (index = 0; index < form.operand_count; ++index) {
    const OperandRow& operand = all().operands[form.first_operand + index];
    if (operand.slot == slot) return &operand;
  }
  return nullptr;
}

/// An immediate as the body sees it; 0 where the encoding has no place for it.
i64 immediate_value(const Instruction& instruction, const SlotRow& slot, const OperandRow* operand,
                    const OperandValue& value) {
  if (operand == nullptr) return 0;
  if (operand->field == 0xff) return code_row(instruction.chip, value.code).value;  // implied: an inline constant
  const FieldRow& field = all().fields[instruction.encoding().first_field + operand->field];
  if (field.width > 32) return static_cast<i64>(instruction.bits(field.low, field.width));
  return is_signed_style(slot.style) ? sign_extend(value.code, field.width) : static_cast<i64>(value.code);
}

/// A step that does something for the instruction after it, and is not counted as one.
Step step_before(ScalarKernel run, u32 offset) {
  Step step;
  step.run = run;
  step.is_synthetic = true;
  step.code_offset = step.next_offset = offset;
  return step;
}

/// Whether the kernel may write straight to the registers when all lanes are on. They may be its inputs as well: lane
/// by lane all words are read before any is written. Masks have rows of their own until the end.
bool may_write_in_place(const Step& step) {
  if (step.keeps_high_half) return false;
  return std::none_of(step.out.begin(), step.out.begin() + step.output_count,
                      [](const OperandRef& out) { return !out.is_mask && (out.is_scalar || out.is_discarded); });
}

}  // namespace

bool StepBuilder::fill_input(const Instruction& instruction, const SlotRow& slot, const OperandValue* value,
                             bool is_lane, Step& step) {
  if (step.input_count == max_inputs) return false;
  OperandRef& ref = step.in[step.input_count++];
  // What the encoding has no place for is 0; an address is made by the encoding's address line.
  if (value == nullptr)
    ref = constant_ref(0, std::max(1u, register_count(slot.bits)), is_lane, slot.bits == 0);
  else if (!input_ref(instruction, *value, is_lane, ref))
    return false;
  if (ref.is_mask) ref.rows = 1;
  step.input_rows = static_cast<u8>(step.input_rows + ref.rows);
  return true;
}

bool StepBuilder::fill_output(const Instruction& instruction, const SlotRow& slot, const OperandValue* value,
                              bool is_lane, Step& step) {
  if (step.output_count == max_outputs || value == nullptr) return false;
  OperandRef& ref = step.out[step.output_count++];
  const bool was_beyond = is_result_beyond_;
  if (!output_ref(*value, is_lane, ref)) return false;
  ref.is_discarded = slot.is_returned && !returns_value(instruction);
  if (ref.is_discarded) is_result_beyond_ = was_beyond;
  if (ref.is_discarded && !is_lane) ref.offset = slot_sink * 4;
  if (ref.is_mask) ref.rows = 1;
  step.output_rows = static_cast<u8>(step.output_rows + ref.rows);
  return true;
}

bool StepBuilder::fill_slot(const Instruction& instruction, unsigned number, bool is_lane, Step& step) {
  const SlotRow& slot = all().slots[instruction.row().first_slot + number];
  if ((slot.chips >> program_.chip() & 1) == 0) return true;
  if (slot.is_named && slot.access == Access::imm) {
    const unsigned place = max_immediates - 1 - fields_ / 8;
    if (place < immediates_) return false;
    const u64 value = field_value(instruction, all().text(slot.name)) & 0xff;
    step.immediates[place] = static_cast<i64>(static_cast<u64>(step.immediates[place]) | value << fields_ % 8 * 8);
    ++fields_;
    return true;
  }
  if (slot.is_named) return true;
  unsigned index = 0;
  const OperandRow* operand = operand_for(instruction.form_row(), number, index);
  OperandValue value;
  if (operand != nullptr) value = operand_of(instruction, index, program_.wave_size());
  if (slot.access == Access::imm) {
    if (immediates_ + (fields_ + 7) / 8 >= max_immediates) return false;
    step.immediates[immediates_++] = immediate_value(instruction, slot, operand, value);
    return true;
  }
  const bool reads = slot.access != Access::out, writes = slot.access != Access::in;
  if (operand != nullptr && take_high_half(instruction, value)) {
    if (reads) high_inputs_ |= 1u << step.input_count;
    if (writes) high_outputs_ |= 1u << step.output_count;
  }
  // Registers whose number fields decide are to the body those of the slot's format; addresses are formed by the
  // encoding.
  const bool is_counted = operand != nullptr && operand->count != 0;
  if (is_counted) value.bits = slot.bits;
  const bool is_formed =
      is_counted && all().text(slot.name) == "addr" && instruction.encoding().address_kernel != 0xffff;
  const OperandValue* held = operand != nullptr && !is_formed ? &value : nullptr;
  bank_ = 0;
  if (banks_ != 0 && operand != nullptr && operand->field != 0xff)
    bank_ = bank_of(all().text(all().fields[instruction.encoding().first_field + operand->field].name));
  if (reads && !fill_input(instruction, slot, held, is_lane, step)) return false;
  return !writes || fill_output(instruction, slot, held, is_lane, step);
}

bool StepBuilder::fill_operands(const Instruction& instruction, const SemanticsRow& semantics, Step& step) {
  reads_specials_ = false;
  reaches_memory_ = !all().text(instruction.encoding().name).starts_with("VOP");
  is_result_ = is_result_beyond_ = is_source_split_ = false;
  high_inputs_ = high_outputs_ = 0;
  immediates_ = fields_ = 0;
  for (unsigned s = 0; s < instruction.row().slot_count; ++s) {
    if (!fill_slot(instruction, s, semantics.kind != BodyKind::scalar, step)) return false;
  }
  return true;
}

void StepBuilder::choose_handler(Step& step, const SemanticsRow& semantics) {
  const Kernel& kernel = host_kernels().kernels[step.semantics];
  step.has_effects = semantics.has_effects;
  step.float_mode = semantics.float_mode;
  if (kernel.scalar != nullptr) {
    step.run = kernel.scalar;
    step.inner = kernel.scalar;
    if (step.modifiers != nullptr)
      step.run = step.modifiers->address.kernel != nullptr ? host_handlers().addressed : host_handlers().staged;
    else if (semantics.has_effects && !semantics.writes_pc)
      step.run = run_scalar_checked;
    else if (semantics.float_mode != 0)
      step.run = run_scalar_float;
    return;
  }
  step.kernel = kernel.lane;
  if (kernel.lane == nullptr || step.input_rows > max_rows || step.output_rows > max_rows) {
    step.run = fault_not_executable;
    return;
  }
  step.writes_in_place = may_write_in_place(step);
  for (unsigned o = 0; o < step.output_count; ++o) step.has_mask_output = step.has_mask_output || step.out[o].is_mask;
  step.run = host_handlers().choose(step, program_.wave_size());
}

void StepBuilder::add_plain(ScalarKernel run, u32 offset, u32 size) {
  Step step;
  step.run = run;
  step.code_offset = offset;
  step.next_offset = offset + size;
  program_.steps_.push_back(step);
}

void StepBuilder::add_refresh(u32 offset) { program_.steps_.push_back(step_before(refresh_specials, offset)); }

void StepBuilder::add_note(u32 instruction, u32 offset) {
  Step note = step_before(note_approximate, offset);
  note.immediates[0] = instruction;
  program_.steps_.push_back(note);
}

void StepBuilder::add_descriptor_check(const Step& step, u32 offset) {
  if (step.modifiers == nullptr) return;
  const AddressUse& address = step.modifiers->address;
  if (address.kernel == nullptr || address.base == 0xff) return;
  const DescriptorCheck check = descriptor_check_of(program_.chip());
  if (check == DescriptorCheck::none) return;
  Step before = step_before(check_descriptor, offset);
  before.in[0] = step.in[address.base];
  before.immediates[0] = static_cast<i64>(check);
  program_.steps_.push_back(before);
}

/// CDNA 5: the scalar offset of a scalar load counts elements.
void StepBuilder::add_scaled_offset(const Instruction& instruction, Step& step, u32 offset) {
  const InstructionRow& row = instruction.row();
  unsigned input = 0;
  for (unsigned s = 0; s < row.slot_count; ++s) {
    const SlotRow& slot = all().slots[row.first_slot + s];
    if (slot.is_named || slot.access == Access::imm || slot.access == Access::out) continue;
    if (all().text(slot.name) != "soffset") {
      ++input;
      continue;
    }
    Step scale = step_before(scale_offset, offset);
    scale.in[0] = step.in[input];
    scale.immediates[0] = access_bytes(all().text(row.name));
    program_.steps_.push_back(scale);
    step.in[input].space = 0;
    step.in[input].offset = slot_scaled * 4;
    return;
  }
}

void StepBuilder::add_modifiers(const Instruction& instruction, Step& step) {
  Modifiers modifiers;
  add_address(instruction, step, modifiers);
  if (instruction.has_suffix()) add_stages(instruction, all().encodings[instruction.suffix], modifiers);
  add_stages(instruction, instruction.encoding(), modifiers);
  add_half_stages(modifiers);
  // gfx10 and later keep the other half of a register where a 16-bit result goes; gfx9 clears it.
  const bool merges = std::any_of(modifiers.writes.begin(), modifiers.writes.end(),
                                  [](const StageUse& use) { return use.old_argument != 0xff; });
  step.keeps_high_half = epoch() != "gfx9" && !merges && has_half_result(instruction.row());
  if (modifiers.is_used()) step.modifiers = &program_.modifiers_.emplace_back(std::move(modifiers));
}

/// Around bodies of the whole wave: stages, or addresses of its lanes, which such bodies find in rows of the wave.
/// False when there is what they cannot be given.
bool StepBuilder::add_wave_modifiers(const Instruction& instruction, Step& step) {
  Modifiers modifiers;
  if (instruction.has_suffix()) add_stages(instruction, all().encodings[instruction.suffix], modifiers);
  add_stages(instruction, instruction.encoding(), modifiers);
  const bool has_half = has_half_result(instruction.row());
  if (modifiers.is_used() || has_half) {
    const bool merges = std::any_of(modifiers.writes.begin(), modifiers.writes.end(),
                                    [](const StageUse& use) { return use.old_argument != 0xff; });
    step.keeps_high_half = epoch() != "gfx9" && !merges && has_half;
    const bool has_others = std::any_of(step.in.begin(), step.in.begin() + step.input_count,
                                        [](const OperandRef& ref) { return ref.is_mask; }) ||
                            std::any_of(step.out.begin(), step.out.begin() + step.output_count,
                                        [](const OperandRef& ref) { return ref.is_mask || ref.is_scalar; });
    if (modifiers.moves_lanes || has_others) return !modifiers.is_used();
    step.modifiers = &program_.modifiers_.emplace_back(std::move(modifiers));
    return true;
  }
  add_address(instruction, step, modifiers);
  if (modifiers.address.kernel == nullptr) return true;
  OperandRef& ref = step.in[modifiers.address.operand];
  ref.offset = slot_addresses * 4;
  ref.row_stride = 64 * 4;
  ref.half_stride = half_row_bytes;
  step.modifiers = &program_.modifiers_.emplace_back(std::move(modifiers));
  return true;
}

void StepBuilder::add(const Instruction& instruction, u32 offset) {
  const FormRow& form = instruction.form_row();
  // A register with the status of an access is nothing that bodies know of.
  if (form.semantics == no_semantics || field_value(instruction, "tfe") != 0)
    return add_plain(fault_not_executable, offset, instruction.size);
  const SemanticsRow& semantics = all().semantics[form.semantics];
  Step step;
  step.banks = static_cast<u8>(banks_);
  step.form = instruction.form;
  step.semantics = form.semantics;
  step.code_offset = offset;
  step.next_offset = offset + instruction.size;
  step.clamps = field_value(instruction, "clamp") != 0;
  if (!fill_operands(instruction, semantics, step)) return add_plain(fault_not_executable, offset, instruction.size);
  if (semantics.kind == BodyKind::lane) add_modifiers(instruction, step);
  if (instruction.row().fidelity == Fidelity::approximate) add_note(form.instruction, offset);
  if (semantics.kind == BodyKind::wave && !add_wave_modifiers(instruction, step))
    return add_plain(fault_not_executable, offset, instruction.size);
  if (is_result_beyond_) return add_plain(do_nothing, offset, instruction.size);
  if (is_source_split_) return add_plain(fault_not_executable, offset, instruction.size);
  const bool is_moved = step.modifiers != nullptr && (step.modifiers->moves_lanes || !step.modifiers->reads.empty());
  if (semantics.names_registers && is_moved) return add_plain(fault_not_executable, offset, instruction.size);
  if (reads_specials_) add_refresh(offset);
  if (semantics.kind == BodyKind::scalar && field_value(instruction, "scale_offset") != 0)
    add_scaled_offset(instruction, step, offset);
  add_descriptor_check(step, offset);
  choose_handler(step, semantics);
  if (semantics.ends_wave) banks_ = 0;
  if (semantics.sets_banks) {
    banks_ = static_cast<u32>(step.immediates[0]) & 0xff;
    program_.has_banks_ = true;
  }
  program_.steps_.push_back(step);
}

void StepBuilder::add_second(const Instruction& instruction, u32 offset) {
  std::vector<Step>& steps = program_.steps_;
  const std::size_t first = steps.size() - 1;
  add(instruction, offset);
  if (steps[first].kernel == nullptr || steps.back().kernel == nullptr) return;
  // What refreshes the specials that the second reads comes before both.
  std::rotate(steps.begin() + static_cast<std::ptrdiff_t>(first),
              steps.begin() + static_cast<std::ptrdiff_t>(first) + 1, steps.end() - 1);
  Step& earlier = steps[steps.size() - 2];
  steps.back().is_synthetic = true;
  earlier.alone = earlier.run;
  earlier.run = feeds(earlier, steps.back()) ? host_handlers().pair : run_one_then_next;
}

}  // namespace gfxisa::exec
