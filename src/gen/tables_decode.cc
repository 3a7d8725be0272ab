// What makes decoding fast: candidate encodings by the upper bits of the first word, and legal codes as bit sets.
#include <algorithm>
#include <bit>

#include "gen/tables_builder.h"

namespace gfxisa::gen {

namespace {

constexpr u32 root_count = 512;
constexpr u32 root_shift = 23;

/// Whether a word whose bits [31:23] are `root` may be of this encoding.
bool may_be(const EncodingRow& encoding, u32 root) {
  const u64 bits = (static_cast<u64>(root) << root_shift) ^ encoding.match;
  const u64 seen = encoding.mask & (low_ones(9) << root_shift);
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

}  // namespace

void TableBuilder::add_roots(u32 chip) {
  ChipRow& row = data_.chips[chip];
  row.first_root = static_cast<u32>(data_.roots.size());
  std::vector<u16> order;
  for (u32 i = 0; i < row.encoding_count; ++i) {
    if (!data_.encodings[row.first_encoding + i].is_suffix) order.push_back(static_cast<u16>(row.first_encoding + i));
  }
  std::stable_sort(order.begin(), order.end(), [&](u16 a, u16 b) {
    return std::popcount(data_.encodings[a].mask) > std::popcount(data_.encodings[b].mask);
  });
  std::map<std::vector<u16>, u16> known;
  for (u32 root = 0; root < root_count; ++root) {
    std::vector<u16> list;
    for (const u16 encoding : order) {
      if (may_be(data_.encodings[encoding], root)) list.push_back(encoding);
    }
    data_.roots.push_back(add_list(std::move(list), data_.candidates, known));
  }
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
    const u32 bits = slot.bits != 0 ? slot.bits : (data_.chips[chip].waves & 1) != 0 ? 32 : 64;
    checks.push_back({field.low, field.width, i, kind.scale, kind.offset, legal_values(operand.kind, chip, (bits + 31) / 32)});
  }
  row.check_count = static_cast<u8>(checks.size());
  row.first_check = static_cast<u16>(data_.checks.add(checks));
}

u16 TableBuilder::legal_values(u16 kind, u32 chip, u32 register_count) {
  const auto [entry, is_new] = legal_of_.emplace(std::tuple(kind, chip, register_count), u16{0});
  if (!is_new) return entry->second;
  const OperandKindRow& row = data_.operand_kinds[kind];
  LegalValues values{};
  for (u32 value = 0; value < 512 && value < (u32{1} << row.bits); ++value) {
    if (is_legal(row, chip, value * row.scale + row.offset, register_count)) values[value / 64] |= u64{1} << (value % 64);
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
  if (is_numbered(row.cls)) return code + register_count <= 512 && codes[code + register_count - 1].cls == row.cls;
  if (row.cls != CodeClass::special) return true;
  // The upper half of a pair cannot begin 64 bits, and a pair cannot hold more.
  if (register_count > 2 || (register_count == 2 && row.value != 0)) return false;
  const auto first = data_.special_names.begin() + kind.first_special;
  return kind.special_count == 0 || std::find(first, first + kind.special_count, row.name) != first + kind.special_count;
}

}  // namespace gfxisa::gen
