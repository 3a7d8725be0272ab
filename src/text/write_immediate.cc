#include <algorithm>
#include <bit>

#include "text/writer.h"

namespace gfxisa::text {

namespace {

void append_name_or_number(std::string& out, std::string_view name, u32 value) {
  if (name.empty())
    append_decimal(out, value);
  else
    out += name;
}

void append_hardware_register(Line& line, u32 word) {
  const u32 id = word & 0x3f, offset = word >> 6 & 0x1f, size = (word >> 11 & 0x1f) + 1;
  line.out += "hwreg(";
  append_name_or_number(line.out, name_of(hardware_registers(), line.chip, id), id);
  if (offset != 0 || size != 32) {
    line.out += ", ";
    append_decimal(line.out, offset);
    line.out += ", ";
    append_decimal(line.out, size);
  }
  line.out += ')';
}

struct Message {
  u32 id = 0, operation = 0, stream = 0;
};

Message split_message(Chips chip, u32 word) {
  if ((chip & (gfx11 | gfx12)) != 0) return {word & 0xff, 0, 0};
  return {word & 0xf, word >> 4 & 7, word >> 8 & 3};
}

bool takes_stream(MessageKind kind, u32 operation) {
  return kind == MessageKind::geometry || (kind == MessageKind::geometry_done && operation != 0);
}

/// Whether a message with a name also has an operation and stream that go with it.
bool is_known_message(MessageKind kind, const Message& message) {
  if (kind == MessageKind::plain) return message.operation == 0 && message.stream == 0;
  if (name_of(message_operations(kind), any_chip, message.operation).empty()) return false;
  return takes_stream(kind, message.operation) || message.stream == 0;
}

void append_message(Line& line, u32 word) {
  const Message message = split_message(line.chip, word);
  const std::string_view name = name_of(messages(), line.chip, message.id);
  const MessageKind kind = message_kind(line.chip, message.id);
  if (!name.empty() && is_known_message(kind, message)) {
    (line.out += "sendmsg(") += name;
    if (kind != MessageKind::plain)
      (line.out += ", ") += name_of(message_operations(kind), any_chip, message.operation);
    if (takes_stream(kind, message.operation)) append_decimal(line.out += ", ", message.stream);
    line.out += ')';
  } else if ((message.id | message.operation << 4 | message.stream << 8) == word) {
    append_decimal(line.out += "sendmsg(", message.id);
    append_decimal(line.out += ", ", message.operation);
    append_decimal(line.out += ", ", message.stream);
    line.out += ')';
  } else {
    append_decimal(line.out, word);
  }
}

/// Those counters that the instruction waits for, or all when it waits for none.
void append_parts(Line& line, std::span<const ImmediatePart> parts, u32 word) {
  bool waits = false;
  for (const ImmediatePart& part : parts) waits |= (part.chips & line.chip) != 0 && part.get(word) != part.max();
  bool is_first = true;
  // The names of the counters are in the order they are written in, whatever the bits' order is.
  for (const ImmediatePart& part : parts) {
    if ((part.chips & line.chip) == 0 || (waits && part.get(word) == part.max())) continue;
    if (!is_first) line.out += ' ';
    is_first = false;
    (line.out += part.name) += '(';
    append_decimal(line.out, part.get(word));
    line.out += ')';
  }
}

void append_dependency_counters(Line& line, u32 word) {
  u32 used = 0;
  for (const ImmediatePart& part : dependency_counters()) {
    if ((part.chips & line.chip) != 0) used = part.set(used, part.max());
  }
  if ((word & ~used) != 0)
    append_hex(line.out, word);
  else
    append_parts(line, dependency_counters(), word);
}

void append_delay_part(Line& line, std::string_view what, std::span<const NamedValue> names, u32 value,
                       bool& is_first) {
  if (value == 0) return;
  if (!is_first) line.out += " | ";
  is_first = false;
  const std::string_view name = name_of(names, any_chip, value);
  (line.out += what) += '(';
  if (name.empty())
    ((line.out += "/* invalid ") += what.substr(0, what == "instskip" ? 8 : 6)) += " value */";
  else
    line.out += name;
  line.out += ')';
}

void append_delay(Line& line, u32 word) {
  bool is_first = true;
  append_delay_part(line, "instid0", delay_instructions(), word & 0xf, is_first);
  append_delay_part(line, "instskip", delay_skips(), word >> 4 & 7, is_first);
  append_delay_part(line, "instid1", delay_instructions(), word >> 7 & 0xf, is_first);
  if (is_first) line.out += '0';
}

void append_gpr_index(Line& line, u32 word) {
  if (word > 15) return append_hex(line.out, word);
  line.out += "gpr_idx(";
  bool is_first = true;
  for (const NamedValue& mode : gpr_index_modes()) {
    if ((word & mode.value) == 0) continue;
    if (!is_first) line.out += ',';
    is_first = false;
    line.out += mode.name;
  }
  line.out += ')';
}

/// A version and flags, as alternatives in brackets: `(UC_VERSION_GFX10|UC_VERSION_W64_BIT)|UC_VERSION_W32_BIT`.
void append_version(Line& line, u32 word) {
  if ((word & 0x1f00) != 0) return append_hex(line.out, word);
  std::string text;
  append_name_or_number(text, name_of(versions(), any_chip, word & 0xff), word & 0xff);
  bool is_combined = false;
  for (const NamedValue& flag : version_flags()) {
    if ((word & flag.value) == 0) continue;
    if (is_combined) text = '(' + text + ')';
    (text += '|') += flag.name;
    is_combined = true;
  }
  line.out += text;
}

/// A lane's five bits after and, or, xor: a letter a bit, the highest first.
void append_bitmask(std::string& out, u32 and_mask, u32 or_mask, u32 xor_mask) {
  const u32 of_zero = or_mask ^ xor_mask, of_ones = (and_mask | or_mask) ^ xor_mask;
  for (int bit = 4; bit >= 0; --bit) {
    const u32 low = of_zero >> bit & 1, high = of_ones >> bit & 1;
    out += low == high ? static_cast<char>('0' + low) : high != 0 ? 'p' : 'i';
  }
}

void append_swizzle_call(std::string& out, std::string_view name, std::initializer_list<u32> values) {
  (out += "swizzle(") += name;
  for (const u32 value : values) append_decimal(out += ',', value);
  out += ')';
}

void append_bitmask_swizzle(std::string& out, u32 word) {
  const u32 and_mask = word & 0x1f, or_mask = word >> 5 & 0x1f, xor_mask = word >> 10 & 0x1f;
  const u32 group = 32 - and_mask;
  if (and_mask == 0x1f && or_mask == 0 && std::popcount(xor_mask) == 1)
    return append_swizzle_call(out, "SWAP", {xor_mask});
  if (and_mask == 0x1f && or_mask == 0 && xor_mask != 0 && std::has_single_bit(xor_mask + 1)) {
    return append_swizzle_call(out, "REVERSE", {xor_mask + 1});
  }
  if (group > 1 && std::has_single_bit(group) && or_mask < group && xor_mask == 0) {
    return append_swizzle_call(out, "BROADCAST", {group, or_mask});
  }
  out += "swizzle(BITMASK_PERM,\"";
  append_bitmask(out, and_mask, or_mask, xor_mask);
  out += "\")";
}

void append_swizzle(std::string& out, u32 word) {
  // Bits that a name has no number for (a rotation's mask) ask for the word itself.
  if ((word & ~0x1fu) == 0xe000) return append_swizzle_call(out, "FFT", {word & 0x1f});
  if ((word & ~0x7e0u) == 0xc000) return append_swizzle_call(out, "ROTATE", {word >> 10 & 1, word >> 5 & 0x1f});
  if ((word & 0xff00) == 0x8000)
    return append_swizzle_call(out, "QUAD_PERM", {word & 3, word >> 2 & 3, word >> 4 & 3, word >> 6 & 3});
  if ((word & 0x8000) == 0) return append_bitmask_swizzle(out, word);
  append_decimal(out, word);
}

void append_export_target(Line& line, u32 target) {
  for (const ExportTarget& row : export_targets()) {
    if ((row.chips & line.chip) == 0 || target < row.first || target - row.first >= std::max(row.count, 1u)) continue;
    line.out += row.name;
    if (row.count != 0) append_decimal(line.out, target - row.first);
    return;
  }
  append_decimal(line.out += "invalid_target_", target);
}

void append_interpolation_slot(Line& line, u32 value) {
  static constexpr std::string_view names[] = {"p10", "p20", "p0"};
  if (value < 3)
    line.out += names[value];
  else
    append_decimal(line.out += "invalid_param_", value);
}

}  // namespace

bool is_silent(Style style, u64 value) {
  return style == Style::none || style == Style::unused16 || (style == Style::optional_u16 && value == 0);
}

void append_immediate(Line& line, Style style, u64 value, unsigned width) {
  const u32 word = static_cast<u32>(value);
  switch (style) {
    case Style::hwreg:
      return append_hardware_register(line, word);
    case Style::sendmsg:
    case Style::sendmsg_rtn:
      return append_message(line, word);
    case Style::waitcnt:
      return append_parts(line, wait_counters(), word);
    case Style::waitcnt_depctr:
      return append_dependency_counters(line, word);
    case Style::delay_alu:
      return append_delay(line, word);
    case Style::version:
      return append_version(line, word);
    case Style::gpr_idx:
      return append_gpr_index(line, word);
    case Style::swizzle:
      return append_swizzle(line.out, word);
    case Style::export_target:
      return append_export_target(line, word);
    case Style::interp_slot:
      return append_interpolation_slot(line, word);
    case Style::attribute:
      return append_decimal(line.out += "attr", word);
    case Style::channel:
      (line.out += '.') += "xyzw"[word & 3];
      return;
    case Style::i8:
    case Style::simm:
    case Style::address_offset:
      return append_decimal(line.out, sign_extend(value, width == 0 ? 64 : width));
    case Style::label:
    case Style::optional_u16:
    case Style::value:
      return append_decimal(line.out, static_cast<i64>(value));
    case Style::u8:
    case Style::u16:
      return value <= 64 ? append_decimal(line.out, static_cast<i64>(value)) : append_hex(line.out, value);
    case Style::f64: {
      const bool is_upper = value != 0 && (value & 0xffffffff) == 0;
      return append_long_constant(line.out, is_upper ? value >> 32 : value, value >> 32 == 0);
    }
    default:
      return append_hex(line.out, value);
  }
}

}  // namespace gfxisa::text
