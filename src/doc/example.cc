#include "doc/example.h"

#include <fmt/format.h>

#include <algorithm>

#include "codec/decode.h"
#include "doc/compare.h"
#include "inst/instruction.h"
#include "text/assemble.h"
#include "text/disassemble.h"

namespace gfxisa {
namespace {

const Tables& all() { return tables(); }

constexpr bool has_class(u16 classes, CodeClass cls) { return classes >> static_cast<unsigned>(cls) & 1; }

/// Hands out registers of each file from 0 up, aligned as their width wants, so that no two operands overlap.
class RegisterPicker {
 public:
  u32 scalar(unsigned registers) { return pick(next_scalar_, registers, std::min(registers, 4u)); }
  u32 vector(unsigned registers) { return pick(next_vector_, registers, registers > 1 ? 2 : 1); }

 private:
  static u32 pick(u32& next, unsigned registers, unsigned alignment) {
    if (alignment == 3) alignment = 4;
    next = (next + alignment - 1) / alignment * alignment;
    const u32 first = next;
    next += registers;
    return first;
  }
  u32 next_scalar_ = 0, next_vector_ = 0;
};

/// A plausible value for an operand field, or false when the kind holds no register.
bool plausible_code(const OperandRow& operand, const SlotRow& slot, unsigned chip, RegisterPicker& picker, u64& value) {
  if (slot.access == Access::imm) {
    value = 0;
    return true;
  }
  if (operand.kind == no_kind) return false;
  const OperandKindRow& kind = all().operand_kinds[operand.kind];
  const unsigned bits = slot.bits == 0 ? default_wave_size(chip) : slot.bits;
  const unsigned registers = std::max(1u, (bits + 31) / 32);
  if (has_class(kind.classes, CodeClass::vgpr) || is_accumulator_kind(kind)) {
    value = picker.vector(registers) + 256 - kind.offset;
  } else if (has_class(kind.classes, CodeClass::sgpr)) {
    value = picker.scalar(std::max<unsigned>(registers, kind.scale)) / kind.scale;  // sbase counts pairs
  } else if (has_class(kind.classes, CodeClass::integer)) {
    value = 128;
  } else {
    return false;
  }
  return true;
}

bool fill_fields(Instruction& instruction, unsigned chip) {
  const FormRow& form = instruction.form_row();
  const EncodingRow& encoding = instruction.encoding();
  for (u32 i = 0; i < encoding.field_count; ++i) {
    const FieldRow& field = all().fields[encoding.first_field + i];
    if (field.role == FieldRole::modifier) instruction.set_bits(field.low, field.width, field.constant);
  }
  // Fields that have one value in this form, such as gds of the global wave sync.
  for (u32 i = 0; i < form.check_count; ++i) {
    const CheckRow& check = all().checks[form.first_check + i];
    if (check.operand != fixed_field) continue;
    const LegalValues& legal = all().legal_values[check.legal];
    u64 value = 0;
    while (value < 512 && !allows(legal, value)) ++value;
    if (value < 512) instruction.set_bits(check.low, check.width, value);
  }
  RegisterPicker picker;
  const InstructionRow& row = instruction.row();
  for (u32 i = 0; i < form.operand_count; ++i) {
    const OperandRow& operand = all().operands[form.first_operand + i];
    if (operand.field == 0xff) continue;
    u64 value = 0;
    if (!plausible_code(operand, all().slots[row.first_slot + operand.slot], chip, picker, value)) return false;
    const FieldRow& field = all().fields[encoding.first_field + operand.field];
    instruction.set_bits(field.low, field.width, value);
  }
  return true;
}

/// Whether a line is this form of an instruction, or of a pair one half is.
bool gives(unsigned chip, std::string_view line, u32 form) {
  const auto made = assemble_line(chip, line);
  if (!made) return false;
  const auto second = second_of(*made);
  return made->form == form || (second && second->form == form);
}

/// A form with nothing in its fields.
Instruction bare_instruction(unsigned chip, u32 form) {
  Instruction out;
  out.form = form;
  out.chip = static_cast<u8>(chip);
  const auto words = identifier_words(out.form_row());
  std::copy(words.begin(), words.end(), out.words.begin());
  out.size = static_cast<u8>(words.size() * 4);
  return out;
}

/// Half of a pair in a whole one: beside a move that disturbs nothing, or a sum with a sign, which only the long pairs
/// have. Empty when no pair has the half in this form.
std::string in_a_pair(unsigned chip, const std::string& half, u32 form) {
  for (const std::string_view other :
       {"v_dual_mov_b32 v5, v8", "v_dual_mov_b32 v4, v8", "v_dual_add_f32 v5, -v8, v9", "v_dual_add_f32 v4, -v8, v9"}) {
    for (const bool is_first : {true, false}) {
      const std::string line = is_first ? fmt::format("{} :: {}", half, other) : fmt::format("{} :: {}", other, half);
      if (gives(chip, line, form)) return line;
    }
  }
  return {};
}

/// `v_nop` as `v_nop_e64`, where the text does not say which encoding is meant.
std::string with_suffix_of(const EncodingRow& encoding, const std::string& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string suffix(all().text(encoding.mnemonic_suffix));
  if (std::string_view(line).substr(0, end).ends_with(suffix)) return line;
  return line.substr(0, end) + suffix + line.substr(end);
}

}  // namespace

std::string example_text(unsigned chip, u32 form_index) {
  Instruction instruction = bare_instruction(chip, form_index);
  const InstructionRow& row = instruction.row();
  for (u32 i = 0; i < row.example_count; ++i) {
    const std::string own(all().text(all().texts[row.first_example + i]));
    if (gives(chip, own, form_index)) return own;
  }
  if (!fill_fields(instruction, chip)) return {};
  std::string line = to_text(instruction);
  if (share_of(instruction.encoding()) != Share::whole)
    return in_a_pair(chip, line.substr(0, line.find(" ::")), form_index);
  if (gives(chip, line, form_index)) return line;
  if (const std::string longer = with_suffix_of(instruction.encoding(), line); gives(chip, longer, form_index))
    return longer;
  // A register beside an offset that is not there would be another encoding's.
  if (const FieldRow* offset = find_field(instruction.encoding(), "offset"); offset != nullptr) {
    Instruction moved = instruction;
    moved.set_bits(offset->low, offset->width, 16);
    if (const std::string text = to_text(moved); gives(chip, text, form_index)) return text;
  }
  // How many registers some take follows from dmask and dim, and from whether addresses are halves.
  const FieldRow* dmask = find_field(instruction.encoding(), "dmask");
  const FieldRow* dim = find_field(instruction.encoding(), "dim");
  const FieldRow* halves = find_field(instruction.encoding(), "a16");
  for (u64 shape = 0; dmask != nullptr && shape < 64; ++shape) {
    static constexpr u64 masks[] = {1, 3, 15, 0};
    instruction.set_bits(dmask->low, dmask->width, masks[shape % 4]);
    if (dim != nullptr) instruction.set_bits(dim->low, dim->width, shape / 4 % 8);
    if (halves != nullptr) instruction.set_bits(halves->low, halves->width, shape / 32);
    line = to_text(instruction);
    if (gives(chip, line, form_index)) return line;
  }
  return {};
}

std::string why_no_example(unsigned chip, u32 form_index) {
  Instruction instruction = bare_instruction(chip, form_index);
  if (!fill_fields(instruction, chip)) return {};
  std::string line = to_text(instruction);
  if (share_of(instruction.encoding()) != Share::whole)
    line = line.substr(0, line.find(" ::")) + " :: v_dual_mov_b32 v5, v8";
  if (const auto made = assemble_line(chip, line))
    return fmt::format("words of this form are read; the assembler makes {} of their text",
                       all().text(made->encoding().name));
  if (find_field(instruction.encoding(), "vaddr1") == nullptr) return {};
  return "words of this form are read, but none is assembled: this instruction never has as many address registers as "
         "call for it";
}

std::string suffix_example(unsigned chip, std::string_view example, u32 suffix) {
  const auto with_suffix = [&](const std::string& line) {
    const auto made = assemble_line(chip, line);
    return made && made->suffix == suffix;
  };
  const std::size_t space = std::min(example.find(' '), example.size());
  std::string mnemonic(example.substr(0, space));
  const std::string rest(example.substr(space));
  for (const std::string_view known : {"_e32", "_e64"}) {
    if (mnemonic.ends_with(known)) mnemonic.resize(mnemonic.size() - known.size());
  }
  const std::string_view name = all().text(all().encodings[suffix].name);
  std::vector<std::string> lines;
  if (name.starts_with("DPP")) {
    for (const std::string_view kind : {"_dpp", "_e64_dpp"}) {
      const std::string dpp = mnemonic + std::string(kind) + rest;
      // The only one for values of 64 bits is row_newbcast.
      for (const std::string_view how :
           {"row_shr:1 row_mask:0xf bank_mask:0xf", "row_newbcast:1 row_mask:0xf bank_mask:0xf",
            "dpp8:[1,0,3,2,5,4,7,6]", "dpp8:[1,0,3,2,5,4,7,6] fi:1"})
        lines.push_back(dpp + " " + std::string(how));
    }
  } else if (name.starts_with("SDWA")) {
    const std::string sdwa = mnemonic + "_sdwa" + rest;
    lines = {sdwa + " dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD",
             sdwa + " dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1", sdwa + " src0_sel:WORD_1 src1_sel:DWORD"};
  } else {
    // A literal in place of each operand in turn, the last first.
    std::string line(example);
    for (std::size_t before = line.rfind(' '); before != std::string::npos && before > 0;
         before = line.rfind(' ', before - 1)) {
      const std::size_t end = std::min(line.find_first_of(", ", before + 1), line.size());
      for (const std::string_view literal : {"0x12345678", "0x1234", "0x123456789abcdef0"})
        lines.push_back(line.substr(0, before + 1) + std::string(literal) + line.substr(end));
    }
  }
  for (const std::string& candidate : lines) {
    if (with_suffix(candidate)) return candidate;
  }
  return {};
}

}  // namespace gfxisa
