// What stands between lane kernels and registers, compiled once a SIMD level like the kernels themselves.
#pragma once
#include "exec/kernel_abi.h"
#include "exec/step.h"

namespace gfxisa::exec {

struct HandlerSet {
  /// The `run` of a step whose kernel works on lanes, and what it wants to know of the step.
  ScalarKernel (*choose)(Step& step, unsigned wave_size);
  /// Two lane steps whose results are written after both have read: the halves of a dual instruction.
  ScalarKernel pair;
  /// Around a body of the whole wave, which is step->inner: its inputs are what read stages make of the operands, and
  /// its results go through write stages.
  ScalarKernel staged;
  /// Forms the addresses of all lanes and calls a body of the whole wave, which is step->inner.
  ScalarKernel addressed;
};
extern const HandlerSet handlers_baseline, handlers_avx2, handlers_avx512;

}  // namespace gfxisa::exec
