#include "core/evaluate.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "body_text.h"

namespace gfxisa::core {
namespace {

/// Runs a body on one value a slot; gives slot 0.
u64 result(const Checked& checked, const std::vector<u64>& values, u32 mode = 0xf0) {
  EXPECT_EQ(checked.errors, "");
  Environment environment;
  environment.mode = mode;
  for (const u64 value : values) environment.slots.push_back(wide_value(value));
  const auto done = run(checked.body, environment);
  EXPECT_TRUE(done) << (done ? "" : done.error().message);
  return environment.slots.empty() ? 0 : environment.slots[0][0];
}

u64 lane_result(const std::string& slots, const std::string& block, const std::vector<u64>& values, u32 mode = 0xf0) {
  return result(check_lane(slots, block), values, mode);
}

TEST(Evaluate, Integers) {
  const std::string u = "d out u32\na in u32\nb in u32", i = "d out i32\na in i32\nb in i32";
  EXPECT_EQ(lane_result(u, "d = a + b", {0, 0xffffffff, 2}), 1u);
  EXPECT_EQ(lane_result(u, "d = a << b", {0, 1, 31}), 0x80000000u);
  EXPECT_EQ(lane_result(u, "d = a << b", {0, 1, 32}), 0u);
  EXPECT_EQ(lane_result(i, "d = a >> b", {0, 0x80000000, 31}), 0xffffffffu);
  EXPECT_EQ(lane_result(i, "d = a >> b", {0, 0x80000000, 0xffffffff}), 0xffffffffu);
  EXPECT_EQ(lane_result(i, "d = a / b", {0, 0x80000000, 0xffffffff}), 0x80000000u);
  EXPECT_EQ(lane_result(i, "d = a % b", {0, 0x80000000, 0xffffffff}), 0u);
  EXPECT_EQ(lane_result(i, "d = a / b", {0, 0xfffffff9, 2}), 0xfffffffdu);
  EXPECT_EQ(lane_result(i, "d = a % b", {0, 0xfffffff9, 2}), 0xffffffffu);
  EXPECT_EQ(lane_result(u, "d = a / b", {0, 7, 0}), 0u);
  EXPECT_EQ(lane_result(i, "d = min(a, b)", {0, 0xffffffff, 1}), 0xffffffffu);
  EXPECT_EQ(lane_result(u, "d = min(a, b)", {0, 0xffffffff, 1}), 1u);
  EXPECT_EQ(lane_result(u, "d = mul_hi(a, b)", {0, 0xffffffff, 0xffffffff}), 0xfffffffeu);
  EXPECT_EQ(lane_result(i, "d = mul_hi(a, b)", {0, 0xffffffff, 2}), 0xffffffffu);
  EXPECT_EQ(lane_result(u, "d = popcount(a) + clz(b) * 100", {0, 0xf0f0, 0x10000}), 1508u);
  EXPECT_EQ(lane_result(u, "d = ctz(a) + clz(b)", {0, 0, 0}), 64u);
  EXPECT_EQ(lane_result(u, "d = reverse(a)", {0, 1, 0}), 0x80000000u);
  EXPECT_EQ(lane_result("d out b1\na in u32\nb in u32", "d = carry(a, b, b1(1))", {0, 0xffffffff, 0}), 1u);
  EXPECT_EQ(lane_result("d out b1\na in u32\nb in u32", "d = carry(a, b, b1(0))", {0, 0xffffffff, 0}), 0u);
  EXPECT_EQ(lane_result(i, "d = abs(a)", {0, 0xfffffffe, 0}), 2u);
}

TEST(Evaluate, WideProducts) {
  EXPECT_EQ(lane_result("d out u64\na in u64\nb in u64", "d = u64((u128(a) * u128(b)) >> 64)", {0, ~u64{0}, ~u64{0}}),
            ~u64{0} - 1);
  EXPECT_EQ(lane_result("d out i64\na in i32\nb in i32", "d = i64(i128(a) * i128(b))", {0, 0x80000000, 2}),
            0xffffffff00000000u);
}

TEST(Evaluate, ModeRoundsAndFlushes) {
  const std::string slots = "d out f32\na in f32\nb in f32";
  const u64 one = 0x3f800000, tiny = 0x33000000;  // half an ulp of one
  EXPECT_EQ(lane_result(slots, "d = fadd(a, b)", {0, one, tiny}, 0xf0), one);
  EXPECT_EQ(lane_result(slots, "d = fadd(a, b)", {0, one, tiny}, 0xf1), one + 1);
  EXPECT_EQ(lane_result(slots, "d = fadd(a, b)", {0, one, tiny}, 0xf2), one);
  EXPECT_EQ(lane_result(slots, "d = fadd(a, b)", {0, one, tiny}, 0xfc), one);  // the field of f16 and f64
  EXPECT_EQ(lane_result(slots, "d = fadd(a, b)", {0, 1, 1}, 0xf0), 2u);
  EXPECT_EQ(lane_result(slots, "d = fadd(a, b)", {0, 1, 1}, 0xd0), 0u);  // results flushed
  EXPECT_EQ(lane_result(slots, "d = fadd(a, b)", {0, 1, 1}, 0xe0), 0u);  // arguments flushed
  EXPECT_EQ(lane_result(slots, "d = fadd(a, b)", {0, 1, 1}, 0x30), 2u);  // only f16 and f64 are flushed
  EXPECT_EQ(lane_result("d out f32\na in f32", "d = fclamp(a)", {0, 0x7fc00000}, 0x1f0), 0u);
  EXPECT_EQ(lane_result("d out f32\na in f32", "d = fneg(a)", {0, 1}, 0), 0x80000001u);
}

TEST(Evaluate, Comparisons) {
  const std::string slots = "d out b1\na in f32\nb in f32";
  const u64 one = 0x3f800000, two = 0x40000000, nan = 0x7fc00000;
  struct Row {
    const char* relation;
    bool less, equal, greater, unordered;
  };
  const Row rows[] = {{"lt", 1, 0, 0, 0},  {"eq", 0, 1, 0, 0},  {"le", 1, 1, 0, 0},  {"gt", 0, 0, 1, 0},
                      {"lg", 1, 0, 1, 0},  {"ge", 0, 1, 1, 0},  {"o", 1, 1, 1, 0},   {"u", 0, 0, 0, 1},
                      {"nge", 1, 0, 0, 1}, {"nlg", 0, 1, 0, 1}, {"ngt", 1, 1, 0, 1}, {"nle", 0, 0, 1, 1},
                      {"neq", 1, 0, 1, 1}, {"nlt", 0, 1, 1, 1}, {"f", 0, 0, 0, 0}};
  for (const Row& row : rows) {
    const Checked checked = check_lane(slots, std::string("d = fcmp.") + row.relation + "(a, b)");
    EXPECT_EQ(result(checked, {0, one, two}), row.less) << row.relation;
    EXPECT_EQ(result(checked, {0, one, one}), row.equal) << row.relation;
    EXPECT_EQ(result(checked, {0, two, one}), row.greater) << row.relation;
    EXPECT_EQ(result(checked, {0, nan, one}), row.unordered) << row.relation;
  }
}

/// Words by address, for the tests of memory.
void give_memory(Environment& environment, std::map<u64, u64>& words) {
  environment.load = [&words](Space, u64 address, unsigned, u32) { return wide_value(words[address]); };
  environment.store = [&words](Space, u64 address, unsigned, u128 value, u32) {
    words[address] = static_cast<u64>(value);
  };
}

TEST(Evaluate, UpdatesApplyTheirFunctionToTheOldValue) {
  const Checked checked = check("d out u32\naddr in u32\ndata in u32", "exec lane", "d = lds.update(addr, wrap, data)",
                                {}, "fn wrap(x, limit) = x >= limit ? u32(0) : x + 1\n");
  ASSERT_EQ(checked.errors, "");
  std::map<u64, u64> words = {{64, 4}};
  Environment environment;
  give_memory(environment, words);
  environment.slots = {{}, wide_value(64), wide_value(5)};
  ASSERT_TRUE(run(checked.body, environment));
  EXPECT_EQ(environment.slots[0][0], 4u);
  EXPECT_EQ(words[64], 5u);
  ASSERT_TRUE(run(checked.body, environment));
  EXPECT_EQ(words[64], 0u);
}

TEST(Evaluate, WideLoadsReachSlotsWhole) {
  const Checked checked = check("d out b512\nbase in b64", "exec", "d = scalar.load.b512(u64(base))");
  ASSERT_EQ(checked.errors, "");
  Environment environment;
  environment.load = [](Space space, u64 address, unsigned bits, u32) {
    EXPECT_EQ(space, Space::scalar);
    EXPECT_EQ(bits, 512u);
    return WideValue{address, 1, 2, 3, 4, 5, 6, 7};
  };
  environment.slots = {{}, wide_value(0x1000)};
  ASSERT_TRUE(run(checked.body, environment));
  EXPECT_EQ(environment.slots[0][0], 0x1000u);
  EXPECT_EQ(environment.slots[0][7], 7u);
}

TEST(Evaluate, LanesExchange) {
  const Checked checked = check("d inout b32\na in b32", "exec wave",
                                "for lane in active\n  let from = lane ^ 1\n  if active(from)\n    d[lane] = a[from]");
  ASSERT_EQ(checked.errors, "");
  Environment environment;
  environment.exec = 0x7;
  environment.lanes = {{90, 91, 92, 93}, {10, 11, 12, 13}};
  ASSERT_TRUE(run(checked.body, environment));
  EXPECT_EQ(environment.lanes[0], (std::vector<u128>{11, 10, 92, 93}));
}

TEST(Evaluate, InputsAreThoseOnEntry) {
  const Checked checked = check("d inout b32", "exec wave", "for lane in active\n  d[lane] = d[lane - 1]");
  ASSERT_EQ(checked.errors, "");
  Environment environment;
  environment.exec = 0xf;
  environment.lanes = {{1, 2, 3, 4}};
  environment.lanes[0].resize(32, 9);
  ASSERT_TRUE(run(checked.body, environment));
  // An operand that is written is read as it is at that moment.
  EXPECT_EQ(environment.lanes[0][3], 9u);
}

TEST(Evaluate, CountedLoopsCarryValues) {
  const Checked checked = check("d inout u32", "exec", "d = 0\nfor i in 0..100\n  d = d + i");
  EXPECT_EQ(result(checked, {77}), 4950u);
  const Checked unrolled = check("d inout u32", "exec", "d = 1\nfor i in 0..5\n  d = d * 2 + i");
  EXPECT_EQ(result(unrolled, {77}), 58u);
}

TEST(Evaluate, EffectsAreKept) {
  const Checked checked =
      check("scc in b1\noffset imm label", "exec", "if scc\n  wave.branch(pc.next + u64(i64(offset) * 4))");
  ASSERT_EQ(checked.errors, "");
  Environment environment;
  environment.next_pc = 0x100;
  environment.slots = {wide_value(1), wide_value(0xfffffffe)};
  ASSERT_TRUE(run(checked.body, environment));
  ASSERT_EQ(environment.effects.size(), 1u);
  EXPECT_EQ(environment.effects[0].op, Op::wave_branch);
  EXPECT_EQ(environment.effects[0].arguments[0], 0xf8u);
}

TEST(Evaluate, MalformedBodiesGiveErrors) {
  Body body;
  body.slots = {{"d", {TypeKind::unsigned_, 32}, false, true, false}};
  Statement statement{.kind = Statement::Kind::assign};
  statement.node = 5;
  body.statements = {statement};
  Environment environment;
  EXPECT_FALSE(run(body, environment));
  body.nodes = {Node{.op = Op::add, .type = {TypeKind::unsigned_, 32}, .args = {0, 0, no_node, no_node}}};
  body.statements[0].node = 0;
  EXPECT_FALSE(run(body, environment));
  body.nodes[0].op = Op::clock;
  EXPECT_FALSE(run(body, environment));
  body.nodes[0] = Node{.op = Op::constant, .type = {TypeKind::unsigned_, 32}};
  body.statements[0].slot = 9;
  EXPECT_FALSE(run(body, environment));
}

}  // namespace
}  // namespace gfxisa::core
