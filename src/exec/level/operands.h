// Operands of lane kernels: from registers to rows and back. Part of a SIMD level: everything is in its namespace.
#pragma once
#include "exec/access.h"
#include "exec/level/rows.h"

namespace gfxisa::exec::GFXISA_LEVEL {

inline const u32* input_row(const Wave& wave, const OperandRef& ref, unsigned word, unsigned half) {
  return reinterpret_cast<const u32*>(wave.bases[ref.space] + ref.offset + word * ref.row_stride +
                                      half * ref.half_stride);
}

inline u32* output_row(Wave& wave, const OperandRef& ref, unsigned word, unsigned half) {
  return reinterpret_cast<u32*>(wave.bases[0] + ref.offset + word * ref.row_stride + half * ref.half_stride);
}

inline u32 scalar_word(const Wave& wave, const OperandRef& ref, unsigned word) {
  u32 value;
  std::memcpy(&value, wave.bases[ref.space] + ref.offset + word * 4, 4);
  return value;
}

/// Points call.in at the inputs' rows; scalars and masks are spread into scratch rows.
inline void prepare_inputs(const Wave& wave, const Step* step, unsigned half, LaneCall& call, Rows& rows) {
  unsigned row = 0;
  for (unsigned i = 0; i < step->input_count; ++i) {
    const OperandRef& ref = step->in[i];
    for (unsigned word = 0; word < ref.rows; ++word, ++row) {
      if (ref.is_mask) {
        expand_mask(rows.in[row], scalar_word(wave, ref, half));
        call.in[row] = rows.in[row];
      } else if (ref.is_scalar) {
        spread(rows.in[row], scalar_word(wave, ref, word));
        call.in[row] = rows.in[row];
      } else {
        call.in[row] = input_row(wave, ref, word, half);
      }
    }
  }
}

inline void scratch_outputs(const Step* step, LaneCall& call, Rows& rows) {
  for (unsigned row = 0; row < step->output_rows; ++row) call.out[row] = rows.out[row];
}

inline void write_mask(Wave& wave, const OperandRef& ref, unsigned half, const u32* lanes, u32 active) {
  const u32 bits = pack_mask(lanes) & active;
  std::memcpy(wave.bases[0] + ref.offset + half * 4, &bits, 4);
}

/// All lanes are on: the kernel's outputs are the registers themselves, but for masks.
inline void output_rows_in_place(Wave& wave, const Step* step, unsigned half, LaneCall& call, Rows& rows) {
  unsigned row = 0;
  for (unsigned i = 0; i < step->output_count; ++i) {
    const OperandRef& ref = step->out[i];
    for (unsigned word = 0; word < ref.rows; ++word, ++row)
      call.out[row] = ref.is_mask ? rows.out[row] : output_row(wave, ref, word, half);
  }
}
inline void write_masks(Wave& wave, const Step* step, unsigned half, const LaneCall& call) {
  unsigned row = 0;
  for (unsigned i = 0; i < step->output_count; row += step->out[i++].rows) {
    const OperandRef& ref = step->out[i];
    if (ref.is_mask && !ref.is_discarded) write_mask(wave, ref, half, call.out[row], ~u32{0});
  }
}

/// Writes scratch rows to their places for the lanes of `active`.
inline void write_outputs(Wave& wave, const Step* step, unsigned half, u32 active, Rows& rows) {
  unsigned row = 0;
  for (unsigned i = 0; i < step->output_count; ++i) {
    const OperandRef& ref = step->out[i];
    if (ref.is_discarded) {
      row += ref.rows;
      continue;
    }
    if (ref.is_mask) {
      write_mask(wave, ref, half, rows.out[row++], active);
      continue;
    }
    if (ref.is_scalar) {  // a lane result in a scalar register: that of the lowest active lane
      std::memcpy(wave.bases[0] + ref.offset, &rows.out[row][active == 0 ? 0 : __builtin_ctz(active)], 4);
      row += ref.rows;
      continue;
    }
    for (unsigned word = 0; word < ref.rows; ++word, ++row) {
      u32* to = output_row(wave, ref, word, half);
      if (step->keeps_high_half) {
        for (unsigned lane = 0; lane < lanes_per_call; ++lane) rows.out[row][lane] |= to[lane] & 0xffff0000u;
      }
      blend(to, rows.out[row], active);
    }
  }
}

}  // namespace gfxisa::exec::GFXISA_LEVEL
