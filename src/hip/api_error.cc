// Names and texts of errors.
#include <hip/hip_runtime_api.h>

#include <algorithm>
#include <iterator>

namespace {

struct ErrorText {
  hipError_t error;
  const char *name, *text;
};
constexpr ErrorText error_texts[] = {
    {hipSuccess, "hipSuccess", "no error"},
    {hipErrorInvalidValue, "hipErrorInvalidValue", "invalid argument"},
    {hipErrorOutOfMemory, "hipErrorOutOfMemory", "out of memory"},
    {hipErrorNotInitialized, "hipErrorNotInitialized", "initialization error"},
    {hipErrorDeinitialized, "hipErrorDeinitialized", "driver shutting down"},
    {hipErrorInvalidConfiguration, "hipErrorInvalidConfiguration", "invalid configuration argument"},
    {hipErrorInvalidSymbol, "hipErrorInvalidSymbol", "invalid device symbol"},
    {hipErrorInvalidDevicePointer, "hipErrorInvalidDevicePointer", "invalid device pointer"},
    {hipErrorInvalidMemcpyDirection, "hipErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {hipErrorInvalidDeviceFunction, "hipErrorInvalidDeviceFunction", "invalid device function"},
    {hipErrorNoDevice, "hipErrorNoDevice", "no ROCm-capable device is detected"},
    {hipErrorInvalidDevice, "hipErrorInvalidDevice", "invalid device ordinal"},
    {hipErrorInvalidImage, "hipErrorInvalidImage", "device kernel image is invalid"},
    {hipErrorNoBinaryForGpu, "hipErrorNoBinaryForGpu", "no kernel image is available for execution on the device"},
    {hipErrorInvalidHandle, "hipErrorInvalidHandle", "invalid resource handle"},
    {hipErrorContextIsDestroyed, "hipErrorContextIsDestroyed", "context is destroyed"},
    {hipErrorFileNotFound, "hipErrorFileNotFound", "file not found"},
    {hipErrorNotFound, "hipErrorNotFound", "named symbol not found"},
    {hipErrorNotReady, "hipErrorNotReady", "device not ready"},
    {hipErrorIllegalAddress, "hipErrorIllegalAddress", "an illegal memory access was encountered"},
    {hipErrorLaunchFailure, "hipErrorLaunchFailure", "unspecified launch failure"},
    {hipErrorHostMemoryAlreadyRegistered, "hipErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {hipErrorHostMemoryNotRegistered, "hipErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {hipErrorPeerAccessAlreadyEnabled, "hipErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
    {hipErrorPeerAccessNotEnabled, "hipErrorPeerAccessNotEnabled", "peer access has not been enabled"},
    {hipErrorNotSupported, "hipErrorNotSupported", "operation not supported"},
    {hipErrorProfilerDisabled, "hipErrorProfilerDisabled", "the profiler is switched off"},
    {hipErrorProfilerNotInitialized, "hipErrorProfilerNotInitialized", "the profiler was not set up"},
    {hipErrorProfilerAlreadyStarted, "hipErrorProfilerAlreadyStarted", "the profiler runs already"},
    {hipErrorProfilerAlreadyStopped, "hipErrorProfilerAlreadyStopped", "the profiler does not run"},
    {hipErrorInvalidPitchValue, "hipErrorInvalidPitchValue", "invalid pitch argument"},
    {hipErrorInsufficientDriver, "hipErrorInsufficientDriver", "the driver is too old for this library"},
    {hipErrorMissingConfiguration, "hipErrorMissingConfiguration", "launch without a configuration"},
    {hipErrorPriorLaunchFailure, "hipErrorPriorLaunchFailure", "an earlier launch failed"},
    {hipErrorInvalidContext, "hipErrorInvalidContext", "invalid device context"},
    {hipErrorContextAlreadyCurrent, "hipErrorContextAlreadyCurrent", "the context is the current one already"},
    {hipErrorMapFailed, "hipErrorMapFailed", "the buffer could not be mapped"},
    {hipErrorUnmapFailed, "hipErrorUnmapFailed", "the buffer could not be unmapped"},
    {hipErrorArrayIsMapped, "hipErrorArrayIsMapped", "the array is mapped"},
    {hipErrorAlreadyMapped, "hipErrorAlreadyMapped", "the resource is mapped already"},
    {hipErrorAlreadyAcquired, "hipErrorAlreadyAcquired", "the resource is acquired already"},
    {hipErrorNotMapped, "hipErrorNotMapped", "the resource is not mapped"},
    {hipErrorNotMappedAsArray, "hipErrorNotMappedAsArray", "the resource is not mapped as an array"},
    {hipErrorNotMappedAsPointer, "hipErrorNotMappedAsPointer", "the resource is not mapped as a pointer"},
    {hipErrorECCNotCorrectable, "hipErrorECCNotCorrectable", "a memory error that could not be corrected"},
    {hipErrorUnsupportedLimit, "hipErrorUnsupportedLimit", "the device has no such limit"},
    {hipErrorContextAlreadyInUse, "hipErrorContextAlreadyInUse", "another thread uses the context"},
    {hipErrorPeerAccessUnsupported, "hipErrorPeerAccessUnsupported", "these devices do not reach each other"},
    {hipErrorInvalidKernelFile, "hipErrorInvalidKernelFile", "invalid kernel file"},
    {hipErrorInvalidGraphicsContext, "hipErrorInvalidGraphicsContext", "invalid graphics context"},
    {hipErrorInvalidSource, "hipErrorInvalidSource", "invalid kernel source"},
    {hipErrorSharedObjectSymbolNotFound, "hipErrorSharedObjectSymbolNotFound", "a shared object lacks a symbol"},
    {hipErrorSharedObjectInitFailed, "hipErrorSharedObjectInitFailed", "a shared object could not be initialised"},
    {hipErrorOperatingSystem, "hipErrorOperatingSystem", "the operating system refused a call"},
    {hipErrorIllegalState, "hipErrorIllegalState", "not possible in the present state"},
    {hipErrorLaunchOutOfResources, "hipErrorLaunchOutOfResources", "the launch asks for more than the device has"},
    {hipErrorLaunchTimeOut, "hipErrorLaunchTimeOut", "the kernel took too long"},
    {hipErrorSetOnActiveProcess, "hipErrorSetOnActiveProcess", "the device is in use already"},
    {hipErrorAssert, "hipErrorAssert", "an assertion in device code failed"},
    {hipErrorCooperativeLaunchTooLarge, "hipErrorCooperativeLaunchTooLarge",
     "too many blocks for a cooperative launch"},
    {hipErrorStreamCaptureUnsupported, "hipErrorStreamCaptureUnsupported", "not possible while a stream is captured"},
    {hipErrorStreamCaptureInvalidated, "hipErrorStreamCaptureInvalidated",
     "the capture failed because of an earlier error"},
    {hipErrorStreamCaptureMerge, "hipErrorStreamCaptureMerge", "two captures would become one"},
    {hipErrorStreamCaptureUnmatched, "hipErrorStreamCaptureUnmatched", "the capture began on another stream"},
    {hipErrorStreamCaptureUnjoined, "hipErrorStreamCaptureUnjoined", "another stream of the capture was not joined"},
    {hipErrorStreamCaptureIsolation, "hipErrorStreamCaptureIsolation",
     "work inside and outside of the capture would depend on each other"},
    {hipErrorStreamCaptureImplicit, "hipErrorStreamCaptureImplicit",
     "the default stream would become part of the capture"},
    {hipErrorCapturedEvent, "hipErrorCapturedEvent", "the event was recorded in a capture"},
    {hipErrorStreamCaptureWrongThread, "hipErrorStreamCaptureWrongThread", "another thread began the capture"},
    {hipErrorGraphExecUpdateFailure, "hipErrorGraphExecUpdateFailure",
     "the graph differs too much from the one that runs"},
    {hipErrorRuntimeMemory, "hipErrorRuntimeMemory", "a memory call of the runtime failed"},
    {hipErrorRuntimeOther, "hipErrorRuntimeOther", "a call of the runtime failed"},
    {hipErrorUnknown, "hipErrorUnknown", "unknown error"},
};

const ErrorText* find_text(hipError_t error) {
  const auto* found =
      std::find_if(std::begin(error_texts), std::end(error_texts), [&](const auto& row) { return row.error == error; });
  return found == std::end(error_texts) ? nullptr : found;
}

}  // namespace

extern "C" {

const char* hipGetErrorName(hipError_t error) {
  const ErrorText* found = find_text(error);
  return found != nullptr ? found->name : "hipErrorUnknown";
}
const char* hipGetErrorString(hipError_t error) {
  const ErrorText* found = find_text(error);
  return found != nullptr ? found->text : "unknown error";
}

}  // extern "C"
