#include "runtime/agents.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

#include "runtime/known_attributes.h"

namespace gfxisa::runtime {
namespace {

constexpr u64 gib = u64{1} << 30;

u64 host_memory_bytes() { return static_cast<u64>(sysconf(_SC_PHYS_PAGES)) * static_cast<u64>(sysconf(_SC_PAGESIZE)); }

std::string host_processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (const auto colon = line.find(": "); line.starts_with("model name") && colon != std::string::npos)
      return line.substr(colon + 2);
  }
  return "CPU";
}

u64 environment_number(const char* name, u64 otherwise) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == '\0') return otherwise;
  char* end = nullptr;
  const u64 value = std::strtoull(text, &end, 10);
  return *end == '\0' ? value : otherwise;
}

Pool& add_pool(Agent& agent, hsa_amd_segment_t segment, u32 flags, u64 bytes) {
  Pool& pool = agent.pools.emplace_back();
  pool.agent = &agent;
  pool.segment = segment;
  pool.flags = flags;
  pool.bytes = bytes;
  return pool;
}

void add_cpu(Machine& machine) {
  Agent& cpu = machine.agents.emplace_back();
  cpu.name = cpu.product = host_processor_name();
  cpu.compute_units = std::max(1u, std::thread::hardware_concurrency());
  cpu.clock = 2000;
  const u64 bytes = host_memory_bytes();
  const Pool& fine = add_pool(cpu, HSA_AMD_SEGMENT_GLOBAL, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED, bytes);
  add_pool(cpu, HSA_AMD_SEGMENT_GLOBAL,
           HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED | HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT, bytes)
      .shares_with = &fine;
  add_pool(cpu, HSA_AMD_SEGMENT_GLOBAL, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED, bytes).shares_with = &fine;
  cpu.caches.push_back({"L1", 1, 32 * 1024});
}

void add_gpu(Machine& machine, const Device& device) {
  Agent& gpu = machine.agents.emplace_back();
  const DeviceFigures& figures = device.figures;
  gpu.is_gpu = true;
  gpu.node = static_cast<u32>(machine.agents.size() - 1);
  gpu.name = device.target;
  gpu.product = figures.product;
  gpu.device = device;
  gpu.compute_units = figures.compute_units;
  gpu.clock = figures.clock;
  // Memory is the host's, so there is no more of it than the host has.
  const u64 host_bytes = std::max(host_memory_bytes() / gib, u64{1}) * gib;
  const u64 bytes = environment_number("GFXISA_MEMORY_MIB", std::min(figures.memory_bytes, host_bytes) >> 20) << 20;
  const Pool& coarse = add_pool(gpu, HSA_AMD_SEGMENT_GLOBAL, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED, bytes);
  add_pool(gpu, HSA_AMD_SEGMENT_GLOBAL, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED, bytes).shares_with = &coarse;
  add_pool(gpu, HSA_AMD_SEGMENT_GROUP, 0, figures.lds_bytes);
  gpu.caches.push_back({"L1", 1, figures.l1_bytes});
  gpu.caches.push_back({"L2", 2, figures.l2_bytes});
  if (figures.l3_bytes != 0) gpu.caches.push_back({"L3", 3, figures.l3_bytes});
}

/// Text of a fixed size, rest zero.
hsa_status_t answer_text(void* out, const std::string& text, std::size_t bytes) {
  std::memset(out, 0, bytes);
  std::memcpy(out, text.data(), std::min(text.size(), bytes - 1));
  return HSA_STATUS_SUCCESS;
}

template <class T, std::size_t N>
hsa_status_t answer_array(void* out, const std::array<T, N>& values) {
  std::memcpy(out, values.data(), sizeof values);
  return HSA_STATUS_SUCCESS;
}

/// Limits of images, as the hardware has them; programs ask for them before they decide about images.
hsa_status_t get_image_info(u32 attribute, void* value) {
  constexpr u32 most = 16384, layers = 8192;
  switch (attribute) {
    case HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS:
    case HSA_EXT_AGENT_INFO_IMAGE_1DA_MAX_ELEMENTS:
      return answer<u32>(value, most);
    case HSA_EXT_AGENT_INFO_IMAGE_1DB_MAX_ELEMENTS:
      return answer<u32>(value, 0xffffffff);
    case HSA_EXT_AGENT_INFO_IMAGE_2D_MAX_ELEMENTS:
    case HSA_EXT_AGENT_INFO_IMAGE_2DA_MAX_ELEMENTS:
    case HSA_EXT_AGENT_INFO_IMAGE_2DDEPTH_MAX_ELEMENTS:
    case HSA_EXT_AGENT_INFO_IMAGE_2DADEPTH_MAX_ELEMENTS:
      return answer_array(value, std::array<u32, 2>{most, most});
    case HSA_EXT_AGENT_INFO_IMAGE_3D_MAX_ELEMENTS:
      return answer_array(value, std::array<u32, 3>{most, most, layers});
    case HSA_EXT_AGENT_INFO_IMAGE_ARRAY_MAX_LAYERS:
      return answer<u32>(value, layers);
    case HSA_EXT_AGENT_INFO_MAX_IMAGE_RD_HANDLES:
    case HSA_EXT_AGENT_INFO_MAX_IMAGE_RORW_HANDLES:
    case HSA_EXT_AGENT_INFO_MAX_SAMPLER_HANDLERS:
      return answer<u32>(value, 128);
    case HSA_EXT_AGENT_INFO_IMAGE_LINEAR_ROW_PITCH_ALIGNMENT:
      return answer<u32>(value, 256);
    default:
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

constexpr u32 max_queues = 128, min_packets = 64, max_packets = 131072;
constexpr u32 max_workgroup = 1024;
constexpr hsa_dim3_t max_grid{0xffffffff, 0xffffffff, 0xffffffff};

}  // namespace

hsa_status_t Agent::get_info(u32 attribute, void* value) const {
  switch (attribute) {
    case HSA_AGENT_INFO_NAME:
      return answer_text(value, name, 64);
    case HSA_AGENT_INFO_VENDOR_NAME:
      return answer_text(value, is_gpu ? "AMD" : "CPU", 64);
    case HSA_AGENT_INFO_FEATURE:
      return answer<u32>(value, is_gpu ? HSA_AGENT_FEATURE_KERNEL_DISPATCH : 0);
    case HSA_AGENT_INFO_MACHINE_MODEL:
      return answer(value, HSA_MACHINE_MODEL_LARGE);
    case HSA_AGENT_INFO_PROFILE:
      return answer(value, is_gpu ? HSA_PROFILE_BASE : HSA_PROFILE_FULL);
    case HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
      return answer(value, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR);
    case HSA_AGENT_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES:
      return answer<u32>(value, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR);
    case HSA_AGENT_INFO_FAST_F16_OPERATION:
      return answer(value, is_gpu);
    case HSA_AGENT_INFO_WAVEFRONT_SIZE:
      return answer<u32>(value, is_gpu ? device.figures.wave_size : 0);
    case HSA_AGENT_INFO_WORKGROUP_MAX_DIM: {
      const u16 most = is_gpu ? max_workgroup : 0;
      return answer_array(value, std::array<u16, 3>{most, most, most});
    }
    case HSA_AGENT_INFO_WORKGROUP_MAX_SIZE:
      return answer<u32>(value, is_gpu ? max_workgroup : 0);
    case HSA_AGENT_INFO_GRID_MAX_DIM:
      return answer(value, is_gpu ? max_grid : hsa_dim3_t{0, 0, 0});
    case HSA_AGENT_INFO_GRID_MAX_SIZE:
      return answer<u32>(value, is_gpu ? 0xffffffffu : 0);
    case HSA_AGENT_INFO_FBARRIER_MAX_SIZE:
      return answer<u32>(value, is_gpu ? 32 : 0);
    case HSA_AGENT_INFO_QUEUES_MAX:
      return answer<u32>(value, is_gpu ? max_queues : 0);
    case HSA_AGENT_INFO_QUEUE_MIN_SIZE:
      return answer<u32>(value, is_gpu ? min_packets : 0);
    case HSA_AGENT_INFO_QUEUE_MAX_SIZE:
      return answer<u32>(value, is_gpu ? max_packets : 0);
    case HSA_AGENT_INFO_QUEUE_TYPE:
      return answer<u32>(value, HSA_QUEUE_TYPE_MULTI);
    case HSA_AGENT_INFO_NODE:
      return answer<u32>(value, node);
    case HSA_AGENT_INFO_DEVICE:
      return answer(value, is_gpu ? HSA_DEVICE_TYPE_GPU : HSA_DEVICE_TYPE_CPU);
    case HSA_AGENT_INFO_CACHE_SIZE: {
      std::array<u32, 4> sizes{};
      for (const Cache& cache : caches) sizes[cache.level - 1u] = cache.bytes;
      return answer_array(value, sizes);
    }
    case HSA_AGENT_INFO_ISA:
      return answer(value, hsa_isa_t{is_gpu ? handle_of(this) : 0});
    case HSA_AGENT_INFO_EXTENSIONS: {
      std::array<u8, 128> bits{};
      if (is_gpu) bits[HSA_EXTENSION_AMD_LOADER / 8] |= 1u << HSA_EXTENSION_AMD_LOADER % 8;
      return answer_array(value, bits);
    }
    case HSA_AGENT_INFO_VERSION_MAJOR:
      return answer<u16>(value, 1);
    case HSA_AGENT_INFO_VERSION_MINOR:
      return answer<u16>(value, 1);
    default:
      return get_amd_info(attribute, value);
  }
}

hsa_status_t Agent::get_amd_info(u32 attribute, void* value) const {
  const DeviceFigures& figures = device.figures;
  switch (attribute) {
    case HSA_AMD_AGENT_INFO_CHIP_ID:
      return answer<u32>(value, figures.device_id);
    case HSA_AMD_AGENT_INFO_CACHELINE_SIZE:
      return answer<u32>(value, !is_gpu || figures.wave_size == 64 ? 64 : 128);
    case HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT:
      return answer<u32>(value, compute_units);
    case HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY:
      return answer<u32>(value, clock);
    case HSA_AMD_AGENT_INFO_DRIVER_NODE_ID:
      return answer<u32>(value, node);
    case HSA_AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS:
      return answer<u32>(value, is_gpu ? 4 : 1);
    case HSA_AMD_AGENT_INFO_BDFID:
      return answer<u32>(value, is_gpu ? (node + 2) << 8 : 0);
    case HSA_AMD_AGENT_INFO_MEMORY_WIDTH:
      return answer<u32>(value, figures.memory_bits);
    case HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY:
      return answer<u32>(value, figures.memory_clock);
    case HSA_AMD_AGENT_INFO_PRODUCT_NAME:
      return answer_text(value, product, 64);
    case HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU:
      return answer<u32>(value, figures.waves_per_unit);
    case HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU:
      return answer<u32>(value, is_gpu ? figures.simds_per_unit : 0);
    case HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES:
      return answer<u32>(value, is_gpu ? figures.engines : 0);
    case HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE:
      return answer<u32>(value, is_gpu ? figures.arrays_per_engine : 0);
    case HSA_AMD_AGENT_INFO_HDP_FLUSH:
      return answer(value, hsa_amd_hdp_flush_t{nullptr, nullptr});
    case HSA_AMD_AGENT_INFO_DOMAIN:
      return answer<u32>(value, 0);
    case HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES:
      return answer(value, is_gpu);
    case HSA_AMD_AGENT_INFO_UUID:
      return answer_text(value, is_gpu ? fmt::format("GPU-{:016x}", 0x6766786973610000u + node) : "CPU-XX", 21);
    case HSA_AMD_AGENT_INFO_ASIC_REVISION:
      return answer<u32>(value, 0);
    case HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS:
      return answer(value, true);
    case HSA_AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT:
      return answer<u32>(value, compute_units);
    case agent_info_memory_available:
      return is_gpu ? answer<u64>(value, free_memory(*this)) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
    case agent_info_timestamp_frequency:
      return answer<u64>(value, 1'000'000'000);
    case agent_info_asic_family:
    case agent_info_firmware:
    case agent_info_copy_firmware:
      return answer<u32>(value, 0);
    case agent_info_copy_engines:
      return answer<u32>(value, is_gpu ? 2 : 0);
    case agent_info_link_copy_engines:
      return answer<u32>(value, 0);
    case agent_info_iommu:
      return answer<u32>(value, 0);
    case agent_info_xccs:
      return answer<u32>(value, is_gpu ? figures.xccs : 0);
    case agent_info_driver_id:
      return answer<u32>(value, node);
    default:
      return is_gpu ? get_image_info(attribute, value) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

hsa_status_t Agent::get_isa_info(u32 attribute, void* value) const {
  switch (attribute) {
    case HSA_ISA_INFO_NAME_LENGTH:
      return answer<u32>(value, static_cast<u32>(device.isa_name.size() + 1));
    case HSA_ISA_INFO_NAME:
      std::memcpy(value, device.isa_name.c_str(), device.isa_name.size() + 1);
      return HSA_STATUS_SUCCESS;
    case HSA_ISA_INFO_CALL_CONVENTION_COUNT:
      return answer<u32>(value, 1);
    case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE:
      return answer<u32>(value, device.figures.wave_size);
    case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT:
      return answer<u32>(value, device.figures.waves_per_unit);
    case HSA_ISA_INFO_MACHINE_MODELS:
      return answer_array(value, std::array<bool, 2>{false, true});
    case HSA_ISA_INFO_PROFILES:
      return answer_array(value, std::array<bool, 2>{true, false});
    case HSA_ISA_INFO_DEFAULT_FLOAT_ROUNDING_MODES:
    case HSA_ISA_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES:
      return answer_array(value, std::array<bool, 3>{false, false, true});
    case HSA_ISA_INFO_FAST_F16_OPERATION:
      return answer(value, true);
    case HSA_ISA_INFO_WORKGROUP_MAX_DIM:
      return answer_array(value, std::array<u16, 3>{max_workgroup, max_workgroup, max_workgroup});
    case HSA_ISA_INFO_WORKGROUP_MAX_SIZE:
      return answer<u32>(value, max_workgroup);
    case HSA_ISA_INFO_GRID_MAX_DIM:
      return answer(value, max_grid);
    case HSA_ISA_INFO_GRID_MAX_SIZE:
      return answer<u64>(value, 0xffffffffu);
    case HSA_ISA_INFO_FBARRIER_MAX_SIZE:
      return answer<u32>(value, 32);
    default:
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

const Agent* Machine::find_agent(u64 handle) const {
  for (const Agent& agent : agents) {
    if (handle_of(&agent) == handle) return &agent;
  }
  return nullptr;
}

const Pool* Machine::find_pool(u64 handle) const {
  for (const Agent& agent : agents) {
    for (const Pool& pool : agent.pools) {
      if (handle_of(&pool) == handle) return &pool;
    }
  }
  return nullptr;
}

const Cache* Machine::find_cache(u64 handle) const {
  for (const Agent& agent : agents) {
    for (const Cache& cache : agent.caches) {
      if (handle_of(&cache) == handle) return &cache;
    }
  }
  return nullptr;
}

Result<bool> fill_machine(Machine& machine) {
  add_cpu(machine);
  const char* wanted = std::getenv("GFXISA_TARGET");
  std::string rest = wanted != nullptr && *wanted != '\0' ? wanted : "gfx1100";
  const u64 copies = std::clamp<u64>(environment_number("GFXISA_DEVICES", 1), 1, 16);
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const auto device = device_for(rest.substr(0, comma));
    if (!device) return device.error();
    for (u64 i = 0; i < copies; ++i) add_gpu(machine, *device);
    rest.erase(0, comma + 1);
  }
  return true;
}

}  // namespace gfxisa::runtime
