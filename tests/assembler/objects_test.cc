// The sources in objects/ against the objects that llvm-mc 22 made of them (NAME.hex; compare_llvm.sh --update writes
// them).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "assembler/assemble.h"

namespace gfxisa {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string from_hex(const std::string& text) {
  std::string out;
  int high = -1;
  for (const char c : text) {
    if (c == '\n') continue;
    const int digit = c >= 'a' ? c - 'a' + 10 : c - '0';
    if (high < 0) {
      high = digit;
    } else {
      out += static_cast<char>(high * 16 + digit);
      high = -1;
    }
  }
  return out;
}

TEST(Objects, AreThoseOfLlvm) {
  unsigned count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(GFXISA_SOURCE_DIR "/tests/assembler/objects")) {
    std::filesystem::path path = entry.path();
    if (path.extension() != ".s") continue;
    const std::string text = read(path);
    const std::size_t at = text.find("amdhsa--") + 8;
    const std::string target = text.substr(at, text.find_first_of("\":", at) - at);
    Sources sources;
    Diagnostics diagnostics(sources);
    AssemblyOptions options;
    options.may_be_undefined = true;
    const u32 source = sources.add(path.filename().string(), text);
    const Assembly assembly = assemble_file(target, source, sources, diagnostics, options);
    EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.text();
    const auto object = write_relocatable(assembly.object);
    ASSERT_TRUE(object) << object.error().message;
    EXPECT_TRUE(*object == from_hex(read(path.replace_extension(".hex")))) << path;
    ++count;
  }
  EXPECT_GE(count, 4u);
}

}  // namespace
}  // namespace gfxisa
