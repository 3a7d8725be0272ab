// Wave instructions per second of the six example kernels, by target and threads.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <thread>

#include "example_kernels.h"

namespace gfxisa::bench {
namespace {

void run_kernel(benchmark::State& state, const Work& work, const std::string& target, unsigned threads) {
  ExampleKernel kernel(work, target);
  if (!kernel.is_there()) return state.SkipWithError("no such kernel");
  u64 instructions = 0;
  for (auto _ : state) {
    const u64 executed = kernel.launch(threads);
    if (executed == 0) return state.SkipWithError("the launch failed");
    instructions += executed;
  }
  state.counters["wave_instructions_per_second"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

}  // namespace
}  // namespace gfxisa::bench

int main(int argc, char** argv) {
  using namespace gfxisa::bench;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  for (const char* target : {"gfx1100", "gfx942"}) {
    for (const Work& work : works) {
      for (const unsigned threads : {1u, cores}) {
        const std::string name = std::string(work.name) + "/" + target + "/threads:" + std::to_string(threads);
        benchmark::RegisterBenchmark(
            name.c_str(),
            [&work, target, threads](benchmark::State& state) { run_kernel(state, work, target, threads); })
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
