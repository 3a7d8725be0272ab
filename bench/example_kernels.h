// Kernels that are measured, and what they are launched with. First the six example kernels at the sizes of the
// project's tables: saxpy 1,048,576 elements; matmul 256; hist64 1,048,576 words; mandel 512 x 512, limit 256; xorshift
// 16,384 x 256; sha256 16,384 x 4.
#pragma once
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "exec/launch.h"

namespace gfxisa::bench {

struct Work {
  const char* name;
  std::array<u32, 3> grid, block;
  std::vector<std::size_t> buffer_bytes;  ///< the first arguments
  std::vector<u32> numbers;               ///< the others
};

inline const Work works[] = {
    {"saxpy", {1 << 20, 1, 1}, {256, 1, 1}, {4 << 20, 4 << 20}, {0x3fc00000, 1 << 20}},
    {"matmul", {256, 256, 1}, {16, 16, 1}, {256 * 256 * 4, 256 * 256 * 4, 256 * 256 * 4}, {256}},
    {"hist64", {65536, 1, 1}, {256, 1, 1}, {4 << 20, 256}, {16}},
    {"mandel", {512, 512, 1}, {64, 4, 1}, {512 * 512 * 4}, {512, 512, 256}},
    {"xorshift", {16384, 1, 1}, {256, 1, 1}, {65536}, {256}},
    {"sha256", {16384, 1, 1}, {256, 1, 1}, {65536}, {4}},
};

/// Kernels of bench/kernels, compiled with the benchmarks where clang 22 is installed: 16 words of 16 MiB for each of
/// 65,536 items, and 32 atomic additions of each of 16,384.
inline const Work irregular_works[] = {
    {"gather", {65536, 1, 1}, {256, 1, 1}, {16 << 20, 65536 * 4}, {(4 << 20) - 1, 16}},
    {"contend", {16384, 1, 1}, {256, 1, 1}, {256 + 4}, {16}},
};

inline std::string folder_of(const Work& work) {
  return std::begin(works) <= &work && &work < std::end(works) ? GFXISA_KERNELS : GFXISA_BENCH_KERNELS;
}

/// Floats from 1 up to 2; for the histogram words of all bins, and counts begin at 0.
inline std::vector<std::vector<u32>> buffers_of(const Work& work) {
  std::vector<std::vector<u32>> buffers;
  for (const std::size_t size : work.buffer_bytes) {
    std::vector<u32>& words = buffers.emplace_back(size / 4);
    const std::string_view name = work.name;
    const bool is_bits = name == "hist64", is_counts = words.size() < 256 && (is_bits || name == "contend");
    for (u32 i = 0; i < words.size(); ++i) {
      const u32 mixed = i * 2654435761u;
      words[i] = is_counts ? 0 : is_bits ? mixed : 0x3f800000u | mixed >> 9;
    }
  }
  return buffers;
}

inline std::vector<u8> bytes_of(u64 value, std::size_t size) {
  std::vector<u8> bytes(size);
  std::memcpy(bytes.data(), &value, size);
  return bytes;
}

inline std::vector<u8> file_bytes(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A kernel with its buffers, ready to be launched as often as one likes.
class MeasuredKernel {
 public:
  MeasuredKernel(const Work& work, const std::string& target) : work_(work), buffers_(buffers_of(work)) {
    bytes_ = file_bytes(folder_of(work) + "/" + work.name + "." + target + ".co");
    auto object = load_code_object(bytes_);
    if (!object) return;
    object_ = std::make_unique<CodeObject>(std::move(*object));
    code_ = std::make_unique<exec::LoadedCode>(*object_);
    kernel_ = object_->find_kernel(work.name);
    for (std::vector<u32>& buffer : buffers_) {
      arguments_.push_back(bytes_of(reinterpret_cast<u64>(buffer.data()), 8));
      memory_.push_back({buffer.data(), buffer.size() * 4, true});
    }
    for (const u32 number : work.numbers) arguments_.push_back(bytes_of(number, 4));
  }
  bool is_there() const { return kernel_ != nullptr; }
  /// Instructions executed; 0 when the launch failed.
  u64 launch(unsigned threads) {
    LaunchSize size;
    size.grid = work_.grid;
    size.block = work_.block;
    const auto report = code_->launch(*kernel_, size, arguments_, memory_, {.threads = threads, .observers = {}});
    return !report || report->faults != 0 ? 0 : report->instructions;
  }
  std::vector<std::vector<u32>>& buffers() { return buffers_; }

 private:
  const Work& work_;
  std::vector<std::vector<u32>> buffers_;
  std::vector<u8> bytes_;
  std::unique_ptr<CodeObject> object_;
  std::unique_ptr<exec::LoadedCode> code_;
  const Kernel* kernel_ = nullptr;
  std::vector<std::vector<u8>> arguments_;
  std::vector<exec::GuestRange> memory_;
};

}  // namespace gfxisa::bench
