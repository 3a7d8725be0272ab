// Wrong specs and what is said about them: tests/errors/NAME.isa, together with common/base.isa, gives NAME.expected.
// Run with GFXISA_UPDATE_EXPECTED set to write the expected texts anew; read the difference before committing it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "spec_text.h"

namespace gfxisa {
namespace {

namespace fs = std::filesystem;

const std::string folder = GFXISA_SOURCE_DIR "/tests/errors/";

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".isa") all.push_back(entry.path().stem().string());
  }
  std::sort(all.begin(), all.end());
  return all;
}

class Errors : public testing::TestWithParam<std::string> {};

TEST_P(Errors, AreReported) {
  const std::string& name = GetParam();
  const SpecText spec(
      {{"base.isa", read_text(folder + "common/base.isa")}, {name + ".isa", read_text(folder + name + ".isa")}});
  const std::string text = spec.diagnostics.text();
  const std::string expected_path = folder + name + ".expected";
  if (std::getenv("GFXISA_UPDATE_EXPECTED") != nullptr) std::ofstream(expected_path, std::ios::binary) << text;
  EXPECT_FALSE(text.empty());
  EXPECT_EQ(text, read_text(expected_path));
}

INSTANTIATE_TEST_SUITE_P(Spec, Errors, testing::ValuesIn(names()), [](const auto& info) { return info.param; });

TEST(Errors, BaseIsRight) {
  const SpecText spec({{"base.isa", read_text(folder + "common/base.isa")}});
  EXPECT_EQ(spec.diagnostics.text(), "");
  EXPECT_GE(names().size(), 40U);
}

}  // namespace
}  // namespace gfxisa
