// Running waves: the loop over steps, and the handlers that stand between lane kernels and registers.
#pragma once
#include <immintrin.h>

#include <span>

#include "exec/program.h"
#include "exec/step.h"
#include "machine/wave.h"

namespace gfxisa::exec {

class Observer;

/// Why run_wave came back.
enum class WaveState : u8 { ended, waiting, running, faulted };

/// MXCSR of a thread that runs waves, which set it as they need it; at the end it is what it was.
class HostControl {
 public:
  HostControl() : current(_mm_getcsr()), before_(current) {}
  ~HostControl() { _mm_setcsr(before_); }
  HostControl(const HostControl&) = delete;
  HostControl& operator=(const HostControl&) = delete;
  u32 current;

 private:
  const u32 before_;
};

/// Runs from wave.next until the wave ends, waits at a barrier, faults, sleeps or has executed `slice` instructions
/// (running).
WaveState run_wave(Wave& wave, u64 slice, HostControl& control);
/// The same, and tells the observers of each instruction.
WaveState run_wave_observed(Wave& wave, u64 slice, HostControl& control, std::span<Observer* const> observers);

/// Before float operations: the host's MXCSR as the step's formats want it.
inline void want_control(Wave& wave, const Step* step) {
  if (step->float_mode == 0) return;
  const u32 wanted = step->float_mode == 1 ? wave.control.f32 : wave.control.f64;
  if (wanted == wave.current_control) return;
  _mm_setcsr(wanted);
  wave.current_control = wanted;
}

/// Steps that stand for no instruction: specials made before they are read, and the reasons to stop.
const Step* refresh_specials(Wave& wave, const Step* step);
/// The first of two instructions in the same words that do not touch each other: it and the next.
const Step* run_one_then_next(Wave& wave, const Step* step);
const Step* scale_offset(Wave& wave, const Step* step);
const Step* do_nothing(Wave& wave, const Step* step);
const Step* fault_bad_instruction(Wave& wave, const Step* step);
const Step* fault_not_executable(Wave& wave, const Step* step);
const Step* fault_end_of_code(Wave& wave, const Step* step);
/// Scalar bodies that may fault: call step->inner, then go on if nothing went wrong.
const Step* run_scalar_checked(Wave& wave, const Step* step);
/// Scalar bodies that obey MODE's float fields.
const Step* run_scalar_float(Wave& wave, const Step* step);

/// What MODE means for the host: MXCSR for f32 operations and for those of f16 and f64.
FloatControl float_control(u32 mode);

}  // namespace gfxisa::exec
