#include "text/buffer_format.h"
#include "text/memory_text.h"

namespace gfxisa::text {

namespace {

void begin(Line& line, std::string_view name) { ((line.out += ' ') += name) += ':'; }

/// `name:[0,1,0]`, one bit an entry.
void append_bits(Line& line, std::string_view name, u64 value, unsigned count) {
  begin(line, name);
  for (unsigned i = 0; i < count; ++i) {
    line.out += i == 0 ? '[' : ',';
    line.out += static_cast<char>('0' + (value >> i & 1));
  }
  line.out += ']';
}

void append_table(Line& line, const FieldRow& field) {
  const u64 all = joined_value(line.instruction, field);
  if (all == 0) return;
  begin(line, "bitop3");
  if (all <= 10) return append_decimal(line.out, static_cast<i64>(all));
  append_hex(line.out, all);
}

/// The slots of a form that are registers.
const SlotRow* register_slot(const Line& line, std::string_view name) {
  for (unsigned i = 0; i < line.form.operand_count; ++i) {
    const OperandRow& operand = line.all.operands[line.form.first_operand + i];
    const SlotRow& slot = line.all.slots[line.instruction.row().first_slot + operand.slot];
    if (slot.access != Access::imm && line.all.text(slot.name) == name) return &slot;
  }
  return nullptr;
}

std::string_view format_kind(const Line& line, const SlotRow* slot) {
  return slot == nullptr || slot->format == no_format ? "" : line.all.text(line.all.data_formats[slot->format].kind);
}

/// Sources of a sum of products are whole registers of which both halves count.
u64 without_packed_sources(const Line& line, u64 value) {
  if (format_kind(line, register_slot(line, "d")) != "float") return value;
  for (unsigned i = 0; i < 3; ++i) {
    if (format_kind(line, register_slot(line, std::string_view("abc").substr(i, 1))) == "packed")
      value &= ~(u64{1} << i);
  }
  return value;
}

/// Whether op_sel chooses halves of whole registers, rather than of packed operands.
bool chooses_halves(const Line& line, const FieldRow& opsel) {
  for (u32 i = 0; i < line.encoding.stage_count; ++i) {
    const StageRow& stage = line.all.stages[line.encoding.first_stage + i];
    if (stage.argument_count != 0 && stage.argument_field[0] == opsel.name && stage.format != stage_lanes &&
        line.all.data_formats[stage.format].bits == 16)
      return true;
  }
  return false;
}

void append_opsel(Line& line, u64 value) {
  unsigned sources = source_count(line);
  const FieldRow* field = find_field(line.encoding, KnownField::opsel);
  if (field != nullptr && field->width < 3 &&
      chooses_halves(line, *field)) {  // the bits of the sources alone, or that of the destination
    const u64 shown = field->width == 1 ? value << sources : value;
    if (shown != 0) append_bits(line, "op_sel", shown, sources + 1);
    return;
  }
  if (field == nullptr || field->width < 4) {
    if (field != nullptr && field->width < sources) sources = field->width;
    if ((value & low_ones(sources)) != 0) append_bits(line, "op_sel", value, sources);
    return;
  }
  const FieldRow* result = find_field(line.encoding, KnownField::vdst);
  // Compares have no half of a result, though LLVM writes one but for EXEC and with DPP.
  const bool sets_exec = result != nullptr && result->role != FieldRole::operand;
  const SlotRow* result_slot = register_slot(line, "d");
  const bool is_mask = result_slot != nullptr && result_slot->bits == 0;
  if (sets_exec || (is_mask && line.suffix != nullptr && !is_literal(*line.suffix))) {
    if ((value & low_ones(sources)) != 0) append_bits(line, "op_sel", value, sources);
    return;
  }
  // The third source of a choice is a mask, and the halves of the registers say everything.
  const SlotRow* third = register_slot(line, "c");
  if (third != nullptr && third->bits == 0) return;
  // A destination that is added to is a third source.
  if (result_slot != nullptr && result_slot->access == Access::inout && sources == 2) sources = 3;
  value = without_packed_sources(line, value);
  // The destination's bit is the field's fourth and is written last.
  const u64 shown = (value & low_ones(sources)) | (value >> 3 & 1) << sources;
  if (shown != 0) append_bits(line, "op_sel", shown, sources + 1);
}

void append_opsel_hi(Line& line, const FieldRow& field) {
  const unsigned sources = source_count(line);
  const u64 all = joined_value(line.instruction, field) & low_ones(sources);
  const u64 usual = field.constant != 0 ? low_ones(sources) : 0;
  if (all != usual) append_bits(line, "op_sel_hi", all, sources);
}

void append_source_bits(Line& line, std::string_view name, u64 value) {
  const unsigned sources = source_count(line);
  if ((value & low_ones(sources)) != 0) append_bits(line, name, value, sources);
}

void append_named(Line& line, std::string_view what, std::span<const NamedValue> names, u64 value) {
  begin(line, what);
  const std::string_view name = name_of(names, line.chip, static_cast<u32>(value));
  if (name.empty())
    append_decimal(line.out, static_cast<i64>(value));
  else
    line.out += name;
}

void append_omod(Line& line, u64 value) {
  static constexpr std::string_view names[] = {"", " mul:2", " mul:4", " div:2"};
  line.out += names[value & 3];
}

struct DppRange {
  u32 first, last;
  std::string_view name;
  Chips chips;
};

constexpr DppRange dpp_ranges[] = {
    {0x101, 0x10f, "row_shl", any_chip},
    {0x111, 0x11f, "row_shr", any_chip},
    {0x121, 0x12f, "row_ror", any_chip},
    {0x150, 0x15f, "row_share", gfx10 | gfx11 | gfx12},
    {0x160, 0x16f, "row_xmask", gfx10 | gfx11 | gfx12},
    {0x150, 0x15f, "row_newbcast", cdna2 | cdna3 | cdna4},
};
constexpr NamedValue dpp_names[] = {
    {0x130, "wave_shl:1", gfx9},   {0x134, "wave_rol:1", gfx9},   {0x138, "wave_shr:1", gfx9},
    {0x13c, "wave_ror:1", gfx9},   {0x140, "row_mirror"},         {0x141, "row_half_mirror"},
    {0x142, "row_bcast:15", gfx9}, {0x143, "row_bcast:31", gfx9},
};

void append_quad(Line& line, std::string_view name, u64 value, unsigned count, unsigned bits) {
  begin(line, name);
  for (unsigned i = 0; i < count; ++i)
    append_decimal(line.out += i == 0 ? '[' : ',', static_cast<i64>(value >> (i * bits) & low_ones(bits)));
  line.out += ']';
}

/// Words that LLVM writes in place of a control it does not know.
std::string_view unknown_dpp(u64 value, Chips chip, bool is_wide) {
  if (is_wide) return " /* DP ALU dpp only supports row_newbcast */";
  if (value >= 0x150 && value <= 0x15f && (chip & gfx9) != 0)
    return " /* row_newbcast/row_share is not supported on ASICs earlier than GFX90A/GFX10 */";
  if (value >= 0x160 && value <= 0x16f && (chip & gfx9) != 0)
    return " /* row_xmask is not supported on ASICs earlier than GFX10 */";
  if ((chip & gfx9) == 0 && value >= 0x130 && value <= 0x13c && value % 4 == 0) {
    static constexpr std::string_view names[] = {
        " /* wave_shl is not supported starting from GFX10 */", " /* wave_rol is not supported starting from GFX10 */",
        " /* wave_shr is not supported starting from GFX10 */", " /* wave_ror is not supported starting from GFX10 */"};
    return names[(value - 0x130) / 4];
  }
  if ((chip & gfx9) == 0 && (value == 0x142 || value == 0x143))
    return " /* row_bcast is not supported starting from GFX10 */";
  return " /* Invalid dpp_ctrl value */";
}

void append_dpp_control(Line& line, u64 value) {
  if (!takes_dpp_control(line.chip, line.form, value)) {
    line.out += unknown_dpp(value, line.chip, true);
    return;
  }
  if (value < 0x100) return append_quad(line, "quad_perm", value, 4, 2);
  for (const DppRange& range : dpp_ranges) {
    if (value < range.first || value > range.last || (range.chips & line.chip) == 0) continue;
    begin(line, range.name);
    return append_decimal(line.out, static_cast<i64>(value & 0xf));
  }
  const std::string_view name = name_of(dpp_names, line.chip, static_cast<u32>(value));
  if (name.empty())
    line.out += unknown_dpp(value, line.chip, false);
  else
    (line.out += ' ') += name;
}

void append_flag(Line& line, std::string_view name) {
  // Flags of one source are signs on the operand.
  if (name.starts_with("src")) return;
  (line.out += ' ') += name;
}

}  // namespace

bool takes_dpp_control(Chips chip, const FormRow& form, u64 control) {
  if ((chip & (cdna2 | cdna3 | cdna4)) == 0 || (control >= 0x150 && control <= 0x15f)) return true;
  for (u32 i = 0; i < form.operand_count; ++i) {
    const OperandRow& operand = tables().operands[form.first_operand + i];
    if (tables().slots[tables().instructions[form.instruction].first_slot + operand.slot].bits > 32) return false;
  }
  return true;
}

void append_modifier(Line& line, const FieldRow& field, u64 value, bool in_suffix) {
  const std::string_view name = line.all.text(field.name);
  switch (field.style) {  // those that are written whatever they hold
    case Style::dpp_ctrl:
      return append_dpp_control(line, value);
    case Style::row_mask:
    case Style::bank_mask:
      begin(line, name);
      return append_hex(line.out, value);
    case Style::wait:
      begin(line, name);
      return append_decimal(line.out, static_cast<i64>(value));
    case Style::dpp8:
      return append_quad(line, "dpp8", value, 8, 3);
    case Style::dpp8_fi:
      append_quad(line, "dpp8", value, 8, 3);
      line.out += " fi:1";
      return;
    case Style::dim:
      return append_named(line, "dim", image_dimensions(), value);
    case Style::sdwa_sel:
      return append_named(line, name, sdwa_selections(), value);
    case Style::dst_unused:
      return append_named(line, name, sdwa_unused(), value);
    case Style::opsel_hi:
      return append_opsel_hi(line, field);
    case Style::bitop3:
      return append_table(line, field);
    case Style::scale_opsel_hi:
      return append_bits(line, "op_sel_hi", value, 3);
    case Style::neg_lo:
    case Style::neg_hi:
    case Style::matrix_format:
    case Style::value:
      value = in_suffix ? value : joined_value(line.instruction, field);
      break;
    default:
      break;
  }
  if (value == field.constant) return;
  switch (field.style) {
    case Style::flag:
      return append_flag(line, name);
    case Style::simm:
      begin(line, name);
      return append_decimal(line.out, sign_extend(value, field.width));
    case Style::hex:
    case Style::dmask:
      begin(line, name);
      return append_hex(line.out, value);
    case Style::omod:
      return append_omod(line, value);
    case Style::opsel:
      return append_opsel(line, value);
    case Style::opsel_interp:
      if ((value & interpolation_halves) != 0) append_bits(line, "op_sel", value & interpolation_halves, 4);
      return;
    case Style::neg_lo:
      return append_source_bits(line, "neg_lo", value);
    case Style::neg_hi:
      return append_source_bits(line, "neg_hi", value);
    case Style::bound_ctrl:
      line.out += " bound_ctrl:1";
      return;
    case Style::fi:
      line.out += " fi:1";
      return;
    case Style::scope:
      return append_named(line, "scope", scopes(), value);
    case Style::matrix_format:
      return append_named(line, name, matrix_formats(), value);
    case Style::matrix_scale:
      return append_named(line, name, matrix_scales(), value);
    case Style::matrix_scale_format:
      return append_named(line, name, matrix_scale_formats(), value);
    case Style::th:
    case Style::th_store: {
      begin(line, "th");
      const FieldRow* scope = find_field(line.encoding, KnownField::scope);
      const u64 scope_value = scope == nullptr ? 0 : line.instruction.bits(scope->low, scope->width);
      const AccessKind kind = field.style == Style::th_store ? AccessKind::store : access_kind(line.form);
      line.out += hint_name(kind, value, scope_value);
      return;
    }
    case Style::format:
    case Style::dfmt_nfmt:
      begin(line, name);
      line.out += buffer_format_text(line.chip, static_cast<u32>(value));
      return;
    case Style::neg_bits:
      return append_source_bits(line, "neg", value);
    case Style::scale_opsel:
      return append_bits(line, "op_sel", value, 3);
    case Style::none:
    case Style::acc:
    case Style::sends:
    case Style::neg:
    case Style::abs:
      return;
    default:
      begin(line, name);
      return append_decimal(line.out, static_cast<i64>(value));
  }
}

}  // namespace gfxisa::text
