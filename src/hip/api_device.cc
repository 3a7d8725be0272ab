// Devices.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "hip/state.h"

using namespace gfxisa;
using namespace gfxisa::hip;

namespace {

bool is_device(int device) {
  return State::get().start() == hipSuccess && device >= 0 &&
         static_cast<std::size_t>(device) < State::get().devices.size();
}

const hipDeviceProp_t& properties(int device) {
  return State::get().devices[static_cast<std::size_t>(device)].properties;
}

hipError_t get_attribute(const hipDeviceProp_t& p, hipDeviceAttribute_t attribute, int& value) {
  switch (attribute) {
    case hipDeviceAttributeMaxThreadsPerBlock:
      return value = p.maxThreadsPerBlock, hipSuccess;
    case hipDeviceAttributeMaxBlockDimX:
    case hipDeviceAttributeMaxBlockDimY:
    case hipDeviceAttributeMaxBlockDimZ:
      return value = p.maxThreadsDim[0], hipSuccess;
    case hipDeviceAttributeMaxGridDimX:
    case hipDeviceAttributeMaxGridDimY:
    case hipDeviceAttributeMaxGridDimZ:
      return value = p.maxGridSize[0], hipSuccess;
    case hipDeviceAttributeMaxSharedMemoryPerBlock:
    case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor:
      return value = static_cast<int>(p.sharedMemPerBlock), hipSuccess;
    case hipDeviceAttributeTotalConstantMemory:
      return value = static_cast<int>(std::min<std::size_t>(p.totalConstMem, 0x7fffffff)), hipSuccess;
    case hipDeviceAttributeWarpSize:
      return value = p.warpSize, hipSuccess;
    case hipDeviceAttributeMaxRegistersPerBlock:
      return value = p.regsPerBlock, hipSuccess;
    case hipDeviceAttributeClockRate:
      return value = p.clockRate, hipSuccess;
    case hipDeviceAttributeMemoryClockRate:
      return value = p.memoryClockRate, hipSuccess;
    case hipDeviceAttributeMemoryBusWidth:
      return value = p.memoryBusWidth, hipSuccess;
    case hipDeviceAttributeMultiprocessorCount:
      return value = p.multiProcessorCount, hipSuccess;
    case hipDeviceAttributeL2CacheSize:
      return value = p.l2CacheSize, hipSuccess;
    case hipDeviceAttributeMaxThreadsPerMultiProcessor:
      return value = p.maxThreadsPerMultiProcessor, hipSuccess;
    case hipDeviceAttributeComputeCapabilityMajor:
      return value = p.major, hipSuccess;
    case hipDeviceAttributeComputeCapabilityMinor:
      return value = p.minor, hipSuccess;
    case hipDeviceAttributeConcurrentKernels:
    case hipDeviceAttributeCanMapHostMemory:
    case hipDeviceAttributeManagedMemory:
    case hipDeviceAttributeUnifiedAddressing:
    case hipDeviceAttributeCooperativeLaunch:
    case hipDeviceAttributeCooperativeMultiDeviceLaunch:
      return value = 1, hipSuccess;
    case hipDeviceAttributePciBusId:
      return value = p.pciBusID, hipSuccess;
    case hipDeviceAttributePciDeviceId:
    case hipDeviceAttributeComputeMode:
    case hipDeviceAttributeIntegrated:
    case hipDeviceAttributeEccEnabled:
    case hipDeviceAttributeKernelExecTimeout:
    case hipDeviceAttributePageableMemoryAccess:
    case hipDeviceAttributeConcurrentManagedAccess:
      return value = 0, hipSuccess;
    default:
      return hipErrorInvalidValue;
  }
}

}  // namespace

extern "C" {

hipError_t hipInit(unsigned flags) { return set_last(flags != 0 ? hipErrorInvalidValue : State::get().start()); }
hipError_t hipDriverGetVersion(int* version) {
  if (version == nullptr) return set_last(hipErrorInvalidValue);
  *version = HIP_VERSION;
  return hipSuccess;
}
hipError_t hipRuntimeGetVersion(int* version) { return hipDriverGetVersion(version); }

hipError_t hipGetDeviceCount(int* count) {
  if (count == nullptr) return set_last(hipErrorInvalidValue);
  const hipError_t error = State::get().start();
  *count = static_cast<int>(State::get().devices.size());
  return set_last(error);
}
hipError_t hipSetDevice(int device) {
  if (!is_device(device)) return set_last(hipErrorInvalidDevice);
  current_device = device;
  return hipSuccess;
}
hipError_t hipGetDevice(int* device) {
  if (device == nullptr) return set_last(hipErrorInvalidValue);
  *device = current_device;
  return set_last(State::get().start());
}
hipError_t hipDeviceGet(hipDevice_t* device, int ordinal) {
  if (device == nullptr) return set_last(hipErrorInvalidValue);
  if (!is_device(ordinal)) return set_last(hipErrorInvalidDevice);
  *device = ordinal;
  return hipSuccess;
}
hipError_t hipGetDeviceProperties(hipDeviceProp_t* out, int device) {
  if (out == nullptr) return set_last(hipErrorInvalidValue);
  if (!is_device(device)) return set_last(hipErrorInvalidDevice);
  *out = properties(device);
  return hipSuccess;
}
hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int device) {
  if (value == nullptr) return set_last(hipErrorInvalidValue);
  if (!is_device(device)) return set_last(hipErrorInvalidDevice);
  return set_last(get_attribute(properties(device), attribute, *value));
}
hipError_t hipDeviceGetName(char* name, int bytes, hipDevice_t device) {
  if (name == nullptr || bytes <= 0) return set_last(hipErrorInvalidValue);
  if (!is_device(device)) return set_last(hipErrorInvalidDevice);
  std::snprintf(name, static_cast<std::size_t>(bytes), "%s", properties(device).name);
  return hipSuccess;
}
hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t device) {
  if (bytes == nullptr) return set_last(hipErrorInvalidValue);
  if (!is_device(device)) return set_last(hipErrorInvalidDevice);
  *bytes = properties(device).totalGlobalMem;
  return hipSuccess;
}
hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t device) {
  if (major == nullptr || minor == nullptr) return set_last(hipErrorInvalidValue);
  if (!is_device(device)) return set_last(hipErrorInvalidDevice);
  *major = properties(device).major;
  *minor = properties(device).minor;
  return hipSuccess;
}
hipError_t hipDeviceGetPCIBusId(char* text, int bytes, int device) {
  if (text == nullptr || bytes <= 0) return set_last(hipErrorInvalidValue);
  if (!is_device(device)) return set_last(hipErrorInvalidDevice);
  std::snprintf(text, static_cast<std::size_t>(bytes), "0000:%02x:00.0",
                static_cast<unsigned>(properties(device).pciBusID));
  return hipSuccess;
}

hipError_t hipDeviceGetByPCIBusId(int* device, const char* text) {
  if (device == nullptr || text == nullptr) return set_last(hipErrorInvalidValue);
  for (int i = 0; is_device(i); ++i) {
    char own[32];
    if (hipDeviceGetPCIBusId(own, sizeof own, i) != hipSuccess || std::strcmp(own, text) != 0) continue;
    *device = i;
    return hipSuccess;
  }
  return set_last(hipErrorInvalidValue);
}
hipError_t hipDeviceGetUuid(hipUUID* out, hipDevice_t device) {
  if (out == nullptr) return set_last(hipErrorInvalidValue);
  if (!is_device(device)) return set_last(hipErrorInvalidDevice);
  char text[21] = {};  // GPU- and 16 digits
  hsa_agent_get_info(State::get().devices[static_cast<std::size_t>(device)].agent,
                     static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_UUID), text);
  std::memcpy(out->bytes, text + 4, sizeof out->bytes);
  return hipSuccess;
}
hipError_t hipChooseDevice(int* device, const hipDeviceProp_t* wanted) {
  if (device == nullptr || wanted == nullptr) return set_last(hipErrorInvalidValue);
  *device = 0;
  return set_last(State::get().start());
}
hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr attribute, int device, int peer) {
  if (value == nullptr) return set_last(hipErrorInvalidValue);
  if (!is_device(device) || !is_device(peer) || device == peer) return set_last(hipErrorInvalidDevice);
  *value = attribute == hipDevP2PAttrHipArrayAccessSupported ? 0 : 1;
  return hipSuccess;
}
hipError_t hipExtGetLinkTypeAndHopCount(int device, int peer, uint32_t* type, uint32_t* hops) {
  if (type == nullptr || hops == nullptr) return set_last(hipErrorInvalidValue);
  if (!is_device(device) || !is_device(peer)) return set_last(hipErrorInvalidDevice);
  *type = HSA_AMD_LINK_INFO_TYPE_PCIE;
  *hops = 1;
  return hipSuccess;
}
// malloc on the device takes what it needs from the device's memory.
hipError_t hipDeviceGetLimit(size_t* value, hipLimit_t limit) {
  if (value == nullptr) return set_last(hipErrorInvalidValue);
  if (limit != hipLimitMallocHeapSize) return set_last(hipErrorUnsupportedLimit);
  if (const hipError_t error = State::get().start(); error != hipSuccess) return set_last(error);
  *value = properties(current_device).totalGlobalMem;
  return hipSuccess;
}

hipError_t hipDeviceSynchronize() {
  if (const hipError_t error = State::get().start(); error != hipSuccess) return set_last(error);
  hipError_t first = hipSuccess;
  for (const auto& stream : State::get().streams_of(current_device)) {
    const hipError_t error = stream->synchronize();
    if (first == hipSuccess) first = error;
  }
  return set_last(first);
}
hipError_t hipDeviceReset() { return hipDeviceSynchronize(); }

hipError_t hipDeviceCanAccessPeer(int* can, int device, int peer) {
  if (can == nullptr) return set_last(hipErrorInvalidValue);
  if (!is_device(device) || !is_device(peer)) return set_last(hipErrorInvalidDevice);
  *can = device != peer;
  return hipSuccess;
}
// All memory is the host's, so every device reaches it.
hipError_t hipDeviceEnablePeerAccess(int peer, unsigned) {
  return set_last(is_device(peer) ? hipSuccess : hipErrorInvalidDevice);
}
hipError_t hipDeviceDisablePeerAccess(int peer) {
  return set_last(is_device(peer) ? hipSuccess : hipErrorInvalidDevice);
}

// Accepted, without effect.
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t) { return hipSuccess; }
hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* config) {
  if (config == nullptr) return set_last(hipErrorInvalidValue);
  *config = hipFuncCachePreferNone;
  return hipSuccess;
}
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig) { return hipSuccess; }
hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* config) {
  if (config == nullptr) return set_last(hipErrorInvalidValue);
  *config = hipSharedMemBankSizeFourByte;
  return hipSuccess;
}
hipError_t hipSetDeviceFlags(unsigned) { return hipSuccess; }
hipError_t hipGetDeviceFlags(unsigned* flags) {
  if (flags == nullptr) return set_last(hipErrorInvalidValue);
  *flags = 0;
  return hipSuccess;
}
hipError_t hipProfilerStart() { return hipSuccess; }
hipError_t hipProfilerStop() { return hipSuccess; }

}  // extern "C"
