// Wave instructions per second of the six example kernels, by target and threads; of kernels whose accesses are
// irregular; and floating-point operations per second of matrix instructions.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <thread>

#include "example_kernels.h"

namespace gfxisa::bench {
namespace {

benchmark::Counter rate(double value) { return {value, benchmark::Counter::kIsRate}; }

void run_kernel(benchmark::State& state, const Work& work, const std::string& target, unsigned threads) {
  MeasuredKernel kernel(work, target);
  if (!kernel.is_there()) return state.SkipWithError("no such kernel");
  u64 instructions = 0;
  for (auto _ : state) {
    const u64 executed = kernel.launch(threads);
    if (executed == 0) return state.SkipWithError("the launch failed");
    instructions += executed;
  }
  state.counters["wave_instructions_per_second"] = rate(static_cast<double>(instructions));
}

/// Accesses of the kernels in bench/kernels: loads of one word, or atomic additions.
void run_irregular(benchmark::State& state, const Work& work, unsigned threads) {
  run_kernel(state, work, "gfx1100", threads);
  const double loads_of_item = work.numbers.back(), items = work.grid[0];
  const double accesses = items * loads_of_item * (std::string_view(work.name) == "contend" ? 2 : 1);
  state.counters["accesses_per_second"] = rate(accesses * static_cast<double>(state.iterations()));
}

// ------------------------------------------------------------------------------------------- matrix instructions

constexpr u32 matrix_size = 1024;

/// Whole numbers from -3 to 3, so that sums are exact.
int element(u32 line, u32 k) { return static_cast<int>((line * 3 + k * 5 + line * k) % 7) - 3; }

std::vector<u32> half_matrix() {
  constexpr u32 halves[] = {0xc200, 0xc000, 0xbc00, 0x0000, 0x3c00, 0x4000, 0x4200};  // -3 to 3
  std::vector<u32> words(matrix_size * matrix_size / 2);
  for (u32 i = 0; i < words.size(); ++i) {
    const u32 line = i / (matrix_size / 2), k = i % (matrix_size / 2) * 2;
    words[i] = halves[element(line, k) + 3] | halves[element(line, k + 1) + 3] << 16;
  }
  return words;
}

/// Whether a diagonal of the product is right.
bool is_product(const std::vector<u32>& c) {
  for (u32 i = 0; i < matrix_size; ++i) {
    const u32 j = (i * 7 + 5) % matrix_size;
    int sum = 0;
    for (u32 k = 0; k < matrix_size; ++k) sum += element(i, k) * element(j, k);
    if (std::bit_cast<float>(c[i * matrix_size + j]) != static_cast<float>(sum)) return false;
  }
  return true;
}

void run_matrix(benchmark::State& state, const std::string& target, u32 lanes, unsigned threads) {
  constexpr u32 n = matrix_size, tiles = n / 32;
  const Work work{"matrix_product", {tiles * lanes, tiles, 1}, {lanes, 1, 1}, {n * n * 2, n * n * 2, n * n * 4}, {n}};
  MeasuredKernel kernel(work, target);
  if (!kernel.is_there()) return state.SkipWithError("no such kernel: clang-22 was not installed");
  std::vector<std::vector<u32>>& buffers = kernel.buffers();
  std::ranges::copy(half_matrix(), buffers[0].begin());
  std::ranges::copy(half_matrix(), buffers[1].begin());
  for (auto _ : state) {
    if (kernel.launch(threads) == 0) return state.SkipWithError("the launch failed");
  }
  if (!is_product(buffers[2])) return state.SkipWithError("the product is wrong");
  state.counters["FLOP/s"] = rate(2.0 * n * n * n * static_cast<double>(state.iterations()));
}

template <class F>
void add(const std::string& name, unsigned threads, F run) {
  benchmark::RegisterBenchmark((name + "/threads:" + std::to_string(threads)).c_str(), run)
      ->MeasureProcessCPUTime()
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

void add_all(unsigned threads) {
  for (const char* target : {"gfx1100", "gfx942"}) {
    for (const Work& work : works)
      add(std::string(work.name) + "/" + target, threads,
          [&work, target, threads](benchmark::State& state) { run_kernel(state, work, target, threads); });
  }
  for (const Work& work : irregular_works)
    add(std::string(work.name) + "/gfx1100", threads,
        [&work, threads](benchmark::State& state) { run_irregular(state, work, threads); });
  for (const auto& [target, lanes] : {std::pair("gfx950", 64u), std::pair("gfx1250", 32u), std::pair("gfx1100", 32u)})
    add(std::string("matrix_f16_1024/") + target, threads,
        [target, lanes, threads](benchmark::State& state) { run_matrix(state, target, lanes, threads); });
}

}  // namespace
}  // namespace gfxisa::bench

int main(int argc, char** argv) {
  using namespace gfxisa::bench;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  add_all(1);
  if (cores > 1) add_all(cores);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
