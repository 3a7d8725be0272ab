// One decoded instruction in executable form. A program is an array of steps; running is calling run(wave, step) on the
// step it returned last.
#pragma once
#include <array>

#include "base/types.h"
#include "exec/kernel_abi.h"

namespace gfxisa::exec {

/// An operand after decoding: a place in one of the wave's two bases. No case distinction is left at run time.
struct OperandRef {
  u32 offset = 0;             ///< bytes from Wave::bases[space]
  u8 space = 0;               ///< 0 registers, 1 constants of the program
  u8 rows = 1;                ///< 32-bit words of the value
  bool is_scalar = false;     ///< lane kernels: one value for all lanes, to be spread over a row
  bool is_discarded = false;  ///< outputs: written nowhere
  bool is_mask = false;       ///< lane kernels: one bit a lane
  u16 row_stride = 0;         ///< bytes from a word's row to the next word's
  u16 half_stride = 0;        ///< bytes from lanes 0..31 to lanes 32..63 of a row
};

inline constexpr unsigned max_flat_inputs = 6, max_flat_outputs = 2;
inline constexpr unsigned max_inputs = 6, max_outputs = 4, max_immediates = 4;

struct Modifiers;

struct Step {
  ScalarKernel run = nullptr;  ///< the kernel itself for scalar and wave bodies, else a handler that calls `kernel`
  union {
    LaneKernel kernel = nullptr;
    ScalarKernel inner;  ///< scalar bodies behind a handler that does something before or after
  };
  ScalarKernel alone = nullptr;          ///< first of a pair: its `run` if it were alone
  const Modifiers* modifiers = nullptr;  ///< nullptr when the instruction has none in effect
  u8 input_count = 0, output_count = 0;
  u8 input_rows = 0, output_rows = 0;
  u8 float_mode = 0;             ///< SemanticsRow::float_mode
  bool writes_in_place = false;  ///< the kernel may write straight to the register rows when all lanes are on
  bool keeps_high_half = false;  ///< a 16-bit result leaves bits [31:16] of its register
  bool clamps = false;           ///< the encoding's clamp bit
  bool has_effects = false;      ///< SemanticsRow::has_effects
  bool has_mask_output = false;  ///< an output of one bit a lane: written even when no lane is on
  bool is_synthetic = false;     ///< not an instruction of the program
  u8 banks = 0;  ///< high bits of register numbers that it was made with, as set_register_banks has them
  u16 semantics = 0xffff;
  u8 constant_rows = 0,
     paired_rows = 0;  ///< of `rows`, by bits: those of constants, those with a row for lanes 32 to 63
  /// Where all operands are rows of few words: offsets of the inputs' rows, then those of the outputs'.
  std::array<u32, max_flat_inputs + max_flat_outputs> rows{};
  std::array<OperandRef, max_inputs> in{};
  std::array<OperandRef, max_outputs> out{};
  std::array<i64, max_immediates> immediates{};
  u32 code_offset = 0;  ///< bytes from the program's start
  u32 next_offset = 0;  ///< of the following instruction
  u32 form = 0;         ///< index in tables().forms
};

}  // namespace gfxisa::exec
