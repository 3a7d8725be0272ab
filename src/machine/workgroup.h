// What the waves of a workgroup share.
#pragma once
#include <array>
#include <cstring>
#include <memory>

#include "base/types.h"

namespace gfxisa::exec {

class GlobalSync;

/// A barrier: complete when as many waves as it waits for have arrived. `phase` counts completions, so that a wave that
/// waits knows whether the one it arrived for is done.
struct Barrier {
  u32 arrived = 0;
  u32 members = 0;
  u32 phase = 0;

  void arrive() {
    ++arrived;
    complete_if_full();
  }
  void set_members(u32 count) {
    members = count;
    if (arrived != 0) complete_if_full();
  }

 private:
  void complete_if_full() {
    if (arrived < members) return;
    arrived = 0;
    ++phase;
  }
};

inline constexpr u32 most_named_barriers = 16;

/// One workgroup. Its waves are run by one thread, one after the other, so that nothing here needs a lock.
struct Workgroup {
  u8* lds = nullptr;
  u64 lds_bytes = 0;  ///< 64 bits wide, so that stores of words to registers cannot alias it in loops over lanes
  bool faults_outside_lds = false;  ///< accesses beyond it stop the wave; else they read 0 and write nothing
  u32 wave_count = 0;
  u32 live_waves = 0;                        ///< waves that have not ended
  u32 named_barriers = most_named_barriers;  ///< how many of them this workgroup has
  Barrier barrier;                           ///< the workgroup's own
  std::array<Barrier, most_named_barriers> named{};
  std::array<u32, 3> id{};
  GlobalSync* sync = nullptr;  ///< of all workgroups; nullptr where there is none

  /// What waves have left in it from the workgroup before.
  void reset() {
    barrier = {};
    named.fill({});
  }

  /// Counts an arrival and completes the barrier when it was the last one of the live waves.
  void arrive() {
    barrier.members = live_waves;
    barrier.arrive();
  }
  /// A wave has ended: those that wait need not wait for it.
  void leave() { barrier.set_members(--live_waves); }
  /// Number 1 and up; nullptr for a barrier that this workgroup does not have.
  Barrier* named_barrier(i32 number) {
    return number < 1 || static_cast<u32>(number) > named_barriers ? nullptr : &named[static_cast<u32>(number) - 1];
  }
};

}  // namespace gfxisa::exec
