#include "base/diagnostics.h"

#include <gtest/gtest.h>

namespace gfxisa {
namespace {

TEST(Sources, GiveLines) {
  Sources sources;
  const u32 id = sources.add("a.isa", "first\nsecond\n");
  EXPECT_EQ(sources.line(id, 1), "first");
  EXPECT_EQ(sources.line(id, 2), "second");
  EXPECT_EQ(sources.line(id, 3), "");
  EXPECT_EQ(sources.line(id, 0), "");
  EXPECT_EQ(sources.line(7, 1), "");
}

TEST(Diagnostics, ShowPlaceCaretAndHint) {
  Sources sources;
  const u32 id = sources.add("a.isa", "d = a << b\n");
  Diagnostics diagnostics(sources);
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.error({id, 1, 5, 6}, "cannot shift f16", "use bits(a)");
  EXPECT_EQ(diagnostics.text(),
            "a.isa:1:5: error: cannot shift f16\n"
            "    d = a << b\n"
            "        ^~~~~~\n"
            "    hint: use bits(a)\n");
}

TEST(Diagnostics, WarningsAreNoErrors) {
  Sources sources;
  const u32 id = sources.add("a.s", "x\n");
  Diagnostics diagnostics(sources);
  for (u32 i = 0; i < 2000; ++i) diagnostics.warning({id, 1, i + 1, 1}, "odd");
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(diagnostics.list().size(), 1000U);
  diagnostics.error({id, 1, 1, 1}, "wrong");
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_EQ(diagnostics.error_count(), 1U);
  EXPECT_EQ(diagnostics.text().substr(0, 28), "a.s:1:1: warning: odd\n    x\n");
}

TEST(Diagnostics, DropRepeats) {
  Sources sources;
  const u32 id = sources.add("a.isa", "x\n");
  Diagnostics diagnostics(sources);
  diagnostics.error({id, 1, 1, 1}, "one");
  diagnostics.error({id, 1, 1, 1}, "one");
  diagnostics.error({id, 1, 1, 1}, "two");
  EXPECT_EQ(diagnostics.list().size(), 2U);
}

TEST(Diagnostics, StopAfterAThousand) {
  Sources sources;
  const u32 id = sources.add("a.isa", "x\n");
  Diagnostics diagnostics(sources);
  for (u32 i = 0; i < 3000; ++i) diagnostics.error({id, i + 1, 1, 1}, "again");
  EXPECT_EQ(diagnostics.list().size(), 1000U);
}

}  // namespace
}  // namespace gfxisa
