// The public library as a program outside the project sees it.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <gfxisa/gfxisa.hpp>
#include <new>
#include <thread>
#include <vector>

namespace {

thread_local std::size_t allocations = 0;

}  // namespace

// Counts what this program allocates; the library's own calls come here too.
__attribute__((noinline)) void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
__attribute__((noinline)) void operator delete(void* memory) noexcept { std::free(memory); }
__attribute__((noinline)) void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

template <std::size_t size>
std::span<const std::byte> as_bytes(const std::array<std::uint8_t, size>& bytes) {
  return std::as_bytes(std::span(bytes));
}

const gfxisa_implicit* find_implicit(const gfxisa::Details& details, std::string_view name) {
  for (const gfxisa_implicit& implicit : details.implicit()) {
    if (name == implicit.name) return &implicit;
  }
  return nullptr;
}

gfxisa::Instruction assembled(const char* isa, std::string_view line) {
  gfxisa::Instruction instruction;
  gfxisa::Refusal refusal;
  const auto status = gfxisa::Isa::find(isa)->assemble(line, instruction, &refusal);
  EXPECT_EQ(status, gfxisa::Status::ok) << line << ": " << refusal.message;
  return instruction;
}

TEST(Api, FindsInstructionSetsByNameAndProcessor) {
  EXPECT_EQ(gfxisa_isa_count(), 10u);
  EXPECT_EQ(gfxisa_find_isa("gfx942"), gfxisa_find_isa("cdna3"));
  EXPECT_EQ(gfxisa_find_isa("gfx9999"), -1);
  EXPECT_EQ(gfxisa_find_isa(nullptr), -1);
  EXPECT_STREQ(gfxisa_isa_name(static_cast<unsigned>(gfxisa_find_isa("gfx1100"))), "rdna3");
  EXPECT_EQ(gfxisa_isa_name(99), nullptr);
}

TEST(Api, DecodesAndFormats) {
  const std::array<std::uint8_t, 8> code = {0x02, 0x00, 0x01, 0x80, 0xff, 0xff, 0xff, 0xff};
  const auto isa = gfxisa::Isa::find("gfx1200");
  gfxisa::Instruction instruction;
  ASSERT_EQ(isa->decode(as_bytes(code), instruction), gfxisa::Status::ok);
  EXPECT_EQ(instruction.size(), 4u);
  EXPECT_EQ(instruction.text(), "s_add_co_u32 s1, s2, s0");
  char small[6];
  EXPECT_EQ(gfxisa_format(&instruction.raw(), nullptr, small, sizeof small), std::strlen("s_add_co_u32 s1, s2, s0"));
  EXPECT_STREQ(small, "s_add");
  EXPECT_EQ(isa->decode(as_bytes(code).first(3), instruction), gfxisa::Status::truncated);
  EXPECT_EQ(instruction.size(), 3u);
  EXPECT_NE(isa->decode(as_bytes(code).subspan(4), instruction), gfxisa::Status::ok);
  EXPECT_GT(instruction.size(), 0u);
  EXPECT_FALSE(isa->explain(as_bytes(code).subspan(4)).empty());
  EXPECT_EQ(gfxisa_decode(10, code.data(), code.size(), &instruction.raw()), GFXISA_BAD_ARGUMENT);
}

TEST(Api, DecodingAndDescribingDoNotAllocate) {
  const auto isa = gfxisa::Isa::find("gfx942");
  const gfxisa::Instruction packed = assembled("gfx942", "v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7] neg_lo:[0,1,0]");
  const gfxisa::Instruction load = assembled("gfx942", "global_load_dwordx4 v[0:3], v4, s[2:3] offset:16");
  gfxisa::Details details;
  load.describe(details);  // tables that are made when first asked for
  gfxisa::Instruction decoded;
  const std::size_t before = allocations;
  for (const gfxisa::Instruction& instruction : {packed, load}) {
    EXPECT_EQ(isa->decode(instruction.bytes(), decoded), gfxisa::Status::ok);
    EXPECT_EQ(decoded.describe(details), gfxisa::Status::ok);
  }
  EXPECT_EQ(allocations, before);
}

TEST(Api, DescribesOperands) {
  gfxisa::Details details;
  ASSERT_EQ(assembled("gfx942", "global_load_dwordx4 v[8:11], v4, s[2:3] offset:-16").describe(details),
            gfxisa::Status::ok);
  ASSERT_EQ(details.operands().size(), 4u);
  const gfxisa_operand& result = details.operands()[0];
  EXPECT_EQ(result.register_class, GFXISA_VGPR);
  EXPECT_EQ(result.first, 8u);
  EXPECT_EQ(result.count, 4u);
  EXPECT_EQ(result.access, GFXISA_WRITE);
  const gfxisa_operand& address = details.operands()[1];
  EXPECT_EQ(address.bits, 32u);
  const gfxisa_operand& base = details.operands()[2];
  EXPECT_EQ(base.register_class, GFXISA_SGPR);
  EXPECT_EQ(base.first, 2u);
  EXPECT_EQ(base.count, 2u);
  EXPECT_EQ(static_cast<std::int64_t>(details.operands()[3].value), -16);
  ASSERT_NE(find_implicit(details, "exec"), nullptr);
  EXPECT_EQ(find_implicit(details, "exec")->access, GFXISA_READ);
}

TEST(Api, DescribesConstantsAndSigns) {
  gfxisa::Details details;
  ASSERT_EQ(assembled("gfx1100", "v_fma_f32 v1, -|v2|, 1.0, 0x3e000000").describe(details), gfxisa::Status::ok);
  ASSERT_EQ(details.operands().size(), 4u);
  EXPECT_TRUE(details.operands()[1].is_negated && details.operands()[1].is_absolute);
  EXPECT_EQ(details.operands()[2].kind, GFXISA_CONSTANT);
  EXPECT_EQ(details.operands()[2].value, 0x3f800000u);
  EXPECT_EQ(details.operands()[3].kind, GFXISA_LITERAL);
  EXPECT_EQ(details.operands()[3].value, 0x3e000000u);
  EXPECT_STREQ(details->encoding, "VOP3");
  ASSERT_NE(details->suffix, nullptr);
}

TEST(Api, DescribesWhatNoFieldHolds) {
  gfxisa::Details details;
  ASSERT_EQ(assembled("gfx942", "v_addc_co_u32_e32 v1, vcc, v2, v3, vcc").describe(details), gfxisa::Status::ok);
  ASSERT_NE(find_implicit(details, "vcc"), nullptr);
  EXPECT_EQ(find_implicit(details, "vcc")->access, GFXISA_READ | GFXISA_WRITE);
  ASSERT_EQ(assembled("gfx942", "s_and_saveexec_b64 s[0:1], vcc").describe(details), gfxisa::Status::ok);
  EXPECT_EQ(find_implicit(details, "exec")->access, GFXISA_READ | GFXISA_WRITE);
  EXPECT_EQ(find_implicit(details, "scc")->access, GFXISA_WRITE);
}

// Analyses of others took the first of these for a write alone (RGA #124), and saw a vector register written by the
// second (prosper #1483) and a scalar one by the third (prosper PR #3007).
TEST(Api, DescribesWhatIsReadAndWrittenInOneField) {
  const auto accesses = [](const char* target, const char* text) {
    gfxisa::Details details;
    EXPECT_EQ(assembled(target, text).describe(details), gfxisa::Status::ok);
    std::vector<std::pair<int, int>> registers;
    for (const gfxisa_operand& operand : details.operands())
      if (operand.kind == GFXISA_REGISTER) registers.emplace_back(operand.register_class, operand.access);
    return registers;
  };
  using Accesses = std::vector<std::pair<int, int>>;
  EXPECT_EQ(accesses("gfx1100", "s_mulk_i32 s0, 5"), (Accesses{{GFXISA_SGPR, GFXISA_READ | GFXISA_WRITE}}));
  EXPECT_EQ(accesses("gfx1030", "v_readlane_b32 s28, v28, 9"),
            (Accesses{{GFXISA_SGPR, GFXISA_WRITE}, {GFXISA_VGPR, GFXISA_READ}}));
  EXPECT_EQ(accesses("gfx1030", "s_waitcnt_vscnt s5, 0x3"), (Accesses{{GFXISA_SGPR, GFXISA_READ}}));
}

TEST(Api, BranchesSayWhereTheyGo) {
  gfxisa::Details details;
  ASSERT_EQ(assembled("gfx1100", "s_cbranch_scc1 -3").describe(details), gfxisa::Status::ok);
  EXPECT_TRUE(details->is_branch);
  EXPECT_EQ(details->branch_distance, -8);
  EXPECT_EQ(find_implicit(details, "scc")->access, GFXISA_READ);
}

TEST(Api, PairsHaveASecondInstruction) {
  const auto pair = assembled("gfx1100", "v_dual_mul_f32 v0, v1, v2 :: v_dual_add_f32 v3, v4, v5");
  gfxisa::Details details;
  const auto second = pair.second();
  ASSERT_TRUE(second.has_value());
  second->describe(details);
  EXPECT_STREQ(details->mnemonic, "v_dual_add_f32");
  EXPECT_EQ(details.operands()[0].first, 3u);
  EXPECT_FALSE(assembled("gfx1100", "s_nop 0").second().has_value());
}

TEST(Api, EncodesFromValues) {
  const auto isa = gfxisa::Isa::find("rdna3");
  const auto forms = isa->forms("v_add_f32");
  ASSERT_EQ(forms.size(), 2u);
  const gfxisa_operand_value operands[] = {{"d", GFXISA_VALUE_CODE, *isa->register_code("v1")},
                                           {"a", GFXISA_VALUE_CODE, *isa->register_code("s2")},
                                           {"b", GFXISA_VALUE_CODE, *isa->register_code("v3")}};
  gfxisa::Instruction instruction;
  ASSERT_EQ(forms[0].encode(operands, {}, instruction), gfxisa::Status::ok);
  EXPECT_EQ(instruction.text(), "v_add_f32_e32 v1, s2, v3");
  const gfxisa_field_value clamp[] = {{"clamp", 1}};
  ASSERT_EQ(forms[1].encode(operands, clamp, instruction), gfxisa::Status::ok);
  EXPECT_EQ(instruction.text(), "v_add_f32_e64 v1, s2, v3 clamp");
  gfxisa::Refusal refusal;
  EXPECT_EQ(forms[0].encode(operands, clamp, instruction, &refusal), gfxisa::Status::refused);
  EXPECT_FALSE(refusal.message.empty());
  const gfxisa_operand_value wrong[] = {{"q", GFXISA_VALUE_CODE, 0}};
  EXPECT_EQ(forms[0].encode(wrong, {}, instruction, &refusal), gfxisa::Status::refused);
}

TEST(Api, SaysWhatIsWrongWithALine) {
  gfxisa::Instruction instruction;
  gfxisa::Refusal refusal;
  EXPECT_EQ(gfxisa::Isa::find("gfx942")->assemble("v_add_f33 v0, v1, v2", instruction, &refusal),
            gfxisa::Status::refused);
  EXPECT_EQ(refusal.column, 1u);
  EXPECT_NE(refusal.hint.find("v_add_f32"), std::string::npos);
}

TEST(Api, RefusesInstructionsItDidNotMake) {
  gfxisa_instruction odd{};
  odd.form = 0xffffffff;
  gfxisa::Details details;
  EXPECT_EQ(gfxisa_describe(&odd, nullptr, &details.raw()), GFXISA_BAD_ARGUMENT);
  EXPECT_EQ(gfxisa_format(&odd, nullptr, nullptr, 0), 0u);
  EXPECT_EQ(gfxisa_form(0xffffffff, &odd), GFXISA_BAD_ARGUMENT);
}

TEST(Api, ThreadsDoNotDisturbEachOther) {
  std::vector<std::thread> threads;
  std::array<std::string, 8> texts;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    threads.emplace_back([&texts, i] {
      for (int round = 0; round < 200; ++round)
        texts[i] = assembled(i % 2 == 0 ? "gfx942" : "gfx1100", "v_add_f32 v0, v1, vcc_lo").text();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& text : texts) EXPECT_EQ(text, "v_add_f32_e64 v0, v1, vcc_lo");
}

}  // namespace
