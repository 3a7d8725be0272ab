// Memory: allocation, copies, fills, what is known of pointers.
#include <algorithm>
#include <cstring>

#include "hip/state.h"

using namespace gfxisa;
using namespace gfxisa::hip;

namespace {

hipError_t allocate(hsa_amd_memory_pool_t pool, std::size_t bytes, void** pointer) {
  if (pointer == nullptr) return hipErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return hipSuccess;
  return from_status(hsa_amd_memory_pool_allocate(pool, bytes, 0, pointer));
}

hipError_t allocate_on_device(std::size_t bytes, void** pointer) {
  if (const hipError_t error = State::get().start(); error != hipSuccess) return error;
  return allocate(State::get().devices[static_cast<std::size_t>(current_device)].memory, bytes, pointer);
}

/// Memory of the host that devices reach.
hipError_t allocate_on_host(std::size_t bytes, void** pointer) {
  if (const hipError_t error = State::get().start(); error != hipSuccess) return error;
  return allocate(State::get().host_memory, bytes, pointer);
}

/// Waits for all work of the device, as freeing does.
hipError_t release(void* pointer) {
  if (pointer == nullptr) return hipSuccess;
  if (const hipError_t error = State::get().start(); error != hipSuccess) return error;
  hsa_amd_pointer_info_t info{};
  info.size = sizeof info;
  hsa_amd_pointer_info(pointer, &info, nullptr, nullptr, nullptr);
  if (info.type != HSA_EXT_POINTER_TYPE_HSA || info.hostBaseAddress != pointer) return hipErrorInvalidDevicePointer;
  for (const auto& stream : State::get().streams_of(current_device)) {
    stream->wait_for_all();
  }
  return from_status(hsa_amd_memory_pool_free(pointer));
}

/// Adds work to a stream; waits for it when asked to, and then gives its result.
hipError_t run(hipStream_t handle, bool waits, hipGraphNodeType type, Work work) {
  hipError_t error = hipSuccess;
  const auto stream = State::get().started_stream(handle, error);
  if (stream == nullptr) return error;
  if (!waits) {
    stream->add(std::move(work), type);
    return hipSuccess;
  }
  if (stream->refuses_to_wait()) return hipErrorStreamCaptureUnsupported;
  hipError_t result = hipSuccess;
  const u64 number = stream->add([&](Stream& own) { return result = work(own); }, type);
  stream->wait(number);
  const hipError_t before = stream->synchronize();
  return result != hipSuccess ? result : before;
}

hipError_t copy(void* to, const void* from, std::size_t bytes, hipStream_t stream, bool waits) {
  if (bytes == 0) return hipSuccess;
  if (to == nullptr || from == nullptr) return hipErrorInvalidValue;
  return run(stream, waits, hipGraphNodeTypeMemcpy,
             [=](Stream&) { return from_status(hsa_memory_copy(to, from, bytes)); });
}

hipError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                     std::size_t height, hipStream_t stream, bool waits) {
  if (width == 0 || height == 0) return hipSuccess;
  if (to == nullptr || from == nullptr || width > to_pitch || width > from_pitch) return hipErrorInvalidValue;
  return run(stream, waits, hipGraphNodeTypeMemcpy, [=](Stream&) {
    for (std::size_t row = 0; row < height; ++row) {
      const hsa_status_t status = hsa_memory_copy(static_cast<u8*>(to) + row * to_pitch,
                                                  static_cast<const u8*>(from) + row * from_pitch, width);
      if (status != HSA_STATUS_SUCCESS) return from_status(status);
    }
    return hipSuccess;
  });
}

/// Rows of a box, between memory that is no array.
hipError_t copy_box(const hipMemcpy3DParms& box, hipStream_t stream, bool waits) {
  if (box.srcArray != nullptr || box.dstArray != nullptr) return hipErrorNotSupported;
  const hipExtent extent = box.extent;
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return hipSuccess;
  if (box.srcPtr.ptr == nullptr || box.dstPtr.ptr == nullptr) return hipErrorInvalidValue;
  if (box.srcPos.x + extent.width > box.srcPtr.pitch || box.dstPos.x + extent.width > box.dstPtr.pitch)
    return hipErrorInvalidPitchValue;
  const auto start_of = [](const hipPitchedPtr& memory, const hipPos& at, std::size_t row, std::size_t slice) {
    return static_cast<u8*>(memory.ptr) + ((at.z + slice) * memory.ysize + at.y + row) * memory.pitch + at.x;
  };
  return run(stream, waits, hipGraphNodeTypeMemcpy, [=](Stream&) {
    for (std::size_t slice = 0; slice < extent.depth; ++slice) {
      for (std::size_t row = 0; row < extent.height; ++row) {
        const hsa_status_t status = hsa_memory_copy(start_of(box.dstPtr, box.dstPos, row, slice),
                                                    start_of(box.srcPtr, box.srcPos, row, slice), extent.width);
        if (status != HSA_STATUS_SUCCESS) return from_status(status);
      }
    }
    return hipSuccess;
  });
}

/// Fills `count` elements at the start of each row.
template <class T>
hipError_t fill(void* to, std::size_t pitch, T value, std::size_t count, std::size_t rows, hipStream_t stream,
                bool waits) {
  if (count == 0 || rows == 0) return hipSuccess;
  if (to == nullptr) return hipErrorInvalidValue;
  hsa_amd_pointer_info_t info{};
  info.size = sizeof info;
  if (const hipError_t error = State::get().start(); error != hipSuccess) return error;
  hsa_amd_pointer_info(to, &info, nullptr, nullptr, nullptr);
  if (info.type == HSA_EXT_POINTER_TYPE_UNKNOWN) return hipErrorInvalidValue;
  auto* const start =
      static_cast<u8*>(info.hostBaseAddress) +
      (static_cast<u8*>(to) - static_cast<u8*>(info.agentBaseAddress == nullptr || to < info.agentBaseAddress
                                                   ? info.hostBaseAddress
                                                   : info.agentBaseAddress));
  const std::size_t bytes = (rows - 1) * pitch + count * sizeof(T);
  const auto offset = static_cast<std::size_t>(start - static_cast<u8*>(info.hostBaseAddress));
  if (offset > info.sizeInBytes || bytes > info.sizeInBytes - offset) return hipErrorInvalidValue;
  return run(stream, waits, hipGraphNodeTypeMemset, [=](Stream&) {
    for (std::size_t row = 0; row < rows; ++row) std::fill_n(reinterpret_cast<T*>(start + row * pitch), count, value);
    return hipSuccess;
  });
}

/// Of a box, the first rows of each slice.
hipError_t fill_box(const hipPitchedPtr& to, u8 value, const hipExtent& extent, hipStream_t stream, bool waits) {
  for (std::size_t slice = 0; slice < extent.depth; ++slice) {
    auto* const start = static_cast<u8*>(to.ptr) + slice * to.pitch * to.ysize;
    const hipError_t error = fill(start, to.pitch, value, extent.width, extent.height, stream, waits);
    if (error != hipSuccess) return error;
  }
  return hipSuccess;
}

/// A rectangle as the driver interface describes it; arrays are not supported.
hipError_t copy_rectangle(const hip_Memcpy2D* p, hipStream_t stream, bool waits) {
  if (p == nullptr) return hipErrorInvalidValue;
  if (p->srcMemoryType == hipMemoryTypeArray || p->dstMemoryType == hipMemoryTypeArray) return hipErrorNotSupported;
  const auto* from = static_cast<const u8*>(p->srcMemoryType == hipMemoryTypeHost ? p->srcHost : p->srcDevice);
  auto* to = static_cast<u8*>(p->dstMemoryType == hipMemoryTypeHost ? p->dstHost : p->dstDevice);
  if (from == nullptr || to == nullptr) return hipErrorInvalidValue;
  const std::size_t from_pitch = p->srcPitch != 0 ? p->srcPitch : p->srcXInBytes + p->WidthInBytes;
  const std::size_t to_pitch = p->dstPitch != 0 ? p->dstPitch : p->dstXInBytes + p->WidthInBytes;
  return copy_rows(to + p->dstY * to_pitch + p->dstXInBytes, to_pitch, from + p->srcY * from_pitch + p->srcXInBytes,
                   from_pitch, p->WidthInBytes, p->Height, stream, waits);
}

hipError_t copy_symbol(const void* symbol, std::size_t offset, std::size_t bytes, void*& place) {
  std::size_t size = 0;
  if (const hipError_t error = State::get().find_variable(symbol, place, size); error != hipSuccess) return error;
  if (offset > size || bytes > size - offset) return hipErrorInvalidValue;
  place = static_cast<u8*>(place) + offset;
  return hipSuccess;
}

}  // namespace

extern "C" {

hipError_t hipMalloc(void** pointer, size_t bytes) { return set_last(allocate_on_device(bytes, pointer)); }
hipError_t hipExtMallocWithFlags(void** pointer, size_t bytes, unsigned) { return hipMalloc(pointer, bytes); }
hipError_t hipMallocManaged(void** pointer, size_t bytes, unsigned) {
  return set_last(allocate_on_host(bytes, pointer));
}
hipError_t hipHostMalloc(void** pointer, size_t bytes, unsigned) { return set_last(allocate_on_host(bytes, pointer)); }
hipError_t hipHostAlloc(void** pointer, size_t bytes, unsigned flags) { return hipHostMalloc(pointer, bytes, flags); }
hipError_t hipMallocHost(void** pointer, size_t bytes) { return hipHostMalloc(pointer, bytes, 0); }
hipError_t hipMemAllocHost(void** pointer, size_t bytes) { return hipHostMalloc(pointer, bytes, 0); }
hipError_t hipMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  if (pitch == nullptr) return set_last(hipErrorInvalidValue);
  *pitch = (width + 255) / 256 * 256;
  return hipMalloc(pointer, *pitch * height);
}
hipError_t hipMemAllocPitch(hipDeviceptr_t* pointer, size_t* pitch, size_t width, size_t height, unsigned) {
  return hipMallocPitch(pointer, pitch, width, height);
}
hipError_t hipMalloc3D(hipPitchedPtr* out, hipExtent extent) {
  if (out == nullptr) return set_last(hipErrorInvalidValue);
  *out = {nullptr, 0, extent.width, extent.height};
  return hipMallocPitch(&out->ptr, &out->pitch, extent.width, extent.height * extent.depth);
}
hipError_t hipFree(void* pointer) { return set_last(release(pointer)); }
hipError_t hipHostFree(void* pointer) { return set_last(release(pointer)); }
hipError_t hipFreeHost(void* pointer) { return set_last(release(pointer)); }
hipError_t hipMallocAsync(void** pointer, size_t bytes, hipStream_t) { return hipMalloc(pointer, bytes); }
hipError_t hipFreeAsync(void* pointer, hipStream_t stream) {
  return set_last(run(stream, false, hipGraphNodeTypeHost,
                      [=](Stream&) { return from_status(hsa_amd_memory_pool_free(pointer)); }));
}

hipError_t hipHostRegister(void* pointer, size_t bytes, unsigned) {
  if (const hipError_t error = State::get().start(); error != hipSuccess) return set_last(error);
  void* seen = nullptr;
  return set_last(from_status(hsa_amd_memory_lock(pointer, bytes, nullptr, 0, &seen)));
}
hipError_t hipHostUnregister(void* pointer) {
  if (const hipError_t error = State::get().start(); error != hipSuccess) return set_last(error);
  hsa_amd_pointer_info_t info{};
  info.size = sizeof info;
  hsa_amd_pointer_info(pointer, &info, nullptr, nullptr, nullptr);
  if (info.type != HSA_EXT_POINTER_TYPE_LOCKED) return set_last(hipErrorHostMemoryNotRegistered);
  return set_last(from_status(hsa_amd_memory_unlock(pointer)));
}
// Devices use the host's address.
hipError_t hipHostGetDevicePointer(void** device, void* host, unsigned) {
  if (device == nullptr || host == nullptr) return set_last(hipErrorInvalidValue);
  *device = host;
  return hipSuccess;
}
hipError_t hipHostGetFlags(unsigned* flags, void* pointer) {
  if (flags == nullptr || pointer == nullptr) return set_last(hipErrorInvalidValue);
  *flags = 0;
  return hipSuccess;
}

hipError_t hipMemcpy(void* to, const void* from, size_t bytes, hipMemcpyKind) {
  return set_last(copy(to, from, bytes, nullptr, true));
}
hipError_t hipMemcpyWithStream(void* to, const void* from, size_t bytes, hipMemcpyKind, hipStream_t stream) {
  return set_last(copy(to, from, bytes, stream, true));
}
hipError_t hipMemcpyAsync(void* to, const void* from, size_t bytes, hipMemcpyKind, hipStream_t stream) {
  return set_last(copy(to, from, bytes, stream, false));
}
hipError_t hipMemcpyHtoD(hipDeviceptr_t to, void* from, size_t bytes) {
  return set_last(copy(to, from, bytes, nullptr, true));
}
hipError_t hipMemcpyDtoH(void* to, hipDeviceptr_t from, size_t bytes) {
  return set_last(copy(to, from, bytes, nullptr, true));
}
hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes) {
  return set_last(copy(to, from, bytes, nullptr, true));
}
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, void* from, size_t bytes, hipStream_t stream) {
  return set_last(copy(to, from, bytes, stream, false));
}
hipError_t hipMemcpyDtoHAsync(void* to, hipDeviceptr_t from, size_t bytes, hipStream_t stream) {
  return set_last(copy(to, from, bytes, stream, false));
}
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes, hipStream_t stream) {
  return set_last(copy(to, from, bytes, stream, false));
}
hipError_t hipMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
  return set_last(copy(to, from, bytes, nullptr, true));
}
hipError_t hipMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes, hipStream_t stream) {
  return set_last(copy(to, from, bytes, stream, false));
}
hipError_t hipMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                       hipMemcpyKind) {
  return set_last(copy_rows(to, to_pitch, from, from_pitch, width, height, nullptr, true));
}
hipError_t hipMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                            hipMemcpyKind, hipStream_t stream) {
  return set_last(copy_rows(to, to_pitch, from, from_pitch, width, height, stream, false));
}

hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms* box, hipStream_t stream) {
  return set_last(box == nullptr ? hipErrorInvalidValue : copy_box(*box, stream, false));
}
hipError_t hipMemcpy3D(const hipMemcpy3DParms* box) {
  return set_last(box == nullptr ? hipErrorInvalidValue : copy_box(*box, nullptr, true));
}
hipError_t hipMemcpyParam2D(const hip_Memcpy2D* rectangle) {
  return set_last(copy_rectangle(rectangle, nullptr, true));
}
hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D* rectangle, hipStream_t stream) {
  return set_last(copy_rectangle(rectangle, stream, false));
}
hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D* rectangle) { return hipMemcpyParam2D(rectangle); }

hipError_t hipMemset(void* to, int value, size_t bytes) {
  return set_last(fill(to, bytes, static_cast<u8>(value), bytes, 1, nullptr, true));
}
hipError_t hipMemsetAsync(void* to, int value, size_t bytes, hipStream_t stream) {
  return set_last(fill(to, bytes, static_cast<u8>(value), bytes, 1, stream, false));
}
hipError_t hipMemsetD8(hipDeviceptr_t to, unsigned char value, size_t count) {
  return set_last(fill(to, count, value, count, 1, nullptr, true));
}
hipError_t hipMemsetD8Async(hipDeviceptr_t to, unsigned char value, size_t count, hipStream_t stream) {
  return set_last(fill(to, count, value, count, 1, stream, false));
}
hipError_t hipMemsetD16(hipDeviceptr_t to, unsigned short value, size_t count) {
  return set_last(fill(to, count * 2, value, count, 1, nullptr, true));
}
hipError_t hipMemsetD16Async(hipDeviceptr_t to, unsigned short value, size_t count, hipStream_t stream) {
  return set_last(fill(to, count * 2, value, count, 1, stream, false));
}
hipError_t hipMemsetD32(hipDeviceptr_t to, int value, size_t count) {
  return set_last(fill(to, count * 4, value, count, 1, nullptr, true));
}
hipError_t hipMemsetD32Async(hipDeviceptr_t to, int value, size_t count, hipStream_t stream) {
  return set_last(fill(to, count * 4, value, count, 1, stream, false));
}
hipError_t hipMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return set_last(fill(to, pitch, static_cast<u8>(value), width, height, nullptr, true));
}
hipError_t hipMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
  return set_last(fill(to, pitch, static_cast<u8>(value), width, height, stream, false));
}
hipError_t hipMemset3DAsync(hipPitchedPtr to, int value, hipExtent extent, hipStream_t stream) {
  return set_last(fill_box(to, static_cast<u8>(value), extent, stream, false));
}
hipError_t hipMemset3D(hipPitchedPtr to, int value, hipExtent extent) {
  return set_last(fill_box(to, static_cast<u8>(value), extent, nullptr, true));
}

hipError_t hipMemGetInfo(size_t* free, size_t* total) {
  if (const hipError_t error = State::get().start(); error != hipSuccess) return set_last(error);
  const Device& device = State::get().devices[static_cast<std::size_t>(current_device)];
  constexpr auto memory_available = static_cast<hsa_agent_info_t>(0xa015);
  u64 bytes = 0;
  hsa_agent_get_info(device.agent, memory_available, &bytes);
  if (free != nullptr) *free = bytes;
  if (total != nullptr) *total = device.properties.totalGlobalMem;
  return hipSuccess;
}
hipError_t hipMemPtrGetInfo(void* pointer, size_t* bytes) {
  hsa_amd_pointer_info_t info{};
  info.size = sizeof info;
  if (bytes == nullptr || hsa_amd_pointer_info(pointer, &info, nullptr, nullptr, nullptr) != HSA_STATUS_SUCCESS ||
      info.type == HSA_EXT_POINTER_TYPE_UNKNOWN)
    return set_last(hipErrorInvalidValue);
  *bytes = info.sizeInBytes;
  return hipSuccess;
}
hipError_t hipMemGetAddressRange(hipDeviceptr_t* base, size_t* bytes, hipDeviceptr_t pointer) {
  hsa_amd_pointer_info_t info{};
  info.size = sizeof info;
  if (hsa_amd_pointer_info(pointer, &info, nullptr, nullptr, nullptr) != HSA_STATUS_SUCCESS ||
      info.type == HSA_EXT_POINTER_TYPE_UNKNOWN)
    return set_last(hipErrorNotFound);
  if (base != nullptr) *base = info.agentBaseAddress;
  if (bytes != nullptr) *bytes = info.sizeInBytes;
  return hipSuccess;
}
hipError_t hipPointerGetAttributes(hipPointerAttribute_t* out, const void* pointer) {
  if (const hipError_t error = State::get().start(); error != hipSuccess) return set_last(error);
  hsa_amd_pointer_info_t info{};
  info.size = sizeof info;
  if (out == nullptr || pointer == nullptr) return set_last(hipErrorInvalidValue);
  hsa_amd_pointer_info(pointer, &info, nullptr, nullptr, nullptr);
  if (info.type == HSA_EXT_POINTER_TYPE_UNKNOWN) return set_last(hipErrorInvalidValue);
  const State& state = State::get();
  *out = {};
  out->memoryType = hipMemoryTypeHost;
  for (std::size_t i = 0; i < state.devices.size(); ++i) {
    if (state.devices[i].agent.handle != info.agentOwner.handle) continue;
    out->memoryType = hipMemoryTypeDevice;
    out->device = static_cast<int>(i);
  }
  out->devicePointer = const_cast<void*>(pointer);
  out->hostPointer = out->memoryType == hipMemoryTypeHost ? const_cast<void*>(pointer) : nullptr;
  return hipSuccess;
}
// All memory is everywhere.
hipError_t hipMemPrefetchAsync(const void*, size_t, int, hipStream_t) { return hipSuccess; }
hipError_t hipMemAdvise(const void*, size_t, hipMemoryAdvise, int) { return hipSuccess; }

/// Only describes; there are no arrays.
hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

// ------------------------------------------------------------------------------------------- symbols

hipError_t hipGetSymbolAddress(void** address, const void* symbol) {
  std::size_t size = 0;
  return set_last(address == nullptr ? hipErrorInvalidValue : State::get().find_variable(symbol, *address, size));
}
hipError_t hipGetSymbolSize(size_t* size, const void* symbol) {
  void* address = nullptr;
  return set_last(size == nullptr ? hipErrorInvalidValue : State::get().find_variable(symbol, address, *size));
}
hipError_t hipMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset, hipMemcpyKind,
                                  hipStream_t stream) {
  void* place = nullptr;
  const hipError_t error = copy_symbol(symbol, offset, bytes, place);
  return set_last(error != hipSuccess ? error : copy(place, from, bytes, stream, false));
}
hipError_t hipMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset, hipMemcpyKind) {
  void* place = nullptr;
  const hipError_t error = copy_symbol(symbol, offset, bytes, place);
  return set_last(error != hipSuccess ? error : copy(place, from, bytes, nullptr, true));
}
hipError_t hipMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset, hipMemcpyKind,
                                    hipStream_t stream) {
  void* place = nullptr;
  const hipError_t error = copy_symbol(symbol, offset, bytes, place);
  return set_last(error != hipSuccess ? error : copy(to, place, bytes, stream, false));
}
hipError_t hipMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, hipMemcpyKind) {
  void* place = nullptr;
  const hipError_t error = copy_symbol(symbol, offset, bytes, place);
  return set_last(error != hipSuccess ? error : copy(to, place, bytes, nullptr, true));
}

}  // extern "C"
