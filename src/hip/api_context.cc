// Contexts: here a context is a device. Kept for programs of the older interface.
#include "hip/state.h"

using namespace gfxisa;
using namespace gfxisa::hip;

namespace {

// What a thread pushed; below lies the device that it began with.
thread_local std::vector<int> pushed;

hipCtx_t context_of(int device) {
  return reinterpret_cast<hipCtx_t>(&State::get().devices[static_cast<std::size_t>(device)]);
}
/// -1 when it is none.
int device_of(hipCtx_t context) {
  auto& devices = State::get().devices;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (reinterpret_cast<hipCtx_t>(&devices[i]) == context) return static_cast<int>(i);
  }
  return -1;
}
bool is_device(int device) {
  return State::get().start() == hipSuccess && device >= 0 &&
         static_cast<std::size_t>(device) < State::get().devices.size();
}

hipError_t push(hipCtx_t context) {
  const int device = device_of(context);
  if (device < 0) return hipErrorInvalidContext;
  pushed.push_back(current_device);
  current_device = device;
  return hipSuccess;
}
hipError_t pop(hipCtx_t* context) {
  if (pushed.empty()) return hipErrorInvalidContext;
  if (context != nullptr) *context = context_of(current_device);
  current_device = pushed.back();
  pushed.pop_back();
  return hipSuccess;
}

}  // namespace

extern "C" {

hipError_t hipCtxCreate(hipCtx_t* context, unsigned, hipDevice_t device) {
  if (context == nullptr) return set_last(hipErrorInvalidValue);
  if (!is_device(device)) return set_last(hipErrorInvalidDevice);
  *context = context_of(device);
  return set_last(push(*context));
}
hipError_t hipCtxDestroy(hipCtx_t context) {
  const int device = device_of(context);
  if (device < 0) return set_last(hipErrorInvalidValue);
  if (!pushed.empty() && device == current_device) return set_last(pop(nullptr));
  return hipSuccess;
}
hipError_t hipCtxPushCurrent(hipCtx_t context) { return set_last(push(context)); }
hipError_t hipCtxPopCurrent(hipCtx_t* context) { return set_last(pop(context)); }
hipError_t hipCtxSetCurrent(hipCtx_t context) {
  const int device = device_of(context);
  if (device < 0) return set_last(hipErrorInvalidContext);
  current_device = device;
  return hipSuccess;
}
hipError_t hipCtxGetCurrent(hipCtx_t* context) {
  if (context == nullptr) return set_last(hipErrorInvalidValue);
  if (const hipError_t error = State::get().start(); error != hipSuccess) return set_last(error);
  *context = context_of(current_device);
  return hipSuccess;
}
hipError_t hipCtxGetDevice(hipDevice_t* device) { return hipGetDevice(device); }
hipError_t hipCtxGetApiVersion(hipCtx_t, int* version) {
  if (version == nullptr) return set_last(hipErrorInvalidValue);
  *version = 4;
  return hipSuccess;
}
hipError_t hipCtxGetFlags(unsigned* flags) { return hipGetDeviceFlags(flags); }
hipError_t hipCtxGetCacheConfig(hipFuncCache_t* config) { return hipDeviceGetCacheConfig(config); }
hipError_t hipCtxSetCacheConfig(hipFuncCache_t config) { return hipDeviceSetCacheConfig(config); }
hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig* config) { return hipDeviceGetSharedMemConfig(config); }
hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config) { return hipDeviceSetSharedMemConfig(config); }
hipError_t hipCtxSynchronize() { return hipDeviceSynchronize(); }
hipError_t hipCtxEnablePeerAccess(hipCtx_t peer, unsigned) {
  return set_last(device_of(peer) < 0 ? hipErrorInvalidContext : hipSuccess);
}
hipError_t hipCtxDisablePeerAccess(hipCtx_t peer) {
  return set_last(device_of(peer) < 0 ? hipErrorInvalidContext : hipSuccess);
}

hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned* flags, int* active) {
  if (flags == nullptr || active == nullptr) return set_last(hipErrorInvalidValue);
  if (!is_device(device)) return set_last(hipErrorInvalidDevice);
  *flags = 0;
  *active = device == current_device;
  return hipSuccess;
}
hipError_t hipDevicePrimaryCtxRetain(hipCtx_t* context, hipDevice_t device) {
  if (context == nullptr) return set_last(hipErrorInvalidValue);
  if (!is_device(device)) return set_last(hipErrorInvalidDevice);
  *context = context_of(device);
  return hipSuccess;
}
hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device) {
  return set_last(is_device(device) ? hipSuccess : hipErrorInvalidDevice);
}
hipError_t hipDevicePrimaryCtxReset(hipDevice_t device) {
  return set_last(is_device(device) ? hipSuccess : hipErrorInvalidDevice);
}
hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t device, unsigned) {
  return set_last(is_device(device) ? hipErrorContextAlreadyInUse : hipErrorInvalidDevice);
}

}  // extern "C"
