// Code: registration by compiled programs, modules, launches, occupancy.
#include <algorithm>
#include <fstream>
#include <iterator>

#include "hip/state.h"

using namespace gfxisa;
using namespace gfxisa::hip;

namespace {

struct Configuration {
  dim3 blocks, block;
  std::size_t dynamic_lds = 0;
  hipStream_t stream = nullptr;
};
thread_local std::vector<Configuration> configurations;

Module* module_of(hipModule_t handle) { return reinterpret_cast<Module*>(handle); }
Function* function_of(hipFunction_t handle) { return reinterpret_cast<Function*>(handle); }

hipError_t load(hipModule_t* out, const void* image, std::size_t size) {
  if (out == nullptr || image == nullptr) return hipErrorInvalidValue;
  if (const hipError_t error = State::get().start(); error != hipSuccess) return error;
  auto module = State::get().load(image, size);
  if (!module) return module.error().message.starts_with("no code") ? hipErrorNoBinaryForGpu : hipErrorInvalidImage;
  *out = reinterpret_cast<hipModule_t>(module->release());
  return hipSuccess;
}

hipError_t find(const void* host_function, Function*& function) {
  return State::get().find_function(host_function, function);
}

hipError_t count_blocks(int* blocks, const Function* function, int block, std::size_t dynamic_lds) {
  if (blocks == nullptr || function == nullptr || block <= 0) return hipErrorInvalidValue;
  *blocks = block > 1024 ? 0 : resident_blocks(*function, static_cast<u64>(block), dynamic_lds);
  return hipSuccess;
}

hipError_t best_block(int* grid, int* block, const Function* function, std::size_t dynamic_lds, int limit) {
  if (grid == nullptr || block == nullptr || function == nullptr) return hipErrorInvalidValue;
  const hipDeviceProp_t& device = State::get().devices[static_cast<std::size_t>(function->module->device)].properties;
  const int most = static_cast<int>(function->kernel->metadata.max_workgroup_size);
  *block = std::min(limit > 0 ? limit : 1024, most > 0 ? most : 1024);
  *grid = std::max(1, resident_blocks(*function, static_cast<u64>(*block), dynamic_lds)) * device.multiProcessorCount;
  return hipSuccess;
}

}  // namespace

extern "C" {

// ------------------------------------------------------------------------------------------- registration

void** __hipRegisterFatBinary(const void* data) { return reinterpret_cast<void**>(State::get().add_binary(data)); }
void __hipUnregisterFatBinary(void**) {}
void __hipRegisterFunction(void** binary, const void* host_function, char*, const char* name, unsigned, void*, void*,
                           void*, void*, int*) {
  State::get().add_function(reinterpret_cast<FatBinary*>(binary), host_function, name);
}
void __hipRegisterVar(void** binary, void* host_variable, char*, char* name, int, size_t size, int, int) {
  State::get().add_variable(reinterpret_cast<FatBinary*>(binary), host_variable, name, size, nullptr);
}
void __hipRegisterManagedVar(void* binary, void** pointer, void* initial, const char* name, size_t size, unsigned) {
  if (hipMallocManaged(pointer, size, hipMemAttachGlobal) != hipSuccess) return;
  std::copy_n(static_cast<const u8*>(initial), size, static_cast<u8*>(*pointer));
  State::get().add_variable(static_cast<FatBinary*>(binary), pointer, name, size, pointer);
}
void __hipRegisterTexture(void**, const void*, char*, char*, int, int, int) {}
void __hipRegisterSurface(void**, const void*, char*, char*, int, int) {}

hipError_t __hipPushCallConfiguration(dim3 blocks, dim3 block, size_t dynamic_lds, hipStream_t stream) {
  configurations.push_back({blocks, block, dynamic_lds, stream});
  return hipSuccess;
}
hipError_t __hipPopCallConfiguration(dim3* blocks, dim3* block, size_t* dynamic_lds, hipStream_t* stream) {
  if (configurations.empty()) return set_last(hipErrorInvalidConfiguration);
  const Configuration last = configurations.back();
  configurations.pop_back();
  *blocks = last.blocks;
  *block = last.block;
  *dynamic_lds = last.dynamic_lds;
  *stream = last.stream;
  return hipSuccess;
}

hipError_t hipLaunchKernel(const void* host_function, dim3 blocks, dim3 block, void** arguments, size_t dynamic_lds,
                           hipStream_t stream) {
  Function* function = nullptr;
  if (const hipError_t error = find(host_function, function); error != hipSuccess) return set_last(error);
  return set_last(launch(*function, {blocks, block, static_cast<u32>(dynamic_lds)}, arguments, nullptr, stream));
}
hipError_t hipExtLaunchKernel(const void* host_function, dim3 blocks, dim3 block, void** arguments, size_t dynamic_lds,
                              hipStream_t stream, hipEvent_t start, hipEvent_t stop, int) {
  if (start != nullptr) {
    if (const hipError_t error = hipEventRecord(start, stream); error != hipSuccess) return error;
  }
  const hipError_t error = hipLaunchKernel(host_function, blocks, block, arguments, dynamic_lds, stream);
  return error != hipSuccess || stop == nullptr ? error : hipEventRecord(stop, stream);
}
hipError_t hipLaunchCooperativeKernel(const void* host_function, dim3 blocks, dim3 block, void** arguments,
                                      unsigned dynamic_lds, hipStream_t stream) {
  Function* function = nullptr;
  if (const hipError_t error = find(host_function, function); error != hipSuccess) return set_last(error);
  return set_last(launch(*function, {blocks, block, dynamic_lds, true}, arguments, nullptr, stream));
}
hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams* launches, int count, unsigned flags) {
  return set_last(launch_on_devices(launches, count, flags, true));
}
hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams* launches, int count, unsigned flags) {
  return set_last(launch_on_devices(launches, count, flags, false));
}

// ------------------------------------------------------------------------------------------- modules

hipError_t hipModuleLoad(hipModule_t* module, const char* path) {
  if (path == nullptr) return set_last(hipErrorInvalidValue);
  std::ifstream file(path, std::ios::binary);
  if (!file) return set_last(hipErrorFileNotFound);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  return set_last(bytes.empty() ? hipErrorInvalidImage : load(module, bytes.data(), bytes.size()));
}
hipError_t hipModuleLoadData(hipModule_t* module, const void* image) { return set_last(load(module, image, 0)); }
hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned, hipJitOption*, void**) {
  return hipModuleLoadData(module, image);
}
hipError_t hipModuleUnload(hipModule_t module) {
  if (module == nullptr) return set_last(hipErrorInvalidHandle);
  const hipError_t error = hipDeviceSynchronize();
  delete module_of(module);
  return error;
}
hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* name) {
  if (function == nullptr || name == nullptr) return set_last(hipErrorInvalidValue);
  if (module == nullptr) return set_last(hipErrorInvalidHandle);
  auto& functions = module_of(module)->functions;
  const auto found = functions.find(std::string_view(name));
  if (found == functions.end()) return set_last(hipErrorNotFound);
  *function = reinterpret_cast<hipFunction_t>(&found->second);
  return hipSuccess;
}
hipError_t hipModuleGetGlobal(hipDeviceptr_t* address, size_t* bytes, hipModule_t module, const char* name) {
  if (name == nullptr) return set_last(hipErrorInvalidValue);
  if (module == nullptr) return set_last(hipErrorInvalidHandle);
  void* place = nullptr;
  std::size_t size = 0;
  if (!module_of(module)->find_variable(name, place, size)) return set_last(hipErrorNotFound);
  if (address != nullptr) *address = place;
  if (bytes != nullptr) *bytes = size;
  return hipSuccess;
}
hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned blocks_x, unsigned blocks_y, unsigned blocks_z,
                                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_lds,
                                 hipStream_t stream, void** arguments, void** extra) {
  if (function == nullptr) return set_last(hipErrorInvalidHandle);
  if (arguments != nullptr && extra != nullptr) return set_last(hipErrorInvalidValue);
  const Launch size{{blocks_x, blocks_y, blocks_z}, {block_x, block_y, block_z}, dynamic_lds};
  return set_last(launch(*function_of(function), size, arguments, extra, stream));
}

// ------------------------------------------------------------------------------------------- about functions

hipError_t hipFuncGetAttributes(hipFuncAttributes* out, const void* host_function) {
  if (out == nullptr) return set_last(hipErrorInvalidValue);
  Function* function = nullptr;
  if (const hipError_t error = find(host_function, function); error != hipSuccess) return set_last(error);
  const Kernel& kernel = *function->kernel;
  *out = {};
  out->binaryVersion = State::get().devices[static_cast<std::size_t>(function->module->device)].properties.gcnArch;
  out->localSizeBytes = kernel.descriptor.private_segment_bytes;
  out->sharedSizeBytes = kernel.descriptor.group_segment_bytes;
  out->maxThreadsPerBlock = static_cast<int>(kernel.metadata.max_workgroup_size);
  out->numRegs = static_cast<int>(kernel.metadata.vgpr_count);
  return hipSuccess;
}
hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attribute, hipFunction_t handle) {
  if (value == nullptr || handle == nullptr) return set_last(hipErrorInvalidValue);
  const Kernel& kernel = *function_of(handle)->kernel;
  switch (attribute) {
    case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(kernel.descriptor.group_segment_bytes);
      return hipSuccess;
    case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = static_cast<int>(kernel.metadata.max_workgroup_size);
      return hipSuccess;
    case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = static_cast<int>(kernel.descriptor.private_segment_bytes);
      return hipSuccess;
    case HIP_FUNC_ATTRIBUTE_NUM_REGS:
      *value = static_cast<int>(kernel.metadata.vgpr_count);
      return hipSuccess;
    default:
      *value = 0;
      return hipSuccess;
  }
}
hipError_t hipFuncSetAttribute(const void*, hipFuncAttribute, int) { return hipSuccess; }
hipError_t hipFuncSetCacheConfig(const void*, hipFuncCache_t) { return hipSuccess; }
hipError_t hipFuncSetSharedMemConfig(const void*, hipSharedMemConfig) { return hipSuccess; }

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* host_function, int block,
                                                        size_t dynamic_lds) {
  Function* function = nullptr;
  if (const hipError_t error = find(host_function, function); error != hipSuccess) return set_last(error);
  return set_last(count_blocks(blocks, function, block, dynamic_lds));
}
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int block,
                                                                 size_t dynamic_lds, unsigned) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block, dynamic_lds);
}
hipError_t hipOccupancyMaxPotentialBlockSize(int* grid, int* block, const void* host_function, size_t dynamic_lds,
                                             int limit) {
  Function* function = nullptr;
  if (const hipError_t error = find(host_function, function); error != hipSuccess) return set_last(error);
  return set_last(best_block(grid, block, function, dynamic_lds, limit));
}
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, hipFunction_t function, int block,
                                                              size_t dynamic_lds) {
  return set_last(count_blocks(blocks, function_of(function), block, dynamic_lds));
}
hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* grid, int* block, hipFunction_t function, size_t dynamic_lds,
                                                   int limit) {
  return set_last(best_block(grid, block, function_of(function), dynamic_lds, limit));
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, hipFunction_t function, int block,
                                                                       size_t dynamic_lds, unsigned) {
  return hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block, dynamic_lds);
}
hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, hipFunction_t function,
                                                            size_t dynamic_lds, int limit, unsigned) {
  return hipModuleOccupancyMaxPotentialBlockSize(grid, block, function, dynamic_lds, limit);
}
const char* hipKernelNameRef(const hipFunction_t function) {
  return function == nullptr ? nullptr : function_of(function)->kernel->metadata.name.c_str();
}
const char* hipKernelNameRefByPtr(const void* host_function, hipStream_t) {
  Function* function = nullptr;
  return find(host_function, function) == hipSuccess ? function->kernel->metadata.name.c_str() : nullptr;
}

}  // extern "C"
