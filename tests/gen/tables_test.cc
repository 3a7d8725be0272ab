// Rows made from a small Isa built by hand.
#include <gtest/gtest.h>

#include "gen/tables_data.h"

namespace gfxisa::gen {
namespace {

using model::ChipSet;

constexpr ChipSet both = 3;

model::Field field(model::FieldRole role, const char* name, u32 low, u32 width, u64 constant = 0) {
  model::Field out;
  out.role = role;
  out.name = name;
  out.low = low;
  out.width = width;
  out.constant = constant;
  out.chips = both;
  return out;
}

model::Field operand(const char* name, u32 low, u32 width, u32 kind, std::vector<std::string> slots) {
  model::Field out = field(model::FieldRole::operand, name, low, width);
  out.kind = kind;
  out.slots = std::move(slots);
  return out;
}

/// Two chips; a word of 32 bits with two operands, a longer one with the same fixed bits and a literal, and a suffix.
model::Isa small_isa() {
  using model::FieldRole;
  model::Isa isa;
  isa.chips = {{"one", "One", {"gfx1"}, {64}, {}, 0}, {"two", "Two", {"gfx2", "gfx3"}, {32, 64}, {}, 0}};
  isa.epochs = {{"all", both}};
  isa.formats = {{"u32", "unsigned", "a word", 32}, {"u64", "unsigned", "two words", 64}};
  const auto code = [](u32 first, u32 last, model::CodeClass cls, const char* name, ChipSet chips) {
    model::Code out;
    out.first = first;
    out.last = last;
    out.cls = cls;
    out.name = name;
    out.chips = chips;
    return out;
  };
  isa.codes = {code(0, 9, model::CodeClass::sgpr, "", both), code(10, 11, model::CodeClass::sgpr, "", 2),
               code(106, 107, model::CodeClass::special, "vcc", both),
               code(255, 255, model::CodeClass::literal, "", both)};
  model::OperandKind source;
  source.name = "src";
  source.bits = 8;
  source.classes = 1u << static_cast<u32>(model::CodeClass::sgpr) | 1u << static_cast<u32>(model::CodeClass::special) |
                   1u << static_cast<u32>(model::CodeClass::literal);
  source.chips = both;
  isa.kinds = {source};
  model::Encoding word;
  word.name = "WORD";
  word.bits = 32;
  word.chips = both;
  word.fields = {field(FieldRole::constant, "", 30, 2, 2), field(FieldRole::opcode, "op", 16, 8),
                 operand("s1", 8, 8, 0, {"a"}), operand("s0", 0, 8, 0, {"d", "b"}),
                 field(FieldRole::modifier, "mode", 24, 6, 5)};
  word.syntax = {{{"d", "a", "b", "mode"}, both}};
  model::Encoding longer = word;
  longer.name = "LONG";
  longer.bits = 64;
  longer.fields.push_back(field(FieldRole::operand, "k", 32, 32));
  model::Encoding literal;
  literal.name = "LITERAL";
  literal.bits = 32;
  literal.chips = both;
  literal.is_suffix = true;
  literal.hosts = {{0, 2}};
  literal.selects_field = "literal";
  literal.fields = {field(FieldRole::modifier, "literal", 0, 32)};
  isa.encodings = {word, longer, literal};
  isa.families = {{"f", {}}};
  model::Instruction narrow, wide;
  narrow.name = "add";
  narrow.slots = {{"d", model::Access::out, "u32", "", {}, false, "", both},
                  {"a", model::Access::in, "u32", "", {}, false, "", both}};
  narrow.names = {{2, "plus"}};
  narrow.aliases = {{1, "sum"}};
  wide.name = "add_wide";
  wide.slots = {{"d", model::Access::out, "u64", "", {}, false, "", both}};
  isa.instructions = {narrow, wide};
  isa.forms = {{0, 0, 0, 3, false}, {1, 1, 0, 4, false}, {0, 0, 1, 3, false}};
  return isa;
}

bool is_legal(const TableData& data, const FormRow& form, u32 check, u32 value) {
  const LegalValues& legal = data.legal_values[data.checks.rows[form.first_check + check].legal];
  return (legal[value / 64] >> (value % 64) & 1) != 0;
}

class Tables : public testing::Test {
 protected:
  const model::Isa isa = small_isa();
  const TableData data = make_tables(isa);
  std::string_view text(Text index) const { return data.pool.text(index); }
};

TEST_F(Tables, SuffixesComeFirst) {
  ASSERT_EQ(data.chips.size(), 2u);
  EXPECT_EQ(data.chips[0].encoding_count, 3);
  EXPECT_EQ(text(data.encodings[data.chips[0].first_encoding].name), "LITERAL");
  EXPECT_EQ(data.encodings[data.chips[0].first_encoding + 1].suffixes, 0u);  // it follows WORD on chip two only
  EXPECT_EQ(data.encodings[data.chips[1].first_encoding + 1].suffixes, 1u);
}

TEST_F(Tables, WordsHoldConstantsAndDefaults) {
  const EncodingRow& word = data.encodings[data.chips[0].first_encoding + 1];
  EXPECT_EQ(word.mask, 0xc0000000u);
  EXPECT_EQ(word.match, 0x80000000u);
  EXPECT_EQ(word.base[0], 0x85000000u);
  EXPECT_EQ(word.literal_field, 0xff);
  EXPECT_EQ(data.encodings[data.chips[0].first_encoding + 2].literal_field, 5);
}

TEST_F(Tables, EncodingsAlikeAreOneGroup) {
  ASSERT_EQ(data.decode_groups.size(), 2u);  // one a chip
  const DecodeGroupRow& group = data.decode_groups[0];
  EXPECT_EQ(group.bits, 32);
  ASSERT_EQ(group.opcode_count, 5u);
  EXPECT_EQ(data.form_of_opcode[group.first_form + 3], 1u);
  EXPECT_EQ(data.form_of_opcode[group.first_form + 4], 2u);
  const u32 root = data.chips[0].first_root;
  EXPECT_EQ(data.candidates[data.roots[root + 0x1ff]], no_candidate);
  EXPECT_EQ(data.candidates[data.roots[root + 0x100]], 0);
}

TEST_F(Tables, LegalValuesFollowChipAndWidth) {
  const FormRow& on_one = data.forms[0];
  const FormRow& wide = data.forms[1];
  const FormRow& on_two = data.forms[2];
  EXPECT_TRUE(is_legal(data, on_one, 0, 9));
  EXPECT_FALSE(is_legal(data, on_one, 0, 10));
  EXPECT_TRUE(is_legal(data, on_two, 0, 11));
  EXPECT_TRUE(is_legal(data, on_one, 0, 107));
  EXPECT_TRUE(is_legal(data, wide, 0, 106));
  EXPECT_FALSE(is_legal(data, wide, 0, 107));  // the upper half of vcc is no pair
  EXPECT_TRUE(is_legal(data, wide, 0, 9));     // an odd pair is read as the even one below it
  EXPECT_TRUE(is_legal(data, wide, 0, 8));
}

TEST_F(Tables, SyntaxNamesDeclaredSlotsOnly) {
  const FormRow& form = data.forms[0];
  ASSERT_EQ(form.syntax_count, 3);
  const SyntaxItem* items = data.syntax_items.rows.data() + form.first_syntax;
  EXPECT_EQ(text(items[0].name), "d");
  EXPECT_EQ(text(items[1].name), "a");
  EXPECT_EQ(text(items[2].name), "mode");
  EXPECT_TRUE(items[0].is_slot);
  EXPECT_FALSE(items[2].is_slot);
  EXPECT_EQ(form.operand_count, 2);
  EXPECT_EQ(form.syntax_operands, 2);
}

TEST_F(Tables, NamesAreSorted) {
  const ChipRow& one = data.chips[0];
  ASSERT_EQ(one.name_count, 3u);
  EXPECT_EQ(text(data.name_index[one.first_name].name), "add");
  EXPECT_EQ(text(data.name_index[one.first_name + 1].name), "add_wide");
  EXPECT_EQ(text(data.name_index[one.first_name + 2].name), "sum");
  EXPECT_TRUE(data.name_index[one.first_name + 2].is_alias);
  const ChipRow& two = data.chips[1];
  ASSERT_EQ(two.name_count, 1u);
  EXPECT_EQ(text(data.name_index[two.first_name].name), "plus");
}

TEST_F(Tables, TextsAreStoredOnce) {
  TextPool pool;
  EXPECT_EQ(pool.add(""), 0u);
  const Text first = pool.add("word");
  EXPECT_EQ(pool.add("word"), first);
  EXPECT_NE(pool.add("words"), first);
}

TEST_F(Tables, TheTextEscapesWhatItMust) {
  model::Isa isa = small_isa();
  isa.instructions[0].about =
      "a \"quote\", a \\, a ?"
      "?/ and \xc3\xa9\n1";
  const std::string written = table_text(make_tables(isa));
  EXPECT_NE(written.find("a \\\"quote\\\", a \\\\, a \\?\\?/ and \\303\\251\\0121"), std::string::npos);
  EXPECT_NE(written.find("const Tables generated_tables"), std::string::npos);
}

}  // namespace
}  // namespace gfxisa::gen
