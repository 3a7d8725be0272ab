// What modifiers, suffixes and address lines do around a step's kernel, prepared when the code is decoded.
#include <algorithm>

#include "exec/step_builder.h"
#include "inst/registers.h"

namespace gfxisa::exec {
namespace {

const Tables& all() { return tables(); }

/// Source operand number of a slot in the manuals' words (src0, src1, src2); 3 for others.
unsigned source_number(std::string_view slot) {
  if (slot == "a") return 0;
  if (slot == "b") return 1;
  if (slot == "c") return 2;
  return 3;
}

/// The field of one source alone, `src0_neg`; nullptr where the encoding has none.
const FieldRow* own_field(const EncodingRow& encoding, unsigned source, std::string_view field) {
  return find_field(encoding, "src" + std::to_string(source) + "_" + std::string(field));
}

/// Whether source 0, 1 or 2 is a scalar register or a constant.
bool is_scalar(const Instruction& instruction, unsigned source) {
  const u64 code = field_value(instruction, "src" + std::to_string(source));
  return code_row(instruction.chip, static_cast<u32>(code)).cls != CodeClass::vgpr;
}

/// Value of an argument of a stage of `encoding`, the instruction's or its suffix: a field, or with [i] the bit (or
/// field of its own, `src0_neg`) of source i. Where the instruction's own word has room for it, that of the suffix
/// means nothing: VOP3 with DPP. `scalar` is no field: whether the source is one.
u32 stage_argument(const Instruction& instruction, const EncodingRow& encoding, std::string_view field, bool indexed,
                   unsigned source) {
  if (field == "scalar") return is_scalar(instruction, source) ? 1 : 0;
  if (!indexed) return static_cast<u32>(field_value(instruction, field));
  if (encoding.is_suffix && instruction.encoding().bits > 32) return 0;
  if (const FieldRow* own = own_field(encoding, source, field))
    return static_cast<u32>(field_value(instruction, all().text(own->name)));
  // The bits of later sources may lie in a field of their own: opsel_hi2.
  const FieldRow* row = find_field(instruction.encoding(), field);
  if (row != nullptr && source >= row->width) {
    return static_cast<u32>(field_value(instruction, std::string(field) + "2") >> (source - row->width) & 1);
  }
  return static_cast<u32>(field_value(instruction, field) >> source & 1);
}

bool stage_applies(const StageRow& stage, const SlotRow& slot) {
  if (stage.format == stage_lanes || slot.bits == 0) return false;
  return stage.format == slot.format;
}

/// Whether the form is written with this modifier: those that choose halves are left out where it does not take them.
bool has_modifier(const FormRow& form, Text field) {
  const auto items = all().syntax_items.subspan(form.first_syntax, form.syntax_count);
  return std::any_of(items.begin(), items.end(), [&](const SyntaxItem& item) { return item.name == field; });
}

/// Whether a stage takes a half of a register or puts it there, as op_sel says.
bool chooses_half(const EncodingRow& encoding, const StageRow& stage) {
  const FieldRow* opsel = find_field(encoding, KnownField::opsel);
  return opsel != nullptr && stage.argument_count != 0 && stage.argument_field[0] == opsel->name &&
         stage.format < all().data_formats.size() && all().data_formats[stage.format].bits == 16;
}

/// Output modifiers do nothing in IEEE mode, nor where denormal results are kept.
u32 modes_without_omod(std::string_view epoch, const StageRow& stage) {
  constexpr u32 keeps_f32 = 1u << 5, keeps_f16_f64 = 1u << 7, ieee = 1u << 9;
  const bool is_f32 =
      stage.format < all().data_formats.size() && all().text(all().data_formats[stage.format].name) == "f32";
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

}  // namespace

u32 access_bytes(std::string_view name) {
  const std::size_t start = name.find_last_of('_');
  unsigned bits = 0;
  for (const char c : name.substr(start == std::string_view::npos ? 0 : start)) {
    if (c >= '0' && c <= '9') bits = bits * 10 + static_cast<unsigned>(c - '0');
  }
  if (name.find("_pk_") != std::string_view::npos) bits *= 2;
  return bits / 8;
}

/// Asks the stage for the source of every lane.
void StepBuilder::fill_source_lanes(const Instruction& instruction, const StageRow& stage, Modifiers& m) const {
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
    for (unsigned lane = 0; lane < lanes_per_call; ++lane)
      m.source_lane[half * 32 + lane] = static_cast<u8>(std::min(result[lane], 255u));
  }
}

void StepBuilder::add_lane_moves(const Instruction& instruction, const StageRow& stage, Modifiers& m) {
  fill_source_lanes(instruction, stage, m);
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

/// The arguments of a stage for one operand; false when they leave the operand as it is.
bool StepBuilder::fill_arguments(const Instruction& instruction, const EncodingRow& encoding, const StageRow& stage,
                                 unsigned source, StageUse& use) const {
  bool changes_something = false;
  for (unsigned a = 0; a < stage.argument_count; ++a) {
    const std::string_view field = all().text(stage.argument_field[a]);
    if (field == "old") {
      use.old_argument = static_cast<u8>(a);
      continue;
    }
    use.arguments[a] = stage_argument(instruction, encoding, field, stage.argument_indexed[a], source);
    const FieldRow* own = stage.argument_indexed[a] ? own_field(encoding, source, field) : nullptr;
    const FieldRow* described = own != nullptr ? own : find_field(encoding, field);
    changes_something =
        changes_something || use.arguments[a] != 0 || (described != nullptr && described->constant != 0);
  }
  return changes_something || use.old_argument != 0xff;
}

/// A stage on all operands that it applies to.
void StepBuilder::add_stage(const Instruction& instruction, const EncodingRow& encoding, const StageRow& stage,
                            Modifiers& m) {
  const InstructionRow& row = instruction.row();
  unsigned input = 0, output = 0;
  for (unsigned s = 0; s < row.slot_count; ++s) {
    const SlotRow& slot = all().slots[row.first_slot + s];
    if (slot.is_named || slot.access == Access::imm || (slot.chips >> program_.chip() & 1) == 0) continue;
    const bool reads = slot.access != Access::out, writes = slot.access != Access::in;
    const unsigned number = stage.is_write ? output : input;
    input += reads;
    output += writes;
    const unsigned source = source_number(all().text(slot.name));
    if (!stage_applies(stage, slot) || (stage.is_write ? !writes : !reads || source > 2)) continue;
    StageUse use;
    if (all().text(stage.stage) == "omod") use.off_in_modes = modes_without_omod(epoch(), stage);
    use.kernel = host_kernels().stages[stage.kernel];
    use.operand = static_cast<u8>(number);
    use.argument_count = stage.argument_count;
    if (fill_arguments(instruction, encoding, stage, source, use)) (stage.is_write ? m.writes : m.reads).push_back(use);
  }
}

void StepBuilder::add_stages(const Instruction& instruction, const EncodingRow& encoding, Modifiers& m) {
  for (u32 i = 0; i < encoding.stage_count; ++i) {
    const StageRow& stage = all().stages[encoding.first_stage + i];
    if (chooses_half(encoding, stage) && !has_modifier(instruction.form_row(), stage.argument_field[0])) continue;
    if (stage.format == stage_lanes)
      add_lane_moves(instruction, stage, m);
    else
      add_stage(instruction, encoding, stage, m);
  }
}

/// Stages for operands that are upper halves: taken down before the others, put back after them.
void StepBuilder::add_half_stages(Modifiers& m) const {
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
}

namespace {

const FieldRow* field_of(const EncodingRow& encoding, std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    if (const FieldRow* field = find_field(encoding, name)) return field;
  }
  return nullptr;
}

/// Number of the input that is the address; 0xff when there is none.
u8 input_named(const InstructionRow& row, std::string_view name) {
  u8 input = 0;
  for (unsigned s = 0; s < row.slot_count; ++s) {
    const SlotRow& slot = all().slots[row.first_slot + s];
    if (slot.is_named || slot.access == Access::imm || slot.access == Access::out) continue;
    if (all().text(slot.name) == name) return input;
    ++input;
  }
  return 0xff;
}

}  // namespace

void StepBuilder::add_scalar_address(const Instruction& instruction, AddressUse& use) {
  const FieldRow* saddr = find_field(instruction.encoding(), "saddr");
  if (saddr == nullptr) return;
  const u32 code = static_cast<u32>(instruction.bits(saddr->low, saddr->width));
  const CodeRow& what = code_row(program_.chip(), code);
  // "off" is NULL where the chip has it, and 0x7f on gfx9 and gfx10.
  const bool off = code == 0x7f || (what.cls == CodeClass::special && all().text(what.name) == "null");
  use.has_saddr = !off && register_ref(code, 2, true, false, use.saddr);
}

void StepBuilder::add_vector_address(const Instruction& instruction, AddressUse& use) {
  const EncodingRow& encoding = instruction.encoding();
  const FieldRow* vaddr = field_of(encoding, {"vaddr", "addr"});
  if (vaddr == nullptr) return;
  const u32 first = static_cast<u32>(instruction.bits(vaddr->low, vaddr->width));
  if (find_field(encoding, "idxen") != nullptr) {
    const u32 count = static_cast<u32>(field_value(instruction, "idxen") + field_value(instruction, "offen"));
    use.has_vaddr = count != 0;
    if (use.has_vaddr) use.vaddr = rows_ref(first + bank_of("vaddr"), count);
    return;
  }
  const u64 has_vector = field_value(instruction, "sve", 1);
  use.has_vaddr =
      !use.is_scratch ||
      (find_field(encoding, "sve") != nullptr ? has_vector != 0 : !use.has_saddr && !has_no_address(instruction));
  // With a scalar base (and in scratch) the vector part is a 32-bit offset in one register.
  if (use.has_vaddr) use.vaddr = rows_ref(first + bank_of("vaddr"), use.has_saddr || use.is_scratch ? 1 : 2);
}

void StepBuilder::add_address(const Instruction& instruction, Step& step, Modifiers& m) {
  const EncodingRow& encoding = instruction.encoding();
  AddressUse& use = m.address;
  use.operand = input_named(instruction.row(), "addr");
  if (encoding.address_kernel == 0xffff || use.operand == 0xff) return;
  use.kernel = host_kernels().addresses[encoding.address_kernel];
  step.in[use.operand] = OperandRef{};
  step.in[use.operand].rows = 2;
  use.is_scratch = all().text(encoding.name).find("SCRATCH") != std::string_view::npos;
  add_scalar_address(instruction, use);
  add_vector_address(instruction, use);
  use.is_signed = use.has_saddr && !use.is_scratch && find_field(encoding, "scale_offset") != nullptr;
  if (field_value(instruction, "scale_offset") != 0)
    use.scale = static_cast<u8>(access_bytes(all().text(instruction.row().name)));
  i64 distance = 0;
  if (const FieldRow* offset = field_of(encoding, {"offset", "ioffset"})) {
    const u64 bits = instruction.bits(offset->low, offset->width);
    distance = offset->style == Style::simm ? sign_extend(bits, offset->width) : static_cast<i64>(bits);
  }
  use.base = input_named(instruction.row(), "base");
  use.soffset = input_named(instruction.row(), "soffset");
  use.idxen = static_cast<u32>(field_value(instruction, "idxen"));
  use.offen = static_cast<u32>(field_value(instruction, "offen"));
  use.format = static_cast<u32>(field_value(instruction, "format"));
  use.offset = static_cast<u32>(distance);
  // Where nothing is added to a pair of vector registers, it is the address.
  const std::string_view name = all().text(encoding.name);
  const bool is_memory = name.find("FLAT") != std::string_view::npos || name.find("GLOBAL") != std::string_view::npos;
  const bool is_pair = use.has_vaddr && use.vaddr.rows == 2 && !use.has_saddr;
  if (!is_memory || !is_pair || distance != 0 || use.scale != 1) return;
  step.in[use.operand] = use.vaddr;
  use = {};
}

}  // namespace gfxisa::exec
