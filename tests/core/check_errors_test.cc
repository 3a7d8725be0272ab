// Mistakes in bodies: what is said, and where.
#include <gtest/gtest.h>

#include "body_text.h"

namespace gfxisa::core {
namespace {

struct Mistake {
  const char* slots;
  const char* block;
  const char* message;
};

void expect_lane(const Mistake& m) {
  EXPECT_EQ(check_lane(m.slots, m.block).errors, std::string(m.message) + "\n") << m.block;
}

TEST(CheckErrors, Operators) {
  const Mistake mistakes[] = {
      {"d out f16\na in f16\nb in f16", "d = a << b",
       "1:5: cannot shift f16 | integer operators refuse floats; use bits(x)"},
      {"d out f32\na in f32", "d = a + a", "1:5: cannot add f32 | integer operators refuse floats; use fadd"},
      {"d out f32\na in f32", "d = a * 2.0", "1:5: cannot multiply f32 | integer operators refuse floats; use fmul"},
      {"d out b1\na in f32", "d = a == a", "1:5: cannot compare f32 | integer operators refuse floats; use fcmp.eq"},
      {"d out f32\na in f32", "d = -a",
       "1:5: cannot negate f32 | integer operators refuse floats; use bits(x) or the float functions"},
      {"d out u32\na in u32\nb in i32", "d = a + b",
       "1:5: u32 and i32 have different signs | choose with u32(x) or i32(x)"},
      {"d out u32\na in u32\nb in u16", "d = a + b",
       "1:5: u32 and u16 have different widths | widen or cut one: u32(x)"},
      {"d out u32\na in u32", "d = a + 0x100000000",
       "1:9: 4294967296 does not fit u32 | widen the other value first, as in u64(x), or write the constant's type"},
      {"d out u32\na in u32", "d = a & -4", "1:9: -4 does not fit u32 | write ~u32(n), or use a signed type"},
      {"d out u32\na in u32", "d = 1 << a", "1:5: the type of 1 is not known here | say it, as in u32(1)"},
      {"d out u32\na in u32", "d = a ? a : a", "1:5: a condition is a b1, not u32 | compare: x != 0"},
      {"d out u32\na in u32", "d = !a ? a : a", "1:6: a condition is a b1, not u32 | compare: x != 0"},
      {"d out f16x2\na in f16x2", "d = a ^ a",
       "1:5: cannot combine the bits of f16x2 | a packed value is taken apart by each(f, x, y), lo(x), hi(x) or "
       "bits(x)"},
  };
  for (const Mistake& m : mistakes) expect_lane(m);
}

TEST(CheckErrors, Slices) {
  const Mistake mistakes[] = {
      {"d out b1\na in b32", "d = a[32]", "1:7: bit 32 is outside b32"},
      {"d out b8\na in b32", "d = a[39:32]", "1:7: bit 39 is outside b32"},
      {"d out b8\na in b32", "d = a[0:7]", "1:5: bits 0:7 are no range from high to low"},
      {"d out b8\na in f32", "d = a[7:0]", "1:5: cannot take bits of f32 | its bits are bits(x)"},
      {"d out b8\na in b32\nb in u32", "d = a[b + 7:b]",
       "1:7: the bounds of a slice are constants | shift first: (x >> n)[7:0]"},
      {"d out b32\na in b16", "d[15:0] = a",
       "1:1: 'd' is only written here | declare it inout to read it, or assign it first"},
      {"d inout b32\na in b16", "d[32:17] = a", "1:1: bits 32:17 are outside b32"},
      {"d inout b32\na in b8", "d[15:0] = a", "1:11: b8 and b16 have different widths | widen or cut one: u32(x)"},
  };
  for (const Mistake& m : mistakes) expect_lane(m);
}

TEST(CheckErrors, Names) {
  const Mistake mistakes[] = {
      {"d out u32\ndata in u32", "d = dato", "1:5: unknown name 'dato' | did you mean 'data'?"},
      {"d out f32\na in f32", "d = fad(a, a)", "1:5: unknown function 'fad' | did you mean 'fadd'?"},
      {"d out b1\na in f32", "d = fcmp.less(a, a)",
       "1:5: unknown function 'fcmp.less' | the relations are f lt eq le gt lg ge o u nge nlg ngt nle neq nlt t"},
      {"d out u32", "d = u32", "1:5: 'u32' is a type, not a value | convert with u32(x)"},
      {"d out u32\na in u32", "d = a(1)", "1:5: unknown function 'a' | 'a' is an operand; index it with a[i]"},
      {"d out u32", "e = 1\nd = 1", "1:1: unknown operand 'e' | the results are d"},
      {"d out u32\na in u32", "let x = a\nx = a\nd = x",
       "2:1: 'x' is no operand and never changes | assign to an operand, or use another let"},
      {"d out u32\na in u32", "let x = a\nlet x = a\nd = x",
       "2:5: 'x' is defined twice | a let never changes; choose another name"},
      {"d out u32\na in u32", "let a = 1\nd = 2", "1:5: 'a' is an operand; a let needs a name of its own"},
  };
  for (const Mistake& m : mistakes) expect_lane(m);
}

TEST(CheckErrors, Calls) {
  const Mistake mistakes[] = {
      {"d out f32\na in f32", "d = fadd(a)", "1:5: 'fadd' takes 2 arguments, not 1"},
      {"d out f32\na in u32", "d = fabs(a)",
       "1:10: 'fabs' wants floats, not u32 | as_f32(x) reads bits as a float, f32_of(x) converts"},
      {"d out f32\na in f32\nb in f16", "d = fadd(a, b)",
       "1:5: f32 and f16 are different formats | convert one: f32_of(x)"},
      {"d out f32\na in f32", "d = fmul(a, 2)", "1:13: 2 is an integer, and f32 is wanted | write 2.0"},
      {"d out f32", "d = fmul(1.0, 2.0)",
       "1:10: the type of a float constant is not known here | a float constant takes the type of the other argument"},
      {"d out u32\na in f32", "d = u32(a)",
       "1:5: 'u32' converts integers, not f32 | u32_of(x) converts the value, bits(x) gives the bits"},
      {"d out f32\na in u32", "d = f32(a)",
       "1:5: 'f32' converts no numbers | f32_of(x) converts the value, as_f32(x) takes the bits"},
      {"d out f32\na in u16", "d = as_f32(a)",
       "1:5: 'as_f32' keeps the bits, and u16 has 16 of them, not 32 | take a slice first: x[15:0]"},
      {"d out u32\na in i32", "d = u32_of(a)", "1:5: 'u32_of' converts no i32 | from integer to integer it is u32(x)"},
      {"d out u32\na in u32", "d = abs(a)", "1:5: abs wants a signed number, not u32 | choose with i32(x)"},
      {"d out f16x2\na in f16", "d = each(fadd, a, a)",
       "1:5: each wants packed values, such as f16x2 | operands are packed when their format is, like pk_f16"},
      {"d out b32\na in b64\nb in b128", "d = concat(a, b)[31:0]", "1:5: the parts have 192 bits, and 128 is the most"},
  };
  for (const Mistake& m : mistakes) expect_lane(m);
}

TEST(CheckErrors, Effects) {
  const Mistake mistakes[] = {
      {"d out u32\na in u32", "a = 1\nd = a", "1:5: 'a' is not written by this instruction | declare it out or inout"},
      {"d out u32", "d = d + 1", "1:5: 'd' is only written here | declare it inout to read it, or assign it first"},
      {"d out u32\na in u32", "nop()",
       "0:3: nothing is assigned to 'd' | it is declared out; assign it, or drop the slot"},
      {"d out u32\na in u32", "if a == 0\n  d = 1",
       "1:1: 'd' is assigned on one way only | assign it on both ways, or declare it inout to keep its old value"},
      {"d out u32\na in u32", "d = mem.load.b32(a)", "1:18: an address here is a u64, not u32"},
      {"d out u32\na in u32", "d = lds.load.b12(a)",
       "1:5: 'lds.load.b12' loads no 'b12' | a type of 8 to 128 bits follows: mem.load.b32(address)"},
      {"d out u32", "d = nop()", "1:5: 'nop' gives no value | it is a statement of its own"},
      {"d out u32\na in u32", "d = a\nmin(a, a)", "2:1: 'min' has no effect | assign its value: d = ..."},
      {"d out u32", "d = 1\nfor lane in active\n  nop()", "2:1: only `exec wave` sees all lanes | write `exec wave`"},
      {"d out u32\na in u32", "d = 1\nfor i in 0..a\n  nop()",
       "2:1: the bounds of a loop are constants from 0 to 65536"},
  };
  for (const Mistake& m : mistakes) expect_lane(m);
}

TEST(CheckErrors, KindsOfBodies) {
  EXPECT_EQ(check("d out u32", "exec", "d = lane").errors,
            "1:5: there is no lane here | use `exec lane`, or `for lane in active` in `exec wave`\n");
  EXPECT_EQ(check("addr in u32", "exec wave", "lds.store(addr, addr)").errors,
            "1:1: 'lds.store' is done by a lane, and there is none here | put it into `for lane in active`\n");
  EXPECT_EQ(check("a in u32\nd out b32", "exec wave", "d = vgpr[a]").errors,
            "1:5: a lane is missing | vgpr[i][lane] outside `exec lane`\n");
}

TEST(CheckErrors, FunctionsNameTheirCaller) {
  const std::string functions = "fn twice(x) = x + x\n";
  EXPECT_EQ(check("d out f32\na in f32", "exec lane", "d = twice(a)", {}, functions).errors,
            "-2:15: cannot add f32 | integer operators refuse floats; use fadd; in twice(f32), for line 4\n");
  const std::string pure = "fn load(x) = lds.load.b32(x)\n";
  EXPECT_EQ(check("d out b32\na in u32", "exec lane", "d = load(a)", {}, pure).errors,
            "-2:14: 'lds.load.b32' has an effect, and functions have none | call it from the body; in load(u32), for "
            "line 4\n");
}

TEST(CheckErrors, EndlessFunctionsEnd) {
  const std::string itself = "fn forever(x) = forever(x + 1)\n";
  const Checked one = check("d out u32\na in u32", "exec lane", "d = forever(a)", {}, itself);
  EXPECT_NE(one.errors.find("'forever' calls itself without end"), std::string::npos) << one.errors;
  std::string growing = "fn g0_(x) = x + 1\n";
  for (int i = 1; i < 40; ++i) {
    const std::string callee = "g" + std::to_string(i - 1) + "_";
    growing += "fn g" + std::to_string(i) + "_(x) = " + callee + "(x) ^ " + callee + "(x + 1)\n";
  }
  const Checked many = check("d out u32\na in u32", "exec lane", "d = g39_(a)", {}, growing);
  EXPECT_NE(many.errors.find("too large"), std::string::npos) << many.errors;
}

TEST(CheckErrors, OneMistakeIsReportedOnce) {
  EXPECT_EQ(check_lane("d out u32\na in u32", "let x = nothing\nlet y = x + 1\nd = y * x").errors,
            "1:9: unknown name 'nothing'\n");
}

}  // namespace
}  // namespace gfxisa::core
