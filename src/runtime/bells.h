// Waiting for words in memory to change, without polling: who changes a word rings, who waits sleeps until it rings.
//
// Kernels change words by plain stores that ring nothing. So a wait also looks again after a while: each millisecond
// while kernels run, ever more rarely otherwise.
#pragma once
#include <atomic>

#include "base/types.h"

namespace gfxisa::runtime {

u64 now_nanoseconds();

/// To be called after the word at `address` was changed (with a sequentially consistent operation).
void ring(const volatile void* address);
/// Rings for every word: something may have changed that rang no bell.
void ring_all();

/// From now on nobody sleeps: nothing will change any more, since the process exits.
void end_all_waits();

/// Counts kernels that run, while it lives.
class KernelIsRunning {
 public:
  KernelIsRunning();
  ~KernelIsRunning();
  KernelIsRunning(const KernelIsRunning&) = delete;
};

struct Bell;

/// One wait: made before the words are looked at, so that a ring between the look and the sleep is not lost.
///
///     for (Listener listener(address); !satisfied();) listener.sleep(deadline);
class Listener {
 public:
  /// Listens for rings about `address`; for all rings when it is nullptr.
  explicit Listener(const volatile void* address);
  ~Listener();
  Listener(const Listener&) = delete;
  /// Sleeps until a ring since the last sleep, or a time to look again, or the deadline. False when the deadline has
  /// passed.
  bool sleep(u64 deadline_nanoseconds = ~u64{0});

 private:
  Bell& bell_;
  u32 heard_;
  u64 patience_;
};

}  // namespace gfxisa::runtime
