// Memory: pools, regions, locking, copies, what is known of a pointer.
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#include <algorithm>
#include <cstring>

#include "runtime/api.h"
#include "runtime/known_attributes.h"
#include "runtime/runtime.h"

using namespace gfxisa;
using namespace gfxisa::runtime;

namespace {

constexpr u64 small_copy_bytes = 65536;

/// Kinds of memory that the older interface calls regions: as pools, and an agent sees the host's too.
hsa_status_t region_info(const Pool& pool, u32 attribute, void* value) {
  switch (attribute) {
    case HSA_REGION_INFO_SEGMENT:
      return answer(value, static_cast<hsa_region_segment_t>(pool.segment));
    case HSA_REGION_INFO_GLOBAL_FLAGS:
      return answer<u32>(value, pool.flags);
    case HSA_REGION_INFO_SIZE:
      return answer<size_t>(value, pool.bytes);
    case HSA_REGION_INFO_ALLOC_MAX_SIZE:
      return answer<size_t>(value, pool.is_global() ? pool.bytes : 0);
    case HSA_REGION_INFO_ALLOC_MAX_PRIVATE_WORKGROUP_SIZE:
      return answer<u32>(value, 0);
    case HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED:
      return answer(value, pool.is_global());
    case HSA_REGION_INFO_RUNTIME_ALLOC_GRANULE:
    case HSA_REGION_INFO_RUNTIME_ALLOC_ALIGNMENT:
      return answer<size_t>(value, pool.is_global() ? page_bytes : 0);
    case HSA_AMD_REGION_INFO_HOST_ACCESSIBLE:
      return answer(value, pool.is_global());
    case HSA_AMD_REGION_INFO_BASE:
      return answer<void*>(value, nullptr);
    case HSA_AMD_REGION_INFO_BUS_WIDTH:
      return answer<u32>(value, pool.agent->device.figures.memory_bits);
    case HSA_AMD_REGION_INFO_MAX_CLOCK_FREQUENCY:
      return answer<u32>(value, pool.agent->device.figures.memory_clock);
    default:
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

hsa_status_t pool_info(const Pool& pool, u32 attribute, void* value) {
  switch (attribute) {
    case HSA_AMD_MEMORY_POOL_INFO_SEGMENT:
      return answer(value, pool.segment);
    case HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS:
      return answer<u32>(value, pool.flags);
    case HSA_AMD_MEMORY_POOL_INFO_SIZE:
      return answer<size_t>(value, pool.bytes);
    case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED:
      return answer(value, pool.is_global());
    case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE:
    case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT:
    case pool_info_recommended_granule:
      return answer<size_t>(value, pool.is_global() ? page_bytes : 0);
    case HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL:
      return answer(value, pool.is_global());
    case HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE:
      return answer<size_t>(value, pool.is_global() ? pool.bytes : 0);
    case pool_info_location:
      return answer<u32>(value, pool.agent->is_gpu ? 1 : 0);
    default:
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

hsa_status_t allocate(Runtime& runtime, const Pool& pool, size_t bytes, void** pointer) {
  if (pointer == nullptr || bytes == 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (!pool.is_global() || bytes > pool.bytes) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  *pointer = runtime.memory.allocate(pool, bytes, pool.agent);
  return *pointer != nullptr ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

hsa_status_t lock(void* host, size_t bytes, hsa_agent_t* agents, int count, const Pool* pool, void** agent_pointer) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (host == nullptr || bytes == 0 || agent_pointer == nullptr || (agents != nullptr) != (count > 0))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  for (int i = 0; i < count; ++i) {
    if (runtime->machine.find_agent(agents[i].handle) == nullptr) return HSA_STATUS_ERROR_INVALID_AGENT;
  }
  Allocation known;
  const bool is_ours = runtime->memory.find(host, known) && known.kind == AllocationKind::pool;
  if (is_ours) {
    *agent_pointer = host;
    return HSA_STATUS_SUCCESS;
  }
  if (!runtime->memory.add(host, bytes, AllocationKind::locked, true, pool)) return HSA_STATUS_ERROR;
  *agent_pointer = reinterpret_cast<void*>(reinterpret_cast<u64>(host) | alias_bit);
  return HSA_STATUS_SUCCESS;
}

/// A box of bytes within pitched memory.
struct Rectangle {
  u8* base;
  u64 pitch, slice;
  u8* row(u32 y, u32 z) const { return base + y * pitch + z * slice; }
};

Rectangle rectangle(const hsa_pitched_ptr_t& memory, const hsa_dim3_t& offset) {
  return {host_address(memory.base) + offset.x + offset.y * memory.pitch + offset.z * memory.slice, memory.pitch,
          memory.slice};
}

hsa_status_t check_copy(const Runtime& runtime, uint32_t count, const hsa_signal_t* dependencies, hsa_signal_t done) {
  if (count != 0 && dependencies == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (done.handle == 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (!runtime.signals.is_signal(done) || !runtime.signals.are_signals(count, dependencies))
    return HSA_STATUS_ERROR_INVALID_SIGNAL;
  return HSA_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

// ------------------------------------------------------------------------------------------- regions

hsa_status_t hsa_region_get_info(hsa_region_t region, hsa_region_info_t attribute, void* value) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const Pool* pool = runtime->machine.find_pool(region.handle);
  if (pool == nullptr) return HSA_STATUS_ERROR_INVALID_REGION;
  return value == nullptr ? HSA_STATUS_ERROR_INVALID_ARGUMENT : region_info(*pool, attribute, value);
}

hsa_status_t hsa_agent_iterate_regions(hsa_agent_t agent, hsa_status_t (*callback)(hsa_region_t, void*), void* data) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const Agent* found = runtime->machine.find_agent(agent.handle);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_AGENT;
  if (callback == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  for (const Agent* owner : {found, &runtime->machine.agents.front()}) {
    for (const Pool& pool : owner->pools) {
      if (const auto status = callback({handle_of(&pool)}, data); status != HSA_STATUS_SUCCESS) return status;
    }
    if (!found->is_gpu) break;
  }
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_memory_allocate(hsa_region_t region, size_t bytes, void** pointer) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const Pool* pool = runtime->machine.find_pool(region.handle);
  return pool == nullptr ? HSA_STATUS_ERROR_INVALID_REGION : allocate(*runtime, *pool, bytes, pointer);
}

hsa_status_t hsa_memory_free(void* pointer) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (pointer == nullptr) return HSA_STATUS_SUCCESS;
  return runtime->memory.release(pointer) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

hsa_status_t hsa_memory_copy(void* to, const void* from, size_t bytes) {
  if (Runtime::get() == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (to == nullptr || from == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return copy_memory(host_address(to), host_address(from), bytes) ? HSA_STATUS_SUCCESS
                                                                  : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_memory_assign_agent(void* pointer, hsa_agent_t agent, hsa_access_permission_t access) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (pointer == nullptr || access < HSA_ACCESS_PERMISSION_RO || access > HSA_ACCESS_PERMISSION_RW)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return runtime->machine.find_agent(agent.handle) == nullptr ? HSA_STATUS_ERROR_INVALID_AGENT : HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_memory_register(void* pointer, size_t bytes) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (pointer == nullptr && bytes != 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (bytes == 0) return HSA_STATUS_SUCCESS;
  return runtime->memory.add(pointer, bytes, AllocationKind::locked, true) ? HSA_STATUS_SUCCESS
                                                                           : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_memory_deregister(void* pointer, size_t) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  runtime->memory.remove(pointer, AllocationKind::locked);
  return HSA_STATUS_SUCCESS;
}

// ------------------------------------------------------------------------------------------- pools

hsa_status_t hsa_amd_memory_pool_get_info(hsa_amd_memory_pool_t pool, hsa_amd_memory_pool_info_t attribute,
                                          void* value) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const Pool* found = runtime->machine.find_pool(pool.handle);
  if (found == nullptr) return static_cast<hsa_status_t>(HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
  return value == nullptr ? HSA_STATUS_ERROR_INVALID_ARGUMENT : pool_info(*found, attribute, value);
}

hsa_status_t hsa_amd_agent_iterate_memory_pools(hsa_agent_t agent,
                                                hsa_status_t (*callback)(hsa_amd_memory_pool_t, void*), void* data) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const Agent* found = runtime->machine.find_agent(agent.handle);
  if (found == nullptr) return HSA_STATUS_ERROR_INVALID_AGENT;
  if (callback == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  for (const Pool& pool : found->pools) {
    if (const auto status = callback({handle_of(&pool)}, data); status != HSA_STATUS_SUCCESS) return status;
  }
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_pool_allocate(hsa_amd_memory_pool_t pool, size_t bytes, uint32_t, void** pointer) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const Pool* found = runtime->machine.find_pool(pool.handle);
  return found == nullptr ? static_cast<hsa_status_t>(HSA_STATUS_ERROR_INVALID_MEMORY_POOL)
                          : allocate(*runtime, *found, bytes, pointer);
}

hsa_status_t hsa_amd_memory_pool_free(void* pointer) { return hsa_memory_free(pointer); }

hsa_status_t hsa_amd_agent_memory_pool_get_info(hsa_agent_t agent, hsa_amd_memory_pool_t pool,
                                                hsa_amd_agent_memory_pool_info_t attribute, void* value) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const Agent* from = runtime->machine.find_agent(agent.handle);
  if (from == nullptr) return HSA_STATUS_ERROR_INVALID_AGENT;
  const Pool* found = runtime->machine.find_pool(pool.handle);
  if (found == nullptr) return static_cast<hsa_status_t>(HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
  if (value == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const bool is_own = found->agent == from;
  switch (attribute) {
    case HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS:
      if (!found->is_global()) return answer(value, HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED);
      return answer(value, is_own || !from->is_gpu ? HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT
                                                   : HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT);
    case HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS:
      return answer<u32>(value, is_own || !found->is_global() ? 0 : 1);
    case HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO: {
      if (is_own || !found->is_global()) return HSA_STATUS_SUCCESS;
      hsa_amd_memory_pool_link_info_t link{};
      link.atomic_support_32bit = link.atomic_support_64bit = link.coherent_support = true;
      link.link_type = HSA_AMD_LINK_INFO_TYPE_PCIE;
      link.numa_distance = 20;
      return answer(value, link);
    }
    default:
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

hsa_status_t hsa_amd_agents_allow_access(uint32_t count, const hsa_agent_t* agents, const uint32_t* flags,
                                         const void* pointer) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (count == 0 || agents == nullptr || flags != nullptr || pointer == nullptr)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  std::vector<const Agent*> allowed;
  for (uint32_t i = 0; i < count; ++i) {
    allowed.push_back(runtime->machine.find_agent(agents[i].handle));
    if (allowed.back() == nullptr) return HSA_STATUS_ERROR_INVALID_AGENT;
  }
  const bool is_known = runtime->memory.change(pointer, [&](Allocation& allocation) { allocation.access = allowed; });
  return is_known ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

hsa_status_t hsa_amd_memory_pool_can_migrate(hsa_amd_memory_pool_t from, hsa_amd_memory_pool_t to, bool* result) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (runtime->machine.find_pool(from.handle) == nullptr || runtime->machine.find_pool(to.handle) == nullptr)
    return static_cast<hsa_status_t>(HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
  if (result == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *result = false;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_migrate(const void* pointer, hsa_amd_memory_pool_t pool, uint32_t flags) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (runtime->machine.find_pool(pool.handle) == nullptr)
    return static_cast<hsa_status_t>(HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
  return pointer == nullptr || flags != 0 ? HSA_STATUS_ERROR_INVALID_ARGUMENT : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

// ------------------------------------------------------------------------------------------- locking

hsa_status_t hsa_amd_memory_lock(void* host, size_t bytes, hsa_agent_t* agents, int count, void** agent_pointer) {
  return lock(host, bytes, agents, count, nullptr, agent_pointer);
}

hsa_status_t hsa_amd_memory_lock_to_pool(void* host, size_t bytes, hsa_agent_t* agents, int count,
                                         hsa_amd_memory_pool_t pool, uint32_t flags, void** agent_pointer) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  const Pool* found = runtime->machine.find_pool(pool.handle);
  if (found == nullptr || found->agent->is_gpu) return static_cast<hsa_status_t>(HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
  return flags != 0 ? HSA_STATUS_ERROR_INVALID_ARGUMENT : lock(host, bytes, agents, count, found, agent_pointer);
}

hsa_status_t hsa_amd_memory_unlock(void* host) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  runtime->memory.remove(host_address(host), AllocationKind::locked);
  return HSA_STATUS_SUCCESS;
}

// ------------------------------------------------------------------------------------------- copies

hsa_status_t hsa_amd_memory_fill(void* pointer, uint32_t value, size_t count) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  u8* start = host_address(pointer);
  if (pointer == nullptr || reinterpret_cast<u64>(start) % 4 != 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (count == 0) return HSA_STATUS_SUCCESS;
  Allocation known;
  if (!runtime->memory.find(pointer, known) || count > (known.end() - reinterpret_cast<u64>(start)) / 4)
    return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  std::fill_n(reinterpret_cast<u32*>(start), count, value);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_async_copy(void* to, hsa_agent_t to_agent, const void* from, hsa_agent_t from_agent,
                                       size_t bytes, uint32_t count, const hsa_signal_t* dependencies,
                                       hsa_signal_t done) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (to == nullptr || from == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (runtime->machine.find_agent(to_agent.handle) == nullptr ||
      runtime->machine.find_agent(from_agent.handle) == nullptr)
    return HSA_STATUS_ERROR_INVALID_AGENT;
  if (const auto status = check_copy(*runtime, count, dependencies, done); status != HSA_STATUS_SUCCESS) return status;
  if (bytes == 0) return HSA_STATUS_SUCCESS;
  runtime->copies.add([=] { return copy_memory(host_address(to), host_address(from), bytes); },
                      bytes <= small_copy_bytes, {dependencies, dependencies + count}, done);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_async_copy_rect(const hsa_pitched_ptr_t* to, const hsa_dim3_t* to_offset,
                                            const hsa_pitched_ptr_t* from, const hsa_dim3_t* from_offset,
                                            const hsa_dim3_t* range, hsa_agent_t copy_agent, hsa_amd_copy_direction_t,
                                            uint32_t count, const hsa_signal_t* dependencies, hsa_signal_t done) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (to == nullptr || to_offset == nullptr || from == nullptr || from_offset == nullptr || range == nullptr)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const Agent* agent = runtime->machine.find_agent(copy_agent.handle);
  if (agent == nullptr || !agent->is_gpu) return HSA_STATUS_ERROR_INVALID_AGENT;
  if (const auto status = check_copy(*runtime, count, dependencies, done); status != HSA_STATUS_SUCCESS) return status;
  const Rectangle target = rectangle(*to, *to_offset), source = rectangle(*from, *from_offset);
  const hsa_dim3_t size = *range;
  const auto work = [=] {
    for (u32 z = 0; z < size.z; ++z) {
      for (u32 y = 0; y < size.y; ++y) {
        if (!copy_memory(target.row(y, z), source.row(y, z), size.x)) return false;
      }
    }
    return true;
  };
  const u64 bytes = u64{size.x} * size.y * size.z;
  runtime->copies.add(work, bytes <= small_copy_bytes, {dependencies, dependencies + count}, done);
  return HSA_STATUS_SUCCESS;
}

// ------------------------------------------------------------------------------------------- pointers

hsa_status_t hsa_amd_pointer_info(const void* pointer, hsa_amd_pointer_info_t* info, void* (*allocate)(size_t),
                                  uint32_t* count, hsa_agent_t** accessible) {
  const Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (pointer == nullptr || info == nullptr || info->size == 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const bool wants_agents = allocate != nullptr && count != nullptr && accessible != nullptr;
  hsa_amd_pointer_info_t out{};
  out.size = std::min<uint32_t>(info->size, sizeof out);
  Allocation known;
  std::vector<const Agent*> agents;
  if (runtime->memory.find(pointer, known) && known.kind != AllocationKind::internal) {
    const bool is_locked = known.kind == AllocationKind::locked;
    out.type = is_locked ? HSA_EXT_POINTER_TYPE_LOCKED : HSA_EXT_POINTER_TYPE_HSA;
    out.hostBaseAddress = reinterpret_cast<void*>(known.start);
    out.agentBaseAddress = reinterpret_cast<void*>(is_locked ? known.start | alias_bit : known.start);
    out.sizeInBytes = known.bytes;
    out.userData = known.user_data;
    const Agent& owner = known.pool != nullptr ? *known.pool->agent : runtime->machine.agents.front();
    out.agentOwner = {handle_of(&owner)};
    out.global_flags = known.pool != nullptr ? known.pool->flags : u32{HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED};
    agents = known.access;
    if (agents.empty()) {
      for (const Agent& agent : runtime->machine.agents) agents.push_back(&agent);
    }
  }
  std::memcpy(info, &out, out.size);
  if (!wants_agents) return HSA_STATUS_SUCCESS;
  *count = static_cast<uint32_t>(agents.size());
  *accessible = nullptr;
  if (agents.empty()) return HSA_STATUS_SUCCESS;
  *accessible = static_cast<hsa_agent_t*>(allocate(agents.size() * sizeof(hsa_agent_t)));
  if (*accessible == nullptr) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  for (std::size_t i = 0; i < agents.size(); ++i) (*accessible)[i] = {handle_of(agents[i])};
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_pointer_info_set_userdata(const void* pointer, void* data) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (pointer == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  return runtime->memory.change(pointer, [&](Allocation& allocation) { allocation.user_data = data; })
             ? HSA_STATUS_SUCCESS
             : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t hsa_amd_register_deallocation_callback(void* pointer, hsa_amd_deallocation_callback_t callback,
                                                    void* data) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  if (pointer == nullptr || callback == nullptr) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const auto add = [&](Allocation& allocation) { allocation.callbacks.push_back({callback, data}); };
  return runtime->memory.change(pointer, add) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

hsa_status_t hsa_amd_deregister_deallocation_callback(void* pointer, hsa_amd_deallocation_callback_t callback) {
  Runtime* runtime = Runtime::get();
  if (runtime == nullptr) return HSA_STATUS_ERROR_NOT_INITIALIZED;
  std::size_t removed = 0;
  runtime->memory.change(pointer, [&](Allocation& allocation) {
    removed = std::erase_if(allocation.callbacks, [&](const auto& entry) { return entry.function == callback; });
  });
  return removed != 0 ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

}  // extern "C"
