#include "doc/matrix_layout.h"

#include <algorithm>
#include <bit>
#include <charconv>

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

// CDNA 1 to 4: rows, then blocks, run through the lanes; `chunk` neighbours lie in a lane, the next lanes go on, and
// after the last of them the first.
MatrixLayout mfma_source(char name, char row, u32 rows, char column, u32 depth, u32 blocks, u32 chunk, u32 bits) {
  const u32 near = log2_of(chunk), far = near + log2_of(64 / (rows * blocks));
  MatrixLayout out{name, bits, {}, range(column, 0, near)};
  out.lane = range(row, 0, log2_of(rows)) + range('b', 0, log2_of(blocks)) + range(column, near, far);
  out.item = out.item + range(column, far, log2_of(depth));
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

// RDNA 4 and CDNA 5. `chunk` neighbours lie in a lane, then the rows of lanes above the first sixteen follow, then the
// rest lies in the lane again. With four rows of lanes the two middle ones may change places.
struct Spread {
  u32 chunk = 1, lane_bits = 1;
  bool swaps = false;
};

MatrixLayout wmma12_source(char name, char row, u32 rows, char column, u32 depth, const Spread& spread, u32 bits) {
  const u32 row_bits = std::min(log2_of(rows), 4u), near = log2_of(spread.chunk), far = near + spread.lane_bits;
  Bits lanes = range(column, near, far);
  if (spread.swaps) std::reverse(lanes.begin(), lanes.end());
  MatrixLayout out{name, bits, range(row, 0, row_bits) + lanes, range(column, 0, near)};
  out.item = out.item + range(column, far, log2_of(depth)) + range(row, row_bits, log2_of(rows));
  return out;
}

/// Eight rows lie in a lane of 32, four in one of 64, whose middle rows of lanes change places.
MatrixLayout wmma12_sum(const Form& form, u32 element_bits) {
  const u32 in_registers = form.wave_size == 64 ? 2 : 3;
  Bits lanes = range('i', in_registers, 4);
  std::reverse(lanes.begin(), lanes.end());
  MatrixLayout out{'D', element_bits, range('j', 0, 4) + lanes, range('i', 0, in_registers)};
  out.item = out.item + range('i', 4, log2_of(form.shape.rows));
  return out;
}

u32 bits_of_name(std::string_view word) {
  if (word == "f64") return 64;
  if (word == "f32" || word == "i32" || word == "xf32" || word == "u32") return 32;
  if (word == "f16" || word == "bf16" || word == "bf16f32") return 16;
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

/// Bits that a lane holds of the sum; of those of RDNA 4 and CDNA 5 a lane of 32.
u32 bits_of_sum(const FormRow& form, unsigned chip) {
  const InstructionRow& instruction = all().instructions[form.instruction];
  for (u32 i = 0; i < instruction.slot_count; ++i) {
    const SlotRow& slot = all().slots[instruction.first_slot + i];
    if (all().text(slot.name) == "d" && (slot.chips >> chip & 1) != 0) return slot.bits;
  }
  return 0;
}

/// The numbers a body's procedure is called with, in their order: of `wmma_12(d, a, b, c, 16, 8, 4, 1, ...)` 16, 8,
/// 4, 1.
std::vector<u32> numbers_of_body(const FormRow& form) {
  std::vector<u32> out;
  if (form.semantics == no_semantics) return out;
  std::string_view text = all().text(all().semantics[form.semantics].source);
  text.remove_prefix(std::min(text.find('('), text.size()));
  while (!text.empty()) {
    text.remove_prefix(1);
    const std::size_t end = std::min(text.find_first_of(",)"), text.size());
    std::string_view word = text.substr(0, end);
    while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
    u32 number = 0;
    const auto [stop, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (problem == std::errc() && stop == word.data() + word.size()) out.push_back(number);
    text.remove_prefix(end);
  }
  return out;
}

/// From the chunks in waves of 32 and of 64 lanes. Of 64 all four rows of lanes take part where there is enough for
/// them.
Spread spread_of(const Form& form, u32 depth, u32 chunk32, u32 chunk64, u32 swaps) {
  if (form.wave_size == 32) return {chunk32, 1, false};
  const bool is_wide = depth / chunk64 > 2;
  return {chunk64, is_wide ? 2u : 1u, is_wide && swaps == 1};
}

std::vector<MatrixLayout> wmma12(const FormRow& row, const Form& form, const Names& names) {
  const u32 rows = form.shape.rows, columns = form.shape.columns, depth = form.shape.depth;
  const auto numbers = numbers_of_body(row);
  if (form.is_mixed || rows > 16) {
    // Of floats whose format a field chooses: those of four and six bits lie in runs of 32, those of eight in runs
    // of 16.
    const Spread spread{names.a == 8 ? 16u : 32u, 1, false};
    return {wmma12_source('A', 'i', rows, 'k', depth, spread, names.a),
            wmma12_source('B', 'j', columns, 'k', depth, spread, names.b), wmma12_sum(form, names.sum)};
  }
  if (form.is_sparse) {
    if (numbers.size() < 6) return {};
    const Spread stored = spread_of(form, depth / 2, numbers[1], numbers[2], numbers[5]);
    const Spread whole = spread_of(form, depth, numbers[3], numbers[4], numbers[5]);
    return {wmma12_source('A', 'i', rows, 'p', depth / 2, stored, names.a),
            wmma12_source('B', 'j', columns, 'k', depth, whole, names.b), wmma12_sum(form, names.sum)};
  }
  if (numbers.size() < 4) return {};
  const Spread spread = spread_of(form, depth, numbers[1], numbers[2], numbers[3]);
  return {wmma12_source('A', 'i', rows, 'k', depth, spread, names.a),
          wmma12_source('B', 'j', columns, 'k', depth, spread, names.b), wmma12_sum(form, names.sum)};
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

std::vector<u32> source_widths(u32 form) {
  const std::string_view mnemonic = all().text(all().forms[form].mnemonic);
  if (mnemonic.ends_with("f8f6f4")) return {8, 6, 4};
  return {names_of(mnemonic).a};
}

std::vector<MatrixLayout> matrix_layouts(unsigned chip, u32 form_index, unsigned wave_size, u32 element_bits) {
  const FormRow& row = all().forms[form_index];
  const std::string_view mnemonic = all().text(row.mnemonic);
  auto shape = shape_of(mnemonic);
  if (!shape) return {};
  Form form{*shape,
            chip,
            wave_size,
            mnemonic.starts_with("v_mfma") || mnemonic.starts_with("v_smfmac"),
            mnemonic.find("mfmac") != std::string_view::npos || mnemonic.find("wmmac") != std::string_view::npos,
            mnemonic.ends_with("f8f6f4"),
            all().text(all().chips[chip].epoch)};
  Names names = names_of(mnemonic);
  if (names.a == 0 || names.sum == 0) return {};
  if (form.is_mixed) names.a = names.b = element_bits;
  if (form.is_mfma) {
    // Blocks follow from the elements a lane holds, since old names do not give them: 64 lanes share rows * depth *
    // blocks.
    form.shape.blocks = bits_of_sum(row, chip) / names.sum * 64 / (form.shape.rows * form.shape.columns);
    if (form.shape.blocks == 0) return {};
    if (names.sum == 64 && form.shape.rows == 4) return double_blocks();
    const u32 rows = form.shape.rows, columns = form.shape.columns, depth = form.shape.depth;
    const u32 blocks = form.shape.blocks;
    // No lane holds more than 128 bits of neighbours, but for the formats of six and four bits.
    const u32 most = form.is_mixed && names.a != 8 ? 32 : 128 / names.b;
    const u32 chunk = std::min(depth * columns * blocks / 64, most);
    const u32 chunk_a = form.is_sparse ? depth / 2 * rows / 64 : std::min(depth * rows * blocks / 64, most);
    return {form.is_sparse ? mfma_source('A', 'i', rows, 'p', depth / 2, blocks, chunk_a, names.a)
                           : mfma_source('A', 'i', rows, 'k', depth, blocks, chunk_a, names.a),
            mfma_source('B', 'j', columns, 'k', depth, blocks, chunk, names.b), mfma_sum(form, names.sum)};
  }
  if (form.epoch == "gfx11") {
    return {wmma11_source('A', 'i', form, names.a), wmma11_source('B', 'j', form, names.b),
            wmma11_sum(form, names.sum)};
  }
  // The name of v_swmmac_bf16f32 does not say that its sum is f32.
  names.sum = bits_of_sum(row, chip) * 32 / (form.shape.rows * form.shape.columns);
  return wmma12(row, form, names);
}

}  // namespace gfxisa
