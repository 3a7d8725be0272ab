// Signals. A handle is the address of an amd_signal_t, whose layout kernels know; a doorbell's value lies elsewhere.
#pragma once
#include <hsa/amd_hsa_signal.h>
#include <hsa/hsa_ext_amd.h>

#include <atomic>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/types.h"

namespace gfxisa::runtime {

class Memory;

inline amd_signal_t* signal_of(hsa_signal_t signal) { return reinterpret_cast<amd_signal_t*>(signal.handle); }

/// The word that holds a signal's value.
inline volatile i64* value_of(hsa_signal_t signal) {
  amd_signal_t* const s = signal_of(signal);
  return s->kind < 0 ? reinterpret_cast<volatile i64*>(s->hardware_doorbell_ptr) : &s->value;
}

inline i64 load_signal(hsa_signal_t signal) { return __atomic_load_n(value_of(signal), __ATOMIC_SEQ_CST); }
void store_signal(hsa_signal_t signal, i64 value);
/// Decrements; the way packets and copies say that they are done.
void complete_signal(hsa_signal_t signal);

bool holds(hsa_signal_condition_t condition, i64 value, i64 wanted);

/// Waits until the condition holds, `timeout` nanoseconds at most; gives the last value seen.
i64 wait_signal(hsa_signal_t signal, hsa_signal_condition_t condition, i64 wanted, u64 timeout);

/// Index of a signal whose condition holds, or ~0 after the timeout; its value in `value`.
u32 wait_any_signal(u32 count, const hsa_signal_t* signals, const hsa_signal_condition_t* conditions,
                    const hsa_signal_value_t* wanted, u64 timeout, hsa_signal_value_t* value);

/// Makes and keeps signals: in slabs that kernels may touch.
class Signals {
 public:
  explicit Signals(Memory& memory) : memory_(memory) {}
  /// Handle 0 when there is no memory. `interrupts`: kernels that change it send a message, as for the host's waits.
  hsa_signal_t create(i64 value, bool interrupts);
  /// A signal whose stores go to `word`.
  hsa_signal_t create_doorbell(volatile u64* word);
  bool is_signal(hsa_signal_t signal) const;
  bool are_signals(u32 count, const hsa_signal_t* signals) const;
  /// False when it is none. A signal that handlers watch lives until they are done.
  bool destroy(hsa_signal_t signal);
  void hold(hsa_signal_t signal);
  void let_go(hsa_signal_t signal);

 private:
  bool is_alive(hsa_signal_t signal) const;
  amd_signal_t* take();
  void free_now(amd_signal_t* signal);

  static constexpr u64 slab_bytes = 65536;
  Memory& memory_;
  mutable std::shared_mutex mutex_;
  std::unordered_set<u64> slabs_;
  std::vector<amd_signal_t*> free_;
  std::unordered_map<amd_signal_t*, u32> held_;
  std::unordered_set<amd_signal_t*> dying_;
};

/// Calls functions when signals reach values, and functions that are to run elsewhere; one after the other in a thread.
class SignalHandlers {
 public:
  explicit SignalHandlers(Signals& signals) : signals_(signals) {}
  ~SignalHandlers() { stop(); }
  void add(hsa_signal_t signal, hsa_signal_condition_t condition, i64 wanted, hsa_amd_signal_handler function,
           void* data);
  void call(void (*function)(void*), void* data);
  void stop();

 private:
  struct Entry {
    hsa_signal_t signal;
    hsa_signal_condition_t condition;
    i64 wanted;
    hsa_amd_signal_handler function;
    void* data;
    void (*plain)(void*) = nullptr;
  };
  void add(const Entry& entry);
  void run();
  bool take_due(Entry& entry, i64& value);

  Signals& signals_;
  std::mutex mutex_;
  std::deque<Entry> entries_;
  std::thread thread_;
  std::atomic<bool> stops_{false};
};

}  // namespace gfxisa::runtime
