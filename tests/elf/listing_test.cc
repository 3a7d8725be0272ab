#include "elf/listing.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace gfxisa {
namespace {

namespace fs = std::filesystem;

std::vector<u8> read_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string listing_of(const std::vector<u8>& bytes) {
  const auto file = parse_elf(bytes);
  if (!file) return "error: " + file.error().message;
  std::string text;
  const int chip = find_chip(file->target);
  write_object_listing(*file, chip < 0 ? 0 : static_cast<unsigned>(chip), {},
                       [&](std::string_view part) { text += part; });
  return text;
}

TEST(Listing, AnObjectIsAssembly) {
  const std::string text = listing_of(read_bytes(fs::path(GFXISA_SOURCE_DIR) / "examples/kernels/saxpy.gfx1100.co"));
  for (const char* part :
       {"\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n", "\t.amdhsa_code_object_version 6\n", "\t.text\n",
        "\t.p2align 8\n", "\t.globl saxpy\n", "\t.type saxpy,@function\n", "\nsaxpy:\n", "\ts_cbranch_execz .L1784 ",
        "\n.L1784:\n\ts_endpgm ", "// 000000001784: BFB00000\n", "\t.size saxpy, 136\n", "\t.amdhsa_kernel saxpy\n",
        "\t\t.amdhsa_wavefront_size32 1\n", "\t.end_amdhsa_kernel\n", "amdhsa.kernels:\n", "    .name: saxpy\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST(Listing, EveryTruncationAndManyChangedBytesGiveTextOrAnError) {
  const auto bytes = read_bytes(fs::path(GFXISA_SOURCE_DIR) / "examples/kernels/saxpy.gfx942.co");
  ASSERT_FALSE(bytes.empty());
  for (std::size_t size = 0; size < bytes.size(); size += 7)
    EXPECT_FALSE(listing_of({bytes.begin(), bytes.begin() + static_cast<long>(size)}).empty());
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::vector<u8> changed = bytes;
    changed[at] ^= 0xff;
    (void)listing_of(changed);
  }
}

}  // namespace
}  // namespace gfxisa
