// What the waves of a workgroup share.
#pragma once
#include <array>
#include <cstring>
#include <memory>

#include "base/types.h"

namespace gfxisa::exec {

class GlobalSync;

/// A barrier: complete when all waves of the workgroup have arrived. `phase` counts completions, so that a wave that
/// waits knows whether the one it arrived for is done.
struct Barrier {
  u32 arrived = 0;
  u32 phase = 0;
};

/// One workgroup. Its waves are run by one thread, one after the other, so that nothing here needs a lock.
struct Workgroup {
  u8* lds = nullptr;
  u64 lds_bytes = 0;  ///< 64 bits wide, so that stores of words to registers cannot alias it in loops over lanes
  u32 wave_count = 0;
  u32 live_waves = 0;  ///< waves that have not ended
  Barrier barrier;     ///< the workgroup's own; named barriers are separate
  std::array<u32, 3> id{};
  GlobalSync* sync = nullptr;  ///< of all workgroups; nullptr where there is none

  /// Counts an arrival and completes the barrier when it was the last one of the live waves.
  void arrive() {
    ++barrier.arrived;
    complete_if_full();
  }
  /// A wave has ended: those that wait need not wait for it.
  void leave() {
    --live_waves;
    if (barrier.arrived != 0) complete_if_full();
  }

 private:
  void complete_if_full() {
    if (barrier.arrived < live_waves) return;
    barrier.arrived = 0;
    ++barrier.phase;
  }
};

}  // namespace gfxisa::exec
