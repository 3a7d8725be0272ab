// Queues and their packets; executables and symbols; what faults become.
#include <thread>

#include "machine.h"

namespace {

constexpr auto bad_argument = HSA_STATUS_ERROR_INVALID_ARGUMENT;

TEST_F(Machine, QueueArguments) {
  hsa_queue_t* queue = nullptr;
  const auto create = [&](hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type, hsa_queue_t** out) {
    return hsa_queue_create(agent, size, type, nullptr, nullptr, UINT32_MAX, UINT32_MAX, out);
  };
  EXPECT_EQ(create(gpu, 100, HSA_QUEUE_TYPE_MULTI, &queue), bad_argument);
  EXPECT_EQ(create(gpu, 0, HSA_QUEUE_TYPE_MULTI, &queue), bad_argument);
  EXPECT_EQ(create(gpu, 64, 9, &queue), bad_argument);
  EXPECT_EQ(create(gpu, 64, HSA_QUEUE_TYPE_MULTI, nullptr), bad_argument);
  EXPECT_EQ(create({1}, 64, HSA_QUEUE_TYPE_MULTI, &queue), HSA_STATUS_ERROR_INVALID_AGENT);
  EXPECT_EQ(create(cpu, 64, HSA_QUEUE_TYPE_MULTI, &queue), HSA_STATUS_ERROR_INVALID_QUEUE_CREATION);
  EXPECT_EQ(create(gpu, 1u << 30, HSA_QUEUE_TYPE_MULTI, &queue), HSA_STATUS_ERROR_INVALID_QUEUE_CREATION);
  ASSERT_OK(create(gpu, 128, HSA_QUEUE_TYPE_SINGLE, &queue));
  EXPECT_EQ(queue->size, 128u);
  EXPECT_EQ(queue->type, static_cast<hsa_queue_type32_t>(HSA_QUEUE_TYPE_SINGLE));
  EXPECT_EQ(reinterpret_cast<uint64_t>(queue->base_address) % 64, 0u);
  EXPECT_OK(hsa_amd_queue_set_priority(queue, HSA_AMD_QUEUE_PRIORITY_HIGH));
  EXPECT_EQ(hsa_amd_queue_set_priority(nullptr, HSA_AMD_QUEUE_PRIORITY_HIGH), HSA_STATUS_ERROR_INVALID_QUEUE);
  uint32_t mask[3] = {5, 0, 0};
  EXPECT_OK(hsa_amd_queue_cu_set_mask(queue, 32, mask));
  EXPECT_OK(hsa_amd_queue_cu_get_mask(queue, 96, mask));
  EXPECT_EQ(mask[0], 5u);
  EXPECT_EQ(hsa_amd_queue_cu_get_mask(queue, 33, mask), bad_argument);
  EXPECT_EQ(hsa_amd_queue_cu_set_mask(queue, 32, nullptr), bad_argument);
  EXPECT_OK(hsa_amd_profiling_set_profiler_enabled(queue, 1));
  EXPECT_OK(hsa_queue_inactivate(queue));
  EXPECT_OK(hsa_queue_destroy(queue));
  EXPECT_EQ(hsa_queue_destroy(queue), HSA_STATUS_ERROR_INVALID_QUEUE);
  EXPECT_EQ(hsa_queue_destroy(nullptr), bad_argument);
}

TEST_F(Machine, QueueIndices) {
  const hsa_signal_t doorbell = make_signal(0);
  hsa_queue_t* queue = nullptr;
  ASSERT_OK(hsa_soft_queue_create({host_pool.handle}, 16, HSA_QUEUE_TYPE_SINGLE, HSA_QUEUE_FEATURE_AGENT_DISPATCH,
                                  doorbell, &queue));
  uint64_t next = 0;
  for (const auto add :
       {hsa_queue_add_write_index_acq_rel, hsa_queue_add_write_index_acquire, hsa_queue_add_write_index_relaxed,
        hsa_queue_add_write_index_release, hsa_queue_add_write_index_scacq_screl, hsa_queue_add_write_index_scacquire,
        hsa_queue_add_write_index_screlease})
    EXPECT_EQ(add(queue, 1), next++);
  for (const auto cas :
       {hsa_queue_cas_write_index_acq_rel, hsa_queue_cas_write_index_acquire, hsa_queue_cas_write_index_relaxed,
        hsa_queue_cas_write_index_release, hsa_queue_cas_write_index_scacq_screl, hsa_queue_cas_write_index_scacquire,
        hsa_queue_cas_write_index_screlease}) {
    EXPECT_EQ(cas(queue, 1000, 2000), next);
    EXPECT_EQ(cas(queue, next, next + 1), next);
    ++next;
  }
  for (const auto store : {hsa_queue_store_write_index_relaxed, hsa_queue_store_write_index_release,
                           hsa_queue_store_write_index_screlease}) {
    store(queue, 50);
    EXPECT_EQ(hsa_queue_load_write_index_relaxed(queue), 50u);
    EXPECT_EQ(hsa_queue_load_write_index_acquire(queue), 50u);
    EXPECT_EQ(hsa_queue_load_write_index_scacquire(queue), 50u);
  }
  for (const auto store :
       {hsa_queue_store_read_index_relaxed, hsa_queue_store_read_index_release, hsa_queue_store_read_index_screlease}) {
    store(queue, 40);
    EXPECT_EQ(hsa_queue_load_read_index_relaxed(queue), 40u);
    EXPECT_EQ(hsa_queue_load_read_index_acquire(queue), 40u);
    EXPECT_EQ(hsa_queue_load_read_index_scacquire(queue), 40u);
  }
  EXPECT_OK(hsa_queue_destroy(queue));
  EXPECT_EQ(hsa_soft_queue_create({host_pool.handle}, 16, HSA_QUEUE_TYPE_SINGLE, 0, doorbell, &queue), bad_argument);
  EXPECT_EQ(hsa_soft_queue_create({1}, 16, HSA_QUEUE_TYPE_SINGLE, 2, doorbell, &queue),
            HSA_STATUS_ERROR_INVALID_REGION);
  EXPECT_OK(hsa_signal_destroy(doorbell));
}

TEST_F(Launching, Symbols) {
  hsa_symbol_kind_t kind;
  uint32_t length = 0, size = 0;
  EXPECT_OK(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &kind));
  EXPECT_EQ(kind, HSA_SYMBOL_KIND_KERNEL);
  EXPECT_OK(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH, &length));
  std::string name(length, '?');
  EXPECT_OK(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME, name.data()));
  EXPECT_EQ(name, "saxpy.kd");
  EXPECT_OK(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE, &size));
  EXPECT_GE(size, 24u);
  alignas(8) char value[16];
  for (const auto attribute :
       {HSA_EXECUTABLE_SYMBOL_INFO_AGENT, HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE, HSA_EXECUTABLE_SYMBOL_INFO_IS_DEFINITION,
        HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME_LENGTH, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT,
        HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE,
        HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_CALL_CONVENTION})
    EXPECT_OK(hsa_executable_symbol_get_info(symbol, attribute, value));
  EXPECT_EQ(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE, value), bad_argument);
  EXPECT_EQ(hsa_executable_symbol_get_info({1}, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &kind),
            HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL);
  hsa_executable_symbol_t other{};
  EXPECT_EQ(hsa_executable_get_symbol_by_name(executable, "nothing", &gpu, &other),
            HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
  EXPECT_EQ(hsa_executable_get_symbol_by_name({1}, "saxpy.kd", &gpu, &other), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
  EXPECT_EQ(hsa_executable_get_symbol_by_name(executable, nullptr, &gpu, &other), bad_argument);
  EXPECT_OK(hsa_executable_get_symbol(executable, nullptr, "saxpy.kd", gpu, 0, &other));
  EXPECT_EQ(other.handle, symbol.handle);
  int count = 0;
  const auto add = [](hsa_executable_t, hsa_executable_symbol_t, void* data) {
    ++*static_cast<int*>(data);
    return HSA_STATUS_SUCCESS;
  };
  EXPECT_OK(hsa_executable_iterate_symbols(executable, add, &count));
  EXPECT_GE(count, 1);
  const auto add_agent = [](hsa_executable_t, hsa_agent_t, hsa_executable_symbol_t, void* data) {
    --*static_cast<int*>(data);
    return HSA_STATUS_SUCCESS;
  };
  EXPECT_OK(hsa_executable_iterate_agent_symbols(executable, gpu, add_agent, &count));
  EXPECT_EQ(count, 0);
  EXPECT_OK(hsa_executable_iterate_program_symbols(executable, add, &count));
  EXPECT_EQ(count, 0);
}

TEST_F(Launching, ExecutableStates) {
  uint32_t result = 9;
  EXPECT_OK(hsa_executable_validate(executable, &result));
  EXPECT_EQ(result, 0u);
  EXPECT_OK(hsa_executable_validate_alt(executable, nullptr, &result));
  hsa_executable_state_t state;
  EXPECT_OK(hsa_executable_get_info(executable, HSA_EXECUTABLE_INFO_STATE, &state));
  EXPECT_EQ(state, HSA_EXECUTABLE_STATE_FROZEN);
  EXPECT_EQ(hsa_executable_freeze(executable, nullptr), HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
  EXPECT_EQ(hsa_executable_freeze({1}, nullptr), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
  EXPECT_EQ(hsa_executable_destroy({1}), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
  hsa_code_object_reader_t reader;
  EXPECT_OK(hsa_code_object_reader_create_from_memory(code.data(), code.size(), &reader));
  EXPECT_EQ(hsa_executable_load_agent_code_object(executable, gpu, reader, nullptr, nullptr),
            HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
  hsa_executable_t fresh;
  EXPECT_OK(hsa_executable_create(HSA_PROFILE_FULL, HSA_EXECUTABLE_STATE_UNFROZEN, nullptr, &fresh));
  EXPECT_EQ(hsa_executable_load_agent_code_object(fresh, {1}, reader, nullptr, nullptr),
            HSA_STATUS_ERROR_INVALID_AGENT);
  EXPECT_EQ(hsa_executable_load_agent_code_object(fresh, gpu, {1}, nullptr, nullptr),
            HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER);
  EXPECT_OK(hsa_executable_global_variable_define(fresh, "one", &result));
  EXPECT_EQ(hsa_executable_global_variable_define(fresh, "one", &result), HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED);
  EXPECT_OK(hsa_executable_agent_global_variable_define(fresh, gpu, "two", &result));
  EXPECT_OK(hsa_executable_readonly_variable_define(fresh, gpu, "three", &result));
  EXPECT_OK(hsa_code_object_reader_destroy(reader));
  EXPECT_EQ(hsa_code_object_reader_destroy(reader), HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER);
  // The older interface.
  hsa_code_object_t object;
  EXPECT_OK(hsa_code_object_deserialize(code.data(), code.size(), nullptr, &object));
  EXPECT_OK(hsa_executable_load_code_object(fresh, gpu, object, nullptr));
  EXPECT_OK(hsa_code_object_destroy(object));
  EXPECT_EQ(hsa_code_object_destroy(object), HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
  EXPECT_OK(hsa_executable_destroy(fresh));
}

TEST_F(Launching, BytesThatAreNoCodeObject) {
  hsa_executable_t fresh;
  ASSERT_OK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr, &fresh));
  const auto load = [&](const std::vector<char>& bytes) {
    hsa_code_object_reader_t reader;
    EXPECT_OK(hsa_code_object_reader_create_from_memory(bytes.data(), bytes.size(), &reader));
    const hsa_status_t status = hsa_executable_load_agent_code_object(fresh, gpu, reader, nullptr, nullptr);
    EXPECT_OK(hsa_code_object_reader_destroy(reader));
    return status;
  };
  EXPECT_EQ(load(std::vector<char>(1000, 'x')), HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
  EXPECT_EQ(load({code.begin(), code.begin() + 200}), HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
  std::ifstream file(std::string(GFXISA_SOURCE_DIR) + "/examples/kernels/saxpy.gfx90a.co", std::ios::binary);
  EXPECT_EQ(load({std::istreambuf_iterator<char>(file), {}}), HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
  hsa_code_object_reader_t reader;
  EXPECT_EQ(hsa_code_object_reader_create_from_file(-1, &reader), HSA_STATUS_ERROR_INVALID_FILE);
  EXPECT_EQ(hsa_code_object_reader_create_from_memory(nullptr, 8, &reader), bad_argument);
  hsa_code_object_t object;
  EXPECT_EQ(hsa_code_object_deserialize(const_cast<char*>("nothing"), 7, nullptr, &object),
            HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
  EXPECT_OK(hsa_executable_destroy(fresh));
}

TEST_F(Launching, LoaderExtension) {
  hsa_ven_amd_loader_1_03_pfn_t loader;
  ASSERT_OK(hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, sizeof loader, &loader));
  const auto* address = reinterpret_cast<const void*>(kernel);
  hsa_executable_t found{};
  EXPECT_OK(loader.hsa_ven_amd_loader_query_executable(address, &found));
  EXPECT_EQ(found.handle, executable.handle);
  EXPECT_EQ(loader.hsa_ven_amd_loader_query_executable(&found, &found), bad_argument);
  const void* host = nullptr;
  EXPECT_OK(loader.hsa_ven_amd_loader_query_host_address(address, &host));
  EXPECT_EQ(host, address);
  std::size_t count = 0;
  EXPECT_OK(loader.hsa_ven_amd_loader_query_segment_descriptors(nullptr, &count));
  ASSERT_EQ(count, 1u);
  hsa_ven_amd_loader_segment_descriptor_t segment{};
  EXPECT_OK(loader.hsa_ven_amd_loader_query_segment_descriptors(&segment, &count));
  EXPECT_EQ(segment.executable.handle, executable.handle);
  hsa_loaded_code_object_t loaded{};
  const auto take = [](hsa_executable_t, hsa_loaded_code_object_t object, void* data) {
    *static_cast<hsa_loaded_code_object_t*>(data) = object;
    return HSA_STATUS_SUCCESS;
  };
  EXPECT_OK(loader.hsa_ven_amd_loader_executable_iterate_loaded_code_objects(executable, take, &loaded));
  uint32_t length = 0;
  EXPECT_OK(loader.hsa_ven_amd_loader_loaded_code_object_get_info(
      loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH, &length));
  std::string uri(length, '?');
  EXPECT_OK(loader.hsa_ven_amd_loader_loaded_code_object_get_info(
      loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI, uri.data()));
  EXPECT_TRUE(uri.starts_with("memory://"));
  EXPECT_EQ(loader.hsa_ven_amd_loader_loaded_code_object_get_info(
                {1}, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH, &length),
            HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
  int executables = 0;
  const auto add = [](hsa_executable_t, void* data) {
    ++*static_cast<int*>(data);
    return HSA_STATUS_SUCCESS;
  };
  EXPECT_OK(loader.hsa_ven_amd_loader_iterate_executables(add, &executables));
  EXPECT_EQ(executables, 1);
}

TEST_F(Launching, DispatchAndBarriers) {
  constexpr uint32_t count = 1000;
  auto* x = allocate<float>(device_pool, count);
  auto* y = allocate<float>(device_pool, count);
  for (uint32_t i = 0; i < count; ++i) x[i] = static_cast<float>(i);
  const hsa_signal_t gate = make_signal(1), other = make_signal(1), done = make_signal(3), last = make_signal(1);
  // Nothing starts before the gate is zero.
  hsa_barrier_and_packet_t all{};
  all.dep_signal[1] = gate;
  submit(queue, all, HSA_PACKET_TYPE_BARRIER_AND);
  for (int i = 0; i < 3; ++i) submit(queue, saxpy_packet({x, y, 2, count}, done), HSA_PACKET_TYPE_KERNEL_DISPATCH);
  hsa_barrier_or_packet_t any{};
  any.dep_signal[0] = other;
  any.dep_signal[4] = done;
  submit(queue, any, HSA_PACKET_TYPE_BARRIER_OR);
  hsa_amd_barrier_value_packet_t value{};
  value.header.AmdFormat = HSA_AMD_PACKET_TYPE_BARRIER_VALUE;
  value.signal = other;
  value.value = 8;
  value.mask = 0xff;
  value.cond = HSA_SIGNAL_CONDITION_GTE;
  value.completion_signal = last;
  submit(queue, value, HSA_PACKET_TYPE_VENDOR_SPECIFIC);
  EXPECT_EQ(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 3, 20000000, HSA_WAIT_STATE_BLOCKED), 3);
  hsa_signal_store_screlease(gate, 0);
  EXPECT_EQ(wait_for_zero(done), 0);
  for (uint32_t i = 0; i < count; ++i) ASSERT_EQ(y[i], 6.0f * static_cast<float>(i));
  EXPECT_EQ(hsa_signal_load_relaxed(last), 1);
  hsa_signal_store_screlease(other, 0x10a);
  EXPECT_EQ(wait_for_zero(last), 0);
  hsa_amd_profiling_dispatch_time_t time{};
  EXPECT_OK(hsa_amd_profiling_get_dispatch_time(gpu, done, &time));
  EXPECT_GT(time.end, time.start);
  uint64_t ticks = 0;
  EXPECT_OK(hsa_amd_profiling_convert_tick_to_system_domain(gpu, time.start, &ticks));
  EXPECT_EQ(ticks, time.start);
  EXPECT_EQ(hsa_amd_profiling_get_dispatch_time(gpu, {0}, &time), HSA_STATUS_ERROR_INVALID_SIGNAL);
  EXPECT_EQ(queue_status, HSA_STATUS_SUCCESS);
  for (const hsa_signal_t signal : {gate, other, done, last}) EXPECT_OK(hsa_signal_destroy(signal));
}

TEST_F(Launching, QueueGoesRound) {
  // More packets than the ring has places.
  constexpr uint32_t count = 300;
  auto* x = allocate<float>(device_pool, count);
  auto* y = allocate<float>(device_pool, count);
  std::fill(x, x + count, 1.0f);
  const hsa_signal_t done = make_signal(200);
  const hsa_kernel_dispatch_packet_t packet = saxpy_packet({x, y, 1, count}, done);
  for (int i = 0; i < 200; ++i) submit(queue, packet, HSA_PACKET_TYPE_KERNEL_DISPATCH);
  EXPECT_EQ(wait_for_zero(done), 0);
  for (uint32_t i = 0; i < count; ++i) ASSERT_EQ(y[i], 200.0f);
  EXPECT_OK(hsa_signal_destroy(done));
}

TEST_F(Launching, WildStoreReachesHandlersAndCallback) {
  struct Seen {
    int calls = 0;
    hsa_amd_gpu_memory_fault_info_t fault{};
  } static seen;
  seen = {};
  const auto handler = [](const hsa_amd_event_t* event, void* data) {
    ++static_cast<Seen*>(data)->calls;
    static_cast<Seen*>(data)->fault = event->memory_fault;
    return HSA_STATUS_SUCCESS;
  };
  EXPECT_EQ(hsa_amd_register_system_event_handler(nullptr, nullptr), bad_argument);
  EXPECT_OK(hsa_amd_register_system_event_handler(handler, &seen));
  auto* x = allocate<float>(device_pool, 256);
  const hsa_signal_t done = make_signal(1), later = make_signal(1);
  auto* nowhere = reinterpret_cast<float*>(0x123000);
  submit(queue, saxpy_packet({x, nowhere, 1, 256}, done), HSA_PACKET_TYPE_KERNEL_DISPATCH);
  EXPECT_LT(wait_for_zero(done), 0);
  EXPECT_EQ(queue_status, amd_status(HSA_STATUS_ERROR_MEMORY_FAULT));
  EXPECT_EQ(seen.calls, 1);
  EXPECT_EQ(seen.fault.agent.handle, gpu.handle);
  EXPECT_EQ(seen.fault.virtual_address & ~uint64_t{0xfff}, 0x123000u);
  EXPECT_EQ(seen.fault.fault_reason_mask, static_cast<uint32_t>(HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT));
  // The queue does no more; who waits for it does not hang.
  submit(queue, saxpy_packet({x, x, 1, 256}, later), HSA_PACKET_TYPE_KERNEL_DISPATCH);
  EXPECT_LT(wait_for_zero(later), 0);
  EXPECT_OK(hsa_signal_destroy(done));
  EXPECT_OK(hsa_signal_destroy(later));
}

TEST_F(Launching, MemoryThatWasFreedIsAFault) {
  auto* x = allocate<float>(device_pool, 256);
  auto* freed = allocate<float>(device_pool, 256);
  const hsa_signal_t before = make_signal(1), after = make_signal(1);
  const auto first = saxpy_packet({x, freed, 1, 256}, before);
  // Made now: its arguments might take the place of what is freed.
  const auto second = saxpy_packet({x, freed, 1, 256}, after);
  submit(queue, first, HSA_PACKET_TYPE_KERNEL_DISPATCH);
  EXPECT_EQ(wait_for_zero(before), 0);
  EXPECT_OK(hsa_amd_memory_pool_free(freed));
  submit(queue, second, HSA_PACKET_TYPE_KERNEL_DISPATCH);
  EXPECT_LT(wait_for_zero(after), 0);
  EXPECT_EQ(queue_status, amd_status(HSA_STATUS_ERROR_MEMORY_FAULT));
  EXPECT_OK(hsa_signal_destroy(before));
  EXPECT_OK(hsa_signal_destroy(after));
}

TEST_F(Launching, BadPackets) {
  const auto status_of = [&](hsa_kernel_dispatch_packet_t packet, hsa_packet_type_t type) {
    hsa_queue_t* mine = nullptr;
    hsa_status_t status = HSA_STATUS_SUCCESS;
    const auto callback = [](hsa_status_t what, hsa_queue_t*, void* data) { *static_cast<hsa_status_t*>(data) = what; };
    EXPECT_OK(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, callback, &status, 0, 0, &mine));
    const hsa_signal_t done = make_signal(1);
    packet.completion_signal = done;
    submit(mine, packet, type);
    EXPECT_LT(wait_for_zero(done), 0);
    EXPECT_OK(hsa_queue_destroy(mine));
    EXPECT_OK(hsa_signal_destroy(done));
    return status;
  };
  auto* x = allocate<float>(device_pool, 256);
  const hsa_kernel_dispatch_packet_t good = saxpy_packet({x, x, 1, 256}, {0});
  auto packet = good;
  packet.kernel_object = 0;
  EXPECT_EQ(status_of(packet, HSA_PACKET_TYPE_KERNEL_DISPATCH), HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
  packet = good;
  packet.workgroup_size_x = 2048;
  EXPECT_EQ(status_of(packet, HSA_PACKET_TYPE_KERNEL_DISPATCH), bad_argument);
  packet = good;
  packet.grid_size_x = 0;
  EXPECT_EQ(status_of(packet, HSA_PACKET_TYPE_KERNEL_DISPATCH), bad_argument);
  packet = good;
  packet.group_segment_size = 1 << 20;
  EXPECT_EQ(status_of(packet, HSA_PACKET_TYPE_KERNEL_DISPATCH), HSA_STATUS_ERROR_INVALID_ALLOCATION);
  EXPECT_EQ(status_of(good, HSA_PACKET_TYPE_AGENT_DISPATCH), HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
  EXPECT_EQ(status_of(good, static_cast<hsa_packet_type_t>(77)), HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
}

TEST_F(Launching, EightThreadsLaunchOnTheirQueuesAndOnOne) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([this, t] {
      hsa_queue_t* mine = nullptr;
      EXPECT_OK(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_SINGLE, nullptr, nullptr, 0, 0, &mine));
      constexpr uint32_t count = 500;
      auto* x = allocate<float>(device_pool, count);
      auto* y = allocate<float>(device_pool, count);
      std::fill(x, x + count, static_cast<float>(t + 1));
      const hsa_signal_t done = make_signal(0);
      const hsa_kernel_dispatch_packet_t packet = saxpy_packet({x, y, 1, count}, done);
      for (int round = 0; round < 20; ++round) {
        hsa_signal_store_relaxed(done, 1);
        submit(round % 2 == 0 ? mine : queue, packet, HSA_PACKET_TYPE_KERNEL_DISPATCH);
        EXPECT_EQ(wait_for_zero(done), 0);
      }
      for (uint32_t i = 0; i < count; ++i) EXPECT_EQ(y[i], 20.0f * static_cast<float>(t + 1));
      EXPECT_OK(hsa_queue_destroy(mine));
      EXPECT_OK(hsa_signal_destroy(done));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
