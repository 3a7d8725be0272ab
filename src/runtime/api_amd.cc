// AMD's extension, what is in no other file: profiling, events, shared virtual memory.
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#include "runtime/api.h"
#include "runtime/runtime.h"

using namespace gfxisa;
using namespace gfxisa::runtime;

namespace {

hsa_status_t check_times(hsa_signal_t signal, const void* time) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (time == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return runtime->signals.is_signal(signal) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_SIGNAL;
}

bool gives_access(u64 attribute) {
  return attribute == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE || attribute == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE;
}

bool may_be_set(u64 attribute) {
  return (attribute <= HSA_AMD_SVM_ATTRIB_READ_MOSTLY && attribute != HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION) ||
         gives_access(attribute) || attribute == HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS;
}

}  // namespace

extern "C" {

hsa_status_t hsa_amd_coherency_get_type(hsa_agent_t agent, hsa_amd_coherency_type_t* type) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const Agent* found = runtime->machine.find_agent(agent.handle);
  if (found == nullptr || !found->is_gpu) return HSA_STATUS_ERROR_INVALID_AGENT;
  if (type == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *type = HSA_AMD_COHERENCY_TYPE_COHERENT;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_coherency_set_type(hsa_agent_t agent, hsa_amd_coherency_type_t type) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const Agent* found = runtime->machine.find_agent(agent.handle);
  if (found == nullptr || !found->is_gpu) return HSA_STATUS_ERROR_INVALID_AGENT;
  return type > HSA_AMD_COHERENCY_TYPE_NONCOHERENT ? HSA_STATUS_ERROR_INVALID_ARGUMENT : HSA_STATUS_SUCCESS;
}

// Times are always taken, so there is nothing to switch on.
hsa_status_t hsa_amd_profiling_async_copy_enable(bool) {
  return Runtime::get() == nullptr ? HSA_STATUS_ERROR_NOT_INITIALIZED : HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_profiling_get_dispatch_time(hsa_agent_t agent, hsa_signal_t signal,
                                                 hsa_amd_profiling_dispatch_time_t* time) {
  if (const auto status = check_times(signal, time); status != HSA_STATUS_SUCCESS) return status;
  const Agent* found = Runtime::get()->machine.find_agent(agent.handle);
  if (found == nullptr || !found->is_gpu) return HSA_STATUS_ERROR_INVALID_AGENT;
  time->start = signal_of(signal)->start_ts;
  time->end = signal_of(signal)->end_ts;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_profiling_get_async_copy_time(hsa_signal_t signal, hsa_amd_profiling_async_copy_time_t* time) {
  if (const auto status = check_times(signal, time); status != HSA_STATUS_SUCCESS) return status;
  time->start = signal_of(signal)->start_ts;
  time->end = signal_of(signal)->end_ts;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_profiling_convert_tick_to_system_domain(hsa_agent_t agent, uint64_t tick, uint64_t* system_tick) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const Agent* found = runtime->machine.find_agent(agent.handle);
  if (found == nullptr || !found->is_gpu) return HSA_STATUS_ERROR_INVALID_AGENT;
  if (system_tick == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *system_tick = tick;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_register_system_event_handler(hsa_amd_system_event_callback_t callback, void* data) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (callback == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  runtime->add_event_handler(callback, data);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_svm_attributes_set(void* pointer, size_t bytes, hsa_amd_svm_attribute_pair_t* attributes,
                                        size_t count) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (pointer == nullptr || bytes == 0 || (attributes == nullptr && count != 0))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  for (size_t i = 0; i < count; ++i) {
    if (!may_be_set(attributes[i].attribute)) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const bool names_agent =
        gives_access(attributes[i].attribute) || attributes[i].attribute == HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS;
    if (names_agent && runtime->machine.find_agent(attributes[i].value) == nullptr)
      return HSA_STATUS_ERROR_INVALID_AGENT;
    Allocation known;
    if (gives_access(attributes[i].attribute) && !runtime->memory.find(pointer, known))
      runtime->memory.add(pointer, bytes, AllocationKind::shared, true);
  }
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_svm_attributes_get(void* pointer, size_t bytes, hsa_amd_svm_attribute_pair_t* attributes,
                                        size_t count) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (pointer == nullptr || bytes == 0 || (attributes == nullptr && count != 0))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  Allocation known;
  const bool is_known = runtime->memory.find(pointer, known);
  for (size_t i = 0; i < count; ++i) {
    switch (attributes[i].attribute) {
      case HSA_AMD_SVM_ATTRIB_ACCESS_QUERY:
        attributes[i].attribute =
            is_known ? HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE : HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS;
        break;
      case HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG:
        attributes[i].value = HSA_AMD_SVM_GLOBAL_FLAG_FINE_GRAINED;
        break;
      case HSA_AMD_SVM_ATTRIB_READ_ONLY:
      case HSA_AMD_SVM_ATTRIB_HIVE_LOCAL:
      case HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY:
      case HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION:
      case HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION:
      case HSA_AMD_SVM_ATTRIB_READ_MOSTLY:
        attributes[i].value = 0;
        break;
      default:
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  }
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_svm_prefetch_async(void* pointer, size_t bytes, hsa_agent_t agent, uint32_t count,
                                        const hsa_signal_t* dependencies, hsa_signal_t done) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (pointer == nullptr || bytes == 0 || (dependencies == nullptr && count != 0))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (runtime->machine.find_agent(agent.handle) == nullptr) return HSA_STATUS_ERROR_INVALID_AGENT;
  if ((done.handle != 0 && !runtime->signals.is_signal(done)) || !runtime->signals.are_signals(count, dependencies))
    return HSA_STATUS_ERROR_INVALID_SIGNAL;
  // All memory is everywhere; only the order that the signals ask for is left.
  runtime->copies.add([] { return true; }, true, {dependencies, dependencies + count}, done);
  return HSA_STATUS_SUCCESS;
}

}  // extern "C"
