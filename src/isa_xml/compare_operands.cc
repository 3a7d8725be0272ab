#include "isa_xml/compare_operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "inst/instruction.h"
#include "isa_xml/names.h"
#include "text/named_values.h"

namespace gfxisa::isa_xml {
namespace {

const Tables& all() { return tables(); }

std::string access_text(bool is_read, bool is_written) {
  if (is_read && is_written) return "read and written";
  return is_written ? "written" : is_read ? "read" : "neither";
}

std::string access_text(Access access) {
  return access_text(access != Access::out, access == Access::out || access == Access::inout);
}

class OperandComparer {
 public:
  OperandComparer(const Way& way, TypeUses& uses, std::vector<Difference>& out)
      : way_(way),
        uses_(uses),
        out_(out),
        form_(all().forms[way.forms.front()]),
        row_(all().instructions[form_.instruction]),
        encoding_(all().encodings[form_.encoding]) {}

  u32 run() {
    for (const Operand& operand : merged_operands()) {
      // Without a field an operand is a register that the instruction implies, whether the text names it (VCC) or not.
      if (!operand.field.empty()) {
        compare_field(operand);
      } else {
        compare_implied(operand);
      }
    }
    absent_operands();
    return compared_;
  }

 private:
  /// What is read and written may stand there twice, once for each: SCC of an addition with carry.
  std::vector<Operand> merged_operands() const {
    std::vector<Operand> out;
    for (const Operand& operand : way_.official.operands) {
      const auto same = std::find_if(out.begin(), out.end(), [&](const Operand& other) {
        return other.field == operand.field && (!operand.field.empty() || other.type == operand.type);
      });
      if (same == out.end()) {
        out.push_back(operand);
        continue;
      }
      same->is_read = same->is_read || operand.is_read;
      same->is_written = same->is_written || operand.is_written;
    }
    return out;
  }

  void differs(Kind kind, std::string about, std::string xml, std::string here) {
    out_.push_back(
        {kind, way_.official.encoding, way_.mnemonic, form_.opcode, std::move(about), std::move(xml), std::move(here)});
  }

  const SlotRow& slot_of(const OperandRow& operand) const { return all().slots[row_.first_slot + operand.slot]; }

  /// The operand whose field has this name, in the first of our forms that has it.
  const OperandRow* find(const std::string& key) const {
    for (const u32 index : way_.forms) {
      const FormRow& form = all().forms[index];
      const EncodingRow& encoding = all().encodings[form.encoding];
      for (u32 i = 0; i < form.operand_count; ++i) {
        const OperandRow& operand = all().operands[form.first_operand + i];
        if (operand.field == 0xff) continue;
        if (our_field_key(all().text(all().fields[encoding.first_field + operand.field].name)) == key) return &operand;
      }
    }
    return nullptr;
  }

  void compare_field(const Operand& official) {
    const std::string key = official_field_key(official.field);
    seen_.insert(key);
    const OperandRow* ours = find(key);
    if (ours == nullptr) {
      if (!is_modifier(key))
        differs(Kind::operand, official.field, access_text(official.is_read, official.is_written), "not used");
      return;
    }
    ++compared_;
    const SlotRow& slot = slot_of(*ours);
    const bool may_return = slot.is_returned || may_be_returned();
    if (!may_return && access_text(official.is_read, official.is_written) != access_text(slot.access))
      differs(Kind::direction, official.field, access_text(official.is_read, official.is_written),
              access_text(slot.access));
    compare_value(official, *ours, slot);
    if (ours->kind != no_kind && !official.type.empty())
      uses_.try_emplace({official.type, ours->kind}, way_.mnemonic + " " + official.field);
  }

  void compare_value(const Operand& official, const OperandRow& ours, const SlotRow& slot) {
    // Sizes that fields of the word give, and addresses that it forms, have none of their own.
    if (ours.count != 0 || ours.sized_by != 0xff || slot.format == no_format) return;
    const DataFormatRow& format = all().data_formats[slot.format];
    if (all().text(format.kind) == "address") return;
    const bool has_size = slot_bits(slot, 64) == official.bits || slot_bits(slot, 32) == official.bits;
    if (!has_size)
      differs(Kind::size, official.field, fmt::format("{}", official.bits),
              fmt::format("{}", slot_bits(slot, default_wave_size(way_.chip))));
    const auto names = format_names(official.format);
    const std::string_view here = all().text(format.name);
    if (names.empty() || std::find(names.begin(), names.end(), plain_format(here)) != names.end()) return;
    const bool is_untyped = is_bits(here) || std::all_of(names.begin(), names.end(), is_bits);
    differs(is_untyped ? Kind::untyped : Kind::format, official.field, official.format, std::string(here));
  }

  /// b32, b16x2, mask: a width and no type.
  static bool is_bits(std::string_view format) {
    return format == "mask" || (format.size() > 1 && format[0] == 'b' && format[1] >= '0' && format[1] <= '9');
  }
  /// f32_w16, 16 words of a matrix, as f32x16.
  static std::string plain_format(std::string_view format) {
    const std::size_t words = format.find("_w");
    if (words == std::string_view::npos) return std::string(format);
    return std::string(format.substr(0, words)) + "x" + std::string(format.substr(words + 2));
  }

  /// Whether another operand is the returned value, so that this one's direction depends on a bit.
  bool may_be_returned() const {
    for (u32 i = 0; i < row_.slot_count; ++i) {
      if (all().slots[row_.first_slot + i].is_returned) return true;
    }
    return false;
  }

  /// Immediates and modifiers that families take as fields without an operand.
  bool is_modifier(const std::string& key) const {
    for (const FieldRow& field : fields_of(encoding_)) {
      if (field.role == FieldRole::modifier && our_field_key(all().text(field.name)) == key) return true;
    }
    return false;
  }

  /// The registers that are read or written without a field: scc, vcc, m0, pc.
  void compare_implied(const Operand& official) {
    const std::string name = implied_register(official.type);
    if (name.empty() || name == "exec") return;
    implied_.insert(name);
    for (u32 i = 0; i < row_.slot_count; ++i) {
      const SlotRow& slot = all().slots[row_.first_slot + i];
      if ((slot.chips >> way_.chip & 1) == 0 || all().text(slot.name) != name) continue;
      ++compared_;
      if (access_text(official.is_read, official.is_written) != access_text(slot.access))
        differs(Kind::direction, name, access_text(official.is_read, official.is_written), access_text(slot.access));
      return;
    }
    for (u32 i = 0; i < form_.operand_count; ++i) {
      const OperandRow& operand = all().operands[form_.first_operand + i];
      const CodeRow& code = all().codes[all().chips[way_.chip].first_code + operand.implied_code];
      if (operand.field == 0xff && code.name != 0 && all().text(code.name) == name) return void(++compared_);
    }
    differs(Kind::operand, name, access_text(official.is_read, official.is_written), "not touched");
  }

  void absent_operands() {
    for (u32 i = 0; i < form_.operand_count; ++i) {
      const OperandRow& operand = all().operands[form_.first_operand + i];
      // Immediates are modifiers there.
      if (operand.field == 0xff || operand.kind == no_kind) continue;
      const FieldRow& field = all().fields[encoding_.first_field + operand.field];
      if (seen_.count(our_field_key(all().text(field.name))) != 0) continue;
      differs(Kind::operand, std::string(all().text(field.name)), "not used", access_text(slot_of(operand).access));
    }
    if (implied_.count("scc") != 0) return;
    for (u32 i = 0; i < row_.slot_count; ++i) {
      const SlotRow& slot = all().slots[row_.first_slot + i];
      if ((slot.chips >> way_.chip & 1) != 0 && all().text(slot.name) == "scc")
        differs(Kind::operand, "scc", "not touched", access_text(slot.access));
    }
  }

  const Way& way_;
  TypeUses& uses_;
  std::vector<Difference>& out_;
  const FormRow& form_;
  const InstructionRow& row_;
  const EncodingRow& encoding_;
  std::set<std::string> seen_, implied_;
  u32 compared_ = 0;
};

/// Whether a kind takes a value of its field on a chip.
bool takes(const OperandKindRow& kind, u16 index, u32 value, unsigned chip) {
  const u32 code = register_code(index, value);
  if (code >= register_code_count) return false;
  const CodeRow& row = all().codes[all().chips[chip].first_code + code];
  if (row.cls == CodeClass::none) return false;
  const CodeClass cls = row.cls == CodeClass::vgpr && is_accumulator_kind(kind) ? CodeClass::agpr : row.cls;
  if ((kind.classes >> static_cast<u32>(cls) & 1) == 0) return false;
  if (cls != CodeClass::special || kind.special_count == 0) return true;
  const std::string_view name = all().text(row.name);
  for (u32 i = 0; i < kind.special_count; ++i) {
    const std::string_view allowed = all().text(all().special_names[kind.first_special + i]);
    if (allowed == name || (allowed.starts_with(name) && allowed.size() == name.size() + 3)) return true;
  }
  return false;
}

/// `4, 106-107`.
std::string runs_text(const std::vector<u32>& values) {
  std::string out;
  for (std::size_t i = 0; i < values.size();) {
    std::size_t end = i + 1;
    while (end < values.size() && values[end] == values[end - 1] + 1) ++end;
    if (!out.empty()) out += ", ";
    out += end == i + 1 ? fmt::format("{}", values[i]) : fmt::format("{}-{}", values[i], values[end - 1]);
    i = end;
  }
  return out.empty() ? "none" : out;
}

/// Our parts of an immediate on a chip.
std::vector<text::ImmediatePart> immediate_parts(std::string_view table, unsigned chip) {
  std::vector<text::ImmediatePart> out;
  for (const text::ImmediatePart& part : table == "waitcnt" ? text::wait_counters() : text::dependency_counters()) {
    if ((part.chips & text::chip_bit(chip)) != 0) out.push_back(part);
  }
  return out;
}

std::vector<Range> ranges_of(const text::ImmediatePart& part) {
  std::vector<Range> out{{part.low, part.width}};
  if (part.high_width != 0) out.push_back({part.high_low, part.high_width});
  return out;
}

/// The parts of an immediate that has several, such as the counters of s_waitcnt.
void compare_parts(const OperandType& type, unsigned chip, std::vector<Difference>& out) {
  const std::string table = immediate_table(type.name);
  if (table.empty() || type.parts.empty()) return;
  std::set<std::string> seen;
  const auto differs = [&](std::string_view name, std::string xml, std::string here) {
    out.push_back({Kind::field, type.name, "", -1, std::string(name), std::move(xml), std::move(here)});
  };
  const auto ours = immediate_parts(table, chip);
  for (const Field& part : type.parts) {
    const std::string key = immediate_part_key(part.name);
    seen.insert(key);
    const auto found = std::find_if(ours.begin(), ours.end(),
                                    [&](const text::ImmediatePart& p) { return immediate_part_key(p.name) == key; });
    const auto there = found == ours.end() ? std::vector<Range>() : ranges_of(*found);
    if (there != part.ranges) differs(part.name, bits_text(part.ranges), there.empty() ? "none" : bits_text(there));
  }
  for (const text::ImmediatePart& part : ours) {
    if (seen.count(immediate_part_key(part.name)) == 0) differs(part.name, "none", bits_text(ranges_of(part)));
  }
}

}  // namespace

std::string bits_text(const std::vector<Range>& ranges) {
  std::string out;
  for (const Range& range : ranges) {
    out += range.width == 1 ? fmt::format("[{}]", range.low)
                            : fmt::format("[{}:{}]", range.low + range.width - 1, range.low);
  }
  return out;
}

u32 compare_operands(const Way& way, TypeUses& uses, std::vector<Difference>& out) {
  return OperandComparer(way, uses, out).run();
}

void compare_types(const Document& document, unsigned chip, const TypeUses& uses, Comparison& out) {
  for (const OperandType& type : document.types) compare_parts(type, chip, out.differences);
  for (const auto& [pair, example] : uses) {
    const auto& [name, index] = pair;
    const auto type = std::find_if(document.types.begin(), document.types.end(),
                                   [&, &wanted = name](const OperandType& t) { return t.name == wanted; });
    if (type == document.types.end() || type->values.empty()) continue;
    const OperandKindRow& kind = all().operand_kinds[index];
    std::vector<u32> theirs, ours;
    const u32 end = std::min(1u << kind.bits, static_cast<u32>(register_code_count));
    for (u32 value = 0; value < end; ++value) {
      const bool is_theirs = std::binary_search(type->values.begin(), type->values.end(), value);
      const bool is_ours = takes(kind, index, value, chip);
      if (is_theirs && !is_ours) theirs.push_back(value);
      if (is_ours && !is_theirs) ours.push_back(value);
    }
    if (theirs.empty() && ours.empty()) continue;
    out.differences.push_back({Kind::values, name, "", -1,
                               fmt::format("{} here, as in {}", all().text(kind.name), example),
                               "alone: " + runs_text(theirs), "alone: " + runs_text(ours)});
  }
}

}  // namespace gfxisa::isa_xml
