#include "lang/format.h"

#include <gtest/gtest.h>

#include <random>

namespace gfxisa::lang {
namespace {

constexpr const char* untidy = R"(


// Heads.
topic   Tests
family s_add_{T}
   for T: u32 i32   // two
   about Adds.
   note

   d out T
   a inout T via ssrc the first
   bbbb in b32

   SOP2 gfx9 gfx10,gfx11
        // low
        u32 0x1 + T   -
        longer  0x12 0x100


   exec
       let x   = a
       // inside
       if x
           d = x
kind a 8 vgpr
    about One.
kind b 8 vgpr
    about Two.
encoding SOPP 32
  31:16 = 0b1 on gfx9
  31:16 op on gfx10+
  15:8 long_name vgpr is d a
  7 f flag = 1
  6:0 reserved // nothing
  syntax d f
fn f(x) = x
fn g(x) = x
)";

constexpr const char* tidy = R"(// Heads.
topic   Tests

family s_add_{T}
  for      T: u32 i32  // two
  about    Adds.
  note

  d        out   T
  a        inout T via ssrc  the first
  bbbb     in    b32

  SOP2      gfx9    gfx10,gfx11
    // low
    u32     0x1 + T -
    longer  0x12    0x100

  exec
    let x   = a
    // inside
    if x
      d = x

kind a 8 vgpr
  about  One.
kind b 8 vgpr
  about  Two.

encoding SOPP 32
  31:16    = 0b1  on gfx9
  31:16    op     on gfx10+
  15:8     long_name  vgpr  is d a
  7        f          flag  = 1
  6:0      reserved  // nothing
  syntax   d f

fn f(x) = x
fn g(x) = x
)";

TEST(Format, GivesTheOneLayout) { EXPECT_EQ(format(untidy), tidy); }

TEST(Format, LeavesTheOneLayoutAlone) { EXPECT_EQ(format(tidy), tidy); }

TEST(Format, KeepsWhatIsNoSpec) {
  EXPECT_EQ(format(""), "");
  EXPECT_EQ(format("\n\n"), "");
  EXPECT_EQ(format("  stray"), "stray\n");
  EXPECT_EQ(format("// only"), "// only\n");
}

// Whatever the text, a second run finds nothing to do, and no visible character is lost.
TEST(Format, IsStable) {
  std::mt19937 random(2);
  const std::string pieces = " \n\n  :/{}.=+-A0\t";
  const auto visible = [](const std::string& text) {
    std::string left;
    for (const char c : text) {
      if (c != ' ' && c != '\n' && c != '\t') left += c;
    }
    return left;
  };
  for (int round = 0; round < 2000; ++round) {
    std::string text = untidy;
    for (int i = 0; i < 6; ++i) text.insert(random() % text.size(), 1, pieces[random() % pieces.size()]);
    const std::string once = format(text);
    EXPECT_EQ(format(once), once) << text;
    EXPECT_EQ(visible(once), visible(text));
  }
}

}  // namespace
}  // namespace gfxisa::lang
