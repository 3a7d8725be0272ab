#include "runtime/bells.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>

namespace gfxisa::runtime {

struct alignas(64) Bell {
  std::atomic<u32> rings{0};
  std::atomic<u32> listeners{0};
};

namespace {

constexpr u64 first_patience = 1'000'000, most_patience = 100'000'000;  // nanoseconds

// Constant-initialised and without destructors, so that threads may use them while the process exits.
constinit std::array<Bell, 256> bells;
constinit Bell any_bell;
constinit std::atomic<u32> running_kernels{0};
constinit std::atomic<bool> nobody_sleeps{false};

Bell& bell_of(const volatile void* address) {
  const u64 word = reinterpret_cast<u64>(address) >> 3;
  return bells[(word ^ word >> 8 ^ word >> 16) % bells.size()];
}

void ring_bell(Bell& bell) {
  if (bell.listeners.load() == 0) return;
  bell.rings.fetch_add(1);
  syscall(SYS_futex, &bell.rings, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace

u64 now_nanoseconds() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<u64>(time.tv_sec) * 1'000'000'000u + static_cast<u64>(time.tv_nsec);
}

void ring(const volatile void* address) {
  ring_bell(bell_of(address));
  ring_bell(any_bell);
}

void ring_all() {
  for (Bell& bell : bells) ring_bell(bell);
  ring_bell(any_bell);
}

void end_all_waits() {
  nobody_sleeps.store(true);
  ring_all();
}

KernelIsRunning::KernelIsRunning() {
  // Those who sleep long sleep short from now on.
  if (running_kernels.fetch_add(1) == 0) ring_all();
}

KernelIsRunning::~KernelIsRunning() {
  running_kernels.fetch_sub(1);
  ring_all();
}

Listener::Listener(const volatile void* address)
    : bell_(address == nullptr ? any_bell : bell_of(address)), patience_(first_patience) {
  bell_.listeners.fetch_add(1);
  heard_ = bell_.rings.load();
}

Listener::~Listener() { bell_.listeners.fetch_sub(1); }

bool Listener::sleep(u64 deadline) {
  const u64 now = now_nanoseconds();
  if (now >= deadline || nobody_sleeps.load()) return false;
  if (running_kernels.load() != 0) patience_ = first_patience;
  const u64 nap = std::min(patience_, deadline - now);
  patience_ = std::min(patience_ * 2, most_patience);
  const timespec time{static_cast<time_t>(nap / 1'000'000'000u), static_cast<long>(nap % 1'000'000'000u)};
  syscall(SYS_futex, &bell_.rings, FUTEX_WAIT_PRIVATE, heard_, &time, nullptr, 0);
  const u32 rings = bell_.rings.load();
  if (rings != heard_) patience_ = first_patience;
  heard_ = rings;
  return true;
}

}  // namespace gfxisa::runtime
