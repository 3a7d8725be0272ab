// Names and codes of registers and constants.
#include "inst/registers.h"

#include <gtest/gtest.h>

namespace gfxisa {
namespace {

TEST(Registers, NamesAndCodesAgree) {
  for (unsigned chip = 0; chip < tables().chips.size(); ++chip) {
    for (u32 code = 0; code < 512; ++code) {
      const CodeClass cls = code_row(chip, code).cls;
      if (cls != CodeClass::sgpr && cls != CodeClass::vgpr && cls != CodeClass::trap && cls != CodeClass::special)
        continue;
      for (const u32 bits : {32u, 64u, 128u}) {
        const std::string name = code_name(chip, code, bits);
        if (name.empty()) continue;
        const auto found = find_register(chip, name);
        ASSERT_TRUE(found) << name;
        EXPECT_EQ(found->code, code) << name;
        if (found->bits != 0 && found->bits != bits) {
          EXPECT_EQ(code_row(chip, code).cls, CodeClass::special) << name;
        }
      }
    }
  }
}

TEST(Registers, KnownNames) {
  const unsigned cdna5 = static_cast<unsigned>(find_chip("cdna5")), cdna1 = static_cast<unsigned>(find_chip("gfx908"));
  EXPECT_EQ(code_name(cdna5, 4, 64), "s[4:5]");
  EXPECT_EQ(code_name(cdna5, 256 + 7, 32), "v7");
  EXPECT_EQ(code_name(cdna5, 106, 64), "vcc");
  EXPECT_EQ(code_name(cdna5, 107, 32), "vcc_hi");
  EXPECT_EQ(code_name(cdna5, 107, 64), "");
  EXPECT_EQ(code_name(cdna5, 124, 32), "null");
  EXPECT_EQ(code_name(cdna1, 124, 32), "m0");
  EXPECT_EQ(code_name(cdna1, 208, 32), "-16");
  EXPECT_EQ(code_name(cdna1, 240, 32), "0.5");
  EXPECT_EQ(code_name(cdna1, 248, 32), "0.15915494");
  EXPECT_EQ(code_name(cdna1, 511, 64), "");
  EXPECT_EQ(find_register(cdna5, "exec_lo")->code, 126u);
  EXPECT_EQ(find_register(cdna5, "scc")->code, 253u);
  EXPECT_EQ(find_register(cdna5, "ttmp[4:7]")->bits, 128u);
  EXPECT_FALSE(find_register(cdna5, "s106"));
  EXPECT_FALSE(find_register(cdna5, "s[5:4]"));
  EXPECT_FALSE(find_register(cdna1, "v256"));
  EXPECT_FALSE(find_register(cdna5, "v512"));
  EXPECT_EQ(code_name(cdna5, 510, 128), "v[254:257]");
  EXPECT_EQ(find_register(cdna1, "a[4:5]")->code, 516u);
  EXPECT_FALSE(find_register(cdna5, "a4"));
  EXPECT_FALSE(find_register(cdna5, ""));
  EXPECT_FALSE(find_register(cdna5, "s99999999999"));
  EXPECT_FALSE(find_register(cdna1, "null"));
}

TEST(Constants, InlineCodesAndValuesAgree) {
  for (const ConstantType type : {ConstantType::integer16, ConstantType::integer32, ConstantType::integer64,
                                  ConstantType::f16, ConstantType::bf16, ConstantType::f32, ConstantType::f64,
                                  ConstantType::repeated_f16, ConstantType::packed_words}) {
    for (u32 code = 128; code < 249; ++code) {
      const auto value = inline_value(0, code, type);
      if (value) {
        EXPECT_EQ(inline_code(0, *value, type), code);
      }
    }
  }
}

TEST(Constants, OneConstantForBothHalves) {
  EXPECT_EQ(inline_value(0, 242, ConstantType::repeated_f16), 0x3c003c00u);
  EXPECT_EQ(inline_value(0, 129, ConstantType::repeated_f16), 0x00010001u);
  EXPECT_EQ(inline_code(0, 0x3c003c00, ConstantType::repeated_f16), 242u);
  EXPECT_EQ(inline_code(0, 1, ConstantType::repeated_f16), 129u);
  EXPECT_FALSE(inline_code(0, 0x3c00, ConstantType::repeated_f16));
}

TEST(Constants, KnownValues) {
  EXPECT_EQ(inline_value(0, 242, ConstantType::f32), 0x3f800000u);
  EXPECT_EQ(inline_value(0, 242, ConstantType::f16), 0x3c00u);
  EXPECT_EQ(inline_value(0, 242, ConstantType::f64), 0x3ff0000000000000u);
  EXPECT_EQ(inline_value(0, 193, ConstantType::integer64), ~u64{0});
  EXPECT_EQ(inline_value(0, 193, ConstantType::f32), 0xffffffffu);
  EXPECT_FALSE(inline_value(0, 5, ConstantType::f32));
  EXPECT_EQ(literal_value(0x40000000, ConstantType::f64, false), 0x4000000000000000u);
  EXPECT_EQ(literal_value(0x80000000, ConstantType::integer64, true), 0xffffffff80000000u);
  EXPECT_EQ(literal_value(0x80000000, ConstantType::integer64, false), 0x80000000u);
  EXPECT_FALSE(literal_for(1, ConstantType::f64, false));
  EXPECT_EQ(literal_for(~u64{0} - 99, ConstantType::integer32, true), 0xffffff9cu);
}

}  // namespace
}  // namespace gfxisa
