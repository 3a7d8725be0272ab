// Wave instructions per second of the six example kernels, by target and threads. Sizes are those of the project's
// tables: saxpy 1,048,576 elements; matmul 256; hist64 1,048,576 words; mandel 512 x 512, limit 256; xorshift 16,384 x
// 256; sha256 16,384 x 4.
#include <benchmark/benchmark.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>

#include "exec/launch.h"

namespace gfxisa {
namespace {

struct Work {
  const char* name;
  std::array<u32, 3> grid, block;
  std::vector<std::size_t> buffer_bytes;
  std::vector<u32> numbers;
};

const Work works[] = {
    {"saxpy", {1 << 20, 1, 1}, {256, 1, 1}, {4 << 20, 4 << 20}, {0x3fc00000, 1 << 20}},
    {"matmul", {256, 256, 1}, {16, 16, 1}, {256 * 256 * 4, 256 * 256 * 4, 256 * 256 * 4}, {256}},
    {"hist64", {65536, 1, 1}, {256, 1, 1}, {4 << 20, 256}, {16}},
    {"mandel", {512, 512, 1}, {64, 4, 1}, {512 * 512 * 4}, {512, 512, 256}},
    {"xorshift", {16384, 1, 1}, {256, 1, 1}, {65536}, {256}},
    {"sha256", {16384, 1, 1}, {256, 1, 1}, {65536}, {4}},
};

std::vector<u8> bytes_of(u64 value, std::size_t size) {
  std::vector<u8> bytes(size);
  std::memcpy(bytes.data(), &value, size);
  return bytes;
}

void run_kernel(benchmark::State& state, const Work& work, const std::string& target, unsigned threads) {
  std::ifstream file(std::string(GFXISA_KERNELS) + "/" + work.name + "." + target + ".co", std::ios::binary);
  const std::vector<u8> bytes{std::istreambuf_iterator<char>(file), {}};
  const auto object = load_code_object(bytes);
  if (!object) return state.SkipWithError(object.error().message.c_str());
  std::vector<std::vector<u32>> buffers;
  std::vector<std::vector<u8>> arguments;
  std::vector<exec::GuestRange> memory;
  for (const std::size_t size : work.buffer_bytes) {
    buffers.emplace_back(size / 4);
    for (u32 i = 0; i < buffers.back().size(); ++i) buffers.back()[i] = i * 2654435761u;
    arguments.push_back(bytes_of(reinterpret_cast<u64>(buffers.back().data()), 8));
    memory.push_back({buffers.back().data(), size, true});
  }
  for (const u32 number : work.numbers) arguments.push_back(bytes_of(number, 4));
  const Kernel* kernel = object->find_kernel(work.name);
  if (kernel == nullptr) return state.SkipWithError("no such kernel");
  exec::LoadedCode code(*object);
  LaunchSize size;
  size.grid = work.grid;
  size.block = work.block;
  u64 instructions = 0;
  for (auto _ : state) {
    const auto report = code.launch(*kernel, size, arguments, memory, {threads, ~u64{0}});
    if (!report || report->faults != 0) return state.SkipWithError("the launch failed");
    instructions += report->instructions;
  }
  state.counters["wave_instructions_per_second"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

}  // namespace
}  // namespace gfxisa

int main(int argc, char** argv) {
  using namespace gfxisa;
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
