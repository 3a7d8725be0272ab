// What makes decoding fast: candidate encodings by the upper bits of the first word, and legal codes as bit sets.
#include <algorithm>
#include <bit>

#include "gen/tables_builder.h"

namespace gfxisa::gen {

namespace {

constexpr u32 root_count = 512;
constexpr u32 root_shift = 23;

/// Whether a word whose bits [31:23] are `root` may be of this group.
bool may_be(const DecodeGroupRow& group, u32 root) {
  const u64 bits = (static_cast<u64>(root) << root_shift) ^ group.match;
  const u64 seen = group.mask & (low_ones(9) << root_shift);
  return (bits & seen) == 0;
}

/// One range of the candidates for each distinct list.
u16 add_list(std::vector<u16> list, std::vector<u16>& candidates, std::map<std::vector<u16>, u16>& known) {
  list.push_back(no_candidate);
  const auto [entry, is_new] = known.emplace(list, static_cast<u16>(candidates.size()));
  if (is_new) candidates.insert(candidates.end(), list.begin(), list.end());
  return entry->second;
}

bool is_numbered(CodeClass cls) {
  return cls == CodeClass::sgpr || cls == CodeClass::vgpr || cls == CodeClass::agpr || cls == CodeClass::trap;
}

/// Specials that are a register of 32 bits, not a value that any operand can read.
bool is_one_register(std::string_view name) { return name == "m0" || name == "src_lds_direct"; }

}  // namespace

void TableBuilder::add_roots(u32 chip) {
  ChipRow& row = data_.chips[chip];
  row.first_root = static_cast<u32>(data_.roots.size());
  std::vector<u16> order = add_groups(chip);
  const auto fixed_bits = [&](u16 group) { return std::popcount(data_.decode_groups[group].mask); };
  std::sort(order.begin(), order.end(),
            [&](u16 a, u16 b) { return std::pair(-fixed_bits(a), a) < std::pair(-fixed_bits(b), b); });
  std::map<std::vector<u16>, u16> known;
  for (u32 root = 0; root < root_count; ++root) {
    std::vector<u16> list;
    for (const u16 group : order) {
      if (may_be(data_.decode_groups[group], root)) list.push_back(group);
    }
    data_.roots.push_back(add_list(std::move(list), data_.candidates, known));
  }
}

DecodeGroupRow TableBuilder::group_row(const EncodingRow& encoding) const {
  DecodeGroupRow row{encoding.mask, encoding.match, 0, 0, encoding.bits, Share::whole, 0, 0};
  if (encoding.opcode_field != 0xff) {
    const FieldRow& opcode = data_.fields[encoding.first_field + encoding.opcode_field];
    row.opcode_low = opcode.low;
    row.opcode_width = opcode.width;
  }
  // A field that only shows the other instruction's opcode marks a pair: see styles.inc.
  for (u32 i = 0; i < encoding.field_count; ++i) {
    const Style style = data_.fields[encoding.first_field + i].style;
    if (style == Style::second) row.share = Share::first;
    if (style == Style::first) row.share = Share::second;
  }
  return row;
}

// Groups in the order of their first encoding.
std::vector<u16> TableBuilder::add_groups(u32 chip) {
  const ChipRow& chip_row = data_.chips[chip];
  std::vector<DecodeGroupRow> rows;
  std::vector<std::vector<u16>> members;
  for (u32 i = chip_row.first_encoding; i < chip_row.first_encoding + u32{chip_row.encoding_count}; ++i) {
    if (data_.encodings[i].is_suffix) continue;
    const DecodeGroupRow row = group_row(data_.encodings[i]);
    const auto same = [&](const DecodeGroupRow& other) {
      return std::tie(row.mask, row.match, row.opcode_low, row.opcode_width, row.share) ==
             std::tie(other.mask, other.match, other.opcode_low, other.opcode_width, other.share);
    };
    const auto found = std::find_if(rows.begin(), rows.end(), same);
    const std::size_t index = static_cast<std::size_t>(found - rows.begin());
    if (found == rows.end()) {
      rows.push_back(row);
      members.emplace_back();
    }
    rows[index].bits = std::min(rows[index].bits, row.bits);
    members[index].push_back(static_cast<u16>(i));
  }
  std::vector<u16> order;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].first_form = add_group_forms(members[i], rows[i].opcode_count);
    order.push_back(static_cast<u16>(data_.decode_groups.size()));
    data_.decode_groups.push_back(rows[i]);
  }
  return order;
}

// Opcode to form over all encodings of a group; where two have an opcode, the one declared first has it.
u32 TableBuilder::add_group_forms(const std::vector<u16>& encodings, u32& count) {
  const EncodingRow& first = data_.encodings[encodings[0]];
  count = first.opcode_count;
  if (encodings.size() == 1) return first.first_form;
  std::vector<u32> forms;
  for (const u16 index : encodings) {
    const EncodingRow& encoding = data_.encodings[index];
    if (forms.size() < encoding.opcode_count) forms.resize(encoding.opcode_count);
    for (u32 opcode = 0; opcode < encoding.opcode_count; ++opcode) {
      if (forms[opcode] == 0) forms[opcode] = data_.form_of_opcode[encoding.first_form + opcode];
    }
  }
  count = static_cast<u32>(forms.size());
  const u32 start = static_cast<u32>(data_.form_of_opcode.size());
  data_.form_of_opcode.insert(data_.form_of_opcode.end(), forms.begin(), forms.end());
  return start;
}

void TableBuilder::add_checks(FormRow& row, u32 chip) {
  std::vector<CheckRow> checks;
  const EncodingRow& encoding = data_.encodings[row.encoding];
  const InstructionRow& instruction = data_.instructions[row.instruction];
  for (u8 i = 0; i < row.operand_count; ++i) {
    const OperandRow& operand = data_.operands.rows[row.first_operand + i];
    if (operand.field == 0xff || operand.kind == no_kind) continue;
    const FieldRow& field = data_.fields[encoding.first_field + operand.field];
    const OperandKindRow& kind = data_.operand_kinds[operand.kind];
    const SlotRow& slot = data_.slots[instruction.first_slot + operand.slot];
    // A mask is as wide as the wave; where waves of 32 exist, one register may do.
    // An address may be a whole one or an offset of 32 bits, as other fields say.
    const bool is_address = slot.format != no_format && isa_.formats[slot.format].kind == "address";
    const u32 bits = is_address ? 32 : slot.bits != 0 ? slot.bits : (data_.chips[chip].waves & 1) != 0 ? 32 : 64;
    checks.push_back(
        {field.low, field.width, i, kind.scale, kind.offset, legal_values(operand.kind, chip, (bits + 31) / 32)});
  }
  add_unused_immediates(row, encoding, checks);
  row.check_count = static_cast<u8>(checks.size());
  row.first_check = static_cast<u16>(data_.checks.add(checks));
}

// The constant of a scalar instruction that takes none is 0; anything else would not survive a text.
void TableBuilder::add_unused_immediates(const FormRow& row, const EncodingRow& encoding,
                                         std::vector<CheckRow>& checks) {
  for (u8 i = 0; i < encoding.field_count && encoding.bits == 32; ++i) {
    const FieldRow& field = data_.fields[encoding.first_field + i];
    if (field.role != FieldRole::operand || field.kind != no_kind) continue;
    const OperandRow* operands = data_.operands.rows.data() + row.first_operand;
    const auto holds = [&](const OperandRow& operand) { return operand.field == i; };
    if (std::any_of(operands, operands + row.operand_count, holds)) continue;
    LegalValues zero{};
    zero[0] = 1;
    const auto [index, is_first] = legal_index_.emplace(zero, static_cast<u16>(data_.legal_values.size()));
    if (is_first) data_.legal_values.push_back(zero);
    checks.push_back({field.low, field.width, no_operand, 1, 0, index->second});
  }
}

u16 TableBuilder::legal_values(u16 kind, u32 chip, u32 register_count) {
  const auto [entry, is_new] = legal_of_.emplace(std::tuple(kind, chip, register_count), u16{0});
  if (!is_new) return entry->second;
  const OperandKindRow& row = data_.operand_kinds[kind];
  LegalValues values{};
  for (u32 value = 0; value < 512 && value < (u32{1} << row.bits); ++value) {
    if (is_legal(row, chip, value * row.scale + row.offset, register_count))
      values[value / 64] |= u64{1} << (value % 64);
  }
  const auto [index, is_first] = legal_index_.emplace(values, static_cast<u16>(data_.legal_values.size()));
  if (is_first) data_.legal_values.push_back(values);
  return entry->second = index->second;
}

bool TableBuilder::is_legal(const OperandKindRow& kind, u32 chip, u32 code, u32 register_count) const {
  const CodeRow* codes = data_.codes.data() + data_.chips[chip].first_code;
  if (code >= 512 || (kind.classes >> static_cast<u32>(codes[code].cls) & 1) == 0) return false;
  const CodeRow& row = codes[code];
  if (row.cls == CodeClass::none) return false;
  if (is_numbered(row.cls)) {
    // Hardware takes no notice of the low bits of a misaligned tuple of scalar registers.
    const u32 first = code - static_cast<u32>(row.value) % tuple_alignment(row.cls, register_count);
    return first + register_count <= 512 && codes[first + register_count - 1].cls == row.cls;
  }
  if (row.cls == CodeClass::literal64) return register_count == 2;
  if (row.cls != CodeClass::special) return true;
  if (register_count == 2 && is_one_register(data_.pool.characters().c_str() + row.name)) return false;
  // The upper half of a pair cannot begin 64 bits, and a pair cannot hold more.
  if (register_count > 2 || (register_count == 2 && row.value != 0)) return false;
  const auto first = data_.special_names.begin() + kind.first_special;
  return kind.special_count == 0 ||
         std::find(first, first + kind.special_count, row.name) != first + kind.special_count;
}

}  // namespace gfxisa::gen
