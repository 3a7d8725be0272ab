#include "runtime/signals.h"

#include <algorithm>
#include <new>

#include "runtime/bells.h"
#include "runtime/memory.h"

namespace gfxisa::runtime {
namespace {

/// When a wait that begins now ends; waits may be endless.
u64 deadline_after(u64 timeout) {
  const u64 now = now_nanoseconds();
  return timeout > ~now ? ~u64{0} : now + timeout;
}

}  // namespace

void store_signal(hsa_signal_t signal, i64 value) {
  volatile i64* word = value_of(signal);
  __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
  ring(word);
}

void complete_signal(hsa_signal_t signal) {
  volatile i64* word = value_of(signal);
  __atomic_fetch_sub(word, 1, __ATOMIC_SEQ_CST);
  ring(word);
}

bool holds(hsa_signal_condition_t condition, i64 value, i64 wanted) {
  switch (condition) {
    case HSA_SIGNAL_CONDITION_EQ:
      return value == wanted;
    case HSA_SIGNAL_CONDITION_NE:
      return value != wanted;
    case HSA_SIGNAL_CONDITION_LT:
      return value < wanted;
    case HSA_SIGNAL_CONDITION_GTE:
      return value >= wanted;
  }
  return false;
}

i64 wait_signal(hsa_signal_t signal, hsa_signal_condition_t condition, i64 wanted, u64 timeout) {
  i64 value = load_signal(signal);
  if (holds(condition, value, wanted)) return value;
  const u64 deadline = deadline_after(timeout);
  Listener listener(value_of(signal));
  for (;;) {
    value = load_signal(signal);
    if (holds(condition, value, wanted) || !listener.sleep(deadline)) return value;
  }
}

u32 wait_any_signal(u32 count, const hsa_signal_t* signals, const hsa_signal_condition_t* conditions,
                    const hsa_signal_value_t* wanted, u64 timeout, hsa_signal_value_t* value) {
  const u64 deadline = deadline_after(timeout);
  Listener listener(nullptr);
  do {
    for (u32 i = 0; i < count; ++i) {
      if (signals[i].handle == 0) continue;
      const i64 seen = load_signal(signals[i]);
      if (!holds(conditions[i], seen, wanted[i])) continue;
      if (value != nullptr) *value = seen;
      return i;
    }
  } while (listener.sleep(deadline));
  return ~u32{0};
}

// ------------------------------------------------------------------------------------------- signals

amd_signal_t* Signals::take() {
  if (free_.empty()) {
    // A slab is aligned to its size, so that a handle's slab is known from its upper bits. Its first place is not
    // given out: kernels write it to say that they changed a signal.
    auto* mapped = static_cast<u8*>(memory_.allocate_internal(2 * slab_bytes));
    if (mapped == nullptr) return nullptr;
    const u64 start = (reinterpret_cast<u64>(mapped) + slab_bytes - 1) / slab_bytes * slab_bytes;
    slabs_.insert(start);
    auto* first = reinterpret_cast<amd_signal_t*>(start);
    for (u64 i = slab_bytes / sizeof(amd_signal_t); --i != 0;) free_.push_back(first + i);
  }
  amd_signal_t* signal = free_.back();
  free_.pop_back();
  return new (signal) amd_signal_t{};
}

hsa_signal_t Signals::create(i64 value, bool interrupts) {
  const std::lock_guard lock(mutex_);
  amd_signal_t* signal = take();
  if (signal == nullptr) return {0};
  signal->kind = AMD_SIGNAL_KIND_USER;
  signal->value = value;
  if (interrupts) {
    signal->event_mailbox_ptr = reinterpret_cast<u64>(signal) / slab_bytes * slab_bytes;
    signal->event_id = 1;
  }
  return {reinterpret_cast<u64>(signal)};
}

hsa_signal_t Signals::create_doorbell(volatile u64* word) {
  const std::lock_guard lock(mutex_);
  amd_signal_t* signal = take();
  if (signal == nullptr) return {0};
  signal->kind = AMD_SIGNAL_KIND_DOORBELL;
  signal->hardware_doorbell_ptr = word;
  return {reinterpret_cast<u64>(signal)};
}

bool Signals::is_alive(hsa_signal_t signal) const {
  return signal.handle % sizeof(amd_signal_t) == 0 && slabs_.contains(signal.handle / slab_bytes * slab_bytes) &&
         signal.handle % slab_bytes != 0 && signal_of(signal)->kind != AMD_SIGNAL_KIND_INVALID &&
         !dying_.contains(signal_of(signal));
}

bool Signals::is_signal(hsa_signal_t signal) const {
  const std::shared_lock lock(mutex_);
  return is_alive(signal);
}

bool Signals::are_signals(u32 count, const hsa_signal_t* signals) const {
  const std::shared_lock lock(mutex_);
  return std::all_of(signals, signals + count, [this](hsa_signal_t signal) { return is_alive(signal); });
}

void Signals::free_now(amd_signal_t* signal) {
  signal->kind = AMD_SIGNAL_KIND_INVALID;
  free_.push_back(signal);
}

bool Signals::destroy(hsa_signal_t signal) {
  const std::lock_guard lock(mutex_);
  if (!is_alive(signal)) return false;
  if (held_.contains(signal_of(signal)))
    dying_.insert(signal_of(signal));
  else
    free_now(signal_of(signal));
  return true;
}

void Signals::hold(hsa_signal_t signal) {
  const std::lock_guard lock(mutex_);
  ++held_[signal_of(signal)];
}

void Signals::let_go(hsa_signal_t signal) {
  const std::lock_guard lock(mutex_);
  const auto found = held_.find(signal_of(signal));
  if (found == held_.end() || --found->second != 0) return;
  held_.erase(found);
  if (dying_.erase(signal_of(signal)) != 0) free_now(signal_of(signal));
}

// ------------------------------------------------------------------------------------------- handlers

void SignalHandlers::add(hsa_signal_t signal, hsa_signal_condition_t condition, i64 wanted,
                         hsa_amd_signal_handler function, void* data) {
  signals_.hold(signal);
  add({signal, condition, wanted, function, data, nullptr});
}

void SignalHandlers::call(void (*function)(void*), void* data) {
  add({{0}, HSA_SIGNAL_CONDITION_EQ, 0, nullptr, data, function});
}

void SignalHandlers::add(const Entry& entry) {
  const std::lock_guard lock(mutex_);
  entries_.push_back(entry);
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  ring(&entries_);
}

bool SignalHandlers::take_due(Entry& entry, i64& value) {
  const std::lock_guard lock(mutex_);
  for (auto it = entries_.begin(); it != entries_.end(); ++it) {
    value = it->plain != nullptr ? 0 : load_signal(it->signal);
    if (it->plain == nullptr && !holds(it->condition, value, it->wanted)) continue;
    entry = *it;
    entries_.erase(it);
    return true;
  }
  return false;
}

void SignalHandlers::run() {
  Listener listener(nullptr);
  while (!stops_.load()) {
    Entry entry{};
    i64 value = 0;
    if (!take_due(entry, value)) {
      listener.sleep();
      continue;
    }
    if (entry.plain != nullptr) {
      entry.plain(entry.data);
      continue;
    }
    if (entry.function(value, entry.data)) {
      const std::lock_guard lock(mutex_);
      entries_.push_back(entry);
    } else {
      signals_.let_go(entry.signal);
    }
  }
}

void SignalHandlers::stop() {
  stops_.store(true);
  ring(&entries_);
  if (thread_.joinable() && thread_.get_id() != std::this_thread::get_id()) thread_.join();
}

}  // namespace gfxisa::runtime
