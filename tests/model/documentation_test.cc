// The examples of docs/spec-language.md are one spec that compiles, and everything under spec/ is in the one layout.
#include <gtest/gtest.h>

#include <filesystem>

#include "lang/format.h"
#include "spec_text.h"

namespace gfxisa {
namespace {

std::vector<std::pair<std::string, std::string>> examples() {
  const std::string text = read_text(GFXISA_SOURCE_DIR "/docs/spec-language.md");
  const std::string open = "```isa\n";
  std::vector<std::pair<std::string, std::string>> blocks;
  for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at + 1)) {
    const std::size_t start = at + open.size();
    blocks.emplace_back("example " + std::to_string(blocks.size() + 1),
                        text.substr(start, text.find("```", start) - start));
  }
  return blocks;
}

TEST(Documentation, ExamplesCompile) {
  const SpecText spec(examples());
  EXPECT_EQ(spec.diagnostics.text(), "");
  EXPECT_GE(spec.files.size(), 7U);
  EXPECT_FALSE(spec.isa.forms.empty());
  EXPECT_FALSE(spec.isa.stage_bodies.empty());
}

TEST(Documentation, ExamplesAreInTheOneLayout) {
  for (const auto& [name, text] : examples()) EXPECT_EQ(lang::format(text), text) << name;
}

TEST(Spec, IsInTheOneLayout) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(GFXISA_SOURCE_DIR "/spec")) {
    if (entry.path().extension() != ".isa") continue;
    const std::string text = read_text(entry.path().string());
    EXPECT_TRUE(lang::format(text) == text) << entry.path() << ": run specc fmt on it";
    ++count;
  }
  EXPECT_GT(count, 0U);
}

}  // namespace
}  // namespace gfxisa
