// What the conformance tests share: the runtime initialised, its agents and pools, and a kernel to launch.
#pragma once
#include <gtest/gtest.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <hsa/hsa_ven_amd_loader.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#define EXPECT_OK(call) EXPECT_EQ(call, HSA_STATUS_SUCCESS)
#define ASSERT_OK(call) ASSERT_EQ(call, HSA_STATUS_SUCCESS)

/// Error codes of AMD's extension are of another enumeration.
inline hsa_status_t amd_status(int status) { return static_cast<hsa_status_t>(status); }

class Machine : public testing::Test {
 protected:
  void SetUp() override {
    setenv("GFXISA_TARGET", "gfx1100", 1);
    setenv("GFXISA_QUIET", "1", 1);
    ASSERT_OK(hsa_init());
    const auto take_agent = [](hsa_agent_t agent, void* data) {
      auto* self = static_cast<Machine*>(data);
      hsa_device_type_t type;
      EXPECT_OK(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
      (type == HSA_DEVICE_TYPE_CPU ? self->cpu : self->gpu) = agent;
      return HSA_STATUS_SUCCESS;
    };
    ASSERT_OK(hsa_iterate_agents(take_agent, this));
    host_pool = pool_with(cpu, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED);
    kernarg_pool =
        pool_with(cpu, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED | HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT);
    device_pool = pool_with(gpu, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED);
  }
  void TearDown() override { EXPECT_OK(hsa_shut_down()); }

  static std::vector<hsa_amd_memory_pool_t> pools_of(hsa_agent_t agent) {
    std::vector<hsa_amd_memory_pool_t> pools;
    const auto take = [](hsa_amd_memory_pool_t pool, void* data) {
      static_cast<std::vector<hsa_amd_memory_pool_t>*>(data)->push_back(pool);
      return HSA_STATUS_SUCCESS;
    };
    EXPECT_OK(hsa_amd_agent_iterate_memory_pools(agent, take, &pools));
    return pools;
  }
  static hsa_amd_memory_pool_t pool_with(hsa_agent_t agent, uint32_t wanted) {
    for (const hsa_amd_memory_pool_t pool : pools_of(agent)) {
      hsa_amd_segment_t segment;
      uint32_t flags = 0;
      EXPECT_OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
      EXPECT_OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
      if (segment == HSA_AMD_SEGMENT_GLOBAL && flags == wanted) return pool;
    }
    ADD_FAILURE() << "no pool with flags " << wanted;
    return {};
  }

  template <class T>
  T* allocate(hsa_amd_memory_pool_t pool, std::size_t count) {
    void* memory = nullptr;
    EXPECT_OK(hsa_amd_memory_pool_allocate(pool, count * sizeof(T), 0, &memory));
    return static_cast<T*>(memory);
  }
  static hsa_signal_t make_signal(hsa_signal_value_t value) {
    hsa_signal_t signal{};
    EXPECT_OK(hsa_signal_create(value, 0, nullptr, &signal));
    return signal;
  }
  static hsa_signal_value_t wait_for_zero(hsa_signal_t signal) {
    return hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
  }

  hsa_agent_t cpu{}, gpu{};
  hsa_amd_memory_pool_t host_pool{}, kernarg_pool{}, device_pool{};
};

/// A machine with the example kernel y = a * x + y loaded, and a queue.
class Launching : public Machine {
 protected:
  struct Arguments {
    const float* x;
    float* y;
    float a;
    uint32_t count;
  };

  void SetUp() override {
    Machine::SetUp();
    std::ifstream file(std::string(GFXISA_SOURCE_DIR) + "/examples/kernels/saxpy.gfx1100.co", std::ios::binary);
    code.assign(std::istreambuf_iterator<char>(file), {});
    ASSERT_FALSE(code.empty());
    hsa_code_object_reader_t reader;
    ASSERT_OK(hsa_code_object_reader_create_from_memory(code.data(), code.size(), &reader));
    ASSERT_OK(
        hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr, &executable));
    ASSERT_OK(hsa_executable_load_agent_code_object(executable, gpu, reader, nullptr, nullptr));
    ASSERT_OK(hsa_executable_freeze(executable, nullptr));
    ASSERT_OK(hsa_code_object_reader_destroy(reader));
    ASSERT_OK(hsa_executable_get_symbol_by_name(executable, "saxpy.kd", &gpu, &symbol));
    ASSERT_OK(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &kernel));
    ASSERT_OK(hsa_queue_create(
        gpu, 64, HSA_QUEUE_TYPE_MULTI,
        [](hsa_status_t status, hsa_queue_t*, void* data) { *static_cast<hsa_status_t*>(data) = status; },
        &queue_status, UINT32_MAX, UINT32_MAX, &queue));
  }
  void TearDown() override {
    EXPECT_OK(hsa_queue_destroy(queue));
    EXPECT_OK(hsa_executable_destroy(executable));
    Machine::TearDown();
  }

  /// Writes a packet of 64 bytes to a queue: its header last, then the doorbell.
  template <class Packet>
  static void submit(hsa_queue_t* to, Packet packet, hsa_packet_type_t type) {
    static_assert(sizeof packet == 64);
    const uint64_t index = hsa_queue_add_write_index_screlease(to, 1);
    while (index - hsa_queue_load_read_index_scacquire(to) >= to->size) {
    }
    auto* place = static_cast<char*>(to->base_address) + index % to->size * 64;
    std::memcpy(place + 2, reinterpret_cast<const char*>(&packet) + 2, 62);
    __atomic_store_n(reinterpret_cast<uint16_t*>(place), static_cast<uint16_t>(type), __ATOMIC_RELEASE);
    hsa_signal_store_screlease(to->doorbell_signal, static_cast<hsa_signal_value_t>(index));
  }
  hsa_kernel_dispatch_packet_t saxpy_packet(const Arguments& arguments, hsa_signal_t done) {
    auto* kernarg = allocate<char>(kernarg_pool, 512);
    std::memcpy(kernarg, &arguments, sizeof arguments);
    hsa_kernel_dispatch_packet_t packet{};
    packet.setup = 1;
    packet.workgroup_size_x = 256;
    packet.workgroup_size_y = packet.workgroup_size_z = 1;
    packet.grid_size_x = arguments.count;
    packet.grid_size_y = packet.grid_size_z = 1;
    packet.kernel_object = kernel;
    packet.kernarg_address = kernarg;
    packet.completion_signal = done;
    return packet;
  }

  std::vector<char> code;
  hsa_executable_t executable{};
  hsa_executable_symbol_t symbol{};
  uint64_t kernel = 0;
  hsa_queue_t* queue = nullptr;
  hsa_status_t queue_status = HSA_STATUS_SUCCESS;
};
