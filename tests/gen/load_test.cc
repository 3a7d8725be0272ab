#include "gen/load.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "gen/output.h"

namespace gfxisa::gen {
namespace {

namespace fs = std::filesystem;

/// A folder of its own, gone after the test.
class Files : public testing::Test {
 protected:
  Files() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder = fs::path(testing::TempDir()) / ("gfxisa_" + std::string(info->name()) + std::to_string(getpid()));
    fs::create_directories(folder);
  }
  ~Files() override { fs::remove_all(folder); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << text;
  }
  fs::path folder;
};

TEST_F(Files, AreLoadedInOrder) {
  write("b/second.isa", "fn g(x) = x\n");
  write("a.isa", "fn f(x) = x\n");
  write("notes.txt", "no spec\n");
  Sources sources;
  Diagnostics diagnostics(sources);
  const auto files = load_spec(folder.string(), sources, diagnostics);
  ASSERT_TRUE(files);
  ASSERT_EQ(files->size(), 2U);
  EXPECT_EQ(sources.name((*files)[0].source), "a.isa");
  EXPECT_EQ(sources.name((*files)[1].source), "b/second.isa");
  EXPECT_FALSE(diagnostics.has_errors());
}

TEST_F(Files, MissingAreReported) {
  Sources sources;
  Diagnostics diagnostics(sources);
  const auto none = load_spec((folder / "nothing").string(), sources, diagnostics);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message.find("cannot read the folder"), 0U);
  const auto empty = load_spec(folder.string(), sources, diagnostics);
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().message.find("no spec files"), 0U);
  EXPECT_FALSE(read_file((folder / "x.isa").string()));
  EXPECT_FALSE(read_file(folder.string()));
}

TEST_F(Files, AreWrittenOnlyWhenChanged) {
  const std::string out = (folder / "gen").string();
  OutputFolder first(out);
  first.write("a.cc", "one");
  first.write("b.cc", "two");
  EXPECT_EQ(first.changed(), 2U);
  const auto before = fs::last_write_time(out + "/a.cc");
  OutputFolder second(out);
  second.write("a.cc", "one");
  second.write("b.cc", "three");
  EXPECT_EQ(second.changed(), 1U);
  EXPECT_EQ(fs::last_write_time(out + "/a.cc"), before);
  EXPECT_EQ(*read_file(out + "/b.cc"), "three");
  EXPECT_EQ(second.names().size(), 2U);
  EXPECT_TRUE(second.error().message.empty());
}

TEST_F(Files, ThatCannotBeWrittenAreReported) {
  write("gen", "a file where a folder should be");
  OutputFolder output((folder / "gen").string());
  output.write("a.cc", "one");
  EXPECT_EQ(output.error().message.find("cannot write"), 0U);
}

}  // namespace
}  // namespace gfxisa::gen
