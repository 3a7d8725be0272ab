#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include "elf/device_printf.h"
#include "elf/kernarg.h"
#include "hip/hostcall.h"
#include "hip/state.h"

namespace gfxisa::hip {
namespace {

/// Explicit arguments as HIP gives them: an array of pointers, or one buffer laid out as the segment.
hipError_t take_arguments(const Kernel& kernel, void** arguments, void** extra, std::vector<std::vector<u8>>& out) {
  const u8* buffer = nullptr;
  std::size_t bytes = 0;
  if (extra != nullptr) {
    for (std::size_t i = 0; extra[i] != HIP_LAUNCH_PARAM_END; i += 2) {
      if (extra[i] == HIP_LAUNCH_PARAM_BUFFER_POINTER)
        buffer = static_cast<const u8*>(extra[i + 1]);
      else if (extra[i] == HIP_LAUNCH_PARAM_BUFFER_SIZE)
        bytes = *static_cast<const std::size_t*>(extra[i + 1]);
      else
        return hipErrorInvalidValue;
    }
  }
  std::size_t next = 0;
  for (const KernelArgument& argument : kernel.metadata.arguments) {
    if (argument.is_hidden()) continue;
    const u8* from = nullptr;
    if (extra != nullptr)
      from = buffer != nullptr && std::size_t{argument.offset} + argument.size <= bytes ? buffer + argument.offset
                                                                                        : nullptr;
    else if (arguments != nullptr)
      from = static_cast<const u8*>(arguments[next]);
    if (from == nullptr) return hipErrorInvalidValue;
    out.emplace_back(from, from + argument.size);
    ++next;
  }
  return hipSuccess;
}

/// What workgroups of a cooperative launch meet at where there is no global wave sync: an agreement with the device
/// library (ockl, cooperative groups).
struct GridSync {
  u64 other_grids = 0;
  u32 grid = 0, grids = 1;
  u64 items_before = 0, items = 0;
  u32 arrived = 0, unused = 0;
  u32 blocks = 0;
};
static_assert(sizeof(GridSync) == 48);

/// In memory that devices reach, until the last who has it lets it go; nullptr when there is none.
template <class T>
std::shared_ptr<T> make_shared_with_devices() {
  void* memory = nullptr;
  if (hsa_amd_memory_pool_allocate(State::get().host_memory, sizeof(T), 0, &memory) != HSA_STATUS_SUCCESS)
    return nullptr;
  return {new (memory) T{}, [](T* old) { hsa_amd_memory_pool_free(old); }};
}

std::shared_ptr<GridSync> make_grid_sync(const LaunchSize& size, const AmongGrids& among) {
  auto sync = make_shared_with_devices<GridSync>();
  if (sync == nullptr) return nullptr;
  sync->blocks = size.workgroups(0) * size.workgroups(1) * size.workgroups(2);
  sync->items = u64{size.grid[0]} * size.grid[1] * size.grid[2];
  if (among.meeting == nullptr) return sync;
  sync->other_grids = reinterpret_cast<u64>(among.meeting.get());
  sync->grid = among.grid;
  sync->grids = among.grids;
  sync->items_before = among.items_before;
  sync->items = among.items;
  return sync;
}

/// What kernels print into, by agreement with the device library; messages that find no room are lost.
struct PrintfBuffer {
  u32 used = 0, size = sizeof(bytes);
  u8 bytes[1 << 20];
};

void print(PrintfBuffer& buffer, const std::vector<std::string>& formats) {
  const u32 used = std::min(std::exchange(buffer.used, 0), buffer.size);
  const std::string text = printf_buffer_text({buffer.bytes, used}, formats);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

bool wants(const Kernel& kernel, std::string_view hidden) {
  return std::any_of(kernel.metadata.arguments.begin(), kernel.metadata.arguments.end(),
                     [&](const KernelArgument& argument) { return argument.kind == hidden; });
}

}  // namespace

int resident_blocks(const Function& function, u64 block, std::size_t dynamic_lds) {
  const hipDeviceProp_t& device = State::get().devices[static_cast<std::size_t>(function.module->device)].properties;
  const auto wave = static_cast<u64>(device.warpSize);
  const u64 waves = (std::max<u64>(block, 1) + wave - 1) / wave;
  int blocks = static_cast<int>(static_cast<u64>(device.maxThreadsPerMultiProcessor) / wave / waves);
  const std::size_t lds = function.kernel->descriptor.group_segment_bytes + dynamic_lds;
  if (lds != 0) blocks = std::min(blocks, static_cast<int>(device.maxSharedMemoryPerMultiProcessor / lds));
  return blocks;
}

hipError_t launch(const Function& function, const Launch& launch, void** arguments, void** extra, hipStream_t handle) {
  State& state = State::get();
  const auto stream = state.stream_of(handle);
  if (stream == nullptr) return hipErrorContextIsDestroyed;
  const Kernel& kernel = *function.kernel;
  LaunchSize size;
  size.block = {launch.block.x, launch.block.y, launch.block.z};
  const u32 blocks[] = {launch.blocks.x, launch.blocks.y, launch.blocks.z};
  for (unsigned axis = 0; axis < 3; ++axis) {
    const u64 items = u64{blocks[axis]} * size.block[axis];
    if (items == 0 || items > 0xffffffffu) return hipErrorInvalidConfiguration;
    size.grid[axis] = static_cast<u32>(items);
  }
  size.dynamic_lds_bytes = launch.dynamic_lds;
  const hipDeviceProp_t& device = state.devices[static_cast<std::size_t>(stream->device())].properties;
  const u64 lds = u64{kernel.descriptor.group_segment_bytes} + launch.dynamic_lds;
  if (!check_launch(kernel.metadata, size)) return hipErrorInvalidConfiguration;
  if (lds > device.sharedMemPerBlock) return hipErrorInvalidValue;
  std::vector<std::vector<u8>> values;
  if (const hipError_t error = take_arguments(kernel, arguments, extra, values); error != hipSuccess) return error;
  HiddenAddresses hidden;
  std::shared_ptr<GridSync> sync;
  if (wants(kernel, "hidden_hostcall_buffer")) hidden.hostcall_buffer = hostcall_buffer(stream->device());
  if (wants(kernel, "hidden_heap_v1")) hidden.heap = device_heap(stream->device());
  std::shared_ptr<PrintfBuffer> printed;
  if (wants(kernel, "hidden_printf_buffer")) {
    if ((printed = make_shared_with_devices<PrintfBuffer>()) == nullptr) return hipErrorOutOfMemory;
    hidden.printf_buffer = reinterpret_cast<u64>(printed.get());
  }
  if (launch.is_cooperative) {
    const u64 most = static_cast<u64>(resident_blocks(function, size.block_items(), launch.dynamic_lds)) *
                     static_cast<u64>(device.multiProcessorCount);
    if (u64{blocks[0]} * blocks[1] * blocks[2] > most) return hipErrorCooperativeLaunchTooLarge;
    if ((sync = make_grid_sync(size, launch.among)) == nullptr) return hipErrorOutOfMemory;
    hidden.grid_sync = reinterpret_cast<u64>(sync.get());
  }
  auto segment = make_kernarg_segment(kernel.metadata, values, size, hidden);
  if (!segment) return hipErrorInvalidValue;

  hsa_kernel_dispatch_packet_t packet{};
  packet.setup = 3;
  packet.workgroup_size_x = static_cast<u16>(size.block[0]);
  packet.workgroup_size_y = static_cast<u16>(size.block[1]);
  packet.workgroup_size_z = static_cast<u16>(size.block[2]);
  packet.grid_size_x = size.grid[0];
  packet.grid_size_y = size.grid[1];
  packet.grid_size_z = size.grid[2];
  packet.group_segment_size = static_cast<u32>(lds);
  constexpr u32 stack_bytes = 16384;  // of a kernel whose stack has no known depth
  packet.private_segment_size =
      kernel.descriptor.private_segment_bytes + (kernel.descriptor.uses_dynamic_stack() ? stack_bytes : 0);
  packet.kernel_object = function.object;
  const auto run = [packet, bytes = std::move(*segment), sync, meeting = launch.among.meeting, printed,
                    formats = function.module->object.printf_formats](Stream& on) -> hipError_t {
    void* kernarg = nullptr;
    // Code loads whole groups of words, also when the last argument ends within one.
    if (hsa_amd_memory_pool_allocate(State::get().kernarg_memory, bytes.size() + 64, 0, &kernarg) != HSA_STATUS_SUCCESS)
      return hipErrorOutOfMemory;
    std::memcpy(kernarg, bytes.data(), bytes.size());
    hsa_kernel_dispatch_packet_t own = packet;
    own.kernarg_address = kernarg;
    const hipError_t error = on.run_packet(own, sync != nullptr);
    hsa_amd_memory_pool_free(kernarg);
    if (printed != nullptr) print(*printed, formats);
    return error;
  };
  stream->add(run, hipGraphNodeTypeKernel);
  return hipSuccess;
}

hipError_t launch_on_devices(const hipLaunchParams* launches, int count, unsigned flags, bool is_cooperative) {
  State& state = State::get();
  if (const hipError_t error = state.start(); error != hipSuccess) return error;
  if (launches == nullptr || count <= 0 || static_cast<std::size_t>(count) > state.devices.size())
    return hipErrorInvalidValue;
  std::vector<std::shared_ptr<Stream>> streams;
  AmongGrids among;
  among.grids = static_cast<u32>(count);
  for (int i = 0; i < count; ++i) {
    const hipLaunchParams& one = launches[i];
    auto stream = one.stream == nullptr ? nullptr : state.stream_of(one.stream);
    if (stream == nullptr) return hipErrorInvalidResourceHandle;
    for (const auto& other : streams) {
      if (other->device() == stream->device()) return hipErrorInvalidDevice;
    }
    streams.push_back(std::move(stream));
    among.items +=
        u64{one.gridDim.x} * one.gridDim.y * one.gridDim.z * one.blockDim.x * one.blockDim.y * one.blockDim.z;
  }
  if (is_cooperative && (among.meeting = make_shared_with_devices<u64>()) == nullptr) return hipErrorOutOfMemory;
  // Each stream goes on when all have come to the same place.
  const auto meet = [&] {
    std::vector<u64> numbers;
    for (const auto& stream : streams) numbers.push_back(stream->last());
    for (const auto& stream : streams) {
      const auto wait = [streams, numbers](Stream& own) {
        for (std::size_t i = 0; i < streams.size(); ++i) {
          if (streams[i].get() != &own) streams[i]->wait(numbers[i]);
        }
        return hipSuccess;
      };
      stream->add(wait, hipGraphNodeTypeEmpty);
    }
  };
  if ((flags & hipCooperativeLaunchMultiDeviceNoPreSync) == 0) meet();
  const int device_before = std::exchange(current_device, 0);
  hipError_t error = hipSuccess;
  for (int i = 0; i < count && error == hipSuccess; ++i) {
    const hipLaunchParams& one = launches[i];
    among.grid = static_cast<u32>(i);
    current_device = streams[static_cast<std::size_t>(i)]->device();
    Function* function = nullptr;
    error = state.find_function(one.func, function);
    if (error != hipSuccess) break;
    error = launch(*function, {one.gridDim, one.blockDim, static_cast<u32>(one.sharedMem), is_cooperative, among},
                   one.args, nullptr, one.stream);
    among.items_before +=
        u64{one.gridDim.x} * one.gridDim.y * one.gridDim.z * one.blockDim.x * one.blockDim.y * one.blockDim.z;
  }
  current_device = device_before;
  if (error == hipSuccess && (flags & hipCooperativeLaunchMultiDeviceNoPostSync) == 0) meet();
  return error;
}

}  // namespace gfxisa::hip
