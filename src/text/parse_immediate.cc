#include <array>
#include <bit>

#include "base/suggest.h"
#include "text/form_parser.h"

namespace gfxisa::text {

namespace {

class VersionNames : public Names {
 public:
  bool value_of(std::string_view name, Value& value) override {
    for (const auto table : {versions(), version_flags()}) {
      if (const NamedValue* row = find_name(table, any_chip, name)) return value.integer = row->value, true;
    }
    return false;
  }
};

class ImmediateParser {
 public:
  ImmediateParser(Cursor& cursor, const ParserContext& context, unsigned width)
      : cursor_(cursor), context_(context), width_(width) {}

  bool hardware_register(i64& value) {
    if (!call("hwreg")) return number(value);
    i64 id = 0, offset = 0, size = 32;
    if (!named(hardware_registers(), "hardware register", 0, 63, id)) return false;
    if (cursor_.take(',')) {
      if (!integer(0, 31, "the first bit", offset)) return false;
      if (!cursor_.take(',')) return cursor_.fail_here("expected ',' and the number of bits");
      if (!integer(1, 32, "the number of bits", size)) return false;
    }
    value = id | offset << 6 | (size - 1) << 11;
    return close();
  }

  bool message(i64& value) {
    if (!call("sendmsg")) return number(value);
    i64 id = 0, operation = 0, stream = 0;
    const bool is_wide = (context_.chip_set & (gfx11 | gfx12)) != 0;
    if (!named(messages(), "message", 0, is_wide ? 255 : 15, id)) return false;
    const MessageKind kind = message_kind(context_.chip_set, static_cast<u32>(id));
    if (cursor_.take(',') && !named(message_operations(kind), "operation", 0, 7, operation)) return false;
    if (cursor_.take(',') && !integer(0, 3, "the stream", stream)) return false;
    value = id | operation << 4 | stream << 8;
    return close();
  }

  /// `vmcnt(0) & lgkmcnt(1)`, in any order, with `&`, `,` or nothing in between.
  bool parts(std::span<const ImmediatePart> table, i64& value) {
    if (find_part(table, cursor_.peek_identifier()) == nullptr && !looks_like_call()) return number(value);
    u32 word = 0;
    for (const ImmediatePart& part : table) {
      if ((part.chips & context_.chip_set) != 0) word = part.set(word, part.max());
    }
    do {
      if (!one_part(table, word)) return false;
      if (!cursor_.take('&')) cursor_.take(',');
    } while (!cursor_.at_end());
    value = word;
    return true;
  }

  /// `instid0(VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)`.
  bool delay(i64& value) {
    if (!looks_like_call()) return number(value);
    value = 0;
    do {
      const std::string_view name = cursor_.peek_identifier();
      const int low = name == "instid0" ? 0 : name == "instskip" ? 4 : name == "instid1" ? 7 : -1;
      if (low < 0) return cursor_.fail_here("expected instid0, instskip or instid1");
      call(name);
      i64 part = 0;
      if (!named(low == 4 ? delay_skips() : delay_instructions(), "dependency", 0, low == 4 ? 7 : 15, part))
        return false;
      value |= part << low;
      if (!close()) return false;
    } while (cursor_.take('|'));
    return true;
  }

  bool gpr_index(i64& value) {
    if (!call("gpr_idx")) return number(value);
    value = 0;
    if (cursor_.take(')')) return true;
    do {
      i64 mode = 0;
      if (!named(gpr_index_modes(), "operand", 0, 15, mode)) return false;
      value |= mode;
    } while (cursor_.take(','));
    return close();
  }

  bool swizzle(i64& value) {
    if (!call("swizzle")) return number(value);
    const std::string_view mode = cursor_.take_identifier();
    if (mode == "BITMASK_PERM") return bitmask_perm(value) && close();
    std::array<i64, 4> n{};
    const unsigned count = mode == "QUAD_PERM"                                    ? 4
                           : mode == "BROADCAST" || mode == "ROTATE"              ? 2
                           : mode == "SWAP" || mode == "REVERSE" || mode == "FFT" ? 1
                                                                                  : 0;
    if (count == 0)
      return cursor_.fail_here("expected QUAD_PERM, BITMASK_PERM, BROADCAST, SWAP, REVERSE, FFT or ROTATE");
    for (unsigned i = 0; i < count; ++i) {
      if (!cursor_.take(',')) return cursor_.fail_here("expected ','");
      if (!integer(0, count == 4 ? 3 : 32, "the number", n[i])) return false;
    }
    if (mode == "QUAD_PERM")
      value = 0x8000 | n[0] | n[1] << 2 | n[2] << 4 | n[3] << 6;
    else if (mode == "BROADCAST")
      value = ((32 - n[0]) & 0x1f) | (n[1] & 0x1f) << 5;
    else if (mode == "SWAP")
      value = 0x1f | (n[0] & 0x1f) << 10;
    else if (mode == "REVERSE")
      value = 0x1f | ((n[0] - 1) & 0x1f) << 10;
    else if (mode == "FFT")
      value = 0xe000 | (n[0] & 0x1f);
    else
      value = 0xc000 | (n[0] & 1) << 10 | (n[1] & 0x1f) << 5;
    return close();
  }

  bool buffer_offset(i64& value) {
    return parse_integer(cursor_, context_.symbols, 0, (i64{1} << (width_ - 1)) - 1, "the offset into a buffer", value);
  }

  bool version(i64& value) {
    VersionNames names;
    return parse_integer(cursor_, &names, 0, 0xffff, "the version", value);
  }

  bool label(i64& value) {
    cursor_.skip_spaces();
    const std::size_t start = cursor_.at();
    Value read;
    if (!parse_expression(cursor_, context_.symbols, read)) return false;
    value = read.integer;
    if (read.later != 0) {
      if (context_.later == nullptr) return cursor_.fail(start, cursor_.at() - start, "no symbol can stand here");
      *context_.later = {LaterValue::Place::branch, read.later};
      value = 0;
      return true;
    }
    if (!read.is_float && value >= -32768 && value <= 65535) return true;
    return cursor_.fail(start, cursor_.at() - start,
                        "the target is too far: a branch reaches from -32768 to 32767 words");
  }

  bool constant(Style style, i64& value) {
    cursor_.skip_spaces();
    const std::size_t start = cursor_.at();
    Value read;
    const bool is_long = cursor_.take("lit64(");
    const bool is_wrapped = is_long || cursor_.take("lit(");
    if (!parse_known(cursor_, context_.symbols, read)) return false;
    if (is_wrapped && !close()) return false;
    value = read.integer;
    if (read.is_float) value = static_cast<i64>(float_bits(style, read.real));
    // A number of 32 bits is the upper half of a double.
    const bool is_upper =
        style == Style::f64 && !read.is_float && !is_long && value >= -(i64{1} << 31) && value >> 32 <= 0;
    if (is_upper) value = static_cast<i64>(static_cast<u64>(value) << 32);
    return read.is_float || fits(value, start);
  }

  bool export_target(i64& value) {
    const std::string_view name = cursor_.peek_identifier();
    for (const ExportTarget& target : export_targets()) {
      if ((target.chips & context_.chip_set) == 0 || !name.starts_with(target.name)) continue;
      const std::optional<u32> number = decimal(name.substr(target.name.size()));
      if (target.count == 0 ? name.size() != target.name.size() : !number || *number >= target.count) continue;
      value = target.first + number.value_or(0);
      cursor_.take_identifier();
      return true;
    }
    return cursor_.fail_here("expected an export target such as mrt0 or pos0");
  }

  /// `attr3`; the channel follows without a space.
  bool attribute(i64& value) {
    const std::string_view name = cursor_.peek_identifier();
    const std::string_view word = name.substr(0, name.find('.'));
    const std::optional<u32> number = word.starts_with("attr") ? decimal(word.substr(4)) : std::nullopt;
    if (!number || *number > low_ones(width_)) return cursor_.fail_here("expected an attribute such as attr0.x");
    value = *number;
    cursor_.go_to(cursor_.at() + word.size());
    return true;
  }

  bool channel(i64& value) {
    static constexpr std::string_view names = "xyzw";
    const std::size_t found = cursor_.take('.') ? names.find(cursor_.peek()) : std::string_view::npos;
    if (found == std::string_view::npos) return cursor_.fail_here("expected a channel: .x, .y, .z or .w");
    value = static_cast<i64>(found);
    cursor_.go_to(cursor_.at() + 1);
    return true;
  }

  bool interpolation_slot(i64& value) {
    static constexpr std::array<std::string_view, 3> names = {"p10", "p20", "p0"};
    const std::string_view name = cursor_.peek_identifier();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (name != names[i]) continue;
      cursor_.take_identifier();
      value = static_cast<i64>(i);
      return true;
    }
    return cursor_.fail_here("expected p10, p20 or p0");
  }

  bool number(i64& value) {
    cursor_.skip_spaces();
    const std::size_t start = cursor_.at();
    Value read;
    if (!parse_known(cursor_, context_.symbols, read)) return false;
    if (read.is_float) return cursor_.fail(start, cursor_.at() - start, "expected an integer");
    value = read.integer;
    return fits(value, start);
  }

 private:
  bool looks_like_call() {
    const std::string_view name = cursor_.peek_identifier();
    return !name.empty() && cursor_.peek_after(name.size()) == '(';
  }

  bool call(std::string_view name) {
    if (cursor_.peek_identifier() != name || !looks_like_call()) return false;
    cursor_.take_identifier();
    return cursor_.take('(');
  }

  /// A number without sign or leading zeros, as it is part of a name.
  static std::optional<u32> decimal(std::string_view digits) {
    if (digits.empty() || digits.size() > 2 || (digits.size() == 2 && digits[0] == '0')) return {};
    u32 number = 0;
    for (const char c : digits) {
      if (c < '0' || c > '9') return {};
      number = number * 10 + static_cast<u32>(c - '0');
    }
    return number;
  }

  bool close() { return cursor_.take(')') || cursor_.fail_here("expected ')'"); }

  bool integer(i64 low, i64 high, std::string_view what, i64& value) {
    return parse_integer(cursor_, context_.symbols, low, high, what, value);
  }

  /// A name of the table, or a number.
  bool named(std::span<const NamedValue> table, std::string_view what, i64 low, i64 high, i64& value) {
    const std::string_view name = cursor_.peek_identifier();
    if (const NamedValue* row = find_name(table, context_.chip_set, name)) {
      cursor_.take_identifier();
      value = row->value;
      return true;
    }
    Value symbol;
    const bool is_symbol = context_.symbols != nullptr && context_.symbols->value_of(name, symbol) && symbol.later == 0;
    if (name.empty() || is_symbol) return integer(low, high, what, value);
    std::vector<std::string_view> known;
    for (const NamedValue& row : table) {
      if ((row.chips & context_.chip_set) != 0) known.push_back(row.name);
    }
    return cursor_.fail_here("unknown " + std::string(what) + " '" + std::string(name) + "'", suggestion(name, known));
  }

  const ImmediatePart* find_part(std::span<const ImmediatePart> table, std::string_view name) const {
    for (const ImmediatePart& part : table) {
      if (part.name == name && (part.chips & context_.chip_set) != 0) return &part;
    }
    return nullptr;
  }

  bool one_part(std::span<const ImmediatePart> table, u32& word) {
    const ImmediatePart* part = find_part(table, cursor_.peek_identifier());
    if (part == nullptr) {
      std::vector<std::string_view> known;
      for (const ImmediatePart& candidate : table) {
        if ((candidate.chips & context_.chip_set) != 0) known.push_back(candidate.name);
      }
      std::string list;
      for (const std::string_view name : known) (list += list.empty() ? "" : ", ") += name;
      return cursor_.fail_here("expected one of " + list, suggestion(cursor_.peek_identifier(), known));
    }
    i64 value = 0;
    cursor_.take_identifier();
    if (!cursor_.take('(')) return cursor_.fail_here("expected '('");
    if (!integer(0, part->max(), part->name, value) || !close()) return false;
    word = part->set(word, static_cast<u32>(value));
    return true;
  }

  /// `"01pip"`: for each bit of a lane's number 0, 1, p (kept) or i (inverted).
  bool bitmask_perm(i64& value) {
    if (!cursor_.take(',') || !cursor_.take('"')) return cursor_.fail_here("expected five letters of 01pi in quotes");
    i64 and_mask = 0, or_mask = 0, xor_mask = 0;
    for (int bit = 4; bit >= 0; --bit) {
      const char c = cursor_.peek_after(0);
      if (c != '0' && c != '1' && c != 'p' && c != 'i')
        return cursor_.fail_here("expected five letters of 01pi in quotes");
      cursor_.go_to(cursor_.at() + 1);
      and_mask |= i64{c == 'p' || c == 'i'} << bit;
      or_mask |= i64{c == '1'} << bit;
      xor_mask |= i64{c == 'i'} << bit;
    }
    value = and_mask | or_mask << 5 | xor_mask << 10;
    return cursor_.take('"') || cursor_.fail_here("expected '\"'");
  }

  static u64 float_bits(Style style, double real) {
    if (style == Style::f16 || style == Style::b16) return to_half_bits(real);
    if (style == Style::bf16) return to_bfloat_bits(real);
    if (style == Style::f64 || style == Style::b64) return std::bit_cast<u64>(real);
    return std::bit_cast<u32>(static_cast<float>(real));
  }

  bool fits(i64 value, std::size_t start) {
    if (width_ >= 64) return true;
    const i64 high = (i64{1} << width_) - 1, low = -(i64{1} << (width_ - 1));
    if (value >= low && value <= high) return true;
    return cursor_.fail(start, cursor_.at() - start,
                        "the number must be from " + std::to_string(low) + " to " + std::to_string(high));
  }

  Cursor& cursor_;
  const ParserContext& context_;
  unsigned width_;
};

}  // namespace

bool parse_immediate(Cursor& cursor, const ParserContext& context, Style style, unsigned width, i64& value) {
  ImmediateParser parser(cursor, context, width == 0 ? 1 : width);
  switch (style) {
    case Style::hwreg:
      return parser.hardware_register(value);
    case Style::sendmsg:
    case Style::sendmsg_rtn:
      return parser.message(value);
    case Style::waitcnt:
      return parser.parts(wait_counters(), value);
    case Style::waitcnt_depctr:
      return parser.parts(dependency_counters(), value);
    case Style::delay_alu:
      return parser.delay(value);
    case Style::buffer_offset:
      return parser.buffer_offset(value);
    case Style::version:
      return parser.version(value);
    case Style::gpr_idx:
      return parser.gpr_index(value);
    case Style::swizzle:
      return parser.swizzle(value);
    case Style::label:
      return parser.label(value);
    case Style::export_target:
      return parser.export_target(value);
    case Style::attribute:
      return parser.attribute(value);
    case Style::channel:
      return parser.channel(value);
    case Style::interp_slot:
      return parser.interpolation_slot(value);
    case Style::b16:
    case Style::b32:
    case Style::b64:
    case Style::f16:
    case Style::bf16:
    case Style::f32:
    case Style::f64:
      return parser.constant(style, value);
    default:
      return parser.number(value);
  }
}

}  // namespace gfxisa::text
