#include "text/listing.h"

#include <gtest/gtest.h>

namespace gfxisa {
namespace {

std::string listing_of(const char* arch, std::vector<u32> words, std::vector<CodeLabel> labels = {},
                       std::size_t dropped = 0) {
  CodeRange range;
  range.chip = static_cast<unsigned>(find_chip(arch));
  range.bytes = {reinterpret_cast<const u8*>(words.data()), words.size() * 4 - dropped};
  range.labels = std::move(labels);
  std::string text;
  write_listing(range, {}, [&](std::string_view part) { text += part; });
  return text;
}

/// Lines without the spaces before their comments.
std::string squeezed(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == ' ' && !out.empty() && out.back() == ' ') continue;
    out += c;
  }
  return out;
}

TEST(Listing, BranchesWithinTheCodeHaveLabels) {
  EXPECT_EQ(squeezed(listing_of("rdna3", {0xbfa00001, 0xbf800000, 0xbfb00000})),
            "\ts_branch .L8 // 000000000000: BFA00001\n"
            "\ts_nop 0 // 000000000004: BF800000\n"
            ".L8:\n"
            "\ts_endpgm // 000000000008: BFB00000\n");
}

TEST(Listing, BranchesToNowhereKeepTheirNumber) {
  // Out of the code, and into the middle of an instruction.
  EXPECT_NE(listing_of("rdna3", {0xbfa00100}).find("\ts_branch 256 "), std::string::npos);
  EXPECT_NE(listing_of("rdna3", {0xbfa00001, 0x7e0002ff, 7}).find("\ts_branch 1 "), std::string::npos);
}

TEST(Listing, WhatIsNoInstructionIsAWordWithTheReason) {
  EXPECT_EQ(squeezed(listing_of("rdna3", {0xffffffff, 0xbfb00000})),
            "\t.long 0xffffffff // 000000000000: FFFFFFFF <invalid> no encoding has these fixed bits\n"
            "\ts_endpgm // 000000000004: BFB00000\n");
  EXPECT_EQ(squeezed(listing_of("rdna3", {0xbfb00000, 0x00000201}, {}, 2)),
            "\ts_endpgm // 000000000000: BFB00000\n"
            "\t.byte 0x01, 0x02 // 000000000004: 01 02 <invalid> the bytes end before the instruction does\n");
}

TEST(Listing, WhatTheTextDoesNotSayIsNamedAndKept) {
  EXPECT_EQ(squeezed(listing_of("rdna3", {0xd7050002, 0x00060501})),
            "\t.long 0xd7050002, 0x00060501 // 000000000000: D7050002 00060501 v_mul_lo_u16 v2.l, v1.l, v2.l; "
            "not canonical: src2 [58:50] is 0x1, not 0x0\n");
  // A literal where an inline constant would do is said by the text.
  EXPECT_EQ(squeezed(listing_of("cdna3", {0xbe8000ff, 1})),
            "\ts_mov_b32 s0, lit(0x1) // 000000000000: BE8000FF 00000001\n");
}

TEST(Listing, DataIsNotDecoded) {
  EXPECT_EQ(squeezed(listing_of("rdna3", {0xbfb00000, 1, 2, 0x02000003}, {{4, "table", true, 8}})),
            "\ts_endpgm // 000000000000: BFB00000\n"
            "table:\n"
            "\t.long 0x00000001, 0x00000002 // 000000000004: 00000001 00000002 data\n"
            "\tv_cndmask_b32_e32 v0, s3, v0, vcc_lo // 00000000000C: 02000003\n");
}

TEST(Listing, LabelsEndInstructions) {
  const std::string text = squeezed(listing_of("rdna3", {0x7e0002ff, 0xbfb00000}, {{4, "next", false, 0}}));
  EXPECT_NE(text.find("\t.long 0x7e0002ff "), std::string::npos) << text;
  EXPECT_NE(text.find("next:\n\ts_endpgm "), std::string::npos) << text;
}

}  // namespace
}  // namespace gfxisa
