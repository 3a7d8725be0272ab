#include "text/disassemble.h"

#include <gtest/gtest.h>

#include <vector>

#include "codec/decode.h"

namespace gfxisa {
namespace {

std::string text(const char* arch, std::vector<u32> words, unsigned wave_size = 0) {
  std::vector<u8> bytes;
  for (const u32 word : words) {
    for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<u8>(word >> (8 * i)));
  }
  const Decoded decoded = decode(static_cast<unsigned>(find_chip(arch)), bytes);
  return decoded ? to_text(decoded.instruction, {wave_size}) : std::string(describe(decoded.fault));
}

TEST(Disassemble, SameWordAcrossGenerations) {
  EXPECT_EQ(text("cdna5", {0x88000000}), "s_lshl3_add_u32 s0, s0, s0");
  EXPECT_EQ(text("cdna5", {0x93000000}), "s_bfe_u32 s0, s0, s0");
  EXPECT_EQ(text("cdna1", {0x92800000}), "s_bfe_u32 s0, s0, s0");
}

TEST(Disassemble, IntegersOf16BitsCompareWholeWords) {
  EXPECT_EQ(text("cdna1", {0x605000ff, 0x80000000}), "v_max_i16_e32 v40, 0x0, v0");
  EXPECT_EQ(text("cdna1", {0x605000ff, 1}), "v_max_i16_e32 v40, lit(0x1), v0");
  EXPECT_EQ(text("cdna1", {0x7d4400ff, 0x3e22f983}), "v_cmp_eq_i16_e32 vcc, lit(0x3e22f983), v0");
  EXPECT_EQ(text("cdna1", {0x7d4400ff, 0x3c00}), "v_cmp_eq_i16_e32 vcc, 0x3c00, v0");
}

TEST(Disassemble, PairsThatAConstantFills) {
  EXPECT_EQ(text("rdna2", {0x780c08ff, 0x3c00}), "v_pk_fmac_f16 v6, lit(0x3c00), v4");
  EXPECT_EQ(text("rdna3", {0x780c08ff, 0x3c00}), "v_pk_fmac_f16 v6, 0x3c00, v4");
  EXPECT_EQ(text("rdna3", {0x780c08ff, 0x3c003c00}), "v_pk_fmac_f16 v6, lit(0x3c003c00), v4");
  EXPECT_EQ(text("rdna3", {0x780c08f2}), "v_pk_fmac_f16 v6, 1.0, v4");
}

TEST(Disassemble, OneLongConstantForBoth) {
  EXPECT_EQ(text("cdna5", {0x46040cfe, 0x9abcdef0, 0x12345678}),
            "v_fmamk_f64 v[2:3], 0x123456789abcdef0, 0x123456789abcdef0, v[6:7]");
}

TEST(Disassemble, GroupsOfScalarRegistersStartEven) {
  EXPECT_EQ(text("rdna3", {0xbe840106}), "s_mov_b64 s[4:5], s[6:7]");
  EXPECT_EQ(text("rdna3", {0xbe850107}), "s_mov_b64 s[4:5], s[6:7]");
}

TEST(Disassemble, LiteralsThatHaveAnInlineFormSaySo) {
  EXPECT_EQ(text("cdna1", {0xbe8000ff, 0x12345678}), "s_mov_b32 s0, 0x12345678");
  EXPECT_EQ(text("cdna1", {0xbe8000ff, 0x3f800000}), "s_mov_b32 s0, lit(0x3f800000)");
  EXPECT_EQ(text("cdna1", {0xbe8000f2}), "s_mov_b32 s0, 1.0");
}

TEST(Disassemble, MasksAreAsWideAsTheWave) {
  EXPECT_EQ(text("rdna3", {0x02040500}), "v_cndmask_b32_e32 v2, v0, v2, vcc_lo");
  EXPECT_EQ(text("rdna3", {0x02040500}, 64), "v_cndmask_b32_e32 v2, v0, v2, vcc");
}

TEST(Disassemble, WaitCountersLieElsewhereOnEachGeneration) {
  EXPECT_EQ(text("cdna1", {0xbf8cc07f}), "s_waitcnt lgkmcnt(0)");
  EXPECT_EQ(text("rdna1", {0xbf8cc07f}), "s_waitcnt lgkmcnt(0)");
  EXPECT_EQ(text("rdna3", {0xbf89fc07}), "s_waitcnt lgkmcnt(0)");
}

TEST(Disassemble, AddressesOfMemory) {
  EXPECT_EQ(text("cdna1", {0xdc508000, 0x087f0002}), "global_load_dword v8, v[2:3], off");
  EXPECT_EQ(text("cdna1", {0xdc508010, 0x08040002}), "global_load_dword v8, v2, s[4:5] offset:16");
  EXPECT_EQ(text("rdna3", {0xf4000404, 0xf8000010}), "s_load_b32 s16, s[8:9], 0x10");
  EXPECT_EQ(text("rdna3", {0xf4000404, 0x08000000}), "s_load_b32 s16, s[8:9], s4");
}

TEST(Disassemble, FieldsThatAnInstructionDoesNotUse) {
  EXPECT_EQ(text("rdna3", {0xd8d80000, 0x01000002}), "ds_load_b32 v1, v2");
  EXPECT_EQ(text("rdna3", {0xd8d80000, 0x01000302}), std::string(describe(DecodeFault::bad_operand)));
  EXPECT_EQ(text("rdna3", {0xd8d90000, 0x01000002}), "ds_load_b32 v1, v2");  // a bit that nothing uses
}

TEST(Disassemble, MatrixOperations) {
  // On CDNA 1 sums always are in accumulation registers, later a bit says so.
  EXPECT_EQ(text("cdna1", {0xd3c00002, 0x05024110}), "v_mfma_f32_32x32x1f32 a[2:33], v16, v32, a[64:95]");
  EXPECT_EQ(text("cdna3", {0xd3c00002, 0x05024110}), "v_mfma_f32_32x32x1_2b_f32 v[2:33], v16, v32, v[64:95]");
  EXPECT_EQ(text("cdna3", {0xd3c08002, 0x05024110}), "v_mfma_f32_32x32x1_2b_f32 a[2:33], v16, v32, a[64:95]");
  // Registers by the format of the elements, by the size of the wave, by generation.
  EXPECT_EQ(text("cdna4", {0xd3ad0200, 0x04122104}),
            "v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:9], v[16:23], v[4:7] cbsz:2");
  EXPECT_EQ(text("rdna3", {0xcc404000, 0x1c022108}), "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]");
  EXPECT_EQ(text("rdna3", {0xcc404000, 0x1c022108}, 64), "v_wmma_f32_16x16x16_f16 v[0:3], v[8:15], v[16:23], v[0:3]");
  EXPECT_EQ(text("rdna4", {0xcc404000, 0x1c022108}), "v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[16:19], v[0:7]");
  EXPECT_EQ(text("rdna4", {0xcc404000, 0x1c022108}, 64), "v_wmma_f32_16x16x16_f16 v[0:3], v[8:9], v[16:17], v[0:3]");
  // The first half of a scaled operation is one of its own.
  EXPECT_EQ(text("cdna4", {0xd3ac0000, 0x00023114}), "v_mfma_ld_scale_b32 v20, v24 op_sel_hi:[0,0]");
  EXPECT_EQ(text("cdna4", {0xd3ac0000, 0x00023114, 0xd3ad0800, 0x04122104}),
            "v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[16:23], v[4:7], v20, v24 op_sel_hi:[0,0,0]");
}

TEST(Disassemble, FieldsWithOneValue) {
  EXPECT_EQ(text("cdna3", {0xd93b0000, 0x00000002}), "ds_gws_barrier v2 gds");
  EXPECT_EQ(text("cdna3", {0xd93a0000, 0x00000002}), std::string(describe(DecodeFault::bad_operand)));
}

TEST(Disassemble, AccumulationRegistersAndEvenGroups) {
  EXPECT_EQ(text("cdna3", {0xdaec0000, 0x04000002}), "ds_read_b64 a[4:5], v2");
  EXPECT_EQ(text("cdna3", {0xd8ec0000, 0x04000002}), "ds_read_b64 v[4:5], v2");
  EXPECT_EQ(text("cdna3", {0xd8ec0000, 0x05000002}), std::string(describe(DecodeFault::bad_operand)));
  EXPECT_EQ(text("cdna1", {0xd8ec0000, 0x05000002}), "ds_read_b64 v[5:6], v2");
  EXPECT_EQ(text("cdna5", {0xdbec0000, 0x05000002}), "ds_load_tr6_b96 v[5:7], v2");
}

}  // namespace
}  // namespace gfxisa
