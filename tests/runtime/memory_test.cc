// Memory: pools, regions, locking, copies, what is known of pointers.
#include <atomic>
#include <numeric>
#include <thread>

#include "machine.h"

namespace {

constexpr auto bad_argument = HSA_STATUS_ERROR_INVALID_ARGUMENT;
const auto bad_pool = amd_status(HSA_STATUS_ERROR_INVALID_MEMORY_POOL);

TEST_F(Machine, PoolInfo) {
  for (const hsa_agent_t agent : {cpu, gpu}) {
    for (const hsa_amd_memory_pool_t pool : pools_of(agent)) {
      hsa_amd_segment_t segment;
      bool may_allocate = false;
      std::size_t size = 0;
      EXPECT_OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
      EXPECT_OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &may_allocate));
      EXPECT_OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, &size));
      EXPECT_EQ(may_allocate, segment == HSA_AMD_SEGMENT_GLOBAL);
      if (segment == HSA_AMD_SEGMENT_GROUP) {
        void* memory = nullptr;
        EXPECT_EQ(size, 65536u);
        EXPECT_EQ(hsa_amd_memory_pool_allocate(pool, 16, 0, &memory), HSA_STATUS_ERROR_INVALID_ALLOCATION);
      }
      for (const auto attribute :
           {HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT,
            HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE})
        EXPECT_OK(hsa_amd_memory_pool_get_info(pool, attribute, &size));
      EXPECT_EQ(hsa_amd_memory_pool_get_info(pool, static_cast<hsa_amd_memory_pool_info_t>(99), &size), bad_argument);
      EXPECT_EQ(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, nullptr), bad_argument);
    }
  }
  std::size_t size;
  EXPECT_EQ(hsa_amd_memory_pool_get_info({1}, HSA_AMD_MEMORY_POOL_INFO_SIZE, &size), bad_pool);
  hsa_amd_memory_pool_access_t access;
  EXPECT_OK(hsa_amd_agent_memory_pool_get_info(gpu, host_pool, HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS, &access));
  EXPECT_EQ(access, HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT);
  EXPECT_OK(hsa_amd_agent_memory_pool_get_info(gpu, device_pool, HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS, &access));
  EXPECT_EQ(access, HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT);
  uint32_t hops = 9;
  EXPECT_OK(hsa_amd_agent_memory_pool_get_info(gpu, host_pool, HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS, &hops));
  EXPECT_EQ(hops, 1u);
  hsa_amd_memory_pool_link_info_t link;
  EXPECT_OK(hsa_amd_agent_memory_pool_get_info(gpu, host_pool, HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO, &link));
  bool result = true;
  EXPECT_OK(hsa_amd_memory_pool_can_migrate(host_pool, device_pool, &result));
  EXPECT_FALSE(result);
  EXPECT_EQ(hsa_amd_memory_migrate(&result, host_pool, 0), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
}

TEST_F(Machine, Allocation) {
  void* memory = nullptr;
  EXPECT_EQ(hsa_amd_memory_pool_allocate({1}, 16, 0, &memory), bad_pool);
  EXPECT_EQ(hsa_amd_memory_pool_allocate(device_pool, 0, 0, &memory), bad_argument);
  EXPECT_EQ(hsa_amd_memory_pool_allocate(device_pool, 16, 0, nullptr), bad_argument);
  EXPECT_EQ(hsa_amd_memory_pool_allocate(device_pool, std::size_t{1} << 50, 0, &memory),
            HSA_STATUS_ERROR_INVALID_ALLOCATION);
  auto* bytes = allocate<char>(device_pool, 10000);
  for (int i = 0; i < 10000; ++i) ASSERT_EQ(bytes[i], 0);
  EXPECT_OK(hsa_amd_agents_allow_access(1, &cpu, nullptr, bytes));
  EXPECT_EQ(hsa_amd_agents_allow_access(0, &cpu, nullptr, bytes), bad_argument);
  EXPECT_EQ(hsa_amd_agents_allow_access(1, &cpu, nullptr, &memory), HSA_STATUS_ERROR_INVALID_ALLOCATION);
  const hsa_agent_t nobody{3};
  EXPECT_EQ(hsa_amd_agents_allow_access(1, &nobody, nullptr, bytes), HSA_STATUS_ERROR_INVALID_AGENT);
  EXPECT_EQ(hsa_amd_memory_pool_free(bytes + 1), HSA_STATUS_ERROR_INVALID_ALLOCATION);
  EXPECT_OK(hsa_amd_memory_pool_free(bytes));
  EXPECT_EQ(hsa_amd_memory_pool_free(bytes), HSA_STATUS_ERROR_INVALID_ALLOCATION);
  EXPECT_OK(hsa_amd_memory_pool_free(nullptr));
}

TEST_F(Machine, PoolRunsOutAndRecovers) {
  std::size_t size = 0;
  ASSERT_OK(hsa_amd_memory_pool_get_info(device_pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, &size));
  auto* most = allocate<char>(device_pool, size);
  void* more = nullptr;
  EXPECT_EQ(hsa_amd_memory_pool_allocate(device_pool, 4096, 0, &more), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  EXPECT_OK(hsa_amd_memory_pool_free(most));
  EXPECT_OK(hsa_amd_memory_pool_allocate(device_pool, 4096, 0, &more));
  EXPECT_OK(hsa_amd_memory_pool_free(more));
}

TEST_F(Machine, Regions) {
  std::vector<hsa_region_t> regions;
  const auto take = [](hsa_region_t region, void* data) {
    static_cast<std::vector<hsa_region_t>*>(data)->push_back(region);
    return HSA_STATUS_SUCCESS;
  };
  EXPECT_OK(hsa_agent_iterate_regions(gpu, take, &regions));
  bool has_kernarg = false;
  for (const hsa_region_t region : regions) {
    hsa_region_segment_t segment;
    uint32_t flags = 0;
    EXPECT_OK(hsa_region_get_info(region, HSA_REGION_INFO_SEGMENT, &segment));
    EXPECT_OK(hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags));
    if (segment != HSA_REGION_SEGMENT_GLOBAL || (flags & HSA_REGION_GLOBAL_FLAG_KERNARG) == 0) continue;
    has_kernarg = true;
    void* memory = nullptr;
    EXPECT_OK(hsa_memory_allocate(region, 100, &memory));
    EXPECT_OK(hsa_memory_assign_agent(memory, gpu, HSA_ACCESS_PERMISSION_RW));
    EXPECT_EQ(hsa_memory_assign_agent(nullptr, gpu, HSA_ACCESS_PERMISSION_RW), bad_argument);
    EXPECT_OK(hsa_memory_free(memory));
  }
  EXPECT_TRUE(has_kernarg);
  void* memory = nullptr;
  std::size_t size;
  EXPECT_EQ(hsa_memory_allocate({1}, 100, &memory), HSA_STATUS_ERROR_INVALID_REGION);
  EXPECT_EQ(hsa_region_get_info({1}, HSA_REGION_INFO_SIZE, &size), HSA_STATUS_ERROR_INVALID_REGION);
  EXPECT_EQ(hsa_agent_iterate_regions(gpu, nullptr, nullptr), bad_argument);
}

TEST_F(Machine, Locking) {
  std::vector<int> host(5000, 7);
  void *seen = nullptr, *again = nullptr;
  EXPECT_OK(hsa_amd_memory_lock(host.data(), 20000, nullptr, 0, &seen));
  EXPECT_NE(seen, host.data()) << "programs rely on the two being different";
  hsa_amd_pointer_info_t info{};
  info.size = sizeof info;
  EXPECT_OK(hsa_amd_pointer_info(seen, &info, nullptr, nullptr, nullptr));
  EXPECT_EQ(info.type, HSA_EXT_POINTER_TYPE_LOCKED);
  EXPECT_EQ(info.hostBaseAddress, host.data());
  EXPECT_EQ(info.agentBaseAddress, seen);
  EXPECT_EQ(info.sizeInBytes, 20000u);
  // A part of it once more; each lock is undone on its own.
  EXPECT_OK(hsa_amd_memory_lock_to_pool(host.data() + 100, 400, &gpu, 1, host_pool, 0, &again));
  EXPECT_OK(hsa_amd_memory_unlock(host.data() + 100));
  std::vector<int> copy(5000);
  EXPECT_OK(hsa_memory_copy(copy.data(), seen, 20000));
  EXPECT_EQ(copy, host);
  EXPECT_OK(hsa_amd_memory_unlock(host.data()));
  EXPECT_OK(hsa_amd_pointer_info(host.data(), &info, nullptr, nullptr, nullptr));
  EXPECT_EQ(info.type, HSA_EXT_POINTER_TYPE_UNKNOWN);
  EXPECT_EQ(hsa_amd_memory_lock(nullptr, 8, nullptr, 0, &seen), bad_argument);
  EXPECT_EQ(hsa_amd_memory_lock(host.data(), 0, nullptr, 0, &seen), bad_argument);
  EXPECT_EQ(hsa_amd_memory_lock_to_pool(host.data(), 8, nullptr, 0, device_pool, 0, &seen), bad_pool);
  EXPECT_OK(hsa_memory_register(host.data(), 20000));
  EXPECT_OK(hsa_memory_deregister(host.data(), 20000));
  EXPECT_EQ(hsa_memory_register(nullptr, 8), bad_argument);
}

TEST_F(Machine, PointerInfo) {
  auto* memory = allocate<char>(device_pool, 5000);
  hsa_amd_pointer_info_t info{};
  info.size = sizeof info;
  uint32_t count = 0;
  hsa_agent_t* agents = nullptr;
  EXPECT_OK(hsa_amd_pointer_info_set_userdata(memory, &count));
  EXPECT_OK(hsa_amd_pointer_info(memory + 4999, &info, malloc, &count, &agents));
  EXPECT_EQ(info.type, HSA_EXT_POINTER_TYPE_HSA);
  EXPECT_EQ(info.hostBaseAddress, memory);
  EXPECT_EQ(info.agentBaseAddress, memory);
  EXPECT_EQ(info.sizeInBytes, 8192u) << "whole pages";
  EXPECT_EQ(info.userData, &count);
  EXPECT_EQ(info.agentOwner.handle, gpu.handle);
  EXPECT_EQ(info.global_flags, static_cast<uint32_t>(HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED));
  ASSERT_EQ(count, 1u);
  EXPECT_EQ(agents[0].handle, gpu.handle);
  free(agents);
  // A caller with an older, smaller structure.
  hsa_amd_pointer_info_t small{};
  small.size = offsetof(hsa_amd_pointer_info_t, userData);
  small.userData = &small;
  EXPECT_OK(hsa_amd_pointer_info(memory, &small, nullptr, nullptr, nullptr));
  EXPECT_EQ(small.userData, &small);
  EXPECT_EQ(hsa_amd_pointer_info(nullptr, &info, nullptr, nullptr, nullptr), bad_argument);
  EXPECT_EQ(hsa_amd_pointer_info_set_userdata(&info, nullptr), bad_argument);
  int freed = 0;
  const auto callback = [](void*, void* data) { ++*static_cast<int*>(data); };
  EXPECT_OK(hsa_amd_register_deallocation_callback(memory, callback, &freed));
  EXPECT_OK(hsa_amd_deregister_deallocation_callback(memory, callback));
  EXPECT_EQ(hsa_amd_deregister_deallocation_callback(memory, callback), bad_argument);
  EXPECT_OK(hsa_amd_register_deallocation_callback(memory, callback, &freed));
  EXPECT_EQ(hsa_amd_register_deallocation_callback(&info, callback, &freed), HSA_STATUS_ERROR_INVALID_ALLOCATION);
  EXPECT_OK(hsa_amd_memory_pool_free(memory));
  EXPECT_EQ(freed, 1);
}

TEST_F(Machine, CopiesAndFills) {
  constexpr std::size_t count = 100000;
  auto* device = allocate<uint32_t>(device_pool, count);
  std::vector<uint32_t> host(count), back(count);
  std::iota(host.begin(), host.end(), 1);
  const hsa_signal_t before = make_signal(1), done = make_signal(1), last = make_signal(1);
  EXPECT_OK(hsa_amd_memory_async_copy(device, gpu, host.data(), cpu, count * 4, 1, &before, done));
  EXPECT_OK(hsa_amd_memory_async_copy(back.data(), cpu, device, gpu, count * 4, 1, &done, last));
  EXPECT_EQ(hsa_signal_wait_relaxed(last, HSA_SIGNAL_CONDITION_LT, 1, 20000000, HSA_WAIT_STATE_BLOCKED), 1);
  EXPECT_EQ(device[0], 0u) << "waits for its dependency";
  hsa_signal_store_screlease(before, 0);
  EXPECT_EQ(wait_for_zero(last), 0);
  EXPECT_EQ(back, host);
  hsa_amd_profiling_async_copy_time_t time{};
  EXPECT_OK(hsa_amd_profiling_async_copy_enable(true));
  EXPECT_OK(hsa_amd_profiling_get_async_copy_time(last, &time));
  EXPECT_GT(time.end, time.start);
  EXPECT_OK(hsa_amd_memory_fill(device + 10, 0xabcd, 5));
  EXPECT_EQ(device[9], 10u);
  EXPECT_EQ(device[14], 0xabcdu);
  EXPECT_EQ(device[15], 16u);
  EXPECT_EQ(hsa_amd_memory_fill(nullptr, 0, 1), bad_argument);
  EXPECT_EQ(hsa_amd_memory_fill(host.data(), 0, 1), HSA_STATUS_ERROR_INVALID_ALLOCATION);
  EXPECT_EQ(hsa_amd_memory_fill(device, 0, count * 2), HSA_STATUS_ERROR_INVALID_ALLOCATION);
  // Addresses that are not memory are an error, not the end of the process.
  EXPECT_EQ(hsa_memory_copy(device, reinterpret_cast<void*>(0x1000), 64), bad_argument);
  hsa_signal_store_relaxed(last, 1);
  EXPECT_OK(hsa_amd_memory_async_copy(reinterpret_cast<void*>(0x1000), gpu, device, gpu, 64, 0, nullptr, last));
  EXPECT_LT(wait_for_zero(last), 0);
  EXPECT_EQ(hsa_amd_memory_async_copy(device, gpu, device + 64, gpu, 64, 0, nullptr, {0}), bad_argument);
  EXPECT_EQ(hsa_amd_memory_async_copy(device, {1}, device + 64, gpu, 64, 0, nullptr, last),
            HSA_STATUS_ERROR_INVALID_AGENT);
  EXPECT_EQ(hsa_amd_memory_async_copy(nullptr, gpu, device, gpu, 64, 0, nullptr, last), bad_argument);
  EXPECT_EQ(hsa_amd_memory_async_copy(device, gpu, device + 64, gpu, 64, 1, nullptr, last), bad_argument);
  for (const hsa_signal_t signal : {before, done, last}) EXPECT_OK(hsa_signal_destroy(signal));
  EXPECT_OK(hsa_memory_free(device));
}

TEST_F(Machine, RectangleCopies) {
  auto* from = allocate<uint8_t>(device_pool, 16 * 8 * 4);
  auto* to = allocate<uint8_t>(device_pool, 32 * 8 * 4);
  std::iota(from, from + 16 * 8 * 4, 0);
  const hsa_signal_t done = make_signal(1);
  const hsa_pitched_ptr_t source{from, 16, 16 * 8}, target{to, 32, 32 * 8};
  const hsa_dim3_t source_offset{4, 1, 1}, target_offset{8, 2, 0}, range{8, 3, 2};
  EXPECT_OK(hsa_amd_memory_async_copy_rect(&target, &target_offset, &source, &source_offset, &range, gpu,
                                           hsaDeviceToDevice, 0, nullptr, done));
  EXPECT_EQ(wait_for_zero(done), 0);
  for (uint32_t z = 0; z < 4; ++z) {
    for (uint32_t y = 0; y < 8; ++y) {
      for (uint32_t x = 0; x < 32; ++x) {
        const bool is_inside = x >= 8 && x < 16 && y >= 2 && y < 5 && z < 2;
        const uint8_t wanted = is_inside ? from[(x - 8 + 4) + (y - 2 + 1) * 16 + (z + 1) * 128] : 0;
        ASSERT_EQ(to[x + y * 32 + z * 256], wanted);
      }
    }
  }
  EXPECT_EQ(hsa_amd_memory_async_copy_rect(&target, &target_offset, &source, &source_offset, &range, cpu,
                                           hsaDeviceToDevice, 0, nullptr, done),
            HSA_STATUS_ERROR_INVALID_AGENT);
  EXPECT_OK(hsa_signal_destroy(done));
  EXPECT_OK(hsa_memory_free(from));
  EXPECT_OK(hsa_memory_free(to));
}

TEST_F(Machine, SharedVirtualMemory) {
  std::vector<char> host(8192);
  hsa_amd_svm_attribute_pair_t access{HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gpu.handle};
  EXPECT_OK(hsa_amd_svm_attributes_set(host.data(), host.size(), &access, 1));
  hsa_amd_svm_attribute_pair_t query{HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gpu.handle};
  EXPECT_OK(hsa_amd_svm_attributes_get(host.data(), host.size(), &query, 1));
  EXPECT_NE(query.attribute, static_cast<uint64_t>(HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS));
  const hsa_signal_t done = make_signal(1);
  EXPECT_OK(hsa_amd_svm_prefetch_async(host.data(), host.size(), gpu, 0, nullptr, done));
  EXPECT_EQ(wait_for_zero(done), 0);
  access.value = 5;
  EXPECT_EQ(hsa_amd_svm_attributes_set(host.data(), 1, &access, 1), HSA_STATUS_ERROR_INVALID_AGENT);
  EXPECT_EQ(hsa_amd_svm_attributes_set(nullptr, 1, &access, 1), bad_argument);
  EXPECT_EQ(hsa_amd_svm_attributes_get(nullptr, 1, &access, 1), bad_argument);
  EXPECT_OK(hsa_signal_destroy(done));
}

TEST_F(Machine, EightThreadsAllocateAndCopy) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([this, t] {
      const hsa_signal_t done = make_signal(0);
      for (int round = 0; round < 50; ++round) {
        const std::size_t count = 1000 + static_cast<std::size_t>(t) * 777;
        auto* device = allocate<int>(device_pool, count);
        std::vector<int> host(count, t * 1000 + round), back(count);
        hsa_signal_store_relaxed(done, 2);
        EXPECT_OK(hsa_amd_memory_async_copy(device, gpu, host.data(), cpu, count * 4, 0, nullptr, done));
        hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 2, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
        EXPECT_OK(hsa_amd_memory_async_copy(back.data(), cpu, device, gpu, count * 4, 0, nullptr, done));
        wait_for_zero(done);
        EXPECT_EQ(back, host);
        EXPECT_OK(hsa_memory_free(device));
      }
      EXPECT_OK(hsa_signal_destroy(done));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
