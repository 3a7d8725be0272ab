// What is worked out once for each form and then kept: parts of its text that no bit of an instruction changes.
#pragma once
#include <atomic>
#include <memory>

#include "inst/tables.h"

namespace gfxisa::text {

/// Thread-safe. Made by `new` and never destroyed: other threads may still read while the program ends.
template <class T>
class FormCache {
 public:
  /// What `make()` gives for a form, by its index in tables().forms; called when the form is first asked for.
  template <class Make>
  const T& of(u32 form, Make make) {
    std::atomic<const T*>& entry = entries_[form];
    if (const T* known = entry.load(std::memory_order_acquire)) return *known;
    auto made = std::make_unique<const T>(make());
    const T* expected = nullptr;
    // Of two threads that were here at once, one throws its own away.
    if (entry.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) return *made.release();
    return *expected;
  }

 private:
  std::unique_ptr<std::atomic<const T*>[]> entries_ = std::make_unique<std::atomic<const T*>[]>(tables().forms.size());
};

}  // namespace gfxisa::text
