#include "elf/descriptor_text.h"

#include <gtest/gtest.h>

#include <array>

namespace gfxisa {
namespace {

using Bytes = std::array<u8, 64>;

std::string text_of(const Bytes& bytes, const char* target, std::string& problem) {
  std::string text;
  append_descriptor(text, "k", target, false, bytes, problem);
  return text;
}

bool has_line(const std::string& text, const std::string& line) {
  return text.find("\t\t.amdhsa_" + line + "\n") != std::string::npos;
}

TEST(DescriptorText, SaysWhatTheFieldsSay) {
  Bytes bytes{};
  bytes[0] = 16;     // LDS
  bytes[44] = 0x30;  // rsrc3: 3 lines of prefetch on gfx11
  bytes[48] = 0x05;  // rsrc1: six blocks of eight registers
  bytes[50] = 0x0c;  // denormals of f16 and f64
  bytes[52] = 0x84;  // rsrc2: two user registers, workgroup id x
  bytes[56] = 0x08;  // kernel arguments
  bytes[57] = 0x04;  // wave32
  std::string problem;
  const std::string text = text_of(bytes, "gfx1100", problem);
  EXPECT_EQ(problem, "");
  for (const char* line :
       {"group_segment_fixed_size 16", "inst_pref_size 3", "next_free_vgpr 48", "float_denorm_mode_16_64 3",
        "user_sgpr_count 2", "system_sgpr_workgroup_id_x 1", "system_sgpr_workgroup_id_y 0",
        "user_sgpr_kernarg_segment_ptr 1", "wavefront_size32 1", "enable_private_segment 0"})
    EXPECT_TRUE(has_line(text, line)) << line << " in\n" << text;
}

TEST(DescriptorText, RegistersAreCountedAsTheTargetDoes) {
  Bytes bytes{};
  bytes[48] = 0x45;  // VGPR count 5, SGPR count 1
  std::string problem;
  EXPECT_TRUE(has_line(text_of(bytes, "gfx908", problem), "next_free_vgpr 24"));
  EXPECT_TRUE(has_line(text_of(bytes, "gfx908", problem), "next_free_sgpr 16"));
  EXPECT_TRUE(has_line(text_of(bytes, "gfx90a", problem), "next_free_vgpr 48"));
  EXPECT_TRUE(has_line(text_of(bytes, "gfx90a", problem), "accum_offset 4"));
  EXPECT_TRUE(has_line(text_of(bytes, "gfx942", problem), "next_free_sgpr 10"));  // scratch's base takes six
  bytes[48] = 0x05;
  EXPECT_TRUE(has_line(text_of(bytes, "gfx1030", problem), "next_free_vgpr 24"));  // wave64
  EXPECT_TRUE(has_line(text_of(bytes, "gfx1250", problem), "next_free_vgpr 48"));
}

TEST(DescriptorText, WhatNoDirectiveSaysIsRefusedWithItsBits) {
  for (const unsigned at : {12u, 24u, 40u, 60u}) {
    Bytes bytes{};
    bytes[at] = 0x40;
    std::string problem;
    EXPECT_EQ(text_of(bytes, "gfx1100", problem), "");
    EXPECT_NE(problem.find("0x40 of the word at byte " + std::to_string(at)), std::string::npos) << problem;
  }
  Bytes bytes{};
  bytes[56] = 0x08;  // kernel arguments, but no user registers
  std::string problem;
  EXPECT_EQ(text_of(bytes, "gfx1100", problem), "");
  EXPECT_NE(problem.find("user SGPRs"), std::string::npos) << problem;
}

}  // namespace
}  // namespace gfxisa
