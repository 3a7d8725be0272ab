#include "exec/interpreter.h"

#include <immintrin.h>

#include <utility>

#include "exec/access.h"
#include "exec/program.h"

namespace gfxisa::exec {
namespace {

// ------------------------------------------------------------------------------------------- floating-point mode

constexpr u32 mxcsr_masked = 0x1f80;  // all exceptions masked
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

}  // namespace

const Step* refresh_specials(Wave& wave, const Step* step) {
  u32* file = wave.scalar_file();
  file[slot_scc] = wave.scc;
  file[slot_vccz] = wave.vcc() == 0;
  file[slot_execz] = wave.exec() == 0;
  return step[1].run(wave, step + 1);  // called from here, so that it is not counted as an instruction
}

const Step* run_one_then_next(Wave& wave, const Step* step) {
  step->alone(wave, step);
  return step[1].run(wave, step + 1);
}

const Step* scale_offset(Wave& wave, const Step* step) {
  wave.scalar_file()[slot_scaled] = read_scalar<u32>(wave, step, 0) * static_cast<u32>(step->immediates[0]);
  return step[1].run(wave, step + 1);
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
