#include "hip/hostcall.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <map>
#include <thread>

#include "elf/device_printf.h"
#include "hip/state.h"

namespace gfxisa::hip {
namespace {

// The layout is an agreement with the device library (ockl, hostcall).
struct PacketHeader {
  u64 next, active_lanes;
  u32 service, control;  ///< control bit 0: the host has not answered yet
};
struct Payload {
  u64 slots[64][8];
};
struct Buffer {
  PacketHeader* headers;
  Payload* payloads;
  hsa_signal_t doorbell;
  u64 free_stack, ready_stack;
  u64 index_mask;
};
static_assert(sizeof(PacketHeader) == 24 && sizeof(Payload) == 4096 && sizeof(Buffer) == 48);

enum Service : u32 { service_call = 1, service_printf = 2, service_memory = 3 };

constexpr u64 packets = 1024;  // waves that call at once; a power of two
constexpr u64 headers_at = 128, payloads_at = 32768;
static_assert(headers_at + packets * sizeof(PacketHeader) <= payloads_at);

// Of the device library's malloc (ockl, dm): its books begin as zeros, but for how many blocks each of the 16 sizes may
// have at first.
constexpr u64 heap_bytes = 128 * 1024, first_limit_at = 4096, limit_stride = 128;
constexpr unsigned block_sizes = 16;
constexpr u32 first_limit = 256;

/// Answers for all devices, in one thread.
class Listener {
 public:
  u64 buffer_of(int device) {
    const std::lock_guard lock(mutex_);
    Buffer*& buffer = buffers_[device];
    if (buffer == nullptr) buffer = make();
    return reinterpret_cast<u64>(buffer);
  }

 private:
  Buffer* make() {
    void* memory = nullptr;
    if (hsa_amd_memory_pool_allocate(State::get().host_memory, payloads_at + packets * sizeof(Payload), 0, &memory) !=
        HSA_STATUS_SUCCESS)
      return nullptr;
    if (doorbell_.handle == 0) {
      if (hsa_signal_create(1, 0, nullptr, &doorbell_) != HSA_STATUS_SUCCESS) return nullptr;
      // Lives as long as the process.
      std::thread([this] { run(); }).detach();
    }
    auto* const start = static_cast<u8*>(memory);
    auto* const buffer = static_cast<Buffer*>(memory);
    buffer->headers = reinterpret_cast<PacketHeader*>(start + headers_at);
    buffer->payloads = reinterpret_cast<Payload*>(start + payloads_at);
    buffer->doorbell = doorbell_;
    buffer->index_mask = packets - 1;
    // Pointers into the stacks have counts above the index, which keep the one to packet 0 from being 0.
    u64 next = packets;
    for (u64 i = 1; i < packets; ++i) {
      buffer->headers[i].next = next;
      next = i;
    }
    buffer->free_stack = next;
    return buffer;
  }

  void run() {
    i64 seen = 1;
    for (;;) {
      const i64 now =
          hsa_signal_wait_scacquire(doorbell_, HSA_SIGNAL_CONDITION_NE, seen, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
      // Waits end without a change when the runtime does.
      if (now == seen) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      seen = now;
      std::vector<std::pair<int, Buffer*>> all;
      {
        const std::lock_guard lock(mutex_);
        all.assign(buffers_.begin(), buffers_.end());
      }
      for (const auto& [device, buffer] : all) {
        if (buffer != nullptr) answer(device, *buffer);
      }
    }
  }

  void answer(int device, Buffer& buffer) {
    for (u64 at = __atomic_exchange_n(&buffer.ready_stack, 0, __ATOMIC_ACQ_REL); at != 0;) {
      PacketHeader& header = buffer.headers[at & buffer.index_mask];
      Payload& payload = buffer.payloads[at & buffer.index_mask];
      at = header.next;  // the packet is the device's again once it is answered
      for (u64 lanes = header.active_lanes; lanes != 0; lanes &= lanes - 1)
        serve(device, header.service, payload.slots[std::countr_zero(lanes)]);
      __atomic_store_n(&header.control, header.control & ~u32{1}, __ATOMIC_RELEASE);
    }
  }

  void serve(int device, u32 service, u64* slot) {
    switch (service) {
      case service_call: {
        u64 results[2] = {};
        reinterpret_cast<void (*)(u64*, const u64*)>(slot[0])(results, slot + 1);
        std::copy_n(results, 2, slot);
        return;
      }
      case service_printf:
        return take_message(slot);
      case service_memory: {
        void* memory = nullptr;
        if (slot[0] != 0)
          hsa_amd_memory_pool_free(reinterpret_cast<void*>(slot[0]));
        else
          hsa_amd_memory_pool_allocate(State::get().devices[static_cast<std::size_t>(device)].memory, slot[1], 0,
                                       &memory);
        slot[0] = reinterpret_cast<u64>(memory);
        return;
      }
      default:
        slot[0] = slot[1] = 0;
    }
  }

  /// Text comes in parts of up to seven words. The descriptor: bit 0 the first part, 1 the last, 7:5 words, 63:8 which
  /// message, a number that we give to the first part.
  void take_message(u64* slot) {
    const u64 descriptor = slot[0], words = descriptor >> 5 & 7;
    u64 number = descriptor >> 8;
    if ((descriptor & 1) != 0) number = next_message_++;
    std::vector<u64>& message = messages_[number];
    message.insert(message.end(), slot + 1, slot + 1 + words);
    if ((descriptor & 2) == 0) {
      slot[0] = (descriptor & 0xfe) | number << 8;
      return;
    }
    const bool is_known = !message.empty() && (message[0] & ~u64{1}) == 0;
    slot[0] = ~u64{0};
    if (is_known) {
      const std::string text = device_printf_text(std::span(message).subspan(1));
      std::fwrite(text.data(), 1, text.size(), (message[0] & 1) != 0 ? stderr : stdout);
      slot[0] = text.size();
    }
    messages_.erase(number);
  }

  std::mutex mutex_;
  std::map<int, Buffer*> buffers_;
  hsa_signal_t doorbell_{};
  std::map<u64, std::vector<u64>> messages_;
  u64 next_message_ = 0;
};

}  // namespace

u64 hostcall_buffer(int device) {
  // Never destroyed: its thread runs while the process exits.
  static Listener& listener = *new Listener;
  return listener.buffer_of(device);
}

u64 device_heap(int device) {
  static std::mutex lock;
  static std::map<int, u64>& heaps = *new std::map<int, u64>;
  const std::lock_guard guard(lock);
  u64& heap = heaps[device];
  void* memory = nullptr;
  if (heap != 0 || hsa_amd_memory_pool_allocate(State::get().host_memory, heap_bytes, 0, &memory) != HSA_STATUS_SUCCESS)
    return heap;
  for (unsigned size = 0; size < block_sizes; ++size)
    std::memcpy(static_cast<u8*>(memory) + first_limit_at + size * limit_stride, &first_limit, sizeof first_limit);
  return heap = reinterpret_cast<u64>(memory);
}

}  // namespace gfxisa::hip
