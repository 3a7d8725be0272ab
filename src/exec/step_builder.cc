#include "exec/step_builder.h"

#include <algorithm>
#include <cstring>

#include "exec/interpreter.h"
#include "inst/registers.h"
#include "machine/wave.h"

namespace gfxisa::exec {
namespace {

const Tables& all() { return tables(); }

bool is_signed_style(Style style) {
  switch (style) {
    case Style::i8:
    case Style::i16:
    case Style::i32:
    case Style::simm:
    case Style::label:
    case Style::address_offset:
    case Style::scalar_offset: return true;
    default: return false;
  }
}

/// Source operand number of a slot in the manuals' words (src0, src1, src2); 3 for others.
unsigned source_number(std::string_view slot) {
  if (slot == "a") return 0;
  if (slot == "b") return 1;
  if (slot == "c") return 2;
  return 3;
}

/// Value of a stage's argument: a field, or with [i] the bit (or field of its own, `src0_neg`) of source i.
u32 stage_argument(const Instruction& instruction, std::string_view field, bool indexed, unsigned source) {
  if (!indexed) return static_cast<u32>(field_value(instruction, field));
  constexpr u64 absent = ~u64{0};
  const std::string own = "src" + std::to_string(source) + "_" + std::string(field);
  const u64 value = field_value(instruction, own, absent);
  if (value != absent) return static_cast<u32>(value);
  // The bits of later sources may lie in a field of their own: opsel_hi2.
  const FieldRow* row = find_field(instruction.encoding(), field);
  if (row != nullptr && source >= row->width) {
    return static_cast<u32>(field_value(instruction, std::string(field) + "2") >> (source - row->width) & 1);
  }
  return static_cast<u32>(field_value(instruction, field) >> source & 1);
}

bool stage_applies(const StageRow& stage, const SlotRow& slot) {
  if (stage.format == stage_lanes || slot.bits == 0) return false;
  if (stage.format == stage_half) return slot.bits == 16;
  if (stage.format == stage_any) return slot.bits <= 32;
  return stage.format == slot.format;
}

/// Bytes that a memory instruction moves, by the last word of its name: global_load_b96, flat_store_d16_hi_b8, global_atomic_add_u64.
u32 access_bytes(std::string_view name) {
  const std::size_t start = name.find_last_of('_');
  unsigned bits = 0;
  for (const char c : name.substr(start == std::string_view::npos ? 0 : start)) {
    if (c >= '0' && c <= '9') bits = bits * 10 + static_cast<unsigned>(c - '0');
  }
  if (name.find("_pk_") != std::string_view::npos) bits *= 2;
  return bits / 8;
}

/// Output modifiers do nothing in IEEE mode, nor where denormal results are kept.
u32 modes_without_omod(std::string_view epoch, const StageRow& stage) {
  constexpr u32 keeps_f32 = 1u << 5, keeps_f16_f64 = 1u << 7, ieee = 1u << 9;
  const bool is_f32 = stage.format < all().data_formats.size() && all().text(all().data_formats[stage.format].name) == "f32";
  return (is_f32 ? keeps_f32 : keeps_f16_f64) | (epoch == "gfx12" ? 0 : ieee);
}

/// The compiled form of a stage of register halves, whatever encoding names it.
LaneKernel half_stage(std::string_view name, bool is_write) {
  for (const StageRow& stage : all().stages) {
    if (stage.is_write == is_write && all().text(stage.stage) == name) {
      return host_kernels().stages[stage.kernel];
    }
  }
  return nullptr;
}

bool overlaps(const OperandRef& a, u32 bytes_a, const OperandRef& b, u32 bytes_b) {
  return a.space == 0 && b.space == 0 && a.offset < b.offset + bytes_b && b.offset < a.offset + bytes_a;
}

}  // namespace

// ------------------------------------------------------------------------------------------- constants

u32 ConstantPool::place(u64 key_kind, u64 value, unsigned words, unsigned copies) {
  const auto [known, is_new] = known_.try_emplace({key_kind, value}, 0);
  if (!is_new) return known->second;
  bytes_.resize((bytes_.size() + 63) / 64 * 64);
  known->second = static_cast<u32>(bytes_.size());
  for (unsigned word = 0; word < words; ++word) {
    const u32 part = word < 2 ? static_cast<u32>(value >> (32 * word)) : 0;
    for (unsigned copy = 0; copy < copies; ++copy) {
      const auto* first = reinterpret_cast<const u8*>(&part);
      bytes_.insert(bytes_.end(), first, first + 4);
    }
  }
  return known->second;
}

u32 ConstantPool::scalar(u64 value) { return place(0, value, 16, 1); }
u32 ConstantPool::rows(u64 value, unsigned words) { return place(words, value, words, lanes_per_call); }

// ------------------------------------------------------------------------------------------- operands

OperandRef StepBuilder::constant_ref(u64 value, u32 words, bool is_lane, bool is_mask) {
  OperandRef ref;
  ref.space = 1;
  ref.rows = static_cast<u8>(words);
  ref.is_mask = is_mask && is_lane;
  if (is_lane && !is_mask) {
    ref.offset = constants_.rows(value, words);
    ref.row_stride = half_row_bytes;
  } else {
    ref.offset = constants_.scalar(value);
    ref.is_scalar = true;
  }
  return ref;
}

void StepBuilder::use_vector_registers(u32 first, u32 count) {
  program_.vector_registers_ = std::max(program_.vector_registers_, first + count);
}

OperandRef StepBuilder::rows_ref(u32 first, u32 count) {
  use_vector_registers(first, count);
  const u32 row_bytes = program_.wave_size() / 32 * half_row_bytes;
  OperandRef ref;
  ref.offset = scalar_file_words * 4 + first * row_bytes;
  ref.rows = static_cast<u8>(count);
  ref.row_stride = row_bytes;
  ref.half_stride = half_row_bytes;
  return ref;
}

bool StepBuilder::special_ref(std::string_view name, bool is_lane, OperandRef& ref) {
  static constexpr std::pair<std::string_view, u32> places[] = {
      {"src_scc", slot_scc},
      {"src_vccz", slot_vccz},
      {"src_execz", slot_execz},
      {"src_shared_base", slot_shared_base},
      {"src_shared_limit", slot_shared_limit},
      {"src_private_base", slot_private_base},
      {"src_private_limit", slot_private_limit},
      {"src_flat_scratch_base", slot_scratch_base}};
  for (const auto& [special, slot] : places) {
    if (name != special) continue;
    ref.offset = slot * 4;
    ref.is_scalar = is_lane;
    reads_specials_ = reads_specials_ || slot <= slot_execz;
    return true;
  }
  return false;
}

bool StepBuilder::register_ref(u32 code, u32 words, bool is_lane, bool is_mask, OperandRef& ref) {
  const CodeRow& row = code_row(program_.chip(), code);
  switch (row.cls) {
    case CodeClass::vgpr: ref = rows_ref(static_cast<u32>(row.value), words); return true;
    case CodeClass::agpr: ref = rows_ref(Program::first_accumulator + static_cast<u32>(row.value), words); return true;
    case CodeClass::sgpr:
    case CodeClass::trap:
    case CodeClass::special: break;
    default: return false;
  }
  ref.rows = static_cast<u8>(words);
  ref.is_mask = is_lane && is_mask;
  ref.is_scalar = true;
  ref.offset = code * 4;
  return code + words <= 128;
}

bool StepBuilder::input_ref(const Instruction& instruction, const OperandValue& value, bool is_lane, OperandRef& ref) {
  const bool is_mask = value.slot->bits == 0;
  const u32 words = register_count(value.bits);
  const CodeRow& row = code_row(program_.chip(), value.code);
  if (row.cls == CodeClass::special) {
    const std::string_view name = all().text(row.name);
    if (name == "null") {
      ref = constant_ref(0, words, is_lane, is_mask);
      return true;
    }
    ref.rows = static_cast<u8>(words);
    if (value.code >= 128) return special_ref(name, is_lane, ref);
  }
  if (row.cls == CodeClass::literal || row.cls == CodeClass::literal64) {
    const ConstantType type = constant_type(*value.slot);
    const std::string_view format = value.slot->format == no_format ? "" : all().text(all().data_formats[value.slot->format].kind);
    const u64 literal = row.cls == CodeClass::literal64
                            ? instruction.literal()
                            : literal_value(static_cast<u32>(instruction.literal()), type, format == "signed");
    ref = constant_ref(literal, words, is_lane, is_mask);
    return true;
  }
  if (row.cls == CodeClass::integer || row.cls == CodeClass::real) {
    const auto constant = inline_value(program_.chip(), value.code, constant_type(*value.slot));
    if (!constant) return false;
    ref = constant_ref(*constant, words, is_lane, is_mask);
    return true;
  }
  return register_ref(value.code, words, is_lane, is_mask, ref);
}

bool StepBuilder::output_ref(const OperandValue& value, bool is_lane, OperandRef& ref) {
  const CodeRow& row = code_row(program_.chip(), value.code);
  const u32 words = register_count(value.bits);
  if (row.cls == CodeClass::special && all().text(row.name) == "null") {
    ref.offset = slot_sink * 4;
    ref.rows = static_cast<u8>(words);
    ref.is_scalar = true;
    ref.is_mask = is_lane && value.slot->bits == 0;
    return true;
  }
  return register_ref(value.code, words, is_lane, value.slot->bits == 0, ref);
}

/// In the short vector encodings of gfx11 and later a 16-bit operand is half a register: v0 .. v127, the code's bit 7 says which.
bool StepBuilder::take_high_half(const Instruction& instruction, OperandValue& value) const {
  const EncodingRow& encoding = instruction.encoding();
  const std::string_view epoch = all().text(all().chips[program_.chip()].epoch);
  if (value.slot == nullptr || value.slot->bits != 16 || encoding.bits != 32 || epoch == "gfx9" || epoch == "gfx10") return false;
  if (all().text(encoding.name).substr(0, 3) != "VOP") return false;
  const CodeRow& row = code_row(program_.chip(), value.code);
  if (row.cls != CodeClass::vgpr || row.value < 128) return false;
  value.code -= 128;
  return true;
}

bool StepBuilder::fill_operands(const Instruction& instruction, const SemanticsRow& semantics, Step& step) {
  const FormRow& form = instruction.form_row();
  const InstructionRow& row = instruction.row();
  const bool is_lane = semantics.kind != BodyKind::scalar;
  unsigned immediates = 0;
  for (unsigned s = 0; s < row.slot_count; ++s) {
    const SlotRow& slot = all().slots[row.first_slot + s];
    if (slot.is_named) continue;
    // The address of a memory instruction has no field of its own: its encoding's address line makes it.
    OperandValue value;
    const EncodingRow& encoding = instruction.encoding();
    bool found = false;
    const OperandRow* operand = nullptr;
    for (unsigned i = 0; i < form.operand_count && !found; ++i) {
      operand = &all().operands[form.first_operand + i];
      if (operand->slot != s) continue;
      value = operand_of(instruction, i, program_.wave_size());
      found = true;
    }
    if (slot.access == Access::imm) {
      if (immediates == max_immediates) return false;
      i64 number = found ? static_cast<i64>(value.code) : 0;
      if (found && operand->field == 0xff) number = code_row(program_.chip(), value.code).value;  // implied: an inline constant
      if (found && is_signed_style(slot.style) && operand->field != 0xff) {
        number = sign_extend(static_cast<u64>(number), all().fields[encoding.first_field + operand->field].width);
      }
      step.immediates[immediates++] = number;
      continue;
    }
    const bool reads = slot.access != Access::out, writes = slot.access != Access::in;
    if (found && take_high_half(instruction, value)) {
      if (reads) high_inputs_ |= 1u << step.input_count;
      if (writes) high_outputs_ |= 1u << step.output_count;
    }
    if (reads) {
      if (step.input_count == max_inputs) return false;
      OperandRef& ref = step.in[step.input_count++];
      if (!found) ref = constant_ref(0, std::max(1u, register_count(slot.bits)), is_lane, slot.bits == 0);
      else if (!input_ref(instruction, value, is_lane, ref)) return false;
      step.input_rows = static_cast<u8>(step.input_rows + (ref.is_mask ? 1 : ref.rows));
      if (ref.is_mask) ref.rows = 1;
    }
    if (writes) {
      if (step.output_count == max_outputs || !found) return false;
      OperandRef& ref = step.out[step.output_count++];
      if (!output_ref(value, is_lane, ref)) return false;
      ref.is_discarded = slot.is_returned && !returns_value(instruction);
      if (ref.is_mask) ref.rows = 1;
      step.output_rows = static_cast<u8>(step.output_rows + ref.rows);
    }
  }
  return true;
}

// ------------------------------------------------------------------------------------------- modifiers

void StepBuilder::add_lane_moves(const Instruction& instruction, const StageRow& stage, Modifiers& m) {
  alignas(64) u32 lanes[lanes_per_call], argument[lanes_per_call], result[lanes_per_call];
  std::fill(std::begin(argument), std::end(argument),
            static_cast<u32>(field_value(instruction, all().text(stage.argument_field[0]))));
  for (unsigned half = 0; half < 2; ++half) {
    for (unsigned lane = 0; lane < lanes_per_call; ++lane) lanes[lane] = half * 32 + lane;
    LaneCall call{};
    call.in[0] = lanes;
    call.in[1] = argument;
    call.out[0] = result;
    call.active = ~u32{0};
    call.first_lane = half * 32;
    host_kernels().stages[stage.kernel](call);
    for (unsigned lane = 0; lane < lanes_per_call; ++lane) m.source_lane[half * 32 + lane] = static_cast<u8>(std::min(result[lane], 255u));
  }
  m.moves_lanes = true;
  const bool is_dpp8 = field_value(instruction, "lane_sel", ~u64{0}) != ~u64{0};
  m.bound_control = is_dpp8 || field_value(instruction, "bound_ctrl") != 0;
  m.fetch_inactive = field_value(instruction, "fi") != 0 ||
                     (instruction.has_suffix() && all().text(all().encodings[instruction.suffix].name) == "DPP8_FI");
  const u64 rows = field_value(instruction, "row_mask", 15), banks = field_value(instruction, "bank_mask", 15);
  m.enabled_lanes = 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    if ((rows >> (lane / 16 & 3) & 1) != 0 && (banks >> (lane / 4 & 3) & 1) != 0) m.enabled_lanes |= u64{1} << lane;
  }
}

void StepBuilder::add_stages(const Instruction& instruction, const EncodingRow& encoding, Step&, Modifiers& m, bool& used) {
  const InstructionRow& row = instruction.row();
  for (u32 i = 0; i < encoding.stage_count; ++i) {
    const StageRow& stage = all().stages[encoding.first_stage + i];
    if (stage.format == stage_lanes) {
      add_lane_moves(instruction, stage, m);
      used = true;
      continue;
    }
    unsigned input = 0, output = 0;
    for (unsigned s = 0; s < row.slot_count; ++s) {
      const SlotRow& slot = all().slots[row.first_slot + s];
      if (slot.is_named || slot.access == Access::imm) continue;
      const bool reads = slot.access != Access::out, writes = slot.access != Access::in;
      const unsigned number = stage.is_write ? output : input;
      input += reads;
      output += writes;
      const unsigned source = source_number(all().text(slot.name));
      if (!stage_applies(stage, slot) || (stage.is_write ? !writes : !reads || source > 2)) continue;
      StageUse use;
      if (all().text(stage.stage) == "omod") use.off_in_modes = modes_without_omod(all().text(all().chips[program_.chip()].epoch), stage);
      use.kernel = host_kernels().stages[stage.kernel];
      use.operand = static_cast<u8>(number);
      use.argument_count = stage.argument_count;
      bool changes_something = false;
      for (unsigned a = 0; a < stage.argument_count; ++a) {
        const std::string_view field = all().text(stage.argument_field[a]);
        if (field == "old") {
          use.old_argument = static_cast<u8>(a);
          continue;
        }
        use.arguments[a] = stage_argument(instruction, field, stage.argument_indexed[a], source);
        const FieldRow* described = find_field(encoding, field);
        changes_something = changes_something || use.arguments[a] != 0 || (described != nullptr && described->constant != 0);
      }
      // A stage whose arguments are all 0 leaves the operand as it is, unless it merges with the old value.
      if (!changes_something && use.old_argument == 0xff) continue;
      (stage.is_write ? m.writes : m.reads).push_back(use);
      used = true;
    }
  }
}

/// Stages for operands that are upper halves: taken down before the others, put back after them.
void StepBuilder::add_half_stages(Modifiers& m, bool& used) const {
  StageUse use;
  use.argument_count = 1;
  use.arguments[0] = 1;
  use.kernel = half_stage("opsel", false);
  for (u8 i = 0; i < max_inputs; ++i) {
    use.operand = i;
    if ((high_inputs_ >> i & 1) != 0 && use.kernel != nullptr) m.reads.insert(m.reads.begin(), use);
  }
  use.argument_count = 2;
  use.arguments[0] = 8;  // op_sel[3]
  use.old_argument = 1;
  use.kernel = half_stage("opsel_into", true);
  for (u8 i = 0; i < max_outputs; ++i) {
    use.operand = i;
    if ((high_outputs_ >> i & 1) != 0 && use.kernel != nullptr) m.writes.push_back(use);
  }
  used = used || high_inputs_ != 0 || high_outputs_ != 0;
}

void StepBuilder::add_address(const Instruction& instruction, Step& step, Modifiers& m, bool& used) {
  const EncodingRow& encoding = instruction.encoding();
  if (encoding.address_kernel == 0xffff) return;
  const InstructionRow& row = instruction.row();
  AddressUse& use = m.address;
  unsigned input = 0;
  bool found = false;
  for (unsigned s = 0; s < row.slot_count && !found; ++s) {
    const SlotRow& slot = all().slots[row.first_slot + s];
    if (slot.is_named || slot.access == Access::imm || slot.access == Access::out) continue;
    if (all().text(slot.name) == "addr") found = true;
    else ++input;
  }
  if (!found) return;
  use.kernel = host_kernels().addresses[encoding.address_kernel];
  use.operand = static_cast<u8>(input);
  step.in[input] = OperandRef{};
  step.in[input].rows = 2;
  used = true;
  const auto field_of = [&](std::initializer_list<std::string_view> names) -> const FieldRow* {
    for (const auto name : names) {
      if (const FieldRow* field = find_field(encoding, name)) return field;
    }
    return nullptr;
  };
  use.is_scratch = all().text(encoding.name).find("SCRATCH") != std::string_view::npos;
  if (const FieldRow* saddr = field_of({"saddr"})) {
    const u32 code = static_cast<u32>(instruction.bits(saddr->low, saddr->width));
    const CodeRow& what = code_row(program_.chip(), code);
    // "off" is NULL where the chip has it, and 0x7f on gfx9 and gfx10.
    const bool off = code == 0x7f || (what.cls == CodeClass::special && all().text(what.name) == "null");
    use.has_saddr = !off && register_ref(code, 2, true, false, use.saddr);
  }
  if (const FieldRow* vaddr = field_of({"vaddr", "addr"})) {
    const u64 has_vector = field_value(instruction, "sve", 1) | field_value(instruction, "lds", 0);
    use.has_vaddr = !use.is_scratch || (find_field(encoding, "sve") != nullptr ? has_vector != 0 : !use.has_saddr);
    const u32 first = static_cast<u32>(instruction.bits(vaddr->low, vaddr->width));
    // With a scalar base (and in scratch) the vector part is a 32-bit offset in one register.
    if (use.has_vaddr) use.vaddr = rows_ref(first, use.has_saddr || use.is_scratch ? 1 : 2);
  }
  use.is_signed = use.has_saddr && !use.is_scratch && find_field(encoding, "scale_offset") != nullptr;
  if (field_value(instruction, "scale_offset") != 0) use.scale = static_cast<u8>(access_bytes(all().text(row.name)));
  i64 distance = 0;
  if (const FieldRow* offset = field_of({"offset", "ioffset"})) {
    distance = sign_extend(instruction.bits(offset->low, offset->width), offset->width);
  }
  use.zero = constant_ref(0, 1, true, false);
  use.saddr_flag = constant_ref(use.has_saddr ? 1 : 0, 1, true, false);
  use.offset = constant_ref(static_cast<u32>(distance), 1, true, false);
}

// ------------------------------------------------------------------------------------------- steps

void StepBuilder::choose_handler(Step& step, const SemanticsRow& semantics) {
  const Kernel& kernel = host_kernels().kernels[step.semantics];
  step.has_effects = semantics.has_effects;
  step.float_mode = semantics.float_mode;
  if (kernel.scalar != nullptr) {
    step.run = kernel.scalar;
    step.inner = kernel.scalar;
    if (semantics.has_effects && !semantics.writes_pc) step.run = run_scalar_checked;
    else if (semantics.float_mode != 0) step.run = run_scalar_float;
    return;
  }
  step.kernel = kernel.lane;
  if (kernel.lane == nullptr || step.input_rows > max_rows || step.output_rows > max_rows) {
    step.run = fault_not_executable;
    return;
  }
  step.writes_in_place = !step.keeps_high_half;
  for (unsigned o = 0; o < step.output_count; ++o) {
    const OperandRef& out = step.out[o];
    if (out.is_mask) step.has_mask_output = true;
    if (out.is_mask || out.is_scalar || out.is_discarded) step.writes_in_place = false;
    for (unsigned i = 0; i < step.input_count; ++i) {
      // Row by row the kernel reads before it writes, but rows of a wider value would be read after.
      const bool same_row = out.rows == 1 && step.in[i].rows == 1 && step.output_count == 1;
      const u32 bytes = program_.wave_size() / 32 * half_row_bytes;
      if (!same_row && overlaps(out, out.rows * bytes, step.in[i], step.in[i].rows * bytes)) step.writes_in_place = false;
    }
  }
  step.run = host_handlers().choose(step, program_.wave_size());
}

void StepBuilder::add_fault(ScalarKernel run, u32 offset, u32 size) {
  Step step;
  step.run = run;
  step.code_offset = offset;
  step.next_offset = offset + size;
  program_.steps_.push_back(step);
}

void StepBuilder::add_refresh(u32 offset) {
  Step refresh;
  refresh.run = refresh_specials;
  refresh.is_synthetic = true;
  refresh.code_offset = refresh.next_offset = offset;
  program_.steps_.push_back(refresh);
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
    Step scale;
    scale.run = scale_offset;
    scale.is_synthetic = true;
    scale.code_offset = scale.next_offset = offset;
    scale.in[0] = step.in[input];
    scale.immediates[0] = access_bytes(all().text(row.name));
    program_.steps_.push_back(scale);
    step.in[input].space = 0;
    step.in[input].offset = slot_scaled * 4;
    return;
  }
}

void StepBuilder::add(const Instruction& instruction, u32 offset) {
  const FormRow& form = instruction.form_row();
  if (form.semantics == no_semantics) return add_fault(fault_not_executable, offset, instruction.size);
  const SemanticsRow& semantics = all().semantics[form.semantics];
  Step step;
  step.form = instruction.form;
  step.semantics = form.semantics;
  step.code_offset = offset;
  step.next_offset = offset + instruction.size;
  reads_specials_ = false;
  high_inputs_ = high_outputs_ = 0;
  if (!fill_operands(instruction, semantics, step)) return add_fault(fault_not_executable, offset, instruction.size);
  if (semantics.kind == BodyKind::lane) {
    Modifiers modifiers;
    bool used = false;
    add_address(instruction, step, modifiers, used);
    if (instruction.has_suffix()) add_stages(instruction, all().encodings[instruction.suffix], step, modifiers, used);
    add_stages(instruction, instruction.encoding(), step, modifiers, used);
    add_half_stages(modifiers, used);
    // gfx10 and later keep the other half of a register where a 16-bit result goes; gfx9 clears it.
    const std::string_view epoch = all().text(all().chips[program_.chip()].epoch);
    const InstructionRow& row = instruction.row();
    for (unsigned s = 0; s < row.slot_count; ++s) {
      const SlotRow& slot = all().slots[row.first_slot + s];
      const bool is_half_result = slot.bits == 16 && (slot.access == Access::out || slot.access == Access::inout) && !slot.is_named;
      const bool merged = std::any_of(modifiers.writes.begin(), modifiers.writes.end(), [](const StageUse& use) { return use.old_argument != 0xff; });
      if (is_half_result && epoch != "gfx9" && !merged) step.keeps_high_half = true;
    }
    if (used) step.modifiers = &program_.modifiers_.emplace_back(std::move(modifiers));
  }
  if (reads_specials_) add_refresh(offset);
  if (semantics.kind == BodyKind::scalar && field_value(instruction, "scale_offset") != 0) add_scaled_offset(instruction, step, offset);
  choose_handler(step, semantics);
  program_.steps_.push_back(step);
}

void StepBuilder::add_second(const Instruction& instruction, u32 offset) {
  std::vector<Step>& steps = program_.steps_;
  const std::size_t first = steps.size() - 1;
  add(instruction, offset);
  if (steps[first].kernel == nullptr || steps.back().kernel == nullptr) return;
  // What refreshes the specials that the second reads comes before both.
  std::rotate(steps.begin() + static_cast<std::ptrdiff_t>(first), steps.begin() + static_cast<std::ptrdiff_t>(first) + 1, steps.end() - 1);
  steps[steps.size() - 2].run = host_handlers().pair;
  steps.back().is_synthetic = true;
}

}  // namespace gfxisa::exec
