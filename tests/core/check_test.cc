#include <gtest/gtest.h>

#include "body_text.h"

namespace gfxisa::core {
namespace {

const std::string u32_slots = "d out u32\na in u32\nb in u32\nc in u32";
const std::string f32_slots = "d out f32\na in f32\nb in f32\ni in i32";

std::string listed(const std::string& slots, const std::string& block) {
  const Checked checked = check_lane(slots, block);
  EXPECT_EQ(checked.errors, "");
  return checked.listing;
}

TEST(Check, OperatorsTakeTheTypeOfTheirOperands) {
  EXPECT_EQ(listed(u32_slots, "d = a + b * 3"), "d = add(a, mul(b, 3:u32))\n");
  EXPECT_EQ(listed("d out i32\na in i32\nb in u32", "d = a >> b"), "d = shr(a, b)\n");
  EXPECT_EQ(listed("d out b1\na in i32", "d = a > -1"), "d = lt(-1:i32, a)\n");
  EXPECT_EQ(listed("d out u32\na in b32\nb in u32", "d = a & b"), "d = bit_and(bitcast.u32(a), b)\n");
}

TEST(Check, SlicesAndConcatenation) {
  EXPECT_EQ(listed("d out b32\na in b32", "d = concat(a[15:0], a[31:16])"),
            "d = concat(extract.b16(a, #0), extract.b16(a, #16))\n");
  EXPECT_EQ(listed("d out b1\na in u64", "d = a[32]"), "d = extract.b1(a, #32)\n");
  EXPECT_EQ(listed("d out b1\na in u32\nb in u32", "d = a[b]"), "d = extract.b1(shr(bitcast.b32(a), b), #0)\n");
}

TEST(Check, ConversionsGoByTheArgumentsOwnSign) {
  EXPECT_EQ(listed("d out u64\na in i32", "d = u64(a)"), "d = sext.u64(a)\n");
  EXPECT_EQ(listed("d out u64\na in u32", "d = u64(a)"), "d = zext.u64(a)\n");
  EXPECT_EQ(listed("d out i8\na in u32", "d = i8(a)"), "d = trunc.i8(a)\n");
  EXPECT_EQ(listed(f32_slots, "d = f32_of(i)"), "d = int_to_float.f32(i)\n");
  EXPECT_EQ(listed("d out i32\na in f16", "d = i32_of(a)"), "d = float_to_int.i32(a)\n");
  EXPECT_EQ(listed("d out f16\na in f32", "d = f16_of.rtz(a)"), "d = float_to_float.f16(a, #4)\n");
  EXPECT_EQ(listed("d out f32\na in b32", "d = as_f32(a)"), "d = bitcast.f32(a)\n");
}

TEST(Check, FloatConstantsTakeTheFormat) {
  EXPECT_EQ(listed(f32_slots, "d = fmul(a, 0.5)"), "d = fmul(a, 1056964608:f32)\n");
  EXPECT_EQ(listed("d out f16\na in f16", "d = fadd(a, 1.0)"), "d = fadd(a, 15360:f16)\n");
  EXPECT_EQ(listed("d out b1\na in f64", "d = fcmp.nlt(a, -2.0)"), "d = fcmp(a, 13835058055282163712:f64, #14)\n");
}

TEST(Check, ConstantsFold) {
  EXPECT_EQ(listed(u32_slots, "d = u32(7) * 6 - (u32(1) << 33)"), "d = 42:u32\n");
  EXPECT_EQ(listed("d out i32", "d = i32(-7) / 2 + i32(-7) % 2"), "d = -4:i32\n");
  EXPECT_EQ(listed("d out u32", "d = u32(5) / u32(0)"), "d = 0:u32\n");
  EXPECT_EQ(listed(u32_slots, "d = (a + 0) * 1 | (b & 0)"), "d = a\n");
  EXPECT_EQ(listed("d out i32", "d = i32(-8) >> 40"), "d = -1:i32\n");
  EXPECT_EQ(listed("d out u128\na in u128", "d = a ^ ~u128(0)"), "d = bit_xor(a, bit_not(0:u128))\n");
}

TEST(Check, EqualNodesAreOne) {
  const Checked checked = check_lane(u32_slots, "let x = a + b\nd = x * (a + b)");
  EXPECT_EQ(checked.listing, "d = mul(add(a, b), add(a, b))\n");
  EXPECT_EQ(checked.body.nodes.size(), 4u);
}

TEST(Check, TypesOfOutputsAreKnown) {
  EXPECT_EQ(listed("d out u64\na in b32", "d = u64(a[log2(width(d)) - 1:0])"), "d = zext.u64(extract.b6(a, #0))\n");
}

TEST(Check, OnesAdaptToTheOtherOperand) {
  EXPECT_EQ(listed(u32_slots, "d = a & ones(b)"), "d = bit_and(a, sub(shl(1:u32, b), 1:u32))\n");
  EXPECT_EQ(listed(u32_slots, "d = a & ones(log2(width(a)))"), "d = bit_and(a, 31:u32)\n");
}

TEST(Check, ReadsSeeEarlierAssignments) {
  EXPECT_EQ(listed("d inout b32\na inout b32", "let old = d\nd = a\na = old"), "d = a\na = d\n");
  EXPECT_EQ(listed("d inout u32", "d = d + 1\nd = d + 2"), "d = add(d, 1:u32)\nd = add(add(d, 1:u32), 2:u32)\n");
}

TEST(Check, AssignmentOfBitsKeepsTheRest) {
  EXPECT_EQ(listed("d inout b32\na in b16", "d[15:0] = a"), "d = concat(extract.b16(d, #16), a)\n");
  EXPECT_EQ(listed("d inout b32\na in b8", "d[15:8] = a"),
            "d = concat(extract.b16(d, #16), concat(a, extract.b8(d, #0)))\n");
  EXPECT_EQ(listed("d out b32\na in b32", "d[31:0] = a"), "d = a\n");
}

TEST(Check, BranchesThatOnlyAssignBecomeSelects) {
  EXPECT_EQ(listed("d inout u32\na in u32", "if a != 0\n  d = a"), "d = select(ne(a, 0:u32), a, d)\n");
  EXPECT_EQ(listed(u32_slots, "if a < b\n  d = a\nelse\n  d = b"), "d = select(lt(a, b), a, b)\n");
  const Checked jump =
      check("pc out u64\nscc in b1\noffset imm label", "exec", "if scc\n  pc = pc.next + u64(i64(offset)) * 4");
  EXPECT_EQ(jump.errors, "");
  EXPECT_EQ(jump.listing, "pc = select(scc, add(next_pc, mul(bitcast.u64(sext.i64(offset)), 4:u64)), next_pc)\n");
}

TEST(Check, BranchesWithEffectsStay) {
  EXPECT_EQ(listed("a in u32\naddr in u32", "if a != 0\n  lds.store(addr, a)\nelse\n  lds.store(addr, ~a)"),
            "if ne(a, 0:u32)\n  lds_store(addr, a)\nelse\n  lds_store(addr, bit_not(a))\n");
}

TEST(Check, KnownConditionsChooseBeforeTyping) {
  EXPECT_EQ(listed(u32_slots, "d = width(a) == 64 ? a[63:32] : a"), "d = a\n");
  EXPECT_EQ(listed(u32_slots, "if signed(a)\n  d = unknown(a)\nelse\n  d = b"), "d = b\n");
}

TEST(Check, FunctionsAreTypedAtEachCall) {
  const std::string functions =
      "fn low_bits(x, n) = x & ones(n)\n"
      "fn sign_from(x, n) = (x << (width(x) - min(n, width(x)))) >> (width(x) - min(n, width(x)))\n"
      "fn run(x, at, n) = signed(x) ? sign_from(low_bits(x >> at, n), n) : low_bits(x >> at, n)\n";
  const Checked word = check("d out u32\na in u32", "exec lane", "d = run(a, 4, 8)", {}, functions);
  EXPECT_EQ(word.errors, "");
  EXPECT_EQ(word.listing, "d = bit_and(shr(a, 4:u32), 255:u32)\n");
  const Checked with_sign = check("d out i32\na in i32", "exec lane", "d = run(a, 0, 8)", {}, functions);
  EXPECT_EQ(with_sign.listing, "d = shr(shl(bit_and(a, 255:i32), 24:u32), 24:u32)\n");
}

TEST(Check, ListsNameTypesNumbersAndOperations) {
  const std::vector<std::pair<std::string, std::string>> lists = {{"T", "u16"}, {"C", "le"}, {"N", "3"}, {"F", "max"}};
  const Checked checked = check("d out b1\na in f32\nb in f32", "exec lane", "d = fcmp.{C}(a, b)", lists);
  EXPECT_EQ(checked.listing, "d = fcmp(a, b, #3)\n");
  EXPECT_EQ(check("d out u16\na in u32", "exec lane", "d = T(a >> N)", lists).listing,
            "d = trunc.u16(shr(a, 3:u32))\n");
  EXPECT_EQ(check("d out u32\na in u32", "exec lane", "d = F(a, 9)", lists).listing, "d = max(a, 9:u32)\n");
  EXPECT_EQ(fill("v_{T}_{C}_{X}{", lists), "v_u16_le_{X}{");
}

TEST(Check, PackedValues) {
  EXPECT_EQ(listed("d out f16x2\na in f16x2\nb in f16x2", "d = each(fadd, a, b)"),
            "d = concat(bitcast.b16(fadd(bitcast.f16(extract.b16(a, #16)), bitcast.f16(extract.b16(b, #16)))), "
            "bitcast.b16(fadd(bitcast.f16(extract.b16(a, #0)), bitcast.f16(extract.b16(b, #0)))))\n");
  EXPECT_EQ(listed("d out i16\na in i16x2", "d = hi(a)"), "d = bitcast.i16(extract.b16(a, #16))\n");
  EXPECT_EQ(listed("d out b16x2\na in b16\nb in b16", "d = pack(a, b)"), "d = concat(b, a)\n");
}

TEST(Check, MemoryHasItsTime) {
  EXPECT_EQ(listed("d out u32\naddr in u32\ndata in u32\noffset imm u16", "d = lds.update(addr + offset, max, data)"),
            "%6 = lds_update(add(addr, offset), max(old_value, data))\nd = %6\n");
  EXPECT_EQ(listed("d out b32\naddr in address", "d = b32(i32(mem.load.i8(addr)))"),
            "%1 = mem_load.i8(addr)\nd = bitcast.b32(sext.i32(%1))\n");
}

TEST(Check, WaveBodiesReachLanes) {
  const Checked permute =
      check("d out b32\naddr in u32\ndata in b32", "exec wave",
            "for lane in active\n  let to = addr[lane] >> 2\n  if active(to)\n    d[to] = data[lane]");
  EXPECT_EQ(permute.errors, "");
  EXPECT_EQ(permute.listing,
            "for i0 in active\n  if active(shr(lane_input(addr, i0), 2:u32))\n"
            "    d[shr(lane_input(addr, i0), 2:u32)] = lane_input(data, i0)\n");
  const Checked swap = check("d inout b32", "exec wave", "for lane in lanes\n  let x = d[lane ^ 1]\n  d[lane] = x");
  EXPECT_EQ(swap.listing, "for i0 in lanes\n  %3 = lane_current(d, bit_xor(i0, 1:u32))\n  d[i0] = %3\n");
}

TEST(Check, ScalarMasksAreWords) {
  const Checked save =
      check("d out b64\na in b64\nexec inout mask\nscc out b1", "exec", "d = exec\nexec = exec & a\nscc = exec != 0");
  EXPECT_EQ(save.errors, "");
  EXPECT_EQ(save.listing, "d = exec\nexec = bit_and(exec, a)\nscc = ne(bit_and(exec, a), 0:b64)\n");
  const Checked narrow = check("exec inout mask\na in b32", "exec", "exec = exec & a");
  EXPECT_EQ(narrow.errors, "");
  EXPECT_EQ(narrow.listing, "exec = zext.b64(bit_and(trunc.b32(exec), a))\n");
}

TEST(Check, ShortLoopsAreWrittenOut) {
  EXPECT_EQ(listed("d inout u32\na in u32", "for i in 0..2\n  d = d + u32(a[i * 2 + 1:i * 2])"),
            "d = add(d, zext.u32(extract.b2(a, #0)))\n"
            "d = add(add(d, zext.u32(extract.b2(a, #0))), zext.u32(extract.b2(a, #2)))\n");
  const Checked many = check("d inout u32\na in u32", "exec", "for i in 0..100\n  d = d * a + i");
  EXPECT_EQ(many.errors, "");
  EXPECT_EQ(many.listing, "for i0 in 0..100\n  %1 = current(d)\n  d = add(mul(%1, a), i0)\n");
}

}  // namespace
}  // namespace gfxisa::core
