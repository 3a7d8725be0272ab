// A module of its own, loaded by hip_client.
#ifdef WITHOUT_DEVICE_LIBRARY
#include "device_functions.h"
#endif
#include <hip/hip_runtime.h>

__device__ int module_value = 9;

extern "C" __global__ void scale(float* x, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
