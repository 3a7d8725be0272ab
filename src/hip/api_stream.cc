// Streams, events.
#include <time.h>

#include <algorithm>
#include <chrono>

#include "hip/graph.h"
#include "hip/state.h"

using namespace gfxisa;
using namespace gfxisa::hip;

namespace {

u64 now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<u64>(time.tv_sec) * 1'000'000'000u + static_cast<u64>(time.tv_nsec);
}

// Events belong to programs and to work that has not come to them yet.
std::mutex events_lock;
std::map<hipEvent_t, std::shared_ptr<Event>> events;

std::shared_ptr<Event> event_of(hipEvent_t handle) {
  const std::lock_guard lock(events_lock);
  const auto found = events.find(handle);
  return found == events.end() ? nullptr : found->second;
}

void wait_for(Event& event, u64 number) {
  std::unique_lock lock(event.mutex);
  event.changed.wait(lock, [&] { return event.reached >= number; });
}

template <class T>
hipError_t write_value(hipStream_t handle, T* word, T value) {
  hipError_t error;
  const auto stream = State::get().started_stream(handle, error);
  if (stream == nullptr || word == nullptr) return stream == nullptr ? error : hipErrorInvalidValue;
  stream->add(
      [=](Stream&) {
        __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
        return hipSuccess;
      },
      hipGraphNodeTypeHost);
  return hipSuccess;
}

/// The word is looked at each fifth of a millisecond: anybody may write it.
template <class T>
hipError_t wait_value(hipStream_t handle, const T* word, T value, unsigned flags, T mask) {
  hipError_t error;
  const auto stream = State::get().started_stream(handle, error);
  if (stream == nullptr || word == nullptr || flags > hipStreamWaitValueNor)
    return stream == nullptr ? error : hipErrorInvalidValue;
  stream->add(
      [=](Stream&) {
        const auto holds = [&] {
          const T seen = __atomic_load_n(word, __ATOMIC_SEQ_CST);
          switch (flags) {
            case hipStreamWaitValueGte:
              return (seen & mask) >= value;
            case hipStreamWaitValueEq:
              return (seen & mask) == value;
            case hipStreamWaitValueAnd:
              return (seen & mask & value) != 0;
            default:
              return static_cast<T>(~((seen & mask) | (value & mask))) != 0;
          }
        };
        while (!holds()) std::this_thread::sleep_for(std::chrono::microseconds(200));
        return hipSuccess;
      },
      hipGraphNodeTypeHost);
  return hipSuccess;
}

/// A stream waits for an event that was recorded in a capture, and so becomes part of it.
hipError_t join(Stream& stream, const Event& event, const std::shared_ptr<Capture>& captured) {
  const auto own = stream.capture();
  if (captured == nullptr) return hipErrorStreamCaptureIsolation;
  if (own != nullptr && own != captured) return hipErrorStreamCaptureMerge;
  const std::lock_guard lock(captured->lock);
  if (captured->graph == nullptr) return hipErrorCapturedEvent;  // that capture is over
  std::vector<Node*>& last = captured->last[&stream];
  for (Node* node : event.after) {
    if (std::find(last.begin(), last.end(), node) == last.end()) last.push_back(node);
  }
  stream.set_capture(captured);
  return hipSuccess;
}

}  // namespace

extern "C" {

hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags) {
  if (stream == nullptr || flags > hipStreamNonBlocking) return set_last(hipErrorInvalidValue);
  if (const hipError_t error = State::get().start(); error != hipSuccess) return set_last(error);
  *stream = State::get().add_stream(current_device, flags);
  return hipSuccess;
}
hipError_t hipStreamCreate(hipStream_t* stream) { return hipStreamCreateWithFlags(stream, hipStreamDefault); }
hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned flags, int) {
  return hipStreamCreateWithFlags(stream, flags);
}
hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 1;
  if (greatest != nullptr) *greatest = -1;
  return hipSuccess;
}
hipError_t hipStreamDestroy(hipStream_t stream) {
  return set_last(stream != nullptr && State::get().remove_stream(stream) ? hipSuccess : hipErrorContextIsDestroyed);
}
hipError_t hipStreamSynchronize(hipStream_t handle) {
  hipError_t error;
  const auto stream = State::get().started_stream(handle, error);
  if (stream != nullptr && stream->refuses_to_wait()) return set_last(hipErrorStreamCaptureUnsupported);
  return set_last(stream == nullptr ? error : stream->synchronize());
}
hipError_t hipStreamQuery(hipStream_t handle) {
  hipError_t error;
  const auto stream = State::get().started_stream(handle, error);
  if (stream == nullptr) return set_last(error);
  if (stream->refuses_to_wait()) return set_last(hipErrorStreamCaptureUnsupported);
  return stream->is_idle() ? hipSuccess : hipErrorNotReady;
}
hipError_t hipStreamGetFlags(hipStream_t handle, unsigned* flags) {
  hipError_t error;
  const auto stream = State::get().started_stream(handle, error);
  if (stream == nullptr || flags == nullptr) return set_last(stream == nullptr ? error : hipErrorInvalidValue);
  *flags = stream->flags();
  return hipSuccess;
}
hipError_t hipStreamGetPriority(hipStream_t handle, int* priority) {
  hipError_t error;
  const auto stream = State::get().started_stream(handle, error);
  if (stream == nullptr || priority == nullptr) return set_last(stream == nullptr ? error : hipErrorInvalidValue);
  *priority = 0;
  return hipSuccess;
}
hipError_t hipStreamAddCallback(hipStream_t handle, hipStreamCallback_t callback, void* data, unsigned) {
  hipError_t error;
  const auto stream = State::get().started_stream(handle, error);
  if (stream == nullptr || callback == nullptr) return set_last(stream == nullptr ? error : hipErrorInvalidValue);
  stream->add(
      [=](Stream&) {
        callback(handle, hipSuccess, data);
        return hipSuccess;
      },
      hipGraphNodeTypeHost);
  return hipSuccess;
}

// The masks are masks of compute units, which have no effect here.
hipError_t hipExtStreamCreateWithCUMask(hipStream_t* stream, uint32_t words, const uint32_t* mask) {
  return words == 0 || mask == nullptr ? set_last(hipErrorInvalidValue) : hipStreamCreate(stream);
}
int hipGetStreamDeviceId(hipStream_t handle) {
  hipError_t error;
  const auto stream = State::get().started_stream(handle, error);
  return stream == nullptr ? -1 : stream->device();
}
// All memory is everybody's.
hipError_t hipStreamAttachMemAsync(hipStream_t stream, void* pointer, size_t, unsigned) {
  return set_last(stream == nullptr || pointer == nullptr ? hipErrorInvalidValue : hipSuccess);
}

hipError_t hipStreamWriteValue32(hipStream_t stream, void* word, uint32_t value, unsigned) {
  return set_last(write_value(stream, static_cast<u32*>(word), value));
}
hipError_t hipStreamWriteValue64(hipStream_t stream, void* word, uint64_t value, unsigned) {
  return set_last(write_value(stream, static_cast<u64*>(word), u64{value}));
}
hipError_t hipStreamWaitValue32(hipStream_t stream, void* word, uint32_t value, unsigned flags, uint32_t mask) {
  return set_last(wait_value(stream, static_cast<const u32*>(word), value, flags, mask));
}
hipError_t hipStreamWaitValue64(hipStream_t stream, void* word, uint64_t value, unsigned flags, uint64_t mask) {
  return set_last(wait_value(stream, static_cast<const u64*>(word), u64{value}, flags, u64{mask}));
}

// ------------------------------------------------------------------------------------------- events

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  if (event == nullptr) return set_last(hipErrorInvalidValue);
  auto made = std::make_shared<Event>();
  made->flags = flags;
  *event = reinterpret_cast<hipEvent_t>(made.get());
  const std::lock_guard lock(events_lock);
  events.emplace(*event, std::move(made));
  return hipSuccess;
}
hipError_t hipEventCreate(hipEvent_t* event) { return hipEventCreateWithFlags(event, hipEventDefault); }
hipError_t hipEventDestroy(hipEvent_t event) {
  const std::lock_guard lock(events_lock);
  return set_last(events.erase(event) != 0 ? hipSuccess : hipErrorInvalidHandle);
}
hipError_t hipEventRecord(hipEvent_t handle, hipStream_t stream_handle) {
  hipError_t error;
  const auto event = event_of(handle);
  const auto stream = State::get().started_stream(stream_handle, error);
  if (event == nullptr || stream == nullptr) return set_last(event == nullptr ? hipErrorInvalidHandle : error);
  if (const auto capture = stream->capture()) {
    const std::lock_guard capture_lock(capture->lock);
    const std::lock_guard lock(event->mutex);
    event->capture = capture;
    event->after = capture->last[stream.get()];
    return hipSuccess;
  }
  u64 number;
  {
    const std::lock_guard lock(event->mutex);
    number = ++event->recorded;
    event->capture = nullptr;
  }
  stream->add(
      [event, number](Stream&) {
        const std::lock_guard lock(event->mutex);
        event->reached = std::max(event->reached, number);
        event->nanoseconds = now();
        event->changed.notify_all();
        return hipSuccess;
      },
      hipGraphNodeTypeEventRecord);
  return hipSuccess;
}
hipError_t hipEventSynchronize(hipEvent_t handle) {
  const auto event = event_of(handle);
  if (event == nullptr) return set_last(hipErrorInvalidHandle);
  std::unique_lock lock(event->mutex);
  event->changed.wait(lock, [&] { return event->reached >= event->recorded; });
  return hipSuccess;
}
hipError_t hipEventQuery(hipEvent_t handle) {
  const auto event = event_of(handle);
  if (event == nullptr) return set_last(hipErrorInvalidHandle);
  const std::lock_guard lock(event->mutex);
  return event->reached >= event->recorded ? hipSuccess : hipErrorNotReady;
}
hipError_t hipEventElapsedTime(float* ms, hipEvent_t start, hipEvent_t stop) {
  const auto first = event_of(start), last = event_of(stop);
  if (ms == nullptr) return set_last(hipErrorInvalidValue);
  if (first == nullptr || last == nullptr) return set_last(hipErrorInvalidHandle);
  u64 times[2];
  const std::shared_ptr<Event> both[] = {first, last};
  for (unsigned i = 0; i < 2; ++i) {
    const std::lock_guard lock(both[i]->mutex);
    if (both[i]->recorded == 0 || (both[i]->flags & hipEventDisableTiming) != 0) return set_last(hipErrorInvalidHandle);
    if (both[i]->reached < both[i]->recorded) return hipErrorNotReady;
    times[i] = both[i]->nanoseconds;
  }
  *ms = static_cast<float>(static_cast<double>(static_cast<i64>(times[1] - times[0])) * 1e-6);
  return hipSuccess;
}
hipError_t hipStreamWaitEvent(hipStream_t stream_handle, hipEvent_t handle, unsigned) {
  hipError_t error;
  const auto event = event_of(handle);
  const auto stream = State::get().started_stream(stream_handle, error);
  if (event == nullptr || stream == nullptr) return set_last(event == nullptr ? hipErrorInvalidHandle : error);
  u64 number;
  std::shared_ptr<Capture> captured;
  {
    const std::lock_guard lock(event->mutex);
    number = event->recorded;
    captured = event->capture;
  }
  if (captured != nullptr || stream->capture() != nullptr) return set_last(join(*stream, *event, captured));
  stream->add(
      [event, number](Stream&) {
        wait_for(*event, number);
        return hipSuccess;
      },
      hipGraphNodeTypeWaitEvent);
  return hipSuccess;
}

}  // extern "C"
