// Names resolved, families unfolded, forms made: on the small spec of tests/errors/common/base.isa.
#include <gtest/gtest.h>

#include <algorithm>

#include "spec_text.h"

namespace gfxisa::model {
namespace {

const std::string base = read_text(GFXISA_SOURCE_DIR "/tests/errors/common/base.isa");

SpecText with_base(const std::string& text) { return SpecText({{"base.isa", base}, {"test.isa", text}}); }

const Instruction* find(const Isa& isa, const std::string& name) {
  for (const Instruction& instruction : isa.instructions) {
    if (instruction.name == name) return &instruction;
  }
  return nullptr;
}

/// `old:VOP2:0x1` for each form of an instruction, a plus behind the promoted ones.
std::string forms_of(const Isa& isa, const std::string& name) {
  std::string text;
  for (const Form& form : isa.forms) {
    if (isa.instructions[form.instruction].name != name) continue;
    text += (text.empty() ? "" : " ") + isa.chips[form.chip].name + ':' + isa.encodings[form.encoding].name + ':' +
            std::to_string(form.opcode) + (form.promoted ? "+" : "");
  }
  return text;
}

std::string family(const std::string& name, const std::string& lines, const std::string& table) {
  return "family " + name + "\n" + lines +
         "  about    Test of {T}.\n  ptx      none\n\n  d        out T\n  a        in  T\n  b        in  T\n\n" +
         table + "\n  exec lane\n    d = a\n";
}

TEST(Sets, AreResolved) {
  const SpecText spec = with_base(
      "encoding A 32 on gfx9\n  31:0     op\nencoding B 32 on gfx10+\n  31:0     op\nencoding C 32 on old gfx1030\n  "
      "31:0     op\n"
      "encoding D 32 on gfx9+-middle\n  31:0     op\nencoding E 32\n  31:0     op\n");
  ASSERT_EQ(spec.diagnostics.text(), "");
  const auto chips = [&](const std::string& name) {
    for (const Encoding& encoding : spec.isa.encodings) {
      if (encoding.name == name) return encoding.chips;
    }
    return ChipSet{0};
  };
  EXPECT_EQ(chips("A"), 0b001U);
  EXPECT_EQ(chips("B"), 0b110U);
  EXPECT_EQ(chips("C"), 0b011U);
  EXPECT_EQ(chips("D"), 0b101U);
  EXPECT_EQ(chips("E"), 0b111U);
  EXPECT_EQ(spec.isa.chips[2].epoch, 2U);
}

const Encoding* encoding_of(const Isa& isa, const std::string& name) {
  for (const Encoding& encoding : isa.encodings) {
    if (encoding.name == name) return &encoding;
  }
  return nullptr;
}

TEST(Epochs, KnowEarlierMnemonics) {
  const SpecText spec = with_base(
      "chip newest\n  title    Newest\n  targets  gfx1201\n  wave     32\n\n"
      "epoch gfx12 = newest knows gfx10 gfx11\n");
  ASSERT_EQ(spec.diagnostics.text(), "");
  EXPECT_EQ(spec.isa.epochs[3].known, 0b0110U);
  EXPECT_EQ(spec.isa.epochs[2].known, 0U);
}

TEST(Encodings, NameHalvesOfRegisters) {
  const SpecText spec = with_base(
      "encoding H 32\n  31:8     op\n  7:0      src0  vgpr  is a\n  syntax   a\n  halves   numbered on gfx10\n"
      "  halves   lower on gfx11\n"
      "encoding LIKE_H 64 like H on gfx10+\n  63:32    imm  imm  is imm\n"
      "encoding OWN_H 64 like H\n  63:32    imm  imm  is imm\n  halves   numbered on gfx11\n"
      "encoding NONE 32\n  31:0     op\n");
  ASSERT_EQ(spec.diagnostics.text(), "");
  const Encoding& halves = *encoding_of(spec.isa, "H");
  ASSERT_EQ(halves.halves.size(), 2U);
  EXPECT_TRUE(halves.halves[0].has_upper);
  EXPECT_EQ(halves.halves[0].chips, 0b010U);
  EXPECT_FALSE(halves.halves[1].has_upper);
  EXPECT_EQ(halves.halves[1].chips, 0b100U);
  EXPECT_EQ(encoding_of(spec.isa, "LIKE_H")->halves.size(), 2U);
  ASSERT_EQ(encoding_of(spec.isa, "OWN_H")->halves.size(), 1U);
  EXPECT_EQ(encoding_of(spec.isa, "OWN_H")->halves[0].chips, 0b100U);
  EXPECT_TRUE(encoding_of(spec.isa, "NONE")->halves.empty());
}

TEST(Encodings, SayHowWideOperandsOfASuffixAre) {
  const SpecText spec = with_base(
      "suffix W 32 of VOP2\n  selects  src0 = 250\n  31:0     word  value\n  widest   32\n  widest   16 on gfx11\n");
  ASSERT_EQ(spec.diagnostics.text(), "");
  const std::vector<Widest>& widest = encoding_of(spec.isa, "W")->widest;
  ASSERT_EQ(widest.size(), 2U);
  EXPECT_EQ(widest[0].bits, 32U);
  EXPECT_EQ(widest[0].chips, 0b111U);
  EXPECT_EQ(widest[1].bits, 16U);
  EXPECT_EQ(widest[1].chips, 0b100U);
}

TEST(Encodings, LimitScalarValues) {
  const SpecText spec = with_base(
      "encoding S 32\n  31:24    op\n  23:16    src1  ssrc  is b\n  15:8     src0  ssrc  is a\n  7:0      vdst  vgpr  "
      "is d\n"
      "  syntax   d a b\n  scalars  1 on gfx9\n  scalars  2 besides m0 on gfx10+\n"
      "encoding LIKE_S 64 like S on gfx11\n  63:32    imm  imm  is imm\n\n" +
      family("v_test_{T}", "  for      T: u32 i32\n  scalars  1 for i32 on gfx10+\n",
             "  S      gfx9+\n    u32  0x1\n    i32  0x2\n"));
  ASSERT_EQ(spec.diagnostics.text(), "");
  const std::vector<Scalars>& scalars = encoding_of(spec.isa, "S")->scalars;
  ASSERT_EQ(scalars.size(), 2U);
  EXPECT_EQ(scalars[0].most, 1U);
  EXPECT_EQ(scalars[0].chips, 0b001U);
  EXPECT_EQ(scalars[1].most, 2U);
  EXPECT_EQ(scalars[1].besides, "m0");
  EXPECT_EQ(scalars[1].chips, 0b110U);
  EXPECT_EQ(encoding_of(spec.isa, "LIKE_S")->scalars.size(), 2U);
  EXPECT_TRUE(find(spec.isa, "v_test_u32")->scalars.empty());
  ASSERT_EQ(find(spec.isa, "v_test_i32")->scalars.size(), 1U);
  EXPECT_EQ(find(spec.isa, "v_test_i32")->scalars[0].chips, 0b110U);
}

TEST(Families, AreUnfolded) {
  const SpecText spec = with_base(family("v_{C}_{T}", "  for      C: min:x max\n  for      T: f32 u32:-\n",
                                         "  VOP2  gfx9+\n    f32 0x02 + C\n    u32 0x08 + C\n"));
  ASSERT_EQ(spec.diagnostics.text(), "");
  ASSERT_EQ(spec.isa.instructions.size(), 4U);
  EXPECT_EQ(spec.isa.instructions[0].name, "v_max_f32");
  EXPECT_EQ(spec.isa.instructions[3].name, "v_min_u32");
  EXPECT_EQ(spec.isa.instructions[3].about, "Test of u32.");
  EXPECT_EQ(spec.isa.instructions[3].slots[0].type, "u32");
  EXPECT_EQ(spec.isa.instructions[3].list_values, (std::vector<std::string>{"min", "u32"}));
  EXPECT_EQ(forms_of(spec.isa, "v_max_u32"), "old:VOP2:9 middle:VOP2:9 new:VOP2:9");
}

TEST(Families, HavePartsAndExceptions) {
  const SpecText spec =
      with_base(family("v_{C}_{T}", "  for      C: f lt eq gt\n  for      T: f32 u32\n  except   gfx11: f lt u32\n",
                       "  VOP2      gfx9     gfx10+\n    f32     0x00 + C 0x10 + C\n"
                       "    u32 f..lt 0x08 + C 0x18 + C\n    u32 eq..gt 0x20 + C -\n"));
  ASSERT_EQ(spec.diagnostics.text(), "");
  EXPECT_EQ(forms_of(spec.isa, "v_gt_f32"), "old:VOP2:3 middle:VOP2:19 new:VOP2:19");
  EXPECT_EQ(forms_of(spec.isa, "v_lt_u32"), "old:VOP2:9 middle:VOP2:25");
  EXPECT_EQ(forms_of(spec.isa, "v_lt_f32"), "old:VOP2:1 middle:VOP2:17 new:VOP2:17");
  EXPECT_EQ(forms_of(spec.isa, "v_gt_u32"), "old:VOP2:35");
}

TEST(Families, HaveOtherNames) {
  const SpecText spec = with_base(
      family("v_now_{T}", "  for      T: f32\n  name     gfx9 gfx10: v_then_{T}\n  alias    gfx11: v_too_{T}\n",
             "  VOP2  gfx9+\n        0x00\n"));
  ASSERT_EQ(spec.diagnostics.text(), "");
  const Instruction* instruction = find(spec.isa, "v_now_f32");
  ASSERT_NE(instruction, nullptr);
  EXPECT_EQ(instruction->name_on(0), "v_then_f32");
  EXPECT_EQ(instruction->name_on(1), "v_then_f32");
  EXPECT_EQ(instruction->name_on(2), "v_now_f32");
  ASSERT_EQ(instruction->aliases.size(), 1U);
  EXPECT_EQ(instruction->aliases[0], (std::pair<ChipSet, std::string>{0b100U, "v_too_f32"}));
}

TEST(Promotions, NeedAPlaceForEverySlot) {
  const std::string promote =
      "encoding VOPS 32\n  31:16    op\n  15:8     src  vgpr  is b\n  7:0      dst  vgpr  is d\n"
      "promote VOP2 to VOPS\npromote VOP2 to VOPT + 0x100 on gfx10+\n"
      "encoding VOPT 64\n  63:32    reserved\n  31:24    op2  value\n  23:16    b    vgpr  is b\n"
      "  15:8     a    vgpr  is a\n  7:0      d    vgpr  is d\n";
  // VOPS has no place for a, VOPT no opcode: the first is passed over, the second reported.
  const SpecText spec = with_base(promote + family("v_x_{T}", "  for      T: f32\n", "  VOP2  gfx9+\n        0x05\n"));
  EXPECT_NE(spec.diagnostics.text().find("opcode 0x105 does not fit the op field of VOPT (0 bits)"), std::string::npos);
  EXPECT_EQ(forms_of(spec.isa, "v_x_f32"), "old:VOP2:5 middle:VOP2:5 middle:VOPT:261+ new:VOP2:5 new:VOPT:261+");
}

TEST(Promotions, AreDroppedByWithoutAndBeatenByTables) {
  const std::string promote =
      "encoding VOPT 64\n  63:33    op\n  32:24    reserved\n  23:16    b  vgpr  is b\n"
      "  15:8     a  vgpr  is a\n  7:0      d  vgpr  is d\npromote VOP2 to VOPT + 0x100\n";
  const SpecText spec = with_base(promote + family("v_x_{T}", "  for      T: f32\n  without  gfx9: VOPT\n",
                                                   "  VOP2  gfx9+\n        0x05\n  VOPT  gfx11\n        0x07\n"));
  ASSERT_EQ(spec.diagnostics.text(), "");
  EXPECT_EQ(forms_of(spec.isa, "v_x_f32"), "old:VOP2:5 middle:VOP2:5 middle:VOPT:261+ new:VOP2:5 new:VOPT:7");
}

TEST(Bodies, AreChosenByGeneration) {
  const SpecText spec = with_base(
      "family v_x\n  about    Test.\n  ptx      none\n  d        out u32\n  a        in  u32\n  b        in  u32\n"
      "  VOP2  gfx9+\n        0x00\n  exec lane on gfx9\n    d = a\n  exec lane on gfx10+\n    // the other way\n    d "
      "= twice(b)\n");
  ASSERT_EQ(spec.diagnostics.text(), "");
  const Instruction& instruction = spec.isa.instructions.at(0);
  ASSERT_EQ(instruction.semantics.size(), 2U);
  EXPECT_EQ(instruction.semantics[0].chips, 0b001U);
  EXPECT_EQ(instruction.semantics[1].chips, 0b110U);
  EXPECT_EQ(instruction.semantics[1].source, "// the other way\nd = twice(b)");
  EXPECT_EQ(instruction.semantics[1].body.kind, core::BodyKind::lane);
  EXPECT_FALSE(instruction.semantics[1].body.statements.empty());
}

TEST(Stages, AreTypedOnceAType) {
  const SpecText spec = with_base(
      "stage part(x, sel, old) = sel == 0 ? x : old\n"
      "encoding VOPX 32\n  31:24    op\n  23:16    src0_sel  value\n  15:8     neg       value\n  7:0      dst       "
      "vgpr  is d\n"
      "  read     negate(neg[i]) on f16 f32\n  write    part(sel[i], old) on half\n"
      "encoding VOPY 32\n  31:24    op\n  23:8     neg  value\n  7:0      dst  vgpr  is d\n  read     negate(neg) on "
      "f32\n");
  ASSERT_EQ(spec.diagnostics.text(), "");
  EXPECT_EQ(spec.isa.stage_bodies.size(), 3U);
  const auto named = [](const std::string& name) {
    return [name](const Encoding& encoding) { return encoding.name == name; };
  };
  const auto x = std::find_if(spec.isa.encodings.begin(), spec.isa.encodings.end(), named("VOPX"));
  const auto y = std::find_if(spec.isa.encodings.begin(), spec.isa.encodings.end(), named("VOPY"));
  EXPECT_EQ(x->reads[0].bodies[1], y->reads[0].bodies[0]);
  EXPECT_EQ(x->writes[0].types, std::vector<std::string>{"f16"});
  EXPECT_EQ(x->writes[0].arguments, (std::vector<std::string>{"sel", "old"}));
  EXPECT_EQ(x->writes[0].indexed, (std::vector<bool>{true, false}));
}

TEST(Kinds, MayDifferFromChipToChip) {
  const SpecText spec = with_base(
      "kind dst 8 sgpr on gfx9\n  about  One.\nkind dst 8 sgpr special on gfx10+\n  about  Another.\n"
      "encoding X 32\n  31:8     op\n  7:0      d  dst  is d\n");
  ASSERT_EQ(spec.diagnostics.text(), "");
  const auto x = std::find_if(spec.isa.encodings.begin(), spec.isa.encodings.end(),
                              [](const Encoding& e) { return e.name == "X"; });
  ASSERT_EQ(x->fields.size(), 3U);
  EXPECT_EQ(x->fields[1].chips | x->fields[2].chips, 0b111U);
  EXPECT_NE(*x->fields[1].kind, *x->fields[2].kind);
  EXPECT_EQ(spec.isa.kind_on(*x->fields[1].kind, 0), spec.isa.kind_on(*x->fields[2].kind, 0));
}

TEST(Addresses, AreBodies) {
  const SpecText spec = with_base(
      "encoding FLAT 32\n  31:16    op\n  15:8     addr  vgpr  is addr\n  7:0      off   value\n"
      "  address  addr = has_saddr ? saddr + u64(i64(offset)) : vaddr\n");
  ASSERT_EQ(spec.diagnostics.text(), "");
  ASSERT_EQ(spec.isa.address_bodies.size(), 1U);
  const core::Body& body = spec.isa.address_bodies[0].body;
  ASSERT_EQ(body.slots.size(), 11U);
  EXPECT_EQ(body.slots[0].name, "addr");
  EXPECT_TRUE(body.slots[0].is_written);
}

TEST(Counts, AreTables) {
  const std::string image =
      "encoding IMAGE 64\n  63:48    reserved\n  47:40    vaddr1  vgpr   is addr[1..]\n  39:32    vdata   vgpr   is d\n"
      "  31:26    = 0b111100\n  25:18    op\n  17:16    reserved\n  15:8     vaddr   vgpr   is addr\n"
      "  7:6      dmask   value\n  5:1      reserved\n  0        tfe     flag\n  syntax   d addr dmask tfe\n";
  const SpecText spec = with_base(
      image +
      "family image_{K}\n  for      K: one:1 two:2\n  about    Gets.\n  ptx      none\n  fidelity none: a test\n"
      "  d        out b32\n  addr     in  b32\n  count    d = dmask == 3 ? 64 : u32(popcount(dmask)) + tfe\n"
      "  count    addr >= {K'}, other + 1 else 3\n  IMAGE    gfx9+\n    one    0x01\n    two    0x02\n");
  EXPECT_NE(spec.diagnostics.text().find("no encoding of the instruction has a field 'other'"), std::string::npos);
  const Instruction* two = find(spec.isa, "image_two");
  ASSERT_NE(two, nullptr);
  const auto found = std::find_if(spec.isa.encodings.begin(), spec.isa.encodings.end(),
                                  [](const Encoding& encoding) { return encoding.name == "IMAGE"; });
  ASSERT_NE(found, spec.isa.encodings.end());
  const Count* data = count_of(*two, "d", 0);
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(count_table(*data, *found, 0).groups, (std::vector<std::vector<u8>>{{0, 1, 1, 64, 1, 2, 2, 64}}));
  const Count* address = count_of(*two, "addr", 0);
  ASSERT_NE(address, nullptr);
  EXPECT_TRUE(address->is_least);
  EXPECT_EQ(address->source, "2, other + 1");
  EXPECT_EQ(address->otherwise, 3U);
  EXPECT_EQ(count_table(*address, *found, 0).groups, (std::vector<std::vector<u8>>{{2}, {1}}));
  const FurtherFields further = further_fields(*found, "addr", 0);
  ASSERT_EQ(further.fields.size(), 1U);
  EXPECT_EQ(further.fields[0]->name, "vaddr1");
  EXPECT_TRUE(further.takes_rest);
}

TEST(Order, DoesNotDependOnFiles) {
  const std::string other = family("v_x_{T}", "  for      T: f32 u32\n", "  VOP2  gfx9+\n    f32 0x00\n    u32 0x01\n");
  const SpecText a({{"base.isa", base}, {"test.isa", other}});
  const SpecText b({{"test.isa", other}, {"base.isa", base}});
  ASSERT_EQ(a.diagnostics.text() + b.diagnostics.text(), "");
  EXPECT_EQ(forms_of(a.isa, "v_x_u32"), forms_of(b.isa, "v_x_u32"));
}

}  // namespace
}  // namespace gfxisa::model
