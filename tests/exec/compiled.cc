#include "compiled.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>

#include "exec/launch.h"
#include "targets.h"
#include "threads.h"

namespace gfxisa::compiled {

namespace {

/// Code objects are loaded once for all tests of a program.
struct Loaded {
  CodeObject object;
  exec::LoadedCode code{object};
  explicit Loaded(CodeObject loaded) : object(std::move(loaded)) {}
};

Loaded* loaded(const std::string& path) {
  static std::map<std::string, std::unique_ptr<Loaded>> all;
  std::unique_ptr<Loaded>& entry = all[path];
  if (entry == nullptr) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<u8> bytes{std::istreambuf_iterator<char>(file), {}};
    auto object = load_code_object(bytes);
    if (!object) {
      ADD_FAILURE() << path << ": " << object.error().message;
      return nullptr;
    }
    entry = std::make_unique<Loaded>(std::move(*object));
  }
  return entry.get();
}

std::vector<u8> bytes_of_address(const void* data) {
  std::vector<u8> bytes(sizeof data);
  std::memcpy(bytes.data(), &data, sizeof data);
  return bytes;
}

}  // namespace

std::vector<Build> builds() {
  std::vector<Build> all;
  for (const char* target : kernel_targets) {
    for (const char* level : {"O0", "O2", "O3"}) all.push_back({target, level});
  }
  return all;
}

std::string name_of(const testing::TestParamInfo<Build>& info) {
  return std::string(info.param.target) + "_" + info.param.level;
}

std::vector<u64> operands(std::size_t count) {
  constexpr u32 edges[] = {0,          1,          2,          0xffffffff, 0x7fffffff, 0x80000000, 0x80000001,
                           0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x007fffff, 0x00800000,
                           0x7f7fffff, 0x4f000000, 0x3c003c00, 0x7c00fc00, 0x03ff0400, 0x7ff00000, 0x3ff00000};
  std::mt19937_64 random(2026);
  std::vector<u64> all(count);
  for (u64& value : all) {
    const auto half = [&] {
      return random() % 4 == 0 ? edges[random() % std::size(edges)] : static_cast<u32>(random());
    };
    value = u64{half()} << 32 | half();
    if (random() % 8 == 0) value >>= random() % 64;
  }
  return all;
}

void run(const Build& build, const std::string& file, const std::string& name, const LaunchSize& size,
         const std::vector<u64>& in, std::vector<u64>& out, const std::vector<std::vector<u8>>& more) {
  Loaded* const loaded_file =
      loaded(std::string(GFXISA_COMPILED) + "/" + file + "." + build.target + "." + build.level + ".co");
  if (loaded_file == nullptr) return;
  const Kernel* kernel = loaded_file->object.find_kernel(name);
  ASSERT_NE(kernel, nullptr) << name;
  std::vector<std::vector<u8>> arguments{bytes_of_address(in.data()), bytes_of_address(out.data())};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const exec::GuestRange memory[] = {{in.data(), in.size() * sizeof in[0], false},
                                     {out.data(), out.size() * sizeof out[0], true}};
  const auto report =
      loaded_file->code.launch(*kernel, size, arguments, memory, {.threads = wanted_threads(), .observers = {}});
  ASSERT_TRUE(report) << name << ": " << report.error().message;
  EXPECT_EQ(report->faults, 0u) << name << ": " << exec::describe_fault(*report, loaded_file->object, *kernel);
}

}  // namespace gfxisa::compiled
