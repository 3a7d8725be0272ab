// Eight threads at once: code, faults, queues that end, handlers, queries; and the end of the runtime with work in
// flight.
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "machine.h"

namespace {

void in_eight_threads(const std::function<void(int)>& work) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) threads.emplace_back(work, t);
  for (std::thread& thread : threads) thread.join();
}

TEST_F(Launching, EightThreadsLoadAndUnloadCode) {
  in_eight_threads([this](int t) {
    auto* x = allocate<float>(device_pool, 64);
    auto* y = allocate<float>(device_pool, 64);
    std::fill(x, x + 64, static_cast<float>(t));
    const hsa_signal_t done = make_signal(0);
    for (int round = 0; round < 10; ++round) {
      hsa_code_object_reader_t reader;
      hsa_executable_t mine;
      hsa_executable_symbol_t found;
      EXPECT_OK(hsa_code_object_reader_create_from_memory(code.data(), code.size(), &reader));
      EXPECT_OK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr, &mine));
      EXPECT_OK(hsa_executable_load_agent_code_object(mine, gpu, reader, nullptr, nullptr));
      EXPECT_OK(hsa_executable_freeze(mine, nullptr));
      EXPECT_OK(hsa_executable_get_symbol_by_name(mine, "saxpy.kd", &gpu, &found));
      hsa_kernel_dispatch_packet_t packet = saxpy_packet({x, y, 1, 64}, done);
      EXPECT_OK(hsa_executable_symbol_get_info(found, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &packet.kernel_object));
      hsa_signal_store_relaxed(done, 1);
      submit(queue, packet, HSA_PACKET_TYPE_KERNEL_DISPATCH);
      EXPECT_EQ(wait_for_zero(done), 0);
      EXPECT_OK(hsa_memory_free(packet.kernarg_address));
      // All of them may come and go while this looks at them.
      EXPECT_OK(
          hsa_ven_amd_loader_iterate_executables([](hsa_executable_t, void*) { return HSA_STATUS_SUCCESS; }, nullptr));
      hsa_executable_t owner;
      EXPECT_OK(hsa_ven_amd_loader_query_executable(reinterpret_cast<void*>(packet.kernel_object), &owner));
      EXPECT_EQ(owner.handle, mine.handle);
      EXPECT_OK(hsa_executable_iterate_agent_symbols(
          executable, gpu,
          [](hsa_executable_t, hsa_agent_t, hsa_executable_symbol_t, void*) { return HSA_STATUS_SUCCESS; }, nullptr));
      EXPECT_OK(hsa_executable_destroy(mine));
      EXPECT_OK(hsa_code_object_reader_destroy(reader));
    }
    for (int i = 0; i < 64; ++i) EXPECT_EQ(y[i], 10.0f * static_cast<float>(t));
    EXPECT_OK(hsa_signal_destroy(done));
    EXPECT_OK(hsa_memory_free(x));
    EXPECT_OK(hsa_memory_free(y));
  });
}

TEST_F(Launching, EightThreadsLoadIntoOneExecutable) {
  hsa_executable_t one;
  ASSERT_OK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr, &one));
  static int variables[8];
  in_eight_threads([&](int t) {
    const std::string name = "variable" + std::to_string(t);
    hsa_executable_symbol_t found;
    EXPECT_OK(hsa_executable_agent_global_variable_define(one, gpu, name.c_str(), &variables[t]));
    EXPECT_OK(hsa_executable_get_symbol_by_name(one, name.c_str(), &gpu, &found));
    uint64_t address = 0;
    EXPECT_OK(hsa_executable_symbol_get_info(found, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, &address));
    EXPECT_EQ(address, reinterpret_cast<uint64_t>(&variables[t]));
    EXPECT_OK(hsa_executable_iterate_symbols(
        one, [](hsa_executable_t, hsa_executable_symbol_t, void*) { return HSA_STATUS_SUCCESS; }, nullptr));
  });
  std::atomic<int> frozen{0};
  in_eight_threads([&](int) { frozen += hsa_executable_freeze(one, nullptr) == HSA_STATUS_SUCCESS; });
  EXPECT_EQ(frozen, 1);
  EXPECT_OK(hsa_executable_destroy(one));
}

TEST_F(Launching, FaultsOfSomeDoNotReachOthers) {
  static std::atomic<int> faults;
  faults = 0;
  EXPECT_OK(hsa_amd_register_system_event_handler(
      [](const hsa_amd_event_t*, void*) {
        ++faults;
        return HSA_STATUS_SUCCESS;
      },
      nullptr));
  in_eight_threads([this](int t) {
    std::atomic<int> status{0};
    const auto callback = [](hsa_status_t what, hsa_queue_t*, void* data) {
      *static_cast<std::atomic<int>*>(data) = what;
    };
    hsa_queue_t* mine = nullptr;
    EXPECT_OK(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_SINGLE, callback, &status, 0, 0, &mine));
    auto* x = allocate<float>(device_pool, 64);
    const hsa_signal_t done = make_signal(1);
    const bool fails = t % 2 == 1;
    auto* target = fails ? reinterpret_cast<float*>(0x1000) : x;
    submit(mine, saxpy_packet({x, target, 1, 64}, done), HSA_PACKET_TYPE_KERNEL_DISPATCH);
    if (fails)
      EXPECT_LT(wait_for_zero(done), 0);
    else
      EXPECT_EQ(wait_for_zero(done), 0);
    EXPECT_EQ(status, fails ? static_cast<int>(HSA_STATUS_ERROR_MEMORY_FAULT) : 0);
    EXPECT_OK(hsa_queue_destroy(mine));
    EXPECT_OK(hsa_signal_destroy(done));
    EXPECT_OK(hsa_memory_free(x));
  });
  EXPECT_EQ(faults, 4);
}

TEST_F(Launching, QueuesEndWithWorkInFlight) {
  const hsa_signal_t never = make_signal(1);
  in_eight_threads([&](int t) {
    hsa_queue_t* mine = nullptr;
    EXPECT_OK(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, 0, 0, &mine));
    auto* x = allocate<float>(device_pool, 256);
    if (t % 2 == 0) {
      hsa_barrier_and_packet_t all{};
      all.dep_signal[0] = never;
      submit(mine, all, HSA_PACKET_TYPE_BARRIER_AND);
    }
    // Minutes of work.
    hsa_kernel_dispatch_packet_t packet = saxpy_packet({x, x, 1, 256}, {0});
    packet.grid_size_x = 0xffffff00;
    submit(mine, packet, HSA_PACKET_TYPE_KERNEL_DISPATCH);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_OK(t % 4 < 2 ? hsa_queue_inactivate(mine) : HSA_STATUS_SUCCESS);
    EXPECT_OK(hsa_queue_destroy(mine));
    EXPECT_OK(hsa_memory_free(x));
  });
  EXPECT_OK(hsa_signal_destroy(never));
}

TEST_F(Launching, TheRuntimeEndsWithWorkInFlight) {
  auto* x = allocate<float>(device_pool, 256);
  hsa_queue_t* mine = nullptr;
  EXPECT_OK(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, 0, 0, &mine));
  hsa_kernel_dispatch_packet_t packet = saxpy_packet({x, x, 1, 256}, {0});
  packet.grid_size_x = 0xffffff00;
  submit(mine, packet, HSA_PACKET_TYPE_KERNEL_DISPATCH);
  const hsa_signal_t never = make_signal(1), done = make_signal(1);
  EXPECT_OK(hsa_amd_memory_async_copy(x, gpu, x + 128, gpu, 512, 1, &never, done));
  EXPECT_OK(hsa_amd_signal_async_handler(
      never, HSA_SIGNAL_CONDITION_EQ, 0, [](hsa_signal_value_t, void*) { return false; }, nullptr));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  // Ends here, and begins again for TearDown, whose queue and executable are no more.
  EXPECT_OK(hsa_shut_down());
  EXPECT_EQ(hsa_queue_destroy(queue), HSA_STATUS_ERROR_NOT_INITIALIZED);
  SetUp();
}

TEST_F(Launching, QueuesDestroyedByTheirCallbacks) {
  in_eight_threads([this](int) {
    hsa_queue_t* mine = nullptr;
    std::atomic<int> status{-1};
    const auto callback = [](hsa_status_t, hsa_queue_t* source, void* data) {
      static_cast<std::atomic<int>*>(data)->store(hsa_queue_destroy(source));
    };
    EXPECT_OK(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, callback, &status, 0, 0, &mine));
    const hsa_signal_t done = make_signal(1);
    submit(mine, saxpy_packet({nullptr, nullptr, 1, 64}, done), HSA_PACKET_TYPE_KERNEL_DISPATCH);
    EXPECT_LT(wait_for_zero(done), 0);
    EXPECT_EQ(status, 0);
    EXPECT_OK(hsa_signal_destroy(done));
  });
}

TEST_F(Launching, QueuesStoppedByMany) {
  hsa_queue_t* one = nullptr;
  EXPECT_OK(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, 0, 0, &one));
  std::atomic<int> destroyed{0};
  in_eight_threads([&](int t) {
    if (t % 2 == 0) hsa_queue_inactivate(one);
    destroyed += hsa_queue_destroy(one) == HSA_STATUS_SUCCESS;
  });
  EXPECT_EQ(destroyed, 1);
}

TEST_F(Launching, IdlingCostsNothing) {
  const hsa_signal_t never = make_signal(1), passed = make_signal(1), done = make_signal(1);
  auto* memory = allocate<char>(device_pool, 4096);
  // Threads of queues, copies and handlers are there, and all of them wait.
  hsa_barrier_and_packet_t all{};
  all.dep_signal[0] = never;
  all.completion_signal = passed;
  submit(queue, all, HSA_PACKET_TYPE_BARRIER_AND);
  EXPECT_OK(hsa_amd_memory_async_copy(memory, gpu, memory + 2048, gpu, 2048, 1, &never, done));
  EXPECT_OK(hsa_amd_signal_async_handler(
      never, HSA_SIGNAL_CONDITION_EQ, 0, [](hsa_signal_value_t, void*) { return false; }, nullptr));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // ever more rarely they look again
  timespec before{}, after{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  const auto used = (after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec;
  EXPECT_LT(used, 50000000) << "nanoseconds of processor time in a second";
  hsa_signal_store_screlease(never, 0);
  for (const hsa_signal_t each : {passed, done}) EXPECT_EQ(wait_for_zero(each), 0);
  // Nobody looks at them any more.
  for (const hsa_signal_t each : {never, passed, done}) EXPECT_OK(hsa_signal_destroy(each));
}

#ifndef __SANITIZE_THREAD__  // which ends a forked child that makes threads

/// LeakSanitizer asks at the end: what the parent's threads held is nobody's in a child, which has none of them.
bool is_forked_child = false;
extern "C" int __lsan_is_turned_off() { return is_forked_child; }

TEST_F(Launching, ChildOfABusyProcess) {
  auto* x = allocate<float>(device_pool, 256);
  hsa_kernel_dispatch_packet_t packet = saxpy_packet({x, x, 1, 256}, {0});
  packet.grid_size_x = 0xffffff00;
  hsa_queue_t* busy = nullptr;
  ASSERT_OK(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, 0, 0, &busy));
  submit(busy, packet, HSA_PACKET_TYPE_KERNEL_DISPATCH);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const pid_t child = fork();
  if (child == 0) {
    is_forked_child = true;
    // Its own runtime works, and it exits with a queue of its own.
    hsa_queue_t* own = nullptr;
    if (hsa_init() != HSA_STATUS_SUCCESS) _exit(1);
    hsa_iterate_agents(
        [](hsa_agent_t agent, void* out) {
          *static_cast<hsa_agent_t*>(out) = agent;
          return HSA_STATUS_SUCCESS;
        },
        &gpu);
    if (hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, 0, 0, &own) != HSA_STATUS_SUCCESS) _exit(2);
    const hsa_signal_t done = make_signal(1);
    submit(
        own,
        hsa_barrier_and_packet_t{
            .header = 0, .reserved0 = 0, .reserved1 = 0, .dep_signal = {}, .reserved2 = 0, .completion_signal = done},
        HSA_PACKET_TYPE_BARRIER_AND);
    std::exit(wait_for_zero(done) == 0 ? 0 : 3);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_OK(hsa_queue_destroy(busy));
}
#endif

TEST_F(Machine, EightThreadsCopyAndHandle) {
  in_eight_threads([this](int t) {
    const std::size_t bytes = 100000 + static_cast<std::size_t>(t) * 1000;
    auto* device = allocate<char>(device_pool, bytes);
    std::vector<char> host(bytes, static_cast<char>(t)), back(bytes);
    std::atomic<int> calls{0};
    const auto handler = [](hsa_signal_value_t, void* data) {
      ++*static_cast<std::atomic<int>*>(data);
      return false;
    };
    for (int round = 0; round < 10; ++round) {
      const hsa_signal_t there = make_signal(1), here = make_signal(1);
      EXPECT_OK(hsa_amd_signal_async_handler(here, HSA_SIGNAL_CONDITION_LT, 1, handler, &calls));
      EXPECT_OK(hsa_amd_memory_async_copy(back.data(), cpu, device, gpu, bytes, 1, &there, here));
      EXPECT_OK(hsa_amd_memory_async_copy(device, gpu, host.data(), cpu, bytes, 0, nullptr, there));
      EXPECT_EQ(wait_for_zero(here), 0);
      EXPECT_EQ(back, host);
      // Held by its handler until that was called.
      EXPECT_OK(hsa_signal_destroy(here));
      EXPECT_OK(hsa_signal_destroy(there));
    }
    while (calls < 10) std::this_thread::yield();
    EXPECT_OK(hsa_amd_memory_pool_free(device));
  });
}

TEST_F(Machine, EightThreadsAsk) {
  in_eight_threads([this](int) {
    for (int round = 0; round < 100; ++round) {
      char name[64];
      EXPECT_OK(hsa_agent_get_info(gpu, HSA_AGENT_INFO_NAME, name));
      EXPECT_EQ(pools_of(gpu).size(), 3u);
      auto* memory = allocate<char>(host_pool, 100);
      EXPECT_OK(hsa_amd_agents_allow_access(1, &gpu, nullptr, memory));
      EXPECT_OK(hsa_amd_pointer_info_set_userdata(memory, name));
      hsa_amd_pointer_info_t info{};
      info.size = sizeof info;
      EXPECT_OK(hsa_amd_pointer_info(memory + 50, &info, nullptr, nullptr, nullptr));
      EXPECT_EQ(info.userData, name);
      void* seen = nullptr;
      EXPECT_OK(hsa_amd_memory_lock(name, sizeof name, nullptr, 0, &seen));
      EXPECT_OK(hsa_amd_memory_unlock(name));
      hsa_amd_svm_attribute_pair_t query{HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gpu.handle};
      EXPECT_OK(hsa_amd_svm_attributes_get(memory, 100, &query, 1));
      EXPECT_OK(hsa_amd_memory_fill(memory, 7, 10));
      EXPECT_OK(hsa_memory_free(memory));
    }
  });
}

// The first of them begins it, the last ends it, many times.
TEST(Lifetime, EightThreadsInitialise) {
  in_eight_threads([](int) {
    for (int round = 0; round < 50; ++round) {
      EXPECT_OK(hsa_init());
      uint64_t time = 0;
      EXPECT_OK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &time));
      EXPECT_OK(hsa_shut_down());
    }
  });
}

}  // namespace
