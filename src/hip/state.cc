#include "hip/state.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace gfxisa::hip {
namespace {

template <class T>
T agent_info(hsa_agent_t agent, unsigned attribute) {
  T value{};
  hsa_agent_get_info(agent, static_cast<hsa_agent_info_t>(attribute), &value);
  return value;
}

/// The numbers in gfx90a: major 9, minor 0, stepping a.
void set_version(hipDeviceProp_t& properties, std::string_view target) {
  if (target.size() < 6) return;
  const auto digits = target.substr(3);
  properties.major = std::atoi(std::string(digits.substr(0, digits.size() - 2)).c_str());
  properties.minor = digits[digits.size() - 2] - '0';
  properties.gcnArch = std::atoi(std::string(digits).c_str());
}

void set_properties(Device& device) {
  hipDeviceProp_t& p = device.properties;
  const hsa_agent_t agent = device.agent;
  hsa_agent_get_info(agent, static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_PRODUCT_NAME), p.name);
  std::snprintf(p.gcnArchName, sizeof p.gcnArchName, "%s", device.target_id.c_str());
  set_version(p, std::string_view(device.target_id).substr(0, device.target_id.find(':')));
  std::size_t bytes = 0;
  hsa_amd_memory_pool_get_info(device.memory, HSA_AMD_MEMORY_POOL_INFO_SIZE, &bytes);
  p.totalGlobalMem = p.totalConstMem = bytes;
  p.regsPerBlock = 65536;
  p.warpSize = static_cast<int>(agent_info<u32>(agent, HSA_AGENT_INFO_WAVEFRONT_SIZE));
  p.maxThreadsPerBlock = 1024;
  for (int& most : p.maxThreadsDim) most = 1024;
  for (int& most : p.maxGridSize) most = 0x7fffffff;
  p.clockRate = static_cast<int>(agent_info<u32>(agent, HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY)) * 1000;
  p.memoryClockRate = static_cast<int>(agent_info<u32>(agent, HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY)) * 1000;
  p.memoryBusWidth = static_cast<int>(agent_info<u32>(agent, HSA_AMD_AGENT_INFO_MEMORY_WIDTH));
  p.multiProcessorCount = static_cast<int>(agent_info<u32>(agent, HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT));
  const auto caches = agent_info<std::array<u32, 4>>(agent, HSA_AGENT_INFO_CACHE_SIZE);
  p.l2CacheSize = static_cast<int>(caches[1]);
  const auto waves = agent_info<u32>(agent, HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU);
  p.maxThreadsPerMultiProcessor = static_cast<int>(waves) * p.warpSize;
  p.clockInstructionRate = 100000;
  p.concurrentKernels = p.cooperativeLaunch = p.cooperativeMultiDeviceLaunch = 1;
  const auto place = agent_info<u32>(agent, HSA_AMD_AGENT_INFO_BDFID);
  p.pciBusID = static_cast<int>(place >> 8);
  p.canMapHostMemory = p.managedMemory = p.directManagedMemAccessFromHost = 1;
  p.memPitch = 0x7fffffff;
  p.textureAlignment = p.texturePitchAlignment = 256;
  p.isLargeBar = 1;
  p.arch.hasGlobalInt32Atomics = p.arch.hasSharedInt32Atomics = p.arch.hasGlobalInt64Atomics = 1;
  p.arch.hasDoubles = p.arch.hasWarpVote = p.arch.hasWarpBallot = p.arch.hasWarpShuffle = 1;
  p.arch.hasThreadFenceSystem = p.arch.has3dGrid = p.arch.hasFloatAtomicAdd = 1;
}

hsa_status_t take_pools(hsa_agent_t agent, std::vector<std::pair<u32, hsa_amd_memory_pool_t>>& pools,
                        std::size_t& lds) {
  struct Data {
    std::vector<std::pair<u32, hsa_amd_memory_pool_t>>& pools;
    std::size_t& lds;
  } data{pools, lds};
  const auto take = [](hsa_amd_memory_pool_t pool, void* argument) {
    auto& data = *static_cast<Data*>(argument);
    hsa_amd_segment_t segment{};
    u32 flags = 0;
    hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment);
    hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
    if (segment == HSA_AMD_SEGMENT_GLOBAL) data.pools.emplace_back(flags, pool);
    if (segment == HSA_AMD_SEGMENT_GROUP) hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, &data.lds);
    return HSA_STATUS_SUCCESS;
  };
  return hsa_amd_agent_iterate_memory_pools(agent, take, &data);
}

hsa_amd_memory_pool_t pool_with(const std::vector<std::pair<u32, hsa_amd_memory_pool_t>>& pools, u32 flag) {
  for (const auto& [flags, pool] : pools) {
    if ((flags & flag) != 0) return pool;
  }
  return {};
}

std::string target_id_of(hsa_agent_t agent) {
  std::string name;
  const auto take = [](hsa_isa_t isa, void* out) {
    char text[256] = {};
    hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, text);
    *static_cast<std::string*>(out) = text;
    return HSA_STATUS_SUCCESS;
  };
  hsa_agent_iterate_isas(agent, take, &name);
  const std::size_t at = name.rfind("--");
  return at == std::string::npos ? name : name.substr(at + 2);
}

hsa_status_t take_agent(hsa_agent_t agent, void* data) {
  auto& state = *static_cast<State*>(data);
  std::vector<std::pair<u32, hsa_amd_memory_pool_t>> pools;
  std::size_t lds = 0;
  take_pools(agent, pools, lds);
  if (agent_info<hsa_device_type_t>(agent, HSA_AGENT_INFO_DEVICE) == HSA_DEVICE_TYPE_CPU) {
    state.host = agent;
    state.host_memory = pool_with(pools, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED);
    state.kernarg_memory = pool_with(pools, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT);
    return HSA_STATUS_SUCCESS;
  }
  Device& device = state.devices.emplace_back();
  device.agent = agent;
  device.memory = pool_with(pools, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED);
  device.shared_memory = pool_with(pools, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED);
  device.target_id = target_id_of(agent);
  device.properties.sharedMemPerBlock = device.properties.maxSharedMemoryPerMultiProcessor = lds;
  set_properties(device);
  return HSA_STATUS_SUCCESS;
}

thread_local hipError_t last_error = hipSuccess;

}  // namespace

thread_local int current_device = 0;

hipError_t set_last(hipError_t error) {
  if (error != hipSuccess) last_error = error;
  return error;
}

hipError_t from_status(hsa_status_t status) {
  switch (static_cast<unsigned>(status)) {
    case HSA_STATUS_SUCCESS:
      return hipSuccess;
    case HSA_STATUS_ERROR_OUT_OF_RESOURCES:
    case HSA_STATUS_ERROR_INVALID_ALLOCATION:
      return hipErrorOutOfMemory;
    case HSA_STATUS_ERROR_INVALID_CODE_OBJECT:
      return hipErrorInvalidImage;
    case HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS:
      return hipErrorNoBinaryForGpu;
    case HSA_STATUS_ERROR_MEMORY_FAULT:
    case HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION:
      return hipErrorIllegalAddress;
    case HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION:
    case HSA_STATUS_ERROR_EXCEPTION:
      return hipErrorLaunchFailure;
    default:
      return hipErrorInvalidValue;
  }
}

State& State::get() {
  // Never destroyed: programs call while the process exits.
  static State& state = *new State;
  return state;
}

hipError_t State::start() {
  const std::lock_guard lock(mutex_);
  if (is_started_) return start_error_;
  is_started_ = true;
  if (hsa_init() != HSA_STATUS_SUCCESS) return start_error_ = hipErrorNotInitialized;
  hsa_iterate_agents(take_agent, this);
  if (devices.empty()) start_error_ = hipErrorNoDevice;
  return start_error_;
}

std::shared_ptr<Stream> State::default_stream(int device) {
  const std::lock_guard lock(mutex_);
  auto& stream = default_streams_[device];
  if (stream == nullptr) stream = std::make_shared<Stream>(device, hipStreamDefault, true);
  return stream;
}

std::shared_ptr<Stream> State::stream_of(hipStream_t handle) {
  if (handle == nullptr || handle == hipStreamPerThread) return default_stream(current_device);
  const std::lock_guard lock(mutex_);
  const auto found = streams_.find(handle);
  return found == streams_.end() ? nullptr : found->second;
}

std::shared_ptr<Stream> State::started_stream(hipStream_t handle, hipError_t& error) {
  error = start();
  if (error != hipSuccess) return nullptr;
  auto stream = stream_of(handle);
  if (stream == nullptr) error = hipErrorContextIsDestroyed;
  return stream;
}

hipStream_t State::add_stream(int device, unsigned flags) {
  auto stream = std::make_shared<Stream>(device, flags, false);
  auto* const handle = reinterpret_cast<hipStream_t>(stream.get());
  const std::lock_guard lock(mutex_);
  streams_.emplace(handle, std::move(stream));
  return handle;
}

bool State::remove_stream(hipStream_t handle) {
  std::shared_ptr<Stream> stream;
  {
    const std::lock_guard lock(mutex_);
    const auto found = streams_.find(handle);
    if (found == streams_.end()) return false;
    stream = std::move(found->second);
    streams_.erase(found);
  }
  stream->wait_for_all();
  return true;
}

std::vector<std::shared_ptr<Stream>> State::streams_of(int device) {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Stream>> all;
  for (const auto& [handle, stream] : streams_) {
    if (stream->device() == device) all.push_back(stream);
  }
  if (const auto found = default_streams_.find(device); found != default_streams_.end()) all.push_back(found->second);
  return all;
}

}  // namespace gfxisa::hip

extern "C" {

hipError_t hipGetLastError() { return std::exchange(gfxisa::hip::last_error, hipSuccess); }
hipError_t hipPeekAtLastError() { return gfxisa::hip::last_error; }

}  // extern "C"
