// Functions of HIP that this library does not have: arrays, textures and surfaces, graphics, memory pools and virtual
// memory, sharing with other processes, tracing, the run-time compiler. Each says so by its result, and the first call
// of each on standard error. No header of HIP here: none of them looks at its arguments, so they are declared without.
#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int not_supported = 801;  // hipErrorNotSupported
constexpr int no_compilation = 6;   // HIPRTC_ERROR_COMPILATION

int refuse(const char* name, int result, std::atomic<bool>& was_said) {
  if (!was_said.exchange(true) && std::getenv("GFXISA_QUIET") == nullptr)
    std::fprintf(stderr, "gfxisa: %s: this HIP library does not support it\n", name);
  return result;
}

}  // namespace

#define REFUSE_WITH(name, result)           \
  int name() {                              \
    static std::atomic<bool> was_said;      \
    return refuse(#name, result, was_said); \
  }
#define REFUSE(name) REFUSE_WITH(name, not_supported)
#define REFUSE_RTC(name) REFUSE_WITH(name, no_compilation)

extern "C" {

REFUSE(hipArray3DCreate)
REFUSE(hipArrayCreate)
REFUSE(hipArrayDestroy)
REFUSE(hipBindTexture)
REFUSE(hipBindTexture2D)
REFUSE(hipBindTextureToArray)
REFUSE(hipBindTextureToMipmappedArray)
REFUSE(hipConfigureCall)
REFUSE(hipCreateTextureObject)
REFUSE(hipDestroyExternalMemory)
REFUSE(hipDestroyExternalSemaphore)
REFUSE(hipDestroyTextureObject)
REFUSE(hipDeviceGetDefaultMemPool)
REFUSE(hipDeviceGetMemPool)
REFUSE(hipDeviceSetMemPool)
REFUSE(hipDrvMemcpy3D)
REFUSE(hipDrvMemcpy3DAsync)
REFUSE(hipDrvPointerGetAttributes)
REFUSE(hipEnableActivityCallback)
REFUSE(hipExtStreamGetCUMask)
REFUSE(hipExternalMemoryGetMappedBuffer)
REFUSE(hipFreeArray)
REFUSE(hipFreeMipmappedArray)
REFUSE(hipGLGetDevices)
REFUSE(hipGetChannelDesc)
REFUSE(hipGetMipmappedArrayLevel)
REFUSE(hipGetTextureAlignmentOffset)
REFUSE(hipGetTextureObjectResourceDesc)
REFUSE(hipGetTextureObjectResourceViewDesc)
REFUSE(hipGetTextureObjectTextureDesc)
REFUSE(hipGetTextureReference)
REFUSE(hipGraphicsGLRegisterBuffer)
REFUSE(hipGraphicsGLRegisterImage)
REFUSE(hipGraphicsMapResources)
REFUSE(hipGraphicsResourceGetMappedPointer)
REFUSE(hipGraphicsSubResourceGetMappedArray)
REFUSE(hipGraphicsUnmapResources)
REFUSE(hipGraphicsUnregisterResource)
REFUSE(hipImportExternalMemory)
REFUSE(hipImportExternalSemaphore)
REFUSE(hipInitActivityCallback)
REFUSE(hipIpcCloseMemHandle)
REFUSE(hipIpcGetEventHandle)
REFUSE(hipIpcGetMemHandle)
REFUSE(hipIpcOpenEventHandle)
REFUSE(hipIpcOpenMemHandle)
REFUSE(hipLaunchByPtr)
REFUSE(hipMalloc3DArray)
REFUSE(hipMallocArray)
REFUSE(hipMallocFromPoolAsync)
REFUSE(hipMallocMipmappedArray)
REFUSE(hipMemAddressFree)
REFUSE(hipMemAddressReserve)
REFUSE(hipMemCreate)
REFUSE(hipMemExportToShareableHandle)
REFUSE(hipMemGetAccess)
REFUSE(hipMemGetAllocationGranularity)
REFUSE(hipMemGetAllocationPropertiesFromHandle)
REFUSE(hipMemImportFromShareableHandle)
REFUSE(hipMemMap)
REFUSE(hipMemMapArrayAsync)
REFUSE(hipMemPoolCreate)
REFUSE(hipMemPoolDestroy)
REFUSE(hipMemPoolExportPointer)
REFUSE(hipMemPoolExportToShareableHandle)
REFUSE(hipMemPoolGetAccess)
REFUSE(hipMemPoolGetAttribute)
REFUSE(hipMemPoolImportFromShareableHandle)
REFUSE(hipMemPoolImportPointer)
REFUSE(hipMemPoolSetAccess)
REFUSE(hipMemPoolSetAttribute)
REFUSE(hipMemPoolTrimTo)
REFUSE(hipMemRangeGetAttribute)
REFUSE(hipMemRangeGetAttributes)
REFUSE(hipMemRelease)
REFUSE(hipMemRetainAllocationHandle)
REFUSE(hipMemSetAccess)
REFUSE(hipMemUnmap)
REFUSE(hipMemcpy2DFromArray)
REFUSE(hipMemcpy2DFromArrayAsync)
REFUSE(hipMemcpy2DFromArray_spt)
REFUSE(hipMemcpy2DToArray)
REFUSE(hipMemcpy2DToArrayAsync)
REFUSE(hipMemcpy2DToArray_spt)
REFUSE(hipMemcpyAtoH)
REFUSE(hipMemcpyFromArray)
REFUSE(hipMemcpyHtoA)
REFUSE(hipMemcpyToArray)
REFUSE(hipMipmappedArrayCreate)
REFUSE(hipMipmappedArrayDestroy)
REFUSE(hipMipmappedArrayGetLevel)
REFUSE(hipModuleGetTexRef)
REFUSE(hipPointerGetAttribute)
REFUSE(hipRegisterActivityCallback)
REFUSE(hipRegisterApiCallback)
REFUSE(hipRemoveActivityCallback)
REFUSE(hipRemoveApiCallback)
REFUSE(hipSetupArgument)
REFUSE(hipSignalExternalSemaphoresAsync)
REFUSE(hipStreamGetCaptureInfo_v2)
REFUSE(hipStreamUpdateCaptureDependencies)
REFUSE(hipTexObjectCreate)
REFUSE(hipTexObjectDestroy)
REFUSE(hipTexObjectGetResourceDesc)
REFUSE(hipTexObjectGetResourceViewDesc)
REFUSE(hipTexObjectGetTextureDesc)
REFUSE(hipTexRefGetAddress)
REFUSE(hipTexRefGetAddressMode)
REFUSE(hipTexRefGetFilterMode)
REFUSE(hipTexRefGetFlags)
REFUSE(hipTexRefGetFormat)
REFUSE(hipTexRefGetMaxAnisotropy)
REFUSE(hipTexRefGetMipmapFilterMode)
REFUSE(hipTexRefGetMipmapLevelBias)
REFUSE(hipTexRefGetMipmapLevelClamp)
REFUSE(hipTexRefSetAddress)
REFUSE(hipTexRefSetAddress2D)
REFUSE(hipTexRefSetAddressMode)
REFUSE(hipTexRefSetArray)
REFUSE(hipTexRefSetBorderColor)
REFUSE(hipTexRefSetFilterMode)
REFUSE(hipTexRefSetFlags)
REFUSE(hipTexRefSetFormat)
REFUSE(hipTexRefSetMaxAnisotropy)
REFUSE(hipTexRefSetMipmapFilterMode)
REFUSE(hipTexRefSetMipmapLevelBias)
REFUSE(hipTexRefSetMipmapLevelClamp)
REFUSE(hipTexRefSetMipmappedArray)
REFUSE(hipUnbindTexture)
REFUSE(hipWaitExternalSemaphoresAsync)

REFUSE_RTC(hiprtcAddNameExpression)
REFUSE_RTC(hiprtcCompileProgram)
REFUSE_RTC(hiprtcCreateProgram)
REFUSE_RTC(hiprtcDestroyProgram)
REFUSE_RTC(hiprtcGetCode)
REFUSE_RTC(hiprtcGetCodeSize)
REFUSE_RTC(hiprtcGetLoweredName)
REFUSE_RTC(hiprtcGetProgramLog)
REFUSE_RTC(hiprtcGetProgramLogSize)
const char* hiprtcGetErrorString(int result) {
  return result == 0 ? "HIPRTC_SUCCESS" : "HIPRTC_ERROR_COMPILATION: this HIP library has no run-time compiler";
}
int hiprtcVersion(int* major, int* minor) {
  if (major != nullptr) *major = 9;
  if (minor != nullptr) *minor = 0;
  return 0;
}
const char* hipApiName(unsigned) { return "unknown"; }
const char* hipGetCmdName(unsigned) { return "unknown"; }

}  // extern "C"
