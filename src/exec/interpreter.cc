#include "exec/interpreter.h"

#include <immintrin.h>

#include <utility>

#include "exec/access.h"
#include "exec/program.h"

namespace gfxisa::exec {
namespace {

using Row = u32[lanes_per_call];

// ------------------------------------------------------------------------------------------- floating-point mode

constexpr u32 mxcsr_masked = 0x1f80;            // all exceptions masked
constexpr u32 flush_to_zero = 1u << 15, denormals_are_zero = 1u << 6;

/// MODE's rounding: 0 nearest even, 1 up, 2 down, 3 zero. MXCSR's: 0 nearest even, 1 down, 2 up, 3 zero.
constexpr u32 rounding_bits(u32 mode_field) {
  constexpr u32 table[] = {0, 2, 1, 3};
  return table[mode_field & 3] << 13;
}

/// MODE's denormal field: bit 0 keeps denormal inputs, bit 1 keeps denormal results.
constexpr u32 denormal_bits(u32 mode_field) {
  return (mode_field & 1 ? 0 : denormals_are_zero) | (mode_field & 2 ? 0 : flush_to_zero);
}

inline void want_control(Wave& wave, const Step* step) {
  if (step->float_mode == 0) return;
  const u32 wanted = step->float_mode == 1 ? wave.control.f32 : wave.control.f64;
  if (wanted == wave.current_control) return;
  _mm_setcsr(wanted);
  wave.current_control = wanted;
}

// ------------------------------------------------------------------------------------------- rows

inline const u32* input_row(const Wave& wave, const OperandRef& ref, unsigned word, unsigned half) {
  return reinterpret_cast<const u32*>(wave.bases[ref.space] + ref.offset + word * ref.row_stride + half * ref.half_stride);
}

inline u32* output_row(Wave& wave, const OperandRef& ref, unsigned word, unsigned half) {
  return reinterpret_cast<u32*>(wave.bases[0] + ref.offset + word * ref.row_stride + half * ref.half_stride);
}

inline void spread(u32* row, u32 value) {
  for (unsigned lane = 0; lane < lanes_per_call; ++lane) row[lane] = value;
}

/// Bits to lanes of all ones or zero.
inline void expand_mask(u32* row, u32 bits) {
  for (unsigned lane = 0; lane < lanes_per_call; ++lane) row[lane] = 0u - (bits >> lane & 1);
}

/// Lanes to bits; bits of lanes that are off are 0.
inline u32 pack_mask(const u32* row) {
  u32 bits = 0;
  for (unsigned lane = 0; lane < lanes_per_call; ++lane) bits |= (row[lane] & 1) << lane;
  return bits;
}

inline void blend(u32* __restrict to, const u32* __restrict from, u32 active) {
  for (unsigned lane = 0; lane < lanes_per_call; ++lane) to[lane] = active >> lane & 1 ? from[lane] : to[lane];
}

/// Scratch rows of one call.
struct Rows {
  alignas(64) Row in[max_rows];
  alignas(64) Row out[max_rows];
};

u32 scalar_word(const Wave& wave, const OperandRef& ref, unsigned word) {
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
      const u32 bits = pack_mask(rows.out[row++]) & active;
      std::memcpy(wave.bases[0] + ref.offset + half * 4, &bits, 4);
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

// ------------------------------------------------------------------------------------------- handlers

/// Pure kernel, no modifiers.
template <unsigned Halves>
const Step* run_pure(Wave& wave, const Step* step) {
  want_control(wave, step);
  Rows rows;
  LaneCall call;
  call.wave = &wave;
  call.step = step;
  const u64 exec = wave.exec();
  for (unsigned half = 0; half < Halves; ++half) {
    const u32 active = static_cast<u32>(exec >> (half * 32));
    if (active == 0 && !step->out[0].is_mask) continue;
    call.active = active;
    call.first_lane = half * 32;
    prepare_inputs(wave, step, half, call, rows);
    if (active == ~u32{0} && step->writes_in_place) {
      unsigned row = 0;
      for (unsigned i = 0; i < step->output_count; ++i) {
        for (unsigned word = 0; word < step->out[i].rows; ++word) call.out[row++] = output_row(wave, step->out[i], word, half);
      }
      step->kernel(call);
    } else {
      scratch_outputs(step, call, rows);
      step->kernel(call);
      write_outputs(wave, step, half, active, rows);
    }
  }
  return step + 1;
}

/// The commonest shape: up to three rows of registers or constants in, one register row out, wave32.
template <unsigned Inputs>
const Step* run_rows(Wave& wave, const Step* step) {
  want_control(wave, step);
  LaneCall call;
  call.wave = &wave;
  call.step = step;
  call.first_lane = 0;
  for (unsigned i = 0; i < Inputs; ++i) call.in[i] = reinterpret_cast<const u32*>(wave.bases[step->in[i].space] + step->in[i].offset);
  u32* to = reinterpret_cast<u32*>(wave.bases[0] + step->out[0].offset);
  const u32 active = wave.scalar_file()[code_exec];
  call.active = active;
  if (active == ~u32{0}) {
    call.out[0] = to;
    step->kernel(call);
    return step + 1;
  }
  alignas(64) Row result;
  call.out[0] = result;
  step->kernel(call);
  blend(to, result, active);
  return step + 1;
}

// ------------------------------------------------------------------------------------------- modifiers and addresses

unsigned first_input_row(const Step* step, unsigned slot) {
  unsigned row = 0;
  for (unsigned i = 0; i < slot; ++i) row += step->in[i].rows;
  return row;
}

unsigned first_output_row(const Step* step, unsigned slot) {
  unsigned row = 0;
  for (unsigned i = 0; i < slot; ++i) row += step->out[i].rows;
  return row;
}

/// One stage over `count` rows from `from`, into `to`; rows of constants stand for its arguments.
void apply_stage(Wave& wave, const Step* step, const StageUse& stage, unsigned half, const u32* const* from, Row* to,
                 unsigned count, const u32* old) {
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

void copy_row(Row& to, const u32* from) { std::memcpy(to, from, sizeof(Row)); }

/// DPP: rows of input 0 are gathered from the lanes the table names. Lanes without a source get 0.
void move_lanes(const Wave& wave, const Step* step, unsigned half, LaneCall& call, Rows& rows) {
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
u32 writable_lanes(const Wave& wave, const Modifiers& m, unsigned half) {
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

void apply_reads(Wave& wave, const Step* step, unsigned half, LaneCall& call, Rows& rows) {
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

void apply_writes(Wave& wave, const Step* step, unsigned half, Rows& rows) {
  for (const StageUse& stage : step->modifiers->writes) {
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

/// The address rows of a memory instruction, by its encoding's address line.
void form_addresses(Wave& wave, const Step* step, unsigned half, LaneCall& call, Rows& rows) {
  const AddressUse& use = step->modifiers->address;
  alignas(64) Row zero = {}, saddr[2], has_saddr, offset, scratch[2];
  LaneCall inner;
  inner.wave = &wave;
  inner.step = step;
  inner.active = call.active;
  inner.first_lane = half * 32;
  inner.in[0] = use.has_vaddr ? input_row(wave, use.vaddr, 0, half) : zero;
  inner.in[1] = use.has_vaddr && use.vaddr.rows > 1 ? input_row(wave, use.vaddr, 1, half) : zero;
  for (unsigned word = 0; word < 2; ++word) {
    spread(saddr[word], use.has_saddr && word < use.saddr.rows ? scalar_word(wave, use.saddr, word) : 0);
    inner.in[2 + word] = saddr[word];
  }
  spread(has_saddr, use.has_saddr ? 1 : 0);
  spread(offset, static_cast<u32>(use.offset));
  for (unsigned lane = 0; lane < lanes_per_call; ++lane) {
    const u64 base = reinterpret_cast<u64>(wave.scratch.base) + u64{half * 32 + lane} * wave.scratch.lane_bytes;
    scratch[0][lane] = static_cast<u32>(base);
    scratch[1][lane] = static_cast<u32>(base >> 32);
  }
  inner.in[4] = has_saddr;
  inner.in[5] = offset;
  inner.in[6] = scratch[0];
  inner.in[7] = scratch[1];
  const unsigned first = first_input_row(step, use.operand);
  for (unsigned word = 0; word < 2; ++word) {
    inner.out[word] = rows.in[first + word];
    call.in[first + word] = rows.in[first + word];
  }
  use.kernel(inner);
}

/// Everything around a kernel: DPP, read stages, the kernel, write stages.
template <unsigned Halves>
const Step* run_modified(Wave& wave, const Step* step) {
  want_control(wave, step);
  const Modifiers& m = *step->modifiers;
  Rows rows;
  LaneCall call;
  call.wave = &wave;
  call.step = step;
  const u64 exec = wave.exec();
  for (unsigned half = 0; half < Halves; ++half) {
    call.active = static_cast<u32>(exec >> (half * 32)) & writable_lanes(wave, m, half);
    if (call.active == 0 && !step->out[0].is_mask) continue;
    call.first_lane = half * 32;
    prepare_inputs(wave, step, half, call, rows);
    apply_reads(wave, step, half, call, rows);
    scratch_outputs(step, call, rows);
    step->kernel(call);
    apply_writes(wave, step, half, rows);
    write_outputs(wave, step, half, call.active, rows);
  }
  return step + 1;
}

/// A kernel with effects touches active lanes only.
template <unsigned Halves>
const Step* run_effects(Wave& wave, const Step* step) {
  want_control(wave, step);
  Rows rows;
  LaneCall call;
  call.wave = &wave;
  call.step = step;
  const u64 exec = wave.exec();
  for (unsigned half = 0; half < Halves; ++half) {
    const u32 active = static_cast<u32>(exec >> (half * 32));
    if (active == 0) continue;
    call.active = active;
    call.first_lane = half * 32;
    prepare_inputs(wave, step, half, call, rows);
    if (step->modifiers != nullptr && step->modifiers->address.kernel != nullptr) form_addresses(wave, step, half, call, rows);
    scratch_outputs(step, call, rows);
    step->kernel(call);
    write_outputs(wave, step, half, active, rows);
  }
  return wave.fault ? nullptr : step + 1;
}

/// The result rows of a step over the lanes of a wave of 32, without writing them.
void compute_rows(Wave& wave, const Step* step, u32 active, Rows& rows) {
  want_control(wave, step);
  LaneCall call;
  call.wave = &wave;
  call.step = step;
  call.active = active;
  call.first_lane = 0;
  prepare_inputs(wave, step, 0, call, rows);
  if (step->modifiers != nullptr) apply_reads(wave, step, 0, call, rows);
  scratch_outputs(step, call, rows);
  step->kernel(call);
  if (step->modifiers != nullptr) apply_writes(wave, step, 0, rows);
}

bool is_simple_row_step(const Step& step) {
  if (step.output_count != 1 || step.out[0].rows != 1 || step.out[0].is_mask || step.out[0].is_scalar) return false;
  if (!step.writes_in_place || step.input_count > 3) return false;
  for (unsigned i = 0; i < step.input_count; ++i) {
    if (step.in[i].rows != 1 || step.in[i].is_scalar || step.in[i].is_mask) return false;
  }
  return true;
}

}  // namespace

ScalarKernel lane_handler(const Step& step, unsigned wave_size) {
  const bool wide = wave_size == 64;
  if (step.has_effects) return wide ? run_effects<2> : run_effects<1>;
  if (step.modifiers != nullptr) return wide ? run_modified<2> : run_modified<1>;
  if (!wide && is_simple_row_step(step)) {
    constexpr ScalarKernel handlers[] = {run_rows<0>, run_rows<1>, run_rows<2>, run_rows<3>};
    return handlers[step.input_count];
  }
  return wide ? run_pure<2> : run_pure<1>;
}

const Step* run_pair(Wave& wave, const Step* step) {
  const u32 active = wave.scalar_file()[code_exec];
  if (active == 0) return step + 2;
  Rows first, second;
  compute_rows(wave, step, active, first);
  compute_rows(wave, step + 1, active, second);
  write_outputs(wave, step, 0, active, first);
  write_outputs(wave, step + 1, 0, active, second);
  return step + 2;
}

const Step* refresh_specials(Wave& wave, const Step* step) {
  u32* file = wave.scalar_file();
  file[slot_scc] = wave.scc;
  file[slot_vccz] = wave.vcc() == 0;
  file[slot_execz] = wave.exec() == 0;
  return step[1].run(wave, step + 1);  // called from here, so that it is not counted as an instruction
}

const Step* run_scalar_checked(Wave& wave, const Step* step) {
  want_control(wave, step);
  const Step* next = step->inner(wave, step);
  return wave.fault ? nullptr : next;
}

const Step* run_scalar_float(Wave& wave, const Step* step) {
  want_control(wave, step);
  return step->inner(wave, step);
}

const Step* fault_bad_instruction(Wave& wave, const Step*) {
  wave.fail(FaultKind::bad_instruction, 0, 0, 0);
  return nullptr;
}

const Step* fault_not_executable(Wave& wave, const Step*) {
  wave.fail(FaultKind::not_executable, 0, 0, 0);
  return nullptr;
}

const Step* fault_end_of_code(Wave& wave, const Step*) {
  wave.fail(FaultKind::end_of_code, 0, 0, 0);
  return nullptr;
}

FloatControl float_control(u32 mode) {
  return {mxcsr_masked | rounding_bits(mode) | denormal_bits(mode >> 4),
          mxcsr_masked | rounding_bits(mode >> 2) | denormal_bits(mode >> 6)};
}

WaveState run_wave(Wave& wave, u64 slice) {
  const u32 host_control = _mm_getcsr();
  wave.current_control = host_control;
  if (std::exchange(wave.is_waiting, false)) wave.barrier_phase = wave.workgroup->barrier.phase;
  const Step* step = wave.next;
  const Step* last = step;
  u64 left = slice;
  while (step != nullptr && left != 0) {
    --left;
    last = step;
    step = step->run(wave, step);
  }
  _mm_setcsr(host_control);
  wave.executed += slice - left;
  if (wave.fault) {
    wave.next = nullptr;
    wave.fault.code_address = wave.code_base + last->code_offset;
    return WaveState::faulted;
  }
  if (step != nullptr) {
    wave.next = step;
    return WaveState::running;
  }
  return wave.has_ended ? WaveState::ended : WaveState::waiting;
}

}  // namespace gfxisa::exec
