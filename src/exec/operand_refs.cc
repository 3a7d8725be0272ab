// Operands of instructions as places: registers, constants of the program, special values.
#include <algorithm>
#include <cstring>

#include "exec/step_builder.h"
#include "inst/registers.h"
#include "machine/wave.h"

namespace gfxisa::exec {
namespace {

const Tables& all() { return tables(); }

}  // namespace

// ------------------------------------------------------------------------------------------- constants

u32 ConstantPool::place(u64 key_kind, u64 value, unsigned words, unsigned copies, unsigned period) {
  const auto [known, is_new] = known_.try_emplace({key_kind, value}, 0);
  if (!is_new) return known->second;
  bytes_.resize((bytes_.size() + 63) / 64 * 64);
  known->second = static_cast<u32>(bytes_.size());
  for (unsigned word = 0; word < words; ++word) {
    const unsigned from = period != 0 ? word % period : word;
    const u32 part = from < 2 ? static_cast<u32>(value >> (32 * from)) : 0;
    for (unsigned copy = 0; copy < copies; ++copy) {
      const auto* first = reinterpret_cast<const u8*>(&part);
      bytes_.insert(bytes_.end(), first, first + 4);
    }
  }
  return known->second;
}

u32 ConstantPool::scalar(u64 value) { return place(0, value, 16, 1); }
u32 ConstantPool::rows(u64 value, unsigned words, unsigned period) {
  return place(words | u64{period} << 32, value, words, period == 0 ? lanes_per_call : 2 * lanes_per_call, period);
}

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

/// A constant in the place of many elements: each of them has it.
OperandRef StepBuilder::repeated_ref(u64 value, ConstantType type, u32 words) {
  const bool is_half = type == ConstantType::packed_f16 || type == ConstantType::packed_bf16;
  if (is_half) value = (value & 0xffff) | (value & 0xffff) << 16;
  OperandRef ref;
  ref.space = 1;
  ref.rows = static_cast<u8>(words);
  ref.offset = constants_.rows(value, words, type == ConstantType::f64 ? 2 : 1);
  ref.row_stride = 2 * half_row_bytes;
  ref.half_stride = half_row_bytes;
  return ref;
}

void StepBuilder::use_vector_registers(u32 first, u32 count) {
  program_.vector_registers_ = std::max(program_.vector_registers_, first + count);
}

OperandRef StepBuilder::rows_ref(u32 first, u32 count) {
  const bool is_beyond = !program_.limits_.hold(first, count);
  if (is_beyond) {
    is_result_beyond_ = is_result_beyond_ || is_result_;
    is_source_split_ = is_source_split_ || (reaches_memory_ && !is_result_ && program_.limits_.hold(first, 1));
    first = 0;
  }
  use_vector_registers(first, count);
  const u16 row_bytes = static_cast<u16>(program_.wave_size() / 32 * half_row_bytes);
  OperandRef ref;
  ref.offset = scalar_file_words * 4 + first * row_bytes;
  ref.rows = static_cast<u8>(count);
  ref.row_stride = is_beyond && reaches_memory_ ? 0 : row_bytes;
  ref.half_stride = half_row_bytes;
  return ref;
}

bool StepBuilder::special_ref(std::string_view name, bool is_lane, OperandRef& ref) {
  static constexpr std::pair<std::string_view, u32> places[] = {{"src_scc", slot_scc},
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

/// CDNA 5 has more vector registers than fields can name: of the first source (and addresses), the second (and data),
/// the third and the destination two bits more are set by an instruction of their own.
u32 StepBuilder::bank_of(std::string_view field) const {
  if (banks_ == 0) return 0;
  const bool is_first = field == "src0" || field == "vsrc0" || field == "vaddr" || field == "addr" || field == "vaddr0";
  const bool is_second =
      field == "src1" || field == "vsrc1" || field == "vsrc" || field == "data0" || field == "vaddr1";
  const bool is_third = field == "src2" || field == "vsrc2" || field == "data1" || field == "vaddr2";
  const u32 place = is_first ? 0 : is_second ? 2 : is_third ? 4 : 6;
  return (banks_ >> place & 3) * 256;
}

bool StepBuilder::register_ref(u32 code, u32 words, bool is_lane, bool is_mask, OperandRef& ref) {
  const CodeRow& row = code_row(program_.chip(), code);
  switch (row.cls) {
    case CodeClass::vgpr:
      ref = rows_ref(static_cast<u32>(row.value) + bank_, words);
      return true;
    case CodeClass::agpr:
      ref = rows_ref(Program::first_accumulator + static_cast<u32>(row.value), words);
      return true;
    case CodeClass::sgpr:
    case CodeClass::trap:
    case CodeClass::special:
      break;
    default:
      return false;
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
  ConstantType type = constant_type(*value.slot);
  const bool has_elements = is_lane && value.slot->format != no_format && words > 0 &&
                            type != ConstantType::repeated_f16 &&
                            all().text(all().data_formats[value.slot->format].name).find('_') != std::string_view::npos;
  if (type == ConstantType::mixed_f16 || type == ConstantType::mixed_bf16) type = ConstantType::f32;
  if (row.cls == CodeClass::literal || row.cls == CodeClass::literal64) {
    const u64 literal = row.cls == CodeClass::literal64
                            ? instruction.literal()
                            : literal_value(static_cast<u32>(instruction.literal()), type, is_signed(*value.slot));
    ref = constant_ref(literal, words, is_lane, is_mask);
    return true;
  }
  if (row.cls == CodeClass::integer || row.cls == CodeClass::real) {
    const auto constant = inline_value(program_.chip(), value.code, type);
    if (!constant) return false;
    ref = has_elements ? repeated_ref(*constant, type, words) : constant_ref(*constant, words, is_lane, is_mask);
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
  is_result_ = true;
  const bool is_known = register_ref(value.code, words, is_lane, value.slot->bits == 0, ref);
  is_result_ = false;
  return is_known;
}

/// In the short vector encodings of gfx11 and later a 16-bit operand is half a register: v0 .. v127, the code's bit 7
/// says which.
bool StepBuilder::take_high_half(const Instruction& instruction, OperandValue& value) const {
  const EncodingRow& encoding = instruction.encoding();
  if (value.slot == nullptr || value.slot->bits != 16 || encoding.halves == Halves::none) return false;
  const CodeRow& row = code_row(program_.chip(), value.code);
  if (row.cls != CodeClass::vgpr || row.value < 128) return false;
  value.code -= 128;
  return true;
}

}  // namespace gfxisa::exec
