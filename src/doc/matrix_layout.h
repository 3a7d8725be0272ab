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

/// A bit of an element's index: bit `bit` of the row, column, position in the sum (k) or block. `*`: each value holds a
/// copy.
struct IndexBit {
  char index = '*';  ///< `i` row, `j` column, `k`, `b` block, `*`
  u8 bit = 0;
};

struct MatrixLayout {
  char name = 'A';  ///< A (rows by k), B (k by columns), C and D (rows by columns)
  u32 element_bits = 0;
  std::vector<IndexBit> lane, item;  ///< low bits first
};

struct MatrixShape {
  u32 rows = 0, columns = 0, depth = 0, blocks = 1;
};

/// `v_mfma_f32_32x32x2_2b_bf16`: 32, 32, 2, 2. None of names without a shape.
std::optional<MatrixShape> shape_of(std::string_view mnemonic);

/// A, B and D of a form on a chip for waves of `wave_size`; empty where the layout is not known here, such as
/// that of sparse matrices.
std::vector<MatrixLayout> matrix_layouts(unsigned chip, u32 form, unsigned wave_size);

}  // namespace gfxisa
