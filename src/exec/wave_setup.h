// What every wave is given before its first instruction, whether a dispatch or a snippet runs it.
#pragma once
#include "machine/wave.h"

namespace gfxisa::exec {

/// The upper halves of these are what flat addresses of the data share and of scratch begin with.
struct Apertures {
  u64 shared = 0, scratch = 0;
};
Apertures flat_apertures();

/// Scratch is reached through flat addresses and scratch instructions only, and its place is not in user registers:
/// gfx940 and later CDNA, gfx11 and later.
bool has_architected_scratch(unsigned chip);

/// What of a chip waves need to know.
struct WaveTraits {
  explicit WaveTraits(unsigned chip);
  u32 m0_code;  ///< M0's register code
  bool has_architected_scratch, has_numbered_scratch;
};

/// Connects a wave whose registers are zero to its program, workgroup, memory and scratch; sets the apertures of flat
/// addresses and MODE. EXEC, the other registers and `next` are the caller's.
void connect_wave(Wave& wave, const Program& program, const WaveTraits& traits, Workgroup& workgroup,
                  const MemoryMap& memory, const Scratch& scratch, u32 mode);

}  // namespace gfxisa::exec
