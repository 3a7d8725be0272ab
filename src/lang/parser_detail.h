// Inside of the parser: one class, its parts in parser*.cc by kind of block.
#pragma once
#include <initializer_list>
#include <string>
#include <vector>

#include "lang/expressions.h"
#include "lang/lines.h"
#include "lang/syntax.h"

namespace gfxisa::lang {

class Parser {
 public:
  Parser(u32 source, const Sources& sources, Diagnostics& diagnostics);
  File run();

 private:
  // parser.cc: lines and the parts all blocks share
  bool more() const { return at_ < lines_.size(); }
  const SourceLine& line() const { return lines_[at_]; }
  LineReader reader() const { return {source_, lines_[at_]}; }
  /// The next line belongs to the block whose head was indented by `indent`.
  bool inside(u32 indent) const { return more() && line().indent > indent; }
  void skip_inside(u32 indent);
  void block();
  void top_level(LineReader& words, std::string_view keyword);
  void fail(Location at, std::string message, std::string hint = {});
  /// Takes a word and reports when there is none.
  Word expect_word(LineReader& words, std::string_view what);
  bool expect_literal(LineReader& words, std::string_view text, std::string_view hint);
  void expect_end(LineReader& words);
  bool expect_number(LineReader& words, std::string_view what, u64 most, u64& value);
  bool expect_signed(LineReader& words, std::string_view what, i64& value);
  std::vector<Word> words_left(LineReader& words);
  void append_text(Text& target, LineReader& words);
  void unknown_line(const Word& keyword, std::string_view block, std::initializer_list<std::string_view> known);
  void no_lines_inside(u32 indent, std::string_view block);
  Set column_set(const Word& word);

  // parser_blocks.cc
  void chip(LineReader& words);
  void chip_line(Chip& chip, LineReader& words);
  void epoch(LineReader& words);
  void format(LineReader& words);
  void code(LineReader& words);
  void code_value(Code& code, LineReader& words);
  void kind(LineReader& words);
  void kind_class(OperandKind& kind, Word word);
  void promote(LineReader& words);
  void function(LineReader& words, bool is_stage);
  void function_block(Function& function, u32 indent);

  // parser_encoding.cc
  void encoding(LineReader& words, bool is_suffix);
  void encoding_line(Encoding& encoding, LineReader& words);
  void bit_line(Encoding& encoding, LineReader& words);
  bool bit_range(BitLine& bits, LineReader& words);
  void bit_line_owner(BitLine& bits, LineReader& words);
  void take_slots(BitLine& bits, LineReader& words);
  void take_else(BitLine& bits, LineReader& words);
  void stage_line(std::vector<StageLine>& stages, LineReader& words);
  void address_line(Encoding& encoding, LineReader& words);
  void implied_line(Encoding& encoding, LineReader& words);
  void widest_line(Encoding& encoding, LineReader& words);
  void halves_line(Encoding& encoding, LineReader& words);
  void scalars_line(std::vector<ScalarsLine>& lines, const Word& keyword, LineReader& words, bool is_family);
  void selects_line(Encoding& encoding, LineReader& words);

  // parser_family.cc
  void family(LineReader& words);
  void family_line(Family& family, LineReader& words, const std::string& previous);
  bool family_text(Family& family, const Word& keyword, LineReader& words, const std::string& previous);
  bool family_facts(Family& family, const Word& keyword, LineReader& words);
  void list(Family& family, LineReader& words);
  Word phrase(LineReader& words);
  void list_column(Family& family, LineReader& words);
  void check_columns(Family& family);
  bool set_before_colon(LineReader& words, Set& set);
  void name_line(std::vector<NameLine>& names, LineReader& words);
  void except(Family& family, LineReader& words);
  void without(std::vector<Without>& lines, LineReader& words);
  void field_line(Family& family, LineReader& words);
  void ptx(Family& family, LineReader& words);
  void fidelity(Family& family, LineReader& words);
  void slot(Family& family, const Word& name, LineReader& words);
  void slot_set(Slot& slot, LineReader& words);
  void count(Family& family, LineReader& words);
  void opcode_table(Family& family, const Word& encoding, LineReader& words, u32 indent);
  void opcode_row(OpcodeTable& table, LineReader& words);
  bool opcode_cell(OpcodeRow& row, LineReader& words);

  // parser_body.cc
  void body(std::vector<Body>& bodies, LineReader& words, u32 indent);
  /// The text of the lines `first` to `last`, without the body's indentation.
  std::string body_source(u32 first, u32 indent, u32 last) const;
  Block statements(u32 indent, unsigned depth);
  void statement(Block& block, u32 indent, unsigned depth);
  void if_statement(Block& block, ExpressionParser& parser, Location at, u32 indent, unsigned depth);
  void for_statement(Block& block, ExpressionParser& parser, Location at, u32 indent, unsigned depth);
  void let_statement(Block& block, ExpressionParser& parser, Location at);
  void plain_statement(Block& block, ExpressionParser& parser, Location at);

  u32 source_;
  const Sources* sources_;
  Diagnostics* diagnostics_;
  std::vector<SourceLine> lines_;
  std::size_t at_ = 0;
  File file_;
};

}  // namespace gfxisa::lang
