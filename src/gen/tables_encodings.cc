// Encodings on each chip, their fields, stages, syntax and suffixes.
#include <algorithm>

#include "gen/tables_builder.h"

namespace gfxisa::gen {

namespace {

gfxisa::FieldRole role_of(model::FieldRole role) { return static_cast<FieldRole>(role); }

bool is_on(model::ChipSet chips, u32 chip) { return (chips >> chip & 1) != 0; }

void put(std::array<u32, 5>& words, u32 low, u32 width, u64 value) {
  for (u32 bit = 0; bit < width; ++bit) {
    const u32 at = low + bit;
    if (at < 32 * words.size() && (value >> bit & 1) != 0) words[at / 32] |= u32{1} << (at % 32);
  }
}

}  // namespace

Style style_named(std::string_view name) {
  static constexpr std::string_view names[] = {
#define GFXISA_STYLE(name, meaning) #name,
#include "inst/styles.inc"
#undef GFXISA_STYLE
  };
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (names[i] == name) return static_cast<Style>(i);
  }
  return Style::none;
}

// Suffixes come first, so that a mask of 32 bits can name them however many encodings a chip has.
void TableBuilder::add_encodings(u32 chip) {
  data_.chips[chip].first_encoding = static_cast<u16>(data_.encodings.size());
  for (const bool suffixes : {true, false}) {
    for (u32 i = 0; i < isa_.encodings.size(); ++i) {
      if (isa_.encodings[i].is_suffix == suffixes && is_on(isa_.encodings[i].chips, chip)) add_encoding(i, chip);
    }
  }
  ChipRow& row = data_.chips[chip];
  row.encoding_count = static_cast<u16>(data_.encodings.size() - row.first_encoding);
  add_suffixes(chip);
}

void TableBuilder::add_encoding(u32 index, u32 chip) {
  const model::Encoding& encoding = isa_.encodings[index];
  EncodingRow row{};
  row.name = data_.pool.add(encoding.name);
  row.title = data_.pool.add(encoding.title);
  row.about = data_.pool.add(encoding.about);
  row.mnemonic_suffix = data_.pool.add(encoding.mnemonic_suffix);
  row.bits = static_cast<u8>(encoding.bits);
  row.opcode_field = row.opcode_high_field = row.literal_field = row.selects_field = row.base_field = 0xff;
  row.is_suffix = encoding.is_suffix;
  row.selects_name = data_.pool.add(encoding.selects_field);
  row.selects_value = static_cast<u16>(encoding.selects_value);
  row.address_kernel = 0xffff;
  for (const model::Address& address : encoding.addresses) {
    if (!is_on(address.chips, chip)) continue;
    row.address_kernel = static_cast<u16>(address.body);
    row.address_source = data_.pool.add(address.source);
  }
  add_fields(encoding, chip, row);
  find_known_fields(row);
  if (row.is_suffix)
    row.literal_bits = encoding.selects_field == "literal" ? 32 : encoding.selects_field == "literal64" ? 64 : 0;
  for (const model::SyntaxOrder& order : encoding.syntax) {
    u32 count = 0;
    if (!is_on(order.chips, chip)) continue;
    row.first_syntax = static_cast<u16>(add_syntax(order.items, encoding, chip, nullptr, count));
    row.syntax_count = static_cast<u16>(count);
  }
  for (const model::Halves& halves : encoding.halves) {
    if (is_on(halves.chips, chip)) row.halves = halves.has_upper ? Halves::numbered : Halves::lower;
  }
  add_stages(encoding, chip, row);
  encoding_rows_[{index, chip}] = static_cast<u16>(data_.encodings.size());
  data_.encodings.push_back(row);
}

void TableBuilder::add_fields(const model::Encoding& encoding, u32 chip, EncodingRow& row) {
  row.first_field = static_cast<u16>(data_.fields.size());
  for (const model::Field& field : encoding.fields) {
    if (!is_on(field.chips, chip)) continue;
    const u8 index = static_cast<u8>(data_.fields.size() - row.first_field);
    if (field.role == model::FieldRole::constant && field.low < 64) {
      row.mask |= low_ones(field.width) << field.low;
      row.match |= (field.constant & low_ones(field.width)) << field.low;
    }
    if (field.role == model::FieldRole::constant && field.low >= 64) {
      row.high_mask |= low_ones(field.width) << (field.low - 64);
      row.high_match |= (field.constant & low_ones(field.width)) << (field.low - 64);
    }
    if (field.role == model::FieldRole::constant || field.role == model::FieldRole::modifier) {
      put(row.base, field.low, field.width, field.constant);
    }
    if (field.role == model::FieldRole::opcode)
      (field.constant == 0 ? row.opcode_field : row.opcode_high_field) = index;
    // One or two whole words after the instruction proper are a literal that is always there.
    if (field.role == model::FieldRole::operand && !field.kind && field.width % 32 == 0 && field.low >= 32)
      row.literal_field = index;
    data_.fields.push_back(field_row(field));
    const Style style = data_.fields.back().style;
    if (style == Style::saddr) row.base_field = index;
    row.has_accumulators |= style == Style::acc;
  }
  row.field_count = static_cast<u16>(data_.fields.size() - row.first_field);
}

void TableBuilder::find_known_fields(EncodingRow& row) {
  static constexpr std::string_view names[] = {
#define GFXISA_KNOWN_FIELD(name) #name,
      GFXISA_KNOWN_FIELDS(GFXISA_KNOWN_FIELD)
#undef GFXISA_KNOWN_FIELD
  };
  row.known.fill(0xff);
  for (u8 index = 0; index < row.field_count; ++index) {
    const FieldRow& field = data_.fields[row.first_field + index];
    for (std::size_t i = 0; i < row.known.size(); ++i) {
      if (row.known[i] == 0xff && field.name == data_.pool.add(names[i])) row.known[i] = index;
    }
    if (row.share != Share::whole) continue;
    row.share = field.style == Style::second  ? Share::first
                : field.style == Style::first ? Share::second
                                              : Share::whole;
  }
}

FieldRow TableBuilder::field_row(const model::Field& field) {
  FieldRow row{};
  row.name = data_.pool.add(field.name);
  row.low = static_cast<u8>(field.low);
  row.width = static_cast<u8>(field.width);
  row.role = role_of(field.role);
  const bool is_styled =
      field.role == model::FieldRole::modifier || (field.role == model::FieldRole::operand && !field.kind);
  row.style = is_styled ? style_named(field.style) : Style::none;
  const bool is_operand = field.role == model::FieldRole::operand;
  row.kind = is_operand && field.kind ? static_cast<u16>(*field.kind) : no_kind;
  row.constant = field.constant;
  row.first_slot = add_texts(field.slots);
  row.slot_count = static_cast<u8>(field.slots.size());
  return row;
}

void TableBuilder::add_stages(const model::Encoding& encoding, u32 chip, EncodingRow& row) {
  row.first_stage = static_cast<u16>(data_.stages.size());
  for (const model::Stage& stage : encoding.reads) {
    if (is_on(stage.chips, chip)) add_stage(stage, false, row);
  }
  for (const model::Stage& stage : encoding.writes) {
    if (is_on(stage.chips, chip)) add_stage(stage, true, row);
  }
}

void TableBuilder::add_stage(const model::Stage& stage, bool is_write, EncodingRow& row) {
  for (std::size_t i = 0; i < stage.types.size() && i < stage.bodies.size(); ++i) {
    StageRow out{};
    out.stage = data_.pool.add(stage.function);
    const std::string& type = stage.types[i];
    out.format = type == "lanes" ? stage_lanes : format_index(type);
    out.is_write = is_write;
    out.argument_count = static_cast<u8>(std::min<std::size_t>(stage.arguments.size(), out.argument_field.size()));
    for (u32 k = 0; k < out.argument_count; ++k) {
      out.argument_field[k] = data_.pool.add(stage.arguments[k]);
      out.argument_indexed[k] = stage.indexed[k];
    }
    out.kernel = static_cast<u16>(stage.bodies[i]);
    data_.stages.push_back(out);
    ++row.stage_count;
  }
}

void TableBuilder::add_suffixes(u32 chip) {
  const u32 first = data_.chips[chip].first_encoding;
  for (u32 i = 0; i < isa_.encodings.size(); ++i) {
    const auto own = encoding_rows_.find({i, chip});
    if (own == encoding_rows_.end() || !isa_.encodings[i].is_suffix || own->second - first >= 32u) continue;
    const u32 bit = own->second - first;
    suffix_bits_[{i, chip}] = bit;
    for (const model::Host& host : isa_.encodings[i].hosts) {
      const auto row = encoding_rows_.find({host.encoding, chip});
      if (row != encoding_rows_.end() && is_on(host.chips, chip))
        data_.encodings[row->second].suffixes |= u32{1} << bit;
    }
  }
}

// Items that are neither a declared slot nor a modifier are left out: slots this instruction does not have. `slots` is
// null for the encoding's own order, which names every slot it has room for.
u32 TableBuilder::add_syntax(const std::vector<std::string>& items, const model::Encoding& encoding, u32 chip,
                             const std::vector<model::Slot>* slots, u32& count) {
  const auto is_modifier = [&](const std::string& item) {
    return std::any_of(encoding.fields.begin(), encoding.fields.end(), [&](const model::Field& field) {
      return field.name == item && field.role == model::FieldRole::modifier && is_on(field.chips, chip);
    });
  };
  std::vector<SyntaxItem> rows;
  for (const std::string& item : items) {
    // A slot that a modifier's bit stands for (clamp) is written as that modifier.
    const auto named = [&](const model::Slot& slot) { return slot.name == item; };
    const bool is_slot = !is_modifier(item) && (slots == nullptr || std::any_of(slots->begin(), slots->end(), named));
    if (is_slot || is_modifier(item)) rows.push_back({data_.pool.add(item), is_slot});
  }
  count = static_cast<u32>(rows.size());
  return data_.syntax_items.add(rows);
}

}  // namespace gfxisa::gen
