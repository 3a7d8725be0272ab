// The system, agents, instruction sets, caches, extensions.
#include <fmt/format.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <hsa/hsa_ext_image.h>
#include <hsa/hsa_ven_amd_loader.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "runtime/api.h"
#include "runtime/bells.h"
#include "runtime/known_attributes.h"
#include "runtime/runtime.h"

using namespace gfxisa;
using namespace gfxisa::runtime;

namespace {

struct StatusText {
  u32 status;
  const char* text;
};
constexpr StatusText status_texts[] = {
    {HSA_STATUS_SUCCESS, "HSA_STATUS_SUCCESS: it worked"},
    {HSA_STATUS_INFO_BREAK, "HSA_STATUS_INFO_BREAK: a callback ended the iteration"},
    {HSA_STATUS_ERROR, "HSA_STATUS_ERROR: an error without a code of its own"},
    {HSA_STATUS_ERROR_INVALID_ARGUMENT,
     "HSA_STATUS_ERROR_INVALID_ARGUMENT: an argument is not what the function takes"},
    {HSA_STATUS_ERROR_INVALID_QUEUE_CREATION, "HSA_STATUS_ERROR_INVALID_QUEUE_CREATION: the agent has no such queues"},
    {HSA_STATUS_ERROR_INVALID_ALLOCATION,
     "HSA_STATUS_ERROR_INVALID_ALLOCATION: no memory of this size or at this address"},
    {HSA_STATUS_ERROR_INVALID_AGENT, "HSA_STATUS_ERROR_INVALID_AGENT: no such agent"},
    {HSA_STATUS_ERROR_INVALID_REGION, "HSA_STATUS_ERROR_INVALID_REGION: no such memory region"},
    {HSA_STATUS_ERROR_INVALID_SIGNAL, "HSA_STATUS_ERROR_INVALID_SIGNAL: no such signal"},
    {HSA_STATUS_ERROR_INVALID_QUEUE, "HSA_STATUS_ERROR_INVALID_QUEUE: no such queue"},
    {HSA_STATUS_ERROR_OUT_OF_RESOURCES, "HSA_STATUS_ERROR_OUT_OF_RESOURCES: not enough memory or other resources"},
    {HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
     "HSA_STATUS_ERROR_INVALID_PACKET_FORMAT: a packet that the queue does not know"},
    {HSA_STATUS_ERROR_RESOURCE_FREE, "HSA_STATUS_ERROR_RESOURCE_FREE: something could not be given back"},
    {HSA_STATUS_ERROR_NOT_INITIALIZED, "HSA_STATUS_ERROR_NOT_INITIALIZED: hsa_init was not called"},
    {HSA_STATUS_ERROR_REFCOUNT_OVERFLOW, "HSA_STATUS_ERROR_REFCOUNT_OVERFLOW: hsa_init was called too often"},
    {HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS,
     "HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS: arguments that do not fit each other"},
    {HSA_STATUS_ERROR_INVALID_INDEX, "HSA_STATUS_ERROR_INVALID_INDEX: an index beyond the end"},
    {HSA_STATUS_ERROR_INVALID_ISA, "HSA_STATUS_ERROR_INVALID_ISA: no such instruction set"},
    {HSA_STATUS_ERROR_INVALID_ISA_NAME, "HSA_STATUS_ERROR_INVALID_ISA_NAME: no instruction set has this name"},
    {HSA_STATUS_ERROR_INVALID_CODE_OBJECT, "HSA_STATUS_ERROR_INVALID_CODE_OBJECT: not a code object"},
    {HSA_STATUS_ERROR_INVALID_EXECUTABLE, "HSA_STATUS_ERROR_INVALID_EXECUTABLE: no such executable"},
    {HSA_STATUS_ERROR_FROZEN_EXECUTABLE, "HSA_STATUS_ERROR_FROZEN_EXECUTABLE: the executable is frozen"},
    {HSA_STATUS_ERROR_INVALID_SYMBOL_NAME, "HSA_STATUS_ERROR_INVALID_SYMBOL_NAME: no symbol has this name"},
    {HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED,
     "HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED: the variable is defined already"},
    {HSA_STATUS_ERROR_VARIABLE_UNDEFINED, "HSA_STATUS_ERROR_VARIABLE_UNDEFINED: the variable is not defined"},
    {HSA_STATUS_ERROR_EXCEPTION, "HSA_STATUS_ERROR_EXCEPTION: a kernel stopped at a trap or could not go on"},
    {HSA_STATUS_ERROR_INVALID_CODE_SYMBOL, "HSA_STATUS_ERROR_INVALID_CODE_SYMBOL: no such code symbol"},
    {HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL, "HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL: no such symbol"},
    {HSA_STATUS_ERROR_INVALID_FILE, "HSA_STATUS_ERROR_INVALID_FILE: the file cannot be read"},
    {HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER, "HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER: no such reader"},
    {HSA_STATUS_ERROR_INVALID_CACHE, "HSA_STATUS_ERROR_INVALID_CACHE: no such cache"},
    {HSA_STATUS_ERROR_INVALID_WAVEFRONT, "HSA_STATUS_ERROR_INVALID_WAVEFRONT: no such wavefront"},
    {HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP, "HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP: no such signal group"},
    {HSA_STATUS_ERROR_INVALID_RUNTIME_STATE, "HSA_STATUS_ERROR_INVALID_RUNTIME_STATE: not possible now"},
    {HSA_STATUS_ERROR_FATAL, "HSA_STATUS_ERROR_FATAL: the queue cannot go on"},
    {HSA_STATUS_ERROR_INVALID_MEMORY_POOL, "HSA_STATUS_ERROR_INVALID_MEMORY_POOL: no such memory pool"},
    {HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION,
     "HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION: a kernel used an address that cannot be"},
    {HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION,
     "HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION: a kernel came to bytes that cannot be executed"},
    {HSA_STATUS_ERROR_MEMORY_FAULT, "HSA_STATUS_ERROR_MEMORY_FAULT: a kernel used memory that is not the program's"},
    {HSA_STATUS_CU_MASK_REDUCED, "HSA_STATUS_CU_MASK_REDUCED: some compute units were not available"},
};

constexpr u16 api_major = 1, api_minor = 1;

const char* extension_name(u16 extension) {
  switch (extension) {
    case HSA_EXTENSION_FINALIZER:
      return "HSA_EXTENSION_FINALIZER";
    case HSA_EXTENSION_IMAGES:
      return "HSA_EXTENSION_IMAGES";
    case HSA_EXTENSION_PERFORMANCE_COUNTERS:
      return "HSA_EXTENSION_PERFORMANCE_COUNTERS";
    case HSA_EXTENSION_PROFILING_EVENTS:
      return "HSA_EXTENSION_PROFILING_EVENTS";
    case HSA_EXTENSION_AMD_PROFILER:
      return "HSA_EXTENSION_AMD_PROFILER";
    case HSA_EXTENSION_AMD_LOADER:
      return "HSA_EXTENSION_AMD_LOADER";
    case HSA_EXTENSION_AMD_AQLPROFILE:
      return "HSA_EXTENSION_AMD_AQLPROFILE";
    default:
      return nullptr;
  }
}

/// What the runtime has: the loader's functions up to 1.3, and the table of image functions, which say that images are
/// not supported.
bool has_extension(u16 extension, u16 major, u16& minor) {
  if (major != 1) return false;
  if (extension == HSA_EXTENSION_AMD_LOADER) minor = 3;
  if (extension == HSA_EXTENSION_IMAGES) minor = 0;
  return extension == HSA_EXTENSION_AMD_LOADER || extension == HSA_EXTENSION_IMAGES;
}

constexpr hsa_ven_amd_loader_1_03_pfn_t loader_table = {
    hsa_ven_amd_loader_query_host_address,
    hsa_ven_amd_loader_query_segment_descriptors,
    hsa_ven_amd_loader_query_executable,
    hsa_ven_amd_loader_executable_iterate_loaded_code_objects,
    hsa_ven_amd_loader_loaded_code_object_get_info,
    hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size,
    hsa_ven_amd_loader_iterate_executables,
};
constexpr hsa_ext_images_1_pfn_t image_table = {
    hsa_ext_image_get_capability,
    hsa_ext_image_data_get_info,
    hsa_ext_image_create,
    hsa_ext_image_destroy,
    hsa_ext_image_copy,
    hsa_ext_image_import,
    hsa_ext_image_export,
    hsa_ext_image_clear,
    hsa_ext_sampler_create,
    hsa_ext_sampler_destroy,
    hsa_ext_image_get_capability_with_layout,
    hsa_ext_image_data_get_info_with_layout,
    hsa_ext_image_create_with_layout,
};

hsa_status_t fill_table(u16 extension, u16 major, std::size_t bytes, void* table) {
  if (Runtime::get() == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  u16 minor = 0;
  if (table == nullptr || bytes == 0 || !has_extension(extension, major, minor))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (extension == HSA_EXTENSION_AMD_LOADER)
    std::memcpy(table, &loader_table, std::min(bytes, sizeof loader_table));
  else
    std::memcpy(table, &image_table, std::min(bytes, sizeof image_table));
  return HSA_STATUS_SUCCESS;
}

/// Calls back for each; stops at what is not success.
template <class List, class F>
hsa_status_t iterate(const List& list, F callback) {
  for (const auto& entry : list) {
    if (const hsa_status_t status = callback(entry); status != HSA_STATUS_SUCCESS) return status;
  }
  return HSA_STATUS_SUCCESS;
}

/// An instruction set's handle is that of an agent that has it.
const Agent* agent_of_isa(const Runtime& runtime, hsa_isa_t isa) {
  const Agent* agent = runtime.machine.find_agent(isa.handle);
  return agent != nullptr && agent->is_gpu ? agent : nullptr;
}

}  // namespace

extern "C" {

/// Debuggers look here for loaded code; nothing is written yet.
__attribute__((visibility("default"))) char _amdgpu_r_debug[64] = {};

hsa_status_t hsa_init() { return Runtime::start(); }
hsa_status_t hsa_shut_down() { return Runtime::shut_down(); }

hsa_status_t hsa_status_string(hsa_status_t status, const char** text) {
  if (text == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  for (const StatusText& row : status_texts) {
    if (row.status != static_cast<u32>(status)) continue;
    *text = row.text;
    return HSA_STATUS_SUCCESS;
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_system_get_info(hsa_system_info_t attribute, void* value) {
  if (Runtime::get() == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (value == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  switch (static_cast<u32>(attribute)) {
    case HSA_SYSTEM_INFO_VERSION_MAJOR:
      return answer<u16>(value, api_major);
    case HSA_SYSTEM_INFO_VERSION_MINOR:
      return answer<u16>(value, api_minor);
    case HSA_SYSTEM_INFO_TIMESTAMP:
      return answer<u64>(value, now_nanoseconds());
    case HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY:
      return answer<u64>(value, 1'000'000'000);
    case HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT:
      return answer<u64>(value, ~u64{0});
    case HSA_SYSTEM_INFO_ENDIANNESS:
      return answer(value, HSA_ENDIANNESS_LITTLE);
    case HSA_SYSTEM_INFO_MACHINE_MODEL:
      return answer(value, HSA_MACHINE_MODEL_LARGE);
    case HSA_SYSTEM_INFO_EXTENSIONS: {
      std::memset(value, 0, 128);
      auto* bits = static_cast<u8*>(value);
      for (const unsigned extension : {HSA_EXTENSION_AMD_LOADER, HSA_EXTENSION_IMAGES})
        bits[extension / 8] = static_cast<u8>(bits[extension / 8] | 1u << extension % 8);
      return HSA_STATUS_SUCCESS;
    }
    case HSA_AMD_SYSTEM_INFO_BUILD_VERSION:
      return answer<const char*>(value, "gfxisa");
    case HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED:
    case HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT:
    case system_info_mwaitx:
    case system_info_dmabuf:
    case system_info_virtual_memory:
    case system_info_xnack:
      return answer(value, false);
    default:
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

hsa_status_t hsa_extension_get_name(uint16_t extension, const char** name) {
  if (Runtime::get() == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (name == nullptr || extension_name(extension) == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *name = extension_name(extension);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_system_major_extension_supported(uint16_t extension, uint16_t major, uint16_t* minor, bool* result) {
  if (Runtime::get() == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (minor == nullptr || result == nullptr || extension_name(extension) == nullptr)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *result = has_extension(extension, major, *minor);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_system_extension_supported(uint16_t extension, uint16_t major, uint16_t minor, bool* result) {
  u16 most = 0;
  const hsa_status_t status = hsa_system_major_extension_supported(extension, major, &most, result);
  if (status == HSA_STATUS_SUCCESS) *result = *result && minor <= most;
  return status;
}

hsa_status_t hsa_system_get_extension_table(uint16_t extension, uint16_t major, uint16_t minor, void* table) {
  // The table of a minor version has the functions that version had.
  constexpr std::size_t loader_functions[] = {3, 5, 6, 7};
  if (extension == HSA_EXTENSION_AMD_LOADER)
    return fill_table(extension, major, minor > 3 ? 0 : loader_functions[minor] * sizeof(void*), table);
  return fill_table(extension, major, minor != 0 ? 0 : sizeof(hsa_ext_images_1_00_pfn_t), table);
}

hsa_status_t hsa_system_get_major_extension_table(uint16_t extension, uint16_t major, size_t bytes, void* table) {
  return fill_table(extension, major, bytes, table);
}

hsa_status_t hsa_iterate_agents(hsa_status_t (*callback)(hsa_agent_t, void*), void* data) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (callback == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return iterate(runtime->machine.agents, [&](const Agent& agent) { return callback({handle_of(&agent)}, data); });
}

hsa_status_t hsa_agent_get_info(hsa_agent_t agent, hsa_agent_info_t attribute, void* value) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const Agent* found = runtime->machine.find_agent(agent.handle);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_AGENT;
  return value == nullptr ? HSA_STATUS_ERROR_INVALID_ARGUMENT : found->get_info(attribute, value);
}

hsa_status_t hsa_agent_get_exception_policies(hsa_agent_t agent, hsa_profile_t profile, uint16_t* mask) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (runtime->machine.find_agent(agent.handle) == nullptr) return HSA_STATUS_ERROR_INVALID_AGENT;
  if (mask == nullptr || profile > HSA_PROFILE_FULL) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *mask = 0;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_agent_iterate_caches(hsa_agent_t agent, hsa_status_t (*callback)(hsa_cache_t, void*), void* data) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const Agent* found = runtime->machine.find_agent(agent.handle);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_AGENT;
  if (callback == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return iterate(found->caches, [&](const Cache& cache) { return callback({handle_of(&cache)}, data); });
}

hsa_status_t hsa_cache_get_info(hsa_cache_t cache, hsa_cache_info_t attribute, void* value) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const Cache* found = runtime->machine.find_cache(cache.handle);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_CACHE;
  if (value == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  switch (attribute) {
    case HSA_CACHE_INFO_NAME_LENGTH:
      return answer<u32>(value, static_cast<u32>(found->name.size()));
    case HSA_CACHE_INFO_NAME:
      std::memcpy(value, found->name.c_str(), found->name.size() + 1);
      return HSA_STATUS_SUCCESS;
    case HSA_CACHE_INFO_LEVEL:
      return answer<u8>(value, found->level);
    case HSA_CACHE_INFO_SIZE:
      return answer<u32>(value, found->bytes);
    default:
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

hsa_status_t hsa_agent_major_extension_supported(uint16_t extension, hsa_agent_t agent, uint16_t major, uint16_t* minor,
                                                 bool* result) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const Agent* found = runtime->machine.find_agent(agent.handle);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_AGENT;
  const hsa_status_t status = hsa_system_major_extension_supported(extension, major, minor, result);
  if (status == HSA_STATUS_SUCCESS) *result = *result && found->is_gpu;
  return status;
}

hsa_status_t hsa_agent_extension_supported(uint16_t extension, hsa_agent_t agent, uint16_t major, uint16_t minor,
                                           bool* result) {
  u16 most = 0;
  const hsa_status_t status = hsa_agent_major_extension_supported(extension, agent, major, &most, result);
  if (status == HSA_STATUS_SUCCESS) *result = *result && minor <= most;
  return status;
}

hsa_status_t hsa_isa_from_name(const char* name, hsa_isa_t* isa) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (name == nullptr || isa == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  for (const Agent& agent : runtime->machine.agents) {
    if (!agent.is_gpu || agent.device.isa_name != name) continue;
    isa->handle = handle_of(&agent);
    return HSA_STATUS_SUCCESS;
  }
  return HSA_STATUS_ERROR_INVALID_ISA_NAME;
}

hsa_status_t hsa_agent_iterate_isas(hsa_agent_t agent, hsa_status_t (*callback)(hsa_isa_t, void*), void* data) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const Agent* found = runtime->machine.find_agent(agent.handle);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_AGENT;
  if (callback == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return found->is_gpu ? callback({handle_of(found)}, data) : HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_isa_get_info_alt(hsa_isa_t isa, hsa_isa_info_t attribute, void* value) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const Agent* found = agent_of_isa(*runtime, isa);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_ISA;
  return value == nullptr ? HSA_STATUS_ERROR_INVALID_ARGUMENT : found->get_isa_info(attribute, value);
}

hsa_status_t hsa_isa_get_info(hsa_isa_t isa, hsa_isa_info_t attribute, uint32_t index, void* value) {
  if (Runtime::get() != nullptr && index != 0) return HSA_STATUS_ERROR_INVALID_INDEX;
  return hsa_isa_get_info_alt(isa, attribute, value);
}

hsa_status_t hsa_isa_get_exception_policies(hsa_isa_t isa, hsa_profile_t profile, uint16_t* mask) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (agent_of_isa(*runtime, isa) == nullptr) return HSA_STATUS_ERROR_INVALID_ISA;
  if (mask == nullptr || profile > HSA_PROFILE_FULL) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *mask = 0;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_isa_get_round_method(hsa_isa_t isa, hsa_fp_type_t type, hsa_flush_mode_t flush,
                                      hsa_round_method_t* method) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (agent_of_isa(*runtime, isa) == nullptr) return HSA_STATUS_ERROR_INVALID_ISA;
  const bool is_type = type == HSA_FP_TYPE_16 || type == HSA_FP_TYPE_32 || type == HSA_FP_TYPE_64;
  const bool is_flush = flush == HSA_FLUSH_MODE_FTZ || flush == HSA_FLUSH_MODE_NON_FTZ;
  if (method == nullptr || !is_type || !is_flush) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *method = HSA_ROUND_METHOD_SINGLE;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_isa_iterate_wavefronts(hsa_isa_t isa, hsa_status_t (*callback)(hsa_wavefront_t, void*), void* data) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const Agent* found = agent_of_isa(*runtime, isa);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_ISA;
  return callback == nullptr ? HSA_STATUS_ERROR_INVALID_ARGUMENT : callback({handle_of(found)}, data);
}

hsa_status_t hsa_wavefront_get_info(hsa_wavefront_t wavefront, hsa_wavefront_info_t attribute, void* value) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const Agent* found = agent_of_isa(*runtime, {wavefront.handle});
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_WAVEFRONT;
  if (value == nullptr || attribute != HSA_WAVEFRONT_INFO_SIZE) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return answer<u32>(value, found->device.figures.wave_size);
}

hsa_status_t hsa_isa_compatible(hsa_isa_t code, hsa_isa_t device, bool* result) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const Agent* a = agent_of_isa(*runtime, code);
  const Agent* b = agent_of_isa(*runtime, device);
  if (a == nullptr || b == nullptr) return HSA_STATUS_ERROR_INVALID_ISA;
  if (result == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *result = a->device.isa_name == b->device.isa_name;
  return HSA_STATUS_SUCCESS;
}

}  // extern "C"
