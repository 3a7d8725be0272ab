// What HIP programs typically do, each with its result checked on the CPU.
// Usage: hip_client [PART]...; without a part, all but those that end the program or want two devices.
#if __clang_major__ >= 22
#include "device_functions.h"
#endif
#include <hip/hip_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <hip/hip_cooperative_groups.h>  // wants what hip_runtime.h has

__device__ int device_counter = 40;
__constant__ int table[4] = {1, 2, 3, 4};

namespace {

void check(hipError_t error, const char* what, int line) {
  if (error == hipSuccess) return;
  std::printf("line %d: %s: %s\n", line, what, hipGetErrorString(error));
  std::exit(1);
}
#define CHECK(call) check(call, #call, __LINE__)
#define EXPECT(condition)                                       \
  do {                                                          \
    if (!(condition)) {                                         \
      std::printf("line %d: not so: %s\n", __LINE__, #condition); \
      std::exit(1);                                             \
    }                                                           \
  } while (0)

template <class T>
struct Buffer {
  T* data = nullptr;
  std::size_t count;
  explicit Buffer(std::size_t n) : count(n) { CHECK(hipMalloc(&data, n * sizeof(T))); }
  explicit Buffer(const std::vector<T>& from) : Buffer(from.size()) {
    CHECK(hipMemcpy(data, from.data(), count * sizeof(T), hipMemcpyHostToDevice));
  }
  ~Buffer() { CHECK(hipFree(data)); }
  std::vector<T> read() const {
    std::vector<T> out(count);
    CHECK(hipMemcpy(out.data(), data, count * sizeof(T), hipMemcpyDeviceToHost));
    return out;
  }
};

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void test_add() {
  constexpr int n = 1000000;
  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; ++i) a[i] = i * 0.5f, b[i] = i % 13;
  const Buffer<float> da(a), db(b), dc(n);
  add<<<(n + 255) / 256, 256>>>(da.data, db.data, dc.data, n);
  CHECK(hipGetLastError());
  const auto c = dc.read();
  for (int i = 0; i < n; ++i) EXPECT(c[i] == a[i] + b[i]);
}

__global__ void reduce(const int* in, int* out, int n) {
  __shared__ int part[256];
  const int lane = threadIdx.x, i = blockIdx.x * 256 + lane;
  part[lane] = i < n ? in[i] : 0;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (lane < half) part[lane] += part[lane + half];
    __syncthreads();
  }
  if (lane == 0) out[blockIdx.x] = part[0];
}

void test_reduce() {
  std::vector<int> in(10000);
  std::iota(in.begin(), in.end(), -300);
  const Buffer<int> din(in), dout(40);
  reduce<<<40, 256>>>(din.data, dout.data, 10000);
  const auto out = dout.read();
  EXPECT(std::accumulate(out.begin(), out.end(), 0) == std::accumulate(in.begin(), in.end(), 0));
}

__global__ void count(unsigned* bins, float* total, unsigned long long* most) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&bins[i % 10], 1u);
  atomicAdd(total, 0.5f);
  atomicMax(most, static_cast<unsigned long long>(i) * 3);
  atomicCAS(&bins[10], 0u, 77u);
}

void test_atomics() {
  const Buffer<unsigned> bins(std::vector<unsigned>(11));
  const Buffer<float> total(std::vector<float>(1));
  const Buffer<unsigned long long> most(std::vector<unsigned long long>(1));
  count<<<20, 100>>>(bins.data, total.data, most.data);
  const auto out = bins.read();
  for (int i = 0; i < 10; ++i) EXPECT(out[i] == 200);
  EXPECT(out[10] == 77);
  EXPECT(total.read()[0] == 1000.0f);
  EXPECT(most.read()[0] == 1999 * 3);
}

__global__ void add_one(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}

void test_streams() {
  constexpr int streams = 4, n = 4096;
  hipStream_t stream[streams];
  hipEvent_t start, stop;
  CHECK(hipEventCreate(&start));
  CHECK(hipEventCreate(&stop));
  CHECK(hipEventRecord(start));
  int* host;
  CHECK(hipHostMalloc(&host, streams * n * sizeof(int)));
  std::iota(host, host + streams * n, 0);
  std::vector<int*> device(streams);
  for (int s = 0; s < streams; ++s) {
    CHECK(hipStreamCreate(&stream[s]));
    CHECK(hipMalloc(&device[s], n * sizeof(int)));
    CHECK(hipMemcpyAsync(device[s], host + s * n, n * sizeof(int), hipMemcpyHostToDevice, stream[s]));
    for (int i = 0; i <= s; ++i) add_one<<<n / 256, 256, 0, stream[s]>>>(device[s], n);
    CHECK(hipMemcpyAsync(host + s * n, device[s], n * sizeof(int), hipMemcpyDeviceToHost, stream[s]));
  }
  hipEvent_t last;
  CHECK(hipEventCreateWithFlags(&last, hipEventDisableTiming));
  CHECK(hipEventRecord(last, stream[3]));
  CHECK(hipStreamWaitEvent(stream[0], last, 0));
  bool was_called = false;
  CHECK(hipStreamAddCallback(
      stream[0], [](hipStream_t, hipError_t, void* flag) { *static_cast<bool*>(flag) = true; }, &was_called, 0));
  for (hipStream_t each : stream) CHECK(hipStreamSynchronize(each));
  CHECK(hipEventRecord(stop));
  CHECK(hipEventSynchronize(stop));
  float ms = -1;
  CHECK(hipEventElapsedTime(&ms, start, stop));
  EXPECT(ms >= 0 && ms < 60000);
  EXPECT(was_called);
  for (int i = 0; i < streams * n; ++i) EXPECT(host[i] == i + i / n + 1);
  for (int s = 0; s < streams; ++s) {
    CHECK(hipStreamDestroy(stream[s]));
    CHECK(hipFree(device[s]));
  }
  CHECK(hipHostFree(host));
}

void test_graph() {
  constexpr int n = 1024;
  const Buffer<int> x(std::vector<int>(n, 5));
  hipStream_t stream;
  CHECK(hipStreamCreate(&stream));
  hipGraph_t graph;
  hipGraphExec_t run;
  CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  for (int i = 0; i < 3; ++i) add_one<<<n / 256, 256, 0, stream>>>(x.data, n);
  CHECK(hipStreamEndCapture(stream, &graph));
  CHECK(hipGraphInstantiate(&run, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 4; ++i) CHECK(hipGraphLaunch(run, stream));
  CHECK(hipStreamSynchronize(stream));
  for (int value : x.read()) EXPECT(value == 5 + 12);
  CHECK(hipGraphExecDestroy(run));
  CHECK(hipGraphDestroy(graph));
  CHECK(hipStreamDestroy(stream));
}

// The same work on two streams that part and meet again, and a graph made node by node.
void test_nodes() {
  constexpr int n = 512;
  const Buffer<int> x(std::vector<int>(n, 1)), y(std::vector<int>(n, 1));
  hipStream_t first, second;
  hipEvent_t fork, meet;
  CHECK(hipStreamCreate(&first));
  CHECK(hipStreamCreate(&second));
  CHECK(hipEventCreate(&fork));
  CHECK(hipEventCreate(&meet));
  hipGraph_t graph;
  hipGraphExec_t run;
  CHECK(hipStreamBeginCapture(first, hipStreamCaptureModeGlobal));
  CHECK(hipEventRecord(fork, first));
  CHECK(hipStreamWaitEvent(second, fork, 0));
  add_one<<<2, 256, 0, first>>>(x.data, n);
  add_one<<<2, 256, 0, second>>>(y.data, n);
  CHECK(hipEventRecord(meet, second));
  CHECK(hipStreamWaitEvent(first, meet, 0));
  CHECK(hipMemcpyAsync(y.data, x.data, n / 2 * sizeof(int), hipMemcpyDeviceToDevice, first));
  CHECK(hipStreamEndCapture(first, &graph));
  for (int value : x.read()) EXPECT(value == 1);
  CHECK(hipGraphInstantiate(&run, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 3; ++i) CHECK(hipGraphLaunch(run, first));
  CHECK(hipStreamSynchronize(first));
  CHECK(hipGraphExecDestroy(run));
  CHECK(hipGraphDestroy(graph));
  for (int value : x.read()) EXPECT(value == 4);
  for (int value : y.read()) EXPECT(value == 4);

  CHECK(hipGraphCreate(&graph, 0));
  hipGraphNode_t fill, kernel, copy;
  hipMemsetParams filled{};
  filled.dst = x.data;
  filled.elementSize = 4;
  filled.height = 1;
  filled.pitch = filled.width = n;
  filled.value = 70;
  CHECK(hipGraphAddMemsetNode(&fill, graph, nullptr, 0, &filled));
  int* data = x.data;
  int count = n;
  void* arguments[] = {&data, &count};
  hipKernelNodeParams launched{};
  launched.func = reinterpret_cast<void*>(add_one);
  launched.gridDim = dim3(2);
  launched.blockDim = dim3(256);
  launched.kernelParams = arguments;
  CHECK(hipGraphAddKernelNode(&kernel, graph, nullptr, 0, &launched));
  std::vector<int> back(n);
  CHECK(hipGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, back.data(), x.data, n * sizeof(int), hipMemcpyDeviceToHost));
  CHECK(hipGraphAddDependencies(graph, &fill, &kernel, 1));
  std::size_t nodes = 0;
  CHECK(hipGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 3);
  CHECK(hipGraphInstantiate(&run, graph, nullptr, nullptr, 0));
  CHECK(hipGraphLaunch(run, first));
  CHECK(hipStreamSynchronize(first));
  for (int value : back) EXPECT(value == 71);
  count = n / 2;
  CHECK(hipGraphExecKernelNodeSetParams(run, kernel, &launched));
  CHECK(hipGraphLaunch(run, first));
  CHECK(hipStreamSynchronize(first));
  for (int i = 0; i < n; ++i) EXPECT(back[i] == (i < n / 2 ? 71 : 70));
  CHECK(hipGraphExecDestroy(run));
  CHECK(hipGraphDestroy(graph));
  CHECK(hipEventDestroy(fork));
  CHECK(hipEventDestroy(meet));
  CHECK(hipStreamDestroy(first));
  CHECK(hipStreamDestroy(second));
}

void test_copies() {
  constexpr int n = 10007;
  std::vector<int> in(n);
  std::iota(in.begin(), in.end(), 1);
  const Buffer<int> a(in), b(n);
  CHECK(hipMemcpy(b.data, a.data, n * sizeof(int), hipMemcpyDeviceToDevice));
  EXPECT(b.read() == in);
  CHECK(hipMemset(b.data, 0x5a, n * sizeof(int)));
  for (int value : b.read()) EXPECT(value == 0x5a5a5a5a);
  CHECK(hipMemsetD32(reinterpret_cast<hipDeviceptr_t>(b.data), 1234567, n));
  for (int value : b.read()) EXPECT(value == 1234567);
  // Rows of 100 ints, 64 of them copied.
  CHECK(hipMemcpy2D(b.data, 100 * 4, a.data, 100 * 4, 64 * 4, 50, hipMemcpyDeviceToDevice));
  const auto rows = b.read();
  for (int i = 0; i < 5000; ++i) EXPECT(rows[i] == (i % 100 < 64 ? in[i] : 1234567));
  std::vector<int> box(64 * 50);
  CHECK(hipMemcpy2D(box.data(), 64 * 4, a.data, 100 * 4, 64 * 4, 50, hipMemcpyDeviceToHost));
  for (int i = 0; i < 64 * 50; ++i) EXPECT(box[i] == in[i / 64 * 100 + i % 64]);
  // Large enough to be copied through locked memory.
  std::vector<unsigned char> large(40 << 20), back(40 << 20);
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<unsigned char>(i * 7 + (i >> 13));
  const Buffer<unsigned char> device(large);
  CHECK(hipMemcpy(back.data(), device.data, back.size(), hipMemcpyDeviceToHost));
  EXPECT(back == large);
}

void test_managed() {
  constexpr int n = 1000;
  int* x;
  CHECK(hipMallocManaged(&x, n * sizeof(int)));
  for (int i = 0; i < n; ++i) x[i] = i;
  add_one<<<4, 256>>>(x, n);
  CHECK(hipDeviceSynchronize());
  for (int i = 0; i < n; ++i) EXPECT(x[i] == i + 1);
  CHECK(hipFree(x));
  // Registered host memory.
  std::vector<int> host(n, 3);
  CHECK(hipHostRegister(host.data(), n * sizeof(int), hipHostRegisterDefault));
  void* seen;
  CHECK(hipHostGetDevicePointer(&seen, host.data(), 0));
  add_one<<<4, 256>>>(static_cast<int*>(seen), n);
  CHECK(hipDeviceSynchronize());
  for (int value : host) EXPECT(value == 4);
  CHECK(hipHostUnregister(host.data()));
}

__global__ void use_symbols(int* out) {
  atomicAdd(&device_counter, table[threadIdx.x]);
  out[threadIdx.x] = table[threadIdx.x] * 10;
}

void test_symbols() {
  const Buffer<int> out(4);
  const int fresh[4] = {5, 6, 7, 8};
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL(table), fresh, sizeof fresh));
  use_symbols<<<1, 4>>>(out.data);
  int value = 0;
  CHECK(hipMemcpyFromSymbol(&value, HIP_SYMBOL(device_counter), sizeof value));
  EXPECT(value == 40 + 26);
  EXPECT((out.read() == std::vector<int>{50, 60, 70, 80}));
  void* address;
  CHECK(hipGetSymbolAddress(&address, HIP_SYMBOL(device_counter)));
  std::size_t bytes;
  CHECK(hipGetSymbolSize(&bytes, HIP_SYMBOL(table)));
  EXPECT(bytes == 16);
}

void test_module() {
  const char* path = std::getenv("MODULE");
  if (path == nullptr) return;
  hipModule_t module;
  hipFunction_t function;
  CHECK(hipModuleLoad(&module, path));
  CHECK(hipModuleGetFunction(&function, module, "scale"));
  const Buffer<float> x(std::vector<float>(300, 2.0f));
  struct {
    float* x;
    float by;
    int n;
  } arguments{x.data, 2.5f, 300};
  std::size_t bytes = sizeof arguments;
  void* configuration[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &arguments, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                           HIP_LAUNCH_PARAM_END};
  CHECK(hipModuleLaunchKernel(function, 3, 1, 1, 128, 1, 1, 0, nullptr, nullptr, configuration));
  CHECK(hipDeviceSynchronize());
  for (float value : x.read()) EXPECT(value == 5.0f);
  hipDeviceptr_t variable;
  std::size_t size;
  CHECK(hipModuleGetGlobal(&variable, &size, module, "module_value"));
  EXPECT(size == 4);
  EXPECT(hipModuleGetFunction(&function, module, "nothing") == hipErrorNotFound);
  CHECK(hipModuleUnload(module));
}

__global__ void lanes(int* out) {
  const int lane = threadIdx.x;
  const int other = __shfl_xor(lane, 1);
  const unsigned long long mask = __ballot(lane % 3 == 0);
  out[lane] = other + 1000 * __popcll(mask);
}

void test_lanes() {
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0));
  const int size = properties.warpSize;
  const Buffer<int> out(size);
  lanes<<<1, size>>>(out.data);
  const auto values = out.read();
  for (int i = 0; i < size; ++i) EXPECT(values[i] == (i ^ 1) + 1000 * ((size + 2) / 3));
}

__global__ void dynamic(int* out) {
  extern __shared__ int memory[];
  memory[threadIdx.x] = threadIdx.x * 2;
  __syncthreads();
  out[threadIdx.x] = memory[blockDim.x - 1 - threadIdx.x];
}

void test_dynamic_shared() {
  const Buffer<int> out(128);
  dynamic<<<1, 128, 128 * sizeof(int)>>>(out.data);
  const auto values = out.read();
  for (int i = 0; i < 128; ++i) EXPECT(values[i] == (127 - i) * 2);
}

__device__ int deep(int n) { return n < 2 ? n : deep(n - 1) + deep(n - 2); }
__global__ void stack(int* out, int n) {
  int local[40];
  for (int i = 0; i < 40; ++i) local[i] = i * threadIdx.x;
  out[threadIdx.x] = local[(n + threadIdx.x) % 40] + deep(10);
}

void test_stack() {
  const Buffer<int> out(64);
  stack<<<1, 64>>>(out.data, 7);
  const auto values = out.read();
  for (int i = 0; i < 64; ++i) EXPECT(values[i] == (7 + i) % 40 * i + 55);
}

void test_occupancy() {
  int blocks = 0, grid = 0, block = 0;
  CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reduce, 256, 0));
  EXPECT(blocks > 0);
  CHECK(hipOccupancyMaxPotentialBlockSize(&grid, &block, reduce, 0, 0));
  EXPECT(grid > 0 && block > 0);
  hipFuncAttributes attributes;
  CHECK(hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(reduce)));
  EXPECT(attributes.sharedSizeBytes == 1024);
}

__global__ void print(int n) { printf("lane %d of %d says %s %5.2f\n", (int)threadIdx.x, n, "hello", n * 0.25); }

void test_printf() {
  print<<<1, 3>>>(7);
  CHECK(hipDeviceSynchronize());
}

__global__ void allocate_on_device(int** out) {
  int* mine = static_cast<int*>(malloc(4 * sizeof(int)));
  if (mine != nullptr) {
    for (int i = 0; i < 4; ++i) mine[i] = threadIdx.x * 10 + i;
  }
  out[threadIdx.x] = mine;
}
__global__ void free_on_device(int** pointers, int* sums) {
  const int* mine = pointers[threadIdx.x];
  sums[threadIdx.x] = mine == nullptr ? -1 : mine[0] + mine[1] + mine[2] + mine[3];
  free(pointers[threadIdx.x]);
}

void test_malloc() {
  const Buffer<int*> pointers(8);
  const Buffer<int> sums(8);
  allocate_on_device<<<1, 8>>>(pointers.data);
  free_on_device<<<1, 8>>>(pointers.data, sums.data);
  const auto values = sums.read();
  for (int i = 0; i < 8; ++i) EXPECT(values[i] == i * 40 + 6);
}

__global__ void cooperative(int* x, int n) {
  const auto grid = cooperative_groups::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = i;
  grid.sync();
  const int other = x[n - 1 - i];
  grid.sync();
  x[i] = other;
}

void test_cooperative() {
  int n = 16 * 64;
  const Buffer<int> x(n);
  int* data = x.data;
  void* arguments[] = {&data, &n};
  CHECK(hipLaunchCooperativeKernel(reinterpret_cast<void*>(cooperative), dim3(16), dim3(64), arguments, 0, nullptr));
  CHECK(hipDeviceSynchronize());
  const auto values = x.read();
  for (int i = 0; i < n; ++i) EXPECT(values[i] == n - 1 - i);
  EXPECT(hipLaunchCooperativeKernel(reinterpret_cast<void*>(cooperative), dim3(1000000), dim3(64), arguments, 0, nullptr) ==
         hipErrorCooperativeLaunchTooLarge);
  (void)hipGetLastError();
}

__global__ void on_all_devices(int* x, int* others, int n) {
  auto grids = cooperative_groups::this_multi_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = i * 10 + grids.grid_rank();
  grids.sync();
  const int other = others[n - 1 - i] + 1000 * grids.num_grids();
  grids.sync();
  x[i] = other;
}

// One cooperative kernel on two devices, each of which reads what the other wrote.
void test_devices() {
  int devices = 0;
  CHECK(hipGetDeviceCount(&devices));
  EXPECT(devices == 2);
  constexpr int n = 4 * 64;
  int* data[2];
  hipStream_t streams[2];
  for (int d = 0; d < 2; ++d) {
    int can = 0;
    CHECK(hipSetDevice(d));
    CHECK(hipDeviceCanAccessPeer(&can, d, 1 - d));
    EXPECT(can == 1);
    CHECK(hipDeviceEnablePeerAccess(1 - d, 0));
    CHECK(hipStreamCreate(&streams[d]));
    // Memory of the host, which both reach at any time.
    CHECK(hipHostMalloc(&data[d], n * sizeof(int)));
    add_one<<<2, 128, 0, streams[d]>>>(data[d], n);
  }
  int count = n;
  void* arguments[2][3] = {{&data[0], &data[1], &count}, {&data[1], &data[0], &count}};
  hipLaunchParams launches[2];
  for (int d = 0; d < 2; ++d) {
    launches[d] = {};
    launches[d].func = reinterpret_cast<void*>(on_all_devices);
    launches[d].gridDim = dim3(4);
    launches[d].blockDim = dim3(64);
    launches[d].args = arguments[d];
    launches[d].stream = streams[d];
  }
  CHECK(hipLaunchCooperativeKernelMultiDevice(launches, 2, 0));
  for (int d = 0; d < 2; ++d) {
    CHECK(hipSetDevice(d));
    CHECK(hipStreamSynchronize(streams[d]));
    for (int i = 0; i < n; ++i) EXPECT(data[d][i] == (n - 1 - i) * 10 + (1 - d) + 2000);
  }
  launches[1].stream = streams[0];
  EXPECT(hipLaunchCooperativeKernelMultiDevice(launches, 2, 0) != hipSuccess);
  (void)hipGetLastError();
  for (int d = 0; d < 2; ++d) {
    CHECK(hipSetDevice(d));
    CHECK(hipStreamDestroy(streams[d]));
    CHECK(hipHostFree(data[d]));
  }
}

// What nodes copy, and which events they record, changed in the graph and in what was made of it.
void test_node_parameters() {
  hipStream_t stream;
  hipGraph_t graph;
  hipGraphExec_t run;
  hipGraphNode_t to, from, record;
  hipEvent_t first, second, seen;
  CHECK(hipStreamCreate(&stream));
  CHECK(hipEventCreate(&first));
  CHECK(hipEventCreate(&second));
  CHECK(hipGraphCreate(&graph, 0));
  const int one[4] = {11, 12, 13, 14}, two[4] = {21, 22, 23, 24};
  int back[4] = {}, other[4] = {};
  CHECK(hipGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, HIP_SYMBOL(table), one, sizeof one, 0, hipMemcpyHostToDevice));
  CHECK(hipGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, back, HIP_SYMBOL(table), sizeof back, 0, hipMemcpyDeviceToHost));
  CHECK(hipGraphAddEventRecordNode(&record, graph, &from, 1, first));
  CHECK(hipGraphEventRecordNodeSetEvent(record, second));
  CHECK(hipGraphEventRecordNodeGetEvent(record, &seen));
  EXPECT(seen == second);
  CHECK(hipGraphMemcpyNodeSetParamsToSymbol(to, HIP_SYMBOL(table), two, sizeof two, 0, hipMemcpyHostToDevice));
  CHECK(hipGraphInstantiate(&run, graph, nullptr, nullptr, 0));
  CHECK(hipGraphLaunch(run, stream));
  CHECK(hipStreamSynchronize(stream));
  for (int i = 0; i < 4; ++i) EXPECT(back[i] == two[i]);
  CHECK(hipEventQuery(second));
  CHECK(hipGraphExecMemcpyNodeSetParamsToSymbol(run, to, HIP_SYMBOL(table), one, sizeof one, 0, hipMemcpyHostToDevice));
  CHECK(hipGraphExecMemcpyNodeSetParamsFromSymbol(run, from, other, HIP_SYMBOL(table), sizeof other, 0, hipMemcpyDeviceToHost));
  CHECK(hipGraphExecEventRecordNodeSetEvent(run, record, first));
  CHECK(hipGraphLaunch(run, stream));
  CHECK(hipStreamSynchronize(stream));
  for (int i = 0; i < 4; ++i) EXPECT(back[i] == two[i] && other[i] == one[i]);
  CHECK(hipEventQuery(first));
  EXPECT(hipGraphEventRecordNodeSetEvent(to, first) == hipErrorInvalidValue);
  (void)hipGetLastError();
  CHECK(hipGraphExecDestroy(run));
  CHECK(hipGraphDestroy(graph));
  CHECK(hipEventDestroy(first));
  CHECK(hipEventDestroy(second));
  CHECK(hipStreamDestroy(stream));
}

// Contexts, boxes, waiting for words: what older programs and drivers of others use.
void test_older() {
  hipCtx_t context, current;
  CHECK(hipDevicePrimaryCtxRetain(&context, 0));
  CHECK(hipCtxPushCurrent(context));
  CHECK(hipCtxGetCurrent(&current));
  EXPECT(current == context);
  CHECK(hipCtxPopCurrent(&current));
  CHECK(hipDevicePrimaryCtxRelease(0));
  hipPitchedPtr box;
  const hipExtent extent = make_hipExtent(100, 5, 3);
  CHECK(hipMalloc3D(&box, extent));
  CHECK(hipMemset3D(box, 0x21, extent));
  std::vector<unsigned char> back(box.pitch * 15);
  CHECK(hipMemcpy(back.data(), box.ptr, back.size(), hipMemcpyDeviceToHost));
  for (int row = 0; row < 15; ++row) {
    for (int i = 0; i < 100; ++i) EXPECT(back[row * box.pitch + i] == 0x21);
  }
  CHECK(hipFree(box.ptr));
  char bus[32];
  int device = -1;
  CHECK(hipDeviceGetPCIBusId(bus, sizeof bus, 0));
  CHECK(hipDeviceGetByPCIBusId(&device, bus));
  EXPECT(device == 0);
}

// What is not there says so, and the program goes on.
void test_unsupported() {
  hipArray* array = nullptr;
  const hipChannelFormatDesc channel = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
  EXPECT(hipMallocArray(&array, &channel, 16, 16, 0) != hipSuccess);
  const Buffer<int> x(16);
  hipIpcMemHandle_t handle;
  EXPECT(hipIpcGetMemHandle(&handle, x.data) != hipSuccess);
  (void)hipGetLastError();
  add_one<<<1, 16>>>(x.data, 16);
  CHECK(hipDeviceSynchronize());
}

void test_errors() {
  const Buffer<int> x(16);
  add_one<<<1, 2000>>>(x.data, 16);
  EXPECT(hipGetLastError() != hipSuccess);
  void* much = nullptr;
  EXPECT(hipMalloc(&much, std::size_t{1} << 45) == hipErrorOutOfMemory);
  EXPECT(hipMemcpy(nullptr, x.data, 4, hipMemcpyDeviceToHost) != hipSuccess);
  EXPECT(hipSetDevice(99) == hipErrorInvalidDevice);
  hipModule_t module;
  EXPECT(hipModuleLoad(&module, "/nonexistent") != hipSuccess);
  (void)hipGetLastError();
  CHECK(hipDeviceSynchronize());
}

void test_threads() {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([t] {
      const int n = 2048;
      hipStream_t stream;
      CHECK(hipStreamCreate(&stream));
      for (int round = 0; round < 5; ++round) {
        std::vector<int> in(n, t * 100 + round), out(n);
        int* device;
        CHECK(hipMalloc(&device, n * sizeof(int)));
        CHECK(hipMemcpyAsync(device, in.data(), n * sizeof(int), hipMemcpyHostToDevice, stream));
        add_one<<<n / 256, 256, 0, stream>>>(device, n);
        CHECK(hipMemcpyAsync(out.data(), device, n * sizeof(int), hipMemcpyDeviceToHost, stream));
        CHECK(hipStreamSynchronize(stream));
        for (int value : out) EXPECT(value == t * 100 + round + 1);
        CHECK(hipFree(device));
      }
      CHECK(hipStreamDestroy(stream));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

__global__ void claim(int x) { assert(x == 3); }
void test_assert() {
  claim<<<1, 1>>>(4);
  const hipError_t error = hipDeviceSynchronize();
  std::printf("after the assertion: %s\n", hipGetErrorString(error));
}

__global__ void wild(int* x) { x[std::size_t{1} << 40] = 1; }
void test_wild() {
  const Buffer<int> x(1);
  wild<<<1, 1>>>(x.data);
  const hipError_t error = hipDeviceSynchronize();
  std::printf("after the wild store: %s\n", hipGetErrorString(error));
}

__global__ void spin(volatile int* x) {
  while (*x == 0) {
  }
}
// The program ends while this runs.
void test_leave() {
  int* x;
  CHECK(hipMalloc(&x, sizeof *x));
  CHECK(hipMemset(x, 0, sizeof *x));
  spin<<<1, 64>>>(x);
  CHECK(hipGetLastError());
}

void test_endless() {
  const Buffer<int> x(std::vector<int>(1));
  spin<<<1, 64>>>(x.data);
  const hipError_t error = hipDeviceSynchronize();
  std::printf("after too many instructions: %s\n", hipGetErrorString(error));
}

struct Part {
  const char* name;
  void (*run)();
  bool is_alone = false;  ///< ends the program, or wants two devices
};
constexpr Part parts[] = {
    {"add", test_add},
    {"reduce", test_reduce},
    {"atomics", test_atomics},
    {"streams", test_streams},
    {"graph", test_graph},
    {"nodes", test_nodes},
    {"copies", test_copies},
    {"managed", test_managed},
    {"symbols", test_symbols},
    {"module", test_module},
    {"lanes", test_lanes},
    {"dynamic", test_dynamic_shared},
    {"stack", test_stack},
    {"occupancy", test_occupancy},
    {"printf", test_printf},
    {"malloc", test_malloc},
    {"cooperative", test_cooperative},
    {"errors", test_errors},
    {"parameters", test_node_parameters},
    {"older", test_older},
    {"unsupported", test_unsupported},
    {"threads", test_threads},
    {"assert", test_assert, true},
    {"wild", test_wild, true},
    {"leave", test_leave, true},
    {"endless", test_endless, true},
    {"devices", test_devices, true},
};

}  // namespace

int main(int argc, char** argv) {
  const auto begin = std::chrono::steady_clock::now();
  CHECK(hipFree(nullptr));
  const std::chrono::duration<double> start_up = std::chrono::steady_clock::now() - begin;
  EXPECT(start_up.count() < 3);
  for (const Part& part : parts) {
    bool is_wanted = argc == 1 && !part.is_alone;
    for (int i = 1; i < argc; ++i) is_wanted = is_wanted || std::strcmp(argv[i], part.name) == 0;
    if (!is_wanted) continue;
    const auto start = std::chrono::steady_clock::now();
    part.run();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    if (std::getenv("TIMES") != nullptr) std::printf("%s: %.3f s\n", part.name, time.count());
  }
  std::puts("passed");
}
