// Chips, epochs, formats, codes, operand kinds, promotions, functions.
#include <algorithm>
#include <charconv>

#include "base/suggest.h"
#include "lang/parser_detail.h"

namespace gfxisa::lang {

// Limits keep the sums of the model inside their types; no real spec comes near them.
static constexpr u64 most_bits = 1024;
static constexpr u64 most_code = 767;

void Parser::chip(LineReader& words) {
  Chip chip;
  chip.name = expect_word(words, "the chip's name");
  expect_end(words);
  while (inside(0)) {
    LineReader inner = reader();
    ++at_;
    chip_line(chip, inner);
  }
  file_.chips.push_back(std::move(chip));
}

void Parser::chip_line(Chip& chip, LineReader& words) {
  const Word keyword = words.next();
  if (keyword.text == "title") {
    append_text(chip.title, words);
  } else if (keyword.text == "targets") {
    for (Word& word : words_left(words)) chip.targets.push_back(std::move(word));
  } else if (keyword.text == "wave") {
    for (Word& word : words_left(words)) chip.waves.push_back(std::move(word));
  } else if (keyword.text == "manual") {
    chip.manuals.push_back(words.rest());
  } else {
    unknown_line(keyword, "a chip", {"title", "targets", "wave", "manual"});
  }
}

void Parser::epoch(LineReader& words) {
  Epoch epoch;
  epoch.name = expect_word(words, "the epoch's name");
  if (expect_literal(words, "=", "an epoch is written epoch gfx9 = cdna1 cdna2")) epoch.chips.items = words_left(words);
  // `epoch gfx12 = rdna4 knows gfx11`
  std::vector<Word>& chips = epoch.chips.items;
  const auto knows = std::find_if(chips.begin(), chips.end(), [](const Word& word) { return word.text == "knows"; });
  if (knows != chips.end()) epoch.knows.items.assign(knows + 1, chips.end());
  if (knows != chips.end() && epoch.knows.empty())
    fail(knows->at, "the epoch knows nothing", "epoch gfx12 = rdna4 knows gfx11");
  chips.erase(knows, chips.end());
  no_lines_inside(0, "an epoch");
  file_.epochs.push_back(std::move(epoch));
}

void Parser::format(LineReader& words) {
  Format format;
  u64 bits = 0;
  format.name = expect_word(words, "the format's name");
  const bool good = expect_number(words, "the number of bits", most_bits, bits);
  format.bits = static_cast<u32>(bits);
  if (good) format.kind = expect_word(words, "a kind (bits unsigned signed float packed mask address tile)");
  format.text = words.rest();
  no_lines_inside(0, "a format");
  if (good) file_.formats.push_back(std::move(format));
}

// `128` or `128..192`
static bool code_range(std::string_view text, u64& first, u64& last) {
  const std::size_t dots = text.find("..");
  if (!parse_number(text.substr(0, dots), first)) return false;
  last = first;
  return dots == std::string_view::npos || parse_number(text.substr(dots + 2), last);
}

void Parser::code(LineReader& words) {
  Code code;
  no_lines_inside(0, "a code");
  const Word range = expect_word(words, "register codes");
  u64 first = 0, last = 0;
  if (range.text.empty()) return;
  if (!code_range(range.text, first, last) || first > last) {
    return fail(range.at, "'" + range.text + "' is no range of codes", "codes are written 128 or 128..192");
  }
  if (last > most_code) return fail(range.at, "register codes end at " + std::to_string(most_code));
  code.first = static_cast<u32>(first);
  code.last = static_cast<u32>(last);
  code.at = range.at;
  code.on = words.take_on();
  code.cls = expect_word(words, "a class of codes");
  code_value(code, words);
  expect_end(words);
  if (!code.cls.text.empty()) file_.codes.push_back(std::move(code));
}

void Parser::code_value(Code& code, LineReader& words) {
  if (code.cls.text == "vgpr" || code.cls.text == "agpr") {
    code.is_even = words.peek() == "even";
    if (code.is_even) words.next();
  } else if (code.cls.text == "special") {
    code.name = expect_word(words, "the register's name");
  } else if (code.cls.text == "integer") {
    i64 value = 0;
    expect_signed(words, "the integer's value", value);
    code.value = static_cast<double>(value);
    if (words.peek() == "step") {
      words.next();
      expect_signed(words, "the step", code.step);
    }
  } else if (code.cls.text == "float") {
    const Word word = expect_word(words, "the float's value");
    const char* end = word.text.data() + word.text.size();
    const auto parsed = std::from_chars(word.text.data(), end, code.value);
    if (!word.text.empty() && (parsed.ec != std::errc() || parsed.ptr != end)) {
      fail(word.at, "'" + word.text + "' is no number");
    }
  }
}

void Parser::kind(LineReader& words) {
  OperandKind kind;
  u64 bits = 0, offset = 0, scale = 1;
  kind.on = words.take_on();
  kind.name = expect_word(words, "the operand kind's name");
  const bool good = expect_number(words, "the number of bits", 32, bits);
  while (good && !words.at_end() && words.peek() != "+" && words.peek() != "*") kind_class(kind, words.next());
  if (good && words.peek() == "*") {
    words.next();
    expect_number(words, "the step of the registers", 16, scale);
  }
  if (good && words.peek() == "+") {
    words.next();
    expect_number(words, "the number added", most_code, offset);
  }
  if (good) expect_end(words);
  kind.scale = static_cast<u32>(scale);
  kind.bits = static_cast<u32>(bits);
  kind.offset = static_cast<u32>(offset);
  while (inside(0)) {
    LineReader inner = reader();
    ++at_;
    const Word keyword = inner.next();
    if (keyword.text == "about") {
      append_text(kind.about, inner);
    } else {
      unknown_line(keyword, "a kind", {"about"});
    }
  }
  if (good) file_.kinds.push_back(std::move(kind));
}

void Parser::kind_class(OperandKind& kind, Word word) {
  KindClass cls;
  const std::size_t colon = word.text.find(':');
  cls.cls = {word.text.substr(0, colon), word.at};
  cls.cls.at.length = static_cast<u32>(cls.cls.text.size());
  if (colon != std::string::npos) {
    Word only{word.text.substr(colon + 1), word.at};
    only.at.column += static_cast<u32>(colon + 1);
    cls.only = column_set(only).items;
  }
  kind.classes.push_back(std::move(cls));
}

void Parser::promote(LineReader& words) {
  Promote promote;
  u64 step = 0;
  promote.at = words.here();
  promote.on = words.take_on();
  promote.from = expect_word(words, "an encoding");
  bool good = expect_literal(words, "to", "a promotion is written promote VOP2 to VOP3 + 0x100");
  if (good) promote.to = expect_word(words, "an encoding");
  if (good && !words.at_end()) {
    good = expect_literal(words, "+", "a promotion is written promote VOP2 to VOP3 + 0x100") &&
           expect_number(words, "the number added to the opcode", 0xffff, step);
    if (good && words.peek() == "without") {
      words.next();
      promote.without = words_left(words);
    }
    expect_end(words);
  }
  promote.step = static_cast<u32>(step);
  no_lines_inside(0, "a promotion");
  if (good) file_.promotes.push_back(std::move(promote));
}

void Parser::function(LineReader& words, bool is_stage) {
  Function function;
  function.is_stage = is_stage;
  ExpressionParser parser(source_, words.line(), words.offset(), words.text().size(), *diagnostics_);
  function.name = parser.name(is_stage ? "the stage's name" : "the function's name");
  parser.expect("(", "a function is written fn double(x) = x + x");
  while (!parser.failed() && !parser.accept(")")) {
    if (!function.parameters.empty() && !parser.expect(",")) break;
    function.parameters.push_back(parser.name("a parameter's name"));
  }
  if (!parser.failed() && !parser.at_end()) {
    const Location at = parser.peek().at;
    Statement result{};
    result.kind = Statement::Kind::result;
    result.at = at;
    if (parser.expect("=", "a function is written fn double(x) = x + x")) result.value = parser.expression();
    parser.expect_end();
    function.block.push_back(std::move(result));
    no_lines_inside(0, "a function of one line");
  } else if (!parser.failed()) {
    function_block(function, 0);
  }
  skip_inside(0);
  if (!parser.failed() && !function.block.empty()) file_.functions.push_back(std::move(function));
}

// With a result at its end a function holds lets besides; without one it is a procedure and holds what bodies hold.
void Parser::function_block(Function& function, u32 indent) {
  const std::size_t errors = diagnostics_->list().size();
  function.block = statements(indent, 0);
  const bool has_result = !function.block.empty() && function.block.back().kind == Statement::Kind::result;
  for (std::size_t i = 0; has_result && i + 1 < function.block.size(); ++i) {
    const Statement& statement = function.block[i];
    if (statement.kind != Statement::Kind::let)
      fail(statement.at, "a function holds let lines and a last line = EXPRESSION");
  }
  const bool only_lets = std::all_of(function.block.begin(), function.block.end(),
                                     [](const Statement& statement) { return statement.kind == Statement::Kind::let; });
  if (!has_result && (function.is_stage || only_lets) && diagnostics_->list().size() == errors) {
    fail(function.name.at, "the function has no result", "its last line is = EXPRESSION");
  }
  if (diagnostics_->list().size() != errors) function.block.clear();
}

}  // namespace gfxisa::lang
