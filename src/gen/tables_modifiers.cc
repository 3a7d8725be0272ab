// Which modifiers of its encoding a form takes. The types of its operands give them, by the encoding's stages; `takes`
// and `without` lines of the family say where it is otherwise.
#include <algorithm>
#include <optional>

#include "gen/tables_builder.h"

namespace gfxisa::gen {

namespace {

bool is_on(model::ChipSet chips, u32 chip) { return (chips >> chip & 1) != 0; }

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

constexpr u32 source_count = 3, result_bit = 3;

/// What a field of one source is called behind the source's number: `neg` of `src0_neg`, nothing of `s0`. Other fields
/// belong to no source.
struct OwnField {
  std::optional<u32> source;
  std::string what;
};

OwnField own_field(const std::string& name) {
  const bool is_choice = name == "s0" || name == "s1";
  if (!is_choice && !(name.starts_with("src") && name.size() > 5 && name[4] == '_')) return {{}, name};
  const u32 source = static_cast<u32>((is_choice ? name[1] : name[3]) - '0');
  return {source, is_choice ? std::string() : name.substr(5)};
}

class ModifierFinder {
 public:
  /// Of the form's own encoding, or of one of its suffixes.
  ModifierFinder(const model::Isa& isa, const model::Form& form, const model::Encoding& encoding)
      : isa_(isa),
        form_(form),
        host_(isa.encodings[form.encoding]),
        encoding_(encoding),
        instruction_(isa.instructions[form.instruction]) {}

  /// The bits of a modifier that may be set; the others are 0.
  u64 allowed_bits(const model::Field& field) const {
    const u64 all = low_ones(field.width);
    if (is_halves(field)) return takes(field) ? half_bits() : field.is_zero_unused ? 0 : all;
    if (!field.is_zero_unused) return all;
    const OwnField own = own_field(field.name);
    if (own.source) return allows_own(field, own) ? all : 0;
    if (field.style == "neg" || field.style == "abs") return sign_bits(field.name, field) & all;
    return takes(field) ? all : 0;
  }

  /// Whether the form has this modifier, be it only for some of its operands.
  bool takes(const model::Field& field) const {
    if (const auto rule = rule_of(field.name)) return *rule;
    if (contains(form_.without, field.name)) return false;
    if (field.name == "sd") return has_mask_result();
    const OwnField own = own_field(field.name);
    if (own.source) return allows_own(field, own);
    const bool is_of_results = field.style == "omod";
    return std::any_of(instruction_.slots.begin(), instruction_.slots.end(), [&](const model::Slot& slot) {
      if (!is_on(slot.chips, form_.chip) || (is_of_results && slot.access == model::Access::in)) return false;
      return slot.name == field.name || is_staged(field.name, slot);
    });
  }

  /// A modifier that chooses the halves of registers, a bit for each source and one for the result.
  static bool is_halves(const model::Field& field) { return field.style == "opsel" && field.width == result_bit + 1; }

  std::optional<bool> rule_of(const std::string& field) const {
    for (const model::ModifierRule& rule : instruction_.modifiers) {
      if (rule.field == field && is_on(rule.chips, form_.chip)) return rule.is_taken;
    }
    return {};
  }

 private:
  /// Whether a modifier of one source may be set.
  bool allows_own(const model::Field& field, const OwnField& own) const {
    const model::Slot* slot = source(*own.source);
    // Words of 64 bits have signs of their own; those of the suffix are not looked at.
    if (own.what == "neg" || own.what == "abs")
      return host_.bits > 32 || (sign_bits(own.what, field) >> *own.source & 1) != 0;
    if (slot == nullptr) return false;
    // Floats have signs to turn where integers are extended.
    if (own.what == "sext") return !is_staged("neg", *slot) && rule_of("neg") != true;
    return own.what.empty() || is_staged(own.what, *slot);
  }

  /// Whether a stage of the encoding applies this modifier to operands like this one.
  bool is_staged(const std::string& name, const model::Slot& slot) const {
    if (slot.access == model::Access::imm) return false;
    for (const std::vector<model::Stage>* stages : {&encoding_.reads, &encoding_.writes}) {
      for (const model::Stage& stage : *stages) {
        if (!is_on(stage.chips, form_.chip) || !contains(stage.arguments, name)) continue;
        if (contains(stage.types, slot.type)) return true;
      }
    }
    return false;
  }

  u32 bits_of(const model::Slot& slot) const {
    for (const model::Format& format : isa_.formats) {
      if (format.name == slot.type) return format.bits;
    }
    return 0;
  }

  const model::Slot* slot_named(std::string_view name) const {
    for (const model::Slot& slot : instruction_.slots) {
      if (slot.name == name && is_on(slot.chips, form_.chip) && slot.access != model::Access::imm) return &slot;
    }
    return nullptr;
  }

  const model::Slot* source(u32 index) const {
    const model::Slot* slot = slot_named(std::string_view("abc").substr(index, 1));
    return slot != nullptr && slot->type != "mask" ? slot : nullptr;
  }

  bool has_vector_result() const {
    const model::Slot* result = slot_named("d");
    return result != nullptr && result->type != "mask";
  }

  bool has_mask_result() const {
    const model::Slot* result = slot_named("d");
    return result != nullptr && result->type == "mask";
  }

  /// Whether op_sel chooses the part of a destination whose other parts stay: that is a third source.
  bool chooses_part() const {
    const model::Slot* result = slot_named("d");
    return rule_of("opsel") == true && result != nullptr && result->access == model::Access::inout;
  }

  bool has_source(u32 index) const { return source(index) != nullptr || (index + 1 == source_count && chooses_part()); }

  u64 half_bits() const {
    u64 bits = u64{has_vector_result()} << result_bit;
    for (u32 i = 0; i < source_count; ++i) bits |= u64{has_source(i)} << i;
    return bits;
  }

  // Bits of operands without a sign are not looked at where another operand has one, but for compares and where they
  // are extended instead, nor where the family gives it signs or op_sel that the types do not.
  u64 sign_bits(const std::string& name, const model::Field& field) const {
    if (rule_of(name) == false) return 0;
    u64 bits = 0, all = 0;
    for (u32 i = 0; i < source_count; ++i) {
      all |= u64{has_source(i)} << i;
      const model::Slot* slot = source(i);
      if (slot != nullptr && is_staged(name, *slot)) bits |= u64{1} << i;
    }
    const bool is_given = rule_of(name) == true || rule_of("opsel") == true;
    const bool is_extended = std::any_of(encoding_.fields.begin(), encoding_.fields.end(),
                                         [](const auto& other) { return other.name.ends_with("_sext"); });
    const bool ignores_rest = (bits != 0 && !has_mask_result() && !is_extended) || is_given || is_not_looked_at(field);
    return ignores_rest ? all : bits;
  }

  bool is_not_looked_at(const model::Field& field) const {
    if (field.unless == "half") {
      return std::any_of(instruction_.slots.begin(), instruction_.slots.end(), [&](const model::Slot& slot) {
        return is_on(slot.chips, form_.chip) && slot.access != model::Access::imm && bits_of(slot) == 16;
      });
    }
    return std::any_of(encoding_.fields.begin(), encoding_.fields.end(), [&](const model::Field& other) {
      return is_on(other.chips, form_.chip) && !field.unless.empty() && other.name == field.unless && takes(other);
    });
  }

  const model::Isa& isa_;
  const model::Form& form_;
  const model::Encoding& host_;
  const model::Encoding& encoding_;
  const model::Instruction& instruction_;
};

/// The highest value that means something.
u64 most_value(const std::string& style) { return style == "sdwa_sel" ? 6 : style == "dst_unused" ? 2 : ~u64{0}; }

}  // namespace

void TableBuilder::add_modifier_checks(const model::Form& form, const model::Encoding& encoding,
                                       std::vector<CheckRow>& checks) {
  const ModifierFinder finder(isa_, form, encoding);
  const model::Instruction& instruction = isa_.instructions[form.instruction];
  for (const model::Field& field : encoding.fields) {
    if (field.role != model::FieldRole::modifier || !is_on(field.chips, form.chip) || field.width > 8) continue;
    const bool has_rule = std::any_of(instruction.fields.begin(), instruction.fields.end(), [&](const auto& line) {
      return line.field == field.name && is_on(line.chips, form.chip);
    });
    const u64 allowed = finder.allowed_bits(field);
    const u64 most = most_value(field.style);
    if (has_rule || (allowed == low_ones(field.width) && most >= allowed)) continue;
    LegalValues values{};
    for (u64 value = 0; value <= allowed && value <= most; ++value) {
      if ((value & ~allowed) == 0) values[value / 64] |= u64{1} << (value % 64);
    }
    checks.push_back({static_cast<u8>(field.low), static_cast<u8>(field.width), no_operand, CheckWhen::always, 1, 0,
                      add_legal_values(values)});
  }
}

/// The items of a syntax without modifiers that the form does not take.
std::vector<std::string> TableBuilder::taken_items(const model::Form& form, const model::Encoding& encoding,
                                                   const std::vector<std::string>& syntax) const {
  const ModifierFinder finder(isa_, form, encoding);
  std::vector<std::string> items = syntax;
  for (const model::Field& field : encoding.fields) {
    if (field.role != model::FieldRole::modifier || !is_on(field.chips, form.chip)) continue;
    const bool is_left_out = finder.is_halves(field) || (encoding.is_suffix && field.is_zero_unused);
    if (is_left_out && !finder.takes(field))
      items.erase(std::remove(items.begin(), items.end(), field.name), items.end());
  }
  return items;
}

/// The widest of a form's operands, in bits; masks are none.
u32 TableBuilder::widest_operand(const model::Form& form) const {
  u32 widest = 0;
  for (const model::Slot& slot : isa_.instructions[form.instruction].slots) {
    if (!is_on(slot.chips, form.chip) || slot.access == model::Access::imm || slot.type == "mask") continue;
    for (const model::Format& format : isa_.formats) {
      if (format.name == slot.type) widest = std::max(widest, format.bits);
    }
  }
  return widest;
}

/// Suffixes that the encoding would give, as bits: those that the family is without, and those for narrower operands.
u32 TableBuilder::suffixes_without(const model::Form& form) const {
  u32 bits = 0;
  for (const model::Host& without : isa_.instructions[form.instruction].without) {
    const auto bit = suffix_bits_.find({without.encoding, form.chip});
    if (bit != suffix_bits_.end() && is_on(without.chips, form.chip)) bits |= u32{1} << bit->second;
  }
  const u32 widest = widest_operand(form);
  for (u32 i = 0; i < isa_.encodings.size(); ++i) {
    const auto bit = suffix_bits_.find({i, form.chip});
    if (bit == suffix_bits_.end()) continue;
    const model::Encoding& suffix = isa_.encodings[i];
    if (ModifierFinder(isa_, form, suffix).rule_of(suffix.name) == true) continue;
    for (const model::Widest& most : suffix.widest) {
      if (is_on(most.chips, form.chip) && widest > most.bits) bits |= u32{1} << bit->second;
    }
  }
  return bits;
}

/// One row for each suffix that the form takes.
void TableBuilder::add_form_suffixes(const model::Form& form, FormRow& row) {
  std::vector<FormSuffixRow> rows;
  for (const auto& [place, bit] : suffix_bits_) {
    const u32 taken = data_.encodings[row.encoding].suffixes & ~row.without;
    if (place.second != form.chip || (taken >> bit & 1) == 0) continue;
    const model::Encoding& suffix = isa_.encodings[place.first];
    FormSuffixRow out{};
    std::vector<CheckRow> checks;
    add_suffix_operands(form, row, encoding_rows_.at(place), checks);
    add_modifier_checks(form, suffix, checks);
    out.check_count = static_cast<u8>(checks.size());
    out.first_check = static_cast<u16>(data_.checks.add(checks));
    for (const model::SyntaxOrder& order : suffix.syntax) {
      u32 count = 0;
      if (!is_on(order.chips, form.chip)) continue;
      out.first_syntax =
          static_cast<u16>(add_syntax(taken_items(form, suffix, order.items), suffix, form.chip, nullptr, count));
      out.syntax_count = static_cast<u16>(count);
    }
    rows.resize(std::max<std::size_t>(rows.size(), bit + 1u));
    rows[bit] = out;
  }
  std::vector<FormSuffixRow> dense;
  for (u32 bit = 0; bit < rows.size(); ++bit) {
    if (((data_.encodings[row.encoding].suffixes & ~row.without) >> bit & 1) != 0) dense.push_back(rows[bit]);
  }
  row.first_suffix = static_cast<u16>(data_.form_suffixes.add(dense));
}

/// What the fields of a suffix that stand in place of the form's own may hold.
void TableBuilder::add_suffix_operands(const model::Form& form, const FormRow& row, u16 suffix,
                                       std::vector<CheckRow>& checks) {
  const EncodingRow& encoding = data_.encodings[suffix];
  const InstructionRow& instruction = data_.instructions[row.instruction];
  for (u8 i = 0; i < row.operand_count; ++i) {
    const SlotRow& slot = data_.slots[instruction.first_slot + data_.operands.rows[row.first_operand + i].slot];
    for (u32 f = 0; f < encoding.field_count; ++f) {
      const FieldRow& field = data_.fields[encoding.first_field + f];
      if (field.role != FieldRole::operand || field.kind == no_kind || field.slot_count == 0 ||
          data_.texts.rows[field.first_slot] != slot.name)
        continue;
      const OperandKindRow& kind = data_.operand_kinds[field.kind];
      const u32 bits = operand_bits(slot, form.chip);
      const LegalValues values =
          values_of_slot(field.kind, form.chip, (bits + 31) / 32, slot, data_.encodings[row.encoding]);
      const CheckWhen when = encoding.known[static_cast<std::size_t>(KnownField::sd)] == 0xff || kind.offset != 0
                                 ? CheckWhen::always
                                 : CheckWhen::named;
      checks.push_back({field.low, field.width, i, when, kind.scale, kind.offset, add_legal_values(values)});
      if (slot.bits == 0 && knows_two_waves(form.chip) && when == CheckWhen::named) {
        checks.push_back({field.low, field.width, i, CheckWhen::named_wave64, kind.scale, kind.offset,
                          legal_values(field.kind, form.chip, 2)});
      }
    }
  }
}

}  // namespace gfxisa::gen
