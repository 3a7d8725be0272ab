// Queues of the core interface and of AMD's extension.
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#include <bit>

#include "runtime/api.h"
#include "runtime/bells.h"
#include "runtime/private_api.h"
#include "runtime/runtime.h"

using namespace gfxisa;
using namespace gfxisa::runtime;

namespace {

amd_queue_t* whole(const hsa_queue_t* queue) { return reinterpret_cast<amd_queue_t*>(const_cast<hsa_queue_t*>(queue)); }
uint64_t load(const volatile uint64_t& index) { return __atomic_load_n(&index, __ATOMIC_SEQ_CST); }
void store(volatile uint64_t& index, uint64_t value) {
  __atomic_store_n(&index, value, __ATOMIC_SEQ_CST);
  ring(&index);
}
uint64_t compare_exchange(volatile uint64_t& index, uint64_t expected, uint64_t value) {
  __atomic_compare_exchange_n(&index, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
}

}  // namespace

extern "C" {

hsa_status_t hsa_queue_create(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type, QueueCallback callback,
                              void* data, uint32_t, uint32_t, hsa_queue_t** queue) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (queue == nullptr || size == 0 || !std::has_single_bit(size) || type > HSA_QUEUE_TYPE_COOPERATIVE)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const Agent* found = runtime->machine.find_agent(agent.handle);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_AGENT;
  uint32_t most = 0;
  found->get_info(HSA_AGENT_INFO_QUEUE_MAX_SIZE, &most);
  if (!found->is_gpu || size > most) return HSA_STATUS_ERROR_INVALID_QUEUE_CREATION;
  return runtime->create_queue(found, size, type, callback, data, {0}, HSA_QUEUE_FEATURE_KERNEL_DISPATCH, queue);
}

hsa_status_t hsa_soft_queue_create(hsa_region_t region, uint32_t size, hsa_queue_type32_t type, uint32_t features,
                                   hsa_signal_t doorbell, hsa_queue_t** queue) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (queue == nullptr || size == 0 || !std::has_single_bit(size) || type > HSA_QUEUE_TYPE_SINGLE || features == 0 ||
      !runtime->signals.is_signal(doorbell))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const Pool* pool = runtime->machine.find_pool(region.handle);
  if (pool == nullptr || !pool->is_global()) return HSA_STATUS_ERROR_INVALID_REGION;
  return runtime->create_queue(nullptr, size, type, nullptr, nullptr, doorbell, features, queue);
}

hsa_status_t hsa_queue_destroy(hsa_queue_t* queue) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (queue == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return runtime->destroy_queue(queue) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_QUEUE;
}

hsa_status_t hsa_queue_inactivate(hsa_queue_t* queue) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (queue == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const auto found = runtime->find_queue(queue);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_QUEUE;
  found->stop();
  return HSA_STATUS_SUCCESS;
}

uint64_t hsa_queue_load_read_index_acquire(const hsa_queue_t* queue) { return load(whole(queue)->read_dispatch_id); }
uint64_t hsa_queue_load_write_index_acquire(const hsa_queue_t* queue) { return load(whole(queue)->write_dispatch_id); }
uint64_t hsa_queue_load_read_index_scacquire(const hsa_queue_t* queue) { return load(whole(queue)->read_dispatch_id); }
uint64_t hsa_queue_load_write_index_scacquire(const hsa_queue_t* queue) {
  return load(whole(queue)->write_dispatch_id);
}
uint64_t hsa_queue_load_read_index_relaxed(const hsa_queue_t* queue) { return load(whole(queue)->read_dispatch_id); }
uint64_t hsa_queue_load_write_index_relaxed(const hsa_queue_t* queue) { return load(whole(queue)->write_dispatch_id); }
void hsa_queue_store_write_index_relaxed(const hsa_queue_t* queue, uint64_t value) {
  store(whole(queue)->write_dispatch_id, value);
}
void hsa_queue_store_read_index_relaxed(const hsa_queue_t* queue, uint64_t value) {
  store(whole(queue)->read_dispatch_id, value);
}
void hsa_queue_store_write_index_release(const hsa_queue_t* queue, uint64_t value) {
  store(whole(queue)->write_dispatch_id, value);
}
void hsa_queue_store_read_index_release(const hsa_queue_t* queue, uint64_t value) {
  store(whole(queue)->read_dispatch_id, value);
}
void hsa_queue_store_write_index_screlease(const hsa_queue_t* queue, uint64_t value) {
  store(whole(queue)->write_dispatch_id, value);
}
void hsa_queue_store_read_index_screlease(const hsa_queue_t* queue, uint64_t value) {
  store(whole(queue)->read_dispatch_id, value);
}
uint64_t hsa_queue_cas_write_index_scacq_screl(const hsa_queue_t* queue, uint64_t expected, uint64_t value) {
  return compare_exchange(whole(queue)->write_dispatch_id, expected, value);
}
uint64_t hsa_queue_cas_write_index_acq_rel(const hsa_queue_t* queue, uint64_t expected, uint64_t value) {
  return compare_exchange(whole(queue)->write_dispatch_id, expected, value);
}
uint64_t hsa_queue_cas_write_index_scacquire(const hsa_queue_t* queue, uint64_t expected, uint64_t value) {
  return compare_exchange(whole(queue)->write_dispatch_id, expected, value);
}
uint64_t hsa_queue_cas_write_index_acquire(const hsa_queue_t* queue, uint64_t expected, uint64_t value) {
  return compare_exchange(whole(queue)->write_dispatch_id, expected, value);
}
uint64_t hsa_queue_cas_write_index_relaxed(const hsa_queue_t* queue, uint64_t expected, uint64_t value) {
  return compare_exchange(whole(queue)->write_dispatch_id, expected, value);
}
uint64_t hsa_queue_cas_write_index_screlease(const hsa_queue_t* queue, uint64_t expected, uint64_t value) {
  return compare_exchange(whole(queue)->write_dispatch_id, expected, value);
}
uint64_t hsa_queue_cas_write_index_release(const hsa_queue_t* queue, uint64_t expected, uint64_t value) {
  return compare_exchange(whole(queue)->write_dispatch_id, expected, value);
}
uint64_t hsa_queue_add_write_index_scacq_screl(const hsa_queue_t* queue, uint64_t value) {
  return __atomic_fetch_add(&whole(queue)->write_dispatch_id, value, __ATOMIC_SEQ_CST);
}
uint64_t hsa_queue_add_write_index_acq_rel(const hsa_queue_t* queue, uint64_t value) {
  return __atomic_fetch_add(&whole(queue)->write_dispatch_id, value, __ATOMIC_SEQ_CST);
}
uint64_t hsa_queue_add_write_index_scacquire(const hsa_queue_t* queue, uint64_t value) {
  return __atomic_fetch_add(&whole(queue)->write_dispatch_id, value, __ATOMIC_SEQ_CST);
}
uint64_t hsa_queue_add_write_index_acquire(const hsa_queue_t* queue, uint64_t value) {
  return __atomic_fetch_add(&whole(queue)->write_dispatch_id, value, __ATOMIC_SEQ_CST);
}
uint64_t hsa_queue_add_write_index_relaxed(const hsa_queue_t* queue, uint64_t value) {
  return __atomic_fetch_add(&whole(queue)->write_dispatch_id, value, __ATOMIC_SEQ_CST);
}
uint64_t hsa_queue_add_write_index_screlease(const hsa_queue_t* queue, uint64_t value) {
  return __atomic_fetch_add(&whole(queue)->write_dispatch_id, value, __ATOMIC_SEQ_CST);
}
uint64_t hsa_queue_add_write_index_release(const hsa_queue_t* queue, uint64_t value) {
  return __atomic_fetch_add(&whole(queue)->write_dispatch_id, value, __ATOMIC_SEQ_CST);
}

hsa_status_t hsa_amd_queue_set_priority(hsa_queue_t* queue, hsa_amd_queue_priority_t priority) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (queue == nullptr || runtime->find_queue(queue) == nullptr) return HSA_STATUS_ERROR_INVALID_QUEUE;
  return priority > HSA_AMD_QUEUE_PRIORITY_HIGH ? HSA_STATUS_ERROR_INVALID_ARGUMENT : HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_queue_cu_set_mask(const hsa_queue_t* queue, uint32_t bits, const uint32_t* mask) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const auto found = queue == nullptr ? nullptr : runtime->find_queue(queue);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_QUEUE;
  if (bits % 32 != 0 || (bits != 0 && mask == nullptr)) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  found->unit_mask.assign(mask, mask + bits / 32);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_queue_cu_get_mask(const hsa_queue_t* queue, uint32_t bits, uint32_t* mask) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const auto found = queue == nullptr ? nullptr : runtime->find_queue(queue);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_QUEUE;
  if (bits == 0 || bits % 32 != 0 || mask == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const uint32_t units = found->agent() != nullptr ? found->agent()->compute_units : 0;
  for (uint32_t word = 0; word < bits / 32; ++word) {
    const uint32_t left = units > word * 32 ? units - word * 32 : 0;
    const uint32_t existing = left >= 32 ? ~0u : (1u << left) - 1;
    mask[word] = found->unit_mask.empty()         ? existing
                 : word < found->unit_mask.size() ? found->unit_mask[word] & existing
                                                  : 0;
  }
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_profiling_set_profiler_enabled(hsa_queue_t* queue, int) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  // Times are always taken.
  return queue != nullptr && runtime->find_queue(queue) != nullptr ? HSA_STATUS_SUCCESS
                                                                   : HSA_STATUS_ERROR_INVALID_QUEUE;
}

void gfxisa_queue_set_global_sync(hsa_queue_t* queue, uint32_t resource, uint32_t count) {
  Runtime* runtime = Runtime::get();
  const auto found = runtime == nullptr ? nullptr : runtime->find_queue(queue);
  if (found != nullptr) found->global_sync().init(resource, count);
}

}  // extern "C"
