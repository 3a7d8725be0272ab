#include "doc/compare.h"

#include <fmt/format.h>

#include <algorithm>

namespace gfxisa {
namespace {

std::string range_of(const FieldRow& field) {
  if (field.width == 1) return fmt::format("bit {}", field.low);
  return fmt::format("bits {}:{}", field.low + field.width - 1, field.low);
}

std::string describe_field(const FieldRow& field) {
  switch (field.role) {
    case FieldRole::constant:
      return fmt::format("{} fixed to {:0{}b}", range_of(field), field.constant, field.width);
    case FieldRole::reserved:
      return fmt::format("{} unassigned", range_of(field));
    case FieldRole::opcode:
      return fmt::format("OP in {}", range_of(field));
    case FieldRole::operand:
    case FieldRole::joined:
    case FieldRole::modifier:
      return fmt::format("{} in {}", upper(tables().text(field.name)), range_of(field));
  }
  return {};
}

bool same_field(const FieldRow& a, const FieldRow& b) {
  return a.role == b.role && a.low == b.low && a.width == b.width &&
         (a.role == FieldRole::reserved || a.role == FieldRole::opcode ||
          tables().text(a.name) == tables().text(b.name)) &&
         (a.role != FieldRole::constant || a.constant == b.constant);
}

/// Fields of `from` that `other` does not have in the same place.
std::vector<std::string> only_in(const std::vector<const FieldRow*>& from, const std::vector<const FieldRow*>& other) {
  std::vector<std::string> out;
  for (const FieldRow* field : from) {
    const bool found =
        std::any_of(other.begin(), other.end(), [&](const FieldRow* o) { return same_field(*field, *o); });
    if (!found) out.push_back(describe_field(*field));
  }
  return out;
}

}  // namespace

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

int form_on_chip(unsigned instruction, unsigned chip, std::string_view encoding_name) {
  const Tables& all = tables();
  const ChipRow& row = all.chips[chip];
  int found = -1;
  for (u32 i = row.first_form; i < row.first_form + row.form_count; ++i) {
    if (all.forms[i].instruction != instruction) continue;
    if (all.text(all.encodings[all.forms[i].encoding].name) == encoding_name) return static_cast<int>(i);
    if (found < 0) found = static_cast<int>(i);
  }
  return found;
}

std::vector<const FieldRow*> fields_high_to_low(const EncodingRow& encoding) {
  std::vector<const FieldRow*> fields;
  for (u32 i = 0; i < encoding.field_count; ++i) {
    const FieldRow& field = tables().fields[encoding.first_field + i];
    if (field.role != FieldRole::joined) fields.push_back(&field);  // its parts are listed
  }
  std::sort(fields.begin(), fields.end(), [](const FieldRow* a, const FieldRow* b) { return a->low > b->low; });
  return fields;
}

std::vector<std::string> encoding_differences(const FormRow& here, const FormRow& there) {
  const Tables& all = tables();
  const EncodingRow& a = all.encodings[here.encoding];
  const EncodingRow& b = all.encodings[there.encoding];
  std::vector<std::string> out;
  if (all.text(a.name) != all.text(b.name)) {
    out.push_back(fmt::format("encoding {} ({} bits)", all.text(b.name), b.bits));
  }
  if (here.opcode != there.opcode) out.push_back(fmt::format("opcode {}", there.opcode));
  if (all.text(a.name) != all.text(b.name)) return out;  // a field by field comparison would say nothing more
  const auto fields_a = fields_high_to_low(a);
  const auto fields_b = fields_high_to_low(b);
  const auto only_there = only_in(fields_b, fields_a);
  const auto only_here = only_in(fields_a, fields_b);
  if (!only_there.empty() || !only_here.empty()) {
    out.push_back(fmt::format("field layout: {}{}", fmt::join(only_there, ", "),
                              only_here.empty() ? "" : fmt::format(" (here {})", fmt::join(only_here, ", "))));
  }
  return out;
}

std::vector<u32> identifier_words(const FormRow& form) {
  const EncodingRow& encoding = tables().encodings[form.encoding];
  std::vector<u32> words(encoding.bits / 32);
  const auto set = [&](const FieldRow& field, u64 value) {
    for (unsigned bit = 0; bit < field.width; ++bit) {
      const unsigned at = field.low + bit;
      if (at / 32 < words.size() && (value >> bit & 1)) words[at / 32] |= u32{1} << (at % 32);
    }
  };
  for (const FieldRow* field : fields_high_to_low(encoding)) {
    if (field->role == FieldRole::constant) set(*field, field->constant);
    if (field->role == FieldRole::opcode) set(*field, u64{form.opcode} >> field->constant);
  }
  return words;
}

}  // namespace gfxisa
