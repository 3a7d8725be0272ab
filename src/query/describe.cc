#include "query/describe.h"

#include <cstring>

#include "codec/decode.h"
#include "inst/registers.h"
#include "text/listing.h"
#include "text/memory_text.h"
#include "text/writer.h"

namespace gfxisa {

namespace {

constexpr std::string_view clamp_slot = "clamp";  ///< a bit of the encoding that bodies see as a named input

u8 access_of(const SlotRow& slot) {
  switch (slot.access) {
    case Access::out:
      return GFXISA_WRITE;
    case Access::in:
      return GFXISA_READ;
    case Access::inout:
      return GFXISA_READ | GFXISA_WRITE;
    case Access::imm:
      return 0;
  }
  return 0;
}

std::string_view style_name(Style style) {
  static constexpr std::string_view names[] = {
#define GFXISA_STYLE(name, meaning) #name,
#include "inst/styles.inc"
#undef GFXISA_STYLE
  };
  return names[static_cast<std::size_t>(style)];
}

class Describer {
 public:
  Describer(const Instruction& instruction, const TextOptions& options, gfxisa_details& out)
      : instruction_(instruction),
        wave_size_(wave_size_of(instruction.chip, options)),
        line_{scratch_, instruction, wave_size_, text::chip_bit(instruction.chip)},
        out_(out) {}

  void run() {
    std::memset(&out_, 0, sizeof out_);
    describe_form();
    add_operands();
    add_fields(line_.encoding, false);
    if (line_.suffix != nullptr) add_fields(*line_.suffix, true);
    add_implicit_registers();
  }

 private:
  const char* c_string(Text text) const { return all_.c_string(text); }

  void describe_form() {
    const InstructionRow& row = instruction_.row();
    out_.mnemonic = c_string(line_.form.mnemonic);
    out_.name = c_string(row.name);
    out_.encoding = c_string(line_.encoding.name);
    out_.encoding_title = c_string(line_.encoding.title);
    out_.suffix = line_.suffix == nullptr ? nullptr : c_string(line_.suffix->name);
    out_.category = c_string(row.topic);
    out_.summary = c_string(row.about);
    const FormRow& form = tables().forms[instruction_.form];
    out_.fidelity = static_cast<u8>(fidelity_of(form));
    out_.fidelity_reason = c_string(fidelity_reason(form));
    out_.opcode = line_.form.opcode;
    i64 distance = 0;
    out_.is_branch = branch_distance(instruction_, distance);
    out_.branch_distance = distance;
  }

  // ---- operands

  /// As the text has them; those that it leaves out follow.
  void add_operands() {
    u32 done = 0;
    for (u32 i = 0; i < line_.form.syntax_count; ++i) {
      const SyntaxItem& item = all_.syntax_items[line_.form.first_syntax + i];
      if (!item.is_slot) {
        add_scalar_base(item.name);
        continue;
      }
      for (u32 k = 0; k < line_.form.operand_count; ++k) {
        if (slot_at(k).name != item.name || (done >> k & 1) != 0) continue;
        done |= u32{1} << k;
        add_operand(k);
        break;
      }
    }
    for (u32 k = 0; k < line_.form.operand_count; ++k) {
      if ((done >> k & 1) == 0) add_operand(k);
    }
  }

  const SlotRow& slot_at(u32 index) const {
    return all_.slots[instruction_.row().first_slot + all_.operands[line_.form.first_operand + index].slot];
  }

  gfxisa_operand* next_operand() {
    if (out_.operand_count == GFXISA_MAX_OPERANDS) return nullptr;
    gfxisa_operand& operand = out_.operands[out_.operand_count++];
    operand.role = operand.type = operand.name = "";
    return &operand;
  }

  /// Whether the instruction has this operand with its present modifiers.
  bool has_operand(u32 index, const SlotRow& slot) const {
    const std::string_view name = all_.text(slot.name);
    if (slot.is_returned && slot.access == Access::out && !returns_value(instruction_)) return false;
    if (name == "soffset" && all_.operands[line_.form.first_operand + index].field == 0xff) return false;
    const bool is_address = name == "addr" && text::address_space(line_.encoding) != text::AddressSpace::none;
    return !is_address || text::has_vector_address(instruction_);
  }

  void add_operand(u32 index) {
    const SlotRow& slot = slot_at(index);
    if (!has_operand(index, slot)) return;
    const OperandRow& row = all_.operands[line_.form.first_operand + index];
    if (slot.access == Access::imm && row.field == 0xff) return;
    if (row.count != 0) return add_registers(index, row, slot);
    gfxisa_operand* operand = next_operand();
    if (operand == nullptr) return;
    operand->role = c_string(slot.name);
    operand->field = row.field == 0xff ? nullptr : c_string(all_.fields[line_.encoding.first_field + row.field].name);
    operand->access = access_of(slot);
    // What an atomic exchanges comes back only where it is asked for.
    if (slot.is_returned && slot.access == Access::inout && !returns_value(instruction_)) operand->access = GFXISA_READ;
    if (slot.access == Access::imm) return describe_immediate(*operand, row, slot);
    operand->type = slot.format == no_format ? "" : c_string(all_.data_formats[slot.format].name);
    const OperandValue value = operand_of(instruction_, index, wave_size_);
    operand->is_implicit = value.is_implied;
    if (line_.suffix != nullptr && !value.is_implied) {
      if (const FieldRow* field = replacing_field(*line_.suffix, slot.name)) operand->field = c_string(field->name);
    }
    operand->bits = width_of(slot, value.bits);
    describe_signs(*operand, slot);
    describe_code(*operand, value.code, slot);
  }

  /// As many registers as fields say; those that have a field of their own are operands of their own.
  void add_registers(u32 index, const OperandRow& row, const SlotRow& slot) {
    const RegisterRuns runs = register_runs(instruction_, index);
    for (u8 i = 0; i < runs.count; ++i) {
      gfxisa_operand* operand = next_operand();
      if (operand == nullptr) return;
      const u8 field = i == 0 ? row.field : row.further[i - 1u];
      operand->role = c_string(slot.name);
      operand->field = c_string(all_.fields[line_.encoding.first_field + field].name);
      operand->access = access_of(slot);
      operand->type = slot.format == no_format ? "" : c_string(all_.data_formats[slot.format].name);
      operand->bits = static_cast<u16>(32 * runs.runs[i].count);
      operand->code = runs.runs[i].code;
      describe_register(*operand, code_row(instruction_.chip, operand->code));
    }
  }

  u16 width_of(const SlotRow& slot, u16 bits) const {
    const bool is_address =
        all_.text(slot.name) == "addr" && text::address_space(line_.encoding) != text::AddressSpace::none;
    return is_address ? static_cast<u16>(text::vector_address_bits(instruction_)) : bits;
  }

  void describe_immediate(gfxisa_operand& operand, const OperandRow& row, const SlotRow& slot) {
    const FieldRow& field = all_.fields[line_.encoding.first_field + row.field];
    const u64 value = instruction_.bits(field.low, field.width);
    operand.kind = GFXISA_IMMEDIATE;
    operand.type = style_name(slot.style).data();
    operand.bits = field.width;
    const bool is_signed = is_signed_style(slot.style) || field.style == Style::simm;
    operand.value = is_signed ? static_cast<u64>(sign_extend(value, field.width)) : value;
  }

  void describe_signs(gfxisa_operand& operand, const SlotRow& slot) {
    const text::Signs signs = text::signs_of(line_, slot, text::source_number(all_.text(slot.name)));
    operand.is_negated = signs.neg;
    operand.is_absolute = signs.abs;
    operand.is_sign_extended = signs.sext;
  }

  void describe_code(gfxisa_operand& operand, u32 code, const SlotRow& slot) {
    if (const auto half = text::half_of(line_, code, slot)) {
      code = half->code;
      operand.is_high_half = half->is_high;
    }
    const CodeRow& row = code_row(instruction_.chip, code);
    const ConstantType type = constant_type(slot);
    operand.code = static_cast<u16>(code);
    switch (row.cls) {
      case CodeClass::integer:
      case CodeClass::real:
        operand.kind = GFXISA_CONSTANT;
        operand.value = inline_value(instruction_.chip, code, type).value_or(0);
        return;
      case CodeClass::literal:
        operand.kind = GFXISA_LITERAL;
        operand.value = literal_value(static_cast<u32>(instruction_.literal()), type, is_signed(slot));
        return;
      case CodeClass::literal64:
        operand.kind = GFXISA_LITERAL;
        operand.value = instruction_.literal();
        return;
      default:
        return describe_register(operand, row);
    }
  }

  void describe_register(gfxisa_operand& operand, const CodeRow& row) {
    operand.kind = GFXISA_REGISTER;
    operand.first = static_cast<u32>(row.value);
    operand.count = static_cast<u16>(register_count(operand.bits));
    switch (row.cls) {
      case CodeClass::sgpr:
        operand.register_class = GFXISA_SGPR;
        return;
      case CodeClass::vgpr:
        operand.register_class = GFXISA_VGPR;
        return;
      case CodeClass::agpr:
        operand.register_class = GFXISA_AGPR;
        return;
      case CodeClass::trap:
        operand.register_class = GFXISA_TTMP;
        return;
      default:
        operand.register_class = GFXISA_SPECIAL;
        operand.name = c_string(row.name);
    }
  }

  /// The scalar part of an address lies in a field that is no slot.
  void add_scalar_base(Text name) {
    const FieldRow* field = find_field(line_.encoding, name);
    if (field == nullptr || field->style != Style::saddr || !has_scalar_base(instruction_)) return;
    gfxisa_operand* operand = next_operand();
    if (operand == nullptr) return;
    const bool is_scratch = text::address_space(line_.encoding) == text::AddressSpace::scratch;
    operand->role = "base";
    operand->field = c_string(field->name);
    operand->type = "address";
    operand->access = GFXISA_READ;
    operand->bits = is_scratch ? 32 : 64;
    const u32 code = static_cast<u32>(instruction_.bits(field->low, field->width));
    operand->code = static_cast<u16>(code - tuple_place(code_row(instruction_.chip, code), operand->bits / 32));
    describe_register(*operand, code_row(instruction_.chip, operand->code));
  }

  // ---- fields

  void add_fields(const EncodingRow& encoding, bool in_suffix) {
    for (const FieldRow& field : fields_of(encoding)) {
      if (field.role == FieldRole::joined || out_.field_count == GFXISA_MAX_FIELDS) continue;
      gfxisa_field& out = out_.fields[out_.field_count++];
      out.name = c_string(field.name);
      out.low = field.low;
      out.width = field.width;
      out.in_suffix = in_suffix;
      out.role = role_of(field.role);
      out.value =
          in_suffix ? instruction_.suffix_bits(field.low, field.width) : instruction_.bits(field.low, field.width);
    }
  }

  static u8 role_of(FieldRole role) {
    switch (role) {
      case FieldRole::constant:
        return GFXISA_FIELD_CONSTANT;
      case FieldRole::opcode:
        return GFXISA_FIELD_OPCODE;
      case FieldRole::reserved:
        return GFXISA_FIELD_UNUSED;
      case FieldRole::modifier:
        return GFXISA_FIELD_MODIFIER;
      default:
        return GFXISA_FIELD_OPERAND;
    }
  }

  // ---- what no operand says

  void add_implicit(const char* name, u8 access) {
    for (u32 i = 0; i < out_.implicit_count; ++i) {
      if (std::string_view(out_.implicit[i].name) != name) continue;
      out_.implicit[i].access |= access;
      return;
    }
    if (out_.implicit_count < GFXISA_MAX_IMPLICIT) out_.implicit[out_.implicit_count++] = {name, access};
  }

  void add_implicit_registers() {
    const InstructionRow& row = instruction_.row();
    for (const SlotRow& slot : all_.slots.subspan(row.first_slot, row.slot_count)) {
      if (!slot.is_named || (slot.chips >> instruction_.chip & 1) == 0 || all_.text(slot.name) == clamp_slot) continue;
      add_implicit(c_string(slot.name), access_of(slot));
    }
    for (u32 i = 0; i < out_.operand_count; ++i) {
      const gfxisa_operand& operand = out_.operands[i];
      if (operand.is_implicit != 0 && operand.kind == GFXISA_REGISTER && operand.name[0] != '\0')
        add_implicit(operand.name, operand.access);
    }
    if (reads_exec()) add_implicit("exec", GFXISA_READ);
    if (reads_mode()) add_implicit("mode", GFXISA_READ);
    const text::AddressSpace space = text::address_space(line_.encoding);
    if (space == text::AddressSpace::flat || space == text::AddressSpace::scratch)
      add_implicit("flat_scratch", GFXISA_READ);
    const SemanticsRow* semantics = semantics_row();
    if (semantics == nullptr) return;
    if (semantics->writes_pc) add_implicit("pc", GFXISA_WRITE);
    if (is_mode(semantics->reads_register)) add_implicit("mode", GFXISA_READ);
    // Bits that are not named stay, so a write is also a read.
    if (is_mode(semantics->writes_register)) add_implicit("mode", GFXISA_READ | GFXISA_WRITE);
  }

  bool is_mode(HardwareRegister which) const {
    if (which != HardwareRegister::named) return which == HardwareRegister::mode;
    constexpr u64 number_bits = 0x3f, mode = 1;
    for (u32 i = 0; i < out_.operand_count; ++i) {
      const gfxisa_operand& operand = out_.operands[i];
      if (operand.type == style_name(Style::hwreg)) return (operand.value & number_bits) == mode;
    }
    return false;
  }

  const SemanticsRow* semantics_row() const {
    return line_.form.semantics == no_semantics ? nullptr : &all_.semantics[line_.form.semantics];
  }

  /// Whether it matters which lanes are on. Without a body: an encoding with room for vector registers says so.
  bool reads_exec() const {
    if (const SemanticsRow* semantics = semantics_row()) return semantics->reads_exec;
    constexpr u32 vectors = 1u << static_cast<u32>(CodeClass::vgpr) | 1u << static_cast<u32>(CodeClass::agpr);
    for (const FieldRow& field : fields_of(line_.encoding)) {
      if (field.kind != no_kind && (all_.operand_kinds[field.kind].classes & vectors) != 0) return true;
    }
    return false;
  }

  /// Whether rounding or denormal modes matter. Without a body: arithmetic on floats obeys them.
  bool reads_mode() const {
    if (const SemanticsRow* semantics = semantics_row()) return semantics->float_mode != 0;
    for (u32 i = 0; i < line_.form.operand_count; ++i) {
      const SlotRow& slot = slot_at(i);
      if (slot.format != no_format && all_.text(all_.data_formats[slot.format].kind) == "float") return true;
    }
    return false;
  }

  const Tables& all_ = tables();
  const Instruction& instruction_;
  unsigned wave_size_;
  std::string scratch_;
  text::Line line_;
  gfxisa_details& out_;
};

}  // namespace

void describe(const Instruction& instruction, const TextOptions& options, gfxisa_details& out) {
  Describer(instruction, options, out).run();
}

}  // namespace gfxisa
