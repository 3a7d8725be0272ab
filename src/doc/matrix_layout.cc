#include "doc/matrix_layout.h"

#include <algorithm>
#include <bit>

#include "inst/tables.h"

namespace gfxisa {
namespace {

const Tables& all() { return tables(); }

using Bits = std::vector<IndexBit>;

/// Bits [low, high) of an index, low first.
Bits range(char index, u32 low, u32 high) {
  Bits out;
  for (u32 bit = low; bit < high; ++bit) out.push_back({index, static_cast<u8>(bit)});
  return out;
}
u32 log2_of(u32 value) { return value == 0 ? 0 : static_cast<u32>(std::bit_width(value)) - 1; }
Bits operator+(Bits a, const Bits& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

struct Form {
  MatrixShape shape;
  unsigned chip = 0, wave_size = 64;
  bool is_mfma = false, is_sparse = false, is_mixed = false;
  std::string_view epoch;
};

// CDNA 1 to 4: rows, then blocks, run through the lanes; neighbours in k lie in a lane as long as there is room in it,
// the next lanes go on.
MatrixLayout mfma_source(char name, char row, u32 rows, const Form& form, u32 element_bits) {
  const u32 per_lane = form.shape.depth * rows * form.shape.blocks / 64;
  MatrixLayout out{name, element_bits, {}, range('k', 0, log2_of(per_lane))};
  out.lane = range(row, 0, log2_of(rows)) + range('b', 0, log2_of(form.shape.blocks)) +
             range('k', log2_of(per_lane), log2_of(form.shape.depth));
  return out;
}

/// Four rows of the sum lie in neighbouring registers (one, of doubles), then rows go through the lanes.
MatrixLayout mfma_sum(const Form& form, u32 element_bits) {
  const u32 together = element_bits == 64 ? 0 : 2;
  const u32 column_bits = log2_of(form.shape.columns), row_bits = log2_of(form.shape.rows);
  MatrixLayout out{'D', element_bits, range('j', 0, column_bits), range('i', 0, together)};
  // What lanes are left after the columns: rows first, then blocks.
  u32 free_bits = 6 - column_bits;
  const u32 rows_in_lanes = std::min(free_bits, row_bits - together);
  out.lane = out.lane + range('i', together, together + rows_in_lanes);
  free_bits -= rows_in_lanes;
  const u32 block_bits = log2_of(form.shape.blocks), blocks_in_lanes = std::min(free_bits, block_bits);
  out.lane = out.lane + range('b', 0, blocks_in_lanes);
  out.item = out.item + range('i', together + rows_in_lanes, row_bits) + range('b', blocks_in_lanes, block_bits);
  return out;
}

// The 4 by 4 doubles keep blocks before rows in the lanes.
std::vector<MatrixLayout> double_blocks() {
  return {{'A', 64, range('i', 0, 2) + range('b', 0, 2) + range('k', 0, 2), {}},
          {'B', 64, range('j', 0, 2) + range('b', 0, 2) + range('k', 0, 2), {}},
          {'D', 64, range('j', 0, 2) + range('b', 0, 2) + range('i', 0, 2), {}}};
}

// RDNA 3: both halves of 32 lanes (all four quarters of 64) hold the same sources.
MatrixLayout wmma11_source(char name, char row, const Form& form, u32 element_bits) {
  MatrixLayout out{name, element_bits, range(row, 0, 4) + Bits{{}}, range('k', 0, log2_of(form.shape.depth))};
  if (form.wave_size == 64) out.lane.push_back({});
  return out;
}

/// Sums alternate between the halves; of 16 bits a register holds one.
MatrixLayout wmma11_sum(const Form& form, u32 element_bits) {
  const u32 in_lanes = form.wave_size == 64 ? 2 : 1;
  MatrixLayout out{'D', element_bits, range('j', 0, 4) + range('i', 0, in_lanes), range('i', in_lanes, 4)};
  if (element_bits == 16) out.item.insert(out.item.begin(), IndexBit{});
  return out;
}

/// RDNA 4 and CDNA 5: `together` neighbours in k, then the lanes above the rows, then the rest of k.
MatrixLayout wmma12_source(char name, char row, const Form& form, u32 element_bits, u32 rows, u32 depth, u32 together) {
  const u32 row_bits = std::min(log2_of(rows), 4u), lane_bits = form.wave_size == 64 ? 2 : 1;
  const u32 near = std::min(log2_of(together), log2_of(depth) - lane_bits);
  MatrixLayout out{name, element_bits, range(row, 0, row_bits) + range('k', near, near + lane_bits),
                   range('k', 0, near)};
  out.item = out.item + range('k', near + lane_bits, log2_of(depth)) + range(row, row_bits, log2_of(rows));
  return out;
}

MatrixLayout wmma12_sum(const Form& form, u32 element_bits) {
  const u32 lane_bits = form.wave_size == 64 ? 2 : 1;
  const u32 in_registers = 4 - lane_bits;
  MatrixLayout out{'D', element_bits, range('j', 0, 4) + range('i', in_registers, 4), range('i', 0, in_registers)};
  out.item = out.item + range('i', 4, log2_of(form.shape.rows));
  return out;
}

u32 bits_of_name(std::string_view word) {
  if (word == "f64") return 64;
  if (word == "f32" || word == "i32" || word == "xf32" || word == "u32") return 32;
  if (word == "f16" || word == "bf16") return 16;
  if (word == "i8" || word == "iu8" || word == "fp8" || word == "bf8" || word == "f8f6f4") return 8;
  if (word == "iu4" || word == "fp4" || word == "f4") return 4;
  return 0;
}

/// Words of the mnemonic after `v_mfma_`: the sum's format, the shape, the sources' formats; old names join the last
/// two.
struct Names {
  u32 sum = 0, a = 0, b = 0;
};

Names names_of(std::string_view mnemonic) {
  Names out;
  bool after_shape = false;
  while (!mnemonic.empty()) {
    const std::size_t end = std::min(mnemonic.find('_'), mnemonic.size());
    std::string_view word = mnemonic.substr(0, end);
    mnemonic.remove_prefix(std::min(end + 1, mnemonic.size()));
    const bool is_shape = word.find('x') != std::string_view::npos && word.front() >= '0' && word.front() <= '9';
    if (is_shape) {
      after_shape = true;
      const std::size_t letter = word.find_first_not_of("0123456789x");
      if (letter == std::string_view::npos) continue;
      word = word.substr(letter);
      // `16x16x8xf32`: the x before f32 belongs to the format.
    }
    const u32 bits = bits_of_name(word);
    if (bits == 0) continue;
    if (!after_shape) {
      out.sum = bits;
    } else if (out.a == 0) {
      out.a = out.b = bits;
    } else {
      out.b = bits;
    }
  }
  return out;
}

/// How many neighbours in k a lane of RDNA 4 or CDNA 5 holds before the other half goes on.
u32 neighbours12(const Form& form, u32 element_bits) {
  const bool is_mixed = form.is_mixed, is_cdna5 = all().text(all().chips[form.chip].name) == "cdna5";
  if (!is_cdna5) return form.shape.depth;  // all of them
  if (is_mixed) return 16;                 // as with 8 bits; narrower elements lie in runs of 32
  if (element_bits >= 32) return 2;
  if (element_bits == 4) return 32;
  return 8;
}

}  // namespace

std::optional<MatrixShape> shape_of(std::string_view mnemonic) {
  for (std::size_t at = mnemonic.find_first_of("0123456789"); at != std::string_view::npos;
       at = mnemonic.find_first_of("0123456789", at + 1)) {
    if (at == 0 || mnemonic[at - 1] != '_') continue;
    u32 numbers[3] = {}, count = 0;
    std::size_t end = at;
    while (count < 3 && end < mnemonic.size() && mnemonic[end] >= '0' && mnemonic[end] <= '9') {
      while (end < mnemonic.size() && mnemonic[end] >= '0' && mnemonic[end] <= '9')
        numbers[count] = numbers[count] * 10 + static_cast<u32>(mnemonic[end++] - '0');
      ++count;
      if (count < 3 && end < mnemonic.size() && mnemonic[end] == 'x') ++end;
    }
    if (count != 3) continue;
    return MatrixShape{numbers[0], numbers[1], numbers[2], 1};
  }
  return std::nullopt;
}

std::vector<MatrixLayout> matrix_layouts(unsigned chip, u32 form_index, unsigned wave_size) {
  const FormRow& row = all().forms[form_index];
  const std::string_view mnemonic = all().text(row.mnemonic);
  auto shape = shape_of(mnemonic);
  if (!shape) return {};
  Form form{*shape,
            chip,
            wave_size,
            mnemonic.starts_with("v_mfma"),
            mnemonic.find("mfmac") != std::string_view::npos || mnemonic.find("wmmac") != std::string_view::npos,
            mnemonic.ends_with("f8f6f4"),
            all().text(all().chips[chip].epoch)};
  const Names names = names_of(mnemonic);
  if (names.a == 0 || names.sum == 0 || form.is_sparse) return {};
  if (form.is_mfma) {
    // Blocks follow from the elements a lane holds, since old names do not give them: 64 lanes share rows * depth *
    // blocks.
    const InstructionRow& instruction = all().instructions[row.instruction];
    u32 sum_bits = 0;
    for (u32 i = 0; i < instruction.slot_count; ++i) {
      const SlotRow& slot = all().slots[instruction.first_slot + i];
      if (all().text(slot.name) == "d" && (slot.chips >> chip & 1) != 0) sum_bits = slot.bits;
    }
    form.shape.blocks = sum_bits / names.sum * 64 / (form.shape.rows * form.shape.columns);
    if (form.shape.blocks == 0) return {};
    if (names.sum == 64 && form.shape.rows == 4) return double_blocks();
    return {mfma_source('A', 'i', form.shape.rows, form, names.a),
            mfma_source('B', 'j', form.shape.columns, form, names.b), mfma_sum(form, names.sum)};
  }
  if (form.epoch == "gfx11") {
    return {wmma11_source('A', 'i', form, names.a), wmma11_source('B', 'j', form, names.b),
            wmma11_sum(form, names.sum)};
  }
  const u32 rows = form.shape.rows, columns = form.shape.columns, depth = form.shape.depth;
  return {wmma12_source('A', 'i', form, names.a, rows, depth, neighbours12(form, names.a)),
          wmma12_source('B', 'j', form, names.b, columns, depth, neighbours12(form, names.b)),
          wmma12_sum(form, names.sum)};
}

}  // namespace gfxisa
