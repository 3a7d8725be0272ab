// What generated kernels and the engine agree on.
//
// A body becomes one function. The engine decodes an instruction once into a Step; running a wave is calling
// step->run(wave, step), which returns the next step, or nullptr when the wave stops (end, barrier, fault).
//
//   exec        ScalarKernel   is itself the Step's `run`: reads sources, writes destinations, returns the next step.
//   exec lane   LaneKernel     computes 32 lanes; a wave64 calls it twice. It may write all 32 lanes of its outputs,
//                              and the engine chooses where they point (the register row itself when all lanes are on,
//                              else a scratch row that is blended). Effects are those of lanes in `active` only.
//   exec wave   ScalarKernel   like scalar, and reaches lanes through the wave.
//
// Numbering: inputs, outputs and immediates are numbered in slot order, each on its own; an inout slot is both. Named
// slots (scc exec vcc pc m0 mode clamp) are not numbered: kernels reach them through the wave and the step.
#pragma once
#include "base/types.h"

namespace gfxisa::exec {

class Wave;   // src/machine/wave.h
struct Step;  // src/exec/step.h

using ScalarKernel = const Step* (*)(Wave&, const Step*);

inline constexpr unsigned lanes_per_call = 32;
inline constexpr unsigned max_rows = 48;

/// Arguments of one call of a lane kernel. A row is 32 lanes of u32, 64-byte aligned. A slot of n bits has ceil(n / 32)
/// rows, low word first; 8- and 16-bit values sit in the low bits of their word, the bits above are undefined on input
/// and zero on output. A mask slot has one row: input, all ones or zero a lane; output likewise (the engine packs
/// bits). Row numbers count rows, not slots.
struct LaneCall {
  u32* out[max_rows];
  const u32* in[max_rows];
  u32 active;      ///< EXEC of these 32 lanes
  u32 first_lane;  ///< 0 or 32
  Wave* wave;
  const Step* step;
};
using LaneKernel = void (*)(const LaneCall&);

/// The compiled form of one SemanticsRow, same index. Exactly one of the two is set, or neither when the body cannot
/// run.
struct Kernel {
  ScalarKernel scalar;
  LaneKernel lane;
};

/// All kernels for one SIMD level of the host; each level is the same generated text compiled with other flags.
struct KernelSet {
  const char* name;  ///< "baseline", "avx2", "avx512"
  const Kernel* kernels;
  const LaneKernel* stages;     ///< numbered as StageRow::kernel; rows: the operand, then one row an argument (u32)
  const LaneKernel* addresses;  ///< numbered as EncodingRow::address_kernel; rows as model::StageBody says
};
extern const KernelSet kernels_baseline, kernels_avx2, kernels_avx512;

}  // namespace gfxisa::exec
