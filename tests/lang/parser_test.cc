#include "lang/parser.h"

#include <gtest/gtest.h>

#include <random>

namespace gfxisa::lang {
namespace {

/// A text, parsed.
struct Parsed {
  explicit Parsed(const std::string& text) : diagnostics(sources) {
    file = parse(sources.add("t.isa", text), sources, diagnostics);
  }
  Sources sources;
  Diagnostics diagnostics;
  File file;
};

/// An expression with every operation in parentheses.
std::string shown(const Expression& e) {
  using Kind = Expression::Kind;
  std::string text = e.text;
  switch (e.kind) {
    case Kind::number:
      return std::to_string(e.value);
    case Kind::real:
    case Kind::name:
      return text;
    case Kind::unary:
      return "(" + text + shown(*e.args[0]) + ")";
    case Kind::binary:
      return "(" + shown(*e.args[0]) + text + shown(*e.args[1]) + ")";
    case Kind::select:
      return "(" + shown(*e.args[0]) + "?" + shown(*e.args[1]) + ":" + shown(*e.args[2]) + ")";
    case Kind::slice:
      return shown(*e.args[0]) + "[" + shown(*e.args[1]) + ":" + shown(*e.args[2]) + "]";
    case Kind::index:
      return shown(*e.args[0]) + "[" + shown(*e.args[1]) + "]";
    case Kind::call:
      break;
  }
  text += "(";
  for (std::size_t i = 0; i < e.args.size(); ++i) text += (i == 0 ? "" : ",") + shown(*e.args[i]);
  return text + ")";
}

std::string expression(const std::string& text) {
  const Parsed parsed("fn f(x) = " + text + "\n");
  if (parsed.diagnostics.has_errors()) return parsed.diagnostics.list()[0].message;
  return shown(*parsed.file.functions[0].block[0].value);
}

TEST(Expressions, BindByStrength) {
  EXPECT_EQ(expression("a + b * c"), "(a+(b*c))");
  EXPECT_EQ(expression("a - b - c"), "((a-b)-c)");
  EXPECT_EQ(expression("a << b + c"), "(a<<(b+c))");
  EXPECT_EQ(expression("a & b == c"), "(a&(b==c))");
  EXPECT_EQ(expression("a | b ^ c & d"), "(a|(b^(c&d)))");
  EXPECT_EQ(expression("a || b && c"), "(a||(b&&c))");
  EXPECT_EQ(expression("a < b == c >= d"), "((a<b)==(c>=d))");
  EXPECT_EQ(expression("-a * ~b"), "((-a)*(~b))");
  EXPECT_EQ(expression("!a ? b : c ? d : e"), "((!a)?b:(c?d:e))");
  EXPECT_EQ(expression("(a + b) * c"), "((a+b)*c)");
}

TEST(Expressions, HavePostfixForms) {
  EXPECT_EQ(expression("x[15:0]"), "x[15:0]");
  EXPECT_EQ(expression("x[i][3 : 1]"), "x[i][3:1]");
  EXPECT_EQ(expression("f(x, g())"), "f(x,g())");
  EXPECT_EQ(expression("lds.load.{T}(a)[0x1f:0b10]"), "lds.load.{T}(a)[31:2]");
  EXPECT_EQ(expression("T'(imm)"), "T'(imm)");
  EXPECT_EQ(expression("fmul(x, 0.5)"), "fmul(x,0.5)");
}

TEST(Expressions, ReportMistakes) {
  EXPECT_EQ(expression("a +"), "expected a value, found the end of the line");
  EXPECT_EQ(expression("a b"), "unexpected 'b'");
  EXPECT_EQ(expression("0x"), "'0x' is no number of at most 64 bits");
  EXPECT_EQ(expression("12ab"), "'12ab' is no number of at most 64 bits");
  EXPECT_EQ(expression("{T"), "a brace that is not closed");
  EXPECT_EQ(expression("x[1:2"), "expected ']', found the end of the line");
  EXPECT_EQ(expression("a ; b"), "unexpected character ';'");
}

TEST(Expressions, KnowTheirPlaces) {
  const Parsed parsed("fn f(x) = x + (x << 3)\n");
  const Expression& sum = *parsed.file.functions[0].block[0].value;
  EXPECT_EQ(sum.at.column, 11U);
  EXPECT_EQ(sum.at.length, 12U);
  EXPECT_EQ(sum.args[1]->at.column, 16U);
  EXPECT_EQ(sum.args[1]->at.length, 6U);
}

constexpr const char* family_text = R"(topic Tests
// a comment
family s_{C}_{T}
  for      C: lt ge
  for      T: u32:b32 b64:b128:_x2 i32:-
  name     gfx9 gfx10: s_old_{T}   // another
  about    Compares
  about    two words.
  about
  about    Second paragraph.
  note     One note
  note     on two lines.
  note
  note     Another note.
  ptx      setp.lt.u32 near on gfx9: differs
  ptx      none on gfx10+
  fidelity approximate: within 1 ulp
  without  gfx9: DPP16 SDWA
  except   gfx11: lt b64

  d        inout {T} via sdst  the result
  imm      imm  u16
  scc      out  b1

  SOP2,     gfx9,cdna5 gfx10+
    u32     0x10 + C   -
    b64 lt  1          2
    i32 lt..ge 0x20 + C 7

  exec on gfx9
    let x = d[3:0]
    // kept
    if x == 0
      d = x
    else if x == 1
      nop()
    else
      d[7:0] = 1
  exec wave on gfx10+
    for lane in active
      d[lane] = 0
    for i in 0..4
      sgpr[i] = i
)";

TEST(Families, AreReadWhole) {
  const Parsed parsed(family_text);
  ASSERT_EQ(parsed.diagnostics.text(), "");
  ASSERT_EQ(parsed.file.families.size(), 1U);
  const Family& family = parsed.file.families[0];
  EXPECT_EQ(parsed.file.topic.text, "Tests");
  EXPECT_EQ(family.name.text, "s_{C}_{T}");
  EXPECT_EQ(family.about.text, "Compares two words.\nSecond paragraph.");
  ASSERT_EQ(family.notes.size(), 2U);
  EXPECT_EQ(family.notes[0].text, "One note on two lines.");
  EXPECT_EQ(family.notes[1].text, "Another note.");
  ASSERT_EQ(family.names.size(), 1U);
  EXPECT_EQ(family.names[0].on.items.size(), 2U);
  EXPECT_EQ(family.names[0].name.text, "s_old_{T}");
  EXPECT_EQ(family.withouts[0].names.size(), 2U);
  EXPECT_EQ(family.excepts[0].values.size(), 2U);
  EXPECT_EQ(family.fidelity.why.text, "within 1 ulp");
}

TEST(Families, HaveListsWithSeveralTexts) {
  const Parsed parsed(family_text);
  const List& list = parsed.file.families[0].lists[1];
  EXPECT_EQ(list.values[0].second.text, "b32");
  EXPECT_EQ(list.values[0].third.text, "b32");
  EXPECT_EQ(list.values[1].second.text, "b128");
  EXPECT_EQ(list.values[1].third.text, "_x2");
  EXPECT_EQ(list.values[2].second.text, "");
  EXPECT_EQ(parsed.file.families[0].lists[0].values[0].second.text, "lt");
}

TEST(Families, HaveColumnsOfPhrases) {
  const Parsed parsed(
      "family x_{T}\n  for T: b32 b64 b96 b128\n  with what: \"a word\" \"two words\"\n"
      "  with what: - \"\"\n  with W: 1 2 3 4\n");
  ASSERT_FALSE(parsed.diagnostics.has_errors());
  const std::vector<ListColumn>& columns = parsed.file.families[0].lists[0].columns;
  ASSERT_EQ(columns.size(), 2U);
  ASSERT_EQ(columns[0].texts.size(), 4U);
  EXPECT_EQ(columns[0].texts[0].text, "a word");
  EXPECT_EQ(columns[0].texts[1].text, "two words");
  EXPECT_EQ(columns[0].texts[2].text, "");
  EXPECT_EQ(columns[0].texts[3].text, "");
  EXPECT_EQ(columns[1].texts[3].text, "4");
}

TEST(Families, HaveSlotsAndPtx) {
  const Parsed parsed(family_text);
  const Family& family = parsed.file.families[0];
  ASSERT_EQ(family.slots.size(), 3U);
  EXPECT_EQ(family.slots[0].access, Slot::Access::inout);
  EXPECT_EQ(family.slots[0].via.text, "sdst");
  EXPECT_EQ(family.slots[0].note.text, "the result");
  EXPECT_EQ(family.slots[1].access, Slot::Access::imm);
  ASSERT_EQ(family.ptx.size(), 2U);
  EXPECT_EQ(family.ptx[0].name, "setp.lt.u32");
  EXPECT_EQ(family.ptx[0].on.items[0].text, "gfx9");
  EXPECT_EQ(family.ptx[0].why.text, "differs");
  EXPECT_EQ(family.ptx[1].relation, Ptx::Relation::none);
  EXPECT_EQ(family.ptx[1].on.items[0].text, "gfx10+");
}

TEST(Families, HaveOpcodeTables) {
  const Parsed parsed(family_text);
  const OpcodeTable& table = parsed.file.families[0].tables[0];
  EXPECT_EQ(table.columns[0].items.size(), 2U);
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[0].cells[0].number, 0x10U);
  EXPECT_EQ(table.rows[0].cells[0].plus[0].list.text, "C");
  EXPECT_FALSE(table.rows[0].cells[1].exists);
  EXPECT_EQ(table.rows[1].part_first.text, "lt");
  EXPECT_EQ(table.rows[1].part_last.text, "lt");
  EXPECT_EQ(table.rows[2].part_last.text, "ge");
  EXPECT_EQ(table.rows[2].cells[1].number, 7U);
}

TEST(Families, HaveBodies) {
  const Parsed parsed(family_text);
  const Family& family = parsed.file.families[0];
  ASSERT_EQ(family.bodies.size(), 2U);
  EXPECT_EQ(family.bodies[0].source,
            "let x = d[3:0]\n// kept\nif x == 0\n  d = x\nelse if x == 1\n  nop()\nelse\n  d[7:0] = 1");
  const Block& block = family.bodies[0].block;
  ASSERT_EQ(block.size(), 2U);
  EXPECT_EQ(block[1].kind, Statement::Kind::branch);
  ASSERT_EQ(block[1].other.size(), 1U);
  EXPECT_EQ(block[1].other[0].other.size(), 1U);
  EXPECT_EQ(family.bodies[1].kind, Body::Kind::wave);
  EXPECT_EQ(family.bodies[1].block[0].name_set, "active");
  EXPECT_EQ(family.bodies[1].block[1].last->value, 4U);
}

TEST(Encodings, AreReadWhole) {
  const Parsed parsed(
      "suffix DPP16 32 of VOP1 VOP2 on gfx9\n  of       VOP3 on gfx11+\n  selects  src0 = 250\n  mnemonic _dpp\n"
      "  31:28    row_mask  row_mask = 0b1111\n  27       = 0b1\n  26:8     reserved  on gfx9\n  7:0      vsrc0  vgpr  "
      "is a b\n"
      "  implied  d = vcc\n  read     neg(neg[i], 3) on f16 f32 on gfx9\n  address  addr = vaddr + 1 on gfx10\n  "
      "syntax   d a on gfx9\n");
  ASSERT_EQ(parsed.diagnostics.text(), "");
  const Encoding& encoding = parsed.file.encodings[0];
  EXPECT_TRUE(encoding.is_suffix);
  EXPECT_EQ(encoding.hosts.size(), 2U);
  EXPECT_EQ(encoding.selects_value, 250U);
  ASSERT_EQ(encoding.bit_lines.size(), 4U);
  EXPECT_EQ(encoding.bit_lines[0].kind, BitLine::Kind::modifier);
  EXPECT_EQ(encoding.bit_lines[0].constant, 15U);
  EXPECT_EQ(encoding.bit_lines[2].on.items.size(), 1U);
  EXPECT_EQ(encoding.bit_lines[3].slots.size(), 2U);
  EXPECT_EQ(encoding.reads[0].types.size(), 2U);
  EXPECT_EQ(encoding.reads[0].on.items.size(), 1U);
  EXPECT_EQ(encoding.reads[0].arguments.size(), 2U);
  EXPECT_EQ(encoding.addresses[0].on.items[0].text, "gfx10");
}

TEST(Encodings, HaveHalvesWidthsAndScalars) {
  const Parsed parsed(
      "epoch gfx12 = new newest knows gfx10 gfx11\n"
      "encoding A 32\n  31:0     op\n  halves   numbered on gfx11\n  halves   lower\n  scalars  2 besides m0 on "
      "gfx10+\n"
      "suffix B 32 of A\n  selects  src0 = 250\n  31:0     reserved\n  widest   32 on gfx9\n"
      "family x\n  scalars  1 besides null for b64 i64 on gfx10\n");
  ASSERT_EQ(parsed.diagnostics.text(), "");
  EXPECT_EQ(parsed.file.epochs[0].chips.items.size(), 2U);
  EXPECT_EQ(parsed.file.epochs[0].knows.items.size(), 2U);
  const Encoding& encoding = parsed.file.encodings[0];
  ASSERT_EQ(encoding.halves.size(), 2U);
  EXPECT_EQ(encoding.halves[0].way.text, "numbered");
  EXPECT_EQ(encoding.halves[0].on.items[0].text, "gfx11");
  EXPECT_TRUE(encoding.halves[1].on.empty());
  EXPECT_EQ(encoding.scalars[0].most, 2U);
  EXPECT_EQ(encoding.scalars[0].besides.text, "m0");
  EXPECT_EQ(parsed.file.encodings[1].widest[0].bits, 32U);
  EXPECT_EQ(parsed.file.encodings[1].widest[0].on.items[0].text, "gfx9");
  const ScalarsLine& line = parsed.file.families[0].scalars[0];
  EXPECT_EQ(line.besides.text, "null");
  EXPECT_EQ(line.values.size(), 2U);
  EXPECT_EQ(line.on.items[0].text, "gfx10");
}

TEST(Parser, RecoversLineByLine) {
  const Parsed parsed(
      "famly x\n  about y\nkind k\nformat f 8 bits t\n  extra\nchip c\n  titel z\n\nfn f(x) = x +\nfn g(x) = x\n");
  EXPECT_EQ(parsed.diagnostics.list().size(), 5U);
  EXPECT_EQ(parsed.file.functions.size(), 1U);
  EXPECT_EQ(parsed.file.chips.size(), 1U);
}

TEST(Parser, BoundsNesting) {
  std::string deep = "fn f(x)\n";
  for (int i = 1; i < 300; ++i) deep += std::string(static_cast<std::size_t>(2 * i), ' ') + "if x\n";
  EXPECT_TRUE(Parsed(deep).diagnostics.has_errors());
  EXPECT_TRUE(Parsed("fn f(x) = " + std::string(100000, '(')).diagnostics.has_errors());
  EXPECT_TRUE(Parsed("fn f(x) = " + std::string(100000, '-')).diagnostics.has_errors());
  std::string sum = "fn f(x) = x";
  for (int i = 0; i < 100000; ++i) sum += " + x";
  EXPECT_TRUE(Parsed(sum).diagnostics.has_errors());
}

// Damaged texts: nothing but trees and messages may come out.
TEST(Parser, IsTotal) {
  std::mt19937 random(1);
  const std::string good = family_text;
  const std::string pieces = " \n:[](){}.,=+-'\t\"\\\x80\xff/0x1b";
  for (int round = 0; round < 2000; ++round) {
    std::string text = good;
    for (int i = 0; i < 4; ++i) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0) {
        text.erase(at, random() % 8);
      } else {
        text.insert(at, 1, pieces[random() % pieces.size()]);
      }
    }
    const Parsed parsed(text);
    EXPECT_FALSE(parsed.diagnostics.has_errors() && parsed.diagnostics.text().empty());
  }
}

}  // namespace
}  // namespace gfxisa::lang
