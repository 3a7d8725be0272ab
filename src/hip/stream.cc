#include <time.h>

#include <cstring>

#include "hip/graph.h"
#include "hip/state.h"
#include "runtime/private_api.h"

namespace gfxisa::hip {

Stream::Stream(int device, unsigned flags, bool is_default) : device_(device), flags_(flags), is_default_(is_default) {
  hsa_signal_create(0, 0, nullptr, &done_);
  thread_ = std::thread([this] { run(); });
}

Stream::~Stream() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    changed_.notify_all();
  }
  // The last reference may be that of this stream's own work.
  if (thread_.get_id() == std::this_thread::get_id())
    thread_.detach();
  else
    thread_.join();
  for (hsa_queue_t* queue : queues_) {
    if (queue != nullptr) hsa_queue_destroy(queue);
  }
  hsa_signal_destroy(done_);
}

std::shared_ptr<Capture> Stream::capture() const {
  const std::lock_guard lock(mutex_);
  return capture_;
}

void Stream::set_capture(std::shared_ptr<Capture> capture) {
  const std::lock_guard lock(mutex_);
  capture_ = std::move(capture);
}

bool Stream::refuses_to_wait() {
  const auto captured = capture();
  if (captured == nullptr) return false;
  const std::lock_guard lock(captured->lock);
  captured->is_invalid = true;
  return true;
}

u64 Stream::add(Work work, hipGraphNodeType type) {
  if (Recording::record(work)) return 0;
  if (const auto captured = capture()) {
    captured->append(*this, type, std::move(work));
    return 0;
  }
  Item item{std::move(work), {}};
  State& state = State::get();
  if (is_default_) {
    for (const auto& other : state.streams_of(device_)) {
      if (other.get() != this && other->is_blocking()) {
        const std::lock_guard lock(other->mutex_);
        if (other->finished_ != other->added_) item.after.emplace_back(other, other->added_);
      }
    }
  } else if (is_blocking()) {
    const auto other = state.default_stream(device_);
    const std::lock_guard lock(other->mutex_);
    if (other->finished_ != other->added_) item.after.emplace_back(other, other->added_);
  }
  const std::lock_guard lock(mutex_);
  items_.push_back(std::move(item));
  changed_.notify_all();
  return ++added_;
}

void Stream::wait(u64 number) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return finished_ >= number; });
}

u64 Stream::last() const {
  const std::lock_guard lock(mutex_);
  return added_;
}

hipError_t Stream::synchronize() {
  std::unique_lock lock(mutex_);
  const u64 number = added_;
  changed_.wait(lock, [&] { return finished_ >= number; });
  return std::exchange(error_, hipSuccess);
}

void Stream::wait_for_all() {
  std::unique_lock lock(mutex_);
  const u64 number = added_;
  changed_.wait(lock, [&] { return finished_ >= number; });
}

bool Stream::is_idle() const {
  const std::lock_guard lock(mutex_);
  return finished_ == added_;
}

void Stream::run() {
  for (;;) {
    Item item;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ends_ || !items_.empty(); });
      if (items_.empty()) return;
      item = std::move(items_.front());
      items_.pop_front();
    }
    for (const auto& [other, number] : item.after) other->wait(number);
    const hipError_t error = item.work(*this);
    const std::lock_guard lock(mutex_);
    if (error != hipSuccess && error_ == hipSuccess) error_ = error;
    ++finished_;
    changed_.notify_all();
  }
}

hsa_queue_t* Stream::queue(bool is_cooperative) {
  hsa_queue_t*& queue = queues_[is_cooperative ? 1 : 0];
  if (queue != nullptr) return queue;
  const auto callback = [](hsa_status_t status, hsa_queue_t*, void* data) {
    static_cast<Stream*>(data)->failure_ = status;
  };
  hsa_queue_create(State::get().devices[static_cast<std::size_t>(device_)].agent, 64,
                   is_cooperative ? HSA_QUEUE_TYPE_COOPERATIVE : HSA_QUEUE_TYPE_SINGLE, callback, this, UINT32_MAX,
                   UINT32_MAX, &queue);
  return queue;
}

hipError_t Stream::run_packet(const hsa_kernel_dispatch_packet_t& wanted, bool is_cooperative) {
  hsa_queue_t* const to = queue(is_cooperative);
  if (to == nullptr) return hipErrorOutOfMemory;
  if (is_cooperative) {
    const u64 blocks = u64{wanted.grid_size_x / wanted.workgroup_size_x} *
                       (wanted.grid_size_y / wanted.workgroup_size_y) * (wanted.grid_size_z / wanted.workgroup_size_z);
    gfxisa_queue_set_global_sync(to, 0, static_cast<u32>(blocks) - 1);
  }
  hsa_kernel_dispatch_packet_t packet = wanted;
  hsa_signal_store_relaxed(done_, 1);
  packet.completion_signal = done_;
  const u64 index = hsa_queue_add_write_index_screlease(to, 1);
  auto* place = static_cast<u8*>(to->base_address) + index % to->size * sizeof packet;
  std::memcpy(place + sizeof packet.header, reinterpret_cast<const u8*>(&packet) + sizeof packet.header,
              sizeof packet - sizeof packet.header);
  const u16 header = HSA_PACKET_TYPE_KERNEL_DISPATCH | 1 << HSA_PACKET_HEADER_BARRIER |
                     HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                     HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
  __atomic_store_n(reinterpret_cast<u16*>(place), header, __ATOMIC_RELEASE);
  hsa_signal_store_screlease(to->doorbell_signal, static_cast<i64>(index));
  const i64 value = hsa_signal_wait_scacquire(done_, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
  if (value == 0) return hipSuccess;
  // The queue is dead; the next kernel gets a new one.
  hsa_queue_destroy(to);
  queues_[is_cooperative ? 1 : 0] = nullptr;
  return from_status(std::exchange(failure_, HSA_STATUS_SUCCESS));
}

}  // namespace gfxisa::hip
