#include "text/assemble.h"

#include <gtest/gtest.h>

#include "text/disassemble.h"
#include "text/form_parser.h"

namespace gfxisa {
namespace {

unsigned chip(const char* name) { return static_cast<unsigned>(find_chip(name)); }

u32 word(const char* arch, const char* text) {
  const auto instruction = assemble_line(chip(arch), text);
  EXPECT_TRUE(instruction) << text << ": " << (instruction ? "" : instruction.error().message);
  return instruction ? instruction->words[0] : 0;
}

std::string error(const char* arch, const char* text) {
  const auto instruction = assemble_line(chip(arch), text);
  return instruction ? "no error" : instruction.error().message + " | " + instruction.error().hint;
}

std::string round_trip(const char* arch, const char* text) {
  const auto instruction = assemble_line(chip(arch), text);
  return instruction ? to_text(*instruction) : instruction.error().message;
}

TEST(Assemble, TheSameTextHasTheOpcodeOfItsGeneration) {
  EXPECT_EQ(word("cdna5", "s_lshl3_add_u32 s0, s0, s0"), 0x88000000u);
  EXPECT_EQ(word("cdna5", "s_bfe_u32 s0, s0, s0"), 0x93000000u);
  EXPECT_EQ(word("cdna1", "s_bfe_u32 s0, s0, s0"), 0x92800000u);
  EXPECT_EQ(word("rdna1", "s_bfe_u32 s0, s0, s0"), 0x93800000u);
}

TEST(Assemble, RegistersInEveryNotation) {
  const u32 expected = word("rdna3", "s_mov_b64 s[4:5], s[6:7]");
  EXPECT_EQ(word("rdna3", "s_mov_b64 [s4,s5], [s6, s7]"), expected);
  EXPECT_EQ(word("rdna3", "  s_mov_b64   s[2*2 : 4+1] ,s[6:7]"), expected);
}

// A list whose registers lie in one field of the instruction is a group of them; otherwise each has a field.
TEST(Assemble, RegistersOfAnImageAddressInBrackets) {
  const std::string load = "image_load v[0:3], ";
  EXPECT_EQ(round_trip("rdna2", (load + "[v1], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_1D").c_str()),
            load + "v1, s[0:7] dmask:0xf dim:SQ_RSRC_IMG_1D");
  EXPECT_EQ(round_trip("rdna3", (load + "[v[1:2]], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D").c_str()),
            load + "v[1:2], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D");
  EXPECT_EQ(round_trip("rdna3", (load + "[v1, v2], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D").c_str()),
            load + "[v1, v2], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D");
  EXPECT_EQ(error("rdna3", (load + "[[v1, v2]], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D").c_str()),
            "expected vector registers (column 21) | ");
}

TEST(Assemble, ExpressionsHaveTheUsualPrecedence) {
  EXPECT_EQ(word("cdna1", "s_movk_i32 s0, 1 + 2 * 3 << 1 | 0x100"), 0xb000010du);  // 1 + ((2 * 3 << 1) | 0x100)
  EXPECT_EQ(word("cdna1", "s_movk_i32 s0, 1 + 2 & 3"), 0xb0000003u);
  EXPECT_EQ(word("cdna1", "s_movk_i32 s0, 3 == 3"), 0xb000ffffu);
  EXPECT_EQ(word("cdna1", "s_movk_i32 s0, 017 + 'a'"), 0xb0000070u);
  EXPECT_EQ(word("cdna1", "s_movk_i32 s0, ~0 & 0xff"), 0xb00000ffu);
  EXPECT_EQ(word("cdna1", "s_movk_i32 s0, -(7 / 2)"), 0xb000fffdu);
  EXPECT_EQ(word("cdna1", "s_movk_i32 s0, (1 << 4) - 1"), 0xb000000fu);
}

TEST(Assemble, ShortestEncodingThatFits) {
  EXPECT_EQ(round_trip("rdna3", "v_add_f32 v0, v1, v2"), "v_add_f32_e32 v0, v1, v2");
  EXPECT_EQ(round_trip("rdna3", "v_add_f32 v0, v1, s2"), "v_add_f32_e64 v0, v1, s2");
  EXPECT_EQ(round_trip("rdna3", "v_add_f32 v0, -v1, |v2|"), "v_add_f32_e64 v0, -v1, |v2|");
  EXPECT_EQ(round_trip("rdna3", "v_add_f32_e64 v0, v1, v2"), "v_add_f32_e64 v0, v1, v2");
}

TEST(Assemble, NamesInsideImmediates) {
  EXPECT_EQ(round_trip("cdna1", "s_waitcnt lgkmcnt(0) & vmcnt(3)"), "s_waitcnt vmcnt(3) lgkmcnt(0)");
  EXPECT_EQ(round_trip("rdna3", "s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)"),
            "s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)");
  EXPECT_EQ(round_trip("rdna2", "s_getreg_b32 s0, hwreg(HW_REG_MODE, 4, 2)"),
            "s_getreg_b32 s0, hwreg(HW_REG_MODE, 4, 2)");
  EXPECT_EQ(round_trip("cdna2", "s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 1)"),
            "s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 1)");
}

TEST(Assemble, UnknownMnemonicsAreExplained) {
  EXPECT_NE(error("cdna5", "s_bfe_u23 s0, s1, s2").find("did you mean"), std::string::npos);
  const std::string other = error("cdna1", "s_mul_u64 s[0:1], s[2:3], s[4:5]");
  EXPECT_NE(other.find("cdna1 has no instruction 's_mul_u64'; it exists on"), std::string::npos) << other;
}

TEST(Assemble, WrongOperandsSayWhatIsRight) {
  EXPECT_NE(error("rdna4", "s_mov_b32 s0").find("missing"), std::string::npos);
  EXPECT_NE(error("rdna4", "s_mov_b32 s0, s1, s2").find("too many operands"), std::string::npos);
  EXPECT_NE(error("rdna4", "s_mov_b32 1, s0").find("expected a scalar register"), std::string::npos);
  EXPECT_NE(error("cdna1", "s_movk_i32 s0, 0x12345").find("from -32768 to 65535"), std::string::npos);
  EXPECT_NE(error("cdna1", "s_movk_i32 s0, 1 / 0").find("division by zero"), std::string::npos);
  EXPECT_NE(error("cdna1", "s_add_u32 s0, 0x1234567, 0x7654321").find("literal"), std::string::npos);
}

TEST(Assemble, AnyTextGivesAnAnswer) {
  for (const char* text :
       {"", " ", "s_mov_b32", "s_mov_b32 ,", "s_mov_b32 s0, ((((", "v_add_f32 v0, -, |", "s[", "s_waitcnt vmcnt(",
        "::", "s_mov_b32 s0, s[0:99999999999999999999]", "s_mov_b64 s[-1:0], 0", "s_sendmsg sendmsg(", "\"", "a::b"}) {
    EXPECT_NE(error("rdna3", text), "no error") << text;
  }
  EXPECT_NE(error("rdna3", ("s_mov_b32 s0, " + std::string(100000, '(')).c_str()), "no error");
}

// Found by the fuzzer: the number was added up beyond 64 bits before it was refused (a signed overflow under ubsan).
TEST(Assemble, RegisterNumbersOfAnyLengthAreRefused) {
  for (const char* name : {"s99999999999999999999", "v18446744073709551616", "ttmp99999999999999999999"}) {
    EXPECT_NE(error("rdna3", (std::string("v_mov_b32 v0, ") + name).c_str()), "no error") << name;
  }
}

TEST(Assemble, SmallFloatsRoundToNearestEven) {
  EXPECT_EQ(text::to_half_bits(1.0), 0x3c00);
  EXPECT_EQ(text::to_half_bits(65504.0), 0x7bff);
  EXPECT_EQ(text::to_half_bits(65520.0), 0x7c00);
  EXPECT_EQ(text::to_half_bits(-0.0), 0x8000);
  EXPECT_EQ(text::to_half_bits(5.960464477539063e-08), 0x0001);
  EXPECT_EQ(text::to_half_bits(1.0 + 1.0 / 2048), 0x3c00);
  EXPECT_EQ(text::to_half_bits(1.0 + 3.0 / 2048), 0x3c02);
  EXPECT_EQ(text::to_bfloat_bits(-2.0), 0xc000);
}

}  // namespace
}  // namespace gfxisa
