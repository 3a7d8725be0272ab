// Where the elements of a matrix live: which lane, and which place within the lane's registers. Layouts are
// permutations of bits, so they are given as the index bit that each bit of the lane's number and of the place's number
// is.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace gfxisa {

/// A bit of an element's index: bit `bit` of the row, column, position in the sum (k), position among the stored ones
/// of a sparse row (p), or block. `*`: each value holds a copy.
struct IndexBit {
  char index = '*';  ///< `i` row, `j` column, `k`, `p`, `b` block, `*`
  u8 bit = 0;
};

struct MatrixLayout {
  char name = 'A';  ///< A (rows by k), B (k by columns), C and D (rows by columns)
  u32 element_bits = 0;
  std::vector<IndexBit> lane, item;  ///< low bits first; lanes beyond these bits hold nothing
};

struct MatrixShape {
  u32 rows = 0, columns = 0, depth = 0, blocks = 1;
};

/// `v_mfma_f32_32x32x2_2b_bf16`: 32, 32, 2, 2. None of names without a shape.
std::optional<MatrixShape> shape_of(std::string_view mnemonic);

/// A, B and D of a form on a chip for waves of `wave_size`; empty where the layout is not known here. Where fields of
/// the instruction choose the formats of A and B, `element_bits` are theirs: 8, 6 or 4. Of a sparse A these are the
/// stored elements: p is the p % 2-th of the two among columns 4 * (p / 2) and the three behind it.
std::vector<MatrixLayout> matrix_layouts(unsigned chip, u32 form, unsigned wave_size, u32 element_bits = 8);

/// The widths that A and B can have: of most one, the width in the name; of those with formats in fields 8, 6 and 4.
std::vector<u32> source_widths(u32 form);

}  // namespace gfxisa
