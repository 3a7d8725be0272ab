#include "codec/scalar_reads.h"

#include <algorithm>

#include "codec/decode.h"
#include "inst/registers.h"

namespace gfxisa {

namespace {

bool is_read(const SlotRow& slot) { return slot.access == Access::in || slot.access == Access::inout; }

bool is_constant(const OperandRow& operand, const EncodingRow& encoding) {
  return operand.field != 0xff && operand.field == encoding.literal_field;
}

/// No fewer than an instruction without DPP or SDWA reads, and few of most: a register read twice counts twice here,
/// and what each operand is need not be worked out.
unsigned scalars_at_most(const Instruction& instruction) {
  const Tables& all = tables();
  const FormRow& form = instruction.form_row();
  const EncodingRow& encoding = all.encodings[form.encoding];
  const SlotRow* slots = &all.slots[instruction.row().first_slot];
  unsigned count = form.reads_vcc ? 1 : 0;
  for (const OperandRow& operand : all.operands.subspan(form.first_operand, form.operand_count)) {
    if (is_constant(operand, encoding)) {
      ++count;
    } else if (operand.kind != no_kind && is_read(slots[operand.slot])) {
      const CodeClass cls = code_row(instruction.chip, word_code(instruction, operand)).cls;
      count += cls == CodeClass::sgpr || cls == CodeClass::trap || cls == CodeClass::special ||
               cls == CodeClass::literal || cls == CodeClass::literal64;
    }
  }
  return count;
}

class Counter {
 public:
  explicit Counter(unsigned wave_size) : wave_size_(wave_size) {}

  void read(const Instruction& instruction) {
    const Tables& all = tables();
    const FormRow& form = instruction.form_row();
    reads_.most = form.most_scalars;
    for (unsigned i = 0; i < form.operand_count; ++i) {
      const OperandRow& operand = all.operands[form.first_operand + i];
      const SlotRow& slot = all.slots[instruction.row().first_slot + operand.slot];
      if (is_constant(operand, instruction.encoding()))
        add({literal_code, all.fields[instruction.encoding().first_field + operand.field].width});
      else if (operand.kind != no_kind && is_read(slot))
        read_operand(instruction, operand_of(instruction, i, wave_size_));
    }
    if (form.reads_vcc) add({vcc_code, 64});
  }

  const ScalarReads& reads() const { return reads_; }

 private:
  void read_operand(const Instruction& instruction, const OperandValue& value) {
    const CodeRow& row = code_row(instruction.chip, value.code);
    if (value.code == instruction.form_row().free_scalar) return;
    switch (row.cls) {
      case CodeClass::sgpr:
      case CodeClass::trap:
        return add({value.code, value.bits});
      case CodeClass::literal:
      case CodeClass::literal64:
        return add({literal_code, value.bits});
      case CodeClass::special:
        if (tables().text(row.name) == "null") return;
        // A mask that no field names is the pair.
        return add({value.code, value.code >= 128 ? 32u : value.is_implied ? 64u : value.bits});
      default:
        return;
    }
  }

  void add(ScalarValue value) {
    const auto begin = reads_.values.begin(), end = begin + reads_.count;
    const bool is_known = std::any_of(begin, end, [&](const ScalarValue& other) {
      return other.code == value.code && register_count(other.bits) == register_count(value.bits);
    });
    if (!is_known && reads_.count < reads_.values.size()) reads_.values[reads_.count++] = value;
  }

  unsigned wave_size_;
  ScalarReads reads_;
};

}  // namespace

std::optional<ScalarReads> excess_scalars(const Instruction& instruction, unsigned wave_size) {
  const FormRow& form = instruction.form_row();
  if (form.most_scalars == 0) return {};
  const bool is_alone = share_of(instruction.encoding()) == Share::whole;
  const bool has_lanes = instruction.has_suffix() && !is_literal(tables().encodings[instruction.suffix]);
  if (is_alone && !has_lanes && form.scalar_sources <= form.most_scalars) return {};
  const auto second = is_alone ? std::nullopt : second_of(instruction);
  if (!has_lanes && scalars_at_most(instruction) + (second ? scalars_at_most(*second) : 0) <= form.most_scalars)
    return {};
  Counter counter(wave_size);
  counter.read(instruction);
  if (second) counter.read(*second);
  if (counter.reads().count <= counter.reads().most) return {};
  return counter.reads();
}

}  // namespace gfxisa
