#include "elf/code_object.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "elf/target.h"

namespace gfxisa {
namespace {

namespace fs = std::filesystem;

std::vector<u8> read_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

fs::path kernels() { return fs::path(GFXISA_SOURCE_DIR) / "examples/kernels"; }

struct Expected {
  const char* target;
  u32 wave_size;
};
constexpr Expected targets[] = {{"gfx908", 64},  {"gfx90a", 64},  {"gfx942", 64},  {"gfx950", 64},  {"gfx1010", 32},
                                {"gfx1030", 32}, {"gfx1100", 32}, {"gfx1150", 32}, {"gfx1201", 32}, {"gfx1250", 32}};

TEST(CodeObject, ReadsEveryTargetsKernel) {
  for (const Expected& expected : targets) {
    const auto bytes = read_bytes(kernels() / (std::string("saxpy.") + expected.target + ".co"));
    ASSERT_FALSE(bytes.empty()) << expected.target;
    const auto object = load_code_object(bytes);
    ASSERT_TRUE(object) << expected.target << ": " << object.error().message;
    EXPECT_EQ(object->target, expected.target);
    EXPECT_EQ(object->version, 6u);
    const Kernel* kernel = object->find_kernel("saxpy");
    ASSERT_NE(kernel, nullptr);
    EXPECT_EQ(object->find_kernel("saxpy.kd"), kernel);
    EXPECT_EQ(kernel->metadata.wave_size, expected.wave_size);
    ASSERT_EQ(kernel->metadata.arguments.size(), 4u);
    EXPECT_EQ(kernel->metadata.arguments[0].kind, "global_buffer");
    EXPECT_EQ(kernel->metadata.arguments[2].kind, "by_value");
    EXPECT_EQ(kernel->metadata.arguments[2].offset, 16u);
    EXPECT_EQ(kernel->metadata.required_workgroup[0], 256u);
    EXPECT_TRUE(kernel->descriptor.wants_kernarg_ptr());
    EXPECT_EQ(kernel->entry_offset % 256, 0u);
    EXPECT_EQ(object->function_at(kernel->entry_offset), "saxpy");
  }
}

TEST(CodeObject, EveryTruncationIsAnErrorOrAnObjectButNoCrash) {
  const auto bytes = read_bytes(kernels() / "hist64.gfx1100.co");
  ASSERT_FALSE(bytes.empty());
  unsigned errors = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto object = load_code_object(std::span(bytes).first(size));
    if (!object) {
      ++errors;
      EXPECT_FALSE(object.error().message.empty());
    }
  }
  // Sections after the loaded segments can be cut without harm; most cuts cannot.
  EXPECT_GT(errors, bytes.size() / 2);
}

TEST(CodeObject, EveryFlippedByteIsAnErrorOrAnObjectButNoCrash) {
  auto bytes = read_bytes(kernels() / "saxpy.gfx1201.co");
  ASSERT_FALSE(bytes.empty());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const u8 flip : {u8{0xff}, u8{0x80}, u8{0x01}}) {
      bytes[i] ^= flip;
      const auto object = load_code_object(bytes);
      if (!object) {
        EXPECT_FALSE(object.error().message.empty());
      }
      bytes[i] ^= flip;
    }
  }
}

TEST(CodeObject, SaysWhatIsWrong) {
  const std::vector<u8> text = {'h', 'e', 'l', 'l', 'o'};
  EXPECT_EQ(load_code_object(text).error().message, "not an ELF file");
  auto bytes = read_bytes(kernels() / "saxpy.gfx1100.co");
  ASSERT_GT(bytes.size(), 64u);
  EXPECT_EQ(load_code_object(std::span(bytes).first(20)).error().message,
            "truncated ELF file: 20 bytes, the header alone has 64");
  auto other_machine = bytes;
  other_machine[18] = 62;
  other_machine[19] = 0;
  EXPECT_EQ(load_code_object(other_machine).error().message, "an ELF file for machine 62, not for an AMD GPU (224)");
  auto old_version = bytes;
  old_version[8] = 0;
  EXPECT_EQ(load_code_object(old_version).error().message, "code object version 2 (of 3, 4, 5, 6)");
  auto unknown_processor = bytes;
  unknown_processor[48] = 0x7e;
  EXPECT_EQ(load_code_object(unknown_processor).error().message, "unknown processor number 0x7e in the ELF flags");
}

// Version 3 had a bit for each feature, which also stood for code that does not care.
TEST(CodeObject, FlagsOfVersion3) {
  EXPECT_EQ(flags_of_version_3(0x33f), 0x3fu | 1 << 8 | 1 << 10);
  EXPECT_EQ(flags_of_version_3(0x03f), 0x3fu | 2 << 8 | 2 << 10);
  EXPECT_EQ(flags_of_version_3(0x133), 0x33u | 1 << 8);
  EXPECT_EQ(flags_of_version_3(0x036), 0x36u);
}

TEST(Metadata, RefusesWhatIsNotMessagePack) {
  const std::vector<u8> empty;
  EXPECT_FALSE(read_metadata(empty));
  const std::vector<u8> reserved = {0xc1};
  EXPECT_FALSE(read_metadata(reserved));
  const std::vector<u8> huge_array = {0xdd, 0xff, 0xff, 0xff, 0xff};
  EXPECT_FALSE(read_metadata(huge_array));
  const std::vector<u8> number = {0x05};
  EXPECT_EQ(read_metadata(number).error().message, "metadata is not a map");
}

TEST(Metadata, SaysWhichValueHasTheWrongType) {
  const std::vector<u8> note = {0x81, 0xad, 'a', 'm', 'd', 'h', 's', 'a', '.', 't', 'a', 'r', 'g', 'e', 't', 0x05};
  const auto metadata = read_metadata(std::span(note).first(note.size()));
  ASSERT_FALSE(metadata);
}

}  // namespace
}  // namespace gfxisa
