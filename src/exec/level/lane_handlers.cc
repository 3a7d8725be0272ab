#include "exec/level/lane_handlers.h"

#include "exec/interpreter.h"
#include "exec/level/modifiers.h"

namespace gfxisa::exec {
namespace GFXISA_LEVEL {
namespace {

/// A call without rows yet.
inline void begin_call(Wave& wave, const Step* step, LaneCall& call) {
  want_control(wave, step);
  call.wave = &wave;
  call.step = step;
}

inline u32 half_of(u64 mask, unsigned half) { return static_cast<u32>(mask >> (half * 32)); }

// ------------------------------------------------------------------------------------------- pure kernels without
// modifiers

/// Rows of inputs of one word each; scalars are spread into `spread_rows`.
template <unsigned Inputs>
inline void input_rows(const Wave& wave, const Step* step, unsigned half, LaneCall& call, Row* spread_rows) {
  for (unsigned i = 0; i < Inputs; ++i) {
    const OperandRef& ref = step->in[i];
    const u8* place = wave.bases[ref.space] + ref.offset;
    if (ref.is_scalar) {
      u32 value;
      std::memcpy(&value, place, 4);
      spread(spread_rows[i], value);
      call.in[i] = spread_rows[i];
    } else {
      call.in[i] = reinterpret_cast<const u32*>(place + half * ref.half_stride);
    }
  }
}

/// The commonest shape: up to three words in, one register row out.
template <unsigned Inputs, unsigned Halves>
const Step* run_rows(Wave& wave, const Step* step) {
  LaneCall call;
  begin_call(wave, step, call);
  alignas(64) Row scalars[Inputs + 1], result;
  const u64 exec = wave.exec();
  for (unsigned half = 0; half < Halves; ++half) {
    const u32 active = half_of(exec, half);
    call.active = active;
    call.first_lane = half * 32;
    input_rows<Inputs>(wave, step, half, call, scalars);
    u32* to = reinterpret_cast<u32*>(wave.bases[0] + step->out[0].offset + half * step->out[0].half_stride);
    if (active == ~u32{0}) {
      call.out[0] = to;
      step->kernel(call);
    } else if (active != 0) {
      call.out[0] = result;
      step->kernel(call);
      blend(to, result, active);
    }
  }
  return step + 1;
}

/// Compares: up to three words in, one bit a lane out.
template <unsigned Inputs, unsigned Halves>
const Step* run_compare(Wave& wave, const Step* step) {
  LaneCall call;
  begin_call(wave, step, call);
  alignas(64) Row scalars[Inputs + 1], result;
  u32 bits[2];
  const u64 exec = wave.exec();
  for (unsigned half = 0; half < Halves; ++half) {
    call.active = half_of(exec, half);
    call.first_lane = half * 32;
    input_rows<Inputs>(wave, step, half, call, scalars);
    call.out[0] = result;
    step->kernel(call);
    bits[half] = pack_mask(result) & call.active;
  }
  std::memcpy(wave.bases[0] + step->out[0].offset, bits, Halves * 4);
  return step + 1;
}

/// Calls the kernel for the lanes of `call`, whose inputs are there, and brings its results to their places.
inline void run_half(Wave& wave, const Step* step, unsigned half, LaneCall& call, Rows& rows) {
  if (call.active == ~u32{0} && step->writes_in_place) {
    output_rows_in_place(wave, step, half, call, rows);
    step->kernel(call);
    if (step->has_mask_output) write_masks(wave, step, half, call);
  } else {
    scratch_outputs(step, call, rows);
    step->kernel(call);
    write_outputs(wave, step, half, call.active, rows);
  }
}

/// Any pure kernel.
template <unsigned Halves>
const Step* run_pure(Wave& wave, const Step* step) {
  Rows rows;
  LaneCall call;
  begin_call(wave, step, call);
  const u64 exec = wave.exec();
  for (unsigned half = 0; half < Halves; ++half) {
    const u32 active = half_of(exec, half);
    if (active == 0 && !step->has_mask_output) continue;
    call.active = active;
    call.first_lane = half * 32;
    prepare_inputs(wave, step, half, call, rows);
    run_half(wave, step, half, call, rows);
  }
  return step + 1;
}

// ------------------------------------------------------------------------------------------- the others

/// Everything around a kernel: DPP, read stages, the kernel, write stages.
template <unsigned Halves>
const Step* run_modified(Wave& wave, const Step* step) {
  const Modifiers& m = *step->modifiers;
  Rows rows;
  LaneCall call;
  begin_call(wave, step, call);
  const u64 exec = wave.exec();
  for (unsigned half = 0; half < Halves; ++half) {
    call.active = static_cast<u32>(exec >> (half * 32)) & writable_lanes(wave, m, half);
    if (call.active == 0 && !step->has_mask_output) continue;
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

/// As run_pure, and the kernel finds its addresses formed and may fault.
template <unsigned Halves>
const Step* run_effects(Wave& wave, const Step* step) {
  Rows rows;
  LaneCall call;
  begin_call(wave, step, call);
  const u64 exec = wave.exec();
  for (unsigned half = 0; half < Halves; ++half) {
    const u32 active = half_of(exec, half);
    if (active == 0) continue;
    call.active = active;
    call.first_lane = half * 32;
    prepare_inputs(wave, step, half, call, rows);
    if (step->modifiers != nullptr && step->modifiers->address.kernel != nullptr)
      form_addresses(wave, step, half, call, rows);
    run_half(wave, step, half, call, rows);
  }
  return wave.fault ? nullptr : step + 1;
}

const Step* run_addressed(Wave& wave, const Step* step) {
  Rows rows;
  LaneCall call;
  begin_call(wave, step, call);
  call.active = ~u32{0};
  const unsigned first = first_input_row(step, step->modifiers->address.operand);
  for (unsigned half = 0; half < wave.wave_size() / 32; ++half) {
    call.first_lane = half * 32;
    form_addresses(wave, step, half, call, rows);
    for (unsigned word = 0; word < 2; ++word)
      copy_row(wave.scalar_file() + slot_addresses + word * 64 + half * 32, call.in[first + word]);
  }
  const Step* next = step->inner(wave, step);
  return wave.fault ? nullptr : next;
}

/// The result rows of a step over 32 lanes, without writing them.
void compute_rows(Wave& wave, const Step* step, unsigned half, u32 active, Rows& rows) {
  LaneCall call;
  begin_call(wave, step, call);
  call.active = active;
  call.first_lane = half * 32;
  prepare_inputs(wave, step, half, call, rows);
  if (step->modifiers != nullptr) apply_reads(wave, step, half, call, rows);
  scratch_outputs(step, call, rows);
  step->kernel(call);
  if (step->modifiers != nullptr) apply_writes(wave, step, half, rows);
}

/// A wave of 64 whose mask result lies where a scalar source does, or whose lanes read those of the other half: both
/// halves read before either writes.
const Step* run_overlapping(Wave& wave, const Step* step) {
  const u64 exec = wave.exec();
  Rows rows[2];
  u32 active[2];
  for (unsigned half = 0; half < 2; ++half) {
    active[half] = half_of(exec, half);
    if (step->modifiers != nullptr) active[half] &= writable_lanes(wave, *step->modifiers, half);
    compute_rows(wave, step, half, active[half], rows[half]);
  }
  for (unsigned half = 0; half < 2; ++half) write_outputs(wave, step, half, active[half], rows[half]);
  return step + 1;
}

const Step* run_pair(Wave& wave, const Step* step) {
  const u32 active = wave.scalar_file()[code_exec];
  Rows first, second;
  compute_rows(wave, step, 0, active, first);
  compute_rows(wave, step + 1, 0, active, second);
  write_outputs(wave, step, 0, active, first);
  write_outputs(wave, step + 1, 0, active, second);
  return step + 2;
}

// ------------------------------------------------------------------------------------------- choice

bool has_words_in(const Step& step) {
  if (step.input_count > 3) return false;
  for (unsigned i = 0; i < step.input_count; ++i) {
    if (step.in[i].rows != 1 || step.in[i].is_mask) return false;
  }
  return true;
}

bool is_row_step(const Step& step) {
  return step.writes_in_place && step.output_count == 1 && step.out[0].rows == 1 && !step.out[0].is_mask &&
         has_words_in(step);
}

/// Whether a mask result lies in scalar registers that are a source as well.
bool mask_overlaps_source(const Step& step) {
  for (unsigned o = 0; o < step.output_count; ++o) {
    const OperandRef& out = step.out[o];
    if (!out.is_mask || out.is_discarded) continue;
    for (unsigned i = 0; i < step.input_count; ++i) {
      const OperandRef& in = step.in[i];
      const u32 bytes = in.is_mask ? 8 : in.rows * 4u;
      if (in.space == 0 && (in.is_scalar || in.is_mask) && in.offset < out.offset + 8 && out.offset < in.offset + bytes)
        return true;
    }
  }
  return false;
}

bool is_compare(const Step& step) {
  return step.output_count == 1 && step.out[0].is_mask && !step.out[0].is_discarded && has_words_in(step);
}

template <unsigned Halves>
ScalarKernel choose_for(const Step& step) {
  if (step.has_effects) return run_effects<Halves>;
  const bool moves_lanes = step.modifiers != nullptr && step.modifiers->moves_lanes;
  if (Halves == 2 && (moves_lanes || mask_overlaps_source(step))) return run_overlapping;
  if (step.modifiers != nullptr) return run_modified<Halves>;
  if (is_row_step(step)) {
    constexpr ScalarKernel rows[] = {run_rows<0, Halves>, run_rows<1, Halves>, run_rows<2, Halves>,
                                     run_rows<3, Halves>};
    return rows[step.input_count];
  }
  if (is_compare(step)) {
    constexpr ScalarKernel compares[] = {run_compare<0, Halves>, run_compare<1, Halves>, run_compare<2, Halves>,
                                         run_compare<3, Halves>};
    return compares[step.input_count];
  }
  return run_pure<Halves>;
}

ScalarKernel choose(const Step& step, unsigned wave_size) {
  return wave_size == 64 ? choose_for<2>(step) : choose_for<1>(step);
}

}  // namespace
}  // namespace GFXISA_LEVEL

#define GFXISA_JOIN_(a, b) a##b
#define GFXISA_JOIN(a, b) GFXISA_JOIN_(a, b)
extern const HandlerSet GFXISA_JOIN(handlers_, GFXISA_LEVEL) = {GFXISA_LEVEL::choose, GFXISA_LEVEL::run_pair,
                                                                GFXISA_LEVEL::run_addressed};

}  // namespace gfxisa::exec
