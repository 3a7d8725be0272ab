// Signals: operations, waits, groups, handlers, many threads.
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "machine.h"

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
constexpr auto blocked = HSA_WAIT_STATE_BLOCKED;

TEST_F(Machine, SignalArguments) {
  hsa_signal_t signal{};
  const hsa_agent_t twice[] = {gpu, gpu};
  EXPECT_EQ(hsa_signal_create(0, 0, nullptr, nullptr), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(hsa_signal_create(0, 1, nullptr, &signal), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(hsa_signal_create(0, 2, twice, &signal), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  EXPECT_OK(hsa_signal_create(5, 1, &gpu, &signal));
  EXPECT_EQ(hsa_signal_load_relaxed(signal), 5);
  EXPECT_OK(hsa_signal_destroy(signal));
  EXPECT_EQ(hsa_signal_destroy(signal), HSA_STATUS_ERROR_INVALID_SIGNAL);
  EXPECT_EQ(hsa_signal_destroy({0}), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(hsa_signal_destroy({4096}), HSA_STATUS_ERROR_INVALID_SIGNAL);
  EXPECT_OK(hsa_amd_signal_create(1, 0, nullptr, HSA_AMD_SIGNAL_AMD_GPU_ONLY, &signal));
  volatile hsa_signal_value_t* word = nullptr;
  EXPECT_OK(hsa_amd_signal_value_pointer(signal, &word));
  *word = 77;
  EXPECT_EQ(hsa_signal_load_scacquire(signal), 77);
  EXPECT_EQ(hsa_amd_signal_value_pointer(signal, nullptr), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(hsa_amd_signal_value_pointer({8}, &word), HSA_STATUS_ERROR_INVALID_SIGNAL);
  EXPECT_OK(hsa_signal_destroy(signal));
}

TEST_F(Machine, SignalOperations) {
  const hsa_signal_t s = make_signal(10);
#define EACH_ORDER(operation, value, wanted)                                                                        \
  for (const auto function :                                                                                        \
       {hsa_signal_##operation##_scacq_screl, hsa_signal_##operation##_acq_rel, hsa_signal_##operation##_scacquire, \
        hsa_signal_##operation##_acquire, hsa_signal_##operation##_relaxed, hsa_signal_##operation##_screlease,     \
        hsa_signal_##operation##_release}) {                                                                        \
    hsa_signal_store_relaxed(s, 12);                                                                                \
    function(s, value);                                                                                             \
    EXPECT_EQ(hsa_signal_load_scacquire(s), wanted);                                                                \
  }
  EACH_ORDER(add, 5, 17)
  EACH_ORDER(subtract, 5, 7)
  EACH_ORDER(and, 6, 4)
  EACH_ORDER(or, 3, 15)
  EACH_ORDER(xor, 5, 9)
  EACH_ORDER(exchange, 99, 99)
  for (const auto function :
       {hsa_signal_cas_scacq_screl, hsa_signal_cas_acq_rel, hsa_signal_cas_scacquire, hsa_signal_cas_acquire,
        hsa_signal_cas_relaxed, hsa_signal_cas_screlease, hsa_signal_cas_release}) {
    hsa_signal_store_screlease(s, 12);
    EXPECT_EQ(function(s, 11, 1), 12);
    EXPECT_EQ(hsa_signal_load_acquire(s), 12);
    EXPECT_EQ(function(s, 12, 1), 12);
    EXPECT_EQ(hsa_signal_load_relaxed(s), 1);
  }
  hsa_signal_store_release(s, -4);
  hsa_signal_silent_store_relaxed(s, -5);
  EXPECT_EQ(hsa_signal_load_relaxed(s), -5);
  hsa_signal_silent_store_screlease(s, int64_t{1} << 40);
  EXPECT_EQ(hsa_signal_exchange_relaxed(s, 0), int64_t{1} << 40);
  EXPECT_OK(hsa_signal_destroy(s));
}

TEST_F(Machine, WaitEndsWithConditionOrTime) {
  const hsa_signal_t s = make_signal(3);
  EXPECT_EQ(hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_EQ, 3, UINT64_MAX, blocked), 3);
  EXPECT_EQ(hsa_signal_wait_relaxed(s, HSA_SIGNAL_CONDITION_GTE, 3, UINT64_MAX, blocked), 3);
  EXPECT_EQ(hsa_signal_wait_acquire(s, HSA_SIGNAL_CONDITION_NE, 4, UINT64_MAX, HSA_WAIT_STATE_ACTIVE), 3);
  uint64_t frequency = 0;
  ASSERT_OK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency));
  const auto start = steady_clock::now();
  EXPECT_EQ(hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_LT, 1, frequency / 20, blocked), 3);
  EXPECT_GE(steady_clock::now() - start, milliseconds(50));
  EXPECT_OK(hsa_signal_destroy(s));
}

TEST_F(Machine, WaitIsWokenAtOnceAndCostsNothing) {
  const hsa_signal_t s = make_signal(1);
  std::thread other([&] {
    std::this_thread::sleep_for(milliseconds(300));
    hsa_signal_subtract_screlease(s, 1);
  });
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  const auto start = steady_clock::now();
  EXPECT_EQ(wait_for_zero(s), 0);
  const auto time = steady_clock::now() - start;
  getrusage(RUSAGE_SELF, &after);
  other.join();
  EXPECT_GE(time, milliseconds(250));
  const auto used =
      (after.ru_utime.tv_sec - before.ru_utime.tv_sec) * 1000000 + after.ru_utime.tv_usec - before.ru_utime.tv_usec;
  EXPECT_LT(used, 50000) << "microseconds of processor time for a wait of 0.3 s";
  EXPECT_OK(hsa_signal_destroy(s));
}

TEST_F(Machine, PlainStoresAreSeen) {
  const hsa_signal_t s = make_signal(1);
  std::thread other([&] {
    std::this_thread::sleep_for(milliseconds(20));
    hsa_signal_silent_store_relaxed(s, 0);
  });
  EXPECT_EQ(wait_for_zero(s), 0);
  other.join();
  EXPECT_OK(hsa_signal_destroy(s));
}

TEST_F(Machine, WaitForAny) {
  hsa_signal_t signals[] = {make_signal(1), make_signal(1), make_signal(1)};
  hsa_signal_condition_t conditions[] = {HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_EQ};
  hsa_signal_value_t wanted[] = {0, 0, 0}, value = 9;
  EXPECT_EQ(hsa_amd_signal_wait_any(3, signals, conditions, wanted, 1000000, blocked, &value), UINT32_MAX);
  std::thread other([&] {
    std::this_thread::sleep_for(milliseconds(10));
    hsa_signal_store_relaxed(signals[2], 0);
  });
  EXPECT_EQ(hsa_amd_signal_wait_any(3, signals, conditions, wanted, UINT64_MAX, blocked, &value), 2u);
  EXPECT_EQ(value, 0);
  other.join();

  hsa_signal_group_t group{};
  EXPECT_OK(hsa_signal_group_create(3, signals, 0, nullptr, &group));
  hsa_signal_t found{};
  EXPECT_OK(hsa_signal_group_wait_any_scacquire(group, conditions, wanted, blocked, &found, &value));
  EXPECT_EQ(found.handle, signals[2].handle);
  EXPECT_OK(hsa_signal_group_wait_any_relaxed(group, conditions, wanted, blocked, &found, &value));
  EXPECT_EQ(hsa_signal_group_wait_any_relaxed(group, nullptr, wanted, blocked, &found, &value),
            HSA_STATUS_ERROR_INVALID_ARGUMENT);
  EXPECT_OK(hsa_signal_group_destroy(group));
  EXPECT_EQ(hsa_signal_group_destroy(group), HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP);
  EXPECT_EQ(hsa_signal_group_create(0, signals, 0, nullptr, &group), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  for (const hsa_signal_t signal : signals) EXPECT_OK(hsa_signal_destroy(signal));
}

TEST_F(Machine, Handlers) {
  const hsa_signal_t s = make_signal(0), done = make_signal(1);
  struct State {
    std::atomic<int> calls{0};
    hsa_signal_t signal, done;
  } state{{}, s, done};
  // Wants to be called again until the third time.
  const auto handler = [](hsa_signal_value_t value, void* data) {
    auto& state = *static_cast<State*>(data);
    EXPECT_GE(value, 5);
    hsa_signal_store_relaxed(state.signal, 0);
    if (++state.calls < 3) return true;
    hsa_signal_store_screlease(state.done, 0);
    return false;
  };
  EXPECT_OK(hsa_amd_signal_async_handler(s, HSA_SIGNAL_CONDITION_GTE, 5, handler, &state));
  for (int i = 1; i <= 3; ++i) {
    hsa_signal_store_relaxed(s, 5 + i);
    while (state.calls < i) std::this_thread::yield();
  }
  EXPECT_EQ(wait_for_zero(done), 0);
  EXPECT_EQ(hsa_amd_signal_async_handler(s, HSA_SIGNAL_CONDITION_GTE, 5, nullptr, &state),
            HSA_STATUS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(hsa_amd_signal_async_handler({0}, HSA_SIGNAL_CONDITION_GTE, 5, handler, &state),
            HSA_STATUS_ERROR_INVALID_SIGNAL);
  hsa_signal_store_relaxed(done, 1);
  EXPECT_OK(hsa_amd_async_function([](void* data) { hsa_signal_store_relaxed(*static_cast<hsa_signal_t*>(data), 0); },
                                   &state.done));
  EXPECT_EQ(wait_for_zero(done), 0);
  EXPECT_EQ(hsa_amd_async_function(nullptr, nullptr), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  EXPECT_OK(hsa_signal_destroy(s));
  EXPECT_OK(hsa_signal_destroy(done));
}

TEST_F(Machine, EightThreadsHandASignalRound) {
  constexpr int threads = 8, rounds = 200;
  const hsa_signal_t turn = make_signal(0);
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) {
    all.emplace_back([=] {
      for (int round = 0; round < rounds; ++round) {
        const hsa_signal_value_t mine = round * threads + t;
        hsa_signal_wait_scacquire(turn, HSA_SIGNAL_CONDITION_EQ, mine, UINT64_MAX, blocked);
        hsa_signal_add_screlease(turn, 1);
        const hsa_signal_t own = make_signal(t);
        EXPECT_EQ(hsa_signal_load_relaxed(own), t);
        EXPECT_OK(hsa_signal_destroy(own));
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  EXPECT_EQ(hsa_signal_load_relaxed(turn), threads * rounds);
  EXPECT_OK(hsa_signal_destroy(turn));
}

}  // namespace
