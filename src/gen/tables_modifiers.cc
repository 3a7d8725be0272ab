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

class ModifierFinder {
 public:
  ModifierFinder(const model::Isa& isa, const model::Form& form)
      : isa_(isa),
        form_(form),
        encoding_(isa.encodings[form.encoding]),
        instruction_(isa.instructions[form.instruction]) {}

  /// The bits of a modifier that may be set; the others are 0.
  u64 allowed_bits(const model::Field& field) const {
    const u64 all = low_ones(field.width);
    if (is_halves(field)) return takes(field) ? half_bits() : field.is_zero_unused ? 0 : all;
    if (!field.is_zero_unused) return all;
    if (field.style == "neg" || field.style == "abs") return sign_bits(field);
    return takes(field) ? all : 0;
  }

  /// Whether the form has this modifier, be it only for some of its operands.
  bool takes(const model::Field& field) const {
    if (const auto rule = rule_of(field.name)) return *rule;
    if (contains(form_.without, field.name)) return false;
    const bool is_of_results = field.style == "omod";
    return std::any_of(instruction_.slots.begin(), instruction_.slots.end(), [&](const model::Slot& slot) {
      if (!is_on(slot.chips, form_.chip) || (is_of_results && slot.access == model::Access::in)) return false;
      return slot.name == field.name || is_staged(field, slot);
    });
  }

  /// A modifier that chooses the halves of registers, a bit for each source and one for the result.
  static bool is_halves(const model::Field& field) { return field.style == "opsel" && field.width == result_bit + 1; }

 private:
  std::optional<bool> rule_of(const std::string& field) const {
    for (const model::ModifierRule& rule : instruction_.modifiers) {
      if (rule.field == field && is_on(rule.chips, form_.chip)) return rule.is_taken;
    }
    return {};
  }

  /// Whether a stage of the encoding applies this modifier to operands like this one.
  bool is_staged(const model::Field& field, const model::Slot& slot) const {
    if (slot.access == model::Access::imm) return false;
    for (const std::vector<model::Stage>* stages : {&encoding_.reads, &encoding_.writes}) {
      for (const model::Stage& stage : *stages) {
        if (!is_on(stage.chips, form_.chip) || !contains(stage.arguments, field.name)) continue;
        if (contains(stage.types, slot.type) || (contains(stage.types, "half") && bits_of(slot) == 16)) return true;
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

  // Bits of operands without a sign are not looked at where another operand has one, but for compares, nor where the
  // family gives it signs or op_sel that the types do not.
  u64 sign_bits(const model::Field& field) const {
    if (rule_of(field.name) == false) return 0;
    u64 bits = 0, all = 0;
    for (u32 i = 0; i < source_count && i < field.width; ++i) {
      all |= u64{has_source(i)} << i;
      const model::Slot* slot = source(i);
      if (slot != nullptr && is_staged(field, *slot)) bits |= u64{1} << i;
    }
    const bool is_given = rule_of(field.name) == true || rule_of("opsel") == true;
    const bool ignores_rest = (bits != 0 && !has_mask_result()) || is_given || is_not_looked_at(field);
    return ignores_rest ? all : bits;
  }

  bool is_not_looked_at(const model::Field& field) const {
    return std::any_of(encoding_.fields.begin(), encoding_.fields.end(), [&](const model::Field& other) {
      return is_on(other.chips, form_.chip) && !field.unless.empty() && other.name == field.unless && takes(other);
    });
  }

  const model::Isa& isa_;
  const model::Form& form_;
  const model::Encoding& encoding_;
  const model::Instruction& instruction_;
};

}  // namespace

void TableBuilder::add_modifier_checks(const model::Form& form, std::vector<CheckRow>& checks) {
  const ModifierFinder finder(isa_, form);
  const model::Instruction& instruction = isa_.instructions[form.instruction];
  for (const model::Field& field : isa_.encodings[form.encoding].fields) {
    if (field.role != model::FieldRole::modifier || !is_on(field.chips, form.chip) || field.width > 8) continue;
    const bool has_rule = std::any_of(instruction.fields.begin(), instruction.fields.end(), [&](const auto& line) {
      return line.field == field.name && is_on(line.chips, form.chip);
    });
    const u64 allowed = finder.allowed_bits(field);
    if (has_rule || allowed == low_ones(field.width)) continue;
    LegalValues values{};
    for (u64 value = 0; value <= allowed; ++value) {
      if ((value & ~allowed) == 0) values[value / 64] |= u64{1} << (value % 64);
    }
    checks.push_back({static_cast<u8>(field.low), static_cast<u8>(field.width), no_operand, CheckWhen::always, 1, 0,
                      add_legal_values(values)});
  }
}

/// The items of a syntax without modifiers that the form does not take.
std::vector<std::string> TableBuilder::taken_items(const model::Form& form,
                                                   const std::vector<std::string>& syntax) const {
  const ModifierFinder finder(isa_, form);
  std::vector<std::string> items = syntax;
  for (const model::Field& field : isa_.encodings[form.encoding].fields) {
    if (field.role != model::FieldRole::modifier || !is_on(field.chips, form.chip)) continue;
    if (finder.is_halves(field) && !finder.takes(field))
      items.erase(std::remove(items.begin(), items.end(), field.name), items.end());
  }
  return items;
}

}  // namespace gfxisa::gen
