// What modifiers and suffixes do around a kernel: stages, DPP, addresses. Part of a SIMD level: everything is in its
// namespace.
#pragma once
#include "exec/level/operands.h"
#include "exec/program.h"

namespace gfxisa::exec::GFXISA_LEVEL {

inline unsigned first_input_row(const Step* step, unsigned slot) {
  unsigned row = 0;
  for (unsigned i = 0; i < slot; ++i) row += step->in[i].rows;
  return row;
}

inline unsigned first_output_row(const Step* step, unsigned slot) {
  unsigned row = 0;
  for (unsigned i = 0; i < slot; ++i) row += step->out[i].rows;
  return row;
}

/// One stage over `count` rows from `from`, into `to`; rows of constants stand for its arguments.
inline void apply_stage(Wave& wave, const Step* step, const StageUse& stage, unsigned half, const u32* const* from,
                        Row* to, unsigned count, const u32* old) {
  alignas(64) Row arguments[4];
  LaneCall call;
  call.wave = &wave;
  call.step = step;
  call.active = ~u32{0};
  call.first_lane = half * 32;
  for (unsigned i = 0; i < count; ++i) {
    call.in[i] = from[i];
    call.out[i] = to[i];
  }
  for (unsigned i = 0; i < stage.argument_count; ++i) {
    if (i == stage.old_argument && old != nullptr) {
      call.in[count + i] = old;
      continue;
    }
    spread(arguments[i], stage.arguments[i]);
    call.in[count + i] = arguments[i];
  }
  stage.kernel(call);
}

/// DPP: rows of input 0 are gathered from the lanes the table names. Lanes without a source get 0.
inline void move_lanes(const Wave& wave, const Step* step, unsigned half, LaneCall& call, Rows& rows) {
  const Modifiers& m = *step->modifiers;
  const OperandRef& ref = step->in[0];
  const u64 exec = wave.exec();
  for (unsigned word = 0; word < ref.rows; ++word) {
    alignas(64) Row gathered;
    for (unsigned lane = 0; lane < lanes_per_call; ++lane) {
      const unsigned from = m.source_lane[half * 32 + lane];
      const bool exists = from < wave.wave_size() && (m.fetch_inactive || (exec >> from & 1) != 0);
      gathered[lane] = exists ? input_row(wave, ref, word, from / 32)[from % 32] : 0;
    }
    copy_row(rows.in[word], gathered);
    call.in[word] = rows.in[word];
  }
}

/// Lanes of this half that may write: with DPP the masks, and without bound_ctrl only lanes whose source exists.
inline u32 writable_lanes(const Wave& wave, const Modifiers& m, unsigned half) {
  u32 lanes = static_cast<u32>(m.enabled_lanes >> (half * 32));
  if (!m.moves_lanes || m.bound_control) return lanes;
  const u64 exec = wave.exec();
  for (unsigned lane = 0; lane < lanes_per_call; ++lane) {
    const unsigned from = m.source_lane[half * 32 + lane];
    const bool exists = from < wave.wave_size() && (m.fetch_inactive || (exec >> from & 1) != 0);
    if (!exists) lanes &= ~(u32{1} << lane);
  }
  return lanes;
}

inline void apply_reads(Wave& wave, const Step* step, unsigned half, LaneCall& call, Rows& rows) {
  const Modifiers& m = *step->modifiers;
  if (m.moves_lanes) move_lanes(wave, step, half, call, rows);
  for (const StageUse& stage : m.reads) {
    const unsigned first = first_input_row(step, stage.operand);
    const unsigned count = step->in[stage.operand].rows;
    alignas(64) Row result[4];
    if (count > 4) continue;
    apply_stage(wave, step, stage, half, call.in + first, result, count, nullptr);
    for (unsigned i = 0; i < count; ++i) {
      copy_row(rows.in[first + i], result[i]);
      call.in[first + i] = rows.in[first + i];
    }
  }
}

inline void apply_writes(Wave& wave, const Step* step, unsigned half, Rows& rows) {
  for (const StageUse& stage : step->modifiers->writes) {
    if ((stage.off_in_modes & wave.mode) != 0) continue;
    const unsigned first = first_output_row(step, stage.operand);
    const OperandRef& ref = step->out[stage.operand];
    if (ref.rows > 4 || ref.is_mask) continue;
    alignas(64) Row result[4];
    const u32* from[4];
    for (unsigned i = 0; i < ref.rows; ++i) from[i] = rows.out[first + i];
    apply_stage(wave, step, stage, half, from, result, ref.rows, output_row(wave, ref, 0, half));
    for (unsigned i = 0; i < ref.rows; ++i) copy_row(rows.out[first + i], result[i]);
  }
}

/// Where each lane's scratch begins; for interleaved scratch a flat address, from which the lane's words are found.
inline void scratch_rows(const Wave& wave, unsigned half, Row* rows) {
  if (wave.scratch.is_interleaved) {
    spread(rows[0], static_cast<u32>(wave.private_aperture));
    spread(rows[1], static_cast<u32>(wave.private_aperture >> 32));
    return;
  }
  for (unsigned lane = 0; lane < lanes_per_call; ++lane) {
    const u64 base = reinterpret_cast<u64>(wave.scratch.base) + u64{half * 32 + lane} * wave.scratch.lane_bytes;
    rows[0][lane] = static_cast<u32>(base);
    rows[1][lane] = static_cast<u32>(base >> 32);
  }
}

/// Base plus scaled signed offset of each lane.
inline void add_scaled(Row* to, u64 base, const u32* offsets, u32 scale) {
  for (unsigned lane = 0; lane < lanes_per_call; ++lane) {
    const u64 sum = base + static_cast<u64>(static_cast<i64>(static_cast<i32>(offsets[lane])) * scale);
    to[0][lane] = static_cast<u32>(sum);
    to[1][lane] = static_cast<u32>(sum >> 32);
  }
}

inline void scale_row(u32* to, const u32* from, u32 scale) {
  for (unsigned lane = 0; lane < lanes_per_call; ++lane) to[lane] = from[lane] * scale;
}

/// The vector part scaled, for encodings that can: into `rows`, which take the place of the base's or of the vector
/// part's.
inline void scale_addresses(const Wave& wave, const AddressUse& use, LaneCall& inner, const u32* zero, Row* rows) {
  if (!use.has_saddr || use.is_scratch) {
    scale_row(rows[0], inner.in[0], use.scale);
    inner.in[0] = rows[0];
    return;
  }
  const u64 base = scalar_word(wave, use.saddr, 0) | u64{scalar_word(wave, use.saddr, 1)} << 32;
  add_scaled(rows, base, inner.in[0], use.scale);
  inner.in[0] = inner.in[1] = zero;
  inner.in[2] = rows[0];
  inner.in[3] = rows[1];
}

/// The address rows of a memory instruction, by its encoding's address line.
inline void form_addresses(Wave& wave, const Step* step, unsigned half, LaneCall& call, Rows& rows) {
  const AddressUse& use = step->modifiers->address;
  if (use.is_vaddr) {
    for (unsigned word = 0; word < 2; ++word)
      call.in[first_input_row(step, use.operand) + word] = input_row(wave, use.vaddr, word, half);
    return;
  }
  alignas(64) Row saddr[2], scratch[2], scaled[2];
  LaneCall inner;
  inner.wave = &wave;
  inner.step = step;
  inner.active = call.active;
  inner.first_lane = half * 32;
  const u32* zero = input_row(wave, use.zero, 0, 0);
  inner.in[0] = use.has_vaddr ? input_row(wave, use.vaddr, 0, half) : zero;
  inner.in[1] = use.has_vaddr && use.vaddr.rows > 1 ? input_row(wave, use.vaddr, 1, half) : zero;
  for (unsigned word = 0; word < 2; ++word) {
    if (use.has_saddr) spread(saddr[word], scalar_word(wave, use.saddr, word));
    inner.in[2 + word] = use.has_saddr ? saddr[word] : zero;
  }
  if (use.scale != 1 || use.is_signed) scale_addresses(wave, use, inner, zero, scaled);
  inner.in[4] = input_row(wave, use.saddr_flag, 0, 0);
  inner.in[5] = input_row(wave, use.offset, 0, 0);
  if (use.is_scratch) scratch_rows(wave, half, scratch);
  inner.in[6] = use.is_scratch ? scratch[0] : zero;
  inner.in[7] = use.is_scratch ? scratch[1] : zero;
  for (unsigned word = 0; word < 4; ++word) {
    const bool is_there = use.base != 0xff && word < step->in[use.base].rows;
    inner.in[8 + word] = is_there ? call.in[first_input_row(step, use.base) + word] : zero;
  }
  inner.in[12] = use.soffset != 0xff ? call.in[first_input_row(step, use.soffset)] : zero;
  inner.in[13] = input_row(wave, use.idxen, 0, 0);
  inner.in[14] = input_row(wave, use.offen, 0, 0);
  inner.in[15] = input_row(wave, use.format, 0, 0);
  const unsigned first = first_input_row(step, use.operand);
  for (unsigned word = 0; word < 2; ++word) {
    inner.out[word] = rows.in[first + word];
    call.in[first + word] = rows.in[first + word];
  }
  use.kernel(inner);
}

}  // namespace gfxisa::exec::GFXISA_LEVEL
