// Global wave sync: 64 counters that waves of all workgroups share, each a semaphore or a barrier.
//
// What they hold outlives a dispatch: one kernel may set them up for the next.
#pragma once
#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "machine/wave.h"

namespace gfxisa::exec {

class GlobalSync {
 public:
  static constexpr u32 resources = 64;  ///< numbers wrap around at it

  void init(u32 id, u32 count);
  void add(u32 id, u32 count);
  /// Raises the count by the number of waves that wait for it.
  void free(u32 id);
  /// Lowers a count above 0. False when it is 0: `wave` then waits, and takes again when it is woken.
  bool take(u32 id, Wave& wave);
  /// `wave` has come to a barrier, which counts from `next` once it is complete. False when `wave` has to wait.
  bool arrive(u32 id, u32 next, Wave& wave);

  /// Whether what `wave` waits for has not happened yet.
  bool blocks(const Wave& wave);

  /// Goes up whenever something happens that may wake a wave.
  u64 changes() const { return changes_.load(std::memory_order_acquire); }
  /// Guards everything; `changed` tells of changes.
  std::mutex lock;
  std::condition_variable changed;

 private:
  struct Resource {
    u32 count = 0;
    u32 phase = 0;  ///< barriers that are complete
    u32 waiting = 0;
  };
  Resource& at(u32 id) { return all_[id % resources]; }
  void tell();

  std::array<Resource, resources> all_;
  std::atomic<u64> changes_{0};
};

}  // namespace gfxisa::exec
