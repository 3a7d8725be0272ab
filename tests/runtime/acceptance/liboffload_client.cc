// Launches kernels.cl through LLVM's liboffload and checks the results.
// Usage: liboffload_client CODEOBJECT [wild]
#include <OffloadAPI.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>
#include <vector>

namespace {

void check(ol_result_t result, const char* what) {
  if (result == nullptr) return;
  std::printf("%s: error %d: %s\n", what, static_cast<int>(result->Code), result->Details);
  std::exit(1);
}
#define CHECK(call) check(call, #call)

void expect(bool condition, const char* what) {
  if (condition) return;
  std::printf("wrong: %s\n", what);
  std::exit(1);
}

ol_device_handle_t gpu, host;
ol_queue_handle_t queue;
ol_program_handle_t program;

bool take_device(ol_device_handle_t device, void*) {
  ol_platform_handle_t platform;
  ol_platform_backend_t backend;
  CHECK(olGetDeviceInfo(device, OL_DEVICE_INFO_PLATFORM, sizeof platform, &platform));
  CHECK(olGetPlatformInfo(platform, OL_PLATFORM_INFO_BACKEND, sizeof backend, &backend));
  if (backend == OL_PLATFORM_BACKEND_AMDGPU && gpu == nullptr) gpu = device;
  if (backend == OL_PLATFORM_BACKEND_HOST) host = device;
  return true;
}

template <class T>
T* allocate(std::size_t count, ol_alloc_type_t type) {
  void* memory = nullptr;
  CHECK(olMemAlloc(gpu, type, count * sizeof(T), &memory));
  return static_cast<T*>(memory);
}

template <class T>
void launch(const char* name, const T& arguments, ol_dimensions_t groups, ol_dimensions_t size,
            std::size_t dimensions) {
  ol_symbol_handle_t kernel;
  CHECK(olGetSymbol(program, name, OL_SYMBOL_KIND_KERNEL, &kernel));
  const ol_kernel_launch_size_args_t launch_size{dimensions, groups, size, 0};
  CHECK(olLaunchKernel(queue, gpu, kernel, &arguments, sizeof arguments, &launch_size));
}

void test_sizes() {
  constexpr uint32_t count = 64 * 3 * 4 * 2;
  auto* out = allocate<uint32_t>(count * 8, OL_ALLOC_TYPE_MANAGED);
  struct {
    uint32_t* out;
    uint32_t count;
  } const arguments{out, count};
  launch("sizes", arguments, {3, 2, 1}, {64, 4, 1}, 2);
  CHECK(olSyncQueue(queue));
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t x = i % 192, y = i / 192;
    const uint32_t wanted[8] = {3, 2, 64, 4, 64, x % 64 + 1000 * (y % 4), 0, x / 64 + 1000 * (y / 4)};
    expect(std::memcmp(out + i * 8, wanted, sizeof wanted) == 0, "sizes that a kernel sees");
  }
  CHECK(olMemFree(out));
}

void test_saxpy() {
  constexpr uint32_t count = 100000;
  std::vector<float> x(count), y(count), result(count);
  for (uint32_t i = 0; i < count; ++i) x[i] = static_cast<float>(i % 1000), y[i] = static_cast<float>(i % 7);
  auto* device_x = allocate<float>(count, OL_ALLOC_TYPE_DEVICE);
  auto* device_y = allocate<float>(count, OL_ALLOC_TYPE_DEVICE);
  CHECK(olMemcpy(queue, device_x, gpu, x.data(), host, count * 4));
  CHECK(olMemcpy(queue, device_y, gpu, y.data(), host, count * 4));
  struct {
    float *x, *y;
    float a;
    uint32_t count;
  } const arguments{device_x, device_y, 0.5f, count};
  launch("saxpy", arguments, {(count + 255) / 256, 1, 1}, {256, 1, 1}, 1);
  CHECK(olMemcpy(queue, result.data(), host, device_y, gpu, count * 4));
  CHECK(olSyncQueue(queue));
  for (uint32_t i = 0; i < count; ++i) expect(result[i] == 0.5f * x[i] + y[i], "saxpy");
  const uint32_t pattern = 0x12345678;
  CHECK(olMemFill(queue, device_x, sizeof pattern, &pattern, count * 4));
  CHECK(olMemcpy(queue, result.data(), host, device_x, gpu, count * 4));
  CHECK(olSyncQueue(queue));
  for (const float& value : result) expect(std::memcmp(&value, &pattern, 4) == 0, "fill");
  CHECK(olMemFree(device_x));
  CHECK(olMemFree(device_y));
}

void test_sum() {
  constexpr uint32_t count = 5000;
  auto* in = allocate<uint32_t>(count, OL_ALLOC_TYPE_HOST);
  auto* out = allocate<uint32_t>(1, OL_ALLOC_TYPE_HOST);
  std::iota(in, in + count, 1);
  *out = 0;
  struct {
    uint32_t *in, *out;
    uint32_t count;
  } const arguments{in, out, count};
  launch("sum", arguments, {(count + 255) / 256, 1, 1}, {256, 1, 1}, 1);
  ol_event_handle_t event;
  CHECK(olCreateEvent(queue, &event));
  CHECK(olSyncEvent(event));
  expect(*out == count * (count + 1) / 2, "sum through the data share and atomics");
  CHECK(olDestroyEvent(event));
  CHECK(olMemFree(in));
  CHECK(olMemFree(out));
}

}  // namespace

int main(int argc, char** argv) {
  std::ifstream file(argv[1], std::ios::binary);
  const std::vector<char> code{std::istreambuf_iterator<char>(file), {}};
  CHECK(olInit());
  CHECK(olIterateDevices(take_device, nullptr));
  expect(gpu != nullptr, "no GPU");
  CHECK(olCreateProgram(gpu, code.data(), code.size(), &program));
  CHECK(olCreateQueue(gpu, &queue));
  if (argc > 2 && std::strcmp(argv[2], "wild") == 0) {
    auto* out = allocate<uint32_t>(1, OL_ALLOC_TYPE_DEVICE);
    launch("wild", out, {1, 1, 1}, {1, 1, 1}, 1);
    const ol_result_t result = olSyncQueue(queue);
    std::printf("after the wild store: %s\n", result != nullptr ? result->Details : "no error");
    return 0;
  }
  test_sizes();
  test_saxpy();
  test_sum();
  CHECK(olDestroyQueue(queue));
  CHECK(olDestroyProgram(program));
  CHECK(olShutDown());
  std::puts("passed");
}
