// Real compiled kernels on all ten targets against C++. GFXISA_KERNELS is where they are: freshly built by clang 22
// when it is installed, else the code objects that the project ships.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "exec/launch.h"
#include "reference_kernels.h"
#include "targets.h"
#include "threads.h"

namespace gfxisa {
namespace {

class Kernels : public testing::TestWithParam<const char*> {
 protected:
  struct Buffer {
    void* data;
    std::size_t bytes;
  };

  template <class T>
  void buffer(std::vector<T>& data) {
    memory_.push_back({data.data(), data.size() * sizeof(T), true});
    number(reinterpret_cast<u64>(data.data()));
  }
  template <class T>
  void number(T value) {
    std::vector<u8> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    arguments_.push_back(bytes);
  }

  /// Loads and runs the kernel of that name; fails the test on any error or fault.
  void run(const std::string& name, std::array<u32, 3> grid, std::array<u32, 3> block) {
    const std::filesystem::path path = std::filesystem::path(GFXISA_KERNELS) / (name + "." + GetParam() + ".co");
    std::ifstream file(path, std::ios::binary);
    const std::vector<u8> bytes{std::istreambuf_iterator<char>(file), {}};
    ASSERT_FALSE(bytes.empty()) << path;
    const auto object = load_code_object(bytes);
    ASSERT_TRUE(object) << object.error().message;
    const Kernel* kernel = object->find_kernel(name);
    ASSERT_NE(kernel, nullptr);
    exec::LoadedCode code(*object);
    LaunchSize size;
    size.grid = grid;
    size.block = block;
    const auto report = code.launch(*kernel, size, arguments_, memory_, {.threads = wanted_threads(), .observers = {}});
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_EQ(report->faults, 0u) << exec::describe_fault(*report, *object, *kernel);
    EXPECT_GT(report->instructions, 0u);
  }

 private:
  std::vector<std::vector<u8>> arguments_;
  std::vector<exec::GuestRange> memory_;
};

TEST_P(Kernels, Saxpy) {
  const u32 n = 1000;  // the last workgroup is cut by the bounds check
  std::vector<f32> x(1024), y(1024);
  for (u32 i = 0; i < 1024; ++i) x[i] = 0.37f * static_cast<f32>(i), y[i] = 1.0f / static_cast<f32>(i + 1);
  auto expected = reference::saxpy(x, y, 1.7f);
  for (u32 i = n; i < 1024; ++i) expected[i] = y[i];
  buffer(x);
  buffer(y);
  number(1.7f);
  number(n);
  run("saxpy", {1024, 1, 1}, {256, 1, 1});
  EXPECT_EQ(y, expected);
}

TEST_P(Kernels, Matmul) {
  const u32 n = 48;
  std::vector<f32> a(n * n), b(n * n), c(n * n);
  for (u32 i = 0; i < n * n; ++i) a[i] = static_cast<f32>(i % 17) - 8.25f, b[i] = 0.125f * static_cast<f32>(i % 23);
  buffer(a);
  buffer(b);
  buffer(c);
  number(n);
  run("matmul", {n, n, 1}, {16, 16, 1});
  EXPECT_EQ(c, reference::matmul(a, b, n));
}

TEST_P(Kernels, Histogram) {
  const u32 per = 4;
  std::vector<u32> words(4 * 256 * per), counts(64);
  for (u32 i = 0; i < words.size(); ++i) words[i] = i * 2654435761u ^ i << 7;
  buffer(words);
  buffer(counts);
  number(per);
  run("hist64", {1024, 1, 1}, {256, 1, 1});
  EXPECT_EQ(counts, reference::hist64(words));
}

TEST_P(Kernels, Mandelbrot) {
  const u32 w = 128, h = 64, limit = 64;
  std::vector<u32> steps(w * h);
  buffer(steps);
  number(w);
  number(h);
  number(limit);
  run("mandel", {w, h, 1}, {64, 4, 1});
  EXPECT_EQ(steps, reference::mandel(w, h, limit));
}

TEST_P(Kernels, Xorshift) {
  std::vector<u32> out(1024);
  buffer(out);
  number(u32{50});
  run("xorshift", {1024, 1, 1}, {256, 1, 1});
  EXPECT_EQ(out, reference::xorshift(1024, 50));
}

TEST_P(Kernels, Sha256) {
  std::vector<u32> out(512);
  buffer(out);
  number(u32{2});
  run("sha256", {512, 1, 1}, {256, 1, 1});
  EXPECT_EQ(out, reference::sha256(512, 2));
}

INSTANTIATE_TEST_SUITE_P(AllTargets, Kernels, testing::ValuesIn(kernel_targets),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace gfxisa
