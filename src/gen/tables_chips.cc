// Chips, register codes, operand kinds, data formats.
#include <bit>

#include "gen/tables_builder.h"

namespace gfxisa::gen {

namespace {

gfxisa::CodeClass class_of(model::CodeClass cls) {
  using From = model::CodeClass;
  switch (cls) {
    case From::sgpr:
      return CodeClass::sgpr;
    case From::vgpr:
      return CodeClass::vgpr;
    case From::agpr:
      return CodeClass::agpr;
    case From::trap:
      return CodeClass::trap;
    case From::integer:
      return CodeClass::integer;
    case From::real:
      return CodeClass::real;
    case From::literal:
      return CodeClass::literal;
    case From::literal64:
      return CodeClass::literal64;
    case From::special:
      return CodeClass::special;
    case From::dpp:
      return CodeClass::dpp;
    case From::dpp8:
      return CodeClass::dpp8;
    case From::sdwa:
      return CodeClass::sdwa;
  }
  return CodeClass::none;
}

i32 code_value(const model::Code& code, u32 position) {
  if (code.cls == model::CodeClass::real) return std::bit_cast<i32>(static_cast<f32>(code.value));
  if (code.cls == model::CodeClass::integer)
    return static_cast<i32>(code.value + static_cast<f64>(code.step * position));
  return static_cast<i32>(position);
}

u16 class_bits(u32 classes) {
  u16 bits = 0;
  for (u32 cls = 0; cls < 12; ++cls) {
    if (classes >> cls & 1)
      bits |= static_cast<u16>(1u << static_cast<u32>(class_of(static_cast<model::CodeClass>(cls))));
  }
  return bits;
}

}  // namespace

void TableBuilder::add_formats() {
  for (const model::Format& format : isa_.formats) {
    data_.data_formats.push_back({data_.pool.add(format.name), data_.pool.add(format.kind), data_.pool.add(format.text),
                                  static_cast<u16>(format.bits)});
  }
}

u8 TableBuilder::format_index(const std::string& name) const {
  for (std::size_t i = 0; i < isa_.formats.size() && i < no_format; ++i) {
    if (isa_.formats[i].name == name) return static_cast<u8>(i);
  }
  return no_format;
}

void TableBuilder::add_kinds() {
  for (const model::OperandKind& kind : isa_.kinds) {
    OperandKindRow row{};
    row.name = data_.pool.add(kind.name);
    row.about = data_.pool.add(kind.about);
    row.offset = static_cast<u16>(kind.offset);
    row.bits = static_cast<u8>(kind.bits);
    row.classes = class_bits(kind.classes);
    row.first_special = static_cast<u32>(data_.special_names.size());
    row.special_count = static_cast<u16>(kind.specials.size());
    row.scale = static_cast<u8>(kind.scale);
    for (const std::string& name : kind.specials) data_.special_names.push_back(data_.pool.add(name));
    data_.operand_kinds.push_back(row);
  }
}

u32 TableBuilder::add_texts(const std::vector<std::string>& texts) {
  std::vector<Text> indices;
  for (const std::string& text : texts) indices.push_back(data_.pool.add(text));
  return data_.texts.add(indices);
}

void TableBuilder::add_chips() {
  for (u32 chip = 0; chip < isa_.chips.size(); ++chip) {
    const model::Chip& source = isa_.chips[chip];
    ChipRow row{};
    row.name = data_.pool.add(source.name);
    row.title = data_.pool.add(source.title);
    row.epoch = data_.pool.add(source.epoch < isa_.epochs.size() ? isa_.epochs[source.epoch].name : "");
    row.first_target = add_texts(source.targets);
    row.target_count = static_cast<u8>(source.targets.size());
    row.first_manual = add_texts(source.manuals);
    row.manual_count = static_cast<u8>(source.manuals.size());
    for (const u32 wave : source.waves) row.waves |= wave == 32 ? 1 : wave == 64 ? 2 : 0;
    row.first_code = static_cast<u32>(data_.codes.size());
    data_.chips.push_back(row);
    add_codes(chip);
    add_encodings(chip);
  }
}

void TableBuilder::add_codes(u32 chip) {
  std::array<CodeRow, register_code_count> rows{};
  for (const model::Code& code : isa_.codes) {
    if (code.chips >> chip & 1) add_code(code, rows);
  }
  std::array<u16, 5>& first = data_.chips[chip].first_register;
  for (u32 code = register_code_count; code-- > 0;) {
    const auto cls = static_cast<std::size_t>(rows[code].cls);
    if (cls != 0 && cls < first.size()) first[cls] = static_cast<u16>(code);
  }
  // Registers of a class are numbered through even when they are declared in parts.
  std::array<i32, 16> next{};
  for (CodeRow& row : rows) {
    const bool is_numbered = row.cls == CodeClass::sgpr || row.cls == CodeClass::vgpr || row.cls == CodeClass::agpr ||
                             row.cls == CodeClass::trap;
    if (is_numbered) row.value = next[static_cast<std::size_t>(row.cls)]++;
  }
  data_.codes.insert(data_.codes.end(), rows.begin(), rows.end());
}

void TableBuilder::add_code(const model::Code& code, std::array<CodeRow, register_code_count>& rows) {
  for (u32 number = code.first; number <= code.last && number < rows.size(); ++number) {
    rows[number] = {class_of(code.cls), code_value(code, number - code.first), data_.pool.add(code.name), code.is_even};
  }
}

}  // namespace gfxisa::gen
