// Signals of the core interface. All memory orders are the strongest one here.
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#include <algorithm>

#include "runtime/api.h"
#include "runtime/bells.h"
#include "runtime/runtime.h"

using namespace gfxisa;
using namespace gfxisa::runtime;

namespace {

/// Changes a signal's value by `change(word)`, which gives the old one, and wakes who waits.
template <class F>
hsa_signal_value_t change(hsa_signal_t signal, F change) {
  if (signal.handle == 0) return 0;
  volatile i64* word = value_of(signal);
  const i64 old = change(word);
  ring(word);
  return old;
}

hsa_signal_value_t load(hsa_signal_t signal) { return signal.handle == 0 ? 0 : load_signal(signal); }
void store(hsa_signal_t signal, hsa_signal_value_t value) {
  if (signal.handle != 0) store_signal(signal, value);
}
void store_silently(hsa_signal_t signal, hsa_signal_value_t value) {
  if (signal.handle != 0) __atomic_store_n(value_of(signal), value, __ATOMIC_SEQ_CST);
}
hsa_signal_value_t exchange(hsa_signal_t signal, hsa_signal_value_t value) {
  return change(signal, [=](volatile i64* word) { return __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST); });
}
hsa_signal_value_t compare_exchange(hsa_signal_t signal, hsa_signal_value_t expected, hsa_signal_value_t value) {
  return change(signal, [=](volatile i64* word) {
    i64 seen = expected;
    __atomic_compare_exchange_n(word, &seen, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return seen;
  });
}
void add(hsa_signal_t signal, hsa_signal_value_t value) {
  change(signal, [=](volatile i64* word) { return __atomic_fetch_add(word, value, __ATOMIC_SEQ_CST); });
}
void subtract(hsa_signal_t signal, hsa_signal_value_t value) {
  change(signal, [=](volatile i64* word) { return __atomic_fetch_sub(word, value, __ATOMIC_SEQ_CST); });
}
void bit_and(hsa_signal_t signal, hsa_signal_value_t value) {
  change(signal, [=](volatile i64* word) { return __atomic_fetch_and(word, value, __ATOMIC_SEQ_CST); });
}
void bit_or(hsa_signal_t signal, hsa_signal_value_t value) {
  change(signal, [=](volatile i64* word) { return __atomic_fetch_or(word, value, __ATOMIC_SEQ_CST); });
}
void bit_xor(hsa_signal_t signal, hsa_signal_value_t value) {
  change(signal, [=](volatile i64* word) { return __atomic_fetch_xor(word, value, __ATOMIC_SEQ_CST); });
}
hsa_signal_value_t wait(hsa_signal_t signal, hsa_signal_condition_t condition, hsa_signal_value_t wanted,
                        uint64_t timeout) {
  return signal.handle == 0 ? 0 : wait_signal(signal, condition, wanted, timeout);
}

hsa_status_t check_consumers(const Runtime& runtime, uint32_t count, const hsa_agent_t* consumers) {
  if (count != 0 && consumers == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  for (uint32_t i = 0; i < count; ++i) {
    if (runtime.machine.find_agent(consumers[i].handle) == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (uint32_t j = 0; j < i; ++j) {
      if (consumers[i].handle == consumers[j].handle) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  }
  return HSA_STATUS_SUCCESS;
}

struct SignalGroup {
  std::vector<hsa_signal_t> signals;
};
HandleTable<SignalGroup> signal_groups;

hsa_status_t wait_group(hsa_signal_group_t group, const hsa_signal_condition_t* conditions,
                        const hsa_signal_value_t* wanted, hsa_signal_t* signal, hsa_signal_value_t* value) {
  if (Runtime::get() == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const auto found = signal_groups.find(group.handle);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP;
  if (conditions == nullptr || wanted == nullptr || signal == nullptr || value == nullptr)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const u32 index = wait_any_signal(static_cast<u32>(found->signals.size()), found->signals.data(), conditions, wanted,
                                    ~u64{0}, value);
  if (index >= found->signals.size()) return HSA_STATUS_ERROR;
  *signal = found->signals[index];
  return HSA_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

hsa_status_t hsa_amd_signal_create(hsa_signal_value_t value, uint32_t count, const hsa_agent_t* consumers,
                                   uint64_t attributes, hsa_signal_t* signal) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (signal == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (const auto status = check_consumers(*runtime, count, consumers); status != HSA_STATUS_SUCCESS) return status;
  *signal = runtime->signals.create(value, (attributes & HSA_AMD_SIGNAL_AMD_GPU_ONLY) == 0);
  return signal->handle != 0 ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

hsa_status_t hsa_signal_create(hsa_signal_value_t value, uint32_t count, const hsa_agent_t* consumers,
                               hsa_signal_t* signal) {
  return hsa_amd_signal_create(value, count, consumers, 0, signal);
}

hsa_status_t hsa_signal_destroy(hsa_signal_t signal) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (signal.handle == 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return runtime->signals.destroy(signal) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_SIGNAL;
}

hsa_signal_value_t hsa_signal_load_scacquire(hsa_signal_t signal) { return load(signal); }
hsa_signal_value_t hsa_signal_load_relaxed(hsa_signal_t signal) { return load(signal); }
hsa_signal_value_t hsa_signal_load_acquire(hsa_signal_t signal) { return load(signal); }
void hsa_signal_store_relaxed(hsa_signal_t signal, hsa_signal_value_t value) { store(signal, value); }
void hsa_signal_store_screlease(hsa_signal_t signal, hsa_signal_value_t value) { store(signal, value); }
void hsa_signal_store_release(hsa_signal_t signal, hsa_signal_value_t value) { store(signal, value); }
void hsa_signal_silent_store_relaxed(hsa_signal_t signal, hsa_signal_value_t value) { store_silently(signal, value); }
void hsa_signal_silent_store_screlease(hsa_signal_t signal, hsa_signal_value_t value) { store_silently(signal, value); }

hsa_signal_value_t hsa_signal_exchange_scacq_screl(hsa_signal_t signal, hsa_signal_value_t value) {
  return exchange(signal, value);
}
hsa_signal_value_t hsa_signal_exchange_acq_rel(hsa_signal_t signal, hsa_signal_value_t value) {
  return exchange(signal, value);
}
hsa_signal_value_t hsa_signal_exchange_scacquire(hsa_signal_t signal, hsa_signal_value_t value) {
  return exchange(signal, value);
}
hsa_signal_value_t hsa_signal_exchange_acquire(hsa_signal_t signal, hsa_signal_value_t value) {
  return exchange(signal, value);
}
hsa_signal_value_t hsa_signal_exchange_relaxed(hsa_signal_t signal, hsa_signal_value_t value) {
  return exchange(signal, value);
}
hsa_signal_value_t hsa_signal_exchange_screlease(hsa_signal_t signal, hsa_signal_value_t value) {
  return exchange(signal, value);
}
hsa_signal_value_t hsa_signal_exchange_release(hsa_signal_t signal, hsa_signal_value_t value) {
  return exchange(signal, value);
}
hsa_signal_value_t hsa_signal_cas_scacq_screl(hsa_signal_t signal, hsa_signal_value_t expected,
                                              hsa_signal_value_t value) {
  return compare_exchange(signal, expected, value);
}
hsa_signal_value_t hsa_signal_cas_acq_rel(hsa_signal_t signal, hsa_signal_value_t expected, hsa_signal_value_t value) {
  return compare_exchange(signal, expected, value);
}
hsa_signal_value_t hsa_signal_cas_scacquire(hsa_signal_t signal, hsa_signal_value_t expected,
                                            hsa_signal_value_t value) {
  return compare_exchange(signal, expected, value);
}
hsa_signal_value_t hsa_signal_cas_acquire(hsa_signal_t signal, hsa_signal_value_t expected, hsa_signal_value_t value) {
  return compare_exchange(signal, expected, value);
}
hsa_signal_value_t hsa_signal_cas_relaxed(hsa_signal_t signal, hsa_signal_value_t expected, hsa_signal_value_t value) {
  return compare_exchange(signal, expected, value);
}
hsa_signal_value_t hsa_signal_cas_screlease(hsa_signal_t signal, hsa_signal_value_t expected,
                                            hsa_signal_value_t value) {
  return compare_exchange(signal, expected, value);
}
hsa_signal_value_t hsa_signal_cas_release(hsa_signal_t signal, hsa_signal_value_t expected, hsa_signal_value_t value) {
  return compare_exchange(signal, expected, value);
}

void hsa_signal_add_scacq_screl(hsa_signal_t signal, hsa_signal_value_t value) { add(signal, value); }
void hsa_signal_add_acq_rel(hsa_signal_t signal, hsa_signal_value_t value) { add(signal, value); }
void hsa_signal_add_scacquire(hsa_signal_t signal, hsa_signal_value_t value) { add(signal, value); }
void hsa_signal_add_acquire(hsa_signal_t signal, hsa_signal_value_t value) { add(signal, value); }
void hsa_signal_add_relaxed(hsa_signal_t signal, hsa_signal_value_t value) { add(signal, value); }
void hsa_signal_add_screlease(hsa_signal_t signal, hsa_signal_value_t value) { add(signal, value); }
void hsa_signal_add_release(hsa_signal_t signal, hsa_signal_value_t value) { add(signal, value); }

void hsa_signal_subtract_scacq_screl(hsa_signal_t signal, hsa_signal_value_t value) { subtract(signal, value); }
void hsa_signal_subtract_acq_rel(hsa_signal_t signal, hsa_signal_value_t value) { subtract(signal, value); }
void hsa_signal_subtract_scacquire(hsa_signal_t signal, hsa_signal_value_t value) { subtract(signal, value); }
void hsa_signal_subtract_acquire(hsa_signal_t signal, hsa_signal_value_t value) { subtract(signal, value); }
void hsa_signal_subtract_relaxed(hsa_signal_t signal, hsa_signal_value_t value) { subtract(signal, value); }
void hsa_signal_subtract_screlease(hsa_signal_t signal, hsa_signal_value_t value) { subtract(signal, value); }
void hsa_signal_subtract_release(hsa_signal_t signal, hsa_signal_value_t value) { subtract(signal, value); }

void hsa_signal_and_scacq_screl(hsa_signal_t signal, hsa_signal_value_t value) { bit_and(signal, value); }
void hsa_signal_and_acq_rel(hsa_signal_t signal, hsa_signal_value_t value) { bit_and(signal, value); }
void hsa_signal_and_scacquire(hsa_signal_t signal, hsa_signal_value_t value) { bit_and(signal, value); }
void hsa_signal_and_acquire(hsa_signal_t signal, hsa_signal_value_t value) { bit_and(signal, value); }
void hsa_signal_and_relaxed(hsa_signal_t signal, hsa_signal_value_t value) { bit_and(signal, value); }
void hsa_signal_and_screlease(hsa_signal_t signal, hsa_signal_value_t value) { bit_and(signal, value); }
void hsa_signal_and_release(hsa_signal_t signal, hsa_signal_value_t value) { bit_and(signal, value); }

void hsa_signal_or_scacq_screl(hsa_signal_t signal, hsa_signal_value_t value) { bit_or(signal, value); }
void hsa_signal_or_acq_rel(hsa_signal_t signal, hsa_signal_value_t value) { bit_or(signal, value); }
void hsa_signal_or_scacquire(hsa_signal_t signal, hsa_signal_value_t value) { bit_or(signal, value); }
void hsa_signal_or_acquire(hsa_signal_t signal, hsa_signal_value_t value) { bit_or(signal, value); }
void hsa_signal_or_relaxed(hsa_signal_t signal, hsa_signal_value_t value) { bit_or(signal, value); }
void hsa_signal_or_screlease(hsa_signal_t signal, hsa_signal_value_t value) { bit_or(signal, value); }
void hsa_signal_or_release(hsa_signal_t signal, hsa_signal_value_t value) { bit_or(signal, value); }

void hsa_signal_xor_scacq_screl(hsa_signal_t signal, hsa_signal_value_t value) { bit_xor(signal, value); }
void hsa_signal_xor_acq_rel(hsa_signal_t signal, hsa_signal_value_t value) { bit_xor(signal, value); }
void hsa_signal_xor_scacquire(hsa_signal_t signal, hsa_signal_value_t value) { bit_xor(signal, value); }
void hsa_signal_xor_acquire(hsa_signal_t signal, hsa_signal_value_t value) { bit_xor(signal, value); }
void hsa_signal_xor_relaxed(hsa_signal_t signal, hsa_signal_value_t value) { bit_xor(signal, value); }
void hsa_signal_xor_screlease(hsa_signal_t signal, hsa_signal_value_t value) { bit_xor(signal, value); }
void hsa_signal_xor_release(hsa_signal_t signal, hsa_signal_value_t value) { bit_xor(signal, value); }

hsa_signal_value_t hsa_signal_wait_scacquire(hsa_signal_t signal, hsa_signal_condition_t condition,
                                             hsa_signal_value_t wanted, uint64_t timeout, hsa_wait_state_t) {
  return wait(signal, condition, wanted, timeout);
}
hsa_signal_value_t hsa_signal_wait_relaxed(hsa_signal_t signal, hsa_signal_condition_t condition,
                                           hsa_signal_value_t wanted, uint64_t timeout, hsa_wait_state_t) {
  return wait(signal, condition, wanted, timeout);
}
hsa_signal_value_t hsa_signal_wait_acquire(hsa_signal_t signal, hsa_signal_condition_t condition,
                                           hsa_signal_value_t wanted, uint64_t timeout, hsa_wait_state_t) {
  return wait(signal, condition, wanted, timeout);
}

hsa_status_t hsa_signal_group_create(uint32_t count, const hsa_signal_t* signals, uint32_t consumer_count,
                                     const hsa_agent_t* consumers, hsa_signal_group_t* group) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (count == 0 || signals == nullptr || group == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (const auto status = check_consumers(*runtime, consumer_count, consumers); status != HSA_STATUS_SUCCESS)
    return status;
  for (uint32_t i = 0; i < count; ++i) {
    if (!runtime->signals.is_signal(signals[i])) return HSA_STATUS_ERROR_INVALID_SIGNAL;
  }
  group->handle = signal_groups.add({{signals, signals + count}});
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_signal_group_destroy(hsa_signal_group_t group) {
  if (Runtime::get() == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  return signal_groups.remove(group.handle) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP;
}

hsa_status_t hsa_signal_group_wait_any_scacquire(hsa_signal_group_t group, const hsa_signal_condition_t* conditions,
                                                 const hsa_signal_value_t* wanted, hsa_wait_state_t,
                                                 hsa_signal_t* signal, hsa_signal_value_t* value) {
  return wait_group(group, conditions, wanted, signal, value);
}

hsa_status_t hsa_signal_group_wait_any_relaxed(hsa_signal_group_t group, const hsa_signal_condition_t* conditions,
                                               const hsa_signal_value_t* wanted, hsa_wait_state_t, hsa_signal_t* signal,
                                               hsa_signal_value_t* value) {
  return wait_group(group, conditions, wanted, signal, value);
}

uint32_t hsa_amd_signal_wait_any(uint32_t count, hsa_signal_t* signals, hsa_signal_condition_t* conditions,
                                 hsa_signal_value_t* wanted, uint64_t timeout, hsa_wait_state_t,
                                 hsa_signal_value_t* value) {
  return wait_any_signal(count, signals, conditions, wanted, timeout, value);
}

hsa_status_t hsa_amd_signal_value_pointer(hsa_signal_t signal, volatile hsa_signal_value_t** pointer) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (pointer == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (!runtime->signals.is_signal(signal)) return HSA_STATUS_ERROR_INVALID_SIGNAL;
  *pointer = value_of(signal);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_signal_async_handler(hsa_signal_t signal, hsa_signal_condition_t condition,
                                          hsa_signal_value_t wanted, hsa_amd_signal_handler handler, void* data) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (handler == nullptr || condition > HSA_SIGNAL_CONDITION_GTE) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (!runtime->signals.is_signal(signal)) return HSA_STATUS_ERROR_INVALID_SIGNAL;
  runtime->handlers.add(signal, condition, wanted, handler, data);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_async_function(void (*callback)(void*), void* data) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (callback == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  runtime->handlers.call(callback, data);
  return HSA_STATUS_SUCCESS;
}

}  // extern "C"
