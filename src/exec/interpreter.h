// Running waves: the loop over steps, and the handlers that stand between lane kernels and registers.
#pragma once
#include "exec/program.h"
#include "exec/step.h"
#include "machine/wave.h"

namespace gfxisa::exec {

/// Why run_wave came back.
enum class WaveState : u8 { ended, waiting, running, faulted };

/// Runs from wave.next until the wave ends, waits at a barrier, faults, or has executed `slice` instructions (running). MXCSR is
/// the wave's meanwhile and restored after.
WaveState run_wave(Wave& wave, u64 slice);

/// The `run` of a step whose kernel works on lanes; chosen at decoding.
ScalarKernel lane_handler(const Step& step, unsigned wave_size);

/// Two lane operations at once (VOPD, waves of 32): this step and the next; both read before either writes. Goes on after the
/// second. The step builder gives it as `run` to the first of codec's second_of().
const Step* run_pair(Wave& wave, const Step* step);

/// Steps that stand for no instruction: specials made before they are read, and the reasons to stop.
const Step* refresh_specials(Wave& wave, const Step* step);
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
