// Device-wide scan, reduction and radix sort of rocPRIM against the CPU, on a million elements.
#include <hip/hip_runtime.h>

#include <rocprim/rocprim.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace {

void check(hipError_t error, const char* what) {
  if (error == hipSuccess) return;
  std::printf("%s: %s\n", what, hipGetErrorString(error));
  std::exit(1);
}
#define CHECK(call) check(call, #call)

template <class T>
T* allocate(std::size_t count) {
  T* memory = nullptr;
  CHECK(hipMalloc(&memory, count * sizeof(T)));
  return memory;
}

/// Calls an algorithm twice, as its interface wants: for the size of its temporary memory, then to work.
template <class F>
void run(F algorithm) {
  std::size_t bytes = 0;
  CHECK(algorithm(nullptr, bytes));
  void* memory = allocate<char>(bytes);
  CHECK(algorithm(memory, bytes));
  CHECK(hipDeviceSynchronize());
  CHECK(hipFree(memory));
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000000;
  std::vector<unsigned> in(count), out(count);
  unsigned state = 1;
  for (unsigned& value : in) value = state = state * 1664525u + 1013904223u;
  auto* device_in = allocate<unsigned>(count);
  auto* device_out = allocate<unsigned>(count);
  CHECK(hipMemcpy(device_in, in.data(), count * 4, hipMemcpyHostToDevice));
  const auto read = [&] { CHECK(hipMemcpy(out.data(), device_out, count * 4, hipMemcpyDeviceToHost)); };

  run([&](void* memory, std::size_t& bytes) {
    return rocprim::reduce(memory, bytes, device_in, device_out, count, rocprim::plus<unsigned>());
  });
  read();
  const bool reduced = out[0] == std::accumulate(in.begin(), in.end(), 0u);

  run([&](void* memory, std::size_t& bytes) {
    return rocprim::inclusive_scan(memory, bytes, device_in, device_out, count, rocprim::plus<unsigned>());
  });
  read();
  std::vector<unsigned> wanted(count);
  std::partial_sum(in.begin(), in.end(), wanted.begin());
  const bool scanned = out == wanted;

  run([&](void* memory, std::size_t& bytes) {
    return rocprim::radix_sort_keys(memory, bytes, device_in, device_out, count);
  });
  read();
  std::sort(in.begin(), in.end());
  const bool sorted = out == in;

  if (reduced && scanned && sorted) return std::puts("passed"), 0;
  std::printf("reduce %d scan %d sort %d\n", reduced, scanned, sorted);
  return 1;
}
