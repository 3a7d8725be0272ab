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

/// One stage over `count` rows from `from`, into `to`, which may be the same.
inline void apply_stage(Wave& wave, const Step* step, const StageUse& stage, unsigned half, const u32* const* from,
                        Row* to, unsigned count, const u32* old) {
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
    const bool is_old = i == stage.old_argument && old != nullptr;
    call.in[count + i] = is_old ? old : &stage.arguments[i];
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
    if (count > 4) continue;
    apply_stage(wave, step, stage, half, call.in + first, rows.in + first, count, nullptr);
    for (unsigned i = 0; i < count; ++i) call.in[first + i] = rows.in[first + i];
  }
}

inline void apply_writes(Wave& wave, const Step* step, unsigned half, Rows& rows) {
  for (const StageUse& stage : step->modifiers->writes) {
    if ((stage.off_in_modes & wave.mode) != 0) continue;
    const unsigned first = first_output_row(step, stage.operand);
    const OperandRef& ref = step->out[stage.operand];
    if (ref.rows > 4 || ref.is_mask) continue;
    const u32* from[4];
    for (unsigned i = 0; i < ref.rows; ++i) from[i] = rows.out[first + i];
    apply_stage(wave, step, stage, half, from, rows.out + first, ref.rows, output_row(wave, ref, 0, half));
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

inline u64 join_words(const u32* words) { return words[0] | u64{words[1]} << 32; }

inline void scale_row(u32* to, const u32* from, u32 scale) {
  for (unsigned lane = 0; lane < lanes_per_call; ++lane) to[lane] = from[lane] * scale;
}

/// The address rows of a memory instruction, by its encoding's address line.
inline void form_addresses(Wave& wave, const Step* step, unsigned half, LaneCall& call, Rows& rows) {
  const AddressUse& use = step->modifiers->address;
  alignas(64) static constexpr Row zero{};
  static constexpr u32 one = 1;
  alignas(64) Row scratch[2], scaled[2];
  LaneCall inner;
  inner.wave = &wave;
  inner.step = step;
  inner.active = call.active;
  inner.first_lane = half * 32;
  inner.in[0] = use.has_vaddr ? input_row(wave, use.vaddr, 0, half) : zero;
  inner.in[1] = use.has_vaddr && use.vaddr.rows > 1 ? input_row(wave, use.vaddr, 1, half) : zero;
  const u32* saddr =
      use.has_saddr ? reinterpret_cast<const u32*>(wave.bases[use.saddr.space] + use.saddr.offset) : zero;
  inner.in[4] = use.has_saddr ? &one : zero;
  if (use.scale != 1 || use.is_signed) {
    const bool is_from_base = use.has_saddr && !use.is_scratch;
    if (is_from_base) {  // the sum, as if it were all the vector part
      add_scaled(scaled, join_words(saddr), inner.in[0], use.scale);
      inner.in[1] = scaled[1];
      inner.in[4] = saddr = zero;
    } else {
      scale_row(scaled[0], inner.in[0], use.scale);
    }
    inner.in[0] = scaled[0];
  }
  inner.in[2] = saddr;
  inner.in[3] = saddr + (saddr == zero ? 0 : 1);
  inner.in[5] = &use.offset;
  if (use.is_scratch) scratch_rows(wave, half, scratch);
  inner.in[6] = use.is_scratch ? scratch[0] : zero;
  inner.in[7] = use.is_scratch ? scratch[1] : zero;
  for (unsigned word = 0; word < 4; ++word) {
    const bool is_there = use.base != 0xff && word < step->in[use.base].rows;
    inner.in[8 + word] = is_there ? call.in[first_input_row(step, use.base) + word] : zero;
  }
  inner.in[12] = use.soffset != 0xff ? call.in[first_input_row(step, use.soffset)] : zero;
  inner.in[13] = &use.idxen;
  inner.in[14] = &use.offen;
  inner.in[15] = &use.format;
  const unsigned first = first_input_row(step, use.operand);
  for (unsigned word = 0; word < 2; ++word) {
    inner.out[word] = rows.in[first + word];
    call.in[first + word] = rows.in[first + word];
  }
  use.kernel(inner);
}

}  // namespace gfxisa::exec::GFXISA_LEVEL
