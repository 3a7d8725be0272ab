#include "text/buffer_format.h"
#include "text/form_parser.h"
#include "text/memory_text.h"

namespace gfxisa::text {

namespace {

struct DppControl {
  std::string_view name;
  u32 first;      ///< code of the lowest number
  i64 low, high;  ///< numbers that may follow; none when high is -1
  Chips chips;
};
constexpr Chips since_gfx10 = gfx10 | gfx11 | gfx12;
constexpr DppControl dpp_controls[] = {
    {"row_shl", 0x101, 1, 15, any_chip},
    {"row_shr", 0x111, 1, 15, any_chip},
    {"row_ror", 0x121, 1, 15, any_chip},
    {"wave_shl", 0x130, 1, 1, gfx9},
    {"wave_rol", 0x134, 1, 1, gfx9},
    {"wave_shr", 0x138, 1, 1, gfx9},
    {"wave_ror", 0x13c, 1, 1, gfx9},
    {"row_mirror", 0x140, 0, -1, any_chip},
    {"row_half_mirror", 0x141, 0, -1, any_chip},
    {"row_share", 0x150, 0, 15, since_gfx10},
    {"row_xmask", 0x160, 0, 15, since_gfx10},
    {"row_newbcast", 0x150, 0, 15, cdna2 | cdna3 | cdna4},
};

/// Modifiers that are no words behind the operands: not written, or signs and registers among the operands.
bool has_no_word(Style style) {
  return style == Style::none || style == Style::acc || style == Style::sends || style == Style::saddr ||
         style == Style::neg || style == Style::abs;
}

class ModifierParser {
 public:
  ModifierParser(Cursor& cursor, const ParserContext& context, const FieldRow& field)
      : cursor_(cursor), context_(context), field_(field), name_(tables().text(field.name)) {}

  bool parse(u64 current, bool& taken, u64& value) {
    word_ = cursor_.peek_identifier();
    taken = false;
    if (has_no_word(field_.style)) return true;
    switch (field_.style) {
      case Style::flag:
        return flag(taken, value);
      case Style::omod:
        return omod(taken, value);
      case Style::opsel:
        return opsel(taken, value);
      case Style::opsel_hi:
        return opsel_hi(current, taken, value);
      case Style::opsel_interp:
        if (!bits("op_sel", 4, taken, value)) return false;
        value &= interpolation_halves;
        return true;
      case Style::neg_lo:
      case Style::neg_hi:
        return bits(field_.style == Style::neg_lo ? "neg_lo" : "neg_hi", 3, taken, value);
      case Style::neg_bits:
        return bits("neg", 3, taken, value);
      case Style::scale_opsel:
        return bits("op_sel", 3, taken, value) && drop_third(value);
      case Style::scale_opsel_hi:
        return bits("op_sel_hi", 3, taken, value) && drop_third(value);
      case Style::dpp_ctrl:
        return dpp_control(taken, value);
      case Style::dpp8:
        return list("dpp8", 8, 3, taken, value);
      case Style::dpp8_fi:
        return list("dpp8", 8, 3, taken, value) && (!taken || fetch_inactive());
      case Style::bound_ctrl:
        return bound_control(taken, value);
      case Style::sdwa_sel:
        return named(name_, {{}, sdwa_selections()}, taken, value);
      case Style::dst_unused:
        return named(name_, {{}, sdwa_unused()}, taken, value);
      case Style::scope:
        return named("scope", {{}, scopes()}, taken, value);
      case Style::dim:
        return named("dim", {"SQ_RSRC_IMG_", image_dimensions()}, taken, value);
      case Style::matrix_format:
        return named(name_, {{}, matrix_formats()}, taken, value);
      case Style::matrix_scale:
        return named(name_, {{}, matrix_scales()}, taken, value);
      case Style::matrix_scale_format:
        return named(name_, {{}, matrix_scale_formats()}, taken, value);
      case Style::bitop3:
        return table(taken, value);
      case Style::th:
      case Style::th_store:
        return hint(taken, value);
      case Style::format:
      case Style::dfmt_nfmt:
        return format(taken, value);
      default:
        return number(name_, taken, value);
    }
  }

 private:
  /// Names with a prefix that may be left out.
  struct Names {
    std::string_view prefix;
    std::span<const NamedValue> table;
  };

  /// Takes `name:` when it is next; a name without the colon is an error.
  bool begin(std::string_view name, bool& taken) {
    if (word_ != name) return false;
    taken = true;
    cursor_.take_identifier();
    return cursor_.take(':') || cursor_.fail_here("expected ':' and a value after " + std::string(name));
  }

  bool flag(bool& taken, u64& value) {
    if (word_ != name_) return true;
    taken = true;
    cursor_.take_identifier();
    value = 1;
    return true;
  }

  bool number(std::string_view name, bool& taken, u64& value) {
    if (!begin(name, taken)) return !taken;
    i64 read = 0;
    const bool is_signed = field_.style == Style::simm;
    const i64 high = static_cast<i64>(low_ones(is_signed ? field_.width - 1u : field_.width));
    if (!parse_integer(cursor_, context_.symbols, is_signed ? -high - 1 : 0, high, name, read)) return false;
    value = static_cast<u64>(read) & low_ones(field_.width);
    return true;
  }

  bool omod(bool& taken, u64& value) {
    const bool is_multiple = word_ == "mul";
    if (!begin(is_multiple ? "mul" : "div", taken)) return !taken;
    i64 factor = 0;
    if (!parse_integer(cursor_, context_.symbols, 1, 4, "the factor", factor)) return false;
    if (is_multiple && factor != 3)
      value = factor == 1 ? 0 : factor == 2 ? 1 : 2;
    else if (!is_multiple && factor <= 2)
      value = factor == 1 ? 0 : 3;
    else
      return cursor_.fail_here("results can be written with mul:2, mul:4 or div:2");
    return true;
  }

  bool list(std::string_view name, unsigned count, unsigned each, bool& taken, u64& value) {
    if (!begin(name, taken)) return !taken;
    unsigned read = 0;
    if (!entries(count, static_cast<i64>(low_ones(each)), each, value, read)) return false;
    return read == count || cursor_.fail_here("expected " + std::to_string(count) + " numbers");
  }

  bool entries(unsigned most, i64 high, unsigned each, u64& value, unsigned& read) {
    value = 0;
    if (!cursor_.take('[')) return cursor_.fail_here("expected '['");
    for (read = 0; read < most; ++read) {
      if (read != 0 && !cursor_.take(',')) break;
      i64 entry = 0;
      if (!parse_integer(cursor_, context_.symbols, 0, high, "the entry", entry)) return false;
      value |= static_cast<u64>(entry) << (read * each);
    }
    return cursor_.take(']') || cursor_.fail_here("expected ']'");
  }

  bool fetch_inactive() {
    i64 read = 0;
    if (!cursor_.take("fi:")) return cursor_.fail_here("expected fi:1");
    return parse_integer(cursor_, context_.symbols, 1, 1, "fi", read);
  }

  bool bits(std::string_view name, unsigned most, bool& taken, u64& value) {
    if (!begin(name, taken)) return !taken;
    unsigned read = 0;
    return entries(most, 1, 1, value, read);
  }

  /// The third entry of a list for two scales says nothing.
  bool drop_third(u64& value) {
    value &= 3;
    return true;
  }

  /// All bits of a truth table, also where the field holds only the lowest of them.
  bool table(bool& taken, u64& value) {
    if (!begin("bitop3", taken)) return !taken;
    i64 read = 0;
    if (!parse_integer(cursor_, context_.symbols, 0, 255, "bitop3", read)) return false;
    value = static_cast<u64>(read);
    return true;
  }

  bool opsel(bool& taken, u64& value) {
    if (!begin("op_sel", taken)) return !taken;
    unsigned read = 0;
    if (!entries(4, 1, 1, value, read)) return false;
    // The last of the list is the destination's, and has its place at the top of the field.
    if (field_.width == 4 && read >= 2 && read < 4)
      value = (value & low_ones(read - 1)) | (value >> (read - 1) & 1) << 3;
    // A field of one bit is the destination's; the others of the list are 0.
    if (field_.width == 1 && read >= 2 && (value & low_ones(read - 1)) == 0) value >>= read - 1;
    return (value >> field_.width) == 0 || cursor_.fail_here("op_sel has no such entry here");
  }

  /// The third source's bit lies in a field of its own, which reads the same list again.
  bool opsel_hi(u64, bool& taken, u64& value) {
    if (!begin("op_sel_hi", taken)) return !taken;
    unsigned read = 0;
    if (!entries(3, 1, 1, value, read)) return false;
    if (field_.constant != 0) value |= ~low_ones(read) & 7;  // sources that are not listed keep the default
    return true;
  }

  bool bound_control(bool& taken, u64& value) {
    if (!begin("bound_ctrl", taken)) return !taken;
    i64 read = 0;
    if (!parse_integer(cursor_, context_.symbols, 0, 1, "bound_ctrl", read)) return false;
    value = 1;  // on older chips 0 was written for the same bit
    if ((context_.chip_set & (gfx11 | gfx12)) != 0) value = static_cast<u64>(read);
    return true;
  }

  bool dpp_control(bool& taken, u64& value) {
    if (word_ == "quad_perm") return list("quad_perm", 4, 2, taken, value);
    if (word_ == "row_bcast" && (context_.chip_set & gfx9) != 0) return row_broadcast(taken, value);
    for (const DppControl& control : dpp_controls) {
      if (word_ != control.name || (control.chips & context_.chip_set) == 0) continue;
      if (control.high < 0) {
        taken = true;
        cursor_.take_identifier();
        value = control.first;
        return true;
      }
      i64 number = 0;
      if (!begin(control.name, taken)) return false;
      if (!parse_integer(cursor_, context_.symbols, control.low, control.high, control.name, number)) return false;
      value = control.first + static_cast<u64>(number - control.low);
      return true;
    }
    return true;
  }

  bool hint(bool& taken, u64& value) {
    if (!begin("th", taken)) return !taken;
    const std::string_view text = cursor_.peek_identifier();
    for (const AccessKind kind : {AccessKind::load, AccessKind::store, AccessKind::atomic}) {
      for (u64 code = 0; code < 8; ++code) {
        if (text != hint_name(kind, code, 0) && text != hint_name(kind, code, 3)) continue;
        cursor_.take_identifier();
        value = code;
        return true;
      }
    }
    i64 read = 0;
    if (!parse_integer(cursor_, context_.symbols, 0, 7, "th", read)) return false;
    value = static_cast<u64>(read);
    return true;
  }

  /// `format:22`, `format:[NAME]`, `format:[NAME,NAME]`.
  bool format(bool& taken, u64& value) {
    if (!begin(name_, taken)) return !taken;
    if (!cursor_.take('[')) {
      i64 read = 0;
      if (!parse_integer(cursor_, context_.symbols, 0, static_cast<i64>(low_ones(field_.width)), name_, read))
        return false;
      value = static_cast<u64>(read);
      return true;
    }
    const std::size_t start = cursor_.at();
    const std::string_view first = cursor_.take_identifier();
    const std::string_view second = cursor_.take(',') ? cursor_.take_identifier() : std::string_view();
    const std::optional<u32> found = buffer_format_value(context_.chip_set, first, second);
    if (!found) return cursor_.fail(start, first.size(), "no such format on this chip");
    value = *found;
    return cursor_.take(']') || cursor_.fail_here("expected ']'");
  }

  bool row_broadcast(bool& taken, u64& value) {
    i64 lane = 0;
    if (!begin("row_bcast", taken) || !parse_integer(cursor_, context_.symbols, 15, 31, "row_bcast", lane))
      return false;
    value = lane == 15 ? 0x142 : 0x143;
    return lane == 15 || lane == 31 || cursor_.fail_here("row_bcast takes 15 or 31");
  }

  bool named(std::string_view name, Names names, bool& taken, u64& value) {
    if (!begin(name, taken)) return !taken;
    const std::string_view text = cursor_.peek_identifier();
    for (const NamedValue& row : names.table) {
      if ((row.chips & context_.chip_set) == 0) continue;
      if (text != row.name && text != row.name.substr(names.prefix.size())) continue;
      cursor_.take_identifier();
      value = row.value;
      return true;
    }
    i64 read = 0;
    const unsigned width = field_.style == Style::matrix_format ? 3 : field_.width;
    if (!parse_integer(cursor_, context_.symbols, 0, static_cast<i64>(low_ones(width)), name, read)) return false;
    value = static_cast<u64>(read);
    return true;
  }

  Cursor& cursor_;
  const ParserContext& context_;
  const FieldRow& field_;
  std::string_view name_, word_;
};

}  // namespace

bool may_begin(const FieldRow& field, std::string_view word) {
  if (has_no_word(field.style)) return false;
  switch (field.style) {
    case Style::flag:
    case Style::value:
    case Style::wait:
    case Style::hex:
    case Style::simm:
    case Style::row_mask:
    case Style::bank_mask:
    case Style::fi:
      return word == tables().text(field.name);
    default:
      return true;
  }
}

bool parse_field(Cursor& cursor, const ParserContext& context, const FieldRow& field, u64 current, bool& taken,
                 u64& value) {
  return ModifierParser(cursor, context, field).parse(current, taken, value);
}

std::string modifier_name(const FieldRow& field, Chips chips) {
  if (has_no_word(field.style)) return "";
  switch (field.style) {
    case Style::first:
    case Style::second:
      return "";
    case Style::dpp_ctrl: {
      std::string names = "quad_perm";
      for (const DppControl& control : dpp_controls) {
        if ((control.chips & chips) != 0) (names += ", ") += control.name;
      }
      return (chips & gfx9) != 0 ? names + ", row_bcast" : names;
    }
    case Style::dpp8_fi:
      return "dpp8";
    case Style::omod:
      return "mul, div";
    case Style::opsel:
    case Style::opsel_interp:
    case Style::scale_opsel:
      return "op_sel";
    case Style::opsel_hi:
    case Style::scale_opsel_hi:
      return "op_sel_hi";
    default:
      return std::string(tables().text(field.name));
  }
}

}  // namespace gfxisa::text
