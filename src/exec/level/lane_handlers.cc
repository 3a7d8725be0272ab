#include "exec/level/lane_handlers.h"

#include <algorithm>
#include <utility>

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

/// Rows of inputs of one word or mask each; scalars and masks are spread into `spread_rows`.
template <unsigned Inputs>
inline void input_rows(const Wave& wave, const Step* step, unsigned half, LaneCall& call, Row* spread_rows) {
  for (unsigned i = 0; i < Inputs; ++i) {
    const OperandRef& ref = step->in[i];
    if (ref.is_mask) {
      expand_mask(spread_rows[i], scalar_word(wave, ref, half));
      call.in[i] = spread_rows[i];
    } else if (ref.is_scalar) {
      spread(spread_rows[i], scalar_word(wave, ref, 0));
      call.in[i] = spread_rows[i];
    } else {
      call.in[i] = input_row(wave, ref, 0, half);
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

inline u32* flat_row(const Wave& wave, const Step* step, unsigned row, unsigned half) {
  const u32 behind = half * (step->paired_rows >> row & 1) * half_row_bytes;
  return reinterpret_cast<u32*>(wave.bases[step->constant_rows >> row & 1] + step->rows[row] + behind);
}

/// All operands are rows, the outputs those of registers; with effects the kernel finds its addresses formed and may
/// fault.
template <unsigned Inputs, unsigned Outputs, unsigned Halves, bool HasEffects>
const Step* run_flat(Wave& wave, const Step* step) {
  LaneCall call;
  begin_call(wave, step, call);
  const u64 exec = wave.exec();
  for (unsigned half = 0; half < Halves; ++half) {
    const u32 active = half_of(exec, half);
    if (active == 0) continue;
    call.active = active;
    call.first_lane = half * 32;
    for (unsigned i = 0; i < Inputs; ++i) call.in[i] = flat_row(wave, step, i, half);
    if (active == ~u32{0}) {
      for (unsigned o = 0; o < Outputs; ++o) call.out[o] = flat_row(wave, step, Inputs + o, half);
      step->kernel(call);
    } else {
      alignas(64) Row results[Outputs + 1];
      for (unsigned o = 0; o < Outputs; ++o) call.out[o] = results[o];
      step->kernel(call);
      for (unsigned o = 0; o < Outputs; ++o) blend(flat_row(wave, step, Inputs + o, half), results[o], active);
    }
  }
  return HasEffects && wave.fault ? nullptr : step + 1;
}

/// Additions with carry: a register row and one bit a lane out.
template <unsigned Inputs, unsigned Halves>
const Step* run_carry(Wave& wave, const Step* step) {
  LaneCall call;
  begin_call(wave, step, call);
  alignas(64) Row scalars[Inputs], result, carry;
  u32 bits[2];
  const u64 exec = wave.exec();
  call.out[1] = carry;
  for (unsigned half = 0; half < Halves; ++half) {
    const u32 active = half_of(exec, half);
    call.active = active;
    call.first_lane = half * 32;
    input_rows<Inputs>(wave, step, half, call, scalars);
    u32* const to = output_row(wave, step->out[0], 0, half);
    call.out[0] = active == ~u32{0} ? to : result;
    step->kernel(call);
    if (active != ~u32{0}) blend(to, result, active);
    bits[half] = pack_mask(carry) & active;
  }
  if (!step->out[1].is_discarded) std::memcpy(wave.bases[0] + step->out[1].offset, bits, Halves * 4);
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

/// A half of a wave's rows, for at most as many words as bodies with stages have.
struct StagedRows {
  static constexpr unsigned most = 8;
  alignas(64) Row rows[most][2];
};

/// All inputs of a copy of the step as rows of `to`, which stands for the program's constants meanwhile.
void stage_inputs(Wave& wave, const Step* step, Step& copy, StagedRows& to) {
  Rows rows;
  LaneCall call;
  begin_call(wave, step, call);
  call.active = ~u32{0};
  for (unsigned half = 0; half < wave.wave_size() / 32; ++half) {
    call.first_lane = half * 32;
    prepare_inputs(wave, step, half, call, rows);
    apply_reads(wave, step, half, call, rows);
    for (unsigned row = 0; row < step->input_rows; ++row) copy_row(to.rows[row][half], call.in[row]);
  }
  unsigned row = 0;
  for (unsigned i = 0; i < step->input_count; row += step->in[i++].rows) {
    copy.in[i] = OperandRef{.offset = row * static_cast<u32>(sizeof to.rows[0]), .space = 1, .rows = step->in[i].rows};
    copy.in[i].row_stride = sizeof to.rows[0];
    copy.in[i].half_stride = half_row_bytes;
  }
}

const Step* run_staged(Wave& wave, const Step* step) {
  if (step->input_rows > StagedRows::most || step->output_rows > StagedRows::most) {
    wave.fail(FaultKind::not_executable, 0, 0, 0);
    return nullptr;
  }
  StagedRows inputs, old;
  Step copy = *step;
  stage_inputs(wave, step, copy, inputs);
  const unsigned halves = wave.wave_size() / 32;
  for (unsigned half = 0; half < halves; ++half) {
    for (unsigned o = 0, row = 0; o < step->output_count; ++o) {
      for (unsigned word = 0; word < step->out[o].rows; ++word, ++row)
        copy_row(old.rows[row][half], output_row(wave, step->out[o], word, half));
    }
  }
  u8* const constants = std::exchange(wave.bases[1], reinterpret_cast<u8*>(&inputs));
  step->inner(wave, &copy);
  wave.bases[1] = constants;
  const u64 exec = wave.exec();
  for (unsigned half = 0; half < halves; ++half) {
    Rows rows;
    // Results go back as if they had not been written: stages and the halves of registers look at what was there.
    for (unsigned o = 0, row = 0; o < step->output_count; ++o) {
      for (unsigned word = 0; word < step->out[o].rows; ++word, ++row) {
        u32* const place = output_row(wave, step->out[o], word, half);
        copy_row(rows.out[row], place);
        copy_row(place, old.rows[row][half]);
      }
    }
    apply_writes(wave, step, half, rows);
    write_outputs(wave, step, half, half_of(exec, half), rows);
  }
  return wave.fault ? nullptr : step + 1;
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
  return step.input_count <= 3 && std::all_of(step.in.begin(), step.in.begin() + step.input_count,
                                              [](const OperandRef& in) { return in.rows == 1; });
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

bool is_carry(const Step& step) {
  return step.writes_in_place && step.output_count == 2 && step.out[0].rows == 1 && !step.out[0].is_mask &&
         step.out[1].is_mask && step.input_count >= 2 && has_words_in(step);
}

bool is_compare(const Step& step) {
  return step.output_count == 1 && step.out[0].is_mask && !step.out[0].is_discarded && has_words_in(step);
}

/// Whether all operands are rows of registers or constants, and not many.
bool is_flat(const Step& step) {
  const auto is_row = [](const OperandRef& ref) { return !ref.is_scalar && !ref.is_mask; };
  return step.modifiers == nullptr && step.writes_in_place && step.input_rows > 0 &&
         step.input_rows <= max_flat_inputs && step.output_rows <= max_flat_outputs &&
         std::all_of(step.in.begin(), step.in.begin() + step.input_count, is_row) &&
         std::all_of(step.out.begin(), step.out.begin() + step.output_count, is_row);
}

void flatten(Step& step) {
  unsigned row = 0;
  step.constant_rows = step.paired_rows = 0;
  const auto add = [&](const OperandRef& ref) {
    for (unsigned word = 0; word < ref.rows; ++word, ++row) {
      step.rows[row] = ref.offset + word * ref.row_stride;
      step.constant_rows |= static_cast<u8>(ref.space << row);
      step.paired_rows |= static_cast<u8>((ref.half_stride != 0 ? 1u : 0u) << row);
    }
  };
  for (unsigned i = 0; i < step.input_count; ++i) add(step.in[i]);
  for (unsigned o = 0; o < step.output_count; ++o) add(step.out[o]);
}

template <unsigned Halves, bool HasEffects, unsigned Outputs>
ScalarKernel choose_flat_inputs(const Step& step) {
  constexpr ScalarKernel handlers[] = {
      run_flat<1, Outputs, Halves, HasEffects>, run_flat<2, Outputs, Halves, HasEffects>,
      run_flat<3, Outputs, Halves, HasEffects>, run_flat<4, Outputs, Halves, HasEffects>,
      run_flat<5, Outputs, Halves, HasEffects>, run_flat<6, Outputs, Halves, HasEffects>};
  return handlers[step.input_rows - 1];
}

template <unsigned Halves, bool HasEffects>
ScalarKernel choose_flat_outputs(const Step& step) {
  return step.output_rows == 0   ? choose_flat_inputs<Halves, HasEffects, 0>(step)
         : step.output_rows == 1 ? choose_flat_inputs<Halves, HasEffects, 1>(step)
                                 : choose_flat_inputs<Halves, HasEffects, 2>(step);
}

ScalarKernel choose_flat(Step& step, unsigned wave_size) {
  flatten(step);
  if (wave_size == 64)
    return step.has_effects ? choose_flat_outputs<2, true>(step) : choose_flat_outputs<2, false>(step);
  return step.has_effects ? choose_flat_outputs<1, true>(step) : choose_flat_outputs<1, false>(step);
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
  if (is_carry(step)) return step.input_count == 2 ? run_carry<2, Halves> : run_carry<3, Halves>;
  if (is_compare(step)) {
    constexpr ScalarKernel compares[] = {run_compare<0, Halves>, run_compare<1, Halves>, run_compare<2, Halves>,
                                         run_compare<3, Halves>};
    return compares[step.input_count];
  }
  return run_pure<Halves>;
}

ScalarKernel choose(Step& step, unsigned wave_size) {
  if (is_flat(step)) return choose_flat(step, wave_size);
  return wave_size == 64 ? choose_for<2>(step) : choose_for<1>(step);
}

}  // namespace
}  // namespace GFXISA_LEVEL

#define GFXISA_JOIN_(a, b) a##b
#define GFXISA_JOIN(a, b) GFXISA_JOIN_(a, b)
extern const HandlerSet GFXISA_JOIN(handlers_, GFXISA_LEVEL) = {GFXISA_LEVEL::choose, GFXISA_LEVEL::run_pair,
                                                                GFXISA_LEVEL::run_staged, GFXISA_LEVEL::run_addressed};

}  // namespace gfxisa::exec
