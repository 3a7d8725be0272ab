// A vector add of a million elements, from hipMalloc to the result: the first in a process and the second.
// Prints seconds, and seconds of processor time, of start-up, first and second.
#include <hip/hip_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace {

constexpr int count = 1000000;

__global__ void add(const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) c[i] = a[i] + b[i];
}

void check(hipError_t error) {
  if (error == hipSuccess) return;
  std::puts(hipGetErrorString(error));
  std::exit(1);
}

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

template <class F>
void measure(const char* what, F work) {
  const auto start = std::chrono::steady_clock::now();
  const double before = processor_seconds();
  work();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  std::printf("%s %.3f %.3f\n", what, time.count(), processor_seconds() - before);
}

}  // namespace

int main() {
  measure("start-up", [] {
    check(hipSetDevice(0));
    check(hipFree(nullptr));
  });
  std::vector<float> a(count), b(count), c(count);
  for (int i = 0; i < count; ++i) a[i] = i * 0.5f, b[i] = i % 13;
  constexpr std::size_t bytes = count * sizeof(float);
  for (const char* which : {"first", "second"}) {
    float* device[3];
    measure(which, [&] {
      for (float*& each : device) check(hipMalloc(&each, bytes));
      check(hipMemcpy(device[0], a.data(), bytes, hipMemcpyHostToDevice));
      check(hipMemcpy(device[1], b.data(), bytes, hipMemcpyHostToDevice));
      add<<<(count + 255) / 256, 256>>>(device[0], device[1], device[2]);
      check(hipMemcpy(c.data(), device[2], bytes, hipMemcpyDeviceToHost));
    });
    for (int i = 0; i < count; ++i) {
      if (c[i] != a[i] + b[i]) return std::puts("wrong result"), 1;
    }
    for (float* each : device) check(hipFree(each));
  }
}
