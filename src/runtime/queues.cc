#include "runtime/queues.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "exec/wave_setup.h"
#include "runtime/bells.h"
#include "runtime/runtime.h"

namespace gfxisa::runtime {
namespace {

constexpr u64 packet_bytes = 64;
constexpr u64 doorbell_offset = 1024, ring_offset = page_bytes;  // of the queue's memory
static_assert(sizeof(amd_queue_t) <= doorbell_offset);
constexpr u16 invalid_header = HSA_PACKET_TYPE_INVALID << HSA_PACKET_HEADER_TYPE;

/// All kinds of packets keep it at the same place.
hsa_signal_t completion_signal_of(const u8* packet) {
  return reinterpret_cast<const hsa_kernel_dispatch_packet_t*>(packet)->completion_signal;
}

}  // namespace

Queue::Queue(Runtime& runtime, const Agent* agent, hsa_queue_type32_t type, QueueCallback callback, void* data)
    : runtime_(runtime), agent_(agent), type_(type), callback_(callback), data_(data) {}

Queue::~Queue() {
  stop();
  if (queue_ == nullptr) return;
  runtime_.signals.destroy(queue_->queue_inactive_signal);
  if (has_own_doorbell_) runtime_.signals.destroy(queue_->hsa_queue.doorbell_signal);
  runtime_.memory.release(queue_);
}

bool Queue::start(u32 packets, u64 id, hsa_signal_t doorbell, u32 features) {
  auto* memory = static_cast<u8*>(runtime_.memory.allocate_internal(ring_offset + u64{packets} * packet_bytes));
  if (memory == nullptr) return false;
  queue_ = new (memory) amd_queue_t{};
  doorbell_ = reinterpret_cast<volatile u64*>(memory + doorbell_offset);
  *doorbell_ = ~u64{0};
  u8* ring = memory + ring_offset;
  for (u32 i = 0; i < packets; ++i) std::memcpy(ring + i * packet_bytes, &invalid_header, sizeof invalid_header);
  hsa_queue_t& abi = queue_->hsa_queue;
  abi.type = type_;
  abi.features = features;
  abi.base_address = ring;
  abi.size = packets;
  abi.id = id;
  has_own_doorbell_ = doorbell.handle == 0;
  abi.doorbell_signal = has_own_doorbell_ ? runtime_.signals.create_doorbell(doorbell_) : doorbell;
  queue_->queue_inactive_signal = runtime_.signals.create(0, false);
  queue_->queue_properties = AMD_QUEUE_PROPERTIES_IS_PTR64;
  queue_->read_dispatch_id_field_base_byte_offset = offsetof(amd_queue_t, read_dispatch_id);
  const exec::Apertures apertures = exec::flat_apertures();
  queue_->group_segment_aperture_base_hi = static_cast<u32>(apertures.shared >> 32);
  queue_->private_segment_aperture_base_hi = static_cast<u32>(apertures.scratch >> 32);
  if (agent_ != nullptr) {
    queue_->max_cu_id = agent_->compute_units - 1;
    queue_->max_wave_id = agent_->device.figures.waves_per_unit - 1;
  }
  if (abi.doorbell_signal.handle == 0 || queue_->queue_inactive_signal.handle == 0) return false;
  if (agent_ != nullptr) thread_ = std::thread([this] { run(); });
  return true;
}

void Queue::stop() {
  stops_.store(true);
  if (doorbell_ != nullptr) ring(doorbell_);
  if (is_own_thread()) return;
  const std::lock_guard lock(joining_);
  if (thread_.joinable()) thread_.join();
}

u8* Queue::packet() const {
  const hsa_queue_t& abi = queue_->hsa_queue;
  return static_cast<u8*>(abi.base_address) + next_ % abi.size * packet_bytes;
}

bool Queue::is_ready() const {
  if (next_ >= __atomic_load_n(&queue_->write_dispatch_id, __ATOMIC_SEQ_CST)) return false;
  const u16 header = __atomic_load_n(reinterpret_cast<const u16*>(packet()), __ATOMIC_ACQUIRE);
  return (header & 0xff) != HSA_PACKET_TYPE_INVALID;
}

bool Queue::wait_until(const std::function<bool()>& is_satisfied) {
  Listener listener(nullptr);
  while (!stops_.load()) {
    if (is_satisfied()) return true;
    listener.sleep();
  }
  return false;
}

void Queue::run() {
  own_thread_.store(std::this_thread::get_id());
  while (!stops_.load()) {
    if (!is_ready()) {
      Listener listener(doorbell_);
      while (!is_ready() && !stops_.load()) listener.sleep();
      continue;
    }
    process(__atomic_load_n(reinterpret_cast<const u16*>(packet()), __ATOMIC_ACQUIRE));
  }
}

void Queue::process(u16 header) {
  u8* const current = packet();
  const hsa_signal_t done = completion_signal_of(current);
  const u64 start = now_nanoseconds();
  if (failure_ == HSA_STATUS_SUCCESS) {
    hsa_status_t status = HSA_STATUS_SUCCESS;
    switch (header & 0xff) {
      case HSA_PACKET_TYPE_KERNEL_DISPATCH:
        status = dispatch(*reinterpret_cast<const hsa_kernel_dispatch_packet_t*>(current));
        break;
      case HSA_PACKET_TYPE_BARRIER_AND:
        if (!wait_for_all(reinterpret_cast<const hsa_barrier_and_packet_t*>(current)->dep_signal, 5)) return;
        break;
      case HSA_PACKET_TYPE_BARRIER_OR:
        if (!wait_for_one(reinterpret_cast<const hsa_barrier_or_packet_t*>(current)->dep_signal, 5)) return;
        break;
      case HSA_PACKET_TYPE_VENDOR_SPECIFIC: {
        const auto& vendor = *reinterpret_cast<const hsa_amd_barrier_value_packet_t*>(current);
        if (vendor.header.AmdFormat != HSA_AMD_PACKET_TYPE_BARRIER_VALUE) {
          status = HSA_STATUS_ERROR_INVALID_PACKET_FORMAT;
        } else if (!wait_for_value(vendor)) {
          return;
        }
        break;
      }
      default:
        status = HSA_STATUS_ERROR_INVALID_PACKET_FORMAT;
    }
    if (stops_.load() && status == HSA_STATUS_SUCCESS && (header & 0xff) == HSA_PACKET_TYPE_KERNEL_DISPATCH) return;
    if (status != HSA_STATUS_SUCCESS) fail(status);
  }
  // The slot is free before the program hears that the packet is done.
  __atomic_store_n(reinterpret_cast<u16*>(current), invalid_header, __ATOMIC_RELEASE);
  __atomic_store_n(&queue_->read_dispatch_id, ++next_, __ATOMIC_SEQ_CST);
  ring(&queue_->read_dispatch_id);
  if (done.handle == 0) return;
  signal_of(done)->start_ts = start;
  signal_of(done)->end_ts = now_nanoseconds();
  if (failure_ == HSA_STATUS_SUCCESS)
    complete_signal(done);
  else
    store_signal(done, -static_cast<i64>(failure_));
}

bool Queue::wait_for_all(const hsa_signal_t* signals, unsigned count) {
  return wait_until([&] {
    // A negative value says that what is waited for failed; it will not come any more.
    return std::all_of(signals, signals + count,
                       [](hsa_signal_t signal) { return signal.handle == 0 || load_signal(signal) <= 0; });
  });
}

bool Queue::wait_for_one(const hsa_signal_t* signals, unsigned count) {
  if (std::all_of(signals, signals + count, [](hsa_signal_t signal) { return signal.handle == 0; })) return true;
  return wait_until([&] {
    return std::any_of(signals, signals + count,
                       [](hsa_signal_t signal) { return signal.handle != 0 && load_signal(signal) <= 0; });
  });
}

bool Queue::wait_for_value(const hsa_amd_barrier_value_packet_t& packet) {
  if (packet.signal.handle == 0) return true;
  return wait_until([&] {
    const i64 value = load_signal(packet.signal) & packet.mask;
    return holds(static_cast<hsa_signal_condition_t>(packet.cond), value, packet.value);
  });
}

hsa_status_t Queue::dispatch(const hsa_kernel_dispatch_packet_t& packet) {
  const unsigned axes = packet.setup & 3;
  exec::LaunchNeeds needs;
  needs.size.grid = {packet.grid_size_x, axes > 1 ? packet.grid_size_y : 1, axes > 2 ? packet.grid_size_z : 1};
  needs.size.block = {packet.workgroup_size_x, axes > 1 ? packet.workgroup_size_y : u16{1},
                      axes > 2 ? packet.workgroup_size_z : u16{1}};
  if (axes == 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  u64 items = 1;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (needs.size.grid[axis] == 0 || needs.size.block[axis] == 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    items *= needs.size.block[axis];
  }
  if (items > 1024) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (packet.group_segment_size > agent_->device.figures.lds_bytes) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  LoadedKernel kernel;
  std::shared_ptr<Executable> keep;
  if (!runtime_.executables.find_kernel(packet.kernel_object, kernel, keep) || kernel.object->agent != agent_)
    return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
  needs.lds_bytes = std::max(packet.group_segment_size, kernel.kernel->descriptor.group_segment_bytes);
  needs.scratch_bytes = std::max(packet.private_segment_size, kernel.kernel->descriptor.private_segment_bytes);
  needs.kernarg_address = reinterpret_cast<u64>(packet.kernarg_address);
  auto config = kernel.object->code->configure(*kernel.kernel, needs);
  if (!config) {
    report(config.error().message);
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  }
  config->dispatch_address = reinterpret_cast<u64>(&packet);
  config->dispatch_id = next_;
  return launch(*config, kernel);
}

hsa_status_t Queue::launch(exec::LaunchConfig& config, const LoadedKernel& kernel) {
  config.queue_address = reinterpret_cast<u64>(queue_);
  config.surroundings = &runtime_.memory;
  config.is_cancelled = &stops_;
  config.stops_at_fault = true;
  config.sync = &sync_;
  config.is_cooperative = type_ == HSA_QUEUE_TYPE_COOPERATIVE;
  config.max_instructions = runtime_.settings.max_instructions;
  config.threads = runtime_.settings.threads;
  exec::LaunchReport result;
  {
    const KernelIsRunning running;
    runtime_.memory.kernel_starts();
    result = exec::dispatch(config, runtime_.memory.map());
    runtime_.memory.kernel_ends();
  }
  runtime_.statistics.add(kernel.kernel->metadata.name, result);
  if (runtime_.settings.wants_trace) {
    report(fmt::format("{}: grid {} block {}, {} waves, {} instructions, {:.3f} ms", kernel.kernel->metadata.name,
                       fmt::join(config.size.grid, ","), fmt::join(config.size.block, ","), result.waves,
                       result.instructions, result.seconds * 1e3));
  }
  return result.faults == 0 ? HSA_STATUS_SUCCESS : report_fault(result, kernel);
}

hsa_status_t Queue::report_fault(const exec::LaunchReport& result, const LoadedKernel& kernel) {
  report(exec::describe_fault(result, kernel.object->object, *kernel.kernel));
  const exec::Fault& fault = result.first_fault;
  switch (fault.kind) {
    case exec::FaultKind::bad_address:
    case exec::FaultKind::read_only: {
      hsa_amd_event_t event{};
      event.event_type = HSA_AMD_GPU_MEMORY_FAULT_EVENT;
      event.memory_fault.agent = {handle_of(agent_)};
      event.memory_fault.virtual_address = fault.address;
      event.memory_fault.fault_reason_mask = fault.kind == exec::FaultKind::read_only
                                                 ? HSA_AMD_MEMORY_FAULT_READ_ONLY
                                                 : HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT;
      runtime_.tell_handlers(event);
      return static_cast<hsa_status_t>(HSA_STATUS_ERROR_MEMORY_FAULT);
    }
    case exec::FaultKind::misaligned:
      return static_cast<hsa_status_t>(HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION);
    case exec::FaultKind::bad_instruction:
    case exec::FaultKind::not_executable:
    case exec::FaultKind::bad_register:
    case exec::FaultKind::end_of_code:
      return static_cast<hsa_status_t>(HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION);
    default:
      return HSA_STATUS_ERROR_EXCEPTION;
  }
}

void Queue::fail(hsa_status_t status) {
  failure_ = status;
  store_signal(queue_->queue_inactive_signal, status);
  if (callback_ != nullptr) callback_(status, abi(), data_);
}

}  // namespace gfxisa::runtime
