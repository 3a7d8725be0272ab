// Programs compiled with a default stream for each thread call these. All threads share the default stream here, which
// only orders more than they ask for.
#include <hip/hip_runtime_api.h>

extern "C" {

hipError_t hipMemcpy_spt(void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  return hipMemcpy(to, from, bytes, kind);
}
hipError_t hipMemcpyToSymbol_spt(const void* symbol, const void* from, size_t bytes, size_t offset,
                                 hipMemcpyKind kind) {
  return hipMemcpyToSymbol(symbol, from, bytes, offset, kind);
}
hipError_t hipMemcpyFromSymbol_spt(void* to, const void* symbol, size_t bytes, size_t offset, hipMemcpyKind kind) {
  return hipMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}
hipError_t hipMemcpy2D_spt(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                           hipMemcpyKind kind) {
  return hipMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}
hipError_t hipMemcpy3D_spt(const hipMemcpy3DParms* box) { return hipMemcpy3D(box); }
hipError_t hipMemset_spt(void* to, int value, size_t bytes) { return hipMemset(to, value, bytes); }
hipError_t hipMemset2D_spt(void* to, size_t pitch, int value, size_t width, size_t height) {
  return hipMemset2D(to, pitch, value, width, height);
}
hipError_t hipMemset3D_spt(hipPitchedPtr to, int value, hipExtent extent) { return hipMemset3D(to, value, extent); }
hipError_t hipMemcpyAsync_spt(void* to, const void* from, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  return hipMemcpyAsync(to, from, bytes, kind, stream);
}
hipError_t hipStreamQuery_spt(hipStream_t stream) { return hipStreamQuery(stream); }
hipError_t hipStreamSynchronize_spt(hipStream_t stream) { return hipStreamSynchronize(stream); }
hipError_t hipStreamGetPriority_spt(hipStream_t stream, int* priority) {
  return hipStreamGetPriority(stream, priority);
}
hipError_t hipStreamGetFlags_spt(hipStream_t stream, unsigned* flags) { return hipStreamGetFlags(stream, flags); }
hipError_t hipStreamWaitEvent_spt(hipStream_t stream, hipEvent_t event, unsigned flags) {
  return hipStreamWaitEvent(stream, event, flags);
}
hipError_t hipLaunchCooperativeKernel_spt(const void* function, dim3 blocks, dim3 block, void** arguments,
                                          uint32_t dynamic_lds, hipStream_t stream) {
  return hipLaunchCooperativeKernel(function, blocks, block, arguments, dynamic_lds, stream);
}
hipError_t hipLaunchKernel_spt(const void* function, dim3 blocks, dim3 block, void** arguments, size_t dynamic_lds,
                               hipStream_t stream) {
  return hipLaunchKernel(function, blocks, block, arguments, dynamic_lds, stream);
}

}  // extern "C"
